/** Places in an object of a C type, by their offsets in bytes. */
import { sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';

/** `elems[2].x` for a byte offset into an object of a type; the offset itself where no member starts there. */
export function pathAt(name: string, type: CType, offset: number, vocabulary: Vocabulary): string {
  const model = vocabulary.memoryModel.program.dataModel;
  if (type.kind === 'array') {
    const element = sizeOf(type.of, model) ?? 1;
    return pathAt(`${name}[${Math.floor(offset / element)}]`, type.of, offset % element, vocabulary);
  }
  if (type.kind === 'record' && type.record.keyword === 'struct') {
    const field = [...type.record.fields].reverse().find(({ offsetBytes }) => offsetBytes <= offset);
    // Its word has no name in C: other bit-fields may lie in it.
    if (field?.bits) return `${name}@${offset}`;
    if (field)
      return pathAt(
        field.name === undefined ? name : `${name}.${field.name}`,
        field.type,
        offset - field.offsetBytes,
        vocabulary,
      );
  }
  return offset === 0 ? name : `${name}@${offset}`;
}

/** The type of what begins at a byte offset in an object of a type. */
export function typeAt(type: CType, offset: number, vocabulary: Vocabulary): CType | undefined {
  const model = vocabulary.memoryModel.program.dataModel;
  if (type.kind === 'array') return typeAt(type.of, offset % (sizeOf(type.of, model) ?? 1), vocabulary);
  if (type.kind === 'record' && type.record.keyword === 'struct') {
    const field = [...type.record.fields].reverse().find(({ offsetBytes }) => offsetBytes <= offset);
    return field && typeAt(field.type, offset - field.offsetBytes, vocabulary);
  }
  return offset === 0 ? type : undefined;
}
