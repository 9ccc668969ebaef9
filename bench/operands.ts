/**
 * Random programs around evaluated operands, variable arguments and side effects (`conformance/randomOperands.ts`), on
 * our machine with every check in force and natively, under the sanitizers of gcc and, if it is there, clang. All are
 * defined: a failing check, another output or a sanitizer's complaint is an error, of ours or of the generator.
 *
 *   node scripts/run-ts.js bench/operands.ts [first seed] [count]
 *
 * Prints every difference with its program, and a summary. Ends with 1 when any differed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compilerRuns, onGcc, onMachine } from '../test/differential/machineAndGcc';
import { randomOperands } from './conformance/randomOperands';

const [first, count] = [Number(process.argv[2] ?? 1), Number(process.argv[3] ?? 100)];
const folder = mkdtempSync(join(tmpdir(), 'provest-operands-'));
const flags = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all'];
const compilers = (['gcc', 'clang'] as const).filter((name) => compilerRuns(name, flags));
let different = 0;
for (let seed = first; seed < first + count; seed++) {
  const path = join(folder, 'program.c');
  const text = randomOperands(seed);
  writeFileSync(path, text);
  const here = machineRun(path);
  const there = compilers.map((name) => {
    const run = onGcc(path, flags, 10_000, [], name);
    return { name, answer: run ? `${run.output}${run.end}` : 'no program' };
  });
  if (there.every(({ answer }) => answer === here)) continue;
  different++;
  const answers = there.map(({ name, answer }) => `  ${name}: ${answer}\n`);
  console.log(`seed ${seed}: ${here}\n${answers.join('')}${text}`);
}
rmSync(folder, { recursive: true });
console.log(`${count} programs beside ${compilers.join(' and ')}, ${different} different`);
process.exitCode = different > 0 ? 1 : 0;

function machineRun(path: string): string {
  try {
    const { output, end } = onMachine(path);
    return `${output}${end}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
