/**
 * RefineWithGeneralization (SYNERGY, section 6): where splits at a place diverge (y < 0, y + x < 0, y + 2x < 0, ...),
 * a set around the preimage is cut off that says more. Any set will do that holds the preimage and leaves out the
 * forest state at hand, so each way below only proposes, and the solver says whether the preimage lies inside.
 *
 *   learned      candidates that hold in the forest's states and are inductive, once (Houdini); then bounds, orders and
 *   equations that hold in the region's
 *                states, those of an unsatisfiable core; then the parts of the preimage without which the states are
 *                still outside
 *   interpolate  between the branch that ends in the state at hand and the preimage: interpolants over integers; else
 *   bounds on the state's variables, those of
 *                an unsatisfiable core
 *   widen        the direction in which the last two preimages at the place differ
 */
import * as L from '../../logic/build';
import { isApplication } from '../../logic/intern';
import { sizeOf, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { constantsOf, observablesOf } from '../../abstraction/candidates/observables';
import { templatesOf } from '../../abstraction/candidates/numberTemplates';
import { candidatesFrom, pointerFormulas, type CandidateKind } from '../../abstraction/candidates/candidates';
import { isSameSize } from '../../abstraction/transitionSystem/invariantMap';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { defaultPredicates } from '../../abstraction/predicates/defaultPredicates';
import type { StateNumber } from '../../abstraction/partition/forest';
import { holdsIn } from '../../abstraction/partition/partition';
import { conjunctsOf } from '../../abstraction/partition/preimage';
import type { Region } from '../../abstraction/partition/region';
import { Samples, type ObservableVariable } from '../../abstraction/candidates/samples';
import { houdini } from '../invariants/houdini';
import { interpolants } from '../invariants/interpolants';
import type { Refinement } from './refinementState';

export const generalisations = ['off', 'widen', 'interpolate', 'learned'] as const;
export type Generalisation = (typeof generalisations)[number];

/**
 * Splits at a node from which on refinement counts as divergent. Learning from states loses no query, so it comes
 * earlier.
 */
const divergenceLimits = { learned: 1, interpolate: 1, widen: 2, off: Infinity } as const;
const limits = {
  /** Splits at a node before candidates by cases are generated, which takes longer. */
  splitsBeforeCases: 4,
  /** Fewer states have something in common by chance. */
  leastStates: 3,
  /** Time of one interpolant; most take a twentieth of a second. */
  interpolantMs: 2000,
  /** States of a region that are looked at. */
  states: 400,
} as const;

export class Generaliser {
  private observables: Map<Cutpoint, ObservableVariable[]> | undefined;
  /** Candidates still to be guessed and proved, cheapest first. */
  private readonly stages: CandidateKind[] = ['basic', 'plain', 'split'];

  constructor(
    private readonly refinement: Refinement,
    private readonly kind: Generalisation,
    private readonly stop: () => boolean,
  ) {}

  /** A superset of the preimage without the state; undefined if the preimage itself should be taken. */
  async generalisePreimage(exact: Term, from: Region, state: StateNumber): Promise<Term | undefined> {
    if (this.kind === 'off' || !from.node.point || !this.diverges(from)) return undefined;
    switch (this.kind) {
      case 'learned':
        return (await this.separating(exact, from, state)) ?? this.withoutNeedless(exact, from, state);
      case 'interpolate':
        return (await this.interpolate(exact, from, state)) ?? this.boundAround(exact, from, state);
      case 'widen':
        return this.widen(exact, from, state);
    }
  }

  /**
   * Bounds around the state under which the condition is unsatisfiable; all other symbols of the condition are chosen
   * freely.
   */
  async boundAround(exact: Term, region: Region, state: StateNumber): Promise<Term | undefined> {
    const mentioned = new Set([...symbolsOf(exact), ...region.literals.flatMap((literal) => [...symbolsOf(literal)])]);
    const own = new Set(this.refinement.system.vocabulary.symbolsFor(region.node.point!.fn));
    const bounds: Term[] = [];
    this.refinement.show([state], (_, view) => {
      for (const symbol of mentioned) {
        if (symbol.sort.kind !== 'bits' || !own.has(symbol)) continue;
        const value = L.bits(view.value(symbol) as bigint, symbol.sort.width);
        bounds.push(L.sle(value, symbol), L.sle(symbol, value));
      }
    });
    return this.excluding(exact, region, bounds);
  }

  /** Outside of an interpolant: one of its conjuncts where one is enough, else all. */
  private async interpolate(exact: Term, from: Region, state: StateNumber): Promise<Term | undefined> {
    const { system, options } = this.refinement;
    if (!options.horn) return undefined;
    const found = await interpolants(system, options.horn, this.refinement.along(state), from, exact, {
      arithmetic: 'wrapping',
      timeoutMs: Math.min(limits.interpolantMs, options.query().timeoutMs),
    });
    const here = found.filter((formula) => this.leavesOut(L.not(formula), state));
    for (const candidate of [...here, L.and(...here)].map((formula) => L.not(formula)))
      if (candidate !== L.FALSE && (await this.contains(candidate, exact, from))) return candidate;
    return undefined;
  }

  /** Proves invariants from the forest's states, once refinement diverges at a node. True if there are new ones. */
  async learnInvariants(at: Region): Promise<boolean> {
    const { system, solver, forest, options } = this.refinement;
    const stage = this.stages[0];
    if (
      this.kind !== 'learned' ||
      !stage ||
      !this.diverges(at, stage === 'split' ? limits.splitsBeforeCases : divergenceLimits.learned)
    )
      return false;
    this.stages.shift();
    const observables = this.observablesHere();
    const watched = defaultPredicates(system, new Map(), {
      depth: 3,
      perPoint: 40,
      size: 16,
      contents: true,
      shifts: true,
    });
    const pointers = pointerFormulas(system, observables);
    const samples = new Samples(
      system,
      observables,
      new Map(
        [...watched].map(([point, list]) => [
          point,
          [...new Set([...list.map(({ term }) => term), ...(pointers.get(point) ?? [])])],
        ]),
      ),
    );
    for (const { execution, stepLimit } of forest.runs.slice(0, 40)) {
      samples.begin();
      execution.run(
        (machine) => samples.watch(machine),
        (machine) => {
          if (system.client) samples.record(system.client, machine, undefined);
        },
        Math.min(stepLimit, 50_000),
      );
    }
    const { graph } = this.refinement;
    const candidates = candidatesFrom(system, graph.invariants, samples, constantsOf(system), stage);
    const kept = await houdini(system, graph.invariants, candidates, solver, {
      query: options.query(),
      stop: this.stop,
    });
    if (!kept) return false;
    const before = graph.invariants;
    graph.learn(kept);
    return !isSameSize(before, graph.invariants) || this.learnInvariants(at);
  }

  private diverges({ node }: Region, splits: number = divergenceLimits[this.kind]): boolean {
    return this.refinement.partition.splits.filter(({ region }) => region.node === node).length >= splits;
  }

  private observablesHere(): Map<Cutpoint, ObservableVariable[]> {
    return (this.observables ??= observablesOf(this.refinement.system));
  }

  /** Not the conjunction of what an unsatisfiable core with the preimage needs of the given formulas. */
  private async excluding(exact: Term, region: Region, formulas: readonly Term[]): Promise<Term | undefined> {
    const { refinement } = this;
    const base = [...region.node.known, ...region.literals, exact];
    const holds = async (chosen: readonly Term[]): Promise<readonly Term[] | undefined> => {
      const answer = await refinement.assuming(base, chosen);
      return answer.kind === 'unsat' ? answer.core : undefined;
    };
    let core = await holds(formulas);
    if (!core || core.length === 0) return undefined;
    // Equations say more than bounds: they go first.
    for (const formula of [...core].sort((a, b) => Number(isApplication(b, 'eq')) - Number(isApplication(a, 'eq')))) {
      if (core.length === 1 || core.length > 12) break;
      const smaller = await holds(core.filter((other) => other !== formula));
      if (smaller && smaller.length > 0) core = smaller;
    }
    return L.not(L.and(...core));
  }

  private async separating(exact: Term, region: Region, state: StateNumber): Promise<Term | undefined> {
    const observables = this.observablesHere().get(region.node.point!) ?? [];
    if (observables.length === 0) return undefined;
    const vectors: bigint[][] = [];
    this.refinement.show(this.sample(region, state), (_, view) => {
      if (holdsIn(exact, view)) return;
      vectors.push(
        observables.map(({ term, signed, widthBits }) =>
          signed ? BigInt.asIntN(widthBits, view.value(term) as bigint) : (view.value(term) as bigint),
        ),
      );
    });
    if (new Set(vectors.map(String)).size < limits.leastStates) return undefined;
    const formulas = templatesOf(observables, vectors, constantsOf(this.refinement.system));
    return this.excluding(exact, region, [...formulas].slice(0, 120));
  }

  private async widen(exact: Term, region: Region, state: StateNumber): Promise<Term | undefined> {
    const earlier = this.refinement.partition.splits
      .filter(({ region: other }) => other.node === region.node)
      .flatMap(({ split }) => conjunctsOf(split.predicate))
      .map(differenceOf);
    const candidates = conjunctsOf(exact)
      .map(differenceOf)
      .flatMap((now) =>
        earlier.flatMap((before) => {
          if (!now || !before || now.sort !== before.sort) return [];
          const direction = L.sub(now, before);
          const zero = L.bits(0n, L.widthOf(direction));
          return direction.kind === 'bits'
            ? []
            : [L.slt(direction, zero), L.slt(zero, direction), L.not(L.eq(direction, zero))];
        }),
      );
    for (const candidate of new Set(candidates))
      if (this.leavesOut(candidate, state) && (await this.contains(candidate, exact, region))) return candidate;
    return undefined;
  }

  /** As few parts of the preimage as still leave out the states of the forest that it leaves out. */
  private withoutNeedless(exact: Term, region: Region, state: StateNumber): Term | undefined {
    const parts = [...conjunctsOf(exact)].sort((a, b) => sizeOf(b) - sizeOf(a));
    const outside: ReadonlySet<Term>[] = [];
    this.refinement.show(this.sample(region, state), (_, view) => {
      const failing = new Set(parts.filter((part) => !holdsIn(part, view)));
      if (failing.size > 0) outside.push(failing);
    });
    let kept: readonly Term[] = parts;
    for (const part of parts) {
      const rest = kept.filter((other) => other !== part);
      if (rest.length > 0 && outside.every((failing) => rest.some((other) => failing.has(other)))) kept = rest;
    }
    return kept.length < parts.length ? L.and(...kept) : undefined;
  }

  private sample({ states }: Region, state: StateNumber): StateNumber[] {
    if (states.length <= limits.states) return [...states];
    const chosen = new Set([...states.slice(0, limits.states / 2), state, ...states.slice(-limits.states / 2)]);
    return [...chosen].sort((a, b) => a - b);
  }

  private leavesOut(candidate: Term, state: StateNumber): boolean {
    let out = false;
    this.refinement.show([state], (_, view) => {
      out = !holdsIn(candidate, view);
    });
    return out;
  }

  private async contains(candidate: Term, exact: Term, region: Region): Promise<boolean> {
    return (
      (await this.refinement.check([...region.node.known, ...region.literals, exact, L.not(candidate)])).kind ===
      'unsat'
    );
  }
}

/** `a - b` of a comparison of a and b. */
function differenceOf(literal: Term): Term | undefined {
  if (literal.kind !== 'apply' || literal.args.length !== 2) return undefined;
  const [a, b] = literal.args as readonly [Term, Term];
  switch (literal.operator) {
    case 'signed-less':
    case 'signed-less-equal':
      return L.sub(a, b);
    default:
      return undefined;
  }
}
