/** The connection: which request is answered by what. Everything shown is computed by the other files of this folder. */
import { dirname, join, relative } from 'node:path';
import {
  CodeActionKind,
  createConnection,
  MessageType,
  ShowMessageNotification,
  TextDocumentSyncKind,
  type Connection,
  type InitializeParams,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { fs } from '../node';
import { lastRunFile, projectFolder } from '../report';
import { sha256 } from '../sha256';
import { actionsOf } from './actions';
import { runTests } from './background';
import { textDiagnostics, verdictDiagnostics } from './diagnostics';
import { Documents } from './documents';
import { commands, hintsOf, hoverAt, lensesOf } from './marks';
import { Modules, readSettings } from './modules';
import { testTarget, type TestTarget } from './testFile';

/** A test file, and the variable of it that holds the module. */
export interface TestPlace {
  readonly path: string;
  readonly variable: string;
}

/** Functions of other folders, which would be slow to load or know more than an editor should. */
export interface EditorBackend {
  readonly version: string;
  /** The program of the command `provest`. */
  readonly command: string;
  /** Texts of test files with something added; see `plugin/reporter`. `named`: the module's name in the test. */
  withTest(text: string, test: string, target: TestPlace & { readonly named: string }): string;
  withProbe(text: string, probe: string, target: TestPlace): string;
  /** Undefined when a person has to do it. */
  withOption(text: string, code: string, target: TestPlace): string | undefined;
  /** The variable that generated tests of a file use where nobody has named one. */
  moduleVariable(files: readonly string[]): string;
}

/** Time between two looks at the file that the reporter writes. */
const pollMs = 700;

/** Serves a client on standard input and output until it goes; then nothing that was started is left. */
export function serve(backend: EditorBackend): Promise<void> {
  const connection = createConnection(process.stdin, process.stdout);
  const documents = new Documents();
  let client: InitializeParams['capabilities'] = {};
  const modules = new Modules(documents, backend, (path) => show(path));
  const watched = new Map<string, () => void>();

  const show = (path: string): void => {
    const { messages, view } = modules.look(path);
    void connection.sendDiagnostics({
      uri: Documents.uri(path),
      diagnostics: [...textDiagnostics(messages), ...(view ? verdictDiagnostics(view) : [])],
    });
    if (client.workspace?.codeLens?.refreshSupport) void refresh(connection, 'codeLens');
    if (client.workspace?.inlayHint?.refreshSupport) void refresh(connection, 'inlayHint');
  };
  const showAll = (): void => {
    for (const path of documents.paths) if (isC(path)) show(path);
  };
  /** The reporter of a run in a terminal writes there, too. */
  const watch = (path: string): void => {
    const root = projectFolder(dirname(path));
    if (root === undefined || watched.has(root)) return;
    const file = join(root, '.provest', lastRunFile);
    const listener = (now: { readonly mtimeMs: number }, before: { readonly mtimeMs: number }): void => {
      if (now.mtimeMs === before.mtimeMs) return;
      modules.forgetLastRuns();
      showAll();
    };
    fs.watchFile(file, { interval: pollMs, persistent: false }, listener);
    watched.set(root, () => fs.unwatchFile(file, listener));
  };

  connection.onInitialize((params) => {
    client = params.capabilities;
    modules.settings = readSettings(params.initializationOptions);
    return {
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Full, save: true },
        codeLensProvider: {},
        codeActionProvider: { codeActionKinds: [CodeActionKind.QuickFix] },
        hoverProvider: true,
        inlayHintProvider: true,
        executeCommandProvider: { commands: Object.values(commands) },
      },
      serverInfo: { name: 'provest', version: backend.version },
    };
  });
  connection.onDidOpenTextDocument(({ textDocument: { uri, text } }) => {
    const path = Documents.path(uri);
    if (path === undefined) return;
    documents.set(path, text);
    if (!isC(path)) return;
    watch(path);
    show(path);
    if (modules.standing(path) !== 'current' && modules.settings.onSave) modules.prove(path, 'opened');
  });
  connection.onDidChangeTextDocument(({ textDocument: { uri }, contentChanges }) => {
    const path = Documents.path(uri);
    const last = contentChanges.at(-1);
    if (path === undefined || !last) return;
    documents.set(path, last.text);
    showAll(); // a header that another file includes may have changed
  });
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    const path = Documents.path(uri);
    if (path === undefined || !modules.settings.onSave) return;
    const affected = isC(path) ? [path] : documents.paths.filter((one) => isC(one) && modules.includes(one, path));
    for (const one of affected) if (modules.standing(one) !== 'current') modules.prove(one, 'saved');
  });
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    const path = Documents.path(uri);
    if (path === undefined) return;
    documents.close(path);
    void connection.sendDiagnostics({ uri, diagnostics: [] });
  });

  connection.onCodeLens(({ textDocument: { uri } }) => {
    const path = Documents.path(uri);
    if (path === undefined || !isC(path)) return [];
    const { functions, view, standing } = modules.look(path);
    return lensesOf(view ?? { results: [], checks: [], file: path, lines: [] }, functions, standing, uri, (test) =>
      modules.writtenTest(path, test),
    );
  });
  connection.onHover(({ textDocument: { uri }, position: { line } }) => {
    const path = Documents.path(uri);
    const looked = path === undefined ? undefined : modules.look(path);
    return looked?.view ? hoverAt(looked.view, looked.functions, line) : undefined;
  });
  connection.languages.inlayHint.on(({ textDocument: { uri }, range }) => {
    const path = Documents.path(uri);
    const view = path === undefined ? undefined : modules.look(path).view;
    return view ? hintsOf(view, range.start.line, range.end.line) : [];
  });
  connection.onCodeAction(({ textDocument: { uri }, range, context }) => {
    const path = Documents.path(uri);
    const view = path === undefined ? undefined : modules.look(path).view;
    return view ? actionsOf(view, uri, range, context.diagnostics) : [];
  });

  connection.onExecuteCommand(async ({ command, arguments: given = [] }): Promise<unknown> => {
    const [uri, ...rest] = given as readonly unknown[];
    const path = typeof uri === 'string' ? Documents.path(uri) : undefined;
    if (path === undefined) return say(MessageType.Error, 'this command is for a C file');
    const texts = rest.filter((one): one is string => typeof one === 'string');
    switch (command) {
      case commands.prove:
        return modules.prove(path, 'asked');
      case commands.runTest:
        return runTest(texts[0] ?? '', texts[1] ?? '');
      case commands.writeTest:
        return write(path, 'the failing test', (text, target) =>
          backend.withTest(text, texts[0] ?? '', { ...target, named: modules.nameIn(path, texts[0] ?? '') }),
        );
      case commands.addProbe:
        return write(path, 'the probe', (text, target) =>
          backend.withProbe(text, (texts[0] ?? '').replace(/^[\w$]+(?=\.probe\()/, target.variable), target),
        );
      case commands.acceptSpecification:
        return write(path, 'the specification', (text, target) => {
          const changed = backend.withOption(text, texts[0] ?? '', target);
          if (changed === undefined)
            say(MessageType.Warning, `add this to the options of loadC in ${short(target.path)}: ${texts[0] ?? ''}`);
          return changed ?? text;
        });
      default:
        return say(MessageType.Error, `provest has no command ${command}`);
    }
  });

  /** Applies a change to the test file of a C file: by the editor, so that a person can undo it. */
  async function write(
    path: string,
    what: string,
    change: (text: string, target: TestTarget) => string,
  ): Promise<void> {
    const target = testTarget(path, modules.results(path), documents.text);
    const before = target.text ?? target.head;
    const after = change(before, target);
    if (after === target.text) return say(MessageType.Info, `${short(target.path)} has ${what} already`);
    if (what !== 'the specification') modules.harmless.add(sha256(after));
    if (target.text === undefined && !client.workspace?.workspaceEdit?.resourceOperations?.includes('create')) {
      fs.writeFileSync(target.path, after, { flag: 'wx' });
    } else {
      const { applied, failureReason } = await connection.workspace.applyEdit(editOf(target, after));
      if (!applied)
        return say(
          MessageType.Error,
          `${short(target.path)} was not changed: ${failureReason ?? 'the editor refused'}`,
        );
    }
    say(
      MessageType.Info,
      `${short(target.path)}: ${what} ${target.text === undefined ? 'is in this new file' : 'was added'}`,
    );
    showAll();
  }

  async function runTest(file: string, title: string): Promise<void> {
    const ran = await runTests(modules.background, [file], title);
    if (!ran) return say(MessageType.Warning, 'no test runner was found: install jest or vitest in this project');
    if (ran.status === 0) return say(MessageType.Info, `passes: ${title}`);
    const message = `${ran.stdout}\n${ran.stderr}`.split('\n').find((line) => /\b(CFault|error|Error)\b/.test(line));
    say(MessageType.Warning, `fails: ${title}${message === undefined ? '' : `: ${message.trim()}`}`);
  }

  const short = (path: string): string => relative(projectFolder(dirname(path)) ?? dirname(path), path);
  function say(type: MessageType, message: string): void {
    void connection.sendNotification(ShowMessageNotification.type, { type, message: `provest: ${message}` });
  }
  modules.onFailure = (message) => say(MessageType.Warning, message);

  return new Promise((resolve) => {
    const end = (): void => {
      modules.background.stop();
      for (const unwatch of watched.values()) unwatch();
      resolve();
    };
    connection.onExit(end);
    process.stdin.on('end', end).on('close', end);
    // The library ends the process by itself when its client is gone.
    process.on('exit', () => modules.background.stop());
    connection.listen();
  });
}

const isC = (path: string): boolean => path.endsWith('.c');

function refresh(connection: Connection, what: 'codeLens' | 'inlayHint'): Promise<void> {
  return connection.sendRequest<void>(`workspace/${what}/refresh`).catch(() => undefined); // the client went
}

/** The part that differs, so that cursors stay where they are. */
function editOf({ path, text }: TestTarget, after: string): WorkspaceEdit {
  const uri = Documents.uri(path);
  const before = text ?? '';
  let start = 0;
  while (start < before.length && before[start] === after[start]) start++;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const edit = {
    range: { start: positionAt(before, start), end: positionAt(before, before.length - end) },
    newText: after.slice(start, after.length - end),
  };
  return {
    documentChanges: [
      ...(text === undefined ? [{ kind: 'create' as const, uri, options: { overwrite: false } }] : []),
      { textDocument: { uri, version: null }, edits: [edit] },
    ],
  };
}

function positionAt(text: string, offset: number): { readonly line: number; readonly character: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length - 1, character: before.at(-1)!.length };
}
