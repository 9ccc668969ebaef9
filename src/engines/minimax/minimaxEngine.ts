/** Minimax as an engine: on segments that do not merge paths, with what runs and other engines have found. */
import { candidatesFrom } from '../../abstraction/candidates/candidates';
import { constantsOf } from '../../abstraction/candidates/observables';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import type { CutpointKey } from '../../abstraction/transitionSystem/cutpoint';
import { invariantsAt, noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import type { CallStackGraph } from '../../abstraction/transitionSystem/callStackGraph';
import type { GraphNode, TransitionGraph } from '../../abstraction/transitionSystem/transitionGraph';
import type { Budget } from '../../budget';
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import { pathsThrough } from '../../program/automata/pathCount';
import { edgeCount } from '../../program/traverse';
import { arrivalsAt, type Engine, type Knowledge } from '../engine';
import { FALSE, isApplication, TRUE } from '../../logic/intern';
import { postOrder } from '../../logic/traverse';
import type { Term } from '../../logic/term';
import type { QueryBudget } from '../../solver/solver';
import type { SearchTreeReport } from '../../verdict';
import type { Problem } from '../problem';
import { emptyStatistics, Minimax, type MinimaxOptions } from './minimax';
import { type Explanations, withExplanations } from './explanations';
import { implies } from './labels';
import { Questions } from './questions';
import { realise } from './realPath';
import { searchGraphOf } from './searchGraph';
import type { MinimaxStatistics } from './searchTree';
import { TreeTrace } from './traceText';
import { discharge, type TreeProof, treeProof } from './treeProof';
import { TreeRecorder } from './treeReport';

const limits = {
  /** Paths of a segment: with fewer, one query for all is better. */
  paths: 1 << 10,
  /** With fewer, other engines come first. */
  somePaths: 8,
  /** CFA edges and checks of a large program that is searched early: candidates for all of it take longer. */
  largeEdges: 1_500,
  fewChecks: 8,
  nodes: 60_000,
  /** A loop that runs leave after so many rounds is followed to its end. */
  followedRounds: 24,
  /** The same where closing it has failed. */
  unrolledRounds: 130,
  followedNodes: 20_000,
  /** Labels of a place that read arrays; and the time for a query that checks more of them. */
  arrayLabels: 12,
  checkMs: 1000,
  /** Parts of the time left, for the first way with loops and for the other. */
  firstShare: 0.7,
  secondShare: 0.7,
  /** Relations that are guessed, per place. */
  candidates: 60,
  /** Bounds of one word on one side. */
  bounds: 3,
  query: { timeoutMs: 3000, resources: 1_000_000 },
} as const;

/**
 * When it runs: alone; in a portfolio, where segments have very many paths, or a large program has few checks, or
 * segments have some paths; or after what is cheaper.
 */
export type Turn = 'alone' | 'branchy' | 'large' | 'early' | 'late';

export const minimaxEngine = (when: Turn): Engine => ({
  name: when === 'early' || when === 'late' ? `minimax:${when}` : 'minimax',
  applies(problem, known) {
    if (when === 'alone') return undefined;
    if (problem.task.predicates === 'probes' || problem.task.adequacy) return 'abstract states are wanted';
    if (known.tried.has('minimax')) return 'it was tried';
    if (when === 'branchy' && mostPaths(problem) < limits.paths) return 'segments have few paths';
    if (when === 'large' && !isLargeWithFewChecks(problem)) return 'the program is small, or has many checks';
    if (when === 'early' && mostPaths(problem) < limits.somePaths) return 'segments have few paths';
    return undefined;
  },
  async run(problem, known, budget, events) {
    if (when === 'branchy' && areSimple(problem)) return { kind: 'unknown', reason: undefined, learned: known };
    const graph = searchGraphOf(problem);
    const { system } = graph;
    if (when === 'alone') events.working(PredicateAbstraction.of(system, noInvariants));
    const isShort = when !== 'alone' && when !== 'late';
    const tracing = when === 'alone' && events.trace ? { trace: events.trace } : {};
    const searched = await (isShort ? searchTree : searchTrees)(graph, problem, known, budget, tracing);
    const { result, statistics, closedTree, report, explanations } = searched;
    const { nodes, covered, closed, restarts } = statistics;
    if (when === 'alone' || result.kind !== 'unknown') {
      events.searchTree(report);
      events.remark(
        `a tree of ${nodes} symbolic states was searched: ${covered} covered, ${closed} closed, ${restarts} restarts`,
      );
    }
    switch (result.kind) {
      case 'closed':
        if (when !== 'alone' && !(await isCheckedSoon(closedTree!, problem, budget)))
          return { kind: 'unknown', reason: undefined, learned: known };
        return { kind: 'safe', proof: closedTree! };
      case 'fails':
        return { kind: 'unsafe', failure: { kind: 'scenario', scenario: result.scenario } };
      case 'unknown':
        return {
          kind: 'unknown',
          reason: when === 'alone' ? result.reason : undefined,
          learned: explanations === known.predicates ? known : { ...known, predicates: explanations },
        };
    }
  },
});

/**
 * Many labels that read arrays are a query on which the checker may spend all the time that other engines need: such an
 * invariant is claimed in a portfolio only if the checker accepts it within the engine's own share.
 */
async function isCheckedSoon(proof: TreeProof, problem: Problem, budget: Budget): Promise<boolean> {
  // Each label is checked by itself.
  if (proof.kind === 'call-stacks') return true;
  const readsArray = (term: Term): boolean => postOrder([term]).some((part) => isApplication(part, 'select'));
  const isHard = proof.abstraction.points.some(({ invariants }) =>
    invariants.some((term) => isApplication(term, 'or') && term.args.length > limits.arrayLabels && readsArray(term)),
  );
  if (!isHard) return true;
  const { program, solvers } = problem;
  const answer = await discharge(proof, program, solvers.certifier, () => budget.query(limits.checkMs));
  return answer.kind === 'certified';
}

/** True if no check is left once formulas are simplified: no path has to be followed for that. */
const areSimple = (problem: Problem): boolean =>
  problem.system.transitions.every(({ segment }) =>
    (segment?.obligations ?? []).every(({ guard, condition }) => guard === FALSE || condition === TRUE),
  );

/** The number of paths of the segment that has most of them. */
function mostPaths({ callable }: Problem): number {
  return Math.max(0, ...[...reachableFunctions(callable)].map(pathsThrough));
}

const isLargeWithFewChecks = ({ program, task, checks }: Problem): boolean =>
  task.mode === 'program' && edgeCount(program) > limits.largeEdges && checks.length <= limits.fewChecks;

/** Closes loops at first, then follows them for some rounds, then closes them with the time that is left. */
async function searchTrees(
  graph: TransitionGraph | CallStackGraph,
  problem: Problem,
  known: Knowledge,
  budget: Budget,
  tracing: Tracing,
): Promise<Searched> {
  const following: Partial<MinimaxOptions> = {
    follow: (place) => roundsSeen(place, known) ?? limits.unrolledRounds,
    nodes: limits.followedNodes,
  };
  const hasLoops = graph.nodes.some(({ point }) => point?.location.isLoopHead === true);
  const turns: readonly (readonly [number, Partial<MinimaxOptions>])[] = hasLoops
    ? [
        [limits.firstShare, {}],
        [limits.secondShare, following],
      ]
    : [];
  for (const [share, options] of turns) {
    const searched = await searchTree(graph, problem, known, budget.share(share), { ...options, ...tracing });
    if (searched.result.kind !== 'unknown') return searched;
  }
  return searchTree(graph, problem, known, budget, tracing);
}

interface Searched {
  readonly result: Awaited<ReturnType<Minimax['run']>>;
  readonly statistics: MinimaxStatistics;
  /** A closed tree as a proof. */
  readonly closedTree: TreeProof | undefined;
  readonly report: SearchTreeReport;
  /** Predicates that were known, and what the search has found. */
  readonly explanations: Explanations;
}

interface Tracing {
  /** Prints the search, a line per event. */
  readonly trace?: (line: string) => void;
}

/** `chosen`: in place of the usual options. */
export async function searchTree(
  graph: TransitionGraph | CallStackGraph,
  problem: Problem,
  known: Knowledge,
  budget: Budget,
  { trace, ...chosen }: Partial<MinimaxOptions> & Tracing = {},
): Promise<Searched> {
  const { system } = graph;
  const solver = problem.solvers.exact;
  const query = (): QueryBudget | undefined =>
    budget.exhausted ? undefined : { ...limits.query, timeoutMs: budget.query(limits.query.timeoutMs).timeoutMs };
  const most = problem.task.minimax?.nodes ?? limits.nodes;
  const statistics = emptyStatistics();
  const guessed = candidatesOf(known);
  const text = trace && new TreeTrace(graph, trace);
  const recorder = new TreeRecorder();
  const { log } = chosen;
  const questions = new Questions(system, solver, query, statistics);
  const minimax = new Minimax(
    graph,
    questions,
    {
      interpolants: problem.task.minimax?.interpolants ?? 'precondition',
      order: problem.task.minimax?.order ?? 'feasible-first',
      equations: problem.task.minimax?.equations ?? 'slackened',
      follow: (place) => {
        const rounds = roundsSeen(place, known);
        return rounds !== undefined && rounds <= limits.followedRounds ? rounds : 0;
      },
      decidedRounds: (place) => (known.samples && roundsSeen(place, known) === undefined ? 0 : limits.unrolledRounds),
      usualRounds: (place) => {
        const rounds = roundsSeen(place, known);
        return rounds !== undefined && rounds <= limits.unrolledRounds ? rounds : undefined;
      },
      candidates: ({ point }) =>
        point ? [...invariantsAt(known.invariants, point), ...(guessed.get(point.key) ?? [])] : [],
      nodes: most,
      stop: () => budget.exhausted,
      realise: (path) => realise(path, system, problem, solver, () => budget.query()),
      ...chosen,
      ...(chosen.nodes !== undefined && { nodes: Math.min(chosen.nodes, most) }),
      log: (event) => {
        recorder.add(event);
        text?.add(event);
        log?.(event);
      },
    },
    statistics,
  );
  const started = performance.now();
  const result = await minimax.run().finally(() => questions.close());
  const seconds = (performance.now() - started) / 1000;
  text?.onEnd(result.kind, statistics, seconds);
  const closedTree = result.kind === 'closed' ? treeProof(graph, minimax.finished) : undefined;
  const report = recorder.report(statistics, seconds, system.vocabulary);
  const explanations = withExplanations(known.predicates, system, minimax.locked, minimax.finished);
  return { result, statistics, closedTree, report, explanations };
}

/** Relations of variables that hold in all sampled states. */
function candidatesOf({ samples: sampled, invariants }: Knowledge): ReadonlyMap<CutpointKey, readonly Term[]> {
  if (!sampled) return new Map();
  const { system, samples } = sampled;
  const candidates = candidatesFrom(system, invariants, samples, constantsOf(system), 'basic');
  return new Map([...candidates].map(([point, terms]) => [point.key, closeBounds(terms).slice(0, limits.candidates)]));
}

function roundsSeen({ point }: GraphNode, known: Knowledge): number | undefined {
  const arrivals = point && arrivalsAt(known, point.location);
  return arrivals === undefined ? undefined : arrivals + 1;
}

/** Keeps only the closest bounds of a word. */
const closeBounds = (terms: readonly Term[]): readonly Term[] =>
  terms.filter((term) => terms.filter((other) => other !== term && implies(other, term)).length < limits.bounds);
