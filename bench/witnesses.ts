/**
 * Witnesses of proofs on the conformance programs (run `npm run build` first): every program in program mode that is to
 * be proved goes through `provest verify --witness`, and the witness through `provest check`, which looks for no other
 * invariant of a loop.
 *
 *   node scripts/run-ts.js bench/witnesses.ts [id-prefix] [--every 1] [--budget 20] [--verbose]
 *
 * Ends with 1 when a complete witness, which leaves no invariant of a loop out, is not confirmed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CheckJson, VerdictJson } from '../src/report';
import { askFor, jsonOf, provest } from './conformance/provest';
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
const budgetSeconds = Number(values.budget);
const atMostSeconds = 2 * budgetSeconds + 60;

/** `class`: how the program is counted. */
interface Row {
  readonly id: string;
  readonly class: string;
  readonly isFault: boolean;
  readonly why: string;
}

async function witnessed(program: ConformanceProgram): Promise<Row> {
  const { id, path } = program;
  const folder = mkdtempSync(join(tmpdir(), 'witnesses-'));
  try {
    const file = join(folder, 'witness.yml');
    const proof = await provest(
      ['verify', ...askFor(program, program.properties, budgetSeconds), '--no-cache', '--json', '--witness', file],
      atMostSeconds,
      folder,
    );
    const { verdict = 'no answer' } = jsonOf<VerdictJson>(proof) ?? {};
    if (verdict !== 'proved') return { id, class: 'not proved in time', isFault: false, why: verdict };
    const text = readFileSync(file, 'utf8');
    if (text.trim() === '[]') return { id, class: 'empty', isFault: false, why: '' };
    const leftOut = /witness: (line .* left out.*):/.exec(proof.err)?.[1];
    const kind = leftOut === undefined ? 'complete' : 'not all expressible';
    const said = await provest(['check', file, path, '--budget', `${budgetSeconds}s`, '--json'], atMostSeconds, folder);
    const answer = jsonOf<CheckJson>(said);
    if (!answer) return { id, class: 'refused', isFault: true, why: said.err.trim().slice(0, 200) };
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
