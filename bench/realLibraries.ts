/**
 * Real C libraries, unmodified, on our machine and natively: their own tests, or a driver of ours where those need what
 * we do not model. What both print must be the same. Nothing of the libraries is kept here: the script takes a folder
 * of checkouts, named as their repositories are.
 *
 *   node scripts/run-ts.js bench/realLibraries.ts FOLDER [name...]
 *
 * Where the machine stops at something undefined that compilers let pass, the place is told and the program is run
 * again without that one check.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { loadProgram, propertyOf, type CheckKind } from '../src/program';
import { Machine, objectNumber, pointerTo } from '../src/semantics';
import { libraries, type Library } from './drivers/libraries';

const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error('give the folder of the checkouts');
const root = resolve(folder);
const drivers = (library: Library): string => relative(join(root, library.name), join(__dirname, 'drivers'));

interface Row {
  readonly library: Library;
  readonly lines: number;
  readonly result: string;
  readonly gccMs: number;
  readonly loadMs: number;
  readonly runMs: number;
  readonly steps: number;
}

/** Paths are relative to the checkout, where everything is run. */
const sourcesOf = (library: Library): string[] => [
  ...(library.driver ? [join(drivers(library), `${library.driver}.c`)] : []),
  ...library.sources,
];
const includesOf = (library: Library): string[] => [...(library.include ?? ['.']), join(drivers(library), 'generated')];

function natively(library: Library): { output: string; ms: number } | string {
  const scratch = mkdtempSync(join(tmpdir(), 'provest-library-'));
  try {
    const binary = join(scratch, 'program');
    const flags = [
      ...includesOf(library).flatMap((directory) => ['-I', directory]),
      ...Object.entries(library.define ?? {}).map(([macro, value]) => `-D${macro}=${value}`),
    ];
    const compiled = spawnSync(
      'gcc',
      ['-w', '-std=gnu11', '-O0', ...flags, '-o', binary, ...sourcesOf(library), '-lm'],
      { encoding: 'utf8' },
    );
    if (compiled.status !== 0)
      return (
        'gcc: ' +
        `${compiled.stderr.split('\n').find((line) => line.includes('error')) ?? compiled.stderr.slice(0, 200)}`
      );
    const started = performance.now();
    const { stdout, status, signal } = spawnSync(binary, {
      encoding: 'latin1',
      timeout: 60_000,
      input: '',
      maxBuffer: 2 ** 28,
    });
    return { output: `${stdout}\nexit ${status ?? signal}`, ms: performance.now() - started };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

interface Run {
  readonly output: string;
  readonly end: string;
  readonly stoppedBy: CheckKind | undefined;
  readonly loadMs: number;
  readonly runMs: number;
  readonly steps: number;
}

function here(library: Library, off: ReadonlySet<CheckKind>): Run {
  const started = performance.now();
  const program = loadProgram(sourcesOf(library), {
    externals: 'error',
    include: includesOf(library),
    define: library.define ?? {},
  });
  const loaded = performance.now();
  const chunks: string[] = [];
  const written = new Map<string, Uint8Array>();
  const machine = new Machine(program, {
    stepLimit: 3_000_000_000,
    properties: new Set((Object.keys(propertyOf) as CheckKind[]).filter((kind) => !off.has(kind))),
    output: (text, stream) => {
      if (stream === 'stdout') chunks.push(text);
    },
    environment: {
      host: {
        read: (path) => written.get(path) ?? (existsSync(path) ? readFileSync(path) : undefined),
        write: (path, bytes) => {
          written.set(path, bytes);
        },
        remove: (path) => {
          written.delete(path);
        },
      },
    },
  });
  const main = program.functionByName.get('main')!;
  const name = machine.memory.make({ kind: 'host', sizeBytes: 8, contents: Buffer.from('program\0') });
  const vector = machine.memory.make({ kind: 'host', sizeBytes: 16, contents: 'zero' });
  machine.memory.store(pointerTo(objectNumber(vector)), { kind: 'pointer' }, name);
  const outcome = machine.call(main, [1, vector, 0].slice(0, main.parameters.length));
  const runMs = performance.now() - loaded;
  const end =
    outcome.kind === 'returned'
      ? `exit ${Number(outcome.value ?? 0) & 255}`
      : outcome.kind === 'halted'
        ? `exit ${outcome.status & 255}`
        : outcome.kind === 'fault'
          ? `${outcome.fault.check}: ${outcome.fault.message} ` +
            `(${outcome.fault.span.file.path}:${outcome.fault.span.file.position(outcome.fault.span.start).line})`
          : outcome.kind;
  return {
    output: chunks.join(''),
    end,
    stoppedBy: outcome.kind === 'fault' ? outcome.fault.check : undefined,
    loadMs: loaded - started,
    runMs,
    steps: machine.steps,
  };
}

function tryLibrary(library: Library): Row {
  const lines = [...new Set([...library.sources, ...(library.counted ?? [])])].reduce(
    (sum, source) => sum + readFileSync(source, 'utf8').split('\n').length,
    0,
  );
  const row = (result: string, run?: Run, gccMs = NaN): Row => ({
    library,
    lines,
    result,
    gccMs,
    loadMs: run?.loadMs ?? NaN,
    runMs: run?.runMs ?? NaN,
    steps: run?.steps ?? NaN,
  });
  const native = natively(library);
  if (typeof native === 'string') return row(native);
  const off = new Set<CheckKind>();
  const stops: string[] = [];
  for (;;) {
    let run: Run;
    try {
      run = here(library, off);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return row(`not loaded: ${error.message.split('\n')[0]}`);
    }
    const continues: readonly CheckKind[] = [
      'uninitialised-read',
      'pointer-comparison',
      'pointer-arithmetic',
      'signed-overflow',
      'conversion',
      'shift',
      'shift-overflow',
      'noreturn',
    ];
    if (run.stoppedBy && continues.includes(run.stoppedBy) && !off.has(run.stoppedBy)) {
      stops.push(run.end);
      off.add(run.stoppedBy);
      continue;
    }
    const told = stops.length === 0 ? '' : `; undefined, but passed by gcc: ${stops.join('; ')}`;
    const steady = (text: string): string => (library.varying ? text.replace(library.varying, '') : text);
    const expected = steady(native.output);
    const ours = steady(`${Buffer.from(run.output, 'utf8').toString('latin1')}\n${run.end}`);
    if (ours === expected) return row(`same${told}`, run, native.ms);
    const at = [...expected].findIndex((c, i) => c !== ours[i]);
    return row(
      `**different** at byte ${at}: gcc ${JSON.stringify(expected.slice(Math.max(0, at - 20), at + 40))}, here ` +
        `${JSON.stringify(ours.slice(Math.max(0, at - 20), at + 200))}${told}`,
      run,
      native.ms,
    );
  }
}

console.log(
  '| library | what it is | lines | result | gcc -O0 | load | run | run : gcc |\n|---|---|---|---|---|---|---|---|',
);
for (const library of libraries) {
  if (names.length > 0 && !names.includes(library.name) && !names.includes(library.label ?? '')) continue;
  if (!existsSync(join(root, library.name))) {
    console.log(`| ${library.repository} | not there |`);
    continue;
  }
  process.chdir(join(root, library.name));
  const { lines, result, gccMs, loadMs, runMs } = tryLibrary(library);
  const ms = (value: number): string =>
    Number.isNaN(value) ? '' : `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
  console.log(
    `| ${library.repository}${library.label ? ` (${library.label})` : ''} | ${library.what} | ${lines} | ` +
      `${result} | ${ms(gccMs)} | ${ms(loadMs)} | ${ms(runMs)} | ` +
      `${Number.isNaN(runMs) ? '' : (runMs / gccMs).toFixed(1)} |`,
  );
}
