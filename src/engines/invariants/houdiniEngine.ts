/**
 * Stages that guess invariants from sampled states and keep what is inductive (Houdini), one kind of candidate after
 * the other, each stage relative to those before.
 */
import { accumulators } from '../../abstraction/candidates/rounds/accumulators';
import { dividedNumbers } from '../../abstraction/candidates/rounds/dividedNumbers';
import { nestedCounts } from '../../abstraction/candidates/rounds/nestedCounts';
import { nestedSums } from '../../abstraction/candidates/rounds/nestedSums';
import { assignedConditions } from '../../abstraction/candidates/statics/assignedConditions';
import { elementCounts } from '../../abstraction/candidates/statics/elementCounts';
import { filteredNumbers } from '../../abstraction/candidates/statics/filteredNumbers';
import { staticConditions } from '../../abstraction/candidates/statics/staticConditions';
import { assumedOfClients } from '../../abstraction/candidates/clientAssumptions';
import { callablePointers } from '../../abstraction/candidates/statics/callablePointers';
import { ownedObjects } from '../../abstraction/candidates/statics/ownedObjects';
import { conditionsOnTheWay } from '../../abstraction/candidates/conditions/conditionsOnTheWay';
import { resultConditions } from '../../abstraction/candidates/conditions/resultConditions';
import { multipliesElements } from '../../abstraction/candidates/conditions/productsOfElements';
import { firstTableValues } from '../../abstraction/candidates/statics/firstTableValues';
import { storedBounds } from '../../abstraction/candidates/statics/storedBounds';
import { staticTargets } from '../../abstraction/candidates/statics/staticTargets';
import { countedElements } from '../../abstraction/candidates/arrays/countedElements';
import { elementConditions } from '../../abstraction/candidates/arrays/elementConditions';
import { elementsInVariables } from '../../abstraction/candidates/arrays/elementsInVariables';
import { floatRangeBounds } from '../../abstraction/candidates/floats/floatBounds';
import { floatElements } from '../../abstraction/candidates/floats/floatElements';
import { foldWitnesses } from '../../abstraction/candidates/arrays/foldWitnesses';
import { sweptElements } from '../../abstraction/candidates/arrays/sweptElements';
import { roundRelations } from '../../abstraction/candidates/rounds/roundRelations';
import { both, candidatesFrom, type CandidateKind } from '../../abstraction/candidates/candidates';
import { hasBranchingLinks, hasListsInNodes } from '../../abstraction/candidates/lists/branchingLinks';
import { readsNodeNumber } from '../../abstraction/candidates/lists/nodeNumbers';
import { textLengths } from '../../abstraction/candidates/textLengths';
import { constantsOf } from '../../abstraction/candidates/observables';
import {
  conjoin,
  type InvariantMap,
  invariantsAt,
  isSameSize,
  noInvariants,
} from '../../abstraction/transitionSystem/invariantMap';
import { type TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import { hasQuantifier } from '../../logic/quantifiers/instances';
import { symbolsOf } from '../../logic/symbols';
import { askedIn } from '../../evidence/certificates/certify';
import { edgeCount } from '../../program/traverse';
import type { Engine, Events, Knowledge } from '../engine';
import type { Unfinished } from '../portfolio/proofReuse';
import { isAt, type StageName } from '../registry';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import type { Budget } from '../../budget';
import type { Term } from '../../logic/term';
import type { Problem } from '../problem';
import { refutedInRuns } from '../search/refutedInRuns';
import { houdini, withinBudget } from './houdini';
import { dischargesAll } from './openObligations';
import { continues, type InterruptedSearch, interruptedSearches } from './interruptedSearch';

/** Kinds of which many programs have no candidates: their stages are skipped then. */
const special: ReadonlySet<CandidateKind> = new Set([
  'conditions',
  'extents',
  'texts',
  'chains',
  'lengths',
  'sizes',
  'nodes',
  'objects',
  'shapes',
  'elements',
  'modes',
  'curves',
]);

const limits = {
  /** CFA edges of a program above which a transition system is not made for this alone. */
  edges: 4_000,
  /** Runs of a module's clients that refute candidates, where these are many: a query takes longer. */
  manyCandidates: 100,
  refuting: { steps: 20_000, evaluations: 20_000, uncomputable: 'kept' },
} as const;

/**
 * The conditions that checks ask of elements, said of all in a range, those that they ask of static data, bounds of
 * what is stored in tables, and of what loops add up, in variables or in elements, relations of words that they move
 * and of variables that hold an element or its place, bounds of pointers into static data, what is said of heap objects
 * that static data own, that functions in static tables can be called, and ranges of floating-point variables. No state
 * has to be sampled for that, and no execution is as long as the loop.
 */
export const conditionsOfElements: Engine = {
  name: 'houdini:conditions',
  applies: ({ program }) => (edgeCount(program) > limits.edges ? 'the program is large' : undefined),
  async run(problem, known, budget, events) {
    const system = problem.system;
    const nothing = { kind: 'unknown', reason: undefined, learned: known } as const;
    // Lists come first: each query about another condition has their laws.
    if (system.memoryModel.links.length > 0) return nothing;
    const likely = elementConditions(system, 'last rounds');
    const elements = both(both(likely, elementConditions(system), system), sweptElements(system), system);
    const sums = [dividedNumbers(system), nestedCounts(system), nestedSums(system)].reduce(
      (some, more) => both(some, more, system),
      accumulators(system) as ReadonlyMap<Cutpoint, readonly Term[]>,
    );
    const counts = elementCounts(system);
    const between = [filteredNumbers(system), counts, assignedConditions(system)].reduce(
      (some, more) => both(some, more, system),
      staticConditions(system) as ReadonlyMap<Cutpoint, readonly Term[]>,
    );
    const rounds = roundRelations(system);
    const folds = foldWitnesses(system);
    const targets = staticTargets(system);
    const callable = callablePointers(system);
    const owned = ownedObjects(system);
    const counted = countedElements(system);
    const inVariables = elementsInVariables(system);
    const ranges = both(floatRangeBounds(system), floatElements(system), system);
    const stored = both(storedBounds(system), firstTableValues(system), system);
    const others = [stored, sums, between, rounds, folds, targets, callable, owned, counted, inVariables, ranges];
    if (others.every(({ size }) => size === 0) && [...elements.values()].every((terms) => !terms.some(hasQuantifier)))
      return nothing;
    const assumed = assumedOfClients(system);
    const offered = [...others, assumed, resultConditions(system, known.invariants), conditionsOnTheWay(system)].reduce(
      (some, more) => both(some, more, system),
      both(elements, new Map(), system),
    );
    const all = withoutRefuted(offered, problem, budget, events);
    const isOfNumbers = (term: Term): boolean => !hasQuantifier(term) && !readsArrays(term);
    const isLikely = (term: Term, point: Cutpoint): boolean => likely.get(point)!.includes(term);
    const isOfElements = (term: Term, point: Cutpoint): boolean => elements.get(point)!.includes(term);
    const isCount = (term: Term, point: Cutpoint): boolean => counts.get(point)?.includes(term) === true;
    const isAssumed = (term: Term, point: Cutpoint): boolean => assumed.get(point)!.includes(term);
    // Conditions without arrays are settled soon, and make those of elements easier; so is what clients keep to, those
    // of results, and counts of elements, which rest on these alone. The rest may need all.
    const first = (term: Term, point: Cutpoint): boolean => isOfNumbers(term) || isAssumed(term, point);
    let { invariants } = known;
    const those = (isIn: (term: Term, point: Cutpoint) => boolean) => (): ReadonlyMap<Cutpoint, readonly Term[]> =>
      new Map([...all].map(([point, terms]) => [point, terms.filter((term) => isIn(term, point))]));
    const ofResults = (): ReadonlyMap<Cutpoint, readonly Term[]> => resultConditions(system, invariants);
    const phases = [those(first), ofResults, those(isCount), those(isLikely), those(isOfElements), those(() => true)];
    for (const [phase, offeredIn] of phases.entries()) {
      const candidates = new Map(
        [...offeredIn()].map(([point, terms]) => {
          const proved = new Set(invariantsAt(invariants, point));
          return [point, terms.filter((term) => !proved.has(term) && !multipliesElements(term))];
        }),
      );
      if (isNone(candidates)) continue;
      const kept = await search(problem, { ...known, invariants }, system, 'conditions', () => candidates, budget);
      if (!kept) break;
      const isMore = !isSameSize(kept, noInvariants);
      invariants = conjoin(invariants, kept);
      if (phase === phases.length - 1 || !isMore) continue;
      const checks = new Set(askedIn(system));
      if (await dischargesAll(system, invariants, checks, problem.solvers.instances, () => budget.moderateQuery()))
        break;
    }
    if (isSameSize(invariants, known.invariants)) return nothing;
    const strengthened = { by: 'houdini:conditions', system, invariants } as const;
    return { kind: 'unknown', reason: undefined, learned: { ...known, invariants, strengthened } };
  },
};

/** Without those that some state of a module's clients refutes. */
function withoutRefuted(
  candidates: ReadonlyMap<Cutpoint, readonly Term[]>,
  problem: Problem,
  budget: Budget,
  events: Events,
): ReadonlyMap<Cutpoint, readonly Term[]> {
  const { system } = problem;
  const count = [...candidates.values()].reduce((sum, { length }) => sum + length, 0);
  // Runs would have to set their structures up first.
  if (!system.client || system.initialisers.size > 0 || count < limits.manyCandidates) return candidates;
  const refuted = refutedInRuns(problem, system, candidates, limits.refuting, budget, events);
  return new Map(
    [...candidates].map(([point, terms]) => [point, terms.filter((term) => !refuted.get(point)!.has(term))]),
  );
}

const readsArrays = (term: Term): boolean => [...symbolsOf(term)].some(({ sort }) => sort.kind === 'array');

/** `after`: continues a stage that has gained invariants, and counts as a part of it. */
export const houdiniOf = (
  kind: CandidateKind,
  after?: `houdini:${CandidateKind}` | `houdini:${CandidateKind}+${CandidateKind}`,
): Engine => {
  const name: StageName = after === undefined ? `houdini:${kind}` : `${after}+${kind}`;
  return {
    name,
    applies: (_, { samples }) => (samples ? undefined : 'no states were sampled'),
    async run(problem, known, budget, events) {
      const { system, samples } = known.samples!;
      const strengthen = (invariants: InvariantMap): Knowledge => ({
        ...known,
        invariants,
        strengthened: { by: after ?? name, system, invariants },
      });
      // The search of an earlier run was saved here, and what it had left is inductive.
      if (wasSearched(known, name))
        return { kind: 'unknown', reason: undefined, learned: strengthen(known.invariants) };
      // Few at once are settled soon; basic ones come with them if these had the time that they needed.
      const isAlone = kind === 'texts' && interruptedSearches(system).has('basic');
      const own = isAlone ? textLengths(system) : undefined;
      const candidates = (invariants: InvariantMap): ReadonlyMap<Cutpoint, readonly Term[]> => {
        const all = candidatesFrom(system, invariants, samples, constantsOf(system), kind);
        const isOwn = (point: Cutpoint, term: Term): boolean => own?.get(point)?.includes(term) !== false;
        return new Map([...all].map(([point, terms]) => [point, terms.filter((term) => isOwn(point, term))]));
      };
      // All of them are tried when the search for basic ones has come to its end.
      if (special.has(kind) && isNone(candidates(known.invariants)))
        return { kind: 'unknown', reason: undefined, learned: known, cutShort: isAlone };
      const saved = saving(known, system, { stage: name, searched: true });
      const kept = await search(problem, known, system, kind, candidates, budget, saved);
      const isInterrupted = !kept || interruptedSearches(system).has(kind);
      const cutShort = isInterrupted || isAlone;
      if (isInterrupted) events.difficulty('the search for inductive invariants ran out of time');
      const invariants = kept ? conjoin(known.invariants, kept) : known.invariants;
      const isNothing = special.has(kind) && isSameSize(invariants, known.invariants);
      return { kind: 'unknown', reason: undefined, learned: isNothing ? known : strengthen(invariants), cutShort };
    },
  };
};

/** Numbers in the nodes of lists, where a check that is open compares one of them, or is a call behind a comparison. */
export const whereNodesAreAsked = (engine: Engine): Engine => ({
  ...engine,
  applies: (problem, known) =>
    engine.applies(problem, known) ??
    (known.alarms.some(({ abstraction: { system }, obligation: { condition, guard } }) =>
      readsNodeNumber(condition === L.FALSE ? guard : condition, system),
    )
      ? undefined
      : 'no open check compares a number in a node'),
});

/** Trees and other structures that are walked along several links, lists of lists, and rings that the heap holds. */
export const whereLinksBranch = (engine: Engine): Engine => ({
  ...engine,
  applies: (problem, known) =>
    engine.applies(problem, known) ??
    (hasBranchingLinks(known.samples!.system) ||
    hasListsInNodes(known.samples!.system) ||
    known.samples!.samples.chains?.hasRings === true
      ? undefined
      : 'no walk goes along several links'),
});

/** Objects that lead to blocks of another kind, as growable arrays do. */
export const whereObjectsHaveBlocks = (engine: Engine): Engine => ({
  ...engine,
  applies: (problem, known) =>
    engine.applies(problem, known) ??
    (known.samples!.samples.objects?.haveBlocks ? undefined : 'no object leads to a block of another kind'),
});

/** Functions of a module are called in any of its states. */
export const inModules = (engine: Engine): Engine => ({
  ...engine,
  applies: (problem, known) =>
    problem.task.mode === 'module' ? engine.applies(problem, known) : 'a program is no module of functions',
});

/** The engine, if the one with the same candidates did not run. */
export const unlessTried = (other: StageName, engine: Engine): Engine => ({
  ...engine,
  applies: (problem, known) =>
    known.tried.has(other) ? `its candidates were tried by ${other}` : engine.applies(problem, known),
});

const isNone = (candidates: ReadonlyMap<Cutpoint, readonly Term[]>): boolean =>
  [...candidates.values()].every((terms) => terms.length === 0);

/**
 * The inductive ones among the candidates; undefined if the time was too short. Goes on where a stage of the kind was
 * cut short before, and then begins anew if more is known since: candidates that fell then may stand now.
 */
async function search(
  { solvers }: Problem,
  known: Knowledge,
  system: TransitionSystem,
  kind: CandidateKind,
  candidates: (known: InvariantMap) => ReadonlyMap<Cutpoint, readonly Term[]>,
  budget: Budget,
  left?: (candidates: InvariantMap) => void,
): Promise<InvariantMap | undefined> {
  const searches = interruptedSearches(system);
  const run = async (invariants: InvariantMap, from?: InterruptedSearch): Promise<InvariantMap | undefined> =>
    houdini(system, invariants, candidates(invariants), solvers.instances, {
      ...withinBudget(budget),
      further: () => solvers.further(),
      ...(left && { left }),
      from,
      interrupted: (interrupted) => searches.set(kind, interrupted),
    });
  const earlier = searches.get(kind);
  searches.delete(kind);
  const from = earlier && continues(earlier, system, known.invariants) ? earlier : undefined;
  const first = await run(known.invariants, from);
  if (!from || !first || searches.has(kind)) return first;
  const invariants = conjoin(known.invariants, first);
  if (isSameSize(invariants, from.known)) return first;
  const more = await run(invariants);
  return more ? conjoin(first, more) : first;
}

/** Saves the candidates that are left, for a run that begins where this one is cut. */
export const saving =
  ({ reuse, invariants }: Knowledge, system: TransitionSystem, unfinished: Unfinished) =>
  (left: InvariantMap): void =>
    reuse?.keepCandidates(system, conjoin(invariants, left), unfinished);

const wasSearched = ({ reuse, resumed }: Knowledge, stage: StageName): boolean =>
  resumed && reuse?.unfinished?.searched === true && isAt(stage, reuse.unfinished.stage);
