/** Names for modules in code to paste: valid, none that a test file has already. */
import fc from 'fast-check';
import { moduleVariable } from '../../../src/host/printing/moduleVariable';
import { reservedWords } from '../../../src/host/printing/reservedWords';

test('after the C file', () => {
  expect(
    [
      ['/a/stack-bug.c'],
      ['ring_buffer.c', 'x.c'],
      ['7seg.c'],
      ['new.c'],
      ['module.c'],
      ['my modüle.c'],
      ['ä.c'],
      ['+.c'],
      [],
    ].map(moduleVariable),
  ).toEqual(['stackBug', 'ring_buffer', 'c7seg', 'cNew', 'cModule', 'myModüle', 'ä', 'c', 'm']);
});

test('is always an identifier', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (name) => {
      const variable = moduleVariable([`${name}.c`]);
      expect(variable).toMatch(/^[\p{ID_Start}_$][\p{ID_Continue}$]*$/u);
      expect(reservedWords.has(variable)).toBe(false);
    }),
  );
});
