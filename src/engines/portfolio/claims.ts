/**
 * Loop invariants that a witness claims must carry the whole proof. Where it claims nothing, the program may have one
 * execution, or executions that all end soon, and that is checked anew.
 */
import { candidatesFrom, type CandidateKind } from '../../abstraction/candidates/candidates';
import { constantsOf } from '../../abstraction/candidates/observables';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import {
  conjoin,
  type InvariantMap,
  invariantsAt,
  noInvariants,
} from '../../abstraction/transitionSystem/invariantMap';
import { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { claimedInvariants } from '../../evidence/certificates/claimedInvariants';
import * as L from '../../logic/build';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Task } from '../../task';
import type { Verdict } from '../../verdict';
import { type Engine, type Knowledge, nothingKnown, type SampledStates } from '../engine';
import { houdini } from '../invariants/houdini';
import { inductionDepths } from '../invariants/inductionDepths';
import { sampling } from '../invariants/sampling';
import { unwinding } from '../search/boundedModelCheckingEngines';
import { quickSearch } from '../search/fuzzingEngine';
import { runOnlyExecution } from '../search/onlyExecutionEngine';
import { answersAs, conclude } from './conclude';
import type { Verification } from './portfolioRun';

type Claims = NonNullable<Task['claims']>;

const limits = {
  onlyExecutionSteps: 3_000_000,
} as const;

/** Candidates beside what is claimed of loops, in this order. */
const kinds: readonly CandidateKind[] = ['basic', 'plain', 'split'];

export async function verifyClaims(claims: Claims, verification: Verification): Promise<Verdict> {
  const { problem } = verification;
  const checked = await certifyClaims(claims, verification);
  if (checked.kind === 'proved') return checked;
  let known: Knowledge = nothingKnown;
  const attempt = async (engine: Engine): Promise<Verdict | undefined> => {
    if (engine.applies(problem, known) !== undefined) return undefined;
    const outcome = await engine.run(problem, known, verification.budget, verification.log);
    if (outcome.kind === 'safe' || outcome.kind === 'unsafe') {
      const verdict = await conclude(outcome, engine.name, known, problem.task.engine, verification);
      return verdict?.kind === 'proved' || verdict?.kind === 'bug' ? verdict : undefined;
    }
    known = outcome.learned;
    return undefined;
  };
  const claimsNothing = claims.length === 0;
  for (const engine of [
    ...(claimsNothing ? [runOnlyExecution(limits.onlyExecutionSteps, 'first')] : []),
    quickSearch,
    sampling,
  ]) {
    const verdict = await attempt(engine);
    if (verdict) return verdict;
  }
  if (known.samples) {
    for await (const { system, invariants } of strengthen(claims, known.samples, verification)) {
      const abstraction = PredicateAbstraction.ofInvariants(system, invariants);
      const verdict = await verification.certification.invariant(abstraction, { engine: nameOf(verification) });
      if (verdict.kind === 'proved') return verdict;
    }
  }
  return (claimsNothing ? await attempt(unwinding('now')) : undefined) ?? checked;
}

const nameOf = ({ problem }: Verification): string => answersAs(problem.task.engine);

/** The claimed invariants alone; also as k-inductive ones. */
async function certifyClaims(claims: Claims, verification: Verification): Promise<Verdict> {
  const { problem, budget, log, certification } = verification;
  let first: Verdict | undefined;
  for (const k of [1, ...inductionDepths]) {
    const options = { ...problem.systemOptions(), ...(k > 1 && { induction: k }) };
    const system = new TransitionSystem(problem.program, options);
    if (k > 1 && system.transitions.every(({ through }) => through.length === 0)) break;
    const claimed = claimedInvariants(system, claims);
    log.working(PredicateAbstraction.of(system, noInvariants));
    if (typeof claimed === 'string')
      return log.unknown(nameOf(verification), { cause: 'checker-disagrees', message: claimed });
    const engine = answersAs(problem.task.engine, undefined, system);
    const answer = await certification.invariant(PredicateAbstraction.ofInvariants(system, claimed), { engine });
    if (answer.kind === 'proved') return answer;
    first ??= answer;
    if (answer.kind !== 'unknown' || answer.reason.cause !== 'checker-disagrees' || budget.exhausted) break;
  }
  return first!;
}

/**
 * The claimed invariants with guessed ones where a witness has no words: at calls, where functions begin and end, and
 * about the values they began with.
 */
async function* strengthen(
  claims: Claims,
  { system, samples }: SampledStates,
  { problem, budget }: Verification,
): AsyncIterable<{ readonly system: TransitionSystem; readonly invariants: InvariantMap }> {
  const claimed = claimedInvariants(system, claims);
  if (typeof claimed === 'string' || system.points.every(({ kind }) => kind === 'loop' || kind === 'entry')) return;
  let invariants = noInvariants;
  for (const kind of kinds) {
    const guessed = candidatesFrom(system, invariants, samples, constantsOf(system), kind);
    const candidates = new Map(
      system.points.map((point) => [
        point,
        [
          ...invariantsAt(claimed, point),
          ...(guessed.get(point)?.filter((term) => point.kind !== 'loop' || speaksOfEntry(term, system)) ?? []),
          ...(point.kind !== 'loop' && samples.of(point).length === 0 ? [L.FALSE] : []),
        ],
      ]),
    );
    const kept = await houdini(system, invariants, candidates, problem.solvers.instances, {
      query: budget.query(),
      stop: () => budget.exhausted !== undefined,
    });
    if (!kept) return;
    invariants = conjoin(invariants, kept);
    // A claim that is not inductive with these proves nothing.
    if ([...claimed].every(([key, terms]) => terms.every((term) => invariants.get(key)?.includes(term))))
      yield { system, invariants };
  }
}

/** About the value that a variable had when its function began. */
function speaksOfEntry(term: Term, { vocabulary }: TransitionSystem): boolean {
  return [...symbolsOf(term)].some((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind === 'variable' && meaning.variable.entryValueOf !== undefined;
  });
}
