/** What a verdict says of the way to it. */
import { Account } from '../../../src/engines/portfolio/findings';
import type { Setting } from '../../../src/engines/portfolio/context';
import { loadProgram } from '../../../src/program';
import { file, task } from '../task';

const account = (adequacy: boolean): Account => {
  const program = loadProgram([file('int f(void) { return 1; }')]);
  const setting: Partial<Setting> = {
    task: task('f.c', { adequacy }),
    program,
    entries: program.functions,
    init: undefined,
    inForce: new Set(),
    initialisers: new Map(),
    began: 0,
    solver: { statistics: { queries: 0, milliseconds: 0 } } as Setting['solver'],
  };
  const made = new Account(setting as Setting);
  made.remarks.add('what somebody should know');
  made.difficulties.add('what went wrong');
  return made;
};

test('an answer stands without what went wrong on the way, where none was found it is said', () => {
  expect(account(false).common().remarks).toEqual(['what somebody should know']);
  expect(account(false).unknown({ cause: 'time-budget', message: '' }).remarks).toEqual([
    'what somebody should know',
    'what went wrong',
  ]);
});

test('it is said, too, where abstract states are counted, which may be more by it', () => {
  expect(account(true).common().remarks).toEqual(['what somebody should know', 'what went wrong']);
});
