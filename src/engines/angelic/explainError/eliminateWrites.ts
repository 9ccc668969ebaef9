/**
 * EliminateMapUpdates (A. Das, S. K. Lahiri, A. Lal, Y. Li, CAV 2015, algorithm 2): a read behind a write becomes a
 * case split on whether both are about the same place. This is where atoms about aliasing come from. Conditionals are
 * moved out of the atoms for the same reason.
 */
import * as L from '../../../logic/build';
import { isConnective } from '../../../logic/connective';
import { rebuild } from '../../../logic/rebuild';
import { sizeOf } from '../../../logic/symbols';
import type { Term } from '../../../logic/term';
import { childrenOf, postOrder } from '../../../logic/traverse';

const limits = {
  /** Case splits of one atom. */
  cases: 32,
  /** Distinct subterms of the result. */
  terms: 20_000,
  /** Terms that are looked at on the way: a structure that was copied byte by byte has a case for each. */
  visited: 100_000,
} as const;

/** Equivalent to `formula`, with reads of symbols alone. Undefined if it would become too large, or take too long. */
export function eliminateWrites(formula: Term): Term | undefined {
  const without = new Map<Term, Term>();
  let left: number = limits.visited;
  for (const term of postOrder([formula])) {
    if (term.kind === 'forall' || term.kind === 'exists' || left-- <= 0) return undefined;
    if (term.kind !== 'apply') {
      without.set(term, term);
      continue;
    }
    const args = term.args.map((arg) => without.get(arg)!);
    if (term.operator !== 'select') {
      without.set(term, rebuild(term, args));
      continue;
    }
    const { value, visited } = read(args[0]!, args[1]!);
    without.set(term, value);
    left -= visited;
  }
  const result = new Splits().liftWrites(without.get(formula)!);
  return result && sizeOf(result) <= limits.terms ? result : undefined;
}

function read(array: Term, index: Term): { readonly value: Term; readonly visited: number } {
  const known = new Map<Term, Term>();
  // Writes form a chain, conditionals a tree: from the inside out.
  for (const at of postOrder([array], isNoArray)) {
    if (L.isApplication(at, 'store')) {
      const [base, place, value] = at.args as readonly [Term, Term, Term];
      known.set(at, L.ite(L.eq(place, index), value, known.get(base)!));
    } else if (L.isApplication(at, 'ite')) {
      const [condition, then, otherwise] = at.args as readonly [Term, Term, Term];
      known.set(at, L.ite(condition, known.get(then)!, known.get(otherwise)!));
    } else known.set(at, L.select(at, index));
  }
  return { value: known.get(array)!, visited: known.size };
}

const isNoArray = ({ sort }: Term): boolean => sort.kind !== 'array';

class Splits {
  private readonly known = new Map<Term, Term | undefined>();
  /** Terms that may still be looked at. */
  private left: number = limits.visited;

  /** Conditionals of words become conditionals of formulas. */
  liftWrites(formula: Term): Term | undefined {
    if (this.known.has(formula)) return this.known.get(formula);
    const result = this.lift(formula);
    this.known.set(formula, result);
    return result;
  }

  private lift(formula: Term): Term | undefined {
    if (isConnective(formula)) {
      const args = formula.args.map((arg) => this.liftWrites(arg));
      return args.every((arg) => arg !== undefined) ? rebuild(formula, args) : undefined;
    }
    let left: number = limits.cases;
    const split = (atom: Term): Term | undefined => {
      if (isConnective(atom)) return this.liftWrites(atom);
      const conditional = postOrder([atom]).find((term) => L.isApplication(term, 'ite'));
      if (!conditional) return atom;
      if (left-- <= 0 || this.left <= 0) return undefined;
      // All conditionals with this condition at once.
      const [condition] = childrenOf(conditional);
      const chosen = this.liftWrites(condition!);
      const cases = [L.TRUE, L.FALSE].map((value) => split(this.replace(atom, condition!, value)));
      return chosen && cases[0] && cases[1] && L.ite(chosen, cases[0], cases[1]);
    };
    return split(formula);
  }

  private replace(term: Term, old: Term, by: Term): Term {
    const known = new Map<Term, Term>([[old, by]]);
    for (const one of postOrder([term], undefined, (inner) => inner === old)) {
      if (known.has(one)) continue;
      known.set(
        one,
        one.kind === 'apply'
          ? rebuild(
              one,
              one.args.map((arg) => known.get(arg)!),
            )
          : one,
      );
    }
    this.left -= known.size;
    return known.get(term)!;
  }
}
