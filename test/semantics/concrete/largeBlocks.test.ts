/** Contents of large blocks before they are written, by reference and by compiled code. */
import { Machine, type MachineOptions } from '../../../src/semantics/concrete/machine';
import { programOf } from '../cPrograms';

/** Reads a block of n bytes that was given out after another one of that size was written and freed. */
const text = `
  #include <stdlib.h>
  unsigned hash(int n) {
    char *before = malloc(n);
    for (int i = 0; i < n; i++) before[i] = 1;
    free(before);
    unsigned char *p = malloc(n);
    unsigned sum = 0;
    for (int i = 0; i < n; i++) sum = sum * 31 + p[i];
    free(p);
    return sum;
  }
  int last(int n) { unsigned char *p = malloc(n); int c = p[n - 1]; free(p); return c; }
  int zeros(int n) {
    unsigned char *p = malloc(n);
    int count = 0;
    for (int i = 0; i < n; i++) count += !p[i];
    free(p);
    return count;
  }
`;

const run = (name: string, n: number, execution: NonNullable<MachineOptions['execution']>): unknown => {
  const program = programOf(text);
  const machine = new Machine(program, { execution, properties: new Set() });
  const outcome = machine.call(program.functionByName.get(name)!, [n]);
  return outcome.kind === 'returned' ? outcome.value : outcome;
};

test.each([60, 5_000, 65_536, 65_537, 300_001])('are the same by either: %d bytes', (n) => {
  const expected = run('hash', n, 'reference');
  expect(typeof expected).toBe('number');
  expect(run('hash', n, 'compiled')).toBe(expected);
  expect(run('hash', n, 'tiered')).toBe(expected);
});

test.each(['reference', 'compiled'] as const)('are pseudo-random at the beginning alone (%s)', (execution) => {
  expect(run('zeros', 65_536, execution)).toBeLessThan(1_000);
  expect(run('zeros', 300_000, execution)).toBeGreaterThan(300_000 - 65_536);
  expect(run('last', 300_000, execution)).toBe(0);
});
