/**
 * GNU's inline assembler. With nothing in it, `__asm__ volatile ("" : "+r" (x) : : "memory")` keeps an optimiser from
 * moving or dropping something and means nothing else. What is left are the operands, which are evaluated, and an
 * output that shares its place with an input (`"0"`), which gets its value. An output in memory (`"=m"`) is a place
 * that nothing writes: it keeps its value, with a warning, since GCC may take what was stored there before for dead.
 * With instructions, operands are evaluated, and each output gets any value of its type: that nothing else changes is
 * an assumption. With jumps (`asm goto`) it is unsupported.
 */
import type { Span } from '../source';
import { spanning } from '../tokens/spanning';
import {
  noQualifiers,
  type SyntaxExpression,
  type SyntaxStatement,
  type TypeName,
  type TypeSpecifier,
} from '../syntax';
import { parseExpression } from './expressions';
import type { Parser } from './parser';

interface Operand {
  readonly constraint: string;
  readonly value: SyntaxExpression;
}

/** `"=m"`, `"=&m"` and the like: memory, and nothing else. */
const inMemory = /^=&?[moV]+$/;
const keeps = 'outputs of empty inline assembler keep the value that they have in memory';
const changes = 'inline assembler changes nothing but its outputs, which have any value then';

export const atAssembler = (p: Parser): boolean => p.at('asm') || p.at('__asm__') || p.at('__asm');

/** Up to the closing parenthesis; the semicolon is the caller's. */
export function parseAssembler(p: Parser): SyntaxStatement {
  const start = p.next().span;
  while (
    ['volatile', '__volatile__', '__volatile', 'inline', '__inline__', '__inline'].some((word) => p.accept(word))
  ) {
    /* They say nothing about meaning. */
  }
  if (p.at('goto')) return refuse(p, start);
  const opening = p.expect('(', "after 'asm'");
  const isEmpty =
    parseStrings(p)
      .replace(/\\[nt]/g, '')
      .trim() === '';
  const [outputs, inputs] = [operands(p), operands(p)];
  if (p.accept(':')) while (p.token.kind === 'string' || p.at(',')) p.next();
  p.expectClosing(')', opening);
  const span = p.spanFrom(start);
  const block = (items: readonly SyntaxStatement[]): SyntaxStatement => ({
    kind: 'block',
    items,
    span,
    end: { ...span, start: Math.max(span.start, span.end - 1) },
  });
  if (!isEmpty) {
    p.log.warnOnce(changes, span, { assumption: changes });
    const read = [...outputs.filter(({ constraint }) => constraint.startsWith('+')), ...inputs];
    return block([...read.map(evaluation), ...outputs.map(({ value }) => assignment(value, anyValue(value)))]);
  }
  const items = outputs.filter(({ constraint }) => constraint.startsWith('+')).map(evaluation);
  const kept = outputs.filter(
    ({ constraint }, i) => inMemory.test(constraint) && !inputs.some((input) => input.constraint === String(i)),
  );
  items.push(...kept.map(address));
  if (kept.length > 0) p.log.warnOnce(keeps, span, { assumption: keeps });
  const written = outputs
    .map((operand, i) => ({ operand, tied: inputs.find(({ constraint }) => constraint === String(i)) }))
    .filter(({ operand }) => !operand.constraint.startsWith('+') && !kept.includes(operand));
  // If there are several, an input might read one after it was written.
  const [only] = written;
  if (written.length > 1 || (only && !only.tied))
    return p.log.fail('an output of inline assembler whose value nothing says is not supported', span);
  items.push(...inputs.filter((input) => input !== only?.tied).map(evaluation));
  if (only?.tied) items.push(assignment(only.operand.value, only.tied.value));
  return block(items);
}

/** Instructions outside functions. */
export function parseAssemblerOfFile(p: Parser): void {
  const { span } = p.token;
  parseAssembler(p);
  p.expect(';', 'after inline assembler');
  p.log.warnOnce(changes, span, { assumption: changes });
}

function refuse(p: Parser, span: Span): never {
  return p.log.fail('inline assembler is not supported', span);
}

/** Adjacent string literals, as written between the quotes. */
export function parseStrings(p: Parser): string {
  let text = '';
  while (p.token.kind === 'string') text += p.next().text.replace(/^[^"]*"|"$/g, '');
  return text;
}

/** ':' ([name] "constraint" (expression)),* */
function operands(p: Parser): Operand[] {
  const found: Operand[] = [];
  if (!p.accept(':')) return found;
  while (!p.at(':') && !p.at(')') && !p.atEnd) {
    const bracket = p.accept('[');
    if (bracket) {
      p.expectIdentifier('the name of an operand');
      p.expectClosing(']', bracket);
    }
    const constraint = parseStrings(p);
    const opening = p.expect('(', 'after the constraint of an operand');
    found.push({ constraint, value: parseExpression(p) });
    p.expectClosing(')', opening);
    if (!p.accept(',')) break;
  }
  return found;
}

function evaluation({ value }: Operand): SyntaxStatement {
  return { kind: 'expression', expression: value, span: value.span };
}

/** Its address is computed, and nothing is read. */
function address({ value }: Operand): SyntaxStatement {
  return {
    kind: 'expression',
    expression: { kind: 'prefix', operator: '&', operand: value, span: value.span },
    span: value.span,
  };
}

/** Any number of the kind of this expression's type; one that is cast to the type is any value of it. */
function anyValue(of: SyntaxExpression): SyntaxExpression {
  const { span } = of;
  const any = (name: string): SyntaxExpression => ({
    kind: 'call',
    callee: { kind: 'identifier', name: `__provest_nondet_${name}`, span },
    arguments: [],
    span,
  });
  return {
    kind: 'generic',
    control: of,
    associations: [
      ...(['float', 'double'] as const).map((word) => ({
        type: typeName({ kind: 'basic', words: [word], span }, span),
        value: any(word),
        span,
      })),
      { type: undefined, value: any('ulonglong'), span },
    ],
    span,
  };
}

const typeName = (type: TypeSpecifier, span: Span): TypeName => ({
  specifiers: {
    storage: undefined,
    threadLocal: undefined,
    inline: false,
    noreturn: false,
    type,
    qualifiers: noQualifiers,
    attributes: [],
    alignments: [],
    span,
  },
  declarator: { kind: 'name', name: undefined, span },
  span,
});

/** `out = (typeof(out))in`. */
function assignment(left: SyntaxExpression, value: SyntaxExpression): SyntaxStatement {
  const span = spanning(left.span, value.span);
  const type = typeName({ kind: 'typeof-expression', operand: left, span: left.span }, left.span);
  return {
    kind: 'expression',
    expression: { kind: 'assignment', operator: '=', left, right: { kind: 'cast', type, operand: value, span }, span },
    span,
  };
}
