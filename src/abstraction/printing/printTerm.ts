/**
 * Terms over a vocabulary as C. What C cannot say is written as a call: `object_size(p)`, `is_live(p)`, `is_dynamic(p)`
 * (neither null nor a static object). Widening conversions are left out where C would make them by itself; everything
 * is for reading and for pasting into a probe, not for a compiler.
 */
import type { CType } from '../../c/types';
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import * as L from '../../logic/build';
import { floatText } from '../../logic/floats/patterns';
import type { Application, Quantified, SymbolTerm, Term } from '../../logic/term';
import type { Congruence } from '../../program/congruence';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { holderIn, lengthIn, nameOfStatic, reachedIn, targetIn } from './heapWords';
import { asSigned } from './linearIndex';
import { MemoryPlaces } from './memoryPlaces';
import { pathAt } from './memberPaths';
import { forAllObjects, pointerInto } from './quantifiedObjects';
import { groupsOfBytes, placeOfBytes } from './valuesInBytes';
import { AND, COMPARE, OR, PRIMARY, PRODUCT, SHIFT, SUM, UNARY, type CText } from './cText';

export function printTerm(term: Term, vocabulary: Vocabulary): string {
  return new Printer(vocabulary).print(term).text;
}

/** True if it compares numbers of objects in a way that says nothing in C: which of two was numbered first. */
export function isAboutNumbering(term: Term, vocabulary: Vocabulary): boolean {
  return new Printer(vocabulary).isAboutNumbering(term);
}

const floatingOperators: Readonly<Record<string, readonly [string, number]>> = {
  eq: ['==', COMPARE],
  lt: ['<', COMPARE],
  le: ['<=', COMPARE],
  add: ['+', SUM],
  subtract: ['-', SUM],
  multiply: ['*', PRODUCT],
  divide: ['/', PRODUCT],
};
const integerNames: Readonly<Record<string, string>> = {
  integer8: 'signed char',
  uinteger8: 'unsigned char',
  integer16: 'short',
  uinteger16: 'unsigned short',
  integer32: 'int',
  uinteger32: 'unsigned',
  integer64: 'long long',
  uinteger64: 'unsigned long long',
};

const limits = {
  /** Parts of one text: terms share their parts, and written out they can be exponentially longer. */
  parts: 1500,
} as const;

class Printer {
  private parts = 0;
  private readonly places: MemoryPlaces;
  /** The types of pointers to the objects that bound symbols name. */
  private readonly bound = new Map<Term, CType | undefined>();
  constructor(private readonly vocabulary: Vocabulary) {
    this.places = new MemoryPlaces(vocabulary, this);
  }

  typeOfBound(symbol: Term): CType | undefined {
    return this.bound.get(symbol);
  }

  print(term: Term): CText {
    if (++this.parts > limits.parts) return { text: '…', strength: PRIMARY };
    switch (term.kind) {
      case 'boolean':
        return { text: String(term.value), strength: PRIMARY };
      case 'bits':
        return { text: String(asSigned(term.value, term.sort.width)), strength: PRIMARY };
      case 'symbol':
        return { text: this.symbol(term), strength: PRIMARY };
      case 'forall':
      case 'exists':
        return this.printQuantified(term);
      case 'apply':
        return this.apply(term);
    }
  }

  private object(object: Term): string {
    return nameOfStatic(object, this.vocabulary) ?? this.print(object).text;
  }

  private printQuantified(term: Quantified): CText {
    const reached = reachedIn(term, this.vocabulary);
    if (reached?.kind === 'live') {
      const from = this.object(reached.from);
      return { text: `(all that ${from} ${reached.butItself ? 'leads to' : 'reaches'} is live)`, strength: PRIMARY };
    }
    if (reached?.kind === 'each') {
      this.bound.set(reached.bound, reached.type);
      const { type } = reached;
      const what = type?.kind === 'pointer' ? `${printType(withoutQualifiers(type.to))} *` : 'object ';
      const [from, said] = [this.object(reached.from), this.infix(' || ', reached.said, OR).text];
      return {
        text: `(for every ${what}${this.symbol(reached.bound)} that ${from} reaches: ${said})`,
        strength: PRIMARY,
      };
    }
    if (reached) {
      const [first, second] = [this.object(reached.first), this.object(reached.second)];
      return { text: `(${first} and ${second} reach nothing in common)`, strength: PRIMARY };
    }
    const objects = forAllObjects(term, this.vocabulary);
    if (!objects)
      return {
        text:
          `${term.kind}(${term.bound.map((symbol) => this.symbol(symbol)).join(', ')}: ` +
          `${this.print(term.body).text})`,
        strength: PRIMARY,
      };
    for (const [bound, type] of objects.types) this.bound.set(bound, type);
    const [first] = objects.types.values();
    if (objects.said.length === 0 && objects.types.size === 1)
      return {
        text: `(no ${first?.kind === 'pointer' ? printType(withoutQualifiers(first.to)) : 'object'} is live)`,
        strength: PRIMARY,
      };
    const [block] = objects.types.keys();
    const held = objects.types.size === 1 ? objects.said.map((one) => holderIn(one, block!, this.vocabulary)) : [];
    const holder = held.find((one) => one !== undefined);
    if (holder) {
      const type = pointerInto(holder.holders, this.vocabulary);
      const member =
        type?.kind === 'pointer'
          ? pathAt('', type.to, holder.slot.offset, this.vocabulary).replace(/^\./, '')
          : 'a member';
      const others = objects.said.filter((_, i) => !held[i]);
      const or = others.length > 0 ? ` || ${this.infix(' || ', others, OR).text}` : '';
      const what = first?.kind === 'pointer' ? `${printType(withoutQualifiers(first.to))} *` : 'object ';
      return {
        text: `(for every live ${what}${this.symbol(block!)}: some live node has it as ${member}${or})`,
        strength: PRIMARY,
      };
    }
    const named = [...objects.types].map(([bound, type]) =>
      type?.kind === 'pointer'
        ? `live ${printType(withoutQualifiers(type.to))} *${this.symbol(bound)}`
        : `live object ${this.symbol(bound)}`,
    );
    return {
      text: `(for every ${named.join(' and every other ')}: ${this.infix(' || ', objects.said, OR).text})`,
      strength: PRIMARY,
    };
  }

  private apply(t: Application): CText {
    const [a, b] = t.args;
    switch (t.operator) {
      case 'and':
        return (
          this.equalPointers(t, '==') ?? this.target(t) ?? this.equalBytes(t, '==') ?? this.infix(' && ', t.args, AND)
        );
      case 'or':
        return this.infix(' || ', t.args, OR);
      case 'not':
        return this.printNegation(a!);
      case 'eq':
        return this.comparison('==', a!, b!, 'signed');
      case 'signed-less':
        return this.comparison('<', a!, b!, 'signed');
      case 'signed-less-equal':
        return this.comparison('<=', a!, b!, 'signed');
      case 'unsigned-less':
        return this.comparison('<', a!, b!, 'unsigned');
      case 'unsigned-less-equal':
        return this.comparison('<=', a!, b!, 'unsigned');
      case 'add':
        return this.sum(t.args);
      case 'subtract':
        return this.infix(' - ', t.args, SUM);
      case 'multiply':
        return this.product(t.args);
      case 'negate':
        return { text: `-${this.in(a!, UNARY)}`, strength: UNARY };
      case 'complement':
        return { text: `~${this.in(a!, UNARY)}`, strength: UNARY };
      case 'unsigned-divide':
      case 'signed-divide':
        return this.infix(' / ', t.args, PRODUCT);
      case 'unsigned-remainder':
      case 'signed-remainder':
        return this.infix(' % ', t.args, PRODUCT);
      case 'bit-and':
        return { text: `(${t.args.map((x) => this.in(x, SHIFT)).join(' & ')})`, strength: PRIMARY };
      case 'bit-or':
        return { text: `(${t.args.map((x) => this.in(x, SHIFT)).join(' | ')})`, strength: PRIMARY };
      case 'bit-xor':
        return { text: `(${t.args.map((x) => this.in(x, SHIFT)).join(' ^ ')})`, strength: PRIMARY };
      case 'shift-left':
        return this.infix(' << ', t.args, SHIFT);
      case 'logical-shift-right':
      case 'arithmetic-shift-right':
        return this.infix(' >> ', t.args, SHIFT);
      case 'sign-extend':
      case 'zero-extend':
        return this.print(a!);
      case 'extract':
        return this.extraction(t);
      case 'concat': {
        const place = placeOfBytes(
          t.args.map((arg) => this.places.constantByte(arg)),
          this.vocabulary,
        );
        if (place) return { text: place.text, strength: place.text.startsWith('*') ? UNARY : PRIMARY };
        return { text: `concat(${t.args.map((x) => this.print(x).text).join(', ')})`, strength: PRIMARY };
      }
      case 'ite': {
        const length = lengthIn(t, this.vocabulary);
        if (length) return this.print(length);
        return {
          text: `(${this.print(a!).text} ? ${this.print(b!).text} : ${this.print(t.args[2]!).text})`,
          strength: PRIMARY,
        };
      }
      case 'select':
        return { text: this.element(a!, b!), strength: PRIMARY };
      case 'store':
        return { text: `store(${t.args.map((x) => this.print(x).text).join(', ')})`, strength: PRIMARY };
      case 'constant-array':
        return { text: `all(${this.print(a!).text})`, strength: PRIMARY };
      case 'identity-relation':
      case 'link-written':
        return { text: 'reach', strength: PRIMARY };
      case 'link-counted':
        return { text: 'length', strength: PRIMARY };
      case 'call':
        return (
          this.floating(t) ?? {
            text: `${t.name}(${t.args.map((x) => this.print(x).text).join(', ')})`,
            strength: PRIMARY,
          }
        );
    }
  }

  /**
   * An operation of floating point. A number is written as C has it; conversions that C makes by itself are left out.
   */
  private floating({ name, args }: Application): CText | undefined {
    const [, operation = '', width] = /^float-(\w+)-(32|64)$/.exec(name!) ?? [];
    const [, from, to = ''] = /^convert-(u?integer|float)\d+-((?:u?integer|float)\d+)$/.exec(name!) ?? [];
    const operand = (term: Term, strength: number): string => {
      const [condition, then, otherwise] = term.kind === 'apply' && term.operator === 'ite' ? term.args : [];
      if (condition && then && otherwise)
        return `(${this.print(condition).text} ? ${operand(then, PRIMARY)} : ${operand(otherwise, PRIMARY)})`;
      if (term.kind !== 'bits' || from === 'integer' || from === 'uinteger') return this.in(term, strength);
      return floatText(term.value, term.sort.width);
    };
    if (width !== undefined && operation === 'negate') return { text: `-${operand(args[0]!, UNARY)}`, strength: UNARY };
    if (width !== undefined && (operation === 'sqrt' || operation === 'fmod'))
      return { text: `${operation}(${args.map((arg) => operand(arg, 0)).join(', ')})`, strength: PRIMARY };
    const [symbol, strength] = floatingOperators[operation] ?? [];
    if (width !== undefined && symbol !== undefined && strength !== undefined)
      return { text: `${operand(args[0]!, strength)} ${symbol} ${operand(args[1]!, strength + 1)}`, strength };
    if (from === undefined) return undefined;
    const type = /^u?integer/.test(to) ? integerNames[to] : to === 'float32' && from === 'float' ? 'float' : undefined;
    return type === undefined
      ? { text: operand(args[0]!, PRIMARY), strength: PRIMARY }
      : { text: `(${type})${operand(args[0]!, UNARY)}`, strength: UNARY };
  }

  private printNegation(t: Term): CText {
    if (t.kind === 'apply') {
      const [a, b] = t.args;
      switch (t.operator) {
        case 'and': {
          const different = this.equalPointers(t, '!=') ?? this.equalBytes(t, '!=');
          if (different) return different;
          break;
        }
        case 'eq':
          return this.comparison('!=', a!, b!, 'signed');
        case 'signed-less':
          return this.comparison('<=', b!, a!, 'signed');
        case 'signed-less-equal':
          return this.comparison('<', b!, a!, 'signed');
        case 'unsigned-less':
          return this.comparison('<=', b!, a!, 'unsigned');
        case 'unsigned-less-equal':
          return this.comparison('<', b!, a!, 'unsigned');
        default:
          break;
      }
    }
    return { text: `!${this.in(t, UNARY)}`, strength: UNARY };
  }

  /** The target of a pointer, in words. */
  private target({ args }: Application): CText | undefined {
    const target = targetIn(args, this.vocabulary);
    if (!target) return undefined;
    const { object, type, isLive, rest } = target;
    const what = type?.kind === 'pointer' ? printType(withoutQualifiers(type.to)) : 'object';
    const text = `(${this.print(object).text} leads to a ${isLive ? 'live ' : ''}${what})`;
    return rest.length === 0
      ? { text, strength: PRIMARY }
      : { text: [text, ...rest.map((one) => this.in(one, AND))].join(' && '), strength: AND };
  }

  /** The same object and the same offset in it; or null, which has offset 0. */
  private equalPointers({ args }: Application, operator: '==' | '!='): CText | undefined {
    const [first = '', second = ''] = args.length === 2 ? args.map((arg) => this.print(arg).text) : [];
    const isWhole = (object: string, offset: string): readonly [string, string] | undefined => {
      const [, p, q] = /^offset_of\((.*)\) == (?:offset_of\((.*)\)|0)$/.exec(offset) ?? [];
      if (p === undefined) return undefined;
      if (q === undefined) return object === `${p} == NULL` ? [p, 'NULL'] : undefined;
      for (const [one, other] of [
        [p, q],
        [q, p],
      ] as const)
        if (object === `${one} == ${other}` || object === inOneObject(one, other)) return [one, other];
      return undefined;
    };
    const whole = isWhole(first, second) ?? isWhole(second, first);
    return whole && { text: `${whole[0]} ${operator} ${whole[1]}`, strength: COMPARE };
  }

  /** A value that equals a constant or another value, byte by byte; of several conditions, not the opposite. */
  private equalBytes({ args }: Application, operator: '==' | '!='): CText | undefined {
    const sides = (term: Term): readonly [Term, Term] | undefined => {
      const [a, b] = L.isApplication(term, 'eq') ? term.args : [];
      if (!a || !b) return undefined;
      return a.kind === 'bits' ? [b, a] : [a, b];
    };
    const { values, others } = groupsOfBytes(
      args,
      (term) => {
        const [byte] = sides(term) ?? [];
        return byte && this.places.constantByte(byte);
      },
      this.vocabulary,
    );
    if (values.length === 0 || (operator === '!=' && values.length + others.length > 1)) return undefined;
    const texts = values.map(({ text, type, items }) => {
      const constants = items.flatMap((item) => {
        const [, other] = sides(item)!;
        return other.kind === 'bits' ? [other.value] : [];
      });
      if (constants.length === 0) {
        const bytes = items.map((item) => this.places.constantByte(sides(item)![1]));
        const other = placeOfBytes(bytes, this.vocabulary);
        return other && `${text} ${operator} ${other.text}`;
      }
      if (constants.length < items.length) return undefined;
      const bits = constants.reduce((value, byte) => (value << 8n) | byte, 0n);
      const isSigned = type.kind === 'integer' && type.signed;
      const value = isSigned ? asSigned(bits, 8 * items.length) : bits;
      if (type.kind === 'pointer' && value !== 0n) return undefined;
      return `${text} ${operator} ${type.kind === 'pointer' ? 'NULL' : String(value)}`;
    });
    if (texts.includes(undefined)) return undefined;
    if (texts.length + others.length === 1) return { text: texts[0]!, strength: COMPARE };
    return { text: [...texts, ...others.map((one) => this.in(one, AND))].join(' && '), strength: AND };
  }

  private comparison(operator: string, a: Term, b: Term, signedness: L.Signedness): CText {
    const bound = this.boundOfNumber(operator, a, b);
    if (bound) return bound;
    if ((operator === '==' || operator === '!=') && this.mayLieApart(a, b)) {
      const text = inOneObject(this.print(a).text, this.print(b).text);
      return operator === '==' ? { text, strength: PRIMARY } : { text: `!${text}`, strength: UNARY };
    }
    const constant = (t: Term, other: Term): string | undefined => {
      if (t.kind !== 'bits') return undefined;
      if (this.isObjectNumber(other)) return this.objectName(Number(t.value));
      return signedness === 'signed' && !isUnsigned(other) ? undefined : String(t.value);
    };
    let [left, right] = [constant(a, b) ?? this.in(a, COMPARE + 1), constant(b, a) ?? this.in(b, COMPARE + 1)];
    if (a.kind === 'bits' && (operator === '==' || operator === '!=')) [left, right] = [right, left];
    else if (a.kind === 'bits' && operator === '<') return { text: `${right} > ${left}`, strength: COMPARE };
    else if (a.kind === 'bits' && operator === '<=') return { text: `${right} >= ${left}`, strength: COMPARE };
    return { text: `${left} ${operator} ${right}`, strength: COMPARE };
  }

  /**
   * Null has the number 0, then come the static objects and the functions, then all others: what C can say of a bound
   * of such a number.
   */
  private boundOfNumber(operator: string, a: Term, b: Term): CText | undefined {
    if (operator !== '<' && operator !== '<=') return undefined;
    const { lastStatic } = this.vocabulary.memoryModel;
    const strict = operator === '<' ? 1n : 0n;
    const [pointer, above, below] =
      a.kind === 'bits'
        ? [b, Number(a.value + strict) - 1, undefined]
        : b.kind === 'bits'
          ? [a, undefined, Number(b.value - strict)]
          : [a, undefined, undefined];
    if (!this.isObjectNumber(pointer)) return undefined;
    switch (above ?? below) {
      case 0:
        return {
          text: `${this.in(pointer, COMPARE + 1)} ${above === undefined ? '==' : '!='} NULL`,
          strength: COMPARE,
        };
      case lastStatic:
        return {
          text: `${above === undefined ? '!' : ''}is_dynamic(${this.print(pointer).text})`,
          strength: above === undefined ? UNARY : PRIMARY,
        };
      default:
        return undefined;
    }
  }

  isAboutNumbering(term: Term): boolean {
    const inner = term.kind === 'apply' && term.operator === 'not' ? term.args[0]! : term;
    if (inner.kind !== 'apply' || !/less/.test(inner.operator)) return false;
    const [a, b] = inner.args as [Term, Term];
    const [left, right, operator] =
      inner === term
        ? [a, b, /equal/.test(inner.operator) ? '<=' : '<']
        : [b, a, /equal/.test(inner.operator) ? '<' : '<='];
    return (
      (this.isObjectNumber(a) || this.isObjectNumber(b)) && this.boundOfNumber(operator, left, right) === undefined
    );
  }

  /** x + -1*y + 3 as x - y + 3. */
  sum(args: readonly Term[]): CText {
    const parts = args.map((arg): { negative: boolean; text: string } => {
      if (arg.kind === 'bits') {
        const value = asSigned(arg.value, arg.sort.width);
        return { negative: value < 0n, text: String(value < 0n ? -value : value) };
      }
      if (arg.kind === 'apply' && arg.operator === 'negate')
        return { negative: true, text: this.in(arg.args[0]!, PRODUCT) };
      if (arg.kind === 'apply' && arg.operator === 'multiply') {
        const constant = arg.args.find((x) => x.kind === 'bits');
        const rest = arg.args.filter((x) => x !== constant);
        if (constant?.kind === 'bits') {
          const factor = asSigned(constant.value, constant.sort.width);
          const size = factor < 0n ? -factor : factor;
          const text = rest.map((x) => this.in(x, PRODUCT)).join(' * ');
          return { negative: factor < 0n, text: size === 1n ? text : `${size} * ${text}` };
        }
      }
      return { negative: false, text: this.in(arg, SUM) };
    });
    parts.sort(
      (x, y) => Number(x.negative) - Number(y.negative) || Number(/^\d/.test(x.text)) - Number(/^\d/.test(y.text)),
    );
    const text = parts
      .map(({ negative, text: part }, i) =>
        i === 0 ? (negative ? `-${part}` : part) : `${negative ? ' - ' : ' + '}${part}`,
      )
      .join('');
    return { text, strength: SUM };
  }

  private product(args: readonly Term[]): CText {
    const minusOne = args.find((x) => x.kind === 'bits' && asSigned(x.value, x.sort.width) === -1n);
    if (minusOne && args.length === 2)
      return {
        text: `-${this.in(
          args.find((x) => x !== minusOne)!,
          UNARY,
        )}`,
        strength: UNARY,
      };
    return this.infix(' * ', args, PRODUCT);
  }

  private extraction(t: Application): CText {
    const [high, low] = t.parameters as [number, number];
    const inner = this.in(t.args[0]!, SHIFT);
    if (low === 0 && [8, 16, 32, 64].includes(high + 1))
      return { text: `(uint${high + 1}_t)${this.in(t.args[0]!, UNARY)}`, strength: UNARY };
    const mask = `0x${((1n << BigInt(high - low + 1)) - 1n).toString(16)}`;
    return { text: low === 0 ? `(${inner} & ${mask})` : `(${inner} >> ${low} & ${mask})`, strength: PRIMARY };
  }

  private infix(operator: string, args: readonly Term[], strength: number): CText {
    return {
      text: args.map((arg, i) => this.in(arg, i === 0 || strength <= AND ? strength : strength + 1)).join(operator),
      strength,
    };
  }

  in(term: Term, strength: number): string {
    const { text, strength: own } = this.print(term);
    return own < strength ? `(${text})` : text;
  }

  symbol(term: SymbolTerm): string {
    const meaning = this.vocabulary.meaning(term);
    switch (meaning?.kind) {
      case 'variable': {
        const { name } = meaning.variable;
        return meaning.part === 'offset' ? `offset_of(${name})` : name;
      }
      case 'object':
        return `&${meaning.object.name}`;
      case 'memory':
        return this.places.place(meaning.memory, undefined);
      // A bound symbol has a name that no variable can have, of which C knows no better.
      case undefined:
        return term.name.replace(/^.*?:/, '').replace(/^\?/, '_');
    }
  }

  private element(array: Term, index: Term): string {
    const meaning = array.kind === 'symbol' ? this.vocabulary.meaning(array) : undefined;
    if (meaning?.kind !== 'memory') return `${this.in(array, PRIMARY)}[${this.print(index).text}]`;
    return this.places.place(meaning.memory, index);
  }

  /** Objects of two pointer variables that may lead to different places in one. */
  private mayLieApart(a: Term, b: Term): boolean {
    const [p, q] = [this.offsetsOf(a), this.offsetsOf(b)];
    return p !== undefined && q !== undefined && (p.modulus !== 0 || q.modulus !== 0 || p.residue !== q.residue);
  }

  private offsetsOf(term: Term): Congruence | undefined {
    const meaning = term.kind === 'symbol' ? this.vocabulary.meaning(term) : undefined;
    if (meaning?.kind !== 'variable' || meaning.part !== 'object') return undefined;
    const { variable } = meaning;
    return this.vocabulary.memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable })?.at;
  }

  private isObjectNumber(term: Term): boolean {
    if (term.kind === 'symbol') {
      const meaning = this.vocabulary.meaning(term);
      return (
        meaning?.kind === 'object' ||
        (meaning?.kind === 'variable' && meaning.part === 'object') ||
        (meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot' && meaning.memory.role.part === 'object')
      );
    }
    if (term.kind !== 'apply' || term.operator !== 'select') return false;
    const meaning = this.vocabulary.meaning(term.args[0]!);
    return meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot' && meaning.memory.role.part === 'object';
  }

  private objectName(number: number): string {
    if (number === 0) return 'NULL';
    const { program } = this.vocabulary.memoryModel;
    if (program.clientFunctions.some((fn) => fn.number === number)) return "<a function of the client's>";
    const object = program.objects[number - 1] ?? program.functions.find((fn) => fn.number === number);
    return object ? `&${object.name}` : `object ${number}`;
  }
}

/** As it is written: bits taken out of a word are a number without a sign. */
function isUnsigned(term: Term): boolean {
  return (
    term.kind === 'apply' &&
    (term.operator === 'extract' || (term.operator === 'zero-extend' && isUnsigned(term.args[0]!)))
  );
}

const inOneObject = (p: string, q: string): string => `PROVEST_SAME_OBJECT(${p}, ${q})`;
