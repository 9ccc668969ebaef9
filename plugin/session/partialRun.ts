/**
 * Parts of a run. A verdict is about all states that the tests of a file reach, and what the tests reach can only be
 * measured when all of them ran. So a part is no verdict, though it says what it has seen.
 */
import { basename, relative } from 'node:path';
import { verdictWord } from '../../src/report';
import type { CauseId, Verdict } from '../../src/verdict';

interface Entry {
  readonly type: string;
  readonly name?: string;
  readonly mode?: string | null;
  readonly fn?: unknown;
  readonly children?: readonly Entry[];
}
export interface RunState {
  readonly testNamePattern?: RegExp | null;
  readonly hasFocusedTests?: boolean;
}

export interface FilteredTests {
  readonly count: number;
  readonly of: number;
  readonly by: '-t' | '.only';
}

/**
 * The tests of a file that this run leaves out, apart from those that always are (`.skip`, `.todo`), and those that
 * `isNoMatter`.
 */
export function filteredTests(
  root: Entry,
  { testNamePattern, hasFocusedTests }: RunState,
  isNoMatter: (test: Entry) => boolean,
): FilteredTests | undefined {
  const tests: { readonly entry: Entry; readonly id: string }[] = [];
  const visit = (entry: Entry, names: readonly string[]): void => {
    for (const child of entry.children ?? []) {
      const path = [...names, child.name ?? ''];
      if (child.type === 'describeBlock') {
        if (child.mode !== 'skip') visit(child, path);
      } else if (child.mode !== 'skip' && child.mode !== 'todo' && !isNoMatter(child))
        tests.push({ entry: child, id: path.join(' ') });
    }
  };
  visit(root, []);
  const byName = testNamePattern ? tests.filter(({ id }) => !testNamePattern.test(id)) : [];
  const byFocus = hasFocusedTests ? tests.filter(({ entry }) => entry.mode !== 'only') : [];
  const count = new Set([...byName, ...byFocus]).size;
  return count === 0 ? undefined : { count, of: tests.length, by: byName.length > 0 ? '-t' : '.only' };
}

/**
 * The verdict of a run of some tests of a file: "partial run", unless the other tests cannot change it. `statesMatter`
 * is false when the verdict does not depend on the tests' states: then a proof and a bug stand.
 */
export function inPart(verdict: Verdict, part: FilteredTests | undefined, statesMatter: boolean): Verdict {
  if (!part || verdict.kind === 'not-evaluated' || (!statesMatter && !mightChange(verdict))) return verdict;
  const { engine, properties, assumptions, statistics, remarks } = verdict;
  return {
    kind: 'not-evaluated',
    engine,
    properties,
    assumptions,
    statistics,
    adequacy: undefined,
    remarks: [`with the states of this part alone: ${inShort(verdict)}`, ...remarks],
    reason: {
      cause: 'not-run',
      message: `partial run: ${filteredText(part)}, and their states are missing`,
      suggestion: 'run the whole file',
    },
  };
}

export const filteredText = ({ count, of, by }: FilteredTests, file = 'this file'): string =>
  `${count} of ${of} tests of ${file} were left out by ${by}`;

/** Only tests that ask for a verdict. */
export function filteredProofsText(filteredTests: FilteredTests | undefined): string | undefined {
  if (!filteredTests) return undefined;
  const { count, of, by } = filteredTests;
  const who =
    count < of
      ? `${count} of ${of} tests that ask for a verdict were`
      : of === 1
        ? 'the test that asks for a verdict was'
        : `the ${of} tests that ask for a verdict were`;
  return `${who} left out by ${by}`;
}

const forWantOfStates: ReadonlySet<CauseId> = new Set<CauseId>([
  'probe-too-weak',
  'solver-budget',
  'time-budget',
  'state-explosion',
  'nonlinear',
]);

function mightChange(verdict: Verdict): boolean {
  return (
    verdict.kind === 'potential-error' || (verdict.kind === 'unknown' && forWantOfStates.has(verdict.reason.cause))
  );
}

function inShort(verdict: Verdict): string {
  const failure =
    verdict.kind === 'bug'
      ? verdict.counterexample.failure
      : verdict.kind === 'potential-error'
        ? verdict.errors[0]?.failure
        : undefined;
  const shown = failure && (failure.caller?.place ?? failure.place);
  const place = shown && ` at ${basename(shown.file)}:${shown.line}`;
  return (
    `${verdictWord[verdict.kind]}` +
    `${failure ? `, ${failure.message}${place}` : 'reason' in verdict ? `, ${verdict.reason.message}` : ''}`
  );
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
export interface Results {
  readonly wasInterrupted?: boolean;
  readonly numTotalTestSuites?: number;
  readonly testResults?: readonly FileResult[];
}
interface FileResult {
  readonly testFilePath?: string;
  readonly numFailingTests?: number;
  readonly testExecError?: unknown;
}

/** Test files with a test that failed, or that could not be run at all; relative paths. */
export function failedFiles({ testResults = [] }: Results): ReadonlySet<string> {
  return new Set(
    testResults.flatMap(({ testFilePath, numFailingTests = 0, testExecError }) =>
      testFilePath !== undefined && (numFailingTests > 0 || testExecError)
        ? [relative(process.cwd(), testFilePath)]
        : [],
    ),
  );
}

/** Why a run of Jest is not all of it; undefined when it is. */
export function partOfRun(config: RunConfig, results: Results | undefined): string | undefined {
  if (config.shard) return `--shard=${config.shard.shardIndex}/${config.shard.shardCount}`;
  if (config.testNamePattern !== undefined && config.testNamePattern !== '') return '-t';
  if (
    (config.testPathPattern ?? '') !== '' ||
    (config.testPathPatterns?.patterns ?? []).length > 0 ||
    config.runTestsByPath
  )
    return 'only some test files';
  if (config.onlyChanged || config.onlyFailures || config.findRelatedTests)
    return config.onlyChanged ? '--onlyChanged' : config.onlyFailures ? '--onlyFailures' : '--findRelatedTests';
  if (
    results?.wasInterrupted ||
    (results?.testResults !== undefined &&
      results.numTotalTestSuites !== undefined &&
      results.testResults.length < results.numTotalTestSuites)
  )
    return 'it ended early';
  return undefined;
}
