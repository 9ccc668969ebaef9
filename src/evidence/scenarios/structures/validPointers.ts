/**
 * A user's assumption on all clients about pointers in their structures (`semantics/pointers/validMembers.ts`): each is
 * null or leads to the start of a live object, whenever the module runs.
 */
import { sizeOf } from '../../../c/layout';
import type { CType, DataModel } from '../../../c/types';
import { parseType } from '../../../host/typeText';
import type { FunctionDefinition, Program } from '../../../program/program';
import { type ConcreteValue, objectNumber, offsetBytes, pointerTo } from '../../../semantics/concrete/concreteValues';
import type { ConcreteMemory } from '../../../semantics/concrete/concreteMemory';
import { elementBytes } from '../../../semantics/pointers/clientObjects';
import { type MembersByType, typeName } from '../../../semantics/pointers/validMembers';

/** As it is told: the type as in C, and names of members. */
export interface ValidPointers {
  readonly type: string;
  readonly members: readonly string[];
}

const limits = {
  /** Objects of one call that are looked into. */
  objects: 256,
  /** Elements of one array that are. */
  elements: 64,
} as const;

/** Throws a `TypeError` that says what is wrong with what was told. */
export function membersOf(program: Program, told: readonly ValidPointers[]): MembersByType {
  const found = new Map<string, Set<string>>();
  for (const { type: text, members } of told) {
    const type = parseType(text, program);
    if (type.kind !== 'record' || type.record.keyword === 'union')
      throw new TypeError(`validPointers: '${text}' is no structure`);
    const name = typeName(type.record);
    const known = found.get(name) ?? new Set<string>();
    for (const member of members) {
      const field = type.record.fields.find((one) => one.name === member);
      if (!field) throw new TypeError(`validPointers: ${text} has no member '${member}'`);
      const of = field.type.kind === 'array' ? field.type.of : field.type;
      if (of.kind !== 'pointer' || of.to.kind === 'function')
        throw new TypeError(`validPointers: '${member}' of ${text} is no pointer to an object`);
      known.add(member);
    }
    if (known.size === 0) throw new TypeError(`validPointers: name a member of ${text}`);
    found.set(name, known);
  }
  return found;
}

/**
 * True if the call's arguments, and what they lead to, keep to it, and no pointer to another type leads to such a
 * structure. What the module has kept of earlier calls is not looked at.
 */
export function keepsValidPointers(
  members: MembersByType,
  { parameters }: FunctionDefinition,
  args: readonly ConcreteValue[],
  memory: ConcreteMemory,
  { dataModel }: Pick<Program, 'dataModel'>,
): boolean {
  const types = new Map<number, string>();
  const isKept = (pointer: ConcreteValue, to: CType): boolean => {
    const block = memory.block(pointer);
    if (!block?.live || to.kind === 'function') return true;
    const name = to.kind === 'record' ? typeName(to.record) : '';
    const before = types.get(block.number);
    if (before !== undefined) return before === name || !(members.has(before) || members.has(name));
    if (types.size >= limits.objects) return true;
    types.set(block.number, name);
    const unit = sizeOf(to, dataModel) ?? 0;
    if (unit === 0) return true;
    for (let i = 0; i < limits.elements && (i + 1) * unit <= block.sizeBytes; i++)
      for (const { at, to: target, isValid } of pointersOf(to, members, dataModel)) {
        const held = memory.load(pointerTo(block.number, i * unit + at), { kind: 'pointer' });
        if (isValid && !leadsToStart(held, target, memory, dataModel)) return false;
        if (!isKept(held, target)) return false;
      }
    return true;
  };
  return parameters.every(({ ctype }, i) => ctype?.kind !== 'pointer' || isKept(args[i]!, ctype.to));
}

function leadsToStart(pointer: ConcreteValue, to: CType, memory: ConcreteMemory, model: DataModel): boolean {
  if (objectNumber(pointer) === 0 && offsetBytes(pointer) === 0) return true;
  const block = memory.block(pointer);
  return block?.live === true && offsetBytes(pointer) === 0 && block.sizeBytes >= elementBytes(to, model);
}

/** A pointer in an object of a type: where, and what it leads to. */
interface PointerPlace {
  readonly at: number;
  readonly to: CType;
  readonly isValid: boolean;
}

/** Pointers in an object of the type: none of unions, and the first of long arrays. `members`: valid ones. */
export function pointersOf(
  type: CType,
  members: MembersByType,
  model: DataModel,
  isValid = false,
): readonly PointerPlace[] {
  switch (type.kind) {
    case 'pointer':
      return type.to.kind === 'function' ? [] : [{ at: 0, to: type.to, isValid }];
    case 'array': {
      const size = sizeOf(type.of, model) ?? 0;
      const inner = pointersOf(type.of, members, model, isValid);
      const count = inner.length === 0 ? 0 : Math.min(type.length ?? 0, limits.elements);
      return Array.from({ length: count }, (_, i) => inner.map((one) => ({ ...one, at: one.at + i * size }))).flat();
    }
    case 'record': {
      if (type.record.keyword === 'union') return [];
      const named = members.get(typeName(type.record));
      return type.record.fields.flatMap((field) =>
        pointersOf(field.type, members, model, field.name !== undefined && named?.has(field.name) === true).map(
          (one) => ({ ...one, at: one.at + field.offsetBytes }),
        ),
      );
    }
    default:
      return [];
  }
}
