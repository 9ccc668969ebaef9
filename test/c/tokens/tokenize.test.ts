import * as fc from 'fast-check';
import type { Diagnostic } from '../../../src/c/diagnostics/diagnostic';
import { SourceFile } from '../../../src/c/source';
import { tokenize } from '../../../src/c/tokens/tokenize';

function check(text: string): {
  spellings: string[];
  kinds: string[];
  written: string[];
  diagnostics: Diagnostic[];
  tokens: ReturnType<typeof tokenize>;
} {
  const diagnostics: Diagnostic[] = [];
  const tokens = tokenize(new SourceFile('t.c', text), (d) => diagnostics.push(d));
  expect(tokens.at(-1)).toMatchObject({ kind: 'end', text: '' });
  const rest = tokens.slice(0, -1);
  return {
    tokens: rest,
    spellings: rest.map((t) => t.text),
    kinds: rest.map((t) => t.kind),
    written: rest.map((t) => text.slice(t.span.start, t.span.end)),
    diagnostics,
  };
}

test('the longest punctuator wins', () => {
  expect(check('a+++++b>>=c...d..e->f--').spellings).toEqual([
    'a',
    '++',
    '++',
    '+',
    'b',
    '>>=',
    'c',
    '...',
    'd',
    '.',
    '.',
    'e',
    '->',
    'f',
    '--',
  ]);
});

test('digraphs are spelled as what they mean, their spans as they are written', () => {
  const { spellings, written } = check('%:define a<:1:> <% %> %:%:');
  expect(spellings).toEqual(['#', 'define', 'a', '[', '1', ']', '{', '}', '##']);
  expect(written).toEqual(['%:', 'define', 'a', '<:', '1', ':>', '<%', '%>', '%:%:']);
});

test('preprocessing numbers', () => {
  const { spellings, kinds } = check('0x1.8p-3 .5e+10f 1..2 0xe+1 1ull 3.x .');
  expect(spellings).toEqual(['0x1.8p-3', '.5e+10f', '1..2', '0xe+1', '1ull', '3.x', '.']);
  expect(kinds).toEqual([...Array<string>(6).fill('number'), 'punctuator']);
});

test('literals with prefixes and escapes', () => {
  const { spellings, kinds } = check(
    String.raw`"a\"b" L"w" u8"x" u'c' U"y" L'\'' '\\' u8 'q' Lx"z" "// no /* comment"`,
  );
  expect(spellings).toEqual([
    String.raw`"a\"b"`,
    'L"w"',
    'u8"x"',
    "u'c'",
    'U"y"',
    String.raw`L'\''`,
    String.raw`'\\'`,
    'u8',
    "'q'",
    'Lx',
    '"z"',
    '"// no /* comment"',
  ]);
  expect(kinds).toEqual([
    'string',
    'string',
    'string',
    'character',
    'string',
    'character',
    'character',
    'identifier',
    'character',
    'identifier',
    'string',
    'string',
  ]);
});

test('identifiers: UTF-8, universal character names, dollar', () => {
  expect(check(String.raw`größe caf\u00e9 _a$1 変数`).kinds).toEqual([
    'identifier',
    'identifier',
    'identifier',
    'identifier',
  ]);
  // One identifier, however it is written.
  expect(check(String.raw`café café π π $x $x`).spellings).toEqual(['café', 'café', 'π', 'π', '$x', '$x']);
});

test('a splice joins text, and spans still point into the file', () => {
  const text = 'in\\\nt ab\\\r\ncd = "x\\\ny"; // gone \\\n still gone\nz';
  const { spellings, written } = check(text);
  expect(spellings).toEqual(['int', 'abcd', '=', '"xy"', ';', 'z']);
  expect(written).toEqual(['in\\\nt', 'ab\\\r\ncd', '=', '"x\\\ny"', ';', 'z']);
});

test('comments are white space, and a line break within one starts no line', () => {
  const { tokens } = check('a/* one\n two */b // three\nc/**/d');
  expect(tokens.map((t) => [t.text, t.spaceBefore, t.startsLine])).toEqual([
    ['a', false, true],
    ['b', true, false],
    ['c', true, true],
    ['d', true, false],
  ]);
});

test('a comment without an end is reported where it opens', () => {
  const { diagnostics, spellings } = check('a /* b\nc');
  expect(spellings).toEqual(['a']);
  expect(diagnostics).toMatchObject([{ severity: 'error', span: { start: 2, end: 4 } }]);
});

test('an unterminated literal is one token to the end of the line', () => {
  const { spellings, kinds } = check('don\'t stop\r\n"now\\"\nx');
  expect(spellings).toEqual(['don', "'t stop", '"now\\"', 'x']);
  expect(kinds).toEqual(['identifier', 'other', 'other', 'identifier']);
});

test('characters that C does not know', () => {
  expect(check('a @ ` \\').kinds).toEqual(['identifier', 'other', 'other', 'other']);
});

const fragment = fc.constantFrom(
  'int',
  'x1',
  'u8',
  'L',
  '"a\\"b"',
  "'\\n'",
  '0x1p-3',
  '..5',
  '->',
  '<<=',
  '%:',
  '<:',
  '/* c */',
  '// c\n',
  ' ',
  '\n',
  '#',
  '@',
  'é',
  '/',
  '\\',
  "'",
  '"',
);

const splice = /\\[ \t]*\n/;

test('splices anywhere change places, not tokens', () => {
  fc.assert(
    fc.property(fc.array(fragment), fc.infiniteStream(fc.nat(6)), (fragments, gaps) => {
      const plain = fragments.join('');
      const spliced = [...plain].map((c) => (gaps.next().value === 0 ? `${c}\\\n` : c)).join('');
      // A backslash before a line's end is a splice of its own, also with blanks between.
      fc.pre(!splice.test(plain));
      const [a, b] = [check(plain), check(spliced)];
      expect(
        b.tokens.map(({ text, kind, spaceBefore, startsLine }) => ({ text, kind, spaceBefore, startsLine })),
      ).toEqual(a.tokens.map(({ text, kind, spaceBefore, startsLine }) => ({ text, kind, spaceBefore, startsLine })));
      expect(b.written.map((w) => w.replaceAll('\\\n', ''))).toEqual(a.written);
    }),
  );
});

test('white space between tokens can be laid out again', () => {
  fc.assert(
    fc.property(fc.array(fragment), (fragments) => {
      const { tokens, spellings, kinds } = check(fragments.join(''));
      const laidOut = tokens.map((t) => (t.startsLine ? '\n' : t.spaceBefore ? ' ' : '') + t.text).join('');
      // A lone backslash that a comment kept from its line's end would become a splice.
      fc.pre(!splice.test(laidOut));
      const again = check(laidOut);
      // Digraphs come back as what they mean, which may join with a neighbour; such texts prove nothing.
      fc.pre(!/%:|<:/.test(fragments.join('')));
      expect([again.spellings, again.kinds]).toEqual([spellings, kinds]);
    }),
  );
});
