/**
 * Processor seconds of `provest verify` until its first engine works, by process, and memory by then: of a module of
 * ten lines and of generated ones of about 5,000. Medians; builds take turns. Linux only. Run `npm run build` first.
 * Certificates that Node is told to read when it starts (`NODE_EXTRA_CA_CERTS`, 35 ms) are left out.
 *
 *   node bench/first-engine.js [times=5] [folder of another build, such as ../before]...
 */
'use strict';
const { spawnSync } = require('node:child_process');
const { mkdtempSync, readFileSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, resolve } = require('node:path');

/** In the command itself: notes what it and its children have used when the prover's first progress arrives. */
function watch(out) {
  const { ChildProcess } = require('node:child_process');
  const ticks = 100; // per second: USER_HZ, which Linux fixes
  const secondsOf = (pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
    return (Number(fields[11]) + Number(fields[12])) / ticks;
  };
  const peakOf = (pid) => Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
  const children = [];
  const { spawn } = ChildProcess.prototype;
  let isFirst = true;
  ChildProcess.prototype.spawn = function (options) {
    const result = spawn.call(this, options);
    children.push(this.pid);
    const isProver = options.args.some((arg) => arg.endsWith('child.js') && arg.includes('prover'));
    if (isProver)
      this.on('message', ({ kind }) => {
        if (kind !== 'progress' || !isFirst) return;
        isFirst = false;
        const solvers = children.filter((pid) => pid !== this.pid);
        const seconds = {
          command: secondsOf(process.pid),
          prover: secondsOf(this.pid),
          solver: solvers.reduce((sum, pid) => sum + secondsOf(pid), 0),
        };
        const megabytes = peakOf(process.pid) + [...children].reduce((sum, pid) => sum + peakOf(pid), 0);
        writeFileSync(out, JSON.stringify({ ...seconds, megabytes }));
        for (const pid of children) process.kill(pid, 'SIGKILL');
        process.exit(0);
      });
    return result;
  };
}

const each = (n, part) => Array.from({ length: n }, (_, i) => part(i)).join('');

const stack = `#include <assert.h>
static int items[4];
static int size;
int push(int v) {
  if (size == 4) return 0;
  items[size++] = v;
  return 1;
}
int top(void) { return size ? items[size - 1] : 0; }
int empty(void) { return size == 0; }
`;

const tables = each(
  417,
  (i) => `static int table${i}[16];
static int used${i};
int put${i}(int v) {
  if (used${i} >= 16) return -1;
  table${i}[used${i}++] = v;
  return 0;
}
int find${i}(int v) {
  for (int i = 0; i < used${i}; i++)
    if (table${i}[i] == v) return i;
  return -1;
}
`,
);

const records = `#include <stdint.h>
#include <stdio.h>
#include <string.h>
${each(
  125,
  (i) => `
/* Part ${i}: a queue of records with names. */
typedef struct {
  uint32_t id;
  char name[16];
  int weight;
} record_${i};

static record_${i} records_${i}[8];
static unsigned count_${i};
static int level_${i};

int add_${i}(uint32_t id, char initial, int weight) {
  if (count_${i} >= 8)
    return -1;
  record_${i} *r = &records_${i}[count_${i}];
  r->id = id;
  memset(r->name, 0, sizeof r->name);
  r->name[0] = initial;
  r->weight = weight < 0 ? 0 : weight > 100 ? 100 : weight;
  count_${i}++;
  return (int)count_${i};
}

int step_${i}(int event) {
  switch (level_${i}) {
  case 0:
    if (event == 1)
      level_${i} = 1;
    break;
  default:
    level_${i} = event > 3 ? 2 : 0;
    break;
  }
  return level_${i};
}
`,
)}`;

if (process.env.FIRST_ENGINE_OUT) watch(process.env.FIRST_ENGINE_OUT);
else compare(process.argv.slice(2));

function compare([times = '5', ...others]) {
  const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

  const folder = mkdtempSync(join(tmpdir(), 'first-engine-'));
  const builds = [join(__dirname, '..'), ...others.map((other) => resolve(other))];
  // The first proof of a build leaves V8's compiled code for all others.
  for (const build of builds) {
    const file = join(folder, 'first.c');
    writeFileSync(file, stack);
    spawnSync(process.execPath, [join(build, 'dist/src/cli/main.js'), 'verify', file, '--no-cache'], {
      stdio: 'ignore',
    });
  }
  console.log('| module | build | lines | command s | prover s | solver s | together s | MB |');
  console.log('|---|---|---:|---:|---:|---:|---:|---:|');
  for (const [name, text] of Object.entries({ stack, tables, records })) {
    const file = join(folder, `${name}.c`);
    writeFileSync(file, text);
    const rows = builds.map(() => []);
    for (let i = 0; i < Number(times); i++) {
      for (const [b, build] of builds.entries()) {
        const out = join(folder, 'out.json');
        writeFileSync(out, '');
        spawnSync(
          process.execPath,
          ['--require', __filename, join(build, 'dist/src/cli/main.js'), 'verify', file, '--no-cache', '--no-race'],
          { env: { ...process.env, NODE_EXTRA_CA_CERTS: '', FIRST_ENGINE_OUT: out }, stdio: 'ignore' },
        );
        rows[b].push(JSON.parse(readFileSync(out, 'utf8')));
      }
    }
    for (const [b, seen] of rows.entries()) {
      const [command, prover, solver, megabytes] = ['command', 'prover', 'solver', 'megabytes'].map((key) =>
        median(seen.map((one) => one[key])),
      );
      const together = median(seen.map((one) => one.command + one.prover + one.solver));
      const seconds = [command, prover, solver, together].map((value) => value.toFixed(2)).join(' | ');
      const build = b === 0 ? 'this' : others[b - 1];
      const lines = text.split('\n').length - 1;
      console.log(`| ${name} | ${build} | ${lines} | ${seconds} | ${megabytes.toFixed(0)} |`);
    }
  }
}
