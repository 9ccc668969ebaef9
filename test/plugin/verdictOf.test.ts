/** What the prover says, in the words of the user's file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadC } from '../../plugin';
import { moduleOf } from '../../plugin/cModule';
import { verdictOn } from '../../plugin/verdictOf';
import { potentialError } from '../report/verdicts';

let folder: string;
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'provest-words-')); });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a suggested probe is added to the variable that holds the module', async () => {
  const source = join(folder, 'm.c');
  writeFileSync(source, 'int n; int get(void) { return n; }');
  const suggestion = "module.probe('holds', 'n < 3');";
  const verdict = { ...potentialError, errors: potentialError.errors.map((error) => ({ ...error, suggestion })), reason: { ...potentialError.reason, suggestion } };
  const script = join(folder, 'prover.js');
  writeFileSync(script, `process.once('message', () => process.send({ kind: 'verdict', verdict: ${JSON.stringify(verdict)} }, () => process.disconnect()));`);
  const counter = loadC(source);
  counter.get();
  const heard = await verdictOn(moduleOf(counter)!, {}, { script });
  expect(heard).toMatchObject({ kind: 'potential-error', errors: [{ suggestion: "counter.probe('holds', 'n < 3');" }, {}], reason: { suggestion: "counter.probe('holds', 'n < 3');" } });
  expect(heard.remarks.at(-1)).toContain('the states of 1 call by tests');
});
