/**
 * Never green by accident: whatever way the proof did not come to a positive end, the asking test fails, in each
 * runner, with a reason of one line, and nothing that is printed or written reads as a pass. The module has a bug, or
 * the proof is kept from its end, so that any pass would be a lie.
 */
import { chmodSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SarifLog } from '../../src/report/exchange/sarif';
import { ifLong, isLong } from '../long';
import {
  bad,
  describeWith,
  good,
  installed,
  removeProjects,
  UserProject,
  type Run,
  type RunnerName,
} from './userProject';
import { inOrder } from '../patterns';

afterAll(removeProjects);

const calls = "test('calls it', () => { m.push(1); expect(m.pop()).toBe(1); });";
/** Memory can be limited. */
const hasLimits = process.platform === 'linux' && existsSync('/usr/bin/prlimit');
/** A solver that dies whenever it is asked. */
const dyingSolver = '#!/bin/sh\n[ "$1" = "--version" ] && echo "Z3 version 4.13.0 - 64 bit" && exit 0\nkill -9 $$\n';
/**
 * The build's prover, in a world that goes wrong for modules of these names: our own mistake, a solver that dies, too
 * little memory.
 */
function seedFailures(project: UserProject): void {
  const child = join(project.folder, 'node_modules', 'provest', 'dist', 'src', 'prover', 'child.js');
  writeFileSync(child.replace('child.js', 'realChild.js'), readFileSync(child));
  project.write({ z3: dyingSolver });
  chmodSync(join(project.folder, 'z3'), 0o755);
  writeFileSync(
    child,
    `process.once('message', (message) => {
    const [file] = message.task.files;
    if (/crash/.test(file)) throw new TypeError('seeded');
    if (/dying/.test(file)) process.env.PROVEST_Z3 = ${JSON.stringify(join(project.folder, 'z3'))};
    if (/starving/.test(file)) {
      process.env.PROVEST_Z3 = 'wasm';
      // Enough for Node, not for what Z3 in WebAssembly reserves; the one that was started before it has what it needs.
      process.argv.splice(2);
      require('child_process').execFileSync('prlimit', ['--pid', String(process.pid), '--as=9000000000']);
    }
    require('./realChild.js');
    process.emit('message', message);
  });
`,
  );
}

/** Every file of the cache gets what another file held; the last is cut in two. */
function damageCache(project: UserProject): number {
  const folder = join(project.folder, 'node_modules', '.cache', 'provest');
  const files = readdirSync(folder)
    .sort()
    .map((name) => join(folder, name));
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  files.forEach((file, i) =>
    writeFileSync(file, i === files.length - 1 ? texts[i]!.slice(0, texts[i]!.length / 2) : texts[i + 1]!),
  );
  return files.length;
}

/** No tick, no JUnit case without a failure. */
function expectNoPass({ stdout, stderr, failed }: Run, junit?: string): void {
  for (const title of failed) {
    expect(stdout + stderr).not.toMatch(new RegExp(`[✓√] +(.* )?${title}`));
    const cases =
      junit === undefined
        ? []
        : [...junit.matchAll(/<testcase [^>]*name="([^"]*)"[^>]*>([^]*?)<\/testcase>/g)].filter(([, name]) =>
            name!.includes(title),
          );
    if (junit !== undefined) expect(cases.map(([, , body]) => body!.includes('<failure'))).toEqual([true]);
  }
}

describe.each<RunnerName>(['jest-30', ...ifLong('jest-29' as const, 'vitest-4' as const)])('%s', (runner) => {
  describeWith(runner, () => {
    const isJest = runner !== 'vitest-4';
    const load = (file: string) =>
      isJest
        ? `const { loadC } = require('provest'); const m = loadC('./${file}');`
        : `import { loadC } from 'provest'; const m = loadC('./${file}');`;
    const at = (name: string) => `${name}.test.${isJest ? 'js' : 'mjs'}`;
    const spawning = isJest ? "require('child_process')" : "process.getBuiltinModule('child_process')";
    const asks = (title: string, file: string) =>
      `${load(file)} ${calls}\ntest('${title}', () => expect(m).toBeVerified());`;

    test('every way of asking wrongly is a failing test, without our reporter, without our setup, in JUnit too', () => {
      const compilers = installed('compilers');
      const project = new UserProject(runner, {
        'bad.c': bad,
        'good.c': good,
        [at('notAwaited')]: `${load('bad.c')} ${calls}\ntest('not awaited', () => { expect(m).toBeVerified(); });`,
        [at('then')]:
          `${load('bad.c')} ${calls}\n` +
          `test('then, not returned', () => { expect(m).toBeVerified().then(() => {}, () => {}); });`,
        [at('untested')]: `${load('good.c')}\ntest('no test called it', () => expect(m).toBeVerified());`,
        [at('vacuous')]:
          `${load('bad.c')} ${calls}\n` +
          `test('nothing to prove', () => expect(m).toBeVerified({ properties: ['reach'] }));`,
        [at('environment')]:
          `/** @${isJest ? 'jest' : 'vitest'}-environment node */\n${asks('other environment', 'bad.c')}`,
        [at('negated')]:
          `${load('bad.c')} ${calls}\n` +
          `test('not is for bugs only', async () => { await expect(m).not.toBeVerified(); ` +
          'await expect(m).toBeVerified(); });',
        // A matcher of Vitest has to be set up; one of Jest is there as soon as the package is.
        ...(isJest && {
          'jest.config.js': `module.exports = { transform: {}, cacheDirectory: '<rootDir>/jest-cache' };`,
        }),
      });
      if (isJest && compilers !== undefined) project.install(['jest-junit'], compilers);
      const junit = isJest
        ? compilers === undefined
          ? []
          : ['--reporters=jest-junit']
        : ['--reporter=junit', '--outputFile.junit=junit.xml'];
      const result = project.run([...(isJest ? ['--ci', '--reporters=default'] : ['--reporter=default']), ...junit]);
      expect(result.failed).toEqual([
        'no test called it',
        'not awaited',
        'not is for bugs only',
        'nothing to prove',
        'other environment',
        'then, not returned',
      ]);
      expect(result.status).toBe(1);
      expect(result.message('not awaited')).toMatch(/index -1 is outside[^]*write "await expect/);
      expect(result.message('then, not returned')).toMatch(/index -1 is outside/);
      expect(result.message('no test called it')).toMatch(
        /no test called a function of good\.c[^]*not-run[^]*allowNoTests/,
      );
      expect(result.message('nothing to prove')).toMatch(/unknown: there is nothing to prove/);
      expect(result.message('other environment')).toMatch(/bug \(reproduced\): index -1 is outside/);
      expect(result.message('other environment')).toContain('> 11 |   return elems[size];');
      expect(result.stdout + result.stderr).not.toMatch(/Test suite failed to run/);
      expectNoPass(result, junit.length === 0 ? undefined : project.read('junit.xml'));
      expect(readdirSync(project.folder).filter((name) => name.endsWith('.sarif'))).toEqual([]);
    });

    test('a verdict that is asked for after all tests, and not awaited, fails the run', () => {
      const result = new UserProject(runner, {
        'bad.c': bad,
        [at('last')]: `${load('bad.c')} ${calls}\nafterAll(() => { expect(m).toBeVerified(); });`,
        [at('nested')]:
          `${load('bad.c')}\ndescribe('all', () => { ${calls}\nafterAll(() => { expect(m).toBeVerified(); }); });`,
      }).run();
      expect(result.status).toBe(1);
      const asked = result.stdout + result.stderr;
      expect(asked.split('This verdict came after the test had ended').length - 1).toBeGreaterThanOrEqual(2);
    });

    if (!isJest) {
      test('without the setup file the matcher is missing, which fails', () => {
        const result = new UserProject(runner, {
          'good.c': good,
          [at('good')]: asks('is verified', 'good.c'),
          'vitest.config.mjs': 'export default { test: { globals: true } };',
        }).run(['--reporter=default']);
        expect([result.failed, result.status]).toEqual([['is verified'], 1]);
        expect(result.message('is verified')).toMatch(/toBeVerified/);
      });
    }

    // Below the runners, it is the same for each.
    (isJest || isLong ? test : test.skip)(
      'a prover or solver that is killed, or has no memory, is an unknown, and a failure of ours is said to be ours',
      () => {
        const project = new UserProject(runner, {
          'good.c': good,
          'crash.c': good,
          'dying.c': good,
          'starving.c': good,
          [at('killed')]:
            `${load('good.c')} ${calls}\ntest('prover killed', async () => { const p = expect(m).toBeVerified();
          setTimeout(() => ${spawning}.spawnSync('pkill', ['-9', '-P', String(process.pid)]), 200); await p; });`,
          [at('solver')]: asks('solver killed', 'dying.c'),
          [at('crash')]: asks('prover crashed', 'crash.c'),
          ...(hasLimits && { [at('memory')]: asks('no memory', 'starving.c') }),
        });
        seedFailures(project);
        const result = project.run([], { PROVEST_CACHE: 'off' });
        expect(result.failed).toEqual([
          ...(hasLimits ? ['no memory'] : []),
          'prover crashed',
          'prover killed',
          'solver killed',
        ]);
        expect(result.status).toBe(1);
        expect(result.message('prover killed')).toMatch(/unknown: the prover was ended by SIGKILL/);
        expect(result.message('solver killed')).toMatch(
          /unknown: the solver's process ended while it worked on [^]*cause: solver-died/,
        );
        if (hasLimits)
          expect(result.message('no memory')).toMatch(
            /unknown: [^\n]*could not allocate memory\)\n[^]*cause: solver-died [^]*give it more memory/,
          );
        expect(result.message('prover crashed')).toMatch(
          inOrder(
            /not evaluated: provest itself failed, sorry: /,
            /TypeError: seeded/,
            /cause: internal-error/,
            /please report it/,
          ),
        );
        expectNoPass(result);
      },
    );

    (isJest || isLong ? test : test.skip)(
      'a proved module passes in one line, a damaged cache changes no verdict',
      () => {
        const project = new UserProject(runner, {
          'good.c': good,
          'bad.c': bad,
          [at('good')]: asks('good is verified', 'good.c'),
          [at('bad')]: asks('bad is verified', 'bad.c'),
        });
        const outcomes = [project.run(), ...(damageCache(project) >= 2 ? [project.run()] : [])];
        expect(outcomes.map(({ failed, status }) => [failed, status])).toEqual([
          [['bad is verified'], 1],
          [['bad is verified'], 1],
        ]);
        for (const { stdout, stderr } of outcomes) {
          const lines = (stderr + stdout).split('\n').filter((line) => /good\.c/.test(line));
          expect(lines).toHaveLength(1);
          expect(lines[0]).toMatch(/✓ +good\.c +proved +\d+ obligations/);
          expect(stdout + stderr).not.toMatch(/did not exit|open handle|force exited|was not awaited/);
        }
        expect(outcomes[1]!.message('bad is verified')).toMatch(/bug \(reproduced\): index -1/);
        // In the runner's own words: exactly this test is one that failed.
        if (isJest && isLong)
          expect(
            project
              .run(['--onlyFailures'])
              .tests.filter(({ status }) => status === 'failed')
              .map(({ title }) => title),
          ).toEqual(['bad is verified']);
      },
    );
  });
});

describe('on the command line', () => {
  const project = () =>
    new UserProject('jest-30', {
      'bad.c': bad,
      'good.c': good,
      'crash.c': good,
      'dying.c': good,
      'starving.c': good,
    });
  const asked = (
    user: UserProject,
    file: string,
    environment: Readonly<Record<string, string>> = {},
    ...more: readonly string[]
  ) => {
    const { status, stdout, stderr } = user.provest(
      ['verify', file, '--json', '--sarif', 'out.sarif', '--budget', '2m', ...more],
      environment,
    );
    const { verdict, reason } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
      verdict: string;
      reason?: { cause: string; message: string };
    };
    const [run] = (JSON.parse(user.read('out.sarif')) as SarifLog).runs;
    return {
      status,
      stderr,
      verdict,
      cause: reason?.cause,
      message: reason?.message,
      readsAsPass:
        run.invocations[0].executionSuccessful && run.results.every(({ kind }) => kind !== 'fail' && kind !== 'open'),
    };
  };

  test('no proof, no 0; no SARIF that reads as a pass', () => {
    const user = project();
    seedFailures(user);
    expect(asked(user, 'bad.c')).toMatchObject({ status: 1, verdict: 'bug', readsAsPass: false });
    expect(asked(user, 'bad.c', {}, '--property', 'reach')).toMatchObject({
      status: 2,
      verdict: 'unknown',
      cause: 'vacuous',
      readsAsPass: false,
    });
    for (const file of ['dying.c', ...(hasLimits ? ifLong('starving.c') : [])])
      expect(asked(user, file)).toMatchObject({
        status: 2,
        verdict: 'unknown',
        cause: 'solver-died',
        readsAsPass: false,
      });
    if (isLong)
      expect(asked(user, 'good.c', { PROVEST_Z3: '/nowhere/z3' }, '--no-cache')).toMatchObject({
        status: 2,
        verdict: 'unknown',
        cause: 'solver-died',
        readsAsPass: false,
      });
    const crashed = asked(user, 'crash.c');
    expect(crashed).toMatchObject({ status: 4, verdict: 'error', cause: 'internal-error', readsAsPass: false });
    expect(crashed.stderr).toMatch(/itself failed, sorry: .*\nThis says nothing about your C\. Please report it/);
    if (isLong) expect(asked(user, 'crash.c', {}, '--verbose').stderr).toContain('TypeError: seeded');
    expect(asked(user, 'good.c')).toMatchObject({ status: 0, verdict: 'proved', readsAsPass: true });
  });

  // Nor does it in Jest, above.
  (isLong ? test : test.skip)('a damaged cache changes no verdict', () => {
    const user = project();
    const verdicts = () => ['bad.c', 'good.c'].map((file) => asked(user, file).verdict);
    expect(verdicts()).toEqual(['bug', 'proved']);
    expect(damageCache(user)).toBeGreaterThanOrEqual(2);
    expect(verdicts()).toEqual(['bug', 'proved']);
  });
});
