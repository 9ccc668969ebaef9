/**
 * The signedness in which each word is read, as its contexts vote: a signed comparison or division for signed, an
 * unsigned one or an index for unsigned. Any choice is sound; a good one needs few reductions.
 */
import { isApplication } from '../intern';
import type { ArraySort, Sort, Term } from '../term';
import type { Signedness } from '../words/words';

export class SignednessVotes {
  /** Votes about each term of the formula at hand: signed (positive) or unsigned. */
  private votes = new Map<Term, number>();
  /** Once an index or an element is read in a way, it stays so. */
  private readonly indices = new Map<number, Signedness>();
  private readonly elements = new Map<Sort, Signedness>();

  /** Counts the votes in a formula. Children come before parents. */
  count(order: readonly Term[]): void {
    this.votes = new Map();
    for (const t of [...order].reverse()) this.voteBelow(t);
    const elements = new Map<Sort, number>();
    const indices = new Map<number, number>();
    for (const t of order) {
      if (!isApplication(t, 'select')) continue;
      const sort = t.args[0]!.sort as ArraySort;
      elements.set(sort, (elements.get(sort) ?? 0) + this.of(t));
      indices.set(sort.index.width, (indices.get(sort.index.width) ?? 0) + Math.sign(this.of(t.args[1]!)));
    }
    for (const [sort, votes] of elements)
      if (!this.elements.has(sort)) this.elements.set(sort, signednessBy(votes, (sort as ArraySort).element));
    for (const [width, votes] of indices)
      if (!this.indices.has(width)) this.indices.set(width, votes > 0 ? 'signed' : 'unsigned');
  }

  private of(t: Term): number {
    return this.votes.get(t) ?? 0;
  }

  private give(t: Term | undefined, votes: number): void {
    if (t) this.votes.set(t, this.of(t) + votes);
  }

  /** Passes the term's votes on to its operands. */
  private voteBelow(t: Term): void {
    if (t.kind !== 'apply') return;
    const own = Math.sign(this.of(t));
    const [a, b] = t.args;
    switch (t.operator) {
      case 'signed-less':
      case 'signed-less-equal':
      case 'signed-divide':
      case 'signed-remainder':
        this.give(a, 2);
        this.give(b, 2);
        break;
      case 'unsigned-less':
      case 'unsigned-less-equal':
      case 'unsigned-divide':
      case 'unsigned-remainder':
        this.give(a, -2);
        this.give(b, -2);
        break;
      case 'sign-extend':
      case 'arithmetic-shift-right':
        this.give(a, 2);
        break;
      case 'zero-extend':
      case 'logical-shift-right':
        this.give(a, -2);
        break;
      case 'add':
      case 'subtract':
      case 'multiply':
      case 'negate':
      case 'complement':
      case 'ite':
        for (const x of t.args) this.give(x, own);
        break;
      case 'concat':
        for (const x of t.args.slice(1)) this.give(x, -2);
        break;
      default:
        break;
    }
  }

  /** True if most contexts read the term as signed. */
  isSigned(t: Term): boolean {
    return this.of(t) > 0;
  }

  signedness(t: Term): Signedness {
    return signednessBy(this.of(t), t.sort);
  }

  /** The signedness of indices of a width, if any was chosen. */
  chosenForIndex(width: number): Signedness | undefined {
    return this.indices.get(width);
  }

  ofIndex(width: number): Signedness {
    const signedness = this.indices.get(width) ?? 'unsigned';
    this.indices.set(width, signedness);
    return signedness;
  }

  ofElement(sort: ArraySort): Signedness {
    const signedness = this.elements.get(sort) ?? signednessBy(0, sort.element);
    this.elements.set(sort, signedness);
    return signedness;
  }
}

function signednessBy(votes: number, sort: Sort): Signedness {
  if (votes !== 0) return votes > 0 ? 'signed' : 'unsigned';
  return sort.kind === 'bits' && sort.width >= 16 ? 'signed' : 'unsigned';
}
