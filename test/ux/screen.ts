/** A program on a terminal of its own (`script`), with the moments at which it drew, and the screen it left behind. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

export const hasTerminal = process.platform === 'linux' && existsSync('/usr/bin/script');

export interface Session {
  readonly chunks: readonly { readonly ms: number; readonly text: string }[];
  readonly text: string;
  readonly code: number | null;
}

export function onTerminal(
  command: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  columns = 120,
): Promise<Session> {
  return new Promise((resolve) => {
    const quoted = command.map((word) => `'${word}'`).join(' ');
    const child = spawn('script', ['-qefc', `stty cols ${columns} rows 40; exec ${quoted}`, '/dev/null'], {
      cwd,
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', TERM: 'xterm', ...env },
    });
    const chunks: { ms: number; text: string }[] = [];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      chunks.push({ ms: Date.now(), text });
    });
    child.once('close', (code) => resolve({ chunks, text: chunks.map(({ text }) => text).join(''), code }));
  });
}

/** What a terminal shows after it got this: the control codes that Jest and we use, and no others. */
export function screenOf(text: string): string[] {
  const rows: string[] = [''];
  let row = 0;
  let column = 0;
  for (const [token] of text.matchAll(/\x1b\[[0-9;?]*[A-Za-z]|\x1b[=>]|[^]/g)) {
    const line = rows[row] ?? '';
    const code = /^\x1b\[([0-9;?]*)([A-Za-z])$/.exec(token);
    if (code) {
      const count = Number(code[1] || '1');
      if (code[2] === 'A') row = Math.max(0, row - count);
      else if (code[2] === 'B') row += count;
      else if (code[2] === 'G') column = count - 1;
      else if (code[2] === 'K') rows[row] = code[1] === '2' ? '' : line.slice(0, column);
      else if (code[2] === 'J') rows.splice(row + 1);
      while (rows.length <= row) rows.push('');
    } else if (token === '\n') {
      row++;
      while (rows.length <= row) rows.push('');
    } else if (token === '\r') column = 0;
    else if (!token.startsWith('\x1b')) {
      rows[row] = line.slice(0, column).padEnd(column) + token + line.slice(column + 1);
      column++;
    }
  }
  return rows.map((line) => line.trimEnd());
}
