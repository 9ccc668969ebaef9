/**
 * Constant bounds of witnesses. A formula such as `c or (1 <= w and w < n and p(w))` bounds the witness w only in one
 * of its cases. In the others w may be any value, so it may as well keep the bounds. A witness with bounds makes terms
 * such as `4 * w` simple: they do not wrap around.
 *
 * The range of a witness in a formula has this law. In each model of the formula, the witness lies in the range, or the
 * formula holds for all values of the witness. So a model remains one after the witness was moved into the range.
 * Instances of universal formulas hold for all values, too.
 */
import { not } from '../propositional';
import { bits, isApplication, widthOf } from '../intern';
import { assertedBounds, boundsOf, type WordBounds } from '../bounds/assertedBounds';
import { max, min, rangeOf } from '../bounds/wordRanges';
import { sle, ule } from '../comparison';
import { symbolsOf } from '../symbols';
import type { SymbolTerm, Term } from '../term';

type Bounds = ReadonlyMap<Term, WordBounds>;

/** Bounds that keep the formulas satisfiable together if they are, whatever the other symbols are. */
export function witnessBounds(formulas: readonly Term[], witnesses: readonly SymbolTerm[]): readonly Term[] {
  const words = witnesses.filter(({ sort }) => sort.kind === 'bits');
  if (words.length === 0) return [];
  const known = assertedBounds(formulas, new Map());
  return words.flatMap((witness) => {
    const { signed, unsigned } = rangeInAll(formulas, witness, known) ?? boundsOf(witness, new Map());
    const width = widthOf(witness);
    const literal = (value: bigint): Term => bits(BigInt.asUintN(width, value), width);
    const ofAll = rangeOf('signed', width);
    const bounds =
      signed.low > ofAll.low || signed.high < ofAll.high
        ? [sle(literal(signed.low), witness), sle(witness, literal(signed.high))]
        : [ule(literal(unsigned.low), witness), ule(witness, literal(unsigned.high))];
    return bounds.filter((bound) => bound.kind !== 'boolean');
  });
}

/** Undefined if the formula does not mention the witness. */
function rangeIn(formula: Term, witness: SymbolTerm, known: Bounds): WordBounds | undefined {
  if (!symbolsOf(formula).has(witness)) return undefined;
  const [cases, conjuncts] = [partsOf(formula, 'or'), partsOf(formula, 'and')];
  if (cases) return hull(cases.map((part) => rangeIn(part, witness, known)));
  if (conjuncts) return rangeInAll(conjuncts, witness, assertedBounds(conjuncts, known));
  return assertedBounds([formula], known).get(witness) ?? boundsOf(witness, new Map());
}

/** The operands, also of a formula that is the negation of the dual. */
function partsOf(formula: Term, operator: 'and' | 'or'): readonly Term[] | undefined {
  if (isApplication(formula, operator)) return formula.args;
  const [inner] = isApplication(formula, 'not') ? formula.args : [];
  return inner && isApplication(inner, operator === 'and' ? 'or' : 'and') ? inner.args.map(not) : undefined;
}

/** A bound that one of the formulas states holds in each model. Of formulas with cases, only one may be about it. */
const rangeInAll = (formulas: readonly Term[], witness: SymbolTerm, known: Bounds): WordBounds | undefined =>
  known.get(witness) ?? hull(formulas.map((formula) => rangeIn(formula, witness, known)));

function hull(ranges: readonly (WordBounds | undefined)[]): WordBounds | undefined {
  const known = ranges.filter((range) => range !== undefined);
  if (known.length === 0) return undefined;
  return {
    signed: {
      low: min(...known.map(({ signed }) => signed.low)),
      high: max(...known.map(({ signed }) => signed.high)),
    },
    unsigned: {
      low: min(...known.map(({ unsigned }) => unsigned.low)),
      high: max(...known.map(({ unsigned }) => unsigned.high)),
    },
  };
}
