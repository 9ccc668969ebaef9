/** JavaScript's operators on the parts of a probe: the formula that means the same, or why there is none. */
import type { Expression, Node, UnaryExpression } from '@babel/types';
import type { ProbeFormula } from '../../src/abstraction/predicates/probeFormula';
import {
  boolean,
  conjunction,
  formulaOf,
  guardOf,
  isFloating,
  truthOf,
  UntranslatableProbe,
  type FormulaPart,
  type ProbePart,
} from './probePart';

/** `part` is the translated operand. */
export function unary(e: UnaryExpression, part: ProbePart): ProbePart {
  if (e.operator === '!') return boolean({ kind: 'not', operand: truthOf(part, e.argument) });
  if (part.kind === 'formula' && part.formula.kind === 'number' && (e.operator === '-' || e.operator === '+'))
    return {
      ...part,
      formula: { kind: 'number', value: e.operator === '-' ? -part.formula.value : part.formula.value },
    };
  const operand = formulaOf(part, e.argument);
  if (operand.host !== 'number' && operand.host !== 'bigint')
    throw new UntranslatableProbe(`'${e.operator}' wants a number`, e.argument);
  switch (e.operator) {
    case '+':
      if (operand.host === 'bigint') throw new UntranslatableProbe("JavaScript has no '+' before a bigint", e);
      return operand;
    case '-':
      return { kind: 'formula', formula: negateFormula(operand.formula), host: operand.host, ...guardOf(operand) };
    case '~':
      return {
        kind: 'formula',
        formula: {
          kind: '-',
          left: { kind: 'negate', operand: operand.formula },
          right: { kind: 'integer', value: '1' },
        },
        host: operand.host,
        ...guardOf(operand),
      };
    default:
      throw new UntranslatableProbe(`'${e.operator}' cannot be turned into a formula`, e);
  }
}

export function binary(operator: string, leftPart: ProbePart, rightPart: ProbePart, e: Expression): ProbePart {
  const use = [leftPart, rightPart].some(isFloating) && /^([=!]==?|[<>]=?)$/.test(operator) ? 'comparison' : 'value';
  const left = formulaOf(leftPart, e, use);
  const right = formulaOf(rightPart, e, use);
  const guard = conjunction(left.guard, right.guard);
  switch (operator) {
    case '===':
    case '==':
    case '!==':
    case '!=': {
      const strict = operator.length === 3;
      const negative = operator.startsWith('!');
      const numeric = (part: FormulaPart) => part.host === 'number' || part.host === 'bigint';
      if (
        left.host !== right.host &&
        left.host !== 'other' &&
        right.host !== 'other' &&
        (strict || !numeric(left) || !numeric(right))
      )
        throw new UntranslatableProbe(mismatch(left, right, operator), e);
      const formula: ProbeFormula = { kind: negative ? '!=' : '==', left: left.formula, right: right.formula };
      if (!guard) return boolean(formula);
      // undefined == null, but undefined !== null.
      const whenUndefined =
        !strict && (left.formula.kind === 'null' || right.formula.kind === 'null') ? !negative : negative;
      return boolean(
        whenUndefined
          ? { kind: 'or', left: { kind: 'not', operand: guard }, right: formula }
          : { kind: 'and', left: guard, right: formula },
      );
    }
    case '<':
    case '<=':
    case '>':
    case '>=': {
      bothNumbers(left, right, operator, e, 'mixed');
      const formula: ProbeFormula = { kind: operator, left: left.formula, right: right.formula };
      return boolean(guard ? { kind: 'and', left: guard, right: formula } : formula);
    }
    case '+':
    case '-':
    case '*':
    case '%':
    case '&':
    case '|':
    case '^':
    case '<<':
    case '>>':
      bothNumbers(left, right, operator, e, 'alike');
      return {
        kind: 'formula',
        formula: { kind: operator, left: left.formula, right: right.formula },
        host: left.host,
        ...(guard ? { guard } : {}),
      };
    case '>>>': {
      // JavaScript's conversion to unsigned 32 bits, without which its `^`, `|` and `~` give signed numbers.
      if (left.host === 'bigint') throw new UntranslatableProbe("JavaScript has no '>>>' of bigints: write >>", e);
      bothNumbers(left, right, operator, e, 'alike');
      const lower: ProbeFormula = { kind: '&', left: left.formula, right: { kind: 'integer', value: '4294967295' } };
      if (right.formula.kind !== 'integer' || BigInt(right.formula.value) < 0n || BigInt(right.formula.value) > 31n)
        throw new UntranslatableProbe("'>>>' takes a constant from 0 to 31", e);
      return {
        kind: 'formula',
        formula: right.formula.value === '0' ? lower : { kind: '>>', left: lower, right: right.formula },
        host: 'number',
        ...(guard ? { guard } : {}),
      };
    }
    case '/':
      bothNumbers(left, right, operator, e, 'alike');
      if (left.host !== 'bigint')
        throw new UntranslatableProbe("'/' of numbers is not C's: write Math.trunc(a / b), or compare products", e);
      return {
        kind: 'formula',
        formula: { kind: '/', left: left.formula, right: right.formula },
        host: 'bigint',
        ...(guard ? { guard } : {}),
      };
    default:
      throw new UntranslatableProbe(`'${operator}' cannot be turned into a formula`, e);
  }
}

function bothNumbers(
  left: FormulaPart,
  right: FormulaPart,
  operator: string,
  node: Node,
  types: 'alike' | 'mixed',
): void {
  for (const part of [left, right]) {
    if (part.host === 'pointer')
      throw new UntranslatableProbe(
        `'${operator}' of a pointer cannot be turned into a formula; pointers are compared with === and !==`,
        node,
      );
  }
  if (types === 'alike' && left.host !== right.host && left.host !== 'other' && right.host !== 'other')
    throw new UntranslatableProbe(mismatch(left, right, operator), node);
}

function negateFormula(formula: ProbeFormula): ProbeFormula {
  return formula.kind === 'integer'
    ? { kind: 'integer', value: String(-BigInt(formula.value)) }
    : { kind: 'negate', operand: formula };
}

function mismatch(left: FormulaPart, right: FormulaPart, operator: string): string {
  const kinds = [left.host, right.host];
  if (kinds.includes('bigint') && kinds.includes('number'))
    return (
      `'${operator}' of a bigint and a number: 64-bit C integers are bigints here, so write the constant with an n ` +
      '(10n)'
    );
  if (kinds.includes('boolean'))
    return `'${operator}' of a boolean and a ${kinds.find((k) => k !== 'boolean')}: _Bool is true or false here`;
  return (
    `'${operator}' of a ${left.host} and a ${right.host} is never true in ` +
    `JavaScript${kinds.includes('pointer') ? '; the null pointer is null' : ''}`
  );
}
