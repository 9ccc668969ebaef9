/** Formulas about all elements of an array, element by element. */
import { elementwise } from '../../../src/report/exchange/elementwise';

test.each<[string, readonly string[], readonly string[]]>([
  ['forall(_k: _k >= 3 || _k <= -1 || a[_k] <= max)', [], ['a[0] <= max', 'a[1] <= max', 'a[2] <= max']],
  ['forall(_k: _k >= 4 || _k <= 1 || s.a[_k] == b[_k])', [], ['s.a[2] == b[2]', 's.a[3] == b[3]']],
  // The guard of an access comes first.
  [
    'forall(_k: _k >= 2 || _k <= -1 || a[_k] <= max || i <= _k)',
    [],
    ['(i <= 0 || a[0] <= max)', '(i <= 1 || a[1] <= max)'],
  ],
  // The range ends where the variable does, at most.
  ['forall(_k: _k <= -1 || a[_k] == 0 || i <= _k)', ['i >= 0', 'i <= 1'], ['(i <= 0 || a[0] == 0)']],
  [
    'forall(_k: _k <= -1 || (a[_k] == 0 || a[_k] == 2) || i <= _k)',
    ['i <= 1'],
    ['(i <= 0 || (a[0] == 0 || a[0] == 2))'],
  ],
  ['forall(_k: _k >= 0 || _k <= -1 || a[_k] == 0)', [], []],
])('%s', (formula, others, expected) => {
  expect(elementwise(formula, others)).toEqual(expected);
});

test.each<[string, readonly string[]]>([
  ['i >= 0', []],
  // As long as the array, which may be long, or has no bound that a number is.
  ['forall(_k: _k <= -1 || a[_k] == 0 || i <= _k)', ['i >= 0', 'i <= 100000']],
  ['forall(_k: _k <= -1 || a[_k] == 0 || i <= _k)', ['i <= n']],
  ['forall(_k: _k <= -1 || a[_k] == 0 || i <= _k)', ['2 * i <= 4']],
  ['forall(_k: _k >= 3 || a[_k] == 0)', []],
  ['forall(_k: _k >= 3 || _k <= -5 || a[_k] == 0)', []],
  // Arithmetic may wrap in another way with a number than with the variable.
  ['forall(_k: _k >= 3 || _k <= -1 || a[_k] == 2 * _k)', []],
  ['forall(_k: _k >= 3 || _k <= -1 || a[_k + 1] == 0)', []],
  ['forall(_k: _k >= 3 || _k <= -1 || _k <= i || a[_k] == 0)', []],
  ['forall(_k: _k >= 3 || _k <= -1 || i <= _k + 1 || a[_k] == 0)', []],
  ['exists(_k: _k >= 3 || _k <= -1 || a[_k] == 0)', []],
])('is not tried: %s, beside %j', (formula, others) => {
  expect(elementwise(formula, others)).toBeUndefined();
});
