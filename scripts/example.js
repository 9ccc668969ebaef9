// Runs the README's example: a stack with a mistake, whose test `is verified` fails, and its repair, which is proved.
// Ends with 0 if just that happened.
'use strict';
const { spawnSync } = require('node:child_process');
const { join } = require('node:path');

const root = join(__dirname, '..');
const run = (stderr, ...args) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', stderr], encoding: 'utf8' }).stdout;

const jest = ['node_modules/jest/bin/jest.js', '--config', 'examples/jest.config.js', '-w', '1', '--json'];
const files = ['examples/stack.test.js', 'examples/repaired_stack.test.js'];
const printed = run('inherit', ...jest, '--runTestsByPath', ...files);
let found = [];
try {
  found = JSON.parse(printed).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ title, status }) => `${name.replaceAll('\\', '/').split('/').at(-1)}: ${title}: ${status}`),
  );
} catch {
  // Jest has said why.
}
const failed = found.filter((line) => !line.endsWith(': passed'));
if (found.length === 6 && failed.length === 1 && failed[0] === 'stack.test.js: is verified: failed') {
  const proof = run('ignore', 'dist/src/cli/main.js', 'verify', 'examples/repaired_stack.c');
  const invariant = /^Between any two calls:\n((?: .*\n)+)/m.exec(proof)?.[1] ?? '';
  console.error(
    `
That is the example. examples/stack.c has a bug, and a test that shows it stands above.
examples/repaired_stack.c is proved. Between any two calls:
${invariant}`,
  );
} else {
  console.error(`\nThis is not what the example should print:\n  ${found.join('\n  ') || 'no test ran'}`);
  process.exitCode = 1;
}
