/**
 * Starts the language server of the provest that is installed in the workspace. Everything shown comes from it, so this
 * only finds it, hands it the settings, and says when it is not there.
 */
const { existsSync } = require('node:fs');
const { dirname, join } = require('node:path');
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

/** The program of the command in the nearest `node_modules`, from the folder upwards; undefined: none is installed. */
function findServer(folder) {
  for (let at = folder; ; at = dirname(at)) {
    const program = join(at, 'node_modules', 'provest', 'dist', 'src', 'cli', 'main.js');
    if (existsSync(program)) return program;
    if (at === dirname(at)) return undefined;
  }
}

/** The initialization options of the server. */
function settings() {
  const configuration = vscode.workspace.getConfiguration('provest');
  return Object.fromEntries(
    ['budget', 'arguments', 'onSave', 'runTests'].map((name) => [name, configuration.get(name)]),
  );
}

/** One server per folder of the workspace, since each may have its own version. */
const clients = new Map();

async function start(folder) {
  const program = findServer(folder.uri.fsPath);
  if (program === undefined) return;
  const run = { command: 'node', args: [program, 'lsp', '--stdio'], options: { cwd: folder.uri.fsPath } };
  const client = new LanguageClient(
    'provest',
    'provest',
    { run, debug: run },
    {
      documentSelector: [
        { scheme: 'file', language: 'c', pattern: `${folder.uri.fsPath.replace(/\\/g, '/')}/**/*` },
        { scheme: 'file', language: 'cpp', pattern: `${folder.uri.fsPath.replace(/\\/g, '/')}/**/*.h` },
      ],
      workspaceFolder: folder,
      initializationOptions: settings(),
    },
  );
  clients.set(folder.uri.toString(), client);
  await client.start();
}

async function stop() {
  const running = [...clients.values()];
  clients.clear();
  await Promise.all(running.map((client) => client.stop()));
}

async function restart() {
  await stop();
  const folders = vscode.workspace.workspaceFolders ?? [];
  await Promise.all(folders.map(start));
  return clients.size;
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('provest.restart', async () => {
      if ((await restart()) === 0)
        void vscode.window.showWarningMessage(
          'provest is not installed in this workspace: npm install --save-dev provest jest',
        );
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('provest')) void restart();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => void restart()),
  );
  await restart();
}

module.exports = { activate, deactivate: stop, findServer };
