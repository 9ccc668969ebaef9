/** `provest explain CAUSE`: the page on a cause of no answer, as it is in the package that is running. */
import type { Command } from 'commander';
import { readFileSync } from 'node:fs';
import { nearest } from '../../c/diagnostics/editDistance';
import { causePages } from '../../report';
import { exitCode, type ExitCode } from '../exitCode';
import { InputError } from '../inputError';
import type { Terminal } from '../terminal';

export function addExplainOptions(command: Command): Command {
  return command
    .description('print the page on a cause of no answer: what it means, an example, and what to do next')
    .argument('[cause]', 'as a verdict names it: time-budget; without one, all causes are listed');
}

export function explain(cause: string | undefined, terminal: Terminal): ExitCode {
  const pages = causePages();
  if (cause === undefined) {
    const width = Math.max(...[...pages.keys()].map((name) => name.length));
    for (const [name, page] of pages)
      terminal.out(`${name.padEnd(width)}  ${firstSentence(readFileSync(page, 'utf8'))}\n`);
    return exitCode.proved;
  }
  const page = pages.get(cause);
  if (page === undefined) {
    const near = nearest(cause, pages.keys());
    throw new InputError(
      `there is no cause '${cause}'`,
      near === undefined ? `the causes are ${[...pages.keys()].join(', ')}` : `did you mean 'provest explain ${near}'?`,
    );
  }
  terminal.out(readFileSync(page, 'utf8'));
  return exitCode.proved;
}

/** First sentence of the text below the title, without its links. */
function firstSentence(page: string): string {
  const paragraph = page
    .replace(/^# .*\n+/, '')
    .split('\n\n')[0]!
    .replace(/\s+/g, ' ');
  return /^.*?[.:](?= |$)/.exec(paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))?.[0].replace(/:$/, '.') ?? paragraph;
}
