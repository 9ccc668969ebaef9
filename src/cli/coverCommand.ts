/**
 * `provest cover`: Jest tests that reach the abstract states of a module. They say what the code does, not what it should do, and their titles say so. Each is
 * run, twice, before it is printed. A file that is there only gains tests; what a person changed in it stays.
 */
import type { Command } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, relative, resolve, sep } from 'node:path';
import type { CoveringTest } from '../engines/verify';
import { ModuleInstance } from '../host/module';
import { moduleVariable } from '../host/moduleVariable';
import { play, printObservation } from '../host/printTest';
import { defaultProperties } from '../program/command';
import type { Program } from '../program/program';
import { relativeTo } from '../report';
import { nearestBounds } from '../report/html/drawStates';
import type { Task } from '../task';
import type { ClientStep, Plain } from '../verdict';
import type { Backend } from './backend';
import { conditionsOf, type ConditionFlags } from './conditions';
import { definedFunction } from './definedFunction';
import { exitCode, type ExitCode } from './exitCode';
import { InputError } from './inputError';
import { addLoadOptions, existingFile, loadOptions, repeatable, type LoadFlags } from './loadOptions';
import { parseDurationMs, parseSeed } from './options';
import { writeOutput } from './outputFile';
import type { Terminal } from './terminal';

export interface CoverFlags extends LoadFlags, ConditionFlags {
  readonly init?: string;
  readonly out?: string;
  readonly ci?: boolean;
  readonly budget: string;
  readonly seed: string;
}

export function addCoverOptions(command: Command): Command {
  return addLoadOptions(command
    .description('write Jest tests that reach the abstract states of a module; they show what the code does, not what it should do')
    .argument('<files...>', 'C files, linked together')
    .option('--out <file>', 'add the tests to this file; without it they are printed')
    .option('--ci', 'never write a file')
    .option('--init <function>', 'clients call this first, once')
    .addOption(repeatable('--requires <function: condition>', 'clients keep to this precondition, over the arguments and variables', 'none'))
    .addOption(repeatable('--probe <name: condition>', "follow this fact about the variables; 'name in f: …' also about f's own", 'none'))
    .option('--budget <duration>', 'time to spend: 500ms, 20s, 2m', '20s')
    .option('--seed <number>', 'seed of every random choice', '1'));
}

export async function coverFiles(files: readonly string[], flags: CoverFlags, terminal: Terminal, backend: Backend): Promise<ExitCode> {
  const { cwd } = terminal;
  if (flags.ci && flags.out !== undefined) throw new InputError('--ci never writes a file, but --out names one', 'leave one of them out');
  const paths = files.map((file) => existingFile(file, cwd));
  const load = { externals: 'error' as const, ...loadOptions(flags, cwd) };
  const program = backend.loadProgram(paths, load);
  const functions = program.functions.filter((fn) => !fn.library);
  const subject = paths.map((path) => relativeTo(cwd, path)).join(', ');
  const task: Task = {
    files: paths, load, mode: 'module', runs: [], ...(flags.init !== undefined && { init: definedFunction(flags.init, functions).name }), ...conditionsOf(program, flags, subject),
    properties: defaultProperties, engine: backend.engines[0]!, seed: parseSeed(flags.seed), budget: { milliseconds: parseDurationMs(flags.budget) },
  };
  const tests = (await backend.cover(task)).flatMap((found) => observed(found, program, task) ?? []);
  const target = resolve(cwd, flags.out ?? 'cover.test.js');
  const before = flags.out !== undefined && existsSync(target) ? readFileSync(target, 'utf8') : undefined;
  const variable = before === undefined ? moduleVariable(paths) : variableIn(before, flags.out!);
  const printed = tests.map(({ steps, found }) => `${commentOf(found, cwd)}${printObservation(titleOf(steps), steps, variable, functions.map(({ name }) => name))}`);
  const head = before ?? headOf(paths, variable, flags, dirname(target), extname(target));
  const { text, added } = await backend.withTests(head, printed.map((test) => ({ file: target, variable, test })), target);
  if (flags.out === undefined) terminal.out(text);
  else if (text !== before) writeOutput(flags.out, text, cwd);
  terminal.err(`${await summary(task, tests, backend)}${flags.out === undefined ? '' : `${flags.out}: ${added} test${added === 1 ? '' : 's'} written\n`}`);
  return exitCode.proved;
}

interface ObservedTest { readonly found: CoveringTest; readonly steps: readonly ClientStep[]; readonly instance: ModuleInstance }

/** What the calls returned; undefined when a test would not do the same every time. */
function observed(found: CoveringTest, program: Program, task: Task): ObservedTest | undefined {
  const once = (): { readonly instance: ModuleInstance; readonly steps: ClientStep[] } | undefined => {
    const instance = new ModuleInstance(program, { name: 'module' });
    const steps = [...found.steps];
    const error = play(instance, found.steps, (index, value) => {
      const step = steps[index]!;
      if (step.kind === 'call' && isSimple(value)) steps[index] = { ...step, result: value };
    });
    return error === undefined ? { instance, steps } : undefined;
  };
  const [first, second] = [once(), once()];
  const text = (steps: readonly ClientStep[]): string => printObservation('', steps, 'module');
  return first && second && text(first.steps) === text(second.steps) && task.files.length > 0 ? { found, ...first } : undefined;
}

const isSimple = (value: unknown): value is Plain => typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean' || value === null;

/** How much of the abstract states the tests reach, and what was not shown reachable. */
async function summary(task: Task, tests: readonly ObservedTest[], backend: Backend): Promise<string> {
  const runs = tests.flatMap(({ instance }) => instance.runs.filter((run) => run.length > 0));
  const { adequacy, kind } = await backend.verify({ ...task, runs, adequacy: true }, { progress: () => {}, signal: new AbortController().signal, memory: undefined });
  if (!adequacy || kind === 'unknown') return `${tests.length} test${tests.length === 1 ? '' : 's'}; the abstract states that can be reached were not found out within the budget\n`;
  const missing = adequacy.missing.map(({ at, valuation, state }) => `  not shown reachable at ${at.function ?? 'the client'}:${at.line}: ${valuation}${state.length === 0 ? '' : ` (for example ${state.map(({ name, value }) => `${name} = ${value}`).join(', ')})`}\n`);
  return [`${tests.length} test${tests.length === 1 ? '' : 's'}, which reach ${adequacy.covered} of ${adequacy.total} abstract states (${Math.floor(100 * adequacy.ratio)} %)\n`, ...missing.slice(0, 10), ...(missing.length > 10 ? [`  and ${missing.length - 10} more\n`] : [])].join('');
}

function titleOf(steps: readonly ClientStep[]): string {
  const calls = steps.flatMap((step) => (step.kind === 'call' ? [step.function] : []));
  return `shows what the code does: ${calls.slice(0, 6).join(', ')}${calls.length > 6 ? `, … ${calls.length} calls` : ''}`;
}

function commentOf({ states }: CoveringTest, base: string): string {
  const shown = states.slice(0, 3).map(({ at, valuation }) => `// reaches ${at.function ?? relativeTo(base, at.file)}:${at.line} with ${nearestBounds(valuation.split(' && ')).join(' && ') || 'true'}`.replace(/[\r\n]+/g, ' '));
  return `${shown.join('\n')}\n${states.length > 3 ? `// and ${states.length - 3} more states\n` : ''}`;
}

function headOf(paths: readonly string[], variable: string, flags: CoverFlags, folder: string, extension: string): string {
  const named = paths.map((path) => `'${((to) => (to.startsWith('.') ? to : `./${to}`))(relative(folder, path).split(sep).join('/')).replace(/'/g, "\\'")}'`);
  const load = `loadC(${named.length === 1 ? named[0] : `[${named.join(', ')}]`}${flags.init === undefined ? '' : `, { init: '${flags.init}' }`});`;
  const from = extension === '.ts' || extension === '.mts' || extension === '.mjs' ? "import { loadC } from 'provest';" : "const { loadC } = require('provest');";
  return `${from}\n\nconst ${variable} = ${load}\n`;
}

function variableIn(text: string, file: string): string {
  const [, name] = /\b(?:const|let|var)\s+(\w+)\s*(?::[^=]+)?=\s*loadC\b/.exec(text) ?? [];
  if (name === undefined) throw new InputError(`${file} is there and loads no C module, so the tests do not belong into it`, 'choose another name for --out');
  return name;
}
