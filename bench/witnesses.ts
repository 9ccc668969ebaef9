/**
 * Witnesses of proofs on the conformance programs (run `npm run build` first): every program in program mode that is to
 * be proved goes through `provest verify --witness`, and the witness through `provest check`, which looks for no other
 * invariant of a loop.
 *
 *   node scripts/run-ts.js bench/witnesses.ts [id-prefix] [--every 1] [--budget 20] [--verbose]
 *
 * Ends with 1 when a complete witness, which leaves no invariant of a loop out, is not confirmed.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CheckJson, VerdictJson } from '../src/report';
import { readPrograms, type ConformanceProgram } from '../test/conformance/programs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    budget: { type: 'string', default: '20' },
    verbose: { type: 'boolean', default: false },
  },
});
const [prefix = ''] = positionals;
const main = join(__dirname, '..', 'dist', 'src', 'cli', 'main.js');
const budgetSeconds = Number(values.budget);

/** `class`: how the program is counted. */
interface Row {
  readonly id: string;
  readonly class: string;
  readonly isFault: boolean;
  readonly why: string;
}

function provest(args: readonly string[], cwd: string): Promise<{ readonly out: string; readonly err: string }> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [main, ...args],
      { timeout: (2 * budgetSeconds + 60) * 1000, killSignal: 'SIGKILL', maxBuffer: 1 << 28, cwd },
      (_, out, err) => done({ out, err }),
    );
  });
}

const lastLine = (text: string): string => text.trim().split('\n').at(-1)!;

async function witnessed(program: ConformanceProgram): Promise<Row> {
  const { id, path, dataModel } = program;
  const folder = mkdtempSync(join(tmpdir(), 'witnesses-'));
  try {
    const file = join(folder, 'witness.yml');
    const budget = ['--budget', `${budgetSeconds}s`];
    const about = ['--entry', program.entry!, '--property', program.properties.join(','), '--data-model', dataModel];
    const proof = await provest(
      ['verify', path, ...about, ...budget, '--no-cache', '--json', '--witness', file],
      folder,
    );
    const { verdict } = JSON.parse(lastLine(proof.out)) as VerdictJson;
    if (verdict !== 'proved') return { id, class: 'not proved in time', isFault: false, why: verdict };
    const text = readFileSync(file, 'utf8');
    if (text.trim() === '[]') return { id, class: 'empty', isFault: false, why: '' };
    const leftOut = /witness: (line .* left out.*):/.exec(proof.err)?.[1];
    const kind = leftOut === undefined ? 'complete' : 'not all expressible';
    const said = await provest(['check', file, path, ...budget, '--json'], folder);
    if (said.out.trim() === '') return { id, class: 'refused', isFault: true, why: said.err.trim().slice(0, 200) };
    const answer = JSON.parse(lastLine(said.out)) as CheckJson;
    const isConfirmed = answer.witness === 'confirmed';
    return {
      id,
      class: `${answer.witness}, ${kind}`,
      isFault: !isConfirmed && leftOut === undefined,
      why: isConfirmed ? '' : [leftOut, JSON.stringify(answer).slice(0, 300)].join('; '),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function campaign(): Promise<number> {
  const programs = readPrograms()
    .filter(({ id, mode, expect }) => id.startsWith(prefix) && mode === 'program' && expect.kind === 'proved')
    .filter((_, i) => i % Number(values.every) === 0);
  const rows: Row[] = [];
  for (const program of programs) {
    const row = await witnessed(program);
    rows.push(row);
    if (values.verbose) console.error(`${rows.length} of ${programs.length}: ${row.id}: ${row.class} ${row.why}`);
  }
  console.log(`${programs.length} programs, ${budgetSeconds} s each\n\n| answer | programs |\n|---|---:|`);
  for (const name of [...new Set(rows.map((row) => row.class))].sort())
    console.log(`| ${name} | ${rows.filter((row) => row.class === name).length} |`);
  for (const { id, class: name, why } of rows.filter((row) => row.why !== ''))
    console.log(`\n- ${id}: ${name}: ${why}`);
  return rows.some(({ isFault }) => isFault) ? 1 : 0;
}

void campaign().then((code) => {
  process.exitCode = code;
});
