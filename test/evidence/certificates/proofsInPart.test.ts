/** Invariants that prove some checks each, together a proof of all, each judged as a proof of its own checks. */
import { PredicateAbstraction } from '../../../src/abstraction/predicates/predicateAbstraction';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { askedIn, asProofOf, certificateOf, certify, certifyChecks } from '../../../src/evidence/certificates/certify';
import * as L from '../../../src/logic/build';
import type { Term } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import type { Check } from '../../../src/program/command';
import { createSolver } from '../../../src/solver';
import type { Solver } from '../../../src/solver/solver';
import { file } from '../../engines/task';

let solver: Solver;
beforeAll(() => {
  solver = createSolver({ seed: 1 });
});
afterAll(() => solver.close());
const query = (): { timeoutMs: number } => ({ timeoutMs: 60_000 });

const program = loadProgram([
  file(`
static int n, m;
void add(void) { if (n < 7) n++; else n = 0; }
void take(void) { if (m > 0) m--; else m = 4; }
int quarter(void) { __CPROVER_assert(n <= 7, "n"); __CPROVER_assert(m >= 0, "m"); return n; }
`),
]);
const system = new TransitionSystem(program, {
  ...plainOptions,
  mode: 'module',
  entries: program.functions.filter(({ library }) => !library),
  checkedProperties: new Set(['reach']),
});

const of = (name: string, term: (v: Term) => Term): Term => {
  const isIt = (symbol: Term): boolean => {
    const meaning = symbol.kind === 'symbol' ? system.vocabulary.meaning(symbol) : undefined;
    return meaning?.kind === 'variable' && meaning.variable.name === name;
  };
  return term(system.vocabulary.symbolsFor(system.client!.fn).find(isIt)!);
};
const number = (value: number): Term => L.bits(BigInt.asUintN(32, BigInt(value)), 32);
const everywhere = (term: Term): PredicateAbstraction =>
  PredicateAbstraction.ofInvariants(system, new Map(system.points.map(({ key }) => [key, [term]])));

const [ofN, ofM] = [
  everywhere(of('n', (v) => L.and(L.sle(number(0), v), L.sle(v, number(7))))),
  everywhere(of('m', (v) => L.sle(number(0), v))),
];

async function provedBy(proof: PredicateAbstraction): Promise<ReadonlySet<Check>> {
  const result = await certifyChecks(program, system.options, certificateOf(proof), solver, query);
  return result.kind === 'certified' ? result.checks : new Set();
}

test('each proves its own check, as a proof of that alone', async () => {
  const all = askedIn(system);
  expect(all).toHaveLength(2);
  for (const proof of [ofN, ofM]) {
    expect((await certify(program, system.options, certificateOf(proof), solver, query)).kind).toBe('refuted');
    const proved = await provedBy(proof);
    expect(proved.size).toBe(1);
    const part = asProofOf(proved, proof);
    expect(askedIn(part.system)).toEqual([...proved]);
    expect((await certify(program, part.system.options, certificateOf(part), solver, query)).kind).toBe('certified');
  }
  const together = new Set([...(await provedBy(ofN)), ...(await provedBy(ofM))]);
  expect(all.every((check) => together.has(check))).toBe(true);
});

test('as a proof of the other check it is refused', async () => {
  const others = await provedBy(ofM);
  const part = asProofOf(others, ofN);
  expect((await certify(program, part.system.options, certificateOf(part), solver, query)).kind).toBe('refuted');
});
