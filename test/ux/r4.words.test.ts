/**
 * Four words, never mixed, and every "proved" says relative to what: the whole output for each verdict, on the command
 * line and in Jest, is compared with the files in golden/ (PROVEST_GOLDEN=write makes them anew, to be read before they
 * are kept). Times, counts of questions and invariants at single places are left out; states are those that alone can
 * fail.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCode } from '../../src/cli/exitCode';
import { inLongForm } from '../long';
import { bad, good, removeProjects, UserProject } from './userProject';

afterAll(removeProjects);

const outside = `extern int sensor(void);
static int history[4];
static int next;
int sample(void) {
  int value = sensor();
  history[next] = value;
  next = (next + 1) % 4;
  return history[0];
}
`;
/** Nothing says that the pointer leads to an int; which of the pointers that do not is shown is the solver's choice. */
const weak = `extern int *slot(void);
int fill(int value) {
  int *to = slot();
  if (to == 0) return 0;
  *to = value;
  return 1;
}
`;
/** One state fails, and only facts that nobody gave exclude it. */
const counted = `static unsigned size;
int push(void) {
  if (size == 4) return 0;
  size++;
  return 1;
}
int share(void) {
  if (size <= 4) return 0;
  return 100 / (size - 7);
}
`;
const nothing = 'static int x;\nint f(int k) { x = k; return x; }\n';
/** Its only check is of a property that nobody asks about. */
const other = 'int twice(int x) { return 2 * x; }\n';
const files = {
  'good.c': good,
  'bad.c': bad,
  'outside.c': outside,
  'weak.c': weak,
  'nothing.c': nothing,
  'other.c': other,
};

const golden = join(__dirname, 'golden');
function expectGolden(name: string, text: string, folder: string): void {
  const stable = text
    .replaceAll(folder, '<project>')
    .replace(/<project>[^ )\n]*\/provest\/docs/g, '<docs>')
    .replace(/(\.\.\/)*node_modules\/provest\/docs/g, '<docs>')
    .replace(/\d+\.\d+ s\b/g, '<time>')
    .replace(/\(\d+(\.\d+)? ?(ms|s)\)/g, '(<time>)')
    .replace(/\d+ solver quer(?:y|ies) \((?:none|z3[^\n,]*)\)/g, '<questions>')
    .replace(/, \d+ abstract states?.*$/gm, '')
    .replace(/^ +at .*$\n?/gm, '')
    .replace(/^Elsewhere:\n( .*\n)+\n/gm, '')
    .replace(/[ \t]+$/gm, '')
    .replace(/^ {2}to = .*$/gm, '  to = <pointer>')
    // The other checks are asked about for three seconds, in which a busy machine decides fewer.
    .replace(
      /^\d+ of (\d+ checks proved, 1 fails).*\n( .*\n)+?(?= {2}proved for)/m,
      '<some> of $1 <and their places>\n',
    )
    // What is remarked of the search for it hangs on the same choice.
    .replace(/( {2}to = <pointer>\n[^]*?)Remarks:\n( .*\n)+\n/, '$1');
  const file = join(golden, `${name}.txt`);
  if (process.env['PROVEST_GOLDEN'] === 'write') {
    mkdirSync(golden, { recursive: true });
    writeFileSync(file, stable);
  }
  expect(stable).toBe(existsSync(file) ? readFileSync(file, 'utf8') : `${file} is missing`);
}

test('on the command line: the words, the exit codes, and what a proof is relative to', () => {
  const project = new UserProject('jest-30', files);
  const verify = (file: string, ...more: readonly string[]) =>
    project.provest(['verify', file, '--no-cache', '--budget', '2m', ...more]);
  const cases = {
    proved: verify('good.c'),
    bug: verify('bad.c'),
    'potential-error': verify('weak.c', '--externals', 'any', '--no-escalate', '--budget', '20s'),
    unknown: verify('other.c', '--property', 'reach'),
    nothing: verify('nothing.c'),
    outside: verify('outside.c', '--externals', 'any'),
  };
  expect(Object.fromEntries(Object.entries(cases).map(([name, { status }]) => [name, status]))).toEqual({
    proved: exitCode.proved,
    bug: exitCode.bug,
    'potential-error': exitCode.undecided,
    unknown: exitCode.undecided,
    nothing: exitCode.proved,
    outside: exitCode.proved,
  });
  expect(exitCode).toEqual({ proved: 0, bug: 1, undecided: 2, badInput: 3, internal: 4 });
  for (const [name, { stdout }] of Object.entries(cases)) expectGolden(`command-${name}`, stdout, project.folder);
  // What held is never said to have failed, and a proof about an unknown function is never a plain one.
  for (const { stdout } of [cases.proved, cases.outside]) expect(stdout).not.toMatch(/\bfail(ed|ure)s?\b/i);
  expect(cases.proved.stdout).toMatch(
    /^good\.c: proved: no check of [\w, -]+ can fail\n\nRelative to:\n {2}- integers are bit-precise/,
  );
  expect(cases.outside.stdout).toMatch(/^outside\.c: proved: [^\n]* whatever sensor does\n[^]*- sensor has no body: /);
  // What is not null was not returned.
  expect(cases['potential-error'].stdout).not.toMatch('to = NULL');
  // Unless asked for, such a call is an error of the program.
  expect(verify('outside.c').status).toBe(exitCode.badInput);
});

inLongForm('in Jest: the same words, of the asking test and in the line per module', () => {
  const asks = (file: string, call: string, options = '', how = '') =>
    `const { loadC } = require('provest');\nconst m = loadC('./${file}'${options});\n` +
    `${call === '' ? '' : `test('calls', () => { ${call} });\n`}test('${file} is verified', ` +
    `() => expect(m).toBeVerified(${how}));\n`;
  const project = new UserProject('jest-30', {
    ...files,
    'weak.c': counted,
    'good.test.js': asks('good.c', 'm.push(1);'),
    'bad.test.js': asks('bad.c', 'm.push(1);'),
    'nothing.test.js': asks('nothing.c', 'm.f(1);'),
    'other.test.js': asks('other.c', 'm.twice(1);', '', "{ properties: ['reach'] }"),
    'untested.test.js': asks('good.c', ''),
    'outside.test.js': asks('outside.c', 'm.sample();', ', { stubs: { sensor: () => 7 } }'),
    'weak.test.js': asks('weak.c', 'm.push();', '', "{ predicates: 'probes', escalate: false }"),
  });
  const run = project.run(['-i'], { PROVEST_CACHE: 'off' });
  expect(run.status).toBe(1);
  for (const [name, title, index] of [
    ['bug', 'bad.c is verified', 0],
    ['potential-error', 'weak.c is verified', 0],
    ['unknown', 'other.c is verified', 0],
    ['not-evaluated', 'good.c is verified', 1],
  ] as const) {
    const failures = run.tests.filter((test) => test.title === title && test.status === 'failed');
    expect([name, failures.length]).toEqual([name, 1]);
    expectGolden(`jest-${name}`, `${failures[0]!.failureMessages.join('\n')}\n${index}`, project.folder);
  }
  expectGolden('jest-summary', /^provest\n( .*\n)+/m.exec(run.stderr)![0], project.folder);

  const proofs = new UserProject('jest-30', {
    'good.c': good,
    'outside.c': outside,
    'good.test.js': asks('good.c', 'm.push(1);'),
    'outside.test.js': asks('outside.c', 'm.sample();', ', { stubs: { sensor: () => 7 } }'),
  }).run(['--verbose']);
  expect(proofs.status).toBe(0);
  expect(proofs.stderr + proofs.stdout).not.toMatch(/\bfailed\b/i);
  expect(proofs.stderr).toMatch(/✓ +outside\.c +proved +\d+ obligations?, whatever sensor does/);
});
