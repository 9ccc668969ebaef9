/** Verdicts beside the text: a lens above each function, a mark at the end of each line with checks, and hovers. */
import { InlayHintKind, MarkupKind, type CodeLens, type Hover, type InlayHint } from 'vscode-languageserver';
import { checkCount, type CheckRow } from './checksByLine';
import { failuresOf, stepText, type VerdictView } from './diagnostics';
import type { DefinedFunction } from './frontEnd';
import { liesIn, type ModuleResult } from './moduleResult';

/** Commands of the server, which clients send back when a person chooses one. */
export const commands = {
  prove: 'provest.prove',
  writeTest: 'provest.writeTest',
  runTest: 'provest.runTest',
  addProbe: 'provest.addProbe',
  acceptSpecification: 'provest.acceptSpecification',
} as const;

/**
 * State of the verdict on a file. `changed`: there is one, on another text. `none`: nothing is known.
 */
export type Standing = 'current' | 'proving' | 'changed' | 'none';

/** `testOf`: the title of a written test for a failure, with its file; undefined: there is none yet. */
export function lensesOf(
  view: VerdictView,
  functions: readonly DefinedFunction[],
  standing: Standing,
  uri: string,
  testOf: (test: string) => { readonly file: string; readonly title: string } | undefined,
): CodeLens[] {
  return functions.flatMap(({ name, line }): CodeLens[] => {
    const range = { start: { line: line - 1, character: 0 }, end: { line: line - 1, character: 0 } };
    const lens = (title: string, command: string, ...rest: unknown[]): CodeLens => ({
      range,
      command: { title, command, arguments: [uri, ...rest] },
    });
    if (standing === 'proving') return [lens('proving …', commands.prove)];
    if (standing === 'changed') return [lens('changed since it was proved: save to prove it again', commands.prove)];
    if (standing === 'none') return [lens('prove', commands.prove)];
    const own = view.checks.filter(({ place }) => place.function === name);
    const tests = view.results
      .flatMap((result) => failuresOf(result).map((failure) => ({ failure, result })))
      .filter(
        ({ failure, result }) =>
          failure.failure.place.function === name && liesIn(result, failure.failure.place, view.file),
      )
      .map(({ failure }) => failure.test)
      .filter((test) => test !== '');
    const first = tests[0];
    const written = first === undefined ? undefined : testOf(first);
    return [
      lens(own.length > 0 ? checkCount(own) : noChecks(view), commands.prove),
      ...(first === undefined
        ? []
        : written
          ? [lens('bug: run the test', commands.runTest, written.file, written.title)]
          : [lens('bug: write the failing test', commands.writeTest, first)]),
    ];
  });
}

/** A function without checks is only as good as its module. */
function noChecks({ results }: VerdictView): string {
  if (results.some(({ verdict }) => verdict.verdict === 'error')) return 'not proved: the C has errors';
  return results.every(({ verdict }) => verdict.verdict === 'proved') ? 'nothing to check' : 'no check of its own';
}

const sign = { proved: '✓', fails: '✗', open: '○' } as const;

/** At the end of each line between the two, which count from 0. */
export function hintsOf({ checks, lines }: VerdictView, from: number, to: number): InlayHint[] {
  const byLine = new Map<number, CheckRow[]>();
  for (const check of checks) byLine.set(check.place.line - 1, [...(byLine.get(check.place.line - 1) ?? []), check]);
  return [...byLine]
    .filter(([line]) => line >= from && line <= to)
    .map(([line, rows]) => {
      const worst = (['fails', 'open', 'proved'] as const).find((status) => rows.some((row) => row.status === status))!;
      const some = rows.filter(({ status }) => status === worst);
      const assuming = worst === 'proved' && some.some((row) => 'assumesFailing' in row && row.assumesFailing);
      return {
        position: { line, character: (lines[line] ?? '').length },
        label: `${sign[worst]} ${worst}${assuming ? ' if what fails is repaired' : ''}`,
        kind: InlayHintKind.Parameter,
        paddingLeft: true,
        tooltip: rows.map(rowText).join('\n'),
      };
    });
}

function rowText(row: CheckRow): string {
  const { text, check, status } = row;
  const more =
    status === 'open' && 'message' in row && typeof row.message === 'string'
      ? `: ${row.message}`
      : 'assumesFailing' in row && row.assumesFailing
        ? ', if what fails is repaired'
        : '';
  return `${sign[status]} ${check} of ${text}: ${status}${more}`;
}

/** Checks of the line, the calls that fail one, and what is proved to hold there. Undefined: nothing is known. */
export function hoverAt(view: VerdictView, functions: readonly DefinedFunction[], line: number): Hover | undefined {
  const rows = view.checks.filter(({ place }) => place.line - 1 === line).map(rowText);
  const failing = view.results.flatMap((result) =>
    failuresOf(result)
      .filter(({ failure }) => liesIn(result, failure.place, view.file) && failure.place.line - 1 === line)
      .map(({ failure, steps }) => `**${failure.message}** after\n\n${fenced(steps.map(stepText).join('\n'))}`),
  );
  const name = functions.find((one) => one.line - 1 === line)?.name;
  const invariants = view.results.flatMap((result) => invariantsAt(result, view.file, line, name));
  const parts = [
    ...new Set([...invariants, ...failing]),
    ...(rows.length > 0 ? [rows.map((row) => `- ${row}`).join('\n')] : []),
  ];
  if (parts.length === 0) return undefined;
  return {
    contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n') },
    range: { start: { line, character: 0 }, end: { line, character: (view.lines[line] ?? '').length } },
  };
}

const holds = {
  module: 'Between calls of the module, proved:',
  entry: 'When the function is called, proved:',
  exit: 'When the function returns, proved:',
  loop: 'Each time the loop begins or goes on, proved:',
  call: 'At this call, proved:',
  label: 'At this place, proved:',
} as const;

/** Invariants of loops and places on the line; on that of a function's name, of its entry, its exit and the module. */
function invariantsAt(result: ModuleResult, file: string, line: number, name: string | undefined): string[] {
  const text = ({ at, formula }: ModuleResult['verdict']['invariants'][number]): string =>
    `${holds[at]}\n\n${fenced(formula)}`;
  const here = result.verdict.invariants.filter(({ place }) => liesIn(result, place, file));
  return here
    .filter(({ at, place }) =>
      at === 'module'
        ? name !== undefined
        : at === 'entry' || at === 'exit'
          ? name !== undefined && place.function === name
          : place.line - 1 === line,
    )
    .map(text);
}

const fenced = (code: string): string => `\`\`\`c\n${code}\n\`\`\``;
