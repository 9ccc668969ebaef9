/**
 * Random programs and modules against their computed truth: every `proved` and every `bug` is compared with all 65536
 * executions of the program, or all states that calls of the module reach, run natively. Mutants of the conformance
 * programs are compared with CBMC, and with native runs on random inputs. One wrong answer is a defect of provest; how
 * many stay open is only a measure. Needs gcc, and for mutants CBMC (the variable CBMC names its folder).
 *
 *   node scripts/run-ts.js bench/soundness.ts program|heap|checked|writing|module|mutant|all [first seed] [count]
 *   [budget in seconds] [folder for what goes wrong] [engine]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CError, verify } from '../src/index';
import { defaultProperties } from '../src/program';
import type { Task } from '../src/task';
import { failingLine } from '../test/conformance/judge';
import { readPrograms, type ConformanceProgram } from '../test/conformance/programs';
import { runCbmc } from './conformance/cbmc';
import { mutantOf } from './conformance/mutant';
import { checkedOperations, randomCheckedProgram, type CheckedProgram } from './conformance/randomCheckedProgram';
import { randomHeapProgram } from './conformance/randomHeapProgram';
import { randomModule, type RandomModule } from './conformance/randomModule';
import { randomProgram, type RandomProgram } from './conformance/randomProgram';
import { randomWritingProgram, trackedOperations, type WritingProgram } from './conformance/randomWritingProgram';
import { runNatively } from './conformance/runs';

const [
  mode = 'program',
  first = '1',
  count = '200',
  budget = '5',
  folder = join(tmpdir(), 'soundness'),
  engine = 'auto',
] = process.argv.slice(2);

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

/** The lines on which executions fail, each with how many. */
function truthOfLines({ text, reset }: CheckedProgram | WritingProgram, operations: string): string {
  return `#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#define main program_main
${operations}
#line 1 "program.c"
${text.replace('int main(void) {', 'static void reset(void); int main(void) { reset();')}
#undef main
static void reset(void) { ${reset} }
static unsigned char first_input;
static signed char second_input;
static jmp_buf back;
static int failures[1000];
unsigned char __VERIFIER_nondet_uchar(void) { return first_input; }
signed char __VERIFIER_nondet_schar(void) { return second_input; }
void reach_error(void) { }
void fail(int line) { failures[line]++; longjmp(back, 1); }
int main(void) {
  for (volatile int i = 0; i < 65536; i++) {
    first_input = i & 255;
    second_input = i >> 8;
    if (!setjmp(back)) program_main();
  }
  for (int line = 0; line < 1000; line++) if (failures[line]) printf("%d ", line);
  return 0;
}
`;
}

function run(work: string, text: string): string {
  const source = join(work, 'native.c');
  writeFileSync(source, text);
  execFileSync('gcc', [
    '-std=gnu11',
    '-O1',
    '-w',
    '-fwrapv',
    '-fno-strict-aliasing',
    source,
    '-o',
    join(work, 'native'),
  ]);
  return execFileSync(join(work, 'native'), { encoding: 'utf8', timeout: 60_000 });
}

interface Answer {
  readonly kind: string;
  /** Of a bug. */ readonly line?: number;
}

interface Subject {
  readonly text: string;
  readonly task: Pick<Task, 'mode' | 'entries' | 'load' | 'properties'>;
  /** What is wrong with an answer, if anything, and what is true. */
  readonly judge: (answer: Answer) => Promise<{ readonly wrong?: string; readonly truth: string }>;
}

const wholeProgram: Subject['task'] = {
  mode: 'program',
  entries: ['main'],
  load: { externals: 'any' },
  properties: ['reach'],
};

/** Truth: how many executions reach the error. */
function counted(reached: number): Subject['judge'] {
  return ({ kind }) =>
    Promise.resolve({
      truth: reached > 0 ? 'fails' : 'safe',
      ...(((kind === 'proved' && reached > 0) || (kind === 'bug' && reached === 0)) && {
        wrong: `${reached} executions reach the error`,
      }),
    });
}

/** Truth: the lines on which executions fail. */
function onLines(printed: string): Subject['judge'] {
  const lines = printed
    .split(' ')
    .filter((line) => line !== '')
    .map(Number);
  return ({ kind, line }) =>
    Promise.resolve({
      truth: lines.length > 0 ? 'fails' : 'safe',
      ...(kind === 'proved' && lines.length > 0 && { wrong: `executions fail on line ${lines.join(', ')}` }),
      ...(kind === 'bug' &&
        !lines.includes(line!) && {
          wrong: `a bug on line ${line}, but executions fail on ${lines.join(', ') || 'none'}`,
        }),
    });
}

async function judgeMutant(
  program: ConformanceProgram,
  { kind, line }: Answer,
): Promise<{ readonly wrong?: string; readonly truth: string }> {
  if (kind !== 'proved' && kind !== 'bug') return { truth: 'not asked' };
  const unwind = Math.min(60, Number(/^(?:cbmc|bounded):(\d+)/.exec(program.oracle)![1]) + 12);
  const said = await runCbmc(program, { bin: cbmcFolder, unwind, timeoutMs: 60_000 });
  if (said.kind === 'checked') {
    const lines = said.failing
      .filter(({ property }) => program.properties.includes(property))
      .map((failing) => failing.line);
    if (kind === 'proved' && lines.length > 0)
      return { truth: 'fails', wrong: `CBMC: fails on line ${lines.join(', ')}` };
    if (kind === 'bug' && said.complete && lines.length === 0)
      return { truth: 'safe', wrong: `a bug on line ${line}, but CBMC finds none` };
    if (kind === 'bug' && said.complete && !lines.includes(line!))
      return { truth: 'fails', wrong: `a bug on line ${line}, but CBMC fails on ${lines.join(', ')}` };
  }
  if (kind === 'proved') {
    const ran = await runNatively(program, 40);
    if (typeof ran !== 'string' && ran.errors > 0) return { truth: 'fails', wrong: `native runs fail: ${ran.message}` };
  }
  return {
    truth:
      said.kind !== 'checked'
        ? `CBMC: ${said.why.slice(0, 20)}`
        : said.failing.length > 0
          ? 'fails'
          : said.complete
            ? 'safe'
            : 'no failure within bounds',
  };
}

const cbmcFolder = process.env.CBMC ?? '';
const mutable = readPrograms().filter(
  ({ oracle, mode, entry, properties }) =>
    /^(cbmc|bounded):/.test(oracle) && mode === 'program' && entry === 'main' && !properties.includes('leak'),
);

function subject(kind: string, seed: number, work: string): Subject | undefined {
  switch (kind) {
    case 'program':
    case 'heap': {
      const program = kind === 'program' ? randomProgram(seed) : randomHeapProgram(seed);
      return { text: program.text, task: wholeProgram, judge: counted(Number(run(work, truthOfProgram(program)))) };
    }
    case 'checked': {
      const program = randomCheckedProgram(seed);
      return {
        text: program.text,
        task: { ...wholeProgram, properties: defaultProperties },
        judge: onLines(run(work, truthOfLines(program, checkedOperations))),
      };
    }
    case 'writing': {
      const program = randomWritingProgram(seed);
      return {
        text: program.text,
        task: { ...wholeProgram, properties: ['uninitialised'] },
        judge: onLines(run(work, truthOfLines(program, trackedOperations))),
      };
    }
    case 'module': {
      const module = randomModule(seed);
      return {
        text: module.text,
        task: { mode: 'module', load: { externals: 'error' }, properties: ['reach'] },
        judge: counted(Number(run(work, truthOfModule(module)))),
      };
    }
    case 'mutant': {
      const program = mutantOf(mutable[seed % mutable.length]!, seed);
      return (
        program && {
          text: program.text,
          task: {
            mode: 'program',
            entries: ['main'],
            load: { externals: 'any', dataModel: program.dataModel, idioms: true },
            properties: program.properties,
          },
          judge: (answer) => judgeMutant(program, answer),
        }
      );
    }
    default:
      throw new Error(`${kind} is none of program, heap, checked, writing, module, mutant, all`);
  }
}

const kinds = ['program', 'heap', 'checked', 'writing', 'module', ...(cbmcFolder === '' ? [] : ['mutant'])];

async function main(): Promise<void> {
  if (mode === 'mutant' && cbmcFolder === '') throw new Error('CBMC must name the folder of the cbmc executable');
  mkdirSync(folder, { recursive: true });
  const work = mkdtempSync(join(tmpdir(), 'soundness-'));
  const said = new Map<string, number>();
  let wrong = 0;
  const print = (): void => {
    for (const [key, n] of [...said].sort()) console.log(`${String(n).padStart(5)}  ${key}`);
    console.log(`${wrong} wrong`);
  };
  for (let seed = Number(first), asked = 1; asked <= Number(count); seed++, asked++) {
    const kind = mode === 'all' ? kinds[seed % kinds.length]! : mode;
    const of = subject(kind, seed, work);
    if (!of) continue;
    const path = join(work, `seed${seed}.c`);
    writeFileSync(path, of.text);
    let answer: Answer;
    let why: string | undefined;
    try {
      const verdict = await verify({
        ...of.task,
        files: [path],
        probes: [],
        runs: [],
        engine,
        seed: 1,
        budget: { milliseconds: 1000 * Number(budget) },
      });
      answer = {
        kind: verdict.kind,
        ...(verdict.kind === 'bug' && { line: failingLine(verdict.counterexample.stack) }),
      };
    } catch (error) {
      // A mutant may be no C.
      const isC = !(error instanceof CError);
      answer = { kind: isC ? 'failure' : 'no C' };
      if (isC || kind !== 'mutant') why = (error as Error).message.slice(0, 200);
    }
    const { truth, ...judged } = await of.judge(answer);
    why ??= judged.wrong;
    const key = `${kind}: ${answer.kind}, ${truth}`;
    said.set(key, (said.get(key) ?? 0) + 1);
    if (why !== undefined) {
      wrong++;
      writeFileSync(join(folder, `${kind}${seed}.c`), of.text);
      console.log(`${kind} ${seed}: ${answer.kind}, but ${why}`);
    }
    rmSync(path);
    if (asked % 100 === 0) print();
  }
  rmSync(work, { recursive: true, force: true });
  print();
  process.exitCode = wrong > 0 ? 1 : 0;
}

void main();
