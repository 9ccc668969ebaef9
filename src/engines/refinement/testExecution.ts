/** Test of the module as an execution of the forest. It ends where the test leaves what a client may do. */
import type { Ending, RepeatableExecution } from '../../abstraction/partition/forest';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import type { ScenarioOptions } from '../../evidence/scenarios/scenario';
import type { ModuleInstance } from '../../host/module';
import type { Operation } from '../../host/operation';
import { isChecked } from '../../program/command';
import type { FunctionDefinition } from '../../program/program';
import type { Machine } from '../../semantics/concrete/machine';

export class TestExecution implements RepeatableExecution {
  constructor(
    private readonly operations: readonly Operation[],
    private readonly instance: () => ModuleInstance,
    private readonly entries: readonly FunctionDefinition[],
    private readonly options: Pick<ScenarioOptions, 'init' | 'permits' | 'checkedProperties'>,
  ) {}

  run(watch: (machine: Machine) => void, between: (machine: Machine) => void): Ending {
    const { init, permits, checkedProperties } = this.options;
    const instance = this.instance();
    const { machine } = instance;
    let calls = 0;
    for (const operation of this.operations) {
      if (leavesTheClient(operation, instance.program)) return { kind: 'cut' };
      if (operation.kind !== 'call') {
        instance.redo(operation);
        continue;
      }
      const fn = instance.program.functionByName.get(operation.function);
      if (!fn || (calls === 0 && init ? fn !== init : !this.entries.includes(fn))) return { kind: 'cut' };
      if (!permits(fn, instance.argumentsOf(operation), machine)) return { kind: 'cut' };
      calls++;
      watch(machine);
      between(machine);
      const outcome = instance.redo(operation);
      if (outcome?.kind === 'fault')
        return isChecked(outcome.fault.command, checkedProperties)
          ? { kind: 'fault', fault: outcome.fault }
          : { kind: 'cut' };
      if (outcome && outcome.kind !== 'returned') return { kind: outcome.kind === 'limit' ? 'cut' : 'ended' };
    }
    between(machine);
    return { kind: 'ended' };
  }
}
