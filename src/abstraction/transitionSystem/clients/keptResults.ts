/**
 * Pointers to const that the module hands out and clients do not hand back: no argument can lead there, or a
 * precondition excludes it of each that could, as `!PROVEST_SAME_OBJECT(name, table)` does of `add(const char *name)`
 * beside `const char *name_of(int i)`. Then what they lead to is a region apart from clients' objects, which only the
 * module writes.
 *
 * Clients may still pass the string literals of the module that such a function returns, of which no precondition can
 * speak. They are as good as a client's own array with the same characters, unless the module compares pointers to
 * them, or a precondition does.
 */
import type { CType } from '../../../c/types';
import { contains, exactly } from '../../../program/congruence';
import type { Variable } from '../../../program/expression';
import type { FunctionDefinition, Program, StaticObject } from '../../../program/program';
import { expressionsOf, walk } from '../../../program/traverse';
import { type Node, pointsToConst } from '../../../semantics/pointers/regionNode';
import type { Regions } from '../../../semantics/pointers/regions';
import type { SystemOptions } from '../transitionSystem';

/** Results of functions that clients call, as far as arguments decide; see `isKept`. */
export function resultsToKeep(
  callable: readonly FunctionDefinition[],
  regions: Regions,
  excluded: SystemOptions['excluded'],
): ReadonlySet<Variable> {
  if (regions.collapsed) return new Set();
  return new Set(
    callable.flatMap(({ resultVariable }) => {
      const node = resultVariable && nodeOf(resultVariable, regions);
      if (!pointsToConst(resultVariable?.ctype) || !node || !isOfClients(node)) return [];
      if (mayBeStoredByClients(node, regions)) return [];
      return receivers(node, callable, regions).every((one) => excluded?.has(one)) ? resultVariable! : [];
    }),
  );
}

/**
 * With its target left apart from clients' objects, the result leads to static objects alone, in which there are no
 * pointers. Each is a string literal, or excluded of all arguments that lead where the result did in `before`.
 */
export function isKept(
  result: Variable,
  callable: readonly FunctionDefinition[],
  [before, regions]: readonly [Regions, Regions],
  { excluded, comparesPointers }: Pick<SystemOptions, 'excluded' | 'comparesPointers'>,
): boolean {
  const node = nodeOf(result, regions);
  const was = nodeOf(result, before);
  if (!node || !was || regions.collapsed || node.contents.length > 0) return false;
  const objects: StaticObject[] = [];
  const literals: StaticObject[] = [];
  for (const origin of node.origins) {
    if (origin.kind !== 'static') return false;
    if (!origin.object.writable && !isNamed(origin.object, regions.program)) literals.push(origin.object);
    else objects.push(origin.object);
  }
  const passed = receivers(was, callable, before);
  if (!passed.every((one) => objects.every((object) => excluded?.get(one)?.has(object) === true))) return false;
  if (literals.length === 0) return true;
  // Clients' own arguments lead to the beginnings of objects: two in one literal are equal only if these do.
  const alike = literals.some((literal) => leadsInside(result, literal, regions))
    ? passed.flatMap((one) => nodeOf(one, regions) ?? [])
    : [];
  return comparesPointers !== true && !comparesPointersTo(node, regions, alike);
}

/** An object to which an argument does not lead. */
export interface Exclusion {
  readonly fn: FunctionDefinition;
  readonly parameter: Variable;
  readonly object: StaticObject;
}

/** What has to be excluded for results to be kept apart as they are in the second of the regions. */
export function exclusionsFor(
  callable: readonly FunctionDefinition[],
  [before, regions]: readonly [Regions, Regions],
): readonly Exclusion[] {
  const found = new Map<string, Exclusion>();
  for (const result of regions.keptResults) {
    const [was, node] = [nodeOf(result, before)!, nodeOf(result, regions)!];
    const objects = [...node.origins].flatMap((one) =>
      one.kind === 'static' && isNamed(one.object, regions.program) ? [one.object] : [],
    );
    for (const parameter of receivers(was, callable, before))
      for (const object of objects) {
        const fn = callable.find(({ parameters }) => parameters.includes(parameter))!;
        found.set(`${fn.name} ${parameter.slot} ${object.number}`, { fn, parameter, object });
      }
  }
  return [...found.values()];
}

const isNamed = (object: StaticObject, { symbols }: Program): boolean =>
  [...symbols.values()].some(({ place }) => place === object);

/** Arguments that lead to the region in which the result does: what is const is passed as that, or as a part of it. */
function receivers(node: Node, callable: readonly FunctionDefinition[], regions: Regions): readonly Variable[] {
  return callable
    .flatMap(({ parameters }) => parameters)
    .filter((one) => nodeOf(one, regions) === node && (one.ctype?.kind !== 'pointer' || holdsConst(one.ctype.to)));
}

function holdsConst(type: CType): boolean {
  if (type.kind === 'array') return holdsConst(type.of);
  return type.const === true || (type.kind === 'record' && type.record.fields.some((field) => holdsConst(field.type)));
}

/**
 * A pointer is read there, or copied from there, and clients may have stored it; or one is in an object of theirs.
 */
function mayBeStoredByClients(node: Node, regions: Regions): boolean {
  const hasPointers = (from: Node): boolean => regions.find(from).contents.length > 0;
  if (
    regions
      .roots()
      .some(
        (owner) =>
          owner !== node &&
          isOfClients(owner) &&
          owner.contents.some(({ target }) => regions.find(target.node) === node),
      )
  )
    return true;
  return commandsOf(regions.program).some((command) => {
    if (command.kind === 'copy') {
      const [to, from] = [regions.pointee(command.target), regions.pointee(command.source)];
      if (from && to && regions.find(from.node) === node && hasPointers(to.node) && regions.find(to.node) !== node)
        return true;
    }
    return expressionsOf(command).some((e) => {
      let reads = false;
      walk(e, (inner) => {
        if (inner.kind !== 'load' || inner.type.kind !== 'pointer') return;
        const from = regions.pointee(inner.address);
        reads ||= from !== undefined && regions.find(from.node) === node;
      });
      return reads;
    });
  });
}

/** The result may lead behind the beginning of the object. */
function leadsInside(result: Variable, { sizeBytes }: StaticObject, regions: Regions): boolean {
  const at = regions.pointee({ kind: 'read', type: result.type, variable: result })?.at;
  return at !== undefined && Array.from({ length: sizeBytes }, (_, i) => exactly(i + 1)).some((k) => contains(at, k));
}

/** Pointers to the objects are compared with pointers to others, or become numbers; or pointers to `alike` at all. */
function comparesPointersTo(node: Node, regions: Regions, alike: readonly Node[]): boolean {
  return commandsOf(regions.program).some((command) =>
    expressionsOf(command).some((e) => {
      let compares = false;
      walk(e, (inner) => {
        const [left, right] =
          inner.kind === 'compare' || inner.kind === 'binary'
            ? [inner.left, inner.right]
            : inner.kind === 'convert' && inner.type.kind !== 'pointer'
              ? [inner.operand, undefined]
              : [];
        if (left?.type.kind !== 'pointer' || left.kind === 'null' || right?.kind === 'null') return;
        const targets = [left, right].flatMap((one) => (one && regions.pointee(one)) ?? []);
        const isThere = targets.map((one) => regions.find(one.node) === node);
        compares ||= targets.some((one) => alike.includes(regions.find(one.node)));
        compares ||= isThere.includes(true) && (right === undefined || isThere.includes(false));
      });
      return compares;
    }),
  );
}

const commandsOf = ({ functions }: Program) => functions.flatMap(({ edges }) => edges.map(({ command }) => command));

const isOfClients = ({ origins }: Node): boolean =>
  [...origins].some(
    (one) => one.kind === 'external' || one.kind === 'set-up' || (one.kind === 'static' && one.object.visible),
  );

function nodeOf(variable: Variable, regions: Regions): Node | undefined {
  const target =
    variable.type.kind === 'pointer' ? regions.pointee({ kind: 'read', type: variable.type, variable }) : undefined;
  return target && regions.find(target.node);
}
