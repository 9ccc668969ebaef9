/** The documentation as data: snippets of a page, and the command lines among them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project';

export interface Snippet {
  readonly language: string;
  readonly text: string;
  readonly line: number;
}

/** Of one section (by its heading), or of the whole page. */
export function snippetsOf(page: string, section?: string): Snippet[] {
  const text = readFileSync(join(root, page), 'utf8');
  const [from, until] = section === undefined ? [0, text.length] : bounds(text, section);
  return [...text.slice(from, until).matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map((match) => ({
    language: match[1]!,
    text: match[2]!,
    line: text.slice(0, from + match.index).split('\n').length + 1,
  }));
}

export interface CommandLine {
  readonly args: readonly string[];
  /** What a comment behind it promises. */ readonly verdict: string | undefined;
}

/** `provest …` and `npx provest …` lines of a shell snippet. */
export function commandLines(text: string): CommandLine[] {
  return text.split('\n').flatMap((line) => {
    const [, command, comment] = /^(?:npx )?provest (.*?)(?:\s+# (.*))?$/.exec(line) ?? [];
    return command === undefined ? [] : [{ args: words(command), verdict: comment }];
  });
}

function words(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
}

function bounds(text: string, section: string): [number, number] {
  const start = text.indexOf(`## ${section}\n`);
  if (start < 0) throw new Error(`there is no section ${section}`);
  const end = text.indexOf('\n## ', start + 1);
  return [start, end < 0 ? text.length : end];
}
