/**
 * Valid formulas about the rounded operations in a query, for a solver that takes them for uninterpreted functions:
 * - bounds that follow from the conditions (`intervals.ts`),
 * - the sign of a difference, which is never rounded to zero, and the signs of products and quotients,
 * - sums and differences lie on the side of an operand that the other operand's sign says,
 * - steps from a number towards another one (`x + (y - x) * t`) end there or before, but for rounding,
 * - quotients of numbers by zero, which are infinite,
 * - square roots lie between their operand and 1, remainders (`fmod`) are less than both operands in size,
 * - products with, and quotients by, a literal lie on the side of the operand that the literal's size says,
 * - results are in the order that their operands say (`orders.ts`),
 * - whole numbers lie on that side of a number on which the integer is that it is converted to (`truncation.ts`).
 */
import { call } from '../call';
import { floatFacts, type FloatStep, roundedIn } from './intervals';
import { floatBits, floatOf } from './patterns';
import { compareWords, floatsDefined, isWithin, type FloatRange } from './floats';
import { bits, isApplication, widthOf } from '../intern';
import { eq } from '../comparison';
import { and, implies, not, or } from '../propositional';
import { orderLaws } from './orders';
import { truncationLaws } from './truncation';
import { boolSort } from '../sort';
import type { Application, Term } from '../term';

/** Operations beyond this many make no laws: queries would become too large. */
const mostOperations = 8;

export function floatLemmas(terms: readonly Term[]): readonly Term[] {
  const { bounds, steps, contradictions } = floatFacts(terms);
  const limited = new Set(bounds.filter(isLimited).map(({ call: operation }) => operation));
  const rounded = [...new Set(terms.flatMap(roundedIn))];
  // A quotient is more than 1 or not as its operands compare.
  const divided = new Set(rounded.flatMap(({ name, args }) => (name!.startsWith('float-divide') ? args : [])));
  const operations = rounded.filter((operation) => !limited.has(operation) || divided.has(operation));
  return [
    ...contradictions.map((together) => not(and(...together.map(floatsDefined)))),
    ...bounds.map(({ call: operation, because, ...range }) =>
      implies(and(...because.map(floatsDefined)), isWithin(floatsDefined(operation), range)),
    ),
    ...steps.map(stepLaw),
    ...operations.slice(0, mostOperations).flatMap(lawsOf),
    ...orderLaws(rounded.slice(0, mostOperations)),
    ...truncationLaws(terms),
  ];
}

/** A step towards a number does not go beyond it, if not for rounding. */
function stepLaw({ call: operation, from, to, low, high, because }: FloatStep): Term {
  const [result, start] = [floatsDefined(operation), floatsDefined(from)];
  const isComparable = widthOf(to) === widthOf(from);
  const le = (a: Term, b: Term): Term => floatsDefined(call(`float-le-${widthOf(from)}`, boolSort, a, b));
  return implies(
    and(...because.map(floatsDefined)),
    and(
      ...(isComparable
        ? [
            implies(le(from, to), compareWords('le', start, result)),
            implies(le(to, from), compareWords('le', result, start)),
          ]
        : []),
      or(compareWords('le', result, start), isWithin(result, { low: -Infinity, high, mayBeNaN: false })),
      or(compareWords('le', start, result), isWithin(result, { low, high: Infinity, mayBeNaN: false })),
    ),
  );
}

/** Such bounds usually suffice, and laws make every query harder. */
const isLimited = ({ low, high, mayBeNaN }: FloatRange): boolean =>
  Number.isFinite(low) && Number.isFinite(high) && !mayBeNaN;

const laws = new WeakMap<Term, readonly Term[]>();

function lawsOf(operation: Application): readonly Term[] {
  let found = laws.get(operation);
  if (!found) laws.set(operation, (found = madeLaws(operation)));
  return found;
}

function madeLaws(operation: Application): readonly Term[] {
  const form = /^float-(add|subtract|multiply|divide|sqrt|fmod)-(32|64)$/.exec(operation.name!);
  if (!form) return [];
  const [a, b] = operation.args as [Term, Term];
  const width = Number(form[2]);
  const zero = bits(0n, width);
  const result = floatsDefined(operation);
  // Products with powers of two have a definition.
  if (!isApplication(result, 'call')) return [];
  const compare =
    (name: 'lt' | 'le') =>
    (x: Term, y: Term): Term =>
      floatsDefined(call(`float-${name}-${width}`, boolSort, x, y));
  const [lt, le] = [compare('lt'), compare('le')];
  // The result is a word here: its operation must not be compared by way of its operands.
  const below = (x: Term): Term => compareWords('lt', result, floatsDefined(x));
  const above = (x: Term): Term => compareWords('lt', floatsDefined(x), result);
  const atMost = (x: Term): Term => compareWords('le', result, floatsDefined(x));
  const atLeast = (x: Term): Term => compareWords('le', floatsDefined(x), result);
  const isPositive = (x: Term): Term => le(zero, x);
  const isNegative = (x: Term): Term => le(x, zero);
  const isNumber = compareWords('le', result, result);
  switch (form[1]) {
    case 'sqrt': {
      const one = bits(floatBits(1, width as 32 | 64), width);
      return [
        eq(isNumber, isPositive(a)),
        not(below(zero)),
        implies(le(one, a), and(not(below(one)), not(above(a)))),
        implies(le(a, one), and(not(above(one)), not(below(a)))),
      ];
    }
    case 'fmod': {
      const infinity = bits(floatBits(Infinity, width as 32 | 64), width);
      const isFinite = and(lt(call(`float-negate-${width}`, operation.sort, infinity), a), lt(a, infinity));
      const negated = (x: Term): Term => call(`float-negate-${width}`, operation.sort, x);
      return [
        eq(isNumber, and(isFinite, or(lt(zero, b), lt(b, zero)))),
        implies(isPositive(a), and(not(below(zero)), not(above(a)))),
        implies(isNegative(a), and(not(above(zero)), not(below(a)))),
        implies(lt(zero, b), and(not(atLeast(b)), not(atMost(negated(b))))),
        implies(lt(b, zero), and(not(atMost(b)), not(atLeast(negated(b))))),
      ];
    }
    case 'add':
      return [
        implies(isPositive(b), not(below(a))),
        implies(isNegative(b), not(above(a))),
        implies(isPositive(a), not(below(b))),
        implies(isNegative(a), not(above(b))),
      ];
    case 'subtract':
      return [
        eq(below(zero), lt(a, b)),
        eq(above(zero), lt(b, a)),
        implies(isPositive(b), not(above(a))),
        implies(isNegative(b), not(below(a))),
      ];
    default: {
      // A zero divisor has two signs.
      const order = form[1] === 'divide' ? lt : le;
      const [isOver, isUnder] = [order(zero, b), order(b, zero)];
      return [
        implies(and(isPositive(a), isOver), not(below(zero))),
        implies(and(isNegative(a), isUnder), not(below(zero))),
        implies(and(isPositive(a), isUnder), not(above(zero))),
        implies(and(isNegative(a), isOver), not(above(zero))),
        ...(form[1] === 'divide' ? quotientsByZero(lt(zero, a), lt(a, zero), floatsDefined(b), result) : []),
        ...scalings(form[1] as 'multiply' | 'divide', a, b).flatMap(({ operand, grows }) => [
          implies(isPositive(operand), not(grows ? below(operand) : above(operand))),
          implies(isNegative(operand), not(grows ? above(operand) : below(operand))),
        ]),
      ];
    }
  }
}

/** Both zeros have quotients, whose signs are those of the operands. */
function quotientsByZero(isPositive: Term, isNegative: Term, divisor: Term, quotient: Term): readonly Term[] {
  const width = widthOf(divisor);
  const [zero, negativeZero, infinity, negativeInfinity] = [0, -0, Infinity, -Infinity].map((n) =>
    bits(floatBits(n, width as 32 | 64), width),
  ) as [Term, Term, Term, Term];
  if (divisor.kind === 'bits' && divisor !== zero && divisor !== negativeZero) return [];
  const law = (condition: Term, zeroOf: Term, result: Term): Term =>
    implies(and(condition, eq(divisor, zeroOf)), eq(quotient, result));
  return [
    law(isPositive, zero, infinity),
    law(isPositive, negativeZero, negativeInfinity),
    law(isNegative, zero, negativeInfinity),
    law(isNegative, negativeZero, infinity),
  ];
}

/** The operand that a positive literal multiplies or divides, and whether its size grows. */
function scalings(
  operator: 'multiply' | 'divide',
  a: Term,
  b: Term,
): readonly { readonly operand: Term; readonly grows: boolean }[] {
  const scaled = (operand: Term, by: Term): { readonly operand: Term; readonly grows: boolean }[] => {
    const factor = by.kind === 'bits' ? floatOf(by.value, widthOf(by)) : NaN;
    return factor > 0 && factor < Infinity
      ? [{ operand, grows: operator === 'multiply' ? factor >= 1 : factor <= 1 }]
      : [];
  };
  return [...scaled(a, b), ...(operator === 'multiply' ? scaled(b, a) : [])];
}
