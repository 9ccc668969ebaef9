/**
 * R15: the tutorial followed literally gives what it says: a bug, its test, the repair, a proof; then a potential error
 * and the probe that settles it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inLongForm, isLong } from '../long';
import { snippetsOf } from './pages';
import { Project } from './project';
import { describeWith, removeProjects, root, UserProject, type RunnerName } from './userProject';

const page = 'docs/tutorial.md';
const section = (name: string, language: string): string[] =>
  snippetsOf(page, name)
    .filter((s) => s.language === language)
    .map(({ text }) => text);
/** However slow the machine is. */
const patient = (tests: string): string => tests.replace('toBeVerified()', 'toBeVerified({ budget: 600_000 })');
const tutorialTests = (): string[] => section('1. A module and its tests', 'js');
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

let user: Project;
beforeAll(() => {
  user = new Project({});
});
afterAll(() => {
  user.remove();
  removeProjects();
});

test('R15 the tutorial: from nothing to a bug to a proof', () => {
  user.write('ring.c', section('1. A module and its tests', 'c')[0]!);
  const [config, tests] = tutorialTests();
  expect(config).toContain("preset: 'provest'");
  user.write('ring.test.js', tests!);
  expect(user.jest().status).toBe(0);

  const asked = section('2. Ask for more', 'js')[0]!;
  user.write('ring.test.js', `${tests!}\n${patient(asked)}`);
  const bug = user.jest();
  expect(bug.status).toBe(1);
  const [shown] = section('2. Ask for more', 'text');
  // As printed, apart from how Jest indents it.
  expect(squeezed(bug.stderr)).toContain(squeezed(shown!));

  const pasted = shown!.slice(shown!.indexOf("  test('"));
  user.write('ring.test.js', `${tests!}\n${pasted}`);
  expect(user.jest()).toMatchObject({ status: 1, stderr: expect.stringContaining('ring.c:16') as string });

  user.write('ring.c', section('3. Repair', 'c')[0]!);
  const [replaced] = section('3. Repair', 'js');
  const start = tests!.indexOf("test('what was put first");
  const end = tests!.indexOf("test('a full ring");
  user.write('ring.test.js', `${tests!.slice(0, start)}${replaced!}\n${tests!.slice(end)}\n${patient(asked)}`);
  const proved = user.jest({ args: ['--verbose'] });
  expect(proved.status).toBe(0);
  expect(squeezed(proved.stderr)).toContain(squeezed(section('3. Repair', 'text')[0]!));
}, 1_200_000);

test('R15 the tutorial: a potential error, and the probe that settles it', () => {
  const [text] = section('4. A potential error', 'c');
  // That it is one is tried with the page on its cause: r6.unknown.test.ts.
  expect(snippetsOf('docs/causes/probe-too-weak.md', 'Example').map((snippet) => snippet.text)).toContain(text);
  user.write('guard.c', text!);
  expect(user.provest('verify', 'guard.c', '--budget', '5m', '--probe', 'masked: copy == (level ^ 90)')).toMatchObject({
    status: 0,
  });
}, 1_200_000);

inLongForm(
  'R15 the tutorial: what callers promise of their structures is offered, and with it the module is proved',
  () => {
    const name = '7. Structures that your callers own';
    user.write('window.c', section(name, 'c')[0]!);
    const [tests] = section(name, 'js');
    const [bug, setUp, notNull, invariant] = section(name, 'text').map(squeezed);
    user.write('window.test.js', tests!.replace(/, \{\n.*\n.*\n\}\)/, ')'));
    const without = user.jest({ args: ['window'] });
    expect(without.status).toBe(1);
    // If no test does what fails, everything that rules it out is offered.
    for (const shown of [bug!, setUp!, notNull!]) expect(squeezed(without.stderr)).toContain(shown);
    user.write('window.test.js', patient(tests!));
    const proved = user.jest({ args: ['window', '--verbose'] });
    expect(proved.status).toBe(0);
    expect(squeezed(proved.stderr)).toContain(invariant!);
  },
  1_200_000,
);

test('R15 the tutorial: what no caller excuses comes first, and the rest is proved if callers keep to it', () => {
  const name = '8. Modules with callers you do not see';
  const [module] = section(name, 'c');
  const repair = /`(if \(l == NULL \|\|[^`]*)`/.exec(readFileSync(join(root, page), 'utf8'))![1]!;
  const [bug, specification, conditional] = section(name, 'text').map(squeezed);
  user.write('log.c', module!);
  const before = user.provest('verify', 'log.c', '--budget', '2m');
  expect(before.status).toBe(1);
  for (const shown of [bug!, specification!]) expect(squeezed(before.stdout)).toContain(shown);
  user.write('log.c', module!.replace('if (l == NULL) return 0;', repair));
  const after = user.provest('verify', 'log.c', '--angelic', '--budget', '5m');
  expect(squeezed(after.stdout)).toContain(conditional!);
  expect(after.status).toBe(2);
}, 1_200_000);

/** What the tutorial says of tests in TypeScript, and in Vitest. */
describe.each<readonly [RunnerName, string]>([
  ['jest-30', ''],
  ['vitest-4', 'vitest'],
])('R15 the tutorial in TypeScript', (runner, named) =>
  describeWith(runner, () => {
    inLongForm(
      'types are checked, the bug is found, the repair is proved, and so are structures that callers own',
      () => {
        const [imports] = section('1. A module and its tests', 'ts');
        const typed = (tests: string): string =>
          tests.replace(
            "const { loadC } = require('provest');\n",
            named === '' ? imports! : imports!.replace('@jest/globals', named),
          );
        const project = new UserProject(runner, {}, runner === 'vitest-4' ? { globals: false } : {});
        if (runner !== 'vitest-4') {
          project.write({
            'jest.config.js': section('1. A module and its tests', 'js').find((text) => text.includes('ts-jest'))!,
          });
          project.install(['ts-jest', 'typescript', '@jest/globals'], root);
        }
        const asked = patient(section('2. Ask for more', 'js')[0]!);
        const tests = tutorialTests()[1]!;
        project.write({
          'ring.c': section('1. A module and its tests', 'c')[0]!,
          'ring.test.ts': `${typed(tests)}\n${asked}`,
        });
        const bug = project.run();
        expect(bug.failed).toEqual(['is verified']);
        expect(bug.message('is verified')).toMatch(/ring\.c: bug \(reproduced\): index 4 is outside items\[4\]/);
        if (runner === 'vitest-4' && !isLong) return;

        project.write({
          'ring.c': section('3. Repair', 'c')[0]!,
          'window.c': section('7. Structures that your callers own', 'c')[0]!,
          'ring.test.ts':
            `${typed(tests.slice(0, tests.indexOf("test('what was put first")))}${section('3. Repair', 'js')[0]!}` +
            `\n${asked}`,
          'window.test.ts': patient(typed(section('7. Structures that your callers own', 'js')[0]!)),
        });
        for (const name of ['ring', 'window'])
          project.write({ [`${name}.d.ts`]: project.provest(['types', `${name}.c`]).stdout });
        expect(project.run()).toMatchObject({ status: 0, failed: [] });

        if (runner === 'vitest-4') return;
        project.write({
          'window.test.ts': project
            .read('window.test.ts')
            .replace('window.window_add(w, 7)', 'window.window_put(w, 7)'),
        });
        expect(project.run(['window'])).toMatchObject({
          status: 1,
          stderr: expect.stringContaining("Property 'window_put' does not exist") as string,
        });
      },
      1_200_000,
    );
  }),
);
