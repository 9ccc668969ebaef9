/**
 * Candidates that would decide checks which are open when the time is up: they hold in every state that runs came to,
 * the check cannot fail where they hold, and no engine has shown that they always do. Each is a candidate of some
 * engine; of those that suffice together a minimal subset is left, by deletion. A candidate that C can express is
 * offered as PROVEST_INVARIANT, which is checked like any other condition.
 */
import { candidatesFrom, type CandidateKind } from '../../abstraction/candidates/candidates';
import { constantsOf } from '../../abstraction/candidates/observables';
import type { Samples } from '../../abstraction/candidates/samples';
import { invariantsOnTheWay } from '../../abstraction/predicates/transitionQuery';
import { printTerm } from '../../abstraction/printing/printTerm';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { type InvariantMap, invariantsAt } from '../../abstraction/transitionSystem/invariantMap';
import type { Transition, TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import { readCProbe } from '../../host/cProbe';
import { scopeOf } from '../../host/probeScope';
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Check } from '../../program/command';
import type { Obligation } from '../../semantics/symbolic/segment';
import type { Solver } from '../../solver/solver';
import { sourceLocationOf } from '../../sourceLocation';

const limits = {
  /** Checks that are looked at, in the order of the program. */
  checks: 6,
  /** Candidates that are offered for one check: more than these are no hint. */
  candidates: 3,
  /** Sets of candidates for one check, of which runs refute some. */
  tries: 3,
  /** For one query. */
  queryMs: 400,
} as const;

/** The cheapest to state first. */
const kinds: readonly CandidateKind[] = ['basic', 'extents', 'plain'];

export interface MissingInvariants {
  /** Decided by the same candidates. */
  readonly checks: readonly Check[];
  readonly at: Cutpoint;
  /** As C, one by one. */
  readonly candidates: readonly string[];
}

/** `refuted`: those candidates at the point that runs refute, of which the samples keep only some states. */
export async function missingInvariants(
  { system, samples }: { readonly system: TransitionSystem; readonly samples: Samples },
  invariants: InvariantMap,
  open: ReadonlySet<Check>,
  solver: Solver,
  budget: Budget,
  refuted: (point: Cutpoint, candidates: readonly Term[]) => ReadonlySet<Term>,
): Promise<readonly MissingInvariants[]> {
  const guessed = new Map<Cutpoint, readonly Term[]>();
  const constants = constantsOf(system);
  for (const kind of kinds)
    for (const [point, terms] of candidatesFrom(system, invariants, samples, constants, kind))
      guessed.set(point, [...new Set([...(guessed.get(point) ?? []), ...terms])]);
  const found = new Map<string, MissingInvariants>();
  let looked = 0;
  for (const transition of system.transitions) {
    const { from, segment } = transition;
    if (!from || !segment || from.kind !== 'loop' || from.fn.library) continue;
    // Anything holds in all states seen of a loop that no run came to.
    if (samples.of(from).length === 0) continue;
    const sayable = sayableAt(from, guessed.get(from) ?? [], system);
    for (const obligation of segment.obligations) {
      if (!open.has(obligation.check) || obligation.guard === L.FALSE || sayable.size === 0) continue;
      if (budget.exhausted || looked++ === limits.checks) return [...found.values()];
      const question = { system, invariants, solver, budget };
      let candidates = await smallestPart(obligation, transition, [...sayable.keys()], question);
      for (let tries = 0; candidates && tries < limits.tries; tries++) {
        const wrong = refuted(from, candidates);
        if (wrong.size === 0) break;
        for (const term of wrong) sayable.delete(term);
        candidates =
          tries + 1 < limits.tries
            ? await smallestPart(obligation, transition, [...sayable.keys()], question)
            : undefined;
      }
      if (!candidates) continue;
      const texts = candidates.map((candidate) => sayable.get(candidate)!);
      const key = `${from.key} ${texts.join()}`;
      found.set(key, { checks: [...(found.get(key)?.checks ?? []), obligation.check], at: from, candidates: texts });
    }
  }
  return [...found.values()];
}

/** As a line to paste, and what it is good for. */
export function missingInvariantsText({ at, candidates, checks }: MissingInvariants): string {
  const { line } = sourceLocationOf(at.location.span);
  const [first, ...others] = checks;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  const named = `${first!.text} in line ${sourceLocationOf(first!.span).line}${more}`;
  const lines = candidates.map((candidate) => `PROVEST_INVARIANT(${candidate});`).join(' ');
  const place = `in the loop at line ${line} of ${at.fn.name}`;
  return `${place}: ${lines} would decide ${named}; it held in all states seen, and is not shown to hold always`;
}

/** The candidates that C can say in the loop, as it says them. */
function sayableAt(
  { fn }: Cutpoint,
  terms: readonly Term[],
  { vocabulary, program }: TransitionSystem,
): Map<Term, string> {
  const scope = scopeOf(program, 'the module', fn);
  return new Map(
    terms.flatMap((term): (readonly [Term, string])[] => {
      const text = printTerm(term, vocabulary);
      // A word of conditions that C does not have.
      if (text.includes('PROVEST_SAME_OBJECT')) return [];
      return readCProbe(text, scope, program.enumConstants).kind === 'formula' ? [[term, text]] : [];
    }),
  );
}

interface Question {
  readonly system: TransitionSystem;
  readonly invariants: InvariantMap;
  readonly solver: Solver;
  readonly budget: Budget;
}

/** Undefined when not even all of them suffice, when none is needed, or when too many are. */
async function smallestPart(
  { guard, condition }: Obligation,
  transition: Transition,
  candidates: readonly Term[],
  { system, invariants, solver, budget }: Question,
): Promise<readonly Term[] | undefined> {
  const premises = [
    ...transition.axioms,
    ...invariantsAt(invariants, transition.from!),
    ...invariantsOnTheWay(transition, invariants, system.vocabulary),
    guard,
    L.not(condition),
  ];
  const suffices = async (some: readonly Term[]): Promise<boolean> => {
    if (budget.exhausted) return false;
    const query = [...premises, ...some];
    const timeoutMs = Math.max(1, Math.min(limits.queryMs, budget.leftMs));
    const axioms = system.vocabulary.readAxioms(query, new Set());
    return (await solver.check([...query, ...axioms], { timeoutMs })).kind === 'unsat';
  };
  if (!(await suffices(candidates)) || (await suffices([]))) return undefined;
  let needed = candidates;
  // Halves first, then ever smaller pieces.
  for (let size = Math.ceil(needed.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = needed.length - size; at > -size; at -= size) {
      const fewer = [...needed.slice(0, Math.max(0, at)), ...needed.slice(Math.max(0, at) + size)];
      if (fewer.length < needed.length && (await suffices(fewer))) needed = fewer;
    }
  return needed.length <= limits.candidates ? needed : undefined;
}
