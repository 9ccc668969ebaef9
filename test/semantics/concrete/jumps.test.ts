/** `longjmp` where it cannot go; where it can is compared with gcc in `differential/programs/jumps.c`. */
import { callC, programOf } from '../cPrograms';
import { Machine } from '../../../src/semantics';

const header = '#include <setjmp.h>\nstatic jmp_buf place;\n';

test.each([
  ['never set', 'int main(void) { longjmp(place, 1); }'],
  [
    'set by a function that has returned',
    'static void remember(void) { setjmp(place); } int main(void) { remember(); longjmp(place, 1); }',
  ],
  [
    'set by another activation of the same function',
    'static void f(int n) { if (n == 0) setjmp(place); else longjmp(place, 1); } ' +
      'int main(void) { f(0); f(1); return 0; }',
  ],
])('a place that was %s', (_what, text) => {
  expect(callC(header + text, 'main')).toMatchObject({
    kind: 'fault',
    fault: {
      check: 'invalid-call',
      message: expect.stringMatching(/^longjmp to a place that no 'setjmp' has remembered/) as string,
    },
  });
});

test('one call ends, the next begins: the place of the first is gone', () => {
  const program = programOf(`${header}void first(void) { setjmp(place); }\nvoid second(void) { longjmp(place, 1); }`);
  const machine = new Machine(program);
  expect(machine.call(program.functionByName.get('first')!, [])).toEqual({ kind: 'returned', value: undefined });
  expect(machine.call(program.functionByName.get('second')!, [])).toMatchObject({
    kind: 'fault',
    fault: { check: 'invalid-call' },
  });
});

test('objects of the activations that are left end with them', () => {
  const text =
    `${header}int *left;\nstatic void leave(void) { int gone = 1; left = &gone; longjmp(place, 1); }\n` +
    'int main(void) { if (!setjmp(place)) leave(); return *left; }';
  expect(callC(text, 'main')).toMatchObject({ kind: 'fault', fault: { check: 'dereference' } });
});
