/** The lines of C that tests executed, found by doing again what they did. */
import { environmentOf } from '../../host/hostEnvironment';
import { ModuleInstance } from '../../host/module';
import { replay } from '../../host/replay';
import { loadProgram } from '../../program';
import type { Task } from '../../task';
import type { ExecutedFile } from '../../explanation';
import { ExecutedLines } from './executedLines';

export function executedByTests(tasks: readonly Task[]): readonly (readonly ExecutedFile[])[] {
  return tasks.map(({ files, load, stubs, entries, init, hostEnvironment, runs }) => {
    const program = loadProgram(files, {
      variablesElsewhere: 'unknown',
      ...load,
      externals: load.externals ?? 'error',
      ...(stubs && { stubs }),
    });
    const executed = new ExecutedLines(program);
    for (const run of runs) {
      const instance = new ModuleInstance(program, {
        name: 'module',
        ...(entries && { entry: init === undefined || entries.includes(init) ? entries : [...entries, init] }),
        ...(hostEnvironment && { environment: environmentOf(hostEnvironment) }),
      });
      const calls = replay(instance, run, (machine) => executed.watch(machine));
      while (!calls.next().done) continue;
    }
    return executed.files;
  });
}
