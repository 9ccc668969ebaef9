/**
 * Random programs against their computed truth: every `proved` and every `bug` is compared with all 65536 executions, run natively. One wrong answer is a defect
 * of provest; how many stay open is only a measure. Needs gcc.
 *
 *   node scripts/run-ts.js bench/soundness.ts [first seed] [count] [budget in seconds] [folder for what goes wrong]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../src/index';
import { randomProgram, type RandomProgram } from './conformance/randomProgram';

const [first = '1', count = '200', budget = '5', folder = join(tmpdir(), 'soundness')] = process.argv.slice(2);

/** How many of all inputs reach the error. */
function truth(work: string, { text, reset }: RandomProgram): number {
  const source = join(work, 'native.c');
  writeFileSync(source, `#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#define main program_main
${text.replace('int main(void) {', 'static void reset(void);\nint main(void) {\n  reset();')}
#undef main
static void reset(void) { ${reset} }
static unsigned char first_input;
static signed char second_input;
static jmp_buf back;
unsigned char __VERIFIER_nondet_uchar(void) { return first_input; }
signed char __VERIFIER_nondet_schar(void) { return second_input; }
void reach_error(void) { longjmp(back, 1); }
int main(void) {
  volatile int reached = 0;
  for (volatile int i = 0; i < 65536; i++) {
    first_input = i & 255;
    second_input = i >> 8;
    if (setjmp(back)) reached++; else program_main();
  }
  printf("%d", reached);
  return 0;
}
`);
  execFileSync('gcc', ['-std=gnu11', '-O1', '-w', '-fwrapv', '-fno-strict-aliasing', source, '-o', join(work, 'native')]);
  return Number(execFileSync(join(work, 'native'), { encoding: 'utf8', timeout: 60_000 }));
}

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'soundness-'));
  const said = new Map<string, number>();
  let wrong = 0;
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const program = randomProgram(seed);
    const reached = truth(work, program);
    const path = join(work, `seed${seed}.c`);
    writeFileSync(path, program.text);
    let answer: string;
    try {
      const verdict = await verify({
        files: [path], load: { externals: 'any' }, mode: 'program', entries: ['main'], probes: [], runs: [], properties: ['reach'], engine: 'auto', seed: 1, budget: { milliseconds: 1000 * Number(budget) },
      });
      answer = verdict.kind;
    } catch (error) {
      answer = `failure: ${(error as Error).message.slice(0, 200)}`;
    }
    const isWrong = (answer === 'proved' && reached > 0) || (answer === 'bug' && reached === 0) || answer.startsWith('failure');
    const key = `${answer}, ${reached > 0 ? 'reachable' : 'unreachable'}`;
    said.set(key, (said.get(key) ?? 0) + 1);
    if (isWrong) {
      wrong++;
      writeFileSync(join(folder, `seed${seed}.c`), program.text);
      console.log(`seed ${seed}: ${answer}, but ${reached} of 65536 inputs reach the error`);
    }
    rmSync(path);
  }
  rmSync(work, { recursive: true, force: true });
  for (const [key, n] of [...said].sort()) console.log(`${String(n).padStart(5)}  ${key}`);
  console.log(`${wrong} wrong`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

void main();
