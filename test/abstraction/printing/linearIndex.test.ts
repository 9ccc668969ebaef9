import { dividedBy } from '../../../src/abstraction/printing/linearIndex';
import * as L from '../../../src/logic/build';

const width = 32;
const bits = (value: bigint) => L.bits(BigInt.asUintN(width, value), width);
const i = L.symbol('i', L.bitsSort(width));

test('an index in bytes is divided by the stride, behind the offset of a slot', () => {
  const index = L.add(L.mul(bits(12n), i), bits(28n));
  expect(dividedBy(index, 12, 4)).toEqual([
    { factor: 1n, term: i },
    { factor: 2n, term: undefined },
  ]);
});

test('no element begins at an index that the stride does not divide', () => {
  expect(dividedBy(L.add(L.mul(bits(12n), i), bits(30n)), 12, 4)).toBeUndefined();
  expect(dividedBy(L.mul(bits(6n), i), 4, 0)).toBeUndefined();
});

test('a negative distance stays negative', () => {
  expect(dividedBy(bits(-8n), 8, 0)).toEqual([{ factor: -1n, term: undefined }]);
});
