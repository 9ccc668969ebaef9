/**
 * Predicates from the program (ISSTA 2006, section 4): its conditions, carried backward to the cutpoints. Conditions
 * of checks come first. If a check is guarded by a comparison with another variable (`size < max` guards `elems[size]`
 * with 8 elements), their resolvent (`max <= 8`) is what the guard lacks.
 */
import * as L from '../../logic/build';
import { atomsOf, substitute, substituteAll, symbolsOf, sizeOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { conjuncts } from '../../semantics/symbolic/segment';
import { type Cutpoint } from '../transitionSystem/cutpoint';
import { type StatePredicate } from './predicateAbstraction';
import {
  canonicalComparison,
  constraintsOf,
  constraintTerm,
  resolvents,
  sumKey,
} from '../../logic/integers/linearConstraints';
import type { TransitionSystem, Transition } from '../transitionSystem/transitionSystem';
import type { Meaning } from '../../semantics/symbolic/vocabulary';

export interface PredicateLimits {
  /** Transitions over which a condition is carried back. */
  readonly depth: number;
  readonly perPoint: number;
  /** The largest formula, in nodes. */
  readonly size: number;
  /** Branch conditions that read arrays, too. */
  readonly contents: boolean;
  /**
   * Also what a step only shifts: `x <= 8` behind `x = x + 1` as `x <= 7`. Without end in a loop, but sometimes what is
   * needed.
   */
  readonly shifts: boolean;
}

/** More predicates each time the invariant was too weak. */
export const predicateLevels: readonly PredicateLimits[] = [
  { depth: 3, perPoint: 16, size: 40, contents: false, shifts: false },
  { depth: 3, perPoint: 20, size: 40, contents: false, shifts: true },
  { depth: 5, perPoint: 32, size: 40, contents: true, shifts: true },
];

const mostSplits = 24;

export function defaultPredicates(
  system: TransitionSystem,
  probes: ReadonlyMap<Cutpoint, readonly StatePredicate[]>,
  limits: PredicateLimits,
): Map<Cutpoint, StatePredicate[]> {
  const collector = new Collector(system, limits);
  for (const [point, given] of probes) for (const predicate of given) collector.give(point, predicate);
  for (const transition of system.transitions) collector.seed(transition);
  for (const transition of system.transitions) collector.branches(transition);
  collector.carryBack();
  return collector.result();
}

class Collector {
  private readonly found = new Map<Cutpoint, Map<Term, StatePredicate>>();
  /** Static data only: these hold at every entry and exit and between calls. */
  private readonly shared = new Map<Term, StatePredicate>();
  private fresh: { point: Cutpoint; term: Term }[] = [];
  /** Guards share most of their literals. */
  private readonly splits = new Map<Term, readonly Term[]>();
  private readonly offered = new Map<Cutpoint, Set<Term>>();

  constructor(
    private readonly system: TransitionSystem,
    private readonly limits: PredicateLimits,
  ) {}

  give(point: Cutpoint, predicate: StatePredicate): void {
    const at = this.at(point);
    if (at.has(predicate.term)) return;
    at.set(predicate.term, predicate);
    this.fresh.push({ point, term: predicate.term });
  }

  seed({ from, segment }: Transition): void {
    if (!from || !segment) return;
    for (const { guard, condition } of segment.obligations) {
      for (const atom of this.split(condition)) this.offer(from, atom);
      const violations = conjuncts(condition)
        .flatMap((part) => this.split(part))
        .map((atom) => L.not(atom));
      const literals = conjuncts(guard);
      for (const violation of violations) {
        for (const literal of literals) {
          const shared = this.areRelated(violation, literal);
          if (!shared) continue;
          for (const atom of this.split(literal)) if (this.limits.contents || !readsArray(atom)) this.offer(from, atom);
          for (const a of constraintsOf(violation)) {
            for (const b of constraintsOf(literal)) {
              for (const resolvent of resolvents(a, b)) {
                const term = constraintTerm(resolvent);
                if (term && (this.limits.contents || !readsArray(term))) this.offer(from, term);
              }
            }
          }
        }
      }
    }
  }

  /** The branch conditions of a segment: what decides where control goes. */
  branches({ from, segment }: Transition): void {
    if (!from || !segment) return;
    for (const condition of segment.conditions)
      for (const atom of this.split(condition)) if (this.limits.contents || !readsArray(atom)) this.offer(from, atom);
  }

  carryBack(): void {
    const into = new Map<Cutpoint, Transition[]>();
    for (const transition of this.system.transitions) {
      for (const point of new Set(transition.ends.map((end) => end.point))) {
        const known = into.get(point);
        if (known) known.push(transition);
        else into.set(point, [transition]);
      }
    }
    for (let round = 0; round < this.limits.depth && this.fresh.length > 0; round++) {
      const current = this.fresh;
      this.fresh = [];
      for (const { point, term } of current) {
        for (const transition of into.get(point) ?? []) this.carry(transition, point, term);
        if (point === this.system.client) this.spread(term);
      }
    }
  }

  result(): Map<Cutpoint, StatePredicate[]> {
    const result = new Map<Cutpoint, StatePredicate[]>();
    const shared = [...this.shared.values()];
    for (const point of this.system.points) {
      // Shared ones first, in one order everywhere: the module's states are then a prefix of those at exits.
      const own = [...this.at(point).values()];
      result.set(point, [...shared, ...own.filter(({ term }) => !this.shared.has(term))]);
    }
    return result;
  }

  private at(point: Cutpoint): Map<Term, StatePredicate> {
    let known = this.found.get(point);
    if (!known) this.found.set(point, (known = new Map()));
    return known;
  }

  private spread(term: Term): void {
    for (const point of this.system.points)
      if (point.kind === 'exit' || point.kind === 'entry') this.offer(point, term);
  }

  private carry(transition: Transition, point: Cutpoint, term: Term): void {
    const { from, ends, summary } = transition;
    if (!from) return;
    for (const end of ends) {
      if (end.point !== point) continue;
      const before = substitute(term, this.system.vocabulary.bindingIn([term], point.fn, end.state));
      const sumBefore = this.limits.shifts ? undefined : sumKey(term);
      for (const atom of this.split(before)) {
        if (sumBefore !== undefined && atom !== term && sumKey(atom) === sumBefore) continue;
        this.offer(from, atom);
        if (summary) this.offerAtExit(summary.exit, atom, summary.exitState);
      }
    }
    // Exits of a module's entries are where the client goes on.
    if (this.system.client && point === this.system.client) return;
    if (transition.kind === 'client' && point === ends[0]!.point) this.offer(this.system.client!, term);
  }

  /** Offers the callee's exit what the caller wants to know after a call: fresh symbols become the callee's own. */
  private offerAtExit(
    exit: Cutpoint,
    atom: Term,
    exitState: Parameters<TransitionSystem['vocabulary']['binding']>[1],
  ): void {
    const back = new Map<Term, Term>();
    for (const [symbol, value] of this.system.vocabulary.binding(exit.fn, exitState))
      if (value.kind === 'symbol') back.set(value, symbol);
    this.offer(exit, substituteAll([atom], back)[0]!);
  }

  private offer(point: Cutpoint, term: Term): void {
    const at = this.at(point);
    if (at.size >= this.limits.perPoint) return;
    const atom = term.kind === 'apply' && term.operator === 'not' ? term.args[0]! : term;
    const offered = this.offered.get(point) ?? new Set<Term>();
    if (offered.has(atom)) return;
    this.offered.set(point, offered.add(atom));
    const canonical = canonicalComparison(atom);
    const positive =
      canonical?.kind === 'apply' ? (canonical.operator === 'not' ? canonical.args[0]! : canonical) : atom;
    if (!this.limits.contents && isExtreme(positive)) return;
    if (positive.kind === 'boolean' || sizeOf(positive) > this.limits.size || !this.speaksAt(point, positive)) return;
    if (at.has(positive)) return;
    const predicate: StatePredicate = { term: positive, name: undefined };
    at.set(positive, predicate);
    this.fresh.push({ point, term: positive });
    const { client } = this.system;
    if (!client || this.shared.has(positive) || this.shared.size >= this.limits.perPoint) return;
    if ((point.kind === 'entry' || point === client) && this.speaksAt(client, positive)) {
      this.shared.set(positive, predicate);
      this.fresh.push({ point: client, term: positive });
    }
  }

  /** Every symbol means something at the point, and the term can be computed. */
  private speaksAt(point: Cutpoint, term: Term): boolean {
    const { vocabulary } = this.system;
    for (const symbol of symbolsOf(term)) {
      const meaning = vocabulary.meaning(symbol);
      if (!meaning || !inScope(meaning, point)) return false;
    }
    return computable(term);
  }

  /** Atoms of a formula, with conditional terms and array writes taken apart. */
  private split(formula: Term): readonly Term[] {
    const known = this.splits.get(formula);
    if (known) return known;
    const atoms: Term[] = [];
    const work = [...atomsOf(formula)];
    const seen = new Set<Term>(work);
    for (let atom = work.shift(); atom && seen.size < mostSplits * 4; atom = work.shift()) {
      const inner = conditionalIn(atom);
      if (!inner) {
        if (atom.kind !== 'boolean') atoms.push(atom);
        if (atoms.length >= mostSplits) break;
        continue;
      }
      const parts = [
        ...atomsOf(inner.condition),
        ...[inner.then, inner.otherwise].flatMap((value) => atomsOf(substitute(atom, new Map([[inner.term, value]])))),
      ];
      for (const part of parts)
        if (!seen.has(part)) {
          seen.add(part);
          work.push(part);
        }
    }
    this.splits.set(formula, atoms);
    return atoms;
  }

  private areRelated(a: Term, b: Term): boolean {
    const symbols = symbolsOf(a);
    for (const symbol of symbolsOf(b)) if (symbols.has(symbol) && symbol.sort.kind !== 'array') return true;
    return false;
  }
}

/** True if a predicate of the point may mention it. */
export function inScope(meaning: Meaning, point: Cutpoint): boolean {
  switch (meaning.kind) {
    // A client may make objects of its own at any time, so nothing may depend on how many there are.
    case 'memory':
      return (
        meaning.memory.role.kind !== 'allocation-counter' &&
        (meaning.memory.role.kind !== 'slot' ||
          meaning.memory.role.single?.kind !== 'frame' ||
          (meaning.memory.role.single.function === point.fn && point.kind !== 'entry' && point.kind !== 'exit'))
      );
    case 'object':
      return meaning.function === point.fn && point.kind !== 'entry' && point.kind !== 'exit';
    case 'variable':
      if (meaning.variable.scope === 'global') return true;
      if (meaning.function !== point.fn) return false;
      if (point.kind === 'entry') return point.fn.parameters.includes(meaning.variable);
      if (point.kind === 'exit')
        return point.fn.parameters.includes(meaning.variable) || meaning.variable === point.fn.resultVariable;
      return true;
  }
}

/** `x == INT_MIN` and the like: what overflow checks say at the ends, where other predicates usually say more. */
function isExtreme(term: Term): boolean {
  if (term.kind !== 'apply' || term.operator !== 'eq') return false;
  return term.args.some((arg) => {
    if (arg.kind !== 'bits' || arg.sort.width < 8) return false;
    const half = 1n << BigInt(arg.sort.width - 1);
    const distance = arg.value > half ? arg.value - half : half - arg.value;
    return distance <= 4n;
  });
}

/** True if its value is known in a concrete state. */
export function computable(term: Term): boolean {
  const seen = new Set<Term>([term]);
  for (const t of seen) {
    if (t.kind === 'forall' || t.kind === 'exists') return false;
    if (t.kind !== 'apply') continue;
    if ((t.operator === 'call' && !/^float-(eq|lt|le)-/.test(t.name!)) || t.operator === 'store') return false;
    if (t.operator === 'eq' && t.args[0]!.sort.kind === 'array') return false;
    for (const arg of t.args) seen.add(arg);
  }
  return true;
}

function readsArray(term: Term): boolean {
  const seen = new Set<Term>([term]);
  for (const t of seen) {
    if (t.kind !== 'apply') continue;
    if (t.operator === 'select' && t.sort.kind === 'bits' && !isBookkeeping(t.args[0]!)) return true;
    for (const arg of t.args) seen.add(arg);
  }
  return false;
}
function isBookkeeping(array: Term): boolean {
  return (
    array.kind === 'symbol' &&
    (array.name === '#size' ||
      array.name === '#live' ||
      array.name === '#heap' ||
      array.name.endsWith('.object') ||
      array.name.endsWith('.offset'))
  );
}

/** An inner conditional term of an atom, or an array read behind a write, which is one in disguise. */
function conditionalIn(atom: Term): { term: Term; condition: Term; then: Term; otherwise: Term } | undefined {
  const seen = new Set<Term>([atom]);
  for (const t of seen) {
    if (t.kind !== 'apply') continue;
    if (t.operator === 'ite' && t !== atom)
      return { term: t, condition: t.args[0]!, then: t.args[1]!, otherwise: t.args[2]! };
    if (t.operator === 'select') {
      const array = t.args[0]!;
      const index = t.args[1]!;
      if (array.kind === 'apply' && array.operator === 'store')
        return {
          term: t,
          condition: L.eq(array.args[1]!, index),
          then: array.args[2]!,
          otherwise: L.select(array.args[0]!, index),
        };
      if (array.kind === 'apply' && array.operator === 'ite')
        return {
          term: t,
          condition: array.args[0]!,
          then: L.select(array.args[1]!, index),
          otherwise: L.select(array.args[2]!, index),
        };
    }
    for (const arg of t.args) seen.add(arg);
  }
  return undefined;
}
