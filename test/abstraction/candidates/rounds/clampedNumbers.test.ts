/** What limits a number before a loop is a candidate there, also where it is computed from members. */
import { clampedNumbers } from '../../../../src/abstraction/candidates/rounds/clampedNumbers';
import { printTerm } from '../../../../src/abstraction/printing/printTerm';
import { plainOptions, TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { programOf } from '../../../program/programOf';

/** Candidates at the loop of a function that writes `n` numbers behind those of a buffer. */
function candidates(parameters: string, before: string): readonly string[] {
  const program = programOf(
    'struct buffer { int *at; unsigned long size, length; };' +
      `void add(struct buffer *b, const int *from, ${parameters}) { ${before} ` +
      'for (unsigned long i = 0; i < n; i++) b->at[b->length + i] = from[i]; }',
  );
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: [program.functionByName.get('add')!],
    checkedProperties: new Set(['memsafety', 'overflow']),
  });
  const [loop] = system.points.filter(({ kind }) => kind === 'loop');
  return (clampedNumbers(system).get(loop!) ?? []).map((term) => printTerm(term, system.vocabulary));
}

const size = 'unsigned long n';

test.each([
  [
    'by what is left',
    size,
    'unsigned long room = b->size - b->length; if (n > room) n = room;',
    ['n <= b->size - b->length'],
  ],
  ['from below', `${size}, unsigned long least`, 'if (n < least) n = least;', ['least <= n']],
  ['with a sign', 'long n, long most', 'n = most < n ? most : n;', ['n <= most']],
  ['by a number that changes then', size, 'if (n > b->size) n = b->size; b->size = 7;', []],
  ['not at all', size, 'if (n > b->size) n = b->length;', []],
])('limited %s', (_, parameters, before, expected) => {
  expect(candidates(parameters, before)).toEqual(expected);
});
