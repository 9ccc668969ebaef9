/** Underlines of the editor: errors in the text, failing checks, and checks without an answer, a line a function. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver';
import type { CauseId } from '../verdict';
import { causePage } from '../report/causePage';
import type { VerdictJson } from '../report';
import type { TextMessage, TextRange } from './frontEnd';
import type { CheckRow } from './checksByLine';
import { liesIn, type ModuleResult } from './moduleResult';

type CounterexampleOf = NonNullable<VerdictJson['counterexample']>;

export function textDiagnostics(messages: readonly TextMessage[]): Diagnostic[] {
  return messages.map(({ severity, message, range, related }) => ({
    severity: severity === 'error' ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: 'provest',
    message,
    range,
    ...(related.length > 0 && {
      relatedInformation: related.map((note) => ({
        location: { uri: pathToFileURL(note.file).href, range: note.range },
        message: note.message,
      })),
    }),
  }));
}

export interface VerdictView {
  readonly results: readonly ModuleResult[];
  readonly checks: readonly CheckRow[];
  readonly file: string;
  readonly lines: readonly string[];
}

export function verdictDiagnostics(view: VerdictView): Diagnostic[] {
  return [
    ...refusedDiagnostics(view),
    ...failures(view),
    ...possible(view),
    ...undecidedDiagnostics(view),
    ...withoutChecks(view),
  ];
}

/** Errors that the front end alone does not see: between files, and in comments that leave out checks. */
function refusedDiagnostics({ results, file, lines }: VerdictView): Diagnostic[] {
  return unique(
    results.flatMap((result) =>
      result.verdict.diagnostics
        .filter(({ severity }) => severity === 'error')
        .map(({ message, hint, place }): Diagnostic => ({
          severity: DiagnosticSeverity.Error,
          source: 'provest',
          message: `${message}${hint === undefined ? '' : `\n${hint}`}`,
          range: rangeAt(place && liesIn(result, place, file) ? place : { line: 1, column: 1 }, lines),
        })),
    ),
  );
}

/** Failures of a result: a bug's, and those that specifications of clients would excuse. Each once. */
export function failuresOf({ verdict }: ModuleResult): readonly CounterexampleOf[] {
  const all = [
    ...(verdict.counterexample ? [verdict.counterexample] : []),
    ...verdict.further,
    ...(verdict.angelic?.specifications ?? []).flatMap(({ example }) => example ?? []),
  ];
  const place = ({ failure }: CounterexampleOf): string =>
    `${failure.place.file}:${failure.place.line}:${failure.place.column}:${failure.check}`;
  return [...new Map(all.map((one) => [place(one), one])).values()];
}

function failures({ results, file, lines }: VerdictView): Diagnostic[] {
  const found = results.flatMap((result) =>
    failuresOf(result)
      .filter(({ failure }) => liesIn(result, failure.place, file))
      .map(({ failure, steps }): Diagnostic => ({
        severity: DiagnosticSeverity.Error,
        source: 'provest',
        code: failure.check,
        message: `${failure.message}\nThese calls make it fail: ${steps.map(stepText).join(' ')}`,
        range: rangeAt(failure.place, lines),
      })),
  );
  return unique(found);
}

/** Potential errors: of a state that was not shown reachable. */
function possible({ results, file, lines }: VerdictView): Diagnostic[] {
  return unique(
    results.flatMap((result) =>
      result.verdict.errors
        .filter(({ failure }) => liesIn(result, failure.place, file))
        .map(({ failure, state, explanation }): Diagnostic => ({
          severity: DiagnosticSeverity.Warning,
          source: 'provest',
          code: failure.check,
          message: `potential error: ${failure.message}\nfrom a state with ${
            state.map(({ name, value }) => `${name} = ${value}`).join(', ') || 'no variables'
          }; ${explanation}`,
          range: rangeAt(failure.place, lines),
        })),
    ),
  );
}

/** A line a function: all its open checks usually have one cause. */
function undecidedDiagnostics({ checks, lines }: VerdictView): Diagnostic[] {
  const byFunction = new Map<string, (CheckRow & { readonly status: 'open' })[]>();
  for (const check of checks)
    if (check.status === 'open' && !shownElsewhere(check)) {
      const name = check.place.function ?? '';
      byFunction.set(name, [...(byFunction.get(name) ?? []), { ...check, status: 'open' }]);
    }
  return [...byFunction].flatMap(([name, open]): Diagnostic[] => {
    const [first] = open;
    if (!first) return [];
    const { cause, message } = first as { cause?: string; message?: string };
    return [
      {
        severity: DiagnosticSeverity.Information,
        source: 'provest',
        ...causeLink(cause),
        message:
          `not decided: ${open.length} check${open.length === 1 ? '' : 's'}${name === '' ? '' : ` of ${name}`}: ` +
          `${message ?? ''}`,
        range: rangeAt(first.place, lines),
      },
    ];
  });
}

/** Beside a failure, what was left open for it is no news; a potential error has a line of its own. */
const shownElsewhere = ({ result }: CheckRow): boolean =>
  failuresOf(result).length > 0 || result.verdict.verdict === 'potential-error';

/** Verdicts that have no table of checks: why there is none is said once, on the first line. */
function withoutChecks({ results }: VerdictView): Diagnostic[] {
  return unique(
    results.flatMap(({ verdict }): Diagnostic[] =>
      verdict.reason && verdict.checks.length === 0 && verdict.diagnostics.length === 0
        ? [
            {
              severity: DiagnosticSeverity.Information,
              source: 'provest',
              ...causeLink(verdict.reason.cause),
              message:
                `${verdict.reason.message}` +
                `${verdict.reason.suggestion === undefined ? '' : `\n${verdict.reason.suggestion}`}`,
              range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
            },
          ]
        : [],
    ),
  );
}

function causeLink(cause: string | undefined): Pick<Diagnostic, 'code' | 'codeDescription'> {
  if (cause === undefined) return {};
  // Absolute, since it does not lie below this folder.
  const page = causePage(cause as CauseId, __dirname);
  return { code: cause, ...(existsSync(page) && { codeDescription: { href: pathToFileURL(page).href } }) };
}

/** From the place to the end of its line's code; lines and columns of places count from 1. */
export function rangeAt(
  place: { readonly line: number; readonly column: number },
  lines: readonly string[],
): TextRange {
  const line = place.line - 1;
  const text = lines[line] ?? '';
  const character = Math.min(place.column - 1, Math.max(0, text.length - 1));
  const rest = /^[\w.>[\]()*&-]+(?:\s*[-+*/%<>=!&|^]+\s*[\w.>[\]()*&-]+)*/.exec(text.slice(character))?.[0] ?? '';
  return {
    start: { line, character },
    end: { line, character: character + Math.max(1, rest.replace(/[\s)]+$/, '').length) },
  };
}

/** `push(3)`, for a message. */
export function stepText(step: CounterexampleOf['steps'][number]): string {
  switch (step.kind) {
    case 'call':
      return `${step.function}(${step.arguments
        .map((argument) => (argument.kind === 'value' ? JSON.stringify(argument.value) : argument.name))
        .join(', ')});`;
    case 'allocate':
      return `${step.name} = ${step.type}${step.value === undefined ? '' : ` ${JSON.stringify(step.value)}`};`;
    case 'input':
      return `${step.function}() returns ${JSON.stringify(step.value)};`;
    case 'function':
      return `${step.name} is a function;`;
  }
}

function unique(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((one) => [JSON.stringify(one), one])).values()];
}
