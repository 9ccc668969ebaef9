/**
 * Labels, carried backwards over a step: weakest preconditions by substitution, one literal at a time. Behind a guard g
 * a literal l becomes l' = l after the step where the state before implies that, else g => l'. Conjunctions only: a
 * label covers many states by being short, not by cases.
 */
import * as L from '../../logic/build';
import { isApplication } from '../../logic/intern';
import { fromLinear, linearOf } from '../../logic/words/linear';
import { postOrder } from '../../logic/traverse';
import { sizeOf, substitute, symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import { conjunctsOf, without } from '../../abstraction/partition/preimage';
import type { Step } from '../../abstraction/transitionSystem/transitionGraph';
import { occurring } from './symbolicPath';

/** Conditions before a step that replace a literal behind it. */
export interface Backward {
  /** The literal after the step, if it mentions nothing that is chosen on the way. */
  readonly plain: Term | undefined;
  /** Implies that the literal holds behind the step, if it is taken. */
  readonly guarded: Term | undefined;
  /** The weakest precondition, over what is chosen on the way, too. */
  readonly exact: Term;
  /** The plain one is as good as the guarded one. */
  readonly isUnguarded: boolean;
}

const limits = {
  labelNodes: 400,
  /** Values of a chosen index that are distinguished. */
  indices: 16,
} as const;

/** `nothing`: the literal holds behind the step whatever the state before. */
export function backward(literal: Term, step: Step): Backward | 'nothing' {
  const after = substitute(literal, occurring(step.after, [literal]));
  if (after === L.TRUE) return 'nothing';
  const about = (term: Term): boolean => [...symbolsOf(term)].some((symbol) => step.fresh.has(symbol));
  const premises = step.premises.filter(about);
  const taken = L.and(step.guard, ...premises);
  if (taken === L.TRUE && !about(after)) return { plain: after, guarded: after, exact: after, isUnguarded: true };
  const escapes = without(L.and(taken, L.not(after)), step.fresh, 'drop');
  const guarded = L.not(escapes);
  if (guarded === L.TRUE) return 'nothing';
  const isSmall = (term: Term): boolean => sizeOf(term) <= limits.labelNodes;
  return {
    plain: !about(after) && after !== L.FALSE && isSmall(after) ? after : undefined,
    guarded: guarded !== L.FALSE && isSmall(guarded) ? guarded : undefined,
    exact: L.not(L.and(taken, L.not(after))),
    isUnguarded: guarded === after,
  };
}

/**
 * A set around the states for which chosen values satisfy the formula; exact where those that decide places are few.
 */
export function eliminate(formula: Term, chosen: ReadonlySet<SymbolTerm>): Term {
  return L.or(...casesOf(formula, chosen).map((part) => without(part, chosen, 'drop')));
}

/** The formula for each value of a chosen symbol that is an index of an array, if its bounds leave few. */
function casesOf(formula: Term, chosen: ReadonlySet<SymbolTerm>): readonly Term[] {
  for (const part of postOrder([formula])) {
    if (!isApplication(part, 'select') && !isApplication(part, 'store')) continue;
    for (const symbol of symbolsOf(part.args[1]!)) {
      const values = chosen.has(symbol) ? valuesOf(symbol, conjunctsOf(formula)) : undefined;
      if (values) return values.flatMap((value) => casesOf(substitute(formula, new Map([[symbol, value]])), chosen));
    }
  }
  return formula === L.FALSE ? [] : [formula];
}

/** Between the bounds that the conditions set; undefined: there are too many. */
export function valuesOf(symbol: SymbolTerm, conditions: readonly Term[]): readonly Term[] | undefined {
  if (symbol.sort.kind !== 'bits') return undefined;
  const { width } = symbol.sort;
  for (const sign of ['signed', 'unsigned']) {
    let [least, most]: (bigint | undefined)[] = [sign === 'unsigned' ? 0n : undefined, undefined];
    for (const part of conditions) {
      const bound = boundOf(part);
      if (bound?.word !== symbol || !bound.side.startsWith(sign)) continue;
      const { value } = bound;
      if (bound.side.endsWith('most')) most = most === undefined || value < most ? value : most;
      else least = least === undefined || value > least ? value : least;
    }
    if (least === undefined || most === undefined || most - least >= BigInt(limits.indices)) continue;
    const [first, last] = [least, most];
    return Array.from({ length: Math.max(0, Number(last - first) + 1) }, (_, i) =>
      L.bits(BigInt.asUintN(width, first + BigInt(i)), width),
    );
  }
  return undefined;
}

/** The conjuncts of a guard that mention the state before alone. */
export function ownConjuncts(guard: Term, fresh: ReadonlySet<SymbolTerm>): readonly Term[] {
  return conjunctsOf(guard).filter((term) => [...symbolsOf(term)].every((symbol) => !fresh.has(symbol)));
}

/**
 * Bounds that together imply a bound of a sum, said of the sum without its constant: `x + 2 <= 5` of words holds for
 * some large x, too; `x <= 3` implies it. `x - 2 <= 5` takes that x - 2 does not wrap. Undefined: there is no constant.
 */
export function withoutOffset(literal: Term): readonly Term[] | undefined {
  const bound = boundOf(literal);
  if (bound?.word.kind !== 'apply') return undefined;
  const { constant, ...rest } = linearOf(bound.word);
  const { width, monomials } = rest;
  if (constant === 0n || !monomials.every(({ coefficient }) => isUnit(coefficient, width))) return undefined;
  const offset = BigInt.asIntN(width, constant);
  const word = fromLinear({ ...rest, constant: 0n });
  const isSigned = bound.side.startsWith('signed');
  const [least, most] = isSigned
    ? [-(1n << BigInt(width - 1)), (1n << BigInt(width - 1)) - 1n]
    : [0n, (1n << BigInt(width)) - 1n];
  const value = bound.value - offset;
  if (value < least || value > most) return undefined;
  const bits = (n: bigint): Term => L.bits(BigInt.asUintN(width, n), width);
  const order = isSigned ? L.sle : L.ule;
  const isUpper = bound.side.endsWith('most');
  const [atMost, atLeast] = [(n: bigint) => order(word, bits(n)), (n: bigint) => order(bits(n), word)];
  const wraps = offset > 0n ? atMost(most - offset) : atLeast(least - offset);
  const bounds = [isUpper ? atMost(value) : atLeast(value), ...(isUpper === offset > 0n ? [] : [wraps])];
  return bounds.filter((term) => term !== L.TRUE);
}

/** 1 or -1. */
const isUnit = (coefficient: bigint, width: number): boolean => BigInt.asIntN(width, coefficient) ** 2n === 1n;

const comparisons = {
  'signed-less-equal': { signed: true, strict: false },
  'signed-less': { signed: true, strict: true },
  'unsigned-less-equal': { signed: false, strict: false },
  'unsigned-less': { signed: false, strict: true },
} as const;

interface LiteralBound {
  readonly word: Term;
  readonly side: string;
  readonly value: bigint;
}
const bounds = new WeakMap<Term, LiteralBound | 'none'>();

/** The bound's word, side and value. Undefined: it is no bound by a literal. */
export function boundOf(literal: Term): LiteralBound | undefined {
  let found = bounds.get(literal);
  if (!found) bounds.set(literal, (found = boundIn(literal) ?? 'none'));
  return found === 'none' ? undefined : found;
}

function boundIn(literal: Term): LiteralBound | undefined {
  const isNegated = isApplication(literal, 'not');
  const atom = isNegated ? literal.args[0]! : literal;
  if (atom.kind !== 'apply' || !(atom.operator in comparisons)) return undefined;
  const { signed, strict } = comparisons[atom.operator as keyof typeof comparisons];
  const [low, high] = isNegated ? [atom.args[1]!, atom.args[0]!] : [atom.args[0]!, atom.args[1]!];
  const isStrict = isNegated ? !strict : strict;
  const width = L.widthOf(low);
  const read = (value: bigint): bigint => (signed ? BigInt.asIntN(width, value) : value);
  const sign = signed ? 'signed' : 'unsigned';
  if (high.kind === 'bits') return { word: low, side: `${sign} most`, value: read(high.value) - (isStrict ? 1n : 0n) };
  if (low.kind === 'bits') return { word: high, side: `${sign} least`, value: read(low.value) + (isStrict ? 1n : 0n) };
  return undefined;
}

/** True if the shape of two literals says that the first implies the second. */
export function implies(a: Term, b: Term): boolean {
  if (a === b) return true;
  if (isApplication(b, 'or')) return b.args.some((part) => implies(a, part));
  if (isApplication(a, 'and')) return a.args.some((part) => implies(part, b));
  const [first, second] = [boundOf(a), boundOf(b)];
  if (!first || !second || first.word !== second.word || first.side !== second.side) return false;
  return first.side.endsWith('most') ? first.value <= second.value : first.value >= second.value;
}
