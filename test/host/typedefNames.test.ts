/**
 * A structure that only a typedef names is called by that name, in messages, in tests to paste, and where types are
 * asked for.
 */
import { printType } from '../../src/c';
import { verify } from '../../src/index';
import { loadProgram } from '../../src/program';
import { file, task } from '../engines/task';

const text =
  'typedef struct { unsigned count, limit; } quota_t; typedef enum { OFF, ON } mode_t; mode_t mode;\n' +
  'int share(const quota_t *q) { return q ? (int)(q->count / q->limit) : 0; }';

test('in types', () => {
  const { typedefs } = loadProgram([file(text)], {});
  expect(printType(typedefs.get('quota_t')!)).toBe('quota_t');
  expect(printType({ kind: 'pointer', to: typedefs.get('quota_t')! }, 'q')).toBe('quota_t *q');
  expect(printType(typedefs.get('mode_t')!)).toBe('mode_t');
});

test('in a counterexample, whose test can be pasted', async () => {
  const verdict = await verify(task(file(text)));
  if (verdict.kind !== 'bug') throw new Error(verdict.kind);
  expect(verdict.counterexample.test).toContain("alloc('quota_t', ");
  expect(verdict.remarks).toEqual([]);
});
