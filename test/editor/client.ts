/**
 * An editor for tests: a client of the language server on its standard input and output, written from the protocol
 * alone. It applies edits to files, as an editor that saves at once.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { root } from '../ux/project';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}
interface Position {
  readonly line: number;
  readonly character: number;
}
interface Edit {
  readonly range: { readonly start: Position; readonly end: Position };
  readonly newText: string;
}
export interface ShownDiagnostic {
  readonly message: string;
  readonly severity: number;
  readonly code?: string;
  readonly source: string;
  readonly range: { readonly start: Position; readonly end: Position };
}
export interface Lens {
  readonly range: { readonly start: Position };
  readonly command: { readonly title: string; readonly command: string; readonly arguments: readonly unknown[] };
}
export interface Action {
  readonly title: string;
  readonly command?: Lens['command'];
  readonly edit?: { readonly changes: Readonly<Record<string, readonly Edit[]>> };
}

export class EditorClient {
  private readonly server: ChildProcessWithoutNullStreams;
  private readonly answers = new Map<number, (message: Message) => void>();
  private buffer = Buffer.alloc(0);
  private next = 1;
  private waiting: (() => void)[] = [];
  readonly diagnostics = new Map<string, readonly ShownDiagnostic[]>();
  readonly messages: string[] = [];
  readonly closed: Promise<number | null>;

  constructor(folder: string) {
    this.server = spawn(process.execPath, [join(root, 'dist', 'src', 'cli', 'main.js'), 'lsp', '--stdio'], {
      cwd: folder,
    });
    this.closed = new Promise((resolve) => this.server.on('close', resolve));
    this.server.stdout.on('data', (chunk: Buffer) => this.receive(chunk));
    this.server.stderr.on('data', (chunk: Buffer) => this.messages.push(chunk.toString()));
  }

  async initialize(options: object = {}): Promise<Record<string, unknown>> {
    const result = await this.request('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: {
        workspace: { applyEdit: true, workspaceEdit: { documentChanges: true, resourceOperations: ['create'] } },
      },
      initializationOptions: options,
    });
    this.notify('initialized', {});
    return result as Record<string, unknown>;
  }

  request(method: string, params: unknown): Promise<unknown> {
    const id = this.next++;
    this.send({ id, method, params });
    return new Promise((resolve, reject) =>
      this.answers.set(id, ({ result, error }) => (error ? reject(new Error(error.message)) : resolve(result))),
    );
  }

  notify(method: string, params: unknown): void {
    this.send({ method, params });
  }

  open(path: string): void {
    this.notify('textDocument/didOpen', {
      textDocument: { uri: uri(path), languageId: 'c', version: 1, text: readFileSync(path, 'utf8') },
    });
  }

  change(path: string, text: string): void {
    this.notify('textDocument/didChange', { textDocument: { uri: uri(path), version: 2 }, contentChanges: [{ text }] });
  }

  save(path: string, text: string): void {
    writeFileSync(path, text);
    this.notify('textDocument/didSave', { textDocument: { uri: uri(path) } });
  }

  lenses(path: string): Promise<readonly Lens[]> {
    return this.request('textDocument/codeLens', { textDocument: { uri: uri(path) } }) as Promise<readonly Lens[]>;
  }

  async hover(path: string, line: number): Promise<string> {
    const hover = (await this.request('textDocument/hover', {
      textDocument: { uri: uri(path) },
      position: { line, character: 2 },
    })) as { readonly contents: { readonly value: string } } | null;
    return hover?.contents.value ?? '';
  }

  /** Labels by line, from 1. */
  async hints(path: string): Promise<Readonly<Record<number, string>>> {
    const hints = (await this.request('textDocument/inlayHint', {
      textDocument: { uri: uri(path) },
      range: { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } },
    })) as readonly { readonly position: Position; readonly label: string }[];
    return Object.fromEntries(hints.map(({ position, label }) => [position.line + 1, label]));
  }

  actions(path: string, line: number): Promise<readonly Action[]> {
    return this.request('textDocument/codeAction', {
      textDocument: { uri: uri(path) },
      range: { start: { line: line - 1, character: 0 }, end: { line: line - 1, character: 1 } },
      context: { diagnostics: this.diagnostics.get(uri(path)) ?? [] },
    }) as Promise<readonly Action[]>;
  }

  execute({ command, arguments: given }: Lens['command']): Promise<unknown> {
    return this.request('workspace/executeCommand', { command, arguments: given });
  }

  /** Until a message of the server makes it true. */
  async until<T>(find: () => T | undefined | Promise<T | undefined>): Promise<T> {
    for (;;) {
      const found = await find();
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  shown(path: string): readonly ShownDiagnostic[] | undefined {
    return this.diagnostics.get(uri(path));
  }

  async close(): Promise<number | null> {
    await this.request('shutdown', null);
    this.notify('exit', null);
    return this.closed;
  }

  kill(): void {
    this.server.kill();
  }

  private send(message: Message): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
    this.server.stdin.write(`Content-Length: ${body.length}\r\n\r\n`);
    this.server.stdin.write(body);
  }

  private receive(chunk: Buffer): void {
    this.buffer = Buffer.concat([this.buffer, chunk]);
    for (;;) {
      const head = this.buffer.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.buffer.subarray(0, head).toString())![1]);
      if (this.buffer.length < head + 4 + length) return;
      const body = this.buffer.subarray(head + 4, head + 4 + length).toString();
      this.buffer = this.buffer.subarray(head + 4 + length);
      this.handle(JSON.parse(body) as Message);
    }
  }

  private handle(message: Message): void {
    const { id, method, params } = message;
    if (method === undefined && id !== undefined) {
      this.answers.get(id)?.(message);
      this.answers.delete(id);
    } else if (method === 'workspace/applyEdit') {
      apply((params as { readonly edit: { readonly documentChanges: readonly Change[] } }).edit.documentChanges);
      this.answer(id!, { applied: true });
    } else if (id !== undefined) this.answer(id, null);
    else if (method === 'textDocument/publishDiagnostics') {
      const { uri: of, diagnostics } = params as {
        readonly uri: string;
        readonly diagnostics: readonly ShownDiagnostic[];
      };
      this.diagnostics.set(of, diagnostics);
    } else if (method === 'window/showMessage') this.messages.push((params as { readonly message: string }).message);
    for (const wake of this.waiting.splice(0)) wake();
  }

  private answer(id: number, result: unknown): void {
    this.send({ id, result });
  }
}

type Change =
  | { readonly kind: 'create'; readonly uri: string }
  | { readonly kind?: undefined; readonly textDocument: { readonly uri: string }; readonly edits: readonly Edit[] };

function apply(changes: readonly Change[]): void {
  for (const change of changes) {
    const path = fileURLToPath(change.kind === 'create' ? change.uri : change.textDocument.uri);
    if (change.kind === 'create') {
      if (existsSync(path)) throw new Error(`${path} is there already`);
      writeFileSync(path, '');
    } else writeFileSync(path, edited(readFileSync(path, 'utf8'), change.edits));
  }
}

/** The text with edits that do not overlap. */
export function edited(text: string, edits: readonly Edit[]): string {
  const offset = ({ line, character }: Position): number =>
    text
      .split('\n')
      .slice(0, line)
      .reduce((sum, one) => sum + one.length + 1, 0) + character;
  return [...edits]
    .sort((a, b) => offset(b.range.start) - offset(a.range.start))
    .reduce(
      (all, { range, newText }) => all.slice(0, offset(range.start)) + newText + all.slice(offset(range.end)),
      text,
    );
}

export const uri = (path: string): string => pathToFileURL(path).href;
