/** What a test did, as steps: of the log, which names pointers by the machine's numbers. */
import { TestSteps } from '../../../src/evidence/scenarios/operations';
import { formatStep } from '../../../src/report/step';
import { programOf } from '../../program/programOf';

test('a returned pointer has a name only where it is passed on; a pointer that no call returned is unknown', () => {
  const told = new TestSteps(
    programOf('struct s; struct s *make(void); int use(struct s *p, int *n); int f(void) { return 0; }', {
      externals: 'any',
    }),
  );
  const call = (name: string, ...args: Parameters<TestSteps['result']>[0][]): void =>
    told.add({ kind: 'call', function: name, arguments: args, answers: [] });
  call('make');
  told.result({ object: 40, offset: 0 });
  told.add({ kind: 'allocate', type: 'int', bytes: '07000000' });
  call('make');
  told.result({ object: 41, offset: 8 });
  call('use', { object: 41, offset: 8 }, { allocation: 0, offset: 0 });
  told.result({ integer: '3' });
  call('use', { object: 41, offset: 0 }, { object: 0, offset: 0 });
  call('use', { object: 41, offset: 8 }, { object: 0, offset: 0 });
  expect(told.steps.map((step) => formatStep(step, told.steps))).toEqual([
    'make()',
    'object1 = a new int holding 7',
    'result2 = make()',
    'use(result2, object1)',
    'use(NULL, NULL)',
    'use(result2, NULL)',
  ]);
});
