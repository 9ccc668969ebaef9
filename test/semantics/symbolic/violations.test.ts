/** One formula for many checks means what the disjunction over them does, and is not as long. */
import * as fc from 'fast-check';
import { and, boolSort, compile, not, or, symbol, TRUE } from '../../../src/logic';
import type { Term } from '../../../src/logic';
import { postOrder } from '../../../src/logic/traverse';
import { anyViolated } from '../../../src/semantics/symbolic/violations';

const atoms = Array.from({ length: 5 }, (_, i) => symbol(`p${i}`, boolSort));
const plain = (obligations: readonly { guard: Term; condition: Term }[]) =>
  or(...obligations.map(({ guard, condition }) => and(guard, not(condition))));

function differs(a: Term, b: Term): boolean {
  const [left, right] = [compile(a), compile(b)];
  return Array.from(
    { length: 2 ** atoms.length },
    (_, k) => (t: Term) => ((k >> atoms.indexOf(t as (typeof atoms)[0])) & 1) === 1,
  ).some((value) => left(value) !== right(value));
}

const literal = fc
  .record({ atom: fc.nat(atoms.length - 1), denied: fc.boolean() })
  .map(({ atom, denied }) => (denied ? not(atoms[atom]!) : atoms[atom]!));
const clause = fc
  .array(literal, { minLength: 0, maxLength: 2 })
  .map((list) => (list.length === 0 ? TRUE : or(...list)));
/** After which check among those before it each comes, if after any: branches as well as one behind the other. */
const check = fc.record({
  after: fc.option(fc.nat(10)),
  more: fc.array(clause, { maxLength: 2 }),
  condition: fc.array(clause, { minLength: 1, maxLength: 2 }).map((list) => and(...list)),
});

test('the same as each of them, whatever comes after what', () => {
  let nested = 0;
  fc.assert(
    fc.property(fc.array(check, { minLength: 1, maxLength: 8 }), (checks) => {
      const obligations: { guard: Term; condition: Term }[] = [];
      for (const { after, more, condition } of checks) {
        const before = after === null ? undefined : obligations[after % Math.max(1, obligations.length)];
        obligations.push({ guard: and(...(before ? [before.guard, before.condition] : []), ...more), condition });
      }
      const made = anyViolated(obligations);
      if (made !== plain(obligations)) nested++;
      expect(differs(made, plain(obligations))).toBe(false);
    }),
    { numRuns: 2000 },
  );
  expect(nested).toBeGreaterThan(200);
});

test('of checks one behind the other the formula grows with their number', () => {
  const size = (count: number): number => {
    const obligations: { guard: Term; condition: Term }[] = [];
    for (let i = 0; i < count; i++) {
      const before = obligations.at(-1);
      obligations.push({
        guard: before ? and(before.guard, before.condition) : symbol('start', boolSort),
        condition: symbol(`c${i}`, boolSort),
      });
    }
    const visited = postOrder([anyViolated(obligations)]);
    return visited.reduce((sum, t) => sum + (t.kind === 'apply' ? t.args.length : 0), 0);
  };
  expect(size(200)).toBeLessThan(3 * size(100));
  expect(size(100)).toBeLessThan(500);
});
