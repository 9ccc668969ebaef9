/** Small C programs as text, for tests of the machine. */
import { readCText, readLibraryUnit } from '../../src/c';
import { lower, type Program } from '../../src/program';
import { Machine, type ConcreteValue, type MachineOptions, type RunOutcome } from '../../src/semantics';

export function programOf(text: string, externals: 'error' | 'any' = 'any'): Program {
  return lower(readCText(text, 'test.c').units, {
    dataModel: 'lp64',
    externals,
    stubs: [],
    libraryUnit: (name) => readLibraryUnit(name),
  });
}

export function callC(
  text: string,
  name: string,
  args: readonly ConcreteValue[] = [],
  options: MachineOptions = {},
): RunOutcome {
  const program = programOf(text);
  return new Machine(program, options).call(program.functionByName.get(name)!, args);
}
