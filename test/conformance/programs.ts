/**
 * The conformance programs and what each says of itself in its first line:
 *
 *   // provest: property=memsafety entry=main expect=bug line=17 oracle=cbmc:8
 *
 * fixtures/programs/README.md explains the fields. A header that does not follow it is an error, never a guess.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { allProperties, type Property } from '../../src/program/command';
import type { Task } from '../../src/task';

export type Expectation =
  | { readonly kind: 'proved' }
  /**
   * The check fails on this line, which is also marked in the program; undefined in sets of others, where no line is
   * known.
   */
  | { readonly kind: 'bug'; readonly line: number | undefined }
  /** Neither answer would be right. */
  | { readonly kind: 'unknown'; readonly cause: string };

export interface ConformanceProgram {
  /** `loops/counting` */
  readonly id: string;
  readonly theme: string;
  readonly path: string;
  readonly text: string;
  readonly properties: readonly Property[];
  readonly mode: 'program' | 'module';
  /** Program mode only. */
  readonly entry: string | undefined;
  /** Module mode only: called first, once. */
  readonly init: string | undefined;
  readonly dataModel: 'lp64' | 'ilp32';
  readonly expect: Expectation;
  /** How the verdict was checked. */
  readonly oracle: string;
}

export const programsFolder = join(__dirname, '..', '..', 'fixtures', 'programs');
const fieldNames = new Set(['property', 'entry', 'mode', 'init', 'model', 'expect', 'line', 'cause', 'oracle']);
const failingLine = '// <- fails';

/** In the order of their names. */
export function readPrograms(folder: string = programsFolder): readonly ConformanceProgram[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.c'))
    .sort()
    .map((name) => readProgram(folder, join(folder, name)));
}

export function readProgram(folder: string, path: string): ConformanceProgram {
  const text = readFileSync(path, 'utf8');
  const id = relative(folder, path).split(sep).join('/').replace(/\.c$/, '');
  const wrong = (what: string): never => {
    throw new Error(`${path}: ${what}`);
  };
  const [, header] = /^\/\/ provest: (.*)\n/.exec(text) ?? wrong('the first line is no header');
  const fields = new Map<string, string>();
  for (const field of header!.split(' ')) {
    const [, name, value] = /^(\w+)=(\S+)$/.exec(field) ?? wrong(`'${field}' is no field`);
    if (!fieldNames.has(name!) || fields.has(name!)) wrong(`unknown or repeated field '${name}'`);
    fields.set(name!, value!);
  }
  const one = <T extends string>(name: string, choices: readonly T[], otherwise: T): T => {
    const value = fields.get(name) ?? otherwise;
    return choices.find((choice) => choice === value) ?? wrong(`${name}=${value}`);
  };
  const properties = (fields.get('property') ?? wrong('no property'))
    .split(',')
    .map((name) => allProperties.find((property) => property === name) ?? wrong(`no property '${name}'`));
  const mode = one('mode', ['program', 'module'], 'program');
  if ((mode === 'program') !== fields.has('entry')) wrong('program mode has an entry, module mode none');
  return {
    id,
    theme: id.includes('/') ? id.slice(0, id.indexOf('/')) : '',
    path,
    text,
    properties,
    mode,
    entry: fields.get('entry'),
    init: fields.get('init'),
    dataModel: one('model', ['lp64', 'ilp32'], 'lp64'),
    expect: expectation(fields, text, wrong),
    oracle: fields.get('oracle') ?? wrong('no oracle'),
  };
}

function expectation(fields: ReadonlyMap<string, string>, text: string, wrong: (what: string) => never): Expectation {
  const marked = text.split('\n').flatMap((line, i) => (line.endsWith(failingLine) ? [i + 1] : []));
  switch (fields.get('expect')) {
    case 'proved':
      return marked.length === 0 ? { kind: 'proved' } : wrong('a line is marked as failing');
    case 'bug': {
      const line = Number(fields.get('line'));
      return marked.length === 1 && marked[0] === line
        ? { kind: 'bug', line }
        : wrong('the header and the mark name different lines');
    }
    case 'unknown':
      return { kind: 'unknown', cause: fields.get('cause') ?? wrong('no cause') };
    default:
      return wrong('expect is none of proved, bug, unknown');
  }
}

/** As the command line would make it. */
export function taskOf(program: ConformanceProgram, budgetMs: number, engine = 'auto'): Task {
  return {
    files: [program.path],
    mode: program.mode,
    probes: [],
    runs: [],
    properties: program.properties,
    engine,
    seed: 1,
    load: { externals: 'any', dataModel: program.dataModel },
    ...(program.entry !== undefined && { entries: [program.entry] }),
    ...(program.init !== undefined && { init: program.init }),
    cutpoints: 'default',
    budget: { milliseconds: budgetMs },
  };
}
