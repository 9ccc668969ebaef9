import fc from 'fast-check';
import { DiagnosticLog } from '../../src/c/diagnostics/diagnosticLog';
import { parse } from '../../src/c/parse';
import { SourceFile } from '../../src/c/source';
import type { Declarator, SyntaxExpression, SyntaxStatement, SyntaxUnit } from '../../src/c/syntax';
import { tokenize } from '../../src/c/tokens/tokenize';

function read(text: string): { readonly unit: SyntaxUnit; readonly messages: string[] } {
  const log = new DiagnosticLog();
  const unit = parse(
    tokenize(new SourceFile('input.c', text), (d) => log.add(d)),
    log,
  );
  return { unit, messages: log.diagnostics.map((d) => d.message) };
}

function exprText(e: SyntaxExpression): string {
  switch (e.kind) {
    case 'identifier':
      return e.name;
    case 'number':
    case 'character':
      return e.text;
    case 'string':
      return e.pieces.map((piece) => piece.text).join('');
    case 'prefix':
      return `(${e.operator} ${exprText(e.operand)})`;
    case 'postfix':
      return `(${exprText(e.operand)} ${e.operator})`;
    case 'binary':
    case 'assignment':
      return `(${e.operator} ${exprText(e.left)} ${exprText(e.right)})`;
    case 'conditional':
      return `(? ${exprText(e.condition)} ${e.then ? exprText(e.then) : '-'} ${exprText(e.otherwise)})`;
    case 'comma':
      return `(, ${exprText(e.left)} ${exprText(e.right)})`;
    case 'cast':
      return `(cast ${exprText(e.operand)})`;
    case 'size-of-expression':
      return `(${e.operator} ${exprText(e.operand)})`;
    case 'size-of-type':
      return `(${e.operator} type)`;
    case 'subscript':
      return `([] ${exprText(e.array)} ${exprText(e.index)})`;
    case 'call':
      return `(call ${[e.callee, ...e.arguments].map(exprText).join(' ')})`;
    case 'member':
      return `(${e.arrow ? '->' : '.'} ${exprText(e.object)} ${e.name})`;
    case 'compound-literal':
      return '(literal)';
    default:
      return `(${e.kind})`;
  }
}

const statementOf = (text: string): SyntaxStatement => {
  const { unit, messages } = read(`typedef int T; int a; void f(void) { ${text} }`);
  expect(messages).toEqual([]);
  const f = unit.declarations[2]!;
  if (f.kind !== 'function-definition') throw new Error('a function was expected');
  return f.body.items[0]!;
};

test.each([
  ['a + b * c - d', '(- (+ a (* b c)) d)'],
  ['a = b = c', '(= a (= b c))'],
  ['a ? b : c ? d : e', '(? a b (? c d e))'],
  ['a ? b, c : d', '(? a (, b c) d)'],
  ['a || b && c | d ^ e & f == g < h << i', '(|| a (&& b (| c (^ d (& e (== f (< g (<< h i))))))))'],
  ['a - b - c', '(- (- a b) c)'],
  ['*p++', '(* (p ++))'],
  ['-a[1]', '(- ([] a 1))'],
  ['!a.b->c(d)', '(! (call (-> (. a b) c) d))'],
  ['++*p', '(++ (* p))'],
  ['&a[1]', '(& ([] a 1))'],
  ['a += b ? c : d', '(+= a (? b c d))'],
  ['(T)a + b', '(+ (cast a) b)'],
  ['(T)-1', '(cast (- 1))'],
  ['(a)-1', '(- a 1)'],
  ['(T)*p', '(cast (* p))'],
  ['(a)*p', '(* a p)'],
  ['(T)(a)', '(cast a)'],
  ['(T){1}.x', '(. (literal) x)'],
  ['(T)&x', '(cast (& x))'],
  ['(T)(T)a', '(cast (cast a))'],
  ['sizeof(T)', '(sizeof type)'],
  ['sizeof(a)', '(sizeof a)'],
  ['sizeof(T) * 2', '(* (sizeof type) 2)'],
  ['sizeof (T){1}', '(sizeof (literal))'],
  ['sizeof -1', '(sizeof (- 1))'],
  ['sizeof a++', '(sizeof (a ++))'],
  ['sizeof(a)[1]', '(sizeof ([] a 1))'],
  ['a, b, c', '(, (, a b) c)'],
  ['f(a, (b, c))', '(call f a (, b c))'],
  ['"a" "b"', '"a""b"'],
  ['a ?: b', '(? a - b)'],
  ['~!-+a', '(~ (! (- (+ a))))'],
  ['a < b == c > d', '(== (< a b) (> c d))'],
])('%s', (text, expected) => {
  const s = statementOf(`${text};`);
  expect(s.kind === 'expression' ? exprText(s.expression) : s.kind).toBe(expected);
});

test('what is a declaration depends on what names mean', () => {
  const kinds = (text: string): string => statementOf(text).kind;
  expect(
    [
      'a * b;',
      'T * b;',
      'T(b);',
      'f(b);',
      'T b;',
      'const int b = 1;',
      'T: ;',
      'sizeof(T);',
      '__extension__ T b;',
      '__extension__ 1;',
      'struct x y;',
    ].map(kinds),
  ).toEqual([
    'expression',
    'declaration',
    'declaration',
    'expression',
    'declaration',
    'declaration',
    'label',
    'expression',
    'declaration',
    'expression',
    'declaration',
  ]);
});

test('declarators are read from the inside out', () => {
  const shape = (d: Declarator): string => {
    switch (d.kind) {
      case 'name':
        return d.name ?? '-';
      case 'pointer':
        return `*${shape(d.inner)}`;
      case 'array':
        return `[${d.length ? exprText(d.length) : ''}]${shape(d.inner)}`;
      case 'function':
        return (
          `(${d.parameters.map((p) => shape(p.declarator)).join(',')}${d.variadic ? '...' : ''}` +
          `${d.unprototyped ? '?' : ''})${shape(d.inner)}`
        );
    }
  };
  const of = (text: string): string => {
    const [declaration] = read(`typedef int T; ${text}`).unit.declarations.slice(1);
    if (declaration?.kind !== 'declaration') throw new Error('a declaration was expected');
    return declaration.declarators.map((d) => shape(d.declarator)).join(' ');
  };
  expect(of('int a, *b, c[2][3], (*d)[4], *e[5];')).toBe('a *b [3][2]c [4]*d *[5]e');
  expect(of('int (*f(int a, T))(T b, ...), g(), h(void), k(T (T), int (T));')).toBe(
    '(b...)*(a,-)f (?)g ()h ((-)-,(-)-)k',
  );
});

test('every else-if and operator chain is read without recursion', () => {
  const elseIfs =
    `int f(int x) { ${Array.from({ length: 20_000 }, (_, i) => `if (x == ${i}) return ${i};`).join(' else ')} ` +
    'return 0; }';
  expect(read(elseIfs).messages).toEqual([]);
  const sum = `int x = ${Array.from({ length: 20_000 }, (_, i) => i).join(' + ')};`;
  expect(read(sum).messages).toEqual([]);
  const choices = `int x = ${Array.from({ length: 20_000 }, (_, i) => `a == ${i} ? ${i}`).join(' : ')} : 0;`;
  expect(read(choices).messages).toEqual([]);
});

test('absurd nesting is an error, not a crash', () => {
  for (const [open, close] of [
    ['(', ')'],
    ['-', ''],
    ['{', '}'],
    ['if (1) ', ''],
    ['(int)', ''],
    ['f(', ')'],
    ['a[', ']'],
    ['({', ';})'],
  ] as const) {
    const { messages } = read(`void f(void) { ${open.repeat(50_000)} 1 ${close.repeat(50_000)}; }`);
    expect([open, messages[0]]).toEqual([open, 'nested more than 400 levels deep']);
  }
  expect(read(`int ${'('.repeat(50_000)}x${')'.repeat(50_000)};`).messages[0]).toBe('nested more than 400 levels deep');
  expect(read(`int ${'*'.repeat(50_000)}x;`).messages[0]).toBe('nested more than 400 levels deep');
  expect(read(`int x = ${'{'.repeat(50_000)}1${'}'.repeat(50_000)};`).messages[0]).toBe(
    'nested more than 400 levels deep',
  );
  expect(read(`${'struct { '.repeat(50_000)}`).messages[0]).toBe('nested more than 400 levels deep');
});

test('any tokens in any order end in a tree or in messages', () => {
  const words = (
    'int typedef T x y f ( ) { } [ ] ; , * & = 1 "s" \'c\' if else while for do switch case default return goto ' +
    'break struct enum union : ? . -> ... sizeof static const void + ++ __attribute__ _Static_assert _Generic ' +
    'typeof __builtin_va_arg asm # 0x'
  ).split(' ');
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...words), { maxLength: 60 }), (tokens) => {
      const { unit, messages } = read(tokens.join(' '));
      expect(unit.complete || messages.length > 0).toBe(true);
    }),
    { numRuns: 3000 },
  );
});
