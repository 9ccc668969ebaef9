/**
 * The command line: commands, options, and what becomes of errors. Four ends are kept apart: an answer (0, 1, 2), a
 * wrong call or wrong C (3), and a failure of our own (4).
 */
import { Command, CommanderError } from 'commander';
import { sep } from 'node:path';
import { advice } from '../advice';
import { buildHint, flagsAsArguments } from '../buildFlags';
import { nearest } from '../c/diagnostics/editDistance';
import { CError } from '../c/diagnostics/diagnostic';
import { flagsOf } from '../compileCommands';
import { errorToJson, type ErrorReport } from '../report';
import { addCheckOptions, checkWitness, type CheckFlags } from './commands/check';
import type { Backend } from './backend';
import { addCoverOptions, coverFiles, type CoverFlags } from './commands/cover';
import { exitCode } from './exitCode';
import { InputError } from './inputError';
import { ProverFailure } from './proverFailure';
import { addInitOptions, initialise } from './commands/init';
import type { LoadFlags } from './loadOptions';
import { addCompletionOptions, printCompletion } from './commands/completion';
import { addExplainOptions, explain } from './commands/explain';
import { addImportOptions, importFile, type ImportFlags } from './commands/import';
import { addLspOptions, serveEditor } from './commands/lsp';
import { addMergeOptions, mergeFiles, type MergeFlags } from './commands/merge';
import { addSliceOptions, sliceFiles, type SliceFlags } from './commands/slice';
import { verifyEach } from './commands/each';
import { addWorkerOptions, verifyQueued, work, type WorkerFlags } from './commands/queued';
import { addRunOptions, runProgram, type RunFlags } from './commands/run';
import type { Terminal } from './terminal';
import { addTypesOptions, printTypes } from './commands/types';
import { addVerifyOptions, verifyFiles, type VerifyFlags } from './commands/verify';

/** `args` as after the command's name. Never throws and never ends the process. */
export async function runCommandLine(args: readonly string[], terminal: Terminal, backend: Backend): Promise<number> {
  let code: number = exitCode.proved;
  const program = commands(terminal, backend, (result) => {
    code = result;
  });
  try {
    if (args[0]?.endsWith('.c'))
      throw new InputError(
        `'${args[0]}' is no command, and one comes first`,
        `did you mean 'provest verify ${args[0]}'?`,
      );
    refuseUnknown(args, program);
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    return end(error, args, terminal, backend);
  }
}

/** A word that is no command: with the nearest one, also where it is followed by `--help`. */
function refuseUnknown([name]: readonly string[], program: Command): void {
  const names = [...program.commands.map((one) => one.name()), 'help'];
  if (name === undefined || name.startsWith('-') || names.includes(name)) return;
  const near = nearest(name, names);
  throw new InputError(
    `'${name}' is no command`,
    near === undefined
      ? `the commands are ${names.join(', ')}; provest COMMAND --help lists the options of one`
      : `did you mean 'provest ${near}'?`,
  );
}

/** The commands as data too: help, documentation and tests read them. */
export function commands(terminal: Terminal, backend: Backend, done: (code: number) => void): Command {
  const program = new Command('provest')
    .description('Turns the unit tests of a C module into a proof.')
    .version(backend.version)
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) })
    .showHelpAfterError('(provest --help lists the commands, provest COMMAND --help its options)');

  const command = (name: string) =>
    program.command(name).option('--verbose', 'after a failure of provest itself: show the stack');
  addVerifyOptions(command('verify')).action(async (files: string[], flags: VerifyFlags) => {
    done(
      flags.queue !== undefined
        ? await verifyQueued(files, { ...flags, queue: flags.queue }, terminal, backend)
        : flags.each
          ? await verifyEach(files, flags, terminal, backend)
          : await verifyFiles(files, flags, terminal, backend),
    );
  });
  addRunOptions(command('run')).action((file: string, args: string[], flags: RunFlags) =>
    done(runProgram(file, args, flags, terminal, backend)),
  );
  addCheckOptions(command('check')).action(async (witness: string, files: string[], flags: CheckFlags) =>
    done(await checkWitness(witness, files, flags, terminal, backend)),
  );
  addCoverOptions(command('cover')).action(async (files: string[], flags: CoverFlags) =>
    done(await coverFiles(files, flags, terminal, backend)),
  );
  addSliceOptions(command('slice')).action(async (files: string[], flags: SliceFlags) =>
    done(await sliceFiles(files, flags, terminal, backend)),
  );
  addMergeOptions(command('merge')).action(async (files: string[], flags: MergeFlags) =>
    done(await mergeFiles(files, flags, terminal, backend)),
  );
  addWorkerOptions(command('worker')).action(async (flags: WorkerFlags) => done(await work(flags, terminal, backend)));
  addInitOptions(command('init')).action(() => done(initialise(terminal)));
  addImportOptions(command('import')).action((tests: string, flags: ImportFlags) =>
    done(importFile(tests, flags, terminal, backend)),
  );
  addExplainOptions(command('explain')).action((cause: string | undefined) => done(explain(cause, terminal)));
  addCompletionOptions(command('completion')).action((shell: string) =>
    done(printCompletion(shell, program, backend.engines, terminal)),
  );
  addLspOptions(command('lsp')).action(async () => done(await serveEditor(backend)));
  addTypesOptions(command('types')).action(async (files: string[], flags: LoadFlags) =>
    done(await printTypes(files, flags, terminal, backend)),
  );
  return program;
}

function end(error: unknown, args: readonly string[], terminal: Terminal, backend: Backend): number {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCode.proved;
  const report = reportOf(error);
  if (!(error instanceof CommanderError)) {
    const text = textOf(error, report, args.includes('--verbose'), backend) + hintOf(error, args, terminal.cwd);
    terminal.err(`${text.replaceAll(`${terminal.cwd}${sep}`, '')}\n`);
  }
  if (args.includes('--json')) {
    terminal.out(
      `${JSON.stringify(errorToJson(report, { version: backend.version, base: terminal.cwd, files: [] }))}\n`,
    );
  }
  return report.cause === 'bad-input' ? exitCode.badInput : exitCode.internal;
}

function reportOf(error: unknown): ErrorReport {
  if (error instanceof CommanderError) return { cause: 'bad-input', message: error.message.replace(/^error: /, '') };
  if (error instanceof CError) {
    const errors = error.diagnostics.filter((d) => d.severity === 'error').length;
    return {
      cause: 'bad-input',
      message: `the C text has ${errors} error${errors === 1 ? '' : 's'}`,
      diagnostics: error.diagnostics,
    };
  }
  if (error instanceof InputError) {
    return {
      cause: 'bad-input',
      message: error.message,
      ...(error.suggestion === undefined ? {} : { suggestion: error.suggestion }),
    };
  }
  if (error instanceof ProverFailure)
    return { cause: 'internal-error', message: error.message, suggestion: advice['internal-error'] };
  return {
    cause: 'internal-error',
    suggestion: advice['internal-error'],
    message: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  };
}

/** Flags of the project's build, for headers that were not found. */
function hintOf(error: unknown, args: readonly string[], cwd: string): string {
  if (!(error instanceof CError)) return '';
  const hint = buildHint(error.diagnostics, {
    folder: cwd,
    given: flagsOf(args, cwd).include,
    spell: flagsAsArguments,
  });
  return hint === undefined ? '' : `\nhint: ${hint}`;
}

function textOf(error: unknown, report: ErrorReport, verbose: boolean, backend: Backend): string {
  if (error instanceof CError) return error.message;
  if (report.cause === 'bad-input') {
    return `provest: ${report.message}${report.suggestion === undefined ? '' : `\nhint: ${report.suggestion}`}`;
  }
  return [
    `provest ${backend.version} itself failed, sorry: ${report.message}`,
    'This says nothing about your C. Please report it with the C file and the command line.',
    verbose && error instanceof Error && error.stack !== undefined
      ? error.stack
      : 'Run again with --verbose to see where.',
  ].join('\n');
}
