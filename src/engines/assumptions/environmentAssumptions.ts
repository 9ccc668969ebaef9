/**
 * Interference with the program that is taken not to happen: clients of a module write its variables that have a name
 * for other files, call a function that has none but whose address they may hold; hardware changes what is volatile.
 * One sentence each for the verdict.
 */
import { isUnchanging, type CType } from '../../c/types';
import type { FunctionDefinition, Program } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';
import { pointersIn } from '../../semantics/pointers/clientObjects';
import type { Task } from '../../task';

const limits = {
  shownAssumptions: 5,
} as const;

export function nonInterferenceAssumptions(
  task: Task,
  program: Program,
  entries: readonly FunctionDefinition[],
): string[] {
  const list = unknownContents(task, program);
  if (task.mode === 'module') {
    const named = [
      ...program.globals
        .filter(({ visible, variable, elsewhere }) => visible && !elsewhere && !variable.ctype?.const)
        .map(({ variable }) => variable.name),
      ...program.objects
        .filter(({ visible, writable, elsewhere }) => visible && !elsewhere && writable)
        .map(({ name }) => name),
    ];
    if (named.length > 0) list.push(`clients do not write ${some(named)} by name`);
    // If pointers are handed over, what visible ones lead to is taken to be written.
    const leading = handsOver(entries)
      ? []
      : [
          ...program.globals
            .filter(
              ({ visible, variable }) =>
                visible && variable.ctype && pointersIn(variable.ctype, program.dataModel).length > 0,
            )
            .map(({ variable }) => variable.name),
          ...program.objects
            .filter(({ visible, ctype }) => visible && pointersIn(ctype, program.dataModel).length > 0)
            .map(({ name }) => name),
        ];
    if (leading.length > 0) list.push(`clients do not write what pointers in ${some(leading)} lead to`);
    if (program.externals.length === 0 && tellsAddresses(program))
      list.push('clients do not make pointers of the numbers that the module made of addresses');
    const held = heldByClients(program, entries);
    if (held.length > 0)
      list.push(`clients do not call ${some(held.map(({ name }) => name))}, whose address they may hold`);
  }
  if (hasVolatile(program)) list.push('what is volatile changes only when the program writes it');
  return list;
}

/** Variables that no file defines. */
function unknownContents(task: Task, program: Program): string[] {
  const all = [
    ...program.globals.map(({ variable: { name, ctype }, elsewhere }) => ({
      name,
      elsewhere,
      isConstant: ctype !== undefined && isUnchanging(ctype),
    })),
    ...program.objects.map(({ name, elsewhere, ctype }) => ({ name, elsewhere, isConstant: isUnchanging(ctype) })),
  ].filter(({ elsewhere }) => elsewhere);
  const constant = all.flatMap(({ name, isConstant }) => (isConstant ? [name] : []));
  const changing = all.flatMap(({ name, isConstant }) => (isConstant ? [] : [name]));
  return [
    ...(constant.length === 0 ? [] : [`${some(constant)}: defined in no file, const, of any value`]),
    ...(changing.length === 0
      ? []
      : task.mode === 'module'
        ? [
            `${some(changing)}: defined in no file, of any value at each call of a client, ` +
              'and written by no one else during it',
          ]
        : [`${some(changing)}: defined in no file, of any value at the start, and written by no one else`]),
  ];
}

function some(names: readonly string[]): string {
  const hidden = names.length - limits.shownAssumptions;
  return `${names.slice(0, limits.shownAssumptions).join(', ')}${hidden > 0 ? ` and ${hidden} more` : ''}`;
}

/**
 * Static functions whose address is a value, in a module that hands out pointers or has memory in common with its
 * clients.
 */
function heldByClients(program: Program, entries: readonly FunctionDefinition[]): FunctionDefinition[] {
  const isOpen =
    program.globals.some(({ visible, variable }) => visible && variable.type.kind === 'pointer') ||
    program.objects.some(({ visible, relocations, writable }) => visible && (writable || relocations.length > 0)) ||
    handsOver(entries);
  if (!isOpen) return [];
  const taken = new Set<FunctionDefinition>();
  const look = (expression: Parameters<typeof walk>[0]): void =>
    walk(expression, (e) => {
      if (e.kind === 'address' && e.of.kind === 'function') taken.add(e.of);
    });
  for (const fn of program.functions) {
    // Arguments of library functions (to sort with, say) stay there; a check only compares.
    for (const { command } of fn.edges)
      if (command.kind !== 'check' && !(command.kind === 'call' && command.targets.some((target) => target.library)))
        expressionsOf(command).forEach(look);
  }
  for (const { initial } of program.globals) if (initial) look(initial);
  for (const { relocations } of program.objects) for (const { value } of relocations) look(value);
  return program.functions.filter((fn) => !fn.library && !entries.includes(fn) && taken.has(fn));
}

const handsOver = (entries: readonly FunctionDefinition[]): boolean =>
  entries.some(
    ({ result, parameters }) => result?.kind === 'pointer' || parameters.some(({ type }) => type.kind === 'pointer'),
  );

/** A function of the program's own computes a number from a pointer. */
function tellsAddresses(program: Program): boolean {
  let found = false;
  for (const fn of program.functions) {
    for (const { command } of fn.library ? [] : fn.edges) {
      if (command.kind === 'check') continue;
      for (const e of expressionsOf(command))
        walk(e, (inner) => {
          found ||= inner.kind === 'convert' && inner.operand.type.kind === 'pointer' && inner.type.kind === 'integer';
        });
    }
  }
  return found;
}

function hasVolatile(program: Program): boolean {
  const seen = new Set<object>();
  const isVolatile = (type: CType | undefined): boolean => {
    if (!type) return false;
    if (type.volatile) return true;
    switch (type.kind) {
      case 'pointer':
        return isVolatile(type.to);
      case 'array':
        return isVolatile(type.of);
      case 'record':
        if (seen.has(type.record)) return false;
        seen.add(type.record);
        return type.record.fields.some((field) => isVolatile(field.type));
      default:
        return false;
    }
  };
  return (
    program.globals.some(({ variable }) => isVolatile(variable.ctype)) ||
    program.objects.some(({ ctype }) => isVolatile(ctype)) ||
    program.functions.some(
      (fn) =>
        !fn.library &&
        (fn.variables.some(({ ctype }) => isVolatile(ctype)) || fn.objects.some(({ ctype }) => isVolatile(ctype))),
    )
  );
}
