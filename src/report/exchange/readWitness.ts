/**
 * A verification witness, format 2.0, as data: ours or another verifier's. What is malformed is said, not guessed at;
 * what the format allows and we do not use (branching waypoints, assumptions, segments to avoid) is counted, so that
 * nobody takes it for checked.
 */
import { yaml } from './yaml';
import type { DataModel } from '../../c/types';
import type { Property } from '../../program/command';

export interface WitnessLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number | undefined;
  readonly function: string | undefined;
}
export interface WitnessTask {
  readonly files: readonly string[];
  /** SHA-256 by file, as named in `files`. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly entry: string;
  readonly properties: readonly Property[];
  readonly dataModel: DataModel;
}
export type Witness =
  | {
      readonly kind: 'proof';
      readonly task: WitnessTask;
      readonly invariants: readonly { readonly at: WitnessLocation; readonly loop: boolean; readonly value: string }[];
    }
  | {
      readonly kind: 'violation';
      readonly task: WitnessTask;
      readonly target: WitnessLocation;
      /** Results of calls, in the order of execution. */
      readonly results: readonly { readonly at: WitnessLocation; readonly value: string }[];
      /** Waypoints of other kinds. */
      readonly unused: number;
    };

/** No witness of this format; the message is for the user. */
export class WitnessError extends Error {}

/** The first entry that is a proof or a violation. */
export function readWitness(text: string): Witness {
  let document: unknown;
  try {
    document = yaml().parse(text);
  } catch (error) {
    throw new WitnessError(`it is no YAML: ${(error as Error).message.split('\n')[0]!.replace(/:$/, '')}`);
  }
  if (!Array.isArray(document)) throw new WitnessError('it is not a list of entries');
  if (document.length === 0) throw new WitnessError('it is empty: the verifier had neither a proof nor a violation');
  for (const entry of document) {
    const type = string(field(entry, 'entry_type'), 'entry_type');
    if (type !== 'invariant_set' && type !== 'violation_sequence') continue;
    const metadata = field(entry, 'metadata');
    const version = String(field(metadata, 'format_version'));
    if (!/^2\./.test(version)) throw new WitnessError(`its format is ${version}; 2.0 is what can be read`);
    const task = taskOf(field(metadata, 'task'));
    const content = list(field(entry, 'content'), 'content');
    return type === 'invariant_set'
      ? { kind: 'proof', task, invariants: content.map((item) => invariantOf(field(item, 'invariant'))) }
      : violationOf(content, task);
  }
  throw new WitnessError('it has no entry of the types invariant_set and violation_sequence');
}

function taskOf(task: unknown): WitnessTask {
  const files = list(field(task, 'input_files'), 'input_files').map((file) => string(file, 'input_files'));
  const hashes = field(task, 'input_file_hashes');
  if (typeof hashes !== 'object' || hashes === null) throw new WitnessError('it has no input_file_hashes');
  const specification = string(field(task, 'specification'), 'specification');
  const entry = /init\(\s*(\w+)\s*\(\s*\)\s*\)/.exec(specification)?.[1];
  if (entry === undefined) throw new WitnessError(`its specification '${specification}' names no entry function`);
  const model = string(field(task, 'data_model'), 'data_model').toLowerCase();
  if (model !== 'lp64' && model !== 'ilp32') throw new WitnessError(`'${model}' is no data model`);
  return {
    files,
    hashes: new Map(Object.entries(hashes).map(([file, hash]) => [file, String(hash)])),
    entry,
    properties: propertiesOf(specification),
    dataModel: model,
  };
}

const formulas: readonly (readonly [RegExp, Property])[] = [
  [/G\s*!\s*call\(\s*(reach_error|__VERIFIER_error|__assert_fail)\(\)\s*\)/, 'reach'],
  [/G\s+valid-(free|deref)/, 'memsafety'],
  [/G\s*!\s*overflow/, 'overflow'],
  [/G\s+valid-memcleanup/, 'leak'],
];

function propertiesOf(specification: string): readonly Property[] {
  // Each of its formulas has to be known: what is not looked at is not confirmed.
  const formulaTexts = [...specification.matchAll(/LTL\(((?:[^()]|\([^()]*(?:\([^()]*\)[^()]*)*\))*)\)/g)].map(
    ([, formula]) => formula!.trim(),
  );
  const strange = formulaTexts.find(
    (formula) => !formulas.some(([pattern]) => pattern.test(formula)) && !/valid-memtrack/.test(formula),
  );
  if (strange !== undefined)
    throw new WitnessError(
      `its specification asks for '${strange}', which is none of reachability of an error function, memory ` +
        'safety, overflow, leaks',
    );
  const found = formulas.flatMap(([pattern, property]) => (pattern.test(specification) ? [property] : []));
  if (/valid-memtrack/.test(specification))
    throw new WitnessError('its specification asks for valid-memtrack, which cannot be checked here');
  if (found.length === 0)
    throw new WitnessError(`its specification '${specification}' is none of reachability, memory safety, overflow`);
  return found;
}

function invariantOf(invariant: unknown): Extract<Witness, { kind: 'proof' }>['invariants'][number] {
  const type = string(field(invariant, 'type'), 'type');
  if (type !== 'loop_invariant' && type !== 'location_invariant')
    throw new WitnessError(`'${type}' is no kind of invariant`);
  const format = string(field(invariant, 'format'), 'format');
  if (format !== 'c_expression')
    throw new WitnessError(`an invariant is written as ${format}; C expressions are what can be read`);
  return {
    at: locationOf(field(invariant, 'location')),
    loop: type === 'loop_invariant',
    value: string(field(invariant, 'value'), 'value'),
  };
}

function violationOf(content: readonly unknown[], task: WitnessTask): Witness {
  const waypoints = content.flatMap((item) =>
    list(field(item, 'segment'), 'segment').map((part) => field(part, 'waypoint')),
  );
  let target: WitnessLocation | undefined;
  let unused = 0;
  const results: { at: WitnessLocation; value: string }[] = [];
  for (const waypoint of waypoints) {
    const type = string(field(waypoint, 'type'), 'type');
    const follows = field(waypoint, 'action') === 'follow';
    if (type === 'target' && follows) target = locationOf(field(waypoint, 'location'));
    else if (type === 'function_return' && follows) {
      const constraint = string(field(field(waypoint, 'constraint'), 'value'), 'constraint');
      const value = /^\s*\(*\s*\\result\s*==\s*\(?\s*(-?\s*\d+)[uUlL]*\s*\)*\s*$/.exec(constraint)?.[1];
      if (value === undefined)
        throw new WitnessError(`the constraint '${constraint}' names no single value of \\result`);
      results.push({ at: locationOf(field(waypoint, 'location')), value: value.replace(/\s/g, '') });
    } else unused++;
  }
  if (!target) throw new WitnessError('its violation sequence has no target');
  return { kind: 'violation', task, target, results, unused };
}

function locationOf(location: unknown): WitnessLocation {
  const file = string(field(location, 'file_name'), 'file_name');
  const line = field(location, 'line'),
    column = field(location, 'column'),
    name = field(location, 'function');
  if (typeof line !== 'number' || (column !== undefined && typeof column !== 'number'))
    throw new WitnessError('a location has no line');
  return { file, line, column, function: typeof name === 'string' ? name : undefined };
}

function field(of: unknown, name: string): unknown {
  if (typeof of !== 'object' || of === null) throw new WitnessError(`'${name}' is missing`);
  return Object.entries(of).find(([key]) => key === name)?.[1];
}
function list(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new WitnessError(`'${name}' is no list`);
  return value;
}
function string(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new WitnessError(`'${name}' is missing, or no text`);
  return value;
}
