/**
 * Writes the HTML report of a run that was interrupted. A process of its own, which the run waits for, so that nothing
 * else of the run goes on meanwhile.
 */
import { readFileSync } from 'node:fs';
import { OutputError } from './outputFile';
import type { ProgressRecord, RunRecord } from '../session/records';
import { writeReport } from './reportFile';

/** On its standard input, as JSON; on its standard output is what to say. */
export interface ReportRequest {
  readonly file: string;
  readonly records: readonly RunRecord[];
  readonly interrupted: readonly ProgressRecord[];
}

async function main(): Promise<void> {
  const { file, records, interrupted } = JSON.parse(readFileSync(0, 'utf8')) as ReportRequest;
  try {
    if (await writeReport(file, records, interrupted)) process.stdout.write(`provest: report: ${file}\n`);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    process.stdout.write(`provest: ${error.message}\n`);
  }
}

void main();
