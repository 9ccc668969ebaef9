/**
 * A user's assumption on all clients about structures that they have set up (`semantics/initialisers.ts`): a failure
 * that needs a structure in another state is none that they can cause.
 */
import { printType } from '../../../c/printType';
import type { RecordLayout } from '../../../c/types';
import type { Operation } from '../../../host/operation';
import { parseType } from '../../../host/typeText';
import type { Variable } from '../../../program/expression';
import type { FunctionDefinition, Program } from '../../../program/program';
import {
  type Initialisers,
  recordBehind,
  recordWritten,
  resultByValue,
  setsUp,
} from '../../../semantics/pointers/initialisers';
import { recordBehindVoid, returnsVoidPointer } from './voidHandles';

/** Names of functions that set up a structure. */
export const setUpName = new RegExp(
  [
    /(^|_)(re)?(init|initiali[sz]e|setup|set_up|create|construct|ctor|open|begin|start|new|make|clear)(_|$|\d)/,
    /[a-z](Init|Create|Setup|Open|Begin|Start|New)([A-Z]|$)/,
  ]
    .map(({ source }) => source)
    .join('|'),
);

/** By its name the function sets a structure up of which nothing is left; one that clears it needs it. */
export const setsUpAnew = (name: string): boolean => setUpName.test(name) && !/clear/i.test(name);

/** As it is told: the type as in C, and names of functions. */
export interface InitialisedBy {
  readonly type: string;
  readonly functions: readonly string[];
}

/** Statements of `initialisedBy` about clients' structures. */
export interface SetUp {
  /** Structures that clients own and have set up by functions that take a pointer to one, or return one by value. */
  readonly initialisers: Initialisers;
  /** Structures that clients have from functions that return a new one: handles, even if their members are visible. */
  readonly made: ReadonlySet<RecordLayout>;
}

export const initialisersOf = (
  program: Program,
  callable: readonly FunctionDefinition[],
  told: readonly InitialisedBy[],
): Initialisers => setUpOf(program, callable, told).initialisers;

/**
 * Throws a `TypeError` that says what is wrong with what was told. The same structure of several files counts as one.
 */
export function setUpOf(
  program: Program,
  callable: readonly FunctionDefinition[],
  told: readonly InitialisedBy[],
): SetUp {
  const found = new Map<RecordLayout, ReadonlySet<FunctionDefinition>>();
  const made = new Set<RecordLayout>();
  for (const { type: text, functions } of told) {
    const type = parseType(text, program);
    if (type.kind !== 'record') throw new TypeError(`initialisedBy: '${text}' is no structure`);
    const name = printType({ kind: 'record', record: type.record });
    const leadsToOne = (parameter: Variable): boolean => {
      const record = recordBehind(parameter);
      return record !== undefined && printType({ kind: 'record', record }) === name;
    };
    const isWritten = (parameter: Variable): boolean => leadsToOne(parameter) && recordWritten(parameter) !== undefined;
    const setUp = functions.map((wanted) => {
      const fn = callable.find((one) => one.name === wanted);
      if (!fn) throw new TypeError(`initialisedBy: clients call no function '${wanted}'`);
      return fn;
    });
    const results = setUp
      .map((fn) => returnedRecord(fn) ?? recordBehindVoid(fn, name))
      .filter((record) => record && printType({ kind: 'record', record }) === name);
    if (setUp.length > 0 && results.length === setUp.length && !setUp.some((fn) => fn.parameters.some(isWritten))) {
      // In other files, too, and where tests name it.
      for (const record of [...results, type.record]) made.add(record!);
      for (const parameter of callable.flatMap(({ parameters }) => parameters.filter(leadsToOne)))
        made.add(recordBehind(parameter)!);
      continue;
    }
    const returned = setUp
      .flatMap((fn) => (fn.parameters.some(isWritten) ? [] : (resultByValue(fn) ?? [])))
      .filter((record) => printType({ kind: 'record', record }) === name);
    for (const fn of setUp)
      if (!fn.parameters.some(isWritten) && !returned.includes(resultByValue(fn)!))
        throw new TypeError(
          `initialisedBy: ${fn.name} has no parameter that points to ` +
            (fn.parameters.some(leadsToOne) ? 'a writable ' : '') +
            `${name === text ? name : `${text} (${name})`}` +
            (results.length > 0
              ? '; name functions that set one up, or functions that return a new one'
              : returnsVoidPointer(fn)
                ? ', and what it returns is none that it knows as one'
                : ', and does not return one'),
        );
    if (setUp.length === 0) throw new TypeError(`initialisedBy: name a function that sets up ${text}`);
    const behind = callable.flatMap(({ parameters }) => parameters.filter(leadsToOne).map((one) => recordBehind(one)!));
    for (const record of new Set([...behind, ...returned]))
      found.set(record, new Set([...(found.get(record) ?? []), ...setUp]));
  }
  return { initialisers: found, made };
}

/** The structure to which the function returns a pointer. */
export const returnedRecord = ({ resultVariable }: FunctionDefinition): RecordLayout | undefined =>
  resultVariable && recordBehind(resultVariable);

/**
 * The part of a test that keeps to the assumption: it ends where a structure is written that is the module's to write,
 * or handed over that was not set up. An object that holds what a call returned by value, unchanged, is the one that
 * this call set up; a second such object is a copy.
 */
export function validPrefix(
  initialisers: Initialisers,
  program: Program,
  run: readonly Operation[],
): readonly Operation[] {
  const isSetUp = new Set<number>();
  let allocations = 0;
  const end = run.findIndex((operation) => {
    if (operation.kind === 'allocate') {
      const own = allocations++;
      if (operation.copyOf !== undefined && isSetUp.delete(operation.copyOf)) isSetUp.add(own);
      return false;
    }
    if (operation.kind === 'write') return 'allocation' in operation.target && isSetUp.has(operation.target.allocation);
    const fn = operation.kind === 'call' ? program.functionByName.get(operation.function) : undefined;
    if (operation.kind !== 'call' || !fn) return false;
    return operation.arguments.some((value, at) => {
      if (!('allocation' in value)) return false;
      if (setsUp(initialisers, fn, at)) {
        isSetUp.add(value.allocation);
        return false;
      }
      const record = fn.parameters[at] && recordBehind(fn.parameters[at]);
      if (!record || !initialisers.has(record)) return false;
      return !isSetUp.has(value.allocation);
    });
  });
  return end === -1 ? run : run.slice(0, end);
}
