/** The random search goes on from what the tests did: sequences of calls, texts and objects. */
import type { Operation } from '../../../src/host/operation';
import { Budget } from '../../../src/budget';
import { Problem } from '../../../src/engines/problem';
import { fuzz, fuzzingBetween, quickSearch } from '../../../src/engines/search/fuzzingEngine';
import { nothingKnown } from '../../../src/engines/engine';
import { testPrefixes, testSeeds } from '../../../src/engines/search/testPrefixes';
import { TextMutation } from '../../../src/engines/search/arguments/textMutation';
import { silent } from '../../../src/engines/portfolio/verificationLog';
import { Random } from '../../../src/semantics/concrete/random';
import { file, task } from '../task';

const text = (value: string): Operation => ({
  kind: 'allocate',
  type: `char[${value.length + 1}]`,
  bytes: Buffer.from(`${value}\0`).toString('hex'),
});
const call = (name: string, ...args: Extract<Operation, { kind: 'call' }>['arguments']): Operation => ({
  kind: 'call',
  function: name,
  arguments: args,
  answers: [],
});
const problemOf = (source: string, run: readonly Operation[], seed = 1): Problem =>
  new Problem(task(file(source), { runs: [run], seed }), Budget.start({ milliseconds: 60_000 }), {});

/** Fails only for texts that begin with a word, and have a number behind it that is too large. */
const parser = `
static int seen[60];
int parse(const char *s) {
  if (!s || s[0] != 'g' || s[1] != 'e' || s[2] != 't' || s[3] != ' ') return -1;
  int n = 0;
  for (int i = 4; s[i] >= '0' && s[i] <= '9' && n < 1000; i++) n = 10 * n + (s[i] - '0');
  seen[n]++;
  return n;
}
`;

describe('what tests did', () => {
  test('each call that returned, with those before it and the objects as they were', async () => {
    const problem = problemOf(parser, [
      text('get 7'),
      call('parse', { allocation: 0, offset: 0 }),
      text('x'),
      call('parse', { allocation: 1, offset: 0 }),
      call('parse', { object: 0, offset: 0 }),
    ]);
    const found = testPrefixes(problem);
    expect(found.map(({ calls }) => calls.length)).toEqual([1, 2, 3]);
    expect(found[0]!.calls[0]!.arguments).toEqual([
      { kind: 'object', type: expect.anything() as unknown, contents: [103, 101, 116, 32, 55, 0] },
    ]);
    expect(found[2]!.calls[2]!.arguments).toEqual([{ kind: 'scalar', value: 0 }]);
    await problem.solvers.close();
  });

  test('objects that are passed again, and pointers that were returned', async () => {
    const problem = problemOf(
      'static int cell; int *make(void) { return &cell; } ' +
        'int get(const int *p, const int *q) { return p && q ? *p + *q : 0; }',
      [
        { kind: 'allocate', type: 'int[1]', bytes: '05000000' },
        call('make'),
        call('get', { allocation: 0, offset: 0 }, { object: 1, offset: 0 }),
        call('get', { allocation: 0, offset: 0 }, { allocation: 0, offset: 0 }),
      ],
    );
    const calls = testPrefixes(problem).at(-1)?.calls ?? [];
    expect(calls[1]!.arguments).toMatchObject([{ kind: 'object' }, { kind: 'earlier', call: 0, argument: -1 }]);
    expect(calls[2]!.arguments).toEqual([
      { kind: 'earlier', call: 1, argument: 0 },
      { kind: 'earlier', call: 1, argument: 0 },
    ]);
    await problem.solvers.close();
  });

  test('single calls with structures whose type leads back to itself', async () => {
    const problem = problemOf(
      'struct node { struct node *next; int value; }; ' +
        'int value(const struct node *n) { return n ? n->value : 0; } ' +
        'int has_next(const struct node *n) { return n && n->next; }',
      [
        { kind: 'allocate', type: 'struct node', bytes: '00'.repeat(16) },
        call('value', { allocation: 0, offset: 0 }),
        call('has_next', { allocation: 0, offset: 0 }),
        call('value', { allocation: 0, offset: 0 }),
      ],
    );
    const { slices } = testSeeds(problem);
    expect(slices.map(({ calls }) => calls.map(({ fn }) => fn.name))).toEqual([
      ['value'],
      ['value', 'has_next'],
      ['value', 'value'],
    ]);
    await problem.solvers.close();
  });

  test('no further than a client could go', async () => {
    const problem = problemOf('int n; int get(void) { return n; }', [
      call('get'),
      { kind: 'poke', variable: 'n', offsetBytes: 0, bytes: '05000000' },
      call('get'),
    ]);
    expect(testPrefixes(problem)).toHaveLength(1);
    await problem.solvers.close();
  });
});

test.each([1, 2, 3, 4, 5])('a failure near a text of a test is found, with seed %i', async (seed) => {
  const problem = problemOf(parser, [text('get 7'), call('parse', { allocation: 0, offset: 0 })], seed);
  const budget = Budget.start({ milliseconds: 60_000 });
  const outcome = await quickSearch.run(problem, nothingKnown, budget, silent);
  expect(outcome).toMatchObject({ kind: 'unsafe', failure: { kind: 'scenario' } });
  await problem.solvers.close();
});

test('texts end where the object does; what is no array of bytes is left alone', () => {
  const problem = problemOf(parser, []);
  const texts = new TextMutation(problem.program, new Random(7));
  const char = { kind: 'integer', name: 'char', widthBits: 8, signed: true } as const;
  for (let round = 0; round < 200; round++) {
    const mutated = texts.mutate({ kind: 'object', type: { kind: 'array', of: char, length: 6 }, contents: 'get 7' });
    if (mutated?.kind !== 'object' || mutated.type.kind !== 'array') throw new Error('an array stays one');
    const contents = mutated.contents as readonly number[];
    expect(contents).toHaveLength(mutated.type.length!);
    expect(contents.indexOf(0)).toBe(contents.length - 1);
  }
  expect(texts.mutate({ kind: 'scalar', value: 3 })).toBeUndefined();
  return problem.solvers.close();
});

test('a search that is watched begins with what the searches before it came to', async () => {
  // Bytes that have to be right one after the other.
  const frames = `
static int state, length;
void feed(unsigned char byte) {
  switch (state) {
  case 0: state = byte == 0x7e; break;
  case 1: state = byte == 0xc3 ? 2 : 0; break;
  case 2: state = byte == 0x99 ? 3 : 0; break;
  case 3: if (byte <= 32) length = byte; state = 0; break;
  }
}
`;
  const states = async (before: boolean): Promise<number> => {
    const problem = new Problem(task(file(frames)), Budget.start({ milliseconds: 60_000 }), {});
    const budget = Budget.start({ milliseconds: 60_000 });
    if (before) await fuzzingBetween(200_000).run(problem, nothingKnown, budget, silent);
    const seen = new Set<string>();
    fuzz(problem, 40_000, budget, silent, {
      watching: { between: (machine) => void seen.add(machine.globals.join()) },
    });
    return seen.size;
  };
  expect(await states(true)).toBeGreaterThan(await states(false));
});
