/**
 * Executed lines in the format of lcov's tracefiles (`geninfo(1)`), for genhtml and for services that show coverage.
 */
import type { ExecutedFile } from '../explanation';
import { relativeTo } from './json';

/** What several runs executed is added up. */
export function lcov(runs: readonly (readonly ExecutedFile[])[], base: string): string {
  const files = new Map<
    string,
    { readonly lines: Map<number, number>; readonly functions: Map<string, { line: number; hits: number }> }
  >();
  for (const { file, lines, functions } of runs.flat()) {
    const known = files.get(file) ?? {
      lines: new Map<number, number>(),
      functions: new Map<string, { line: number; hits: number }>(),
    };
    files.set(file, known);
    for (const { line, hits } of lines) known.lines.set(line, (known.lines.get(line) ?? 0) + hits);
    for (const { name, line, hits } of functions)
      known.functions.set(name, { line, hits: (known.functions.get(name)?.hits ?? 0) + hits });
  }
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, { lines, functions }]) =>
      [
        'TN:',
        `SF:${relativeTo(base, file)}`,
        ...[...functions].map(([name, { line }]) => `FN:${line},${name}`),
        ...[...functions].map(([name, { hits }]) => `FNDA:${hits},${name}`),
        `FNF:${functions.size}`,
        `FNH:${[...functions.values()].filter(({ hits }) => hits > 0).length}`,
        ...[...lines].sort(([a], [b]) => a - b).map(([line, hits]) => `DA:${line},${hits}`),
        `LF:${lines.size}`,
        `LH:${[...lines.values()].filter((hits) => hits > 0).length}`,
        'end_of_record',
        '',
      ].join('\n'),
    )
    .join('');
}
