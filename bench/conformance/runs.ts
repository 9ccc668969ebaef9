/**
 * A conformance program natively, with gcc's sanitizers, on random inputs: a program said to be proved may not fail,
 * and where the property is reachability nothing undefined may happen at all. Endless runs are cut off.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ConformanceProgram } from '../../test/conformance/programs';

export interface RunsAnswer {
  readonly errors: number;
  readonly undefined: number;
  readonly ended: number;
  readonly cut: number;
  readonly message: string;
}

/** Undefined when the program does not compile. */
export async function runNatively(program: ConformanceProgram, seeds: number): Promise<RunsAnswer | string> {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  try {
    const source = join(folder, 'program.c');
    writeFileSync(
      source,
      `${preludeOf(program)}\n#line 1 ` +
        `"program.c"\n${program.text.replace(/^#include.*$/gm, '').replace(/\bmain\b/g, 'program_main')}`,
    );
    const binary = join(folder, 'program');
    const compiled = await run(
      'gcc',
      [
        ...(program.dataModel === 'ilp32' ? ['-m32'] : []),
        '-std=gnu11',
        '-g',
        '-O0',
        '-w',
        '-fno-builtin',
        '-fsanitize=undefined,float-cast-overflow,address',
        '-fno-sanitize-recover=all',
        source,
        harness(folder, program, seeds),
        '-o',
        binary,
      ],
      60_000,
    );
    if (compiled.code !== 0) return compiled.output;
    const ran = await run(binary, [], 120_000, {
      UBSAN_OPTIONS: 'halt_on_error=1:exitcode=78',
      ASAN_OPTIONS: 'detect_leaks=0:exitcode=77:detect_stack_use_after_return=1:allocator_may_return_null=1',
    });
    const [, errors, undefinedRuns, ended, cut] = /result (\d+) (\d+) (\d+) (\d+)/.exec(ran.output) ?? [];
    if (errors === undefined) return ran.output.slice(-500);
    return {
      errors: Number(errors),
      undefined: Number(undefinedRuns),
      ended: Number(ended),
      cut: Number(cut),
      message: /(runtime error: .*|ERROR: AddressSanitizer: [^ ]*)/.exec(ran.output)?.[0] ?? '',
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(
  command: string,
  args: readonly string[],
  timeout: number,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number; readonly output: string }> {
  return new Promise((done) => {
    execFile(
      command,
      args,
      { timeout, maxBuffer: 1 << 26, env: { ...process.env, PROVEST_CACHE: 'off', ...env } },
      (error, stdout, stderr) => done({ code: error ? 1 : 0, output: stdout + stderr }),
    );
  });
}

function preludeOf({ text }: ConformanceProgram): string {
  const includes = [...text.matchAll(/^#include <(.*)>$/gm)].map(([line]) => line);
  const define = /^#define NDEBUG/m.test(text) ? ['#define NDEBUG'] : [];
  return [...define, ...includes].join('\n');
}

function harness(folder: string, { text, entry }: ConformanceProgram, seeds: number): string {
  const constants = [
    ...new Set([...text.replace(/^\/\/.*$/gm, '').matchAll(/\b\d+\b/g)].map(([n]) => Number(n))),
  ].filter((n) => n <= 0x7fffffff);
  const inputs = [
    ...text.matchAll(/^extern ([\w ]+?) (__VERIFIER_nondet_\w+|nondet\w*|unknown)\(((?!struct).*)\);$/gm),
  ].map(([, type, name, parameters]) => `${type} ${name}(${parameters}) { return (${type})pick(); }`);
  const path = join(folder, 'harness.c');
  const start = entry === 'main' || entry === undefined ? 'program_main()' : callWithNumbers(text, entry);
  writeFileSync(
    path,
    `
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
#include <sys/time.h>
#include <sys/resource.h>
#include <signal.h>
static unsigned long state;
static unsigned long next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static const long constants[] = { 0, 1, -1, 2147483647, -2147483647 - 1, ${constants.join(', ')} };
static long pick(void) {
  unsigned long r = next();
  switch (next() % 4) {
    case 0: return constants[r % (sizeof constants / sizeof *constants)];
    case 1: return constants[r % (sizeof constants / sizeof *constants)] + (long)(next() % 3) - 1;
    case 2: return (long)(r % 17) - 4;
    default: return (long)r;
  }
}
static long objects[16];
static void *any_pointer(void) { unsigned long r = next() % 3; return r == 0 ? 0 : &objects[8 * (r - 1)]; }
${inputs.join('\n')}
void reach_error(void) __attribute__((weak));
void reach_error(void) { _exit(42); }
void __VERIFIER_error(void) { _exit(42); }
void error(void) { _exit(42); }
void __VERIFIER_assume(int c) { if (!c) _exit(0); }
void assume(int c) { if (!c) _exit(0); }
void __CPROVER_assume(_Bool c) { if (!c) _exit(0); }
void __ESBMC_assume(_Bool c) { if (!c) _exit(0); }
void __CPROVER_assert(_Bool c, const char *t) { if (!c) _exit(42); }
void __ESBMC_assert(_Bool c, const char *t) { if (!c) _exit(42); }
void assert(int c) { if (!c) _exit(42); }
void __assert_fail(const char *a, const char *b, unsigned c, const char *d) { _exit(42); }
int program_main();
int ${entry === undefined ? 'main_of_module' : entry === 'main' ? 'unused_main' : entry}();
int main(void) {
  int errors = 0, undefined = 0, ended = 0, cut = 0;
  for (int seed = 1; seed <= ${seeds}; seed++) {
    pid_t child = fork();
    if (child == 0) {
      struct itimerval limit = { { 0, 0 }, { 0, 250000 } };
      setitimer(ITIMER_REAL, &limit, 0);
      signal(SIGALRM, SIG_DFL);
      state = 88172645463325252ul * seed + 12345;
      for (int i = 0; i < 20; i++) next();
      ${start};
      _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) {
      if (WTERMSIG(status) == SIGALRM) cut++;
      else if (WTERMSIG(status) == SIGABRT) ended++;
      else undefined++;
    }
    else if (WEXITSTATUS(status) == 42) errors++;
    else if (WEXITSTATUS(status) == 77 || WEXITSTATUS(status) == 78) undefined++;
    else ended++;
    if (cut > 12) break;
  }
  printf("result %d %d %d %d\\n", errors, undefined, ended, cut);
  return 0;
}
`,
  );
  return path;
}

function callWithNumbers(text: string, entry: string): string {
  const parameters = new RegExp(`\\b${entry}\\(([^)]*)\\) \\{`).exec(text)?.[1]?.split(',') ?? [];
  return `${entry}(${parameters.map((p) => (p.includes('*') ? 'any_pointer()' : '(int)pick()')).join(', ')})`;
}
