/** Names that a header declares. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { declaredFunctions } from '../../../src/program';
import { file } from '../../engines/task';

test('a header that names its types itself', () => {
  expect(declaredFunctions(file('#include <stddef.h>\nsize_t size_of(int n); int half(int n);'))).toEqual([
    'size_of',
    'half',
  ]);
});

test('a header that leaves it to those that include it to name its types', () => {
  expect(declaredFunctions(file('#ifndef H\n#define H\nsize_t size_of(uint8_t n);\n#endif'))).toEqual(['size_of']);
});

test('an included header of the same name is another one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'provest-header-'));
  mkdirSync(join(folder, 'api'));
  mkdirSync(join(folder, 'internal'));
  writeFileSync(join(folder, 'internal/ring.h'), 'int ring_raw(int);\n');
  writeFileSync(join(folder, 'api/ring.h'), '#include "../internal/ring.h"\nint ring_get(int);\n');
  expect(declaredFunctions(join(folder, 'api/ring.h'))).toEqual(['ring_get']);
});

test('the errors of a header that cannot be read either way are its own', () => {
  const header = file('size_t size_of(length_t n);');
  expect(() => declaredFunctions(header)).toThrow("unknown type name 'size_t'");
});
