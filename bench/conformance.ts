/**
 * A folder of programs with known verdicts, through the command line (run `npm run build` first), optionally beside
 * CBMC in the same run.
 *
 *   node scripts/run-ts.js bench/conformance.ts [folder] [--cbmc BIN_FOLDER] [--budget 20] [--jobs 2] [--engine auto]
 *   [--no-escalate] [--only id-prefix] [--json file] [--verbose] [--main dist/src/cli/main.js]
 *   [--beside dist/src/cli/main.js of another build]
 *
 * The folder's programs say their verdicts themselves (as in fixtures/programs, the default), or a manifest.json does.
 * With `--suite` the folder is one of another verifier's regression suites, in the notation of SV-COMP, CBMC, 2LS,
 * ESBMC, SMACK, SeaHorn or Ultimate (conformance/suites.ts):
 *
 *   node scripts/run-ts.js bench/conformance.ts FOLDER --suite [-I DIR]... [-D NAME=V]... [--standard-checks]
 *   [--otherwise proved] [--verdicts FILE] [--every 5] ...
 *
 * `--externals value`: functions without a body do nothing but answer, as CBMC has it. `--standard-checks`:
 * descriptions are those of CBMC 6, whose usual checks are on. `--verdicts` names a JSON object from ids to proved, bug
 * or skip, which replace the suite's own; `--every n` takes each n-th program. Prints markdown; ends with 1 when an
 * answer is wrong.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { judge } from '../test/conformance/judge';
import { programsFolder } from '../test/conformance/programs';
import { cbmc, provest, type Contestant, type Subject } from './conformance/contestants';
import { readFolder } from './conformance/manifest';
import { readSuite } from './conformance/suites';
import { details, markdown, type Row } from './conformance/table';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cbmc: { type: 'string' },
    budget: { type: 'string', default: '20' },
    jobs: { type: 'string', default: '2' },
    engine: { type: 'string' },
    externals: { type: 'string' },
    'no-escalate': { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    json: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    main: { type: 'string' },
    beside: { type: 'string' },
    suite: { type: 'boolean', default: false },
    include: { type: 'string', short: 'I', multiple: true, default: [] },
    define: { type: 'string', short: 'D', multiple: true, default: [] },
    otherwise: { type: 'string' },
    'standard-checks': { type: 'boolean', default: false },
    verdicts: { type: 'string' },
    every: { type: 'string', default: '1' },
  },
});
const budgetSeconds = Number(values.budget);
const folder = positionals[0] ?? programsFolder;
const everyNth = Number(values.every);
const programs = (values.suite ? suite() : readFolder(folder))
  .filter(({ id }) => id.startsWith(values.only))
  .filter((_, i) => i % everyNth === 0);
const flags = [
  ...(values['no-escalate'] ? ['--no-escalate'] : []),
  ...(values.externals === undefined ? [] : ['--externals', values.externals]),
];
const contestants: readonly Contestant[] = [
  provest(budgetSeconds, values.engine, values.main, flags),
  ...(values.beside === undefined
    ? []
    : [{ ...provest(budgetSeconds, values.engine, values.beside, flags), name: 'beside' }]),
  ...(values.cbmc === undefined ? [] : [cbmc(values.cbmc, budgetSeconds)]),
];

function suite(): readonly Subject[] {
  const { otherwise, verdicts, include, define } = values;
  if (otherwise !== undefined && otherwise !== 'proved' && otherwise !== 'bug')
    throw new Error('--otherwise is proved or bug');
  const known =
    verdicts === undefined
      ? {}
      : (JSON.parse(readFileSync(verdicts, 'utf8')) as Record<string, 'proved' | 'bug' | 'skip'>);
  return readSuite(folder, {
    include,
    define,
    otherwise,
    standardChecks: values['standard-checks'],
    verdicts: new Map(Object.entries(known)),
  });
}

async function main(): Promise<void> {
  const results = new Map<string, Row[]>(contestants.map(({ name }) => [name, []]));
  const tasks = programs.flatMap((program) => contestants.map((contestant) => ({ program, contestant })));
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let task = tasks[next++]; task; task = tasks[next++]) {
      const { program, contestant } = task;
      const timed = await contestant.ask(program);
      const row = { ...timed, program, judgement: judge(program, timed.answer) };
      results.get(contestant.name)!.push(row);
      if (values.verbose)
        console.error(
          `${contestant.name}: ${program.id}: ${row.judgement.kind}: ` +
            `${timed.answer.kind}${timed.answer.cause === undefined ? '' : ` (${timed.answer.cause})`} after ` +
            `${timed.seconds.toFixed(1)} s`,
        );
      if (row.judgement.kind === 'wrong' || row.crash !== undefined)
        console.error(
          `${contestant.name}: ${program.id}: ${row.judgement.kind === 'wrong' ? row.judgement.why : ''} ` +
            `${row.crash ?? ''}`,
        );
      if (next % 50 === 0) console.error(`${next} of ${tasks.length}`);
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, worker));
  for (const rows of results.values()) rows.sort((a, b) => (a.program.id < b.program.id ? -1 : 1));
  console.log(
    `${programs.length} programs, ${budgetSeconds} s each, ${values.jobs} at a time, node ${process.version}\n`,
  );
  console.log(markdown(results, budgetSeconds));
  for (const [name, rows] of results) console.log(details(name, rows));
  if (values.json !== undefined) {
    writeFileSync(
      values.json,
      JSON.stringify(
        [...results].flatMap(([name, rows]) =>
          rows.map(({ program, answer, judgement, seconds, crash }) => ({
            tool: name,
            id: program.id,
            expect: program.expect,
            answer,
            judgement,
            seconds,
            crash,
          })),
        ),
        null,
        1,
      ),
    );
  }
  process.exitCode = [...results.values()].flat().some(({ judgement }) => judgement.kind === 'wrong') ? 1 : 0;
}

void main();
