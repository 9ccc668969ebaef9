/**
 * What a user says of structures that clients have set up (`semantics/initialisers.ts`). It is a promise for all
 * clients: a failure that needs a structure in another state is none that they can cause.
 */
import { printType } from '../../c/printType';
import type { RecordLayout } from '../../c/types';
import type { Operation } from '../../host/operation';
import { parseType } from '../../host/typeText';
import type { Variable } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { type Initialisers, recordBehind, setsUp } from '../../semantics/pointers/initialisers';

/** As it is told: the type as in C, and names of functions. */
export interface InitialisedBy {
  readonly type: string;
  readonly functions: readonly string[];
}

/**
 * Throws a `TypeError` that says what is wrong with what was told. The same structure of several files counts as one.
 */
export function initialisersOf(
  program: Program,
  callable: readonly FunctionDefinition[],
  told: readonly InitialisedBy[],
): Initialisers {
  const found = new Map<RecordLayout, ReadonlySet<FunctionDefinition>>();
  for (const { type: text, functions } of told) {
    const type = parseType(text, program);
    if (type.kind !== 'record') throw new TypeError(`initialisedBy: '${text}' is no structure`);
    const name = printType({ kind: 'record', record: type.record });
    const leadsToOne = (parameter: Variable): boolean => {
      const record = recordBehind(parameter);
      return record !== undefined && printType({ kind: 'record', record }) === name;
    };
    const setUp = functions.map((wanted) => {
      const fn = callable.find((one) => one.name === wanted);
      if (!fn) throw new TypeError(`initialisedBy: clients call no function '${wanted}'`);
      if (!fn.parameters.some(leadsToOne))
        throw new TypeError(
          `initialisedBy: ${wanted} has no parameter that points to ${name === text ? name : `${text} (${name})`}`,
        );
      return fn;
    });
    if (setUp.length === 0) throw new TypeError(`initialisedBy: name a function that sets up ${text}`);
    for (const fn of callable) {
      for (const parameter of fn.parameters.filter(leadsToOne)) {
        const record = recordBehind(parameter)!;
        found.set(record, new Set([...(found.get(record) ?? []), ...setUp]));
      }
    }
  }
  return found;
}

/**
 * The part of a test that keeps to the promise: it ends where a structure is written that is the module's to write, or
 * handed over that was not set up.
 */
export function keptPart(
  initialisers: Initialisers,
  program: Program,
  run: readonly Operation[],
): readonly Operation[] {
  const isSetUp = new Set<number>();
  const end = run.findIndex((operation) => {
    if (operation.kind === 'write') return 'allocation' in operation.target && isSetUp.has(operation.target.allocation);
    const fn = operation.kind === 'call' ? program.functionByName.get(operation.function) : undefined;
    if (operation.kind !== 'call' || !fn) return false;
    return operation.arguments.some((value, at) => {
      const record = fn.parameters[at] && recordBehind(fn.parameters[at]);
      if (!record || !initialisers.has(record) || !('allocation' in value)) return false;
      if (setsUp(initialisers, fn, at)) {
        isSetUp.add(value.allocation);
        return false;
      }
      return !isSetUp.has(value.allocation);
    });
  });
  return end === -1 ? run : run.slice(0, end);
}
