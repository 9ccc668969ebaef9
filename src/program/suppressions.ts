/**
 * Suppressions: checks that a comment in the C excludes from proofs, with a reason. The comment stands on the line of
 * the check, or alone on a line above it.
 *
 *     // provest-suppress array-bounds: the hardware counts to 15 only
 *
 * A proof then assumes that the check holds. If C continues with a definite value (overflow that wraps), it assumes
 * nothing. Tests still check. Every verdict lists the suppressed checks.
 */
import type { Diagnostic } from '../c/diagnostics/diagnostic';
import { nearest } from '../c/diagnostics/editDistance';
import type { SourceFile, Span } from '../c/source';
import { allProperties, propertyOf, type CheckKind, type Property, type SuppressedCheck } from './command';

interface Suppression {
  /** The line it is for. */
  readonly line: number;
  readonly kinds: ReadonlySet<CheckKind | Property>;
  readonly reason: string;
  readonly span: Span;
  used: boolean;
}

const comment = /(?:\/\/|\/\*)[ \t]*provest-suppress\b([^\n]*)/g;

export class Suppressions {
  private readonly byFile = new Map<SourceFile, readonly Suppression[]>();
  private readonly found = new Map<string, SuppressedCheck>();

  /** `diagnostics` receives the errors in the comments, whether or not the comments take effect. */
  constructor(
    private readonly diagnostics: Diagnostic[],
    private readonly follow: boolean,
  ) {}

  /** Must be called for every check. */
  covers(check: CheckKind, text: string, span: Span): boolean {
    const places = [span, ...(span.expandedFrom ?? []).map((expansion) => expansion.span)];
    const suppression = places.map((place) => this.at(place, check)).find((one) => one !== undefined);
    if (!suppression || !this.follow) return false;
    suppression.used = true;
    this.found.set(`${span.file.path}:${span.start}:${check}`, { check, text, span, reason: suppression.reason });
    return true;
  }

  get checks(): readonly SuppressedCheck[] {
    return [...this.found.values()].sort((a, b) =>
      a.span.file.path === b.span.file.path
        ? a.span.start - b.span.start
        : a.span.file.path < b.span.file.path
          ? -1
          : 1,
    );
  }

  /** Comments that exclude no check. */
  get idle(): readonly Span[] {
    return [...this.byFile.values()]
      .flat()
      .filter(({ used }) => !used)
      .map(({ span }) => span);
  }

  private at(place: Span, check: CheckKind): Suppression | undefined {
    const { line } = place.file.position(place.start);
    return this.of(place.file).find(
      (one) => one.line === line && (one.kinds.has(check) || one.kinds.has(propertyOf[check])),
    );
  }

  private of(file: SourceFile): readonly Suppression[] {
    let list = this.byFile.get(file);
    if (!list)
      this.byFile.set(
        file,
        (list = [...file.text.matchAll(comment)].flatMap((match) => this.read(file, match.index, match[1]!) ?? [])),
      );
    return list;
  }

  private read(file: SourceFile, start: number, written: string): Suppression | undefined {
    const text = written.replace(/\*\/.*$/, '').trim();
    const span: Span = { file, start, end: start + 2 };
    const wrong = (message: string, hint: string): undefined => {
      this.diagnostics.push({ severity: 'error', message, span, hint });
    };
    const example = 'write it like this: // provest-suppress array-bounds: the hardware counts to 15 only';
    const [, names = '', reason = ''] = /^([^:]*)(?::\s*(.*))?$/.exec(text) ?? [];
    if (reason === '') return wrong('a suppression needs a reason', example);
    const known: readonly (CheckKind | Property)[] = [...(Object.keys(propertyOf) as CheckKind[]), ...allProperties];
    const kinds = new Set<CheckKind | Property>();
    for (const name of names.split(',').map((part) => part.trim())) {
      const kind = known.find((one) => one === name);
      if (kind === undefined)
        return wrong(
          name === '' ? 'a suppression names the checks it is for' : `'${name}' is no check`,
          nearest(name, known) === undefined ? example : `did you mean '${nearest(name, known)}'?`,
        );
      kinds.add(kind);
    }
    return { line: lineFor(file, start), kinds, reason, span, used: false };
  }
}

/** A comment alone on its line refers to the next line that is not such a comment. */
function lineFor(file: SourceFile, start: number): number {
  const { line, column } = file.position(start);
  if (file.text.slice(start - column + 1, start).trim() !== '') return line;
  const lines = file.text.split('\n');
  let next = line;
  while (next < lines.length && /^\s*(\/\/.*|\/\*([^*]|\*(?!\/))*\*\/\s*)?$/.test(lines[next]!)) next++;
  return next + 1;
}
