/**
 * Proofs of nothing: assumptions that no state gets past, assertions that are never reached, probes that tell no states
 * apart.
 */
import type { Span } from '../../c/source';
import { type Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import {
  type AbstractPoint,
  cube,
  type StatePredicate,
  type PredicateAbstraction,
} from '../../abstraction/predicates/predicateAbstraction';
import { sourceLocationOf } from '../../sourceLocation';
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { type CheckKey, checkKey, type Command } from '../../program/command';
import type { Edge, FunctionDefinition } from '../../program/program';
import { askedIn, assertionsInForce } from '../../evidence/certificates/certify';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Model } from '../../solver';
import { allHold } from '../../solver/model';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { Reason } from '../../verdict';
import { placeText } from './assumptions';

export interface Vacuity {
  /** Oddities that take nothing from the proof. */
  readonly remarks: readonly string[];
  /** Why the proof does not count. */
  readonly reason: Reason | undefined;
}

/** The disjunction of a point's abstract states. */
const anyOf = (abstract: AbstractPoint): Term =>
  L.or(
    ...abstract.valuations().map((valuation) =>
      cube(
        valuation,
        abstract.predicates.map(({ term }) => term),
      ),
    ),
  );

/**
 * True if some state may satisfy all of the terms; models of others are tried first. `query`: undefined when the time
 * is up.
 */
export function possibleIn(
  { vocabulary }: TransitionSystem,
  solver: Pick<Solver, 'check'>,
  query: () => QueryBudget | undefined,
): (terms: readonly Term[]) => Promise<boolean> {
  const models: Model[] = [];
  return async (terms) => {
    const all = [...terms, ...vocabulary.readAxioms(terms, new Set())];
    if (models.some((model) => allHold(model, all))) return true;
    const budget = query();
    if (!budget) return true;
    const answer = await solver.check(all, budget);
    if (answer.kind === 'sat') models.push(answer.model);
    return answer.kind !== 'unsat';
  };
}

const isOfFailure = (command: Command): boolean => command.kind === 'assume' && command.ofFailure === true;

/** An assumption that no state satisfies makes everything behind it true. */
export async function vacuity(
  abstraction: PredicateAbstraction,
  possible: (terms: readonly Term[]) => Promise<boolean>,
  mode: 'module' | 'program',
): Promise<Vacuity> {
  const { system } = abstraction;
  const uncallable = await neverCalled(abstraction, possible);
  if (uncallable) return { remarks: [], reason: uncallable };
  const remarks: string[] = [];
  const open = new Map<
    unknown,
    {
      span: Span;
      fn: FunctionDefinition;
      /** `assume(0)`: cuts off a branch, where another goes on. */ literal: boolean;
      reached: boolean;
      passed: boolean;
    }
  >();
  const unreached = new Map<unknown, { text: string; span: Span; reached: boolean }>();
  for (const { segment, from, axioms } of system.transitions) {
    if (!segment || !from) continue;
    const abstract = abstraction.at(from);
    if (abstract.valuations().length === 0) continue;
    const source = [...axioms, ...abstract.invariants, anyOf(abstract)];
    const can = (term: Term): Promise<boolean> => possible([...source, term]);
    // That a failing check fails always is no assumption of the user's.
    const assumptions = segment.assumptions.filter(({ edge: { command } }) => !isOfFailure(command));
    for (const { edge, before } of assumptions) {
      if (!open.has(edge))
        open.set(edge, {
          span: edge.span,
          fn: from.fn,
          literal:
            edge.command.kind === 'assume' &&
            edge.command.condition.kind === 'integer' &&
            (from.kind !== 'entry' || (await can(L.not(before)))),
          reached: false,
          passed: false,
        });
    }
    // Who passed the last has mostly passed those before it.
    for (const { edge, before, after } of assumptions.reverse()) {
      const known = open.get(edge)!;
      if (!known.passed && (await can(after))) known.passed = known.reached = true;
      else if (!known.reached && (await can(before))) known.reached = true;
    }
    for (const { check, guard } of segment.obligations) {
      if (check.check !== 'assertion' && check.check !== 'postcondition') continue;
      // If the condition folded to true, the guard was not kept.
      const known = unreached.get(check) ?? { text: check.text, span: check.span, reached: guard === L.FALSE };
      unreached.set(check, known);
      if (!known.reached && (await can(guard))) known.reached = true;
    }
  }
  // No segment gets to these, or none from a state.
  for (const check of assertionsInForce(system))
    if (!unreached.has(check)) unreached.set(check, { text: check.text, span: check.span, reached: false });
  for (const { text, span, reached } of unreached.values())
    if (!reached) remarks.push(`the assertion ${text} at ${placeText(span)} is never reached`);
  for (const { span, reached, passed, fn, literal } of open.values()) {
    if (!reached || passed) continue;
    if (literal && mode === 'program') {
      remarks.push(`vacuous: nothing passes the assumption at ${placeText(span)}`);
      continue;
    }
    return {
      remarks,
      reason: {
        cause: 'vacuous',
        message: 'an assumption contradicts everything that can happen before it, so whatever follows holds of nothing',
        place: sourceLocationOf(span, fn.name),
        suggestion: 'write a test that gets past this assumption, or weaken it',
      },
    };
  }
  return { remarks, reason: undefined };
}

/**
 * Checks the user's probes against the proved states. One that holds in all of them is an invariant, and may have
 * carried the proof; one that holds in none, or that no state at all could make false, says something else than was
 * meant.
 */
export async function emptyProbes(
  abstraction: PredicateAbstraction,
  probes: ReadonlyMap<Cutpoint, readonly StatePredicate[]>,
  possible: (terms: readonly Term[]) => Promise<boolean>,
): Promise<Vacuity> {
  const { vocabulary } = abstraction.system;
  const remarks: string[] = [];
  const empty: string[] = [];
  for (const name of new Set([...probes.values()].flat().map((probe) => probe.name ?? ''))) {
    const places = [...probes].flatMap(([point, list]) =>
      list.filter((probe) => probe.name === name).map(({ term }) => ({ point, term })),
    );
    const some = async (
      when: (place: { readonly point: Cutpoint; readonly term: Term }) => readonly Term[],
    ): Promise<boolean> => {
      for (const place of places) if (await possible(when(place))) return true;
      return false;
    };
    const anyState = ({ point }: { readonly point: Cutpoint }): readonly Term[] =>
      vocabulary.wellFormed(point.fn, point.location);
    const reached = (place: { readonly point: Cutpoint }): readonly Term[] => {
      const abstract = abstraction.at(place.point);
      return [...anyState(place), ...abstract.invariants, anyOf(abstract)];
    };
    if (!(await some((place) => [...anyState(place), L.not(place.term)])))
      empty.push(`the probe '${name}' holds in every state there could be, so it tells none apart`);
    else if (!(await some((place) => [...anyState(place), place.term])))
      empty.push(`the probe '${name}' holds in no state there could be, so it tells none apart`);
    else if (!(await some((place) => [...reached(place), place.term])))
      empty.push(`the probe '${name}' holds in no state that the module can reach`);
    else if (!(await some((place) => [...reached(place), L.not(place.term)])))
      remarks.push(`the probe '${name}' holds in all states that the module can reach`);
  }
  const [first] = empty;
  return {
    remarks: [...remarks, ...empty.slice(1)],
    reason:
      first === undefined
        ? undefined
        : {
            cause: 'vacuous',
            message: first,
            suggestion: 'leave the probe out, or say what was meant: of a state that must never be, the negation',
          },
  };
}

/**
 * Checks to which no state gets, where some failing check that is assumed fails whenever it is reached: what is proved
 * of them is proved of nothing, and says nothing of the time when that check is mended.
 */
export async function behindFailures(
  abstraction: PredicateAbstraction,
  possible: (terms: readonly Term[]) => Promise<boolean>,
): Promise<ReadonlySet<CheckKey>> {
  const { system } = abstraction;
  const flows = system.transitions.flatMap(({ segment, from, axioms }) => {
    const abstract = segment && from && abstraction.at(from);
    if (!abstract || abstract.valuations().length === 0) return [];
    return [{ segment, source: [...axioms, ...abstract.invariants, anyOf(abstract)] }];
  });
  const passed = new Map<Edge, boolean>();
  for (const { segment, source } of flows)
    for (const { edge, after } of segment.assumptions)
      if (isOfFailure(edge.command) && !passed.get(edge)) passed.set(edge, await possible([...source, after]));
  if ([...passed.values()].every((passes) => passes)) return new Set();
  const reached = new Set<CheckKey>();
  for (const { segment, source } of flows)
    for (const { check, guard, condition } of segment.obligations) {
      const key = checkKey(check);
      // If the condition folded to true, the guard was not kept.
      if (!reached.has(key) && (condition === L.TRUE || (await possible([...source, guard])))) reached.add(key);
    }
  return new Set(
    askedIn(system)
      .map((check) => checkKey(check))
      .filter((key) => !reached.has(key)),
  );
}

/** A function whose preconditions no call can meet in any state of the client is proved of nothing. */
async function neverCalled(
  abstraction: PredicateAbstraction,
  possible: (terms: readonly Term[]) => Promise<boolean>,
): Promise<Reason | undefined> {
  const { system } = abstraction;
  for (const { kind, from, axioms, ends } of system.transitions) {
    if (kind !== 'client' && kind !== 'start') continue;
    const {
      point: { fn },
      guard,
    } = ends[0]!;
    if (!system.requires(fn)) continue;
    const abstract = from && abstraction.at(from);
    const source = abstract ? L.and(...abstract.invariants, anyOf(abstract)) : L.TRUE;
    if (await possible([...axioms, source, guard])) continue;
    return {
      cause: 'vacuous',
      message: `no call meets the preconditions of ${fn.name}: what is proved of it holds of nothing`,
      place: sourceLocationOf(fn.span, fn.name),
      suggestion: 'weaken the precondition, or leave the function out with entry',
    };
  }
  return undefined;
}
