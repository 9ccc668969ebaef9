/** Clients pass values of the parameters' types, and make no addresses up. */
import { nearby } from '../../../src/engines/search/arguments/neighbours';
import { TextMutation } from '../../../src/engines/search/arguments/textMutation';
import { type Argument, runScenario } from '../../../src/evidence/scenarios/scenario';
import { Random } from '../../../src/semantics/concrete/random';
import type { ConcreteValue } from '../../../src/semantics/concrete/concreteValues';
import { programOf } from '../../program/programOf';

const program = programOf(`
struct node { int v; };
void keep(struct node *n, const char *text) { (void)n; (void)text; }
void call(void (*f)(void)) { (void)f; }
void byte(unsigned char n) { (void)n; }
void wide(long n) { (void)n; }
void real(double x) { (void)x; }`);
const fn = (name: string) => program.functionByName.get(name)!;
const number = (value: ConcreteValue): Argument => ({ kind: 'scalar', value });
const isRun = (name: string, ...given: readonly Argument[]): boolean =>
  runScenario(
    program,
    { calls: [{ fn: fn(name), arguments: given }], answers: [] },
    { checkedProperties: new Set(['memsafety']), stepLimit: 1000, permits: () => true },
  ) !== undefined;

test('an address that is a number is null', () => {
  expect(isRun('keep', number(0), number(0))).toBe(true);
  expect(isRun('keep', number(1), number(0))).toBe(false);
  expect(isRun('keep', number(0), number(2n ** 40n))).toBe(false);
  expect(isRun('call', number(0))).toBe(true);
  expect(isRun('call', number(4))).toBe(false);
});

test('a number is one of its type', () => {
  expect([255, 256, -1, 1.5].map((n) => isRun('byte', number(n)))).toEqual([true, false, false, false]);
  expect([-(2n ** 63n), 2n ** 63n].map((n) => isRun('wide', number(n)))).toEqual([true, false]);
  expect(isRun('real', number(1.5))).toBe(true);
});

test('null beside a text that becomes longer stays null', () => {
  const { ctype } = fn('keep').parameters[1]!;
  if (ctype?.kind !== 'pointer') throw new Error('no pointer');
  const text: Argument = {
    kind: 'object',
    type: { kind: 'array', of: ctype.to, length: 1, const: false },
    contents: [0],
    index: 0,
  };
  const base = { calls: [{ fn: fn('keep'), arguments: [number(0), text] }], answers: [] };
  const random = new Random(1);
  const texts = new TextMutation(program, random);
  const mutants = Array.from({ length: 400 }, () => nearby(base, texts, random)).filter((one) => one !== undefined);
  expect(mutants.length).toBeGreaterThan(50);
  expect(mutants.every(({ calls }) => calls[0]!.arguments.some((a) => a.kind === 'scalar' && a.value === 0))).toBe(
    true,
  );
});
