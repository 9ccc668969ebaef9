#!/usr/bin/env node
/**
 * Where the time of a proof goes: the bounded stack's Jest run as a whole, and the phases of the same proof in one process.
 * Usage: npm run build && node bench/where-time-goes.js
 */
'use strict';
const { spawnSync } = require('node:child_process');
const path = require('node:path');
const root = path.join(__dirname, '..');

const time = (args) => {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'ignore' });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return (performance.now() - start) / 1000;
};
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const repeat = (run) => median([run(), run(), run()]);

(async () => {
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const whole = repeat(() => time([jest, '--config', 'fixtures/jest.config.js', 'fixtures/stack/stack.test.ts']));
  const bare = repeat(() => time([jest, '--config', 'fixtures/jest.config.js', 'fixtures/stack/stack.test.ts', '-t', 'on top']));
  const load = repeat(() => time(['-e', `require(${JSON.stringify(path.join(root, 'dist/src/index.js'))})`]));
  const { verify } = require(path.join(root, 'dist', 'src'));
  const call = (name, ...args) => ({ kind: 'call', function: name, arguments: args.map((value) => ({ integer: String(value) })), answers: [] });
  const { statistics } = await verify({
    files: [path.join(root, 'fixtures/stack/stack.c')], load: {}, mode: 'module', init: 'init', probes: [], engine: 'auto', seed: 1, budget: { milliseconds: 60_000 },
    runs: [[call('init', 3), call('push', 7), call('push', 9), call('pop')]], properties: ['reach', 'memsafety', 'overflow', 'div-by-zero'],
  });
  const { secondsByPhase: phases, seconds, solverQueries, solver } = statistics;
  const rows = [
    ['whole Jest run with the proof', whole], ['the same without the proof', bare], ['loading provest in a process', load],
    ['the proof in one process', seconds], ['  front end', phases['front-end']], ['  execution (tests, search, abstraction on the fly)', phases.execution],
    [`  solving (${solverQueries} queries, ${solver}), certificate included`, phases.solving], ['  certificate alone', phases.certify],
  ];
  console.log('| what | seconds |');
  console.log('|---|---|');
  for (const [what, value] of rows) console.log(`| ${what} | ${value.toFixed(2)} |`);
})();
