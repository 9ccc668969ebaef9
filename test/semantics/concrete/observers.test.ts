/** Law: whoever watches beside others is told what it would be told alone, whatever the others pass over. */
import fc from 'fast-check';
import { addObserver } from '../../../src/semantics/concrete/observers';
import { loadProgram, type Location } from '../../../src/program';
import { Machine } from '../../../src/semantics';
import { file } from '../../engines/task';

const program = loadProgram(
  [
    file(
      'int f(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { if (j & 1) s++; } ' +
        'return s; }',
    ),
  ],
  {},
);
const f = program.functionByName.get('f')!;

/** Told by a counter of its own how many arrivals there were: it adds those that it asked to be passed over. */
function watcher(
  every: number,
  share: number,
): { locations: Location[]; told: string[]; visit: (at: Location) => void; skip: (at: Location) => number } {
  const arrivals = new Map<Location, number>();
  const told: string[] = [];
  return {
    locations: f.locations.filter(({ index }) => index % share === 0),
    told,
    visit: (at) => {
      arrivals.set(at, (arrivals.get(at) ?? 0) + 1);
      told.push(`${at.index}:${arrivals.get(at)}`);
    },
    skip: (at) => {
      const passed = (arrivals.get(at)! * every) % 7;
      arrivals.set(at, arrivals.get(at)! + passed);
      return passed;
    },
  };
}

test('together as alone', () => {
  const asked = fc.array(
    fc.record({ every: fc.integer({ min: 0, max: 6 }), share: fc.integer({ min: 1, max: 3 }), skips: fc.boolean() }),
    { minLength: 1, maxLength: 4 },
  );
  fc.assert(
    fc.property(
      asked,
      fc.integer({ min: 0, max: 25 }),
      fc.constantFrom('reference' as const, 'compiled' as const),
      (watchers, n, execution) => {
        const alone = watchers.map(({ every, share, skips }) => {
          const machine = new Machine(program, { execution });
          const own = watcher(every, share);
          addObserver(machine, own.locations, own.visit, skips ? own.skip : undefined);
          machine.call(f, [n]);
          machine.call(f, [5]);
          return own.told;
        });
        const machine = new Machine(program, { execution });
        const all = watchers.map(({ every, share, skips }) => {
          const own = watcher(every, share);
          addObserver(machine, own.locations, own.visit, skips ? own.skip : undefined);
          return own;
        });
        machine.call(f, [n]);
        machine.call(f, [5]);
        expect(all.map(({ told }) => told)).toEqual(alone);
      },
    ),
  );
});
