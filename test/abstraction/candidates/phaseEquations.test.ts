/** Equations of the phases that a loop goes through. */
import { phaseEquations } from '../../../src/abstraction/candidates/phaseEquations';
import * as L from '../../../src/logic';
import type { SymbolTerm } from '../../../src/logic';

const variable = (name: string) => ({
  term: L.symbol(name, L.bitsSort(32)) as SymbolTerm,
  name,
  signed: false,
  widthBits: 32,
});
const [x, m] = [variable('x'), variable('m')];
const below = (bound: number): L.Term => L.ult(x.term, L.bits(BigInt(bound), 32));
const conditions = [below(100), below(200)];
const rounds = (at: number): number => (at < 100 ? at : at < 200 ? 50 + at / 2 : 100 + at / 4);
const sample = (at: number) => ({
  values: [BigInt(at), BigInt(rounds(at))],
  truths: [at < 100, at < 200],
});
const seen = [0, 1, 2, 40, 99, 100, 102, 150, 198, 200, 204, 296, 300].map(sample);
const holds = (term: L.Term, [a, b]: readonly bigint[]): unknown =>
  L.evaluate(term, (symbol) => (symbol === x.term ? a! : b!));

test('each phase has equations of its own, which hold in all states', () => {
  const found = phaseEquations(seen, conditions, conditions, [x, m]);
  expect(found).toHaveLength(3);
  for (const { values } of seen) expect(found.map((term) => holds(term, values))).toEqual([true, true, true]);
  for (const at of [50, 160, 240])
    expect(found.every((term) => holds(term, [BigInt(at), BigInt(rounds(at) + 1)]))).toBe(false);
});

test('without a condition that tells states apart there are no phases', () => {
  expect(phaseEquations(seen.slice(0, 5), conditions, conditions, [x, m])).toEqual([]);
  expect(phaseEquations(seen, conditions, [], [x, m])).toEqual([]);
});

test('a phase of which few states were seen has no equations', () => {
  const found = phaseEquations(seen.slice(0, -3), conditions, conditions, [x, m]);
  expect(found).toHaveLength(2);
});
