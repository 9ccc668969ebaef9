/**
 * Building control-flow automata. Lowering draws locations and edges freely (skips at every join, code after a
 * `return`); `finish` makes the automaton of it: checks that repeat others go, skip-only locations are merged,
 * unreachable ones dropped, the rest numbered in reverse post-order, and the targets of retreating edges of that
 * depth-first search marked as loop heads (so every cycle has one, also in irreducible graphs; Muchnick, Advanced
 * Compiler Design, 7.2).
 */
import type { Span } from '../c/source';
import type { Command } from './command';
import type { Edge, Location } from './program';
import { dropRepeatedChecks } from './repeatedChecks';

export interface DraftLocation {
  span: Span | undefined;
  label: string | undefined;
  /** The statement, where a loop's head is. */
  loop?: Span;
  edges: DraftEdge[];
}
export interface DraftEdge {
  from: DraftLocation;
  to: DraftLocation;
  command: Command;
  span: Span;
}

const skip: Command = { kind: 'skip' };

/** Draws code from `current` on. A mark is a point in the drawing, for asking what was drawn since. */
export class AutomatonDraft {
  entry = this.location();
  readonly exit = this.location();
  current: DraftLocation = this.entry;
  private readonly drawn: DraftEdge[] = [];

  location(span?: Span, label?: string): DraftLocation {
    return { span, label, edges: [] };
  }

  edge(from: DraftLocation, command: Command, to: DraftLocation, span: Span): void {
    const edge = { from, to, command, span };
    from.edges.push(edge);
    from.span ??= span;
    this.drawn.push(edge);
  }

  /** One command from the current location to a fresh one, which becomes current. */
  emit(command: Command, span: Span): void {
    const to = this.location();
    this.edge(this.current, command, to, span);
    this.current = to;
  }

  /** Ends the current path at `to`; what follows is unreachable until `startAt`. */
  goTo(to: DraftLocation, span: Span): void {
    this.edge(this.current, skip, to, span);
    this.current = this.location();
  }

  /** Ends the current path without a successor: nothing that follows is reachable from here. */
  cut(): void {
    this.current = this.location();
  }

  startAt(location: DraftLocation): void {
    this.current = location;
  }

  /** Whether a path leads there. */
  reaches(location: DraftLocation): boolean {
    return reversePostOrder(this.entry).includes(location);
  }

  /** Replaces commands by `skip`. */
  erase(isNeedless: (command: Command) => boolean): void {
    for (const edge of this.drawn) if (isNeedless(edge.command)) edge.command = skip;
  }

  mark(): { readonly location: DraftLocation; readonly drawn: number } {
    return { location: this.current, drawn: this.drawn.length };
  }

  /** `until`: a later mark. */
  drawnSince(mark: { readonly drawn: number }, until?: { readonly drawn: number }): readonly DraftEdge[] {
    return this.drawn.slice(mark.drawn, until?.drawn);
  }

  /** Executes `command` at an earlier point, before everything drawn after the mark. */
  insertAt(mark: { readonly location: DraftLocation; readonly drawn: number }, command: Command, span: Span): void {
    const { location } = mark;
    const moved = this.location(location.span);
    moved.edges = location.edges;
    for (const edge of moved.edges) edge.from = moved;
    location.edges = [];
    if (this.current === location) this.current = moved;
    this.edge(location, command, moved, span);
  }
}

export interface Automaton {
  readonly entry: Location;
  readonly exit: Location;
  readonly locations: readonly Location[];
  readonly edges: readonly Edge[];
}

/**
 * May be called again after commands were replaced by `skip`. `exit` is kept, as the last location, when no path
 * reaches it. `fallback` is the span of locations that begin no code.
 */
export function finish(draft: AutomatonDraft, fallback: Span): Automaton {
  mergeSkips(draft);
  dropRepeatedChecks(reversePostOrder(draft.entry));
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

/** Later edges are searched first, so that the first edge's code comes first in the order. */
function reversePostOrder(entry: DraftLocation): DraftLocation[] {
  const postOrder: DraftLocation[] = [];
  const seen = new Set([entry]);
  const path = [{ location: entry, next: entry.edges.length }];
  while (path.length > 0) {
    const top = path[path.length - 1]!;
    if (top.next === 0) {
      postOrder.push(top.location);
      path.pop();
      continue;
    }
    const { to } = top.location.edges[--top.next]!;
    if (seen.has(to)) continue;
    seen.add(to);
    path.push({ location: to, next: to.edges.length });
  }
  return postOrder.reverse();
}
