/** A printed test is the steps in the user's own API, and does what the steps do. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CFault } from '../../../src/host/fault';
import { ModuleInstance } from '../../../src/host/module';
import { play, printTest } from '../../../src/host/printing/printTest';
import { loadProgram } from '../../../src/program';
import type { ClientStep } from '../../../src/verdict';

const text = `
  #include <stdlib.h>
  typedef struct { int id; char name[4]; } tag;
  int elems[4]; int n; long total;
  void reset(void) { n = 0; }
  int put(int value, const int *more, tag t) { n += value + more[0] + t.id; return n; }
  void add(long by, const char *why) { int *p = malloc(4); total += by; elems[n] = *p = why[0]; free(p); }`;
const steps: readonly ClientStep[] = [
  { kind: 'allocate', name: 'object1', type: 'int[2]', value: [3, 0] },
  { kind: 'call', function: 'reset', arguments: [] },
  {
    kind: 'call',
    function: 'put',
    arguments: [
      { kind: 'value', value: -1 },
      { kind: 'object', name: 'object1' },
      { kind: 'value', value: { id: 2, name: 'it"s' } },
    ],
    result: 4,
  },
  {
    kind: 'call',
    function: 'add',
    arguments: [
      { kind: 'value', value: 5000000000n },
      { kind: 'value', value: "don't\n" },
    ],
  },
];
const failure = { message: 'index 4 is outside elems[4]', place: { file: '/src/m.c', line: 7, column: 3 } };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-print-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function load(mallocMayFail = false): ModuleInstance {
  const file = join(folder, 'm.c');
  writeFileSync(file, text);
  return new ModuleInstance(loadProgram([file], { mallocMayFail }), { name: 'm.c' });
}

test('plain values, the handle’s names, C’s names in the way', () => {
  expect(printTest(steps, 'm', failure, ['reset', 'put', 'add']))
    .toBe(`test('add does not fail at m.c:7 (index 4 is outside elems[4])', () => {
  m.$reset();
  const object1 = m.alloc('int[2]', [3, 0]);
  m.reset();
  m.put(-1, object1, { id: 2, name: 'it"s' }); // 4
  m.add(5000000000n, 'don\\'t\\n');
});
`);
});

test('names of objects do not clash', () => {
  const clash: ClientStep[] = [
    { kind: 'allocate', name: 'm', type: 'int', value: undefined },
    { kind: 'allocate', name: 'new', type: 'int', value: 1 },
    {
      kind: 'call',
      function: 'f',
      arguments: [
        { kind: 'object', name: 'm' },
        { kind: 'object', name: 'new' },
      ],
    },
  ];
  expect(printTest(clash, 'm', failure)).toMatch(
    /const m2 = m\.alloc\('int'\);\n {2}const object2 = m\.alloc\('int', 1\);\n {2}m\.f\(m2, object2\);/,
  );
});

test('played and printed steps fail alike', () => {
  const played = play(load(), steps);
  expect(played).toBeInstanceOf(CFault);
  expect(played).toMatchObject({ kind: 'array-bounds' });

  const instance = load();
  const handle = {
    $reset: () => instance.reset(),
    alloc: (type: string, value?: unknown) => instance.alloc(type, value),
    reset: instance.fn('reset'),
    put: instance.fn('put'),
    add: instance.fn('add'),
  };
  let body: (() => void) | undefined;
  new Function('test', 'm', printTest(steps, 'm', failure, ['reset']))((_: string, fn: () => void) => {
    body = fn;
  }, handle);
  expect(body).toThrow(expect.objectContaining({ kind: 'array-bounds', message: (played as CFault).message }));
  expect(instance.global.total).toBe(5000000000n);
});

test('answers of the environment come before the call that asks', () => {
  const failing: ClientStep[] = [
    { kind: 'input', function: 'malloc', value: 0 },
    {
      kind: 'call',
      function: 'add',
      arguments: [
        { kind: 'value', value: 1 },
        { kind: 'value', value: 'x' },
      ],
    },
  ];
  expect(play(load(true), failing)).toMatchObject({ kind: 'null-dereference' });
  expect(play(load(true), failing.slice(1))).toBeUndefined();
  expect(printTest(failing, 'm', failure)).toContain("m.answer('malloc', 0);");
});

test('functions of the client are functions of the test; what they answer anyway is not told', () => {
  const type = 'int (*)(int, int)';
  const answer = (value: number): ClientStep => ({ kind: 'input', function: type, value });
  const calls: ClientStep[] = [
    { kind: 'function', name: 'f', type },
    { kind: 'function', name: 'g', type: 'void (*)(void)' },
    { kind: 'function', name: 'h', type: 'char *(*)(void)' },
    answer(0),
    answer(3),
    answer(0),
    answer(0),
    { kind: 'call', function: 'fold', arguments: ['f', 'g', 'h'].map((name) => ({ kind: 'object', name })) },
  ];
  expect(printTest(calls, 'm', failure)).toContain(
    [
      'const f = () => 0;',
      'const g = () => {};',
      'const h = () => null;',
      `m.answer('${type}', 0);`,
      `m.answer('${type}', 3);`,
      'm.fold(f, g, h);',
    ].join('\n  '),
  );
});

test('many equal answers are printed as one', () => {
  const answer = (value: number): ClientStep => ({ kind: 'input', function: 'nondet', value });
  const printed = printTest(
    [
      answer(1),
      ...Array.from({ length: 5 }, () => answer(0)),
      ...Array.from({ length: 100_000 }, () => answer(-2)),
      answer(0),
    ],
    'm',
    failure,
  );
  expect(printed.split('\n').slice(2, -2)).toEqual([
    "  m.answer('nondet', 1);",
    ...Array.from({ length: 5 }, () => "  m.answer('nondet', 0);"),
    "  m.answer('nondet', ...Array(100000).fill(-2));",
    "  m.answer('nondet', 0);",
  ]);
});

describe('steps that repeat', () => {
  const put = (value: number): ClientStep => ({
    kind: 'call',
    function: 'put',
    arguments: [{ kind: 'value', value }],
  });
  const times = <T>(n: number, ...values: readonly T[]): T[] => Array.from({ length: n }, () => values).flat();
  const body = (of: readonly ClientStep[]): string[] =>
    printTest(of, 'm', failure)
      .split('\n')
      .slice(2, -2)
      .map((line) => line.slice(2));

  test('are a loop from the sixth on', () => {
    expect(body([put(1), ...times(101, put(0))])).toEqual(['m.put(1);', 'for (let i = 0; i < 101; i++) m.put(0);']);
    expect(body(times(5, put(0)))).toEqual(times(5, 'm.put(0);'));
  });

  test('together with the answers that they ask for', () => {
    const answer: ClientStep = { kind: 'input', function: 'status', value: 32 };
    expect(body([...times(7, answer, put(0)), answer, put(1)])).toEqual([
      'for (let i = 0; i < 7; i++) {',
      "  m.answer('status', 32);",
      '  m.put(0);',
      '}',
      "m.answer('status', 32);",
      'm.put(1);',
    ]);
  });

  test('do not hide what is declared, and leave names to it', () => {
    const own: ClientStep[] = [
      { kind: 'allocate', name: 'i', type: 'int', value: 0 },
      ...times<ClientStep>(6, { kind: 'call', function: 'get', arguments: [{ kind: 'object', name: 'i' }] }),
      ...times(6, put(2)),
    ];
    expect(body(own)).toEqual([
      "const i = m.alloc('int', 0);",
      'for (let i2 = 0; i2 < 6; i2++) m.get(i);',
      'for (let i3 = 0; i3 < 6; i3++) m.put(2);',
    ]);
  });

  test('are played as they are printed', () => {
    const file = join(folder, 'full.c');
    writeFileSync(file, 'int elems[9]; int n; int put(int value) { elems[n++] = value; return value; }');
    const full = [...times(9, put(0)), put(1)];
    const instance = new ModuleInstance(loadProgram([file]), { name: 'full.c' });
    const played = play(instance, full);
    expect(played).toMatchObject({ kind: 'array-bounds' });
    let run: (() => void) | undefined;
    new Function('test', 'm', printTest(full, 'm', failure))((_: string, fn: () => void) => (run = fn), {
      reset: () => instance.reset(),
      put: instance.fn('put'),
    });
    expect(run).toThrow(expect.objectContaining({ message: (played as CFault).message }));
  });
});
