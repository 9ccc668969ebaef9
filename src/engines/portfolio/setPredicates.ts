import type { ControlPoint, Predicate } from '../../abstraction/transitionSystem/controlPoint';
import type { System } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';

/**
 * Predicates whose value a proved fact already gives need no place in a valuation. What the client relies on comes
 * first, in one order, at every entry and exit.
 */
export function setPredicates(system: System, predicates: ReadonlyMap<ControlPoint, readonly Predicate[]>): void {
  const decided = (point: ControlPoint, { term, name }: Predicate): boolean =>
    name === undefined && (point.facts.includes(term) || point.facts.includes(L.not(term)));
  const { client } = system;
  const shared = client ? (predicates.get(client) ?? []).filter((predicate) => !decided(client, predicate)) : [];
  for (const point of system.points) {
    const list = predicates.get(point) ?? [];
    const isShared = ({ term }: Predicate): boolean => shared.some((p) => p.term === term);
    const handsOver = point.kind === 'entry' || point.kind === 'exit' || point.kind === 'module';
    const first = handsOver ? shared : list.filter((predicate) => isShared(predicate) && !decided(point, predicate));
    point.reset([...first, ...list.filter((predicate) => !isShared(predicate) && !decided(point, predicate))]);
  }
}
