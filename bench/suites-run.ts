/**
 * Public test suites of C compilers on our machine: a folder of programs, each with what it must write beside it
 * (`x.c.expected`, `x.expect`, `x.reference_output`) or, without that, with gcc as the judge. Nothing of any suite is
 * part of this project: give a checkout of your own.
 *
 *   node scripts/run-ts.js bench/suites-run.ts FOLDER... [--include DIR] [--define NAME] [--with FILE] [--only TEXT]
 *   [--processes N] [--steps N] [--seconds N] [--std gnu89] [--show KIND]
 *
 * Per program one of: passed; unsupported, with the message; not C11 (gcc's pedantic reading rejects it, too);
 * undefined (a check failed, and gcc's sanitizers agree); limit; wrong. Prints all that is not passed, then the counts;
 * ends with status 1 when anything is wrong. By default implicit declarations, implicit int and old-style definitions
 * count as `not C11`; with `--std gnu89` they are read.
 */
import { fork } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { judge, kinds, type Judgement, type SuiteOptions } from './suites/judge';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    include: { type: 'string', multiple: true, default: [] },
    define: { type: 'string', multiple: true, default: [] },
    with: { type: 'string', multiple: true, default: [] },
    only: { type: 'string', default: '' },
    processes: { type: 'string', default: '1' },
    steps: { type: 'string', default: '2000000000' },
    seconds: { type: 'string', default: '900' },
    std: { type: 'string', default: 'c11' },
    show: { type: 'string' },
  },
});

if (process.send) {
  process.on('message', ({ path, options }: { path: string; options: SuiteOptions }) =>
    process.send!(judge(path, options)),
  );
} else {
  main();
}

function programs(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.c') && name.includes(values.only))
    .sort()
    .map((name) => join(folder, name));
}

function main(): void {
  const options: SuiteOptions = {
    include: values.include,
    define: values.define,
    with: values.with,
    stepLimit: Number(values.steps),
    standard: values.std === 'gnu89' ? 'gnu89' : 'c11',
  };
  const queue = positionals.flatMap(programs);
  const results: Judgement[] = [];
  let running = Number(values.processes);
  const record = (path: string, judgement: Judgement) => {
    results.push(judgement);
    if (judgement.kind === 'passed' || (values.show !== undefined && judgement.kind !== values.show)) return;
    console.log(`${basename(path)}: ${judgement.kind}: ${judgement.why.trimEnd().replace(/\n/g, '\n    ')}`);
  };
  const start = () => {
    const worker = fork(join(__dirname, '..', 'scripts', 'run-ts.js'), [__filename]);
    let path: string | undefined;
    let timer: NodeJS.Timeout | undefined;
    const ask = () => {
      path = queue.shift();
      if (path === undefined) {
        worker.kill();
        if (--running === 0) summary(results);
        return;
      }
      timer = setTimeout(() => worker.kill('SIGKILL'), Number(values.seconds) * 1000);
      worker.send({ path, options });
    };
    worker.on('message', (judgement: Judgement) => {
      clearTimeout(timer);
      record(path!, judgement);
      ask();
    });
    worker.on('exit', (_code, signal) => {
      clearTimeout(timer);
      if (path === undefined) return;
      record(
        path,
        signal === 'SIGKILL'
          ? { kind: 'limit', why: `took more than ${values.seconds} seconds` }
          : { kind: 'wrong', why: `the process died (${signal ?? 'crash'})` },
      );
      start();
    });
    ask();
  };
  for (let i = Number(values.processes); i > 0; i--) start();
}

function summary(results: readonly Judgement[]): void {
  const counts = kinds.map((kind) => `${kind} ${results.filter((result) => result.kind === kind).length}`);
  const otherwiseSame = results.filter((result) => result.otherwiseSame).length;
  console.log(
    `${results.length} programs: ${counts.join(', ')}; of the undefined ${otherwiseSame} do as expected without ` +
      'the check',
  );
  process.exitCode = results.some(({ kind }) => kind === 'wrong') ? 1 : 0;
}
