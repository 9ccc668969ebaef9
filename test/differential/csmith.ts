/** One random program from a seed, run on the machine and natively. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataModel } from '../../src/c/types';
import { loadProgram } from '../../src/program';
import type { Machine } from '../../src/semantics';
import { firstDifference, seenOf } from './compiledAndReference';
import { questionsAtCutpoints, recordedStates } from './recordedStates';
import { onGcc, onMachine, onSanitizers, type MachineRun } from './machineAndGcc';

export type CsmithResult =
  | {
      readonly kind: 'same';
      readonly seed: number;
      readonly lines: number;
      readonly loadMs: number;
      readonly runMs: number;
      readonly steps: number;
    }
  /** One of the two did not run to its end within the limits, so there is nothing to compare. */
  | { readonly kind: 'skipped'; readonly seed: number; readonly why: string }
  | {
      readonly kind: 'different';
      readonly seed: number;
      readonly options: string;
      readonly machine: string;
      readonly gcc: string;
    };

/**
 * Without and with undefined behaviour; under which data model; or both forms of execution against each other, with
 * undefined behaviour for half of the seeds, as they are or with every cutpoint recorded.
 */
export type Mode = DataModel | 'unsafe' | 'compiled' | 'recorded';

/**
 * `any` is csmith's own: programs of a hundred kilobytes are usual. Of `mixed` every eighth is one of these, and the
 * others are as rich and shorter.
 */
export type Size = 'small' | 'mixed' | 'any';

/** Where the runtime of csmith's programs is, if it is installed. */
export function csmithHeaders(): string | undefined {
  return ['/usr/include/csmith', '/usr/local/include/csmith', process.env.CSMITH_INCLUDE ?? ''].find((folder) =>
    existsSync(join(folder, 'csmith.h')),
  );
}

/** Every seed asks for another mixture of what C has; packed structures are GNU's and left out. */
function optionsFor(seed: number, mode: Mode, size: Size): string[] {
  const switches = ['--no-argc', '--no-packed-struct', '--quiet', '--seed', String(seed)];
  if (size === 'mixed' && seed % 8 !== 0)
    switches.push(
      '--max-funcs',
      String(2 + (seed % 4)),
      '--max-block-depth',
      '3',
      '--max-block-size',
      '3',
      '--max-expr-complexity',
      '8',
    );
  if (size === 'small') switches.push('--max-funcs', '3', '--max-block-depth', '3', '--max-expr-complexity', '6');
  if (mode === 'unsafe' || ((mode === 'compiled' || mode === 'recorded') && seed % 2 === 0)) {
    switches.push('--no-safe-math');
    if (size === 'any') switches.push('--max-funcs', '5');
    if (seed % 3 === 0) switches.push('--null-ptr-deref-prob', '10');
    if (seed % 3 === 1) switches.push('--dangling-ptr-deref-prob', '20', '--no-unions');
    if (seed % 3 === 2) switches.push('--float');
    return switches;
  }
  if (size === 'any' && seed % 3 === 1) switches.push('--max-funcs', '4', '--max-block-depth', '3');
  if (seed % 4 === 2) switches.push('--float');
  if (seed % 4 === 3) switches.push('--builtins', '--disable-builtin-kinds', 'x86');
  if (seed % 5 === 0) switches.push('--max-pointer-depth', '4');
  return switches;
}

export function tryProgram(
  seed: number,
  mode: Mode = 'lp64',
  size: Size = 'any',
  stepLimit = size === 'small' ? 1_000_000 : 5_000_000,
): CsmithResult {
  const headers = csmithHeaders();
  if (headers === undefined) throw new Error('csmith.h is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'provest-csmith-'));
  try {
    const options = optionsFor(seed, mode, size);
    const path = join(folder, `seed${seed}.c`);
    const { stdout: text, status } = spawnSync('csmith', options, {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      timeout: 20_000,
    });
    if (status !== 0) return { kind: 'skipped', seed, why: 'csmith failed' };
    writeFileSync(path, text);
    const compare = mode === 'unsafe' ? compareFaults : compareOutput;
    if (mode === 'compiled') return compareExecutions(seed, options.join(' '), path, headers, stepLimit);
    if (mode === 'recorded') return compareRecordings(seed, options.join(' '), path, headers, stepLimit / 10);
    const model = mode === 'ilp32' ? 'ilp32' : 'lp64';
    const different = (machine: string, gcc: string): CsmithResult => ({
      kind: 'different',
      seed,
      options: options.join(' '),
      machine,
      gcc,
    });
    const run = () => machineRun(path, headers, model, stepLimit);
    const outcome = compare(path, headers, model, run, options.includes('--float'));
    if ('why' in outcome) return { kind: 'skipped', seed, why: outcome.why };
    if ('gcc' in outcome) return different(outcome.machine, outcome.gcc);
    return {
      kind: 'same',
      seed,
      lines: text.split('\n').length,
      loadMs: outcome.loadMs,
      runMs: outcome.runMs,
      steps: outcome.steps,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The reference machine and compiled code do the same, whatever it is. The figures are those of compiled code. */
function compareExecutions(
  seed: number,
  options: string,
  path: string,
  headers: string,
  stepLimit: number,
): CsmithResult {
  const started = performance.now();
  const program = loadProgram([path], { include: [headers], externals: 'error' });
  const loadMs = performance.now() - started;
  const run = (machine: Machine) => machine.call(program.functionByName.get('main')!, []);
  const reference = seenOf(program, 'reference', run, { stepLimit });
  const begun = performance.now();
  const compiled = seenOf(program, 'compiled', run, { stepLimit });
  const runMs = performance.now() - begun;
  const difference = firstDifference(reference, compiled);
  if (difference !== undefined)
    return { kind: 'different', seed, options, machine: difference, gcc: '(compiled against reference)' };
  return {
    kind: 'same',
    seed,
    lines: readFileSync(path, 'utf8').split('\n').length,
    loadMs,
    runMs,
    steps: compiled.steps,
  };
}

/**
 * What is recorded of a run, with compiled code deciding which arrivals look new, is what looking at every arrival
 * finds; and the run is the same.
 */
function compareRecordings(
  seed: number,
  options: string,
  path: string,
  headers: string,
  stepLimit: number,
): CsmithResult {
  const started = performance.now();
  const program = loadProgram([path], { include: [headers], externals: 'error' });
  const loadMs = performance.now() - started;
  const observedPredicates = questionsAtCutpoints(program);
  const run = (machine: Machine) => machine.call(program.functionByName.get('main')!, []);
  const every = recordedStates(program, observedPredicates, 'every arrival', run, { stepLimit });
  const begun = performance.now();
  const inPlace = recordedStates(program, observedPredicates, 'in place', run, { stepLimit });
  const runMs = performance.now() - begun;
  const summary = ({ states, machine, outcome }: ReturnType<typeof recordedStates>) =>
    [outcome.kind, String(machine.steps), ...states].join('\n');
  if (summary(every) !== summary(inPlace)) {
    const lost = every.states.filter((state) => !inPlace.states.includes(state)).slice(0, 3);
    return {
      kind: 'different',
      seed,
      options,
      machine:
        `recorded in place ${inPlace.states.length} states, of every arrival ${every.states.length}; ` +
        `missing: ${lost.join('; ')}`,
      gcc: '(compiled against reference)',
    };
  }
  return {
    kind: 'same',
    seed,
    lines: readFileSync(path, 'utf8').split('\n').length,
    loadMs,
    runMs,
    steps: inPlace.machine.steps,
  };
}

type Comparison = { readonly why: string } | { readonly machine: string; readonly gcc: string } | MachineRun;

function machineRun(path: string, headers: string, dataModel: DataModel, stepLimit: number): MachineRun {
  try {
    return onMachine(path, { include: [headers], dataModel }, { stepLimit });
  } catch (error) {
    return {
      output: '',
      stdout: '',
      end: `threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      fault: undefined,
      loadMs: 0,
      runMs: 0,
      steps: 0,
    };
  }
}

/** A program without undefined behaviour writes the same here and natively, and no check fails. */
function compareOutput(
  path: string,
  headers: string,
  dataModel: DataModel,
  run: () => MachineRun,
  floats: boolean,
): Comparison {
  // The machine first: to an endless loop it gives its steps, which takes less time than a compiler and a timeout.
  const machine = run();
  if (machine.end === 'limit: steps') return { why: 'takes too many steps' };
  const native = onGcc(
    path,
    ['-I', headers, ...(dataModel === 'ilp32' ? ['-m32', '-msse2', '-mfpmath=sse'] : [])],
    20_000,
  );
  if (!native) return { why: 'does not compile, or takes too long natively' };
  // The one undefined behaviour that csmith does not avoid.
  if (floats && machine.fault?.check === 'conversion') return { why: 'converts a float that does not fit' };
  if (machine.output === native.output && machine.end === native.end) return machine;
  const say = ({ output, end }: { output: string; end: string }) => `${output.trim()} (${end})`;
  return { machine: say(machine), gcc: say(native) };
}

/**
 * A program whose arithmetic is not guarded fails a check here exactly when a sanitizer stops it natively. Where is
 * another question: of two faults in one expression C does not say which comes first.
 */
function compareFaults(path: string, headers: string, _dataModel: DataModel, run: () => MachineRun): Comparison {
  const sanitized = onSanitizers(path, ['-I', headers], 3_000);
  if (!sanitized) return { why: 'does not compile, or takes too long natively' };
  const machine = run();
  if (machine.end === 'limit: steps') return { why: 'takes too many steps' };
  const agree = machine.fault
    ? sanitized.error !== undefined
    : machine.end.startsWith('exit') && sanitized.error === undefined && machine.output === sanitized.output;
  return agree
    ? machine
    : { machine: `${machine.output.trim()} (${machine.end})`, gcc: sanitized.error ?? sanitized.output.trim() };
}
