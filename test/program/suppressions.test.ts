/** Comments that take checks out of a proof: for their line or the next, named, with a reason; tests go on checking. */
import { CError } from '../../src/c/diagnostics/diagnostic';
import { loadProgram } from '../../src/program';
import { verify } from '../../src/engines/portfolio/verify';
import { file, task } from '../engines/task';

const read = (text: string, suppress = true) => loadProgram([file(text)], { suppress });
const checksOf = (text: string, suppress = true) =>
  read(text, suppress)
    .functions.filter(({ library }) => !library)
    .flatMap(({ edges }) =>
      edges.flatMap(({ command }) =>
        command.kind === 'check' ? [command.check] : command.kind === 'assume' ? ['assume'] : [],
      ),
    );

test('a comment beside or above names a check or property; defined behaviour goes on, the rest is assumed', () => {
  expect(checksOf('int t[4]; int get(unsigned i) { return t[i]; }')).toEqual(['array-bounds']);
  expect(checksOf('int t[4]; int get(unsigned i) { return t[i]; /* provest-suppress array-bounds: why */ }')).toEqual([
    'assume',
  ]);
  expect(
    checksOf(
      'int t[4]; int get(unsigned i) {\n  // provest-suppress memsafety: why\n  // and more\n\n  return t[i];\n}',
    ),
  ).toEqual(['assume']);
  expect(checksOf('int add(int a, int b) { return a + b; } // provest-suppress overflow, array-bounds: wraps')).toEqual(
    [],
  );
  expect(checksOf('int add(int a, int b) { return a + b; } // provest-suppress overflow: wraps', false)).toEqual([
    'signed-overflow',
  ]);
  expect(
    checksOf(
      '#define GET(i) t[i]\nint t[4];\nint get(unsigned i) { return GET(i); } ' +
        '// provest-suppress array-bounds: in a macro',
    ),
  ).toEqual(['assume']);
});

test('what was taken out is listed, and so is a comment for nothing', () => {
  const { suppressed, idleSuppressions } = read(
    '// provest-suppress leak: nothing here\n' +
      'int t[4]; int get(unsigned i) {\n  return t[i]; // provest-suppress array-bounds: callers know\n}',
  );
  expect(suppressed).toMatchObject([{ check: 'array-bounds', text: 't[i]', reason: 'callers know' }]);
  expect(idleSuppressions).toHaveLength(1);
});

test.each([
  ['// provest-suppress array-bounds', 'a suppression needs a reason'],
  ['// provest-suppress array-bounds:', 'a suppression needs a reason'],
  ['/* provest-suppress array-bound: x */', "'array-bound' is no check"],
  ['// provest-suppress : x', 'a suppression names the checks it is for'],
])('%s is an error', (comment, message) => {
  for (const suppress of [true, false])
    expect(() => read(`int t[4]; int get(unsigned i) { return t[i]; } ${comment}`, suppress)).toThrow(CError);
  expect(() => read(`int t[4]; int get(unsigned i) { return t[i]; } ${comment}`)).toThrow(message);
});

test('a proof of the rest says so, and what is not suppressed is still found', async () => {
  const text =
    'static int t[4]; static int n;\n' +
    'int get(unsigned i) {\n  return t[i]; // provest-suppress array-bounds: callers know\n}\n' +
    'int next(void) { n = n < 3 ? n + 1 : 0; return t[n]; }\n';
  expect(await verify(task(file(text)))).toMatchObject({
    kind: 'proved',
    suppressed: [{ check: 'array-bounds', property: 'memsafety', place: { line: 3 }, reason: 'callers know' }],
  });
  expect(await verify(task(file(text.replace('n < 3', 'n < 4'))))).toMatchObject({
    kind: 'bug',
    counterexample: { failure: { place: { line: 5 } } },
    suppressed: [{}],
  });
}, 120_000);

test('a check that can never hold does not make what follows it proved', async () => {
  const text =
    '#include <assert.h>\nstatic int t[4];\n' +
    'int get(unsigned i) {\n  int v = t[9]; // provest-suppress array-bounds: wrong\n  assert(i == 1);\n' +
    '  return v;\n}\n';
  expect(await verify(task(file(text)))).toMatchObject({ kind: 'unknown', reason: { cause: 'vacuous' } });
}, 120_000);
