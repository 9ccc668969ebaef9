/** Assumptions about a client's pointer that may lead to many places are candidates as they are. */
import { assumptionsAt } from '../../../src/abstraction/candidates/clientAssumptions';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { loadProgram } from '../../../src/program';
import { file } from '../../engines/task';

function countFor(arrays: number): number {
  const names = Array.from({ length: arrays }, (_, i) => `a${i}`);
  const cases = names.map((name, i) => `if (of == ${i} && i >= 0 && i < 9) return &${name}[i];`);
  const text = `
static int ${names.map((name) => `${name}[9]`).join(', ')};
int *place(int i, int of) { ${cases.join(' ')} return 0; }
int first(int *p) { int s = 0; for (int i = 0; i < 3; i++) s += place(i, 0) == p; return s; }`;
  const program = loadProgram([file(text)], {});
  const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['memsafety'] as const),
  });
  return Math.max(
    ...system.points.filter(({ fn }) => fn.name === 'first').map((point) => assumptionsAt(point, system).length),
  );
}

test('few places are told apart, many are not', () => {
  expect(countFor(1)).toBeGreaterThan(1);
  expect(countFor(30)).toBeLessThanOrEqual(countFor(1) + 64);
});
