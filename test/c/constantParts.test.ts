import { isConstantAt } from '../../src/c/constantParts';
import { readCText } from '../../src/c/read';
import type { CType } from '../../src/c/types';

/** The 4-byte parts of `struct s` that are constant, by offset. */
function constantParts(text: string, qualifiers: { const?: true; volatile?: true } = {}): readonly number[] {
  const type = readCText(text).units[0]!.tags.get('struct s') as CType & { record: { sizeBytes: number } };
  const offsets = Array.from({ length: type.record.sizeBytes / 4 }, (_, i) => 4 * i);
  return offsets.filter((offset) => isConstantAt({ ...type, ...qualifiers }, offset, 4, 'lp64'));
}

test('members that are const, with their elements and members', () => {
  expect(constantParts('struct s { const int a; int b; };')).toEqual([0]);
  expect(constantParts('struct s { int a; const int b[2]; int c; };')).toEqual([4, 8]);
  expect(constantParts('struct s { struct { const int a; int b; } in[2]; };')).toEqual([0, 8]);
  expect(constantParts('struct s { int a; const struct { int b; int c[1]; } in; };')).toEqual([4, 8]);
  expect(constantParts('struct s { int a; int b; };', { const: true })).toEqual([0, 4]);
  expect(constantParts('struct s { const int *const a; const int *b; };')).toEqual([0, 4]);
});

test('a member of a union that is const may be written by another name', () => {
  expect(constantParts('struct s { union { const int a; int b; } u; };')).toEqual([]);
  expect(constantParts('struct s { union { int a; int b; } u; };', { const: true })).toEqual([0]);
});

test('volatile parts are changed by hardware', () => {
  expect(constantParts('struct s { const volatile int a; const int b; };')).toEqual([4]);
  expect(constantParts('struct s { const volatile int a; int b; };', { const: true })).toEqual([4]);
  expect(constantParts('struct s { const int a; };', { volatile: true })).toEqual([]);
});

test('neither bit-fields beside others, nor padding, nor accesses across parts', () => {
  expect(constantParts('struct s { const int a : 3; int b : 5; };')).toEqual([]);
  expect(constantParts('struct s { const char a; const int b; };')).toEqual([4]);
  expect(constantParts('struct s { const short a; short b; const int c; };')).toEqual([4]);
});
