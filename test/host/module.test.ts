/** A C module called with plain values: conversions both ways, checks before C sees anything, faults, and the log. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CExit, CFault } from '../../src/host/fault';
import { ModuleInstance } from '../../src/host/module';
import type { ModuleOptions } from '../../src/host/moduleOptions';
import { callsBack } from '../../src/host/operation';
import { isPointer, type Pointer } from '../../src/host/pointer';
import { replay } from '../../src/host/replay';
import { loadProgram, type ProgramOptions } from '../../src/program';
import { inOrder } from '../patterns';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-host-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(text: string, options: Partial<ModuleOptions> & Omit<ProgramOptions, 'stubs'> = {}): ModuleInstance {
  const file = join(folder, 'm.c');
  writeFileSync(file, text);
  const program = loadProgram([file], { ...options, stubs: Object.keys(options.stubs ?? {}) });
  return new ModuleInstance(program, { name: 'm.c', ...options });
}
/** The result of one call. */
function check(text: string, fn: string, ...args: unknown[]): unknown {
  return load(text).fn(fn)(...args);
}

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

describe('memory', () => {
  const list = `
    #include <stdlib.h>
    typedef struct node { int value; struct node *next; char *name; } node;
    node *head; int count; int table[2][3]; const int limit = 9; struct { int x; } here; static long hidden = 7;
    node *add(int value, char *name) { node *n = malloc(sizeof *n); n->value = value; n->next = head; n->name = name;
      head = n; count++; return n; }
    void drop(void) { node *n = head; head = n->next; free(n); }
    int sum(const int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }`;

  test('globals are read and written as plain values, nested ones too', () => {
    const module = load(list);
    module.global.count = 3;
    expect(module.global.count).toBe(3);
    module.global.table = [[1, 2], [3]];
    (module.global.table as number[][])[1]![2] = 5;
    expect(module.global.table).toEqual([
      [1, 2, 0],
      [3, 0, 5],
    ]);
    (module.global.here as { x: number }).x = 4;
    expect(module.global.here).toEqual({ x: 4 });
    expect(module.global.hidden).toBe(7n);
    expect({ ...module.global }).toMatchObject({ count: 3, limit: 9, head: null });
    expect(() => {
      module.global.limit = 1;
    }).toThrow('constant');
    expect(() => {
      module.global.coun = 1;
    }).toThrow("did you mean 'count'?");
    expect(() => {
      (module.global.table as number[][])[1]![3] = 5;
    }).toThrow('outside the array: it has 3 elements');
    expect(() => {
      module.global.count = 2 ** 40;
    }).toThrow("global.count: 1099511627776 does not fit in 'int'");
  });

  test('pointers are followed when read, cycles stay cycles', () => {
    const module = load(list);
    module.fn('add')(1, 'one');
    const p = module.fn('add')(2, 'two') as Pointer;
    expect(isPointer(p)).toBe(true);
    expect(p.type).toBe('struct node');
    expect(module.read(p)).toEqual({ value: 2, name: 'two', next: { value: 1, name: 'one', next: null } });
    expect(p.field('name').read()).toBe('two');
    expect(module.global.head).toEqual(p);
    p.field('next').write(p);
    const cyclic = module.read(p) as { next: unknown };
    expect(cyclic.next).toBe(cyclic);
    p.field('next').write(null);
    module.fn('drop')();
    expect(() => module.read(p)).toThrow('lifetime has ended');
  });

  test('a structure that was read goes back with the pointers it had, as far as its members are what was read', () => {
    const module = load(`
      struct span { const char *from, *to; int n; const int *number; }; static const int seven = 7;
      struct span whole(const char *s, int n) { struct span r = { s, s + n, n, &seven }; return r; }
      struct span rest(struct span s) { s.from++; s.n--; return s; }
      long length(struct span s) { return s.to - s.from; }
      int same(struct span s, const struct span *t, const char *text)
          { return (s.from == text) + 2 * (s.from == t->from) + 4 * (s.number == &seven); }`);
    const text = module.alloc('char[8]', 'spanned');
    const span = module.fn('whole')(text, 7) as Record<string, unknown>;
    expect(span).toEqual({ from: 'spanned', to: '', n: 7, number: 7 });
    expect(module.fn('length')(span)).toBe(7n);
    expect(module.fn('length')(module.fn('rest')(module.fn('rest')(span)))).toBe(5n);
    const kept = module.alloc('struct span', span);
    expect(module.fn('same')(span, kept, text)).toBe(7);
    expect(module.fn('same')(module.read(kept), kept, text)).toBe(7);
    span.from = 'other';
    expect(module.fn('same')(span, kept, text)).toBe(4);
    // What was read before does not lead into the memory of the next run.
    const before = module.read(kept);
    module.reset();
    expect(() => module.fn('length')(before)).toThrow("length(s).number: 7 does not fit in 'const int *'");
  });

  test('objects of the host', () => {
    const module = load(list);
    const a = module.alloc('int[4]', [1, 2, 3]);
    expect(module.read(a)).toEqual([1, 2, 3, 0]);
    a.at(3).write(10);
    expect(module.fn('sum')(a, 4)).toBe(16);
    expect(module.fn('sum')(a.at(2), 2)).toBe(13);
    expect(module.read(module.alloc('int'))).toBeUndefined();
    expect(module.read(module.alloc('char[]', 'hi'))).toEqual([104, 105, 0]);
    expect(module.alloc('node', { value: 3 }).read()).toEqual({ value: 3, next: null, name: null });
    expect(() => module.fn('sum')(module.alloc('node', {}), 1)).toThrow("convert it as C would: p.as('const int')");
    expect(() => module.alloc('nodes')).toThrow(
      "'nodes' is not a C type: it is neither a basic type nor a typedef or tag of the module; did you mean 'node'?",
    );
    expect(() => module.fn('sum')(a, 5)).toThrow(CFault);
  });

  test('bytes and numbers of typed arrays', () => {
    const module = load(
      'int sum(const int *v, int n) { int s = 0; for (int i = 0; i < n; i++) s += v[i]; return s; } ' +
        'int first(const void *p) { return *(const unsigned char *)p; } int low(const char *p) { return *p; }',
    );
    expect(module.fn('sum')(Int32Array.of(1, 2, -5), 3)).toBe(-2);
    expect(module.fn('sum')(Buffer.from([1, 2]), 2)).toBe(3);
    expect(module.fn('first')(Buffer.from([200, 1]))).toBe(200);
    expect(module.fn('first')(Uint16Array.of(0x1234))).toBe(0x34);
    expect(module.fn('low')(Uint8Array.of(200))).toBe(-56);
    expect(module.read(module.alloc('unsigned char[]', Buffer.from('hi')))).toEqual([104, 105]);
    expect(module.read(module.alloc('double[3]', Float64Array.of(0.5, 1)))).toEqual([0.5, 1, 0]);
    expect(() => module.alloc('unsigned char[1]', Buffer.from('hi'))).toThrow(
      "2 values do not fit in 'unsigned char[1]'; give at most 1",
    );
    expect(() => module.fn('sum')(Float64Array.of(0.5), 1)).toThrow('0.5 is not a whole number');
    // Behind none there is none, not one that happens to be zero.
    expect([module.fn('sum')([], 0), module.fn('sum')(new Int32Array(0), 0)]).toEqual([0, 0]);
    expect(() => module.fn('sum')([], 1)).toThrow("out of bounds: v[i]: offset 0 in 'int[0]' (0 bytes)");
    expect(() =>
      load('int first(const void *p) { return *(const unsigned char *)p; }').fn('first')(Buffer.alloc(0)),
    ).toThrow("offset 0 in 'unsigned char[0]' (0 bytes)");
    expect(() => module.fn('first')([1, 2])).toThrow(
      "which wants null, a string, a Buffer or another typed array, or a pointer, such as alloc('int[3]', [1, 2, 3])",
    );
  });

  test('a pointer that is stored somewhere, as it is', () => {
    const module = load(
      'typedef struct box { int v; struct box *next; } box; static box only = { 7, 0 }; ' +
        'int open(box **out) { *out = &only; return 0; } int value(box *b) { return b->v++; }',
    );
    const out = module.alloc('box *', null);
    expect(out.deref()).toBeNull();
    module.fn('open')(out);
    expect([module.fn('value')(out.deref()), module.fn('value')(out.deref())]).toEqual([7, 8]);
    expect(out.deref()!.field('next').deref()).toBeNull();
    expect(() => out.deref()!.deref()).toThrow('leads to no pointer; what is there is read with read()');
    expect(() => module.alloc('box *').deref()).toThrow('leads to a pointer that was never written');
    expect(() => module.alloc('int', 1).as('int *').read()).toThrow(
      "points outside its object of 4 bytes; C's (int *)p is p.as('int')",
    );
  });

  test('pointers do not outlive a reset, nor do they change modules', () => {
    const module = load(list);
    const a = module.alloc('int[2]', [1, 2]);
    module.fn('sum')(a, 2);
    module.reset();
    expect(() => module.fn('sum')(a, 2)).toThrow('made before the module was reset');
    expect(() => load(list).fn('sum')(module.alloc('int[2]'), 2)).toThrow('belongs to another module');
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

describe('the environment', () => {
  const sensor =
    'int read_sensor(int port); void log_it(int); extern int ready(void); ' +
    'int f(int p) { log_it(p); return ready() ? read_sensor(p) : -1; }';

  test('stubs answer, and are checked', () => {
    const logged: unknown[] = [];
    const stubs = {
      read_sensor: (port: unknown) => Number(port) + 40,
      log_it: (n: unknown) => {
        logged.push(n);
      },
      ready: 'any' as const,
    };
    const module = load(sensor, { stubs });
    expect(module.fn('f')(2)).toBe(-1);
    module.answer('ready', 1);
    expect(module.fn('f')(2)).toBe(42);
    expect(logged).toEqual([2, 2]);
    expect(() => load(sensor, { stubs: { ...stubs, raedy: 'any' } })).toThrow(
      "the module never calls an undefined function 'raedy'; did you mean 'ready'?",
    );
    const wrong = load(sensor, { stubs: { ...stubs, ready: () => 1.5 } });
    expect(() => wrong.fn('f')(2)).toThrow('the answer of ready: 1.5 is not a whole number');
  });

  test('a stub that throws ends the call with its error; one that touches the module is refused', () => {
    const module = load('int ask(void); int n; int f(void) { n++; return ask(); }', {
      stubs: {
        ask: () => {
          throw new RangeError('mine');
        },
      },
    });
    expect(() => module.fn('f')()).toThrow(new RangeError('mine'));
    const ask = 'int ask(void); static int n; int *where(void) { return &n; } int f(void) { n++; return ask(); }';
    const meddling: ModuleInstance = load('int ask(void); static int n; int f(void) { n++; return ask(); }', {
      stubs: {
        ask: () => {
          meddling.global.n = 5;
          return 1;
        },
      },
    });
    expect(() => meddling.fn('f')()).toThrow('global.n is static: a stub cannot reach it');
    const remembering: ModuleInstance = load(ask, {
      stubs: {
        ask: () => {
          pointer.write(7);
          return 1;
        },
      },
    });
    const pointer = remembering.fn('where')() as Pointer;
    expect(() => remembering.fn('f')()).toThrow('the stub ask was not handed this object');
    const resetting: ModuleInstance = load(ask, {
      stubs: {
        ask: () => {
          resetting.reset();
          return 1;
        },
      },
    });
    expect(() => resetting.fn('f')()).toThrow('reset: ask is a stub: it cannot do that while C is running');
  });

  const device = `
    typedef struct { int id; char name[8]; double level; } reading;
    reading sample(int id); void fill(char *buffer, int size); const char *label(reading r);
    int visit(int (*step)(int), int n); int total; int depth;
    int add(int n) { total += n; return total; }
    double use(int id) { char text[16]; reading r = sample(id); fill(text, 16);
      return r.level + text[1] + label(r)[0]; }
    int walk(int n) { depth++; int seen = visit(add, n); depth--; return seen * 1000 + total; }`;
  const deviceStubs = (get: () => ModuleInstance) => ({
    sample: (id: unknown) => ({ id, name: 'dev', level: 0.5 }),
    fill: (buffer: unknown, size: unknown) => {
      (buffer as Pointer).as('char[16]').write('abc'.padEnd(Number(size) - 1, '.'));
    },
    label: (r: unknown) => `${String.fromCharCode(...(r as { name: number[] }).name.slice(0, 3))}!`,
    visit: (_step: unknown, n: unknown) => {
      let seen = 0;
      for (let i = 0; i < Number(n); i++) seen = Number(get().fn('add')(i));
      get().global.total = Number(get().global.total) + 100;
      return seen;
    },
  });

  test('stubs take and give structures and strings, write where they were handed, and call back', () => {
    const module: ModuleInstance = load(device, { stubs: deviceStubs(() => module) });
    expect(module.fn('use')(3)).toBe(0.5 + 98 + 100);
    expect(module.fn('walk')(4)).toBe(6106);
    expect(module.fn('walk')(2)).toBe((6 + 100 + 1) * 1000 + 207);
    const log = JSON.parse(JSON.stringify(module.runs)) as typeof module.runs;
    expect(log.flat().map(callsBack)).toEqual([false, true, true]);
    const never = (): never => {
      throw new Error('the answers come from the log');
    };
    const second = load(device, { stubs: { sample: never, fill: never, label: never, visit: never } });
    const outcomes = [...replay(second, log[0]!)].map(({ outcome }) => outcome);
    expect(outcomes).toEqual([
      { kind: 'returned', value: 198.5 },
      { kind: 'returned', value: 6106 },
      { kind: 'returned', value: 107207 },
    ]);
    expect(second.global.total).toBe(207);
    expect(second.runs.at(-1)).toEqual(module.runs.at(-1));
  });

  test('a stub calls the callback it was given, static as it may be, and the log can be done again', () => {
    const text = `typedef int (*visit)(int key, void *context); int each(visit f, void *context);
  void on(void (*handler)(int)); static int sum;
      static int add(int key, void *context) { return *(int *)context += key; } static void count(int n) { sum += n; }
      int total(void) { int n = 1; each(add, &n); return n; } int events(void) { on(count); return sum; }`;
    let kept: Pointer | undefined;
    const stubs = {
      each: (f: unknown, context: unknown) => (f as Pointer).call((f as Pointer).call(5, context), context),
      on: (handler: unknown) => {
        kept = handler as Pointer;
        kept.call(7);
      },
    };
    const module = load(text, { stubs });
    expect(module.fn('total')()).toBe(12);
    expect(module.fn('events')()).toBe(7);
    // Later, when no C runs, the outside is the client, who has no static functions.
    expect(() => kept!.call(1)).toThrow("'count' is static, so a client cannot call it");
    const again = load(text, { stubs: { each: 'any', on: 'any' } });
    expect([...replay(again, module.runs[0]!)].map(({ outcome }) => outcome.kind)).toEqual(['returned', 'returned']);
    expect(again.runs).toEqual(module.runs);
    expect(again.fn('events')()).toBe(7);
  });

  test('variable arguments come as they were given', () => {
    const given: unknown[][] = [];
    const text =
      'struct point { int x, y; }; int report(const char *format, ...); ' +
      'int f(char c, float x, long long n) { struct point p = { 1, 2 }; ' +
      'return report("%d", c, x, n, p, "text"); } int g(void) { return report("none"); }';
    const module = load(text, {
      stubs: {
        report: (format: unknown, ...rest: unknown[]) => {
          given.push([
            (format as Pointer).string(),
            ...rest.map((value) => (isPointer(value) ? value.string() : value)),
          ]);
          return rest.length;
        },
      },
    });
    expect(module.fn('f')('A', 1.5, 2n ** 40n)).toBe(5);
    expect(module.fn('g')()).toBe(0);
    expect(given).toEqual([['%d', 65, 1.5, 2n ** 40n, { x: 1, y: 2 }, 'text'], ['none']]);
  });

  test("an error in a stub shows the C functions that led to it, in the reader's stack", () => {
    const module = load(
      'int ask(void);\nstatic int inner(void) {\n  return ask();\n}\nint outer(void) {\n  return 1 + inner();\n}',
      {
        stubs: {
          ask: () => {
            throw new Error('mine');
          },
        },
      },
    );
    const stackOf = (body: () => unknown): string[] => {
      try {
        body();
      } catch (error) {
        return (error as Error).stack!.split('\n').filter((line) => /^\s+at /.test(line));
      }
      throw new Error('no error');
    };
    const [stub, first, second, caller] = stackOf(() => module.fn('outer')());
    expect(stub).toContain('module.test.ts');
    expect(first).toMatch(/at inner \(.*m\.c:3:10\)$/);
    expect(second).toMatch(/at outer \(.*m\.c:6:14\)$/);
    expect(caller).toContain('module.test.ts');
    const wrong = load('int ask(void); int f(void) { return ask(); }', { stubs: { ask: () => Promise.resolve(1) } });
    expect(() => wrong.fn('f')()).toThrow('the answer of ask is a Promise, and C cannot wait');
    expect(stackOf(() => wrong.fn('f')())[0]).toMatch(/at f \(.*m\.c:1:37\)$/);
    const nothing = load('struct p { int x; }; struct p where(void); int f(void) { return where().x; }', {
      stubs: { where: () => undefined },
    });
    expect(() => nothing.fn('f')()).toThrow("the answer of where: undefined is not an object; 'struct p' wants { x }");
  });

  test('a fault in C that a stub called is the fault of the whole call', () => {
    const module: ModuleInstance = load(
      'int ask(int *p); int deref(int *p) { return *p; } int f(void) { int x = 1; return ask(&x); }',
      { stubs: { ask: () => module.fn('deref')(null) } },
    );
    expect(() => module.fn('f')()).toThrow('null pointer dereference');
    expect(module.fn('deref')([5])).toBe(5);
  });

  test('files, input and variables are what the test gives; output is there to be read', () => {
    const text = `
      #include <stdio.h>
      #include <stdlib.h>
      int copy(void) { FILE *in = fopen("in.txt", "r"), *out = fopen("out.txt", "w"); int c, n = 0; if (!in) return -1;
        while ((c = getc(in)) != EOF) { putc(c, out); n++; } fclose(in); fclose(out); return n; }
      int ask(void) { int x = 0; int got = scanf("%d", &x); printf("got %d\\n", got);
        fprintf(stderr, "%s", getenv("WHO") ? getenv("WHO") : "nobody"); return x; }`;
    const module = load(text, {
      environment: { files: { 'in.txt': 'some text' }, stdin: '41 42', variables: { WHO: 'me' } },
    });
    expect([module.fn('copy')(), module.file('out.txt'), module.file('none')]).toEqual([9, 'some text', undefined]);
    expect([module.fn('ask')(), module.fn('ask')(), module.fn('ask')()]).toEqual([41, 42, 0]);
    expect(module.printed).toEqual({ stdout: 'got 1\ngot 1\ngot -1\n', stderr: 'mememe' });
    module.reset();
    expect([module.file('out.txt'), module.fn('ask')(), module.printed.stdout]).toEqual([undefined, 41, 'got 1\n']);
    expect([load(text).fn('copy')(), load(text).fn('ask')()]).toEqual([-1, 0]);
  });

  test('allocation can be made to fail', () => {
    const module = load(
      '#include <stdlib.h>\nint f(void) { int *p = malloc(4); if (!p) return 0; free(p); return 1; }',
      { mallocMayFail: true },
    );
    expect(module.fn('f')()).toBe(1);
    module.answer('malloc', null);
    expect(module.fn('f')()).toBe(0);
    expect(module.fn('f')()).toBe(1);
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
