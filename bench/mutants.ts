/**
 * Seeded faults that the search finds: one token of each correct module among the conformance programs is changed, and
 * clients are run until a check fails or the effort is used up. Many mutants are correct too, and nobody knows which:
 * the share found says something beside that of another build on the same mutants.
 *
 *   node scripts/run-ts.js bench/mutants.ts [mutants, default 200] [millions of edges, default 10] [folder]
 *     [--beside CHECKOUT]
 *
 * `folder`: other programs in the notation of the conformance programs. With `--beside` the search of another checkout,
 * with its dependencies installed, goes through the same mutants, each in turn, with processor time as a ratio.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readPrograms, taskOf, type ConformanceProgram } from '../test/conformance/programs';
import { mutantOf } from './conformance/mutant';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { beside: { type: 'string' } } });
const [count = '200', millions = '10', programs] = positionals;
const rounds = 10;
const folder = mkdtempSync(join(tmpdir(), 'mutants-'));

/** The modules of a checkout that the search is made of. */
interface Build {
  readonly problem: typeof import('../src/engines/problem');
  readonly budget: typeof import('../src/budget');
  readonly search: typeof import('../src/engines/search/fuzzingEngine');
  readonly engine: typeof import('../src/engines/engine');
}

async function buildAt(root: string): Promise<Build> {
  const read = async <T>(path: string): Promise<T> => (await import(join(root, path))) as T;
  return {
    problem: await read('src/engines/problem'),
    budget: await read('src/budget'),
    search: await read('src/engines/search/fuzzingEngine'),
    engine: await read('src/engines/engine'),
  };
}

/** Edges until a check fails; undefined: none failed. A mutant that does not compile is an error. */
async function search(
  build: Build,
  program: ConformanceProgram,
): Promise<{ readonly edges: number | undefined; readonly seconds: number }> {
  const task = taskOf(program, 600_000);
  const budget = build.budget.Budget.start(task.budget);
  const problem = build.problem.Problem.examine(task, budget, {});
  const events = new Proxy({}, { get: () => () => {} }) as never;
  const steps = (Number(millions) * 1e6) / rounds;
  const engine = build.search.fuzzingBetween(steps);
  const began = process.cpuUsage();
  const seconds = (): number => {
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1e6;
  };
  try {
    for (let round = 1; round <= rounds; round++) {
      const outcome = await engine.run(problem, build.engine.nothingKnown, budget, events);
      if (outcome.kind === 'unsafe') return { edges: round * steps, seconds: seconds() };
    }
    return { edges: undefined, seconds: seconds() };
  } finally {
    await problem.solvers.close();
  }
}

function* mutants(): Generator<ConformanceProgram> {
  const correct = readPrograms(programs).filter(({ mode, expect }) => mode === 'module' && expect.kind === 'proved');
  for (let seed = 1; ; seed++) {
    for (const program of correct) {
      const mutant = mutantOf(program, seed);
      if (!mutant) continue;
      const path = join(folder, `${mutant.id.replaceAll('/', '_')}.c`);
      writeFileSync(path, mutant.text);
      yield { ...mutant, path };
    }
  }
}

async function main(): Promise<void> {
  const builds = [resolve(__dirname, '..'), ...(values.beside === undefined ? [] : [resolve(values.beside)])];
  const all = [];
  for (const root of builds)
    all.push({ build: await buildAt(root), found: 0, only: [] as string[], edges: 0, seconds: 0 });
  let tried = 0;
  for (const mutant of mutants()) {
    if (tried >= Number(count)) break;
    const results: Awaited<ReturnType<typeof search>>[] = [];
    try {
      for (const { build } of all) results.push(await search(build, mutant));
    } catch {
      continue; // It is no C any more.
    }
    tried++;
    const isFoundByAll = results.every(({ edges }) => edges !== undefined);
    all.forEach((row, i) => {
      const { edges, seconds } = results[i]!;
      row.seconds += seconds;
      if (edges === undefined) return;
      row.found++;
      if (isFoundByAll) row.edges += edges;
      else row.only.push(mutant.id);
    });
  }
  all.forEach(({ found, only, edges, seconds }, i) => {
    console.log(
      `${i === 0 ? 'this build' : 'beside'}: ${found} of ${tried} mutants fail, ` +
        `${seconds.toFixed(0)} s of processor time` +
        (all.length === 1 ? '' : `; only here: ${only.join(', ') || 'none'}`),
    );
    if (all.length > 1) console.log(`  ${(edges / 1e6).toFixed(0)} million edges for those that all find`);
  });
  if (all.length > 1) console.log(`time: ${(all[0]!.seconds / all[1]!.seconds).toFixed(2)} times`);
}

void main().finally(() => rmSync(folder, { recursive: true, force: true }));
