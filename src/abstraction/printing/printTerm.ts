/**
 * Terms over a vocabulary as C. What C cannot say is written as a call: `object_size(p)`, `is_live(p)`, `is_dynamic(p)`
 * (neither null nor a static object). Widening conversions are left out where C would make them by itself; everything
 * is for reading and for pasting into a probe, not for a compiler.
 */
import type { CType } from '../../c/types';
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import { unqualified } from '../../c/target';
import * as L from '../../logic/build';
import { halvesOf } from '../../logic/links/chains';
import { floatText } from '../../logic/floats/patterns';
import type { Application, BitsSort, Quantified, Term } from '../../logic/term';
import type { MemoryVariable } from '../../semantics/symbolic/memoryModel';
import type { Node } from '../../semantics/pointers/regionNode';
import type { Slot } from '../../semantics/pointers/slotLayout';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { reachedIn, targetIn } from './heapWords';
import { forAllObjects, pointerInto } from './quantifiedObjects';

/** Binding strengths of C operators, for parentheses. */
const [OR, AND, COMPARE, SHIFT, SUM, PRODUCT, UNARY, PRIMARY] = [1, 2, 3, 4, 5, 6, 7, 8];

interface Text {
  readonly text: string;
  readonly strength: number;
}

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

/** Parts of one text: terms share their parts, and written out they can be exponentially longer. */
const PARTS_LIMIT = 1500;

class Printer {
  private parts = 0;
  /** The types of pointers to the objects that bound symbols name. */
  private readonly bound = new Map<Term, CType | undefined>();
  constructor(private readonly vocabulary: Vocabulary) {}

  print(term: Term): Text {
    if (++this.parts > PARTS_LIMIT) return { text: '…', strength: PRIMARY };
    switch (term.kind) {
      case 'boolean':
        return { text: String(term.value), strength: PRIMARY };
      case 'bits':
        return { text: String(asSigned(term.value, term.sort.width)), strength: PRIMARY };
      case 'symbol':
        return { text: this.symbol(term), strength: PRIMARY };
      case 'forall':
      case 'exists':
        return this.quantified(term);
      case 'apply':
        return this.apply(term);
    }
  }

  private quantified(term: Quantified): Text {
    const reached = reachedIn(term, this.vocabulary);
    if (reached?.kind === 'live') {
      const from = this.print(reached.from).text;
      return { text: `(all that ${from} ${reached.butItself ? 'leads to' : 'reaches'} is live)`, strength: PRIMARY };
    }
    if (reached) {
      const [first, second] = [reached.first, reached.second].map((one) => this.print(one).text);
      return { text: `(${first} and ${second} reach nothing in common)`, strength: PRIMARY };
    }
    const objects = forAllObjects(term, this.vocabulary);
    if (!objects)
      return {
        text: `${term.kind}(${term.bound.map((symbol) => this.symbol(symbol)).join(', ')}: ${this.print(term.body).text})`,
        strength: PRIMARY,
      };
    for (const [bound, type] of objects.types) this.bound.set(bound, type);
    const [first] = objects.types.values();
    if (objects.said.length === 0 && objects.types.size === 1)
      return {
        text: `(no ${first?.kind === 'pointer' ? printType(unqualified(first.to)) : 'object'} is live)`,
        strength: PRIMARY,
      };
    const named = [...objects.types].map(([bound, type]) =>
      type?.kind === 'pointer'
        ? `live ${printType(unqualified(type.to))} *${this.symbol(bound)}`
        : `live object ${this.symbol(bound)}`,
    );
    return {
      text: `(for every ${named.join(' and every other ')}: ${this.infix(' || ', objects.said, OR).text})`,
      strength: PRIMARY,
    };
  }

  private apply(t: Application): Text {
    const [a, b] = t.args;
    switch (t.operator) {
      case 'and':
        return this.equalPointers(t, '==') ?? this.target(t) ?? this.infix(' && ', t.args, AND);
      case 'or':
        return this.infix(' || ', t.args, OR);
      case 'not':
        return this.negated(a!);
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
      case 'concat':
        return { text: `concat(${t.args.map((x) => this.print(x).text).join(', ')})`, strength: PRIMARY };
      case 'ite':
        return {
          text: `(${this.print(a!).text} ? ${this.print(b!).text} : ${this.print(t.args[2]!).text})`,
          strength: PRIMARY,
        };
      case 'select':
        return { text: this.element(a!, b!), strength: PRIMARY };
      case 'store':
        return { text: `store(${t.args.map((x) => this.print(x).text).join(', ')})`, strength: PRIMARY };
      case 'constant-array':
        return { text: `all(${this.print(a!).text})`, strength: PRIMARY };
      case 'identity-relation':
      case 'link-written':
        return { text: 'reach', strength: PRIMARY };
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
  private floating({ name, args }: Application): Text | undefined {
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
    const [symbol, strength] = floatingOperators[operation] ?? [];
    if (width !== undefined && symbol !== undefined && strength !== undefined)
      return { text: `${operand(args[0]!, strength)} ${symbol} ${operand(args[1]!, strength + 1)}`, strength };
    if (from === undefined) return undefined;
    const type = /^u?integer/.test(to) ? integerNames[to] : to === 'float32' && from === 'float' ? 'float' : undefined;
    return type === undefined
      ? { text: operand(args[0]!, PRIMARY), strength: PRIMARY }
      : { text: `(${type})${operand(args[0]!, UNARY)}`, strength: UNARY };
  }

  private negated(t: Term): Text {
    if (t.kind === 'apply') {
      const [a, b] = t.args;
      switch (t.operator) {
        case 'and': {
          const different = this.equalPointers(t, '!=');
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
  private target({ args }: Application): Text | undefined {
    const target = targetIn(args, this.vocabulary);
    if (!target) return undefined;
    const { object, type, isLive, rest } = target;
    const what = type?.kind === 'pointer' ? printType(unqualified(type.to)) : 'object';
    const text = `(${this.print(object).text} leads to a ${isLive ? 'live ' : ''}${what})`;
    return rest.length === 0
      ? { text, strength: PRIMARY }
      : { text: [text, ...rest.map((one) => this.in(one, AND))].join(' && '), strength: AND };
  }

  /** The same object and the same offset in it; or null, which has offset 0. */
  private equalPointers({ args }: Application, operator: '==' | '!='): Text | undefined {
    const [first = '', second = ''] = args.length === 2 ? args.map((arg) => this.print(arg).text) : [];
    const isWhole = (object: string, offset: string): boolean => {
      const [, p, q] = /^offset_of\((.*)\) == (?:offset_of\((.*)\)|0)$/.exec(offset) ?? [];
      return (
        p !== undefined &&
        (q === undefined ? object === `${p} == NULL` : object === `${p} == ${q}` || object === `${q} == ${p}`)
      );
    };
    const equality = isWhole(first, second) ? args[0] : isWhole(second, first) ? args[1] : undefined;
    return equality && (operator === '==' ? this.print(equality) : this.negated(equality));
  }

  private comparison(operator: string, a: Term, b: Term, signedness: L.Signedness): Text {
    const bound = this.boundOfNumber(operator, a, b);
    if (bound) return bound;
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
  private boundOfNumber(operator: string, a: Term, b: Term): Text | undefined {
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
  private sum(args: readonly Term[]): Text {
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

  private product(args: readonly Term[]): Text {
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

  private extraction(t: Application): Text {
    const [high, low] = t.parameters as [number, number];
    const inner = this.in(t.args[0]!, SHIFT);
    if (low === 0 && [8, 16, 32, 64].includes(high + 1))
      return { text: `(uint${high + 1}_t)${this.in(t.args[0]!, UNARY)}`, strength: UNARY };
    const mask = `0x${((1n << BigInt(high - low + 1)) - 1n).toString(16)}`;
    return { text: low === 0 ? `(${inner} & ${mask})` : `(${inner} >> ${low} & ${mask})`, strength: PRIMARY };
  }

  private infix(operator: string, args: readonly Term[], strength: number): Text {
    return {
      text: args.map((arg, i) => this.in(arg, i === 0 || strength <= AND ? strength : strength + 1)).join(operator),
      strength,
    };
  }

  private in(term: Term, strength: number): string {
    const { text, strength: own } = this.print(term);
    return own < strength ? `(${text})` : text;
  }

  private symbol(term: Term & { kind: 'symbol' }): string {
    const meaning = this.vocabulary.meaning(term);
    switch (meaning?.kind) {
      case 'variable': {
        const { name } = meaning.variable;
        return meaning.part === 'offset' ? `offset_of(${name})` : name;
      }
      case 'object':
        return `&${meaning.object.name}`;
      case 'memory':
        return this.memory(meaning.memory, undefined);
      // A bound symbol has a name that no variable can have, of which C knows no better.
      case undefined:
        return term.name.replace(/^.*?:/, '').replace(/^\?/, '_');
    }
  }

  private element(array: Term, index: Term): string {
    const meaning = array.kind === 'symbol' ? this.vocabulary.meaning(array) : undefined;
    if (meaning?.kind !== 'memory') return `${this.in(array, PRIMARY)}[${this.print(index).text}]`;
    return this.memory(meaning.memory, index);
  }

  /** Name of the member that a link is. */
  private memberOf({ node, slot }: { readonly node: Node; readonly slot: Slot }): string {
    const { vocabulary } = this;
    const type = pointerInto(vocabulary.memoryModel.allocationSiteOf(node), vocabulary);
    return type?.kind === 'pointer' ? pathAt('', type.to, slot.offset, vocabulary).replace(/^\./, '') : 'the link';
  }

  private memory(variable: MemoryVariable, index: Term | undefined): string {
    const { role } = variable;
    switch (role.kind) {
      case 'size':
        return `object_size(${index ? this.print(index).text : ''})`;
      case 'live':
        return `is_live(${index ? this.print(index).text : ''})`;
      case 'heap':
        return `is_heap(${index ? this.print(index).text : ''})`;
      case 'made':
        return `region_of(${index ? this.print(index).text : ''})`;
      case 'next':
        return 'next_object';
      case 'reach':
        return index && L.widthOf(index) % 2 === 0
          ? `reach(${halvesOf(index)
              .map((half) => this.print(half).text)
              .join(', ')})`
          : 'reach';
      case 'acyclic':
        return `(${this.memberOf(role)} makes no ring)`;
      case 'slot':
      case 'written':
        break;
    }
    const offset = role.slot === 'byte' ? 0 : role.slot.offset;
    const suffix = role.kind === 'written' ? 'is_initialised' : role.part === 'offset' ? 'offset_of' : '';
    const wrap = (text: string): string => (suffix ? `${suffix}(${text})` : text);
    const single =
      role.single && (role.single.kind === 'static' || role.single.kind === 'frame') ? role.single.object : undefined;
    if (single && role.addressing === 'plain') return wrap(pathAt(single.name, single.ctype, offset, this.vocabulary));
    if (single && role.addressing === 'by-offset' && index)
      return wrap(this.elementOf(single.name, single.ctype, index, offset));
    const through =
      role.addressing === 'by-object' && role.slot !== 'byte' && index ? this.throughPointer(index, offset) : undefined;
    if (through) return wrap(through.text);
    const behind =
      role.addressing === 'by-object-and-offset' && role.slot !== 'byte' && index
        ? this.elementBehind(index, offset)
        : undefined;
    if (behind) return wrap(behind);
    const byte =
      role.addressing === 'by-object-and-offset' && role.slot === 'byte' && index ? this.byteBehind(index) : undefined;
    if (byte !== undefined) return wrap(byte);
    const target = [...role.node.origins]
      .map((origin) =>
        origin.kind === 'external'
          ? origin.type
          : origin.kind === 'set-up'
            ? printType({ kind: 'record', record: origin.record })
            : origin.kind,
      )
      .join('/');
    return wrap(
      `(${target})[${index ? this.print(index).text : ''}]${role.slot === 'byte' || offset === 0 ? '' : `+${offset}`}`,
    );
  }

  /**
   * Place at an offset in the object that a number names: `head->next`, `today.day`; undefined if the type is not
   * known.
   */
  private throughPointer(object: Term, offset: number): { readonly text: string; readonly type: CType } | undefined {
    if (object.kind === 'bits') {
      const named = this.vocabulary.memoryModel.program.objects[Number(object.value) - 1];
      return (
        named && {
          text: pathAt(named.name, named.ctype, offset, this.vocabulary),
          type: typeAt(named.ctype, offset, this.vocabulary) ?? named.ctype,
        }
      );
    }
    const pointer = this.pointer(object);
    if (pointer?.type.kind !== 'pointer') return undefined;
    const { to } = pointer.type;
    const type = typeAt(to, offset, this.vocabulary);
    return (
      type && {
        text:
          to.kind === 'record'
            ? `${pointer.text}->${pathAt('', to, offset, this.vocabulary).slice(1)}`
            : offset === 0
              ? `*${pointer.text}`
              : pathAt(pointer.text, { kind: 'array', of: to, length: undefined }, offset, this.vocabulary),
        type,
      }
    );
  }

  /** A pointer whose object number this is. */
  private pointer(object: Term): { readonly text: string; readonly type: CType } | undefined {
    if (object.kind === 'symbol') {
      const type = this.bound.get(object);
      if (type) return { text: this.symbol(object), type };
      const meaning = this.vocabulary.meaning(object);
      return meaning?.kind === 'variable' && meaning.part === 'object' && meaning.variable.ctype
        ? { text: meaning.variable.name, type: meaning.variable.ctype }
        : undefined;
    }
    if (object.kind !== 'apply' || object.operator !== 'select') return undefined;
    const meaning = object.args[0]!.kind === 'symbol' ? this.vocabulary.meaning(object.args[0]!) : undefined;
    if (meaning?.kind !== 'memory') return undefined;
    const { role } = meaning.memory;
    return role.kind === 'slot' && role.slot !== 'byte' && role.part === 'object' && role.addressing === 'by-object'
      ? this.throughPointer(object.args[1]!, role.slot.offset)
      : undefined;
  }

  /** An element of an array that lies in the structure a pointer leads to: `ring->data[i]`. */
  private elementBehind(index: Term, offset: number): string | undefined {
    if (index.kind !== 'apply' || index.operator !== 'concat' || index.args.length !== 2) return undefined;
    const pointer = this.pointer(index.args[0]!);
    if (pointer?.type.kind !== 'pointer' || pointer.type.to.kind !== 'record') return undefined;
    return `${pointer.text}->${this.elementOf('', pointer.type.to, index.args[1]!, offset).slice(1)}`;
  }

  /** A byte that lies at a distance from where a pointer points: `text[i]`, `((char *)p)[4]`. */
  private byteBehind(index: Term): string | undefined {
    if (index.kind !== 'apply' || index.operator !== 'concat' || index.args.length !== 2) return undefined;
    const [object, place] = index.args as [Term, Term];
    const pointer = this.pointer(object);
    if (pointer?.type.kind !== 'pointer') return undefined;
    const start = `offset_of(${pointer.text})`;
    const parts = place.kind === 'apply' && place.operator === 'add' ? place.args : [place];
    const from = parts.findIndex((part) => this.print(part).text === start);
    if (from < 0) return undefined;
    const distance = parts.toSpliced(from, 1);
    const isText = pointer.type.to.kind === 'integer' && pointer.type.to.widthBits === 8;
    return `${isText ? pointer.text : `((char *)${pointer.text})`}[${distance.length === 0 ? '0' : this.sum(distance).text}]`;
  }

  /**
   * Element `index` bytes behind the start of an object, in the slot that begins at `offset`; the type named is at
   * `from`.
   */
  private elementOf(name: string, type: CType, index: Term, offset: number, from = 0): string {
    if (index.kind === 'bits')
      return pathAt(name, type, Number(asSigned(index.value, (index.sort as BitsSort).width)) - from, this.vocabulary);
    if (type.kind === 'record' && type.record.keyword === 'struct') {
      const field = [...type.record.fields].reverse().find(({ offsetBytes }) => from + offsetBytes <= offset);
      if (field)
        return this.elementOf(
          field.name === undefined ? name : `${name}.${field.name}`,
          field.type,
          index,
          offset,
          from + field.offsetBytes,
        );
    }
    if (type.kind !== 'array') return `${name}@${this.print(index).text}`;
    const element = sizeOf(type.of, this.vocabulary.memoryModel.program.dataModel) ?? 1;
    const inside = (offset - from) % element;
    const scaled = dividedBy(index, element, from + inside);
    if (scaled) return pathAt(`${name}[${this.scaledText(scaled)}]`, type.of, inside, this.vocabulary);
    if (type.of.kind === 'array') return this.elementOfRow(name, type.of, index, offset, from, element);
    return pathAt(`${name}[(${this.print(index).text})/${element}]`, type.of, inside, this.vocabulary);
  }

  /** Element of a two-dimensional table: terms that move by whole rows say which row. */
  private elementOfRow(name: string, row: CType, index: Term, offset: number, from: number, rowBytes: number): string {
    const { parts, constant } = partsOf(index);
    const inside = (offset - from) % rowBytes;
    const whole = parts.filter(({ factor }) => factor % BigInt(rowBytes) === 0n);
    const width = (index.sort as BitsSort).width;
    const literal = (value: bigint): Term => L.bits(BigInt.asUintN(width, value), width);
    const start = constant - BigInt(from);
    if (whole.length > 0) {
      const others = parts.filter((part) => !whole.includes(part));
      const bytes = BigInt(rowBytes);
      const rows = start / bytes - (others.length === 0 && start % bytes < 0n ? 1n : 0n);
      const within = others.reduce(
        (sum, { factor, term }) => L.add(sum, L.mul(literal(factor), term)),
        literal(start - rows * bytes),
      );
      const position = [
        ...whole.map(({ factor, term }) => ({ factor: factor / bytes, term })),
        ...(rows === 0n ? [] : [{ factor: rows, term: undefined }]),
      ];
      return this.elementOf(`${name}[${this.scaledText(position)}]`, row, within, inside);
    }
    const place = L.sub(index, literal(BigInt(from)));
    return this.elementOf(
      `${name}[${this.in(place, PRODUCT)} / ${rowBytes}]`,
      row,
      L.urem(place, literal(BigInt(rowBytes))),
      inside,
    );
  }

  private scaledText(parts: readonly { factor: bigint; term: Term | undefined }[]): string {
    if (parts.length === 0) return '0';
    return parts
      .map(({ factor, term }, i) => {
        const size = factor < 0n ? -factor : factor;
        const body =
          term === undefined
            ? String(size)
            : size === 1n
              ? this.in(term, PRODUCT)
              : `${size} * ${this.in(term, PRODUCT)}`;
        return i === 0 ? (factor < 0n ? `-${body}` : body) : `${factor < 0n ? ' - ' : ' + '}${body}`;
      })
      .join('');
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

export function asSigned(value: bigint, width: number): bigint {
  return BigInt.asIntN(width, value);
}

/** `elems[2].x` for a byte offset into an object of a type; the offset itself where no member starts there. */
export function pathAt(name: string, type: CType, offset: number, vocabulary: Vocabulary): string {
  const model = vocabulary.memoryModel.program.dataModel;
  if (type.kind === 'array') {
    const element = sizeOf(type.of, model) ?? 1;
    return pathAt(`${name}[${Math.floor(offset / element)}]`, type.of, offset % element, vocabulary);
  }
  if (type.kind === 'record' && type.record.keyword === 'struct') {
    const field = [...type.record.fields].reverse().find(({ offsetBytes }) => offsetBytes <= offset);
    if (field)
      return pathAt(
        field.name === undefined ? name : `${name}.${field.name}`,
        field.type,
        offset - field.offsetBytes,
        vocabulary,
      );
  }
  return offset === 0 ? name : `${name}@${offset}`;
}

/** The type of what begins at a byte offset in an object of a type. */
export function typeAt(type: CType, offset: number, vocabulary: Vocabulary): CType | undefined {
  const model = vocabulary.memoryModel.program.dataModel;
  if (type.kind === 'array') return typeAt(type.of, offset % (sizeOf(type.of, model) ?? 1), vocabulary);
  if (type.kind === 'record' && type.record.keyword === 'struct') {
    const field = [...type.record.fields].reverse().find(({ offsetBytes }) => offsetBytes <= offset);
    return field && typeAt(field.type, offset - field.offsetBytes, vocabulary);
  }
  return offset === 0 ? type : undefined;
}

/** (index - offset) / stride as a sum, when every coefficient divides. */
export function dividedBy(
  index: Term,
  stride: number,
  offset: number,
): { factor: bigint; term: Term | undefined }[] | undefined {
  const sum = partsOf(index);
  const constant = sum.constant - BigInt(offset);
  if (constant % BigInt(stride) !== 0n || sum.parts.some(({ factor }) => factor % BigInt(stride) !== 0n))
    return undefined;
  return [
    ...sum.parts.map(({ factor, term }) => ({ factor: factor / BigInt(stride), term })),
    ...(constant === 0n ? [] : [{ factor: constant / BigInt(stride), term: undefined }]),
  ];
}

/** A place as a sum of multiples. */
function partsOf(index: Term): {
  readonly parts: readonly { readonly factor: bigint; readonly term: Term }[];
  readonly constant: bigint;
} {
  const width = (index.sort as BitsSort).width;
  const parts: { factor: bigint; term: Term }[] = [];
  const args = index.kind === 'apply' && index.operator === 'add' ? index.args : [index];
  let constant = 0n;
  for (const arg of args) {
    if (arg.kind === 'bits') {
      constant += asSigned(arg.value, width);
      continue;
    }
    let factor = 1n;
    let term: Term = arg;
    if (arg.kind === 'apply' && arg.operator === 'multiply') {
      const literal = arg.args.find((x) => x.kind === 'bits');
      const others = arg.args.filter((x) => x !== literal);
      if (literal?.kind === 'bits' && others.length === 1) {
        factor = asSigned(literal.value, width);
        term = others[0]!;
      }
    } else if (arg.kind === 'apply' && arg.operator === 'shift-left' && arg.args[1]!.kind === 'bits') {
      factor = 1n << arg.args[1].value;
      term = arg.args[0]!;
    } else if (
      arg.kind === 'apply' &&
      arg.operator === 'concat' &&
      arg.args.length === 2 &&
      arg.args[1]!.kind === 'bits' &&
      arg.args[1].value === 0n
    ) {
      factor = 1n << BigInt((arg.args[1].sort as BitsSort).width);
      term = arg.args[0]!;
    }
    parts.push({ factor, term });
  }
  return { parts, constant };
}

/** As it is written: bits taken out of a word are a number without a sign. */
function isUnsigned(term: Term): boolean {
  return (
    term.kind === 'apply' &&
    (term.operator === 'extract' || (term.operator === 'zero-extend' && isUnsigned(term.args[0]!)))
  );
}
