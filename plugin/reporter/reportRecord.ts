/** Data of a verdict for the HTML report, made where the C files are at hand. */
import { fs } from '../../src/node';
// Not the folder, which brings what only the reporter needs.
import { moduleReport } from '../../src/report/html/moduleReport';
import type { Verdict } from '../../src/verdict';
import type { ReportRecord } from '../session/records';

/** `path`: what the module is called in the report. */
export function reportRecord(
  verdict: Verdict,
  module: { readonly path: string; readonly files: readonly string[] },
): ReportRecord {
  const base = process.cwd();
  const files = [...new Set([...module.files, ...(verdict.explanation?.lines ?? []).map(({ file }) => file)])];
  const sources = files
    .filter((file) => fs.existsSync(file))
    .map((file) => ({ file, text: fs.readFileSync(file, 'utf8') }));
  return {
    module: moduleReport({ name: module.path, verdict, mode: 'module', version: '', base, sources }),
    states: verdict.explanation?.states,
  };
}
