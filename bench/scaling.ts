/**
 * Modules that grow in parts that have nothing to do with each other, or little: verdict, checks decided, processor
 * seconds and peak memory of `provest verify` against the number of parts, and the seconds that one more part costs. A
 * module is as hard as its parts, so this should be a constant.
 *
 *   node scripts/run-ts.js bench/scaling.ts [families, default all] [sizes, default 1,2,5,10,20,40] [budget in seconds]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [wanted = 'all', sizes = '1,2,5,10,20,40', budget = '60'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'scaling-'));
const main = join(__dirname, '../dist/src/cli/main.js');

const each = (n: number, part: (i: number) => string): string => Array.from({ length: n }, (_, i) => part(i)).join('');

interface Family {
  readonly options: readonly string[];
  readonly text: (n: number) => string;
}

const program = ['--entry', 'main', '--externals', 'any', '--property', 'all'];

/** All are correct. */
const families: Readonly<Record<string, Family>> = {
  'independent functions': {
    options: [],
    text: (n) =>
      each(
        n,
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
      ),
  },
  'chain, one call site': {
    options: [],
    text: (n) =>
      `static int f0(int x) { int s = 0; for (int i = 0; i < (x & 7); i++) s += i; return s & 7; }\n${each(
        n - 1,
        (i) => `static int f${i + 1}(int x) { return f${i}(x) & ${i + 7}; }\n`,
      )}static int t[16];\nint get(int x) { return t[f${n - 1}(x) & 15]; }\n`,
  },
  'chain, two call sites': {
    options: [],
    text: (n) =>
      `static int f0(int x) { return x & 3; }\n${each(
        n - 1,
        (i) => `static int f${i + 1}(int x) { if (x & 1) return f${i}(x >> 1); return f${i}(x + 1 & 255); }\n`,
      )}static int t[4];\nint get(int x) { return t[f${n - 1}(x & 255)]; }\n`,
  },
  'state machine': {
    options: [],
    text: (n) =>
      `static int state;\nstatic int seen[${n}];\nvoid step(int event) {\n  switch (state) {\n${each(
        n,
        (i) => `  case ${i}: if (event == ${i}) state = ${(i + 1) % n}; else if (event < 0) state = 0; break;\n`,
      )}  }\n  seen[state] = event;\n}\n`,
  },
  fills: {
    options: program,
    text: (n) =>
      `extern int nondet(void);\n${each(
        n,
        (i) => `int a${i}[32];\nvoid fill${i}(void) { for (int i = 0; i < 32; i++) a${i}[i] = nondet() & 15; }\n`,
      )}int t[16];\nint main(void) {\n${each(n, (i) => `  fill${i}();\n`)}` +
      `${each(n, (i) => `  t[a${i}[nondet() & 31]] = ${i};\n`)}  return 0;\n}\n`,
  },
  'functions of a program': {
    options: ['--entry', 'main', '--externals', 'any'],
    text: (n) =>
      `extern int nondet(void);\n${each(
        n,
        (i) => `static int table${i}[16];
static int sum${i}(int limit) {
  int sum = 0;
  for (int i = 0; i < limit && i < 16; i++) {
    table${i}[i] = i;
    sum += table${i}[i] & 15;
  }
  return sum;
}
`,
      )}int main(void) {\n${each(n, (i) => `  sum${i}(nondet());\n`)}  return 0;\n}\n`,
  },
  'modules of all kinds': {
    options: [],
    text: (n) =>
      each(
        n,
        (i) =>
          [
            `static unsigned head${i}, count${i};\nstatic int ring${i}[8];\nint push${i}(int v) { if (count${i} ` +
              `== 8) return -1; ring${i}[(head${i} + count${i}++) % 8] = v; return 0; }\nint pop${i}(int *v) { if ` +
              `(count${i} == 0 || !v) return -1; *v = ring${i}[head${i}]; head${i} = (head${i} + 1) % 8; ` +
              `count${i}--; return 0; }\n`,
            `static int level${i};\nvoid raise${i}(int by) { if (by < 0 || by > 100) return; level${i} = ` +
              `level${i} + by > 1000 ? 1000 : level${i} + by; }\nint percent${i}(void) { return level${i} * 100 / ` +
              '1000; }\n',
            `static const int days${i}[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };\nint of${i}(int ` +
              `m, int d) { if (m < 0 || m > 11 || d < 1 || d > days${i}[m]) return -1; int s = d; for (int i = 0; ` +
              `i < m; i++) s += days${i}[i]; return s; }\n`,
            `static char text${i}[16];\nvoid keep${i}(char c) { for (int i = 0; i < 15; i++) if (!text${i}[i]) { ` +
              `text${i}[i] = c; text${i}[i + 1] = 0; return; } }\n`,
          ][i % 4]!,
      ),
  },
};

interface Answer {
  readonly verdict: string;
  readonly decided: string;
  readonly seconds: number;
  readonly megabytes: number;
}

function answerOf(text: string, options: readonly string[]): Answer {
  const file = join(folder, 'module.c');
  writeFileSync(file, text);
  const timed = ['-f', '%U %S %M', process.execPath, main, 'verify', file, ...options, '--budget', `${budget}s`];
  const { stdout, stderr } = spawnSync('/usr/bin/time', [...timed, '--json', '--no-cache', '--no-race'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const [user = 0, system = 0, kilobytes = 0] = stderr.trim().split('\n').at(-1)!.split(' ').map(Number);
  const last = stdout.trim().split('\n').at(-1)!;
  const { verdict = 'error', checks = [] } = last.startsWith('{')
    ? (JSON.parse(last) as { verdict: string; checks?: { status: string }[] })
    : {};
  const decided = checks.filter(({ status }) => status !== 'open').length;
  return {
    verdict,
    decided: `${decided} of ${checks.length}`,
    seconds: user + system,
    megabytes: Math.round(kilobytes / 1024),
  };
}

const chosen = Object.entries(families).filter(([name]) => wanted === 'all' || wanted.split(',').includes(name));
console.log('| family | n | lines | verdict | checks decided | processor s | MB | s for one more |');
console.log('|---|---:|---:|---|---|---:|---:|---:|');
for (const [name, { options, text }] of chosen) {
  let before: { n: number; seconds: number } | undefined;
  for (const n of sizes.split(',').map(Number)) {
    const source = text(n);
    const { verdict, decided, seconds, megabytes } = answerOf(source, options);
    const more = before ? ((seconds - before.seconds) / (n - before.n)).toFixed(2) : '';
    const lines = source.split('\n').length - 1;
    console.log(
      `| ${name} | ${n} | ${lines} | ${verdict} | ${decided} | ${seconds.toFixed(1)} | ${megabytes} | ${more} |`,
    );
    before = { n, seconds };
  }
}
