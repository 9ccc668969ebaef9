/**
 * The heartbeat under Vitest: one live line below the block that Vitest draws, sparse lines elsewhere, the log. Ctrl-C
 * is tried in r5.
 */
import { hard } from './hard';
import { hasTerminal, onTerminal, screenOf } from './screen';
import { describeWith, good, removeProjects, UserProject } from './userProject';
import { inLongForm } from '../long';
import { concatenate } from '../patterns';

afterAll(removeProjects);

const uses = (file: string, options = '') =>
  `import { expect, test } from 'vitest';\nimport { loadC } from 'provest';\nconst m = loadC('./${file}');\n` +
  `test('calls', () => { m.${file === 'hard.c' ? 'first(1)' : 'push(1)'}; });\n` +
  `test('${file} is verified', () => expect(m).toBeVerified(${options}));\n`;

describeWith('vitest-4', () => {
  (hasTerminal ? inLongForm : test.skip)('in a terminal there is one live line, which leaves no trace', async () => {
    const project = new UserProject('vitest-4', {
      'hard.c': hard,
      'good.c': good,
      'hard.test.js': uses('hard.c', '{ budget: 7000 }'),
      'good.test.js': uses('good.c'),
    });
    const session = await onTerminal([process.execPath, ...project.command], project.folder, {});
    const line = concatenate(
      /hard\.c: /,
      new RegExp(
        'starting|(reading the C|looking for a proof|checking the proof again|' +
          String.raw`proving( \w+)?: \d+ of \d+ checks?)(, \d+ of \d+ obligations)?`,
      ),
      /, \d+ s of 7 s/,
    );
    const moments = session.chunks.filter(({ text }) => line.test(text)).map(({ ms }) => ms);
    const gaps = moments.slice(1).map((ms, i) => ms - moments[i]!);
    expect(gaps.length).toBeGreaterThan(2);
    expect(Math.max(...gaps)).toBeLessThan(2000);
    const screen = screenOf(session.text);
    expect(screen.filter((shown) => / s of \d+ s/.test(shown))).toEqual([]);
    expect(screen.filter((shown) => /^ +Tests /.test(shown))).toEqual([
      expect.stringContaining('1 failed | 3 passed (4)'),
    ]);
    expect(screen.join('\n')).toMatch(/provest\n +✓ +good\.c +proved .*\n +\? +hard\.c +unknown /);
    expect(session.code).toBe(1);
  });

  inLongForm(
    'without a terminal: no control codes, a line per module, --reporter=verbose adds the rest, the log has all',
    () => {
      const project = new UserProject('vitest-4', { 'good.c': good, 'good.test.js': uses('good.c') });
      const quiet = project.run([], { PROVEST_CACHE: 'off' });
      expect(quiet.status).toBe(0);
      expect(quiet.stdout + quiet.stderr).not.toMatch(/[\x1b\r]/);
      expect(
        quiet.stderr
          .trim()
          .split('\n')
          .map((line) => line.replace(/\d+\.\d s/, '')),
      ).toEqual(['provest', '  ✓  good.c  proved  4 obligations, ']);
      expect(project.read('.provest/log')).toMatch(
        /== good\.c \(good\.test\.js:3\)\n( +\d+\.\d s {2}.*\n)+\ngood\.c: proved: [^]*Relative to:/,
      );
      const verbose = project.run(['--reporter=verbose', '--reporter=provest/vitest-reporter']);
      expect(verbose.stderr).toMatch(/good\.c: proved: [^]*Relative to:[^]*Between any two calls:/);
    },
  );
});
