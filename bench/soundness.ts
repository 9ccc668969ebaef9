/**
 * Random programs and modules against their computed truth: every `proved` and every `bug` is compared with all 65536 executions of the program, or all
 * states that calls of the module reach, run natively. One wrong answer is a defect of provest; how many stay open is only a measure. Needs gcc.
 *
 *   node scripts/run-ts.js bench/soundness.ts program|heap|module [first seed] [count] [budget in seconds] [folder for what goes wrong]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verify } from '../src/index';
import type { Task } from '../src/task';
import { randomHeapProgram } from './conformance/randomHeapProgram';
import { randomModule, type RandomModule } from './conformance/randomModule';
import { randomProgram, type RandomProgram } from './conformance/randomProgram';

const [mode = 'program', first = '1', count = '200', budget = '5', folder = join(tmpdir(), 'soundness')] = process.argv.slice(2);

/** How many of all inputs reach the error. */
function truthOfProgram({ text, reset }: RandomProgram): string {
  return `#include <setjmp.h>
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
`;
}

/** How many calls, over all reachable states, reach the error. Nothing happens after one. */
function truthOfModule({ text, functions, variables }: RandomModule): string {
  const states = 8 ** variables.length;
  return `#include <setjmp.h>
#include <stdio.h>
${text}
static jmp_buf back;
static char seen[${states}];
static int work[${states}];
void reach_error(void) { longjmp(back, 1); }
static int code(void) { return ${variables.map(({ place }, i) => `${place} << ${3 * i}`).join(' | ')}; }
static void load(int state) { ${variables.map(({ place }, i) => `${place} = state >> ${3 * i} & 7;`).join(' ')} }
int main(void) {
  volatile int reached = 0, count = 1;
  work[0] = code();
  seen[work[0]] = 1;
  while (count > 0) {
    volatile int state = work[--count];
    for (volatile int f = 0; f < ${functions.length}; f++)
      for (volatile int x = 0; x < 256; x++) {
        load(state);
        if (setjmp(back)) { reached++; continue; }
        switch (f) { ${functions.map((name, i) => `case ${i}: ${name}(x); break;`).join(' ')} }
        int after = code();
        if (!seen[after]) { seen[after] = 1; work[count++] = after; }
      }
  }
  printf("%d", reached);
  return 0;
}
`;
}

function run(work: string, text: string): number {
  const source = join(work, 'native.c');
  writeFileSync(source, text);
  execFileSync('gcc', ['-std=gnu11', '-O1', '-w', '-fwrapv', '-fno-strict-aliasing', source, '-o', join(work, 'native')]);
  return Number(execFileSync(join(work, 'native'), { encoding: 'utf8', timeout: 60_000 }));
}

function subject(seed: number): { readonly text: string; readonly native: string; readonly scope: Pick<Task, 'mode' | 'entries' | 'load'> } {
  switch (mode) {
    case 'program': {
      const program = randomProgram(seed);
      return { text: program.text, native: truthOfProgram(program), scope: { mode, entries: ['main'], load: { externals: 'any' } } };
    }
    case 'heap': {
      const program = randomHeapProgram(seed);
      return { text: program.text, native: truthOfProgram(program), scope: { mode: 'program', entries: ['main'], load: { externals: 'any' } } };
    }
    case 'module': {
      const module = randomModule(seed);
      return { text: module.text, native: truthOfModule(module), scope: { mode, load: { externals: 'error' } } };
    }
    default: throw new Error(`${mode} is none of program, heap, module`);
  }
}

async function main(): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'soundness-'));
  const said = new Map<string, number>();
  let wrong = 0;
  for (let seed = Number(first); seed < Number(first) + Number(count); seed++) {
    const { text, native, scope } = subject(seed);
    const reached = run(work, native);
    const path = join(work, `seed${seed}.c`);
    writeFileSync(path, text);
    let answer: string;
    try {
      const verdict = await verify({
        ...scope, files: [path], probes: [], runs: [], properties: ['reach'], engine: 'auto', seed: 1, budget: { milliseconds: 1000 * Number(budget) },
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
      writeFileSync(join(folder, `${mode}${seed}.c`), text);
      console.log(`seed ${seed}: ${answer}, but ${reached} executions reach the error`);
    }
    rmSync(path);
  }
  rmSync(work, { recursive: true, force: true });
  for (const [key, n] of [...said].sort()) console.log(`${String(n).padStart(5)}  ${key}`);
  console.log(`${wrong} wrong`);
  process.exitCode = wrong > 0 ? 1 : 0;
}

void main();
