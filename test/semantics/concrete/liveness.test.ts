/** Local variables that may be read before they are written. */
import { loadProgram } from '../../../src/program';
import { unsetWhenRead } from '../../../src/semantics/concrete/liveness';
import { file } from '../../engines/task';

const unset = (text: string): string[] => {
  const program = loadProgram([file(`#include <stdlib.h>\n${text}`)], { externals: 'any' });
  return [...unsetWhenRead(program.functionByName.get('f')!)].map(({ name }) => name);
};

test.each([
  ['int f(int n) { int k = 1; if (n) k = 2; return k; }', []],
  ['int f(int n) { if (n) exit(1); return 2; }', []],
  ['int f(int n) { int k; if (n) exit(1); else k = 1; return k; }', []],
])('%s', (text, names) => {
  expect(unset(text)).toEqual(names);
});
