/**
 * A solver that writes every question as an .smt2 file into a folder, with the answer and the time as comments; for
 * debugging.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import * as path from 'node:path';
import { performance } from 'node:perf_hooks';
import { smtlibScript } from '../../logic/smtlib';
import type { Term } from '../../logic/term';
import type { Answer, Solver } from '../solver';
import { allOf, aroundQueries } from './aroundQueries';

/**
 * Files are `0001-sat.smt2` and so on, in the order of asking; a session's check is written as the one query it amounts
 * to.
 */
export function withRecording(solver: Solver, folder: string): Solver {
  mkdirSync(folder, { recursive: true });
  let count = 0;
  const record = async (assertions: readonly Term[], ask: () => Promise<Answer>): Promise<Answer> => {
    const number = String(++count).padStart(4, '0');
    const start = performance.now();
    const answer = await ask();
    const outcome =
      answer.kind === 'unknown'
        ? `; unknown: ${answer.cause} ${answer.detail.replace(/\s+/g, ' ')}`
        : `; ${answer.kind}`;
    const header = `${outcome}\n; ${(performance.now() - start).toFixed(1)} ms, ${await solver.name}\n`;
    writeFileSync(path.join(folder, `${number}-${answer.kind}.smt2`), header + smtlibScript(assertions));
    return answer;
  };
  return aroundQueries(solver, (query) => record(allOf(query), () => query.ask(query.budget)));
}
