/** Calls of a program one after the other, to compare two programs that are to do the same. */
import type { Program } from '../../../src/program';
import { Machine } from '../../../src/semantics';
import type { MachineOptions } from '../../../src/semantics/concrete/machine';

/** The results up to the first call that fails, whose message is the last one; `failed` gets the check. */
export function resultsOf(
  program: Program,
  calls: readonly (readonly [string, ...number[]])[],
  failed: (check: string) => void,
  options: MachineOptions = {},
): readonly string[] {
  const machine = new Machine(program, { stepLimit: 20_000, ...options });
  const results: string[] = [];
  for (const [name, ...values] of calls) {
    const outcome = machine.call(program.functionByName.get(name)!, values);
    if (outcome.kind === 'returned') {
      results.push(String(outcome.value));
      continue;
    }
    if (outcome.kind === 'fault') failed(outcome.fault.check);
    return [
      ...results,
      outcome.kind === 'fault' ? `${outcome.fault.message} ${outcome.fault.span.start}` : outcome.kind,
    ];
  }
  return results;
}
