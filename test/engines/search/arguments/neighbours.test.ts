/** Clients near one that is known, and a search that goes on where it was left. */
import { Budget } from '../../../../src/budget';
import { nothingKnown } from '../../../../src/engines/engine';
import { silent } from '../../../../src/engines/portfolio/verificationLog';
import { Problem } from '../../../../src/engines/problem';
import { fuzzProgram, Search, type SearchOptions } from '../../../../src/engines/search/fuzzing';
import { calledRatherAbout, fuzzingBetween, quickSearch } from '../../../../src/engines/search/fuzzingEngine';
import { cutTexts, grownTexts } from '../../../../src/engines/search/arguments/grownTexts';
import { neighboursOf, splice } from '../../../../src/engines/search/arguments/neighbours';
import { bufferSizes } from '../../../../src/engines/search/arguments/textMutation';
import type { Argument, Scenario } from '../../../../src/evidence/scenarios/scenario';
import type { Operation } from '../../../../src/host/operation';
import type { Property } from '../../../../src/program/command';
import type { Program } from '../../../../src/program/program';
import { Random } from '../../../../src/semantics/concrete/random';
import { programOf } from '../../../program/programOf';
import { file, run, task } from '../../task';

const number = (value: number): Argument => ({ kind: 'scalar', value });

function scenarioOf(program: Program, ...calls: readonly (readonly [string, ...Argument[]])[]): Scenario {
  return {
    calls: calls.map(([name, ...args]) => ({ fn: program.functionByName.get(name)!, arguments: args })),
    answers: [],
  };
}

const textOf = ({ calls }: Scenario): string =>
  calls
    .map(({ fn, arguments: given }) => {
      const args = given.map((a) =>
        a.kind === 'scalar' ? String(a.value) : a.kind === 'earlier' ? `of ${a.call}` : 'new',
      );
      return `${fn.name}(${args.join()})`;
    })
    .join(' ');

const program = programOf(`
#include <stdbool.h>
int *make(void) { static int cell; return &cell; }
void set(int *p, unsigned char value) { if (p) *p = value; }
void on(bool is) { (void)is; }
`);

test('one number, or one call, is another', () => {
  const scenario = scenarioOf(program, ['make'], ['set', { kind: 'earlier', call: 0, argument: -1 }, number(255)]);
  expect([...neighboursOf(scenario, [7n])].map(textOf)).toEqual([
    'make() set(of 0,0)',
    'make() set(of 0,254)',
    'make() set(of 0,255) make()',
    '',
    'make() set(of 0,255) set(of 0,255)',
    'make()',
    'make() set(of 0,7)',
  ]);
  expect([...neighboursOf(scenarioOf(program, ['on', number(1)]), [7n])].map(textOf)).toEqual([
    'on(0)',
    'on(1) on(1)',
    'on(0)',
  ]);
});

const text = (characters: string): Argument => ({
  kind: 'object',
  type: {
    kind: 'array',
    of: { kind: 'integer', name: 'char', widthBits: 8, signed: true },
    length: characters.length + 1,
  },
  contents: `${characters}\0`,
});

const characters = (argument: Argument | undefined): string =>
  argument?.kind === 'object' && Array.isArray(argument.contents)
    ? String.fromCharCode(...argument.contents.map(Number))
    : '';

test('a stretch of a text grows, and is repeated with what follows it', () => {
  expect([...grownTexts(text('ab=1'), [3n, -1n, 1n])].map(characters)).toEqual([
    'abb=1\0',
    'ab===1\0',
    'ab=111\0',
    'ab=ab=ab=1\0',
    'ab=1=1=1\0',
  ]);
  expect([...grownTexts(text(''), [3n])]).toEqual([]);
  expect([...grownTexts(number(7), [3n])]).toEqual([]);
});

test('a text ends behind each of its stretches, or lacks one', () => {
  expect([...cutTexts(text('off 3'))].map(characters)).toEqual(['\0', 'off\0', 'off \0', ' 3\0', 'off3\0']);
  expect([...cutTexts(number(7))]).toEqual([]);
});

test('texts near the size of a buffer come before those near other numbers', () => {
  const read = programOf('static char line[4];\nvoid put(const char *s) { if (s) line[0] = s[0]; }\n');
  expect(bufferSizes(read)).toEqual([4n]);
  const near = [...neighboursOf(scenarioOf(read, ['put', text('a')]), [3n], bufferSizes(read))];
  const texts = near.flatMap(({ calls }) => (calls.length === 1 ? [characters(calls[0]!.arguments[0])] : []));
  expect(texts.filter((one) => one.length > 2)).toEqual(['aaaa\0', 'aaaaa\0', 'aaa\0']);
});

test('joined clients pass what was made for them', () => {
  const random = new Random(3);
  const first = scenarioOf(program, ['on', number(0)], ['on', number(1)], ['on', number(2)]);
  const made = (call: number): Argument => ({ kind: 'earlier', call, argument: -1 });
  const second = scenarioOf(program, ['make'], ['on', number(3)], ['make'], ['set', made(0), number(4)]);
  const found = new Set<string>();
  for (let times = 0; times < 200; times++) {
    const joined = splice(first, second, 6, random);
    if (!joined) continue;
    found.add(textOf(joined));
    expect(joined.calls.length).toBeLessThanOrEqual(6);
    for (const [at, { arguments: given }] of joined.calls.entries())
      for (const one of given)
        if (one.kind === 'earlier') {
          expect(one.call).toBeLessThan(at);
          expect(joined.calls[one.call]!.fn.name).toBe('make');
        }
  }
  expect([...found]).toContain('on(0) on(1) make() set(of 2,4)');
});

const frame = (longest: number): string => `
static int state;
static unsigned char payload[32], length, received;
void reset(void) { state = 0; }
int feed(unsigned char byte) {
  switch (state) {
  case 0: if (byte == 0x7e) state = 1; break;
  case 1: if (byte == 0 || byte > ${longest}) state = 0; else { length = byte; received = 0; state = 2; } break;
  case 2: payload[received++] = byte; if (received == length) state = 0; break;
  }
  return state;
}
`;
const options = (text: string): SearchOptions & { readonly program: Program } => {
  const read = programOf(text);
  return {
    program: read,
    checkedProperties: new Set<Property>(['memsafety']),
    permits: () => true,
    entries: ['feed', 'reset'].map((name) => read.functionByName.get(name)!),
    maximumCalls: 40,
    seed: 1,
    edges: 50_000,
    stop: () => false,
  };
};

test('a search that goes on comes further than one that begins again', () => {
  const { program: read, ...first } = options(frame(33));
  const goingOn = [1, 2, 3].some((seed) => {
    const rest = { ...first, seed };
    const search = new Search(read, rest);
    return Array.from({ length: 200 }).some(() => search.run(rest) !== undefined);
  });
  const again = Array.from({ length: 20 }).some(() => fuzzProgram(read, first) !== undefined);
  expect({ goingOn, again }).toEqual({ goingOn: true, again: false });
});

const longestFrame: readonly Operation[] = run(
  ['reset'],
  ['feed', 0x7e],
  ['feed', 32],
  ...Array.from({ length: 32 }, (_, i): [string, number] => ['feed', i]),
  ['feed', 1],
);

const outcomeOf = async (longest: number, runs: readonly (readonly Operation[])[], seed: number): Promise<string> => {
  const problem = new Problem(task(file(frame(longest)), { runs, seed }), Budget.start({ milliseconds: 120_000 }), {});
  const budget = Budget.start({ milliseconds: 120_000 });
  let kind = '';
  for (const engine of [quickSearch, fuzzingBetween(500_000)]) {
    if (kind === 'unsafe') break;
    ({ kind } = await engine.run(problem, nothingKnown, budget, silent));
  }
  await problem.solvers.close();
  return kind;
};

test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])(
  'a failure one byte from a long test is found with seed %i',
  async (seed) => {
    expect(await outcomeOf(33, [longestFrame], seed)).toBe('unsafe');
  },
);

test('the correct twin does not fail', async () => {
  expect(await outcomeOf(32, [longestFrame], 1)).toBe('unknown');
});

test('half of the calls are of functions that come to an open check', () => {
  const read = programOf(
    'static int f(int x) { return x + 1; }\nint g(int x) { return f(x); }\nint h(int x) { return x; }',
  );
  const [f, g, h] = ['f', 'g', 'h'].map((name) => read.functionByName.get(name)!);
  const called = [h!, h!, g!];
  const alarms = [{ obligation: { function: f! } }];
  expect(calledRatherAbout(alarms, { called }).map(({ name }) => name)).toEqual(['h', 'h', 'g', 'g', 'g', 'g']);
  expect(calledRatherAbout([], { called })).toBe(called);
  expect(calledRatherAbout(alarms, { called: [g!] })).toEqual([g]);
});
