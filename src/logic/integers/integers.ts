/**
 * The integer encoding: the same meaning over mathematical integers. A word becomes an integer congruent to it modulo
 * 2^width, with an interval that contains it. Sums, products, low extracts and conditionals are left unreduced. Only a
 * comparison, an extension or an index needs the word itself. The integer is then reduced to the unsigned or signed
 * range: by nothing if the interval lies in it, by a conditional if it is off by one modulus, else by `mod`.
 *
 * Arrays are indexed by, and hold, integers of one fixed range per sort. Beside a formula, the solver must be told
 * ranges: of symbols, of elements read, of function results.
 *
 * A formula is unsatisfiable over the integers only if it is so over words. Conversely, integers chosen by the solver
 * denote words, because everything that is read is in range. Arrays that differ must differ at an index in range, which
 * a fresh symbol states.
 *
 * There is no text for bitwise operators on two wide words and for functions of bound symbols. Nor is there one for
 * equality of arrays next to constant arrays: a constant array is constant out of range, too, but a written one need
 * not be.
 */
import { assertedBounds, type WordBounds } from '../bounds/assertedBounds';
import { isApplication, widthOf } from '../intern';
import { SmtlibNames } from '../smtlib';
import { symbolsOf } from '../symbols';
import type { Application, ArraySort, Quantified, Sort, SymbolTerm, Term } from '../term';
import { postOrder } from '../traverse';
import { floorDivide, fits, inRange, masked, max, min, numeral, rangeOf, sum } from '../bounds/wordRanges';
import { allOnes, type Signedness, toSigned } from '../words/words';
import { unreachable } from '../../unreachable';

export interface PrintedFormula {
  readonly text: string;
  /** Constraints to be asserted at the level of the formula or below. */
  readonly constraints: readonly string[];
}

/** Operands of bitwise operators up to this width are split into bits. */
const bitByBit = 16;
const worthNaming = 24;
const alwaysNamed = 400;

/** The text of a subterm; words also have bounds of the integer that stands for them. */
interface Entry {
  readonly text: string;
  readonly low: bigint;
  readonly high: bigint;
  readonly scope: Scope;
  readonly signednesses: Map<Signedness, string>;
}

/** A scope of named texts: definitions outside all quantifiers, `let` below one. */
interface Scope {
  readonly depth: number;
  readonly entries: Map<Term, Entry>;
  name(text: string, sort: string): string;
}

class Unencodable extends Error {}

export class IntegerPrinter {
  private readonly names = new SmtlibNames();
  private readonly outermost: Scope;
  private readonly undo: (() => void)[] = [];
  private readonly declared = new Set<string>();
  /** Constraints by the symbol, read element or other subterm that requires them. */
  private readonly ranges = new Map<Term, readonly string[]>();
  private readonly readingOfIndex = new Map<number, Signedness>();
  private readonly readingOfElement = new Map<Sort, Signedness>();
  /** Bounds of words that follow from the assertions. */
  private bounds: ReadonlyMap<Term, WordBounds> = new Map();
  private pending: string[] = [];
  private definitions = 0;
  private votes = new Map<Term, number>();
  private readonly seen = {
    arrays: false,
    calls: false,
    quantifiers: false,
    products: false,
    constantArrays: false,
    arrayEqualities: false,
  };

  constructor() {
    const scope: Scope = {
      depth: 0,
      entries: new Map(),
      name: (text, sort) => {
        const name = `d!${this.definitions++}`;
        this.pending.push(`(define-fun ${name} () ${sort} ${text})`);
        this.undo.push(() => {
          this.definitions--;
        });
        return name;
      },
    };
    this.outermost = scope;
  }

  mark(): number {
    return this.undo.length;
  }

  rollback(mark: number): void {
    for (const step of this.undo.splice(mark).reverse()) step();
  }

  takeDeclarations(): string {
    const text = this.pending.map((line) => `${line}\n`).join('');
    this.pending = [];
    return text;
  }

  /**
   * Declares the terms as asserted. New symbols then have the bounds that the terms state, and fewer reductions are
   * needed.
   */
  know(assertions: readonly Term[]): void {
    const before = this.bounds;
    this.bounds = assertedBounds(assertions, before);
    if (this.bounds !== before)
      this.undo.push(() => {
        this.bounds = before;
      });
  }

  /** Undefined if there is no exact text. Declarations made on the way stay declared. */
  formula(term: Term): PrintedFormula | undefined {
    const order = postOrder([term]);
    this.vote(order);
    try {
      const { text } = this.encode(term, [this.outermost]);
      const constraints = new Set<string>();
      for (const t of order) for (const constraint of this.ranges.get(t) ?? []) constraints.add(constraint);
      return { text, constraints: [...constraints] };
    } catch (error) {
      if (error instanceof Unencodable) return undefined;
      throw error;
    }
  }

  /** Text of a subterm of a formula printed before. A word is congruent to the value of its text. */
  valueText(term: Term): string {
    return this.encode(term, [this.outermost]).text;
  }

  /** The range of the integers that stand for words of a width as indices. */
  indexRange(width: number): { readonly low: bigint; readonly high: bigint } {
    return rangeOf(this.readingOfIndex.get(width) ?? 'unsigned', width);
  }

  /** The logic of all formulas so far. Undefined if Z3 should choose. */
  logic(): string | undefined {
    const { arrays, calls, quantifiers, products } = this.seen;
    if (quantifiers || ((arrays || calls) && products)) return undefined;
    if (arrays || calls) return 'QF_AUFLIA';
    return products ? 'QF_NIA' : 'QF_LIA';
  }

  /**
   * Counts whether the contexts of each word read it as signed (positive) or unsigned. Parents come before children.
   */
  private vote(order: readonly Term[]): void {
    this.votes = new Map();
    const elements = new Map<Sort, number>();
    const indices = new Map<number, number>();
    const give = (t: Term | undefined, votes: number) => {
      if (t) this.votes.set(t, (this.votes.get(t) ?? 0) + votes);
    };
    for (const t of [...order].reverse()) {
      if (t.kind !== 'apply') continue;
      const own = Math.sign(this.votes.get(t) ?? 0);
      const [a, b] = t.args;
      switch (t.operator) {
        case 'signed-less':
        case 'signed-less-equal':
        case 'signed-divide':
        case 'signed-remainder':
          give(a, 2);
          give(b, 2);
          break;
        case 'unsigned-less':
        case 'unsigned-less-equal':
        case 'unsigned-divide':
        case 'unsigned-remainder':
          give(a, -2);
          give(b, -2);
          break;
        case 'sign-extend':
        case 'arithmetic-shift-right':
          give(a, 2);
          break;
        case 'zero-extend':
        case 'logical-shift-right':
          give(a, -2);
          break;
        case 'add':
        case 'subtract':
        case 'multiply':
        case 'negate':
        case 'complement':
        case 'ite':
          for (const x of t.args) give(x, own);
          break;
        case 'concat':
          for (const x of t.args.slice(1)) give(x, -2);
          break;
        default:
          break;
      }
    }
    for (const t of order) {
      if (!isApplication(t, 'select')) continue;
      const sort = t.args[0]!.sort as ArraySort;
      elements.set(sort, (elements.get(sort) ?? 0) + (this.votes.get(t) ?? 0));
      indices.set(sort.index.width, (indices.get(sort.index.width) ?? 0) + Math.sign(this.votes.get(t.args[1]!) ?? 0));
    }
    for (const [sort, votes] of elements)
      if (!this.readingOfElement.has(sort))
        this.readingOfElement.set(sort, readingBy(votes, (sort as ArraySort).element));
    for (const [width, votes] of indices)
      if (!this.readingOfIndex.has(width)) this.readingOfIndex.set(width, votes > 0 ? 'signed' : 'unsigned');
  }

  /** The entry of a term below the quantifiers of `scopes` (outermost first). */
  private encode(root: Term, scopes: readonly Scope[]): Entry {
    const isLeaf = (t: Term) => t.kind === 'forall' || t.kind === 'exists';
    const skip = scopes.length === 1 ? (t: Term) => this.outermost.entries.has(t) : undefined;
    const order = postOrder([root], skip, isLeaf);
    const uses = new Map<Term, number>();
    for (const t of order) if (t.kind === 'apply') for (const a of t.args) uses.set(a, (uses.get(a) ?? 0) + 1);
    const depths = new Map<Term, number>();
    const entryOf = (t: Term) => scopes[depths.get(t) ?? 0]!.entries.get(t)!;
    for (const t of order) {
      const depth = depthOf(t, scopes, depths);
      depths.set(t, depth);
      const scope = scopes[depth]!;
      if (scope.entries.has(t)) continue;
      const made = this.entry(t, scope, scopes, entryOf);
      const compound = t.kind === 'apply' || isLeaf(t);
      const often = (uses.get(t) ?? 0) > 1 && made.text.length > worthNaming;
      const entry =
        compound && (often || made.text.length > alwaysNamed)
          ? { ...made, text: scope.name(made.text, this.sortOf(t.sort)) }
          : made;
      scope.entries.set(t, entry);
      this.undo.push(() => {
        scope.entries.delete(t);
      });
    }
    return entryOf(root);
  }

  private entry(t: Term, scope: Scope, scopes: readonly Scope[], of: (t: Term) => Entry): Entry {
    switch (t.kind) {
      case 'boolean':
        return truth(String(t.value), scope);
      case 'bits': {
        const value = (this.votes.get(t) ?? 0) > 0 ? toSigned(t.value, t.sort.width) : t.value;
        return word(numeral(value), value, value, scope);
      }
      case 'symbol':
        return this.symbol(t, scope);
      case 'forall':
      case 'exists':
        return truth(this.quantified(t, scopes), scope);
      case 'apply':
        return this.applied(t, t.args.map(of), scope);
    }
  }

  private symbol(t: SymbolTerm, scope: Scope): Entry {
    const name = this.names.of(t);
    this.declare(name, `(declare-const ${name} ${this.sortOf(t.sort)})`);
    if (t.sort.kind === 'array') this.seen.arrays = true;
    return t.sort.kind === 'bits'
      ? this.ranged(t, name, readingBy(this.votes.get(t) ?? 0, t.sort), scope)
      : truth(name, scope);
  }

  /** A word that is in range because a constraint states it. */
  private ranged(t: Term, text: string, signedness: Signedness, scope: Scope): Entry {
    const { low, high } = this.bounds.get(t)?.[signedness] ?? rangeOf(signedness, widthOf(t));
    if (scope.depth === 0) this.constrain(t, [inRange(text, low, high)]);
    return word(text, low, high, scope);
  }

  private constrain(t: Term, constraints: readonly string[]): void {
    this.ranges.set(t, constraints);
    this.undo.push(() => {
      this.ranges.delete(t);
    });
  }

  private declare(name: string, declaration: string): void {
    if (this.declared.has(name)) return;
    this.declared.add(name);
    this.pending.push(declaration);
    this.undo.push(() => {
      this.declared.delete(name);
    });
  }

  private quantified(t: Quantified, scopes: readonly Scope[]): string {
    this.seen.quantifiers = true;
    const lets: string[] = [];
    const depth = scopes.length;
    const scope: Scope = {
      depth,
      entries: new Map(),
      name: (text) => {
        const name = `l!${depth}!${lets.length}`;
        lets.push(`(let ((${name} ${text})) `);
        return name;
      },
    };
    const conditions: string[] = [];
    const variables = t.bound.map((s) => {
      if (s.sort.kind === 'array') throw new Unencodable();
      const name = this.names.of(s);
      if (s.sort.kind === 'boolean') scope.entries.set(s, truth(name, scope));
      else {
        const { low, high } = rangeOf(readingBy(this.votes.get(s) ?? 0, s.sort), s.sort.width);
        scope.entries.set(s, word(name, low, high, scope));
        conditions.push(inRange(name, low, high));
      }
      return `(${name} ${this.sortOf(s.sort)})`;
    });
    const body = this.encode(t.body, [...scopes, scope]).text;
    const whole = `${lets.join('')}${body}${')'.repeat(lets.length)}`;
    const guard = conditions.length === 1 ? conditions[0]! : `(and true ${conditions.join(' ')})`;
    return `(${t.kind} (${variables.join(' ')}) (${t.kind === 'forall' ? '=>' : 'and'} ${guard} ${whole}))`;
  }

  private applied(t: Application, args: readonly Entry[], scope: Scope): Entry {
    const texts = args.map((a) => a.text);
    const [a, b, c] = args as readonly [Entry, Entry, Entry];
    const width = t.args[0]?.sort.kind === 'bits' ? t.args[0].sort.width : 0;
    const read = (signedness: Signedness, e: Entry) => this.signedness(e, signedness, width);
    const u = (e: Entry) => read('unsigned', e);
    const s = (e: Entry) => read('signed', e);
    const result = (text: string, low: bigint, high: bigint) => word(text, low, high, scope);
    switch (t.operator) {
      case 'not':
      case 'and':
      case 'or':
        return truth(`(${t.operator} ${texts.join(' ')})`, scope);
      case 'eq':
        return truth(this.equality(t, a, b), scope);
      case 'ite':
        if (t.sort.kind !== 'bits') return truth(`(ite ${texts.join(' ')})`, scope);
        return result(`(ite ${texts.join(' ')})`, min(b.low, c.low), max(b.high, c.high));
      case 'negate':
        return result(`(- ${a.text})`, -a.high, -a.low);
      case 'complement':
        return result(`(- (- 1) ${a.text})`, -1n - a.high, -1n - a.low);
      case 'add':
        return result(`(+ ${texts.join(' ')})`, sum(args.map((x) => x.low)), sum(args.map((x) => x.high)));
      case 'subtract':
        return result(
          `(- ${texts.join(' ')})`,
          a.low - sum(args.slice(1).map((x) => x.high)),
          a.high - sum(args.slice(1).map((x) => x.low)),
        );
      case 'multiply':
        return this.product(t, args, scope, width);
      case 'unsigned-divide': {
        const [x, y] = [u(a), u(b)];
        if (b.low > 0n && fits(b, 'unsigned', width)) return result(this.divided('div', x, y, t), 0n, allOnes(width));
        return result(`(ite (= ${y} 0) ${allOnes(width)} ${this.divided('div', x, y, t)})`, 0n, allOnes(width));
      }
      case 'unsigned-remainder': {
        const [x, y] = [u(a), u(b)];
        const literal = t.args[1]!.kind === 'bits' ? t.args[1]!.value : undefined;
        if (literal !== undefined && literal > 0n) return result(this.divided('mod', x, y, t), 0n, literal - 1n);
        return result(`(ite (= ${y} 0) ${x} ${this.divided('mod', x, y, t)})`, 0n, allOnes(width));
      }
      case 'signed-divide': {
        const [x, y] = [this.named(s(a), scope), this.named(s(b), scope)];
        const literal = t.args[1]!.kind === 'bits' ? toSigned(t.args[1]!.value, width) : undefined;
        const divisor = literal === undefined ? y : numeral(literal);
        const [up, down] = [this.divided('div', x, divisor, t), this.divided('div', `(- ${x})`, divisor, t)];
        const quotient = `(ite (>= ${x} 0) ${up} (- ${down}))`; // div m (- n) is (- (div m n)), so the divisor's sign takes care of itself
        const half = 1n << BigInt(width - 1);
        return result(
          literal !== undefined && literal !== 0n ? quotient : `(ite (= ${y} 0) (ite (< ${x} 0) 1 (- 1)) ${quotient})`,
          -half,
          half,
        );
      }
      case 'signed-remainder': {
        const [x, y] = [this.named(s(a), scope), this.named(s(b), scope)];
        const half = 1n << BigInt(width - 1);
        const remainder = `(ite (>= ${x} 0) ${this.divided('mod', x, y, t)} (- ${this.divided('mod', `(- ${x})`, y, t)}))`;
        return result(`(ite (= ${y} 0) ${x} ${remainder})`, -half, half - 1n);
      }
      case 'bit-and':
      case 'bit-or':
      case 'bit-xor':
        return this.bitwise(t, args, scope, width);
      case 'shift-left':
        return this.shifted(a, u(b), width, scope, (x, k) => `(* ${1n << BigInt(k)} ${x})`, '0', {
          ...a,
          low: min(0n, a.low << BigInt(width - 1)),
          high: max(0n, a.high << BigInt(width - 1)),
        });
      case 'logical-shift-right':
        return this.shifted({ ...a, text: u(a) }, u(b), width, scope, (x, k) => `(div ${x} ${1n << BigInt(k)})`, '0', {
          ...a,
          low: 0n,
          high: allOnes(width),
        });
      case 'arithmetic-shift-right': {
        const { low, high } = rangeOf('signed', width);
        const x = s(a);
        return this.shifted(
          { ...a, text: x },
          u(b),
          width,
          scope,
          (y, k) => `(div ${y} ${1n << BigInt(k)})`,
          `(div ${x} ${1n << BigInt(width - 1)})`,
          { ...a, low, high },
        );
      }
      case 'unsigned-less':
        return truth(`(< ${u(a)} ${u(b)})`, scope);
      case 'unsigned-less-equal':
        return truth(`(<= ${u(a)} ${u(b)})`, scope);
      case 'signed-less':
        return truth(`(< ${s(a)} ${s(b)})`, scope);
      case 'signed-less-equal':
        return truth(`(<= ${s(a)} ${s(b)})`, scope);
      case 'concat':
        return this.concatenation(t, args, scope);
      case 'extract':
        return this.extraction(a, t.parameters[1]!, scope);
      case 'zero-extend':
        return result(
          u(a),
          max(0n, fits(a, 'unsigned', width) ? a.low : 0n),
          fits(a, 'unsigned', width) ? a.high : allOnes(width),
        );
      case 'sign-extend': {
        const range = fits(a, 'signed', width) ? a : rangeOf('signed', width);
        return result(s(a), range.low, range.high);
      }
      case 'select':
        return this.select(t, a, b, scope);
      case 'store':
        return truth(`(store ${a.text} ${this.index(t.args[1]!, b)} ${this.element(t.sort as ArraySort, c)})`, scope);
      case 'constant-array': {
        this.seen.arrays = this.seen.constantArrays = true;
        if (this.seen.arrayEqualities) throw new Unencodable();
        return truth(`((as const ${this.sortOf(t.sort)}) ${this.element(t.sort as ArraySort, a)})`, scope);
      }
      case 'identity-relation':
      case 'link-written':
        throw new Unencodable();
      case 'call':
        return this.call(t, args, scope);
      default:
        return unreachable(t.operator);
    }
  }

  /** Reduces the integer to the range of a reading. */
  private signedness(e: Entry, signedness: Signedness, width: number): string {
    const known = e.signednesses.get(signedness);
    if (known !== undefined) return known;
    const text = this.reduced(e, rangeOf(signedness, width), width);
    if (text === e.text) return text;
    const named = text.length > worthNaming ? e.scope.name(text, 'Int') : text;
    e.signednesses.set(signedness, named);
    this.undo.push(() => {
      e.signednesses.delete(signedness);
    });
    return named;
  }

  private reduced(e: Entry, { low, high }: { low: bigint; high: bigint }, width: number): string {
    const modulus = 1n << BigInt(width);
    const window = floorDivide(e.low - low, modulus);
    if (e.low === e.high) return numeral(e.low - window * modulus);
    if (window === floorDivide(e.high - low, modulus))
      return window === 0n ? e.text : `(- ${e.text} ${numeral(window * modulus)})`;
    if (e.low >= low - modulus && e.high <= high + modulus) {
      const value = this.named(e.text, e.scope);
      const above = e.high > high ? `(ite (> ${value} ${numeral(high)}) (- ${value} ${modulus}) ${value})` : value;
      return e.low < low ? `(ite (< ${value} ${numeral(low)}) (+ ${value} ${modulus}) ${above})` : above;
    }
    return low === 0n
      ? `(mod ${e.text} ${modulus})`
      : `(+ (mod (- ${e.text} ${numeral(low)}) ${modulus}) ${numeral(low)})`;
  }

  private named(text: string, scope: Scope): string {
    return text.length > worthNaming ? scope.name(text, 'Int') : text;
  }

  private equality(t: Application, a: Entry, b: Entry): string {
    const { sort } = t.args[0]!;
    switch (sort.kind) {
      case 'boolean':
        return `(= ${a.text} ${b.text})`;
      case 'bits': {
        const { width } = sort;
        if (max(a.high, b.high) - min(a.low, b.low) < 1n << BigInt(width)) return `(= ${a.text} ${b.text})`;
        const cost = (signedness: Signedness) =>
          Number(!fits(a, signedness, width)) + Number(!fits(b, signedness, width));
        const signedness = cost('signed') < cost('unsigned') ? 'signed' : 'unsigned';
        return `(= ${this.signedness(a, signedness, width)} ${this.signedness(b, signedness, width)})`;
      }
      case 'array':
        return this.arrayEquality(t, a, b, sort);
    }
  }

  /** Arrays that differ do so at an index in range, and by elements in range. */
  private arrayEquality(t: Application, a: Entry, b: Entry, sort: ArraySort): string {
    this.seen.arrayEqualities = true;
    if (this.seen.constantArrays || sort.element.kind === 'array' || a.scope.depth > 0 || b.scope.depth > 0)
      throw new Unencodable();
    const equal = `(= ${a.text} ${b.text})`;
    const witness = `w!${t.id}`;
    this.declare(witness, `(declare-const ${witness} Int)`);
    const { low, high } = rangeOf(this.indexReading(sort), sort.index.width);
    const [x, y] = [`(select ${a.text} ${witness})`, `(select ${b.text} ${witness})`];
    const ranges = [inRange(witness, low, high)];
    if (sort.element.kind === 'bits') {
      const element = rangeOf(this.elementReading(sort), sort.element.width);
      ranges.push(inRange(x, element.low, element.high), inRange(y, element.low, element.high));
    }
    this.constrain(t, [`(or ${equal} (and (not (= ${x} ${y})) ${ranges.join(' ')}))`]);
    return equal;
  }

  private product(t: Application, args: readonly Entry[], scope: Scope, width: number): Entry {
    const [first] = t.args;
    if (first!.kind === 'bits' && args.length === 2) {
      const coefficient = toSigned(first.value, width);
      const factor = this.small(args[1]!, width);
      const ends = [coefficient * factor.low, coefficient * factor.high];
      return word(
        coefficient === -1n ? `(- ${factor.text})` : `(* ${numeral(coefficient)} ${factor.text})`,
        min(...ends),
        max(...ends),
        scope,
      );
    }
    this.seen.products = true;
    const factors = args.map((a) => this.small(a, width));
    const [low, high] = factors.slice(1).reduce<[bigint, bigint]>(
      ([l, h], f) => {
        const ends = [l * f.low, l * f.high, h * f.low, h * f.high];
        return [min(...ends), max(...ends)];
      },
      [factors[0]!.low, factors[0]!.high],
    );
    return word(`(* ${factors.map((f) => f.text).join(' ')})`, low, high, scope);
  }

  /** A factor, reduced if its interval is wider than a word. */
  private small(e: Entry, width: number): { text: string; low: bigint; high: bigint } {
    return e.high - e.low <= allOnes(width)
      ? e
      : { text: this.signedness(e, 'signed', width), ...rangeOf('signed', width) };
  }

  private divided(operator: 'div' | 'mod', x: string, y: string, t: Application): string {
    if (t.args[1]!.kind !== 'bits') this.seen.products = true;
    return `(${operator} ${x} ${y})`;
  }

  private shifted(
    a: Entry,
    amount: string,
    width: number,
    scope: Scope,
    by: (x: string, k: number) => string,
    beyond: string,
    range: { low: bigint; high: bigint },
  ): Entry {
    const [x, s] = [this.named(a.text, scope), this.named(amount, scope)];
    let text = beyond;
    for (let k = width - 1; k >= 0; k--) text = `(ite (= ${s} ${k}) ${k === 0 ? x : by(x, k)} ${text})`;
    return word(text, range.low, range.high, scope);
  }

  /** Any congruent integer can stand for the highest part. */
  private concatenation(t: Application, args: readonly Entry[], scope: Scope): Entry {
    let above = 0;
    let [low, high] = [0n, 0n];
    const texts: string[] = [];
    for (let i = args.length - 1; i >= 0; i--) {
      const width = widthOf(t.args[i]!);
      const part = args[i]!;
      const highest = i === 0;
      const range = highest || fits(part, 'unsigned', width) ? part : rangeOf('unsigned', width);
      const text = highest ? part.text : this.signedness(part, 'unsigned', width);
      const factor = 1n << BigInt(above);
      if (text !== '0') texts.unshift(above === 0 ? text : `(* ${factor} ${text})`);
      low += range.low * factor;
      high += range.high * factor;
      above += width;
    }
    return word(texts.length === 0 ? '0' : texts.length === 1 ? texts[0]! : `(+ ${texts.join(' ')})`, low, high, scope);
  }

  /** Division keeps congruence, because the modulus is divided, too. The bits above the extracted ones remain. */
  private extraction(a: Entry, low: number, scope: Scope): Entry {
    if (low === 0) return word(a.text, a.low, a.high, scope);
    const divisor = 1n << BigInt(low);
    return word(`(div ${a.text} ${divisor})`, floorDivide(a.low, divisor), floorDivide(a.high, divisor), scope);
  }

  private bitwise(t: Application, args: readonly Entry[], scope: Scope, width: number): Entry {
    const last = t.args[t.args.length - 1]!;
    if (args.length === 2 && last.kind === 'bits') {
      const x = { ...args[0]!, text: this.named(args[0]!.text, scope) };
      const literal = last.value;
      const common = masked(x.text, literal);
      switch (t.operator) {
        case 'bit-and':
          return word(common, 0n, literal, scope);
        case 'bit-or':
          return word(`(- (+ ${x.text} ${literal}) ${common})`, x.low, x.high + literal, scope);
        default:
          return word(`(- (+ ${x.text} ${literal}) (* 2 ${common}))`, x.low - literal, x.high + literal, scope);
      }
    }
    const tops = args.map((a) => (fits(a, 'unsigned', width) ? a.high : allOnes(width)));
    const top = t.operator === 'bit-and' ? min(...tops) : max(...tops);
    const bitCount = top === 0n ? 0 : top.toString(2).length;
    if (bitCount > bitByBit) throw new Unencodable();
    const words = args.map((a) => this.named(this.signedness(a, 'unsigned', width), scope));
    const bits = Array.from({ length: bitCount }, (_, i) => {
      const set = words.map((x) => `(= (mod ${i === 0 ? x : `(div ${x} ${1n << BigInt(i)})`} 2) 1)`);
      const connective = t.operator === 'bit-and' ? 'and' : t.operator === 'bit-or' ? 'or' : 'xor';
      return `(ite (${connective} ${set.join(' ')}) ${1n << BigInt(i)} 0)`;
    });
    const text = bits.length === 0 ? '0' : bits.length === 1 ? bits[0]! : `(+ ${bits.join(' ')})`;
    return word(text, 0n, (1n << BigInt(bitCount)) - 1n, scope);
  }

  private select(t: Application, array: Entry, index: Entry, scope: Scope): Entry {
    const sort = t.args[0]!.sort as ArraySort;
    const text = `(select ${array.text} ${this.index(t.args[1]!, index)})`;
    if (t.sort.kind !== 'bits') return truth(text, scope);
    const signedness = this.elementReading(sort);
    if (scope.depth > 0) this.constrainArrays(t.args[0]!);
    return this.ranged(t, text, signedness, scope);
  }

  /** All elements of the arrays that a bound symbol may index are in range. Written elements always are. */
  private constrainArrays(array: Term): void {
    const isLeaf = (t: Term) => t.kind === 'forall' || t.kind === 'exists' || t.sort.kind !== 'array';
    for (const t of postOrder([array], undefined, isLeaf)) {
      if (t.sort.kind !== 'array') continue;
      if (isApplication(t, 'select') || isApplication(t, 'call')) throw new Unencodable();
      if (t.kind !== 'symbol' || t.sort.element.kind !== 'bits') continue;
      const { low, high } = rangeOf(this.elementReading(t.sort), t.sort.element.width);
      this.constrain(t, [`(forall ((i!0 Int)) ${inRange(`(select ${this.names.of(t)} i!0)`, low, high)})`]);
    }
  }

  private call(t: Application, args: readonly Entry[], scope: Scope): Entry {
    if (scope.depth > 0 || t.sort.kind === 'array' || t.args.some((a) => a.sort.kind === 'array'))
      throw new Unencodable();
    this.seen.calls = true;
    const argumentSorts = t.args.map((a) => a.sort);
    const name = this.names.ofFunction(t.name!, argumentSorts, t.sort);
    this.declare(
      name,
      `(declare-fun ${name} (${argumentSorts.map((s) => this.sortOf(s)).join(' ')}) ${this.sortOf(t.sort)})`,
    );
    const texts = args.map((a, i) =>
      t.args[i]!.sort.kind === 'bits' ? this.signedness(a, 'unsigned', widthOf(t.args[i]!)) : a.text,
    );
    const text = texts.length === 0 ? name : `(${name} ${texts.join(' ')})`;
    return t.sort.kind === 'bits'
      ? this.ranged(t, text, readingBy(this.votes.get(t) ?? 0, t.sort), scope)
      : truth(text, scope);
  }

  private index(t: Term, e: Entry): string {
    const width = widthOf(t);
    const signedness = this.readingOfIndex.get(width) ?? 'unsigned';
    this.readingOfIndex.set(width, signedness);
    return this.signedness(e, signedness, width);
  }

  private indexReading(sort: ArraySort): Signedness {
    const signedness = this.readingOfIndex.get(sort.index.width) ?? 'unsigned';
    this.readingOfIndex.set(sort.index.width, signedness);
    return signedness;
  }

  private elementReading(sort: ArraySort): Signedness {
    const signedness = this.readingOfElement.get(sort) ?? readingBy(0, sort.element);
    this.readingOfElement.set(sort, signedness);
    return signedness;
  }

  private element(sort: ArraySort, e: Entry): string {
    return sort.element.kind === 'bits' ? this.signedness(e, this.elementReading(sort), sort.element.width) : e.text;
  }

  private sortOf(sort: Sort): string {
    switch (sort.kind) {
      case 'boolean':
        return 'Bool';
      case 'bits':
        return 'Int';
      case 'array':
        return `(Array Int ${this.sortOf(sort.element)})`;
    }
  }
}

/**
 * The number of enclosing quantifiers that a term depends on: the position of the innermost one that binds a symbol in
 * it.
 */
function depthOf(t: Term, scopes: readonly Scope[], below: ReadonlyMap<Term, number>): number {
  const bindingDepth = (s: SymbolTerm) => {
    for (let i = scopes.length - 1; i > 0; i--) if (scopes[i]!.entries.has(s)) return i; // an inner scope holds no symbols but its own
    return 0;
  };
  switch (t.kind) {
    case 'boolean':
    case 'bits':
      return 0;
    case 'symbol':
      return bindingDepth(t);
    case 'forall':
    case 'exists':
      return Math.max(0, ...[...symbolsOf(t)].map(bindingDepth));
    case 'apply':
      return t.args.reduce((depth, a) => Math.max(depth, below.get(a) ?? 0), 0);
  }
}

function truth(text: string, scope: Scope): Entry {
  return { text, low: 0n, high: 0n, scope, signednesses: new Map() };
}

function word(text: string, low: bigint, high: bigint, scope: Scope): Entry {
  return { text, low, high, scope, signednesses: new Map() };
}

function readingBy(votes: number, sort: Sort): Signedness {
  if (votes !== 0) return votes > 0 ? 'signed' : 'unsigned';
  return sort.kind === 'bits' && sort.width >= 16 ? 'signed' : 'unsigned';
}
