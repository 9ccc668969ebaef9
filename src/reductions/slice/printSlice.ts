/**
 * A slice as C text: statements that do not matter are blank, branches whose condition does not are taken either way.
 * Lines stay where they are, and the text compiles. What comes out of a macro, declarations and jumps are left alone.
 */
import type { SourceFile, Span } from '../../c/source';
import type { ExternalDeclaration, SyntaxExpression, SyntaxStatement, SyntaxUnit } from '../../c/syntax';
import type { Edge, Location } from '../../program/program';
import { isBranch, type Slice } from './slice';

/** The text of `unit`'s file, sliced. */
export function printSlice(one: Slice, file: SourceFile, unit: SyntaxUnit): string {
  return new SlicePrinter(one, file).print(unit.declarations);
}

const eitherWay = 'either_way()';

class SlicePrinter {
  private readonly text: string[];
  /** Places of what is kept, by where they begin. */
  private readonly kept: readonly Span[];
  private readonly branches: readonly { readonly span: Span; readonly isKept: boolean }[];
  private usesChoice = false;

  constructor(
    one: Slice,
    private readonly file: SourceFile,
  ) {
    this.text = [...file.text];
    // Code units, as spans count them.
    if (this.text.length !== file.text.length) this.text = file.text.split('');
    const isHere = ({ file: { path } }: Span): boolean => path === file.path;
    const placesOf = (kept: Edge | Location): readonly Span[] =>
      ('edges' in kept ? kept.edges.map((edge) => edge.span) : [kept.span]).filter(isHere);
    this.kept = [...one.kept.keys()].flatMap(placesOf);
    this.branches = one.functions.flatMap(({ locations }) =>
      locations
        .filter(isBranch)
        .flatMap((location) => placesOf(location).map((span) => ({ span, isKept: one.kept.has(location) }))),
    );
  }

  print(declarations: readonly ExternalDeclaration[]): string {
    const definitions = declarations.flatMap((one) =>
      one.kind === 'function-definition' && this.isOwn(one.span) ? [one] : [],
    );
    for (const { body } of definitions) for (const item of body.items) this.statement(item);
    const [first] = definitions;
    if (first && this.usesChoice)
      this.text[first.span.start] = `extern int ${eitherWay.replace('()', '(void)')}; ${this.text[first.span.start]}`;
    return this.text.join('').replaceAll(/[ \t]+$/gmu, '');
  }

  private statement(statement: SyntaxStatement): void {
    if (!this.isOwn(statement.span)) return;
    if (statement.kind !== 'declaration' && statement.kind !== 'static-assertion' && this.isGone(statement)) {
      this.blank(statement.span, ';');
      return;
    }
    switch (statement.kind) {
      case 'block':
        for (const item of statement.items) this.statement(item);
        break;
      case 'if':
        this.condition(statement.condition);
        this.statement(statement.then);
        if (statement.otherwise) this.statement(statement.otherwise);
        break;
      case 'while':
      case 'do':
        this.condition(statement.condition);
        this.statement(statement.body);
        break;
      case 'for':
        if (statement.init?.kind === 'expression') this.part(statement.init.expression);
        if (statement.condition) this.condition(statement.condition);
        if (statement.step) this.part(statement.step);
        this.statement(statement.body);
        break;
      case 'switch':
        this.condition(statement.condition);
        this.statement(statement.body);
        break;
      case 'case':
      case 'default':
      case 'label':
        this.statement(statement.body);
        break;
      default:
        break;
    }
  }

  /** A part of a `for`, which may be empty. */
  private part({ span }: SyntaxExpression): void {
    if (this.isWritten(span) && !this.holdsKept(span)) this.blank(span, '');
  }

  private condition({ span }: SyntaxExpression): void {
    if (!this.isWritten(span) || this.holdsKept(span)) return;
    // Conditions that are constant make no branch.
    if (!this.branches.some((branch) => isWithin(branch.span, span) && !branch.isKept)) return;
    if (span.file.text.slice(span.start, span.end).includes('\n')) this.blank(span, eitherWay);
    else this.replace(span, eitherWay);
    this.usesChoice = true;
  }

  /** Nothing of it matters, and nothing jumps out of it or into it. */
  private isGone(statement: SyntaxStatement): boolean {
    if (this.holdsKept(statement.span)) return false;
    return !hasJump(statement, 'outside');
  }

  private holdsKept(span: Span): boolean {
    return this.kept.some((kept) => isWithin(kept, span));
  }

  private isOwn({ file }: Span): boolean {
    return file.path === this.file.path;
  }

  /** Not what a macro made: the text there is the macro's name. */
  private isWritten(span: Span): boolean {
    return this.isOwn(span) && (span.expandedFrom ?? []).length === 0;
  }

  private blank(span: Span, by: string): void {
    for (let i = span.start; i < span.end; i++) if (this.text[i] !== '\n') this.text[i] = ' ';
    this.text[span.start] = by + (by.length > 1 ? ' ' : by === '' ? ' ' : '');
  }

  private replace(span: Span, by: string): void {
    for (let i = span.start; i < span.end; i++) this.text[i] = '';
    this.text[span.start] = by;
  }
}

const isWithin = (inner: Span, outer: Span): boolean =>
  inner.file.path === outer.file.path && inner.start >= outer.start && inner.end <= outer.end;

/** True if control may leave or enter in the middle. In a loop of the statement `break` and `continue` do not leave. */
function hasJump(statement: SyntaxStatement, where: 'outside' | 'in-loop'): boolean {
  switch (statement.kind) {
    case 'block':
      return statement.items.some((item) => hasJump(item, where));
    case 'if':
      return (
        hasJump(statement.then, where) || (statement.otherwise !== undefined && hasJump(statement.otherwise, where))
      );
    case 'while':
    case 'do':
    case 'for':
      return hasJump(statement.body, 'in-loop');
    case 'break':
    case 'continue':
      return where === 'outside';
    case 'switch':
    case 'case':
    case 'default':
    case 'label':
    case 'goto':
    case 'return':
      return true;
    // The name is needed further on in its block.
    case 'declaration':
      return false;
    default:
      return false;
  }
}
