/** `provest merge`: the runs of `jest --shard`, put together as if they had been one. */
import type { Command } from 'commander';
import type { Thresholds } from '../../report/thresholds';
import { objectionToThresholds } from '../../report/thresholds';
import type { Backend } from '../backend';
import { exitCode, type ExitCode } from '../exitCode';
import { InputError } from '../inputError';
import { existingFile } from '../loadOptions';
import type { Terminal } from '../terminal';

export interface MergeFlags {
  readonly thresholds?: string;
  readonly json?: string;
  readonly lcov?: string;
  readonly html?: string;
  readonly sarif?: string;
}

export function addMergeOptions(command: Command): Command {
  return command
    .description('put the runs of jest --shard together: one summary, one measure of the tests, one exit code')
    .argument('<runs...>', 'the files that the reporter wrote, .provest/shard-1-of-3.provest and so on')
    .option(
      '--thresholds <percentages>',
      'how much of the abstract states the tests must reach: break=80, or high=90,low=70,break=50',
    )
    .option('--json <file>', 'write all verdicts as JSON')
    .option('--lcov <file>', 'write which lines of C the tests executed')
    .option('--sarif <file>', 'write all verdicts as SARIF 2.1.0, for code scanning')
    .option('--html <file>', "write the report, where the runs were made with the reporter's option html");
}

export async function mergeFiles(
  files: readonly string[],
  flags: MergeFlags,
  terminal: Terminal,
  backend: Backend,
): Promise<ExitCode> {
  const thresholds = flags.thresholds === undefined ? undefined : parseThresholds(flags.thresholds);
  const paths = files.map((file) => existingFile(file, terminal.cwd));
  const answer = await backend.merge(paths, {
    thresholds,
    json: flags.json,
    lcov: flags.lcov,
    html: flags.html,
    sarif: flags.sarif,
    base: terminal.cwd,
    print: (text) => terminal.out(text),
  });
  switch (answer) {
    case 'proved':
      return exitCode.proved;
    case 'bug':
      return exitCode.bug;
    case 'undecided':
      return exitCode.undecided;
  }
}

export function parseThresholds(text: string): Thresholds {
  const read = Object.fromEntries(
    text.split(',').map((part) => {
      const [name = '', number = ''] = part.split('=').map((word) => word.trim());
      return [name, number === '' ? NaN : Number(number)] as const;
    }),
  );
  const objection = objectionToThresholds(read);
  if (objection !== undefined)
    throw new InputError(
      `'${text}' are no thresholds: they are ${objection}`,
      'write --thresholds break=80, or high=90,low=70,break=50',
    );
  return read;
}
