/**
 * R13: the report is reached from Jest and from the command line, holds every module of the run, and its path is
 * printed last.
 */
import { readReport } from '../../src/report/html/difference';
import { inLongForm } from '../long';
import { Project } from './project';

const bad =
  'static int elems[4];\nstatic int size;\nint push(int k) {\n  if (size >= 4) return 0;\n  elems[size] = k;\n' +
  '  size++;\n  return 1;\n}\nint pop(void) {\n  size--;\n  return elems[size];\n}\n';
const good = bad.replace('  size--;', '  if (size == 0) return 0;\n  size--;');
const tests = (file: string) => `const { loadC } = require('provest');
const m = loadC('./${file}');
m.probe('room', (s) => s.size < 4);
test('pushes', () => { m.push(1); expect(m.pop()).toBe(1); });
test('is verified', () => expect(m).toBeVerified());
`;
const projects: Project[] = [];
afterAll(() => {
  for (const project of projects) project.remove();
});
function project(files: Readonly<Record<string, string>>, config?: object): Project {
  const made = new Project(files, config);
  projects.push(made);
  return made;
}

test('R13 one report for all modules of a Jest run, and the next one tells what was fixed', () => {
  const user = project(
    { 'bad.c': bad, 'good.c': good, 'bad.test.js': tests('bad.c'), 'good.test.js': tests('good.c') },
    { reporters: ['default', ['provest/reporter', { html: true }]] },
  );
  const first = user.jest();
  expect(first.status).toBe(1);
  expect(first.stderr.split('\n').filter((line) => line.startsWith('provest: '))).toEqual([
    'provest: report: .provest/report.html',
  ]);
  const html = user.read('.provest/report.html');
  expect(readReport(html)!.modules.map(({ name, word }) => [name, word])).toEqual([
    ['bad.c', 'bug (reproduced)'],
    ['good.c', 'proved'],
  ]);
  expect(html).not.toContain(user.folder);
  user.write('bad.c', good);
  expect(user.jest().status).toBe(0);
  const again = readReport(user.read('.provest/report.html'))! as unknown as {
    modules: { difference: { before: string; fixed: { title: string }[]; introduced: unknown[] } }[];
  };
  expect(again.modules[0]!.difference).toMatchObject({
    before: 'bug (reproduced)',
    fixed: [{ title: 'index -1 is outside elems[4]' }],
    introduced: [],
  });
});

inLongForm('R13 no report is written unless asked for, and PROVEST_HTML asks for once', () => {
  const user = project({ 'good.c': good, 'good.test.js': tests('good.c') });
  expect(user.jest().status).toBe(0);
  expect(user.has('.provest/report.html')).toBe(false);
  user.jest({ env: { PROVEST_HTML: 'out/r.html' } });
  expect(readReport(user.read('out/r.html'))!.modules).toHaveLength(1);
});

test('R13 provest verify --html, its path last; C files are not overwritten', () => {
  const user = project({ 'bad.c': bad });
  const ran = user.provest('verify', 'bad.c', '--html', 'r.html');
  expect([ran.status, ran.stdout.trimEnd().split('\n').at(-1)]).toEqual([1, 'report: r.html']);
  expect(readReport(user.read('r.html'))!.modules.map(({ name }) => name)).toEqual(['bad.c']);
  const json = user.provest('verify', 'bad.c', '--html', 'r.html', '--json');
  expect((JSON.parse(json.stdout.trimEnd().split('\n').at(-1)!) as { verdict: string }).verdict).toBe('bug');
  expect(user.provest('verify', 'bad.c', '--html', 'bad.c')).toMatchObject({ status: 3 });
  expect(user.read('bad.c')).toBe(bad);
});
