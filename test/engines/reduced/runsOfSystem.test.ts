/** Random executions of a transition system: data from which invariants are guessed. */
import type { Samples } from '../../../src/abstraction/candidates/samples';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { sampleRuns } from '../../../src/engines/reduced/runsOfSystem';
import type { SymbolTerm, Value } from '../../../src/logic/term';
import { loadProgram } from '../../../src/program';
import { FreshSymbols } from '../../../src/semantics/symbolic/symbolicValues';
import { file } from '../task';

test('each symbol has a value at each point, also of a variable that is not in scope there', () => {
  const program = loadProgram(
    [
      file(`
        extern unsigned nondet_uint(void);
        union word { int *p; unsigned long w; };
        static int flipped(int *x, unsigned n) {
          for (unsigned i = 0; i < n; i++) { union word u; u.p = x; u.w ^= 0; *u.p = 7; }
          return *x;
        }
        int main(void) { int one = 1; return flipped(&one, nondet_uint() % 3); }`),
    ],
    { externals: 'any' },
  );
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'program',
    entries: [program.functionByName.get('main')!],
    checkedProperties: new Set(),
  });
  const seen = new Set<string>();
  const samples = {
    begin: () => undefined,
    recordState: ({ fn, kind }: (typeof system.points)[number], value: (symbol: SymbolTerm) => Value) => {
      const { vocabulary } = system;
      for (const [symbol] of vocabulary.binding(fn, vocabulary.arbitraryState(fn, new FreshSymbols('any'))))
        if (symbol.kind === 'symbol') expect(value(symbol)).toBeDefined();
      seen.add(`${fn.name} ${kind}`);
    },
  };
  sampleRuns(system, samples as unknown as Samples, [0n, 1n], 1);
  expect(seen).toContain('flipped loop');
});
