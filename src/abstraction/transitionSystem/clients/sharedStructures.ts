/**
 * The regions of a program, with the structures that clients get from the module alone (handles) and those that they
 * have set up by it. Each depends on the other: structures are kept as such only if the regions show that no client
 * makes or writes one otherwise, so the analysis is repeated until nothing changes.
 */
import type { CType, RecordLayout } from '../../../c/types';
import { passedStructure } from '../../../program/passedStructure';
import { isProgramStart } from '../../../program/programStart';
import type { Variable } from '../../../program/expression';
import type { FunctionDefinition, Program } from '../../../program/program';
import { type Initialisers, setsUp } from '../../../semantics/pointers/initialisers';
import { pointersIn } from '../../../semantics/pointers/clientObjects';
import { type ExternalPointer, Regions } from '../../../semantics/pointers/regions';
import { typeName } from '../../../semantics/pointers/validMembers';
import { allocatedHandles, isLeftToProgram } from './clientStructures';
import { type Exclusion, exclusionsFor, isKept, resultsToKeep } from './keptResults';
import { pointeeOf } from './moduleAliases';
import type { SystemOptions } from '../transitionSystem';

export interface SharedStructures {
  readonly regions: Regions;
  /** The regions in which clients hand back all that they get. */
  readonly joined: Regions;
  /** Handles of the options that the module allocates as objects of their own. */
  readonly handles: ReadonlySet<RecordLayout>;
  /** Initialisers of the options, of structures that only the program can write once they are set up. */
  readonly initialisers: Initialisers;
}

export function sharedStructures(
  program: Program,
  options: SystemOptions,
  recursive: ReadonlySet<FunctionDefinition>,
): SharedStructures {
  const callable = [...options.entries, ...(options.init ? [options.init] : [])];
  const isSpecial = (to: CType | undefined): boolean =>
    to?.kind === 'record' &&
    (options.handles?.has(to.record) === true || options.initialisers?.has(to.record) === true);
  const external = callable
    .flatMap((fn) => externalPointers(fn, options))
    .map((one) => (isSpecial(one.to) ? { ...one, isCopy: false } : one));
  const regionsWith = (
    handles: ReadonlySet<RecordLayout>,
    setUp: Initialisers,
    apart: ReadonlySet<RecordLayout>,
    keptResults: ReadonlySet<Variable> = new Set(),
  ): Regions =>
    new Regions(program, external, recursive, options.mode, handles, new Set(setUp.keys()), apart, keptResults);
  // A client that passes a structure by value has made one, and so has one that gets it from any other function.
  const passed = new Set(
    callable.flatMap((fn) =>
      fn.parameters.flatMap((parameter, at) =>
        setsUp(options.initialisers ?? new Map(), fn, at) ? [] : (passedStructure(fn, parameter)?.type.record ?? []),
      ),
    ),
  );
  const handles = new Set([...(options.handles ?? [])].filter((record) => !passed.has(record)));
  let initialisers: Initialisers = new Map([...(options.initialisers ?? [])].filter(([record]) => !passed.has(record)));
  let apart: ReadonlySet<RecordLayout> = new Set(
    [...recordsBehind(external, program)].filter(
      (record) =>
        options.validMembers?.has(typeName(record)) &&
        !passed.has(record) &&
        !handles.has(record) &&
        !initialisers.has(record),
    ),
  );
  let regions = regionsWith(handles, initialisers, apart);
  // Clients make the objects of what is none, and what they point to.
  for (let changed = true; changed;) {
    const kept = allocatedHandles(handles, external, program, regions);
    const own = new Map([...initialisers].filter(([record]) => isLeftToProgram(record, regions)));
    const separate = new Set([...apart].filter((record) => !regions.isLedTo(record)));
    changed = kept.size < handles.size || own.size < initialisers.size || separate.size < apart.size;
    for (const record of handles) if (!kept.has(record)) handles.delete(record);
    initialisers = own;
    apart = separate;
    if (changed) regions = regionsWith(handles, initialisers, apart);
  }
  const shared = { handles, initialisers, joined: regions };
  const { excluded } = options;
  let results = options.mode === 'module' ? resultsToKeep(callable, regions, excluded) : new Set<Variable>();
  while (results.size > 0) {
    const divided = regionsWith(handles, initialisers, apart, results);
    const kept = new Set([...results].filter((one) => isKept(one, callable, [regions, divided], options)));
    if (kept.size === results.size) return { ...shared, regions: divided };
    results = kept;
  }
  return { ...shared, regions };
}

/** Static objects that, excluded of these arguments, are regions of their own. None: no exclusions help. */
export function exclusionsToState(
  program: Program,
  options: SystemOptions,
  recursive: ReadonlySet<FunctionDefinition>,
): readonly Exclusion[] {
  const objects = new Set(
    [...program.symbols.values()].flatMap(({ place }) => (place.kind === 'variable' ? [] : place)),
  );
  const callable = [...options.entries, ...(options.init ? [options.init] : [])];
  const excluded = new Map(callable.flatMap(({ parameters }) => parameters.map((one) => [one, objects] as const)));
  const { regions, joined } = sharedStructures(program, { ...options, excluded }, recursive);
  return exclusionsFor(callable, [joined, regions]).filter(
    ({ parameter, object }) => options.excluded?.get(parameter)?.has(object) !== true,
  );
}

/** Structures that clients' pointers lead to, and those that these lead on to. */
function recordsBehind(external: readonly ExternalPointer[], program: Program): ReadonlySet<RecordLayout> {
  const found = new Set<RecordLayout>();
  const look = (type: CType | undefined): void => {
    if (type?.kind === 'pointer' || type?.kind === 'array') {
      look(type.kind === 'pointer' ? type.to : type.of);
    } else if (type?.kind === 'record' && !found.has(type.record)) {
      found.add(type.record);
      for (const { to } of pointersIn(type, program.dataModel)) look(to);
    }
  };
  for (const { to } of external) look(to);
  return found;
}

/** The parameter leads to a structure that is passed or returned by value, and holds no pointers. */
function isCopied(parameter: Variable, fn: FunctionDefinition): boolean {
  const structure = passedStructure(fn, parameter);
  return structure !== undefined && !holdsPointers(structure.type);
}

function holdsPointers(type: CType): boolean {
  if (type.kind === 'array') return holdsPointers(type.of);
  return (
    type.kind === 'pointer' || (type.kind === 'record' && type.record.fields.some((field) => holdsPointers(field.type)))
  );
}

/** Pointers that a client passes to the function or, in a module, gets from it. */
export function externalPointers(
  fn: FunctionDefinition,
  { mode, interior }: Pick<SystemOptions, 'mode' | 'interior'>,
): readonly ExternalPointer[] {
  const { resultVariable } = fn;
  return [
    ...fn.parameters
      .filter(({ type }) => type.kind === 'pointer')
      .map((variable) => ({
        variable,
        to: pointeeOf(variable, fn),
        ...(interior?.has(variable) && { isInterior: true }),
        ...(mode === 'module' && isCopied(variable, fn) && { isCopy: true }),
        ...(mode === 'program' && isProgramStart(fn) && { isTableOfTexts: true }),
      })),
    ...(mode === 'module' && resultVariable?.type.kind === 'pointer' && resultVariable.ctype
      ? [{ variable: resultVariable, to: pointeeOf(resultVariable, fn) }]
      : []),
  ];
}
