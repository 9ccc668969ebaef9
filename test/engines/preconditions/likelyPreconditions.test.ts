/** Conditions that all calls of tests keep, and their effect on the order of errors and on searches. */
import { verify } from '../../../src';
import { Budget } from '../../../src/budget';
import { LikelyPreconditions } from '../../../src/engines/preconditions/likelyPreconditions';
import { Problem } from '../../../src/engines/problem';
import { countedNeighbours } from '../../../src/engines/search/arguments/countedNeighbours';
import { testPrefixes } from '../../../src/engines/search/testPrefixes';
import { lengthOf } from '../../../src/evidence/scenarios/shrink';
import type { Argument, Scenario } from '../../../src/evidence/scenarios/scenario';
import type { HostValue, Operation } from '../../../src/host/operation';
import { file, task } from '../task';
import { errors } from '../angelic/lists';

const made = (type: string, ...bytes: readonly number[]): Operation => ({
  kind: 'allocate',
  type,
  bytes: Buffer.from(bytes).toString('hex'),
});
const text = (value: string): Operation => made(`char[${value.length + 1}]`, ...Buffer.from(value), 0);
const call = (name: string, ...args: readonly HostValue[]): Operation => ({
  kind: 'call',
  function: name,
  arguments: args,
  answers: [],
});
const at = (allocation: number, offset = 0): HostValue => ({ allocation, offset });
const integer = (value: number): HostValue => ({ integer: String(value) });

const problemOf = (source: string, run: readonly Operation[]): Problem =>
  new Problem(task(file(source), { runs: [run] }), Budget.start({ milliseconds: 60_000 }), {});

const scalar = (value: number): Argument => ({ kind: 'scalar', value });
const characters = (contents: readonly number[], index?: number): Argument => ({
  kind: 'object',
  type: {
    kind: 'array',
    of: { kind: 'integer', name: 'char', widthBits: 8, signed: true },
    length: contents.length,
  },
  contents: [...contents],
  ...(index !== undefined && { index }),
});

/** The likely precondition that each client breaks. */
async function brokenBy(
  source: string,
  run: readonly Operation[],
  ...clients: readonly (readonly (readonly [string, ...Argument[]])[])[]
): Promise<readonly (string | undefined)[]> {
  const problem = problemOf(source, run);
  const likely = LikelyPreconditions.of(problem);
  const found = clients.map((calls) =>
    likely.broken({
      calls: calls.map(([name, ...args]) => ({ fn: problem.program.functionByName.get(name)!, arguments: args })),
      answers: [],
    }),
  );
  await problem.solvers.close();
  return found;
}

test('an array is as long as the number beside it says; a text need not have its 0', async () => {
  const found = await brokenBy(
    'int f(const char *s, int n) { return n > 100 && s != 0; }',
    [text('abc'), call('f', at(0), integer(3)), text('x'), call('f', at(1), integer(1))],
    [['f', characters([1, 2]), scalar(2)]],
    [['f', characters([1, 2]), scalar(3)]],
    [['f', scalar(0), scalar(0)]],
  );
  expect(found).toEqual([undefined, 'f: s is shorter than n says', 'f: s is null']);
});

test('a buffer has room for one more element where all those of tests have', async () => {
  const source = 'void f(char *s, unsigned n) { if (n > 100) s[0] = 0; }';
  const short = [['f', characters([0, 0]), scalar(2)]] as const;
  const ample = [made('char[4]', 0, 0, 0, 0), call('f', at(0), integer(3))];
  expect(await brokenBy(source, ample, short)).toEqual(['f: s is shorter than n says']);
  const exact = [made('char[4]', 0, 0, 0, 0), call('f', at(0), integer(4))];
  expect(await brokenBy(source, exact, short)).toEqual([undefined]);
});

test('a number that no test passes as a length counts nothing: the shortest array does', async () => {
  const found = await brokenBy(
    'void f(char *out, unsigned n) { if (n > 100) out[0] = 0; }',
    [made('char[24]'), call('f', at(0), integer(7))],
    [['f', characters(Array.from({ length: 24 }, () => 0)), scalar(90)]],
    [['f', characters([0, 0]), scalar(2)]],
  );
  expect(found).toEqual([undefined, 'f: out is shorter than in tests']);
});

test('a buffer has as many elements for each that is counted as in tests', async () => {
  const bytes = (length: number): Argument => characters(Array.from({ length }, () => 0));
  const found = await brokenBy(
    'void encode(const char *in, int n, char *out) { if (n > 100) out[0] = in[0]; }',
    [
      ...[text('abc'), made('char[5]'), call('encode', at(0), integer(3), at(1))],
      ...[text('abcdef'), made('char[9]'), call('encode', at(2), integer(6), at(3))],
    ],
    [['encode', bytes(8), scalar(8), bytes(12)]],
    [['encode', bytes(8), scalar(8), bytes(9)]],
    [['encode', bytes(8), scalar(-1), bytes(9)]],
  );
  expect(found).toEqual([undefined, 'encode: out is short beside n', 'encode: n is negative']);
});

test('texts end in a 0, and functions are those that tests call', async () => {
  const found = await brokenBy(
    'int f(const char *s) { return s != 0; } int g(void) { return 1; }',
    [text('abc'), call('f', at(0))],
    [['f', characters([0])]],
    [['f', characters([1, 2])]],
    [['g']],
  );
  expect(found).toEqual([undefined, 'f: s does not end in a 0', 'no test calls g']);
});

test('places in one object, and objects that another call got before', async () => {
  const source = `struct s { int n; };
void init(struct s *p) { p->n = 1; }
int get(const struct s *p, const char *from, const char *end) { return p->n && from && end; }`;
  const structure = (problem: Problem): Argument => {
    const pointer = problem.program.functionByName.get('init')!.parameters[0]!.ctype;
    if (pointer?.kind !== 'pointer') throw new Error('init takes a pointer');
    return { kind: 'object', type: pointer.to, contents: { n: 0 } };
  };
  const problem = problemOf(source, [
    made('struct s'),
    call('init', at(0)),
    text('ab'),
    call('get', at(0), at(1), at(1, 2)),
  ]);
  const likely = LikelyPreconditions.of(problem);
  const fn = (name: string) => problem.program.functionByName.get(name)!;
  const client = (...calls: readonly (readonly [string, ...Argument[]])[]): Scenario => ({
    calls: calls.map(([name, ...args]) => ({ fn: fn(name), arguments: args })),
    answers: [],
  });
  const first: Argument = { kind: 'earlier', call: 0, argument: 0 };
  const within: Argument = { kind: 'earlier', call: 1, argument: 1, index: 1 };
  const bytes = characters([97, 98, 0]);
  expect(likely.broken(client(['init', structure(problem)], ['get', first, bytes, within]))).toBeUndefined();
  expect(likely.broken(client(['init', structure(problem)], ['get', first, bytes, bytes]))).toMatch(
    /different objects/,
  );
  expect(likely.broken(client(['get', structure(problem), bytes, { ...within, call: 0 }]))).toMatch(/no other call/);
  const held = { ...(structure(problem) as Extract<Argument, { kind: 'object' }>), contents: { n: 5 } };
  expect(likely.broken(client(['init', held], ['get', first, bytes, within]))).toBe('init: p holds something');
  await problem.solvers.close();
});

test('neighbours have arrays just as long as the number says, and ends of arrays move with them', async () => {
  const problem = problemOf(
    `int f(const char *s, int n) { return n > 100 && s != 0; }
int g(const unsigned char **p, const unsigned char *end) { return *p != end; }`,
    [text('abc'), call('f', at(0), integer(3))],
  );
  const likely = LikelyPreconditions.of(problem);
  const [counted] = testPrefixes(problem);
  const found = [...countedNeighbours(counted!, likely)].map(({ calls }) => {
    const [array, number] = calls[0]!.arguments;
    return [lengthOf(array!), number];
  });
  expect(found).toEqual([
    [3, scalar(3)],
    [2, scalar(2)],
    [1, scalar(1)],
    [1, scalar(0)],
  ]);
  const g = problem.program.functionByName.get('g')!;
  const ends: Scenario = {
    calls: [{ fn: g, arguments: [scalar(0), characters([7, 8, 9], 3)] }],
    answers: [],
  };
  const shorter = [...countedNeighbours(ends, likely)].map(({ calls }) => calls[0]!.arguments[1]);
  expect(shorter.slice(0, 3)).toMatchObject([
    { contents: [7, 8], index: 2 },
    { contents: [7, 0], index: 2 },
    { contents: [7, 1], index: 2 },
  ]);
  await problem.solvers.close();
});

describe('the order of errors', () => {
  const run = [text('xyz'), call('last', at(0), integer(3)), text('a'), call('last', at(1), integer(1))];
  const messages = async (source: string, runs: readonly (readonly Operation[])[]): Promise<readonly string[]> =>
    errors(await verify(task(file(source), { furtherChecks: 'briefly', runs })));

  /** Reads one behind a counted text; and what no test suggests, a table that is too short for a number. */
  const source = `
int set(unsigned char *bits, int i) { return bits[i / 8] |= 1 << (i % 8 & 7); }
int last(const char *s, int n) { return n > 0 && s[0] == 'x' ? s[n] : 0; }`;

  test('one that a change of a test shows comes before those of other clients', async () => {
    const [first] = await messages(source, [run]);
    expect(first).toMatch(/^last: out of bounds: s\[n\]: offset (\d) in 'char \[\1\]'/);
  });

  test('the repair of it has no such error', async () => {
    const found = await messages(source.replace('s[n]', 's[n - 1]'), [run]);
    expect(found.filter((one) => one.startsWith('last: out of bounds'))).toEqual([]);
  });
});
