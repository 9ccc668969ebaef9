/**
 * A failure that hangs on how much lies behind a client's pointer: what the client would have to promise is said with
 * it, and pasted, it helps.
 */
import { verify, type Verdict } from '../../../src';
import { Budget } from '../../../src/budget';
import type { CType } from '../../../src/c/types';
import { LengthArguments } from '../../../src/engines/preconditions/bufferLengths';
import { Problem } from '../../../src/engines/problem';
import { faultOf, runScenario, type Scenario } from '../../../src/evidence/scenarios/scenario';
import { loadProgram } from '../../../src/program';
import { readCProbe } from '../../../src/host/cProbe';
import { argumentScope } from '../../../src/host/probeScope';
import type { Operation } from '../../../src/host/operation';
import type { Task } from '../../../src/task';
import { file, task } from '../task';
import { inLongForm } from '../../long';

const checksum = `
#include <stddef.h>
unsigned char checksum(const unsigned char *data, size_t len) {
  unsigned char sum = 0;
  for (size_t i = 0; i < len; i++) sum += data[i];
  return sum;
}`;
const ask = (
  text: string,
  requires: Readonly<Record<string, string>> = {},
  runs: readonly (readonly Operation[])[] = [],
  milliseconds = 60_000,
): Promise<Verdict> => {
  const path = file(text);
  const program = loadProgram([path], {});
  const read = Object.entries(requires).map(([name, condition]): NonNullable<Task['requires']>[number] => {
    const probe = readCProbe(
      condition,
      argumentScope(program, 'the module', program.functionByName.get(name)!),
      program.enumConstants,
    );
    if (probe.kind === 'mistake') throw new Error(probe.message);
    return { function: name, formula: probe.formula, said: { c: condition } };
  });
  return verify(task(path, { requires: read, runs, budget: { milliseconds } }));
};
const offered = (verdict: Verdict): string | undefined =>
  verdict.kind === 'bug'
    ? verdict.suggestion?.split('\n').find((line) => line.startsWith('requires: '))
    : `${verdict.kind}, not a bug`;

inLongForm('as many elements as a parameter says', async () => {
  expect(offered(await ask(checksum))).toBe("requires: { checksum: 'PROVEST_LENGTH(data) >= len' }");
  expect((await ask(checksum, { checksum: 'PROVEST_LENGTH(data) >= len' })).kind).toBe('proved');
});

test.each(['unsigned char', 'void'])('the pointer to %s that fails, not another that would do', async (type) => {
  const pack = `
#include <stddef.h>
size_t pack(${type} *to, size_t room, const ${type} *from, size_t count) {
  const unsigned char *in = from;
  const unsigned char *in_end = in + count;
  unsigned char *out = to;
  unsigned char *out_end = out + room;
  unsigned char *next = out + 1;
  if (!to || !from || room == 0) return 0;
  while (in < in_end) { if (next >= out_end) return 0; *next++ = *in++; }
  *out = (unsigned char)(next - out);
  return next - out;
}`;
  const verdict = await ask(pack);
  const lengths = (verdict.kind === 'bug' ? verdict.angelic?.specifications : undefined)?.map(({ text }) => text);
  expect(lengths?.filter((text) => text.includes('PROVEST_LENGTH')).sort()).toEqual([
    'pack: PROVEST_LENGTH(from) >= count',
    'pack: PROVEST_LENGTH(to) >= room',
  ]);
});

test('a number that happens to be larger than what is needed counts nothing', async () => {
  const digits =
    'int print(unsigned value, char *to) { int n = 0; do { to[n++] = (char)(48 + value % 10); value /= 10; } ' +
    'while (value); return n; }';
  expect(offered(await ask(digits))).toBe("requires: { print: 'to != NULL' }");
});

test('to paste is all of it, with what clients had promised before', async () => {
  expect(offered(await ask(checksum, { checksum: 'data != NULL' }))).toBe(
    "requires: { checksum: 'data != NULL && PROVEST_LENGTH(data) >= len' }",
  );
});

test('what is tried in the place of truth values is no text', async () => {
  const beyond =
    'int beyond(const _Bool *on) { PROVEST_REQUIRES(PROVEST_TERMINATED(on)); unsigned i = 0; while (on[i]) i++; ' +
    'return on[i + 1]; }';
  expect((await ask(`#include <provest.h>\n${beyond}`)).kind).toBe('bug');
});

test('a promise that is too weak rules out nothing', async () => {
  expect((await ask(checksum, { checksum: 'PROVEST_LENGTH(data) + 1 >= len' })).kind).toBe('bug');
});

test('behind the end there are no elements, not fewer: what is promised of none is met there', async () => {
  const beyond =
    '#include <assert.h>\nstatic char a[4]; static const char *kept = a; static int over;\n' +
    'void go(int k) { if (k > 4 && k < 100) { kept = a; kept += k; over = 1; } }\n' +
    'void get(unsigned n) { assert(!over); }';
  expect((await ask(beyond, { get: 'PROVEST_LENGTH(kept) >= n' })).kind).toBe('bug');
});

inLongForm('each of two pointers, with the number that counts for it', async () => {
  const copy =
    'void copy(int *to, int room, const int *from, int n) { for (int i = 0; i < n; i++) if (i < room) to[i] = ' +
    'from[i]; else return; }';
  const verdict = await ask(copy, { copy: 'PROVEST_LENGTH(to) >= room' });
  expect(offered(verdict)).toBe("requires: { copy: 'PROVEST_LENGTH(to) >= room && PROVEST_LENGTH(from) >= n' }");
  expect((await ask(copy, { copy: 'PROVEST_LENGTH(to) >= room && PROVEST_LENGTH(from) >= n' })).kind).toBe('proved');
});

inLongForm('a product, and a number that the function takes for granted', async () => {
  expect(
    offered(
      await ask(
        'int any(const int *m, int rows, int cols) { for (int i = 0; i < rows; i++) for (int j = 0; j < cols; ' +
          'j++) if (m[i * cols + j]) return 1; return 0; }',
      ),
    ),
  ).toContain('PROVEST_LENGTH(m) >= rows * cols');
  const mix =
    'void mix(unsigned char *state, const unsigned char *key, int n) { for (int i = 0; i < 200; i++) state[i] = ' +
    '(unsigned char)i; for (int i = 0; i < n; i++) state[i % 200] ^= key[i]; }';
  expect(offered(await ask(mix))).toContain("requires: { mix: 'PROVEST_LENGTH(state) >= 200");
  const flip = 'void flip(unsigned char *block) { for (int i = 0; i < 16; i++) block[i] ^= 255; }';
  expect(offered(await ask(flip))).toBe("requires: { flip: 'PROVEST_LENGTH(block) >= 16' }");
  expect((await ask(flip, { flip: 'PROVEST_LENGTH(block) >= 16' })).kind).toBe('proved');
});

test('lengths: no product of added numbers, no unnamed number; multiples; the largest of several counts', async () => {
  const added =
    'int sum(const char *p, unsigned a, unsigned b) { if (!p || a > 9 || b > 9) return 0; int s = 0; ' +
    'for (unsigned i = 0; i < a + b; i++) s ^= p[i]; return s; }';
  // A number that the C does not name is that of one execution.
  expect(offered(await ask(added))).toBeUndefined();
  const hex = 'void hex(char *to, int n) { if (n < 0 || n > 9) return; for (int i = 0; i < 2 * n; i++) to[i] = 48; }';
  expect(offered(await ask(hex))).toBe("requires: { hex: 'PROVEST_LENGTH(to) >= 2 * n' }");
  const rows =
    'int get(const int *m, unsigned rows, unsigned cols, unsigned r, unsigned c) ' +
    '{ if (!m || rows > 50 || cols > 50) return 0; return r < rows && c < cols ? m[r * cols + c] : 0; }';
  expect(offered(await ask(rows))).toBe("requires: { get: 'PROVEST_LENGTH(m) >= rows * cols' }");
});

test('what no length rules out is not blamed on one', async () => {
  // One element is enough: that is a matter of null.
  expect(offered(await ask('void put(int *out, int n) { *out = n; }'))).toBe("requires: { put: 'out != NULL' }");
  // A text without an end.
  expect(
    (
      (await ask(
        'int length(const char *text) { int n = 0; if (!text) return 0; while (text[n]) n++; return n; }',
      )) as { suggestion?: string }
    ).suggestion ?? '',
  ).not.toContain('PROVEST_LENGTH');
  // A text without an end, looked through so slowly that a run is cut short before it gets there.
  expect(
    (
      (await ask(
        'void mark(char *s) { volatile int w = 0; if (!s) return; ' +
          'while (*s) { for (int i = 0; i < 300; i++) w++; *s++ |= 32; } }',
        {},
        [],
        8000,
      )) as { suggestion?: string }
    ).suggestion ?? '',
  ).not.toContain('PROVEST_LENGTH');
});

test('where a test passes less, clients do', async () => {
  const short: Operation[] = [
    { kind: 'allocate', type: 'unsigned char[2]', bytes: '0000' },
    { kind: 'call', function: 'checksum', arguments: [{ allocation: 0, offset: 0 }, { integer: '3' }], answers: [] },
  ];
  expect(((await ask(checksum, {}, [short])) as { suggestion?: string }).suggestion).toBeUndefined();
});

test('an index of another pointer is no length of this one', async () => {
  const decode = `
unsigned decode(const char *text, unsigned char *to, unsigned size) {
  unsigned n = 0;
  while (text[0] && text[1]) { if (n > size) break; to[n++] = (unsigned char)text[1]; text += 2; }
  return n;
}`;
  expect(offered(await ask(decode))).not.toContain('PROVEST_LENGTH(to)');
});

test('two for each, and one for the end', async () => {
  const encode = `
void hex(const unsigned char *from, unsigned n, char *to) {
  for (unsigned i = 0; i < n; i++) { to[2 * i] = '0' + from[i] % 8; to[2 * i + 1] = '0' + from[i] / 8 % 8; }
  to[2 * n] = 0;
}`;
  expect(offered(await ask(encode))).toContain('PROVEST_LENGTH(to) >= 2 * n + 1');
});

describe('lengths in groups', () => {
  const base64 = `
unsigned encode(const unsigned char *in, unsigned n, char *out) {
  unsigned j = 0, k = 0;
  for (unsigned i = 0; i < n; i++)
    if (++j == 3) { out[k] = out[k + 1] = out[k + 2] = out[k + 3] = 'A' + in[i] % 16; j = 0; k += 4; }
  if (j) { out[k] = out[k + 1] = out[k + 2] = out[k + 3] = '='; k += 4; }
  out[k] = 0;
  return k;
}`;
  const complete = `
unsigned decode(const unsigned char *in, unsigned n, unsigned char *out) {
  unsigned k = 0;
  for (unsigned i = 0; i + 4 <= n && i + 4 > i; i += 4) { out[k] = in[i]; out[k + 1] = out[k + 2] = 0; k += 3; }
  return k;
}`;
  const bits = (bytes: string): string => `
void clear(unsigned char *field, unsigned n) {
  if (n > 1000) return;
  for (unsigned i = 0; i < ${bytes}; i++) field[i] = 0;
}`;

  test('four characters for every three bytes that were begun, and a 0', async () => {
    expect(offered(await ask(base64))).toContain('PROVEST_LENGTH(out) >= (n + 2) / 3 * 4 + 1');
  });

  test('three bytes for every four characters', async () => {
    expect(offered(await ask(complete))).toContain('PROVEST_LENGTH(out) >= n / 4 * 3');
  });

  test('a byte for every eight bits that were begun, with which the function is proved', async () => {
    expect(offered(await ask(bits('(n + 7) / 8')))).toBe("requires: { clear: 'PROVEST_LENGTH(field) >= (n + 7) / 8' }");
    const proved = await ask(bits('(n + 7) / 8'), { clear: 'PROVEST_LENGTH(field) >= (n + 7) / 8' });
    expect(proved.kind).toBe('proved');
  });

  test('a byte that the number does not count is no matter of a constant length', async () => {
    const beyond = bits('(n + 7) / 8').replace(/}\s*$/, 'if (n == 40) field[16] = 1; }');
    const verdict = await ask(beyond);
    expect(offered(verdict)).toContain('(n + 7) / 8');
    expect(offered(verdict)).not.toContain('>= 17');
  });

  test('a number rounded up to groups of as many elements is read beyond: an error of the module', async () => {
    const triples = `
unsigned sum(const unsigned char *in, unsigned n) {
  unsigned s = 0;
  for (unsigned i = 0; i < n && i <= 1000; i += 3) s += in[i] + in[i + 1] + in[i + 2];
  return s;
}`;
    expect(offered(await ask(triples)) ?? '').not.toContain('(n + 2) / 3');
  });

  test('a byte too many is an error of the module, whatever was said', async () => {
    expect(offered(await ask(bits('n / 8 + 1'))) ?? '').not.toContain('/ 8');
    expect((await ask(bits('n / 8 + 1'), { clear: 'PROVEST_LENGTH(field) >= (n + 7) / 8' })).kind).toBe('bug');
  });
});

const bytes = (length: number): CType => ({
  kind: 'array',
  of: { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false },
  length,
});

test('an array that an earlier call got counts as one of the failing call', async () => {
  const sum = `
int sum(const unsigned char *p, unsigned n) { int s = 0; for (unsigned i = 0; i < n; i++) s += p[i]; return s; }`;
  const problem = new Problem(task(file(sum)), Budget.start({ milliseconds: 20_000 }), {});
  const [fn] = problem.callable;
  const client = (again: number): Scenario => ({
    calls: [
      {
        fn: fn!,
        arguments: [
          { kind: 'object', type: bytes(2), contents: [0, 0] },
          { kind: 'scalar', value: 0 },
        ],
      },
      {
        fn: fn!,
        arguments: [
          { kind: 'earlier', call: 0, argument: 0 },
          { kind: 'scalar', value: again },
        ],
      },
    ],
    answers: [],
  });
  const options = problem.scenarioOptions();
  const fault = faultOf(runScenario(problem.program, client(3), options))!;
  const lengths = new LengthArguments(problem.program, options, []);
  expect(lengths.explain(client(3), fault)).toBe(true);
  expect(lengths.preconditions).toEqual([{ function: 'sum', text: 'PROVEST_LENGTH(p) >= n' }]);
  await problem.solvers.close();
});

test('an array of other numbers that an earlier call got is left as it is', async () => {
  const two = `
void fill(unsigned char *p) { *p = 255; }
void copy(const unsigned char *from, unsigned n, char *to) { for (unsigned i = 0; i < n; i++) to[i] = from[i]; }`;
  const problem = new Problem(task(file(two)), Budget.start({ milliseconds: 20_000 }), {});
  const [fill, copy] = problem.callable;
  const client: Scenario = {
    calls: [
      { fn: fill!, arguments: [{ kind: 'object', type: bytes(1), contents: [255] }] },
      {
        fn: copy!,
        arguments: [
          { kind: 'object', type: bytes(2), contents: [0, 0] },
          { kind: 'scalar', value: 2 },
          { kind: 'earlier', call: 0, argument: 0 },
        ],
      },
    ],
    answers: [],
  };
  const options = problem.scenarioOptions();
  const fault = faultOf(runScenario(problem.program, client, options))!;
  expect(() => new LengthArguments(problem.program, options, []).explain(client, fault)).not.toThrow();
  await problem.solvers.close();
});

test('a sum that leaves every object is of numbers that no object has as many elements as', async () => {
  const range = `
struct range { const char *begin, *end; };
struct range range_of(const char *data, unsigned long n) { return (struct range){ data, data + n }; }`;
  expect(offered(await ask(range))).toBe("requires: { range_of: 'PROVEST_LENGTH(data) >= n' }");
  expect((await ask(range, { range_of: 'PROVEST_LENGTH(data) >= n' })).kind).toBe('proved');
  // The end of the range is no place to read.
  const behind = 'char behind(const char *data, unsigned long n) { const char *end = data + n; return *end; }';
  expect((await ask(behind, { behind: 'PROVEST_LENGTH(data) >= n' })).kind).toBe('bug');
});

test('a number larger than any object counts nothing beside what clients keep to already', async () => {
  // The documentation says ten digits; for large numbers `t` wraps, and there are more.
  const digits = `
int dec(char *out, unsigned v) {
  int len = 1;
  for (unsigned t = 10; t <= v; len++) t *= 10;
  for (int i = len; i-- > 0; v /= 10) out[i] = '0' + v % 10;
  return len;
}`;
  const verdict = await ask(digits, { dec: 'out != NULL && PROVEST_LENGTH(out) >= 10' });
  expect(verdict.kind).toBe('bug');
  expect(offered(verdict) ?? '').not.toContain('>= v');
});

test('an access one behind the length is an error of the module, not of clients', async () => {
  const fill = 'void fill(char *to, unsigned n) { for (unsigned i = 0; i <= n; i++) to[i] = 0; }';
  expect(offered(await ask(fill))).not.toContain('+ 1');
});

const encode = (last: number): string => `
  int encode(unsigned c, unsigned char out[4]) {
    int n = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : ${last};
    if (!out) return 0;
    out[0] = (unsigned char)c;
    for (int i = 1; i <= n; i++) out[i] = (unsigned char)(0x80 | ((c >> (6 * (n - i))) & 0x3f));
    return n + 1;
  }`;

test('the length that a parameter is declared with', async () => {
  expect(offered(await ask(encode(3)))).toBe("requires: { encode: '(out == NULL || PROVEST_LENGTH(out) >= 4)' }");
  expect((await ask(encode(3), { encode: 'out == NULL || PROVEST_LENGTH(out) >= 4' })).kind).toBe('proved');
});

test('which excuses nothing where the function goes beyond', async () => {
  expect((await ask(encode(4), { encode: 'out == NULL || PROVEST_LENGTH(out) >= 4' })).kind).toBe('bug');
});

test('a pointer to an array leads to all of its elements', async () => {
  const read = (element: number): Promise<Verdict> =>
    ask(`static int n; void read(char (*p)[4]) { if (p) n = (*p)[${element}]; }`, {}, [], 10_000);
  expect((await read(3)).kind).not.toBe('bug');
  expect(await read(4)).toMatchObject({ kind: 'bug' });
});
