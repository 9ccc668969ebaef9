/** Products and quotients of unknown values, which make queries hard. */
import * as L from './build';
import { freshSymbol } from './intern';
import { substitute } from './substitute';
import type { Application, SymbolTerm, Term } from './term';
import { postOrder } from './traverse';

/** The first such subterm. Multiplication and division by a constant do not count. */
export function nonlinearPart(terms: readonly Term[]): Application | undefined {
  return postOrder(terms).find((term): term is Application => isNonlinear(term));
}

export function isNonlinear(term: Term): boolean {
  if (term.kind !== 'apply') return false;
  const { operator, args } = term;
  switch (operator) {
    case 'multiply':
      return args.filter((arg) => arg.kind !== 'bits').length > 1;
    case 'unsigned-divide':
    case 'signed-divide':
    case 'unsigned-remainder':
    case 'signed-remainder':
      return args[1]!.kind !== 'bits';
    default:
      return false;
  }
}

/** Terms with symbols in place of products and quotients, each term always with the same ones. */
export class NonlinearAbstraction {
  private readonly symbols = new Map<Term, SymbolTerm>();
  private readonly done = new Map<Term, Term>();

  /** The weaker term, in which the symbols stand for anything. What bound symbols occur in is not replaced. */
  of(term: Term): Term {
    let abstract = this.done.get(term);
    if (!abstract) this.done.set(term, (abstract = substitute(term, this.partsOf(term))));
    return abstract;
  }

  changes(term: Term): boolean {
    return this.of(term) !== term;
  }

  /** True of what the symbols of the weaker term stand for, whatever the operands are. */
  factsOf(term: Term): readonly Term[] {
    return [...this.partsOf(term)].flatMap(([part, symbol]) =>
      lawsOf(part as Application, symbol).map((law) => this.of(law)),
    );
  }

  private partsOf(term: Term): ReadonlyMap<Term, Term> {
    const found = new Map<Term, Term>();
    const isQuantified = ({ kind }: Term): boolean => kind === 'forall' || kind === 'exists';
    for (const part of postOrder([term], () => false, isQuantified)) {
      if (!isNonlinear(part)) continue;
      let symbol = this.symbols.get(part);
      if (!symbol) this.symbols.set(part, (symbol = freshSymbol('product', part.sort)));
      found.set(part, symbol);
    }
    return found;
  }
}

/** Laws of one product or quotient and its operands. */
function lawsOf({ operator, args: [a, b, ...others] }: Application, result: Term): readonly Term[] {
  const width = L.widthOf(result);
  const zero = L.bits(0n, width);
  const isNatural = L.and(L.sle(zero, a!), L.slt(zero, b!));
  switch (operator) {
    case 'multiply': {
      if (others.length > 0 || width < 8) return [];
      const half = L.bits(1n << BigInt((width >> 2) - 1), width);
      const isShort = (factor: Term): Term => L.and(L.sle(L.neg(half), factor), L.sle(factor, half));
      const square = L.mul(half, half);
      return [L.implies(L.and(isShort(a!), isShort(b!)), L.and(L.sle(L.neg(square), result), L.sle(result, square)))];
    }
    case 'unsigned-divide':
      return [L.or(L.eq(b!, zero), L.ule(result, a!))];
    case 'unsigned-remainder':
      return [L.ule(result, a!), L.or(L.eq(b!, zero), L.ult(result, b!))];
    case 'signed-divide':
      return [L.implies(isNatural, L.and(L.sle(zero, result), L.sle(result, a!)))];
    case 'signed-remainder':
      return [L.implies(isNatural, L.and(L.sle(zero, result), L.sle(result, a!), L.slt(result, b!)))];
    default:
      return [];
  }
}
