/** Lines of code that do not matter to a check: what its backward slice leaves out. */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Explanation } from '../../explanation';
import type { Span } from '../../c/source';
import type { Check } from '../../program/command';
import type { Program } from '../../program/program';
import { edgeCount } from '../../program/traverse';
import { isBranch, isDroppable, type KeptCommand, slice, type Slice } from '../../reductions/slice/slice';

const limits = {
  /** Checks of a report that get a slice, and edges of the program above which none does. */
  checks: 100,
  edges: 20_000,
  /** Lines of all of them together, which the report has to carry. */
  lines: 30_000,
} as const;

interface Sliced {
  readonly program: Program;
  readonly wholeSystem: () => TransitionSystem;
  readonly stop: () => boolean;
}

/** For each check, by its place in the list; `checks`: the commands of each. */
export function checkSlices(
  { program, wholeSystem, stop }: Sliced,
  checks: readonly (readonly Check[])[],
): Explanation['slices'] {
  if (stop() || edgeCount(program) > limits.edges) return [];
  const system = wholeSystem();
  const found: Explanation['slices'][number][] = [];
  let lines = 0;
  for (const [check, commands] of checks.slice(0, limits.checks).entries()) {
    if (stop() || lines > limits.lines) break;
    const one = slice(system, new Set(commands), 'backward');
    // A function that is never called has no statement that matters, and none that does not.
    if (one.kept.size === 0) continue;
    const aside = asideIn(one);
    lines += aside.reduce((sum, each) => sum + each.lines.length, 0);
    found.push({ check, aside });
  }
  return found;
}

function asideIn({ functions, kept }: Slice): Explanation['slices'][number]['aside'] {
  const all = functions
    .filter(({ library }) => !library)
    .flatMap((fn): KeptCommand[] => [
      ...fn.edges.filter(({ command }) => isDroppable(command)),
      ...fn.locations.filter(isBranch),
    ]);
  const matters = new Map<string, Set<number>>();
  const code = new Map<string, Set<number>>();
  for (const one of kept.keys()) add(matters, one);
  for (const one of all) add(code, one);
  return [...code].map(([file, lines]) => ({
    file,
    lines: [...lines].filter((line) => !matters.get(file)?.has(line)).sort((a, b) => a - b),
  }));
}

const spanOf = (one: KeptCommand): Span => ('edges' in one ? one.edges[0]!.span : one.span);

function add(to: Map<string, Set<number>>, one: KeptCommand): void {
  const { file, start, end } = spanOf(one);
  const lines = to.get(file.path) ?? new Set();
  to.set(file.path, lines);
  const last = file.position(Math.max(start, end - 1)).line;
  for (let { line } = file.position(start); line <= last; line++) lines.add(line);
}
