/**
 * Loops over arrays with unknown contents, of growing length: verdict and processor seconds of `provest verify`, and
 * for each pattern the ratio of the dearest length to the cheapest, which is 1 where the cost does not depend on the
 * length. One wrong verdict is a defect of provest. `nearly a minimum` is figure 1.1(b) of Kumar's thesis with unknown
 * contents, which CBMC does not decide at 1,000 elements (KT-10).
 *
 *   node scripts/run-ts.js bench/arrayPatterns.ts [--lengths 1000,100000,10000000,500000000] [--budget SECONDS]
 *     [--only NAME,NAME] [--runs RUNS] [--cbmc BIN_FOLDER]
 *
 * `--runs`: the median of so many runs. `--cbmc`: CBMC beside, with each loop unwound as far as the array is long and
 * as many seconds; a length is left out if a shorter one was too long already.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { timed } from './arrays/processorTime';

const { values: given } = parseArgs({
  options: {
    lengths: { type: 'string', default: '1000,100000,10000000,500000000' },
    budget: { type: 'string', default: '20' },
    only: { type: 'string' },
    runs: { type: 'string', default: '1' },
    cbmc: { type: 'string' },
  },
});
const budget = Number(given.budget);
const folder = mkdtempSync(join(tmpdir(), 'array-patterns-'));
const main = join(__dirname, '../dist/src/cli/main.js');

const fill = 'for (i = 0; i < N; i++) a[i] = nondet();';
const is = (condition: string): string => `for (i = 0; i < N; i++) if (!(${condition})) error();`;

/** An array in order, of any such contents. */
const ascending = (array: string): string =>
  `for (i = 0; i < N; i++) { ${array}[i] = nondet(); if (i > 0 && ${array}[i] < ${array}[i - 1]) ` +
  `${array}[i] = ${array}[i - 1]; }`;

/** The body of `main`, and the same with one mistake. */
const patterns: Readonly<Record<string, readonly [string, string]>> = {
  init: [
    `for (i = 0; i < N; i++) a[i] = v; ${is('a[i] == v')}`,
    `for (i = 1; i < N; i++) a[i] = v | 1; ${is('a[i] == (v | 1)')}`,
  ],
  copy: [
    `${fill} for (i = 0; i < N; i++) b[i] = a[i]; ${is('b[i] == a[i]')}`,
    `${fill} for (i = 0; i < N; i++) b[i] = a[i]; b[7] = a[7] + 1; ${is('b[i] == a[i]')}`,
  ],
  'copy with an offset': [
    `${fill} for (i = 1; i < N; i++) b[i - 1] = a[i]; for (i = 0; i < N - 1; i++) if (b[i] != a[i + 1]) error();`,
    `${fill} for (i = 1; i < N; i++) b[i - 1] = a[i]; for (i = 0; i < N - 1; i++) if (b[i] != a[i]) error();`,
  ],
  'reversed copy': [
    `${fill} for (i = 0; i < N; i++) b[N - 1 - i] = a[i]; ${is('b[i] == a[N - 1 - i]')}`,
    `${fill} for (i = 0; i < N; i++) b[N - 1 - i] = a[i]; ${is('b[i] == a[i]')}`,
  ],
  'steps of two': [
    'for (i = 0; i < N; i += 2) a[i] = v; for (i = 0; i < N; i += 2) if (a[i] != v) error();',
    'for (i = 0; i < N; i += 2) a[i] = v | 1; for (i = 0; i < N; i++) if (a[i] != (v | 1)) error();',
  ],
  structures: [
    `for (i = 0; i < N; i++) { s[i].left = nondet(); s[i].right = s[i].left; } ${is('s[i].right == s[i].left')}`,
    `for (i = 0; i < N; i++) { s[i].left = nondet(); s[i].right = 3; } ${is('s[i].right == s[i].left')}`,
  ],
  'pointer walk': [
    `for (p = a; p < a + N; p++) *p = v; ${is('a[i] == v')}`,
    `for (p = a + 1; p < a + N; p++) *p = v | 1; ${is('a[i] == (v | 1)')}`,
  ],
  swap: [
    'for (i = 0; i < N; i++) { a[i] = v; b[i] = w; } for (i = 0; i < N; i++) { m = a[i]; a[i] = b[i]; b[i] = m; ' +
      `} ${is('a[i] == w && b[i] == v')}`,
    'for (i = 0; i < N; i++) { a[i] = v; b[i] = w; } for (i = 0; i < N; i++) { a[i] = b[i]; b[i] = a[i]; } ' +
      `${is('a[i] == w && b[i] == v')}`,
  ],
  maximum: [
    `${fill} m = a[0]; for (i = 1; i < N; i++) if (a[i] > m) m = a[i]; ${is('a[i] <= m')}`,
    `${fill} m = a[1]; for (i = 2; i < N; i++) if (a[i] > m) m = a[i]; ${is('a[i] <= m')}`,
  ],
  'first place': [
    `${fill} j = N; for (i = 0; i < N; i++) if (a[i] == v) { j = i; break; } for (i = 0; i < j; i++) if (a[i] == ` +
      'v) error();',
    `${fill} j = N; for (i = 0; i < N; i++) if (a[i] == v) { j = i; break; } for (i = 0; i <= j && i < N; i++) ` +
      'if (a[i] == v) error();',
  ],
  'last place': [
    `${fill} j = -1; for (i = 0; i < N; i++) if (a[i] == v) j = i; for (i = j + 1; i < N; i++) if (a[i] == v) error();`,
    `${fill} j = 0; for (i = 0; i < N; i++) if (a[i] == v) j = i; for (i = j; i < N; i++) if (a[i] == v) error();`,
  ],
  partition: [
    `${fill} j = 0; for (i = 0; i < N; i++) if (a[i] > 0) { b[j] = a[i]; j++; } for (i = 0; i < j; i++) if (b[i] ` +
      '<= 0) error();',
    `${fill} j = 0; for (i = 0; i < N; i++) if (a[i] >= 0) { b[j] = a[i]; j++; } for (i = 0; i < j; i++) if ` +
      '(b[i] <= 0) error();',
  ],
  'sum of ones': [
    `for (i = 0; i < N; i++) a[i] = 1; m = 0; for (i = 0; i < N; i++) m = m + a[i]; if (m != N) error();`,
    `for (i = 0; i < N; i++) a[i] = 1; m = 0; for (i = 1; i < N; i++) m = m + a[i]; if (m != N) error();`,
  ],
  'two dimensions': [
    'for (i = 0; i < N / 10; i++) for (j = 0; j < 10; j++) t[i][j] = v; for (i = 0; i < N / 10; i++) for (j = 0; ' +
      'j < 10; j++) if (t[i][j] != v) error();',
    'for (i = 0; i < N / 10; i++) for (j = 1; j < 10; j++) t[i][j] = v | 1; for (i = 0; i < N / 10; i++) for (j ' +
      '= 0; j < 10; j++) if (t[i][j] != (v | 1)) error();',
  ],
  'heap block': [
    'm = nondet(); if (m < 1 || m > N) return 0; p = malloc(m * sizeof *p); for (i = 0; i < m; i++) p[i] = v; ' +
      'for (i = 0; i < m; i++) if (p[i] != v) error();',
    'm = nondet(); if (m < 1 || m > N) return 0; p = malloc(m * sizeof *p); p[0] = v + 1; for (i = 1; i < m; ' +
      'i++) p[i] = v; for (i = 0; i < m; i++) if (p[i] != v) error();',
  ],
  'prefix sums': [
    'a[0] = v & 7; for (i = 1; i < N; i++) a[i] = a[i - 1] + 1; for (i = 1; i < N; i++) if (a[i] != a[i - 1] + ' +
      '1) error();',
    'a[0] = v & 7; for (i = 2; i < N; i++) a[i] = a[i - 1] + 1; for (i = 1; i < N; i++) if (a[i] != a[i - 1] + ' +
      '1) error();',
  ],
  minimum: [
    `${fill} m = a[0]; for (i = 1; i < N; i++) if (a[i] < m) m = a[i]; ${is('a[i] >= m')}`,
    `${fill} m = a[0]; for (i = 1; i < N - 1; i++) if (a[i] < m) m = a[i]; ${is('a[i] >= m')}`,
  ],
  'two copies': [
    `${fill} for (i = 0; i < N; i++) b[i] = a[i]; for (i = 0; i < N; i++) c[i] = b[i]; ${is('c[i] == a[i]')}`,
    `${fill} for (i = 0; i < N; i++) b[i] = a[i]; b[3]++; for (i = 0; i < N; i++) c[i] = b[i]; ${is('c[i] == a[i]')}`,
  ],
  'text length': [
    'for (i = 0; i < N - 1; i++) u[i] = nondet(); u[N - 1] = 0; m = 0; while (u[m] != 0) m++; if (m >= N) error(); ' +
      'for (i = 0; i < m; i++) if (u[i] == 0) error();',
    'for (i = 0; i < N - 1; i++) u[i] = nondet(); u[N - 1] = 0; m = 0; while (u[m] != 0) m++; if (m >= N) error(); ' +
      'for (i = 0; i <= m; i++) if (u[i] == 0) error();',
  ],
  'index as value': [
    `for (i = 0; i < N; i++) a[i] = i; ${is('a[i] == i')}`,
    `for (i = 0; i < N; i++) a[i] = i; a[5] = 6; ${is('a[i] == i')}`,
  ],
  ramp: [
    `a[0] = v & 7; for (i = 1; i < N; i++) a[i] = a[i - 1] + 1; ${is('a[i] == (v & 7) + i')}`,
    `a[0] = v & 7; for (i = 2; i < N; i++) a[i] = a[i - 1] + 1; ${is('a[i] == (v & 7) + i')}`,
  ],
  'sortedness flag': [
    `${fill} m = 1; for (i = 1; i < N; i++) if (a[i - 1] > a[i]) m = 0; if (m) for (i = 1; i < N; i++) ` +
      'if (a[i - 1] > a[i]) error();',
    `${fill} m = 1; for (i = 2; i < N; i++) if (a[i - 1] > a[i]) m = 0; if (m) for (i = 1; i < N; i++) ` +
      'if (a[i - 1] > a[i]) error();',
  ],
  'overwritten neighbour': [
    'for (i = 0; i < N - 1; i++) { a[i] = v; a[i + 1] = w; } for (i = 0; i < N - 1; i++) if (a[i] != v) error(); ' +
      'if (a[N - 1] != w) error();',
    'for (i = 0; i < N - 1; i++) { a[i] = v; a[i + 1] = w; } for (i = 0; i < N; i++) if (a[i] != v) error();',
  ],
  histogram: [
    'for (i = 0; i < N; i++) h[nondet() & 15]++; for (i = 0; i < 16; i++) if (h[i] < 0 || h[i] > N) error();',
    'for (i = 0; i < N; i++) h[nondet() & 15]++; for (i = 0; i < 16; i++) if (h[i] > 1) error();',
  ],
  merge: [
    `${ascending('a')} ${ascending('b')} i = 0; j = 0; m = 0; while (m < N && i < N && j < N) if (a[i] <= b[j]) ` +
      'c[m++] = a[i++]; else c[m++] = b[j++]; for (i = 1; i < m; i++) if (c[i - 1] > c[i]) error();',
    `${ascending('a')} ${fill.replace('a[', 'b[')} i = 0; j = 0; m = 0; while (m < N && i < N && j < N) ` +
      'if (a[i] <= b[j]) c[m++] = a[i++]; else c[m++] = b[j++]; for (i = 1; i < m; i++) if (c[i - 1] > c[i]) error();',
  ],
  'merged length': [
    `${fill} i = 0; j = 0; m = 0; while (i < N && j < N) { if (a[i] <= v) i++; else j++; m++; } ` +
      'if (m != i + j) error();',
    `${fill} i = 0; j = 0; m = 0; while (i < N && j < N) { if (a[i] <= v) i++; else j++; m++; } ` +
      'if (m < N || i > j) error();',
  ],
  squares: [
    `m = 0; for (i = 0; i < N; i++) { a[i] = m; m += 2 * i + 1; } ${is('a[i] == i * i')}`,
    `m = v & 1; for (i = 0; i < N; i++) { a[i] = m; m += 2 * i + 1; } ${is('a[i] == i * i')}`,
  ],
  'total spread': [
    `m = 0; for (i = 0; i < N; i++) { a[i] = 1; m += a[i]; } for (i = 0; i < N; i++) b[i] = a[i] + m; ` +
      is('b[i] == N + 1'),
    `m = 0; for (i = 0; i < N; i++) { a[i] = 1; m += a[i]; } for (i = 1; i < N; i++) b[i] = a[i] + m; ` +
      is('b[i] == N + 1'),
  ],
  'nearly a minimum': [
    'for (i = 0; i < N; i++) a[i] = 2 * (nondet() & 1023); m = a[0]; for (i = 0; i < N; i++) if (m >= a[i] - 1) ' +
      `m = a[i]; ${is('m <= a[i]')}`,
    'for (i = 0; i < N; i++) a[i] = nondet() & 1023; m = a[0]; for (i = 0; i < N; i++) if (m >= a[i] - 1) ' +
      `m = a[i]; ${is('m <= a[i]')}`,
  ],
  'minimum of a shifted array': [
    `${fill} m = a[0]; for (i = 1; i < N; i++) if (m > a[i]) m = a[i]; j = a[0]; for (i = 1; i < N; i++) ` +
      'a[i - 1] = a[i]; for (i = 0; i < N - 1; i++) if (j > a[i]) j = a[i]; if (m != j) error();',
    `${fill} m = a[0]; for (i = 1; i < N; i++) if (m > a[i]) m = a[i]; j = a[1]; for (i = 1; i < N; i++) ` +
      'a[i - 1] = a[i]; for (i = 0; i < N - 1; i++) if (j > a[i]) j = a[i]; if (m != j) error();',
  ],
  'running sums': [
    `${fill} b[0] = a[0]; for (i = 1; i < N; i++) b[i] = b[i - 1] + a[i]; for (i = 1; i < N; i++) ` +
      'if (b[i] - b[i - 1] != a[i]) error();',
    `${fill} b[0] = a[0]; for (i = 2; i < N; i++) b[i] = b[i - 1] + a[i]; for (i = 1; i < N; i++) ` +
      'if (b[i] - b[i - 1] != a[i]) error();',
  ],
};

const programOf = (body: string, n: number): string =>
  [
    '#include <stdlib.h>',
    `#define N ${n}`,
    'extern int nondet(void); extern void error(void);',
    // Only what a pattern uses: each of these may be large.
    ...['a', 'b', 'c'].map((name) => (new RegExp(String.raw`\b${name}\b`, 'u').test(body) ? `int ${name}[N];` : '')),
    /\bt\b/u.test(body) ? 'int t[N / 10][10];' : '',
    /\bu\b/u.test(body) ? 'char u[N];' : '',
    /\bh\b/u.test(body) ? 'int h[16];' : '',
    /\bs\[/u.test(body) ? 'struct two { int left, right; } s[N / 2 + 1];' : '',
    'int main(void) { int i, j, m, v = nondet(), w = nondet(); int *p; ' +
      `${body.includes('s[i]') ? body.replaceAll('N', '(N / 2)') : body} return 0; }`,
  ].join('\n');

interface Run {
  readonly verdict: string;
  readonly seconds: number;
}

const cell = ({ verdict, seconds }: Run): string => `${verdict} ${seconds.toFixed(1)}`;

/** The run with the median of the costs. */
function run(body: string, n: number, name: string): Run {
  const path = join(folder, `${name}.c`);
  writeFileSync(path, programOf(body, n));
  const asked = `verify ${path} --entry main --externals any --property reach --budget ${budget}s --no-cache --json`;
  const found = Array.from({ length: Number(given.runs) }, (): Run => {
    const { stdout, seconds } = timed(['node', main, ...asked.split(' ')]);
    return { verdict: (JSON.parse(stdout) as { readonly verdict: string }).verdict, seconds };
  });
  found.sort((a, b) => a.seconds - b.seconds);
  return found[found.length >> 1]!;
}

/** CBMC with every loop unwound to its end. */
function runCbmc(bin: string, body: string, n: number, name: string): Run {
  const path = join(folder, `${name}-cbmc.c`);
  const vocabulary = 'int nondet(void) { int any; return any; } void error(void) { __CPROVER_assert(0, "error"); }';
  writeFileSync(path, `${programOf(body, n)}\n${vocabulary}\n`);
  const options = `--no-standard-checks --unwinding-assertions --slice-formula --unwind ${n + 2}`;
  const { stdout, seconds } = timed(['timeout', String(budget), join(bin, 'cbmc'), path, ...options.split(' ')]);
  const isDone = /VERIFICATION (SUCCESSFUL|FAILED)/u.exec(stdout)?.[1];
  return { verdict: isDone === undefined ? 'limit' : isDone === 'FAILED' ? 'bug' : 'proved', seconds };
}

function besides(bin: string, body: string, name: string): readonly string[] {
  let isOver = false;
  return lengths.map((n) => {
    if (isOver) return 'limit';
    const found = runCbmc(bin, body, n, name);
    isOver = found.verdict === 'limit';
    return cell(found);
  });
}

const lengths = given.lengths.split(',').map(Number);
const chosen = Object.entries(patterns).filter(([name]) => given.only?.split(',').includes(name) ?? true);
const cbmcHead = given.cbmc === undefined ? [] : lengths.map((n) => `CBMC, ${n}`);
const columns = [...lengths.map(String), 'dearest to cheapest', `with a mistake, ${lengths[0]}`, ...cbmcHead];
console.log(`| pattern | ${columns.join(' | ')} |\n|---|${columns.map(() => '---').join('|')}|`);
let [right, wrong, flat, all] = [0, 0, 0, 0];
for (const [pattern, [safe, faulty]] of chosen) {
  const name = pattern.replaceAll(' ', '-');
  const found = lengths.map((n) => run(safe, n, name));
  const bug = run(faulty, lengths[0]!, `${name}-bug`);
  right += found.filter(({ verdict }) => verdict === 'proved').length + Number(bug.verdict === 'bug');
  wrong += found.filter(({ verdict }) => verdict === 'bug').length + Number(bug.verdict === 'proved');
  all += found.length + 1;
  const costs = found.map(({ seconds }) => seconds);
  const ratio = Math.max(...costs) / Math.min(...costs);
  if (found.every(({ verdict }) => verdict === 'proved') && ratio <= 1.2) flat++;
  const beside = given.cbmc === undefined ? [] : besides(given.cbmc, safe, name);
  console.log(`| ${pattern} | ${[...found.map(cell), ratio.toFixed(2), cell(bug), ...beside].join(' | ')} |`);
}
console.log(
  `\n${right} of ${all} right, ${wrong} wrong; ${flat} of ${chosen.length} patterns proved at every length and flat`,
);
if (wrong > 0) process.exitCode = 1;
