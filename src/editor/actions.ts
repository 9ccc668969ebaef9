/** Actions of a person on a finding, offered at its lines. Nothing is accepted or written before one is chosen. */
import { CodeActionKind, type CodeAction, type Diagnostic, type TextEdit } from 'vscode-languageserver';
import { failuresOf, type VerdictView } from './diagnostics';
import { liesIn } from './moduleResult';
import { commands } from './marks';

export function actionsOf(
  view: VerdictView,
  uri: string,
  range: { readonly start: { readonly line: number }; readonly end: { readonly line: number } },
  diagnostics: readonly Diagnostic[],
): CodeAction[] {
  const within = ({ line }: { readonly line: number }): boolean =>
    line - 1 >= range.start.line && line - 1 <= range.end.line;
  const about = (line: number): Diagnostic[] =>
    diagnostics.filter((one) => one.source === 'provest' && one.range.start.line === line - 1);
  const act = (title: string, line: number, command: string, ...rest: unknown[]): CodeAction => ({
    title,
    kind: CodeActionKind.QuickFix,
    diagnostics: about(line),
    command: { title, command, arguments: [uri, ...rest] },
  });
  const found: CodeAction[] = [];
  for (const result of view.results) {
    const variable = result.test?.variable;
    for (const { failure, test } of failuresOf(result))
      if (test !== '' && within(failure.place) && liesIn(result, failure.place, view.file))
        found.push(act('Write the failing test', failure.place.line, commands.writeTest, test));
    for (const { text, code, example } of result.verdict.angelic?.specifications ?? []) {
      if (!example) continue;
      const { place } = example.failure;
      if (code !== '' && within(place) && liesIn(result, place, view.file))
        found.push(
          act(`Accept that clients keep to ${text}`, place.line, commands.acceptSpecification, code, variable),
        );
    }
    for (const { failure, suggestion } of result.verdict.errors)
      if (
        suggestion !== null &&
        /^[\w$]+\.probe\(/.test(suggestion) &&
        within(failure.place) &&
        liesIn(result, failure.place, view.file)
      )
        found.push(act('Add the suggested probe to the tests', failure.place.line, commands.addProbe, suggestion));
  }
  for (const { status, check, place } of view.checks)
    if (status !== 'proved' && within(place)) {
      const edit = suppression(check, place.line, view.lines);
      if (edit)
        found.push({
          title: `Suppress ${check} here: write the reason`,
          kind: CodeActionKind.QuickFix,
          diagnostics: about(place.line),
          edit: { changes: { [uri]: [edit] } },
        });
    }
  return [
    ...new Map(found.map((action) => [JSON.stringify([action.title, action.command, action.edit]), action])).values(),
  ];
}

/** Without its reason the comment is an error, so that nothing is left out before a person says why. */
function suppression(check: string, line: number, lines: readonly string[]): TextEdit | undefined {
  // A comment would end the macro.
  if (lines[line - 2]?.trimEnd().endsWith('\\')) return undefined;
  const indentation = /^[ \t]*/.exec(lines[line - 1] ?? '')![0];
  const at = { line: line - 1, character: 0 };
  return { range: { start: at, end: at }, newText: `${indentation}// provest-suppress ${check}: \n` };
}
