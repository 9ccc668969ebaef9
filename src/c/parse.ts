/**
 * Parser for preprocessed C11 with the GNU forms real code uses: hand-written recursive descent with precedence
 * climbing for binary operators and a scoped table of type names, which is what makes `(T)-1`, `(T)*p` and `a * b;`
 * come out right. Errors are reported to the log; a construct that cannot be read is skipped up to its `;` or `}`.
 */
import type { DiagnosticLog } from './diagnostics/diagnosticLog';
import { atAssembler, parseAssemblerOfFile } from './parse/assembler';
import { parseDeclaration, parseEnsuresOf, parseStaticAssertion } from './parse/declarations';
import { parameterNames } from './parse/declarators';
import { isWithin, skipToMargin, statementWords, straysFrom } from './parse/misspelt';
import { Parser } from './parse/parser';
import { parseBlock } from './parse/statements';
import type { Span } from './source';
import { spanning } from './tokens/spanning';
import type { ExternalDeclaration, SyntaxUnit } from './syntax';
import type { Token } from './tokens/token';
import type { Standard } from './types';

/** `tokens` ends with an `end` token. */
export function parse(tokens: readonly Token[], log: DiagnosticLog, standard: Standard = 'c11'): SyntaxUnit {
  const p = new Parser(tokens, log, standard);
  const declarations: ExternalDeclaration[] = [];
  let lastFunction: Span | undefined;
  while (!p.atEnd) {
    if (p.accept(';')) continue;
    if (straysFrom(p, lastFunction)) {
      log.error(p.at('}') ? "extra '}'" : 'a statement outside a function', p.token.span, {
        notes: [{ message: 'the function before it ends here', span: p.previous.span }],
      });
      skipToMargin(p);
      lastFunction = undefined;
      continue;
    }
    const from = p.position;
    const begin = p.token;
    if (atAssembler(p)) {
      if (log.attempt(() => (parseAssemblerOfFile(p), true)) !== true) p.skipStatement(from);
      continue;
    }
    const declaration = log.attempt(() => parseExternalDeclaration(p));
    if (declaration) {
      declarations.push(declaration);
      lastFunction = declaration.kind === 'function-definition' ? declaration.specifiers.span : undefined;
      continue;
    }
    p.restoreScopes(1);
    if (isWithin(begin, lastFunction)) {
      skipToMargin(p);
      lastFunction = undefined;
    } else {
      p.skipStatement(from);
    }
    // A stray '}' at file scope would stop the skipping for ever.
    if (p.at('}')) p.next();
  }
  return { declarations, complete: !p.hasSkipped };
}

function parseExternalDeclaration(p: Parser): ExternalDeclaration {
  if (p.at('_Static_assert')) return parseStaticAssertion(p);
  if (p.at('__provest_ensures_of')) return parseEnsuresOf(p);
  if (p.at('}')) p.log.fail("extra '}'", p.token.span);
  if (p.token.kind === 'identifier' && statementWords.has(p.token.text))
    p.log.fail(`'${p.token.text}' outside a function`, p.token.span);
  p.unevenBrace = undefined;
  return parseDeclaration(p, (parser, specifiers, declarator, attributes, start) => {
    const body = parseBlock(parser, parameterNames(declarator));
    return {
      kind: 'function-definition',
      specifiers,
      declarator,
      attributes,
      body,
      span: spanning(start, declarator.span),
    };
  });
}
