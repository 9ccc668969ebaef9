/** Checks that fail only if several conditions are false at once. */
import { fuzzProgram } from '../../../src/engines/search/fuzzing';
import { PartialFailures } from '../../../src/engines/search/partialFailures';
import { type Argument, runScenario } from '../../../src/evidence/scenarios/scenario';
import type { Property } from '../../../src/program/command';
import type { Program } from '../../../src/program/program';
import { programOf } from '../../program/programOf';

const options = { checkedProperties: new Set<Property>(['memsafety']), permits: () => true, stepLimit: 1_000_000 };
const some = (program: Program, seed: number, edges: number): boolean =>
  fuzzProgram(program, {
    ...options,
    entries: program.functions.filter(({ linkage, library }) => linkage === 'external' && !library),
    maximumCalls: 40,
    seed,
    edges,
    stop: () => false,
  }) !== undefined;

test('a set of conditions that are false together is new once', () => {
  const program = programOf(`
    #include <string.h>
    static char own[16];
    char *get(void) { return own; }
    void set(unsigned at, const char *bytes, unsigned n) {
      if (bytes && at <= 8 && n <= 4) memcpy(own + at, bytes, n);
    }`);
  const partial = new PartialFailures(program, ({ check }) => check === 'overlapping-copy');
  const [get, set] = ['get', 'set'].map((name) => program.functionByName.get(name)!);
  const number = (value: number): Argument => ({ kind: 'scalar', value });
  const own: Argument = { kind: 'earlier', call: 0, argument: -1 };
  const other: Argument = {
    kind: 'object',
    type: { kind: 'array', of: { kind: 'integer', name: 'char', widthBits: 8, signed: true }, length: 4 },
    contents: [1, 2, 3, 4],
  };
  const isNew = (at: number, bytes: Argument, n: number): boolean => {
    runScenario(
      program,
      {
        calls: [
          { fn: get!, arguments: [] },
          { fn: set!, arguments: [number(at), bytes, number(n)] },
        ],
        answers: [],
      },
      { ...options, observe: (machine) => partial.watch(machine) },
    );
    return partial.isNew();
  };
  // Another object; then the same, at the same place; then apart; and then the copy of nothing.
  expect(isNew(8, other, 4)).toBe(true);
  expect(isNew(8, other, 3)).toBe(false);
  expect(isNew(0, own, 4)).toBe(true);
  expect(isNew(8, own, 4)).toBe(true);
  expect(isNew(7, own, 2)).toBe(false);
  expect(isNew(8, own, 0)).toBe(true);
});

const logs = (copy: string): Program =>
  programOf(`
    #include <provest.h>
    #include <stdlib.h>
    #include <string.h>
    static struct { char *data; unsigned used; } logs[2];
    int log_open(unsigned i) {
      if (i >= 2) return -1;
      if (logs[i].data == NULL) logs[i].data = calloc(1, 4);
      logs[i].used = 0;
      return logs[i].data != NULL;
    }
    int log_write(unsigned i, const char *bytes, unsigned n) {
      if (bytes == NULL || PROVEST_LENGTH(bytes) < n) return -1;
      if (i >= 2 || logs[i].data == NULL || n > 4 - logs[i].used) return -1;
      ${copy}(logs[i].data + logs[i].used, bytes, n);
      logs[i].used += n;
      return 0;
    }
    const char *log_text(void) { return logs[0].data; }`);

test('a log is written from its own text, which takes five calls that fit together', () => {
  const program = logs('memcpy');
  expect([1, 2, 3, 4, 5].filter((seed) => some(program, seed, 2_000_000)).length).toBeGreaterThanOrEqual(2);
  expect(some(logs('memmove'), 1, 1_000_000)).toBe(false);
});
