/**
 * Candidates where clients come and go. A client calls a function in any state between calls, so what an entry says of
 * static data alone has to hold between all calls, and is a candidate there; and what an exit says of it beyond that is
 * told nobody if only clients call the function. All others are left out: each would cost queries of its own.
 */
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

/** Changes the candidates of entries and exits. Those between two calls stay as they are. */
export function withoutUnshared(system: TransitionSystem, candidates: Map<Cutpoint, Term[]>): void {
  const { client } = system;
  if (!client) return;
  const shared = new Set(candidates.get(client) ?? []);
  const isStatic = ofStaticData(client, system);
  const isShared = (term: Term): boolean => shared.has(term) || !isStatic(term);
  for (const point of [...entriesInAnyState(system), ...exitsToClients(system)])
    candidates.set(point, (candidates.get(point) ?? []).filter(isShared));
}

/** Entries of functions that clients call, if no precondition is about static data alone. */
export function entriesInAnyState(system: TransitionSystem): readonly Cutpoint[] {
  const { client, points, options } = system;
  if (!client || callsBack(system)) return [];
  const isStatic = ofStaticData(client, system);
  const isRestricted = (fn: FunctionDefinition): boolean =>
    system.requires(fn) && system.clientAssumptions(fn).some(isStatic);
  return points.filter(
    ({ kind, fn }) => kind === 'entry' && options.entries.includes(fn) && fn !== options.init && !isRestricted(fn),
  );
}

/** True of terms without arguments of the call. */
function ofStaticData({ fn }: Cutpoint, { vocabulary }: TransitionSystem): (term: Term) => boolean {
  const known = new Set<Term>(vocabulary.symbolsFor(fn));
  return (term) => [...symbolsOf(term)].every((symbol) => known.has(symbol));
}

/** Exits of functions that nothing in the module calls. */
function exitsToClients(system: TransitionSystem): readonly Cutpoint[] {
  const { points, transitions, options } = system;
  if (callsBack(system)) return [];
  const summarised = new Set(transitions.flatMap(({ summary }) => (summary ? [summary.exit] : [])));
  return points.filter(
    (point) => point.kind === 'exit' && options.entries.includes(point.fn) && !summarised.has(point),
  );
}

/** Functions without a body may call functions of the module in the middle of a call. */
const callsBack = ({ options: { callBacks } }: TransitionSystem): boolean =>
  callBacks !== undefined && callBacks.by.size > 0;
