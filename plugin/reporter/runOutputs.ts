/**
 * Outputs of a run for others: all verdicts as JSON and as SARIF, the measure of the tests over all files against its
 * thresholds, executed lines for lcov, and itself as a file (a blob), several of which `provest merge` puts together as
 * if they had been one run.
 */
import { readFileSync } from 'node:fs';
import { packageVersion } from '../../src/cli/version';
import { executedByTests } from '../../src/evidence/scenarios/executedByTests';
import { memoryFolder } from '../../src/proofCache';
import { percent, relativeTo, sarifLog, type RunJson, type SarifLog, type VerdictJson } from '../../src/report';
import { lcov } from '../../src/report/exchange/lcov';
import { missingStates } from '../../src/report/missing';
import { breaks, grade, type Thresholds } from '../../src/report/thresholds';
import { measure, type Measured } from './adequacy';
import { OutputError, writeOutputFile } from './outputFile';
import { filteredText } from '../session/partialRun';
import type { RunRecord } from '../session/records';

export interface OutputOptions {
  /** Why this is not the whole run; then nothing is measured. */
  readonly part: string | undefined;
  readonly thresholds: Thresholds | undefined;
  readonly blob?: string | undefined;
  readonly json: string | undefined;
  readonly lcov: string | undefined;
  readonly sarif: string | undefined;
  readonly shard?: { readonly shardIndex: number; readonly shardCount: number } | undefined;
  readonly base?: string;
  readonly print: (text: string) => void;
}

/** Answers with the reasons why the run fails, if it does. */
export async function writeOutputs(
  records: readonly RunRecord[],
  { part: partOfConfig, thresholds, blob, json, lcov: lines, sarif, shard, base = process.cwd(), print }: OutputOptions,
): Promise<readonly string[]> {
  const failures: string[] = [];
  const write = (file: string, text: string, said?: string): void => {
    try {
      writeOutputFile(file, text, base);
      if (said !== undefined) print(`provest: ${said}: ${file}\n`);
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      failures.push(error.message);
    }
  };
  if (blob !== undefined)
    write(
      blob,
      JSON.stringify({ provest: packageVersion(), format: 1, base, shard: shard ?? null, records } satisfies Blob),
      'this run, for provest merge and provest cover',
    );
  if (lines !== undefined) {
    const tasks = records.flatMap((record) => (record.kind === 'runs' ? [record.task] : []));
    write(lines, lcov(executedByTests(tasks), base), 'executed lines');
  }
  const part = partOfConfig ?? partOfFile(records);
  const measured =
    thresholds !== undefined && part === undefined ? await measure(records, memoryFolder(base, undefined)) : undefined;
  if (json !== undefined) write(json, `${JSON.stringify(runToJson(records, measured, base), null, 2)}\n`);
  if (sarif !== undefined) write(sarif, `${JSON.stringify(runToSarif(records, part), null, 2)}\n`, 'SARIF');
  if (thresholds !== undefined && !measured)
    print(`provest: how well the tests test is not evaluated (partial run: ${part ?? ''})\n`);
  if (thresholds !== undefined && measured) {
    const poor = measured.flatMap((one) => {
      const { line, failure } = judge(one, thresholds);
      print(line);
      return failure ? [one.module] : [];
    });
    if (poor.length > 0)
      failures.push(`the tests of ${poor.join(', ')} reach too few abstract states (provest's option thresholds)`);
  }
  return failures;
}

/** A file of which `.only` or the like left something out. */
function partOfFile(records: readonly RunRecord[]): string | undefined {
  const cut = records
    .flatMap((record) =>
      record.kind === 'runs' && record.filteredTests ? [filteredText(record.filteredTests, record.testFile)] : [],
    )
    .sort();
  return cut[0];
}

function judge(
  { module, adequacy, why }: Measured,
  thresholds: Thresholds,
): { readonly line: string; readonly failure: boolean } {
  if (!adequacy)
    return {
      line: `provest: ${module}: how well the tests test it cannot be measured: ${why}\n`,
      failure: thresholds.break !== undefined && thresholds.break > 0,
    };
  const failure = breaks(adequacy.ratio, thresholds);
  const word = grade(adequacy.ratio, thresholds);
  const line =
    `provest: ${module}: all tests together reach ${adequacy.covered} of ${adequacy.total} abstract states (` +
    `${percent(adequacy.ratio)}${word === undefined ? '' : `, ${word}`})` +
    `${failure ? `, asked for at least ${thresholds.break} %` : ''}\n`;
  return { line: failure ? `${line}${missingStates(adequacy).join('\n')}\n` : line, failure };
}

/** In an order that does not depend on workers, with the paths of files relative. */
function runToJson(records: readonly RunRecord[], measured: readonly Measured[] | undefined, base: string): RunJson {
  const verdicts = records.flatMap((record) =>
    record.kind === 'verdict' && record.json
      ? [
          {
            module: record.module,
            testFile: record.testFile,
            line: record.line,
            verdict: { ...record.json, tool: { name: 'provest', version: packageVersion() } } satisfies VerdictJson,
          },
        ]
      : [],
  );
  const order = (one: {
    readonly module: string;
    readonly testFile: string;
    readonly line: number;
    readonly verdict: VerdictJson;
  }): string =>
    JSON.stringify([one.module, one.testFile, one.line, one.verdict.verdict, one.verdict.adequacy === null]);
  return {
    schemaVersion: 1,
    tool: { name: 'provest', version: packageVersion() },
    verdicts: verdicts.sort((a, b) => (order(a) < order(b) ? -1 : 1)),
    adequacy:
      measured?.map(({ module, testFiles, adequacy, why }) => ({
        module,
        testFiles: [...testFiles],
        ...(adequacy
          ? {
              covered: adequacy.covered,
              total: adequacy.total,
              ratio: adequacy.ratio,
              percent: percent(adequacy.ratio),
              missing: adequacy.missing.map(({ at, test, state, ...rest }) => ({
                at: { ...at, file: relativeTo(base, at.file) },
                ...rest,
                state: [...state],
                test: test ?? null,
              })),
            }
          : { why }),
      })) ?? null,
  };
}

/** Successful only if all of the run was made, and every module in it was asked about and answered for. */
function runToSarif(records: readonly RunRecord[], part: string | undefined): SarifLog {
  const verdicts = records.filter((record) => record.kind === 'verdict');
  const notRequested = records.filter(
    (record) =>
      record.kind === 'loaded' &&
      !verdicts.some(
        ({ module, testFile, line }) =>
          module === record.module && testFile === record.testFile && line === record.line,
      ),
  );
  const objections = [
    ...(part === undefined ? [] : [`not evaluated (partial run: ${part})`]),
    ...(verdicts.length === 0 ? ['no verdict was asked for'] : []),
    ...new Set(
      notRequested.map(
        ({ module, testFile }) => `${module}: not evaluated: ${testFile} loads it, but asked for no verdict`,
      ),
    ),
  ];
  const parts = [
    ...objections.map((notification) => ({ results: [], successful: false, notification })),
    ...verdicts.flatMap(({ sarif }) => (sarif ? [sarif] : [])),
  ];
  const order = (one: object): string => JSON.stringify(one);
  // A proof that rests on an earlier one, checked again, is marked.
  const asked = verdicts.map(({ module, testFile, line, verdict, reused, cutpoints }) => ({
    module,
    testFile,
    line,
    verdict,
    ...(reused !== undefined && { reused, cutpoints }),
  }));
  return sarifLog(
    parts.sort((a, b) => (order(a) < order(b) ? -1 : 1)),
    packageVersion(),
    { verdicts: asked.sort((a, b) => (order(a) < order(b) ? -1 : 1)) },
  );
}

export interface Blob {
  readonly provest: string;
  readonly format: 1;
  /** The working directory of the run. */
  readonly base: string;
  readonly shard: { readonly shardIndex: number; readonly shardCount: number } | null;
  readonly records: readonly RunRecord[];
}

export class BlobError extends Error {}

/** Throws `BlobError` for what cannot be put together. */
export function readBlobs(files: readonly string[]): readonly Blob[] {
  const blobs = files.map((file): Blob => {
    let text: string;
    try {
      text = readFileSync(file, 'utf8');
    } catch (error) {
      throw new BlobError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
    const contents = parseJson(text);
    if (!isBlob(contents))
      throw new BlobError(
        `${file} is no run: a run is what provest's reporter writes with PROVEST_BLOB=1, or of a shard, into .provest`,
      );
    if (contents.provest !== packageVersion())
      throw new BlobError(`${file} was written by provest ${contents.provest}, this is ${packageVersion()}`);
    return contents;
  });
  const shards = blobs.flatMap(({ shard }) => (shard ? [shard] : []));
  const count = shards[0]?.shardCount;
  if (count !== undefined) {
    if (shards.length < blobs.length || shards.some(({ shardCount }) => shardCount !== count))
      throw new BlobError('these files are of different runs');
    const there = new Set(shards.map(({ shardIndex }) => shardIndex));
    const absent = Array.from({ length: count }, (_, i) => i + 1).filter((index) => !there.has(index));
    if (absent.length > 0)
      throw new BlobError(
        `only ${there.size} of ${count} shards are there; ` +
          `${absent.map((index) => `${index}/${count}`).join(', ')} ${absent.length === 1 ? 'is' : 'are'} missing`,
      );
    if (shards.length > count) throw new BlobError('a shard is there more than once');
  }
  return blobs;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isBlob(value: unknown): value is Blob {
  return (
    typeof value === 'object' &&
    value !== null &&
    'format' in value &&
    value.format === 1 &&
    'provest' in value &&
    typeof value.provest === 'string' &&
    'records' in value &&
    Array.isArray(value.records) &&
    'base' in value &&
    typeof value.base === 'string' &&
    'shard' in value
  );
}
