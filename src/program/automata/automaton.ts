/**
 * Control-flow automata from drafts. `finish` removes repeated checks, merges locations that only skip, drops
 * unreachable ones, and numbers the rest in reverse post-order. Targets of retreating edges of that depth-first search
 * are loop heads, so every cycle has one, also in irreducible graphs (Muchnick, Advanced Compiler Design, 7.2).
 */
import type { Span } from '../../c/source';
import { reversePostOrder, type AutomatonDraft, type DraftEdge, type DraftLocation } from './draft';
import type { Edge, Location } from '../program';
import { checkKey, type CheckKey } from '../command';
import { dropRepeatedChecks } from './repeatedChecks';

export interface Automaton {
  readonly entry: Location;
  readonly exit: Location;
  readonly locations: readonly Location[];
  readonly edges: readonly Edge[];
}

/**
 * May be called again after commands were replaced by `skip`. `exit` is kept, as the last location, when no path
 * reaches it. `fallback` is the span of locations that begin no code. Checks in `assumed` end the executions that fail
 * them; the automaton is otherwise the same.
 */
export function finish(draft: AutomatonDraft, fallback: Span, assumed: ReadonlySet<CheckKey> = none): Automaton {
  mergeSkips(draft);
  dropRepeatedChecks(reversePostOrder(draft.entry));
  if (assumed.size > 0) assumeChecks(draft, assumed);
  mergeSkips(draft);
  const order = reversePostOrder(draft.entry);
  if (!order.includes(draft.exit)) order.push(draft.exit);
  const position = new Map(order.map((location, index) => [location, index]));
  const locations: Location[] = order.map((draftLocation, index) => ({
    index,
    span: draftLocation.span ?? fallback,
    label: draftLocation.label,
    isLoopHead: false,
    ...(draftLocation.loop && { loop: draftLocation.loop }),
    edges: [],
  }));
  const edges: Edge[] = [];
  order.forEach((draftLocation, index) => {
    for (const { to, command, span } of draftLocation.edges) {
      const target = locations[position.get(to)!]!;
      if (target.index <= index) target.isLoopHead = true;
      const edge: Edge = { index: edges.length, from: locations[index]!, to: target, command, span };
      edges.push(edge);
      edge.from.edges.push(edge);
    }
  });
  return { entry: locations[0]!, exit: locations[position.get(draft.exit)!]!, locations, edges };
}

const none: ReadonlySet<CheckKey> = new Set();

function assumeChecks(draft: AutomatonDraft, assumed: ReadonlySet<CheckKey>): void {
  for (const { edges } of reversePostOrder(draft.entry)) {
    for (const edge of edges) {
      const { command } = edge;
      if (command.kind === 'check' && assumed.has(checkKey(command)))
        edge.command = { kind: 'assume', condition: command.condition, cuts: true, ofFailure: true };
    }
  }
}

/**
 * A location that only skips to another becomes that other one. User labels keep their location; entry gets no
 * incoming, exit no outgoing edges.
 */
function mergeSkips(graph: AutomatonDraft): void {
  const locations = reversePostOrder(graph.entry);
  const incoming = new Map<DraftLocation, DraftEdge[]>(locations.map((location) => [location, []]));
  for (const location of locations) for (const edge of location.edges) incoming.get(edge.to)!.push(edge);
  for (const location of locations) {
    const [edge] = location.edges;
    if (!edge || location.edges.length > 1 || edge.command.kind !== 'skip' || edge.to === location) continue;
    const { to } = edge;
    const needsOwnPlace = location.label !== undefined || location === graph.entry;
    const twoLabels = location.label !== undefined && to.label !== undefined;
    if (needsOwnPlace && (twoLabels || to === graph.exit || incoming.get(to)!.length > 1)) continue;
    to.label ??= location.label;
    if (location.loop) to.loop ??= location.loop;
    const arriving = incoming.get(to)!;
    arriving.splice(arriving.indexOf(edge), 1);
    for (const redirected of incoming.get(location)!) {
      redirected.to = to;
      arriving.push(redirected);
    }
    if (location === graph.entry) graph.entry = to;
    location.edges = [];
  }
}
