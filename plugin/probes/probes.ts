/**
 * Predicates of the user, as TypeScript or as C text, made into formulas; and kept honest: on every state met at the
 * border of a client's calls formula and function must agree, and constants captured by the function must still be the
 * same when the proof starts.
 */
import { type ProbeFormula, variablesOf } from '../../src/abstraction/predicates/probeFormula';
import { readCProbe } from '../../src/host/cProbe';
import type { ProbeScope } from '../../src/host/probeScope';
import type { CallSite } from '../api/callSite';
import { withClosure, type Captured } from './capturedVariables';
import { evaluateProbe } from './evaluateProbe';
import { describeProbeError, runningFunction, writtenFunction } from './probeSource';
import { UntranslatableProbe } from './probePart';
import { translateProbe, type FunctionNode } from './translateProbe';
import type { Predicate } from '../api/types';

export interface ModulePredicate {
  /** For messages: "probe 'full'", "requires of push". */
  readonly what: string;
  readonly formula: ProbeFormula;
  readonly site: CallSite | undefined;
  /** Absent for predicates written in C. */
  readonly fn: ((state: unknown) => unknown) | undefined;
  readonly captured: ReadonlyMap<string, unknown>;
}

export interface PredicateRequest {
  readonly what: string;
  readonly predicate: Predicate;
  readonly scope: ProbeScope;
  readonly enumConstants: ReadonlyMap<string, bigint>;
  readonly site: CallSite | undefined;
  /** The function of the call that is meant. */
  readonly pick: (path: readonly string[], index: number) => boolean;
  readonly constants?: Readonly<Record<string, unknown>>;
}

/** Throws an error with the place in the test file when the predicate cannot become a formula. */
export function compilePredicate(request: PredicateRequest): ModulePredicate {
  const { what, predicate, scope, site } = request;
  if (typeof predicate === 'string') {
    const formula = fromC(predicate, request);
    return { what, formula, site, fn: undefined, captured: new Map() };
  }
  if (typeof predicate !== 'function')
    throw new TypeError(`${what}: give a predicate, (s) => s.size === s.max, or a C expression, 'size == max'`);
  const { constants } = request;
  const look = <T>(use: (captured: Captured) => T): T => {
    const explicit: Captured = (name) =>
      constants && Object.hasOwn(constants, name) ? { found: true, value: constants[name] } : { found: false };
    const result = withClosure(predicate, (captured) => ({
      value: use((name) => {
        const given = explicit(name);
        return given.found ? given : captured(name);
      }),
    }));
    return result ? result.value : use(explicit);
  };
  const translate = (fn: FunctionNode) => look((captured) => translateProbe(fn, scope, captured));
  try {
    return { what, site, fn: predicate, ...translate(runningFunction(predicate)) };
  } catch (error) {
    if (!(error instanceof UntranslatableProbe)) throw error;
    return fromWritten(error, predicate, request, translate);
  }
}

/** The running code could not be read; the source may, and if not it has the place for the message. */
function fromWritten(
  first: UntranslatableProbe,
  fn: (state: unknown) => unknown,
  request: PredicateRequest,
  translate: (fn: FunctionNode) => { formula: ProbeFormula; captured: ReadonlyMap<string, unknown> },
): ModulePredicate {
  const { what, site } = request;
  const written = site && writtenFunction(site, request.pick);
  let error = first;
  if (written) {
    try {
      return { what, site, fn, ...translate(written) };
    } catch (second) {
      if (!(second instanceof UntranslatableProbe)) throw second;
      error = second;
    }
  }
  throw new TypeError(describeProbeError(what, error.message, site, written ? error.node : undefined));
}

function fromC(text: string, { what, scope, enumConstants, site }: PredicateRequest): ProbeFormula {
  const read = readCProbe(text, scope, enumConstants);
  if (read.kind === 'mistake') throw new TypeError(describeProbeError(what, read.message, site, undefined));
  return read.formula;
}

/**
 * An error when formula and function say different things about a state. States in which the formula's paths lead
 * nowhere are passed over, and those in which it asks for the length of null.
 */
export function disagreement(predicate: ModulePredicate, state: Readonly<Record<string, unknown>>): string | undefined {
  if (!predicate.fn) return undefined;
  const formula = evaluateProbe(predicate.formula, state, 'none');
  if (formula === undefined) return undefined;
  let value: unknown;
  try {
    value = predicate.fn(state);
  } catch (error) {
    return describeProbeError(
      predicate.what,
      `it throws where its formula is ${formula}: ${String(error)}; ${inState(predicate, state)}`,
      predicate.site,
      undefined,
    );
  }
  if (Boolean(value) === formula) return undefined;
  const changed = changedCapture(predicate);
  if (changed !== undefined) return changed;
  return describeProbeError(
    predicate.what,
    `as JavaScript it is ${Boolean(value)}, as a formula over exact integers ${formula}; ${inState(predicate, state)}`,
    predicate.site,
    undefined,
  );
}

/** The captured values may not have changed since the predicate was given. */
export function changedCapture(predicate: ModulePredicate): string | undefined {
  const { fn } = predicate;
  if (!fn || predicate.captured.size === 0) return undefined;
  return withClosure(fn, (captured) => {
    for (const [text, before] of predicate.captured) {
      const [root, ...members] = text.split('.');
      const found = captured(root!);
      if (!found.found) continue;
      const now = members.reduce<unknown>((object, name) => (object as Record<string, unknown>)[name], found.value);
      if (!Object.is(now, before)) {
        return describeProbeError(
          predicate.what,
          `it captures a variable that changes: ${text} was ${String(before)} when the predicate was given and ` +
            `is ${String(now)} now; use a constant`,
          predicate.site,
          undefined,
        );
      }
    }
    return undefined;
  });
}

export function inState(predicate: ModulePredicate, state: Readonly<Record<string, unknown>>): string {
  return (
    'The state has ' +
    `${[...new Set(variablesOf(predicate.formula))].map((name) => `${name} = ${show(state[name])}`).join(', ')}`
  );
}

function show(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? `${value}n` : String(value);
  return Array.isArray(value)
    ? `[${value.slice(0, 8).map(show).join(', ')}${value.length > 8 ? ', …' : ''}]`
    : 'an object';
}
