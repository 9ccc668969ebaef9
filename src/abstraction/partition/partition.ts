/**
 * The partition of the state space into regions, with the steps that may lead from one to another. At first every place
 * is one region and every step an edge. A split gives both halves the edges of the whole; an edge goes when a query
 * shows that no state takes it, and never comes back (DASH, "Proofs from Tests", ISSTA 2008, section 3).
 */
import { compile } from '../../logic/compile';
import { NotComputable } from '../../logic/evaluate';
import type { Term } from '../../logic/term';
import type { ConcreteView } from '../transitionSystem/concreteView';
import type { StateNumber } from './forest';
import { Region, type Split } from './region';
import { RemovedReturns } from './notMaySummaries';
import type { GraphNode, Step, TransitionGraph } from '../transitionSystem/transitionGraph';

export interface AbstractEdge {
  readonly from: Region;
  readonly step: Step;
  readonly to: Region;
  /** Returns only: how the callee begins and ends. Undefined: somehow. */
  readonly over?: { readonly entry: Region; readonly exit: Region };
}
/**
 * From the start to the error: the region each edge leads into. A return comes after the callee's own edges, and its
 * `from` is where the call was made.
 */
export type AbstractPath = readonly AbstractEdge[];

export class Partition {
  readonly start: Region;
  readonly error: Region;
  readonly splits: {
    readonly region: Region;
    readonly split: Split;
    readonly inside: Region;
    readonly outside: Region;
  }[] = [];
  removed = 0;
  private readonly current = new Map<GraphNode, Region[]>();
  private readonly leaving = new Map<Region, Map<Step, Set<Region>>>();
  private readonly arriving = new Map<Region, Map<Step, Set<Region>>>();
  private readonly notMaySummaries = new RemovedReturns();
  private readonly regionByState: Region[] = [];
  private readonly whole = new Map<GraphNode, Region>();
  private nextId = 0;

  constructor(readonly graph: TransitionGraph) {
    for (const node of graph.nodes) {
      const region = new Region(this.nextId++, node, [], undefined, undefined);
      this.current.set(node, [region]);
      this.whole.set(node, region);
      this.leaving.set(region, new Map());
      this.arriving.set(region, new Map());
    }
    this.start = this.at(graph.start)[0]!;
    this.error = this.at(graph.error)[0]!;
    for (const step of graph.steps) this.connect({ from: this.at(step.from)[0]!, step, to: this.at(step.to)[0]! });
  }

  regionOf(state: StateNumber): Region {
    return this.regionByState[state]!;
  }

  /**
   * Finds the region of a new state of the forest. What cannot be computed counts as false: regions of states guide the
   * search, proofs do not rest on them.
   */
  add(state: StateNumber, node: GraphNode, show: () => ConcreteView | undefined): Region {
    let region = this.whole.get(node)!;
    const view = region.halves && show();
    while (region.halves)
      region =
        view && holdsIn(region.halves.inside.split!.predicate, view) ? region.halves.inside : region.halves.outside;
    region.states.push(state);
    this.regionByState[state] = region;
    return region;
  }

  /** Forgets the states from this one on. */
  forget(first: StateNumber): void {
    for (const { states } of this.regions)
      while (states.length > 0 && states[states.length - 1]! >= first) states.pop();
    this.regionByState.length = Math.min(this.regionByState.length, first);
  }

  at(node: GraphNode): readonly Region[] {
    return this.current.get(node)!;
  }

  get regions(): readonly Region[] {
    return this.graph.nodes.flatMap((node) => this.at(node));
  }

  edgesFrom(region: Region): AbstractEdge[] {
    return [...(this.leaving.get(region) ?? [])].flatMap(([step, targets]) =>
      [...targets].map((to) => ({ from: region, step, to })),
    );
  }

  edgesTo(region: Region): AbstractEdge[] {
    return [...(this.arriving.get(region) ?? [])].flatMap(([step, sources]) =>
      [...sources].map((from) => ({ from, step, to: region })),
    );
  }

  has(edge: AbstractEdge): boolean {
    const { from, step, to, over } = edge;
    return (
      (this.leaving.get(from)?.get(step)?.has(to) ?? false) && !(over && this.notMaySummaries.has({ ...edge, over }))
    );
  }

  remove(edge: AbstractEdge): void {
    const { from, step, to, over } = edge;
    if (over) {
      if (this.notMaySummaries.add({ ...edge, over })) this.removed++;
      return;
    }
    if (this.leaving.get(from)?.get(step)?.delete(to)) this.removed++;
    this.arriving.get(to)?.get(step)?.delete(from);
  }

  /**
   * The region becomes two, in which the predicate holds and does not hold. `holds` places the states of the forest.
   */
  split(
    region: Region,
    split: Split,
    negated: Term,
    holds: ReadonlySet<number>,
  ): { readonly inside: Region; readonly outside: Region } {
    const { node } = region;
    const make = (literal: Term, states: number[]): Region => {
      const made = new Region(this.nextId++, node, [...region.literals, literal], region, split);
      made.states = states;
      this.leaving.set(made, new Map());
      this.arriving.set(made, new Map());
      return made;
    };
    const inside = make(
      split.predicate,
      region.states.filter((state) => holds.has(state)),
    );
    const outside = make(
      negated,
      region.states.filter((state) => !holds.has(state)),
    );
    region.halves = { inside, outside };
    for (const half of [inside, outside]) for (const state of half.states) this.regionByState[state] = half;
    const halves = [inside, outside];
    const [before, after] = [this.edgesTo(region), this.edgesFrom(region)];
    for (const edge of new Set([...before, ...after])) {
      const sources = edge.from === region ? halves : [edge.from];
      const targets = edge.to === region ? halves : [edge.to];
      for (const from of sources) for (const to of targets) this.connect({ from, step: edge.step, to });
    }
    for (const { from, step, to } of [...before, ...after]) {
      this.leaving.get(from)?.get(step)?.delete(to);
      this.arriving.get(to)?.get(step)?.delete(from);
    }
    this.leaving.delete(region);
    this.arriving.delete(region);
    this.notMaySummaries.split(region, halves);
    const list = this.current.get(node)!;
    list.splice(list.indexOf(region), 1, inside, outside);
    this.splits.push({ region, split, inside, outside });
    return { inside, outside };
  }

  /** A shortest path from the start to the error, not using the edges that `avoid` names. */
  errorPath(avoid: (edge: AbstractEdge) => boolean = () => false): AbstractPath | undefined {
    return this.shortestPath([this.start], (region) => region === this.error, avoid);
  }

  shortestPath(
    sources: readonly Region[],
    isTarget: (region: Region) => boolean,
    avoid: (edge: AbstractEdge) => boolean = () => false,
  ): AbstractPath | undefined {
    const reachedBy = new Map<Region, AbstractEdge | undefined>(sources.map((region) => [region, undefined]));
    for (const region of reachedBy.keys()) {
      if (isTarget(region)) {
        const path: AbstractEdge[] = [];
        for (let edge = reachedBy.get(region); edge; edge = reachedBy.get(edge.from)) path.push(edge);
        return path.reverse();
      }
      for (const edge of this.edgesFrom(region))
        if (!reachedBy.has(edge.to) && !avoid(edge)) reachedBy.set(edge.to, edge);
    }
    return undefined;
  }

  private connect({ from, step, to }: AbstractEdge): void {
    const put = (table: Map<Region, Map<Step, Set<Region>>>, a: Region, b: Region): void => {
      const steps = table.get(a)!;
      const others = steps.get(step);
      if (others) others.add(b);
      else steps.set(step, new Set([b]));
    };
    put(this.leaving, from, to);
    put(this.arriving, to, from);
  }
}

/** Does a formula hold in a state of the forest? What our evaluator cannot compute does not. */
export function holdsIn(formula: Term, view: ConcreteView): boolean {
  try {
    return compile(formula)(view.value) === true;
  } catch (error) {
    if (error instanceof NotComputable) return false;
    throw error;
  }
}
