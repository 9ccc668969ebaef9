/** A C module called with plain values: conversions both ways, checks before C sees anything, faults, and the log. */
import { CExit, CFault } from '../../src/host/fault';
import { ModuleInstance } from '../../src/host/module';
import type { Pointer } from '../../src/host/pointer';
import { replay } from '../../src/host/replay';
import { inOrder } from '../patterns';
import { check, load } from './moduleOf';

describe('values to C and back', () => {
  test.each<[string, unknown, unknown]>([
    ['unsigned char f(unsigned char x) { return x; }', 255, 255],
    ['signed char f(signed char x) { return x; }', -128, -128],
    ['char f(char x) { return x; }', 'A', 65],
    ['int f(int x) { return x; }', -2147483648, -2147483648],
    ['unsigned f(unsigned x) { return x; }', 4294967295, 4294967295],
    ['long f(long x) { return x; }', 5, 5n],
    ['unsigned long f(unsigned long x) { return x; }', 2n ** 64n - 1n, 2n ** 64n - 1n],
    ['_Bool f(_Bool x) { return !x; }', true, false],
    ['_Bool f(int x) { return x; }', 7, true],
    ['double f(double x) { return x / 2; }', 0.5, 0.25],
    ['float f(float x) { return x; }', 0.1, Math.fround(0.1)],
    ['double f(double x) { return x; }', -0, -0],
    ['enum color { RED, GREEN = 5 }; enum color f(enum color x) { return x; }', 'GREEN', 5],
    ['struct p { int x, y; }; int f(struct p p) { return p.x - p.y; }', { x: 5, y: 2 }, 3],
    [
      'struct p { int x; char name[4]; }; struct p f(int x) { struct p p = { x, "ab" }; return p; }',
      3,
      { x: 3, name: [97, 98, 0, 0] },
    ],
    ['int f(const char *s) { int n = 0; while (*s++) n++; return n; }', 'håll', 5],
    ['int f(int *a) { return a[0] + a[1] + a[2]; }', [1, 2, 3], 6],
    [
      'struct n { int v; struct n *next; }; int f(struct n *n) { int s = 0; for (; n; n = n->next) s += n->v; ' +
        'return s; }',
      { v: 1, next: { v: 2, next: { v: 3 } } },
      6,
    ],
    ['int f(void *p) { return p == 0; }', null, 1],
    [
      'struct b { unsigned a : 3; int b : 5; _Bool c : 1; }; struct b f(struct b x) { x.a++; return x; }',
      { a: 6, b: -16, c: true },
      { a: 7, b: -16, c: true },
    ],
    ['union u { int i; unsigned char c[4]; }; int f(union u u) { return u.c[0]; }', { i: 0x01020304 }, 4],
  ])('%s', (text, given, result) => {
    expect(check(text, 'f', given)).toEqual(result);
  });

  test('void gives undefined, no arguments are no arguments', () => {
    expect(check('void f(void) {}', 'f')).toBeUndefined();
  });

  test('ILP32: long and pointers have four bytes', () => {
    const module = load('struct s { long l; int *p; }; long f(struct s *s) { return s->l + *s->p; }', {
      dataModel: 'ilp32',
    });
    expect(module.fn('f')({ l: 40, p: [2] })).toBe(42);
    expect(module.global).toEqual({});
  });

  test('pointers to functions are C functions of the module, or functions of the test', () => {
    const module = load(
      'int twice(int x) { return 2 * x; } int thrice(int x) { return 3 * x; } ' +
        'int (*const table[])(int) = { twice }; int apply(int (*f)(int), int x) { return f(x); } ' +
        'int same(int (*f)(int), int (*g)(int)) { return f == g; }',
    );
    const apply = module.fn('apply');
    expect(apply(module.fn('twice'), 21)).toBe(42);
    expect(apply(module.fn('thrice'), 14)).toBe(42);
    expect(apply((x: number) => x - 1, 43)).toBe(42);
    expect(() => apply(() => 'six', 1)).toThrow('"six" is not a number');
    expect(() =>
      apply(() => {
        throw new RangeError('of the test');
      }, 1),
    ).toThrow('of the test');
    expect(() => apply(7, 1)).toThrow('a function of the test or a C function of the module');
    const [f, g] = [() => 0, () => 0];
    const same = module.fn('same');
    expect([same(f, f), same(f, g), same(f, module.fn('twice')), same(f, null)]).toEqual([1, 0, 0, 0]);
  });

  test('functions of the test are kept by C, also in structures, and may call the module while C waits', () => {
    const module = load(`struct driver { int (*read)(int reg); void (*done)(struct driver *d, int *result); };
      static struct driver *kept; static int busy;
      void use(struct driver *d) { kept = d; } int is_busy(void) { return busy; }
      int get(int reg) { int v; busy = 1; v = kept->read(reg); if (kept->done) kept->done(kept, &v); busy = 0;
        return v; }`);
    const found: unknown[] = [];
    module.fn('use')(
      module.alloc('struct driver', {
        read: (reg: number) => reg * 2,
        done: (d: Pointer, result: Pointer) => {
          found.push(module.fn('is_busy')(), d.field('read').read() === null);
          result.write((result.read() as number) + 1);
        },
      }),
    );
    expect(module.fn('get')(4)).toBe(9);
    expect(found).toEqual([1, false]);
    module.answer('int (*)(int)', 50);
    expect(module.fn('get')(4)).toBe(51);
    expect(module.fn('get')(4)).toBe(9);
    const again = new ModuleInstance(module.program, { name: 'm.c' });
    expect([...replay(again, module.runs.at(-1)!)].at(-1)!.outcome).toMatchObject({ kind: 'returned', value: 9 });
  });

  test('predicates of the test answer with booleans', () => {
    const module = load(
      'int find(const int *a, int n, int (*match)(int)) { for (int i = 0; i < n; i++) if (match(a[i])) ' +
        'return i; return -1; }',
    );
    expect(module.fn('find')([3, 5, 8], 3, (x: number) => x > 4)).toBe(1);
  });

  test('a call that a function of the test broke off is no part of the log', () => {
    const module = load(
      'static int n; int count(void) { return n; } ' +
        'int each(int (*f)(int)) { int s = 0; for (int i = 0; i < 3; i++) { n++; s += f(i); } return s; }',
    );
    module.fn('each')(() => 1);
    expect(() =>
      module.fn('each')((i: number) => {
        if (i === 1) throw new RangeError('enough');
        return i;
      }),
    ).toThrow('enough');
    expect(module.fn('count')()).toBe(0);
    expect(module.runs.map((run) => run.map((operation) => operation.kind === 'call' && operation.function))).toEqual([
      ['each'],
      ['count'],
    ]);
    const again = new ModuleInstance(module.program, { name: 'm.c' });
    for (const run of module.runs)
      expect([...replay(again, run)].every(({ outcome }) => outcome.kind === 'returned')).toBe(true);
  });

  test('where no function stands for them, functions of the test are refused', () => {
    const module = load(
      'struct s { int a, b; }; int apply(int (*f)(struct s)) { struct s s = { 1, 2 }; return f ? f(s) : 0; } ' +
        'int sum(struct s s) { return s.a + s.b; }',
    );
    expect(() => module.fn('apply')((s: { a: number }) => s.a)).toThrow('a C function of the module');
    expect(() => module.fn('apply')(module.fn('sum'))).toThrow('C never takes the address of sum');
  });
});

describe('what does not fit is refused before C runs', () => {
  test.each<[string, unknown[], string]>([
    [
      'void push(unsigned char k) {}',
      [300],
      "push(k): 300 does not fit in 'unsigned char', which wants a whole number from 0 to 255",
    ],
    ['void push(unsigned k) {}', [-1], 'so C would see 4294967295'],
    ['void push(int k) {}', [1.5], "push(k): 1.5 is not a whole number; 'int' wants"],
    ['void push(int k) {}', [NaN], 'NaN is not a whole number'],
    ['void push(int k) {}', ['7'], 'push(k): "7" is not a number'],
    ['void push(int k) {}', [undefined], 'undefined is not a number'],
    ['void push(int k) {}', [true], 'write 1'],
    ['void push(_Bool k) {}', [2], 'which wants true or false'],
    ['void push(long k) {}', [2 ** 60], 'write a bigint (1152921504606846976n)'],
    ['void push(long k) {}', [2n ** 63n], 'does not fit in'],
    ['void push(int k) {}', [], 'push(int k) takes 1 argument, not 0'],
    ['void push(int k, char c) {}', [1, 2, 3], 'push(int k, char c) takes 2 arguments, not 3'],
    ['void push(void) {}', [1], 'push(void) takes no arguments'],
    ['void push(double k) {}', ['x'], "'double' wants a number"],
    [
      'struct p { int x, y; }; void push(struct p *k) {}',
      [{ x: 1, z: 2 }],
      "'struct p' has no member 'z'; it has x, y",
    ],
    ['struct p { int size; }; void push(struct p k) {}', [{ sise: 1 }], "did you mean 'size'?"],
    [
      'typedef struct { char c[2]; } pair; void push(pair k) {}',
      [{ c: 'abc' }],
      "push(k).c: 3 values do not fit in 'char[2]'",
    ],
    ['enum e { ONE }; void push(enum e k) {}', ['TWO'], "has no constant 'TWO'"],
    ['void push(int *k) {}', [5], "push(k): 5 does not fit in 'int *', which wants null, an array"],
    ['union u { int i; char c; }; void push(union u k) {}', [{ i: 1, c: 2 }], 'one member at a time'],
  ])('%s %p', (text, args, message) => {
    const module = load(text.replace('push(void) {}', 'push(void) {}'));
    expect(() => module.fn('push')(...args)).toThrow(TypeError);
    expect(() => module.fn('push')(...args)).toThrow(message.replace('push(void) takes', 'push() takes'));
  });

  test('unknown, static and library functions', () => {
    const module = load(
      '#include <string.h>\nstatic int hidden(void) { return 1; } int size; ' +
        'int visible(const char *s) { return hidden() + (int) strlen(s); }',
    );
    expect(module.functionNames).toEqual(['visible']);
    expect(() => module.fn('visibel')).toThrow(
      "m.c has no function 'visibel'; did you mean 'visible'? (it has visible)",
    );
    expect(() => module.fn('hidden')).toThrow("'hidden' is static");
    expect(() => module.fn('size')).toThrow('use global.size');
  });
});

describe('arguments that no parameter declares', () => {
  const listed = (reads: string, ...given: readonly unknown[]): unknown =>
    check(
      '#include <stdarg.h>\n#include <stdio.h>\nstruct point { int x, y; };\nstatic char out[99];\n' +
        `const char *f(int n, ...) { va_list list; va_start(list, n); ${reads} va_end(list); return out; }`,
      'f',
      given.length,
      ...given,
    );
  const text = (found: unknown): string => (found as Pointer).string();
  test.each<[string, readonly unknown[], string]>([
    ['vsprintf(out, "%d %ld %lld %g %s", list);', [-3, 3_000_000_000, 5n, 0.5, 'text'], '-3 3000000000 5 0.5 text'],
    [
      'vsprintf(out, "%g %u %c", list);',
      [{ double: 3 }, { 'unsigned int': 4_294_967_295 }, { char: 'x' }],
      '3 4294967295 x',
    ],
    ['vsprintf(out, "%g %d", list);', [{ float: 0.25 }, true], '0.25 1'],
    [
      'struct point p = va_arg(list, struct point); int *q = va_arg(list, int *); ' +
        'sprintf(out, "%d %d %d", p.x, p.y, q == 0);',
      [{ 'struct point': { x: 1, y: 2 } }, null],
      '1 2 1',
    ],
    [
      'int *a = va_arg(list, int *); unsigned char *b = va_arg(list, unsigned char *); ' +
        'sprintf(out, "%d %d", a[1], b[2]);',
      [{ 'int *': [7, 8] }, Buffer.from([1, 2, 3])],
      '8 3',
    ],
    ['(void)list; sprintf(out, "%d", n);', [], '0'],
  ])('%s given %p', (reads, given, expected) => {
    expect(text(listed(reads, ...given))).toBe(expected);
  });

  test('reading more than was given, or something larger, is a fault', () => {
    expect(() => listed('sprintf(out, "%d", va_arg(list, int));')).toThrow(CFault);
    expect(() => listed('sprintf(out, "%g", va_arg(list, double));', 3)).toThrow('no variable argument of this type');
    expect(() => listed('sprintf(out, "%ld", va_arg(list, long));', 3)).toThrow('no variable argument of this type');
    expect(() => listed('sprintf(out, "%u", va_arg(list, unsigned));', -3)).toThrow(CFault);
    expect(text(listed('sprintf(out, "%u", va_arg(list, unsigned));', 3))).toBe('3');
    expect(text(listed('int *p = va_arg(list, int *); sprintf(out, "%d", p == 0);', null))).toBe('1');
    expect(() => listed('sprintf(out, "%d", va_arg(list, int) + va_arg(list, int));', 3)).toThrow(CFault);
  });

  test('what has no type is refused, and named parameters are wanted', () => {
    expect(() => listed('', { x: 1, y: 2 })).toThrow(
      'f(argument 2): nothing says the C type of an object; write it in front, as in { double: 3 }',
    );
    expect(() => listed('', { dubble: 1 })).toThrow("'dubble' is not a C type");
    expect(() => listed('', { short: 70_000 })).toThrow("f(argument 2): 70000 does not fit in 'short'");
    expect(() => listed('', { 'unsigned int': -1 })).toThrow("f(argument 2): -1 does not fit in 'unsigned int'");
    expect(() => check('int f(int n, ...) { return n; }', 'f')).toThrow('takes at least 1 argument, not 0');
  });

  test('the log, done again elsewhere, does the same', () => {
    const m = load(
      '#include <stdarg.h>\nstatic int sum; void add(int n, ...) { va_list list; va_start(list, n); ' +
        'while (n--) sum += va_arg(list, int); va_end(list); } int total(void) { return sum; }',
    );
    m.fn('add')(3, 1, 20, 300);
    m.fn('total')();
    const again = new ModuleInstance(m.program, { name: 'm.c' });
    const outcomes = m.runs[0]!.map((operation) => again.redo(operation));
    expect(outcomes.at(-1)).toMatchObject({ kind: 'returned', value: 321 });
  });
});

describe('faults', () => {
  test('carry the C stack, the line and a clean JavaScript stack', () => {
    const module = load(
      'int elems[3];\nstatic int at(int i) {\n  return elems[i];\n}\nint get(int i) {\n  return at(i);\n}',
    );
    let fault: unknown;
    try {
      module.fn('get')(3);
    } catch (error) {
      fault = error;
    }
    expect(fault).toBeInstanceOf(CFault);
    const { kind, message, place, cStack, stack } = fault as CFault;
    expect(kind).toBe('array-bounds');
    expect(place).toMatchObject({ line: 3, function: 'at' });
    expect(cStack.map((p) => [p.function, p.line])).toEqual([
      ['at', 3],
      ['get', 6],
    ]);
    expect(message).toMatch(
      inOrder(
        /index 3 is outside elems\[3\]/,
        /> 3 \| {3}return elems\[i\];/,
        /C call stack:\n.*m\.c:3:10: at\n.*m\.c:6:10: get/,
      ),
    );
    expect(stack!.slice(stack!.indexOf('\n    at ')).trimStart()).toMatch(/^at .*module\.test\.ts/);
  });

  test.each([
    ['int f(int x) { return 10 / x; }', 'division-by-zero'],
    ['int f(int x) { return 2147483647 + !x; }', 'signed-overflow'],
    ['int f(int *p) { return *p; }', 'null-dereference'],
    ['#include <assert.h>\nvoid f(int x) { assert(x == 1); }', 'assertion'],
    ['int f(int x) { int y; return x + y; }', 'uninitialised-read'],
  ])('%s', (text, kind) => {
    expect(() => check(text, 'f', text.includes('*p') ? null : 0)).toThrow(expect.objectContaining({ kind }));
  });

  test('an endless loop and an endless recursion end, with the C line', () => {
    const loop = load('void f(int x) {\n  while (x) {\n    x = 1;\n  }\n}', { stepLimit: 100_000 });
    expect(() => loop.fn('f')(1)).toThrow(/f did not end within the step limit[^]*m\.c:[23]/);
    expect(() => loop.fn('f')(0)).not.toThrow();
    expect(() => check('int f(int x) {\n  return f(x) + 1;\n}', 'f', 1)).toThrow(/stack overflow[^]*m\.c/);
  });

  test('exit and abort', () => {
    expect(() => check('#include <stdlib.h>\nvoid f(int x) { exit(x); }', 'f', 3)).toThrow(CExit);
  });

  test('after a fault the state can be read, the next call starts afresh', () => {
    const module = load('int n; void f(int x) { n = n + 1; n = n / x; }');
    module.fn('f')(1);
    expect(() => module.fn('f')(0)).toThrow(CFault);
    expect(module.global.n).toBe(2);
    module.fn('f')(1);
    expect(module.global.n).toBe(1);
    expect(module.runs.map((run) => run.length)).toEqual([2, 1]);
  });
});

test('the log, done again elsewhere, meets the same states', () => {
  const text = `
    #include <stdlib.h>
    int ask(int); typedef struct { int x; double d; } pair; pair last; int n; char *kept; int grid[4];
    long f(pair p, const char *s, int *out) { last = p; n += ask(n); kept = malloc(3); kept[0] = s[1]; kept[1] = 0;
      *out = n; return 1L << 40; }
    int g(pair *p) { return p->x; }`;
  let asked = 5;
  const first = load(text, { stubs: { ask: () => asked++ } });
  const out = first.alloc('int', 0);
  first.fn('f')({ x: 1, d: NaN }, 'abc', out);
  first.global.n = 100;
  (first.global.grid as number[])[2] = 9;
  out.write(77);
  first.fn('f')({ x: 2, d: -0 }, 'xyz', out);
  first.fn('g')({ x: 3 });
  first.reset();
  first.fn('f')({ x: 4, d: 0.5 }, 'pq', first.alloc('int', 1));

  const log = JSON.parse(JSON.stringify(first.runs)) as typeof first.runs;
  const second = load(text, {
    stubs: {
      ask: () => {
        throw new Error('the answers come from the log');
      },
    },
  });
  const states = log.map((run) =>
    [...replay(second, run)].map(({ fn, outcome }) => [
      fn.name,
      outcome,
      JSON.stringify(second.machine.globals, (_, v: unknown) => (typeof v === 'bigint' ? String(v) : v)),
    ]),
  );
  expect(states.map((run) => run.map(([name]) => name))).toEqual([['f', 'f', 'g'], ['f']]);
  expect(states[0]![0]![1]).toEqual({ kind: 'returned', value: 1n << 40n });
  expect({ ...second.global, kept: second.read(second.global.kept) }).toEqual({ ...first.global, kept: 'q' });
  expect(second.runs.at(-1)).toEqual(first.runs.at(-1));
});
