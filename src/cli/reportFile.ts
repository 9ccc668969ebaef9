/** `--html`: the report of one verdict, compared with the report it replaces. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { htmlReport, moduleReport } from '../report/html';
import type { Verdict } from '../verdict';
import { writeOutput } from './outputFile';

export interface ReportSubject {
  readonly subject: string;
  readonly mode: 'module' | 'program';
  readonly files: readonly string[];
  readonly version: string;
  readonly cwd: string;
}

export async function writeReport(
  file: string,
  verdict: Verdict,
  { subject, mode, files, version, cwd }: ReportSubject,
): Promise<void> {
  // Headers with code of the user's belong to the source.
  const all = [...new Set([...files, ...(verdict.explanation?.lines ?? []).map((lines) => lines.file)])];
  const sources = all
    .filter((path) => existsSync(path))
    .map((path) => ({ file: path, text: readFileSync(path, 'utf8') }));
  const path = resolve(cwd, file);
  const report = moduleReport({ name: subject, verdict, mode, version, base: cwd, sources });
  const earlier = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  writeOutput(
    file,
    await htmlReport([{ report, states: verdict.explanation?.states }], { version, created: new Date(), earlier }),
    cwd,
  );
}
