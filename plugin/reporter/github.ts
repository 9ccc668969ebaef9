/**
 * Display of a run on GitHub: an annotation at the C line of each failure, and a summary of the job. Both are made when
 * `GITHUB_ACTIONS` is set, from the records of the run.
 */
import { appendFileSync } from 'node:fs';
import { verdictWord } from '../../src/report';
import type { RunRecord } from '../session/records';

type VerdictRecord = Extract<RunRecord, { kind: 'verdict' }>;

/** GitHub shows ten per step. */
const mostAnnotations = 10;
/** GitHub refuses more than 1 MiB; a summary is readable up to this. */
const mostSummaryBytes = 60_000;

/** Workflow commands, one per failed question, worst first. */
export function annotations(records: readonly RunRecord[]): string[] {
  const failures = verdicts(records)
    .filter(({ verdict }) => verdict !== 'proved')
    .sort((a, b) => weight(b) - weight(a));
  const commands = failures.map((r) => {
    const place = r.at ?? { file: r.testFile, line: Math.max(1, r.line) };
    return (
      `::${r.verdict === 'bug' ? 'error' : 'warning'} file=${property(place.file)},line=${place.line},title=` +
      `${property(`provest: ${verdictWord[r.verdict]}`)}::${data(`${r.module}: ${r.summary}`)}`
    );
  });
  return [...new Set(commands)].slice(0, mostAnnotations);
}

const verdictSign = {
  proved: '✅',
  conditional: '❔',
  bug: '❌',
  'potential-error': '⚠️',
  unknown: '❔',
  'not-evaluated': '➖',
} as const;

/** Markdown. */
export function jobSummary(records: readonly RunRecord[]): string {
  const rows = verdicts(records)
    .sort((a, b) => weight(b) - weight(a) || (a.module < b.module ? -1 : 1))
    .map((r) => [
      cell(r.module),
      `${verdictSign[r.verdict]} ${verdictWord[r.verdict]}`,
      cell(r.at ? `${r.summary.split('\n')[0]} (${r.at.file}:${r.at.line})` : r.summary.split('\n')[0]!),
      r.covered !== undefined && r.total ? `${r.covered} of ${r.total}` : '',
      r.reused === undefined ? '' : `${r.reused} of ${r.cutpoints}`,
      `${r.seconds.toFixed(1)} s`,
    ]);
  if (rows.length === 0) return '';
  let text =
    '### provest\n\n| module | verdict | | states the tests reach | reused | time |\n|---|---|---|---|---|---|\n';
  let left = rows.length;
  for (const row of rows) {
    const line = `| ${row.join(' | ')} |\n`;
    if (Buffer.byteLength(text + line) > mostSummaryBytes) break;
    text += line;
    left--;
  }
  return `${text}${left > 0 ? `\n… and ${left} more\n` : ''}\n`;
}

export function reportToGitHub(
  records: readonly RunRecord[],
  print: (text: string) => void,
  environment: NodeJS.ProcessEnv = process.env,
): void {
  if (environment.GITHUB_ACTIONS !== 'true') return;
  for (const command of annotations(records)) print(`${command}\n`);
  const file = environment.GITHUB_STEP_SUMMARY;
  const summary = jobSummary(records);
  if (file !== undefined && file !== '' && summary !== '') appendFileSync(file, summary);
}

const verdicts = (records: readonly RunRecord[]): VerdictRecord[] =>
  records.filter((r): r is VerdictRecord => r.kind === 'verdict');
const weight = ({ verdict }: VerdictRecord): number =>
  ['proved', 'not-evaluated', 'conditional', 'unknown', 'potential-error', 'bug'].indexOf(verdict);
const data = (text: string): string => text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
const property = (text: string): string => data(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
const cell = (text: string): string => text.replace(/\|/g, '\\|').replace(/</g, '&lt;').replace(/\r?\n/g, ' ');
