/**
 * Probes written as C expressions: `stack.probe('full', 'size == max && top->next != NULL')`. A subset of C (no calls, assignments, casts
 * or `sizeof`), read by precedence. Its arithmetic is exact, not C's: nothing wraps, and -1 < 1u holds.
 */
import type { PathStep, ProbeFormula } from '../src/abstraction/probeFormula';

export class CProbeError extends Error {
  constructor(message: string, readonly text: string, readonly offset: number) {
    super(`${message}\n  ${text}\n  ${' '.repeat(offset)}^`);
    this.name = 'CProbeError';
  }
}

/** `constant` gives the value of an enum constant of the module. */
export function parseCProbe(text: string, constant: (name: string) => bigint | undefined): ProbeFormula {
  return new CProbeParser(text, constant).parse();
}

const binaryPrecedence: Readonly<Record<string, number>> = {
  '||': 1, '&&': 2, '|': 3, '^': 4, '&': 5, '==': 6, '!=': 6, '<': 7, '<=': 7, '>': 7, '>=': 7, '<<': 8, '>>': 8, '+': 9, '-': 9, '*': 10, '/': 10, '%': 10,
};
type BinaryKind = Extract<ProbeFormula, { left: ProbeFormula }>['kind'];

interface Token { readonly text: string; readonly offset: number }

class CProbeParser {
  private readonly tokens: readonly Token[];
  private at = 0;

  constructor(private readonly text: string, private readonly constant: (name: string) => bigint | undefined) {
    const pattern = /\s+|([A-Za-z_]\w*|\d[\w.]*|'(?:\\.|[^'\\])'|->|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\S)/g;
    this.tokens = [...text.matchAll(pattern)].flatMap((match) => (match[1] === undefined ? [] : [{ text: match[1], offset: match.index }]));
  }

  parse(): ProbeFormula {
    if (this.tokens.length === 0) throw new CProbeError('the probe is empty; write a condition such as "size == max"', this.text, 0);
    const formula = this.conditional();
    if (this.peek() !== undefined) this.fail(`'${this.peek()}' is not expected here`);
    return formula;
  }

  private conditional(): ProbeFormula {
    const condition = this.binary(1);
    if (!this.accept('?')) return condition;
    const then = this.conditional();
    this.expect(':');
    return { kind: 'conditional', condition, then, otherwise: this.conditional() };
  }

  private binary(least: number): ProbeFormula {
    let left = this.unary();
    for (;;) {
      const operator = this.peek() ?? '';
      if (/^(=|\+\+|--|.*[^=!<>]=|<<=|>>=)$/.test(operator) && operator !== '==') this.fail(`a probe has no side effects; '${operator}' changes a variable${operator === '=' ? ' (compare with ==)' : ''}`);
      const precedence = binaryPrecedence[operator];
      if (precedence === undefined || precedence < least) return left;
      this.at++;
      const right = this.binary(precedence + 1);
      const kind = operator === '&&' ? 'and' : operator === '||' ? 'or' : operator;
      left = { kind: kind as BinaryKind, left, right };
    }
  }

  private unary(): ProbeFormula {
    if (this.accept('!')) return { kind: 'not', operand: this.unary() };
    if (this.accept('-')) return { kind: 'negate', operand: this.unary() };
    if (this.accept('+')) return this.unary();
    if (this.accept('~')) return { kind: '-', left: { kind: 'negate', operand: this.unary() }, right: { kind: 'integer', value: '1' } };
    if (this.accept('*')) return this.extend(this.unary(), { kind: 'dereference' });
    if (this.peek() === '++' || this.peek() === '--') this.fail('a probe has no side effects');
    if (this.peek() === '&') this.fail("'&' (address of) is not understood in a probe");
    return this.postfix();
  }

  private postfix(): ProbeFormula {
    let formula = this.primary();
    for (;;) {
      if (this.accept('[')) {
        const index = this.conditional();
        this.expect(']');
        formula = this.extend(formula, { kind: 'index', index });
      } else if (this.accept('.') || this.accept('->')) {
        const name = this.next();
        if (!/^[A-Za-z_]/.test(name)) this.fail('the name of a member is missing', this.at - 1);
        formula = this.extend(formula, { kind: 'field', name });
      } else if (this.peek() === '(') this.fail('a probe has no calls: write the condition out');
      else return formula;
    }
  }

  private primary(): ProbeFormula {
    if (this.accept('(')) {
      const inner = this.conditional();
      this.expect(')');
      return inner;
    }
    const at = this.at;
    const word = this.next();
    if (word === 'NULL') return { kind: 'null' };
    if (word === 'true' || word === 'false') return { kind: 'boolean', value: word === 'true' };
    if (word === 'sizeof') this.fail("'sizeof' is not understood in a probe; write the number", at);
    if (/^[A-Za-z_]/.test(word)) {
      const value = this.constant(word);
      return value === undefined ? { kind: 'path', variable: word, steps: [] } : { kind: 'integer', value: String(value) };
    }
    const number = /^(0[xX][\da-fA-F]+|0[bB][01]+|\d+)[uUlL]*$/.exec(word)?.[1];
    if (number !== undefined) return { kind: 'integer', value: String(/^0\d/.test(number) ? BigInt(`0o${number.slice(1)}`) : BigInt(number)) };
    if (/^\d/.test(word)) this.fail(`'${word}' is not a whole number; probes are over integers`, at);
    const character = /^'(\\?)(.)'$/.exec(word);
    if (character) {
      const escaped = { n: 10, t: 9, r: 13, '0': 0, '\\': 92, "'": 39, a: 7, b: 8, f: 12, v: 11 }[character[2]!];
      return { kind: 'integer', value: String(character[1] ? escaped ?? this.fail('this escape is not understood', at) : character[2]!.charCodeAt(0)) };
    }
    return this.fail(`'${word}' is not expected here`, at);
  }

  private extend(formula: ProbeFormula, step: PathStep): ProbeFormula {
    if (formula.kind !== 'path') return this.fail('only a variable has members and elements', this.at - 1);
    return { ...formula, steps: [...formula.steps, step] };
  }

  private peek(): string | undefined { return this.tokens[this.at]?.text; }
  private accept(text: string): boolean { return this.peek() === text && ++this.at > 0; }
  private next(): string { return this.tokens[this.at++]?.text ?? this.fail('something is missing at the end', this.at); }
  private expect(text: string): void { if (!this.accept(text)) this.fail(`'${text}' is missing`); }
  private fail(message: string, at = this.at): never {
    throw new CProbeError(message, this.text, this.tokens[at]?.offset ?? this.text.length);
  }
}
