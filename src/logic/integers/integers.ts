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
 * a fresh symbol states. The exceptions are a bitwise operator on two wide words, and a product over an unknown word:
 * they give some word within bounds, so a solution may be none over words.
 *
 * There is no text for functions of bound symbols, and bitwise operators on two wide ones. Nor is there one for
 * equality of arrays next to constant arrays: a constant array is constant out of range, too, but a written one need
 * not be.
 */
import { assertedBounds, type WordBounds } from '../bounds/assertedBounds';
import { proportionLaws } from '../bounds/proportions';
import { isApplication, widthOf } from '../intern';
import { SmtlibNames } from '../smtlib';
import type { Application, ArraySort, Quantified, Sort, SymbolTerm, Term } from '../term';
import { postOrder } from '../traverse';
import { WordIntervals } from '../bounds/wordIntervals';
import { fits, inRange, max, min, numeral, rangeOf, sum } from '../bounds/wordRanges';
import { allOnes, type Signedness, toSigned } from '../words/words';
import { unreachable } from '../../unreachable';
import { depthOf, truth, Unencodable, word, type EncodedTerm, type NamingScope } from './encodedTerm';
import { SignednessVotes } from './signednessVotes';
import {
  bitwise,
  concatenation,
  extraction,
  isLinear,
  isOpenShift,
  nameIfLong,
  product,
  reduce,
  shift,
  worthNaming,
  type WordReader,
} from './wordOperators';

export interface PrintedFormula {
  readonly text: string;
  /** Constraints to be asserted at the level of the formula or below. */
  readonly constraints: readonly string[];
}

const alwaysNamed = 400;

export class IntegerPrinter {
  private readonly names = new SmtlibNames();
  private readonly outermost: NamingScope;
  private readonly undo: (() => void)[] = [];
  private readonly declared = new Set<string>();
  /** Constraints by the symbol, read element or other subterm that requires them. */
  private readonly ranges = new Map<Term, readonly string[]>();
  private readonly votes = new SignednessVotes();
  /** Terms whose votes are counted. */
  private counted: ReadonlySet<Term> = new Set();
  /** Bounds of words that follow from the assertions. */
  private bounds: ReadonlyMap<Term, WordBounds> = new Map();
  private pending: string[] = [];
  private definitions = 0;
  private readonly seen = {
    arrays: false,
    calls: false,
    quantifiers: false,
    products: false,
    constantArrays: false,
    arrayEqualities: false,
    approximations: false,
  };

  constructor() {
    const scope: NamingScope = {
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
    // All of them vote together: the first that mentions a word would otherwise choose for those that compare it.
    this.votes.count(postOrder(assertions));
    this.counted = new Set(assertions);
    const before = this.bounds;
    this.bounds = assertedBounds(assertions, before);
    if (this.bounds !== before)
      this.undo.push(() => {
        this.bounds = before;
      });
  }

  /** False once a text has allowed more than its term. */
  get isExact(): boolean {
    return !this.seen.approximations;
  }

  /** Undefined if there is no text. Declarations made on the way stay declared. */
  formula(term: Term): PrintedFormula | undefined {
    const order = postOrder([term]);
    if (!this.counted.has(term)) {
      this.votes.count(order);
      this.counted = new Set();
    }
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
    return rangeOf(this.votes.chosenForIndex(width) ?? 'unsigned', width);
  }

  /** The logic of all formulas so far. Undefined if Z3 should choose. */
  logic(): string | undefined {
    const { arrays, calls, quantifiers, products } = this.seen;
    if (quantifiers || ((arrays || calls) && products)) return undefined;
    if (arrays || calls) return 'QF_AUFLIA';
    return products ? 'QF_NIA' : 'QF_LIA';
  }

  /** The entry of a term below the quantifiers of `scopes` (outermost first). */
  private encode(root: Term, scopes: readonly NamingScope[]): EncodedTerm {
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

  private entry(
    t: Term,
    scope: NamingScope,
    scopes: readonly NamingScope[],
    of: (t: Term) => EncodedTerm,
  ): EncodedTerm {
    switch (t.kind) {
      case 'boolean':
        return truth(String(t.value), scope);
      case 'bits': {
        const value = this.votes.isSigned(t) ? toSigned(t.value, t.sort.width) : t.value;
        return word(numeral(value), value, value, scope);
      }
      case 'symbol':
        return this.symbol(t, scope);
      case 'forall':
      case 'exists':
        return truth(this.quantifier(t, scopes), scope);
      case 'apply':
        return this.application(t, t.args.map(of), scope);
    }
  }

  private symbol(t: SymbolTerm, scope: NamingScope): EncodedTerm {
    const name = this.names.of(t);
    this.declare(name, `(declare-const ${name} ${this.sortOf(t.sort)})`);
    if (t.sort.kind === 'array') this.seen.arrays = true;
    return t.sort.kind === 'bits' ? this.wordInRange(t, name, this.votes.signedness(t), scope) : truth(name, scope);
  }

  /** A word that is in range because a constraint states it. */
  private wordInRange(t: Term, text: string, signedness: Signedness, scope: NamingScope): EncodedTerm {
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

  private quantifier(t: Quantified, scopes: readonly NamingScope[]): string {
    this.seen.quantifiers = true;
    const lets: string[] = [];
    const depth = scopes.length;
    const scope: NamingScope = {
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
        const { low, high } = rangeOf(this.votes.signedness(s), s.sort.width);
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

  private application(t: Application, args: readonly EncodedTerm[], scope: NamingScope): EncodedTerm {
    const texts = args.map((a) => a.text);
    const [a, b, c] = args as readonly [EncodedTerm, EncodedTerm, EncodedTerm];
    const width = t.args[0]?.sort.kind === 'bits' ? t.args[0].sort.width : 0;
    const read: WordReader = (e, signedness, bits) => this.signedness(e, signedness, bits);
    const u = (e: EncodedTerm) => read(e, 'unsigned', width);
    const s = (e: EncodedTerm) => read(e, 'signed', width);
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
        if (!isLinear(t)) this.seen.products = true;
        return product(t, args, scope, width, read);
      case 'unsigned-divide': {
        if (this.isLeftToLaws(t, scope)) return this.someQuotient(t, scope, allOnes(width));
        const [x, y] = [u(a), u(b)];
        if (b.low > 0n && fits(b, 'unsigned', width)) return result(this.quotient('div', x, y, t), 0n, allOnes(width));
        return result(`(ite (= ${y} 0) ${allOnes(width)} ${this.quotient('div', x, y, t)})`, 0n, allOnes(width));
      }
      case 'unsigned-remainder': {
        const [x, y] = [u(a), u(b)];
        const literal = t.args[1]!.kind === 'bits' ? t.args[1]!.value : undefined;
        if (literal !== undefined && literal > 0n) return result(this.quotient('mod', x, y, t), 0n, literal - 1n);
        return result(`(ite (= ${y} 0) ${x} ${this.quotient('mod', x, y, t)})`, 0n, allOnes(width));
      }
      case 'signed-divide': {
        if (this.isLeftToLaws(t, scope)) return this.someQuotient(t, scope, undefined);
        const [x, y] = [nameIfLong(s(a), scope), nameIfLong(s(b), scope)];
        const literal = t.args[1]!.kind === 'bits' ? toSigned(t.args[1]!.value, width) : undefined;
        const divisor = literal === undefined ? y : numeral(literal);
        const [up, down] = [this.quotient('div', x, divisor, t), this.quotient('div', `(- ${x})`, divisor, t)];
        // div m (- n) is (- (div m n)), so the divisor's sign takes care of itself.
        const quotient = `(ite (>= ${x} 0) ${up} (- ${down}))`;
        const half = 1n << BigInt(width - 1);
        return result(
          literal !== undefined && literal !== 0n ? quotient : `(ite (= ${y} 0) (ite (< ${x} 0) 1 (- 1)) ${quotient})`,
          -half,
          half,
        );
      }
      case 'signed-remainder': {
        const [x, y] = [nameIfLong(s(a), scope), nameIfLong(s(b), scope)];
        const half = 1n << BigInt(width - 1);
        const [up, down] = [this.quotient('mod', x, y, t), this.quotient('mod', `(- ${x})`, y, t)];
        const remainder = `(ite (>= ${x} 0) ${up} (- ${down}))`;
        return result(`(ite (= ${y} 0) ${x} ${remainder})`, -half, half - 1n);
      }
      case 'bit-and':
      case 'bit-or':
      case 'bit-xor':
        return bitwise(t, args, scope, width, read, (operands, high) => this.someBits(t, operands, high, scope));
      case 'shift-left':
        if (isOpenShift(t, b)) return this.someWord(t, scope, allOnes(width), () => []);
        return shift(a, u(b), width, scope, (x, k) => `(* ${1n << BigInt(k)} ${x})`, '0', {
          ...a,
          low: min(0n, a.low << BigInt(width - 1)),
          high: max(0n, a.high << BigInt(width - 1)),
        });
      case 'logical-shift-right': {
        const [x, k] = [u(a), u(b)];
        if (isOpenShift(t, b))
          return this.someWord(t, scope, allOnes(width), (r) => [
            `(<= ${r} ${x})`,
            `(or (< ${k} 1) (<= (* 2 ${r}) ${x}))`,
          ]);
        return shift({ ...a, text: x }, k, width, scope, (y, places) => `(div ${y} ${1n << BigInt(places)})`, '0', {
          ...a,
          low: 0n,
          high: allOnes(width),
        });
      }
      case 'arithmetic-shift-right': {
        const { low, high } = rangeOf('signed', width);
        const x = s(a);
        if (isOpenShift(t, b)) {
          // The sign stays; a word that is none of the unsigned range is read as it comes.
          const inSign = (r: string): string =>
            `(ite (<= 0 ${x}) (<= ${r} ${x}) (<= (+ ${x} ${allOnes(width) + 1n}) ${r}))`;
          return this.someWord(t, scope, allOnes(width), (r) => [inSign(r)]);
        }
        return shift(
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
        return concatenation(t, args, scope, read);
      case 'extract':
        return extraction(a, t.parameters[1]!, scope);
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
      case 'link-counted':
        throw new Unencodable();
      case 'call':
        return this.call(t, args, scope);
      default:
        return unreachable(t.operator);
    }
  }

  /** Some word that the operands' bits allow: no bit of both is beyond either, none of one is left out of the union. */
  private someBits(t: Application, operands: readonly string[], high: bigint, scope: NamingScope): EncodedTerm {
    const atMostSum = (name: string): string => `(<= ${name} (+ ${operands.join(' ')}))`;
    const bounds = {
      'bit-and': (name: string) => operands.map((x) => `(<= ${name} ${x})`),
      'bit-or': (name: string) => [...operands.map((x) => `(<= ${x} ${name})`), atMostSum(name)],
      'bit-xor': (name: string) => [atMostSum(name)],
    }[t.operator as 'bit-and' | 'bit-or' | 'bit-xor'];
    return this.someWord(t, scope, high, bounds);
  }

  /** Some word from 0 to `high` within the bounds: the text allows more than the term. */
  private someWord(
    t: Application,
    scope: NamingScope,
    high: bigint,
    bounds: (name: string) => readonly string[],
    low = 0n,
  ): EncodedTerm {
    if (scope.depth > 0) throw new Unencodable();
    this.seen.approximations = true;
    const name = `b!${t.id}`;
    this.declare(name, `(declare-const ${name} Int)`);
    this.constrain(t, [inRange(name, low, high), ...bounds(name)]);
    return word(name, low, high, scope);
  }

  /**
   * Some quotient, of which the laws among the assertions say more. `high`: of an unsigned one. A signed one is no
   * further from 0 than its dividend, and by zero 1 or -1.
   */
  private someQuotient(t: Application, scope: NamingScope, high: bigint | undefined): EncodedTerm {
    if (high !== undefined) return this.someWord(t, scope, high, () => []);
    const { low, high: most } = new WordIntervals(new Map()).of(t.args[0]!).signed;
    const furthest = max(1n, max(-low, most));
    return this.someWord(t, scope, furthest, () => [], -furthest);
  }

  /** A product over an unknown word takes the solver too long. Mostly the law of proportions is all that is needed. */
  private isLeftToLaws(t: Application, { depth }: NamingScope): boolean {
    return depth === 0 && proportionLaws(t).length > 0;
  }

  /** `div` and `mod` by anything but a literal make the formula nonlinear. */
  private quotient(operator: 'div' | 'mod', x: string, y: string, t: Application): string {
    if (t.args[1]!.kind !== 'bits') this.seen.products = true;
    return `(${operator} ${x} ${y})`;
  }

  /** Reduces the integer to the range of a reading. */
  private signedness(e: EncodedTerm, signedness: Signedness, width: number): string {
    const known = e.signednesses.get(signedness);
    if (known !== undefined) return known;
    const text = reduce(e, rangeOf(signedness, width), width);
    if (text === e.text) return text;
    const named = text.length > worthNaming ? e.scope.name(text, 'Int') : text;
    e.signednesses.set(signedness, named);
    this.undo.push(() => {
      e.signednesses.delete(signedness);
    });
    return named;
  }

  private equality(t: Application, a: EncodedTerm, b: EncodedTerm): string {
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
  private arrayEquality(t: Application, a: EncodedTerm, b: EncodedTerm, sort: ArraySort): string {
    this.seen.arrayEqualities = true;
    if (this.seen.constantArrays || sort.element.kind === 'array' || a.scope.depth > 0 || b.scope.depth > 0)
      throw new Unencodable();
    const equal = `(= ${a.text} ${b.text})`;
    const witness = `w!${t.id}`;
    this.declare(witness, `(declare-const ${witness} Int)`);
    const { low, high } = rangeOf(this.votes.ofIndex(sort.index.width), sort.index.width);
    const [x, y] = [`(select ${a.text} ${witness})`, `(select ${b.text} ${witness})`];
    const ranges = [inRange(witness, low, high)];
    if (sort.element.kind === 'bits') {
      const element = rangeOf(this.votes.ofElement(sort), sort.element.width);
      ranges.push(inRange(x, element.low, element.high), inRange(y, element.low, element.high));
    }
    this.constrain(t, [`(or ${equal} (and (not (= ${x} ${y})) ${ranges.join(' ')}))`]);
    return equal;
  }

  private select(t: Application, array: EncodedTerm, index: EncodedTerm, scope: NamingScope): EncodedTerm {
    const sort = t.args[0]!.sort as ArraySort;
    const text = `(select ${array.text} ${this.index(t.args[1]!, index)})`;
    if (t.sort.kind !== 'bits') return truth(text, scope);
    const signedness = this.votes.ofElement(sort);
    if (scope.depth > 0) this.constrainArrays(t.args[0]!);
    return this.wordInRange(t, text, signedness, scope);
  }

  /** All elements of the arrays that a bound symbol may index are in range. Written elements always are. */
  private constrainArrays(array: Term): void {
    const isLeaf = (t: Term) => t.kind === 'forall' || t.kind === 'exists' || t.sort.kind !== 'array';
    for (const t of postOrder([array], undefined, isLeaf)) {
      if (t.sort.kind !== 'array') continue;
      if (isApplication(t, 'select') || isApplication(t, 'call')) throw new Unencodable();
      if (t.kind !== 'symbol' || t.sort.element.kind !== 'bits') continue;
      const { low, high } = rangeOf(this.votes.ofElement(t.sort), t.sort.element.width);
      this.constrain(t, [`(forall ((i!0 Int)) ${inRange(`(select ${this.names.of(t)} i!0)`, low, high)})`]);
    }
  }

  private call(t: Application, args: readonly EncodedTerm[], scope: NamingScope): EncodedTerm {
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
    return t.sort.kind === 'bits' ? this.wordInRange(t, text, this.votes.signedness(t), scope) : truth(text, scope);
  }

  private index(t: Term, e: EncodedTerm): string {
    const width = widthOf(t);
    return this.signedness(e, this.votes.ofIndex(width), width);
  }

  private element(sort: ArraySort, e: EncodedTerm): string {
    return sort.element.kind === 'bits' ? this.signedness(e, this.votes.ofElement(sort), sort.element.width) : e.text;
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
