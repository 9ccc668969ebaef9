/** C types as text: what is printed is read again as the same type. */
import type { Operation } from '../../src/host/operation';
import { formatType, parseType } from '../../src/host/typeText';
import { verify } from '../../src/index';
import { loadProgram } from '../../src/program';
import { file, task } from '../engines/task';

const program = { typedefs: new Map(), tags: new Map(), dataModel: 'lp64', enumConstants: new Map() } as const;

test.each([
  'unsigned char[16]',
  'int (*)[3]',
  'int (*)(int)',
  'int (*[1])(int)',
  'void (*)(void)',
  'long (*)(char *, ...)',
  'int (*(*)(int))[4]',
  'void (*(*)(int, void (*)(int)))(int)',
  'double (*)()',
])('%s', (text) => {
  const type = parseType(text, program);
  expect(formatType(type)).toBe(text);
  expect(parseType(formatType(type), program)).toEqual(type);
});

test('names of parameters are read, and arrays and functions are passed as pointers', () => {
  expect(formatType(parseType('int (*)(int count, char *argv[], int compare(int))', program))).toBe(
    'int (*)(int, char **, int (*)(int))',
  );
});

test.each([
  ['int (int)', 'a function is no object'],
  ['int (*)(int', "')' is missing"],
  ['int [2](int)', 'functions are no elements'],
  ['int (*)(int)[2]', 'returns neither an array nor a function'],
  ['int (*)(...)', "'...' comes last"],
  ['int (*)(int,)', 'it names no type'],
  ['int (*)(int, void)', "'void' must be the only parameter"],
  ['int (*)(void, int)', "'void' must be the only parameter"],
  ['int (*)(void x)', "'void' must be the only parameter"],
])('%s is no type of an object', (text, message) => {
  expect(() => parseType(text, program)).toThrow(message);
});

test('a null in a table of functions that a test passed is written down', async () => {
  const text = `typedef int (*task_fn)(int);
int first(task_fn *tasks, int x) { return tasks[0] ? 1 / x : 0; }`;
  const { typedefs } = loadProgram([file(text)], {});
  const type = formatType({ kind: 'array', of: typedefs.get('task_fn')!, length: 1 });
  const runs: Operation[][] = [
    [
      { kind: 'allocate', type, bytes: '00'.repeat(8) },
      { kind: 'call', function: 'first', arguments: [{ allocation: 0, offset: 0 }, { integer: '0' }], answers: [] },
    ],
  ];
  const verdict = await verify(task(file(text), { runs, budget: { milliseconds: 60_000 } }));
  expect(verdict.kind).toBe('bug');
});
