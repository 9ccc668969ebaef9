/**
 * A terminal that remembers and a backend whose proof is decided by the test; C text is read as a list of the functions
 * it defines.
 */
import { readFileSync } from 'node:fs';
import { CError } from '../../src/c/diagnostics/diagnostic';
import { SourceFile } from '../../src/c/source';
import type { Backend } from '../../src/cli/backend';
import { runCommandLine } from '../../src/cli/command';
import type { Terminal } from '../../src/cli/terminal';
import type { FunctionDefinition, Location, Program } from '../../src/program/program';
import type { LoadOptions, Task } from '../../src/task';
import { proved } from '../report/verdicts';

interface Heard {
  out: string;
  err: string;
  interrupt: () => void;
  readonly loads: LoadOptions[];
  readonly tasks: Task[];
}

export interface Outcome extends Heard {
  readonly code: number;
  readonly lastLine: string;
}

/** `backend` is told how to send Ctrl-C. */
export async function runWith(
  args: readonly string[],
  cwd: string,
  backend: (interrupt: () => void) => Partial<Backend> = () => ({}),
): Promise<Outcome> {
  const heard: Heard = {
    out: '',
    err: '',
    interrupt: () => {
      throw new Error('nobody listens');
    },
    loads: [],
    tasks: [],
  };
  const used = { ...fakeBackend(heard), ...backend(() => heard.interrupt()) };
  const code = await runCommandLine(args, fakeTerminal(heard, cwd), {
    // As much as a test's own `loadProgram` reads, unless it has one of these, too.
    loadInterface: (files, options) => used.loadProgram(files, { ...options, externals: options.externals ?? 'any' }),
    ...used,
  });
  return { ...heard, code, lastLine: heard.out.trimEnd().split('\n').at(-1)! };
}

function fakeTerminal(heard: Heard, cwd: string): Terminal {
  return {
    out: (text) => {
      heard.out += text;
    },
    err: (text) => {
      heard.err += text;
    },
    color: false,
    errIsTerminal: false,
    errColumns: 80,
    cwd,
    now: () => 0,
    input: () => undefined,
    onInterrupt(handler) {
      heard.interrupt = handler;
      return () => {};
    },
  };
}

function fakeBackend(heard: Heard): Omit<Backend, 'loadInterface'> & Partial<Backend> {
  return {
    version: '1.2.3',
    engines: ['auto', 'test-based-abstraction'],
    declaredFunctions: () => [],
    loadProgram(files, options) {
      heard.loads.push(options);
      return definitionsIn(files.map((path) => new SourceFile(path, readFileSync(path, 'utf8'))));
    },
    async verify(task) {
      heard.tasks.push(task);
      return proved;
    },
    queue: async () => {
      throw new Error('nobody asked for a queue');
    },
    work: async () => {},
    cover: async () => [],
    slice: async () => ({ linesWithChecks: [] }),
    testsOf: async () => ({ runs: [], probes: [] }),
    withTests: async (text) => ({ text, added: 0 }),
    merge: async () => 'proved',
    serveEditor: async () => {},
    declarations: async (program) => program.functions.map(({ name }) => `export function ${name}(): void;\n`).join(''),
  };
}

function definitionsIn(files: readonly SourceFile[]): Program {
  const functions = files.flatMap((file) => {
    const wrong = file.text.indexOf('@');
    if (wrong >= 0)
      throw new CError([
        { severity: 'error', message: "unexpected '@'", span: { file, start: wrong, end: wrong + 1 } },
      ]);
    return [...file.text.matchAll(/(\w+)\(void\) \{/g)].map((match, i) => definition(match[1]!, i, file));
  });
  return {
    dataModel: 'lp64',
    sources: [],
    files: files.map(({ path }) => path),
    globals: [],
    objects: [],
    functions,
    clientFunctions: [],
    functionByName: new Map(functions.map((fn) => [fn.name, fn])),
    choices: [],
    answering: [],
    argumentTypes: [],
    convertedPointers: [],
    restricted: [],
    externals: [],
    typedefs: new Map(),
    tags: new Map(),
    enumConstants: new Map(),
    symbols: new Map(),
  };
}

function definition(name: string, number: number, file: SourceFile): FunctionDefinition {
  const span = { file, start: 0, end: 1 };
  const entry: Location = { index: 0, span, label: undefined, isLoopHead: false, edges: [] };
  return {
    kind: 'function',
    name,
    number,
    span,
    ctype: { kind: 'function', result: { kind: 'void' }, parameters: [], variadic: false, unprototyped: false },
    parameters: [],
    result: undefined,
    resultVariable: undefined,
    variables: [],
    objects: [],
    locations: [entry],
    edges: [],
    entry,
    exit: entry,
    linkage: 'external',
    library: false,
  };
}
