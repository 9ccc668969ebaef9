/**
 * The integer constant expressions of `#if` and `#elif` (C11 6.10.1): all signed types act as
 * `intmax_t`, all unsigned ones as `uintmax_t`, both of 64 bits; names that are no macros are 0.
 * `defined`, `__has_include` and their like are read here, in the middle of expansion, because
 * their operands must not be expanded; so a `defined` that a macro yields works as well, as in GCC.
 *
 * Departures: `?:` and `,` are taken anywhere. Signed overflow wraps, with a warning.
 */
import type { Diagnostic } from '../diagnostics/diagnostic';
import type { Span } from '../source';
import type { Token } from '../tokens/token';
import { characterValue } from './characterValue';
import type { Expander } from './expand';

export interface ConditionEnvironment {
  isDefined(name: string): boolean;
  /** `operator` is `__has_include` or `__has_include_next`. */
  hasInclude(operator: string, header: string, form: 'quoted' | 'angled'): boolean;
  /** `operator` is `__has_attribute`, `__has_builtin`, …; `operand` the name in its parentheses. */
  has(operator: string, operand: string): number;
  report(diagnostic: Diagnostic): void;
}

/** Names that `#ifdef` sees as defined, and that only a condition may use. */
export const conditionOperators: ReadonlySet<string> = new Set([
  '__has_include',
  '__has_include_next',
  '__has_attribute',
  '__has_c_attribute',
  '__has_cpp_attribute',
  '__has_builtin',
  '__has_feature',
  '__has_extension',
  '__has_declspec_attribute',
  '__has_warning',
]);

/**
 * True if the group is to be compiled. An ill-formed condition is reported and false. `directive` is the place of the
 * `#if`.
 */
export function evaluateCondition(expander: Expander, directive: Span, environment: ConditionEnvironment): boolean {
  return new Condition(expander, directive, environment).evaluate();
}

interface Value {
  readonly value: bigint;
  readonly unsigned: boolean;
}
/** In an operand whose value cannot matter dividing by zero is no error. */
type Use = 'needed' | 'skipped';

const zero: Value = { value: 0n, unsigned: false };
const truth = (condition: boolean): Value => ({ value: condition ? 1n : 0n, unsigned: false });

const precedence: Readonly<Record<string, number>> = {
  '*': 10,
  '/': 10,
  '%': 10,
  '+': 9,
  '-': 9,
  '<<': 8,
  '>>': 8,
  '<': 7,
  '>': 7,
  '<=': 7,
  '>=': 7,
  '==': 6,
  '!=': 6,
  '&': 5,
  '^': 4,
  '|': 3,
  '&&': 2,
  '||': 1,
};

class Malformed extends Error {}
const mostDepth = 200;

class Condition {
  private token: Token;
  private depth = 0;

  constructor(
    private readonly expander: Expander,
    private readonly directive: Span,
    private readonly environment: ConditionEnvironment,
  ) {
    this.token = expander.next();
  }

  evaluate(): boolean {
    try {
      const first: Token = this.token;
      if (first.kind === 'end') this.fail('the condition is missing', this.directive);
      const result = this.comma('needed');
      const rest: Token = this.token;
      if (rest.kind !== 'end')
        this.fail(`'${rest.text}' follows the condition, where an operator is expected`, rest.span);
      return result.value !== 0n;
    } catch (e) {
      if (e instanceof Malformed) return false;
      throw e;
    }
  }

  private fail(message: string, span: Span, hint?: string): never {
    this.environment.report({ severity: 'error', message, span, ...(hint === undefined ? {} : { hint }) });
    throw new Malformed();
  }

  private advance(): Token {
    const token = this.token;
    this.token = this.expander.next();
    return token;
  }

  private expect(text: string): void {
    if (this.token.text !== text)
      this.fail(
        `expected '${text}' in the condition${this.token.kind === 'end' ? '' : `, not '${this.token.text}'`}`,
        this.token.kind === 'end' ? this.directive : this.token.span,
      );
    this.advance();
  }

  private comma(use: Use): Value {
    let value = this.conditional(use);
    while (this.token.text === ',') {
      this.advance();
      value = this.conditional(use);
    }
    return value;
  }

  private conditional(use: Use): Value {
    const condition = this.binary(1, use);
    if (this.token.text !== '?') return condition;
    this.advance();
    const chosen = condition.value !== 0n;
    const then = this.comma(chosen ? use : 'skipped');
    this.expect(':');
    const otherwise = this.conditional(chosen ? 'skipped' : use);
    const unsigned = then.unsigned || otherwise.unsigned;
    return wrap((chosen ? then : otherwise).value, unsigned);
  }

  private binary(least: number, use: Use): Value {
    let left = this.unary(use);
    for (;;) {
      const operator = this.token;
      const level = operator.kind === 'punctuator' ? precedence[operator.text] : undefined;
      if (level === undefined || level < least) return left;
      this.advance();
      const decided = (operator.text === '&&' && left.value === 0n) || (operator.text === '||' && left.value !== 0n);
      const right = this.binary(level + 1, decided ? 'skipped' : use);
      left = this.combine(operator, left, right, use);
    }
  }

  private combine(operator: Token, a: Value, b: Value, use: Use): Value {
    const unsigned = a.unsigned || b.unsigned;
    const x = wrap(a.value, unsigned).value;
    const y = wrap(b.value, unsigned).value;
    switch (operator.text) {
      case '&&':
        return truth(a.value !== 0n && b.value !== 0n);
      case '||':
        return truth(a.value !== 0n || b.value !== 0n);
      case '==':
        return truth(x === y);
      case '!=':
        return truth(x !== y);
      case '<':
        return truth(x < y);
      case '>':
        return truth(x > y);
      case '<=':
        return truth(x <= y);
      case '>=':
        return truth(x >= y);
      case '&':
        return wrap(x & y, unsigned);
      case '^':
        return wrap(x ^ y, unsigned);
      case '|':
        return wrap(x | y, unsigned);
      case '<<':
        return shift(a, b.value);
      case '>>':
        return shift(a, -b.value);
      case '/':
      case '%':
        if (y === 0n) {
          if (use === 'needed') this.fail('division by zero in the condition', operator.span);
          return { value: 0n, unsigned };
        }
        return this.checkOverflow(operator.text === '/' ? x / y : x % y, unsigned, operator, use);
      case '+':
        return this.checkOverflow(x + y, unsigned, operator, use);
      case '-':
        return this.checkOverflow(x - y, unsigned, operator, use);
      case '*':
        return this.checkOverflow(x * y, unsigned, operator, use);
      default:
        return this.fail(`'${operator.text}' cannot be used in a condition`, operator.span);
    }
  }

  private checkOverflow(exact: bigint, unsigned: boolean, operator: Token, use: Use): Value {
    const result = wrap(exact, unsigned);
    if (use === 'needed' && !unsigned && result.value !== exact)
      this.environment.report({
        severity: 'warning',
        message: `'${operator.text}' overflows in the condition`,
        span: operator.span,
      });
    return result;
  }

  private unary(use: Use): Value {
    if (++this.depth > mostDepth) this.fail(`nested more than ${mostDepth} levels deep`, this.token.span);
    const value = this.operand(use);
    this.depth--;
    return value;
  }

  private operand(use: Use): Value {
    if (this.token.kind === 'identifier') return this.identifier();
    const token = this.advance();
    if (token.kind === 'punctuator') {
      switch (token.text) {
        case '+':
          return this.unary(use);
        case '-': {
          const { value, unsigned } = this.unary(use);
          return this.checkOverflow(-value, unsigned, token, use);
        }
        case '~': {
          const { value, unsigned } = this.unary(use);
          return wrap(~value, unsigned);
        }
        case '!':
          return truth(this.unary(use).value === 0n);
        case '(': {
          const value = this.comma(use);
          this.expect(')');
          return value;
        }
      }
    }
    if (token.kind === 'number') return this.number(token);
    if (token.kind === 'character') {
      const read = characterValue(token.text);
      if (typeof read === 'string') return this.fail(read, token.span);
      return { value: read.value, unsigned: read.unsigned };
    }
    if (token.kind === 'end') return this.fail('the condition ends too early', this.directive);
    return this.fail(`'${token.text}' cannot be used in a condition`, token.span);
  }

  private number(token: Token): Value {
    const match = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9][0-9]*)([uU]?(?:l|L|ll|LL)?|(?:l|L|ll|LL)[uU])$/.exec(
      token.text,
    );
    if (!match) {
      const floating = /^(?:[0-9]*\.|[0-9]+[eE]|0[xX].*[pP])/.test(token.text);
      return this.fail(
        floating
          ? `the floating constant '${token.text}' cannot be used in a condition`
          : `'${token.text}' is not an integer constant`,
        token.span,
      );
    }
    const digits = match[1]!;
    const value = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
    if (value >= 1n << 64n) return this.fail(`'${token.text}' has more than 64 bits`, token.span);
    return { value, unsigned: /[uU]/.test(match[2]!) || value >= 1n << 63n };
  }

  private identifier(): Value {
    const name = this.token;
    if (name.text === 'defined') {
      let operand: Token = this.expander.nextRaw();
      const parenthesized = operand.text === '(';
      if (parenthesized) operand = this.expander.nextRaw();
      if (operand.kind !== 'identifier')
        return this.fail("'defined' needs the name of a macro", operand.kind === 'end' ? name.span : operand.span);
      if (parenthesized && this.expander.nextRaw().text !== ')') return this.fail("'defined(' has no ')'", name.span);
      this.advance();
      return truth(this.environment.isDefined(operand.text));
    }
    if (conditionOperators.has(name.text)) return this.conditionOperator(name);
    this.advance();
    if (this.token.text === '(') {
      this.fail(`'${name.text}' is not a macro, and a condition cannot call functions`, name.span);
    }
    return zero;
  }

  private conditionOperator(name: Token): Value {
    if (this.expander.nextRaw().text !== '(')
      return this.fail(`'${name.text}' needs an operand in parentheses`, name.span);
    if (name.text.startsWith('__has_include')) {
      const { header, form } = this.headerOperand(name);
      this.advance();
      return truth(this.environment.hasInclude(name.text, header, form));
    }
    // Scoped (`gnu::unused`) and string (`"-Wall"`) operands are never among those known.
    const parts: string[] = [];
    for (let depth = 1; ;) {
      const token = this.expander.nextRaw();
      if (token.kind === 'end') return this.fail(`'${name.text}(' has no ')'`, name.span);
      if (token.text === '(') depth++;
      if (token.text === ')' && --depth === 0) break;
      parts.push(token.text);
    }
    this.advance();
    return { value: BigInt(this.environment.has(name.text, parts.join(''))), unsigned: false };
  }

  /** `"a.h"`, `<a.h>`, or something that expands to one of them, and the `)` after it. */
  private headerOperand(name: Token): { header: string; form: 'quoted' | 'angled' } {
    const raw = this.expander.nextRaw();
    let result: { header: string; form: 'quoted' | 'angled' };
    if (raw.text !== '<') this.expander.unread(raw);
    const first = raw.text === '<' ? raw : this.expander.next();
    if (first.kind === 'string') result = { header: first.text.slice(1, -1), form: 'quoted' };
    else if (first.text === '<') {
      let header = '';
      for (;;) {
        const token = raw.text === '<' ? this.expander.nextRaw() : this.expander.next();
        if (token.kind === 'end') return this.fail(`the header name of '${name.text}' has no '>'`, name.span);
        if (token.text === '>') break;
        header += header !== '' && token.spaceBefore ? ` ${token.text}` : token.text;
      }
      result = { header, form: 'angled' };
    } else return this.fail(`'${name.text}' needs "file" or <file>`, name.span);
    if (this.expander.nextRaw().text !== ')') return this.fail(`'${name.text}(' has no ')'`, name.span);
    return result;
  }
}

function wrap(value: bigint, unsigned: boolean): Value {
  return { value: unsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value), unsigned };
}

/** To the left for a positive distance. Distances of the width and more push all bits out. */
function shift(operand: Value, distance: bigint): Value {
  if (distance >= 64n) return { value: 0n, unsigned: operand.unsigned };
  if (distance >= 0n) return wrap(operand.value << distance, operand.unsigned);
  return wrap(operand.value >> (distance < -64n ? 64n : -distance), operand.unsigned);
}
