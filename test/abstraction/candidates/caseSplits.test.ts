/** Facts of single modes: which variables say one, what is guessed of it, and that a proof needs no probe for it. */
import { comparedWithConstants, partitionedCandidates } from '../../../src/abstraction/candidates/caseSplits';
import { printTerm } from '../../../src/abstraction/printing/printTerm';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { verify } from '../../../src/index';
import * as L from '../../../src/logic/build';
import type { Term } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import { file, fixture, task } from '../../engines/task';
import { inLongForm } from '../../long';

jest.setTimeout(120_000);

const [mode, x] = [L.symbol('mode', L.bitsSort(32)), L.symbol('x', L.bitsSort(32))];
const observables = [mode, x].map((term) => ({ term, name: term.name, signed: true, widthBits: 32 }));
const states = (...of: readonly (readonly [number, number])[]) =>
  of.map((values) => ({ values: values.map(BigInt), truths: [] }));
const isMode = (value: number) => L.eq(mode, L.bits(BigInt(value), 32));
const constants = (...of: readonly number[]) => new Set<Term>(of.map((value) => L.bits(BigInt(value), 32)));
const isPositive = L.slt(L.bits(0n, 32), x);
/** One fact, of states where it holds. */
const guess = (_: unknown, seen: readonly { readonly values: readonly bigint[] }[]) =>
  seen.every(({ values }) => values[1]! > 0n) ? [isPositive] : [];

test('what holds of the states with one value is said of that value, what holds of the others of all others', () => {
  const seen = states([0, 0], [0, -1], [0, 2], [1, 1], [1, 2], [1, 3]);
  expect(
    partitionedCandidates(seen, observables, new Map([[mode, constants(0, 1)]]), new Set(), new Set(), guess),
  ).toEqual([L.or(isMode(0), isPositive), L.or(L.not(isMode(1)), isPositive)]);
  expect(
    partitionedCandidates(seen, observables, new Map([[mode, constants(0)]]), new Set(), new Set(), guess),
  ).toEqual([L.or(L.not(isMode(1)), isPositive)]);
  expect(
    partitionedCandidates(
      seen,
      observables,
      new Map([[mode, constants(0, 1)]]),
      new Set([isPositive]),
      new Set(),
      guess,
    ),
  ).toEqual([]);
});

test('a number compared with one constant splits each mode in two cases, even with a single state', () => {
  const length = L.symbol('length', L.bitsSort(32));
  const both = [...observables, { term: length, name: 'length', signed: true, widthBits: 32 }];
  const seen = states([0, 0], [0, -1], [0, 2], [1, 0], [1, 1], [1, 2]).map(({ values, truths }, i) => ({
    values: [...values, i > 3 ? 5n : 0n],
    truths,
  }));
  const candidates = partitionedCandidates(
    seen,
    both,
    new Map([
      [mode, constants(0)],
      [length, constants(0)],
    ]),
    new Set(),
    new Set(),
    guess,
  );
  const isUnknown = L.eq(length, L.bits(0n, 32));
  expect(candidates).toEqual([L.or(L.not(isMode(1)), isUnknown, isPositive)]);
});

test.each([
  ['one value', states([1, 1], [1, 2], [1, 3]), new Map([[mode, constants(0, 1)]])],
  ['few states of each', states([0, 0], [0, 1], [1, 1], [1, 2]), new Map([[mode, constants(0, 1)]])],
  [
    'many values',
    states(...Array.from({ length: 27 }, (_, i) => [i % 9, 1 + i] as const)),
    new Map([[mode, constants(0, 1)]]),
  ],
  ['no comparison', states([0, 0], [0, -1], [0, 2], [1, 1], [1, 2], [1, 3]), new Map()],
  [
    'a number that is compared with one',
    states([0, 0], [0, -1], [0, 2], [7, 1], [7, 2], [7, 3]),
    new Map([[mode, constants(0)]]),
  ],
])('nothing is guessed with %s', (_, seen, compared: ReadonlyMap<Term, ReadonlySet<Term>>) => {
  expect(partitionedCandidates(seen, observables, compared, new Set(), new Set(), guess)).toEqual([]);
});

test('a mode is what is compared with constants', () => {
  const program = loadProgram(
    [
      file(
        'static int mode, count, other; ' +
          'int f(int k) { switch (mode) { case 0: if (k == 3) mode = 1; return 0; case 1: count++; ' +
          'return 10 / (count + 1); } other = k; return other < 3; }',
      ),
    ],
    {},
  );
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: program.functions,
    checkedProperties: new Set(['div-by-zero']),
  });
  const compared = new Map(
    [...comparedWithConstants(system)].map(([term, constants]) => [printTerm(term, system.vocabulary), constants.size]),
  );
  expect(compared.get('mode')).toBe(2);
  expect(compared.get('k')).toBe(1);
  expect(compared.has('other')).toBe(false);
});

inLongForm.each(['mode_and_counter', 'slots_in_use', 'mode_not_seen'])(
  '%s is proved, and its wrong twin is not',
  async (name) => {
    const verdicts = [];
    for (const file of [name, `${name}_wrong`])
      verdicts.push(
        await verify(task(fixture(`programs/module/${file}.c`), { properties: ['memsafety', 'div-by-zero'] })),
      );
    expect(verdicts.map(({ kind }) => kind)).toEqual(['proved', 'bug']);
  },
);
