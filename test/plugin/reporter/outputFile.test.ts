/** What a run leaves for others: a file that cannot be written is said, and takes nothing else away. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OutputError, wantedBy, writeOutputFile } from '../../../plugin/reporter/outputFile';
import ProvestReporter from '../../../plugin/reporter';
import { writeOutputs } from '../../../plugin/reporter/runOutputs';

const base = mkdtempSync(join(tmpdir(), 'provest-outputs-'));
afterAll(() => rmSync(base, { recursive: true }));

test('folders are made; where a file is in the way of one, that is an error with the name that was asked for', () => {
  writeOutputFile('a/b/report.html', 'text', base);
  expect(readFileSync(join(base, 'a/b/report.html'), 'utf8')).toBe('text');
  expect(() => writeOutputFile('a/b/report.html/again', 'text', base)).toThrow(OutputError);
  expect(() => writeOutputFile('a/b', 'text', base)).toThrow(
    /^cannot write a\/b: .*EISDIR.*; is it a file, and may you write there\?$/,
  );
  expect(readdirSync(join(base, 'a'))).toEqual(['b']); // nothing half-written beside it
});

test('of several outputs those that can be written are, and the others fail the run', async () => {
  writeFileSync(join(base, 'file'), '');
  let said = '';
  const failures = await writeOutputs([], {
    part: undefined,
    thresholds: undefined,
    blob: 'file/blob',
    lcov: 'lcov.info',
    json: 'file/json',
    sarif: 'out.sarif',
    base,
    print: (text) => {
      said += text;
    },
  });
  expect(failures).toEqual([
    expect.stringMatching(/^cannot write file\/blob: /),
    expect.stringMatching(/^cannot write file\/json: /),
  ]);
  expect(said).toBe('provest: executed lines: lcov.info\nprovest: SARIF: out.sarif\n');
  expect(JSON.parse(readFileSync(join(base, 'out.sarif'), 'utf8'))).toMatchObject({ version: '2.1.0' });
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['0', undefined],
  ['false', undefined],
  ['off', undefined],
  ['No', undefined],
  ['1', true],
  ['true', true],
  ['on', true],
  ['report.html', 'report.html'],
  ['false.html', 'false.html'],
])('a variable of the environment that says %j', (text, wanted) => {
  expect(wantedBy(text)).toBe(wanted);
});

test('a mistake in the configuration is one line, without a stack of ours', () => {
  const mistake = (): unknown => {
    try {
      return new ProvestReporter({}, { treshold: 1 } as never);
    } catch (error) {
      return error;
    }
  };
  expect(mistake()).toBeInstanceOf(TypeError);
  expect((mistake() as Error).stack).toMatch(
    /^TypeError: provest\/reporter: there is no option 'treshold'; did you mean 'thresholds'\?[^\n]*$/,
  );
});
