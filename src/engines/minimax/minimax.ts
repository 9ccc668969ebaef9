/**
 * Minimax: symbolic execution with interpolants.
 *
 * > Joxan Jaffar, Jorge A. Navas, Andrew E. Santosa: *Unbounded Symbolic Execution for Program Verification*. RV 2011.
 *
 * Figure 5 of the paper, in its words:
 *
 *     minimax(state):
 *       infeasible                      -> what excludes it becomes max               (exclude)
 *       the error, feasible             -> a bug, or a conflict with what was dropped (fail)
 *       the end                         -> ok
 *       subsumed by a finished state    -> ok, with what that takes                   (cover)
 *       subsumed by a looping ancestor, after it drops what is not invariant  -> ok   (close)
 *       else                            -> each successor, feasible ones first        (expand)
 *       a conflict with this state      -> lock the constraints, search again         (search)
 *
 * Departures. Constraints that a loop's head keeps are tagged with what they support (`constraints.ts`); without that
 * the figure proves programs that fail. States are vectors at the heads of loops only, in terms of the symbols there;
 * between them a state is a path. Interpolants are weakest preconditions by default (`labels.ts`). A path whose
 * infeasibility no constraint explains adds one, its weakest precondition. The result proves nothing by itself: the
 * labels are an invariant by location, which the certificate's checker discharges.
 */
import { relevanceOf } from '../../abstraction/candidates/observables';
import { type GraphNode, type Step, symbolsOfFrames } from '../../abstraction/transitionSystem/transitionGraph';
import * as L from '../../logic/build';
import type { SymbolTerm, Term, Value } from '../../logic/term';
import type { Scenario } from '../../evidence/scenarios/scenario';
import type { Reason } from '../../verdict';
import { isLargeWithoutReads } from './abstractReads';
import { Annotations } from './annotations';
import { conjunction } from './conjunction';
import { cascade, StateConstraint, Head, isAlive, restore, settle, snapshotOf } from './constraints';
import { conflictOf, type Conflict } from './conflict';
import { Interpolants } from './interpolants';
import { projection, type Vocabularies } from './projection';
import type { Described, Possible, Questions } from './questions';
import type { Literal, MinimaxStatistics, SearchGraph, TreeNode } from './searchTree';
import { SymbolicPath } from './symbolicPath';
import { WitnessState } from './witness';

export interface MinimaxOptions {
  /**
   * `precondition`: weakest preconditions. `halves`, `subset`: constraints of the state, equations in halves or whole.
   * `none`: plain symbolic execution; no state covers another.
   */
  readonly interpolants: 'precondition' | 'halves' | 'subset' | 'none';
  readonly order: 'feasible-first' | 'infeasible-first' | 'text';
  /** Equations in the vectors of heads: as two inequalities, of which one may be dropped, or whole. */
  readonly equations: 'slackened' | 'whole';
  /** Rounds for which a loop is followed before it is closed. */
  readonly follow: (place: GraphNode) => number;
  /** Rounds for which a loop is followed where constants decide whether there is another one. */
  readonly decidedRounds: (place: GraphNode) => number;
  /** Rounds after which runs left the loop, if all left it soon. */
  readonly usualRounds: (place: GraphNode) => number | undefined;
  /** Terms that may hold at the place. */
  readonly candidates: (place: GraphNode) => readonly Term[];
  readonly nodes: number;
  readonly stop: () => Reason | undefined;
  /** A scenario that takes the path to the error; that there is none; or why neither is known. */
  readonly realise: (path: readonly Step[]) => Promise<Scenario | 'infeasible' | Reason>;
  readonly log?: (event: MinimaxEvent) => void;
}

export type MinimaxEvent =
  | { readonly kind: 'node' | 'ended'; readonly node: TreeNode }
  | { readonly kind: 'infeasible'; readonly node: TreeNode; readonly step: Step; readonly literal: Term }
  | { readonly kind: 'covered'; readonly node: TreeNode; readonly by: TreeNode }
  | {
      readonly kind: 'closed';
      readonly node: TreeNode;
      readonly by: Head;
      readonly dropped: readonly StateConstraint[];
    }
  | { readonly kind: 'labelled'; readonly node: TreeNode }
  /** A path to the error; real, if an execution takes it. */
  | { readonly kind: 'failing'; readonly node: TreeNode; readonly step: Step; readonly isReal: boolean }
  | { readonly kind: 'restart'; readonly head: Head; readonly locked: readonly Term[] };

export type MinimaxResult =
  | { readonly kind: 'closed' }
  | { readonly kind: 'fails'; readonly scenario: Scenario }
  | { readonly kind: 'unknown'; readonly reason: Reason };

type Searched = 'closed' | ({ readonly kind: 'conflict' } & Conflict) | Exclude<MinimaxResult, { kind: 'closed' }>;

export const emptyStatistics = (): MinimaxStatistics => ({
  nodes: 0,
  infeasible: 0,
  covered: 0,
  closed: 0,
  restarts: 0,
  final: 0,
  questions: 0,
  avoided: 0,
});

export class Minimax {
  readonly statistics: MinimaxStatistics = emptyStatistics();
  /** Finished nodes that went on, in the order in which they were finished. */
  readonly finished = new Map<GraphNode, TreeNode[]>();
  private readonly vocabularies: Vocabularies;
  private readonly heads: ReadonlySet<GraphNode>;
  /** From the others no step leads to the error. */
  private readonly dangerous: ReadonlySet<GraphNode>;
  private readonly learned = new Map<GraphNode, Set<Term>>();
  /** Terms that may not be dropped at a loop's head, by its place. */
  readonly locked = new Map<GraphNode, Set<Term>>();
  private readonly rounds = new Map<GraphNode, number>();
  private readonly locksAt = new Map<GraphNode, number>();
  private readonly annotations: Annotations;
  private readonly interpolants: Interpolants;
  private readonly root = new Head(undefined, undefined, 'followed');
  private nextId = 0;

  constructor(
    private readonly graph: SearchGraph,
    private readonly questions: Questions,
    private readonly options: MinimaxOptions,
    statistics?: MinimaxStatistics,
  ) {
    if (statistics) this.statistics = statistics;
    this.vocabularies = { graph, relevance: relevanceOf(graph.system) };
    this.heads = headsOf(graph);
    this.dangerous = dangerousIn(graph);
    this.annotations = new Annotations(questions);
    this.interpolants = new Interpolants(this.vocabularies, questions, this.annotations, options.interpolants);
  }

  async run(): Promise<MinimaxResult> {
    const start: TreeNode = {
      id: this.nextId++,
      parent: undefined,
      step: undefined,
      place: this.graph.start,
      above: this.root,
      arrival: SymbolicPath.from([]),
      arrived: undefined,
      head: this.root,
      path: SymbolicPath.from([]),
      witness: new WitnessState(new Map()),
      leaf: undefined,
      by: undefined,
      next: new Map(),
      label: undefined,
    };
    const searched = await this.expand(start);
    if (searched === 'closed') {
      for (const nodes of this.finished.values()) this.statistics.final += nodes.length;
      return { kind: 'closed' };
    }
    // A query that was not sent is no reason of its own.
    const stopped = searched.kind === 'fails' ? undefined : this.options.stop();
    if (stopped) return { kind: 'unknown', reason: stopped };
    return searched.kind === 'conflict' ? unknown('the start has nothing to be locked') : searched;
  }

  /** The node and all below it. */
  private async search(node: TreeNode): Promise<Searched> {
    // Synchronous calls would nest as deep as the path is long.
    await undefined;
    const stopped = this.options.stop();
    if (stopped) return { kind: 'unknown', reason: stopped };
    if (this.statistics.nodes > this.options.nodes) return unknown(`the tree has ${this.options.nodes} nodes`);
    this.options.log?.({ kind: 'node', node });
    if (!this.dangerous.has(node.place)) return this.end(node);
    if (await this.cover(node)) return 'closed';
    if (!this.heads.has(node.place)) return this.expand(node);
    if (await this.close(node)) return 'closed';
    return this.loop(node);
  }

  private end(node: TreeNode): 'closed' {
    node.leaf = 'end';
    node.label = [];
    this.finish(node);
    this.options.log?.({ kind: 'ended', node });
    return 'closed';
  }

  /** A node at the head of a loop: searched again as long as paths below need what was dropped here. */
  private async loop(node: TreeNode): Promise<Searched> {
    const head = await this.headAt(node);
    const before = snapshotOf(node.above.chain);
    for (;;) {
      const searched = await this.expand(node);
      if (searched !== 'closed' && !(searched.kind === 'conflict' && searched.head === head)) return searched;
      if (searched === 'closed') {
        settle(head);
        if (head.closings > 0)
          node.label = head.kept.map(({ term, isMax, tags, core }) => ({
            term,
            needs: isMax ? 'always' : new Set(tags),
            core: core ?? [],
          }));
        else {
          const label: Literal[] = [];
          for (const literal of node.label!)
            label.push({ ...literal, core: await this.annotations.outside(literal.core) });
          node.label = label;
        }
        return 'closed';
      }
      restore(before);
      this.forget(node);
      const locked = await this.lock(head, searched);
      if (!locked) return unknown('what a failing path needs is no property of the states at the loop');
      this.statistics.restarts++;
      this.options.log?.({ kind: 'restart', head, locked: searched.locks });
    }
  }

  /** The vector at the node's head: what its state says over the symbols there. */
  private async headAt(node: TreeNode): Promise<Head> {
    const { place, above, arrived } = node;
    const before = above.chain.filter((other) => other.node?.place === place).length;
    const isClosable = this.options.interpolants !== 'none' && !this.isFollowed(node, before);
    const head = new Head(node, above, isClosable ? 'closable' : 'followed');
    above.inner = head;
    const { interpolants, equations } = this.options;
    const halves = interpolants !== 'subset' && equations === 'slackened';
    for (const { term, bound } of projection(this.vocabularies, place, arriving(node), halves))
      head.constraints.push(new StateConstraint(head, term, bound));
    const known = new Set(head.constraints.map(({ term }) => term));
    const more = [...this.options.candidates(place), ...(this.learned.get(place) ?? [])].filter(
      (term) => !known.has(term),
    );
    for (const term of await this.annotations.impliedOf(node, more))
      head.constraints.push(new StateConstraint(head, term));
    node.head = head;
    node.path = SymbolicPath.from(axiomsAt(place));
    if (arrived) node.witness = this.atPlace(node);
    return head;
  }

  /** The state of the witness at the node's place; undefined: there is none, or a value is beyond computing. */
  private atPlace({ place, arrival, arrived }: TreeNode): WitnessState | undefined {
    if (!arrived) return undefined;
    const own = symbolsOfFrames(this.graph.framesAt(place), this.graph.system);
    const values = arrival.read(own).map((term) => arrived.evaluate(term));
    return values.includes(undefined)
      ? undefined
      : new WitnessState(new Map(own.map((symbol, i): [SymbolTerm, Value] => [symbol, values[i]!])));
  }

  /** Forgets what was found below the node. */
  private forget(node: TreeNode): void {
    for (const [place, nodes] of this.finished)
      this.finished.set(
        place,
        nodes.filter(({ id }) => id < node.id),
      );
  }

  /** Begins anew at the head, with constraints that may not be dropped. False: they do not hold there. */
  private async lock(head: Head, { locks, learned }: Conflict): Promise<boolean> {
    for (const [place, terms] of learned) {
      if (!this.learned.has(place)) this.learned.set(place, new Set());
      for (const term of terms) this.learned.get(place)!.add(term);
    }
    const place = head.node!.place;
    const count = (this.locksAt.get(place) ?? 0) + 1;
    this.locksAt.set(place, count);
    // A loop that is locked again and again would be unrolled by one round each time.
    const { usualRounds } = this.options;
    if (count > 1) this.rounds.set(place, Math.max(2, 2 * this.roundsAt(place), usualRounds(place) ?? 0));
    const locked = head.constraints.filter(({ isLocked }) => isLocked);
    head.closings = 0;
    head.restarts++;
    for (const constraint of head.constraints) {
      constraint.isKept = true;
      constraint.isMax = false;
      constraint.tags.clear();
    }
    if (!this.locked.has(place)) this.locked.set(place, new Set());
    for (const term of locks) {
      this.locked.get(place)!.add(term);
      let constraint = head.constraints.find((other) => other.term === term);
      if (!constraint) head.constraints.push((constraint = new StateConstraint(head, term)));
      if (!locked.includes(constraint)) locked.push(constraint);
    }
    const terms = locked.map(({ term }) => term);
    if ((await this.annotations.impliedOf(head.node!, terms)).length < terms.length) return false;
    for (const constraint of locked) {
      constraint.isLocked = true;
      if (!(await this.annotations.makeMax(constraint))) return false;
    }
    return true;
  }

  /** The loop goes round rather than being closed at the node; `before`: heads at its place on the path. */
  private isFollowed(node: TreeNode, before: number): boolean {
    if (before < this.roundsAt(node.place)) return true;
    if (before >= this.options.decidedRounds(node.place)) return false;
    return this.isDecided(node);
  }

  /** Constants decide which way the next branch goes, which may lie behind a head that all executions pass. */
  private isDecided({ above: head, arrival, place: start }: TreeNode): boolean {
    let path = arrival;
    for (let place = start; ;) {
      const steps = place.leaving.filter((step) => step.kind !== 'error');
      const [only] = steps;
      if (!only) return false;
      if (steps.length > 1) {
        const state: Described = { head, path, witness: undefined };
        return (
          steps.filter((step) => !this.questions.isRefuted(state, path.conditionOf(step, this.nextId))).length === 1
        );
      }
      path = path.along(only, this.nextId);
      place = only.to;
      if (this.heads.has(place)) return false;
    }
  }

  private roundsAt(place: GraphNode): number {
    return this.rounds.get(place) ?? this.options.follow(place);
  }

  /** A finished node at the place covers the node: from all its states the subtree is closed. */
  private async cover(node: TreeNode): Promise<boolean> {
    if (this.options.interpolants === 'none' || (node.place.arriving.length < 2 && !this.heads.has(node.place)))
      return false;
    const others = this.finished.get(node.place) ?? [];
    if (others.length === 0) return false;
    const state = arriving(node);
    const witness = this.atPlace(node);
    for (const other of [...others].reverse()) {
      const literals = other.label!.filter(({ needs }) => isAlive(needs));
      if (witness && literals.some(({ term }) => witness.evaluate(term) === false)) continue;
      const label = await this.interpolants.ofCover(state, literals);
      if (!label) continue;
      node.leaf = 'covered';
      node.by = other;
      node.label = label;
      this.statistics.covered++;
      this.options.log?.({ kind: 'covered', node, by: other });
      return true;
    }
    return false;
  }

  /** An ancestor at the same place describes the node, once it has dropped what is not invariant. */
  private async close(node: TreeNode): Promise<boolean> {
    const ancestors = node.above.chain.filter((head) => head.node?.place === node.place && head.loop === 'closable');
    for (const head of ancestors) {
      const before = snapshotOf(node.above.chain);
      const kept = head.kept;
      if (!(await this.invariant(head, node))) {
        restore(before);
        continue;
      }
      head.closings++;
      node.leaf = 'closed';
      node.by = head.node;
      this.statistics.closed++;
      const dropped = kept.filter(({ isKept }) => !isKept);
      this.options.log?.({ kind: 'closed', node, by: head, dropped });
      return true;
    }
    return false;
  }

  /**
   * Drops constraints of the head that the node does not imply, or that no query explains. False: one of them must be
   * kept.
   */
  private async invariant(head: Head, node: TreeNode): Promise<boolean> {
    const state = arriving(node);
    const drop = async (constraints: readonly StateConstraint[]): Promise<boolean> => {
      const dropped = cascade(constraints, node.above.chain);
      return dropped !== undefined && this.annotations.drop(dropped, node.above.chain);
    };
    for (;;) {
      const kept = head.kept;
      const terms = kept.map(({ term }) => term);
      const broken = await this.annotations.findBroken(state, terms);
      if (broken.size > 0) {
        if (!(await drop(kept.filter(({ term }) => broken.has(term))))) return false;
        continue;
      }
      const cores = new Map<StateConstraint, readonly StateConstraint[]>();
      const unexplained: StateConstraint[] = [];
      for (const constraint of kept) {
        const core = await this.annotations.coreIn(state, constraint.term);
        if (core) cores.set(constraint, core);
        else unexplained.push(constraint);
      }
      if (unexplained.length > 0) {
        if (!(await drop(unexplained))) return false;
        continue;
      }
      const label: Literal[] = [];
      for (const [constraint, core] of cores) {
        const needs = new Set([constraint]);
        if (!(await this.annotations.need(core, needs))) return false;
        label.push({ term: constraint.term, needs, core });
      }
      node.label = label;
      return true;
    }
  }

  private async expand(node: TreeNode): Promise<Searched> {
    node.next.clear();
    const { order } = this.options;
    const label: Literal[] = [];
    const later: Step[] = [];
    let now = [...node.place.leaving];
    if (order === 'infeasible-first') {
      const feasible: Step[] = [];
      const infeasible: Step[] = [];
      for (const step of now) ((await this.isFeasible(node, step)) ? feasible : infeasible).push(step);
      now = [...infeasible, ...feasible];
    }
    for (const isLast of [false, true]) {
      for (const step of isLast ? later : now) {
        // The query waits for the step's turn: constraints dropped for earlier successors count.
        const isExplained = node.head.isAnnotated && (isLast || order !== 'feasible-first');
        const condition = node.path.conditionOf(step, this.nextId);
        const answer = await this.questions.possible(node, condition, isExplained ? 'core' : 'no core');
        if (answer.kind === 'impossible') {
          if (!isLast && order === 'feasible-first') {
            later.push(step);
            continue;
          }
          if (!this.dangerous.has(step.to)) {
            this.statistics.infeasible++;
            continue;
          }
          const literals = await this.interpolants.exclude(node, step, answer.core);
          const isUsable = literals && !literals.some(({ term }) => isLargeWithoutReads(term));
          if (literals && (isUsable || step.kind === 'error')) {
            this.statistics.infeasible++;
            this.statistics.nodes++;
            label.push(...literals);
            const literal = L.and(...literals.map(({ term }) => term));
            this.options.log?.({ kind: 'infeasible', node, step, literal });
            continue;
          }
          if (step.kind === 'error')
            return unknown('why a path is infeasible could not be said of the state before it');
        }
        this.statistics.nodes++;
        if (step.kind === 'error') {
          const failed = await this.fail(node, step);
          if (failed) return failed;
          continue;
        }
        const child = this.child(node, step, answer);
        const searched = await this.search(child);
        if (searched !== 'closed') return searched;
        node.next.set(step, child.by ?? child);
        if (node.parent === undefined) continue;
        const literals = await this.interpolants.before(node, child);
        if (!literals) return unknown('a label could not be carried backwards');
        label.push(...literals);
      }
    }
    node.label = conjunction(label);
    this.finish(node);
    this.options.log?.({ kind: 'labelled', node });
    return 'closed';
  }

  private async isFeasible(node: TreeNode, step: Step): Promise<boolean> {
    return (
      (await this.questions.possible(node, node.path.conditionOf(step, this.nextId), 'no core')).kind !== 'impossible'
    );
  }

  /**
   * A child beyond a step. Of a step that is not known to be possible, conditions that make later queries hard are
   * forgotten; one that is impossible for a reason which cannot be said well is taken without its conditions.
   */
  private child(parent: TreeNode, step: Step, answer: Possible): TreeNode {
    const id = this.nextId++;
    const arrival = parent.path.along(step, id, forgotten[answer.kind]);
    const witness = answer.kind === 'possible' ? answer.witness : undefined;
    const { head } = parent;
    return {
      id,
      parent,
      step,
      place: step.to,
      above: head,
      arrival,
      arrived: witness,
      head,
      path: arrival,
      witness,
      leaf: undefined,
      by: undefined,
      next: new Map(),
      label: undefined,
    };
  }

  /** The error can be reached from what is kept: really, or only since something was dropped. */
  private async fail(node: TreeNode, step: Step): Promise<Exclude<Searched, 'closed'> | undefined> {
    const steps: Step[] = [step];
    for (let at: TreeNode | undefined = node; at?.step; at = at.parent) steps.unshift(at.step);
    const real = await this.options.realise(steps);
    if (real !== 'infeasible' && 'cause' in real) return { kind: 'unknown', reason: real };
    this.options.log?.({ kind: 'failing', node, step, isReal: real !== 'infeasible' });
    if (real !== 'infeasible') return { kind: 'fails', scenario: real };
    const found = await conflictOf(node, node.path.conditionOf(step, this.nextId), this.questions, this.graph);
    return found === undefined
      ? unknown('why a path to the error is infeasible could not be said of the states at loops')
      : { kind: 'conflict', ...found };
  }

  private finish(node: TreeNode): void {
    const nodes = this.finished.get(node.place);
    if (nodes) nodes.push(node);
    else this.finished.set(node.place, [node]);
  }
}

/** The state in which a node is reached, before it becomes a head. */
export const arriving = ({ above, arrival, arrived }: TreeNode): Described => ({
  head: above,
  path: arrival,
  witness: arrived,
});

const forgotten: Readonly<Record<Possible['kind'], (condition: Term) => boolean>> = {
  possible: () => false,
  unknown: isLargeWithoutReads,
  impossible: () => true,
};

function unknown(message: string): { readonly kind: 'unknown'; readonly reason: Reason } {
  return { kind: 'unknown', reason: { cause: 'state-explosion', message } };
}

/** Axioms of the semantics about every state here; invariants are constraints like others. */
export function axiomsAt(place: GraphNode): readonly Term[] {
  const proved = new Set(place.invariants);
  return place.known.filter((term) => !proved.has(term));
}

/** The error, and all places from which steps lead to it. */
export function dangerousIn({ error }: Pick<SearchGraph, 'error'>): ReadonlySet<GraphNode> {
  const found = new Set<GraphNode>([error]);
  const work = [error];
  for (let place = work.pop(); place; place = work.pop())
    for (const { from } of place.arriving)
      if (!found.has(from)) {
        found.add(from);
        work.push(from);
      }
  return found;
}

/** Every cycle of the graph has one: heads of loops, clients, and what is called again. */
function headsOf(graph: SearchGraph): ReadonlySet<GraphNode> {
  const heads = new Set(
    graph.nodes.filter(({ point }) => point?.kind === 'module' || point?.location.isLoopHead === true),
  );
  const state = new Map<GraphNode, 'open' | 'done'>();
  const work: { readonly place: GraphNode; next: number }[] = [{ place: graph.start, next: 0 }];
  state.set(graph.start, 'open');
  while (work.length > 0) {
    const top = work[work.length - 1]!;
    const step = top.place.leaving[top.next++];
    if (!step) {
      state.set(top.place, 'done');
      work.pop();
    } else if (state.get(step.to) === 'open') {
      heads.add(step.to);
    } else if (!state.has(step.to)) {
      state.set(step.to, 'open');
      work.push({ place: step.to, next: 0 });
    }
  }
  return heads;
}
