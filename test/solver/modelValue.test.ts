import { arraySort, bitsSort, boolSort, equalValues, readArray } from '../../src/logic';
import type { ArrayValue, Sort, Value } from '../../src/logic';
import { parseValue } from '../../src/solver/modelValue';
import { parseSExpressions } from '../../src/solver/sexpression';

const word = bitsSort(8);
const table = arraySort(word, word);

const parse = (text: string, sort: Sort) => parseValue(parseSExpressions(text)![0]!, sort);

function check(text: string, sort: Sort, expected: Value | undefined): void {
  const value = parse(text, sort);
  if (value === undefined || expected === undefined) expect(value).toBe(expected);
  else expect(equalValues(value, expected, sort)).toBe(true);
}

function checkArray(text: string, expected: Record<number, bigint>): void {
  const value = parse(text, table) as ArrayValue;
  expect(Object.fromEntries(Object.keys(expected).map((i) => [i, readArray(value, BigInt(i))]))).toEqual(expected);
}

test('words and truths', () => {
  check('#xff', word, 255n);
  check('#b101', bitsSort(3), 5n);
  check('(_ bv7 8)', word, 7n);
  check('(- 1)', word, 255n);
  check('300', word, 44n);
  check('true', boolSort, true);
  check('(let ((a!1 #x0a)) a!1)', word, 10n);
  check('(bvadd #x01 x)', word, undefined);
  check('#x01', boolSort, undefined);
});

test('arrays', () => {
  checkArray('((as const (Array (_ BitVec 8) (_ BitVec 8))) #x07)', { 0: 7n, 200: 7n });
  checkArray('(store (store ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x07) #x01 #x02) #x01 #x03)', {
    0: 7n,
    1: 3n,
  });
  checkArray('(let ((a!1 (store ((as const T) #x00) #x01 #x02))) (store a!1 #x05 #x06))', { 0: 0n, 1: 2n, 5: 6n });
  checkArray('(lambda ((x (_ BitVec 8))) (ite (= x #x01) #x02 (ite (or (= x #x03) (= #x04 x)) #x05 #x06)))', {
    0: 6n,
    1: 2n,
    2: 6n,
    3: 5n,
    4: 5n,
    255: 6n,
  });
  checkArray('(lambda ((x Int)) (let ((a!1 (ite (<= 10 x) 1 2))) (ite (not (<= 3 x)) 0 a!1)))', {
    0: 0n,
    2: 0n,
    3: 2n,
    9: 2n,
    10: 1n,
    255: 1n,
  });
  check('(_ as-array k!0)', table, undefined);
  check('(store (_ as-array k!0) #x01 #x02)', table, undefined);
  check('(lambda ((x (_ BitVec 8))) (bvadd x #x01))', table, undefined);
});

test('nested arrays', () => {
  const nested = arraySort(word, table);
  const value = parse(
    '(store ((as const U) ((as const T) #x01)) #x02 (store ((as const T) #x03) #x04 #x05))',
    nested,
  ) as ArrayValue;
  expect(readArray(readArray(value, 2n) as ArrayValue, 4n)).toBe(5n);
  expect(readArray(readArray(value, 2n) as ArrayValue, 9n)).toBe(3n);
  expect(readArray(readArray(value, 0n) as ArrayValue, 4n)).toBe(1n);
});

test('parentheses that do not match are no expressions', () => {
  expect(parseSExpressions('((a)')).toBeUndefined();
  expect(parseSExpressions('a))')).toBeUndefined();
  expect(parseSExpressions('(|a b| ; comment )\n "x""y")')).toEqual([['a b', '"x""y"']]);
});
