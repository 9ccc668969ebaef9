/**
 * `provest cover`: Jest tests that reach the abstract states of a module. They say what the code does, not what it
 * should do, and their titles say so. Each is run, twice, before it is printed. A file that is there only gains tests;
 * what a person changed in it stays.
 */
import type { Command } from 'commander';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, relative, resolve, sep } from 'node:path';
import type { CoveringTest } from '../../engines/portfolio/verify';
import { moduleVariable } from '../../host/printing/moduleVariable';
import { observationTitle, observe, type Observed } from '../../host/observe';
import { printObservation } from '../../host/printing/printTest';
import { defaultProperties } from '../../program/command';
import { percent, relativeTo } from '../../report';
import { missingStates } from '../../report/missing';
import { breaks, grade, type Thresholds } from '../../report/thresholds';
import { nearestBounds } from '../../report/nearestBounds';
import type { Task } from '../../task';
import type { Backend } from '../backend';
import { conditionsOf, type ConditionFlags } from '../conditions';
import { definedFunction } from '../definedFunction';
import { exitCode, type ExitCode } from '../exitCode';
import { InputError } from '../inputError';
import {
  addLoadOptions,
  existingCFile,
  existingFile,
  loadOptions,
  type LoadFlags,
  requiresOption,
  initialisedByOption,
  validPointersOption,
  probeOption,
} from '../loadOptions';
import { parseThresholds } from './merge';
import { defaultBudget, parseDurationMs, parseSeed } from '../options';
import { checkOutput, writeOutput } from '../outputFile';
import type { Terminal } from '../terminal';

export interface CoverFlags extends LoadFlags, ConditionFlags {
  readonly init?: string;
  readonly out?: string;
  readonly tests?: string | false;
  readonly ci?: boolean;
  readonly thresholds?: string;
  readonly budget: string;
  readonly seed: string;
}

export function addCoverOptions(command: Command): Command {
  return addLoadOptions(
    command
      .description(
        'write Jest tests that reach the abstract states of a module; they show what the code does, not what it ' +
          'should do',
      )
      .argument('<files...>', 'C files, linked together')
      .option('--out <file>', 'add the tests to this file; without it they are printed')
      .option(
        '--tests <run>',
        'leave out what the tests of this run reach: the file that the reporter writes with PROVEST_BLOB=1 ' +
          '(default: .provest/run.provest, if it is there)',
      )
      .option('--no-tests', 'as if there were no tests')
      .option('--ci', 'never write a file')
      .option('--init <function>', 'clients call this first, once')
      .addOption(requiresOption())
      .addOption(initialisedByOption())
      .addOption(validPointersOption())
      .addOption(probeOption())
      .option(
        '--thresholds <percentages>',
        'end with 1 when the tests reach less: break=80, or high=90,low=70,break=50',
      )
      .option('--budget <duration>', 'time to spend: 500ms, 20s, 2m', defaultBudget)
      .option('--seed <number>', 'seed of every random choice', '1'),
  );
}

export async function coverFiles(
  files: readonly string[],
  flags: CoverFlags,
  terminal: Terminal,
  backend: Backend,
): Promise<ExitCode> {
  const { cwd } = terminal;
  if (flags.ci && flags.out !== undefined)
    throw new InputError('--ci never writes a file, but --out names one', 'leave one of them out');
  const thresholds = flags.thresholds === undefined ? {} : parseThresholds(flags.thresholds);
  const paths = files.map((file) => existingCFile(file, cwd));
  const load = { externals: 'error' as const, ...loadOptions(flags, cwd) };
  const target = resolve(cwd, flags.out ?? 'cover.test.js');
  if (flags.out !== undefined) checkOutput(flags.out, cwd);
  const before = flags.out !== undefined && existsSync(target) ? readFileSync(target, 'utf8') : undefined;
  const variable = before === undefined ? moduleVariable(paths) : variableIn(before, flags.out!);
  const program = backend.loadProgram(paths, load);
  const functions = program.functions.filter((fn) => !fn.library);
  const subject = paths.map((path) => relativeTo(cwd, path)).join(', ');
  const own = await ownTests(paths, flags, terminal, backend);
  const scope = {
    mode: 'module',
    ...(flags.init !== undefined && { init: definedFunction(flags.init, functions).name }),
  } as const;
  const conditions = conditionsOf(program, flags, subject, scope);
  const task: Task = {
    files: paths,
    load,
    ...scope,
    ...conditions,
    runs: own.runs,
    probes: [...conditions.probes, ...own.probes],
    properties: defaultProperties,
    engine: backend.engines[0]!,
    seed: parseSeed(flags.seed),
    budget: { milliseconds: parseDurationMs(flags.budget) },
  };
  const tests = (await backend.cover(task)).flatMap((found): ObservedTest[] => {
    const seen = observe(program, found.steps);
    return seen ? [{ ...seen, found }] : [];
  });
  const shared = sharedConditions(tests.map(({ found }) => found));
  const printed = tests.map(
    ({ steps, found }) =>
      `${commentOf(found, shared, cwd)}${printObservation(
        observationTitle(steps),
        steps,
        variable,
        functions.map(({ name }) => name),
      )}`,
  );
  const head = before ?? headOf(paths, variable, flags, dirname(target), extname(target));
  const { text, added } = await backend.withTests(
    head,
    printed.map((test) => ({ file: target, variable, test })),
    target,
  );
  if (flags.out === undefined) terminal.out(text);
  else if (text !== before) writeOutput(flags.out, text, cwd);
  const { text: reached, enough } = await summary(task, tests, thresholds, backend);
  if (!own.known && flags.tests !== false)
    terminal.err(
      'what your own tests reach is not known: run them with PROVEST_BLOB=1 first, and only what they leave out ' +
        'is written\n',
    );
  terminal.err(
    `${reached}${flags.out === undefined ? '' : `${flags.out}: ${added} test${added === 1 ? '' : 's'} written\n`}`,
  );
  return enough ? exitCode.proved : exitCode.bug;
}

/** Logs of the last run of the user's tests, if kept. */
async function ownTests(
  paths: readonly string[],
  flags: CoverFlags,
  { cwd }: Terminal,
  backend: Backend,
): Promise<Pick<Task, 'runs' | 'probes'> & { readonly known: boolean }> {
  const file = flags.tests === undefined ? join('.provest', 'run.provest') : flags.tests;
  if (file === false || (flags.tests === undefined && !existsSync(resolve(cwd, file))))
    return { runs: [], probes: [], known: false };
  const tests = await backend.testsOf(existingFile(file, cwd), paths, cwd);
  return { ...tests, known: tests.runs.length > 0 };
}

interface ObservedTest extends Observed {
  readonly found: CoveringTest;
}

/** Share of the abstract states that tests reach, and what was not shown reachable. */
async function summary(
  task: Task,
  tests: readonly ObservedTest[],
  thresholds: Thresholds,
  backend: Backend,
): Promise<{ readonly text: string; readonly enough: boolean }> {
  const runs = [...task.runs, ...tests.flatMap(({ instance }) => instance.runs.filter((run) => run.length > 0))];
  const { adequacy } = await backend.verify(
    { ...task, runs, adequacy: true },
    { progress: () => {}, signal: new AbortController().signal, memory: undefined },
  );
  const counted = `${tests.length} test${tests.length === 1 ? '' : 's'}${task.runs.length === 0 ? '' : ' more'}`;
  const together = task.runs.length === 0 ? ', which reach' : '; with yours they reach';
  if (!adequacy)
    return {
      text: `${counted}; the abstract states that can be reached were not found out within the budget\n`,
      enough: thresholds.break === undefined,
    };
  const word = grade(adequacy.ratio, thresholds);
  const head =
    `${counted}${together} ${adequacy.covered} of ${adequacy.total} abstract states ` +
    `(${percent(adequacy.ratio)}${word === undefined ? '' : `, ${word}`})`;
  return {
    text: [head, ...missingStates(adequacy)].map((line) => `${line}\n`).join(''),
    enough: !breaks(adequacy.ratio, thresholds),
  };
}

/** Conditions that distinguish the states from the others shown: those that all share are left out. */
function commentOf({ states }: CoveringTest, shared: ReadonlySet<string>, base: string): string {
  const shown = states.slice(0, 3).map(({ at, valuation }) => {
    const conditions = nearestBounds(valuation.split(' && ').filter((condition) => !shared.has(condition))).join(
      ' && ',
    );
    return (
      '// reaches ' +
      `${at.function ?? relativeTo(base, at.file)}:${at.line}${conditions === '' ? '' : ` with ${conditions}`}`
    ).replace(/[\r\n]+/g, ' ');
  });
  return (
    `${[...new Set(shown)].join('\n')}\n` +
    `${states.length > 3 ? `// and ${states.length - 3} more state${states.length === 4 ? '' : 's'}\n` : ''}`
  );
}

function sharedConditions(tests: readonly CoveringTest[]): ReadonlySet<string> {
  const [first = [], ...others] = tests.flatMap(({ states }) => states.map(({ valuation }) => valuation.split(' && ')));
  return new Set(
    first.filter((condition) => others.length > 0 && others.every((conditions) => conditions.includes(condition))),
  );
}

function headOf(
  paths: readonly string[],
  variable: string,
  flags: CoverFlags,
  folder: string,
  extension: string,
): string {
  const named = paths.map((path) => {
    const to = relative(folder, path).split(sep).join('/');
    return `'${(to.startsWith('.') ? to : `./${to}`).replace(/'/g, "\\'")}'`;
  });
  const load =
    `loadC(${named.length === 1 ? named[0] : `[${named.join(', ')}]`}` +
    `${flags.init === undefined ? '' : `, { init: '${flags.init}' }`});`;
  const from =
    extension === '.ts' || extension === '.mts' || extension === '.mjs'
      ? "import { loadC } from 'provest';"
      : "const { loadC } = require('provest');";
  return `${from}\n\nconst ${variable} = ${load}\n`;
}

function variableIn(text: string, file: string): string {
  const [, name] = /\b(?:const|let|var)\s+([\p{ID_Continue}$]+)\s*(?::[^=]+)?=\s*loadC\b/u.exec(text) ?? [];
  if (name === undefined)
    throw new InputError(
      `${file} is there and loads no C module, so the tests do not belong into it`,
      'choose another name for --out',
    );
  return name;
}
