/**
 * Loop invariants that a witness claims: each becomes a candidate of the loop head it mentions. Candidates are
 * claims until `certify` has discharged them, so reading one differently from its author can make a proof fail, never
 * succeed wrongly.
 */
import type { InvariantMap } from '../../abstraction/transitionSystem/invariantMap';
import type { Cutpoint, CutpointKey } from '../../abstraction/transitionSystem/cutpoint';
import { ProbeReader, ProbeError } from '../../abstraction/predicates/probes';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import { symbolsOf } from '../../logic/symbols';
import type { Term } from '../../logic/term';
import { FreshSymbols } from '../../semantics/symbolic/symbolicValues';
import type { InvariantClaim } from '../../task';

/** The claims with the values the program starts with; or why a claim cannot be placed. */
export function claimedInvariants(system: TransitionSystem, claims: readonly InvariantClaim[]): InvariantMap | string {
  const claimed = initialValues(system);
  for (const claim of claims) {
    const point = loopAt(system, claim);
    if (!point)
      return (
        `${claim.text}: no loop that the proof passes begins at line ` +
        `${claim.line}${claim.function === undefined ? '' : ` of ${claim.function}`}`
      );
    try {
      const term = new ProbeReader(
        system.builder,
        point.fn,
        system.vocabulary.arbitraryState(point.fn, new FreshSymbols('claim')),
        point.location,
      ).read(claim.formula);
      claimed.set(point.key, [...(claimed.get(point.key) ?? []), term]);
    } catch (error) {
      if (error instanceof ProbeError) return `${claim.text}: ${error.message}`;
      throw error;
    }
  }
  return claimed;
}

/** A witness does not state the static data that a program starts with; loops need it. */
function initialValues({ transitions, vocabulary }: TransitionSystem): Map<CutpointKey, Term[]> {
  const initial = new Map<CutpointKey, Term[]>();
  for (const { kind, ends } of transitions) {
    if (kind !== 'start') continue;
    for (const { point, state } of ends) {
      const values = [...vocabulary.binding(point.fn, state)].filter(
        ([symbol, value]) => value !== symbol && [...symbolsOf(value)].every((other) => other === symbol),
      );
      initial.set(
        point.key,
        values.map(([symbol, value]) => L.eq(symbol, value)),
      );
    }
  }
  return initial;
}

/** On the line, of its keyword or its condition; at the column, where several loops begin there. */
function loopAt(
  system: TransitionSystem,
  { file, line, column, function: name }: InvariantClaim,
): Cutpoint | undefined {
  const places = ({ location: { loop, span } }: Cutpoint) =>
    [...(loop ? [loop] : []), span]
      .filter((one) => one.file.path === file)
      .map((one) => one.file.position(one.start))
      .filter((place) => place.line === line);
  const onLine = system.points.filter(
    (point) => point.kind === 'loop' && (name === undefined || point.fn.name === name) && places(point).length > 0,
  );
  if (onLine.length < 2) return onLine[0];
  return onLine.find((point) => places(point).some((place) => place.column === column));
}
