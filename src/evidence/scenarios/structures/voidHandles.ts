/**
 * Handles that a header hides behind `void *`. The user says which function makes one: `initialisedBy: { box_t:
 * 'box_new' }`. That a parameter is one is read off the program: it is converted to a pointer to the structure, is
 * passed on as one, or goes to the allocator as it is.
 */
import { printType } from '../../../c/printType';
import type { CType, RecordLayout } from '../../../c/types';
import { parseType } from '../../../host/typeText';
import type { Mutable } from '../../../mutable';
import type { Command } from '../../../program/command';
import type { Expression, Variable } from '../../../program/expression';
import type { FunctionDefinition, Program } from '../../../program/program';
import { targetOf } from '../../../program/traverse';
import { recordBehind } from '../../../semantics/pointers/initialisers';
import type { InitialisedBy } from './setUpFunctions';

const toVoid = (type: CType | undefined): boolean => type?.kind === 'pointer' && type.to.kind === 'void';

export const returnsVoidPointer = ({ ctype }: FunctionDefinition): boolean =>
  ctype.kind === 'function' && toVoid(ctype.result);

/** The structure of that name that the function, whose result is `void *`, makes pointers of that type to or from. */
export function recordBehindVoid(fn: FunctionDefinition, name: string): RecordLayout | undefined {
  if (!returnsVoidPointer(fn)) return undefined;
  return fn.structuresBehindVoid?.find(({ record }) => nameOf(record) === name)?.record;
}

/** The structure that the parameter may be, and the functions that make one, if a header hides it in both. */
export function hiddenStructure(
  parameter: Variable,
  fn: FunctionDefinition,
  callable: readonly FunctionDefinition[],
): { readonly record: RecordLayout; readonly by: FunctionDefinition } | undefined {
  if (!toVoid(parameter.ctype)) return undefined;
  const makers = callable
    .filter((one) => returnsVoidPointer(one) && !one.parameters.some(({ ctype }) => toVoid(ctype)))
    .flatMap((by) => (by.structuresBehindVoid ?? []).map(({ record }) => ({ record, by })));
  const record = recordOf(parameter, fn, new Map(makers.map((one) => [nameOf(one.record), one.record])));
  return record && makers.find((one) => nameOf(one.record) === nameOf(record));
}

/** Says so in the C types of results and parameters, for all that follows. */
export function declareVoidHandles(program: Program, told: readonly InitialisedBy[]): void {
  const made = new Map<string, RecordLayout>();
  for (const { type: text, functions } of told) {
    const type = parseType(text, program);
    if (type.kind !== 'record') continue;
    const name = nameOf(type.record);
    for (const fn of functions.map((one) => program.functionByName.get(one))) {
      const record = fn && recordBehindVoid(fn, name);
      if (!record) continue;
      made.set(name, record);
      declare(fn.resultVariable!, record);
    }
  }
  if (made.size === 0) return;
  const own = program.functions.filter(({ library }) => !library);
  // A function that passes its parameter on comes after those that it passes it to.
  for (let found = true; found;) {
    found = false;
    for (const fn of own)
      for (const parameter of fn.parameters) {
        const record = toVoid(parameter.ctype) ? recordOf(parameter, fn, made) : undefined;
        if (!record) continue;
        declare(parameter, record);
        found = true;
      }
  }
}

/** The parameters that count as handles so, in their order: `h` of `box_put`. */
export function voidHandles(fns: readonly FunctionDefinition[]): readonly { fn: FunctionDefinition; name: string }[] {
  return fns.flatMap((fn) => {
    const { ctype, parameters } = fn;
    if (ctype.kind !== 'function' || ctype.result.kind === 'record') return [];
    return ctype.parameters.flatMap(({ type }, i) =>
      toVoid(type) && !toVoid(parameters[i]!.ctype) ? [{ fn, name: parameters[i]!.name }] : [],
    );
  });
}

function recordOf(
  parameter: Variable,
  { structuresBehindVoid = [], edges }: FunctionDefinition,
  made: ReadonlyMap<string, RecordLayout>,
): RecordLayout | undefined {
  const commands = edges.map(({ command }) => command);
  // Another pointer than the client's may be converted then.
  if (commands.some((command) => targetOf(command) === parameter)) return undefined;
  const copies = copiesOf(parameter, commands);
  const isCopy = (e: Expression): boolean => e.kind === 'read' && copies.has(e.variable);
  const converted = structuresBehindVoid.flatMap(({ variable, record }) =>
    variable && copies.has(variable) ? [record] : [],
  );
  const passed = commands.flatMap((command) =>
    command.kind === 'call'
      ? command.targets.flatMap(({ parameters }) =>
          command.arguments.flatMap((argument, at) => (isCopy(argument) ? (recordBehind(parameters[at]!) ?? []) : [])),
        )
      : [],
  );
  const own = [...converted, ...passed].find((record) => made.has(nameOf(record)));
  if (own || converted.length > 0 || made.size > 1) return own;
  const isFreed = commands.some((command) => command.kind === 'free' && isCopy(command.pointer));
  return isFreed ? [...made.values()][0] : undefined;
}

/** The parameter, and variables that are it and nothing else, as `q` after `void *q = p`. */
function copiesOf(parameter: Variable, commands: readonly Command[]): ReadonlySet<Variable> {
  const copies = new Set([parameter]);
  for (const copy of copies)
    for (const command of commands) {
      if (command.kind !== 'assign' || command.value.kind !== 'read' || command.value.variable !== copy) continue;
      const { target } = command;
      if (target.scope === 'local' && commands.every((one) => one === command || targetOf(one) !== target))
        copies.add(target);
    }
  return copies;
}

function declare(variable: Variable, record: RecordLayout): void {
  const { ctype } = variable;
  const isConst = ctype?.kind === 'pointer' && ctype.to.const === true;
  (variable as Mutable<Variable>).ctype = {
    kind: 'pointer',
    to: { kind: 'record', record, ...(isConst && { const: true }) },
  };
}

const nameOf = (record: RecordLayout): string => printType({ kind: 'record', record });
