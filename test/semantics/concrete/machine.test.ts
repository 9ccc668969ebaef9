import type { CheckKind, Command, Property } from '../../../src/program/command';
import { int32, int64, pointer, uint64, uint8, type Expression } from '../../../src/program/expression';
import type { FunctionDefinition, Program } from '../../../src/program/program';
import {
  Machine,
  type Activation,
  type MachineOptions,
  type RunOutcome,
} from '../../../src/semantics/concrete/machine';
import {
  address,
  assign,
  at,
  automatic,
  binary,
  compare,
  convert,
  define,
  global,
  integer,
  load,
  local,
  nullPointer,
  offset,
  program,
  read,
  staticObject,
  store,
  type Line,
} from '../irBuilder';

const n = local(0, 'n');
const result = local(1, '<result>');
const i = local(2, 'i');
const m = local(2, 'm');
const one = integer(1);

const check = (
  kind: CheckKind,
  condition: Expression,
  text: string,
  ifUnchecked: 'assume' | 'ignore' = 'assume',
): Line => ({
  does: { kind: 'check', check: kind, condition, text, span: at(7), ifUnchecked },
});
const call = (callee: FunctionDefinition, target: typeof n | undefined, ...args: Expression[]): Command => ({
  kind: 'call',
  target,
  callee,
  targets: [callee],
  arguments: args,
});

/** result = 1 + 2 + … + n */
const sum = define(1, {
  name: 'sum',
  parameters: [n],
  variables: [result, i],
  result,
  lines: () => [
    assign(result, integer(0)),
    assign(i, one),
    { label: 'loop', when: compare('lt', read(n), read(i)), goto: 'exit' },
    assign(result, binary('add', read(result), read(i))),
    { does: { kind: 'assign', target: i, value: binary('add', read(i), one) }, goto: 'loop' },
  ],
});

/** result = n <= 0 ? 0 : 1 + deep(n - 1) */
const deep = define(2, {
  name: 'deep',
  parameters: [n],
  variables: [result],
  result,
  lines: (self) => [
    assign(result, integer(0)),
    { when: compare('le', read(n), integer(0)), goto: 'exit' },
    { label: 'call', does: call(self, result, binary('subtract', read(n), one)) },
    assign(result, binary('add', read(result), one)),
  ],
});

const both = program({ functions: [sum, deep] });
const run = (built: Program, fn: FunctionDefinition, args: (number | bigint)[], options?: MachineOptions): RunOutcome =>
  new Machine(built, options).call(fn, args);
const returned = (value?: number | bigint): RunOutcome => ({ kind: 'returned', value });

describe('control', () => {
  test('a loop and recursion return their values', () => {
    expect(run(both, sum, [100])).toEqual(returned(5050));
    expect(run(both, deep, [9_000])).toEqual(returned(9_000));
  });

  test('steps are edges taken, and too many are a limit with the C stack', () => {
    const machine = new Machine(both);
    machine.call(sum, [3]);
    expect(machine.steps).toBe(2 + 3 * 3 + 1);
    const outcome = run(both, sum, [100], { stepLimit: 50 });
    expect(outcome).toMatchObject({ kind: 'limit', limit: 'steps', stack: [{ function: { name: 'sum' } }] });
  });

  test('the step limit counts per call', () => {
    const machine = new Machine(both, { stepLimit: 50 });
    for (let k = 0; k < 10; k++) expect(machine.call(sum, [10])).toEqual(returned(55));
  });

  test('endless recursion is a limit, and the machine is usable afterwards', () => {
    const machine = new Machine(both, { depthLimit: 100 });
    const outcome = machine.call(deep, [1000]);
    expect(outcome).toMatchObject({ kind: 'limit', limit: 'depth' });
    expect(outcome.kind === 'limit' && outcome.stack.length).toBe(101);
    expect(outcome.kind === 'limit' && outcome.stack[1]!.span).toEqual(at(3));
    expect(machine.call(deep, [50])).toEqual(returned(50));
  });

  test('a lone assumption that does not hold stops, exit halts', () => {
    const stopping = define(1, {
      name: 'f',
      parameters: [n],
      lines: () => [{ does: { kind: 'assume', condition: read(n) } }, { does: { kind: 'halt', status: read(n) } }],
    });
    const built = program({ functions: [stopping] });
    expect(run(built, stopping, [0])).toEqual({ kind: 'stopped', reason: 'assume' });
    expect(run(built, stopping, [3])).toEqual({ kind: 'halted', status: 3 });
  });

  test('functions are called through pointers', () => {
    const p = local(0, 'p', pointer);
    const apply = define(3, {
      name: 'apply',
      parameters: [p],
      variables: [result],
      result,
      lines: () => [
        { does: { kind: 'call', target: result, callee: read(p), targets: [sum, deep], arguments: [integer(4)] } },
      ],
    });
    const machine = new Machine(program({ functions: [sum, deep, apply] }));
    expect(machine.call(apply, [machine.evaluator.values.address(sum)])).toEqual(returned(10));
    expect(machine.call(apply, [machine.evaluator.values.address(deep)])).toEqual(returned(4));
  });
});

describe('checks', () => {
  const overflow = define(1, {
    name: 'overflow',
    parameters: [n],
    variables: [result, m],
    result,
    lines: () => [
      assign(m, one),
      check(
        'signed-overflow',
        compare('le', binary('add', convert(int64, read(n)), convert(int64, read(m))), integer(0x7fffffff, int64)),
        'n + m',
        'ignore',
      ),
      assign(result, binary('add', read(n), read(m))),
    ],
  });
  const outer = define(2, {
    name: 'outer',
    parameters: [n],
    variables: [result],
    result,
    lines: () => [{ does: call(overflow, result, read(n)) }],
  });
  const built = program({ functions: [overflow, outer] });

  test('in force they fault, with values and the C stack', () => {
    const outcome = run(built, outer, [0x7fffffff]);
    expect(outcome).toMatchObject({
      kind: 'fault',
      fault: {
        check: 'signed-overflow',
        message: 'signed overflow: n + m (2147483647 + 1)',
        span: at(7),
        stack: [
          { function: { name: 'overflow' }, span: at(7) },
          { function: { name: 'outer' }, span: at(1) },
        ],
      },
    });
  });

  test('not in force they go on, or stop where nothing has a meaning', () => {
    const none: ReadonlySet<Property> = new Set();
    expect(run(built, outer, [0x7fffffff], { properties: none })).toEqual(returned(-0x80000000));
    const stopping = define(1, { name: 'f', lines: () => [check('dereference', integer(0), '*p')] });
    expect(run(program({ functions: [stopping] }), stopping, [], { properties: none })).toEqual({
      kind: 'stopped',
      reason: 'check-off',
    });
  });

  test.each<[string, (p: Expression) => Command[], string]>([
    ['out of bounds', () => [], 'out of bounds: *p: offset 12 in the object of 8 bytes allocated at line 1'],
    [
      'freed',
      (p) => [{ kind: 'free', pointer: p }],
      'use after free: *p: the object of 8 bytes allocated at line 1 was freed at line 2',
    ],
  ])('a dereference tells what the pointer was: %s', (_name, before, message) => {
    const p = local(0, 'p', pointer);
    const access = define(1, {
      name: 'f',
      variables: [p],
      lines: () => [
        { does: { kind: 'allocate', target: p, size: integer(8, uint64), zeroed: true, mayFail: false } },
        ...before(read(p)).map((does): Line => ({ does })),
        assign(p, offset(read(p), integer(12))),
        check('dereference', { kind: 'is-live', type: int32, pointer: read(p) }, '*p'),
        check(
          'dereference',
          compare(
            'le',
            { kind: 'offset-of', type: int64, pointer: read(p) },
            { kind: 'object-size', type: int64, pointer: read(p) },
          ),
          '*p',
        ),
      ],
    });
    const outcome = run(program({ functions: [access] }), access, []);
    expect(outcome.kind === 'fault' && outcome.fault.message).toBe(message);
  });

  test('an index out of an array and a null pointer are named', () => {
    const p = local(1, 'p', pointer);
    const f = define(1, {
      name: 'f',
      parameters: [n],
      variables: [p],
      lines: () => [
        check('array-bounds', compare('lt', convert(uint64, read(n)), integer(8, uint64)), 'elems[n]'),
        check('null-dereference', compare('ne', read(p), nullPointer), 'p->next'),
        assign(p, load(pointer, read(p))),
      ],
    });
    const message = (argument: number) => {
      const outcome = run(program({ functions: [f] }), f, [argument]);
      return outcome.kind === 'fault' && outcome.fault.message;
    };
    expect(message(8)).toBe('index 8 is outside elems[8]');
    expect(message(-1)).toBe('index -1 is outside elems[8]');
    expect(message(7)).toBe('null pointer dereference: p->next');
  });
});

describe('data', () => {
  const count = global(0, 'count');
  const where = global(1, 'where', pointer);
  const table = staticObject(1, 'table', [1, 2, 3, 4]);
  const link = staticObject(2, 'link', [0, 0, 0, 0, 0, 0, 0, 0], {
    relocations: [{ offsetBytes: 0, value: offset(address(table), integer(2)) }],
  });
  const bump = define(3, {
    name: 'bump',
    lines: () => [
      assign(count, binary('add', read(count), one)),
      store(read(where), uint8, convert(uint8, read(count))),
    ],
  });
  const built = program({
    globals: [
      { variable: count, initial: integer(40) },
      { variable: where, initial: address(table) },
    ],
    objects: [table, link],
    functions: [bump],
  });
  const contents = (machine: Machine) => [...machine.memory.block(machine.globals[1]!)!.bytes];

  test('static data starts as written, pointers inside included, and reset brings it back', () => {
    const machine = new Machine(built);
    machine.call(bump, []);
    expect([machine.globals[0], contents(machine)]).toEqual([41, [41, 2, 3, 4]]);
    const inside = machine.memory.load(machine.evaluator.values.address(link), pointer);
    expect(machine.memory.load(inside, uint8)).toBe(3);
    machine.reset();
    expect([machine.globals[0], contents(machine)]).toEqual([40, [1, 2, 3, 4]]);
  });

  test('a snapshot brings globals and memory back, as often as one likes', () => {
    const machine = new Machine(built);
    machine.call(bump, []);
    const snapshot = machine.snapshot();
    for (let k = 0; k < 3; k++) {
      machine.call(bump, []);
      machine.call(bump, []);
      expect([machine.globals[0], contents(machine)]).toEqual([43, [43, 2, 3, 4]]);
      machine.restore(snapshot);
      expect([machine.globals[0], contents(machine)]).toEqual([41, [41, 2, 3, 4]]);
    }
  });

  test('each activation has its own automatic objects, which end with it', () => {
    const p = local(0, 'p', pointer);
    const buffer = automatic(0, 'buffer', 4);
    const escape = define(1, {
      name: 'escape',
      variables: [p],
      objects: [buffer],
      result: p,
      lines: () => [{ does: { kind: 'declare', object: buffer } }, assign(p, address(buffer))],
    });
    const machine = new Machine(program({ functions: [escape] }));
    const [first, second] = [machine.call(escape, []), machine.call(escape, [])];
    if (first.kind !== 'returned' || second.kind !== 'returned') throw new Error('both return');
    expect(first.value).not.toBe(second.value);
    expect(machine.memory.isLive(first.value!)).toBe(0);
    expect([...machine.memory.liveBlocks()].map((block) => block.kind)).toEqual(['function']);
  });

  test('too much memory is a limit, an impossible size is null', () => {
    const size = local(0, 'size', uint64);
    const p = local(1, 'p', pointer);
    const grow = define(1, {
      name: 'grow',
      parameters: [size],
      variables: [p],
      result: p,
      lines: () => [{ does: { kind: 'allocate', target: p, size: read(size), zeroed: true, mayFail: false } }],
    });
    const small = program({ functions: [grow] });
    expect(run(small, grow, [1n << 20n], { memoryLimitBytes: 1000 })).toMatchObject({ kind: 'limit', limit: 'memory' });
    expect(run(small, grow, [(1n << 64n) - 1n])).toEqual(returned(0));
    expect(run({ ...small, dataModel: 'ilp32' }, grow, [40_000n])).toMatchObject({ kind: 'limit', limit: 'memory' });
  });
});

describe('environment', () => {
  const asks = define(1, {
    name: 'asks',
    variables: [n, result],
    result,
    lines: () => [
      { does: { kind: 'input', target: n, name: 'nondet' } },
      { does: { kind: 'external', target: result, name: 'sensor', arguments: [read(n)], resultType: int32 } },
    ],
  });
  const twice = define(2, {
    name: 'twice',
    parameters: [n],
    variables: [result],
    result,
    lines: () => [assign(result, binary('add', read(n), read(n)))],
  });
  const built = program({ functions: [asks, twice], externals: ['sensor'] });

  test('inputs are answered and recorded in order, unknown functions included', () => {
    const machine = new Machine(built, { input: (name) => (name === 'nondet' ? 5 : 6) });
    expect(machine.call(asks, [])).toEqual(returned(6));
    expect(machine.inputs.map(({ name, value, function: fn, span }) => [name, value, fn.name, span])).toEqual([
      ['nondet', 5, 'asks', at(1)],
      ['sensor', 6, 'asks', at(2)],
    ]);
  });

  test('a stub answers, may leave it, and may call back', () => {
    const machine: Machine = new Machine(built, {
      input: () => 21,
      external: (name, [value]) => {
        expect(name).toBe('sensor');
        const outcome = machine.call(twice, [value!]);
        return outcome.kind === 'returned' ? outcome.value : 'unknown';
      },
    });
    expect(machine.call(asks, [])).toEqual(returned(42));
    expect(machine.inputs.map(({ name }) => name)).toEqual(['nondet']);
    expect(run(built, asks, [], { input: () => 1, external: () => 'unknown' })).toEqual(returned(1));
  });

  test('the same seed gives the same answers', () => {
    const answers = (seed: number) => {
      const machine = new Machine(built, { seed });
      return Array.from({ length: 20 }, () => machine.call(asks, []));
    };
    expect(answers(1)).toEqual(answers(1));
    expect(answers(1)).not.toEqual(answers(2));
    const machine = new Machine(built);
    const first = machine.call(asks, []);
    machine.reset();
    expect(machine.call(asks, [])).toEqual(first);
  });

  test('an allocation that may fail asks first', () => {
    const p = local(0, 'p', pointer);
    const make = define(1, {
      name: 'make',
      variables: [p],
      result: p,
      lines: () => [{ does: { kind: 'allocate', target: p, size: integer(4, uint64), zeroed: true, mayFail: true } }],
    });
    const allocating = program({ functions: [make] });
    expect(run(allocating, make, [], { input: () => 0 })).toEqual(returned(0));
    expect(run(allocating, make, [])).not.toEqual(returned(0));
  });
});

describe('observation and starting in the middle', () => {
  const head = sum.locations.find(({ label }) => label === 'loop')!;

  test('an observer sees each arrival, entry and exit included', () => {
    const machine = new Machine(both);
    const seen: unknown[] = [];
    machine.observer = {
      locations: new Set([sum.entry, head, sum.exit]),
      visit: (location, activation) => seen.push([location.index, ...activation.locals]),
    };
    machine.call(sum, [2]);
    expect(seen).toEqual([
      [0, 2, 0, 0],
      [2, 2, 0, 1],
      [2, 2, 1, 2],
      [2, 2, 3, 3],
      [5, 2, 3, 3],
    ]);
    machine.observer = undefined;
    machine.call(sum, [2]);
    expect(seen).toHaveLength(5);
  });

  test('a run starts at any location with any locals', () => {
    const machine = new Machine(both);
    const visited: number[] = [];
    machine.observer = { locations: new Set([head]), visit: (_l, { locals }) => visited.push(locals[2] as number) };
    const start: Activation = { fn: sum, location: head, locals: [10, 1000, 9], objects: [] };
    expect(machine.runFrom([start], { depth: 'all' })).toEqual(returned(1019));
    expect(visited).toEqual([10, 11]);
    expect(start.locals).toEqual([10, 1000, 9]);
  });

  test('it ends with the innermost function or goes on in its callers', () => {
    const calling = deep.locations.find(({ label }) => label === 'call')!;
    const pending = (value: number): Activation => ({ fn: deep, location: calling, locals: [value, 0], objects: [] });
    const inner: Activation = { fn: deep, location: deep.entry, locals: [5, 0], objects: [] };
    const machine = new Machine(both);
    expect(machine.runFrom([pending(7), pending(6), inner], { depth: 'function' })).toEqual(returned(5));
    expect(machine.runFrom([pending(7), pending(6), inner], { depth: 'all' })).toEqual(returned(7));
  });
});
