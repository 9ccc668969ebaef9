/** What happens around Z3 rather than in it: limits, deaths, ends. Runs on every back end that is there. */
import { spawnSync } from 'node:child_process';
import { add, bits, bitsSort, boolSort, eq, mul, not, symbol, udiv, ule, ult, urem } from '../../src/logic';
import type { Term } from '../../src/logic';
import { nativeVersion, processOptions, startProcess } from '../../src/solver/process';
import { createSolver } from '../../src/solver';
import type { Answer, Solver } from '../../src/solver';

const nativePath = processOptions('native').path ?? 'z3';
const native = nativeVersion(nativePath) !== undefined;
if (!native) console.warn('No native z3 of version 4.12 or later: its tests are skipped.');

const x = symbol('x', bitsSort(64));
const y = symbol('y', bitsSort(64));
const p = symbol('p', boolSort);
const n = (value: number | bigint) => bits(value, 64);
/** Far beyond any budget here: the factors of a product of two large primes. */
const hard: readonly Term[] = [
  eq(mul(x, y), n(4611685975477714963n)),
  ult(x, n(1n << 32n)),
  ult(y, n(1n << 32n)),
  ult(n(1), x),
  ult(n(1), y),
];
const easy: readonly Term[] = [eq(mul(x, y), n(35)), ult(n(1), x), ult(x, n(9)), ult(n(1), y), ult(y, n(9))];
const longBudget = { timeoutMs: 60_000 };

function allChildren(): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...command]) => Number(parent) === process.pid && /z3/.test(command.join(' ')))
    .map(([pid]) => Number(pid));
}

/** The test file that ran before this one in the same process may have left a child to wait. */
const ofOthers = new Set(allChildren());

const children = (): number[] => allChildren().filter((pid) => !ofOthers.has(pid));

const sleep = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

/** Waits until the children are busy with something. */
async function childrenAtWork(solver: Solver): Promise<number[]> {
  await solver.name;
  await sleep(1500);
  return children();
}

function checkUnknown(answer: Answer, ...causes: string[]): void {
  expect(answer.kind).toBe('unknown');
  if (answer.kind === 'unknown') expect(causes).toContain(answer.cause);
}

describe.each(['wasm', ...(native ? ['native'] : [])] as ('wasm' | 'native')[])('%s', (backend) => {
  let solver: Solver;
  const before = process.env['PROVEST_Z3'];
  // What the other back end left idle is gone by then.
  if (backend === 'native') beforeAll(() => sleep(2500));
  beforeEach(() => {
    process.env['PROVEST_Z3'] = backend === 'wasm' ? 'wasm' : nativePath;
    solver = createSolver({ backend });
  });
  afterEach(async () => {
    await solver.close();
    // One that is idle may wait for the next.
    expect(children().length).toBeLessThanOrEqual(backend === 'wasm' ? 1 : 0);
    if (before === undefined) delete process.env['PROVEST_Z3'];
    else process.env['PROVEST_Z3'] = before;
  });

  test('the name has version and back end', async () => {
    expect(await solver.name).toMatch(new RegExp(`^z3 \\d+\\.\\d+\\.\\d+ \\(${backend}\\)$`));
  });

  test('the clock stops a query and the next one is answered', async () => {
    checkUnknown(await solver.check(hard, { timeoutMs: 300 }), 'timeout');
    const session = solver.session();
    for (const t of hard) session.assert(t);
    checkUnknown(await session.check([], { timeoutMs: 300 }), 'timeout');
    expect((await session.check([ult(x, n(1))], longBudget)).kind).toBe('unsat');
    expect((await solver.check(easy, longBudget)).kind).toBe('sat');
  });

  test('resource units stop a query at the same effort each time', async () => {
    const first = await solver.check(hard, { timeoutMs: 60_000, resources: 100_000 });
    const second = await solver.check(hard, { timeoutMs: 60_000, resources: 100_000 });
    checkUnknown(first, 'resources');
    expect(second).toEqual(first);
  });

  test('memory stops a query', async () => {
    await solver.close();
    solver = createSolver({ backend, memoryMb: 60 });
    const products = Array.from({ length: 60 }, (_, i) =>
      eq(urem(mul(add(x, n(i)), y), add(y, n(7 * i + 1))), udiv(add(x, mul(y, y)), add(x, n(i)))),
    );
    checkUnknown(await solver.check(products, longBudget), 'memory');
    expect((await solver.check(easy, longBudget)).kind).toBe('sat');
  });

  test('a Z3 that is killed gives unknown, and its sessions live on', async () => {
    const session = solver.session();
    session.assert(ult(x, y));
    session.push();
    for (const t of easy) session.assert(t);
    const other = solver.session();
    other.assert(p);
    expect((await session.check([], longBudget)).kind).toBe('sat');
    expect((await other.check([not(p)], longBudget)).kind).toBe('unsat');
    const asked = solver.check(hard, longBudget);
    const queued = solver.check(easy, longBudget);
    const pids = await childrenAtWork(solver);
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    checkUnknown(await asked, 'died');
    expect((await queued).kind).toBe('sat');
    expect((await session.check([ule(y, x)], longBudget)).kind).toBe('unsat');
    session.pop();
    expect((await session.check([ule(n(9), x)], longBudget)).kind).toBe('sat');
    expect((await other.check([not(p)], longBudget)).kind).toBe('unsat');
  });

  test('closing interrupts what runs', async () => {
    const session = solver.session();
    for (const t of hard) session.assert(t);
    const [fresh, incremental] = [solver.check(hard, longBudget), session.check([], longBudget)];
    await childrenAtWork(solver);
    await solver.close();
    expect(children()).toEqual([]);
    checkUnknown(await fresh, 'interrupted');
    checkUnknown(await incremental, 'interrupted');
    checkUnknown(await solver.check(easy, longBudget), 'interrupted');
  });

  test('a halt ends all stages of the current query; later queries are answered again', async () => {
    const z3 = startProcess({ backend, ...(backend === 'native' && { path: nativePath }) });
    const own = createSolver({ process: z3 });
    expect((await own.check(easy, longBudget)).kind).toBe('sat');
    const session = own.session();
    for (const term of hard) session.assert(term);
    const asked = [own.check(hard, longBudget), session.check([], longBudget)];
    await sleep(1000);
    const began = performance.now();
    z3.halt();
    for (const answer of await Promise.all(asked)) checkUnknown(answer, 'timeout', 'died');
    expect(performance.now() - began).toBeLessThan(1000);
    checkUnknown(await own.check(easy, longBudget), 'timeout');
    z3.resume();
    expect((await own.check(easy, longBudget)).kind).toBe('sat');
    await z3.close();
  });

  test('an error is unknown, not an answer', async () => {
    const z3 = startProcess(processOptions(backend));
    const context = z3.open();
    const reply = await context.run('(assert nonsense)\n(check-sat)\n', 10_000);
    expect(reply).toMatchObject({ kind: 'text', text: expect.stringContaining('(error') as string });
    context.reset();
    expect(await context.run('(assert false)\n(check-sat)\n', 10_000)).toMatchObject({
      kind: 'text',
      text: expect.stringMatching(/^unsat\s*$/) as string,
    });
    await z3.close();
  });
});

describe('an idle Z3 that is left', () => {
  const contradiction = '(declare-const p Bool)\n(assert p)\n(assert (not p))\n(check-sat)\n';

  test('serves the next client, which sees no assertion of others, though their contexts may be open', async () => {
    const first = startProcess({ backend: 'wasm' });
    for (let i = 0; i < 3; i++)
      expect(await first.open().run(contradiction, 10_000)).toMatchObject({
        text: expect.stringMatching(/^unsat/) as string,
      });
    const pids = children();
    await first.release();
    const second = startProcess({ backend: 'wasm' });
    expect(children()).toEqual(pids);
    expect(await second.name).toBe(await first.name);
    for (let i = 0; i < 4; i++)
      expect(await second.open().run('(check-sat)\n', 10_000)).toMatchObject({
        text: expect.stringMatching(/^sat/) as string,
      });
    // What was closed answers nothing more, and two never share one.
    expect(await first.open().run('(check-sat)\n', 10_000)).toEqual({ kind: 'interrupted' });
    await first.release();
    const third = startProcess({ backend: 'wasm' });
    expect(await third.open().run(contradiction, 10_000)).toMatchObject({
      text: expect.stringMatching(/^unsat/) as string,
    });
    expect(children()).toHaveLength(2);
    await second.close();
    await third.close();
    expect(children()).toEqual([]);
  });

  test('that ends while it waits is not taken, and one that no prover takes is ended', async () => {
    const first = startProcess({ backend: 'wasm' });
    await first.open().run('(check-sat)\n', 10_000);
    await first.release();
    for (const pid of children()) process.kill(pid, 'SIGKILL');
    await sleep(300);
    const second = startProcess({ backend: 'wasm' });
    expect(await second.open().run('(check-sat)\n', 10_000)).toMatchObject({ kind: 'text' });
    await second.release();
    for (let i = 0; i < 50 && children().length > 0; i++) await sleep(200);
    expect(children()).toEqual([]);
  });
});

/** Runs a program that asks Z3 and reports `{ pid }` of the child on its output. */
const asker = (body: string) => `
  const { startProcess } = require('./process');
  const { execFileSync } = require('node:child_process');
  const z3 = startProcess({ backend: 'wasm' });
  ${body}
`;

test('an idle Z3 does not keep Node alive, and goes when Node goes', async () => {
  const source = asker(`
    z3.open().run('(check-sat)', 10000).then(() => {
      const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\\n');
      const line = lines.find((l) => Number(l.trim().split(/\\s+/)[1]) === process.pid && true);
      process.stdout.write(line);
    });
  `);
  const { stdout, status } = runInNode(source);
  expect(status).toBe(0);
  const pid = Number(stdout.trim().split(/\s+/)[0]);
  expect(pid).toBeGreaterThan(0);
  for (let i = 0; i < 30 && isAlive(pid); i++) await sleep(200);
  expect(isAlive(pid)).toBe(false);
}, 30_000);

test('a busy Z3 goes when Node is killed', async () => {
  const source = asker(`
    const context = z3.open();
    context.run('(check-sat)', 10000).then(() => {
      const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\\n');
      const line = lines.find((l) => Number(l.trim().split(/\\s+/)[1]) === process.pid && true);
      void context.run('(declare-const x (_ BitVec 64)) (declare-const y (_ BitVec 64)) ' +
        '(assert (= (bvmul x y) #x3fffffda0000044d)) ' +
        '(assert (bvult x #x0000000100000000)) (assert (bvult y #x0000000100000000)) ' +
        '(assert (bvult #x0000000000000001 x)) (assert (bvult #x0000000000000001 y)) (check-sat)', 600000);
      setTimeout(() => { process.stdout.write(line, () => process.kill(process.pid, 'SIGKILL')); }, 500);
    });
  `);
  const { stdout } = runInNode(source);
  const pid = Number(stdout.trim().split(/\s+/)[0]);
  expect(pid).toBeGreaterThan(0);
  for (let i = 0; i < 30 && isAlive(pid); i++) await sleep(200);
  expect(isAlive(pid)).toBe(false);
}, 60_000);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The sources, transpiled as they are loaded. */
function runInNode(source: string): { stdout: string; status: number | null } {
  const loader = `
    const ts = require('typescript');
    const fs = require('node:fs');
    const compilerOptions = { module: 'commonjs', target: 'es2022', esModuleInterop: true };
    require.extensions['.ts'] = (module, file) =>
      module._compile(ts.transpileModule(fs.readFileSync(file, 'utf8'), { compilerOptions }).outputText, file);
  `;
  return spawnSync(process.execPath, ['-e', loader + source], {
    cwd: `${__dirname}/../../src/solver`,
    encoding: 'utf8',
    timeout: 50_000,
  });
}
