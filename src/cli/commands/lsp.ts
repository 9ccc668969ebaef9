/** `provest lsp`: the language server, which an editor starts and speaks to on standard input and output. */
import type { Command } from 'commander';
import type { Backend } from '../backend';
import { exitCode, type ExitCode } from '../exitCode';

export interface LspFlags {
  /** Clients say it; there is no other way. */
  readonly stdio?: boolean;
}

export function addLspOptions(command: Command): Command {
  return command
    .description('serve an editor: diagnostics, verdicts beside the text, and what can be done about them')
    .option('--stdio', 'speak on standard input and output (always so)')
    .addHelpText(
      'after',
      '\nYour editor starts it. docs/editors.md has the configuration for VS Code, Neovim, Emacs and Helix.',
    );
}

export async function serveEditor(backend: Backend): Promise<ExitCode> {
  await backend.serveEditor();
  return exitCode.proved;
}
