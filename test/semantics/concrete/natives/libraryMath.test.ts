/** Functions of math.h that are written in C, so that proofs know them, do what JavaScript's do; the zeros, too. */
import { loadProgram } from '../../../../src/program';
import { Machine } from '../../../../src/semantics/concrete/machine';
import { file } from '../../../engines/task';

const withSign = (x: number, sign: number): number => (sign < 0 || Object.is(sign, -0) ? -Math.abs(x) : Math.abs(x));
/** Halves away from zero. */
const away = (x: number): number =>
  Number.isInteger(x) || !Number.isFinite(x)
    ? x
    : withSign(Math.floor(Math.abs(x)) + (Math.abs(x) % 1 >= 0.5 ? 1 : 0), x);
const one: Readonly<Record<string, (x: number) => number>> = {
  fabs: Math.abs,
  trunc: Math.trunc,
  floor: Math.floor,
  ceil: Math.ceil,
  round: away,
};
const numberOr =
  (choose: (x: number, y: number) => number) =>
  (x: number, y: number): number =>
    Number.isNaN(x) ? y : Number.isNaN(y) ? x : choose(x, y);
const two: Readonly<Record<string, (x: number, y: number) => number>> = {
  fmin: numberOr(Math.min),
  fmax: numberOr(Math.max),
  copysign: withSign,
};
const samples = [
  0,
  -0,
  0.25,
  -0.25,
  0.5,
  -0.5,
  1,
  -1,
  1.5,
  -1.5,
  2.5,
  -2.5,
  2.75,
  -2.75,
  0.49999999999999994,
  0.49999997,
  8388607.5,
  -8388607.5,
  8388608,
  16777217,
  2 ** 31,
  -(2 ** 31),
  2 ** 52 - 0.5,
  2 ** 52,
  -(2 ** 53),
  1e300,
  5e-324,
  -5e-324,
  Infinity,
  -Infinity,
  NaN,
];

test.each([
  ['double', '', (x: number) => x],
  ['float', 'f', Math.fround],
  ['long double', 'l', (x: number) => x],
] as const)('of %s', (type, suffix, rounded) => {
  const text = [
    '#include <math.h>',
    ...Object.keys(one).map((name) => `${type} my_${name}(${type} x) { return ${name}${suffix}(x); }`),
    ...Object.keys(two).map((name) => `${type} my_${name}(${type} x, ${type} y) { return ${name}${suffix}(x, y); }`),
  ].join('\n');
  const program = loadProgram([file(text)], {});
  const machine = new Machine(program);
  const call = (name: string, ...args: number[]) => machine.call(program.functionByName.get(`my_${name}`)!, args);
  for (const x of samples.map(rounded)) {
    for (const [name, f] of Object.entries(one))
      expect([name, x, call(name, x)]).toEqual([name, x, { kind: 'returned', value: f(x) }]);
    for (const y of samples.map(rounded))
      for (const [name, f] of Object.entries(two))
        expect([name, x, y, call(name, x, y)]).toEqual([name, x, y, { kind: 'returned', value: f(x, y) }]);
  }
});
