/**
 * Formulas over words as formulas over unbounded integers, as if nothing ever wrapped. This is not what the words mean
 * (see `integers.ts` for that), so every conclusion is a candidate that must be checked over words. In return all
 * constraints are linear and without `mod`, as algorithms for loops over integers need.
 *
 * Every word is one integer, in the signed or unsigned reading that `readingOf` gives its symbols. A term without a
 * linear counterpart (a read of memory, a product of unknowns, a bitwise operation) is an unknown, the same for the
 * same term.
 */
import { widthOf } from '../intern';
import { SmtlibNames } from '../smtlib';
import type { Application, SymbolTerm, Term } from '../term';
import { postOrder } from '../traverse';
import { exponentOf, type Signedness, toSigned } from '../words/words';

/**
 * `unbounded`: no wrapping, and no largest number. `bounded`: no wrapping, because sums that would wrap are excluded.
 * `wrapping`: sums wrap like those of words.
 */
export type IntegerArithmetic = 'unbounded' | 'bounded' | 'wrapping';

/** `either`: never negative, and small. */
interface Word {
  readonly text: string;
  readonly signedness: Signedness | 'either';
}

/** Longer texts with several uses get a name. */
const worthNaming = 24;

/** Prints the formulas of one scope, which share their unknowns and stand below one quantifier. */
export class UnboundedIntegerPrinter {
  /** The integers and booleans that occur, by name. */
  readonly unknowns = new Map<string, 'Int' | 'Bool'>();
  /** Constraints that the unknowns satisfy by their reading. */
  readonly ranges = new Set<string>();
  private readonly words = new Map<Term, Word>();
  private readonly formulas = new Map<Term, string>();
  private readonly bindings: string[] = [];
  private readonly uses = new Map<Term, number>();
  private readonly names = new SmtlibNames();

  constructor(
    private readonly signednessOf: (symbol: SymbolTerm) => Signedness,
    private readonly arithmetic: IntegerArithmetic = 'unbounded',
  ) {}

  formula(term: Term): string {
    this.read(term);
    return this.truth(term);
  }

  /** The integer for a word, in a reading; a truth value for a boolean. */
  value(term: Term, signedness: Signedness): string {
    this.read(term);
    return term.sort.kind === 'boolean' ? this.truth(term) : this.as(term, signedness);
  }

  /** Puts the definitions of names around a text. */
  within(text: string): string {
    return `${this.bindings.map((binding) => `(let (${binding}) `).join('')}${text}${')'.repeat(this.bindings.length)}`;
  }

  /** From the leaves up, since terms may be deep. */
  private read(term: Term): void {
    const order = postOrder([term], undefined, isLeaf);
    for (const t of order)
      if (t.kind === 'apply') for (const a of t.args) this.uses.set(a, (this.uses.get(a) ?? 0) + 1);
    for (const t of order) {
      if (t.sort.kind === 'boolean') this.truth(t);
      else if (t.sort.kind === 'bits' && t.kind !== 'bits') this.word(t);
    }
  }

  private nameText(term: Term, text: string): string {
    if (text.length <= worthNaming || (this.uses.get(term) ?? 0) < 2) return text;
    return this.bound(text);
  }

  private bound(text: string): string {
    const name = `l!${this.bindings.length}`;
    this.bindings.push(`(${name} ${text})`);
    return name;
  }

  private truth(term: Term): string {
    const known = this.formulas.get(term);
    if (known !== undefined) return known;
    const text = this.nameText(term, this.truthText(term));
    this.formulas.set(term, text);
    return text;
  }

  private truthText(term: Term): string {
    if (term.kind === 'boolean') return String(term.value);
    if (term.kind !== 'apply') return this.unknown(term, 'Bool');
    const [a, b, c] = term.args as readonly [Term, Term, Term];
    const compared = (operator: string, signedness: Signedness): string =>
      `(${operator} ${this.as(a, signedness)} ${this.as(b, signedness)})`;
    switch (term.operator) {
      case 'not':
        return `(not ${this.truth(a)})`;
      case 'and':
      case 'or':
        return `(${term.operator} ${term.args.map((arg) => this.truth(arg)).join(' ')})`;
      case 'ite':
        return `(ite ${this.truth(a)} ${this.truth(b)} ${this.truth(c)})`;
      case 'eq':
        return a.sort.kind === 'boolean'
          ? `(= ${this.truth(a)} ${this.truth(b)})`
          : a.sort.kind === 'bits'
            ? compared('=', this.common([a, b]))
            : this.unknown(term, 'Bool');
      case 'signed-less':
        return compared('<', 'signed');
      case 'signed-less-equal':
        return compared('<=', 'signed');
      case 'unsigned-less':
        return compared('<', 'unsigned');
      case 'unsigned-less-equal':
        return compared('<=', 'unsigned');
      default:
        return this.unknown(term, 'Bool');
    }
  }

  /** In the other reading a word is off by one modulus on one side. */
  private as(term: Term, signedness: Signedness): string {
    const width = widthOf(term);
    if (term.kind === 'bits') return numeral(signedness === 'signed' ? toSigned(term.value, width) : term.value);
    const word = this.word(term);
    if (word.signedness === 'either' || word.signedness === signedness) return word.text;
    const modulus = 1n << BigInt(width);
    return signedness === 'unsigned'
      ? `(ite (< ${word.text} 0) (+ ${word.text} ${modulus}) ${word.text})`
      : `(ite (>= ${word.text} ${modulus / 2n}) (- ${word.text} ${modulus}) ${word.text})`;
  }

  private common(terms: readonly Term[]): Signedness {
    const own = terms.filter(({ kind }) => kind !== 'bits').map((term) => this.word(term).signedness);
    return own.includes('signed') || !own.includes('unsigned') ? 'signed' : 'unsigned';
  }

  private word(term: Term): Word {
    const known = this.words.get(term);
    if (known) return known;
    const made = this.wordOf(term);
    const word = { ...made, text: this.nameText(term, made.text) };
    this.words.set(term, word);
    return word;
  }

  private wordOf(term: Term): Word {
    if (term.kind === 'bits') return { text: numeral(toSigned(term.value, widthOf(term))), signedness: 'signed' };
    const open = (): Word => ({
      text: this.unknown(term, 'Int'),
      signedness: term.kind === 'symbol' ? this.signednessOf(term) : defaultReading(term),
    });
    return term.kind === 'apply' ? (this.application(term) ?? open()) : open();
  }

  private application(term: Application): Word | undefined {
    const [a, b, c] = term.args as readonly [Term, Term, Term];
    const width = widthOf(term);
    const words = term.args.filter(({ sort }) => sort.kind === 'bits');
    // A difference below zero is meant to be negative.
    const signedness = term.operator === 'subtract' || term.operator === 'negate' ? 'signed' : this.common(words);
    const operands = (): string[] => term.args.map((arg) => this.as(arg, signedness));
    switch (term.operator) {
      case 'add':
        return { text: operands().reduce((sum, x) => this.wrap(`(+ ${sum} ${x})`, signedness, width)), signedness };
      case 'subtract':
        return { text: operands().reduce((sum, x) => this.wrap(`(- ${sum} ${x})`, signedness, width)), signedness };
      case 'negate':
        return { text: this.wrap(`(- ${this.as(a, signedness)})`, signedness, width), signedness };
      case 'multiply':
        return term.args.length === 2 && (a.kind === 'bits' || b.kind === 'bits')
          ? { text: this.reduce(`(* ${operands().join(' ')})`, signedness, width), signedness }
          : undefined;
      case 'ite': {
        const own = this.common([b, c]);
        return { text: `(ite ${this.truth(a)} ${this.as(b, own)} ${this.as(c, own)})`, signedness: own };
      }
      case 'sign-extend':
        return { text: this.as(a, 'signed'), signedness: 'signed' };
      case 'zero-extend':
        return { text: this.as(a, 'unsigned'), signedness: 'either' };
      case 'extract':
        return term.parameters[1] === 0 ? this.word(a) : undefined;
      case 'shift-left':
        return b.kind === 'bits' && b.value < 64n
          ? { text: `(* ${1n << b.value} ${this.as(a, this.common([a]))})`, signedness: this.common([a]) }
          : undefined;
      case 'arithmetic-shift-right':
        return b.kind === 'bits' && b.value < 64n
          ? { text: `(div ${this.as(a, 'signed')} ${1n << b.value})`, signedness: 'signed' }
          : undefined;
      case 'logical-shift-right':
        return b.kind === 'bits' && b.value < 64n
          ? { text: `(div ${this.as(a, 'unsigned')} ${1n << b.value})`, signedness: 'unsigned' }
          : undefined;
      case 'unsigned-divide':
        return b.kind === 'bits' && b.value > 0n
          ? { text: `(div ${this.as(a, 'unsigned')} ${b.value})`, signedness: 'unsigned' }
          : undefined;
      case 'unsigned-remainder':
        return b.kind === 'bits' && b.value > 0n
          ? { text: `(mod ${this.as(a, 'unsigned')} ${b.value})`, signedness: 'unsigned' }
          : undefined;
      case 'signed-divide':
        return this.truncatingDivision(a, b, (x, y) => `(div ${x} ${y})`);
      case 'signed-remainder':
        return this.truncatingDivision(a, b, (x, y) => `(mod ${x} ${y})`);
      case 'bit-and': {
        const [mask, other] = a.kind === 'bits' ? [a, b] : [b, a];
        if (term.args.length !== 2 || mask.kind !== 'bits' || exponentOf(mask.value + 1n) === undefined)
          return undefined;
        return { text: `(mod ${this.word(other).text} ${mask.value + 1n})`, signedness: 'either' };
      }
      default:
        return undefined;
    }
  }

  /** A sum of two numbers in range is off by one modulus at most. */
  private wrap(sum: string, signedness: Signedness, width: number): string {
    if (this.arithmetic !== 'wrapping') return sum;
    const [low, high] = rangeOf(signedness, width);
    const [name, modulus] = [this.bound(sum), high - low + 1n];
    return this.bound(
      `(ite (> ${name} ${high}) (- ${name} ${modulus}) (ite (< ${name} ${numeral(low)}) (+ ${name} ${modulus}) ` +
        `${name}))`,
    );
  }

  private reduce(product: string, signedness: Signedness, width: number): string {
    if (this.arithmetic !== 'wrapping') return product;
    const [low, high] = rangeOf(signedness, width);
    return `(+ (mod (- ${product} ${numeral(low)}) ${high - low + 1n}) ${numeral(low)})`;
  }

  /** Division in C rounds towards zero. */
  private truncatingDivision(a: Term, b: Term, divided: (x: string, y: bigint) => string): Word | undefined {
    if (b.kind !== 'bits') return undefined;
    const divisor = toSigned(b.value, widthOf(b));
    if (divisor <= 0n) return undefined;
    const x = this.as(a, 'signed');
    return {
      text: `(ite (>= ${x} 0) ${divided(x, divisor)} (- ${divided(`(- ${x})`, divisor)}))`,
      signedness: 'signed',
    };
  }

  private unknown(term: Term, sort: 'Int' | 'Bool'): string {
    const name = term.kind === 'symbol' ? this.names.of(term) : `u!${term.id}`;
    this.unknowns.set(name, sort);
    const signedness = term.kind === 'symbol' ? this.signednessOf(term) : defaultReading(term);
    if (sort === 'Int') {
      const [low, high] = rangeOf(signedness, widthOf(term));
      const isBounded = this.arithmetic !== 'unbounded';
      if (low === 0n || isBounded) this.ranges.add(`(<= ${numeral(low)} ${name})`);
      if (isBounded) this.ranges.add(`(<= ${name} ${high})`);
    }
    return name;
  }
}

export function defaultReading(term: Term): Signedness {
  return term.sort.kind === 'bits' && term.sort.width < 16 ? 'unsigned' : 'signed';
}

/** Operands below are part of an unknown. */
function isLeaf(term: Term): boolean {
  return term.kind !== 'apply' || term.operator === 'select' || term.operator === 'call' || term.sort.kind === 'array';
}

function rangeOf(signedness: Signedness, width: number): readonly [bigint, bigint] {
  const size = 1n << BigInt(width);
  return signedness === 'signed' ? [-size / 2n, size / 2n - 1n] : [0n, size - 1n];
}

function numeral(value: bigint): string {
  return value < 0n ? `(- ${-value})` : String(value);
}
