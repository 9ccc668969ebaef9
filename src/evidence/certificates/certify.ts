/**
 * A proof, discharged again. A certificate is data: per cutpoint the predicates and the allowed valuations, per
 * context. It is checked on a transition system built anew from the program, one fresh query per transition and context
 * and few for the checks of a segment, without the engine's sessions, definitions or bookkeeping:
 *
 *   the initial states are allowed; no transition leads from allowed states to one that is not; no check in force can
 *   fail in an allowed state.
 *
 * Shares with the engine the semantics (program to formulas) and the solver, nothing else.
 */
import type { CutpointKey } from '../../abstraction/transitionSystem/cutpoint';
import type { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { TransitionSystem, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import type { Check } from '../../program/command';
import type { FunctionDefinition, Program } from '../../program/program';
import { askedChecks, askedOnly } from '../../program/automata/weakening';
import type { QueryBudget, Solver } from '../../solver/solver';
import { CertificateChecker, type CertificateEntry, type CertifyResult } from './certificateChecker';

/** By function and location, one entry for each cutpoint of the system it is checked on. */
export type Certificate = ReadonlyMap<CutpointKey, CertificateEntry>;

export function certificateOf({ points }: PredicateAbstraction): Certificate {
  return new Map(
    points.map((abstract) => [
      abstract.point.key,
      {
        invariants: abstract.invariants,
        predicates: abstract.predicates.map(({ term }) => term),
        states: abstract.contexts().map((context) => [context, abstract.valuations(context)] as const),
      },
    ]),
  );
}

export async function certify(
  program: Program,
  options: SystemOptions,
  certificate: Certificate,
  solver: Solver,
  budget: () => QueryBudget,
): Promise<CertifyResult> {
  const system = new TransitionSystem(program, options);
  const entries = system.points.map(({ key }) => certificate.get(key));
  if (certificate.size !== entries.length || !entries.every((entry) => entry !== undefined))
    return { kind: 'refuted', why: 'the certificate is for another program' };
  const checker = new CertificateChecker(system, entries, solver, budget);
  const structural = checker.structure();
  if (structural) return { kind: 'refuted', why: structural };
  const failed = (await checker.begin()) ?? (await checker.checkStart()) ?? (await checker.handedOver());
  if (failed) return failed;
  for (const transition of system.transitions) {
    const failure = (await checker.checkClosed(transition)) ?? (await checker.safe(transition));
    if (failure) return failure;
  }
  return { kind: 'certified', obligations: askedIn(system).length, queries: checker.queries };
}

export type CertifiedChecks =
  /** Checks that cannot fail in an execution that has passed all earlier ones. */
  | {
      readonly kind: 'certified';
      readonly checks: ReadonlySet<Check>;
      readonly queries: number;
    }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * The checks that a certificate proves, where it does not prove all: its invariants must be inductive, as always. A
 * later check is proved for executions that pass the earlier ones, proved or not. `budget`: undefined when the time is
 * up; checks that were not reached by then are not certified. `notAsked`: checks that stay open.
 */
export async function certifyChecks(
  program: Program,
  options: SystemOptions,
  certificate: Certificate,
  solver: Solver,
  budget: () => QueryBudget | undefined,
  notAsked: ReadonlySet<Check> = new Set(),
): Promise<CertifiedChecks> {
  const system = new TransitionSystem(program, options);
  const entries = system.points.map(({ key }) => certificate.get(key));
  if (certificate.size !== entries.length || !entries.every((entry) => entry !== undefined))
    return { kind: 'refused', why: 'the certificate is for another program' };
  const checker = new CertificateChecker(system, entries, solver, () => budget() ?? noTime);
  const structural = checker.structure();
  if (structural) return { kind: 'refused', why: structural };
  const failed = (await checker.begin()) ?? (await checker.checkStart()) ?? (await checker.handedOver());
  if (failed) return { kind: 'refused', why: whyOf(failed) };
  for (const transition of system.transitions) {
    if (!budget()) return { kind: 'refused', why: noTimeForInvariants };
    const failure = await checker.checkClosed(transition);
    if (failure) return { kind: 'refused', why: whyOf(failure) };
  }
  const open = new Set(notAsked);
  for (const transition of system.transitions) {
    for (const check of await checker.failing(transition, open, () => budget() !== undefined)) open.add(check);
  }
  const checks = new Set(checksOf(system, () => true).filter((check) => !open.has(check)));
  return { kind: 'certified', checks, queries: checker.queries };
}

const noTime: QueryBudget = { timeoutMs: 1 };
const noTimeForInvariants = 'there was no time to check that the invariants are inductive';

const whyOf = (result: CertifyResult): string => (result.kind === 'certified' ? '' : result.why);

/**
 * A proof of these checks alone, in executions that pass the others. Proofs that are together about all checks prove
 * all: the first check to fail in an execution would be one that is proved.
 */
export function asProofOf(checks: ReadonlySet<Check>, proof: PredicateAbstraction): PredicateAbstraction {
  const { program, options, weakening, functions, inlined } = proof.system;
  const weaker = askedOnly(checks, weakening, [...functions, ...inlined]);
  return proof.in(new TransitionSystem(program, { ...options, weakening: weaker }));
}

/** The checks that are asked in the analysed functions and what is part of them. */
export function askedIn(system: TransitionSystem): readonly Check[] {
  return checksOf(system, () => true);
}

/** Checks in force that the user wrote as assertions. */
export function assertionsInForce(system: TransitionSystem): readonly Check[] {
  return checksOf(system, (fn) => !fn.library).filter(({ check }) => check === 'assertion');
}

function checksOf(system: TransitionSystem, counts: (fn: FunctionDefinition) => boolean): readonly Check[] {
  const functions = new Set([...system.functions, ...system.inlined]);
  return [...functions]
    .filter(counts)
    .flatMap((fn) => askedChecks(fn, system.weakening, system.options.checkedProperties));
}
