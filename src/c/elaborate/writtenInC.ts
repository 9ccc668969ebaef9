/**
 * Built-in operations that are written out in C: a statement expression whose first declarations take the call's
 * arguments, one each, and whose last expression is the answer.
 */
import { DiagnosticLog } from '../diagnostics/diagnosticLog';
import { parse } from '../parse';
import { SourceFile, type Span } from '../source';
import type { SyntaxBlock, SyntaxExpression, SyntaxStatement } from '../syntax';
import { tokenize } from '../tokens/tokenize';

/** `names`: all that the text declares; they must not hide those that the arguments use. */
export function writtenInC(
  text: string,
  names: readonly string[],
  args: readonly SyntaxExpression[],
  span: Span,
): SyntaxExpression {
  const hygienic = text.replaceAll(new RegExp(`\\b(?:${names.join('|')})\\b`, 'g'), '__provest_$&');
  const log = new DiagnosticLog();
  const { declarations } = parse(
    tokenize(new SourceFile('<built-in>', `void f(void) {${hygienic}}`), (d) => log.add(d)),
    log,
  );
  const [definition] = declarations;
  if (log.errorCount > 0 || definition?.kind !== 'function-definition')
    throw new Error(`the built-in text does not parse: ${text}`);
  return { kind: 'statement-expression', body: withArguments(definition.body, args), span };
}

/** The first declarations get the arguments as their initialisers. */
function withArguments(body: SyntaxBlock, args: readonly SyntaxExpression[]): SyntaxBlock {
  const items = body.items.map((item, i): SyntaxStatement => {
    const argument = args[i];
    if (!argument || item.kind !== 'declaration') return item;
    const [declarator] = item.declarators;
    return {
      ...item,
      declarators: [{ ...declarator!, initializer: { kind: 'expression', expression: argument, span: argument.span } }],
    };
  });
  return { ...body, items };
}
