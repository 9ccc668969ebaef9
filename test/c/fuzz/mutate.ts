/** Damage to real C: bytes and tokens deleted, doubled, exchanged, put elsewhere, or taken from another file. */
import * as fc from 'fast-check';
import { SourceFile } from '../../../src/c/source';
import { tokenize } from '../../../src/c/tokens/tokenize';

const fragments = [
  '(',
  ')',
  '{',
  '}',
  '[',
  ']',
  ';',
  ',',
  '*',
  '&',
  '=',
  '...',
  '->',
  '.',
  '?',
  ':',
  '#',
  '##',
  '\\\n',
  '"',
  "'",
  '/*',
  '//',
  '0',
  '1u',
  '0x',
  '1.5e',
  "'a'",
  'L"w"',
  '\u00e9',
  '\u{10ffff}',
  '\0',
  '\ud800',
  'int',
  'struct',
  'union',
  'enum',
  'typedef',
  'static',
  'extern',
  'void',
  'const',
  'return',
  'if',
  'else',
  'for',
  'while',
  'do',
  'switch',
  'case',
  'default',
  'goto',
  'break',
  'sizeof',
  '_Generic',
  '_Alignas',
  '_Static_assert',
  'typeof',
  '__attribute__',
  '__builtin_offsetof',
  '__builtin_va_arg',
  '({',
  '})',
  '#if',
  '#endif',
  '#else',
  '#define x(y) y##x',
  '#include "x"',
  '#line 4',
  '#pragma pack(1)',
  'x',
  'f(',
  'int x[n]',
  'unsigned long long',
];

/** Where tokens begin and end. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let at = 0;
  for (const { span } of tokenize(new SourceFile('x.c', text), () => undefined)) {
    if (span.start < at) continue;
    found.push(text.slice(at, span.start), text.slice(span.start, span.end));
    at = span.end;
  }
  return found;
}

type Edit = {
  readonly kind: 'delete' | 'double' | 'exchange' | 'insert' | 'byte' | 'cut' | 'splice';
  readonly at: number;
  readonly to: number;
  readonly text: string;
};
const edit = fc.record<Edit>({
  kind: fc.constantFrom('delete', 'double', 'exchange', 'insert', 'byte', 'cut', 'splice'),
  at: fc.nat(1_000_000),
  to: fc.nat(1_000_000),
  text: fc.oneof(fc.constantFrom(...fragments), fc.string({ maxLength: 3 })),
});

function apply(text: string, { kind, at, to, text: inserted }: Edit, other: string): string {
  if (kind === 'byte') {
    const where = at % (text.length + 1);
    return text.slice(0, where) + inserted + text.slice(where + (to % 3));
  }
  if (kind === 'cut') return text.slice(0, at % (text.length + 1));
  const list = pieces(text);
  if (list.length === 0) return inserted;
  const [i, j] = [at % list.length, to % list.length];
  switch (kind) {
    case 'delete':
      list.splice(i, 1 + (to % 4));
      break;
    case 'double':
      list.splice(i, 0, ...list.slice(j, j + 6));
      break;
    case 'exchange':
      [list[i], list[j]] = [list[j]!, list[i]!];
      break;
    case 'insert':
      list.splice(i, 0, ` ${inserted} `);
      break;
    case 'splice': {
      const foreign = pieces(other);
      list.splice(i, 2, ...foreign.slice(to % (foreign.length + 1), (to % (foreign.length + 1)) + 12));
      break;
    }
  }
  return list.join('');
}

/** One of the texts with one to five edits. */
export function mutated(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(texts.length - 1), fc.nat(texts.length - 1), fc.array(edit, { minLength: 1, maxLength: 5 }))
    .map(([one, two, edits]) => edits.reduce((text, e) => apply(text, e, texts[two]!), texts[one]!));
}
