import fc from 'fast-check';
import { int32, int64 } from '../../../src/program/expression';
import { pointerTo } from '../../../src/semantics/concrete/concreteValues';
import { Machine } from '../../../src/semantics/concrete/machine';
import { programOf } from '../cPrograms';

/** Two objects that begin with other bytes than zeros, and one of zeros; each is large. */
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
];

test.each(['reference', 'tiered', 'compiled'] as const)(
  'large objects begin as written in each execution (%s)',
  (execution) => {
    const program = programOf(text);
    const machine = new Machine(program, { execution });
    const contents = (): string =>
      program.objects
        .filter(({ sizeBytes }) => sizeBytes > 1_000_000)
        .map(({ number }) => Buffer.from(machine.memory.block(pointerTo(number))!.bytes).toString('base64'))
        .join();
    machine.reset();
    const initial = contents();
    fc.assert(
      fc.property(actions, (todo) => {
        let saved: { readonly snapshot: ReturnType<Machine['snapshot']>; readonly contents: string } | undefined;
        machine.reset();
        for (const { name, args } of [...todo, { name: 'reset', args: [] } as const]) {
          const second = program.objects.find((object) => object.name === 'second')!.number;
          if (name === 'reset') {
            machine.reset();
            expect(contents() === initial).toBe(true);
          } else if (name === 'snapshot') {
            saved = { snapshot: machine.snapshot(), contents: contents() };
          } else if (name === 'restore') {
            if (!saved) continue;
            machine.restore(saved.snapshot);
            expect(contents() === saved.contents).toBe(true);
          } else if (name === 'store') {
            machine.memory.store(pointerTo(second, args[0]!), int64, -1n);
          } else if (name === 'host') {
            machine.memory.ownedBlock(pointerTo(second))!.bytes[args[0]!] = 9;
            machine.memory.store(pointerTo(second, 4), int32, 5);
          } else {
            expect(machine.call(program.functionByName.get(name)!, args).kind).toBe('returned');
          }
        }
      }),
      { numRuns: 25, examples: [[savedBeforeReset]] },
    );
  },
);
