/**
 * Warnings about C text that was accepted: on standard error, as compilers have them, and never counted in an exit
 * code.
 */
import type { Command } from 'commander';
import { sep } from 'node:path';
import { formatDiagnostic } from '../c/diagnostics/diagnostic';
import type { Program } from '../program/program';
import type { Terminal } from './terminal';

export interface WarningFlags {
  /** `--no-warnings`: false. */
  readonly warnings?: boolean;
}

const mostShown = 20;

export function addWarningOption(command: Command): Command {
  return command.option('-w, --no-warnings', 'print no warnings about the C text');
}

export function showWarnings(
  { warnings = [] }: Pick<Program, 'warnings'>,
  flags: WarningFlags,
  terminal: Terminal,
): void {
  if (flags.warnings === false || warnings.length === 0) return;
  const shown = warnings
    .slice(0, mostShown)
    .map((warning) => `${formatDiagnostic(warning).replaceAll(`${terminal.cwd}${sep}`, '')}\n`);
  const left = warnings.length - shown.length;
  terminal.err(`${shown.join('\n')}\n${left === 0 ? '' : `and ${left} more warning${left === 1 ? '' : 's'}\n\n`}`);
}
