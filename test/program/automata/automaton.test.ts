import fc from 'fast-check';
import { SourceFile } from '../../../src/c';
import { finish, type Automaton } from '../../../src/program/automata/automaton';
import { AutomatonDraft } from '../../../src/program/automata/draft';
import { integer } from '../../../src/program/build';
import type { Command } from '../../../src/program/command';
import { int32, type Variable } from '../../../src/program/expression';

const span = { file: new SourceFile('a.c', ''), start: 0, end: 0 };
const x: Variable = { kind: 'variable', scope: 'local', slot: 0, name: 'x', type: int32, temporary: false };
const assign = (value: number): Command => ({ kind: 'assign', target: x, value: integer(value, int32) });

interface Arc {
  readonly from: number;
  readonly to: number;
  readonly value: number | 'skip';
}
/**
 * Up to ten locations, the first the entry and the last the exit, any edges between them (none into the entry, none out
 * of the exit).
 */
const arcs = fc.array(
  fc.record({
    from: fc.nat(8),
    to: fc.integer({ min: 1, max: 9 }),
    value: fc.oneof(fc.nat(3), fc.constant('skip' as const)),
  }),
  { maxLength: 25 },
);

function draw(edges: readonly Arc[]): Automaton {
  const draft = new AutomatonDraft();
  const locations = Array.from({ length: 10 }, (_, i) =>
    i === 0 ? draft.entry : i === 9 ? draft.exit : draft.location(),
  );
  for (const { from, to, value } of edges)
    draft.edge(locations[from]!, value === 'skip' ? { kind: 'skip' } : assign(value), locations[to]!, span);
  return finish(draft, span);
}

/** All sequences of at most `length` values on paths that end in the exit, skips left out. */
function words(
  start: number,
  isEnd: (at: number) => boolean,
  next: (at: number) => readonly { readonly to: number; readonly value: number | 'skip' }[],
  length: number,
): Set<string> {
  const found = new Set<string>();
  const seen = new Set<string>();
  const visit = (at: number, word: string): void => {
    if (seen.has(`${at} ${word}`)) return;
    seen.add(`${at} ${word}`);
    if (isEnd(at)) found.add(word);
    for (const { to, value } of next(at)) {
      const longer = value === 'skip' ? word : word + String(value);
      if (longer.length <= length) visit(to, longer);
    }
  };
  visit(start, '');
  return found;
}

test('the automaton has the paths of the drawing', () => {
  fc.assert(
    fc.property(arcs, (edges) => {
      const { locations, exit } = draw(edges);
      const drawn = words(
        0,
        (at) => at === 9,
        (at) => edges.filter(({ from }) => from === at),
        5,
      );
      const made = words(
        0,
        (at) => at === exit.index,
        (at) =>
          locations[at]!.edges.map(({ to, command }) => ({
            to: to.index,
            value:
              command.kind === 'assign' && command.value.kind === 'integer'
                ? Number(command.value.value)
                : ('skip' as const),
          })),
        5,
      );
      expect(made).toEqual(drawn);
    }),
  );
});

test('locations are in reverse post-order, all but the exit reachable, and every cycle has a loop head', () => {
  fc.assert(
    fc.property(arcs, (edges) => {
      const { locations, entry, exit, edges: made } = draw(edges);
      const reachable = new Set([entry]);
      for (const location of reachable) for (const edge of location.edges) reachable.add(edge.to);
      for (const location of locations) expect(reachable.has(location) || location === exit).toBe(true);
      for (const { from, to } of made) if (to.index <= from.index) expect(to.isLoopHead).toBe(true);
      expect(locations.map(({ index }) => index)).toEqual(locations.map((_, i) => i));
      expect(made.filter(({ to }) => to === entry)).toEqual([]);
      expect(exit.edges).toEqual([]);
    }),
  );
});

test('a command can be put before what was drawn after a mark', () => {
  const draft = new AutomatonDraft();
  const mark = draft.mark();
  draft.emit(assign(2), span);
  draft.insertAt(mark, assign(1), span);
  draft.emit(assign(3), span);
  draft.goTo(draft.exit, span);
  expect(finish(draft, span).edges.map(({ command }) => command)).toEqual([assign(1), assign(2), assign(3)]);
});

test('user labels keep a location of their own', () => {
  const draft = new AutomatonDraft();
  const label = draft.location(span, 'A');
  draft.goTo(label, span);
  draft.startAt(label);
  draft.goTo(draft.exit, span);
  const { locations } = finish(draft, span);
  expect(locations.map((location) => location.label)).toEqual(['A', undefined]);
});
