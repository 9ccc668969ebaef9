/**
 * What symbolic memory costs: straight-line programs of many stores and loads, and one question at the end. Per program
 * the number of questions and the solver's processor time, all told and for the dearest question, without its start.
 * Reads /proc, so it runs on Linux.
 *
 *   node scripts/run-ts.js bench/symbolic-memory.ts [operations=200]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../src/engines/portfolio/verify';
import { bits, bitsSort, symbol, ult } from '../src/logic';
import { withBothEncodings, createSolver, type Answer, type Solver } from '../src/solver';

const operations = Number(process.argv[2] ?? 200);
const header = 'int nondet(void); void assume(int); void assert(int); void *malloc(unsigned long);\n';
const times = (count: number, line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('\n  ');

const members = ['p.x', 'q.y', 'r->x', 'r->y'];

/** Each stores and loads `operations` times, all told. */
const shapes: readonly (readonly [string, string])[] = [
  [
    'one array, known places',
    'int a[64]; int main(void) { int s = nondet();\n  ' +
      `${times(operations / 2, (i) => `a[${(i * 7) % 64}] = s; s = a[${(i * 7) % 64}];`)}\n  assert(s == ` +
      `a[${((operations / 2 - 1) * 7) % 64}]); }`,
  ],
  [
    'one array, unknown places',
    'int a[64]; int main(void) { int i = nondet(), s = nondet(); assume(i >= 0 && i < 32);\n  ' +
      `${times(operations / 2, (k) => `a[i + ${k % 32}] = s + ${k}; s = a[i + ${k % 32}];`)}\n  assert(s == a[i + ` +
      `${(operations / 2 - 1) % 32}]); }`,
  ],
  [
    'fields of two structures',
    'struct p { int x, y; } p, q; int main(void) { int s = nondet(); struct p *r = nondet() ? &p : &q;\n  ' +
      `${times(operations / 2, (i) => `${members[i % 4]} = s; s = ${members[i % 4]};`)}` +
      `\n  assert(s == ${members[(operations / 2 - 1) % 4]}); }`,
  ],
  [
    'blocks of the heap',
    'struct n { int v; struct n *next; }; int main(void) { int s = nondet(); struct n *a = malloc(sizeof *a), *b ' +
      '= malloc(sizeof *b); a->next = b; b->next = a;\n  ' +
      `${times(operations / 2, (i) => `${i % 2 === 0 ? 'a' : 'b'}->next->v = s; s = ${i % 2 === 0 ? 'b' : 'a'}->v;`)}` +
      '\n  assert(s == a->v || s == b->v); }',
  ],
];

/** Processor time of this process's children so far, those that ended among them: the solver's. */
function solverMs(): number {
  const ticks = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      let stat: string;
      try {
        stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      } catch {
        return 0; // it ended meanwhile
      }
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (Number(pid) === process.pid) return Number(fields[13]) + Number(fields[14]);
      return Number(fields[1]) === process.pid ? Number(fields[11]) + Number(fields[12]) : 0;
    });
  return ticks.reduce((a, b) => a + b, 0) * 10;
}

/** Measures from outside what each question takes. */
function timed(solver: Solver, spent: number[]): Solver {
  const measure = async (ask: () => Promise<Answer>): Promise<Answer> => {
    const before = solverMs();
    const answer = await ask();
    spent.push(solverMs() - before);
    return answer;
  };
  return {
    name: solver.name,
    get statistics() {
      return solver.statistics;
    },
    close: () => solver.close(),
    check: (terms, budget, options) => measure(() => solver.check(terms, budget, options)),
    session: (options) => {
      const session = solver.session(options);
      return {
        assert: (t) => session.assert(t),
        push: () => session.push(),
        pop: () => session.pop(),
        close: () => session.close(),
        check: (assumptions, budget) => measure(() => session.check(assumptions, budget)),
      };
    },
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'provest-memory-'));
  const x = symbol('x', bitsSort(32));
  console.log('| program | verdict | questions | solver, CPU ms | dearest question, CPU ms |\n|---|---|---|---|---|');
  for (const [name, text] of shapes) {
    const file = join(folder, 'program.c');
    writeFileSync(file, header + text);
    const spent: number[] = [];
    const solver = timed(withBothEncodings(createSolver({ seed: 1 })), spent);
    for (const encoding of ['bits', 'integers'] as const)
      await solver.check([ult(x, bits(7, 32))], { timeoutMs: 60_000 }, { encoding });
    spent.length = 0;
    const verdict = await verify(
      {
        files: [file],
        load: { externals: 'any' },
        mode: 'program',
        entries: ['main'],
        probes: [],
        runs: [],
        properties: ['reach', 'memsafety'],
        engine: 'auto',
        seed: 1,
        budget: { milliseconds: 60_000 },
      },
      { solver },
    );
    await solver.close();
    console.log(
      `| ${name} | ${verdict.kind} | ${spent.length} | ${Math.round(spent.reduce((a, b) => a + b, 0))} | ` +
        `${Math.round(Math.max(0, ...spent))} |`,
    );
  }
  rmSync(folder, { recursive: true });
}

void main();
