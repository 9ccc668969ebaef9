/** R15: the tutorial followed literally gives what it says: a bug, its test, the repair, a proof; then a potential error and the probe that settles it. */
import { snippetsOf } from './pages';
import { Project } from './project';

const page = 'docs/tutorial.md';
const section = (name: string, language: string): string[] => snippetsOf(page, name).filter((s) => s.language === language).map(({ text }) => text);
/** However slow the machine is. */
const patient = (tests: string): string => tests.replace('toBeVerified()', 'toBeVerified({ budget: 600_000 })');
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

let user: Project;
beforeAll(() => { user = new Project({}); });
afterAll(() => user.remove());

test('R15 the tutorial: from nothing to a bug to a proof', () => {
  user.write('ring.c', section('1. A module and its tests', 'c')[0]!);
  const [config, tests] = section('1. A module and its tests', 'js');
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
  expect(user.provest('verify', 'guard.c', '--budget', '5m', '--probe', 'masked: copy == (level ^ 90)')).toMatchObject({ status: 0 });
}, 1_200_000);

test('R15 the tutorial: what callers promise of their structures is offered, and with it the module is proved', () => {
  const name = '7. Structures that your callers own';
  user.write('window.c', section(name, 'c')[0]!);
  const [tests] = section(name, 'js');
  const [bug, setUp, notNull, invariant] = section(name, 'text').map(squeezed);
  user.write('window.test.js', tests!.replace(/, \{\n.*\n.*\n\}\)/, ')'));
  const without = user.jest({ args: ['window'] });
  expect(without.status).toBe(1);
  // Where tests never do what fails, everything that rules it out is offered.
  for (const shown of [bug!, setUp!, notNull!]) expect(squeezed(without.stderr)).toContain(shown);
  user.write('window.test.js', patient(tests!));
  const proved = user.jest({ args: ['window', '--verbose'] });
  expect(proved.status).toBe(0);
  expect(squeezed(proved.stderr)).toContain(invariant!);
}, 1_200_000);
