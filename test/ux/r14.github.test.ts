/** GitHub: annotations at the C line, escaped, worst first and at most ten; a summary that a job can hold. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { annotations, jobSummary } from '../../plugin/reporter/github';
import type { RunRecord } from '../../plugin/session/records';
import { bad, good, removeProjects, UserProject } from './userProject';
import { concatenate } from '../patterns';

afterAll(removeProjects);

const record = (changes: Partial<Extract<RunRecord, { kind: 'verdict' }>>): RunRecord => ({
  kind: 'verdict',
  module: 'src/a.c',
  testFile: 'src/a.test.ts',
  line: 3,
  verdict: 'bug',
  summary: 'index -1 is outside elems[8]',
  seconds: 1.25,
  obligations: 4,
  ...changes,
});

test('commands are escaped, one per failure, and ten at most', () => {
  expect(
    annotations([
      record({ verdict: 'proved' }),
      { kind: 'loaded', module: 'x.c', testFile: 'x', line: 1 },
      record({ verdict: 'unknown', summary: 'time-budget: 100 % used\nup' }),
      record({ at: { file: 'src/a,b:c.c', line: 11 } }),
      record({ at: { file: 'src/a,b:c.c', line: 11 } }),
    ]),
  ).toEqual([
    '::error file=src/a%2Cb%3Ac.c,line=11,title=provest%3A bug (reproduced)::src/a.c: index -1 is outside elems[8]',
    '::warning file=src/a.test.ts,line=3,title=provest%3A unknown::src/a.c: time-budget: 100 %25 used%0Aup',
  ]);
  expect(annotations(Array.from({ length: 30 }, (_, line) => record({ at: { file: 'a.c', line } })))).toHaveLength(10);
});

test('the summary is a table below the limit', () => {
  expect(jobSummary([])).toBe('');
  expect(
    jobSummary([
      record({ verdict: 'proved', summary: '17 obligations', covered: 3, total: 4, reused: 5, cutpoints: 5 }),
      record({ module: 'b|<c>.c' }),
    ])
      .split('\n')
      .slice(2, 6),
  ).toEqual([
    '| module | verdict | | states the tests reach | reused | time |',
    '|---|---|---|---|---|---|',
    '| b\\|&lt;c>.c | ❌ bug (reproduced) | index -1 is outside elems[8] |  |  | 1.3 s |',
    '| src/a.c | ✅ proved | 17 obligations | 3 of 4 | 5 of 5 | 1.3 s |',
  ]);
  const long = jobSummary(Array.from({ length: 5000 }, (_, i) => record({ module: `module${i}.c` })));
  expect(Buffer.byteLength(long)).toBeLessThan(64_000);
  expect(long).toMatch(/… and \d+ more/);
});

test('a run on GitHub has both', () => {
  const uses = (file: string) =>
    `const { loadC } = require('provest');\nconst m = loadC('./${file}');\n` +
    `test('calls', () => { m.push(1); });\ntest('verified', () => expect(m).toBeVerified());\n`;
  const project = new UserProject('jest-30', {
    'bad.c': bad,
    'good.c': good,
    'bad.test.js': uses('bad.c'),
    'good.test.js': uses('good.c'),
    'summary.md': '',
  });
  const { stderr } = project.run(['--ci', '-w', '1'], {
    GITHUB_ACTIONS: 'true',
    CI: 'true',
    GITHUB_STEP_SUMMARY: join(project.folder, 'summary.md'),
  });
  expect(stderr).toContain(
    '::error file=bad.c,line=11,title=provest%3A bug (reproduced)::bad.c: index -1 is outside elems[4]',
  );
  const summary = readFileSync(join(project.folder, 'summary.md'), 'utf8');
  expect(summary).toMatch(
    concatenate(
      /\| bad\.c \| ❌ bug \(reproduced\) \| index -1 is outside elems\[4\] \(bad\.c:11\) \|.*\n/,
      /\| good\.c \| ✅ proved \| 4 obligations/,
    ),
  );
});
