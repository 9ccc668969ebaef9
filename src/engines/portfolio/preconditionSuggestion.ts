/**
 * Specifications of clients, to paste: what `loadC` is given in place of what it was given before, all of which is said
 * again, and flags of the command line, which add up.
 */
import type { InitialisedBy } from '../../evidence/scenarios/structures/setUpFunctions';
import type { ValidPointers } from '../../evidence/scenarios/structures/validPointers';
import type { Task } from '../../task';
import { type Specification, specificationText, withGuarantees } from '../angelic/specifications';
import { printPreconditions } from '../preconditions/preconditions';

/** An option of `loadC`, and flags of the command line. */
export function pasteable(
  task: Task,
  specifications: readonly Specification[],
): { readonly code: string; readonly flags: string } {
  const required = specifications.flatMap((one) => (one.kind === 'requires' ? [one] : []));
  const structures = specifications.flatMap((one) => (one.kind === 'initialised-by' ? [one.initialisedBy] : []));
  const pointers = specifications.flatMap((one) => (one.kind === 'valid-pointers' ? [one.validPointers] : []));
  const guarantees = specifications.flatMap((one) => (one.kind === 'ensures' ? [one] : []));
  const parts = [
    ...(guarantees.length === 0 ? [] : [printGuarantees(withGuarantees(task.load.ensures, guarantees), guarantees)]),
    ...(structures.length === 0 ? [] : [printStructures([...(task.initialisedBy ?? []), ...structures], structures)]),
    ...(pointers.length === 0 ? [] : [printPointers([...(task.validPointers ?? []), ...pointers], pointers)]),
    ...(required.length === 0 ? [] : [printPreconditions(required, task.requires)]),
  ];
  return { code: parts.map(({ code }) => code).join(',\n'), flags: parts.map(({ flags }) => flags).join(' ') };
}

function printGuarantees(
  all: Readonly<Record<string, readonly string[]>>,
  added: readonly Extract<Specification, { kind: 'ensures' }>[],
): { code: string; flags: string } {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
  const value = (said: readonly string[]): string =>
    said.length === 1 ? quoted(said[0]!) : `[${said.map(quoted).join(', ')}]`;
  return {
    code: `ensures: { ${Object.entries(all)
      .map(([name, said]) => `${name}: ${value(said)}`)
      .join(', ')} }`,
    flags: added.map(({ function: name, text }) => `--ensures "${name}: ${text}"`).join(' '),
  };
}

const key = (type: string): string => (/^\w+$/.test(type) ? type : `'${type}'`);
const value = (names: readonly string[]): string =>
  names.length === 1 ? `'${names[0]!}'` : `[${names.map((name) => `'${name}'`).join(', ')}]`;

function printStructures(
  all: readonly InitialisedBy[],
  added: readonly InitialisedBy[],
): { code: string; flags: string } {
  return {
    code: `initialisedBy: { ${all.map(({ type, functions }) => `${key(type)}: ${value(functions)}`).join(', ')} }`,
    flags: added.map(({ type, functions }) => `--initialised-by "${type}: ${functions.join(', ')}"`).join(' '),
  };
}

function printPointers(
  all: readonly ValidPointers[],
  added: readonly ValidPointers[],
): { code: string; flags: string } {
  const byType = new Map<string, readonly string[]>();
  for (const { type, members } of all) byType.set(type, [...new Set([...(byType.get(type) ?? []), ...members])]);
  return {
    code: `validPointers: { ${[...byType].map(([type, members]) => `${key(type)}: ${value(members)}`).join(', ')} }`,
    flags: added.map(({ type, members }) => `--valid-pointers "${type}: ${members.join(', ')}"`).join(' '),
  };
}

/** `(p == NULL || c)` beside `p != NULL` is `c`. */
function withoutNullCases(specifications: readonly Specification[]): readonly Specification[] {
  const preconditions = specifications.flatMap((one) => (one.kind === 'requires' ? [one] : []));
  return specifications.map((one) => {
    const [, pointer, text] =
      (one.kind === 'requires' && /^\((\w+) == NULL \|\| (PROVEST_\w+\([^()]*\)[^()|&]*)\)$/.exec(one.text)) || [];
    if (one.kind !== 'requires' || text === undefined) return one;
    const isNeverNull = preconditions.some(
      (other) => other.function === one.function && other.text === `${pointer} != NULL`,
    );
    return isNeverNull ? { ...one, text } : one;
  });
}

/** A text is somewhere, and so is what has a length. */
function withoutImplied(specifications: readonly Specification[]): readonly Specification[] {
  const preconditions = specifications.flatMap((one) => (one.kind === 'requires' ? [one] : []));
  return specifications.filter((one) => {
    const pointer = one.kind === 'requires' ? /^(\w+) != NULL$/.exec(one.text)?.[1] : undefined;
    return (
      pointer === undefined ||
      !preconditions.some(
        (other) =>
          one.kind === 'requires' &&
          other.function === one.function &&
          (other.text === `PROVEST_TERMINATED(${pointer})` ||
            new RegExp(`^PROVEST_LENGTH\\(${pointer}\\) >= [1-9]\\d*$`).test(other.text)),
      )
    );
  });
}

/** `inC`: those that no option can say. Undefined when there are none. */
export function excusesSuggestion(
  task: Task,
  specifications: readonly Specification[],
  inC: readonly Specification[],
): string | undefined {
  const said: string[] = [];
  const stated = specifications.filter(({ kind }) => kind !== 'convention');
  if (stated.length > 0) {
    const { code, flags } = pasteable(task, withoutImplied(withoutNullCases(stated)));
    said.push(
      'if clients always keep to this (no test does otherwise), say so, and what fails all the same comes first; ' +
        'to loadC:',
      code,
      'or on the command line:',
      flags,
    );
  }
  const required = inC.flatMap((one) =>
    one.kind === 'requires' ? [`${one.function}: PROVEST_REQUIRES(${one.text});`] : [],
  );
  if (required.length > 0)
    said.push(
      'if clients always keep to this, say so in the C, at the beginning of the function, with #include <provest.h>:',
      ...required,
    );
  const conventions = [...specifications, ...inC].flatMap((one) =>
    one.kind === 'convention' ? [specificationText(one)] : [],
  );
  if (conventions.length > 0)
    said.push('no option says these conventions; a failure that breaks one is excused by itself:', ...conventions);
  return said.length === 0 ? undefined : said.join('\n');
}
