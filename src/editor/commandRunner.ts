/** The commands that a client executes: proving a file, running a test, and additions to the file's test. */
import { dirname, relative } from 'node:path';
import { MessageType, ShowMessageNotification, type Connection, type WorkspaceEdit } from 'vscode-languageserver/node';
import { fs } from '../node';
import { projectFolder } from '../report';
import { sha256 } from '../sha256';
import type { EditorBackend } from './backend';
import { runTests } from './background';
import { Documents } from './documents';
import { commands } from './marks';
import type { Modules } from './modules';
import { testTarget, type TestTarget } from './testFile';

/** The server, as far as commands need it. */
interface Session {
  readonly connection: Connection;
  readonly documents: Documents;
  readonly modules: Modules;
  readonly backend: EditorBackend;
  mayCreateFiles(): boolean;
  showAll(): void;
}

export class CommandRunner {
  constructor(private readonly session: Session) {}

  async execute(command: string, given: readonly unknown[]): Promise<unknown> {
    const [uri, ...rest] = given;
    const path = typeof uri === 'string' ? Documents.path(uri) : undefined;
    if (path === undefined) return this.say(MessageType.Error, 'this command is for a C file');
    const texts = rest.filter((one): one is string => typeof one === 'string');
    switch (command) {
      case commands.prove:
        return this.session.modules.prove(path, 'asked');
      case commands.runTest:
        return this.runTest(texts[0] ?? '', texts[1] ?? '');
      case commands.writeTest:
        return this.write(path, 'the failing test', (text, target) =>
          this.session.backend.withTest(text, texts[0] ?? '', {
            ...target,
            named: this.session.modules.nameIn(path, texts[0] ?? ''),
          }),
        );
      case commands.addProbe:
        return this.write(path, 'the probe', (text, target) =>
          this.session.backend.withProbe(
            text,
            (texts[0] ?? '').replace(/^[\w$]+(?=\.probe\()/, target.variable),
            target,
          ),
        );
      case commands.acceptSpecification:
        return this.write(path, 'the specification', (text, target) => {
          const changed = this.session.backend.withOption(text, texts[0] ?? '', target);
          if (changed === undefined)
            this.say(
              MessageType.Warning,
              `add this to the options of loadC in ${short(target.path)}: ${texts[0] ?? ''}`,
            );
          return changed ?? text;
        });
      default:
        return this.say(MessageType.Error, `provest has no command ${command}`);
    }
  }

  /** Applies a change to the test file of a C file: by the editor, so that a person can undo it. */
  private async write(path: string, what: string, change: (text: string, target: TestTarget) => string): Promise<void> {
    const target = testTarget(path, this.session.modules.results(path), this.session.documents.text);
    const before = target.text ?? target.head;
    const after = change(before, target);
    if (after === target.text) return this.say(MessageType.Info, `${short(target.path)} has ${what} already`);
    if (what !== 'the specification') this.session.modules.harmless.add(sha256(after));
    if (target.text === undefined && !this.session.mayCreateFiles()) {
      fs.writeFileSync(target.path, after, { flag: 'wx' });
    } else {
      const { applied, failureReason } = await this.session.connection.workspace.applyEdit(editOf(target, after));
      if (!applied)
        return this.say(
          MessageType.Error,
          `${short(target.path)} was not changed: ${failureReason ?? 'the editor refused'}`,
        );
    }
    this.say(
      MessageType.Info,
      `${short(target.path)}: ${what} ${target.text === undefined ? 'is in this new file' : 'was added'}`,
    );
    this.session.showAll();
  }

  private async runTest(file: string, title: string): Promise<void> {
    const ran = await runTests(this.session.modules.background, [file], title);
    if (!ran) return this.say(MessageType.Warning, 'no test runner was found: install jest or vitest in this project');
    if (ran.status === 0) return this.say(MessageType.Info, `passes: ${title}`);
    const message = `${ran.stdout}\n${ran.stderr}`.split('\n').find((line) => /\b(CFault|error|Error)\b/.test(line));
    this.say(MessageType.Warning, `fails: ${title}${message === undefined ? '' : `: ${message.trim()}`}`);
  }

  say(type: MessageType, message: string): void {
    void this.session.connection.sendNotification(ShowMessageNotification.type, {
      type,
      message: `provest: ${message}`,
    });
  }
}

const short = (path: string): string => relative(projectFolder(dirname(path)) ?? dirname(path), path);

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
