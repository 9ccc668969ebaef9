/**
 * Results that proofs take from earlier runs and leave to later ones. Everything taken over is judged again before it
 * counts: a finished proof by the independent check, a counterexample by the evaluator, candidates by induction. So a
 * wrong or hostile memory costs time, and no answer depends on it. Answers that a budget cut short are never kept as
 * answers; what they had found is, as a place to begin.
 */
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { type InvariantMap, noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import type { TransitionSystem, SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import type { Scenario } from '../../evidence/scenarios/scenario';
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import {
  changedSince,
  fingerprintsOf,
  invariantOf,
  cacheKeyOf,
  recallByName,
  recallInduction,
  recallProof,
  recallScenario,
  recallUnrolling,
  storeProof,
  storeScenario,
  type ProofMemory,
  type CacheKey,
  type RecalledPoint,
} from '../../proofCache';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Task } from '../../task';
import type { StageName } from '../registry';

const limits = {
  /** Between two savings of something unfinished. */
  savingMs: 2000,
  /** For the solver to say its name. */
  startMs: 20_000,
} as const;

/** A run that was cut short: the stage, and whether its search for invariants can be continued from what it left. */
export interface Unfinished {
  readonly stage: StageName;
  readonly searched: boolean;
}

type StoredResult =
  /** `functions`: their fingerprints; `options`: what was asked. Both only to tell what has changed since. */
  | { readonly kind: 'proved'; readonly proof: unknown; readonly functions: unknown; readonly options: unknown }
  /** `closing`: while abstract states were collected; before that, the formulas are candidates still. */
  | ({ readonly kind: 'unfinished'; readonly closing: boolean; readonly proof: unknown } & Unfinished)
  | { readonly kind: 'bug'; readonly scenario: unknown };

export class ProofReuse {
  private readonly stored: StoredResult | undefined;
  private previous: StoredResult | undefined;
  private lastSaved = performance.now();

  private constructor(
    private readonly memory: ProofMemory,
    private readonly cacheKey: CacheKey,
    private readonly program: Program,
  ) {
    this.stored = read(memory.recall(cacheKey.exact));
  }

  static async of(
    memory: ProofMemory | undefined,
    task: Task,
    program: Program,
    solver: Promise<string>,
    excludesEnds: boolean,
  ): Promise<ProofReuse | undefined> {
    if (!memory) return undefined;
    // A solver that never starts has no name, and an unreferenced one does not keep us alive to wait for it.
    let timer: NodeJS.Timeout | undefined;
    const nameless = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve('?'), limits.startMs);
    });
    const name = await Promise.race([solver, nameless]);
    clearTimeout(timer);
    return new ProofReuse(memory, cacheKeyOf(task, program, name, excludesEnds), program);
  }

  /** The proof of the very same question, on a system of it. */
  proof(system: TransitionSystem): ReadonlyMap<Cutpoint, RecalledPoint> | undefined {
    return this.stored?.kind === 'proved' ? recallProof(this.stored.proof, system) : undefined;
  }

  scenario(): Scenario | undefined {
    return this.stored?.kind === 'bug' ? recallScenario(this.stored.scenario, this.program) : undefined;
  }

  /** The last proof about these files, for what they are now, and which functions are no longer what they were. */
  earlierProof(
    system: TransitionSystem,
  ):
    | { readonly points: ReadonlyMap<Cutpoint, RecalledPoint>; readonly changed: readonly FunctionDefinition[] }
    | undefined {
    const { source } = this;
    // A proof kept for this very question has been tried.
    const points = source?.kind === 'proved' && source !== this.stored ? recallByName(source.proof, system) : undefined;
    return points && points.size > 0 ? { points, changed: this.changedFunctions(system) } : undefined;
  }

  /**
   * Since the last proof about these files: functions that were edited, and those that call them; all of them after
   * another question.
   */
  changedFunctions(system: TransitionSystem): readonly FunctionDefinition[] {
    const { source } = this;
    const analysed = new Set([...system.functions, ...system.inlined]);
    const functions = this.program.functions.filter((fn) => analysed.has(fn) && !fn.library);
    return changedSince(
      source?.kind === 'proved' && source.options === this.cacheKey.options ? source.functions : undefined,
      functions,
    );
  }

  /**
   * Candidates to try first: of a run of this question that was cut short, else of the last proof about these files,
   * whatever has changed since.
   */
  candidates(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> | undefined {
    const { source } = this;
    const points = source && recallByName(source.proof, system);
    if (!points || points.size === 0) return undefined;
    const claimed = (recalled: RecalledPoint): readonly Term[] =>
      source.kind === 'proved'
        ? [...recalled.invariants, invariantOf(recalled)].filter((term) => term !== L.TRUE)
        : recalled.invariants;
    const candidates = new Map([...points].map(([point, recalled]) => [point, claimed(recalled)]));
    // A function that is new keeps what held between calls, or nothing does any more.
    const between = (system.client && candidates.get(system.client)) ?? [];
    for (const point of system.points) {
      if ((point.kind === 'entry' || point.kind === 'exit') && !candidates.has(point) && between.length > 0)
        candidates.set(point, between);
    }
    return candidates;
  }

  /** A run of this question that was cut short: its candidates are all that its search for invariants had left. */
  get unfinished(): Unfinished | undefined {
    return this.stored?.kind === 'unfinished' ? this.stored : undefined;
  }

  /** The loops that were taken into segments, and k of k-induction. */
  transitions(): Pick<SystemOptions, 'unroll' | 'induction'> {
    if (!this.source) return {};
    const unroll = recallUnrolling(this.source.proof, this.program);
    const induction = recallInduction(this.source.proof);
    return { ...(unroll && unroll.size > 0 && { unroll }), ...(induction > 1 && { induction }) };
  }

  private get source(): Exclude<StoredResult, { kind: 'bug' }> | undefined {
    const source =
      this.stored?.kind === 'proved' || this.stored?.kind === 'unfinished'
        ? this.stored
        : (this.previous ??= read(this.memory.recall(this.cacheKey.about)));
    return source?.kind === 'bug' ? undefined : source;
  }

  /** The abstract states that were known at this stage, when its invariants and predicates are the same now. */
  states(abstraction: PredicateAbstraction, stage: StageName): ReadonlyMap<Cutpoint, RecalledPoint> | undefined {
    if (this.stored?.kind !== 'unfinished' || !this.stored.closing || this.stored.stage !== stage) return undefined;
    const points = recallProof(this.stored.proof, abstraction.system);
    const same = (a: readonly Term[], b: readonly Term[]): boolean =>
      a.length === b.length && a.every((term, i) => term === b[i]);
    const sameSet = (a: readonly Term[], b: readonly Term[]): boolean =>
      a.length === b.length && a.every((term) => b.includes(term));
    return points &&
      [...points].every(
        ([point, { invariants, predicates }]) =>
          sameSet(invariants, abstraction.at(point).invariants) &&
          same(
            predicates.map(({ term }) => term),
            abstraction.at(point).predicates.map(({ term }) => term),
          ),
      )
      ? points
      : undefined;
  }

  /** Says why when it could not be kept. */
  keepProof(abstraction: PredicateAbstraction): string | undefined {
    const { system } = abstraction;
    const stored: StoredResult = {
      kind: 'proved',
      proof: storeProof(abstraction),
      functions: fingerprintsOf([...system.functions, ...system.inlined]),
      options: this.cacheKey.options,
    };
    return this.memory.keep(this.cacheKey.exact, stored) ?? this.memory.keep(this.cacheKey.about, stored);
  }

  keepScenario(scenario: Scenario): void {
    const stored: StoredResult = { kind: 'bug', scenario: storeScenario(scenario) };
    this.memory.keep(this.cacheKey.exact, stored);
  }

  /** Candidates that a search for invariants has not refuted so far; not those of a weaker program. */
  keepCandidates(system: TransitionSystem, candidates: InvariantMap, at: Unfinished): void {
    if (system.options.weakening || !this.isTime('from time to time') || this.answeredSince()) return;
    const stored: StoredResult = {
      kind: 'unfinished',
      closing: false,
      ...at,
      proof: storeProof(PredicateAbstraction.of(system, noInvariants), candidates),
    };
    this.memory.keep(this.cacheKey.exact, stored);
  }

  keepStates(abstraction: PredicateAbstraction, stage: StageName, now: 'now' | 'from time to time'): void {
    if (abstraction.system.options.weakening || !this.isTime(now) || this.answeredSince()) return;
    const stored: StoredResult = {
      kind: 'unfinished',
      closing: true,
      stage,
      searched: true,
      proof: storeProof(abstraction),
    };
    this.memory.keep(this.cacheKey.exact, stored);
  }

  /** By a rival: what is unfinished here does not take its place. */
  private answeredSince(): boolean {
    const isAnswer = (stored: StoredResult | undefined): boolean => stored?.kind === 'proved' || stored?.kind === 'bug';
    return !isAnswer(this.stored) && isAnswer(read(this.memory.recall(this.cacheKey.exact)));
  }

  private isTime(now: 'now' | 'from time to time'): boolean {
    if (now === 'from time to time' && performance.now() - this.lastSaved < limits.savingMs) return false;
    this.lastSaved = performance.now();
    return true;
  }
}

function read(contents: unknown): StoredResult | undefined {
  if (typeof contents !== 'object' || contents === null || !('kind' in contents)) return undefined;
  switch (contents.kind) {
    case 'proved': {
      const { proof, functions, options } = contents as Partial<Record<string, unknown>>;
      return proof === undefined ? undefined : { kind: 'proved', proof, functions, options };
    }
    case 'unfinished': {
      const { stage, searched, closing, proof } = contents as Partial<Record<string, unknown>>;
      // A stage of another version is none of this one's, and skips none.
      return typeof stage === 'string'
        ? {
            kind: 'unfinished',
            stage: stage as StageName,
            searched: searched === true,
            closing: closing === true,
            proof,
          }
        : undefined;
    }
    case 'bug':
      return 'scenario' in contents ? { kind: 'bug', scenario: contents.scenario } : undefined;
    default:
      return undefined;
  }
}
