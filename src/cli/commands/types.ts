/** `provest types`: TypeScript declarations of a C module, on standard output. */
import type { Command } from 'commander';
import type { Backend } from '../backend';
import { exitCode, type ExitCode } from '../exitCode';
import { addLoadOptions, existingCFile, loadOptions, type LoadFlags } from '../loadOptions';
import type { Terminal } from '../terminal';

export function addTypesOptions(command: Command): Command {
  return addLoadOptions(
    command
      .description('print TypeScript declarations (.d.ts) of a C module')
      .argument('<files...>', 'C files, linked together'),
  );
}

export async function printTypes(
  files: readonly string[],
  flags: LoadFlags,
  terminal: Terminal,
  backend: Backend,
): Promise<ExitCode> {
  const paths = files.map((file) => existingCFile(file, terminal.cwd));
  const load = loadOptions(flags, terminal.cwd);
  terminal.out(await backend.declarations(backend.loadProgram(paths, { ...load, externals: load.externals ?? 'any' })));
  return exitCode.proved;
}
