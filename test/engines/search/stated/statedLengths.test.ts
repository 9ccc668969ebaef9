/** Arrays that a precondition says are as long as a number: clients pass them so, and reads one too far are seen. */
import { precondition } from '../../../../src/engines/angelic/specifications';
import { statedLengths, statedNonNull, statedPointers } from '../../../../src/engines/search/stated/statedLengths';
import { verify } from '../../../../src/index';
import { loadProgram } from '../../../../src/program';
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
  ['PROVEST_LENGTH(buf) >= len', [{ array: 0, count: 1 }]],
  ['len <= PROVEST_LENGTH(buf) && len > 0', [{ array: 0, count: 1 }]],
  ['PROVEST_LENGTH(buf) == len', [{ array: 0, count: 1 }]],
  ['buf == NULL || PROVEST_LENGTH(buf) >= len', [{ array: 0, count: 1 }]],
  ['len > 0 && (len <= PROVEST_LENGTH(buf) || NULL == buf)', [{ array: 0, count: 1 }]],
  ['len == 0 || PROVEST_LENGTH(buf) >= len', []],
  ['buf != NULL || PROVEST_LENGTH(buf) >= len', []],
  ['len >= PROVEST_LENGTH(buf)', []],
  ['PROVEST_LENGTH(buf) >= 8', []],
])('%s', (text, expected) => {
  const path = file(decode('0'));
  const found = statedLengths([requirement(path, 'decode', text)], loadProgram([path], {}));
  expect([...found.values()].flat()).toEqual(expected);
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
