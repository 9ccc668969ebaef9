/**
 * Specifications of a module's clients: what they would have to keep to for a failure not to be (A. Das, S. K. Lahiri,
 * A. Lal, Y. Li, "Angelic Verification: Precise Verification Modulo Unknowns", CAV 2015). Offered, never taken for
 * granted: what is verified under them is true of clients that keep them.
 */
import { readCProbe } from '../../host/cProbe';
import { argumentScope } from '../../host/probeScope';
import { type Convention, conventionText } from '../../evidence/scenarios/structures/conventions';
import type { InitialisedBy } from '../../evidence/scenarios/structures/setUpFunctions';
import type { ValidPointers } from '../../evidence/scenarios/structures/validPointers';
import type { Program } from '../../program/program';
import type { Requirement, Task } from '../../task';

export type Specification =
  /** A precondition of an entry. */
  | {
      readonly kind: 'requires';
      readonly function: string;
      readonly text: string;
      readonly formula: Requirement['formula'];
    }
  /** A guarantee of a function without a body, for all calls of it. */
  | { readonly kind: 'ensures'; readonly function: string; readonly text: string }
  /** Pointers in clients' structures are null or lead to the start of a live object. */
  | { readonly kind: 'valid-pointers'; readonly validPointers: ValidPointers }
  /** Clients have structures of the type set up by these functions before they do anything else with them. */
  | { readonly kind: 'initialised-by'; readonly initialisedBy: InitialisedBy }
  /** About the lives of objects: neither a formula nor an option says it. */
  | { readonly kind: 'convention'; readonly convention: Convention };

/** Undefined when the text, pasted as a precondition of the function, would not be read. */
export function precondition(program: Program, name: string, text: string): Specification | undefined {
  const fn = program.functionByName.get(name);
  const read = fn && readCProbe(text, argumentScope(program, 'the module', fn), program.enumConstants);
  return read?.kind === 'formula' ? { kind: 'requires', function: name, text, formula: read.formula } : undefined;
}

export function specificationText(one: Specification): string {
  switch (one.kind) {
    case 'requires':
      return `${one.function}: ${one.text}`;
    case 'ensures':
      return one.text === '0' ? `${one.function}() never returns` : `${one.function}() ensures ${one.text}`;
    case 'valid-pointers':
      return `${one.validPointers.type}: ${listed(one.validPointers.members)} null or valid`;
    case 'initialised-by':
      return `${one.initialisedBy.type} is set up by ${one.initialisedBy.functions.join(' or ')}`;
    case 'convention':
      return conventionText(one.convention);
  }
}

const listed = (members: readonly string[]): string =>
  members.length === 1 ? `${members[0]!} is` : `${members.slice(0, -1).join(', ')} and ${members.at(-1)!} are`;

/** Guarantees that are given already, and these. */
export function withGuarantees(
  given: Task['load']['ensures'],
  specifications: readonly Specification[],
): NonNullable<Task['load']['ensures']> {
  const all: Record<string, readonly string[]> = { ...given };
  for (const one of specifications)
    if (one.kind === 'ensures') all[one.function] = [...(all[one.function] ?? []), one.text];
  return all;
}

/** The task of clients that keep these, too. What was stated before stays. */
export function under(task: Task, specifications: readonly Specification[]): Task {
  if (specifications.length === 0) return task;
  const requires = specifications.flatMap((one): Requirement[] =>
    one.kind === 'requires' ? [{ function: one.function, formula: one.formula, said: { c: one.text } }] : [],
  );
  const initialisedBy = specifications.flatMap((one) => (one.kind === 'initialised-by' ? [one.initialisedBy] : []));
  const conventions = specifications.flatMap((one) => (one.kind === 'convention' ? [one.convention] : []));
  const validPointers = specifications.flatMap((one) => (one.kind === 'valid-pointers' ? [one.validPointers] : []));
  const isGuaranteed = specifications.some(({ kind }) => kind === 'ensures');
  return {
    ...task,
    ...(isGuaranteed && { load: { ...task.load, ensures: withGuarantees(task.load.ensures, specifications) } }),
    requires: [...(task.requires ?? []), ...requires],
    initialisedBy: [...(task.initialisedBy ?? []), ...initialisedBy],
    ...(conventions.length > 0 && { conventions: [...(task.conventions ?? []), ...conventions] }),
    ...(validPointers.length > 0 && { validPointers: [...(task.validPointers ?? []), ...validPointers] }),
  };
}
