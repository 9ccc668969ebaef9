/**
 * Pre(T): the states from which a step can lead into a region, over the step's start. The step's substitution makes it
 * the weakest precondition of the region; what the environment chooses is existential, and is eliminated where that is
 * easy. What is left may be weaker than Pre(T), never stronger: a split stays right with any set around it that leaves
 * out the state at hand.
 *
 * Aliasing (DASH, section 3.3): which of two pointers' cells a read of memory means is settled by the state at hand;
 * the states where it is settled otherwise count as inside. No alias analysis is needed, and formulas do not branch
 * over all ways of aliasing.
 */
import * as L from '../../logic/build';
import { isApplication } from '../../logic/intern';
import { rebuild } from '../../logic/rebuild';
import { substitute, substituteAll, symbolsOf } from '../../logic/substitute';
import { postOrder } from '../../logic/traverse';
import type { SymbolTerm, Term } from '../../logic/term';
import type { ConcreteView } from '../transitionSystem/concreteView';
import { holdsIn, type AbstractEdge } from './partition';
import type { Region } from './region';
import type { Step } from '../transitionSystem/transitionGraph';

/**
 * The states of `step.from` that a step may take into `target`, with what is chosen on the way still named; `over`: by
 * what is known of the callee.
 */
export function stepCondition(step: Step, target: Region, over?: AbstractEdge['over']): Term {
  const { callee } = step;
  const summary =
    over && callee
      ? [
          ...substituteAll(over.entry.literals, callee.atEntry),
          ...substituteAll([...over.exit.node.invariants, ...over.exit.literals], callee.atExit),
        ]
      : [];
  const premises = step.premises.filter((premise) => [...symbolsOf(premise)].some((symbol) => step.fresh.has(symbol)));
  return L.and(...premises, step.guard, ...summary, ...substituteAll(target.literals, step.after));
}

const limits = {
  /** Disjuncts that are looked at one by one. */
  cubes: 48,
} as const;

/**
 * A step's condition without the symbols that are chosen on the way: a set around the preimage that leaves out the
 * state at hand, if there is one. Quantifiers are used where nothing else does.
 */
export function preimage(
  exact: Term,
  fresh: ReadonlySet<SymbolTerm>,
  at: ConcreteView,
  quantifiers: 'allowed' | 'none',
): Term {
  const plain = resolveAliasing(without(exact, fresh, 'drop'), at);
  if (quantifiers === 'none' || !holdsIn(plain, at)) return plain;
  const candidates = [
    () => without(exact, fresh, 'keep'),
    () =>
      L.exists(
        [...symbolsOf(exact)].filter((symbol) => fresh.has(symbol)),
        exact,
      ),
  ];
  for (const candidate of candidates) {
    const found = resolveAliasing(candidate(), at);
    if (!holdsIn(found, at)) return found;
  }
  return resolveAliasing(candidates[1]!(), at);
}

/**
 * Eliminates symbols. `drop`: literals that still mention them are left out, which only makes the set larger; `keep`:
 * a quantifier stays.
 */
export function without(formula: Term, fresh: ReadonlySet<SymbolTerm>, hard: 'drop' | 'keep'): Term {
  const mentions = (term: Term): boolean => [...symbolsOf(term)].some((symbol) => fresh.has(symbol));
  if (!mentions(formula)) return formula;
  const cubes = cubesOf(formula, mentions);
  if (!cubes)
    return hard === 'drop'
      ? L.TRUE
      : L.exists(
          [...symbolsOf(formula)].filter((symbol) => fresh.has(symbol)),
          formula,
        );
  return L.or(...cubes.map((cube) => withoutInCube(cube, fresh, mentions, hard)));
}

function withoutInCube(
  literals: readonly Term[],
  fresh: ReadonlySet<SymbolTerm>,
  mentions: (term: Term) => boolean,
  hard: 'drop' | 'keep',
): Term {
  let rest = L.and(...literals);
  // An equation says what a chosen value is.
  for (let solved = true; solved;) {
    solved = false;
    for (const literal of conjunctsOf(rest)) {
      const solution = solutionOf(literal, fresh);
      if (!solution) continue;
      rest = substitute(rest, new Map([solution]));
      solved = true;
      break;
    }
  }
  const [open, closed] = [
    conjunctsOf(rest).filter(mentions),
    conjunctsOf(rest).filter((literal) => !mentions(literal)),
  ];
  if (open.length === 0) return rest;
  if (hard === 'drop') return L.and(...closed);
  const symbols = [...new Set(open.flatMap((literal) => [...symbolsOf(literal)]))].filter((symbol) =>
    fresh.has(symbol),
  );
  // A single condition on a choice of its own that some value meets whatever the rest is.
  const kept = open.filter((literal) => !alwaysPossible(literal, open, fresh));
  return L.and(...closed, L.exists(symbols, L.and(...kept)));
}

/** `v != t`, `v <= t` and the like with a `v` that occurs nowhere else among the literals. */
function alwaysPossible(literal: Term, all: readonly Term[], fresh: ReadonlySet<SymbolTerm>): boolean {
  const alone = (term: Term): boolean =>
    term.kind === 'symbol' && fresh.has(term) && all.every((other) => other === literal || !symbolsOf(other).has(term));
  const positive = isApplication(literal, 'not') ? literal.args[0]! : literal;
  if (alone(positive)) return true;
  if (positive.kind !== 'apply' || positive.args.length !== 2) return false;
  const [a, b] = positive.args as readonly [Term, Term];
  const free = (v: Term, t: Term): boolean => alone(v) && !symbolsOf(t).has(v as SymbolTerm);
  switch (positive.operator) {
    case 'eq':
      return (a.sort.kind === 'bits' || a.sort.kind === 'boolean') && (free(a, b) || free(b, a));
    case 'unsigned-less-equal':
    case 'signed-less-equal':
      return positive === literal && (free(a, b) || free(b, a));
    default:
      return false;
  }
}

function solutionOf(literal: Term, fresh: ReadonlySet<SymbolTerm>): readonly [Term, Term] | undefined {
  if (literal.kind === 'symbol' && fresh.has(literal)) return [literal, L.TRUE];
  if (isApplication(literal, 'not') && literal.args[0]!.kind === 'symbol' && fresh.has(literal.args[0]!))
    return [literal.args[0]!, L.FALSE];
  if (!isApplication(literal, 'eq')) return undefined;
  for (const [v, t] of [
    [literal.args[0]!, literal.args[1]!],
    [literal.args[1]!, literal.args[0]!],
  ] as const) {
    if (v.kind === 'symbol' && fresh.has(v) && !symbolsOf(t).has(v)) return [v, t];
  }
  return undefined;
}

/**
 * The formula as a disjunction of conjunctions, opened only where it mentions the symbols; undefined when there are
 * too many.
 */
function cubesOf(formula: Term, mentions: (term: Term) => boolean): Term[][] | undefined {
  if (!mentions(formula)) return [[formula]];
  const [inner, positive] = isApplication(formula, 'not') ? [formula.args[0]!, false] : [formula, true];
  if (inner.kind !== 'apply') return [[formula]];
  const sides = (): Term[] => inner.args.map((arg) => (positive ? arg : L.not(arg)));
  if (inner.operator === (positive ? 'or' : 'and'))
    return joinAlternatives(sides().map((side) => cubesOf(side, mentions)));
  if (inner.operator === (positive ? 'and' : 'or')) return product(sides().map((side) => cubesOf(side, mentions)));
  if (inner.operator === 'ite' && inner.sort.kind === 'boolean') {
    const [c, t, e] = inner.args as readonly [Term, Term, Term];
    const branch = (term: Term): Term => (positive ? term : L.not(term));
    return joinAlternatives([cubesOf(L.and(c, branch(t)), mentions), cubesOf(L.and(L.not(c), branch(e)), mentions)]);
  }
  // A conditional value inside an atom: one cube per side.
  const conditional = postOrder([inner]).find((term) => isApplication(term, 'ite') && mentions(term));
  if (!conditional || conditional.kind !== 'apply') return [[formula]];
  const [c, t, e] = conditional.args as readonly [Term, Term, Term];
  return joinAlternatives([
    cubesOf(L.and(c, substitute(formula, new Map([[conditional, t]]))), mentions),
    cubesOf(L.and(L.not(c), substitute(formula, new Map([[conditional, e]]))), mentions),
  ]);
}

function joinAlternatives(lists: readonly (Term[][] | undefined)[]): Term[][] | undefined {
  const all = lists.flatMap((list) => list ?? []);
  return lists.some((list) => list === undefined) || all.length > limits.cubes ? undefined : all;
}
function product(lists: readonly (Term[][] | undefined)[]): Term[][] | undefined {
  let cubes: Term[][] = [[]];
  for (const list of lists) {
    if (!list || cubes.length * list.length > limits.cubes) return undefined;
    cubes = cubes.flatMap((cube) => list.map((more) => [...cube, ...more]));
  }
  return cubes;
}

export function conjunctsOf(term: Term): readonly Term[] {
  return isApplication(term, 'and') ? term.args : term.kind === 'boolean' && term.value ? [] : [term];
}

/**
 * Reads of written memory, settled as they are in the state at hand: `select(store(a, i, v), j)` is v or a[j] according
 * to whether i = j there. Where the states disagree on that, the result is true.
 */
function resolveAliasing(formula: Term, at: ConcreteView): Term {
  const settled = new Set<Term>();
  const values = new Map<Term, Term>();
  for (const term of postOrder([formula], undefined, (t) => t.kind === 'forall' || t.kind === 'exists')) {
    if (term.kind !== 'apply') {
      values.set(term, term);
      continue;
    }
    let made = rebuild(
      term,
      term.args.map((arg) => values.get(arg)!),
    );
    while (isApplication(made, 'select') && isApplication(made.args[0]!, 'store')) {
      const [array, index, value] = made.args[0].args as readonly [Term, Term, Term];
      const same = L.eq(index, made.args[1]!);
      const holds = same.kind === 'boolean' ? same.value : holdsIn(same, at);
      if (same.kind !== 'boolean') settled.add(holds ? same : L.not(same));
      made = holds ? value : L.select(array, made.args[1]!);
    }
    values.set(term, made);
  }
  const resolved = values.get(formula)!;
  // Settled comparisons matter only where they are not part of the result anyway.
  return settled.size === 0 ? resolved : L.or(L.not(L.and(...settled)), resolved);
}
