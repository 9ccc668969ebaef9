/**
 * Places where meaning depends on how compilers use types (C11 6.5p7): an object is accessed by an lvalue of a type
 * that may not access it, so a compiler may take the two accesses to be of different objects. Proofs and runs access
 * bytes, whatever the type. A verdict therefore lists these places.
 *
 * The region analysis distinguishes objects. Declared objects have the types of their scalars, and objects of the
 * allocator those of all accesses: a block that is reused for another type is listed, too.
 */
import type { Span } from '../../c/source';
import { type Congruence, exactly, keyOf, overlap, plus } from '../../program/congruence';
import type { Program } from '../../program/program';
import { leavesOf, repeatedElement } from '../../program/lower/effectiveType';
import type { Node } from './regionNode';
import type { Regions } from './regions';

interface Typed {
  readonly type: string;
  readonly at: Congruence;
  readonly bytes: number;
  readonly span: Span | undefined;
}

/** A conversion of pointers, or a pointer to a member of a union, may lead to such an access. */
export const mayPun = (program: Program): boolean => program.functions.some((fn) => !fn.library && fn.puns);

/** The accesses in the user's own functions, in program order, of each place one. Empty if there is no pun. */
export function typeDependent(program: Program, regions: Regions): readonly Span[] {
  return typeDependentAccesses(program, regions)
    .filter((span, i, all) => all.findIndex((other) => other.file === span.file && other.start === span.start) === i)
    .sort((a, b) => (a.file === b.file ? a.start - b.start : 0));
}

export function typeDependentAccesses(program: Program, regions: Regions): readonly Span[] {
  if (!mayPun(program)) return [];
  const byNode = new Map<Node, Typed[]>();
  const add = (node: Node, typed: Typed): void => {
    const root = regions.find(node);
    byNode.set(root, [...(byNode.get(root) ?? []), typed]);
  };
  for (const fn of program.functions) {
    for (const { type, address, bytes, span } of fn.typedAccesses ?? []) {
      const target = regions.pointee(address);
      if (target) add(target.node, { type, at: target.at, bytes, span: fn.library ? undefined : span });
    }
  }
  for (const node of regions.roots()) {
    for (const origin of node.origins) {
      if (origin.kind !== 'static' && origin.kind !== 'frame') continue;
      const { ctype, sizeBytes } = origin.object;
      const { element, modulus } = repeatedElement(ctype, sizeBytes, program.dataModel);
      for (const { type, offsetBytes, bytes } of leavesOf(element, program.dataModel))
        add(node, { type, at: { residue: offsetBytes, modulus }, bytes, span: undefined });
    }
  }
  const found: Span[] = [];
  for (const all of byNode.values()) {
    const groups = new Map<string, Typed[]>();
    for (const typed of all) {
      const key = `${typed.type} ${typed.bytes} ${keyOf(typed.at)}`;
      groups.set(key, [...(groups.get(key) ?? []), typed]);
    }
    const kinds = [...groups.values()];
    for (const [first, ...others] of kinds)
      if (kinds.some(([other]) => other!.type !== first!.type && meet(first!, other!)))
        found.push(...[first!, ...others].flatMap(({ span }) => span ?? []));
  }
  return found;
}

function meet(a: Typed, b: Typed): boolean {
  for (let shift = 1 - b.bytes; shift < a.bytes; shift++) if (overlap(plus(a.at, exactly(shift)), b.at)) return true;
  return false;
}
