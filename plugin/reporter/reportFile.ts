/**
 * The HTML report of a run: all verdicts asked for, one entry per module, compared with the report that it replaces.
 */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { packageVersion } from '../../src/cli/version';
import { stepText } from '../../src/progress';
import { htmlReport } from '../../src/report/html';
import { verdictWithoutProof } from '../../src/prover';
import type { Verdict } from '../../src/verdict';
import { writeOutputFile } from './outputFile';
import type { ModuleIdentity, ProgressRecord, ReportRecord, RunRecord } from '../session/records';
import { reportRecord } from './reportRecord';

interface Reported extends ModuleIdentity {
  readonly verdict: Verdict['kind'];
  readonly report: ReportRecord;
}

/**
 * `interrupted`: what was being proved when the run ended. Writes nothing when no verdict was asked for; answers
 * whether it wrote. Throws `OutputError`.
 */
export async function writeReport(
  file: string,
  records: readonly RunRecord[],
  interrupted: readonly ProgressRecord[] = [],
  base = process.cwd(),
): Promise<boolean> {
  const reached = records.flatMap((r): Reported[] =>
    r.kind === 'verdict' && r.report !== undefined ? [{ ...r, report: r.report }] : [],
  );
  const reported = oncePerModule([...reached, ...interrupted.map(interruptedRun)]);
  if (reported.length === 0) return false;
  const path = resolve(base, file);
  const earlier = statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path, 'utf8') : undefined;
  const html = await htmlReport(
    reported.map(({ name, record }) => ({ report: { ...record.report.module, name }, states: record.report.states })),
    { version: packageVersion(), created: new Date(), earlier },
  );
  writeOutputFile(file, html, base);
  return true;
}

function interruptedRun({ module, testFile, line, progress, startedAt, asked }: ProgressRecord): Reported {
  const how = progress === undefined ? '' : `, during ${stepText(progress)}`;
  const verdict = verdictWithoutProof(
    asked,
    { cause: 'interrupted', message: `the run was interrupted before an answer was reached${how}` },
    startedAt,
    'not-evaluated',
  );
  return {
    module,
    testFile,
    line,
    verdict: verdict.kind,
    report: reportRecord(verdict, { path: module, files: asked.files }),
  };
}

/** Question about each `loadC` with the least good answer; names tell the same file in several tests apart. */
function oncePerModule(records: readonly Reported[]): { readonly name: string; readonly record: Reported }[] {
  const order = ['proved', 'not-evaluated', 'conditional', 'unknown', 'potential-error', 'bug'];
  const chosen = new Map<string, Reported>();
  for (const record of records) {
    const key = `${record.module}\0${record.testFile}\0${record.line}`;
    const before = chosen.get(key);
    if (!before || order.indexOf(record.verdict) > order.indexOf(before.verdict))
      chosen.set(key, withAdequacy(record, before));
    else chosen.set(key, withAdequacy(before, record));
  }
  const sorted = [...chosen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
  const used = new Map<string, number>();
  return sorted.map((record) => {
    const ambiguous = sorted.filter(({ module }) => module === record.module).length > 1;
    const name = ambiguous ? `${record.module} (${record.testFile})` : record.module;
    const count = (used.get(name) ?? 0) + 1;
    used.set(name, count);
    return { name: count === 1 ? name : `${name} ${count}`, record };
  });
}

/** Only one of two questions may have been about the abstract states. */
function withAdequacy(record: Reported, other: Reported | undefined): Reported {
  const { module } = record.report;
  const adequacy = module.verdict.adequacy ?? other?.report.module.verdict.adequacy ?? null;
  return {
    ...record,
    report: {
      states: record.report.states ?? other?.report.states,
      module: {
        ...module,
        verdict: { ...module.verdict, adequacy, tool: { name: 'provest', version: packageVersion() } },
      },
    },
  };
}
