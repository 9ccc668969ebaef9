/**
 * Programs by C's grammar alone: well-formed for the parser, nonsense for all else, so that elaboration and lowering
 * see what nobody would write.
 */
import * as fc from 'fast-check';

const name = fc.constantFrom('a', 'b', 'c', 'f', 'g', 's', 't', 'T', 'main', 'printf');
const number = fc.constantFrom(
  '0',
  '1',
  '7u',
  '0x7fffffff',
  '18446744073709551615u',
  '1.5',
  '2.5f',
  '-1',
  "'x'",
  '"text"',
  'L"w"',
  '08',
  '1e400',
  '0b101',
  '4294967296',
  '9999999999999999999999',
);
const word = fc.constantFrom(
  'int',
  'char',
  'unsigned',
  'long long',
  'float',
  'double',
  'void',
  '_Bool',
  'short',
  'const int',
  'volatile char',
  'struct s',
  'union u',
  'enum e',
  'T',
  'struct { int a; char b[3]; }',
  'enum { A, B = 4 }',
  'struct s { int a : 3; unsigned : 0; long b; struct s *c; int d[]; }',
  '__int128',
  '_Complex double',
  'typeof(a)',
);

type Grammar = {
  readonly expression: string;
  readonly type: string;
  readonly declarator: string;
  readonly initializer: string;
  readonly statement: string;
  readonly declaration: string;
};

const { expression: _expression, declaration } = fc.letrec<Grammar>((tie) => {
  const e = tie('expression');
  const t = tie('type');
  const join = (...parts: readonly (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
    fc
      .tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part)))
      .map((texts) => texts.join(' '));
  const list = (item: fc.Arbitrary<string>, separator: string, most = 3): fc.Arbitrary<string> =>
    fc.array(item, { maxLength: most }).map((items) => items.join(separator));
  return {
    expression: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      name,
      number,
      join(
        '(',
        e,
        fc.constantFrom(
          '+',
          '-',
          '*',
          '/',
          '%',
          '<<',
          '>>',
          '<',
          '==',
          '&&',
          '||',
          '&',
          '^',
          ',',
          '=',
          '+=',
          '<<=',
          '%=',
        ),
        e,
        ')',
      ),
      join(
        fc.constantFrom('-', '!', '~', '*', '&', '++', '--', 'sizeof', '(void)', '(int)', '__extension__', '_Alignof'),
        e,
      ),
      join(e, fc.constantFrom('++', '--', '.a', '->b', '.c')),
      join(e, '(', list(e, ','), ')'),
      join(e, '[', e, ']'),
      join('(', t, ')', e),
      join('(', e, '?', e, ':', e, ')'),
      join('(', e, '?:', e, ')'),
      join('sizeof(', t, ')'),
      join('(', t, '){', tie('initializer'), '}'),
      join('_Generic(', e, ', int:', e, ', default:', e, ')'),
      join('({', tie('statement'), e, '; })'),
      join('__builtin_offsetof(', t, ', a)'),
      join('__builtin_va_arg(', e, ',', t, ')'),
      join('__builtin_constant_p(', e, ')'),
      join('__builtin_types_compatible_p(', t, ',', t, ')'),
    ),
    type: fc.oneof(
      { depthSize: 'small' },
      word,
      join(word, fc.constantFrom('*', '* const', '(*)(int)', '[3]', '[]', '(*)[2]', '(void)', '[a]', '**')),
      join(word, '[', e, ']'),
    ),
    declarator: fc.oneof(
      { depthSize: 'small' },
      name,
      join('*', tie('declarator')),
      join(tie('declarator'), '[', fc.oneof(fc.constant(''), e), ']'),
      join(tie('declarator'), '(', list(join(t, name), ','), ')'),
      join('(', tie('declarator'), ')'),
    ),
    initializer: list(
      fc.oneof(
        { depthSize: 'small' },
        e,
        join('.a =', e),
        join('[', e, '] =', e),
        join('[0 ... 2] =', e),
        join('{', tie('initializer'), '}'),
      ),
      ',',
    ),
    statement: fc.oneof(
      { depthSize: 'small' },
      join(e, ';'),
      fc.constant(';'),
      join('if (', e, ')', tie('statement'), 'else', tie('statement')),
      join('while (', e, ')', tie('statement')),
      join('for (', tie('declaration'), e, ';', e, ')', tie('statement')),
      join('do', tie('statement'), 'while (', e, ');'),
      join('switch (', e, ') { case', e, ':', tie('statement'), 'default:', tie('statement'), '}'),
      join('{', list(fc.oneof(tie('statement'), tie('declaration')), ' ', 4), '}'),
      join('return', e, ';'),
      fc.constantFrom('break;', 'continue;', 'return;', 'goto l;', 'l: ;', 'case 1 ... 3: ;', 'default: ;'),
      tie('declaration'),
    ),
    declaration: fc.oneof(
      { depthSize: 'small' },
      join(
        fc.constantFrom(
          '',
          'static',
          'extern',
          'typedef',
          'register',
          'inline',
          '_Alignas(8)',
          '__attribute__((packed, aligned(4)))',
        ),
        word,
        tie('declarator'),
        ';',
      ),
      join(word, tie('declarator'), '=', e, ';'),
      join(word, tie('declarator'), '= {', tie('initializer'), '};'),
      join('_Static_assert(', e, ', "m");'),
      join(word, ';'),
    ),
  };
});

const body = fc.array(
  fc.oneof(
    declaration,
    _expression.map((text) => `${text};`),
  ),
  { maxLength: 6 },
);

/** A few declarations and functions. */
export const grammatical: fc.Arbitrary<string> = fc
  .tuple(fc.array(declaration, { maxLength: 3 }), body, body)
  .map(
    ([before, f, g]) =>
      `typedef int T; struct s { int a; long b; struct s *c; }; int a; char *b;\n${before.join('\n')}\n` +
      `int f(int a, char *c) { ${f.join('\n  ')} }\nint g(struct s *s, double t) { ${g.join('\n  ')} }\n`,
  );
