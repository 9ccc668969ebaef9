/** A failure in the bundled C library is told at the line of the user's that called it, and where it is beneath. */
import { dirname } from 'node:path';
import { verify } from '../../src';
import { formatVerdict, verdictToJson, verdictToSarif } from '../../src/report';
import type { Verdict } from '../../src/verdict';
import { file, task } from '../engines/task';
import { expectValid } from '../schemas';

const source = `#include <string.h>
static unsigned long size(const char *s) { return strlen(s); }
static const char letters[2] = { 'a', 'b' };
unsigned long count(void) {
  return size(letters);
}
`;

test('text, JSON, SARIF and the test name the line that calls the library', async () => {
  const path = file(source);
  const base = dirname(path);
  const verdict: Verdict = await verify(task(path));
  if (verdict.kind !== 'bug') throw new Error(verdict.kind);
  const { failure, test: printed } = verdict.counterexample;
  expect(failure.place).toMatchObject({ file: '<provest>/string/strlen.c', function: 'strlen' });
  expect(failure.caller?.place).toMatchObject({ file: path, line: 2, function: 'size' });
  const name = path.slice(base.length + 1);
  expect(printed).toContain(`${name}:2`);

  const context = { version: '1', base, files: [path] };
  const text = formatVerdict(verdict, { color: false, base });
  const [place, excerpt, beneath] = [
    `at ${name}:2:`,
    '> 2 | static unsigned long size',
    'from there, at <provest>/string/strlen.c:',
  ].map((part) => text.indexOf(part));
  expect(place).toBeGreaterThan(0);
  expect(excerpt).toBeGreaterThan(place!);
  expect(beneath).toBeGreaterThan(excerpt!);

  const json = verdictToJson(verdict, 'module', context);
  expectValid('verdict', json);
  expect(json.counterexample?.failure.caller?.place).toMatchObject({ file: name, line: 2 });
  const [result] = verdictToSarif(verdict, context).runs[0]!.results;
  expect(result?.locations?.[0]?.physicalLocation?.artifactLocation?.uri).toBe(name);
});

test('a failure in the own file has no caller', async () => {
  const verdict = await verify(task(file('int f(int *p) { return *p; }')));
  expect(verdict.kind === 'bug' && verdict.counterexample.failure).not.toHaveProperty('caller');
});

test('calls that fail in one line of the library are two failures, one that fails in two of them is one', async () => {
  const path = file(
    '#include <string.h>\nstatic char name[4], title[4];\n' +
      'void rename(void) { strcpy(name, "Ann Smith"); }\nvoid promote(void) { strcpy(title, "director"); }\n',
  );
  const verdict = await verify(task(path));
  const text = formatVerdict(verdict, { color: false, base: dirname(path) });
  const name = path.slice(dirname(path).length + 1);
  const [told, ...further] = text.split('Further checks that fail');
  expect(told).toMatch(`at ${name}:3:`);
  expect(further.join('').match(new RegExp(`^  ${name}:\\d`, 'gm'))).toEqual([`  ${name}:4`]);
});
