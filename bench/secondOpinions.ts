/**
 * Second opinions on the conformance programs (run `npm run build` first). Proofs: every program in program mode that
 * has loops and is to be proved goes through `provest check --with cbmc`. Bugs: every program that has a bug goes
 * through `provest verify --harness`; gcc compiles it with sanitizers, and it has to fail on the same line.
 *
 *   node scripts/run-ts.js bench/secondOpinions.ts proofs|bugs [id-prefix] [--every 1] [--budget 20] [--jobs 1]
 *   [--verbose]
 *
 * Accesses and divisions are checked beside the properties of a program: CBMC has no execution that goes on behind one
 * that failed. Skipped, loudly, where the peer is not installed. Ends with 1 when a proof is refuted, or a bug does not
 * fail natively although the sanitizers see its kind.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findCbmc } from '../src/cli/secondOpinion/cbmc';
import type { OpinionJson, VerdictJson } from '../src/report';
import { askFor, jsonOf, provest } from './conformance/provest';
import { readPrograms, type ConformanceProgram } from '../test/conformance/programs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    every: { type: 'string', default: '1' },
    budget: { type: 'string', default: '20' },
    jobs: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
});
const [kind, prefix = ''] = positionals;
const budgetSeconds = Number(values.budget);
const atMostSeconds = 6 * budgetSeconds + 60;

/** `class`: how the program is counted. */
interface Row {
  readonly id: string;
  readonly class: string;
  readonly why: string;
}

async function proof(program: ConformanceProgram): Promise<Row> {
  const { id } = program;
  const properties = [...new Set([...program.properties, 'memsafety', 'div-by-zero'])];
  const said = await provest(
    ['check', '--with', 'cbmc', '--json', ...askFor(program, properties, budgetSeconds)],
    atMostSeconds,
  );
  const answer = jsonOf<OpinionJson>(said);
  if (said.code > 2 || !answer) return { id, class: 'failed', why: (said.out || said.err).trim().slice(0, 200) };
  if (answer.verdict !== 'proved') return { id, class: 'not proved', why: answer.verdict };
  const refuted = answer.checks.find(({ opinion }) => opinion === 'refuted');
  if (refuted) return { id, class: 'refuted', why: `line ${refuted.line}, ${refuted.text}: ${refuted.reason}` };
  if (answer.failed !== null) return { id, class: 'no opinion', why: answer.failed };
  const open = answer.checks.filter(
    ({ opinion, reason }) => opinion === 'not-decided' && !/makes no check|has no such check/.test(reason ?? ''),
  );
  const [inexpressible] = answer.incomplete;
  const loops = answer.loops > 0 ? 'with contracts' : 'unwound';
  if (open.length === 0) return { id, class: `confirmed, ${loops}`, why: '' };
  return {
    id,
    class: inexpressible ? 'not decided, not all expressible' : 'not decided, all expressible',
    why: `${open.length} of ${answer.checks.length}: ${open[0]!.reason}`,
  };
}

/** Properties whose violations gcc's sanitizers see, but for some kinds of checks. */
const seen = new Set(['reach', 'memsafety', 'overflow', 'div-by-zero']);
/** Kinds that they do not see: of pointers they know no objects, of lists of arguments no types, of C no order. */
const unseen = new Set([
  'array-argument',
  'invalid-call',
  'overlapping-assignment',
  'overlapping-copy',
  'pointer-comparison',
  'uninitialised-read',
  'unsequenced',
  'variable-argument',
]);

async function bug(program: ConformanceProgram): Promise<Row> {
  const { id } = program;
  const folder = mkdtempSync(join(tmpdir(), 'opinions-'));
  try {
    const harness = join(folder, 'harness.c');
    const found = await provest(
      ['verify', ...askFor(program, program.properties, budgetSeconds), '--no-cache', '--json', '--harness', harness],
      atMostSeconds,
      folder,
    );
    const verdict = jsonOf<VerdictJson>(found);
    if (verdict?.verdict !== 'bug') return { id, class: 'not found', why: verdict?.verdict ?? 'no answer' };
    if (!existsSync(harness))
      return { id, class: 'no harness', why: /no harness: (.*)/.exec(found.err)?.[1] ?? found.err.trim() };
    const { check } = verdict.counterexample!.failure;
    const isSeen = program.properties.every((one) => seen.has(one)) && !unseen.has(check);
    const text = readFileSync(harness, 'utf8');
    const note = /Note: (.*)/.exec(text)?.[1];
    const flags = /gcc (.*?) \S+\.c /.exec(text)![1]!.split(' ');
    const compiled = spawnSync('gcc', [...flags, program.path, harness, '-o', join(folder, 'run'), '-lm'], {
      encoding: 'utf8',
    });
    if (compiled.status !== 0) return { id, class: 'does not compile', why: firstError(compiled.stderr) };
    const run = spawnSync(join(folder, 'run'), [], { encoding: 'utf8', timeout: 20_000, killSignal: 'SIGKILL' });
    const said = `${run.stdout}${run.stderr}`;
    if (run.error) return { id, class: 'does not end', why: note ?? '' };
    if (run.status === 0 && !/runtime error|AddressSanitizer/.test(said))
      return {
        id,
        class: note !== undefined || !isSeen ? 'not seen by sanitizers' : 'does not fail',
        why: note ?? check,
      };
    const line = program.expect.kind === 'bug' ? program.expect.line : undefined;
    if (/assertion failed|reached: |Assertion/.test(said)) return { id, class: 'fails, at the assertion', why: '' };
    const own = new RegExp(`${program.path.split('/').at(-1)!.replace('.', '\\.')}:(\\d+)`, 'g');
    const lines = [...said.matchAll(own)].map(([, number]) => Number(number));
    return lines.includes(line!)
      ? { id, class: 'fails, on the line', why: '' }
      : {
          id,
          class: note !== undefined || !isSeen ? 'not seen by sanitizers, fails elsewhere' : 'fails elsewhere',
          why: `line ${line}, natively ${[...new Set(lines)].join(', ') || said.trim().slice(0, 100)}`,
        };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const firstError = (text: string): string =>
  text.split('\n').find((line) => /error|undefined/.test(line)) ?? text.slice(0, 100);

const hasLoop = ({ text }: ConformanceProgram): boolean => /\b(?:for|while|do)\b/.test(text.replace(/\/\/.*/g, ''));

async function campaign(): Promise<number> {
  if (kind !== 'proofs' && kind !== 'bugs') throw new Error('ask for proofs or bugs');
  if (kind === 'proofs' && !findCbmc(process.env['PATH'] ?? '')) {
    console.log('!! SKIPPED: cbmc, goto-cc and goto-instrument are not on PATH: NO proof got a second opinion');
    return 0;
  }
  if (kind === 'bugs' && spawnSync('gcc', ['--version']).status !== 0) {
    console.log('!! SKIPPED: gcc is not installed: NO bug was run natively');
    return 0;
  }
  const programs = readPrograms()
    .filter(({ id, mode }) => id.startsWith(prefix) && mode === 'program')
    .filter((program) =>
      kind === 'proofs' ? program.expect.kind === 'proved' && hasLoop(program) : program.expect.kind === 'bug',
    )
    .filter((_, i) => i % Number(values.every) === 0);
  const rows: Row[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let program = programs[next++]; program; program = programs[next++]) {
      const row = await (kind === 'proofs' ? proof(program) : bug(program));
      rows.push(row);
      if (values.verbose) console.error(`${rows.length} of ${programs.length}: ${row.id}: ${row.class} ${row.why}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  console.log(`${programs.length} programs, ${budgetSeconds} s each\n\n| answer | programs |\n|---|---|`);
  const classes = [...new Set(rows.map((row) => row.class))].sort();
  for (const name of classes) console.log(`| ${name} | ${rows.filter((row) => row.class === name).length} |`);
  for (const { id, class: name, why } of rows.filter((row) => row.why !== ''))
    console.log(`\n- ${id}: ${name}: ${why}`);
  return rows.some((row) => row.class === 'refuted' || row.class === 'does not fail') ? 1 : 0;
}

void campaign().then((code) => {
  process.exitCode = code;
});
