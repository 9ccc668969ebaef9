/** Arrays that a precondition says are as long as a number: clients pass them so, and reads one too far are seen. */
import { precondition } from '../../../../src/engines/angelic/specifications';
import { fuzzProgram } from '../../../../src/engines/search/fuzzing';
import {
  statedLengths,
  statedNonNull,
  statedOfArguments,
  statedPointers,
} from '../../../../src/engines/search/stated/statedLengths';
import { verify } from '../../../../src/index';
import { loadProgram } from '../../../../src/program';
import type { CheckKind, Property } from '../../../../src/program/command';
import type { Requirement, Task } from '../../../../src/task';
import { file, task } from '../../task';
import { inLongForm } from '../../../long';

const decode = (last: string): string => `
#include <stddef.h>
long decode(char *buf, size_t len) {
  size_t from = 0, to = 0;
  while (from < len) {
    if (buf[from] == '%') {
      if (${last}) return -1;
      buf[to++] = (char)((buf[from + 1] - '0') * 16 + (buf[from + 2] - '0'));
      from += 3;
    } else buf[to++] = buf[from++];
  }
  return (long)to;
}`;

function requirement(path: string, name: string, text: string): Requirement {
  const one = precondition(loadProgram([path], {}), name, text);
  if (one?.kind !== 'requires') throw new Error(`${text} cannot be read`);
  return { function: name, formula: one.formula, said: { c: text } };
}

test.each([
  ['PROVEST_LENGTH(buf) >= len', 1, 5n],
  ['len <= PROVEST_LENGTH(buf) && len > 0', 1, 5n],
  ['PROVEST_LENGTH(buf) == len', 1, 5n],
  ['buf == NULL || PROVEST_LENGTH(buf) >= len', 1, 5n],
  ['len > 0 && (len <= PROVEST_LENGTH(buf) || NULL == buf)', 1, 5n],
  ['PROVEST_LENGTH(buf) > len', undefined, 6n],
  ['len < PROVEST_LENGTH(buf)', undefined, 6n],
  ['PROVEST_LENGTH(buf) >= 8', undefined, 8n],
  ['PROVEST_LENGTH(buf) >= 2 * len + 1', undefined, 11n],
  ['PROVEST_LENGTH(buf) >= (len + 2) / 3 * 4', undefined, 8n],
  ['PROVEST_LENGTH(buf) >= 8 / (len - 5)', undefined, undefined],
])('%s', (text, count, elements) => {
  const path = file(decode('0'));
  const [found, ...others] = [...statedLengths([requirement(path, 'decode', text)], loadProgram([path], {})).values()];
  expect(others).toEqual([]);
  expect(found).toMatchObject([{ array: 0, count }]);
  expect(found![0]!.elements([undefined, 5n])).toBe(elements);
});

test.each([
  'len == 0 || PROVEST_LENGTH(buf) >= len',
  'buf != NULL || PROVEST_LENGTH(buf) >= len',
  'len >= PROVEST_LENGTH(buf)',
  'PROVEST_LENGTH(buf) != len',
  'PROVEST_LENGTH(buf) >= buf[0]',
])('no length: %s', (text) => {
  const path = file(decode('0'));
  expect([...statedLengths([requirement(path, 'decode', text)], loadProgram([path], {})).values()]).toEqual([]);
});

const histogram = (highest: number): string => `
#include <provest.h>
#include <stddef.h>
static struct { char name[11]; int level; } all[12];
static size_t used;
int add(int level) {
  if (level < -3 || level > ${highest} || used >= 12) return -1;
  all[used].level = level;
  return (int)used++;
}
int count(size_t i, unsigned counts[13]) {
  PROVEST_REQUIRES(counts == NULL || PROVEST_LENGTH(counts) >= 13);
  if (i >= used || counts == NULL) return -1;
  counts[all[i].level + 3]++;
  return 0;
}`;

test.each([1, 2, 3])('what the C itself states is as long as it says, with seed %i', (seed) => {
  const isFound = (highest: number): boolean => {
    const program = loadProgram([file(histogram(highest))], {});
    const found = fuzzProgram(program, {
      entries: ['add', 'count'].map((name) => program.functionByName.get(name)!),
      checkedProperties: new Set<Property | CheckKind>(['memsafety', 'precondition']),
      permits: () => true,
      maximumCalls: 40,
      seed,
      edges: 8_000_000,
      stop: () => false,
      stated: statedOfArguments([], program),
    });
    return found !== undefined;
  };
  expect({ bug: isFound(10), correct: isFound(9) }).toEqual({ bug: true, correct: false });
});

test.each([
  ['buf != NULL', ['buf']],
  ['len > 0 && NULL != buf', ['buf']],
  ['buf == NULL || len > 0', []],
  ['buf == NULL', []],
])('never null: %s', (text, expected) => {
  const path = file(decode('0'));
  const found = statedNonNull([requirement(path, 'decode', text)], loadProgram([path], {}));
  expect([...found.values()].flatMap((names) => [...names])).toEqual(expected);
});

test.each([
  ['*text != NULL', [{ parameter: 'text', member: undefined }]],
  ['s->data != NULL && text != NULL', [{ parameter: 's', member: 'data' }]],
  ['s->data == NULL', []],
])('a pointer behind a parameter: %s', (text, expected) => {
  const path = file('struct s { int *data; };\nvoid f(char **text, struct s *s) { *text = 0; s->data = 0; }');
  const found = statedPointers([requirement(path, 'f', text)], loadProgram([path], {}));
  expect([...found.values()].flat()).toEqual(expected);
});

test('clients make objects for them', async () => {
  const path = file('int third(const char **text) { return **text ? 6 / (**text - 66) : 0; }');
  const requires = [requirement(path, 'third', 'text != NULL && *text != NULL')];
  const verdict = await verify(task(path, { requires, properties: ['div-by-zero'] }));
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'division-by-zero' } } });
});

test('an access behind an array that is just as long as its number is found, in an execution', async () => {
  const path = file(decode('from + 2 > len'));
  const asked: Partial<Task> = { properties: ['memsafety'], budget: { milliseconds: 60_000 } };
  const requires = [requirement(path, 'decode', 'PROVEST_LENGTH(buf) >= len')];
  const verdict = await verify(task(path, { ...asked, requires }));
  expect(verdict).toMatchObject({ kind: 'bug', counterexample: { failure: { check: 'dereference' } } });
});

inLongForm('without the precondition it comes first, before what the precondition excuses', async () => {
  const verdict = await verify(
    task(file(decode('from + 2 > len')), {
      properties: ['memsafety'],
      budget: { milliseconds: 60_000 },
      furtherChecks: 'briefly',
    }),
  );
  expect(verdict).toMatchObject({
    kind: 'bug',
    counterexample: { failure: { message: expect.stringContaining('from + 2') as unknown } },
  });
});
