/** What a verdict is relative to comes from the program, too. */
import { assumptionsOf } from '../../../src/engines/assumptions/assumptions';
import { loadProgram } from '../../../src/program';
import type { Property } from '../../../src/program/command';
import { file, task } from '../task';

const check = (text: string, properties: readonly Property[] = []): readonly string[] => {
  const path = file(text);
  return assumptionsOf({
    program: loadProgram([path]),
    task: task(path),
    entries: [],
    init: undefined,
    checkedProperties: new Set(properties),
    regions: undefined,
    clientSlots: undefined,
  });
};

test('what the front end takes for granted is listed once', () => {
  const kept = 'outputs of empty inline assembler keep the value that they have in memory';
  expect(
    check('void f(int *p) { asm("" : "=m" (*p)); asm("" : "=m" (p[1]) : "m" (p[1])); }').filter(
      (line) => line === kept,
    ),
  ).toHaveLength(1);
  expect(check('void f(int *p) { asm("" : "+m" (*p)); asm("" :: "m" (*p)); }')).not.toContain(kept);
});

test('that instructions change nothing but their outputs is an assumption', () => {
  const said = 'inline assembler changes nothing but its outputs, which have any value then';
  expect(check('int f(void) { int x; asm("rbit %0, %0" : "=r" (x)); return x; }')).toContain(said);
  expect(check('asm(".globl f"); int f(void) { return 1; }')).toContain(said);
  expect(check('int f(int x) { asm("" : "+r" (x)); return x; }')).not.toContain(said);
});

test('rounding of floating point is an assumption, for variables and for elements', () => {
  const said = 'floating point is that of IEEE 754, rounded to nearest, every operation by itself';
  expect(check('float f(float x) { return x; }')).toContain(said);
  expect(check('static double a[3];\nvoid f(void) { a[0] = a[1] + a[2]; }')).toContain(said);
  expect(check('static int a[3];\nvoid f(void) { a[0] = a[1] + a[2]; }')).not.toContain(said);
});

test('realloc to zero bytes is an assumption where the size may be zero', () => {
  const said = "realloc for no bytes frees the block and gives null, as glibc's";
  expect(check('#include <stdlib.h>\nvoid *f(void *p, int n) { return realloc(p, n); }')).toContain(said);
  expect(check('#include <stdlib.h>\nvoid *f(void *p) { return realloc(p, 8); }')).not.toContain(said);
});

test('bit-fields of one unit count as one where uninitialised reads are checked', () => {
  const said = 'a bit-field counts as written when one beside it was';
  const text = 'struct s { unsigned a : 3, b : 5; };\nunsigned f(struct s *p) { return p->a; }';
  expect(check(text, ['uninitialised'])).toContain(said);
  expect(check(text)).not.toContain(said);
});

test('a program that handles signals has an assumption about their senders', () => {
  const said = 'signals are sent by raise alone';
  expect(
    check(
      '#include <signal.h>\nstatic void stop(int number) { (void)number; }\nvoid f(void) { signal(SIGINT, stop); }',
    ),
  ).toContain(said);
  expect(check('#include <signal.h>\nvoid f(void) { raise(SIGINT); }')).not.toContain(said);
});

test('a module that registers functions with atexit has an assumption about the end of the program', () => {
  const said =
    'what is registered with atexit is called where the module calls exit, and at no other end of the program';
  expect(check('#include <stdlib.h>\nstatic void flush(void) {}\nvoid f(void) { atexit(flush); }')).toContain(said);
  expect(check('#include <stdlib.h>\nvoid f(void) { exit(1); }')).not.toContain(said);
});
