/**
 * Tests that Vitest left out of a file. When our hooks run, Vitest has already marked every test that will not run as
 * skipped. The name pattern shows which of them `-t` excludes; the text of the file shows whether it has an `.only`.
 */
import { fs } from '../../src/node';
import type { FilteredTests } from '../session/partialRun';

export interface CollectedTask {
  readonly type: string;
  readonly name: string;
  readonly mode: string;
  readonly tasks?: readonly CollectedTask[];
}
export interface CollectedFile extends CollectedTask {
  readonly filepath: string;
}

export function filteredTestsOf(
  file: CollectedFile,
  pattern: RegExp | undefined = patternOfWorker(),
): FilteredTests | undefined {
  const tests: { readonly mode: string; readonly fullName: string }[] = [];
  const visit = ({ tasks = [] }: CollectedTask, names: readonly string[]): void => {
    for (const task of tasks) {
      const path = [...names, task.name];
      if (task.type === 'suite') visit(task, path);
      else tests.push({ mode: task.mode, fullName: path.join(' ') });
    }
  };
  visit(file, []);
  const skipped = tests.filter(({ mode }) => mode === 'skip');
  const byName = pattern ? skipped.filter(({ fullName }) => !pattern.test(fullName)) : [];
  if (byName.length > 0) return { count: byName.length, of: tests.length, by: '-t' };
  const focused =
    skipped.length > 0 && /\b(?:test|it|describe|suite)\b[\w.]*\.only\b/.test(fs.readFileSync(file.filepath, 'utf8'));
  return focused ? { count: skipped.length, of: tests.length, by: '.only' } : undefined;
}

/** Vitest shows its configuration to test files nowhere else. */
function patternOfWorker(): RegExp | undefined {
  const { config } =
    (globalThis as { __vitest_worker__?: { config?: { testNamePattern?: unknown } } }).__vitest_worker__ ?? {};
  const pattern = config?.testNamePattern;
  return pattern instanceof RegExp
    ? pattern
    : typeof pattern === 'string' && pattern !== ''
      ? new RegExp(pattern)
      : undefined;
}
