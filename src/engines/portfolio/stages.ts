/**
 * Portfolios as tables: for each engine that can be asked for, its stages in their order, with their shares of the
 * time. A stage that learns something is followed by those that use it.
 */
import { predicateLevels } from '../../abstraction/predicates/defaultPredicates';
import type { Reason } from '../../verdict';
import type { Task } from '../../task';
import type { Engine } from '../engine';
import { hornClauses } from '../invariants/hornClausesEngine';
import {
  conditionsOfElements,
  houdiniOf,
  inModules,
  unlessTried,
  whereLinksBranch,
  whereNodesAreAsked,
  whereObjectsHaveBlocks,
} from '../invariants/houdiniEngine';
import { minimaxEngine, type Turn } from '../minimax/minimaxEngine';
import { jointValues } from '../invariants/jointValues';
import { kInduction } from '../invariants/kInduction';
import { loopUnrolling } from '../invariants/loopUnrolling';
import { sampling } from '../invariants/sampling';
import { components } from '../../reductions/components';
import { slicing } from '../../reductions/slice/slicing';
import { partByPart } from '../reduced/partByPart';
import { reduced } from '../reduced/reduced';
import { shrinking } from '../reduced/shrinking';
import { refineAlarms, refinementAlone } from '../refinement/engines';
import { isRefining, type RefiningEngine } from '../refinement/refine';
import type { EngineName } from '../registry';
import { acceleration } from '../search/acceleration';
import { boundedModelChecking, unwinding } from '../search/boundedModelCheckingEngines';
import { fuzzing, fuzzingBetween, quickSearch } from '../search/fuzzingEngine';
import { longRuns } from '../search/longRuns';
import { runOnlyExecution } from '../search/onlyExecutionEngine';
import { replayAlarms } from '../search/replayAlarms';
import { replayTests } from '../search/replayTests';
import { discharge, intervals, loopFree, testBasedAbstraction } from '../testBasedAbstraction/engines';
import { earlierInvariants, earlierProof, openProofCache, storedBug, storedProof } from './reuseEngines';

export interface Stage {
  readonly engine: Engine;
  /** Fraction of time left; default all. */
  readonly share?: number;
  /** However much time is left. */
  readonly atMostMs?: number;
  /** However small its share is, while there is time. */
  readonly atLeastMs?: number;
  /**
   * Only where the engine was tried before, and its share of the time was too small, or another that ran again since
   * has learned something.
   */
  readonly again?: true;
  /** The reason of an answer that its share has cut short. */
  readonly ended?: Reason;
  /** Stages that use what it learned; they are skipped when that is nothing. */
  readonly then?: readonly Stage[];
  /** No later stage decides what it cannot: its `unknown` ends the run. */
  readonly isDecisive?: true;
  /**
   * When to go on after a proof that `conclude` refused; default never. `not certified`: the certifier does not accept
   * the invariants, or had no time to.
   */
  readonly continueIf?: 'after any refusal' | 'not certified' | 'unless vacuous';
}

export interface Portfolio {
  readonly stages: readonly Stage[];
  /** Tried before the answer `unknown`, where an abstraction could not be closed. */
  readonly lastResort: readonly Stage[];
  /** The stage whose reason an `unknown` gives; default that of the last undecided one. */
  readonly speaker?: Engine['name'];
}

/** CFA edges of searches by running. */
const steps = {
  onlyExecution: 3_000_000,
  onlyExecutionAgain: 40_000_000,
  withProbes: 300_000,
  beyondSpecifications: 2_000_000,
  beyondSpecificationsAgain: 8_000_000,
  beforeParts: 200_000,
  betweenProofs: 4_000_000,
  afterFirstInvariants: 1_000_000,
  afterPredicates: 2_000_000,
  afterMorePredicates: 24_000_000,
} as const;

const share = {
  /** Fraction of time left then, each. */
  houdini: 1 / 2,
  /** Nothing is learned of lists and trees from a part of it. */
  chains: 3 / 4,
  conditions: 0.2,
  /** Nothing else proves most loops over arrays. */
  elements: 0.3,
  discharge: 0.25,
  jointValues: 0.1,
  shrinking: 0.15,
  searchBetween: 0.04,
  searchBeyondSpecifications: 0.3,
  longRunsEarly: 0.1,
  longRuns: 0.15,
  accelerationEarly: 0.2,
  acceleration: 0.3,
  oneOfMany: 0.15,
  alone: 0.9,
  bounded: 0.6,
  parts: 0.6,
  slices: 0.25,
  largerSlices: 0.15,
  pathByPath: 0.25,
  pathByPathEarly: 0.15,
  pathByPathLarge: 0.5,
  /** Houdini's share where others may decide what takes it long. */
  houdiniBriefly: 0.15,
  refinement: 0.35,
  refinementOfProbes: 0.8,
} as const;

/**
 * Early stages that decide few programs, and those in a few seconds: with a large budget all others would wait for
 * them.
 */
const atMostMs = {
  shrinking: 4_000,
  longRunsEarly: 2_000,
  unrollingEarly: 6_000,
  accelerationEarly: 4_000,
  slicesEarly: 8_000,
  acceleration: 12_000,
  lengths: 20_000,
  sizes: 20_000,
} as const;

const refinementEnded: Reason = { cause: 'time-budget', message: 'refinement used up its share of the time' };

const stored: readonly Stage[] = [
  { engine: openProofCache },
  { engine: storedBug },
  { engine: storedProof, continueIf: 'after any refusal' },
];

const earlier: readonly Stage[] = [
  { engine: earlierProof, continueIf: 'after any refusal' },
  { engine: earlierInvariants, continueIf: 'after any refusal' },
];

const first: readonly Stage[] = [
  { engine: replayTests },
  { engine: runOnlyExecution(steps.onlyExecution, 'first') },
  ...stored,
  ...earlier,
];

/** In large functions one attempt could take all the time, and each family of candidates is followed by one. */
const dischargeAtLeastMs = 3_000;

const briefDischarge: Stage = { engine: discharge, share: share.discharge, atLeastMs: dischargeAtLeastMs };

/** The invariants may prove all checks. */
const discharged: Stage = { ...briefDischarge, continueIf: 'not certified' };

/** With the first invariants: what a long run, an alarm's model or all executions decide. */
const afterFirstInvariants: readonly Stage[] = [
  discharged,
  { engine: runOnlyExecution(steps.onlyExecutionAgain, 'again') },
  { engine: replayAlarms },
  { engine: fuzzing(steps.afterFirstInvariants) },
];

const afterInvariants = (unwind: 'unless-objects' | 'now'): readonly Stage[] => [
  discharged,
  { engine: replayAlarms },
  { engine: unwinding(unwind), continueIf: 'after any refusal' },
];

const bounded: Stage = { engine: boundedModelChecking, share: share.bounded, continueIf: 'after any refusal' };

const refined = (fraction: number): Stage => ({
  engine: refineAlarms,
  share: fraction,
  ended: refinementEnded,
  continueIf: 'unless vacuous',
});

/** Engines for a slice: first the one that tells cases apart, which often is all that is left. */
const onSlices: readonly Engine[] = [
  sampling,
  ...(['modes', 'conditions', 'basic', 'extents'] as const).map((kind) => houdiniOf(kind)),
  loopUnrolling('early'),
  ...(['objects', 'modes', 'plain', 'elements', 'split', 'curves'] as const).map((kind) => houdiniOf(kind)),
  kInduction('in a portfolio'),
  testBasedAbstraction(0),
];

const slices: Stage = {
  engine: reduced(slicing('value+'), onSlices),
  share: share.slices,
  continueIf: 'after any refusal',
};
const slicesEarly: Stage = {
  ...slices,
  engine: reduced(slicing('value+'), onSlices, 'early'),
  atMostMs: atMostMs.slicesEarly,
};
const largerSlices: Stage = {
  engine: reduced(slicing('backward'), onSlices),
  share: share.largerSlices,
  continueIf: 'after any refusal',
};

/** Engines for most parts of a module, quickest first. */
const onParts: readonly Engine[] = [
  quickSearch,
  conditionsOfElements,
  sampling,
  ...(['basic', 'texts', 'extents'] as const).map((kind) => houdiniOf(kind)),
  loopUnrolling('early'),
  ...(['objects', 'modes', 'plain', 'elements'] as const).map((kind) => houdiniOf(kind)),
  testBasedAbstraction(0),
];

const parts: Stage = {
  engine: partByPart(components, onParts),
  share: share.parts,
  continueIf: 'after any refusal',
};

/** Relations of variables computed from elements, which follow from what all elements are. */
const withConditions: readonly Stage[] = [
  discharged,
  { engine: houdiniOf('basic', 'houdini:basic+conditions'), share: share.conditions, then: [discharged] },
];

/** Some bugs take many calls: while there is time, the search never ends for good. */
const searchAgain: Stage = { engine: fuzzingBetween(steps.betweenProofs), share: share.searchBetween };

const sharesOfPaths: Readonly<Record<Exclude<Turn, 'alone'>, number>> = {
  branchy: share.pathByPath,
  large: share.pathByPathLarge,
  early: share.pathByPathEarly,
  late: share.pathByPath,
};

const pathByPath = (when: Exclude<Turn, 'alone'>): Stage => ({
  engine: minimaxEngine(when),
  share: sharesOfPaths[when],
  continueIf: 'after any refusal',
});

const lengths: Stage = { engine: houdiniOf('lengths', 'houdini:chains'), share: share.houdini, then: [discharged] };

const sizes: Stage = { engine: houdiniOf('sizes', 'houdini:chains'), share: share.houdini, then: [discharged] };

/**
 * Reachability along links, then the lengths of lists, the sizes of blocks that nodes own, and the numbers in nodes if
 * a check asks for them. Little helps a program with lists before, and without links there is nothing to try.
 */
const chains: Stage = {
  engine: houdiniOf('chains'),
  share: share.chains,
  then: [
    discharged,
    { engine: replayAlarms },
    { ...lengths, atMostMs: atMostMs.lengths },
    { ...sizes, atMostMs: atMostMs.sizes },
    { engine: whereNodesAreAsked(houdiniOf('nodes', 'houdini:chains')), share: share.houdini, then: [discharged] },
  ],
};

/**
 * Trees and lists of lists: what all nodes have in common, before anything is said of reachability. Numbers in nodes
 * come later: they have many candidates, and where links lead hardly depends on them.
 */
const branching: readonly Stage[] = [
  { engine: whereLinksBranch(houdiniOf('shapes')), share: share.chains, then: [discharged] },
  { engine: whereLinksBranch(houdiniOf('objects')), share: share.houdini, then: [discharged] },
];

/** Texts in nodes, and most counters, are proved without. */
const otherNodes: Stage = {
  engine: unlessTried('houdini:chains+nodes', houdiniOf('nodes')),
  share: share.houdini,
  then: [discharged],
};

/** Few candidates, quick for most programs. Complete unwinding waits until the objects that loops make are known. */
const fewCandidates: readonly Stage[] = [
  {
    engine: houdiniOf('basic'),
    share: share.houdini,
    then: [
      ...afterFirstInvariants,
      { engine: houdiniOf('conditions', 'houdini:basic'), share: share.conditions, then: withConditions },
      { engine: unwinding('unless-objects'), continueIf: 'after any refusal' },
    ],
  },
  { engine: houdiniOf('texts'), share: share.houdini, then: afterInvariants('unless-objects') },
  { engine: houdiniOf('extents'), share: share.houdini, then: afterInvariants('unless-objects') },
  searchAgain,
  { engine: houdiniOf('objects'), share: share.houdini, then: afterInvariants('now') },
];

/** With so many candidates that they may take long. */
const manyCandidates: readonly Stage[] = [
  { engine: houdiniOf('plain'), share: share.houdini, then: afterInvariants('now') },
  {
    engine: houdiniOf('elements'),
    share: share.houdini,
    // Bounds of what is computed from elements follow from theirs.
    then: [{ engine: houdiniOf('plain', 'houdini:elements'), share: share.houdini }, ...afterInvariants('now')],
  },
  { engine: houdiniOf('split'), share: share.houdini, then: afterInvariants('now') },
  // A polynomial makes all questions dear that come behind it.
  { engine: houdiniOf('curves'), share: share.houdini, then: afterInvariants('now') },
];

/** A stage that is cut short begins anew later, which costs more than a second or two now. */
const brieflyAtLeastMs = 2_000;

const briefly = (stages: readonly Stage[]): readonly Stage[] =>
  stages.map((stage) =>
    stage.engine === searchAgain.engine
      ? stage
      : { ...stage, share: share.houdiniBriefly, atLeastMs: brieflyAtLeastMs },
  );

/** Buffers of structures: a search that was cut short goes on, since hardly anything else proves their accesses. */
const ownedBuffers: Stage = {
  engine: whereObjectsHaveBlocks(houdiniOf('objects')),
  share: share.houdini,
  again: true,
  then: afterInvariants('now'),
};

/** Stages for another turn, if their time was too short. */
const again = (stages: readonly Stage[]): readonly Stage[] =>
  stages.filter(({ engine }) => engine !== searchAgain.engine).map((stage) => ({ ...stage, again: true }));

/** What holds in one state of a machine: few modules have candidates for it, and little else proves these. */
const modes: Stage = { engine: houdiniOf('modes'), share: share.houdini, then: afterInvariants('now') };

/** Candidates of ever more kinds, once the few were tried briefly. */
const furtherInvariants: readonly Stage[] = [
  slicesEarly,
  ...again([lengths, sizes, ...fewCandidates]),
  otherNodes,
  searchAgain,
  { engine: unlessTried('houdini:modes', modes.engine), share: share.houdini, then: afterInvariants('now') },
  { ...modes, again: true },
  searchAgain,
  { engine: conditionsOfElements, share: share.houdini, again: true, then: [discharged] },
  ...briefly(manyCandidates),
  { engine: longRuns('late'), share: share.longRuns },
  { engine: acceleration('late'), share: share.acceleration, atMostMs: atMostMs.acceleration },
  slices,
  largerSlices,
  searchAgain,
  ...again(manyCandidates),
];

const predicates = (more: readonly Stage[]): readonly Stage[] =>
  predicateLevels.map((_, level) => ({
    engine: testBasedAbstraction(level),
    isDecisive: true,
    then: [
      { engine: replayAlarms },
      { engine: fuzzing(level === 0 ? steps.afterPredicates : steps.afterMorePredicates) },
      bounded,
      ...more,
    ],
  }));

const lastResort: readonly Stage[] = [{ engine: fuzzing(steps.afterPredicates) }, bounded];

const aloneAfterSampling = (stage: Stage): Portfolio => ({
  stages: [
    ...first,
    { engine: quickSearch },
    { engine: sampling },
    { ...stage, then: [...afterFirstInvariants, { engine: unwinding('now'), continueIf: 'after any refusal' }] },
  ],
  lastResort,
  speaker: stage.engine.name,
});

const refinement = (name: RefiningEngine): Portfolio => ({
  stages: [{ engine: replayTests }, ...stored, { engine: refinementAlone(name), isDecisive: true }],
  lastResort: [],
});

const invariants: readonly Stage[] = [...branching, chains, ...briefly(fewCandidates), ...furtherInvariants];

/** Loops with two or three rounds, as over the bytes of a character: an invariant says less than their rounds do. */
const unrollingEarly: Stage = {
  engine: loopUnrolling('early'),
  share: share.oneOfMany,
  atMostMs: atMostMs.unrollingEarly,
  then: [discharged],
};

const searchBeforeParts: Stage = { engine: fuzzingBetween(steps.beforeParts), share: share.searchBetween };

/** For programs that proofs do not model: failing executions show as much as in any other. */
export const executionsAlone: Portfolio = {
  stages: [{ engine: replayTests }, { engine: quickSearch }, { engine: fuzzing(steps.afterPredicates) }],
  lastResort: [],
};

const portfolios: Record<EngineName, Portfolio> = {
  auto: {
    stages: [
      ...first,
      { engine: quickSearch },
      pathByPath('branchy'),
      pathByPath('large'),
      { engine: loopFree, continueIf: 'not certified' },
      { engine: conditionsOfElements, share: share.elements, then: [discharged] },
      searchBeforeParts,
      parts,
      { engine: sampling },
      ...branching,
      chains,
      ...briefly(fewCandidates),
      ownedBuffers,
      unrollingEarly,
      { engine: shrinking, share: share.shrinking, atMostMs: atMostMs.shrinking, then: [discharged] },
      { engine: jointValues, share: share.jointValues, then: [briefDischarge] },
      { engine: longRuns('early'), share: share.longRunsEarly, atMostMs: atMostMs.longRunsEarly },
      { engine: acceleration('early'), share: share.accelerationEarly, atMostMs: atMostMs.accelerationEarly },
      ...briefly([{ ...modes, engine: inModules(modes.engine) }]),
      pathByPath('early'),
      ...furtherInvariants,
      { engine: hornClauses('in a portfolio'), share: share.oneOfMany, then: afterInvariants('now') },
      { engine: kInduction('in a portfolio'), share: share.oneOfMany, then: afterInvariants('now') },
      { engine: loopUnrolling('late'), then: afterInvariants('now') },
      pathByPath('late'),
      ...predicates([refined(share.refinement)]),
    ],
    lastResort: [...lastResort, refined(share.refinement)],
  },
  'test-based-abstraction': {
    stages: [
      ...first,
      { engine: quickSearch },
      { engine: conditionsOfElements, share: share.elements, then: [discharged] },
      { engine: sampling },
      ...invariants,
      { engine: loopUnrolling('late'), then: afterInvariants('now') },
      ...predicates([]),
    ],
    lastResort,
  },
  intervals: {
    stages: [
      { engine: replayTests },
      ...stored,
      ...earlier,
      { engine: quickSearch },
      { engine: sampling },
      {
        engine: intervals,
        isDecisive: true,
        then: [
          { engine: replayAlarms },
          { engine: fuzzing(steps.afterFirstInvariants) },
          { engine: unwinding('now'), continueIf: 'after any refusal' },
        ],
      },
    ],
    lastResort,
  },
  spacer: aloneAfterSampling({ engine: hornClauses('alone'), share: share.alone }),
  'k-induction': aloneAfterSampling({ engine: kInduction('alone'), share: share.alone }),
  minimax: {
    stages: [
      { engine: replayTests },
      ...stored,
      { engine: quickSearch },
      { engine: sampling },
      { engine: minimaxEngine('alone'), isDecisive: true },
    ],
    lastResort: [],
  },
  synergy: refinement('synergy'),
  'lee-yannakakis': refinement('lee-yannakakis'),
  dart: refinement('dart'),
  slam: refinement('slam'),
};

/** A proof by the user's probes alone: nothing is guessed. */
const withProbesAlone = (more: readonly Stage[]): Portfolio => ({
  stages: [
    ...first,
    { engine: fuzzing(steps.withProbes) },
    {
      engine: testBasedAbstraction('probes'),
      isDecisive: true,
      then: [{ engine: replayAlarms }, { engine: fuzzing(steps.afterFirstInvariants) }, ...more],
    },
  ],
  lastResort: [...lastResort, ...more],
});

/**
 * Failures that no specification excuses are what is asked for, so the searches are longer ones. They come before all
 * attempts at a proof: each specification that is found begins another portfolio.
 */
const searchingMore = ({ stages, ...rest }: Portfolio): Portfolio => ({
  ...rest,
  stages: stages.flatMap((stage) => {
    if (stage === searchBeforeParts) return [];
    if (stage.engine !== quickSearch) return [stage];
    return [
      stage,
      { engine: fuzzing(steps.beyondSpecifications) },
      { engine: fuzzingBetween(steps.beyondSpecificationsAgain), share: share.searchBeyondSpecifications },
    ];
  }),
});

export function portfolioOf({
  engine,
  predicates: wanted,
  angelic,
}: Pick<Task, 'engine' | 'predicates' | 'angelic'>): Portfolio {
  const found = portfolios[engine as EngineName];
  const portfolio = angelic && engine === 'auto' ? searchingMore(found) : found;
  return wanted === 'probes' && !isRefining(engine)
    ? withProbesAlone(engine === 'auto' ? [refined(share.refinementOfProbes)] : [])
    : portfolio;
}
