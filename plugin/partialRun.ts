/**
 * Parts of a run. What the tests reach can only be measured when all of them ran, and a proof that failed for want of their states has not been tried in
 * full. A proof and a bug hold whatever ran.
 */
import type { CauseId, Verdict } from '../src/verdict';

interface Entry { readonly type: string; readonly name?: string; readonly mode?: string | null; readonly fn?: unknown; readonly children?: readonly Entry[] }
export interface RunState { readonly testNamePattern?: RegExp | null; readonly hasFocusedTests?: boolean }

export interface LeftOut { readonly count: number; readonly of: number; readonly by: '-t' | '.only' }

/** The tests of a file that this run leaves out, apart from those that always are (`.skip`, `.todo`), and those that `isNoMatter`. */
export function leftOut(root: Entry, { testNamePattern, hasFocusedTests }: RunState, isNoMatter: (test: Entry) => boolean): LeftOut | undefined {
  const tests: { readonly entry: Entry; readonly id: string }[] = [];
  const visit = (entry: Entry, names: readonly string[]): void => {
    for (const child of entry.children ?? []) {
      const path = [...names, child.name ?? ''];
      if (child.type === 'describeBlock') { if (child.mode !== 'skip') visit(child, path); }
      else if (child.mode !== 'skip' && child.mode !== 'todo' && !isNoMatter(child)) tests.push({ entry: child, id: path.join(' ') });
    }
  };
  visit(root, []);
  const byName = testNamePattern ? tests.filter(({ id }) => !testNamePattern.test(id)) : [];
  const byFocus = hasFocusedTests ? tests.filter(({ entry }) => entry.mode !== 'only') : [];
  const count = new Set([...byName, ...byFocus]).size;
  return count === 0 ? undefined : { count, of: tests.length, by: byName.length > 0 ? '-t' : '.only' };
}

/** What more states might have changed. */
const forWantOfStates: ReadonlySet<CauseId> = new Set<CauseId>(['probe-too-weak', 'solver-budget', 'time-budget', 'state-explosion', 'nonlinear']);

/** `measured`: the measure of the tests was asked for. */
export function inPart(verdict: Verdict, part: LeftOut | undefined, measured: boolean): Verdict {
  if (!part) return verdict;
  const wanting = measured || verdict.kind === 'potential-error' || (verdict.kind === 'unknown' && forWantOfStates.has(verdict.reason.cause));
  if (!wanting || verdict.kind === 'not-evaluated') return verdict;
  const { engine, properties, assumptions, statistics, remarks } = verdict;
  return {
    kind: 'not-evaluated', engine, properties, assumptions, statistics, remarks, adequacy: undefined,
    reason: {
      cause: 'not-run', message: `partial run: ${part.count} of ${part.of} tests of this file were left out by ${part.by}, and their states are missing`,
      suggestion: 'run the whole file',
    },
  };
}

export interface RunConfig {
  readonly seed?: number;
  readonly shard?: { readonly shardIndex: number; readonly shardCount: number };
  readonly testNamePattern?: string;
  readonly testPathPattern?: string;
  readonly testPathPatterns?: { readonly patterns?: readonly string[] };
  readonly onlyChanged?: boolean;
  readonly onlyFailures?: boolean;
  readonly findRelatedTests?: boolean;
  readonly runTestsByPath?: boolean;
}
export interface Results { readonly wasInterrupted?: boolean; readonly numTotalTestSuites?: number; readonly testResults?: readonly unknown[] }

/** Why a run of Jest is not all of it; undefined when it is. */
export function partOfRun(config: RunConfig, results: Results | undefined): string | undefined {
  if (config.shard) return `--shard=${config.shard.shardIndex}/${config.shard.shardCount}`;
  if (config.testNamePattern !== undefined && config.testNamePattern !== '') return '-t';
  if ((config.testPathPattern ?? '') !== '' || (config.testPathPatterns?.patterns ?? []).length > 0 || config.runTestsByPath) return 'only some test files';
  if (config.onlyChanged || config.onlyFailures || config.findRelatedTests) return config.onlyChanged ? '--onlyChanged' : config.onlyFailures ? '--onlyFailures' : '--findRelatedTests';
  if (results?.wasInterrupted || (results?.testResults !== undefined && results.numTotalTestSuites !== undefined && results.testResults.length < results.numTotalTestSuites)) return 'it ended early';
  return undefined;
}
