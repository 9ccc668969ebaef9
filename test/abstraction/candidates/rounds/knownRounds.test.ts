/** Loops that count from one number to another, and those whose rounds nothing in the program says. */
import { knownRounds } from '../../../../src/abstraction/candidates/rounds/knownRounds';
import { programOf } from '../../../semantics/cPrograms';
import { programSystem } from '../../programSystem';

function roundsOf(loop: string): readonly bigint[] {
  const program = programOf(`
    int input(void);
    int main(void) { int n = input(); int i, j = 0; unsigned u; ${loop} return j; }
  `);
  const main = program.functionByName.get('main')!;
  return [...knownRounds(programSystem(program, main)).values()];
}

test.each([
  ['for (i = 0; i < 1000; i++) j += n;', [1000n]],
  ['for (i = 5; i <= 14; i++) j += n;', [10n]],
  ['for (i = 0; i < 1000; i += 3) j += n;', [334n]],
  ['for (i = 1000; i > 0; i -= 4) j += n;', [250n]],
  ['for (u = 0; u < 3000000000; u++) j += n;', [3_000_000_000n]],
  ['for (i = 0, u = 0; i < 1000 && u < 10; i++, u++) j += n;', [10n]],
  ['for (i = 9; i < 3; i++) j += n;', [0n]],
])('%s', (loop, expected) => {
  expect(roundsOf(loop)).toEqual(expected);
});

test.each(['for (i = n; i < 1000; i++) j += n;', 'while (input()) j += n;', 'for (i = 0; i < 10; i += n) j++;'])(
  'nothing says how often: %s',
  (loop) => {
    expect(roundsOf(loop)).toEqual([]);
  },
);
