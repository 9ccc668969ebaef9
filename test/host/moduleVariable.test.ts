/** Names for modules in code to paste: valid, none that a test file has already. */
import fc from 'fast-check';
import { moduleVariable } from '../../src/host/moduleVariable';
import { reservedWords } from '../../src/host/reservedWords';

test('after the C file', () => {
  expect([['/a/stack-bug.c'], ['ring_buffer.c', 'x.c'], ['7seg.c'], ['new.c'], ['module.c'], ['ä.c'], []].map(moduleVariable)).toEqual(['stackBug', 'ring_buffer', 'c7seg', 'cNew', 'cModule', 'c', 'm']);
});

test('is always an identifier', () => {
  fc.assert(fc.property(fc.string(), (name) => {
    const variable = moduleVariable([`${name}.c`]);
    expect(variable).toMatch(/^[A-Za-z_$][\w$]*$/);
    expect(reservedWords.has(variable)).toBe(false);
  }));
});
