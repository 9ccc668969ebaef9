/**
 * How long Z3 in WebAssembly takes to start, in turn with and without large pages (Linux with glibc), and to its first
 * answer. Medians. Run `npm run build` first.
 *
 *   node bench/solver-start.js [times=7]
 */
'use strict';
const { spawn } = require('node:child_process');
const { join } = require('node:path');
const { createInterface } = require('node:readline');

const times = Number(process.argv[2] ?? 7);
const child = join(__dirname, '..', 'dist', 'src', 'solver', 'z3child.js');
/** In the form of the questions that engines ask: a timeout needs a thread, which is started with the first one. */
const question = `(set-option :timeout 2000) (set-option :produce-unsat-cores true) (push 1)
(declare-const |size| Int) (declare-const |full| Bool)
(assert (and (<= 0 |size|) (<= |size| 4))) (assert (= (= |size| 4) |full|))
(define-fun next () Int (ite |full| |size| (+ |size| 1)))
(push 1) (assert (not (and (<= 0 next) (<= next 4)))) (check-sat)`;

/** Milliseconds from the start to readiness, and from the question to its answer. */
function once(environment) {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const z3 = spawn(process.execPath, [child], {
      stdio: ['ignore', 'ignore', 'inherit', 'overlapped'],
      env: { ...process.env, NODE_OPTIONS: '', ...environment },
    });
    let ready, asked;
    z3.on('error', reject);
    createInterface({ input: z3.stdio[3] }).on('line', (line) => {
      const message = JSON.parse(line);
      if (message.ready !== undefined) {
        ready = performance.now() - began;
        asked = performance.now();
        z3.stdio[3].write(`${JSON.stringify({ id: 0, context: 1, text: question, limitMs: 2000 })}\n`);
        return;
      }
      const answered = performance.now() - asked;
      z3.kill('SIGKILL');
      if (message.text.trim() === 'unsat') resolve({ ready, answered });
      else reject(new Error(message.text ?? message.error));
    });
  });
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

async function main() {
  const ways = {
    'as provest starts it': { GLIBC_TUNABLES: 'glibc.malloc.hugetlb=1' },
    'without large pages': { GLIBC_TUNABLES: '' },
  };
  const rows = Object.keys(ways).map((way) => ({ way, ready: [], answered: [] }));
  for (let i = 0; i < times; i++) {
    for (const row of rows) {
      const { ready, answered } = await once(ways[row.way]);
      row.ready.push(ready);
      row.answered.push(answered);
    }
  }
  console.log('| | ready ms | first answer ms |\n|---|---|---|');
  for (const { way, ready, answered } of rows)
    console.log(`| ${way} | ${median(ready).toFixed(0)} | ${median(answered).toFixed(0)} |`);
  console.log(`\nready without : with large pages ${(median(rows[1].ready) / median(rows[0].ready)).toFixed(2)}`);
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
