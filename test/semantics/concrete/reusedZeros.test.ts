import fc from 'fast-check';
import { int64 } from '../../../src/program/expression';
import { pointerTo } from '../../../src/semantics/concrete/concreteValues';
import { Machine } from '../../../src/semantics/concrete/machine';
import { programOf } from '../cPrograms';

/** Large objects: one begins with other bytes than zeros. */
const text = `
  #include <string.h>
  int first[600000] = { 1, 2, 3 };
  int second[600000];
  char third[2000000];
  int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s += first[i] + second[i] + third[i]; return s; }
  void set(int i, int v) { second[i] = v; }
  void copy(int from, int to, int n) { memmove(third + to, third + from, n); }
  void fill(int at, int n) { memset(third + at, 7, n); }
  void many(int n) { for (int i = 0; i < n; i++) { second[i] = i; first[i]++; } }
`;

type Action =
  | { readonly name: 'set' | 'copy' | 'fill' | 'many'; readonly args: readonly number[] }
  | { readonly name: 'store' | 'reset' | 'snapshot' | 'restore' | 'host'; readonly args: readonly number[] };

const place = fc.nat(599_000);
const actions = fc.array(
  fc.oneof(
    fc.tuple(place, fc.nat(9)).map((args): Action => ({ name: 'set', args })),
    fc.tuple(place, place, fc.nat(200_000)).map((args): Action => ({ name: 'copy', args })),
    fc.tuple(place, fc.nat(200_000)).map((args): Action => ({ name: 'fill', args })),
    fc.tuple(fc.constant(3000)).map((args): Action => ({ name: 'many', args })),
    fc.tuple(place).map((args): Action => ({ name: 'store', args })),
    fc.tuple(place).map((args): Action => ({ name: 'host', args })),
    fc.constantFrom<Action>({ name: 'reset', args: [] }, { name: 'snapshot', args: [] }, { name: 'restore', args: [] }),
  ),
  { maxLength: 12 },
);

const savedBeforeReset: Action[] = [
  { name: 'fill', args: [5, 100] },
  { name: 'snapshot', args: [] },
  { name: 'reset', args: [] },
  { name: 'restore', args: [] },
  { name: 'set', args: [300_000, 4] },
  { name: 'restore', args: [] },
  { name: 'many', args: [3000] },
];

test.each(['reference', 'tiered', 'compiled'] as const)('large objects hold what was written (%s)', (execution) => {
  const program = programOf(text);
  const large = program.objects.filter(({ sizeBytes }) => sizeBytes > 1_000_000).map(({ number }) => number);
  const second = program.objects.find((object) => object.name === 'second')!.number;
  const machine = new Machine(program, { execution });
  /** Its bytes are never used again. */
  const plain = new Machine(program, { execution });
  const contents = (one: Machine): Uint8Array[] => large.map((number) => one.memory.block(pointerTo(number))!.bytes);
  const isSame = (some: readonly Uint8Array[], others: readonly Uint8Array[]): boolean =>
    some.every((bytes, i) => Buffer.compare(bytes, others[i]!) === 0);
  machine.reset();
  const initial = contents(machine).map((bytes) => bytes.slice());
  fc.assert(
    fc.property(actions, (chosen) => {
      let saved: { readonly machine: Machine; readonly snapshot: ReturnType<Machine['snapshot']> }[] = [];
      for (const each of [machine, plain]) each.reset();
      for (const { name, args } of [...chosen, { name: 'reset', args: [] } as const]) {
        for (const number of large) plain.memory.ownedBlock(pointerTo(number));
        for (const each of [machine, plain]) {
          if (name === 'reset') each.reset();
          else if (name === 'restore')
            each.restore(saved.find((one) => one.machine === each)?.snapshot ?? each.snapshot());
          else if (name === 'store') each.memory.store(pointerTo(second, args[0]!), int64, -1n);
          else if (name === 'host') each.memory.ownedBlock(pointerTo(second))!.bytes[args[0]!] = 9;
          else if (name !== 'snapshot')
            expect(each.call(program.functionByName.get(name)!, args).kind).toBe('returned');
        }
        if (name === 'snapshot') saved = [machine, plain].map((each) => ({ machine: each, snapshot: each.snapshot() }));
        if (name === 'reset') expect(isSame(contents(machine), initial)).toBe(true);
        expect(isSame(contents(machine), contents(plain))).toBe(true);
      }
    }),
    { numRuns: 12, examples: [[savedBeforeReset]] },
  );
});
