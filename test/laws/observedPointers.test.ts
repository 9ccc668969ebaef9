/**
 * Questions about objects behind pointers have the same answers in compiled code as on the reference machine: for
 * pointers that are null, dangling, out of bounds or to objects of every kind, whoever made and ended them.
 */
import * as E from '../../src/program/build';
import { int64, uint8, type Expression } from '../../src/program/expression';
import { loadProgram, type Location } from '../../src/program';
import type { ObservedPredicates } from '../../src/semantics';
import { recordedStates } from '../differential/recordedStates';
import { file } from '../engines/task';

const text = `
  #include <stdlib.h>
  static const char fixed[] = "abc";
  static int kept[3];
  static int *inner(void) { int gone[2] = {1, 2}; int *p = gone; return p; }
  int run(int n) {
    const unsigned char *p = NULL;
    unsigned char *block = NULL, *zeros = NULL;
    int local = 5;
    for (int i = 0; i < n; i++) {
      switch (i % 9) {
      case 0: p = NULL; break;
      case 1: free(block); block = malloc(3 + i % 4); if (!block) return 1; block[0] = i; p = block; break;
      case 2: p = block + 2; break;
      case 3: free(block); block = NULL; break;
      case 4: free(zeros); zeros = calloc(i, 1); if (!zeros) return 1; p = zeros + i; break;
      case 5: p = (const unsigned char *)fixed + 1; break;
      case 6: p = (const unsigned char *)&local; break;
      case 7: p = (const unsigned char *)inner(); break;
      default: p = (const unsigned char *)(kept + i % 4); break;
      }
    }
    free(block);
    free(zeros);
    return 0;
  }`;

test.each(['lp64', 'ilp32'] as const)('%s: at a loop head, of a pointer that leads anywhere', (dataModel) => {
  const program = loadProgram([file(text)], { externals: 'any', dataModel });
  const run = program.functionByName.get('run')!;
  const pointers = run.variables.filter(({ type, temporary }) => type.kind === 'pointer' && !temporary);
  const conditions = pointers.flatMap((variable): Expression[] => {
    const p = E.read(variable);
    const size = (n: number) => E.integer(n, int64);
    return [
      E.isLive(p),
      E.isHeap(p),
      E.isWritable(p),
      E.isInitialised(p, 1),
      E.less(E.objectSize(p), size(4)),
      E.equal(E.objectSize(p), size(8)),
      E.equal(E.objectSize(p), size(0)),
      E.equal(E.load(uint8, p), E.zero(uint8)),
      E.equal(E.load(uint8, E.offset(p, size(2))), E.zero(uint8)),
    ];
  });
  const observed = new Map<Location, ObservedPredicates>(
    run.locations
      .filter((location) => location.isLoopHead || location === run.entry)
      .map((location) => [location, { conditions, perEntry: true }]),
  );
  const [every, inPlace] = (['every arrival', 'in place'] as const).map((how) =>
    recordedStates(program, observed, how, (machine) => machine.call(run, [200]), { properties: new Set() }),
  );
  expect(inPlace!.outcome.kind).toBe('returned');
  expect(inPlace!.states).toEqual(every!.states);
  expect(every!.states.length).toBeGreaterThan(10);
  expect(inPlace!.machine.compiledSteps).toBeGreaterThan(1000);
  expect(inPlace!.reports).toBeLessThan(every!.reports);
});
