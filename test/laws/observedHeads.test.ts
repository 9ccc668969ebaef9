/**
 * Conditions that keep their truth in a loop are evaluated once for it. What is recorded is the same as if each were
 * evaluated at every arrival: a loop may be left and begun again with other values, and calls, stores, and the begin
 * and the end of objects may change what a condition reads.
 */
import fc from 'fast-check';
import * as E from '../../src/program/build';
import { int64, uint8, type Expression } from '../../src/program/expression';
import { loadProgram, type FunctionDefinition } from '../../src/program';
import type { ObservedPredicateMap } from '../../src/semantics';
import { questionsAtHeads, recordedStates } from '../differential/recordedStates';
import { file } from '../engines/task';

const text = `
  #include <stdlib.h>
  static int level;
  static char first[7], second[12];
  static void raise(int by, int depth) { if (depth) raise(by, depth - 1); else level += by; }
  static int nested(int n, int m) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      int limit = m - i;
      for (int k = 0; k < limit; k++) for (int j = k; j < 3; j++) sum += j ^ i;
      if (i % 3 == 2) m++;
    }
    return sum & 1023;
  }
  static int walked(int n, int m) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      const char *p = i % 2 ? first : second, *end = p + (m & 7);
      for (; p < end; p++) sum += *p;
      if (i % 5 == 4) end = second + 12;
      while (p < end && i % 5 == 4 && i % 2 == 0) p += 2, sum++;
    }
    return sum;
  }
  static int called(int n, int m) {
    int i = 0;
    for (level = m; i < n; i++) { raise(1, 1); if (level > 20) level = m; }
    for (; i > 0; i--) raise(-1, 1);
    return i;
  }
  static int declared(int n, int m) {
    int sum = 0;
    int *kept = NULL;
    for (int i = 0; i < n; i++) {
      int own[2] = { i, m };
      int *p = own;
      for (int k = 0; k < 2; k++) sum += p[k];
      if (i % 3 == 0) kept = own;
      sum += kept == own;
    }
    return sum & 255;
  }
  static int freed(int n, int m) {
    char *block = malloc(4);
    if (!block) return -1;
    const char *other = block;
    int lives = 1;
    for (int i = 0; i < n; i++) {
      if (lives && i == m) { free(block); lives = 0; }
      if (!lives && i == m + 9) { block = malloc(9); if (!block) return -2; lives = 1; }
    }
    if (lives) free(block);
    for (int i = 0; i < 2; i++) lives += other != NULL;
    return lives;
  }
  static int stored(int n, int m) {
    unsigned char cell = 0, *p = (unsigned char *)second + (m & 3);
    int sum = 0;
    for (int i = 0; i < n; i++) { *p = i / 4; sum += second[1]; }
    p = &cell;
    for (int i = 0; i < n; i++) { *p = i / 4; sum += cell; if (i == m) p = (unsigned char *)first; }
    return sum & 255;
  }
  int run(int n, int m) {
    int sum = 0;
    for (int round = 0; round < 900; round++) {
      /* Most of what there is to see comes when the functions are compiled. */
      int rounds = round < 870 ? 1 : n, more = round < 870 ? 0 : m;
      sum += nested(rounds, more) + walked(rounds, more + round % 16) + called(rounds, more);
      sum += declared(rounds, more) + freed(rounds, more + round % 4) + stored(rounds, more + round % 3);
      sum &= 1023;
    }
    return sum;
  }`;

function conditionsOf(fn: FunctionDefinition, globals: readonly Expression[], bounds: readonly number[]): Expression[] {
  const named = fn.variables.filter(({ temporary }) => !temporary).map(E.read);
  const numbers = [...named.filter(({ type }) => type.kind === 'integer'), ...globals].map((e) => E.convert(e, int64));
  const pointers = named.filter(({ type }) => type.kind === 'pointer');
  const at = (n: number) => E.integer(n, int64);
  return [
    ...numbers.flatMap((e) => bounds.map((bound) => E.atMost(e, at(bound)))),
    ...numbers.slice(1).map((e, i) => E.less(numbers[i]!, e)),
    ...pointers.flatMap((p) => [
      E.isLive(p),
      E.less(E.objectSize(p), at(8)),
      E.equal(E.objectSize(E.offset(p, at(3))), at(12)),
      E.atMost(E.offsetOf(p), at(bounds[0]!)),
      E.equal(E.load(uint8, p), E.integer(bounds[0]! & 3, uint8)),
    ]),
    ...pointers.slice(1).map((p, i) => E.equal(E.objectOf(pointers[i]!), E.objectOf(p))),
  ];
}

test.each(['lp64', 'ilp32'] as const)('%s: the same is recorded', (dataModel) => {
  const program = loadProgram([file(text)], { externals: 'any', dataModel });
  const run = program.functionByName.get('run')!;
  const globals = program.globals.flatMap(({ variable }) => (variable.name === 'level' ? [E.read(variable)] : []));
  expect(globals).toHaveLength(1);
  const number = fc.integer({ min: 2, max: 14 });
  let [reports, steps, states] = [0, 0, 0];
  fc.assert(
    fc.property(number, number, fc.array(number, { minLength: 1, maxLength: 2 }), (n, m, bounds) => {
      const observed = questionsAtHeads(program, (fn) => conditionsOf(fn, globals, bounds));
      const [every, inPlace] = (['every arrival', 'in place'] as const).map((how) =>
        recordedStates(program, observed, how, (machine) => machine.call(run, [n, m]), {}),
      );
      expect(inPlace!.states).toEqual(every!.states);
      expect(inPlace!.machine.steps).toBe(every!.machine.steps);
      reports += inPlace!.reports;
      steps += inPlace!.machine.compiledSteps;
      states += every!.states.length;
    }),
    { numRuns: 8 },
  );
  expect(states).toBeGreaterThan(200);
  expect(steps).toBeGreaterThan(20 * reports);
});

/** Questions about one or two of the variables only: most depend on the loop's own counter, or on nothing in it. */
function narrowConditions(fn: FunctionDefinition, pick: number, bounds: readonly number[]): Expression[] {
  const named = fn.variables.filter(({ temporary, type }) => !temporary && type.kind === 'integer').map(E.read);
  const [first, second] = [named[pick % named.length], named[(pick >> 5) % named.length]];
  if (!first || !second) return [];
  const [a, b] = [E.convert(first, int64), E.convert(second, int64)];
  return [
    ...bounds.map((bound) => E.atMost(a, E.integer(bound, int64))),
    ...bounds.map((bound) => E.equal(b, E.integer(bound - 1, int64))),
    ...(pick & 16 ? [E.less(b, a)] : []),
  ];
}

test('the same is recorded of loops that are begun again and again with the same counters', () => {
  const program = loadProgram([file(text)], { externals: 'any' });
  const run = program.functionByName.get('run')!;
  const number = fc.integer({ min: 2, max: 14 });
  let [reports, steps] = [0, 0];
  fc.assert(
    fc.property(
      number,
      number,
      fc.array(number, { minLength: 2, maxLength: 3 }),
      fc.nat(1023),
      (n, m, bounds, seed) => {
        const observed: ObservedPredicateMap = new Map(
          program.functions.flatMap((fn, i) =>
            fn.locations
              .filter((location) => location.isLoopHead || location === fn.entry)
              .map((location) => {
                const pick = (seed * 37 + i * 101 + location.index * 59) & 1023;
                return [location, { conditions: narrowConditions(fn, pick, bounds), perEntry: true }];
              }),
          ),
        );
        const [every, inPlace] = (['every arrival', 'in place'] as const).map((how) =>
          recordedStates(program, observed, how, (machine) => machine.call(run, [n, m]), {}),
        );
        expect(inPlace!.states).toEqual(every!.states);
        expect(inPlace!.machine.steps).toBe(every!.machine.steps);
        reports += inPlace!.reports;
        steps += inPlace!.machine.compiledSteps;
      },
    ),
    { numRuns: 12 },
  );
  expect(steps).toBeGreaterThan(20 * reports);
});
