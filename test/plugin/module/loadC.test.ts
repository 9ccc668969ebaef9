/** What a test sees of `loadC`: modules to call, and for every mistake a message that says what to do. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CFault, loadC, type AnyModule, type CFunction, type LoadCOptions, type Pointer } from '../../../plugin';
import { moduleOf } from '../../../plugin/session/cModule';
import { directoryVariable, readRecords } from '../../../plugin/session/records';
import { verify } from '../../../src';
import { defaultProperties } from '../../../src/program/command';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-load-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(text: string, options?: LoadCOptions, name = 'm.c'): AnyModule {
  const file = join(folder, name);
  writeFileSync(file, text);
  return loadC<AnyModule>(file, options);
}

const counter = 'int count; void add(int n) { count += n; } int get(void) { return count; }';

test('a header says what clients call', () => {
  const header = join(folder, 'm.h');
  writeFileSync(header, 'int get(void);\nint elsewhere(void);\n');
  const module = load(counter, { header });
  expect(moduleOf(module)!.task({}).entries).toEqual(['get']);
  expect((module.get as CFunction)()).toBe(0);
  expect(() => module.add).toThrow("'add' is not among the entry functions");
});

describe('mistakes', () => {
  const check = (body: () => unknown, ...messages: string[]): void => {
    let error: unknown;
    try {
      body();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(Error);
    for (const message of messages) expect((error as Error).message).toContain(message);
    const frames = (error as Error).stack!.split('\n').filter((line) => /^\s+at .*:\d+:\d+/.test(line));
    expect(frames.length).toBeGreaterThan(0);
  };

  test('a missing folder', () => {
    const path = join(folder, 'whole.c');
    writeFileSync(path, 'int f(void) { return 1; }');
    check(
      () => loadC(path, { include: [folder, './headers'] }),
      'include: no such directory: ./headers (looked for test/plugin/module/headers); ' +
        'paths are relative to the file that calls loadC',
    );
    check(() => loadC(path, { include: [path] }), `include: ${path} is a file, not a directory`);
    check(
      () => loadC(path, { hostFiles: join(folder, 'data') }),
      `hostFiles: no such directory: ${join(folder, 'data')}`,
    );
    expect((loadC(path, { include: [folder], hostFiles: folder }).f as CFunction)()).toBe(1);
  });

  test('a missing file', () => {
    writeFileSync(join(folder, 'stack.c'), 'int f(void) { return 1; }');
    check(() => loadC(join(folder, 'stak.c')), 'no such file', "did you mean '", 'stack.c');
    check(
      () => loadC('./nothing-here.c'),
      'no such file: ./nothing-here.c (looked for test/plugin/module/nothing-here.c)',
      'relative to the file that calls loadC',
    );
    check(() => loadC(folder), 'is a directory');
    check(() => loadC([]), "loadC('./stack.c')");
  });

  test('C errors, all of them, with their lines', () => {
    check(
      () => load('int f(void) { return y; }\nint g(void) { return f(1); }\n'),
      'm.c:1:',
      "'y'",
      'm.c:2:',
      '> 2 | int g(void)',
    );
    check(() => load('int f(void) { int x = ; return x; }'), 'm.c:1:23', "before ';'");
    check(() => load('int missing(int); int f(void) { return missing(1); }'), 'missing', 'm.c:1:');
  });

  test('options', () => {
    check(() => load(counter, { stub: {} } as LoadCOptions), "there is no option 'stub'; did you mean 'stubs'?");
    check(() => load(counter, { header: './absent.h' }), 'no such file');
    check(() => load(counter, { entry: ['add'], header: './m.h' }), 'entry and header exclude each other');
    check(() => load(counter, { entry: ['ad'] }), "defines no function 'ad'; did you mean 'add'?");
    check(() => load(counter, { init: 'ad' }), "init: m.c defines no function 'ad'; did you mean 'add'?");
    check(() => load(counter, { requires: { ad: 'n > 0' } }), "did you mean 'add'?");
    check(() => load(counter, { possible: { ad: 'n > 0' } }), "possible: m.c defines no function 'ad'");
    check(() => load(counter, { possible: { add: 'm > 0' } }), 'possible of add');
    check(() => load(counter, { possible: 'n > 0' } as unknown as LoadCOptions), 'predicates by function');
    check(() => load(counter, { stubs: { missing: () => 1 } }), "never calls an undefined function 'missing'");
  });

  test('a module without entry functions', () => {
    check(() => load('int x;'), 'm.c has no entry functions: it defines no function');
    check(
      () => load('static int f(void) { return 1; } int *p = (int *) f;'),
      'only static ones',
      "loadC(…, { entry: ['f'] })",
    );
  });

  test('calls', () => {
    const module = load(counter);
    check(() => module.ad!(1), "m.c has no function 'ad'; did you mean 'add'? (it has add, get)");
    check(() => module.add!(1, 2), 'add(int n) takes 1 argument, not 2');
    check(() => module.add!('many'), 'add(n): "many" is not a number');
    check(() => module.add!(2 ** 31), "add(n): 2147483648 does not fit in 'int'");
    check(() => {
      (module as Record<string, unknown>).count = 3;
    }, 'written through global.count');
  });

  test('an endless loop and a stack overflow end with the C line', () => {
    const module = load('void spin(void) {\n  for (;;) {\n  }\n}\nint deep(int n) {\n  return deep(n + 1);\n}', {
      stepLimit: 10_000,
    });
    check(() => module.spin!(), 'spin did not end within the step limit', 'm.c:2:');
    check(() => load('int deep(unsigned n) {\n  return deep(n + 1);\n}').deep!(0), 'stack overflow', 'm.c:');
  });

  test('probes, with the place in the test file', () => {
    const module = load(counter);
    check(
      () =>
        module.probe('p', (s) => {
          s.count = 1;
        }),
      "probe 'p': ",
      'no side effects',
      'loadC.test.ts:',
      '> ',
      's.count = 1',
    );
    check(
      () =>
        module.probe('p', (s) => {
          while (s.count) return true;
          return false;
        }),
      'no loops',
      'while (s.count)',
    );
    check(() => module.probe('p', (s) => String(s.count) === '1'), 'no calls', 'String(s.count)');
    check(
      () => module.probe('p', (s) => s.coun > 1),
      "'coun' is none of the variables of m.c; did you mean 'count'?",
      's.coun',
    );
    check(() => module.probe('p', 'count = 1'), 'compare with ==');
    check(() => module.probe('p', (s) => s.n > 1, { in: 'ad' }), "defines no function 'ad'; did you mean 'add'?");
    expect(() => module.probe('p', (s) => s.n > 1, { in: 'add' })).not.toThrow();
    expect(() => module.probe('positive', (s) => s.count > 0)).not.toThrow();
    expect(() => module.probe('positive', (s) => s.count > 0)).not.toThrow();
    check(() => module.probe('positive', (s) => s.count > 1), 'already there with another meaning');
  });
});

test('a probe that says something else than its formula is found on the first state that shows it', () => {
  const module = load('unsigned x; void set(unsigned v) { x = v; }');
  module.probe('low bit of the top', (s) => (s.x & 0x80000000) > 0);
  expect(() => module.set!(0x80000000)).toThrow(
    /as JavaScript it is false, as a formula over exact integers true; The state has x = 2147483648/,
  );
});

test('a call that is possible is not required of the others', () => {
  const module = load(counter, {
    requires: { add: (s) => s.n >= 0 },
    possible: { add: (s) => s.n === 3 },
  });
  module.add!(4);
  const { requires, possible } = moduleOf(module)!.task({});
  expect(requires).toMatchObject([{ function: 'add', formula: { kind: '>=' } }]);
  expect(possible).toMatchObject([
    {
      function: 'add',
      formula: { kind: '==', right: { value: '3' } },
      said: { host: expect.stringContaining('s.n === 3') as string },
    },
  ]);
});

test('a precondition is the clients’, so a test keeps to it', () => {
  const module = load(counter, { requires: { add: [(s) => s.n >= 0 && s.count < 100, 'n <= 10'] } });
  module.add!(10);
  expect(() => module.add!(11)).toThrow('breaks the precondition given to loadC (requires of add)');
  expect(() => module.add!(-1)).toThrow('The state has n = -1, count = 10');
  expect(moduleOf(module)!.task({}).requires).toMatchObject([
    { function: 'add', formula: { kind: 'and' } },
    { function: 'add', formula: { kind: '<=' } },
  ]);
});

test('each loadC is a module of its own', () => {
  const one = load(counter);
  const same = load(counter);
  const other = load('int f(void) { return SIZE; }', { define: { SIZE: 3 } }, 'sized.c');
  const larger = load('int f(void) { return SIZE; }', { define: { SIZE: 4 } }, 'sized.c');
  one.add!(5);
  expect([one.get!(), same.get!(), other.f!(), larger.f!()]).toEqual([5, 0, 3, 4]);
  expect(moduleOf(one)!.task({}).runs).toHaveLength(1);
  expect(moduleOf(same)!.task({}).runs[0]).toHaveLength(1);
});

test('C functions hide the handle’s own names, which stay there with a dollar', () => {
  const module = load(
    'int level; int reset(int x) { level = x; return level; } int probe(void) { return 5; } ' +
      'int read(void) { return level; }',
  );
  const c = module as unknown as Record<string, CFunction>;
  expect([c.reset!(7), c.probe!(), c.read!()]).toEqual([7, 5, 7]);
  module.$reset();
  expect(module.global.level).toBe(0);
  module.$probe('level', (s) => s.level > 0);
  expect(Object.keys(module)).toEqual(['reset', 'probe', 'read']);
});

test('what compilers agree on may be left unchecked, in tests and in the proof, which says so', async () => {
  const text = 'unsigned join(unsigned char high, unsigned char low) { return (high << 24) + low; }';
  expect(() => load(text).join(128, 1)).toThrow('left shift of a negative value, or out of the signed type');
  const module = load(text, { unchecked: ['shift-overflow'] });
  expect(module.join(128, 1)).toBe(0x80000001);
  expect(() => load(text, { unchecked: ['array-bounds' as never] })).toThrow(
    'a list of checks that can be left out (there are shift-overflow)',
  );
  const asked = moduleOf(module)!.task({});
  expect(asked.load.unchecked).toEqual(['shift-overflow']);
  const verdict = await verify({ ...asked, budget: { milliseconds: 5000 } });
  expect(verdict.kind).not.toBe('bug');
  expect(verdict.assumptions).toContain(
    'left unchecked: shift-overflow; what is shifted out of a signed value is lost, as compilers have it',
  );
});

test('a precondition on length counts from the pointer, with 0 for null and at the end, in C and TypeScript', () => {
  const text = 'unsigned char last(const unsigned char *data, unsigned n) { return n ? data[n - 1] : 0; }';
  for (const requires of [
    { last: 'PROVEST_LENGTH(data) >= n' },
    { last: (s: { data: { length: number }; n: number }) => s.data.length >= s.n },
  ] as LoadCOptions['requires'][]) {
    const module = load(text, { requires: requires! });
    const data = module.alloc('unsigned char[2]', [1, 2]);
    for (const [given, n, expected] of [
      [null, 0, 0],
      [data, 2, 2],
      [data.at(1), 1, 2],
      [data.at(2), 0, 0],
      [data.at(3), 0, 0],
      [[], 0, 0],
    ] as const)
      expect(module.last(given, n)).toBe(expected);
    for (const [given, n] of [
      [null, 1],
      [data, 3],
      [data.at(1), 2],
      [data.at(3), 1],
      [[], 1],
    ] as const)
      expect(() => module.last(given, n)).toThrow('this call breaks the precondition given to loadC');
  }
});

test('a promised text ends in 0, in both languages', () => {
  const text = 'unsigned length(const char *text) { unsigned n = 0; while (text[n]) n++; return n; }';
  for (const requires of [
    { length: 'PROVEST_TERMINATED(text)' },
    {
      length: (s: { text: Record<number, number> & { length: number } }) =>
        s.text.length > 0 && s.text[s.text.length - 1] === 0,
    },
  ] as LoadCOptions['requires'][]) {
    const module = load(text, { requires: requires! });
    expect([module.length('abc'), module.length('')]).toEqual([3, 0]);
    const letters = module.alloc('char[3]', [97, 98, 0]);
    expect(module.length(letters.at(1))).toBe(1);
    expect(() => module.length(module.alloc('char[2]', [97, 98]))).toThrow(
      'this call breaks the precondition given to loadC',
    );
  }
  expect(() => load(text, { requires: { length: 'PROVEST_TERMINATED(text)' } }).length(null)).toThrow(
    'this call breaks the precondition given to loadC',
  );
});

test('two arguments lie in one object, in order', () => {
  const text = 'int size(const char *p, const char *end) { return (int)(end - p); }';
  const broken = 'this call breaks the precondition given to loadC';
  const module = load(text, { requires: { size: 'p <= end' } });
  const object = module.alloc('char[4]', 'abc');
  expect(module.size(object.at(1), object.at(4))).toBe(3);
  expect(() => module.size(object.at(2), object.at(1))).toThrow(broken);
  expect(() => module.size(object, module.alloc('char[4]', 'abc'))).toThrow(broken);
  expect(() => module.size(object, null)).toThrow(broken);
});

test('an argument does not lead into the module, as C text', () => {
  const text = `
    char buffer[8]; struct { char *kept; } m;
    void keep(char *p) { m.kept = p; }
    char *get(void) { return buffer; }
    void put(const char *from) { if (from) buffer[0] = *from; }`;
  const broken = 'this call breaks the precondition given to loadC';
  const module = load(text, { requires: { put: '!PROVEST_SAME_OBJECT(from, buffer)' } });
  module.put('a');
  module.put(null);
  expect(() => module.put!(module.get!())).toThrow(broken);
  expect(() => module.put((module.get() as Pointer).at(3))).toThrow(broken);
  const keeping = load(text, { requires: { put: '!PROVEST_SAME_OBJECT(from, m.kept)' } });
  const object = keeping.alloc('char[4]', 'abc');
  keeping.put(object);
  keeping.keep(object);
  expect(() => keeping.put(object.at(1))).toThrow(broken);
  keeping.keep(null);
  keeping.put(null);
});

test('several files are one module', () => {
  writeFileSync(join(folder, 'a.c'), '#include "shared.h"\nint a(void) { return b() + N; }');
  writeFileSync(join(folder, 'b.c'), '#include "shared.h"\nint b(void) { return 1; }');
  writeFileSync(join(folder, 'shared.h'), 'int b(void);');
  const module = loadC<AnyModule>([join(folder, 'a.c'), join(folder, 'b.c')], { define: { N: 41 } });
  expect(module.a!()).toBe(42);
});

test('jest.fn() is a stub like any other function', () => {
  const read_sensor = jest.fn((port: number) => port + 40);
  const module = load('int read_sensor(int port); int f(void) { return read_sensor(2); }', { stubs: { read_sensor } });
  expect(module.f!()).toBe(42);
  expect(read_sensor).toHaveBeenCalledWith(2);
});

test('what is odd in C that is accepted is recorded for the reporter, unless it is not wanted', () => {
  const directory = mkdtempSync(join(tmpdir(), 'provest-records-'));
  const before = process.env[directoryVariable];
  process.env[directoryVariable] = directory;
  try {
    load('#warning old\nint f(void) { return 1; }', {}, 'odd.c');
    load('#warning old\nint f(void) { return 1; }', { warnings: false }, 'odd.c');
  } finally {
    if (before === undefined) delete process.env[directoryVariable];
    else process.env[directoryVariable] = before;
  }
  const warnings = readRecords(directory).map((r) => (r.kind === 'loaded' ? r.warnings : undefined));
  rmSync(directory, { recursive: true, force: true });
  expect(warnings).toHaveLength(2);
  expect(warnings).toContainEqual([expect.stringContaining('odd.c:1:1: warning: #warning old')]);
  expect(warnings).toContainEqual(undefined);
});

test('the task holds what the tests did, and nothing but JSON', () => {
  const module = load(counter, { entry: ['add', 'get'], budget: 1234 });
  module.add!(5);
  expect(() => module.add!(2147483647)).toThrow(CFault);
  module.get!();
  module.probe('p', (s) => s.count === 0);
  expect(moduleOf(module)!.task({}, { adequacy: true })).toMatchObject({ adequacy: true });
  const task = moduleOf(module)!.task({ seed: 9, jobs: 2 });
  expect(task).toMatchObject({
    mode: 'module',
    entries: ['add', 'get'],
    properties: defaultProperties,
    seed: 9,
    jobs: 2,
    budget: { milliseconds: 1234 },
  });
  expect(
    task.runs.map((run) => run.map((operation) => (operation.kind === 'call' ? operation.function : operation.kind))),
  ).toEqual([['add', 'add'], ['get']]);
  expect(task.probes[0]!.origin).toMatch(/loadC\.test\.ts:\d+$/);
  expect(JSON.parse(JSON.stringify(task))).toEqual(task);
});

test('structures that clients have set up: checked at once, and part of the task', () => {
  const gauge =
    'typedef struct { int low, high; } gauge_t; void gauge_init(gauge_t *g) { g->low = g->high = 0; } ' +
    'int gauge_span(const gauge_t *g) { return g->high - g->low; }';
  const module = load(gauge, { initialisedBy: { gauge_t: 'gauge_init' } });
  expect(moduleOf(module)!.task({}).initialisedBy).toEqual([{ type: 'gauge_t', functions: ['gauge_init'] }]);
  expect(() => load(gauge, { initialisedBy: { gage_t: 'gauge_init' } })).toThrow('neither a basic type nor a typedef');
  expect(() => load(gauge, { initialisedBy: { gauge_t: ['gauge_init', 'gauge_reset'] } })).toThrow(
    "clients call no function 'gauge_reset'",
  );
});
