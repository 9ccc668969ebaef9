/**
 * `provest check`: a verification witness, ours or another verifier's, against the C files. A proof's loop invariants
 * must carry the whole proof in our own conditions, with invariants at calls that the format has no words for; a
 * violation is run. No other invariant of a loop is looked for, so what is confirmed is the witness, not only its
 * claim.
 */
import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { readCProbe } from '../../host/cProbe';
import { scopeOf } from '../../host/probeScope';
import type { Program } from '../../program/program';
import {
  formatVerdict,
  readWitness,
  relativeTo,
  WitnessError,
  type Witness,
  type WitnessLocation,
  type CheckJson,
} from '../../report';
import type { InvariantClaim, Task } from '../../task';
import type { Verdict } from '../../verdict';
import type { Backend } from '../backend';
import { definedFunction } from '../definedFunction';
import { exitCode, type ExitCode } from '../exitCode';
import { InputError } from '../inputError';
import { sha256 } from '../../sha256';
import { addLoadOptions, existingCFile, existingFile, loadOptions, repeatable } from '../loadOptions';
import { defaultBudget, parseDurationMs } from '../options';
import type { Terminal } from '../terminal';
import { askPeer, type OpinionFlags } from './secondOpinion';

export type CheckFlags = OpinionFlags;

export function addCheckOptions(command: Command): Command {
  return addLoadOptions(
    command
      .description(
        'check a verification witness (format 2.0), or, with --with, have another verifier check a proof of ours',
      )
      .argument('<witness>', 'the witness, a YAML file; with --with: the C file')
      .argument('[files...]', 'the C files that the witness mentions')
      .option('--with <verifier>', 'cbmc: prove the C file, and let CBMC check the proof from the loop invariants')
      .option('--entry <function>', 'with --with: the function that a program starts with (default: main)')
      .addOption(
        repeatable('--property <names>', 'with --with: as for verify', 'all but uninitialised, leak and aliasing'),
      )
      .option(
        '--budget <duration>',
        'time to spend: 500ms, 20s, 2m; with --with: for each of the verifiers',
        defaultBudget,
      )
      .option('--json', 'print one JSON object instead of text'),
  );
}

/** Engines whose proofs have no invariants. */
const followed: ReadonlySet<string> = new Set(['only-execution', 'all-executions']);

type Answer = {
  readonly kind: 'confirmed' | 'rejected' | 'unconfirmed';
  readonly why: string;
  readonly verdict?: Verdict;
};

export async function checkWitness(
  file: string,
  files: readonly string[],
  flags: CheckFlags,
  terminal: Terminal,
  backend: Backend,
): Promise<ExitCode> {
  if (flags.with !== undefined) return askPeer([file, ...files], flags, terminal, backend);
  const { cwd } = terminal;
  if (files.length === 0)
    throw new InputError(
      'name the C files that the witness mentions',
      file.endsWith('.c') ? `or the verifier that is to check a proof: provest check --with cbmc ${file}` : undefined,
    );
  const ofPeers = (['entry', 'property'] as const).find((name) => (flags[name] ?? []).length > 0);
  if (ofPeers !== undefined)
    throw new InputError(`--${ofPeers} belongs to --with`, 'a witness says itself what it is about');
  const paths = files.map((name) => existingCFile(name, cwd));
  const witness = read(existingFile(file, cwd), file);
  const budget = { milliseconds: parseDurationMs(flags.budget) };
  const answer =
    stale(witness, paths) ??
    (await judge(
      witness,
      paths,
      { ...loadOptions(flags, cwd), dataModel: witness.task.dataModel },
      budget,
      cwd,
      backend,
    ));
  const subject = relativeTo(cwd, existingFile(file, cwd));
  if (flags.json) {
    const json: CheckJson = {
      schemaVersion: 1,
      tool: { name: 'provest', version: backend.version },
      witness: answer.kind,
      type: witness.kind,
      properties: [...witness.task.properties],
      reason: answer.why,
    };
    terminal.out(`${JSON.stringify(json)}\n`);
  } else {
    const sources = paths.map((path) => relativeTo(cwd, path)).join(', ');
    terminal.out(
      `${subject}: ${answer.kind}: ${answer.why}\n` +
        (answer.kind === 'confirmed' && answer.verdict
          ? `\n${formatVerdict(answer.verdict, { color: terminal.color, subject: sources, base: cwd })}\n`
          : ''),
    );
  }
  return { confirmed: exitCode.proved, rejected: exitCode.bug, unconfirmed: exitCode.undecided }[answer.kind];
}

function read(path: string, name: string): Witness {
  try {
    return readWitness(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof WitnessError)
      throw new InputError(`${name} is no witness that can be checked: ${error.message}`);
    throw error;
  }
}

/** The witness is for other text than the files have. */
function stale({ task }: Witness, paths: readonly string[]): Answer | undefined {
  if (task.files.length !== paths.length)
    return {
      kind: 'rejected',
      why: `it is for ${task.files.length} file${task.files.length === 1 ? '' : 's'}, not ${paths.length}`,
    };
  const changed = task.files.find((file) => {
    const path = pathOf(file, paths);
    return path === undefined || task.hashes.get(file)?.toLowerCase() !== sha256(readFileSync(path));
  });
  return changed === undefined ? undefined : { kind: 'rejected', why: `it is for another text of ${changed}` };
}

/** Witnesses travel: a file is known by its last name. */
function pathOf(file: string, paths: readonly string[]): string | undefined {
  return paths.find((path) => basename(path) === basename(file));
}

async function judge(
  witness: Witness,
  paths: readonly string[],
  load: Task['load'],
  budget: Task['budget'],
  cwd: string,
  backend: Backend,
): Promise<Answer> {
  const program = backend.loadProgram(paths, { ...load, externals: 'any' });
  const entry = definedFunction(
    witness.task.entry,
    program.functions.filter((fn) => !fn.library),
  ).name;
  const task: Task = {
    files: paths,
    load: { externals: 'any', ...load },
    mode: 'program',
    entries: [entry],
    probes: [],
    runs: [],
    properties: witness.task.properties,
    engine: 'auto',
    seed: 1,
    budget,
  };
  const ask = (more: Partial<Task>): Promise<Verdict> =>
    backend.verify(
      { ...task, ...more },
      { progress: () => {}, signal: new AbortController().signal, memory: undefined },
    );
  if (witness.kind === 'violation') {
    const verdict = await ask({
      replay: {
        results: witness.results.map(({ at, value }) => ({
          file: pathOf(at.file, paths) ?? at.file,
          line: at.line,
          value,
        })),
        target: { file: pathOf(witness.target.file, paths) ?? witness.target.file, line: witness.target.line },
      },
    });
    if (verdict.kind === 'bug')
      return { kind: 'confirmed', why: 'the program was run and fails where it says', verdict };
    const why = verdict.kind === 'proved' ? 'the program does not fail' : verdict.reason.message;
    return witness.unused > 0
      ? { kind: 'unconfirmed', why: `${why}; ${witness.unused} of its waypoints are of kinds that are not followed` }
      : { kind: 'rejected', why };
  }
  const claims = witness.invariants.map(({ at, value }) => claimOf(at, value, program, paths, cwd));
  const unread = claims.find((claim) => typeof claim === 'string');
  if (typeof unread === 'string') return { kind: 'unconfirmed', why: unread };
  const verdict = await ask({ claims: claims.filter((claim) => typeof claim !== 'string') });
  if (verdict.suppressed && verdict.suppressed.length > 0)
    return { kind: 'unconfirmed', why: 'comments in the C suppress checks' };
  switch (verdict.kind) {
    case 'proved':
      return {
        kind: 'confirmed',
        why: followed.has(verdict.engine)
          ? 'it needs no invariants: all executions were followed to their ends'
          : 'its invariants are inductive and exclude every failure',
        verdict,
      };
    case 'unknown':
      return {
        kind: verdict.reason.cause === 'checker-disagrees' ? 'rejected' : 'unconfirmed',
        why: verdict.reason.message,
      };
    case 'bug':
      return { kind: 'rejected', why: verdict.counterexample.failure.message };
    case 'conditional':
    case 'potential-error':
    case 'not-evaluated':
      return { kind: 'unconfirmed', why: verdict.reason.message };
  }
}

/** Arithmetic in invariants is exact here, so conversions to wider types say nothing. */
function claimOf(
  at: WitnessLocation,
  value: string,
  program: Program,
  paths: readonly string[],
  cwd: string,
): InvariantClaim | string {
  const path = pathOf(at.file, paths) ?? at.file;
  const fn = program.functions.find(({ name, library }) => !library && name === at.function);
  const text = value.replace(/\(\s*(?:long\s+long(?:\s+int)?|long(?:\s+int)?|__int128)\s*\)/g, ' ');
  const formula = readCProbe(text, scopeOf(program, relativeTo(cwd, path), fn), program.enumConstants);
  if (formula.kind === 'mistake') return `the invariant at line ${at.line} cannot be read: ${formula.message}`;
  return {
    file: path,
    line: at.line,
    ...(at.column !== undefined && { column: at.column }),
    ...(at.function !== undefined && { function: at.function }),
    formula: formula.formula,
    text: value,
  };
}
