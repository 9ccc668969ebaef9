/**
 * The connection: which request is answered by what. Everything shown is computed by the other files of this folder.
 */
import { dirname, join } from 'node:path';
import {
  CodeActionKind,
  createConnection,
  MessageType,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
} from 'vscode-languageserver/node';
import { fs } from '../node';
import { lastRunFile, projectFolder } from '../report';
import { actionsOf } from './actions';
import type { EditorBackend } from './backend';
import { CommandRunner } from './commandRunner';
import { textDiagnostics, verdictDiagnostics } from './diagnostics';
import { Documents } from './documents';
import { commands, hintsOf, hoverAt, lensesOf } from './marks';
import { Modules, readSettings } from './modules';

/** Time between two looks at the file that the reporter writes. */
const pollMs = 700;

/** Serves a client on standard input and output until it goes; then nothing that was started is left. */
export const serve = (backend: EditorBackend): Promise<void> => new Server(backend).listen();

class Server {
  readonly connection = createConnection(process.stdin, process.stdout);
  readonly documents = new Documents();
  readonly modules: Modules;
  private client: InitializeParams['capabilities'] = {};
  private readonly runner = new CommandRunner(this);
  private readonly watched = new Map<string, () => void>();

  constructor(readonly backend: EditorBackend) {
    this.modules = new Modules(this.documents, backend, (path) => this.show(path));
    this.modules.onFailure = (message) => this.runner.say(MessageType.Warning, message);
  }

  listen(): Promise<void> {
    this.initialise();
    this.followDocuments();
    this.answerViews();
    this.connection.onExecuteCommand(({ command, arguments: given = [] }) => this.runner.execute(command, given));
    return new Promise((resolve) => {
      const end = (): void => {
        this.modules.background.stop();
        for (const unwatch of this.watched.values()) unwatch();
        resolve();
      };
      this.connection.onExit(end);
      process.stdin.on('end', end).on('close', end);
      // The library ends the process by itself when its client is gone.
      process.on('exit', () => this.modules.background.stop());
      this.connection.listen();
    });
  }

  mayCreateFiles(): boolean {
    return this.client.workspace?.workspaceEdit?.resourceOperations?.includes('create') === true;
  }

  showAll(): void {
    for (const path of this.documents.paths) if (isC(path)) this.show(path);
  }

  private show(path: string): void {
    const { messages, view } = this.modules.look(path);
    void this.connection.sendDiagnostics({
      uri: Documents.uri(path),
      diagnostics: [...textDiagnostics(messages), ...(view ? verdictDiagnostics(view) : [])],
    });
    if (this.client.workspace?.codeLens?.refreshSupport) void refresh(this.connection, 'codeLens');
    if (this.client.workspace?.inlayHint?.refreshSupport) void refresh(this.connection, 'inlayHint');
  }

  /** The reporter of a run in a terminal writes there, too. */
  private watch(path: string): void {
    const root = projectFolder(dirname(path));
    if (root === undefined || this.watched.has(root)) return;
    const file = join(root, '.provest', lastRunFile);
    const listener = (now: { readonly mtimeMs: number }, before: { readonly mtimeMs: number }): void => {
      if (now.mtimeMs === before.mtimeMs) return;
      this.modules.forgetLastRuns();
      this.showAll();
    };
    fs.watchFile(file, { interval: pollMs, persistent: false }, listener);
    this.watched.set(root, () => fs.unwatchFile(file, listener));
  }

  private initialise(): void {
    this.connection.onInitialize((params) => {
      this.client = params.capabilities;
      this.modules.settings = readSettings(params.initializationOptions);
      return {
        capabilities: {
          textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Full, save: true },
          codeLensProvider: {},
          codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
          hoverProvider: true,
          inlayHintProvider: true,
          executeCommandProvider: { commands: Object.values(commands) },
        },
        serverInfo: { name: 'provest', version: this.backend.version },
      };
    });
  }

  private followDocuments(): void {
    this.connection.onDidOpenTextDocument(({ textDocument: { uri, text } }) => {
      const path = Documents.path(uri);
      if (path === undefined) return;
      this.documents.set(path, text);
      if (!isC(path)) return;
      this.watch(path);
      this.show(path);
      if (this.modules.standing(path) !== 'current' && this.modules.settings.onSave) this.modules.prove(path, 'opened');
    });
    this.connection.onDidChangeTextDocument(({ textDocument: { uri }, contentChanges }) => {
      const path = Documents.path(uri);
      const last = contentChanges.at(-1);
      if (path === undefined || !last) return;
      this.documents.set(path, last.text);
      this.showAll(); // a header that another file includes may have changed
    });
    this.connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
      const path = Documents.path(uri);
      if (path === undefined || !this.modules.settings.onSave) return;
      const affected = isC(path)
        ? [path]
        : this.documents.paths.filter((one) => isC(one) && this.modules.includes(one, path));
      for (const one of affected) if (this.modules.standing(one) !== 'current') this.modules.prove(one, 'saved');
    });
    this.connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      const path = Documents.path(uri);
      if (path === undefined) return;
      this.documents.close(path);
      void this.connection.sendDiagnostics({ uri, diagnostics: [] });
    });
  }

  /** Lenses, hovers, hints and actions: the answers to a client about a document. */
  private answerViews(): void {
    this.connection.onCodeLens(({ textDocument: { uri } }) => {
      const path = Documents.path(uri);
      if (path === undefined || !isC(path)) return [];
      const { functions, view, standing } = this.modules.look(path);
      return lensesOf(view ?? { results: [], checks: [], file: path, lines: [] }, functions, standing, uri, (test) =>
        this.modules.writtenTest(path, test),
      );
    });
    this.connection.onHover(({ textDocument: { uri }, position: { line } }) => {
      const path = Documents.path(uri);
      const looked = path === undefined ? undefined : this.modules.look(path);
      return looked?.view ? hoverAt(looked.view, looked.functions, line) : undefined;
    });
    this.connection.languages.inlayHint.on(({ textDocument: { uri }, range }) => {
      const path = Documents.path(uri);
      const view = path === undefined ? undefined : this.modules.look(path).view;
      return view ? hintsOf(view, range.start.line, range.end.line) : [];
    });
    this.connection.onCodeAction(({ textDocument: { uri }, range, context }) => {
      const path = Documents.path(uri);
      const view = path === undefined ? undefined : this.modules.look(path).view;
      return view ? actionsOf(view, uri, range, context.diagnostics) : [];
    });
  }
}

const isC = (path: string): boolean => path.endsWith('.c');

function refresh(connection: Connection, what: 'codeLens' | 'inlayHint'): Promise<void> {
  return connection.sendRequest<void>(`workspace/${what}/refresh`).catch(() => undefined); // the client went
}
