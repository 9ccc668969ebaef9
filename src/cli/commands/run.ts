/**
 * `provest run`: a program in the interpreter, from `main`. Ends with the program's own exit status, or, when something
 * in it has no meaning in C, with 1 and the place and call stack. Inputs nobody gives (`nondet()` and the like) are
 * drawn from the seed.
 */
import type { Command } from 'commander';
import { errorFor } from '../../host/fault';
import { filesBelow } from '../../host/hostEnvironment';
import { mainArguments } from '../../host/mainArguments';
import { Machine } from '../../semantics';
import { formatStep } from '../../report/step';
import type { Backend } from '../backend';
import { exitCode } from '../exitCode';
import { InputError } from '../inputError';
import { addLoadOptions, existingDirectory, existingCFile, loadOptions, type LoadFlags } from '../loadOptions';
import { parseSeed } from '../options';
import type { Terminal } from '../terminal';
import { addWarningOption, showWarnings, type WarningFlags } from '../warnings';

export interface RunFlags extends LoadFlags, WarningFlags {
  readonly seed: string;
  readonly steps?: string;
  readonly files?: string;
}

export function addRunOptions(command: Command): Command {
  return addWarningOption(
    addLoadOptions(
      command
        .description('run a C program in the interpreter, which checks every step')
        .argument('<file>', 'C file that defines main')
        .argument('[arguments...]', 'arguments of the program, in argv; options of provest stand before the file')
        .passThroughOptions()
        .option('--seed <number>', 'seed of the inputs', '1')
        .option('--files <directory>', 'let the program use the files below this directory (default: none)')
        .option('--steps <number>', 'end the program after so many steps (default: never)'),
    ),
  );
}

/** The exit code of the process: the program's, or one of ours. */
export function runProgram(
  file: string,
  args: readonly string[],
  flags: RunFlags,
  terminal: Terminal,
  backend: Backend,
): number {
  const path = existingCFile(file, terminal.cwd);
  const load = loadOptions(flags, terminal.cwd);
  const seed = parseSeed(flags.seed);
  const stepLimit = parseSteps(flags.steps);
  const program = backend.loadProgram([path], { externals: 'error', ...load });
  showWarnings(program, flags, terminal);
  const main = program.functionByName.get('main');
  if (!main || main.library)
    throw new InputError(`${file} defines no main`, 'provest verify checks files without one as modules');

  const environment = {
    stdin: () => terminal.input(),
    ...(flags.files !== undefined && { host: filesBelow(existingDirectory(flags.files, terminal.cwd, '--files')) }),
  };
  const machine = new Machine(program, {
    seed,
    stepLimit,
    environment,
    output: (text, stream) => (stream === 'stderr' ? terminal.err(text) : terminal.out(text)),
  });
  const values = mainArguments(main, [file, ...args], machine.memory, program.dataModel === 'lp64' ? 8 : 4);
  if (!values)
    throw new InputError(
      'main has parameters that nothing is known about',
      'declare it as int main(void) or int main(int argc, char **argv)',
    );
  const outcome = machine.call(main, values);
  switch (outcome.kind) {
    case 'returned':
      return Number(outcome.value ?? 0) & 255;
    case 'halted':
      return outcome.status & 255;
    case 'fault':
    case 'limit':
    case 'stopped': {
      const inputs = machine.inputs.map(
        ({ name, value }) => `  ${formatStep({ kind: 'input', function: name, value }, [])}\n`,
      );
      terminal.err(
        `${errorFor(outcome, 'main', runProgram).message}\n` +
          `${inputs.length === 0 ? '' : `\nInputs, in order (seed ${seed}):\n${inputs.join('')}`}`,
      );
      return outcome.kind === 'fault' ? exitCode.bug : exitCode.undecided;
    }
  }
}

function parseSteps(text: string | undefined): number {
  if (text === undefined) return Infinity;
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw new InputError(`'${text}' is no number of steps`, 'write a positive whole number: --steps 1000000');
  return Number(text);
}
