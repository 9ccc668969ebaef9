/**
 * Drafts of control-flow automata. Lowering draws locations and edges freely: skips at every join, code after a
 * `return`. `finish` in `automaton.ts` turns a draft into an automaton.
 */
import type { Span } from '../../c/source';
import type { Command } from '../command';

export interface DraftLocation {
  span: Span | undefined;
  label: string | undefined;
  /** The loop statement, if this location is its head. */
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

/** Draws code from `current` on. A mark is a position in the drawing. It selects the edges drawn since. */
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

  /** True if a path leads there. */
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

  /** Executes `command` at an earlier position, before everything drawn after the mark. */
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

/** Later edges are searched first, so that the first edge's code comes first in the order. */
export function reversePostOrder(entry: DraftLocation): DraftLocation[] {
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
