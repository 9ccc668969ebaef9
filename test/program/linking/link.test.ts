import { CError } from '../../../src/c';
import { functionOf, programOf, resultOf, type Options } from '../programOf';
import { inOrder } from '../../patterns';

/** The first line of every error, or "linked". */
function check(text: string, options: Options, ...expected: string[]): void {
  let messages: string[] = [];
  try {
    programOf(text, options);
  } catch (error) {
    if (!(error instanceof CError)) throw error;
    messages = error.diagnostics.map(
      ({ span, message }) => `${span ? `${span.file.path}:${span.file.position(span.start).line}: ` : ''}${message}`,
    );
  }
  expect(messages).toEqual(expected);
}

test('a name of external linkage means the same everywhere, a static one does not', () => {
  const result = resultOf(
    'int shared = 1; static int own = 10; int other(void); static int twice(int x) { return 2 * x; } ' +
      'int f(void) { shared = 5; own++; return other() + twice(own); }',
    {
      files: {
        'b.c':
          'extern int shared; static int own = 100; static int twice(int x) { return x; } ' +
          'int other(void) { return shared + twice(own); }',
      },
    },
  );
  expect(result).toBe('127');
});

test('statics with the same name are distinguished', () => {
  const program = programOf('static int n; int f(void) { static int k; return k++ + n; }', {
    files: { 'src/b.c': 'static int n; static int f2(void) { return n; } int g(void) { return f2(); }' },
  });
  expect([...program.symbols.keys()]).toEqual(['n', 'f.k', 'b.c:n']);
  expect(program.globals.map(({ variable, visible }) => [variable.name, visible])).toEqual([
    ['n', false],
    ['k', false],
    ['n', false],
  ]);
});

test('an address taken in one file makes an object for all', () => {
  expect(
    resultOf('int x = 3; int *where(void); int f(void) { *where() = 4; return x; }', {
      files: { 'b.c': 'extern int x; int *where(void) { return &x; }' },
    }),
  ).toBe('4');
});

test('tentative definitions are one', () => {
  expect(resultOf('int x; int x = 4; int x; int f(void) { return x; }')).toBe('4');
  const files = { 'b.c': 'int x; int x = 4; int get(void) { return x; }' };
  expect(resultOf('int x; int x; int get(void); int f(void) { return get() + x; }', { files, common: true })).toBe('8');
  check(
    'int x; int x; int get(void); int f(void) { return get() + x; }',
    { files },
    "b.c:1: variable 'x' is defined twice",
  );
  expect(resultOf('extern int a[]; int f(void) { return a[2]; }', { files: { 'b.c': 'int a[3] = {1, 2, 3};' } })).toBe(
    '3',
  );
});

test('two definitions are reported with both places', () => {
  check(
    'int x = 1;\nint g(void) { return 1; }',
    { files: { 'b.c': 'int x = 2; int g(void) { return 2; }' } },
    "b.c:1: function 'g' is defined twice",
    "b.c:1: variable 'x' is defined twice",
  );
});

test('two main functions: the message says that the files are linked as one program', () => {
  const two =
    (name: string): (() => unknown) =>
    () =>
      programOf(`int ${name}(void) { return 1; }`, { files: { 'b.c': `int ${name}(void) { return 2; }` } });
  expect(two('main')).toThrow(/hint: Files that are named together are one program/);
  expect(two('other')).toThrow(/hint: Keep one definition/);
});

test('an inline definition is none for other files, when it is that of another one', () => {
  const inline = 'inline int one(void) { return 1; }';
  expect(
    resultOf(`${inline} int g(void); int f(void) { return one() + g(); }`, {
      files: { 'b.c': `${inline} extern int one(void); int g(void) { return one(); }` },
    }),
  ).toBe('2');
  check(
    `${inline} int h(void) { return one(); }`,
    { files: { 'b.c': 'int one(void) { return 2; }' } },
    "b.c:1: function 'one' is defined twice",
  );
});

test('a static definition in another file is shown where a function or variable is missing', () => {
  expect(() =>
    programOf('int f(void); extern int x; int g(void) { return f() + x; }', {
      files: { 'b.c': 'static int x = 3; static int f(void) { return x; } int h(void) { return f(); }' },
    }),
  ).toThrow(
    inOrder(
      /'f' is called but not defined/,
      /'static', so that other files do not see it/,
      /'x' is used but not defined/,
      /'static', so that other files do not see it/,
    ),
  );
});

test('types must agree across files, structure for structure', () => {
  check(
    'int g(long x); int f(void) { return g(1); }',
    { files: { 'b.c': 'int g(int x) { return x; }' } },
    "b.c:1: 'g' is declared with different types in different files",
  );
  const pair = 'struct pair { int a; struct pair *next; };';
  check(`${pair} int g(struct pair *p) { return p->a; }`, {
    files: { 'b.c': `${pair} int g(struct pair *p); int h(void) { return g(0); }` },
  });
  check(
    `${pair} int g(struct pair *p) { return p->a; }`,
    { files: { 'b.c': 'struct pair { long a; }; int g(struct pair *p); int h(void) { return g(0); }' } },
    "b.c:1: 'g' is declared with different types in different files",
  );
});

test('an undefined function is an error that offers a stub, unless it may be anything', () => {
  const text =
    'int read_sensor(int port, char *buffer);\nint f(void) { return read_sensor(1, 0) + read_sensor(2, 0); }';
  check(text, {}, "input.c:2: function 'read_sensor' is called but not defined");
  expect(() => programOf(text)).toThrow(
    'stubs: { read_sensor: (port /* number */, buffer /* Pointer | null */) => 0 }',
  );
  expect(() =>
    programOf(
      'struct pt { long x; _Bool on; char *s; }; struct pt where(struct pt p, unsigned long, double); ' +
        'long f(void) { struct pt p = { 0 }; return where(p, 1, 2).x; }',
    ),
  ).toThrow(
    'stubs: { where: (p /* { x: bigint; on: boolean; s: Pointer | null } */, a2 /* bigint */, a3 /* number */) ' +
      '=> ({ x: 0n, on: false, s: null }) }',
  );
  // Whoever has given one is told where it went.
  expect(() => programOf(text, { stubs: ['read_senor'] })).toThrow(
    "There is a stub for 'read_senor', which the program does not know: call it 'read_sensor'.",
  );
  expect(() => programOf(`int read_senor(void);\n${text}`, { stubs: ['read_senor'] })).toThrow(
    'or a stub: stubs: { read_sensor:',
  );
  expect(programOf(text, { externals: 'any' }).externals).toMatchObject([{ name: 'read_sensor' }]);
  expect(programOf(text, { stubs: ['read_sensor'] }).externals).toMatchObject([{ name: 'read_sensor' }]);
  const answering = programOf(text, { externals: 'value' });
  expect([answering.externals, answering.answering]).toEqual([[], ['read_sensor']]);
  expect(answering.functionByName.get('f')!.edges.filter(({ command }) => command.kind === 'input')).toHaveLength(2);
  // That it returns would be more than a value.
  expect(
    programOf('_Noreturn void stop(int); void f(void) { stop(1); }', { externals: 'value' }).externals,
  ).toMatchObject([{ name: 'stop' }]);
});

test('a call that cannot be reached needs no function behind it, as with compilers', () => {
  const declared = 'int absent(int); enum { HAS = 0 }; static const int has = 0;';
  check(
    `${declared} int f(int e) { if (e && HAS) e = absent(e); if (sizeof(int) == 1) return absent(1); ` +
      'return HAS ? absent(2) : has && absent(3); }',
    {},
  );
  check(`${declared} int f(int e) { return 0; return absent(e); }`, {});
  expect(programOf(`${declared} int f(void) { return HAS ? absent(1) : 0; }`).externals).toEqual([]);
  expect(resultOf(`${declared} int f(void) { if (HAS) absent(1); return 7; }`)).toBe('7');
  check(
    `${declared}\nint f(int e) { return e ? absent(1) : 0; }`,
    {},
    "input.c:2: function 'absent' is called but not defined",
  );
  // Somebody may call what a pointer leads to.
  check(
    `${declared}\nint (*p)(int) = absent;\nint f(int e) { return HAS ? absent(1) : 0; }`,
    {},
    "input.c:2: function 'absent' is called but not defined",
  );
  check(
    'int pthread_create(void *, void *, void *(*)(void *), void *);\n' +
      'int f(void) { return 1 ? pthread_create(0, 0, 0, 0) : 0; }',
    { externals: 'value' },
    "input.c:2: call of 'pthread_create': threads and processes are not modelled",
  );
});

test('a static function that nothing calls needs no function behind its calls', () => {
  const header = 'int absent(int); static inline int scaled(int x) { return absent(x); }';
  const program = programOf(`${header} static int twice(int x) { return 2 * scaled(x); } int f(int x) { return x; }`);
  expect(program.functions.map(({ name }) => name)).toEqual(['f']);
  expect(program.externals).toEqual([]);
  expect(
    resultOf(`${header} static int one(void) { return 1; } int f(void) { int (*p)(void) = one; return p(); }`),
  ).toBe('1');
  const missing = "input.c:1: function 'absent' is called but not defined";
  check(`${header} int f(int x) { return scaled(x); }`, {}, missing);
  check(`${header} static int twice(int x) { return 2 * scaled(x); } int f(int x) { return twice(x); }`, {}, missing);
  check(`${header} int (*p)(int) = scaled; int f(int x) { return p(x); }`, {}, missing);
  // Whose answers are known is a part of the program.
  expect(programOf(`${header} int f(int x) { return x; }`, { externals: 'any' }).functionByName.has('scaled')).toBe(
    true,
  );
});

test('an undefined variable is an error, or has unknown contents', () => {
  const missing = "input.c:1: variable 'x' is used but not defined";
  const any = { externals: 'any' } as const;
  check('extern int x; int f(void) { return x; }', {}, missing);
  check('extern int x; int f(void) { return x; }', any);
  check('extern const struct { short a[2]; _Bool b : 1; } x; int f(void) { return x.b; }', any);
  check('extern int x[]; extern int x[3]; int f(void) { return x[1]; }', any);
  check('extern int x[]; int f(void) { return x[1]; }', any, `${missing}, and no declaration says how long it is`);
  check(
    'extern struct { int *p; } x; int f(void) { return *x.p; }',
    any,
    `${missing}, and it holds a pointer, which would have to lead to something known`,
  );
  check(
    'extern int x __attribute__((weak)); int f(void) { return x; }',
    any,
    `${missing}, and its declaration is weak, so that its address may be null`,
  );
  check(
    'struct s; extern struct s x; void *f(void) { return &x; }',
    any,
    `${missing}, and no declaration says what is in it`,
  );
});

test('what cannot be modelled is no unknown function', () => {
  check(
    'void strlen(int);\nvoid f(void) { strlen(3); }',
    { externals: 'any' },
    "input.c:1: 'strlen' is declared with a type that is not the C library's: 'void (int)', " +
      "there 'unsigned long (const char *)'",
  );
  // POSIX names are not reserved: what a program declares otherwise is a function of its own.
  check('void read(int);\nvoid f(void) { read(3); }', { externals: 'any' });
  check('void read(int);\nvoid f(void) { read(3); }', {}, "input.c:2: function 'read' is called but not defined");
  check('int warn(int);\nint f(void) { return warn(3); }', { externals: 'any' });
  check('int warn(int);\nint f(void) { return warn(3); }', {}, "input.c:2: function 'warn' is called but not defined");
  check('void warn(const char *, ...);\nvoid f(void) { warn("%d", 3); }', {});
  check(
    '_Bool __CPROVER_same_object(const void *, const void *);\n' +
      'int f(int *p, int *q) { return __CPROVER_same_object(p, q); }',
    { externals: 'any' },
    "input.c:2: call of '__CPROVER_same_object': it means something to CBMC that is not modelled",
  );
  check(
    'int pthread_create(void *, void *, void *(*)(void *), void *);\n' +
      'int f(void) { return pthread_create(0, 0, 0, 0); }',
    { externals: 'any' },
    "input.c:2: call of 'pthread_create': threads and processes are not modelled",
  );
});

test('library functions come with what they call, and only when they are called', () => {
  const program = programOf('#include <string.h>\nint f(void) { return strlen("abc"); }');
  expect(program.functions.map(({ name, library }) => [name, library])).toEqual([
    ['f', false],
    ['strlen', true],
  ]);
  expect(resultOf('unsigned long strlen(const char *s) { return 42; } int f(void) { return strlen("abc"); }')).toBe(
    '42',
  );
  expect(programOf('#include <stdio.h>\nint f(void) { return printf("%d", 1); }').externals).toEqual([]);
});

test('what runs before and after main', () => {
  check(
    'static void first(void) __attribute__((constructor));\nstatic void first(void) { } int f(void) { return 1; }',
    {},
    "input.c:2: 'first' is a constructor, but there is no 'main' that it could run before",
  );
  check(
    '__attribute__((destructor)) void last(int status) { } int main(void) { return 0; }',
    {},
    "input.c:1: the destructor 'last' takes parameters, which is not supported",
  );
});

test('a stub stands before the library', () => {
  expect(programOf('#include <stdlib.h>\nint f(void) { return abs(-3); }', { stubs: ['abs'] }).externals).toMatchObject(
    [{ name: 'abs' }],
  );
});

test('functions and static objects are numbered one after the other', () => {
  const program = programOf('int a[2]; int g(void) { return "x"[0]; } int f(void) { return g(); }');
  expect(program.objects.map(({ number, name }) => [number, name])).toEqual([
    [1, 'a'],
    [2, '"x"'],
  ]);
  expect(program.functions.map(({ number }) => number)).toEqual([3, 4]);
  expect(functionOf(program, 'g').linkage).toBe('external');
});

const errorsOf = (text: string, options: Options = {}): readonly string[] => {
  try {
    programOf(text, options);
    return [];
  } catch (error) {
    if (!(error instanceof CError)) throw error;
    return error.diagnostics.map(({ message }) => message);
  }
};

test.each([
  ['_Alignas(16) int g;', 'extern _Alignas(32) int g;'],
  ['int g;', 'extern _Alignas(32) int g;'],
  ['extern _Alignas(32) int g; int f(void) { return g; }', 'int g;'],
])('two alignments of one object are refused: %s', (text, other) =>
  expect(errorsOf(text, { files: { 'b.c': other } })).toEqual([
    "'g' is declared with different alignments in different files",
  ]),
);

test('other files need not know what alignment a definition asks for', () => {
  expect(errorsOf('_Alignas(16) int g;', { files: { 'b.c': 'extern int g; int f(void) { return g; }' } })).toEqual([]);
  expect(errorsOf('_Alignas(16) int g;', { files: { 'b.c': 'extern _Alignas(16) int g;' } })).toEqual([]);
});

describe('assembler names (GNU)', () => {
  test('a name that nothing else in the program has changes nothing', () => {
    const text = 'int five(void) __asm__("five_v2"); int five(void) { return 5; } int f(void) { return five(); }';
    expect(resultOf(text, {})).toBe('5');
  });

  test.each([
    ['a function', 'int shown(void) __asm__("own"); int own(void) { return 5; } int f(void) { return shown(); }'],
    ['a variable', 'int own = 1; extern int shown __asm__("own"); int f(void) { own = 5; return shown; }'],
    ['in pieces', 'int shown(void) __asm__("" "o" "wn"); int own(void) { return 5; } int f(void) { return shown(); }'],
    ['in a function', 'int own = 1; int f(void) { extern int shown __asm__("own"); own = 5; return shown; }'],
    [
      'of the definition',
      'int a(void) __asm__("x"); int b(void) __asm__("x"); int b(void) { return 5; } int f(void) { return a(); }',
    ],
    [
      'exchanged',
      'int a(void) __asm__("b"); int b(void) __asm__("a"); int b(void) { return 5; } int f(void) { extern int ' +
        'c(void) __asm__("a"); return c(); }',
    ],
    [
      'through a pointer',
      'int own = 1; extern int shown __asm__("own"); int f(void) { int *p = &shown; own = 4; (*p)++; return own; }',
    ],
  ])('two names of one symbol are one symbol: %s', (_, text) => expect(resultOf(text)).toBe('5'));

  test('also in several files, and under the name of a library function', () => {
    const text = 'int abs(int); int shown(int) __asm__("hidden"); int f(void) { return shown(-2) + abs(-1); }';
    expect(resultOf(text, { files: { 'b.c': 'int hidden(int x) { return x; }' } })).toBe('-1');
    const own = 'int own(int) __asm__("abs"); int own(int x) { return x - 1; }';
    expect(resultOf(text, { files: { 'b.c': `int hidden(int x) { return x; } ${own}` } })).toBe('-4');
  });

  test('an assembler name may be that of a library function, and a native one', () => {
    const text =
      'int size(int) __asm__("abs"); double root(double) __asm__("sqrt"); ' +
      'int f(void) { return size(-3) + (int)root(4); }';
    expect(resultOf(text)).toBe('5');
    expect(errorsOf('int abs(int) __asm__("toupper"); int f(void) { return abs(1); }')).toEqual([
      "'abs' is 'toupper' to the linker, but the C library has both: not supported",
    ]);
  });

  test('two declarations of an undefined function with one assembler name are refused', () =>
    expect(
      errorsOf('int a(void) __asm__("same"); int b(void) __asm__("same"); int f(void) { return a() + b(); }', {
        externals: 'any',
      }),
    ).toContain(
      "'a' is 'same' to the linker, and so is 'b', but no file defines it: two names of an undefined function are " +
        'not supported',
    ));

  test('a name of another type is refused', () =>
    expect(
      errorsOf('long shown(void) __asm__("own"); int own(void) { return 5; } int f(void) { return shown(); }'),
    ).toEqual(["'shown' and 'own' are both 'own' to the linker, but have different types"]));

  test('two assembler names of one declaration are refused', () =>
    expect(errorsOf('int g(void) __asm__("a"); int g(void) __asm__("b"); int f(void) { return 1; }')).toEqual([
      "'g' is 'b' to the linker here, but 'a' in another declaration",
    ]));

  test('a static function whose assembler name another declaration has is refused', () =>
    expect(
      errorsOf(
        'static int g(void) __asm__("x"); static int g(void) { return 1; } int x(void); int f(void) { return ' +
          'g() + x(); }',
        {
          externals: 'any',
        },
      ),
    ).toEqual(["'g' is 'static' and 'x' to the linker, as is another function: not supported"]));

  test('a weak function without a definition is refused, whatever undefined functions do', () => {
    const text = 'int hook(void) __attribute__((weak)); int f(void) { return hook ? hook() : 0; }';
    const refused = [
      "the function 'hook' is weak and not defined, so that its address is null: such functions are not supported",
    ];
    expect(errorsOf(text)).toEqual(refused);
    expect(errorsOf(text, { externals: 'any' })).toEqual(refused);
    expect(errorsOf(text, { files: { 'b.c': 'int hook(void) { return 1; }' } })).toEqual([]);
    expect(errorsOf(`${text} int hook(void) { return 1; }`)).toEqual([]);
    expect(errorsOf('int hook(void) __attribute__((weak)); int f(void) { return 0; }')).toEqual([]);
  });

  test.each(['int g(int);', 'int abs(int);', 'void *memcpy(void *, const void *, unsigned long);'])(
    'a static function without a definition is refused: %s',
    (declaration) => {
      const name = /(\w+)\(/.exec(declaration)![1]!;
      const text = `static ${declaration} int f(void) { return ${name} != 0; }`;
      const expected = [`function '${name}' is declared 'static' and not defined in this file`];
      expect(errorsOf(text)).toEqual(expected);
      expect(errorsOf(text, { externals: 'any', files: { 'b.c': declaration } })).toEqual(expected);
    },
  );

  test('a definition in another file under the C name is another function', () => {
    const apart = ["'shown' is 'hidden' to the linker here, but another declaration of it is another function"];
    const declared = 'int shown(void) __asm__("hidden");';
    const call = 'int f(void) { return shown(); }';
    const errors = (text: string, b: string) => errorsOf(text, { externals: 'any', files: { 'b.c': b } });
    expect(errors(`${declared} ${call}`, 'int shown(void) { return 1; }')).toEqual(apart);
    expect(errors(`int shown(void); ${call}`, `${declared} int shown(void) { return 1; }`)).toEqual(apart);
  });
});

describe('aliases and weak definitions (GNU)', () => {
  const alias = (target: string): string => `__attribute__((alias("${target}")))`;

  test.each([
    ['a function', `int own(void) { return 5; } int g(void) ${alias('own')}; int f(void) { return g(); }`],
    [
      'a function, its address',
      `int own(void) { return 5; } int g(void) ${alias('own')}; int f(void) { return 4 + (g == own); }`,
    ],
    ['a variable', `int own = 1; extern int shown ${alias('own')}; int f(void) { own = 5; return shown; }`],
    [
      'an array',
      `int own[3] = { 1, 2, 3 }; extern int shown[3] ${alias('own')}; int f(void) { shown[1] = 4; return own[0] ` +
        `+ own[1]; }`,
    ],
    [
      'a chain',
      `int a(void) { return 5; } int b(void) ${alias('a')}; int c(void) ${alias('b')}; int f(void) { return c(); }`,
    ],
    [
      'an assembler name',
      `int a(void) __asm__("x"); int a(void) { return 5; } int b(void) ${alias('x')}; int f(void) { return b(); }`,
    ],
  ])('an alias is another name of a definition: %s', (_, text) => expect(resultOf(text)).toBe('5'));

  test('other files know the alias, and replace one that is weak', () => {
    const files = { 'b.c': `int own(void) { return 5; } int g(void) __attribute__((weak, alias("own")));` };
    const text = 'int g(void); int f(void) { return g(); }';
    expect(resultOf(text, { files })).toBe('5');
    expect(resultOf(`${text} int g(void) { return 7; }`, { files })).toBe('7');
    expect(
      errorsOf(`${text} int g(void) { return 7; }`, { files: { 'b.c': files['b.c'].replace('weak, ', '') } }),
    ).toEqual(["function 'g' is defined twice"]);
  });

  test('the alias of a weak definition stays with its own file', () => {
    const b = `__attribute__((weak)) int own(void) { return 5; } int g(void) ${alias('own')};`;
    const text = 'int own(void) { return 10; } int g(void); int f(void) { return own() + g(); }';
    expect(resultOf(text, { files: { 'b.c': b } })).toBe('15');
  });

  test.each([
    ['weak first', '__attribute__((weak)) int g(void) { return 1; }', 'int g(void) { return 2; }', '2'],
    ['weak last', 'int g(void) { return 2; }', 'int g(void) __attribute__((weak)); int g(void) { return 1; }', '2'],
    [
      'both weak',
      '__attribute__((weak)) int g(void) { return 1; }',
      '__attribute__((weak)) int g(void) { return 2; }',
      '1',
    ],
  ])('a definition replaces a weak one: %s', (_, a, b, expected) =>
    expect(resultOf('int g(void); int f(void) { return g(); }', { files: { 'b.c': a, 'c.c': b } })).toBe(expected),
  );

  test('so it is with variables', () => {
    const files = { 'b.c': 'int x __attribute__((weak)) = 1; int *where(void) { return &x; }' };
    const text = 'extern int x; int *where(void); int f(void) { return x + *where(); }';
    expect(resultOf(text, { files })).toBe('2');
    expect(resultOf(text, { files: { ...files, 'c.c': 'int x = 4;' } })).toBe('8');
  });

  test.each([
    [
      'without a definition',
      `int g(void) ${alias('own')}; int own(void); int f(void) { return 1; }`,
      "'g' is an alias of 'own', but the file defines no function of that name before",
    ],
    [
      'of another type',
      `int own(void) { return 5; } long g(void) ${alias('own')}; int f(void) { return 1; }`,
      "the alias 'g' has another type than 'own': 'int (void)' there, 'long (void)' here",
    ],
    [
      'that is constant, of a variable',
      `int own = 1; extern const int shown ${alias('own')}; int f(void) { own = 2; return shown; }`,
      "only one of 'own' and its alias 'shown' is 'const', so that compilers may not see changes: not supported",
    ],
    [
      'that is no constant, of constants',
      `const int own[2] = { 1, 2 }; extern int shown[2] ${alias('own')}; int f(void) { return shown[1]; }`,
      "only one of 'own' and its alias 'shown' is 'const', so that compilers may not see changes: not supported",
    ],
    [
      'of something static',
      `static int own(void) { return 5; } int g(void) ${alias('own')}; int f(void) { return own(); }`,
      "an alias of 'own', which is 'static', is not supported",
    ],
    [
      'that is static',
      `int own(void) { return 5; } static int g(void) ${alias('own')}; int f(void) { return g(); }`,
      "the alias 'g' without external linkage is not supported",
    ],
    [
      'with a body',
      `${alias('own')} int g(void) { return 1; } int f(void) { return 1; }`,
      "'g' is an alias and cannot have a body",
    ],
  ])('refused: an alias %s', (_, text, message) => expect(errorsOf(text)).toEqual([message]));
});
