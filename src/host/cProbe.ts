/**
 * Probes and preconditions written as C expressions: `stack.probe('full', 'size == max && top->next != NULL')`. A
 * subset of C (no calls but `PROVEST_LENGTH(p)`, `PROVEST_TERMINATED(s)`, `PROVEST_SAME_OBJECT(p, q)` and the
 * conditions on lists, no assignments, casts or `sizeof`), read by precedence. Its arithmetic is exact, not C's:
 * nothing wraps, and -1 < 1u holds.
 */
import { joinedPairs } from '../abstraction/predicates/joinedArguments';
import type { ProbeFormula, ProbePath } from '../abstraction/predicates/probeFormula';
import type { CType } from '../c/types';
import { objectKey } from '../semantics/pointers/clientObjects';
import { isListWord, linkOf, type ListWord } from './listLink';
import { namedFields } from './values/encode';
import type { ProbeScope } from './probeScope';
import { closest } from './suggest';
import { formatType } from './typeText';

export type CProbe =
  | { readonly kind: 'formula'; readonly formula: ProbeFormula }
  /** The message, then the text with a caret below the place. */
  | { readonly kind: 'mistake'; readonly message: string };

/** Names are variables of the scope, or else enum constants. */
export function readCProbe(text: string, scope: ProbeScope, enumConstants: ReadonlyMap<string, bigint>): CProbe {
  try {
    return { kind: 'formula', formula: new CProbeParser(text, scope, enumConstants).parse() };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { kind: 'mistake', message: `${error.message}\n  ${text}\n  ${' '.repeat(error.offset)}^` };
  }
}

/** Leaves the parser from whatever depth it was found at. */
class Mistake extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

const binaryPrecedence: Readonly<Record<string, number>> = {
  '||': 1,
  '&&': 2,
  '|': 3,
  '^': 4,
  '&': 5,
  '==': 6,
  '!=': 6,
  '<': 7,
  '<=': 7,
  '>': 7,
  '>=': 7,
  '<<': 8,
  '>>': 8,
  '+': 9,
  '-': 9,
  '*': 10,
  '/': 10,
  '%': 10,
};
type BinaryKind = Exclude<Extract<ProbeFormula, { left: ProbeFormula }>['kind'], 'same-object'>;
type Path = ProbePath;

interface Token {
  readonly text: string;
  readonly offset: number;
}
/** Start of a path, and its type. */
interface Typed {
  readonly at: number;
  readonly type: CType;
}

/** A name, a number, a character, an operator or any other character; or white space, which has no group. */
const tokenOrSpace = new RegExp(
  [
    String.raw`\s+|([A-Za-z_]\w*`,
    String.raw`(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?[fFlL]?`,
    String.raw`\d[\w.]*`,
    String.raw`'(?:\\.|[^'\\])'`,
    String.raw`->|=>|\+\+|--|<<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|\S)`,
  ].join('|'),
  'g',
);

class CProbeParser {
  private readonly tokens: readonly Token[];
  private readonly typed = new WeakMap<Path, Typed>();
  private readonly nodes = new Map<string, CType>();
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly scope: ProbeScope,
    private readonly enumConstants: ReadonlyMap<string, bigint>,
  ) {
    this.tokens = [...text.matchAll(tokenOrSpace)].flatMap((match) =>
      match[1] === undefined ? [] : [{ text: match[1], offset: match.index }],
    );
  }

  parse(): ProbeFormula {
    if (this.tokens.length === 0) throw new Mistake('the condition is empty; write one such as "size == max"', 0);
    const formula = this.value(this.conditional());
    if (isLength(formula)) this.fail('a length is no condition: compare it with a number', 0);
    if (this.peek() !== undefined) this.fail(`'${this.peek()}' is not expected here`);
    for (const { left, right } of joinedPairs(formula)) this.refuseTypesApart(left, right);
    return formula;
  }

  /** A proof keeps objects of different types apart, so that two arguments could never be in one. */
  private refuseTypesApart(left: Path, right: Path): void {
    const { passed } = this.scope;
    if (!passed?.has(left.variable) || !passed.has(right.variable)) return;
    const [p, q] = [left, right].map((path) => this.typed.get(path)) as [Typed | undefined, Typed | undefined];
    const [to, target] = [p && pointee(p.type), q && pointee(q.type)];
    if (to && target && objectKey(to) !== objectKey(target))
      this.fail(
        `${left.variable} and ${right.variable} lead to different types: clients pass two pointers into one object ` +
          'only with one type',
        q!.at,
      );
  }

  private conditional(): ProbeFormula {
    const condition = this.binary(1);
    if (!this.accept('?')) return condition;
    const then = this.value(this.conditional());
    this.expect(':');
    return { kind: 'conditional', condition: this.value(condition), then, otherwise: this.value(this.conditional()) };
  }

  private binary(least: number): ProbeFormula {
    let left = this.unary();
    for (;;) {
      const operator = this.peek() ?? '';
      if (/^(=|\+\+|--|.*[^=!<>]=|<<=|>>=)$/.test(operator) && operator !== '==')
        this.fail(
          `a probe has no side effects; '${operator}' changes a ` +
            `variable${operator === '=' ? ' (compare with ==)' : ''}`,
        );
      const precedence = binaryPrecedence[operator];
      if (precedence === undefined || precedence < least) return left;
      const at = this.at++;
      const right = this.binary(precedence + 1);
      const kind = operator === '&&' ? 'and' : operator === '||' ? 'or' : operator;
      if ((kind === 'and' || kind === 'or') && [left, right].some(isLength))
        this.fail('a length is no condition: compare it with a number', at);
      const compares = /^([=!]=|[<>]=?)$/.test(operator) && (this.isFloating(left) || this.isFloating(right));
      if (!compares && (left.kind === 'number' || right.kind === 'number'))
        this.fail('only floating point is compared with what is no whole number', at);
      const [first, second] = /^[=!]=$/.test(operator)
        ? [this.comparedWith(right, left), this.comparedWith(left, right)]
        : [left, right];
      left = {
        kind: kind as BinaryKind,
        left: compares ? first : this.value(first),
        right: compares ? second : this.value(second),
      };
    }
  }

  private unary(): ProbeFormula {
    if (this.accept('!')) return { kind: 'not', operand: this.value(this.unary()) };
    if (this.accept('-')) {
      const operand = this.value(this.unary());
      return operand.kind === 'number' ? { kind: 'number', value: -operand.value } : { kind: 'negate', operand };
    }
    if (this.accept('+')) return this.value(this.unary());
    if (this.accept('~'))
      return {
        kind: '-',
        left: { kind: 'negate', operand: this.value(this.unary()) },
        right: { kind: 'integer', value: '1' },
      };
    if (this.peek() === '*') {
      const at = this.at++;
      return this.dereference(this.unary(), at);
    }
    if (this.peek() === '++' || this.peek() === '--') this.fail('a probe has no side effects');
    if (this.peek() === '&') this.fail("'&' (address of) is not understood in a probe");
    return this.postfix();
  }

  private postfix(): ProbeFormula {
    let formula = this.primary();
    for (;;) {
      const at = this.at;
      if (this.accept('[')) {
        const index = this.value(this.conditional());
        this.expect(']');
        formula = this.element(formula, index, at);
      } else if (this.accept('.') || this.accept('->')) {
        formula = this.member(formula, this.tokens[at]!.text, this.next(), at);
      } else if (this.peek() === '(')
        this.fail(
          'a probe has no calls but PROVEST_LENGTH(pointer), PROVEST_TERMINATED(text), PROVEST_SAME_OBJECT(p, q) and ' +
            'the conditions on lists, acyclic, reach, every and length: write the condition out',
        );
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
    if (word === 'PROVEST_LENGTH') return this.length(word, at);
    if (word === 'PROVEST_TERMINATED') return this.terminatedText(word, at);
    if (word === 'PROVEST_SAME_OBJECT') return this.sameObject(word);
    if (isListWord(word) && this.peek() === '(' && !this.typeOf(word)) return this.ofList(word, at);
    if (word === 'sizeof') this.fail("'sizeof' is not understood in a probe; write the number", at);
    if (/^[A-Za-z_]/.test(word)) return this.name(word, at);
    const number = /^(0[xX][\da-fA-F]+|0[bB][01]+|\d+)[uUlL]*$/.exec(word)?.[1];
    if (number !== undefined && !/^0\d*[89]/.test(number))
      return { kind: 'integer', value: String(/^0\d/.test(number) ? BigInt(`0o${number.slice(1)}`) : BigInt(number)) };
    const fraction = /^((?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][-+]?\d+)?)([fFlL]?)$/.exec(word);
    if (fraction)
      return {
        kind: 'number',
        value: /f/i.test(fraction[2]!) ? Math.fround(Number(fraction[1])) : Number(fraction[1]),
      };
    if (/^\d/.test(word)) this.fail(`'${word}' is not a whole number`, at);
    const character = /^'(\\?)(.)'$/.exec(word);
    if (character) {
      const escaped = { n: 10, t: 9, r: 13, '0': 0, '\\': 92, "'": 39, a: 7, b: 8, f: 12, v: 11 }[character[2]!];
      return {
        kind: 'integer',
        value: String(
          character[1] ? (escaped ?? this.fail('this escape is not understood', at)) : character[2]!.charCodeAt(0),
        ),
      };
    }
    return this.fail(`'${word}' is not expected here`, at);
  }

  private length(macro: string, at: number): ProbeFormula {
    return this.countedArguments(macro, at).length;
  }

  /** `PROVEST_TERMINATED`: the last element is 0, null, or a structure of which all members are. */
  private terminatedText(macro: string, at: number): ProbeFormula {
    const { path, element, length } = this.countedArguments(macro, at);
    const last: Path = {
      ...path,
      steps: [...path.steps, { kind: 'index', index: { kind: '-', left: length, right: integer(1) } }],
    };
    const zeros = zerosIn(last, element);
    if (!zeros)
      return this.fail(`${macro} says that the last element is 0; these are '${formatType(element)}'`, at + 2);
    return zeros.reduce<ProbeFormula>((left, right) => ({ kind: 'and', left, right }), {
      kind: '>',
      left: length,
      right: integer(0),
    });
  }

  private sameObject(macro: string): ProbeFormula {
    const inObject = (): Path => {
      const at = this.at;
      const { path, type } = this.pathOf(this.conditional(), at);
      if (type.kind !== 'array' && (type.kind !== 'pointer' || type.to.kind === 'function'))
        this.fail(`${macro} is about two pointers to objects, or arrays; this is '${formatType(type)}'`, at);
      return path;
    };
    this.expect('(');
    const left = inObject();
    this.expect(',');
    const right = inObject();
    this.expect(')');
    return { kind: 'same-object', left, right };
  }

  /** The pointer in parentheses. */
  private countedArguments(
    macro: string,
    at: number,
  ): { readonly path: Path; readonly element: CType; readonly length: ProbeFormula } {
    this.expect('(');
    const { path, type } = this.pathOf(this.conditional(), at + 2);
    this.expect(')');
    if (type.kind === 'array' && type.length !== undefined)
      return { path, element: type.of, length: { kind: 'integer', value: String(type.length) } };
    if (type.kind !== 'pointer' || type.to.kind === 'function')
      return this.fail(
        `${macro} counts the elements behind a pointer to an object; this is '${formatType(type)}'`,
        at + 2,
      );
    return { path, element: type.to, length: { kind: 'length', of: path } };
  }

  private typeOf(name: string): CType | undefined {
    return this.nodes.get(name) ?? this.scope.typeOf(name);
  }

  /** `acyclic(l)`, `reach(l, p)`, `every(l, n => n->value > 0)`, `length(l)`; the link may be named last. */
  private ofList(word: ListWord, at: number): ProbeFormula {
    this.expect('(');
    const { path: list, type } = this.listPath(word);
    let condition: { readonly name: string; readonly body: ProbeFormula } | undefined;
    let node: Path | undefined;
    if (word === 'reach') {
      this.expect(',');
      node = this.listPath(word).path;
    } else if (word === 'every') {
      this.expect(',');
      const name = this.next();
      if (!/^[A-Za-z_]\w*$/.test(name))
        this.fail('write a condition on each node: every(l, n => n->value > 0)', this.at - 1);
      this.expect('=>');
      const outer = this.nodes.get(name);
      this.nodes.set(name, type);
      condition = { name, body: this.value(this.conditional()) };
      if (outer) this.nodes.set(name, outer);
      else this.nodes.delete(name);
    }
    const named = this.accept(',') ? this.next() : undefined;
    this.expect(')');
    const link = linkOf(type.to, named);
    if (link.kind === 'none') return this.fail(link.why, at);
    const common = { kind: 'list', list, link: link.member } as const;
    if (node) return { ...common, is: 'through', node };
    if (condition) return { ...common, is: 'every', name: condition.name, condition: condition.body };
    return word === 'length' ? { ...common, is: 'length' } : { ...common, is: 'acyclic' };
  }

  private listPath(word: ListWord): { readonly path: Path; readonly type: CType & { kind: 'pointer' } } {
    const at = this.at;
    const { path, type } = this.pathOf(this.conditional(), at);
    if (type.kind !== 'pointer' || type.to.kind !== 'record')
      return this.fail(`${word} is about a pointer to the nodes of a list; this is '${formatType(type)}'`, at);
    return { path, type };
  }

  private name(name: string, at: number): ProbeFormula {
    const type = this.typeOf(name);
    if (type) return this.path({ kind: 'path', variable: name, steps: [] }, at, type);
    const constant = this.enumConstants.get(name);
    if (constant !== undefined) return { kind: 'integer', value: String(constant) };
    return this.fail(
      `'${name}' is none of the ${this.scope.description}` +
        `${closest(name, this.scope.names) || `; there are ${this.scope.names.join(', ') || 'none'}`}`,
      at,
    );
  }

  private member(object: ProbeFormula, operator: string, name: string, at: number): ProbeFormula {
    if (!/^[A-Za-z_]/.test(name)) this.fail('the name of a member is missing', at + 1);
    const { path, type, at: start } = this.pathOf(object, at);
    const record = operator === '->' ? pointee(type) : type;
    if (record?.kind !== 'record')
      return this.fail(
        `'${operator}' wants a ${operator === '->' ? 'pointer to a struct' : 'struct'}; this is '${formatType(type)}'`,
        at,
      );
    const fields = namedFields(record);
    const field = fields.find((f) => f.name === name);
    if (!field)
      return this.fail(
        `'${formatType(record)}' has no member '${name}'${
          closest(
            name,
            fields.map((f) => f.name),
          ) || `; it has ${fields.map((f) => f.name).join(', ')}`
        }`,
        at + 1,
      );
    return this.path({ ...path, steps: [...path.steps, { kind: 'field', name }] }, start, field.type);
  }

  private element(array: ProbeFormula, index: ProbeFormula, at: number): ProbeFormula {
    const { path, type, at: start } = this.pathOf(array, at);
    const element = pointee(type);
    if (!element) return this.fail(`'[' wants an array or a pointer; this is '${formatType(type)}'`, at);
    return this.path({ ...path, steps: [...path.steps, { kind: 'index', index }] }, start, element);
  }

  private dereference(pointer: ProbeFormula, at: number): ProbeFormula {
    const { path, type } = this.pathOf(pointer, at);
    const element = pointee(type);
    if (!element) return this.fail(`'*' wants a pointer; this is '${formatType(type)}'`, at);
    return this.path({ ...path, steps: [...path.steps, { kind: 'dereference' }] }, at, element);
  }

  private path(path: Path, at: number, type: CType): Path {
    this.typed.set(path, { at, type });
    return path;
  }

  private pathOf(formula: ProbeFormula, at: number): Typed & { readonly path: Path } {
    if (formula.kind !== 'path') return this.fail('only a variable has members and elements', at);
    return { path: formula, ...this.typed.get(formula)! };
  }

  /** Only numbers and pointers are compared or computed with. */
  private value(formula: ProbeFormula): ProbeFormula {
    if (formula.kind !== 'path') return formula;
    const { type, at } = this.typed.get(formula)!;
    switch (type.kind) {
      case 'integer':
      case 'enum':
      case 'pointer':
        return formula;
      case 'float':
        return this.fail('floating point is only compared in a probe: level <= 0.5', at);
      default:
        return this.fail(`this is '${formatType(type)}'; compare one of its parts`, at);
    }
  }

  /** C's 0 beside a pointer is null. */
  private comparedWith(other: ProbeFormula, formula: ProbeFormula): ProbeFormula {
    const isNull =
      formula.kind === 'integer' &&
      formula.value === '0' &&
      other.kind === 'path' &&
      this.typed.get(other)!.type.kind === 'pointer';
    return isNull ? { kind: 'null' } : formula;
  }

  private isFloating(formula: ProbeFormula): boolean {
    return formula.kind === 'path' && this.typed.get(formula)!.type.kind === 'float';
  }

  private peek(): string | undefined {
    return this.tokens[this.at]?.text;
  }
  private accept(text: string): boolean {
    return this.peek() === text && ++this.at > 0;
  }
  private next(): string {
    return this.tokens[this.at++]?.text ?? this.fail('something is missing at the end', this.at);
  }
  private expect(text: string): void {
    if (!this.accept(text)) this.fail(`'${text}' is missing`);
  }
  private fail(message: string, at = this.at): never {
    throw new Mistake(message, this.tokens[at]?.offset ?? this.text.length);
  }
}

const isLength = (formula: ProbeFormula): boolean => formula.kind === 'list' && formula.is === 'length';

const integer = (value: number): ProbeFormula => ({ kind: 'integer', value: String(value) });

function pointee(type: CType): CType | undefined {
  return type.kind === 'pointer' ? type.to : type.kind === 'array' ? type.of : undefined;
}

/** Each number in it is 0, each pointer null. Undefined for other parts, as arrays and bit-fields, and for none. */
function zerosIn(path: Path, type: CType): readonly ProbeFormula[] | undefined {
  switch (type.kind) {
    case 'integer':
      return [{ kind: '==', left: path, right: integer(0) }];
    case 'pointer':
      return [{ kind: '==', left: path, right: { kind: 'null' } }];
    case 'record': {
      const { record } = type;
      if (!record.complete || record.keyword === 'union' || record.fields.length === 0) return undefined;
      const parts = record.fields.map(({ name, type: member, bits }) =>
        name === undefined || bits
          ? undefined
          : zerosIn({ ...path, steps: [...path.steps, { kind: 'field', name }] }, member),
      );
      return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
    }
    default:
      return undefined;
  }
}
