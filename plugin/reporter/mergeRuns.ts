/**
 * Several runs' files (blobs) as one run: its summary, its outputs, its verdict. All shards must be there; no proof is
 * repeated.
 */
import type { Thresholds } from '../../src/report/thresholds';
import { OutputError } from './outputFile';
import type { RunRecord } from '../session/records';
import { summarise } from '../reporter';
import { readBlobs, writeOutputs } from './runOutputs';

export interface MergeOptions {
  readonly thresholds: Thresholds | undefined;
  readonly json: string | undefined;
  readonly lcov: string | undefined;
  readonly html: string | undefined;
  readonly sarif: string | undefined;
  readonly base: string;
  readonly print: (text: string) => void;
}

/** Throws `BlobError`. */
export async function mergeRuns(
  files: readonly string[],
  options: MergeOptions,
): Promise<'proved' | 'bug' | 'undecided'> {
  const { base, print } = options;
  const records = mergedRecords(files, base);
  const { lines } = summarise(records);
  print(lines.length === 0 ? 'provest: no module was loaded in these runs\n' : `${lines.join('\n')}\n`);
  const failures = [
    ...(await writeOutputs(records, {
      part: undefined,
      thresholds: options.thresholds,
      json: options.json,
      lcov: options.lcov,
      sarif: options.sarif,
      base,
      print,
    })),
  ];
  if (options.html !== undefined) {
    const { writeReport } = await import('./reportFile.js');
    try {
      print(
        (await writeReport(options.html, records, [], base))
          ? `provest: report: ${options.html}\n`
          : "provest: no report: the runs were made without the reporter's option html\n",
      );
    } catch (error) {
      if (!(error instanceof OutputError)) throw error;
      failures.push(error.message);
    }
  }
  for (const failure of failures) print(`provest: ${failure}\n`);
  const kinds = new Set(records.flatMap((record) => (record.kind === 'verdict' ? [record.verdict] : [])));
  if (kinds.has('bug') || failures.length > 0) return 'bug';
  return kinds.size === 0 || [...kinds].some((kind) => kind !== 'proved') ? 'undecided' : 'proved';
}

/** Throws `BlobError`. Where the runs were made, the project may have lain elsewhere. */
export function mergedRecords(files: readonly string[], base: string): readonly RunRecord[] {
  return readBlobs(files).flatMap((blob) =>
    blob.base === base
      ? blob.records
      : (JSON.parse(
          JSON.stringify(blob.records).replaceAll(
            `${JSON.stringify(blob.base).slice(0, -1)}/`,
            `${JSON.stringify(base).slice(0, -1)}/`,
          ),
        ) as RunRecord[]),
  );
}
