/**
 * Quiet, with a heartbeat: one line per module; while one waits one live line in a terminal, sparse plain lines
 * elsewhere; everything in a log.
 */
import { Course, writeLog } from '../../src/report';
import { summarise } from '../../plugin/reporter';
import { ifLong, isLong } from '../long';
import { hard } from './hard';
import { hasTerminal, onTerminal, screenOf, type Session } from './screen';
import { bad, good, removeProjects, UserProject } from './userProject';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { concatenate } from '../patterns';
import { besidePeer } from '../peer';

afterAll(removeProjects);
const ifTerminal = besidePeer(hasTerminal, 'no terminal can be had, so what is drawn on one is NOT tested').test;

const uses = (file: string, options = '') =>
  `const { loadC } = require('provest');\nconst m = loadC('./${file}');\n` +
  `test('calls', () => { m.${file === 'hard.c' ? 'first(1)' : 'push(1)'}; });\n` +
  `test('${file} is verified', () => expect(m).toBeVerified(${options}));\n`;

/** Milliseconds between two looks at the line. */
function gaps({ chunks }: Session, line: RegExp): number[] {
  const moments = chunks.filter(({ text }) => line.test(text)).map(({ ms }) => ms);
  return moments.slice(1).map((ms, i) => ms - moments[i]!);
}

ifTerminal('in a terminal Jest shows one live line, which leaves no trace', async () => {
  const project = new UserProject('jest-30', {
    'hard.c': hard,
    'good.c': good,
    'hard.test.js': uses('hard.c', '{ budget: 7000 }'),
    'good.test.js': uses('good.c'),
    'other.test.js': "test('other', () => {});\n",
  });
  const session = await onTerminal([process.execPath, ...project.command, '-i'], project.folder, {});
  const line = concatenate(
    /hard\.c: /,
    new RegExp(
      'starting|(reading the C|looking for a proof|checking the proof again|' +
        String.raw`proving( \w+)?: \d+ of \d+ checks?)(, \d+ of \d+ obligations)?`,
    ),
    /, \d+ s of 7 s/,
  );
  const between = gaps(session, line);
  expect(between.length).toBeGreaterThan(2);
  expect(Math.max(...between)).toBeLessThan(2000);
  const screen = screenOf(session.text);
  expect(screen.filter((shown) => / s of \d+ s/.test(shown))).toEqual([]);
  expect(
    screen
      .filter((shown) => /^ (PASS|FAIL)/.test(shown))
      .map((shown) => shown.replace(/ \(.*/, ''))
      .sort(),
  ).toEqual([' FAIL  ./hard.test.js', ' PASS  ./good.test.js', ' PASS  ./other.test.js']);
  expect(screen.filter((shown) => /^Tests: /.test(shown))).toHaveLength(1);
  expect(session.code).toBe(1);
});

ifTerminal.each<readonly [string, number]>([['', 120], ...ifLong([' without a size', 0] as const)])(
  'in a terminal%s the command does, too',
  async (_, columns) => {
    const project = new UserProject('jest-30', { 'hard.c': hard });
    const session = await onTerminal(
      [
        process.execPath,
        join(project.folder, 'node_modules/provest/dist/src/cli/main.js'),
        'verify',
        'hard.c',
        '--budget',
        '5s',
      ],
      project.folder,
      {},
      columns,
    );
    const between = gaps(session, /hard\.c: .*, \d+ s of 5 s/);
    expect(between.length).toBeGreaterThan(2);
    expect(Math.max(...between)).toBeLessThan(2000);
    expect(screenOf(session.text)[0]).toMatch(/^hard\.c: unknown: /);
  },
);

test('without a terminal: no control codes, a line per module, --verbose adds the rest, the log has all', () => {
  const project = new UserProject('jest-30', {
    'good.c': good,
    'second.c': good,
    'good.test.js': uses('good.c'),
    'second.test.js': uses('second.c'),
    'bad.c': bad,
  });
  const quiet = project.run([], { PROVEST_CACHE: 'off' });
  expect(quiet.stdout + quiet.stderr).not.toMatch(/[\x1b\r]/);
  const ours = (text: string) =>
    text
      .split('\n')
      .filter((line) => !/^(PASS|Test Suites:|Tests:|Snapshots:|Time:|Ran all|Test results|$)/.test(line));
  expect(ours(quiet.stderr).map((line) => line.replace(/\d+\.\d s/, ''))).toEqual([
    'provest',
    '  ✓  good.c    proved  4 obligations, ',
    '  ✓  second.c  proved  4 obligations, ',
  ]);
  const log = project.read('.provest/log');
  expect(log).toMatch(/^provest \d+\.\d+\.\d+, \d{4}-/);
  expect(log).toMatch(
    /== good\.c \(good\.test\.js:2\)\n( +\d+\.\d s {2}.*\n)+\ngood\.c: proved: [^]*Relative to:[^]*== second\.c/,
  );
  expect(project.read('.provest/.gitignore')).toBe('*\n');
  expect(
    spawnSync('git', ['init', '-q'], { cwd: project.folder }).status === 0 &&
      spawnSync('git', ['status', '--porcelain'], { cwd: project.folder, encoding: 'utf8' }).stdout,
  ).not.toContain('.provest');

  if (isLong)
    expect(project.run(['--verbose']).stderr).toMatch(/good\.c: proved: [^]*Relative to:[^]*Between any two calls:/);
  const off = new UserProject('jest-30', { 'bad.c': bad });
  expect(off.provest(['verify', 'bad.c'], { PROVEST_LOG: 'off' }).stderr).toBe('');
  expect(off.has('.provest/log')).toBe(false);
  expect(off.provest(['verify', 'bad.c']).stderr).toBe('');
  expect(off.read('.provest/log')).toMatch(/== bad\.c\n[^]*bad\.c: bug \(reproduced\)/);
});

test('the course of a proof is a line per second and change, not a flood', () => {
  const course = new Course(0);
  for (let ms = 0; ms < 10_000; ms += 10)
    course.add({ phase: 'solving', done: ms < 5000 ? 1 : Math.floor(ms / 100), total: 99 }, ms);
  expect(course.lines).toHaveLength(6);
  expect(course.lines[1]).toBe('    5.0 s  looking for a proof, 50 of 99 obligations');
  expect(
    writeLog('/', [{ subject: 'a', course: [], verdict: '' }], { version: '1', time: new Date() }),
  ).toBeUndefined();
  expect(summarise([]).lines).toEqual([]);
});
