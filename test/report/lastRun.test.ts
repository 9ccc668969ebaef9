/** Verdicts that an editor shows later: kept with the texts they are about, and with no other. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fingerprintsOf, readLastRun, verdictToJson, writeLastRun, type LastVerdict } from '../../src/report';
import { bug } from './verdicts';

let folder: string;
const at = (name: string): string => join(folder, name);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-last-'));
  for (const name of ['a.c', 'a.test.js', 'b.test.js']) writeFileSync(at(name), `text of ${name}`);
  writeFileSync(at('package.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

const verdictOf = (test: string, line = 1): LastVerdict => ({
  testFile: at(test),
  line,
  variable: 'a',
  sources: fingerprintsOf([at('a.c'), at(test)]),
  base: folder,
  verdict: verdictToJson(bug, 'module', { version: '1', base: folder, files: [at('a.c')] }),
});
const read = (): readonly string[] =>
  readLastRun(folder, '1').map(({ testFile, line }) => `${testFile.slice(folder.length + 1)}:${line}`);
const write = (tests: readonly string[], verdicts: readonly LastVerdict[]): void => {
  writeLastRun(folder, '1', new Set(tests.map(at)), verdicts);
};

test('a run replaces the verdicts of its test files and keeps those of others that exist', () => {
  write(['a.test.js', 'b.test.js'], [verdictOf('a.test.js'), verdictOf('b.test.js')]);
  write(['a.test.js'], [verdictOf('a.test.js', 7)]);
  expect(read()).toEqual(['b.test.js:1', 'a.test.js:7']);
  rmSync(at('b.test.js'));
  write(['a.test.js'], []);
  expect(read()).toEqual([]);
  expect(readFileSync(at('.provest/.gitignore'), 'utf8')).toBe('*\n');
});

test('a verdict on a text that changed while it was proved is not kept', () => {
  const one = verdictOf('a.test.js');
  writeFileSync(at('a.c'), 'another text');
  write(['a.test.js'], [one]);
  expect(read()).toEqual([]);
});

test('what is damaged or of another version is as good as none', () => {
  write(['a.test.js'], [verdictOf('a.test.js')]);
  expect(readLastRun(folder, '2')).toEqual([]);
  for (const text of ['', '{', 'null', '[]', '{"format":1,"provest":"1"}']) {
    writeFileSync(at('.provest/last-run'), text);
    expect(readLastRun(folder, '1')).toEqual([]);
  }
});
