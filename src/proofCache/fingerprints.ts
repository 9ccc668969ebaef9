/**
 * Which functions of a program are not what they were when a proof was kept: their own code, as it was lowered, has
 * changed, or that of a function they call. Only to be told; a proof that is taken over is checked again as a whole.
 */
import { printFunction } from '../program/print';
import type { FunctionDefinition } from '../program/program';
import { sha256 } from '../sha256';

export type Fingerprints = Readonly<Record<string, string>>;

export function fingerprintsOf(functions: Iterable<FunctionDefinition>): Fingerprints {
  return Object.fromEntries(
    [...functions].map((fn) => [
      fn.name,
      sha256([printFunction(fn), ...fn.objects.map(({ name, sizeBytes }) => `${name}: ${sizeBytes}`)].join('\n')),
    ]),
  );
}

/**
 * The changed functions, in program order. `before` comes from a file. If it has another form, all functions count as
 * changed.
 */
export function changedSince(before: unknown, functions: readonly FunctionDefinition[]): readonly FunctionDefinition[] {
  const known = new Map(
    typeof before === 'object' && before !== null ? (Object.entries(before) as [string, unknown][]) : [],
  );
  const now = fingerprintsOf(functions);
  const changed = new Set(functions.filter((fn) => known.get(fn.name) !== now[fn.name]));
  const calls = (fn: FunctionDefinition): boolean =>
    fn.edges.some(({ command }) => command.kind === 'call' && command.targets.some((target) => changed.has(target)));
  for (let size = -1; size !== changed.size;) {
    size = changed.size;
    for (const fn of functions) if (!changed.has(fn) && calls(fn)) changed.add(fn);
  }
  return functions.filter((fn) => changed.has(fn));
}
