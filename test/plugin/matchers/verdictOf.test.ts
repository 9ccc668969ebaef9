/** What the prover says, in the words of the user's file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadC } from '../../../plugin';
import { moduleOf } from '../../../plugin/session/cModule';
import { verdictOn } from '../../../plugin/matchers/verdictOf';
import { potentialError } from '../../report/verdicts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-words-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A prover that suggests a probe for the variable it was told. */
const suggesting = (script: string): void => {
  const said = (suggestion: string) => ({
    ...potentialError,
    errors: potentialError.errors.map((error) => ({ ...error, suggestion })),
    reason: { ...potentialError.reason, suggestion },
  });
  writeFileSync(
    script,
    `process.once('message', ({ task }) => ` +
      `process.send({ kind: 'verdict', ` +
      `verdict: JSON.parse(${JSON.stringify(JSON.stringify(said('VARIABLE.probe()')))}.replaceAll('VARIABLE', ` +
      'task.variable)) }, () => process.disconnect()));',
  );
};

test("the prover learns the module's name in the test file, and that a file is only partly known", async () => {
  const source = join(folder, 'm.c');
  writeFileSync(source, 'int n; int get(void) { return n; }');
  const script = join(folder, 'prover.js');
  suggesting(script);
  const counter = loadC(source);
  counter.get();
  const heard = await verdictOn(moduleOf(counter)!, {}, { script });
  expect(heard).toMatchObject({
    kind: 'potential-error',
    errors: [{ suggestion: 'counter.probe()' }, {}],
    reason: { suggestion: 'counter.probe()' },
  });
  expect(heard.remarks.at(-1)).toContain('the states of 1 call by tests');
});

test('a module that no variable holds has no name in the test file', () => {
  const source = join(folder, 'm.c');
  writeFileSync(source, 'int n; int get(void) { return n; }');
  const open = () => loadC(source);
  const opened = open();
  expect(moduleOf(opened)!.variable).toBeUndefined();
  const holder: { opened?: unknown } = { opened };
  let late: unknown;
  if (holder.opened === opened) late = loadC(source);
  expect(moduleOf(late)!.variable).toBe('late');
});
