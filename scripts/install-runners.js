/**
 * Installs the test runners that the package supports besides the one it is developed with, and what users compile
 * their tests with (test/ux/runners, each with its lock file), below node_modules/.cache, once per lock file. Two
 * versions of Jest as dependencies of one project would fight for the command `jest`.
 */
'use strict';
const { spawnSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } = require('node:fs');
const { join } = require('node:path');

const root = join(__dirname, '..');
const runners = join(root, 'test', 'ux', 'runners');

/** The folder with the node_modules of a runner; it need not exist. */
function runnerFolder(name) {
  const lock = readFileSync(join(runners, name, 'package-lock.json'));
  return join(
    root,
    'node_modules',
    '.cache',
    'provest-runners',
    `${name}-${createHash('sha256').update(lock).digest('hex').slice(0, 12)}`,
  );
}

function install(name) {
  const folder = runnerFolder(name);
  if (existsSync(folder)) return true;
  const temporary = `${folder}.${process.pid}`;
  mkdirSync(temporary, { recursive: true });
  for (const file of ['package.json', 'package-lock.json'])
    copyFileSync(join(runners, name, file), join(temporary, file));
  const { status, error } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: temporary,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status === 0) renameSync(temporary, folder);
  else rmSync(temporary, { recursive: true, force: true });
  if (status !== 0)
    console.error(
      `\n!! ${name} could not be installed${error ? `: ${error.message}` : ''}; its tests will be SKIPPED\n`,
    );
  return status === 0;
}

module.exports = { runnerFolder };

if (require.main === module) {
  const failed = readdirSync(runners).filter((name) => !install(name));
  // Where there is no network the tests that need a runner are skipped, and say so.
  if (failed.length > 0 && process.argv.includes('--strict')) process.exitCode = 1;
}
