/**
 * R6: "unknown" explains itself. Every cause that the code can give has a page; the example on the page gives that
 * cause; what the page advises helps.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engines, loadProgram, verify } from '../../src';
import { loadInterface } from '../../src/program';
import type { Backend } from '../../src/cli/backend';
import { runCommandLine } from '../../src/cli/command';
import { defaultProperties } from '../../src/program/command';
import type { VerdictJson } from '../../src/report';
import { createSolver } from '../../src/solver';
import type { Answer, Solver } from '../../src/solver/solver';
import type { Task } from '../../src/task';
import { inLongForm, isLong } from '../long';
import { expectValid } from '../schemas';
import { commandLines, snippetsOf } from './pages';
import { Project, root } from './project';
import { concatenate, inOrder } from '../patterns';

const folder = mkdtempSync(join(tmpdir(), 'provest-causes-'));
const projects: Project[] = [];
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
  for (const project of projects) project.remove();
});

const causes = readdirSync(join(root, 'docs/causes'))
  .filter((file) => file !== 'README.md')
  .map((file) => file.replace('.md', ''));
const page = (cause: string): string => `docs/causes/${cause}.md`;

/**
 * Those that the sources name as the cause of a verdict, wherever they do; a solver's answer has a detail beside its
 * own.
 */
function emitted(): string[] {
  const sources = ['src/engines', 'src/prover', 'plugin'].flatMap((where) =>
    readdirSync(join(root, where), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, where, file), 'utf8')),
  );
  const literals = sources.flatMap((text) =>
    [...text.matchAll(/\bcause: ([^,}]*)(?!, detail:)/g)].flatMap(([, value]) =>
      [...value!.matchAll(/(?<!=== )'([a-z-]+)'/g)].map((match) => match[1]!),
    ),
  );
  return [...new Set(literals)].sort();
}

test('R6 every cause in the code has a page, and every page a cause', () => {
  expect(emitted()).toEqual([...causes].sort());
});

/** The C of a page's section: the first snippet is `example.c`, others say their name in a comment. */
function writeC(cause: string, section: string): string {
  const where = join(folder, cause);
  mkdirSync(where, { recursive: true });
  for (const { language, text } of snippetsOf(page(cause), section)) {
    if (language === 'c') writeFileSync(join(where, /^\/\* (\w+\.c) \*\//.exec(text)?.[1] ?? 'example.c'), text);
  }
  return where;
}

const within = (args: readonly string[], budget: string): readonly string[] =>
  args.includes('--budget') ? args : [...args, '--budget', budget];

async function run(args: readonly string[], cwd: string, interruptAfterMs?: number): Promise<VerdictJson> {
  let json = '';
  const backend: Backend = {
    version: '1',
    engines,
    loadProgram,
    loadInterface,
    declaredFunctions: () => [],
    declarations: async () => '',
    queue: () => Promise.reject(new Error('nobody asked for a queue')),
    work: async () => {},
    cover: async () => [],
    serveEditor: async () => {},
    slice: async () => ({ linesWithChecks: [] }),
    testsOf: async () => ({ runs: [], probes: [] }),
    withTests: async (text) => ({ text, added: 0 }),
    merge: async () => 'proved',
    verify: async (task, { progress, signal }) => verify(task, { progress, signal }),
  };
  const terminal = (write: (text: string) => void) => ({
    out: write,
    err: () => {},
    color: false,
    errIsTerminal: false,
    errColumns: 80,
    cwd,
    now: () => 0,
    input: () => undefined,
    onInterrupt: (handler: () => void) => {
      if (interruptAfterMs !== undefined) setTimeout(handler, interruptAfterMs);
      return () => {};
    },
  });
  await runCommandLine(
    [...args, '--json'],
    terminal((part) => {
      json += part;
    }),
    backend,
  );
  const verdict = JSON.parse(json.trimEnd().split('\n').at(-1)!) as VerdictJson;
  // It says that a verdict without an answer has a suggestion.
  expectValid('verdict', verdict);
  return verdict;
}

const byCommand = causes.filter(
  (cause) => snippetsOf(page(cause), 'Example').some(({ language }) => language === 'sh') && cause !== 'interrupted',
);
/** What is said of a place, not of the whole program. */
const withPlace = new Set(['probe-too-weak', 'nonlinear', 'unsupported-construct', 'no-body', 'vacuous']);

test.each(byCommand.filter((cause) => isLong || !['nonlinear', 'probe-too-weak'].includes(cause)))(
  'R6 %s: the example gives it, with its page, its line, and what to try',
  async (cause) => {
    const cwd = writeC(cause, 'Example');
    const [command] = snippetsOf(page(cause), 'Example').flatMap(({ language, text }) =>
      language === 'sh' ? commandLines(text) : [],
    );
    // Some go on looking until their time is up; the cause is the same whenever that is.
    const quick = await run(within(command!.args, '4s'), cwd);
    // On a busy machine four seconds may be too few to come to it.
    const json = quick.reason?.cause === cause ? quick : await run(within(command!.args, '1m'), cwd);
    expect(json.reason).toMatchObject({ cause });
    expect(json.reason!.suggestion ?? json.errors[0]?.suggestion).toMatch(/./);
    if (withPlace.has(cause))
      expect(json.reason!.place ?? json.errors[0]!.failure.place).toMatchObject({
        file: 'example.c',
        line: expect.any(Number) as number,
      });
  },
);

const promised = causes.flatMap((cause) =>
  snippetsOf(page(cause), 'What to do next').flatMap(({ language, text }) =>
    language === 'sh' ? commandLines(text).map((line) => [cause, line.args.join(' '), line] as const) : [],
  ),
);

test.each(promised)('R6 %s: %s helps as the page says', async (cause, _, line) => {
  const cwd = writeC(cause, 'Example');
  writeC(cause, 'What to do next');
  // However slow the machine is.
  expect(await run(within(line.args, '1m'), cwd)).toMatchObject({ verdict: line.verdict });
});

test('R6 most pages promise something that is tried here', () => {
  expect(byCommand.length + promised.length).toBeGreaterThanOrEqual(14);
});

test.each(causes.filter((cause) => snippetsOf(page(cause), 'Example').some(({ language }) => language === 'js')))(
  'R6 %s: the example’s tests give it in Jest',
  (cause) => {
    const project = new Project({});
    projects.push(project);
    for (const { language, text } of snippetsOf(page(cause), 'Example'))
      project.write(language === 'c' ? 'example.c' : 'example.test.js', text);
    const { status, stderr } = project.jest();
    expect(stderr).toContain(`cause: ${cause} (`);
    expect(status).toBe(1);
  },
);

test('R6 WEAK.c: the suggested probe, pasted as it is, gives proved', () => {
  const project = new Project({
    'stack.c':
      'static int elems[8];\nstatic int size;\nint push(int v) {\n  if (size == 8) return 0;\n' +
      '  elems[size] = v;\n  size = size + 1;\n  return 1;\n}\nint pop(void) {\n  if (size == 0) return 0;\n' +
      '  size = size - 1;\n  return elems[size];\n}\n',
  });
  projects.push(project);
  const tests = (probes: string) => `const { loadC } = require('provest');
const stack = loadC('./stack.c');
stack.probe('full', (s) => s.size === 8);
${probes}
test('pushes', () => { stack.push(7); expect(stack.pop()).toBe(7); });
test('is verified', () => expect(stack).toBeVerified({ predicates: 'probes', escalate: false }));
`;
  project.write('stack.test.js', tests(''));
  const { status, stderr } = project.jest();
  expect(status).toBe(1);
  expect(stderr).toMatch(/stack\.c: potential error: [^]*cause: probe-too-weak/);
  const probes = [...stderr.matchAll(/^ *(stack\.probe\('.*\);)$/gm)].map((match) => match[1]!);
  expect(probes.length).toBeGreaterThan(0);
  // No more than are needed.
  expect(probes.length).toBeLessThan(4);
  project.write('stack.test.js', tests([...new Set(probes)].join('\n')));
  expect(project.jest().status).toBe(0);
});

inLongForm(
  'R6 with the default predicates: what is suggested is called enough only when it was tried, and pasted it is',
  async () => {
    const cwd = join(folder, 'masked');
    mkdirSync(cwd);
    // Nothing that the C says, and no linear equation, relates the value to its masked copy.
    writeFileSync(
      join(cwd, 'masked.c'),
      'static unsigned value;\nunsigned copy = 90;\nvoid flip(unsigned bits) {\n  value = value ^ bits;\n' +
        '  copy = copy ^ bits;\n}\nint intact(void) {\n  if (value != 0) return 1;\n  return 90 / copy;\n}\n',
    );
    const json = await run(['verify', 'masked.c', '--no-escalate', '--budget', '1m'], cwd);
    expect(json).toMatchObject({
      verdict: 'potential-error',
      reason: { cause: 'probe-too-weak', place: { line: 9 } },
      errors: [
        {
          state: [
            { name: 'value', value: '0' },
            { name: 'copy', value: '0' },
          ],
        },
      ],
    });
    const [probe, promise] = json.reason!.suggestion!.split('\n');
    expect(probe).toMatch(/^say as a probe what rules this state out \(the check needs copy != 0\): masked\.probe\(/);
    const [, code, option] = concatenate(
      /(requires: \{ .* \}) \(--requires "(.*)"\), which was tried/,
      /(?:: all is proved then|, but not to the end, for want of time)$/,
    ).exec(promise!)!;
    expect(await run(['verify', 'masked.c', '--requires', option!, '--budget', '1m'], cwd)).toMatchObject({
      verdict: 'proved',
      assumptions: expect.arrayContaining(['clients keep to the precondition of intact']) as string[],
    });
    expect(
      await run(['verify', 'masked.c', '--probe', 'masked: copy == (value ^ 90)', '--budget', '1m'], cwd),
    ).toMatchObject({ verdict: 'proved' });
    if (!isLong) return;
    const project = new Project({
      'masked.c': readFileSync(join(cwd, 'masked.c'), 'utf8'),
      'masked.test.js':
        `const { loadC } = require('provest');\nconst masked = loadC('./masked.c', { ${code!} });\n` +
        `test('flips', () => { masked.flip(1); });\n` +
        `test('is verified', () => expect(masked).toBeVerified({ budget: 300_000 }));\n`,
    });
    projects.push(project);
    expect(project.jest().status).toBe(0);
    // What clients cannot see, they cannot promise.
    writeFileSync(
      join(cwd, 'masked.c'),
      readFileSync(join(cwd, 'masked.c'), 'utf8').replace('\nunsigned copy', '\nstatic unsigned copy'),
    );
    expect((await run(['verify', 'masked.c', '--no-escalate', '--budget', '1m'], cwd)).reason!.suggestion).toBe(probe);
  },
  900_000,
);

(isLong ? test : test.skip)(
  'R6 where floating point is rounded: the state has its numbers, the condition is left out where nobody could ' +
    'read it, and what is said to try proves it',
  async () => {
    const cwd = join(folder, 'rounded');
    mkdirSync(cwd);
    const text =
      'static unsigned char duty;\nstatic double last = 1.0;\n' +
      'void learn(double value) {\n  if (value * value < 4.0) last = value;\n}\n' +
      'void pwm(double error) {\n  if (!(error >= -50.0 && error <= 50.0)) return;\n' +
      '  double out = error * 8.0 + last;\n  if (out < 0.0) out = 0.0;\n  if (out > 100.0) out = 100.0;\n' +
      '  duty = (unsigned char)out;\n}\n';
    writeFileSync(join(cwd, 'pwm.c'), text);
    const json = await run(['verify', 'pwm.c', '--no-escalate', '--budget', '1m'], cwd);
    expect(json).toMatchObject({ verdict: 'potential-error', reason: { cause: 'probe-too-weak' } });
    for (const { name, value } of json.errors![0]!.state)
      expect([name, value]).toEqual([
        name,
        expect.stringMatching(/^-?\d+\.\d+$|e[-+]\d+$|^-?INFINITY$|^NAN$/) as string,
      ]);
    expect(json.errors![0]!.state.length).toBeGreaterThan(0);
    expect(json.reason!.suggestion).not.toContain('the check needs');
    expect(json.reason!.suggestion).toContain('if (!(x >= 0.0)) x = 0.0');
    writeFileSync(join(cwd, 'pwm.c'), text.replace('if (out < 0.0)', 'if (!(out >= 0.0))'));
    expect(await run(['verify', 'pwm.c', '--budget', '1m'], cwd)).toMatchObject({ verdict: 'proved' });
  },
  300_000,
);

test('R6 a precondition that cannot be used says where it can be', () => {
  const project = new Project({ 'ended.c': 'int first(const char *text) { return text[0]; }\n' });
  projects.push(project);
  const { status, stdout } = project.provest(
    'verify',
    'ended.c',
    '--requires',
    'first: text[PROVEST_LENGTH(text) - 1] == 0',
  );
  expect(status).toBe(2);
  expect(stdout).toMatch(
    inOrder(
      /the precondition of first cannot be used: /,
      /cause: unsupported-construct /,
      /as a contract in the C, where it may be any expression/,
    ),
  );
}, 60_000);

// What needs a world that goes wrong

function taskOf(cause: string): Task {
  return {
    files: [join(writeC(cause, 'Example'), 'example.c')],
    load: {},
    mode: 'module',
    probes: [],
    runs: [],
    properties: defaultProperties,
    engine: 'auto',
    seed: 1,
    budget: { milliseconds: 60_000 },
  };
}

test('R6 interrupted: Ctrl-C in the example’s proof', async () => {
  const cwd = writeC('interrupted', 'Example');
  const [command] = snippetsOf(page('interrupted'), 'Example').flatMap(({ language, text }) =>
    language === 'sh' ? commandLines(text) : [],
  );
  expect(await run(command!.args, cwd, 1)).toMatchObject({ verdict: 'unknown', reason: { cause: 'interrupted' } });
});

test('R6 solver-died: the solver’s process ends', async () => {
  const real = createSolver({ seed: 1 });
  const died: Answer = { kind: 'unknown', cause: 'died', detail: 'killed by SIGKILL' };
  const dead: Solver = {
    name: real.name,
    statistics: real.statistics,
    check: async () => died,
    session: () => ({ assert: () => {}, push: () => {}, pop: () => {}, close: () => {}, check: async () => died }),
    close: () => real.close(),
  };
  try {
    expect(await verify(taskOf('solver-died'), { solver: dead })).toMatchObject({
      kind: 'unknown',
      reason: { cause: 'solver-died', message: expect.stringContaining('killed by SIGKILL') as string },
    });
  } finally {
    await real.close();
  }
});

/** Says that a question has a model while `lies` does. */
const lyingSolver = (real: Solver, lies: () => boolean): Solver => ({
  name: real.name,
  statistics: real.statistics,
  session: (options) => real.session(options),
  close: () => real.close(),
  check: async (assertions, budget, options) =>
    lies()
      ? { kind: 'sat', model: { symbol: () => 0n, evaluate: () => false } }
      : real.check(assertions, budget, options),
});

test('R6 checker-disagrees: the solver lies when the check begins, and no other proof is found', async () => {
  const real = createSolver({ seed: 1 });
  let lies = false;
  try {
    const verdict = await verify(
      { ...taskOf('checker-disagrees'), engine: 'intervals' },
      {
        solver: lyingSolver(real, () => lies),
        progress: ({ phase }) => {
          if (phase === 'certify') lies = true;
        },
      },
    );
    expect(verdict).toMatchObject({ kind: 'unknown', reason: { cause: 'checker-disagrees' } });
  } finally {
    await real.close();
  }
});

test('R6 checker-disagrees: after one lie another engine finds a proof', async () => {
  const real = createSolver({ seed: 1 });
  let [checks, lies] = [0, false];
  try {
    const verdict = await verify(taskOf('checker-disagrees'), {
      solver: lyingSolver(real, () => lies),
      progress: ({ phase }) => {
        lies = phase === 'certify' && ++checks === 1;
      },
    });
    expect(verdict.kind).toBe('proved');
    expect(checks).toBeGreaterThan(1);
  } finally {
    await real.close();
  }
});
