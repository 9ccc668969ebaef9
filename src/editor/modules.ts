/** Knowledge of each open C file: its text as read by the front end, and the verdicts on it. */
import { dirname } from 'node:path';
import { findCompileCommands, flagsIn, flagsOf, noFlags, sharedFlags, type FlagsOfFile } from '../compileCommands';
import { projectFolder, readLastRun } from '../report';
import { Background, proveFile, runTests } from './background';
import { checksOf } from './checksByLine';
import type { VerdictView } from './diagnostics';
import type { Documents } from './documents';
import { readText, type DefinedFunction, type ReadText, type TextMessage } from './frontEnd';
import type { Standing } from './marks';
import { isAbout, isCurrent, ofLastRun, type ModuleResult } from './moduleResult';
import { testsBeside, testTarget } from './testFile';

export interface EditorSettings {
  /** Time for the proof of one file in the background, as on the command line. */
  readonly budget: string;
  /** Further arguments of `provest verify`. */
  readonly arguments: readonly string[];
  /** Prove a file when it is opened without a verdict, and when it is saved. */
  readonly onSave: boolean;
  /** The tests of a file are run to prove it, where there are any. */
  readonly runTests: boolean;
}

/** Unknown values are as if they were not there: a client may send settings of other versions. */
export function readSettings(options: unknown): EditorSettings {
  const given = (typeof options === 'object' && options !== null ? options : {}) as Partial<
    Record<keyof EditorSettings, unknown>
  >;
  return {
    budget: typeof given.budget === 'string' && /^\d+(\.\d+)?(ms|s|m)$/.test(given.budget) ? given.budget : '5s',
    arguments: Array.isArray(given.arguments)
      ? given.arguments.filter((one): one is string => typeof one === 'string')
      : [],
    onSave: given.onSave !== false,
    runTests: given.runTests !== false,
  };
}

export interface Looked {
  readonly messages: readonly TextMessage[];
  readonly functions: readonly DefinedFunction[];
  readonly standing: Standing;
  /** Absent: no verdict is about the text as it is. */
  readonly view?: VerdictView;
}

export class Modules {
  settings: EditorSettings = readSettings(undefined);
  onFailure: (message: string) => void = () => {};
  readonly background = new Background();
  /** See `isCurrent`. */
  readonly harmless = new Set<string>();
  private readonly proofs = new Map<string, ModuleResult>();
  private readonly lastRuns = new Map<string, readonly ModuleResult[]>();
  private readonly read = new Map<string, { readonly key: string; readonly read: ReadText }>();
  /** Files that the last text without an error was read from. */
  private readonly sources = new Map<string, readonly string[]>();

  constructor(
    private readonly documents: Documents,
    private readonly backend: {
      readonly version: string;
      readonly command: string;
      moduleVariable(files: readonly string[]): string;
    },
    private readonly changed: (path: string) => void,
  ) {}

  /** The view of a file that a person should see now. */
  look(path: string): Looked {
    const { messages, functions = [] } = this.readNow(path);
    const standing = this.standing(path);
    if (standing !== 'current') return { messages, functions, standing };
    const results = this.results(path);
    const view = {
      results,
      checks: checksOf(results, path),
      file: path,
      lines: (this.documents.text(path) ?? '').split('\n'),
    };
    return { messages, functions, standing, view };
  }

  standing(path: string): Standing {
    if (this.background.isBusyWith(path)) return 'proving';
    if (this.results(path).length > 0) return 'current';
    return this.allResults(path).length > 0 ? 'changed' : 'none';
  }

  /** Verdicts on the texts as they are. Those of the tests count, where there are any: they know what clients do. */
  results(path: string): readonly ModuleResult[] {
    const current = this.allResults(path).filter((one) => isCurrent(one, this.documents.fingerprint, this.harmless));
    const ofTests = current.filter(({ origin }) => origin === 'tests');
    return ofTests.length > 0 ? ofTests : current;
  }

  includes(path: string, header: string): boolean {
    return this.sources.get(path)?.includes(header) ?? false;
  }

  forgetLastRuns(): void {
    this.lastRuns.clear();
  }

  /** In the background, after what is being proved now. */
  prove(path: string, why: 'opened' | 'saved' | 'asked'): void {
    this.readNow(path);
    const sources = this.sources.get(path);
    if (sources === undefined) {
      if (why === 'asked') this.onFailure('the C has errors; repair them first');
      return;
    }
    this.background.add(path, async () => {
      this.changed(path);
      const failure = await this.proof(path, sources, why);
      if (failure !== undefined) this.onFailure(failure);
      // Its job has ended when this is shown.
      setImmediate(() => this.changed(path));
    });
  }

  /** Answers with what went wrong, in words; a verdict of any kind is not wrong. */
  private async proof(
    path: string,
    sources: readonly string[],
    why: 'opened' | 'saved' | 'asked',
  ): Promise<string | undefined> {
    const testFiles = [
      ...new Set([...this.allResults(path).flatMap(({ test }) => (test ? [test.file] : [])), ...testsBeside(path)]),
    ];
    // Opening a file runs no tests.
    if (testFiles.length > 0 && this.settings.runTests && why !== 'opened') {
      const ran = await runTests(this.background, testFiles);
      this.forgetLastRuns();
      if (ran && this.results(path).length > 0) return undefined;
    }
    const flags = this.flags(path);
    const result = await proveFile(this.background, path, sources, {
      command: this.backend.command,
      budget: this.settings.budget,
      arguments: [
        ...flags.include.flatMap((folder) => ['-I', folder]),
        ...Object.entries(flags.define).flatMap(([name, value]) => ['-D', value === true ? name : `${name}=${value}`]),
        ...this.settings.arguments,
      ],
    });
    if (typeof result === 'string') return result;
    if (result) this.proofs.set(path, result);
    return undefined;
  }

  /** The module's variable in a generated test: that of the test file, or of no test file. */
  nameIn(path: string, test: string): string {
    const result = this.results(path).find(({ verdict }) => JSON.stringify(verdict).includes(JSON.stringify(test)));
    return result?.test?.variable ?? this.backend.moduleVariable([path]);
  }

  /** A generated test that is in the test file already. */
  writtenTest(path: string, test: string): { readonly file: string; readonly title: string } | undefined {
    const { path: file, text } = testTarget(path, this.results(path), this.documents.text);
    const [, title] = /^test\('((?:[^'\\]|\\.)*)'/.exec(test) ?? [];
    if (title === undefined || text === undefined) return undefined;
    return text.includes(title) ? { file, title: title.replace(/\\(.)/g, '$1') } : undefined;
  }

  private allResults(path: string): readonly ModuleResult[] {
    const folder = dirname(path);
    let last = this.lastRuns.get(folder);
    if (!last) this.lastRuns.set(folder, (last = readLastRun(folder, this.backend.version).map(ofLastRun)));
    const proof = this.proofs.get(path);
    return [...last.filter((one) => isAbout(one, path)), ...(proof ? [proof] : [])];
  }

  /** The front end's answer on the text as it is, computed once per text. */
  private readNow(path: string): ReadText {
    const flags = this.flags(path);
    const files = this.sources.get(path) ?? [path];
    const key = JSON.stringify([flags, files.map(this.documents.fingerprint)]);
    const known = this.read.get(path);
    if (known?.key === key) return known.read;
    const read = readText(path, this.documents.text, flags);
    if (read.files)
      this.sources.set(
        path,
        read.files.filter((file) => this.documents.fingerprint(file) !== undefined),
      );
    const after = JSON.stringify([flags, (this.sources.get(path) ?? [path]).map(this.documents.fingerprint)]);
    this.read.set(path, { key: after, read });
    return read;
  }

  /** Flags of `compile_commands.json`, and after them those of the settings. */
  private flags(path: string): FlagsOfFile {
    let found = noFlags;
    try {
      const list = findCompileCommands(dirname(path));
      if (list !== undefined) found = flagsIn(list, path) ?? sharedFlags(list);
    } catch {
      found = noFlags; // a list that is being written, or none: what is missing then is an error with a place
    }
    const own = flagsOf(this.settings.arguments, projectFolder(dirname(path)) ?? dirname(path));
    return { include: [...found.include, ...own.include], define: { ...found.define, ...own.define } };
  }
}
