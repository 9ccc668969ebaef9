/**
 * Formulas over a vocabulary in the annotation languages of other verifiers: CBMC's expressions for contracts, and ACSL
 * (Baudin et al., ANSI/ISO C Specification Language). Unlike `printTerm`, which is for readers, the text means exactly
 * what the term means, wrapping and signedness included. A formula that the dialect cannot express has no text.
 */
import { sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import * as L from '../../logic/build';
import { halvesOf } from '../../logic/links/chains';
import type { Application, Quantified, SymbolTerm, Term } from '../../logic/term';
import { signednessOf, type Signedness } from '../../logic/words/words';
import type { FrameObject, Scalar, Variable } from '../../program/expression';
import type { StaticObject } from '../../program/program';
import { denotes } from '../../program/automata/visibility';
import type { MemoryRole, SlotRole } from '../../semantics/symbolic/memoryModel';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { dividedBy } from '../printing/linearIndex';
import { pathAt, typeAt } from '../printing/memberPaths';
import {
  type Dialect,
  greatestOf,
  leastOf,
  literal,
  NotExpressible,
  type Numeral,
  Numerals,
  strength,
  type Text,
  typeName,
  within,
} from './number';

const limits = {
  /** A text longer than this is a formula that shares its parts, which a text cannot. */
  parts: 2000,
} as const;

/** Undefined if the dialect cannot express it at the point. */
export function annotationOf(
  term: Term,
  point: Cutpoint,
  vocabulary: Vocabulary,
  dialect: Dialect,
): string | undefined {
  try {
    return new Annotation(point, vocabulary, dialect).formula(term).text;
  } catch (error) {
    if (error instanceof NotExpressible) return undefined;
    throw error;
  }
}

type Slot = SlotRole;

class Annotation {
  private parts = 0;
  private readonly bound = new Map<Term, string>();
  private readonly numerals: Numerals;

  constructor(
    private readonly point: Cutpoint,
    private readonly vocabulary: Vocabulary,
    private readonly dialect: Dialect,
  ) {
    this.numerals = new Numerals(dialect);
  }

  formula(term: Term): Text {
    if (++this.parts > limits.parts) throw new NotExpressible();
    switch (term.kind) {
      case 'boolean':
        return { text: term.value ? '1 == 1' : '1 == 0', strength: strength.compare };
      case 'forall':
      case 'exists':
        return this.printQuantified(term);
      case 'apply':
        return this.printApplication(term);
      case 'bits':
      case 'symbol':
        throw new NotExpressible();
    }
  }

  private printApplication(t: Application): Text {
    const [a, b] = t.args as [Term, Term];
    switch (t.operator) {
      case 'and':
        return this.printConnective(' && ', t.args, strength.and);
      case 'or':
        return this.printConnective(' || ', t.args, strength.or);
      case 'not':
        return this.printNegation(a);
      case 'eq':
        return this.equation(a, b, '==');
      case 'signed-less':
        return this.numerals.comparison('<', this.value(a, 'signed'), this.value(b, 'signed'));
      case 'signed-less-equal':
        return this.numerals.comparison('<=', this.value(a, 'signed'), this.value(b, 'signed'));
      case 'unsigned-less':
        return this.numerals.comparison('<', this.value(a, 'unsigned'), this.value(b, 'unsigned'));
      case 'unsigned-less-equal':
        return this.numerals.comparison('<=', this.value(a, 'unsigned'), this.value(b, 'unsigned'));
      case 'ite': {
        const [condition, then, otherwise] = t.args.map((arg) => within(this.formula(arg), strength.or));
        return { text: `(${condition} ? ${then} : ${otherwise})`, strength: strength.primary };
      }
      case 'select':
        return this.objectProperty(a, b);
      default:
        throw new NotExpressible();
    }
  }

  private printNegation(term: Term): Text {
    const [a, b] = term.kind === 'apply' ? (term.args as [Term, Term]) : [];
    if (term.kind === 'apply' && a && b)
      switch (term.operator) {
        case 'eq':
          if (a.sort.kind !== 'boolean') return this.equation(a, b, '!=');
          break;
        case 'signed-less':
          return this.numerals.comparison('<=', this.value(b, 'signed'), this.value(a, 'signed'));
        case 'signed-less-equal':
          return this.numerals.comparison('<', this.value(b, 'signed'), this.value(a, 'signed'));
        case 'unsigned-less':
          return this.numerals.comparison('<=', this.value(b, 'unsigned'), this.value(a, 'unsigned'));
        case 'unsigned-less-equal':
          return this.numerals.comparison('<', this.value(b, 'unsigned'), this.value(a, 'unsigned'));
        default:
          break;
      }
    return { text: `!${within(this.formula(term), strength.primary)}`, strength: strength.unary };
  }

  private printConnective(operator: string, terms: readonly Term[], own: number): Text {
    // The parentheses between && and || are for compilers that warn.
    return { text: terms.map((term) => within(this.formula(term), strength.and + 1)).join(operator), strength: own };
  }

  private equation(a: Term, b: Term, operator: '==' | '!='): Text {
    if (a.sort.kind === 'boolean') {
      const sign = this.dialect === 'acsl' ? '<==>' : '==';
      return {
        text: `(${within(this.formula(a), strength.primary)} ${sign} ${within(this.formula(b), strength.primary)})`,
        strength: strength.primary,
      };
    }
    if (a.sort.kind !== 'bits') throw new NotExpressible();
    if (this.isObject(a) || this.isObject(b)) return this.sameObject(a, b, operator);
    const texts = (['signed', 'unsigned'] as const).flatMap((signedness) => {
      try {
        return [this.numerals.comparison(operator, this.value(a, signedness), this.value(b, signedness))];
      } catch (error) {
        if (error instanceof NotExpressible) return [];
        throw error;
      }
    });
    const [first, second] = texts;
    if (!first) throw new NotExpressible();
    return second && second.text.length < first.text.length ? second : first;
  }

  private printQuantified(term: Quantified): Text {
    const names = term.bound.map((symbol) => this.printBinder(symbol));
    const body = within(this.formula(term.body), strength.conditional);
    for (const symbol of term.bound) this.bound.delete(symbol);
    const text = names.reduceRight(
      (inner, name) =>
        this.dialect === 'acsl' ? `(\\${term.kind} ${name}; ${inner})` : `__CPROVER_${term.kind} { ${name}; ${inner} }`,
      body,
    );
    return { text, strength: strength.primary };
  }

  /** A bound variable, of the signed type that has its bits. */
  private printBinder(symbol: SymbolTerm): string {
    const type = symbol.sort.kind === 'bits' ? typeName(symbol.sort.width, 'signed') : undefined;
    if (type === undefined) throw new NotExpressible();
    const name = `_${symbol.name.replace(/\W+/g, '_')}_${this.bound.size}`;
    this.bound.set(symbol, name);
    return `${type} ${name}`;
  }

  /** The number that the bits are, as signed or unsigned. */
  private value(term: Term, signedness: Signedness): Numeral {
    return this.numerals.wrap(this.congruent(term, signedness), L.widthOf(term), signedness);
  }

  /** A number that is equal to the term modulo 2^width; `signedness`: how it will be read. */
  private congruent(term: Term, signedness: Signedness): Numeral {
    if (++this.parts > limits.parts) throw new NotExpressible();
    switch (term.kind) {
      case 'bits':
        return literal(signedness === 'signed' ? BigInt.asIntN(term.sort.width, term.value) : term.value);
      case 'symbol':
        return this.symbol(term);
      case 'apply':
        return this.operation(term, signedness);
      default:
        throw new NotExpressible();
    }
  }

  private operation(t: Application, signedness: Signedness): Numeral {
    const [a, b] = t.args as [Term, Term];
    const width = L.widthOf(t);
    const { numerals } = this;
    switch (t.operator) {
      case 'add':
        return t.args.map((arg) => this.summand(arg, signedness)).reduce((x, y) => numerals.sum(x, y));
      case 'subtract':
        return numerals.difference(this.value(a, signedness), this.value(b, signedness));
      case 'multiply':
        return t.args.map((arg) => this.summand(arg, signedness)).reduce((x, y) => numerals.product(x, y));
      case 'negate':
        return numerals.negate(this.value(a, signedness));
      case 'complement':
        return numerals.difference(literal(-1n), this.value(a, signedness));
      case 'sign-extend':
        return this.value(a, 'signed');
      case 'zero-extend':
        return this.value(a, 'unsigned');
      case 'extract': {
        const [, low] = t.parameters as [number, number];
        return low === 0
          ? this.congruent(a, signedness)
          : numerals.shiftedRight(this.value(a, 'unsigned'), BigInt(low));
      }
      case 'concat':
        return t.args
          .map((arg, i) => ({ value: this.value(arg, i === 0 ? signedness : 'unsigned'), width: L.widthOf(arg) }))
          .reduce((high, low) => ({
            value: numerals.sum(numerals.product(high.value, literal(1n << BigInt(low.width))), low.value),
            width: high.width + low.width,
          })).value;
      case 'ite':
        return numerals.choice(this.formula(a), this.value(b, signedness), this.value(t.args[2]!, signedness));
      case 'unsigned-divide':
        return numerals.quotient(this.value(a, 'unsigned'), this.divisor(b, 'unsigned'));
      case 'unsigned-remainder':
        return numerals.remainder(this.value(a, 'unsigned'), this.divisor(b, 'unsigned'));
      case 'signed-divide':
        return numerals.quotient(this.value(a, 'signed'), this.divisor(b, 'signed'));
      case 'signed-remainder':
        return numerals.remainder(this.value(a, 'signed'), this.divisor(b, 'signed'));
      case 'bit-and':
        return this.bitwise('&', t, width, signedness);
      case 'bit-or':
        return this.bitwise('|', t, width, signedness);
      case 'bit-xor':
        return this.bitwise('^', t, width, signedness);
      case 'shift-left':
        return numerals.product(this.value(a, signedness), literal(1n << this.distance(b, width)));
      case 'logical-shift-right':
        return numerals.shiftedRight(this.value(a, 'unsigned'), this.distance(b, width));
      case 'arithmetic-shift-right':
        return numerals.shiftedRight(this.value(a, 'signed'), this.distance(b, width));
      case 'select':
        return this.element(a, b);
      default:
        throw new NotExpressible();
    }
  }

  /** Constants of sums and products are read as signed: adding 2^32 - 1 is subtracting 1. */
  private summand(term: Term, signedness: Signedness): Numeral {
    return this.value(term, term.kind === 'bits' ? 'signed' : signedness);
  }

  private bitwise(operator: '&' | '|' | '^', { args }: Application, bits: number, signedness: Signedness): Numeral {
    return args
      .map((arg) => this.value(arg, signedness))
      .reduce((x, y) => this.numerals.bitwise(operator, x, y, bits, signedness));
  }

  private divisor(term: Term, signedness: Signedness): bigint {
    if (term.kind !== 'bits') throw new NotExpressible();
    const value = signedness === 'signed' ? BigInt.asIntN(term.sort.width, term.value) : term.value;
    if (value === 0n || value === -1n) throw new NotExpressible();
    return value;
  }

  private distance(term: Term, width: number): bigint {
    if (term.kind !== 'bits' || term.value >= BigInt(width)) throw new NotExpressible();
    return term.value;
  }

  private symbol(symbol: SymbolTerm): Numeral {
    const name = this.bound.get(symbol);
    if (name !== undefined) return leaf(name, { kind: 'integer', widthBits: asWidth(L.widthOf(symbol)), signed: true });
    const meaning = this.vocabulary.meaning(symbol);
    if (meaning?.kind === 'variable') {
      const text = this.name(meaning.variable);
      if (meaning.part === 'value') return leaf(text, meaning.variable.type);
      if (meaning.part === 'offset') return this.offset(text);
    }
    if (meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot') {
      const { role } = meaning.memory;
      const text = this.place(role, undefined);
      if (role.part === 'value') return leaf(text, typeOf(role));
      if (role.part === 'offset') return this.offset(text);
    }
    throw new NotExpressible();
  }

  private element(array: Term, index: Term): Numeral {
    const role = this.memory(array);
    if (role?.kind === 'size') {
      const pointer = this.pointer(index);
      const text = this.dialect === 'acsl' ? `\\block_length(${pointer})` : `__CPROVER_OBJECT_SIZE(${pointer})`;
      return {
        text,
        strength: strength.primary,
        low: 0n,
        high: greatestOf(L.widthOf(index), 'unsigned'),
        type: { bits: 64, signed: false },
      };
    }
    if (role?.kind !== 'slot' || role.part === 'object') throw new NotExpressible();
    const text = this.place(role, index);
    return role.part === 'offset' ? this.offset(text) : leaf(text, typeOf(role));
  }

  /** Bytes between the start of the object and where the pointer points. */
  private offset(pointer: string): Numeral {
    const { half } = this.vocabulary.memoryModel;
    return {
      text: this.dialect === 'acsl' ? `\\offset(${pointer})` : `(long long)__CPROVER_POINTER_OFFSET(${pointer})`,
      strength: this.dialect === 'acsl' ? strength.primary : strength.unary,
      low: leastOf(half, 'signed'),
      high: greatestOf(half, 'signed'),
      type: { bits: 64, signed: true },
    };
  }

  private memory(term: Term): MemoryRole | undefined {
    const meaning = term.kind === 'symbol' ? this.vocabulary.meaning(term) : undefined;
    return meaning?.kind === 'memory' ? meaning.memory.role : undefined;
  }

  /** The lvalue of a slot. */
  private place(role: Slot, index: Term | undefined): string {
    const { slot, addressing, single } = role;
    const offset = slot === 'byte' ? 0 : slot.offset;
    if (addressing === 'plain' || addressing === 'by-offset') {
      if (single?.kind !== 'static' && single?.kind !== 'frame') throw new NotExpressible();
      const { object } = single;
      if (addressing === 'plain') return this.inObject(object, offset, role);
      return index ? this.elementOf(object, index, offset, role) : notExpressible();
    }
    if (!index) throw new NotExpressible();
    if (addressing === 'by-object') {
      const pointer = this.pointer(index);
      return this.atOffset(pointer, literal(BigInt(offset)), role);
    }
    const [object, place] = halvesOf(index);
    return this.behind(object, place, role);
  }

  /** At a constant offset of a named object. */
  private inObject(object: StaticObject | FrameObject, offset: number, role: Slot): string {
    const path = pathAt(this.name(object), object.ctype, offset, this.vocabulary);
    const type = typeAt(object.ctype, offset, this.vocabulary);
    return isOfType(type, role) && !path.includes('@')
      ? path
      : dereferenced(role, `(char *)&${this.name(object)} + ${offset}`);
  }

  private elementOf(object: StaticObject | FrameObject, index: Term, offset: number, role: Slot): string {
    const { dataModel } = this.vocabulary.memoryModel.program;
    const { ctype } = object;
    const size = ctype.kind === 'array' ? sizeOf(ctype.of, dataModel) : undefined;
    if (ctype.kind === 'array' && size !== undefined && size > 0) {
      const inside = offset % size;
      const scaled = dividedBy(index, size, inside);
      if (scaled && isOfType(typeAt(ctype.of, inside, this.vocabulary), role)) {
        const path = pathAt(
          `${this.name(object)}[${this.sumOfProducts(scaled).text}]`,
          ctype.of,
          inside,
          this.vocabulary,
        );
        if (!path.includes('@')) return path;
      }
    }
    return dereferenced(
      role,
      `(char *)&${this.name(object)} + ${within(this.value(index, 'signed'), strength.sum + 1)}`,
    );
  }

  private sumOfProducts(parts: readonly { readonly factor: bigint; readonly term: Term | undefined }[]): Numeral {
    return parts
      .map(({ factor, term }) =>
        term ? this.numerals.product(literal(factor), this.value(term, 'signed')) : literal(factor),
      )
      .reduce((a, b) => this.numerals.sum(a, b), literal(0n));
  }

  /** `offset` bytes behind the start of the object that a pointer leads to. */
  private atOffset(pointer: string, offset: Numeral, role: Slot): string {
    const start =
      this.dialect === 'acsl' ? `\\base_addr(${pointer})` : `(char *)${pointer} - __CPROVER_POINTER_OFFSET(${pointer})`;
    return dereferenced(
      role,
      offset.literal && offset.low === 0n ? start : `${start} + ${within(offset, strength.product)}`,
    );
  }

  /** The place as an element behind a variable, if it is a distance from where that variable points. */
  private behind(object: Term, place: Term, role: Slot): string {
    const pointer = this.pointer(object);
    const parts = place.kind === 'apply' && place.operator === 'add' ? place.args : [place];
    const start = this.vocabulary.offsetBeside(object);
    const from = start ? parts.indexOf(start) : -1;
    const bytes = (role.slot === 'byte' ? 8 : role.slot.type.kind === 'pointer' ? 0 : role.slot.type.widthBits) / 8;
    if (from < 0 || bytes === 0) return this.atOffset(pointer, this.value(place, 'signed'), role);
    const rest = parts.filter((_, i) => i !== from);
    const distance = rest.length === 0 ? L.bits(0n, L.widthOf(place)) : rest.reduce((a, b) => L.add(a, b));
    const scaled = dividedBy(distance, bytes, 0);
    if (!scaled) return this.atOffset(pointer, this.value(place, 'signed'), role);
    const target = this.pointedType(object);
    const base = isOfType(target, role) ? pointer : `((${scalarName(role)} *)${pointer})`;
    return `${base}[${this.sumOfProducts(scaled).text}]`;
  }

  private pointedType(object: Term): CType | undefined {
    const meaning = object.kind === 'symbol' ? this.vocabulary.meaning(object) : undefined;
    const type = meaning?.kind === 'variable' ? meaning.variable.ctype : undefined;
    return type?.kind === 'pointer' ? type.to : undefined;
  }

  /** A property of an object: it is live, or is a block of the allocator. */
  private objectProperty(array: Term, index: Term): Text {
    const role = this.memory(array);
    if (this.dialect === 'acsl' || (role?.kind !== 'live' && role?.kind !== 'heap')) throw new NotExpressible();
    const pointer = this.pointer(index);
    return {
      text: role.kind === 'live' ? `__CPROVER_r_ok(${pointer}, 0)` : `__CPROVER_DYNAMIC_OBJECT(${pointer})`,
      strength: strength.primary,
    };
  }

  private isObject(term: Term): boolean {
    if (term.kind === 'apply' && term.operator === 'select') {
      const role = this.memory(term.args[0]!);
      return role?.kind === 'slot' && role.part === 'object';
    }
    if (term.kind !== 'symbol') return false;
    const meaning = this.vocabulary.meaning(term);
    return (
      meaning?.kind === 'object' ||
      (meaning?.kind === 'variable' && meaning.part === 'object') ||
      (meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot' && meaning.memory.role.part === 'object')
    );
  }

  private sameObject(a: Term, b: Term, operator: '==' | '!='): Text {
    const [p, q] = [this.pointer(a), this.pointer(b)];
    if (p === nullPointer || q === nullPointer)
      return { text: `${p === nullPointer ? q : p} ${operator} ${nullPointer}`, strength: strength.compare };
    if (this.dialect === 'acsl')
      return { text: `\\base_addr(${p}) ${operator} \\base_addr(${q})`, strength: strength.compare };
    return {
      text: `${operator === '==' ? '' : '!'}__CPROVER_same_object(${p}, ${q})`,
      strength: operator === '==' ? strength.primary : strength.unary,
    };
  }

  /** A pointer into the object with this number. */
  private pointer(object: Term): string {
    const { program } = this.vocabulary.memoryModel;
    if (object.kind === 'bits') {
      const number = Number(object.value);
      if (number === 0) return nullPointer;
      const named = program.objects[number - 1];
      return named ? `&${this.name(named)}` : notExpressible();
    }
    if (object.kind === 'symbol') {
      const meaning = this.vocabulary.meaning(object);
      if (meaning?.kind === 'variable' && meaning.part === 'object') return this.name(meaning.variable);
      if (meaning?.kind === 'object') return `&${this.name(meaning.object)}`;
      if (meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot')
        return this.place(meaning.memory.role, undefined);
    }
    if (object.kind === 'apply' && object.operator === 'select') {
      const role = this.memory(object.args[0]!);
      if (role?.kind === 'slot' && role.part === 'object') return this.place(role, object.args[1]);
    }
    throw new NotExpressible();
  }

  /** A name of the C text that means this here. */
  private name(of: Variable | FrameObject | StaticObject): string {
    if (!/^[A-Za-z_]\w*$/.test(of.name) || (of.kind === 'variable' && (of.temporary || of.entryValueOf)))
      throw new NotExpressible();
    const { fn, location } = this.point;
    if (of.kind === 'static-object' || (of.kind === 'variable' && of.scope === 'global')) {
      if ([...fn.variables, ...fn.objects].some((local) => local.name === of.name)) throw new NotExpressible();
      if (this.isOfAnother(of)) throw new NotExpressible();
    } else if (!denotes(of, fn, location)) throw new NotExpressible();
    return of.name;
  }

  /** True for a static local of another function, and for a name that is not unique among the files. */
  private isOfAnother(of: Variable | StaticObject): boolean {
    const { symbols } = this.vocabulary.memoryModel.program;
    const path = [...symbols].find(([, { place }]) => place === of)?.[0] ?? of.name;
    return path !== of.name && path !== `${this.point.fn.name}.${of.name}`;
  }
}

const nullPointer = '(void *)0';

function notExpressible(): never {
  throw new NotExpressible();
}

function asWidth(bits: number): 8 | 16 | 32 | 64 {
  if (bits === 8 || bits === 16 || bits === 32 || bits === 64) return bits;
  throw new NotExpressible();
}

function leaf(text: string, type: Scalar): Numeral {
  if (type.kind !== 'integer') throw new NotExpressible();
  const { widthBits, signed } = type;
  return {
    text,
    strength: strength.primary,
    low: leastOf(widthBits, signednessOf(type)),
    high: greatestOf(widthBits, signednessOf(type)),
    type: widthBits < 32 ? { bits: 32, signed: true } : { bits: widthBits === 32 ? 32 : 64, signed },
  };
}

const typeOf = ({ slot }: Slot): Scalar =>
  slot === 'byte' ? { kind: 'integer', widthBits: 8, signed: false } : slot.type;

function scalarName(role: Slot): string {
  const type = typeOf(role);
  if (type.kind === 'pointer') return 'void *';
  if (type.kind === 'float') throw new NotExpressible();
  return typeName(type.widthBits, signednessOf(type))!;
}

const dereferenced = (role: Slot, address: string): string => `*(${scalarName(role)} *)(${address})`;

/** The C type has the width and the signedness of the slot's values. */
function isOfType(type: CType | undefined, role: Slot): boolean {
  const scalar = typeOf(role);
  if (scalar.kind === 'pointer') return type?.kind === 'pointer';
  const integer = type?.kind === 'enum' ? type.underlying : type;
  return (
    scalar.kind === 'integer' &&
    integer?.kind === 'integer' &&
    integer.widthBits === scalar.widthBits &&
    integer.signed === scalar.signed
  );
}
