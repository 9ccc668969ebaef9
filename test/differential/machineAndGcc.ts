/**
 * Runs a C program twice, on our machine and natively, and tells what each wrote and how it ended. GCC gets `-fwrapv`,
 * so that both give wrapped overflow the same meaning; whether a program overflows is for the machine's checks to say.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mainArguments } from '../../src/host/mainArguments';
import { loadProgram } from '../../src/program';
import { Machine, type Fault, type MachineOptions } from '../../src/semantics';
import type { LoadOptions } from '../../src/task';

export interface Behaviour {
  readonly output: string;
  /** "exit 3", or what stopped it. */
  readonly end: string;
}

export interface MachineRun extends Behaviour {
  readonly fault: Fault | undefined;
  /** The output without that for stderr. */
  readonly stdout: string;
  readonly loadMs: number;
  readonly runMs: number;
  readonly steps: number;
}

/** `others` are further files of the same program. */
export function onMachine(
  path: string,
  load: LoadOptions = {},
  options: MachineOptions = {},
  others: readonly string[] = [],
): MachineRun {
  let output = '';
  let stdout = '';
  const started = performance.now();
  const program = loadProgram([path, ...others], { externals: 'error', ...load });
  const loaded = performance.now();
  const machine = new Machine(program, {
    ...options,
    output: (text, stream) => {
      output += text;
      if (stream === 'stdout') stdout += text;
    },
  });
  const main = program.functionByName.get('main');
  if (!main) return { output, stdout, end: 'no main', fault: undefined, loadMs: loaded - started, runMs: 0, steps: 0 };
  const outcome = machine.call(
    main,
    mainArguments(main, [path], machine.memory, program.dataModel === 'lp64' ? 8 : 4)!,
  );
  const done = performance.now();
  return {
    output,
    stdout,
    end: describe(outcome),
    fault: outcome.kind === 'fault' ? outcome.fault : undefined,
    loadMs: loaded - started,
    runMs: done - loaded,
    steps: machine.steps,
  };
}

function describe(outcome: ReturnType<Machine['call']>): string {
  switch (outcome.kind) {
    case 'returned':
      return `exit ${Number(outcome.value ?? 0) & 255}`;
    case 'halted':
      return `exit ${outcome.status & 255}`;
    case 'fault': {
      const { span, message, check, stack } = outcome.fault;
      return (
        `${check} at ${span.file.path}:${span.file.position(span.start).line} in ` +
        `${stack[0]?.function.name ?? '?'}: ${message}`
      );
    }
    case 'stopped':
      return `stopped: ${outcome.reason}`;
    case 'limit':
      return `limit: ${outcome.limit}`;
  }
}

/** Undefined when the program cannot be compiled or takes longer than the timeout. `under`: a command that runs it. */
export function onGcc(
  path: string,
  flags: readonly string[] = [],
  timeoutMs = 10_000,
  under: readonly string[] = [],
  compiler: 'gcc' | 'clang' = 'gcc',
): Behaviour | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'provest-gcc-'));
  try {
    const binary = join(folder, 'program');
    const { status: compiled } = spawnSync(
      compiler,
      ['-w', '-std=gnu11', '-O0', '-fwrapv', ...flags, '-o', binary, path, '-lm'],
      { stdio: 'ignore' },
    );
    if (compiled !== 0) return undefined;
    const { stdout, status, signal } = spawnSync(
      under[0] ?? binary,
      [...under.slice(1), ...(under.length > 0 ? [binary] : [])],
      { timeout: timeoutMs, maxBuffer: 2 ** 28, encoding: 'utf8' },
    );
    if (signal === 'SIGTERM') return undefined;
    return {
      output: stdout,
      end: signal === 'SIGABRT' ? 'exit 134' : status === null ? `signal ${signal}` : `exit ${status}`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Whether gcc makes programs with these flags that this machine runs: a kernel may know no others than its own. */
export function gccRuns(...flags: readonly string[]): boolean {
  return compilerRuns('gcc', flags);
}

export function compilerRuns(compiler: 'gcc' | 'clang', flags: readonly string[] = []): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'provest-gcc-'));
  try {
    const path = join(folder, 'answer.c');
    writeFileSync(path, 'int main(void) { return 42; }\n');
    return onGcc(path, flags, 10_000, [], compiler)?.end === 'exit 42';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sanitizers = [
  '-fsanitize=address,null,bounds,pointer-overflow,signed-integer-overflow,integer-divide-by-zero,shift,' +
    'float-cast-overflow',
  '-fno-sanitize-recover=all',
  '-fsanitize-address-use-after-scope',
  '-g',
];

/**
 * What the compiler's sanitizers say of the program: the first error, if there is any. Without `-fwrapv`, so that they
 * see overflow.
 */
export function onSanitizers(
  path: string,
  flags: readonly string[] = [],
  timeoutMs = 10_000,
): { readonly output: string; readonly error: string | undefined } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'provest-gcc-'));
  try {
    const binary = join(folder, 'program');
    const { status: compiled } = spawnSync(
      'gcc',
      ['-w', '-std=gnu11', '-O0', ...sanitizers, ...flags, '-o', binary, path, '-lm'],
      { stdio: 'ignore' },
    );
    if (compiled !== 0) return undefined;
    const env = {
      ...process.env,
      ASAN_OPTIONS: 'detect_stack_use_after_return=1:detect_leaks=0:detect_invalid_pointer_pairs=2',
    };
    const { stdout, stderr, signal } = spawnSync(binary, {
      timeout: timeoutMs,
      maxBuffer: 2 ** 28,
      encoding: 'utf8',
      env,
    });
    if (signal === 'SIGTERM') return undefined;
    return {
      output: stdout,
      error: /\S+:\d+:\d+: runtime error: .*|ERROR: AddressSanitizer: [^\n]*/.exec(stderr)?.[0],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function commandExists(name: string): boolean {
  return spawnSync(name, ['--version'], { stdio: 'ignore' }).status === 0;
}
