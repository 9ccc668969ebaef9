/**
 * A proof by exhaustion, discharged again: after some rounds no execution goes on, and in none a check fails. The
 * certificate says which control was dropped in which round. The executions are built anew, that control is dropped
 * again, and fresh queries, without the engine's session, ask whether what was dropped could have been and whether a
 * check could fail. Nothing left in the end: there are no longer executions (compare unwinding assertions: Clarke,
 * Kroening, Lerda, TACAS 2004).
 */
import { BoundedExecutions, keyOf, takesPointers, type StepOrder } from '../../abstraction/transitionSystem/unwinding';
import { TransitionSystem, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import { assertionsInForce } from './certify';
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Edge, Program } from '../../program/program';
import type { Check } from '../../program/command';
import type { QueryBudget, Solver } from '../../solver/solver';

export interface UnwindingCertificate {
  /** After so many no control is left. */
  readonly rounds: number;
  readonly order: StepOrder;
  /** By round, which control. */
  readonly dropped: ReadonlyMap<number, ReadonlySet<string>>;
}

export type UnwindingResult =
  /** `unreached`: assertions that no execution comes to. */
  | { readonly kind: 'certified'; readonly system: TransitionSystem; readonly unreached: readonly Check[] }
  | { readonly kind: 'open'; readonly why: string };

/** True if a system's executions can be exhausted at all: from one known state, without a client. */
export function canBeUnwound(system: TransitionSystem): boolean {
  // Objects of a client are an approximation that only a replay makes good.
  return system.client === undefined && !takesPointers(system);
}

export async function certifyUnwinding(
  program: Program,
  options: SystemOptions,
  { rounds, order, dropped }: UnwindingCertificate,
  solver: Solver,
  budget: () => QueryBudget,
): Promise<UnwindingResult> {
  const system = new TransitionSystem(program, options);
  if (!canBeUnwound(system)) return { kind: 'open', why: 'a client may go on for ever' };
  const executions = new BoundedExecutions(system, 1, order);
  const axioms: Term[] = [];
  /** By round, what must not be. */
  const refused: Term[] = [];
  const assumed = new Map<Edge, Term[]>();
  const asserted = new Map<Check, Term[]>();
  for (let round = 0; round < rounds && executions.frontier.length > 0; round++) {
    executions.advance();
    const gone = dropped.get(round);
    const { frontier, obligations, assumptions } = executions;
    const refuse = L.or(
      ...obligations.map(({ guard, condition }) => L.and(guard, L.not(condition))),
      ...frontier.filter((control) => gone?.has(keyOf(control))).map(({ flow }) => flow.guard),
    );
    if (gone) executions.frontier = frontier.filter((control) => !gone.has(keyOf(control)));
    axioms.push(...executions.newAxioms([refuse]));
    if (refuse !== L.FALSE) refused.push(refuse);
    // If the condition folded to true the guard was not kept.
    for (const { check, guard } of obligations)
      if (check.check === 'assertion') add(asserted, check, guard === L.FALSE ? L.TRUE : guard);
    for (const { edge, after } of assumptions) add(assumed, edge, after);
  }
  if (executions.frontier.length > 0) return { kind: 'open', why: 'executions go on' };
  const all = await refutes(solver, [...axioms, L.or(...refused)], budget());
  if (all !== undefined && (all === 'possible' || refused.length < 2)) return { kind: 'open', why: all };
  // Too much at once: round by round.
  if (all !== undefined)
    for (const refuse of refused) {
      const one = await refutes(solver, [...axioms, refuse], budget());
      if (one !== undefined) return { kind: 'open', why: one };
    }
  const possible = async (terms: readonly Term[]): Promise<boolean> => {
    const some = L.or(...terms);
    return (
      some === L.TRUE ||
      (some !== L.FALSE &&
        (await solver.check([...axioms, ...system.vocabulary.readAxioms([some], new Set()), some], budget())).kind !==
          'unsat')
    );
  };
  // Assumptions that nothing passes are for those to judge who know what comes before them.
  for (const terms of assumed.values())
    if (!(await possible(terms))) return { kind: 'open', why: 'an assumption is never passed' };
  const unreached: Check[] = [];
  for (const check of assertionsInForce(system))
    if (!(await possible(asserted.get(check) ?? []))) unreached.push(check);
  return { kind: 'certified', system, unreached };
}

/** Undefined: it cannot be. */
async function refutes(solver: Solver, terms: readonly Term[], budget: QueryBudget): Promise<string | undefined> {
  if (terms.includes(L.FALSE)) return undefined;
  const answer = await solver.check(terms, budget);
  switch (answer.kind) {
    case 'unsat':
      return undefined;
    case 'sat':
      return 'possible';
    case 'unknown':
      return answer.detail;
  }
}

function add<K>(map: Map<K, Term[]>, key: K, term: Term): void {
  const list = map.get(key);
  if (list) list.push(term);
  else map.set(key, [term]);
}
