/**
 * One install, one line, no compiler: the packed tarball in an empty folder, as a newcomer has it, in three commands;
 * the same installation with ES modules and with Vitest. What it weighs and how long it takes is printed and capped.
 * The packages come from npm's cache where it has them; without them and without a network the test is skipped, loudly.
 */
import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installed, root } from './userProject';

const folder = mkdtempSync(join(tmpdir(), 'provest-install-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const environment = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NO_COLOR: '1',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
};
function run(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...environment, ...more },
    shell: process.platform === 'win32',
  });
  return { status, output: `${stdout}${stderr}`, stdout };
}

function megabytes(path: string): number {
  const bytes = (entry: string): number => {
    const status = lstatSync(entry);
    return status.isDirectory()
      ? readdirSync(entry).reduce((sum, name) => sum + bytes(join(entry, name)), 0)
      : status.size;
  };
  return bytes(path) / 1e6;
}

const mostMegabytes = 120;
const repaired = (text: string): string =>
  text.replace('int pop(void) {\n', 'int pop(void) {\n  if (size == 0) return 0;\n');

test('three commands in an empty folder, then ES modules and Vitest', () => {
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    env: environment,
    shell: process.platform === 'win32',
  });
  const [{ filename }] = JSON.parse(packed.stdout) as [{ filename: string }];
  const began = Date.now();
  // First by itself, to be weighed.
  const alone = run('npm', ['install', '--save-dev', '--prefer-offline', `./${filename}`]);
  if (alone.status !== 0 && /ENOTCACHED|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT/.test(alone.output)) {
    process.stderr.write(
      '\n!! WARNING: npm has neither a network nor the packages in its cache, so the installation is NOT TESTED\n\n',
    );
    return;
  }
  expect([alone.status, alone.status === 0 ? '' : alone.output]).toEqual([0, '']);
  const seconds = (Date.now() - began) / 1000;
  const weight = megabytes(join(folder, 'node_modules'));
  process.stdout.write(`provest installed: ${weight.toFixed(0)} MB in ${seconds.toFixed(1)} s\n`);
  expect(weight).toBeLessThan(mostMegabytes);
  expect(alone.output).not.toMatch(/peer|deprecated/i);
  expect(readdirSync(join(folder, 'node_modules')).filter((name) => /node-gyp|cmake/.test(name))).toEqual([]);

  const jest = run('npm', ['install', '--save-dev', '--prefer-offline', 'jest@30']);
  expect([jest.status, jest.status === 0 ? '' : jest.output]).toEqual([0, '']);
  expect(jest.output).not.toMatch(/ERESOLVE|peer dep/i);
  const init = run('npx', ['provest', 'init']);
  expect([init.status, init.output]).toEqual([0, expect.stringContaining('next: ')]);
  const first = run('npx', ['jest']);
  expect(first.status).toBe(1);
  expect(first.output).toMatch(/stack\.c: bug \(reproduced\): index -1 is outside elems\[8\]/);
  const c = join(folder, 'stack.c');
  writeFileSync(c, repaired(readFileSync(c, 'utf8')));
  // From here on nothing is fetched.
  const offline = { npm_config_offline: 'true' };
  const second = run('npx', ['jest'], offline);
  expect([second.status, second.output]).toEqual([0, expect.stringMatching(/✓ +stack\.c +proved/)]);
  expect(run('npx', ['provest', 'verify', 'stack.c'], offline)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^stack\.c: proved/) as string,
  });

  const esm =
    "import { expect, test } from '@jest/globals';\nimport { loadC } from 'provest';\n" +
    "const stack = loadC('./stack.c');\ntest('pushes', () => { expect(stack.push(1)).toBe(1); });\n" +
    "test('is verified', () => expect(stack).toBeVerified());\n";
  mkdirSync(join(folder, 'esm'));
  writeFileSync(join(folder, 'esm', 'stack.test.mjs'), esm.replace('./stack.c', '../stack.c'));
  const modules = run('npx', ['jest', '--testMatch', '**/esm/*.mjs', '--transform', '{}'], {
    ...offline,
    NODE_OPTIONS: '--experimental-vm-modules',
  });
  expect([modules.status, modules.output]).toEqual([0, expect.stringMatching(/stack\.c +proved/)]);

  const vitest = installed('vitest-4');
  if (vitest === undefined) return;
  for (const name of readdirSync(join(vitest, 'node_modules')).filter(
    (entry) => !entry.startsWith('.') && !readdirSync(join(folder, 'node_modules')).includes(entry),
  ))
    symlinkSync(join(vitest, 'node_modules', name), join(folder, 'node_modules', name), 'dir');
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    "export default { test: { include: ['vitest/*.mjs'], setupFiles: ['provest/vitest'], reporters: ['default', " +
      "'provest/vitest-reporter'] } };\n",
  );
  mkdirSync(join(folder, 'vitest'));
  writeFileSync(
    join(folder, 'vitest', 'stack.test.mjs'),
    esm.replace('./stack.c', '../stack.c').replace('@jest/globals', 'vitest'),
  );
  const other = run(process.execPath, [join(vitest, 'node_modules', 'vitest', 'vitest.mjs'), 'run']);
  expect([other.status, other.output]).toEqual([0, expect.stringMatching(/stack\.c +proved/)]);
});
