/**
 * Loops over arrays with unknown contents, of growing length: verdict and processor seconds of `provest verify`, and
 * for each pattern the ratio of the longest to the shortest array, which is 1 where the cost does not depend on the
 * length. One wrong verdict is a defect of provest.
 *
 *   node scripts/run-ts.js bench/arrayPatterns.ts [lengths, default 1000,100000,10000000,500000000] [budget in seconds]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [lengths = '1000,100000,10000000,500000000', budget = '20'] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'array-patterns-'));
const main = join(__dirname, '../dist/src/cli/main.js');

const fill = 'for (i = 0; i < N; i++) a[i] = nondet();';
const is = (condition: string): string => `for (i = 0; i < N; i++) if (!(${condition})) error();`;

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
};

const programOf = (body: string, n: number): string =>
  [
    '#include <stdlib.h>',
    `#define N ${n}`,
    'extern int nondet(void); extern void error(void);',
    // Only what a pattern uses: each of these may be large.
    /\ba\b/u.test(body) ? 'int a[N];' : '',
    /\bb\b/u.test(body) ? 'int b[N];' : '',
    /\bt\b/u.test(body) ? 'int t[N / 10][10];' : '',
    /\bs\[/u.test(body) ? 'struct two { int left, right; } s[N / 2 + 1];' : '',
    'int main(void) { int i, j, m, v = nondet(), w = nondet(); int *p; ' +
      `${body.includes('s[i]') ? body.replaceAll('N', '(N / 2)') : body} return 0; }`,
  ].join('\n');

function run(body: string, n: number, name: string): { readonly verdict: string; readonly seconds: number } {
  const path = join(folder, `${name}.c`);
  writeFileSync(path, programOf(body, n));
  const asked = `node ${main} verify ${path} --entry main --externals any --property reach --budget ${budget}s --json`;
  const { stdout, stderr } = spawnSync('bash', ['-c', `TIMEFORMAT='cpu %U %S'; time ${asked}`], { encoding: 'utf8' });
  const [, user = 'NaN', system = 'NaN'] = /cpu ([\d.]+) ([\d.]+)/u.exec(stderr) ?? [];
  const { verdict } = JSON.parse(stdout) as { readonly verdict: string };
  return { verdict, seconds: Number(user) + Number(system) };
}

const sizes = lengths.split(',').map(Number);
console.log(`| pattern | ${sizes.map(String).join(' | ')} | longest to shortest | with a mistake, ${sizes[0]} |`);
console.log(`|---|${sizes.map(() => '---').join('|')}|---:|---|`);
let [right, wrong, flat] = [0, 0, 0];
for (const [pattern, [safe, faulty]] of Object.entries(patterns)) {
  const name = pattern.replaceAll(' ', '-');
  const found = sizes.map((n) => run(safe, n, name));
  const bug = run(faulty, sizes[0]!, `${name}-bug`);
  right += found.filter(({ verdict }) => verdict === 'proved').length + Number(bug.verdict === 'bug');
  wrong += found.filter(({ verdict }) => verdict === 'bug').length + Number(bug.verdict === 'proved');
  const ratio = found.at(-1)!.seconds / found[0]!.seconds;
  const isFlat = found.every(({ verdict }) => verdict === 'proved') && ratio <= 1.2;
  if (isFlat) flat++;
  const cells = found.map(({ verdict, seconds }) => `${verdict} ${seconds.toFixed(1)}`);
  console.log(`| ${pattern} | ${cells.join(' | ')} | ${ratio.toFixed(2)} | ${bug.verdict} ${bug.seconds.toFixed(1)} |`);
}
const all = Object.keys(patterns).length;
console.log(
  `\n${right} of ${all * (sizes.length + 1)} right, ${wrong} wrong; ${flat} of ${all} patterns proved at every ` +
    'length and flat',
);
if (wrong > 0) process.exitCode = 1;
