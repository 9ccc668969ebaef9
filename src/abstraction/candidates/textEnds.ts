/**
 * Candidates that texts end: the last byte of an object is 0, and so a walk to the first 0 stays within it. Of what
 * pointers to characters lead to, and of arrays of characters in scope. Texts that their callers ended are passed on
 * from function to function, and loops between leave them alone; which of them do, runs and Houdini tell.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { CType } from '../../c/types';
import type { Node } from '../../semantics/pointers/regionNode';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { endsInZero } from '../transitionSystem/textEnd';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  /** Pointers, and arrays, at one cutpoint. */
  texts: 6,
  /** Bytes of an array that is a text; larger ones are blocks of data. */
  longestArray: 4096,
} as const;

export function textEnds(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  return new Map(system.points.map((point) => [point, endsAt(point, system)]));
}

function endsAt(point: Cutpoint, { vocabulary, memoryModel, program }: TransitionSystem): readonly Term[] {
  const contents = memoryModel.variables.map((variable) => vocabulary.symbolOf(variable));
  const { regions, half } = memoryModel;
  const ends = (object: Term, node: Node | undefined, sizeBytes?: number): Term =>
    node ? L.and(...endsInZero(object, node, contents, memoryModel, sizeBytes)) : L.TRUE;
  const pointers = vocabulary.pointersFor(point.fn).filter(
    ({ variable }) =>
      // Locals that are no parameters hold nothing at the entry.
      isText(variable.ctype?.kind === 'pointer' ? variable.ctype.to : undefined) &&
      (point.kind !== 'module' || variable.scope === 'global') &&
      (point.kind !== 'entry' || variable.scope === 'global' || point.fn.parameters.includes(variable)),
  );
  const statics = program.objects.filter(
    ({ writable, ctype, sizeBytes }) => writable && isTextArray(ctype) && sizeBytes <= limits.longestArray,
  );
  const found = [
    ...pointers.slice(0, limits.texts).flatMap(({ variable, value: { object } }) => {
      const end = ends(object, regions.pointee({ kind: 'read', type: variable.type, variable })?.node);
      return [end, L.or(L.eq(object, L.bits(0n, half)), end)];
    }),
    ...statics
      .slice(0, limits.texts)
      .map((object) => ends(L.bits(BigInt(object.number), half), regions.nodeOfOrigin(object), object.sizeBytes)),
  ];
  return [...new Set(found)].filter((term) => term.kind !== 'boolean');
}

const isText = (type: CType | undefined): boolean => type?.kind === 'integer' && type.widthBits === 8;
const isTextArray = (type: CType): boolean => type.kind === 'array' && isText(type.of);
