/**
 * Thousands of random programs (csmith) on our machine and natively: any difference is a bug of ours. In the mode
 * `unsafe` their arithmetic is not guarded, and what is compared is whether something undefined happens, with the
 * compiler's sanitizers as judges. In the mode `compiled` the two sides are the reference machine and compiled code,
 * which must agree in all that can be seen; in the mode `recorded`, what looking at every arrival at every cutpoint
 * finds, and what compiled code reports because it looks new.
 *
 *   node scripts/run-ts.js bench/csmith.ts [first seed] [count] [processes] [lp64|ilp32|unsafe|compiled|recorded]
 *   [mixed|any|small]
 *
 * Prints every difference as it is found, now and then how far it is, then how many programs agreed, why others were
 * skipped, and how fast the front end and the machine were; so too when it is interrupted. Ends with 1 when any
 * differed.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { tryProgram, type CsmithResult, type Mode, type Size } from '../test/differential/csmith';

const [first = '1', count = '1000', processes = '2', model = 'lp64', sizes = 'mixed'] = process.argv.slice(2);
const mode: Mode =
  model === 'ilp32' || model === 'unsafe' || model === 'compiled' || model === 'recorded' ? model : 'lp64';
const size: Size = sizes === 'any' || sizes === 'small' ? sizes : 'mixed';

if (process.send) {
  // Ctrl-C reaches the whole group: the parent alone answers it. Nobody may be left to hear a result.
  process.on('SIGINT', () => {}).on('disconnect', () => process.exit());
  process.on('message', (seed: number) => process.send!(tryProgram(seed, mode, size), undefined, undefined, () => {}));
} else {
  main();
}

function main(): void {
  const results: CsmithResult[] = [];
  let next = Number(first);
  const end = next + Number(count);
  let running = Number(processes);
  const workers = new Set<ChildProcess>();
  process.once('SIGINT', () => {
    for (const worker of workers) worker.removeAllListeners('exit').kill();
    summary(results);
    process.exit(130);
  });
  const start = () => {
    const worker = fork(join(__dirname, '..', 'scripts', 'run-ts.js'), [
      __filename,
      first,
      count,
      processes,
      model,
      size,
    ]);
    workers.add(worker);
    let seed = -1;
    let timer: NodeJS.Timeout | undefined;
    const ask = () => {
      if (next >= end) {
        worker.kill();
        if (--running === 0) summary(results);
        return;
      }
      seed = next++;
      timer = setTimeout(() => worker.kill(), 600_000);
      worker.send(seed, () => {}); // that it is dead, its end says
    };
    worker.on('message', (result: CsmithResult) => {
      clearTimeout(timer);
      results.push(result);
      if (results.length % 500 === 0) console.log(`up to seed ${result.seed}: ${counts(results)}`);
      if (result.kind === 'different')
        console.log(`seed ${result.seed}: ${result.machine}\n  gcc: ${result.gcc}\n  csmith ${result.options}`);
      ask();
    });
    worker.on('exit', (_code, signal) => {
      clearTimeout(timer);
      workers.delete(worker);
      if (next >= end && results.some((result) => result.seed === seed)) return;
      console.log(`seed ${seed}: the process died (${signal ?? 'crash'})`);
      results.push({ kind: 'different', seed, options: '', machine: `died: ${signal ?? 'crash'}`, gcc: '' });
      start();
    });
    ask();
  };
  for (let i = 0; i < Number(processes); i++) start();
}

function summary(results: readonly CsmithResult[]): void {
  const same = results.filter((result) => result.kind === 'same');
  if (results.some(({ kind }) => kind === 'different')) process.exitCode = 1;
  const total = (of: (result: (typeof same)[number]) => number) => same.reduce((sum, result) => sum + of(result), 0);
  console.log(counts(results));
  const reasons = results.flatMap((result) => (result.kind === 'skipped' ? [result.why] : []));
  for (const why of new Set(reasons))
    console.log(`skipped ${reasons.filter((reason) => reason === why).length}: ${why}`);
  if (same.length > 0)
    console.log(
      `front end: ${Math.round((total((r) => r.lines) / total((r) => r.loadMs)) * 1000)} lines per second; ` +
        `machine: ${Math.round((total((r) => r.steps) / total((r) => r.runMs)) * 1000)} steps per second`,
    );
}

function counts(results: readonly CsmithResult[]): string {
  const of = (kind: CsmithResult['kind']): number => results.filter((result) => result.kind === kind).length;
  return `${of('same')} the same, ${of('different')} different, ${of('skipped')} skipped`;
}
