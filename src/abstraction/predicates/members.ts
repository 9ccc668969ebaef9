/** Members of structures, and scalars, as probes name them. */
import type { CType } from '../../c/types';
import { pointer, type Scalar } from '../../program/expression';
import { ProbeError } from './probeError';

/** A member, of an inner structure without a name too; throws `ProbeError` for a bit-field. */
export function findField(type: CType & { kind: 'record' }, name: string): { offset: number; type: CType } | undefined {
  for (const field of type.record.fields) {
    if (field.bits) {
      if (field.name === name) throw new ProbeError(`'${name}' is a bit-field, which probes cannot read`);
      continue;
    }
    if (field.name === name) return { offset: field.offsetBytes, type: field.type };
    if (field.name === undefined && field.type.kind === 'record') {
      const inner = findField(field.type, name);
      if (inner) return { offset: field.offsetBytes + inner.offset, type: inner.type };
    }
  }
  return undefined;
}

/** Undefined for what probes neither compute nor compare exactly. */
export function scalarType(type: CType): Scalar | undefined {
  switch (type.kind) {
    case 'integer':
      return { kind: 'integer', widthBits: type.widthBits, signed: type.signed };
    case 'enum':
      return { kind: 'integer', widthBits: type.underlying.widthBits, signed: type.underlying.signed };
    case 'pointer':
      return pointer;
    default:
      return undefined;
  }
}
