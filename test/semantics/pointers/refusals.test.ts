/** Results by which a function says that it has set up nothing. */
import { Budget } from '../../../src/budget';
import type { CType } from '../../../src/c/types';
import { Problem } from '../../../src/engines/problem';
import { type Argument, runScenario } from '../../../src/evidence/scenarios/scenario';
import { loadProgram } from '../../../src/program';
import { recordBehind } from '../../../src/semantics/pointers/initialisers';
import { refusal } from '../../../src/semantics/pointers/refusals';
import { file, task } from '../../engines/task';

const results = [-2, -1, 0, 1];
const refused = (body: string, type = 'int'): readonly number[] => {
  const text = `struct s { int a, b; };\n${type} set(struct s *s, int n) { ${body} }`;
  const fn = loadProgram([file(text)], {}).functionByName.get('set')!;
  return results.filter((result) => refusal(fn, result) === 'before any write');
};

test.each([
  ['an error code before anything is written', 'if (n < 0) return -1; s->a = n; return 0;', [-1]],
  [
    'two of them, one beside a loop',
    'while (n > 9) n--; if (n < 0) return -1; if (!s) return -2; s->a = n; return 1;',
    [-2, -1],
  ],
  ['0 where 1 is success', 'if (n < 0) return 0; s->a = n; return 1;', [0]],
  ['the same code after a write, too: none', 'if (n < 0) return -1; s->a = n; return n > 5 ? 0 : -1;', []],
  ['a result that is computed: none', 'if (n < 0) return -1; s->a = n; return n;', []],
  ['nothing is ever written: none', 'return n < 0 ? -1 : 0;', []],
])('%s', (_, body, expected) => expect(refused(body)).toEqual(expected));

test.each([
  ['negative results, beside 0', 'int', 's->a = 0; if (n < 0) return -1; s->b = n; return 0;', [-2, -1]],
  ['also computed ones', 'int', 's->a = 0; if (n < 0) return n; s->b = n; return 0;', [-2, -1]],
  ['not where 0 is no result', 'int', 's->a = 0; if (n < 0) return -1; s->b = n; return 1;', []],
  ['false beside true', '_Bool', 's->a = 0; if (n < 0) return 0; s->b = n; return 1;', [0]],
  ['not where true is no result', '_Bool', 's->a = 0; return 0;', []],
])('by convention: %s', (_, type, body, expected) => {
  const text = `struct s { int a, b; };\n${type} set(struct s *s, int n) { ${body} }`;
  const fn = loadProgram([file(text)], {}).functionByName.get('set')!;
  expect(results.filter((result) => refusal(fn, result) === 'by convention')).toEqual(expected);
});

test('unsigned results are compared by their bits', () =>
  expect(refused('if (n < 0) return -1; s->a = n; return 0;', 'unsigned char')).toEqual([-1]));

const ring = `
#include <stddef.h>
struct ring { int *at; unsigned size; };
int ring_init(struct ring *r, int *at, unsigned size) {
  if (at == NULL || size == 0) return -1;
  r->at = at; r->size = size;
  return 0;
}
unsigned ring_left(const struct ring *r) { return 100u / r->size; }`;

test.each([
  ['no client goes on with what was refused', [0], undefined],
  ['what was set up stays so when a later call refuses', [4, 0], 'returned'],
  ['what was refused at first may be set up later', [0, 4], 'returned'],
])('%s', async (_, sizes, expected) => {
  const initialisedBy = [{ type: 'struct ring', functions: ['ring_init'] }];
  const budget = Budget.start({ milliseconds: 60_000 });
  const problem = Problem.examine(task(file(ring), { initialisedBy }), budget, {});
  const { program } = problem;
  const [init, left] = ['ring_init', 'ring_left'].map((name) => program.functionByName.get(name)!);
  const record = recordBehind(init!.parameters[0]!)!;
  const first: Argument = { kind: 'object', type: { kind: 'record', record }, contents: {} };
  const int: CType = { kind: 'integer', name: 'int', widthBits: 32, signed: true };
  const room: Argument = { kind: 'object', type: { kind: 'array', of: int, length: 4 }, contents: [] };
  const again: Argument = { kind: 'earlier', call: 0, argument: 0 };
  const calls = [
    ...sizes.map((size, at) => ({
      fn: init!,
      arguments: [at === 0 ? first : again, room, { kind: 'scalar' as const, value: size }],
    })),
    { fn: left!, arguments: [again] },
  ];
  const run = runScenario(program, { calls, answers: [] }, problem.scenarioOptions());
  await problem.solvers.close();
  expect(run?.outcome.kind).toBe(expected);
});
