/**
 * The table of engines: data alone, so that the command line and the plugin read it without loading an engine. The
 * portfolio has a list of stages for each selectable name (`portfolio/stages.ts`); the documentation's table, the race
 * and the conformance test over all engines derive from this list.
 */

export interface EngineEntry {
  readonly name: string;
  /** One line for `--help` and the reference. */
  readonly title: string;
  /** The publication it implements. */
  readonly paper: string;
  /** Can be asked for by name; the others are stages of a portfolio only. */
  readonly selectable: boolean;
  /** Answers it can give beside `unknown`. */
  readonly answers: 'proofs' | 'bugs' | 'proofs and bugs';
  /** Takes its turn on a second core, beside `auto`. */
  readonly rival?: true;
}

const entries = [
  {
    name: 'auto',
    title: 'all of the following in turn, each with a share of the budget',
    paper: 'Yorsh, Ball, Sagiv, ISSTA 2006; Gulavani et al., FSE 2006',
    selectable: true,
    answers: 'proofs and bugs',
  },
  {
    name: 'test-based-abstraction',
    title: 'predicate abstraction of the states that tests reach, closed by fabricated states',
    paper: 'Yorsh, Ball, Sagiv, ISSTA 2006',
    selectable: true,
    answers: 'proofs and bugs',
  },
  {
    name: 'intervals',
    title: 'an interval for every integer, widened until it is closed',
    paper: 'Cousot, Cousot, POPL 1977',
    selectable: true,
    answers: 'proofs and bugs',
  },
  {
    name: 'spacer',
    title: 'invariants over integers from constrained Horn clauses, checked on machine integers',
    paper: 'Komuravelli, Gurfinkel, Chaki, CAV 2014',
    selectable: true,
    answers: 'proofs and bugs',
  },
  {
    name: 'k-induction',
    title: 'invariants that follow from the last k states at a loop',
    paper: 'Sheeran, Singh, Stålmarck, FMCAD 2000',
    selectable: true,
    answers: 'proofs and bugs',
  },
  {
    name: 'synergy',
    title: 'a partition refined by failed tests, tests directed by the partition',
    paper: 'Gulavani, Henzinger, Kannan, Nori, Rajamani, FSE 2006',
    selectable: true,
    answers: 'proofs and bugs',
    rival: true,
  },
  {
    name: 'minimax',
    title: 'symbolic execution of path after path, which learns from each why it is infeasible',
    paper: 'Jaffar, Navas, Santosa, RV 2011',
    selectable: true,
    answers: 'proofs and bugs',
    rival: true,
  },
  {
    name: 'lee-yannakakis',
    title: 'the reachable bisimulation quotient, as a baseline',
    paper: 'Lee, Yannakakis, STOC 1992',
    selectable: true,
    answers: 'proofs and bugs',
  },
  {
    name: 'dart',
    title: 'directed random testing of every path, as a baseline',
    paper: 'Godefroid, Klarlund, Sen, PLDI 2005',
    selectable: true,
    answers: 'bugs',
  },
  {
    name: 'slam',
    title: 'counterexample-guided refinement without tests, as a baseline',
    paper: 'Ball, Rajamani, SPIN 2001',
    selectable: true,
    answers: 'proofs and bugs',
  },
  { name: 'tests', title: 'replays the tests', paper: '', selectable: false, answers: 'bugs' },
  {
    name: 'only-execution',
    title: 'runs a program without inputs to its end',
    paper: '',
    selectable: false,
    answers: 'proofs and bugs',
  },
  {
    name: 'proof-cache',
    title: 'looks up what earlier runs left',
    paper: '',
    selectable: false,
    answers: 'proofs and bugs',
  },
  {
    name: 'stored-bug',
    title: 'replays the counterexample of an earlier run',
    paper: '',
    selectable: false,
    answers: 'bugs',
  },
  {
    name: 'stored-proof',
    title: 'certifies the proof of an earlier run of the same problem',
    paper: '',
    selectable: false,
    answers: 'proofs',
  },
  {
    name: 'earlier-proof',
    title: 'certifies the proof of an earlier version of the program',
    paper: '',
    selectable: false,
    answers: 'proofs',
  },
  {
    name: 'earlier-invariants',
    title: 'keeps what is still inductive of an earlier proof',
    paper: '',
    selectable: false,
    answers: 'proofs',
  },
  {
    name: 'fuzzing',
    title: 'random clients, guided by coverage and branch distance',
    paper: 'AFL; Groce et al., ISSTA 2012',
    selectable: false,
    answers: 'bugs',
  },
  {
    name: 'acceleration',
    title: 'jumps over loops whose rounds have a closed form, to failures behind them',
    paper: 'Kroening, Lewis, Weissenbacher, CAV 2013',
    selectable: false,
    answers: 'bugs',
  },
  {
    name: 'long-runs',
    title: 'whole executions past long loops, each with one of the numbers of the program as an input',
    paper: '',
    selectable: false,
    answers: 'bugs',
  },
  {
    name: 'loop-free',
    title: 'checks of a program without loops or state, sent to the solver directly',
    paper: '',
    selectable: false,
    answers: 'proofs',
  },
  {
    name: 'sampling',
    title: 'collects the states that tests and random runs reach',
    paper: 'Ernst et al., TSE 2001',
    selectable: false,
    answers: 'bugs',
  },
  {
    name: 'houdini',
    title: 'the largest inductive subset of candidate invariants',
    paper: 'Flanagan, Leino, FME 2001',
    selectable: false,
    answers: 'proofs',
  },
  {
    name: 'discharge',
    title: 'checks under the invariants proved so far',
    paper: '',
    selectable: false,
    answers: 'proofs',
  },
  {
    name: 'loop-unrolling',
    title: 'short loops become part of their segments, with unwinding assertions',
    paper: 'Clarke, Kroening, Lerda, TACAS 2004',
    selectable: false,
    answers: 'proofs',
  },
  {
    name: 'joint-values',
    title: 'the combinations of values that variables with few values have at each place',
    paper: 'Graf, Saïdi, CAV 1997; Clarke, Grumberg, Long, TOPLAS 1994',
    selectable: false,
    answers: 'proofs',
  },
  {
    name: 'reduced',
    title: 'slices for the checks that are open, in which what does not matter to them may do anything',
    paper: 'Kumar, Sanyal, Khedker, TACAS 2015',
    selectable: false,
    answers: 'proofs',
  },
  { name: 'replay-alarms', title: "runs an alarm's model", paper: '', selectable: false, answers: 'bugs' },
  {
    name: 'unwinding',
    title: 'all executions, where all end soon',
    paper: 'Clarke, Kroening, Lerda, TACAS 2004',
    selectable: false,
    answers: 'proofs and bugs',
  },
  {
    name: 'bounded-model-checking',
    title: 'all executions of a bounded length',
    paper: 'Biere, Cimatti, Clarke, Zhu, TACAS 1999',
    selectable: false,
    answers: 'proofs and bugs',
  },
] as const satisfies readonly EngineEntry[];

export const registry: readonly EngineEntry[] = entries;

type Entry = (typeof entries)[number];

/** Names for `--engine` and `engine`; the first is the default. */
export type EngineName = Extract<Entry, { readonly selectable: true }>['name'];
/** A stage of a portfolio; with a parameter behind the colon. */
export type StageName = Entry['name'] | `${Entry['name']}:${string}`;

export const engineNames: readonly EngineName[] = entries.flatMap((entry) => (entry.selectable ? [entry.name] : []));

/** The engines that race against `auto`, one after the other. */
export const rivals: readonly EngineName[] = entries.flatMap((entry) => ('rival' in entry ? [entry.name] : []));

/** False: a proof that turns up on the side is not what was asked for. */
export const answersProofs = (name: string): boolean =>
  registry.find((entry) => entry.name === name)?.answers !== 'bugs';

export const isEngineName = (name: string): name is EngineName => engineNames.some((one) => one === name);

/** True if a run cut short at `stage` had come to the stage `name`, or a part of it behind a plus sign. */
export const isAt = (name: StageName, stage: StageName): boolean => stage === name || stage.startsWith(`${name}+`);
