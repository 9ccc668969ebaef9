import { nativeFunctions } from '../../../../src/program/linking/natives';
import { endOfList } from '../../../../src/program/lower/calls/argumentTypes';
import { entryBytes, numberType, valueOffset } from '../../../../src/program/lower/calls/variadic';
import { float64, int32, int64, pointer, uint64, type Scalar } from '../../../../src/program/expression';
import { objectNumber, pointerTo, type ConcreteValue } from '../../../../src/semantics/concrete/concreteValues';
import type { ConcreteMemory } from '../../../../src/semantics/concrete/concreteMemory';
import { Machine, type RunOutcome } from '../../../../src/semantics/concrete/machine';
import { natives } from '../../../../src/semantics/concrete/natives/table';
import { define, local, program, read } from '../../irBuilder';

type Argument = string | { readonly type: Scalar; readonly value: ConcreteValue };
const int = (value: number): Argument => ({ type: int32, value });
const long = (value: bigint): Argument => ({ type: int64, value });
const double = (value: number): Argument => ({ type: float64, value });

/** Runs one call of a native in C, with text for strings and the list of variable arguments after the fixed ones. */
function run(
  name: string,
  types: Scalar[],
  makeArguments: (memory: ConcreteMemory) => ConcreteValue[],
  result: Scalar = int32,
) {
  const parameters = types.map((type, i) => local(i, `p${i}`, type));
  const answer = local(types.length, '<result>', result);
  const fn = define(1, {
    name: 'f',
    parameters,
    variables: [answer],
    result: answer,
    lines: () => [
      { does: { kind: 'external', target: answer, name, arguments: parameters.map(read), resultType: result } },
    ],
  });
  let output = '';
  const machine = new Machine(program({ functions: [fn] }), {
    output: (text) => {
      output += text;
    },
  });
  const outcome = machine.call(fn, makeArguments(machine.memory));
  return { outcome, output, memory: machine.memory };
}

const text = (memory: ConcreteMemory, value: string, writable = false) =>
  memory.make({
    kind: 'static',
    sizeBytes: Buffer.byteLength(value) + 1,
    contents: Buffer.from(`${value}\0`),
    writable,
    name: 'text',
  });

/** A type that no call in the program passes. */
const typeOfTheHost = 1;

function list(memory: ConcreteMemory, args: readonly Argument[]): ConcreteValue {
  if (args.length === 0) return 0;
  const block = memory.make({ kind: 'automatic', sizeBytes: entryBytes(8) * args.length + valueOffset });
  const at = (offset: number) => pointerTo(objectNumber(block), offset);
  args.forEach((argument, i) => {
    memory.store(at(entryBytes(8) * i), numberType, typeOfTheHost);
    const value = at(entryBytes(8) * i + valueOffset);
    if (typeof argument === 'string') memory.store(value, pointer, text(memory, argument));
    else memory.store(value, argument.type, argument.value);
  });
  memory.store(at(entryBytes(8) * args.length), numberType, endOfList);
  return block;
}

const printf = (format: string, ...args: Argument[]) =>
  run('printf', [pointer, pointer], (memory) => [text(memory, format), list(memory, args)]);
const message = (outcome: RunOutcome) =>
  outcome.kind === 'fault' ? `${outcome.fault.check}: ${outcome.fault.message}` : outcome;

test('every native function of the program has an implementation', () => {
  expect([...natives.keys()].sort()).toEqual([...nativeFunctions.keys()].sort());
});

describe('printf', () => {
  test.each<[string, Argument[], string]>([
    [
      '%d|%5d|%-5d|%05d|%+d|% d',
      [int(42), int(42), int(-42), int(-42), int(42), int(42)],
      '42|   42|-42  |-0042|+42| 42',
    ],
    ['%.3d|%8.3d|%.0d|', [int(5), int(-5), int(0)], '005|    -005||'],
    ['%u %x %X %#x %o %#o', [int(-1), int(255), int(255), int(255), int(8), int(8)], '4294967295 ff FF 0xff 10 010'],
    [
      '%hhd %hd %hu %ld %lu %llx',
      [int(300), int(70000), int(-1), long(-5n), long(-1n), long(255n)],
      '44 4464 65535 -5 18446744073709551615 ff',
    ],
    ['%c%c%5c|%-3c|', [int(72), int(105), int(33), int(33)], 'Hi    !|!  |'],
    ['%s|%6s|%-6s|%.2s', ['abc', 'abc', 'abc', 'abc'], 'abc|   abc|abc   |ab'],
    [
      '%*d|%-*d|%.*f|%*d|',
      [int(4), int(7), int(4), int(7), int(1), double(0.25), int(-4), int(7)],
      '   7|7   |0.2|7   |',
    ],
    [
      '%f %.0f %.0f %.0f %.1f',
      [double(1.5), double(0.5), double(1.5), double(2.5), double(0.25)],
      '1.500000 0 2 2 0.2',
    ],
    [
      '%e %.2E %g %g %g %#.3g',
      [double(12345.678), double(0), double(0.0001), double(1e-5), double(1234567), double(1)],
      '1.234568e+04 0.00E+00 0.0001 1e-05 1.23457e+06 1.00',
    ],
    [
      '%08.2f|%+.1f|%f|%F|%5s',
      [double(-3.14159), double(2), double(Infinity), double(NaN), ''],
      '-0003.14|+2.0|inf|NAN|     ',
    ],
    ['%.20f %.0f', [double(0.1), double(1e22)], '0.10000000000000000555 10000000000000000000000'],
    [
      '%a %a %.1a %a',
      [double(1), double(-0.1), double(1.97), double(0)],
      '0x1p+0 -0x1.999999999999ap-4 0x2.0p+0 0x0p+0',
    ],
    ['%p|100%%|%zu %td', [{ type: pointer, value: 0 }, long(7n), long(-7n)], '(nil)|100%|7 -7'],
    ['é ✓ %s', ['ü'], 'é ✓ ü'],
  ])('%j', (format, args, expected) => {
    const { outcome, output } = printf(format, ...args);
    expect(output).toBe(expected);
    expect(outcome).toEqual({ kind: 'returned', value: Buffer.byteLength(expected) });
  });

  test('what C leaves undefined is a fault', () => {
    expect(message(printf('%d %d', int(1)).outcome)).toBe(
      'invalid-call: printf: the format asks for more arguments than there are',
    );
    expect(message(printf('%s', { type: pointer, value: 0 }).outcome)).toBe(
      'null-dereference: null pointer passed to printf',
    );
    expect(message(printf('%s', { type: pointer, value: pointerTo(99) }).outcome)).toMatch(
      /^dereference: invalid pointer passed to printf: a pointer to no object$/,
    );
    expect(message(printf('%y', int(1)).outcome)).toBe('invalid-call: printf: %y is no conversion');
    expect(message(printf('%n', { type: pointer, value: 0 }).outcome)).toBe(
      'null-dereference: null pointer passed to printf',
    );
  });

  test('%n counts the bytes so far into the integer it is given', () => {
    let [count, short]: ConcreteValue[] = [];
    const { outcome, output, memory } = run('printf', [pointer, pointer], (fresh) => {
      [count, short] = [4, 2].map((sizeBytes) => fresh.make({ kind: 'automatic', sizeBytes }));
      return [
        text(fresh, '%d%n é %%%hn!'),
        list(fresh, [int(12345), { type: pointer, value: count! }, { type: pointer, value: short! }]),
      ];
    });
    expect([outcome, output]).toEqual([{ kind: 'returned', value: 11 }, '12345 é %!']);
    expect(memory.load(count!, int32)).toBe(5);
    expect([...memory.block(short!)!.bytes]).toEqual([10, 0]);
  });

  test('%m is the text of errno, 0 in a program that never sets it, and takes no argument', () => {
    expect(printf('%m|%9m|%-9m|%.3m|%d', int(7)).output).toBe('Success|  Success|Success  |Suc|7');
  });

  test("what is not modelled ends the run, and is nobody's mistake", () => {
    expect(printf('%lc', int(233)).outcome).toMatchObject({
      kind: 'limit',
      limit: 'unsupported',
      what: '%lc with characters outside ASCII (233) is not supported',
    });
  });
});

describe('into memory', () => {
  const into = (size: number, limit: bigint, format: string, ...args: Argument[]) => {
    const target = { pointer: 0 as ConcreteValue };
    const result = run('snprintf', [pointer, uint64, pointer, pointer], (memory) => {
      target.pointer = size === 0 ? 0 : memory.make({ kind: 'automatic', sizeBytes: size, name: 'buffer' });
      return [target.pointer, limit, text(memory, format), list(memory, args)];
    });
    return {
      outcome: result.outcome,
      bytes: [...(result.memory.block(target.pointer)?.bytes ?? [])],
      initialised: result.memory.isInitialised(target.pointer, Number(limit)),
    };
  };

  test('snprintf truncates and says how long it would have been', () => {
    expect(into(4, 4n, '%d', int(12345))).toEqual({
      outcome: { kind: 'returned', value: 5 },
      bytes: [49, 50, 51, 0],
      initialised: 1,
    });
    expect(into(0, 0n, '%d', int(12345)).outcome).toEqual({ kind: 'returned', value: 5 });
  });

  test('writing past the buffer or into a literal is a fault', () => {
    expect(message(into(3, 10n, '%d', int(12345)).outcome)).toBe(
      "dereference: snprintf writes 6 bytes: offset 0 in 'buffer' (3 bytes)",
    );
    const literal = run('sprintf', [pointer, pointer, pointer], (memory) => [
      text(memory, 'literal'),
      text(memory, 'x'),
      0,
    ]);
    expect(message(literal.outcome)).toMatch(/^read-only: sprintf writes to read-only memory/);
  });
});

test('text that comes byte by byte is put together', () => {
  const fn = define(1, {
    name: 'f',
    lines: () =>
      [...Buffer.from('✓')].map((byte) => ({
        does: {
          kind: 'external' as const,
          target: undefined,
          name: 'putchar',
          arguments: [{ kind: 'integer' as const, type: int32, value: BigInt(byte) }],
          resultType: int32,
        },
      })),
  });
  let output = '';
  new Machine(program({ functions: [fn] }), {
    output: (part) => {
      output += part;
    },
  }).call(fn, []);
  expect(output).toBe('✓');
});

describe('math', () => {
  const apply = (name: string, ...args: number[]) => natives.get(name)!.run({ arguments: args } as never) as number;
  test.each<[string, number[], number]>([
    ['rint', [2.5], 2],
    ['rint', [-0.4], -0],
    ['fmod', [-7, 3], -1],
    ['remainder', [7, 4], -1],
    ['remainder', [2, 4], 2],
    ['remainder', [6, 4], -2],
    ['remainder', [5, 1.7e308], 5],
    ['remainder', [5e-324 * 3, 5e-324 * 2], -5e-324],
    ['fdim', [3, 1], 2],
    ['nextafter', [1, 2], 1 + 2 ** -52],
    ['nextafterf', [1, 0], 1 - 2 ** -24],
    ['pow', [1, NaN], 1],
    ['pow', [-1, Infinity], 1],
    ['pow', [2, 10], 1024],
    ['sqrtf', [2], Math.fround(Math.SQRT2)],
  ])('%s%j', (name, args, expected) => {
    expect(apply(name, ...args)).toBe(expected);
  });
});
