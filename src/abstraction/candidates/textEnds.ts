/**
 * Candidates that texts end: the last byte of an object is 0, and so a walk to the first 0 stays within it. Of what
 * pointers to characters lead to, of literals, of arrays of characters in scope, and of those inside static data, as
 * the names in a table of structures. Texts that their callers ended are passed on from function to function, and loops
 * between leave them alone; which of them do, runs and Houdini tell.
 */
import * as L from '../../logic/build';
import { symbolsOf } from '../../logic/symbols';
import type { Term } from '../../logic/term';
import { sizeOf } from '../../c/layout';
import type { ArrayType, CType, DataModel } from '../../c/types';
import { integer, load, offset, read, startOf } from '../../program/build';
import { int64, int8 } from '../../program/expression';
import type { StaticObject } from '../../program/program';
import type { Node } from '../../semantics/pointers/regionNode';
import { FreshSymbols, isPointer } from '../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { endsInZero } from '../transitionSystem/textEnd';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { sizeOfTarget } from './pointerTargets';
import { valueOfEach } from './statics/elementsByNumber';

const limits = {
  /** Pointers, and arrays, at one cutpoint. */
  texts: 6,
  /** Bytes of an array that is a text; larger ones are blocks of data. */
  longestArray: 4096,
  /** Texts in the elements of one static array: each place is said by itself, which needs no instances. */
  places: 32,
  /** The same in modules: of more, each element is spoken of by its number. */
  placesInModules: 8,
  /** Constant texts, which are said together. */
  constants: 64,
} as const;

export function textEnds(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  return new Map(system.points.map((point) => [point, endsAt(point, system)]));
}

function endsAt(point: Cutpoint, system: TransitionSystem): readonly Term[] {
  const { vocabulary, memoryModel, program } = system;
  const contents = memoryModel.variables.map((variable) => vocabulary.symbolOf(variable));
  const { regions, half } = memoryModel;
  const ends = (object: Term, node: Node | undefined, length: Term): Term =>
    node ? L.and(...endsInZero(object, node, contents, memoryModel, length)) : L.TRUE;
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
  const isOfState = (term: Term): boolean => [...symbolsOf(term)].every((symbol) => vocabulary.meaning(symbol));
  // Formulas do not know what memory contains if the memory of several is one variable.
  const constants = program.objects
    .filter(
      ({ writable, ctype, bytes, sizeBytes }) =>
        !writable && isTextArray(ctype) && sizeBytes > 0 && (bytes[sizeBytes - 1] ?? 0) === 0,
    )
    .map((object) => isZeroAt(object, object.sizeBytes - 1, point, system))
    .filter(isOfState);
  const found = [
    L.and(...constants.slice(0, limits.constants)),
    ...pointers.slice(0, limits.texts).flatMap(({ variable, value: { object } }) => {
      const end = ends(object, regions.pointee(read(variable))?.node, sizeOfTarget(variable, point, system));
      return [end, L.or(L.eq(object, L.bits(0n, half)), end)];
    }),
    ...statics
      .slice(0, limits.texts)
      .map((object) =>
        ends(L.bits(BigInt(object.number), half), regions.nodeOfOrigin(object), L.bits(BigInt(object.sizeBytes), half)),
      ),
    ...program.objects
      .filter(({ writable, ctype }) => writable && !isTextArray(ctype) && !(system.client && isLong(ctype)))
      .flatMap((object) =>
        [...lastBytes(object.ctype, program.dataModel).values()].map((places) =>
          L.and(...places.map((place) => isZeroAt(object, place, point, system))),
        ),
      )
      .slice(0, limits.texts),
    ...longTables(system).slice(0, limits.texts),
  ];
  return [...new Set(found)].filter((term) => term.kind !== 'boolean' && isOfState(term));
}

/** The byte of the static object is 0, however memory is divided. */
function isZeroAt(object: StaticObject, place: number, point: Cutpoint, system: TransitionSystem): Term {
  const { builder, vocabulary } = system;
  const state = vocabulary.arbitraryState(point.fn, new FreshSymbols('end'));
  const byte = builder.evaluate(load(int8, offset(startOf(object), integer(place, int64))), state);
  return isPointer(byte) ? L.FALSE : L.eq(byte, L.bits(0n, 8));
}

/** For each element of a long array of structures, or of texts: the last byte of the text in it is 0. */
function longTables(system: TransitionSystem): readonly Term[] {
  const { client, program } = system;
  if (!client) return [];
  return program.objects.flatMap((object) => {
    const { ctype, writable } = object;
    if (!writable || !isLong(ctype)) return [];
    const strideBytes = sizeOf(ctype.of, program.dataModel) ?? 0;
    const ends = [...lastBytes(ctype.of, program.dataModel).values()].flat();
    return ends.flatMap((offsetBytes) =>
      valueOfEach({ object, type: int8, offsetBytes, strideBytes, count: ctype.length }, 0n, system),
    );
  });
}

/**
 * Offsets of the last bytes of the arrays of characters in an object of the type, by their members' names: all elements
 * of an array of structures together. None of an array that has too many.
 */
function lastBytes(type: CType, model: DataModel): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  const look = (within: CType, offset: number, path: string): void => {
    if (isTextArray(within)) {
      const size = sizeOf(within, model) ?? 0;
      if (size > 0 && size <= limits.longestArray) found.set(path, [...(found.get(path) ?? []), offset + size - 1]);
    } else if (within.kind === 'array') {
      const size = sizeOf(within.of, model) ?? 0;
      const { length = 0 } = within;
      if (size > 0 && length <= limits.places)
        for (let i = 0; i < length; i++) look(within.of, offset + i * size, `${path}[]`);
    } else if (within.kind === 'record' && within.record.keyword === 'struct') {
      for (const { type: of, name, offsetBytes } of within.record.fields)
        look(of, offset + offsetBytes, `${path}.${name}`);
    }
  };
  look(type, 0, '');
  return new Map([...found].filter(([, places]) => places.length <= limits.places));
}

const isLong = (type: CType): type is ArrayType & { readonly length: number } =>
  type.kind === 'array' && type.length !== undefined && type.length > limits.placesInModules;
const isText = (type: CType | undefined): boolean => type?.kind === 'integer' && type.widthBits === 8;
const isTextArray = (type: CType): boolean => type.kind === 'array' && isText(type.of);
