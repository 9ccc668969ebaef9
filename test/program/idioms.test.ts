/** The words of verification papers, used undeclared. */
import { readCText } from '../../src/c';
import { lower } from '../../src/program/lower';

const commandsOf = (text: string, idioms: boolean): string[] => {
  const { units } = readCText(text, 'input.c', { idioms });
  const program = lower(units, { dataModel: 'lp64', externals: 'any', stubs: [], idioms });
  return program.functions.flatMap((fn) => fn.edges.map(({ command }) => (command.kind === 'check' ? command.check : command.kind)));
};
const text = 'int main() { int x = unknown(); assume(x > 0); assert(x != 0); while (nondet()) x++; return x; }';

test('mean what the papers mean', () => {
  const commands = commandsOf(text, true);
  expect(commands.filter((kind) => kind === 'input')).toHaveLength(2);
  expect(commands).toContain('assertion');
  expect(commands).not.toContain('external');
});

test('are undeclared functions where nobody asked for them', () => {
  expect(() => commandsOf(text, false)).toThrow("call of the undeclared function 'unknown'");
});

test('a function of that name that the program declares with parameters, or defines, is its own', () => {
  expect(commandsOf('int unknown(int); int main(void) { return unknown(1); }', true)).toContain('external');
  expect(commandsOf('int unknown(void) { return 1; } int main(void) { return unknown(); }', true)).not.toContain('input');
  expect(commandsOf('int unknown(void); int main(void) { return unknown(); }', false)).toContain('external');
});
