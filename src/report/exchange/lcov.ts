/**
 * Executed lines in the format of lcov's tracefiles (`geninfo(1)`), for genhtml and for services that show coverage.
 */
import type { ExecutedFile } from '../../explanation';
import type { CheckResult } from '../../verdict';
import { relativeTo } from '../json/json';

/** Adds up what several runs executed. */
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

/**
 * Proved lines in the same format: a line counts as hit when all of its checks are proved. Lines without a check are
 * none; failing and open checks are branches that are not taken, so that a report names them.
 */
export function proofLcov(checks: readonly CheckResult[], base: string): string {
  const files = new Map<string, Map<number, CheckResult[]>>();
  for (const check of checks) {
    // The C library is not the user's.
    if (check.library) continue;
    const { file, line } = check.place;
    const lines = files.get(file) ?? new Map<number, CheckResult[]>();
    files.set(file, lines.set(line, [...(lines.get(line) ?? []), check]));
  }
  const isProved = ({ status }: CheckResult): boolean => status === 'proved';
  return [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, byLine]) => {
      const lines = [...byLine].sort(([a], [b]) => a - b);
      const all = lines.flatMap(([, onLine]) => onLine);
      return [
        'TN:proof',
        `SF:${relativeTo(base, file)}`,
        ...lines.flatMap(([line, onLine]) => onLine.map((one, i) => `BRDA:${line},0,${i},${isProved(one) ? 1 : 0}`)),
        `BRF:${all.length}`,
        `BRH:${all.filter(isProved).length}`,
        ...lines.map(([line, onLine]) => `DA:${line},${onLine.every(isProved) ? 1 : 0}`),
        `LF:${lines.length}`,
        `LH:${lines.filter(([, onLine]) => onLine.every(isProved)).length}`,
        'end_of_record',
        '',
      ].join('\n');
    })
    .join('');
}
