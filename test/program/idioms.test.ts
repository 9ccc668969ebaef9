/** The words of verification papers, used undeclared. */
import { readCText } from '../../src/c';
import { lower } from '../../src/program/lower';

const commandsOf = (text: string, idioms: boolean): string[] => {
  const { units } = readCText(text, 'input.c', { idioms });
  const program = lower(units, { dataModel: 'lp64', externals: 'any', stubs: [], idioms });
  return program.functions.flatMap((fn) =>
    fn.edges.map(({ command }) => (command.kind === 'check' ? command.check : command.kind)),
  );
};
const text = 'int main() { int x = unknown(); assume(x > 0); assert(x != 0); while (nondet()) x++; return x; }';

test('mean what the papers mean', () => {
  const commands = commandsOf(text, true);
  expect(commands.filter((kind) => kind === 'input')).toHaveLength(2);
  expect(commands).toContain('assertion');
  expect(commands).not.toContain('external');
});

test('are undeclared functions unless they are asked for', () => {
  expect(() => commandsOf(text, false)).toThrow("call of the undeclared function 'unknown'");
});

test('a function of that name that the program declares with parameters, or defines, is its own', () => {
  expect(commandsOf('int unknown(int); int main(void) { return unknown(1); }', true)).toContain('external');
  expect(commandsOf('int unknown(void) { return 1; } int main(void) { return unknown(); }', true)).not.toContain(
    'input',
  );
  expect(commandsOf('int unknown(void); int main(void) { return unknown(); }', false)).toContain('external');
});

test('an input of structure type is one input per value, unless these are many or overlap a pointer', () => {
  const structure = (members: string): readonly string[] =>
    commandsOf(
      `struct s { ${members} }; struct s nondet_s(void); int main(void) { struct s v = nondet_s(); return 0; }`,
      true,
    ).filter((kind) => kind === 'input');
  expect(structure('int a; char *p; struct { short b[2]; unsigned c : 3; };')).toHaveLength(5);
  expect(structure('union { int a; char b[3]; } u;')).toHaveLength(4);
  expect(() => structure('int a[2000];')).toThrow('nondet_s returns a structure with more than 1024 values');
  expect(() => structure('union { int a; char *p; } u;')).toThrow('pointers in a union');
  expect(() =>
    commandsOf('struct s { int a; }; struct s assume(int); int main(void) { return assume(1).a; }', true),
  ).toThrow('assume has a meaning here that returns no structure');
});
