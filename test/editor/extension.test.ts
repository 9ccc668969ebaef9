/** The extension for VS Code, with an editor and a client that only note what they are asked for. */
import { readFileSync } from 'node:fs';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readSettings } from '../../src/editor/modules';
import { root } from '../ux/project';

interface Extension {
  activate(context: { readonly subscriptions: unknown[] }): Promise<void>;
  deactivate(): Promise<void>;
}
interface Started {
  readonly server: {
    readonly run: {
      readonly command: string;
      readonly args: readonly string[];
      readonly options: { readonly cwd: string };
    };
  };
  readonly client: { readonly initializationOptions: Readonly<Record<string, unknown>> };
}

const manifest = JSON.parse(readFileSync(join(root, 'editors/vscode/package.json'), 'utf8')) as {
  readonly contributes: {
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default: unknown }>> };
    readonly commands: readonly { readonly command: string }[];
  };
};
const defaults = Object.fromEntries(
  Object.entries(manifest.contributes.configuration.properties).map(([name, { default: value }]) => [name, value]),
);

let folder: string;
let started: Started[];
let stopped: number;
let warnings: string[];
const registered = new Map<string, () => Promise<void>>();
let configurationChanged: (event: { affectsConfiguration: (name: string) => boolean }) => void;

function load(): Extension {
  jest.resetModules();
  const disposable = { dispose: () => {} };
  jest.doMock(
    'vscode',
    () => ({
      workspace: {
        workspaceFolders: [{ uri: { fsPath: folder, toString: () => `file://${folder}` } }],
        getConfiguration: (section: string) => ({ get: (name: string) => defaults[`${section}.${name}`] }),
        onDidChangeConfiguration: (listener: typeof configurationChanged) => {
          configurationChanged = listener;
          return disposable;
        },
        onDidChangeWorkspaceFolders: () => disposable,
      },
      commands: {
        registerCommand: (name: string, run: () => Promise<void>) => {
          registered.set(name, run);
          return disposable;
        },
      },
      window: { showWarningMessage: (message: string) => warnings.push(message) },
    }),
    { virtual: true },
  );
  jest.doMock(
    'vscode-languageclient/node',
    () => ({
      LanguageClient: class {
        constructor(
          _id: string,
          _name: string,
          private readonly server: Started['server'],
          private readonly client: Started['client'],
        ) {}
        async start(): Promise<void> {
          started.push({ server: this.server, client: this.client });
        }
        async stop(): Promise<void> {
          stopped++;
        }
      },
    }),
    { virtual: true },
  );
  return jest.requireActual<Extension>('../../editors/vscode/extension.js');
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'provest-extension-'));
  [started, stopped, warnings] = [[], 0, []];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function install(at: string): string {
  const program = join(at, 'node_modules', 'provest', 'dist', 'src', 'cli', 'main.js');
  mkdirSync(dirname(program), { recursive: true });
  writeFileSync(program, '');
  return program;
}

test('the server of the workspace is started with the settings; a changed setting starts it anew', async () => {
  const program = install(folder);
  const extension = load();
  await extension.activate({ subscriptions: [] });
  expect(started).toHaveLength(1);
  expect(started[0]!.server.run).toEqual({
    command: 'node',
    args: [program, 'lsp', '--stdio'],
    options: { cwd: folder },
  });
  // The defaults of the extension are those of the server, and no setting is left out.
  expect(started[0]!.client.initializationOptions).toEqual(readSettings(undefined));
  configurationChanged({ affectsConfiguration: (name) => name === 'provest' });
  await new Promise((resolve) => setImmediate(resolve));
  expect([stopped, started.length]).toEqual([1, 2]);
  configurationChanged({ affectsConfiguration: () => false });
  await extension.deactivate();
  expect([stopped, started.length]).toEqual([2, 2]);
});

test('a workspace without provest starts nothing, and says so when asked', async () => {
  const extension = load();
  await extension.activate({ subscriptions: [] });
  expect([started, warnings]).toEqual([[], []]);
  await registered.get('provest.restart')!();
  expect(warnings[0]).toContain('npm install --save-dev provest');
  install(folder);
  await registered.get('provest.restart')!();
  expect(started).toHaveLength(1);
  await extension.deactivate();
});

test('the manifest has the commands that are registered', async () => {
  await load().activate({ subscriptions: [] });
  expect([...registered.keys()]).toEqual(manifest.contributes.commands.map(({ command }) => command));
});

test('the page on editors has every setting, and starts the server as it is started here', () => {
  const page = readFileSync(join(root, 'docs/editors.md'), 'utf8');
  const [, section] = /^## Settings$([^]*?)^## /m.exec(page)!;
  expect(
    [...section!.matchAll(/^\| `(\w+)` \|.*\| `(.*)` \|$/gm)].map(([, name, value]) => [name, JSON.parse(value!)]),
  ).toEqual(Object.entries(readSettings(undefined)));
  const commands = [...page.matchAll(/^```(lua|toml|lisp)\n([^]*?)^```$/gm)].map(([, , text]) =>
    [...text!.matchAll(/["'](npx|--no-install|provest|lsp|--stdio)["']/g)]
      .map(([, word]) => word)
      .filter((word, i, all) => word !== 'provest' || all[i + 1] === 'lsp'),
  );
  expect(commands).toHaveLength(3);
  for (const words of commands) expect(words).toEqual(['npx', '--no-install', 'provest', 'lsp', '--stdio']);
});
