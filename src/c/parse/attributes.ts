/** GNU attributes: `__attribute__((name, name(arguments)))`, any number of them in a row. */
import { spanning } from '../tokens/spanning';
import type { Attribute, SyntaxExpression } from '../syntax';
import { parseConditional } from './expressions';
import type { Parser } from './parser';

/** Attributes that change what a program means in a way that is not modelled; the others are hints for compilers. */
const unsupported = new Set([
  'vector_size',
  'transparent_union',
  'ifunc',
  'scalar_storage_order',
  'ms_struct',
  'address_space',
  'weakref',
]);

const withExpression = new Set(['alias', 'aligned', 'cleanup', 'constructor', 'destructor']);

export function parseAttributes(p: Parser): Attribute[] {
  const attributes: Attribute[] = [];
  while (p.at('__attribute__') || p.at('__attribute')) {
    p.next();
    const outer = p.expect('(', "after '__attribute__'");
    const inner = p.expect('(', "after '__attribute__('");
    while (!p.at(')')) {
      if (p.accept(',')) continue;
      attributes.push(parseAttribute(p));
    }
    p.expectClosing(')', inner);
    p.expectClosing(')', outer);
  }
  return attributes;
}

function parseAttribute(p: Parser): Attribute {
  const token = p.token;
  if (token.kind !== 'identifier') p.log.fail(`expected the name of an attribute before '${token.text}'`, token.span);
  p.next();
  const name = token.text.replace(/^__(.*)__$/, '$1');
  if (unsupported.has(name))
    p.log.addUnsupported({ severity: 'error', message: `the attribute '${name}' is not supported`, span: token.span });
  const args = p.at('(') ? parseArguments(p, name) : [];
  return { name, arguments: args, span: spanning(token.span, p.previous.span) };
}

/**
 * Only these have an argument that matters; the others' (which may be anything in balanced parentheses) are skipped.
 */
function parseArguments(p: Parser, name: string): SyntaxExpression[] {
  const opening = p.next();
  const args: SyntaxExpression[] = [];
  if (name === 'mode' && p.token.kind === 'identifier') {
    const { text, span } = p.next();
    args.push({ kind: 'identifier', name: text, span });
  } else if (withExpression.has(name) && !p.at(')')) {
    args.push(parseConditional(p));
  } else {
    for (let depth = 0; depth > 0 || !p.at(')'); p.next()) {
      if (p.atEnd) break;
      if (p.at('(')) depth++;
      else if (p.at(')')) depth--;
    }
  }
  p.expectClosing(')', opening);
  return args;
}
