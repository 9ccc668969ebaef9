/**
 * The room behind an address that is written as a place in an object with a name. It is what every compiler gives for
 * `__builtin_object_size(p, kind)`, whatever it optimises; elsewhere they differ, and say that they do not know.
 */
import { elementSize, evaluateConstant } from './constant';
import { sizeOf } from './layout';
import type { TypedExpression } from './tree';
import type { DataModel } from './types';

interface ObjectPart {
  /** Size of the object or part. */ readonly bytes: bigint;
  readonly offset: bigint;
}

/** The end of the whole object, or of the member that the pointer leads into. */
type End = 'object' | 'member';

/** The bytes from where the pointer leads to the end. */
export function objectSize(model: DataModel, pointer: TypedExpression, end: End): bigint | undefined {
  const part = pointedTo(model, pointer, end);
  if (!part) return undefined;
  return part.offset < 0n || part.offset > part.bytes ? 0n : part.bytes - part.offset;
}

function pointedTo(model: DataModel, e: TypedExpression, end: End): ObjectPart | undefined {
  switch (e.kind) {
    case 'convert':
      return e.operand.type.kind === 'pointer' ? pointedTo(model, e.operand, end) : undefined;
    case 'decay':
    case 'address-of':
      return partOf(model, e.lvalue, end);
    case 'pointer-add': {
      const part = pointedTo(model, e.pointer, end),
        index = evaluateConstant(e.index, { model });
      const step = e.type.kind === 'pointer' ? elementSize(e.type.to, model) : undefined;
      if (!part || index?.kind !== 'integer' || step === undefined) return undefined;
      return { ...part, offset: part.offset + (e.subtract ? -index.value : index.value) * BigInt(step) };
    }
    default:
      return undefined;
  }
}

function partOf(model: DataModel, lvalue: TypedExpression, end: End): ObjectPart | undefined {
  switch (lvalue.kind) {
    case 'variable':
    case 'string':
    case 'compound-literal': {
      const bytes =
        lvalue.kind === 'variable' && lvalue.symbol.storage === 'extern' ? undefined : sizeOf(lvalue.type, model);
      return bytes === undefined ? undefined : { bytes: BigInt(bytes), offset: 0n };
    }
    case 'dereference':
      return pointedTo(model, lvalue.pointer, end);
    case 'member': {
      const whole = partOf(model, lvalue.object, end),
        bytes = sizeOf(lvalue.type, model);
      if (!whole || bytes === undefined) return undefined;
      const offset = BigInt(lvalue.field.offsetBytes);
      if (end === 'object') return { ...whole, offset: whole.offset + offset };
      // An array at the end may be longer than it is written.
      return lvalue.type.kind === 'array' && whole.offset + offset + BigInt(bytes) >= whole.bytes
        ? undefined
        : { bytes: BigInt(bytes), offset: 0n };
    }
    default:
      return undefined;
  }
}
