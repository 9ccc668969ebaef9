/** TypeScript predicates become formulas that mean the same. */
import fc from 'fast-check';
import type { ProbeFormula } from '../../../src/abstraction/predicates/probeFormula';
import type { CType } from '../../../src/c/types';
import { evaluateProbe } from '../../../plugin/probes/evaluateProbe';
import { acyclic, every, length, reach } from '../../../plugin/probes/lists';
import { changedCapture, compilePredicate, disagreement, type ModulePredicate } from '../../../plugin/probes/probes';
import { pointeeType } from '../../../src/host/globals';
import type { Predicate } from '../../../plugin/api/types';
import { Limits } from '../limits';

const int: CType = { kind: 'integer', name: 'int', widthBits: 32, signed: true };
const long: CType = { kind: 'integer', name: 'long', widthBits: 64, signed: true };
const bool: CType = { kind: 'integer', name: 'bool', widthBits: 8, signed: false };
const node: CType = {
  kind: 'record',
  record: { keyword: 'struct', tag: 'node', complete: true, sizeBytes: 16, alignBytes: 8, fields: [] },
};
Object.assign(node.record, {
  fields: [
    { name: 'value', type: int, offsetBytes: 0 },
    { name: 'next', type: { kind: 'pointer', to: node }, offsetBytes: 8 },
  ],
});
const variables: Record<string, CType> = {
  size: int,
  max: int,
  total: long,
  flag: bool,
  x: int,
  y: int,
  z: int,
  ratio: { kind: 'float', name: 'double', widthBits: 64 },
  elems: { kind: 'array', of: int, length: 8 },
  slots: { kind: 'array', of: node, length: 3 },
  grid: { kind: 'array', of: { kind: 'array', of: int, length: 2 }, length: 2 },
  large: { kind: 'array', of: int, length: 257 },
  head: { kind: 'pointer', to: node },
  bytes: { kind: 'pointer', to: { kind: 'void' } },
};

function compile(predicate: Predicate, constants?: Record<string, unknown>): ModulePredicate {
  return compilePredicate({
    what: "probe 'p'",
    predicate,
    site: undefined,
    pick: () => true,
    enumConstants: new Map([['IDLE', 3n]]),
    scope: { typeOf: (name) => variables[name], names: Object.keys(variables), description: 'variables of m.c' },
    ...(constants && { constants }),
  });
}
const check = (predicate: Predicate): ProbeFormula => compile(predicate).formula;
const path = (variable: string): ProbeFormula => ({ kind: 'path', variable, steps: [] });
const integer = (value: number): ProbeFormula => ({ kind: 'integer', value: String(value) });

const LIMIT = 10;
const nested = { deep: { limit: 7 } } as const;
enum Color {
  Red = 1,
  Green = 2,
}

describe('translation', () => {
  test('comparisons, logic, arithmetic', () => {
    expect(check((s) => s.size === s.max)).toEqual({ kind: '==', left: path('size'), right: path('max') });
    expect(check((s) => s.size >= 0 && !(s.size > s.max))).toEqual({
      kind: 'and',
      left: { kind: '>=', left: path('size'), right: integer(0) },
      right: { kind: 'not', operand: { kind: '>', left: path('size'), right: path('max') } },
    });
    expect(check((s) => s.x + 1 < s.y * 2 - -3)).toEqual({
      kind: '<',
      left: { kind: '+', left: path('x'), right: integer(1) },
      right: { kind: '-', left: { kind: '*', left: path('y'), right: integer(2) }, right: integer(-3) },
    });
  });

  test('captured constants: local, imported, member, enum', () => {
    const local = 4;
    expect(check((s) => s.size < LIMIT)).toEqual({ kind: '<', left: path('size'), right: integer(10) });
    expect(check((s) => s.size < local)).toEqual({ kind: '<', left: path('size'), right: integer(4) });
    expect(check((s) => s.size < Limits.large)).toEqual({ kind: '<', left: path('size'), right: integer(1000) });
    expect(check((s) => s.size < nested.deep.limit)).toEqual({ kind: '<', left: path('size'), right: integer(7) });
    expect(check((s) => s.size === Color.Green)).toEqual({ kind: '==', left: path('size'), right: integer(2) });
  });

  test('destructuring, constants in a body, casts, methods', () => {
    expect(check(({ size, max: top }) => size === top)).toEqual(check((s) => s.size === s.max));
    expect(
      check((s) => {
        const { size } = s;
        const twice = 2 * size;
        return twice > (s.max as number);
      }),
    ).toEqual(check((s) => 2 * s.size > s.max));
    expect(
      check(function named(s: { size: number }) {
        return s.size > 0;
      }),
    ).toEqual(check((s) => s.size > 0));
  });

  test('floating point is compared', () => {
    expect(check((s) => s.ratio <= 0.5)).toEqual({
      kind: '<=',
      left: path('ratio'),
      right: { kind: 'number', value: 0.5 },
    });
    expect(check((s) => s.ratio !== -1.5 && s.ratio > s.size)).toEqual({
      kind: 'and',
      left: { kind: '!=', left: path('ratio'), right: { kind: 'number', value: -1.5 } },
      right: { kind: '>', left: path('ratio'), right: path('size') },
    });
    expect(check((s) => s.ratio >= 2)).toEqual({ kind: '>=', left: path('ratio'), right: integer(2) });
  });

  test('members, elements, pointers, truth', () => {
    expect(check((s) => s.elems[s.size - 1] === 3)).toEqual({
      kind: '==',
      left: {
        kind: 'path',
        variable: 'elems',
        steps: [{ kind: 'index', index: { kind: '-', left: path('size'), right: integer(1) } }],
      },
      right: integer(3),
    });
    expect(check((s) => s.size < s.elems.length)).toEqual(check((s) => s.size < 8));
    expect(check((s) => s.head)).toEqual({ kind: '!=', left: path('head'), right: { kind: 'null' } });
    expect(check((s) => !s.flag)).toEqual({ kind: 'not', operand: path('flag') });
  });

  test('the length of the array behind a pointer', () => {
    expect(check((s) => s.bytes.length >= s.total)).toEqual({
      kind: '>=',
      left: { kind: 'length', of: path('bytes') },
      right: path('total'),
    });
    expect(check((s) => s.elems.length > s.size)).toEqual({ kind: '>', left: integer(8), right: path('size') });
    const head = { kind: 'length', of: path('head') };
    expect(check((s) => s.head?.length > 1)).toEqual({
      kind: 'and',
      left: { kind: '!=', left: path('head'), right: { kind: 'null' } },
      right: { kind: '>', left: head, right: integer(1) },
    });
  });

  test("'?.' is undefined when the pointer is null", () => {
    const value: ProbeFormula = { kind: 'path', variable: 'head', steps: [{ kind: 'field', name: 'value' }] };
    const guard: ProbeFormula = { kind: '!=', left: path('head'), right: { kind: 'null' } };
    expect(check((s) => s.head?.value > 0)).toEqual({
      kind: 'and',
      left: guard,
      right: { kind: '>', left: value, right: integer(0) },
    });
    expect(check((s) => s.head?.value !== 5)).toEqual({
      kind: 'or',
      left: { kind: 'not', operand: guard },
      right: { kind: '!=', left: value, right: integer(5) },
    });
  });

  test('division is C’s only with Math.trunc or bigints', () => {
    expect(check((s) => Math.trunc(s.x / 2) === s.y)).toEqual({
      kind: '==',
      left: { kind: '/', left: path('x'), right: integer(2) },
      right: path('y'),
    });
    expect(() => check((s) => s.x / 2 === s.y)).toThrow("'/' of numbers is not C's: write Math.trunc(a / b)");
  });
});

describe('refusals say what to do', () => {
  let changing = 1;
  const helper = (n: number): boolean => n > 0;
  test.each<[string, (s: Record<string, never>) => unknown, string]>([
    [
      'assignment',
      (s) => {
        (s as Record<string, number>).size = 1;
        return true;
      },
      'no side effects',
    ],
    ['increment', (s) => (s as Record<string, number>).size++ > 1, 'no side effects'],
    [
      'loop',
      (s) => {
        for (;;) if (s.size) return true;
      },
      'no loops',
    ],
    ['call', (s) => helper(s.size), 'no calls'],
    ['unknown variable', (s) => s.sizes > 1, "did you mean 'size'?"],
    ['unknown member', (s) => (s.head as Record<string, number>).valu! > 1, "did you mean 'value'?"],
    ['template', (s) => `${s.size}` === '1', 'cannot be turned into a formula'],
    ['unsigned shift of a bigint', (s) => s.total >>> 1 === 1, "JavaScript has no '>>>' of bigints"],
    ['unsigned shift by a variable', (s) => s.size >>> s.size === 1, "'>>>' takes a constant from 0 to 31"],
    ['bigint and number', (s) => s.total === 10, 'write the constant with an n'],
    ['bool and number', (s) => s.flag === 1, '_Bool is true or false'],
    ['pointer and number', (s) => s.head === 0, 'the null pointer is null'],
    ['computing with floating point', (s) => s.ratio + 1 > 2, 'floating point is only compared'],
    ['floating point as a condition', (s) => s.ratio, 'floating point is only compared'],
    ['fraction', (s) => s.size > 0.5, 'no whole number'],
    ['async', async (s) => s.size > 1, 'neither async'],
    ['no result', () => {}, 'returns nothing'],
  ])('%s', (_, predicate, message) => {
    expect(() => check(predicate)).toThrow(message);
  });

  test('a captured variable that changes is found when the proof starts', () => {
    const predicate = compile((s) => s.size < changing);
    expect(changedCapture(predicate)).toBeUndefined();
    changing = 2;
    expect(changedCapture(predicate)).toContain('captures a variable that changes: changing was 1');
  });

  test('constants can be given where closures cannot be read', () => {
    const bound = new Function('s', 'return s.size < FROM_ELSEWHERE') as (s: unknown) => unknown;
    expect(compile(bound, { FROM_ELSEWHERE: 5 }).formula).toEqual({ kind: '<', left: path('size'), right: integer(5) });
    expect(() => compile(bound)).toThrow("the value of 'FROM_ELSEWHERE' cannot be seen");
  });
});

describe('every and some', () => {
  const element = (array: string, ...steps: (number | string)[]): ProbeFormula => ({
    kind: 'path',
    variable: array,
    steps: steps.map((step) =>
      typeof step === 'number' ? { kind: 'index', index: integer(step) } : { kind: 'field', name: step },
    ),
  });
  const below = (array: string, at: number): ProbeFormula => ({
    kind: '<',
    left: element(array, at, 'value'),
    right: { kind: '+', left: path('size'), right: integer(at) },
  });

  test('are written out for each element', () => {
    expect(check((s) => s.slots.every(({ value }: { value: number }, i: number) => value < s.size + i))).toEqual({
      kind: 'and',
      left: below('slots', 0),
      right: { kind: 'and', left: below('slots', 1), right: below('slots', 2) },
    });
  });

  test('of nested arrays, of captured ones, with a block, and negated', () => {
    const allowed = [2, 3];
    const cases: readonly (readonly [Predicate, Readonly<Record<string, unknown>>, boolean])[] = [
      [
        (s) => s.grid.every((row: number[]) => row.some((x) => x === s.x)),
        {
          x: 1,
          grid: [
            [0, 1],
            [1, 5],
          ],
        },
        true,
      ],
      [
        (s) => s.grid.every((row: number[]) => row.some((x) => x === s.x)),
        {
          x: 1,
          grid: [
            [0, 1],
            [4, 5],
          ],
        },
        false,
      ],
      [(s) => allowed.some((value) => s.size === value), { size: 3 }, true],
      [(s) => allowed.some((value) => s.size === value), { size: 4 }, false],
      [
        (s) =>
          !s.elems.some((x: number) => {
            const twice = 2 * x;
            return twice > 10;
          }),
        { elems: [0, 1, 2, 3, 4, 5, 6, 7] },
        false,
      ],
    ];
    for (const [predicate, state, expected] of cases) {
      const compiled = compile(predicate);
      expect(evaluateProbe(compiled.formula, state)).toBe(expected);
      expect(disagreement(compiled, state)).toBeUndefined();
    }
  });

  test.each<[string, Predicate, string]>([
    ['pointers', (s) => s.head.every((x: number) => x > 0), 'a pointer does not say how many elements follow'],
    ['numbers', (s) => s.size.every((x: number) => x > 0), 'is for arrays'],
    ['many elements', (s) => s.large.some((x: number) => x > 0), 'at most 256'],
    [
      'many elements together',
      (s) => s.elems.every(() => s.elems.every(() => s.elems.every((x: number) => x > 0))),
      'at most 256',
    ],
    ['three parameters', (s) => s.elems.every((x: number, i: number, all: number[]) => x > all[i]!), 'and its index'],
  ])('not over %s', (_, predicate, message) => {
    expect(() => check(predicate)).toThrow(message);
  });
});

describe('formula and function agree', () => {
  const state = fc.record({
    x: fc.integer({ min: -20, max: 20 }),
    y: fc.integer({ min: -20, max: 20 }),
    z: fc.integer({ min: -20, max: 20 }),
  });
  const samples: ((s: { x: number; y: number; z: number }) => unknown)[] = [
    (s) => s.x < s.y || s.y < s.z,
    (s) => (s.x > 0 ? s.y : s.z),
    (s) => s.x % 3 === s.y % 3,
    (s) => (s.x & 7) === (s.y | s.z),
    (s) => -s.x + s.y * s.z,
    (s) => !s.x === !s.y,
    (s) => ~s.x < (s.y ^ s.z),
    (s) => Math.trunc(s.x / 7) === s.y >> 1,
    (s) => s.x >>> 0 === (s.y ^ s.z) >>> 0,
    (s) => s.x >>> 28 > (~s.y >>> 31) + s.z,
    (s) => {
      const { x, y } = s;
      const sum = x + y;
      return sum && sum !== s.z;
    },
  ];
  test.each(samples.map((f) => [String(f), f] as const))('%s', (_, predicate) => {
    const compiled = compile(predicate as Predicate);
    fc.assert(
      fc.property(state, (s) => {
        expect(disagreement(compiled, s)).toBeUndefined();
      }),
      { seed: 7 },
    );
  });

  const floating = fc.record({
    ratio: fc.oneof(fc.double(), fc.constantFrom(0, -0, 0.5, 3, -3, NaN, Infinity)),
    x: fc.integer({ min: -4, max: 4 }),
  });
  test.each(
    (
      [
        (s) => s.ratio <= 0.5,
        (s) => s.ratio === s.x,
        (s) => s.ratio !== s.x || s.ratio > 2,
        (s) => !(s.ratio < s.x) && s.ratio >= -1.5,
        (s) => s.x < s.ratio,
        (s) => s.ratio === s.ratio,
      ] satisfies ((s: { ratio: number; x: number }) => unknown)[]
    ).map((f) => [String(f), f] as const),
  )('%s', (_, predicate) => {
    const compiled = compile(predicate as Predicate);
    fc.assert(
      fc.property(floating, (s) => {
        expect(disagreement(compiled, s)).toBeUndefined();
        expect(evaluateProbe(compiled.formula, s)).toBe(Boolean(predicate(s)));
      }),
      { seed: 7 },
    );
  });

  test('a difference is told with the state', () => {
    const wide = compile((s) => (s.x & s.y) === 0);
    expect(disagreement(wide, { x: 2 ** 32, y: 2 ** 32 })).toMatch(
      /as JavaScript it is true, as a formula over exact integers false; The state has x = 4294967296/,
    );
  });

  test('no claim where a path leads nowhere', () => {
    expect(
      disagreement(
        compile((s) => s.elems[9] === 1),
        { elems: [1] },
      ),
    ).toBeUndefined();
    expect(
      evaluateProbe(
        check((s) => s.head.value > 0),
        { head: null },
      ),
    ).toBeUndefined();
  });

  test('behind null there is nothing: in a formula that is a length, in JavaScript an error', () => {
    const few = compile((s) => s.head.length <= 1);
    expect(disagreement(few, { head: null })).toBeUndefined();
    expect(evaluateProbe(few.formula, { head: null })).toBe(true);
    expect(
      evaluateProbe(
        check((s) => s.head.length >= 1),
        { head: null },
      ),
    ).toBe(false);
  });
});

test('predicates in C text', () => {
  expect(check('x == IDLE')).toEqual({ kind: '==', left: path('x'), right: integer(3) });
  expect(() => check('sizes == 1')).toThrow(
    /^probe 'p': 'sizes' is none of the variables of m\.c; did you mean 'size'\?\n {2}sizes == 1\n {2}\^$/,
  );
});

describe('conditions on lists', () => {
  interface Node {
    readonly value: number;
    next: Node | null | undefined;
  }
  const nodes = (...values: number[]): Node | null => {
    const typed = (value: number, next: Node | null): Node => Object.assign({ value, next }, { [pointeeType]: node });
    return values.reduceRight<Node | null>((next, value) => typed(value, next), null);
  };
  const ring = nodes(1, 2)!;
  ring.next!.next = ring;
  const dangling = nodes(1, 2)!;
  dangling.next!.next = undefined;

  test.each<[string, Predicate, (boolean | undefined)[]]>([
    ['acyclic', (s) => acyclic(s.head), [true, true, true, false, false]],
    ['acyclic, with the link', (s) => acyclic(s.head, 'next'), [true, true, true, false, false]],
    ['reach', (s) => reach(s.head, s.head), [false, true, true, false, false]],
    ['every', (s) => every(s.head, (n: Node) => n.value < s.size), [true, true, false, false, false]],
    ['every, of a function', (s) => every(s.head, ({ value }: Node) => value !== 2), [true, true, false, false, false]],
    ['length', (s) => length(s.head) === 1 || length(s.head) > 2, [false, true, true, undefined, undefined]],
    ['length and a variable', (s) => length(s.head) + 1 <= s.size, [true, true, false, undefined, undefined]],
  ])('%s', (_, predicate, expected) => {
    const compiled = compile(predicate);
    [null, nodes(1), nodes(1, 2, 3), ring, dangling].forEach((head, i) => {
      const state = { head, size: 2 };
      expect(evaluateProbe(compiled.formula, state)).toBe(expected[i]);
      expect(disagreement(compiled, state)).toBeUndefined();
    });
  });

  test.each<[string, Predicate, string]>([
    ['numbers', (s) => acyclic(s.size), 'is about a pointer to the nodes of a list'],
    ['what has no path', (s) => acyclic(s.size + 1), 'is about a pointer of the state'],
    ['another link', (s) => acyclic(s.head, 'value'), "'value' is no link"],
    ['no function', (s) => every(s.head, s.size), 'every takes a plain function of a node'],
  ])('not of %s', (_, predicate, message) => {
    expect(() => check(predicate)).toThrow(message);
  });

  test('a function of the test of the same name is another one', () => {
    const reach = (x: unknown): boolean => x !== null;
    expect(() => check((s) => reach(s.head))).toThrow('a probe has no calls');
  });
});
