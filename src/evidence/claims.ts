/**
 * Loop invariants that somebody else claims: each becomes a fact of the loop head it speaks of. Facts are claims until `certify` has discharged them, so
 * reading one differently from its author can make a proof fail, never succeed wrongly.
 */
import type { ControlPoint } from '../abstraction/controlPoint';
import { ProbeReader, ProbeError } from '../abstraction/probes';
import type { System } from '../abstraction/system';
import type { Term } from '../logic/term';
import { FreshSymbols } from '../semantics/symbolic';
import type { Claim } from '../task';

/** By point; or why the claims cannot be placed. */
export function claimedFacts(system: System, claims: readonly Claim[]): ReadonlyMap<ControlPoint, readonly Term[]> | string {
  const facts = new Map<ControlPoint, Term[]>();
  for (const claim of claims) {
    const point = loopAt(system, claim);
    if (!point) return `${claim.text}: no loop that the proof passes begins at line ${claim.line}${claim.function === undefined ? '' : ` of ${claim.function}`}`;
    try {
      const term = new ProbeReader(system.builder, point.fn, system.vocabulary.anywhere(point.fn, new FreshSymbols('claim'))).read(claim.formula);
      facts.set(point, [...facts.get(point) ?? [], term]);
    } catch (error) {
      if (error instanceof ProbeError) return `${claim.text}: ${error.message}`;
      throw error;
    }
  }
  return facts;
}

/** On the line; at the column, where several loops begin there. */
function loopAt(system: System, { file, line, column, function: name }: Claim): ControlPoint | undefined {
  const onLine = system.points.filter(({ kind, fn, location: { span } }) => kind === 'loop' && (name === undefined || fn.name === name) && span.file.path === file && span.file.position(span.start).line === line);
  if (onLine.length < 2) return onLine[0];
  return onLine.find(({ location: { span } }) => span.file.position(span.start).column === column);
}
