/**
 * Points and tables. SV-COMP: 2 for a proof, 1 for a bug, -32 for a wrong proof, -16 for a wrong bug. PAR-2: seconds,
 * twice the budget where nothing was solved.
 */
import type { Judgement } from '../../test/conformance/judge';
import type { ConformanceProgram } from '../../test/conformance/programs';
import type { Timed } from './contestants';

export interface Row extends Timed {
  readonly program: ConformanceProgram;
  readonly judgement: Judgement;
}

export interface Score {
  readonly programs: number;
  readonly solved: number;
  readonly unknown: number;
  readonly wrong: number;
  readonly par2: number;
  readonly points: number;
  readonly most: number;
  /** Seconds, of the solved. */
  readonly median: number;
}

export function score(rows: readonly Row[], budgetSeconds: number): Score {
  const of = (kind: Judgement['kind']): readonly Row[] => rows.filter(({ judgement }) => judgement.kind === kind);
  const times = of('solved')
    .map(({ seconds }) => seconds)
    .sort((a, b) => a - b);
  const par2 =
    rows.reduce((sum, { judgement, seconds }) => sum + (judgement.kind === 'solved' ? seconds : 2 * budgetSeconds), 0) /
    Math.max(1, rows.length);
  return {
    programs: rows.length,
    solved: of('solved').length,
    unknown: of('undecided').length,
    wrong: of('wrong').length,
    par2,
    points: rows.reduce((sum, row) => sum + points(row), 0),
    most: rows.reduce((sum, { program }) => sum + { proved: 2, bug: 1, unknown: 0 }[program.expect.kind], 0),
    median: times[times.length >> 1] ?? 0,
  };
}

function points({ judgement, answer }: Row): number {
  switch (judgement.kind) {
    case 'solved':
      return answer.kind === 'proved' ? 2 : answer.kind === 'bug' ? 1 : 0;
    case 'undecided':
      return 0;
    case 'wrong':
      return answer.kind === 'proved' ? -32 : -16;
  }
}

export function markdown(results: ReadonlyMap<string, readonly Row[]>, budgetSeconds: number): string {
  const names = [...results.keys()];
  const themes = [...new Set([...results.values()].flat().map(({ program }) => program.theme))];
  const cells = (rows: readonly Row[]): string => {
    const { solved, unknown, wrong, par2, points: p, most, median } = score(rows, budgetSeconds);
    return `${solved} | ${unknown} | ${wrong} | ${median.toFixed(2)} | ${par2.toFixed(2)} | ${p} / ${most}`;
  };
  const line = (title: string, theme: string | undefined): string => {
    const of = (name: string): readonly Row[] =>
      results.get(name)!.filter(({ program }) => theme === undefined || program.theme === theme);
    return `| ${title} | ${of(names[0]!).length} | ${names.map((name) => cells(of(name))).join(' | ')} |`;
  };
  const head = names.flatMap((name) =>
    ['solved', 'unknown', 'wrong', 'median s', 'PAR-2 s', 'points'].map(
      (column) => `${names.length > 1 ? `${name} ` : ''}${column}`,
    ),
  );
  return [
    `| theme | programs | ${head.join(' | ')} |`,
    `|---|${'---:|'.repeat(head.length + 1)}`,
    ...themes.map((theme) => line(theme, theme)),
    line('**all**', undefined),
  ].join('\n');
}

/** What deserves a look: wrong answers, failures of a tool, and what stayed open. */
export function details(name: string, rows: readonly Row[]): string {
  const said = ({ program, answer, judgement, seconds, crash }: Row): string =>
    `- ${program.id} (expected ${program.expect.kind}, after ${seconds.toFixed(1)} s): ` +
    `${judgement.kind === 'solved' ? answer.kind : judgement.why}` +
    `${crash === undefined ? '' : `; ${crash.replace(/\s+/g, ' ')}`}`;
  const part = (title: string, chosen: readonly Row[]): string[] =>
    chosen.length === 0 ? [] : [`\n### ${name}: ${title}\n`, ...chosen.map(said)];
  return [
    ...part(
      'wrong',
      rows.filter(({ judgement }) => judgement.kind === 'wrong'),
    ),
    ...part(
      'failures of the tool',
      rows.filter(({ crash }) => crash !== undefined),
    ),
    ...part(
      'undecided',
      rows.filter(({ judgement, crash }) => judgement.kind === 'undecided' && crash === undefined),
    ),
  ].join('\n');
}
