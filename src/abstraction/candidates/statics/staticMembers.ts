/** Numbers and pointers in static arrays: the elements themselves, or the members of a structure in each. */
import { sizeOf } from '../../../c/layout';
import type { CType, DataModel } from '../../../c/types';
import { overlap, plus, upTo } from '../../../program/congruence';
import { sameScalar } from '../../../program/build';
import type { Expression, Scalar } from '../../../program/expression';
import type { FunctionDefinition, StaticObject } from '../../../program/program';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

/** One in each element of an array; of a table of rows, in each element of a row. */
export interface StaticMember {
  readonly object: StaticObject;
  readonly type: Scalar;
  readonly offsetBytes: number;
  readonly strideBytes: number;
  readonly count: number;
  /** The member is an array: its elements. */
  readonly row?: { readonly strideBytes: number; readonly count: number };
}

/** Those of writable arrays of at least two elements, in the order of the program. */
export function staticMembers({ program: { objects, dataModel } }: TransitionSystem): readonly StaticMember[] {
  return objects.flatMap((object): readonly StaticMember[] => {
    const { ctype, writable } = object;
    if (!writable || ctype.kind !== 'array' || ctype.length === undefined) return [];
    const element = innermost(ctype);
    const strideBytes = sizeOf(element, dataModel);
    if (!strideBytes) return [];
    const count = object.sizeBytes / strideBytes;
    return count < 2
      ? []
      : scalarsIn(element, 0, dataModel).map((scalar) => ({ ...scalar, object, strideBytes, count }));
  });
}

const innermost = (type: CType): CType => (type.kind === 'array' ? innermost(type.of) : type);

/**
 * Members of a structure and of those within it, but for bit-fields, which are parts of words; and elements of arrays
 * that are members, but for characters.
 */
function scalarsIn(
  type: CType,
  offsetBytes: number,
  model: DataModel,
): readonly Pick<StaticMember, 'type' | 'offsetBytes' | 'row'>[] {
  if (type.kind === 'enum') return scalarsIn(type.underlying, offsetBytes, model);
  if (type.kind === 'integer') {
    const { widthBits, signed } = type;
    return [{ type: { kind: 'integer', widthBits, signed }, offsetBytes }];
  }
  if (type.kind === 'pointer') return [{ type: { kind: 'pointer' }, offsetBytes }];
  if (type.kind !== 'record' || type.record.keyword !== 'struct') return [];
  return type.record.fields.flatMap((field) => {
    if (field.bits !== undefined) return [];
    const at = offsetBytes + field.offsetBytes;
    const { type: of } = field;
    if (of.kind !== 'array' || of.length === undefined || of.length < 2) return scalarsIn(of, at, model);
    const [number] = of.of.kind === 'integer' || of.of.kind === 'enum' ? scalarsIn(of.of, at, model) : [];
    const strideBytes = sizeOf(of.of, model) ?? 0;
    return number && strideBytes > 1 ? [{ ...number, row: { strideBytes, count: of.length } }] : [];
  });
}

/** A value that a function stores in a place that may be the member's. */
export interface MemberStore {
  readonly fn: FunctionDefinition;
  readonly value: Expression;
}

export function storesTo(member: StaticMember, system: TransitionSystem): readonly MemberStore[] {
  const isMember = isPlaceOf(member, system);
  return system.program.functions.flatMap((fn) =>
    fn.edges.flatMap(({ command }) =>
      command.kind === 'store' && sameScalar(command.type, member.type) && isMember(command.address)
        ? [{ fn, value: command.value }]
        : [],
    ),
  );
}

/** True of addresses that may be the member's. */
export function isPlaceOf(
  { object, offsetBytes, strideBytes, row }: StaticMember,
  { memoryModel: { regions } }: TransitionSystem,
): (address: Expression) => boolean {
  const node = regions.nodeOfOrigin(object);
  return (address) => {
    const target = regions.pointee(address);
    if (!target || regions.find(target.node) !== node) return false;
    const element = { residue: offsetBytes, modulus: strideBytes };
    return overlap(target.at, row ? plus(element, upTo(row.count, row.strideBytes)) : element);
  };
}
