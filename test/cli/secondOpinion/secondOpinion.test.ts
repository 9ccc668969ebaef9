/** `provest check --with cbmc` and `provest verify --annotated`; with CBMC itself where it is installed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../../../src';
import { loadProgram } from '../../../src/program';
import { findCbmc } from '../../../src/cli/secondOpinion/cbmc';
import { secondOpinion } from '../../../src/cli/secondOpinion/opinion';
import type { Task } from '../../../src/task';
import type { LoopAnnotation, Verdict } from '../../../src/verdict';
import { proved, unknown } from '../../report/verdicts';
import { runWith } from '../fakes';
import { expectValid } from '../../schemas';
import { besidePeer } from '../../peer';

const cbmc = findCbmc(process.env['PATH'] ?? '');

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'provest-opinion-'));
  writeFileSync(join(cwd, 'module.c'), 'void push(void) {}\n');
  writeFileSync(join(cwd, 'program.c'), 'int main(void) {}\n');
});
afterAll(() => rmSync(cwd, { recursive: true }));

const path = process.env['PATH'];
afterEach(() => {
  process.env['PATH'] = path;
});
const run = (line: string, verdict?: Verdict) =>
  runWith(line.split(' '), cwd, () => (verdict ? { verify: async () => verdict } : {}));

describe('wrong calls are refused', () => {
  test.each([
    ['check --with frama program.c', /unknown verifier 'frama'/],
    ['check --with cbmc program.c module.c', /about one C file/],
    ['check w.yml', /name the C files/],
    ['check program.c', /provest check --with cbmc program\.c/],
    ['check w.yml program.c --entry main', /--entry belongs to --with/],
    ['check w.yml program.c --property reach', /--property belongs to --with/],
    ['verify module.c --annotated out.c', /--annotated is for programs/],
    ['verify program.c module.c --annotated out.c', /one C file/],
    ['verify program.c --annotated out.c --dialect jml', /unknown dialect 'jml'/],
  ])('%s', async (line, message) => {
    const { code, err } = await run(line);
    expect({ code, err }).toEqual({ code: 3, err: expect.stringMatching(message) as string });
  });

  test('without CBMC nothing is checked, and the output says so', async () => {
    process.env['PATH'] = cwd;
    const { code, err, tasks } = await run('check --with cbmc program.c');
    expect({ code, err, tasks }).toEqual({
      code: 3,
      err: expect.stringMatching(/CBMC is not installed.*nothing was checked/) as string,
      tasks: [],
    });
  });
});

test('--annotated writes what was proved, and nothing over a file of the user', async () => {
  const verdict: Verdict = { ...proved, annotations: [] };
  expect((await run('verify program.c --annotated annotated.c')).tasks).toMatchObject([{ annotate: true }]);
  const { code, out } = await run('verify program.c --annotated annotated.c', verdict);
  expect(code).toBe(0);
  expect(out).toContain('annotated: annotated.c, 0 loops with invariants');
  expect(readFileSync(join(cwd, 'annotated.c'), 'utf8')).toMatch(/^\/\*\n \* Made by provest: program\.c/);
  const refused = await run('verify program.c --annotated program.c', verdict);
  expect({ code: refused.code, err: refused.err }).toEqual({
    code: 3,
    err: expect.stringMatching(/was not made by provest/) as string,
  });
  const open = await run('verify program.c --annotated open.c', unknown);
  expect(open.out).toContain('open.c is not written: there is no proof');
});

const sums = `extern int nondet(void);
extern void __VERIFIER_assert(int condition);
int main(void) {
  int n = nondet(), i = 0, s = 0;
  if (n < 0 || n > 1000) return 0;
  while (i < n) {
    i++;
    s += 2;
  }
  __VERIFIER_assert(s == 2 * n);
  return 0;
}
`;

async function opinionOn(
  source: string,
  change: (loops: readonly LoopAnnotation[]) => readonly LoopAnnotation[] = (loops) => loops,
) {
  const file = join(cwd, 'p.c');
  writeFileSync(file, source);
  const task: Task = {
    files: [file],
    load: { externals: 'any' },
    mode: 'program',
    entries: ['main'],
    probes: [],
    runs: [],
    properties: ['reach', 'overflow'],
    engine: 'auto',
    seed: 1,
    budget: { milliseconds: 60_000 },
    annotate: true,
  };
  const verdict = await verify(task);
  if (verdict.kind !== 'proved') throw new Error(verdict.kind);
  return secondOpinion({
    cbmc: cbmc!,
    task,
    verdict: { ...verdict, annotations: change(verdict.annotations ?? []) },
    source,
    dataModel: loadProgram([file], task.load).dataModel,
    base: cwd,
    milliseconds: 60_000,
  });
}
const opinions = ({ checks }: Awaited<ReturnType<typeof secondOpinion>>) => [
  ...new Set(checks.map(({ opinion }) => opinion.kind)),
];

besidePeer(cbmc !== undefined, 'cbmc is not installed: NO proof gets a second opinion').describe('CBMC', () => {
  test('confirms a proof by the loop invariants, for a thousand rounds without unwinding them', async () => {
    const opinion = await opinionOn(sums);
    expect(opinion).toMatchObject({ annotated: { annotated: 1, unannotated: [] }, withoutBody: ['nondet'] });
    expect(opinions(opinion)).toEqual(['confirmed']);
  }, 200_000);

  test('does not confirm it when the invariant says less, or something wrong', async () => {
    const instead = (conjunct: string) => (loops: readonly LoopAnnotation[]) =>
      loops.map((loop) => ({ ...loop, cbmc: { conjuncts: [conjunct], leftOut: 0 } }));
    expect(opinions(await opinionOn(sums, instead('i <= n')))).toContain('not decided');
    expect(opinions(await opinionOn(sums, instead('s == 3 * i')))).toEqual(['not decided']);
  }, 200_000);

  test('refutes what fails in an execution of the program', async () => {
    // The proof is of other text than CBMC is given.
    const file = join(cwd, 'wrong.c');
    const wrong = sums.replace('s == 2 * n', 's != 4');
    writeFileSync(file, wrong);
    const task: Task = {
      files: [file],
      load: { externals: 'any' },
      mode: 'program',
      entries: ['main'],
      probes: [],
      runs: [],
      properties: ['reach'],
      engine: 'auto',
      seed: 1,
      budget: { milliseconds: 60_000 },
    };
    const opinion = await secondOpinion({
      cbmc: cbmc!,
      task,
      verdict: {
        ...proved,
        kind: 'proved',
        invariants: [],
        properties: ['reach'],
        checks: [
          {
            check: 'assertion',
            property: 'reach',
            place: { file, line: 10, column: 3, function: 'main' },
            text: 's != 4',
            status: 'proved',
            stage: 'houdini',
          },
        ],
        annotations: [
          {
            place: { file, line: 6, column: 3, function: 'main' },
            start: wrong.indexOf('while'),
            cbmc: { conjuncts: ['s != 4'], leftOut: 0 },
            acsl: { conjuncts: [], leftOut: 0 },
          },
        ],
      },
      source: wrong,
      dataModel: 'lp64',
      base: cwd,
      milliseconds: 60_000,
    });
    expect(opinions(opinion)).toEqual(['refuted']);
  }, 200_000);

  test('its answers as JSON are as the schema says', async () => {
    const { code, lastLine } = await run('check --with cbmc program.c --json', {
      ...proved,
      checks: [],
      annotations: [],
    });
    expect(code).toBe(0);
    expectValid('opinion', JSON.parse(lastLine));
  }, 60_000);
});
