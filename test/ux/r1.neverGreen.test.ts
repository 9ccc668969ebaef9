/**
 * Never green by accident: whatever way the proof did not come to a positive end, the asking test fails, in each runner, with a reason of one line. The
 * module has a bug, so that any pass would be a lie.
 */
import { bad, describeWith, good, removeProjects, UserProject, type RunnerName } from './userProject';

afterAll(removeProjects);

const uses = (file: string, options = '') => `const { loadC } = require('provest'); const m = loadC('./${file}'${options});`;
const usesIn: Record<RunnerName, typeof uses> = {
  'jest-29': uses, 'jest-30': uses,
  'vitest-4': (file, options = '') => `import { loadC } from 'provest'; const m = loadC('./${file}'${options});`,
};
const calls = "test('calls it', () => { m.push(1); expect(m.pop()).toBe(1); });";

describe.each<RunnerName>(['jest-30', 'jest-29', 'vitest-4'])('%s', (runner) => {
  describeWith(runner, () => {
    const load = usesIn[runner];
    const extension = runner === 'vitest-4' ? 'mjs' : 'js';
    const at = (name: string) => `${name}.test.${extension}`;
    const isJest = runner !== 'vitest-4';
    const spawning = isJest ? "require('child_process')" : "process.getBuiltinModule('child_process')";

    test('every way of losing the verdict is a failing test', () => {
      const project = new UserProject(runner, {
        'bad.c': bad, 'good.c': good, 'nothing.c': 'static int x;\nint f(int k) { x = k; return x; }\n',
        [at('notAwaited')]: `${load('bad.c')} ${calls}\ntest('not awaited', () => { expect(m).toBeVerified(); });`,
        [at('then')]: `${load('bad.c')} ${calls}\ntest('then, not returned', () => { expect(m).toBeVerified().then(() => {}, () => {}); });`,
        [at('untested')]: `${load('good.c')}\ntest('no test called it', () => expect(m).toBeVerified());`,
        [at('vacuous')]: `${load('nothing.c')}\ntest('calls', () => { m.f(1); });\ntest('nothing to prove', () => expect(m).toBeVerified());`,
        [at('environment')]: `/** @${isJest ? 'jest' : 'vitest'}-environment node */\n${load('bad.c')} ${calls}\ntest('other environment', () => expect(m).toBeVerified());`,
        [at('soft')]: `${load('bad.c')} ${calls}\ntest('not is for bugs only', async () => { await expect(m).not.toBeVerified(); await expect(m).toBeVerified(); });`,
      });
      const result = project.run(['--reporter=default'].slice(isJest ? 1 : 0));
      expect(result.failed).toEqual(['no test called it', 'not awaited', 'not is for bugs only', 'nothing to prove', 'other environment', 'then, not returned']);
      expect(result.status).toBe(1);
      expect(result.message('not awaited')).toMatch(/index -1 is outside[^]*write "await expect/);
      expect(result.message('then, not returned')).toMatch(/index -1 is outside/);
      expect(result.message('no test called it')).toMatch(/no test called a function of good\.c/);
      expect(result.message('nothing to prove')).toMatch(/unknown: there is nothing to prove|vacuous/);
      expect(result.message('other environment')).toMatch(/bug \(reproduced\): index -1 is outside/);
    });

    test('without our reporter the verdicts are the same, and the C line is shown', () => {
      const project = new UserProject(runner, { 'bad.c': bad, [at('bad')]: `${load('bad.c')} ${calls}\ntest('is verified', () => expect(m).toBeVerified());` });
      const result = project.run(isJest ? ['--ci', '--reporters=default'] : ['--reporter=default']);
      expect(result.failed).toEqual(['is verified']);
      expect(result.status).toBe(1);
      expect(result.message('is verified')).toContain('> 11 |   return elems[size];');
      expect(result.stdout + result.stderr).not.toMatch(/Test suite failed to run/);
      // And in the runner's own words: exactly this test is one that failed.
      if (isJest) expect(project.run(['--onlyFailures']).tests.filter(({ status }) => status === 'failed')).toHaveLength(1);
    });

    test('a prover or solver that is killed, or has no memory, is an unknown', () => {
      const kill = (which: string) => `${load('good.c')} ${calls}\ntest('${which} killed', async () => { const p = expect(m).toBeVerified();
        setTimeout(() => ${spawning}.spawnSync('pkill', ['-9', '-P', String(process.pid)]), 200); await p; });`;
      const project = new UserProject(runner, {
        'good.c': good, [at('killed')]: kill('prover'),
        // A solver that dies whenever it is asked.
        'z3': '#!/bin/sh\n[ "$1" = "--version" ] && echo "Z3 version 4.13.0 - 64 bit" && exit 0\nkill -9 $$\n',
        [at('solver')]: `${load('good.c')} ${calls}\ntest('solver killed', () => expect(m).toBeVerified({ budget: 8000 }));`,
      });
      process.getBuiltinModule('node:fs').chmodSync(`${project.folder}/z3`, 0o755);
      const result = project.run([], { PROVEST_Z3: `${project.folder}/z3`, PROVEST_CACHE: 'off' });
      expect(result.failed).toEqual(['prover killed', 'solver killed']);
      expect(result.message('prover killed')).toMatch(/unknown: the prover was ended by SIGKILL/);
      expect(result.message('solver killed')).toMatch(/^[^]*unknown: [^]*died/m);
    });

    test('a proved module passes, in one line', () => {
      const project = new UserProject(runner, { 'good.c': good, [at('good')]: `${load('good.c')} ${calls}\ntest('is verified', () => expect(m).toBeVerified());`,
        // With a single file Jest is verbose.
        [at('other')]: "test('of something else', () => {});",
      });
      const result = project.run();
      expect([result.failed, result.message('is verified')]).toEqual([[], '']);
      expect(result.status).toBe(0);
      const lines = (result.stderr + result.stdout).split('\n').filter((line) => /good\.c|provest/.test(line) && !/test\.m?js|RUN|JSON report/.test(line) && line.trim() !== 'provest');
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatch(/✓ +good\.c +proved +\d+ obligations/);
      expect(result.stdout + result.stderr).not.toMatch(/did not exit|open handle|force exited|was not awaited/);
    });
  });
});
