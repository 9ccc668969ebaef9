/** `provest verify`: from files and flags to a task, from its verdict to text or JSON and an exit code. */
import type { Command } from 'commander';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { memoryFolder } from '../../proofCache';
import type { ProgramInterface } from '../../program';
import {
  annotatedProgram,
  Course,
  dialects,
  type AnnotationDialect,
  counterexampleToHarness,
  emptyWitness,
  leftOutOfWitness,
  type LeftOut,
  formatVerdict,
  proofLcov,
  relativeTo,
  sarifWithoutVerdict,
  verdictToJson,
  verdictToSarif,
  verdictToWitness,
  writeLog,
  type JsonContext,
} from '../../report';
import { angelicConfigurations, type Task } from '../../task';
import type { Verdict } from '../../verdict';
import type { Backend } from '../backend';
import { conditionsOf, hasConditions, type ConditionFlags } from '../conditions';
import { exitCodeOf, type ExitCode } from '../exitCode';
import { InputError } from '../inputError';
import { ProverFailure } from '../proverFailure';
import {
  addLoadOptions,
  existingCFile,
  loadOptions,
  repeatable,
  type LoadFlags,
  requiresOption,
  initialisedByOption,
  validPointersOption,
  possibleOption,
  probeOption,
} from '../loadOptions';
import {
  defaultBudget,
  parseChoice,
  parseDurationMs,
  parseEffort,
  parseNodes,
  parseProperties,
  parseJobs,
  parseSeed,
} from '../options';
import { checkOutput, writeOutput, writing } from '../outputFile';
import { ProgressLine } from '../progressLine';
import { writeReport } from '../reportFile';
import { scopeOf } from '../scope';
import type { Terminal } from '../terminal';
import { addWarningOption, showWarnings, type WarningFlags } from '../warnings';

export interface VerifyFlags extends LoadFlags, ConditionFlags, WarningFlags {
  readonly entry?: string;
  readonly entries: readonly string[];
  readonly header: readonly string[];
  readonly init?: string;
  readonly property: readonly string[];
  readonly engine?: string;
  readonly generalize: string;
  readonly interpolants: string;
  readonly successors: string;
  /** `--no-slacken`: false. */
  readonly slacken: boolean;
  readonly nodes?: string;
  readonly angelic?: boolean;
  readonly angelicConfiguration?: string;
  /** `--no-escalate`: false. */
  readonly escalate: boolean;
  /** `--no-race`: false. */
  readonly race: boolean;
  readonly trace?: boolean;
  readonly budget: string;
  readonly effort?: string;
  readonly seed: string;
  readonly cutpoints: string;
  /** `--checks`: all of them are listed, and verified for the whole budget. */
  readonly checks?: boolean;
  readonly json?: boolean;
  readonly sarif?: string;
  readonly proofLcov?: string;
  readonly html?: string;
  readonly witness?: string;
  readonly harness?: string;
  readonly annotated?: string;
  readonly queue?: string;
  /** Every file is a module or program of its own. */
  readonly each?: boolean;
  readonly jobs?: string;
  readonly dialect: string;
  /** `--no-call-backs`: false. */
  readonly callBacks: boolean;
  /** `--no-cache`: false; `--cache folder`: its path. */
  readonly cache?: boolean | string;
}

export function addVerifyOptions(command: Command): Command {
  command
    .description('prove that no check of a C module or program can fail, or find the calls that make one fail')
    .argument('<files...>', 'C files, linked together');
  subjectOptions(command.optionsGroup('Subject of the proof:'));
  addWarningOption(addLoadOptions(command.optionsGroup('Reading the C:')));
  outputOptions(command.optionsGroup('Output:'));
  effortOptions(command.optionsGroup('Effort:'));
  methodOptions(command.optionsGroup('Method, for those who know it:'));
  return command.addHelpText(
    'after',
    `
Examples:
  provest verify stack.c                          a module: any calls of its functions, with any arguments
  provest verify stack.c --requires 'push: n > 0' the same for callers that keep to a precondition
  provest verify main.c util.c -I include --html report.html
                                                  a program, with a report to look at

Exit codes: 0 proved, 1 bug, 2 no definite answer, 3 the call or the C is wrong, 4 provest itself failed.`,
  );
}

function subjectOptions(command: Command): Command {
  return command
    .option(
      '--entry <function>',
      'check this function with any arguments (program mode); default: main, if there is one',
    )
    .addOption(
      repeatable('--entries <functions>', 'module mode: clients call these functions, no others', 'all not static'),
    )
    .addOption(
      repeatable('--header <file>', 'module mode: clients call the functions that this header declares', 'none'),
    )
    .option('--init <function>', 'module mode: clients call this first, once')
    .addOption(requiresOption())
    .addOption(initialisedByOption())
    .addOption(validPointersOption())
    .addOption(possibleOption())
    .addOption(
      repeatable(
        '--property <names>',
        'reach, memsafety, overflow, div-by-zero, uninitialised, leak, aliasing, all; also with commas',
        'all but uninitialised, leak and aliasing',
      ),
    )
    .option(
      '--angelic',
      'modules: after a bug go on for clients that keep the specifications which excuse it; beside an error that ' +
        'nothing excuses, as long as there is news',
    )
    .option(
      '--angelic-configuration <name>',
      'specifications that may excuse a failure: default, noTS (none about state), noAlias (only those about ' +
        'state), noEE (none), default-AA (also those that tests and branches speak against)',
    )
    .option('--no-call-backs', 'undefined functions are taken not to call the program back');
}

function outputOptions(command: Command): Command {
  return command
    .option(
      '--checks',
      'list every check with its answer; after a failure the others are verified for the rest of the budget',
    )
    .option('--json', 'print one JSON object instead of text')
    .option(
      '--html <file>',
      'also write a report to look at: one file, with the source, the states and the counterexample step by step',
    )
    .option('--sarif <file>', 'also write the verdict as SARIF 2.1.0, for code scanning')
    .option(
      '--proof-lcov <file>',
      'also write which lines are proved as an lcov tracefile: a line with a check that is not proved counts as ' +
        'not hit',
    )
    .option('--witness <file>', 'program mode: also write a verification witness (format 2.0), for other verifiers')
    .option('--annotated <file>', 'program mode: write the C with the proved loop invariants, for other verifiers')
    .option('--dialect <name>', 'of --annotated: cbmc (loop contracts) or acsl', 'cbmc')
    .option('--harness <file>', 'program mode: write the inputs of a bug as C, to compile with the program');
}

function effortOptions(command: Command): Command {
  return command
    .option('--budget <duration>', 'time to spend: 500ms, 20s, 2m', defaultBudget)
    .option(
      '--effort <units>',
      "limit of one question to the solver, in the solver's own units: the same on every machine",
    )
    .option('--seed <number>', 'seed of every random choice', '1')
    .option(
      '--cache <folder>',
      'where proofs are remembered (default: node_modules/.cache/provest of the project, if there is one)',
    )
    .option('--no-cache', 'prove everything anew and remember nothing')
    .option('--each', 'every file, or file that matches a pattern, is a module or program of its own')
    .option(
      '--jobs <number>',
      'solvers of one proof; with --each, files proved at a time (default: by how many cores are idle)',
    )
    .option(
      '--queue <address>',
      'prove each file, or file that matches a pattern, on workers at this Redis server: redis://localhost:6379',
    );
}

function methodOptions(command: Command): Command {
  return command
    .addOption(probeOption())
    .option('--engine <name>', 'how to prove; auto chooses')
    .option(
      '--generalize <how>',
      'engines that refine: how to treat splits that diverge: off, widen, interpolate or learned',
      'learned',
    )
    .option(
      '--interpolants <kind>',
      'engine minimax: what is kept of an infeasible path: precondition, halves, subset or none',
      'precondition',
    )
    .option(
      '--successors <order>',
      'engine minimax: which successors come first: feasible-first, infeasible-first or text',
      'feasible-first',
    )
    .option('--no-slacken', 'engine minimax: equations at loops are kept or dropped whole, not as two inequalities')
    .option('--nodes <number>', 'engine minimax: the size of the tree at which the search gives up')
    .option('--no-escalate', 'engine auto: leave potential errors as they are, without refinement')
    .option(
      '--no-race',
      'engine auto: neither refinement nor minimax begins on another core, where one is idle, before its turn',
    )
    .option('--trace', 'engines that refine, and minimax: print what each iteration does')
    .option(
      '--cutpoints <kind>',
      'further places for abstract states: default, labels, checks or statements',
      'default',
    );
}

export async function verifyFiles(
  files: readonly string[],
  flags: VerifyFlags,
  terminal: Terminal,
  backend: Backend,
): Promise<ExitCode> {
  const { cwd } = terminal;
  const paths = files.map((file) => existingCFile(file, cwd));
  const context = { version: backend.version, base: cwd, files: paths };
  const load = loadOptions(flags, cwd);
  const read = readFlags(flags, backend);
  const dialect = parseChoice('dialect', flags.dialect, dialects);
  if (flags.html !== undefined) checkOutput(flags.html, cwd);
  if (flags.sarif !== undefined)
    writeOutput(flags.sarif, pretty(sarifWithoutVerdict('the proof has not ended', context)), cwd);
  if (flags.proofLcov !== undefined) writeOutput(flags.proofLcov, '', cwd);
  if (flags.witness !== undefined) writeOutput(flags.witness, emptyWitness, cwd);
  // The prover reads the bodies of functions. Here only conditions, and errors, are about them.
  const whole =
    hasConditions(flags) || load.externals === 'error'
      ? backend.loadProgram(paths, { ...load, externals: load.externals ?? 'any' })
      : undefined;
  const program = whole ?? backend.loadInterface(paths, load);
  const subject = paths.map((path) => relativeTo(cwd, path)).join(', ');
  const scope = scopeOf(program, flags, load, { backend, cwd });
  const task: Task = {
    ...read,
    ...scope,
    ...(whole ? conditionsOf(whole, flags, subject, scope) : { probes: [] }),
    files: paths,
    runs: [],
    furtherChecks: flags.checks ? 'to the end' : flags.angelic ? 'while there is news' : 'briefly',
    ...(flags.angelic && { angelic: true }),
    ...(flags.angelicConfiguration !== undefined && {
      angelicConfiguration: parseChoice('configuration', flags.angelicConfiguration, angelicConfigurations),
    }),
    ...(flags.html !== undefined && { explain: true }),
    ...(flags.annotated !== undefined && { annotate: true }),
  };
  // Read as a program might be, to see which it is; what a module lacks is an error of its own.
  if (task.load.externals === 'error' && program.externals.length > 0) backend.loadProgram(paths, task.load);
  showWarnings(program, flags, terminal);
  if (flags.harness !== undefined && task.mode === 'module')
    throw new InputError(
      '--harness is for programs; a bug of a module is printed as a Jest test',
      'choose the entry of a program with --entry',
    );
  if (flags.annotated !== undefined) checkAnnotated(task);
  if (flags.witness !== undefined && task.mode === 'module') {
    throw new InputError(
      '--witness is for programs: a witness has no words for the calls of a client',
      'choose the entry of a program with --entry',
    );
  }

  // Commander says true when neither option is given.
  const memory = memoryFolder(cwd, flags.cache === true ? undefined : flags.cache);
  const course = new Course(terminal.now());
  const verdict = await verifyWatched(task, subject, memory, course, flags, terminal, backend);
  // C that the prover refuses: here the errors are told with their places.
  if (!whole && verdict.kind === 'unknown' && verdict.reason.cause === 'unsupported-construct')
    backend.loadProgram(paths, task.load);
  writeLog(
    cwd,
    [{ subject, course: course.lines, verdict: formatVerdict(verdict, { color: false, subject, base: cwd }) }],
    { version: backend.version, time: new Date() },
  );
  // The log so far says that the proof did not end.
  if (verdict.kind === 'not-evaluated' && verdict.reason.cause === 'internal-error')
    throw new ProverFailure(verdict.reason.message);
  // Before anything is written that may fail.
  terminal.out(
    flags.json
      ? `${JSON.stringify(verdictToJson(verdict, task.mode, context))}\n`
      : `${formatVerdict(verdict, { color: terminal.color, subject, base: cwd, allChecks: flags.checks === true })}\n`,
  );
  if (flags.sarif !== undefined) writeOutput(flags.sarif, pretty(verdictToSarif(verdict, context)), cwd);
  if (flags.proofLcov !== undefined) writeOutput(flags.proofLcov, proofLcov(verdict.checks ?? [], cwd), cwd);
  if (flags.witness !== undefined) {
    const { text, note } = witness(verdict, task, program, context);
    writeOutput(flags.witness, text, cwd);
    if (flags.json) terminal.err(note);
    else terminal.out(note);
  }
  if (flags.annotated !== undefined) {
    const note = writeAnnotated(flags.annotated, dialect, verdict, task, cwd);
    if (flags.json) terminal.err(note);
    else terminal.out(note);
  }
  if (flags.harness !== undefined && verdict.kind === 'bug') writeHarness(flags.harness, verdict, task, program, cwd);
  if (flags.html !== undefined) {
    await writeReport(flags.html, verdict, { subject, mode: task.mode, files: paths, version: backend.version, cwd });
    const said = `report: ${flags.html}\n`;
    if (flags.json) terminal.err(said);
    else terminal.out(said);
  }
  return exitCodeOf(verdict);
}

/** Says what became of the file. */
function writeAnnotated(file: string, dialect: AnnotationDialect, verdict: Verdict, task: Task, cwd: string): string {
  if (verdict.kind !== 'proved') return `${file} is not written: there is no proof\n`;
  const [path] = task.files as [string];
  const { text, annotated, unannotated } = annotatedProgram(verdict.annotations ?? [], {
    dialect,
    file: path,
    source: readFileSync(path, 'utf8'),
    entry: task.entries![0]!,
    base: cwd,
    name: file,
  });
  writeMadeByUs(file, text, cwd);
  const said = unannotated.map(({ line, why }) => `  line ${line}: ${why}\n`).join('');
  return `annotated: ${file}, ${annotated} loop${annotated === 1 ? '' : 's'} with invariants\n${said}`;
}

function checkAnnotated(task: Task): void {
  if (task.mode === 'module')
    throw new InputError(
      '--annotated is for programs: the contracts of a module are not written yet',
      'choose the entry of a program with --entry',
    );
  if (task.files.length > 1) throw new InputError('--annotated is for programs of one C file', 'join the files');
}

/** C it is, but none of the program's. */
function writeMadeByUs(file: string, text: string, cwd: string): void {
  if (existsSync(resolve(cwd, file)) && !readFileSync(resolve(cwd, file), 'utf8').startsWith('/*\n * Made by provest'))
    throw new InputError(
      `${file} is there and was not made by provest: it is not overwritten`,
      'choose another name for the output',
    );
  writing(file, () => writeFileSync(resolve(cwd, file), text));
}

function writeHarness(
  file: string,
  verdict: Extract<Verdict, { kind: 'bug' }>,
  task: Task,
  program: ProgramInterface,
  cwd: string,
): void {
  const harness = counterexampleToHarness(verdict.counterexample, {
    entry: task.entries![0]!,
    files: task.files,
    sources: task.files.map((path) => readFileSync(path, 'utf8')),
    base: cwd,
    name: file,
    dataModel: program.dataModel,
    ...(program.floatResults && { floatResults: program.floatResults }),
  });
  if ('cannot' in harness) throw new InputError(`no harness: ${harness.cannot}`);
  writeMadeByUs(file, harness.text, cwd);
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** `note`: says what of the proof the witness does not say. */
function witness(
  verdict: Verdict,
  task: Task,
  program: ProgramInterface,
  context: JsonContext,
): { readonly text: string; readonly note: string } {
  // The format has no words for what is left out of a proof.
  if (verdict.suppressed && verdict.suppressed.length > 0) return { text: emptyWitness, note: '' };
  const sources = task.files.map((file) => readFileSync(file, 'utf8'));
  const witnessContext = {
    ...context,
    entry: task.entries![0]!,
    dataModel: program.dataModel,
    sources,
    time: new Date(),
  };
  return {
    text: verdictToWitness(verdict, witnessContext),
    note: leftOutOfWitness(verdict, witnessContext).map(leftOutLine).join(''),
  };
}

const reasonsToLeaveOut: Readonly<Record<LeftOut['loop'], string>> = {
  'begins with its condition': 'C cannot say it',
  do: 'the format has no place for what holds where rounds of a do loop begin',
  'no statement': 'no statement of the program is this loop',
};

function leftOutLine({ place, loop, formulas, of }: LeftOut): string {
  const why = reasonsToLeaveOut[loop];
  return (
    `witness: line ${place.line}: ${formulas.length} of ${of} conjuncts left out, since ${why}:\n` +
    formulas.map((formula) => `  ${formula}\n`).join('')
  );
}

/** All that does not depend on the program, so that a wrong flag is said before any C is read. */
function readFlags(
  flags: VerifyFlags,
  backend: Backend,
): Pick<
  Task,
  | 'properties'
  | 'askedIn'
  | 'callBacks'
  | 'engine'
  | 'refinement'
  | 'minimax'
  | 'seed'
  | 'jobs'
  | 'budget'
  | 'cutpoints'
> {
  if (flags.entry !== undefined && flags.init !== undefined) {
    throw new InputError(
      '--entry and --init exclude each other',
      '--init belongs to module mode, --entry chooses program mode',
    );
  }
  return {
    properties: parseProperties(flags.property),
    ...(!flags.callBacks && { callBacks: false }),
    engine: flags.engine === undefined ? backend.engines[0]! : parseChoice('engine', flags.engine, backend.engines),
    refinement: {
      generalize: parseChoice('way to generalize', flags.generalize, [
        'off',
        'widen',
        'interpolate',
        'learned',
      ] as const),
      escalate: flags.escalate,
    },
    minimax: {
      interpolants: parseChoice('kind of interpolants', flags.interpolants, [
        'precondition',
        'halves',
        'subset',
        'none',
      ] as const),
      order: parseChoice('order of successors', flags.successors, [
        'feasible-first',
        'infeasible-first',
        'text',
      ] as const),
      equations: flags.slacken ? 'slackened' : 'whole',
      ...(flags.nodes !== undefined && { nodes: parseNodes(flags.nodes) }),
    },
    askedIn: 'command',
    seed: parseSeed(flags.seed),
    // Files that are proved side by side share the cores.
    ...(flags.each || flags.queue !== undefined
      ? { jobs: 1 }
      : flags.jobs !== undefined && { jobs: parseJobs(flags.jobs) }),
    budget: {
      milliseconds: parseDurationMs(flags.budget),
      ...(flags.effort !== undefined && { resourcesPerQuery: parseEffort(flags.effort) }),
    },
    cutpoints: parseChoice('kind of cutpoints', flags.cutpoints, [
      'default',
      'labels',
      'checks',
      'statements',
    ] as const),
  };
}

/** Runs the proof with a line of progress; the first Ctrl-C asks it to end with what it knows. */
async function verifyWatched(
  task: Task,
  subject: string,
  memory: string | undefined,
  course: Course,
  { race, trace }: Pick<VerifyFlags, 'race' | 'trace'>,
  terminal: Terminal,
  backend: Backend,
) {
  const abort = new AbortController();
  const progress = new ProgressLine(
    {
      write: (text) => terminal.err(text),
      isTerminal: terminal.errIsTerminal,
      columns: terminal.errColumns,
      now: () => terminal.now(),
    },
    subject,
    task.budget.milliseconds,
  );
  const stopListening = terminal.onInterrupt(() => {
    terminal.err('\ninterrupted: ending with what is known; once more stops at once\n');
    abort.abort();
  });
  try {
    return await backend.verify(task, {
      progress: (step) => {
        course.add(step, terminal.now());
        progress.report(step);
      },
      signal: abort.signal,
      memory,
      ...((!race || trace) && { alone: true }),
      ...(trace && { trace: (line: string) => terminal.out(`${line}\n`) }),
    });
  } finally {
    stopListening();
    progress.end();
  }
}
