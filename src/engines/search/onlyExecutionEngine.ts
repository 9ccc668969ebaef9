/**
 * A program without inputs is run to its end: the run decides every property.
 */
import { onlyExecution } from '../../evidence/scenarios/onlyExecution';
import type { Scenario } from '../../evidence/scenarios/scenario';
import type { Engine } from '../engine';

/** `steps`: the longest run; `again`: only where a shorter one did not end. */
export const runOnlyExecution = (steps: number, again: 'first' | 'again'): Engine => ({
  name: again === 'first' ? 'only-execution' : 'only-execution:long',
  applies({ program, entries, task: { mode, predicates } }, known) {
    if (mode !== 'program' || entries.length !== 1) return 'only programs have an execution of their own';
    if (program.objects.some(({ leadBytes }) => leadBytes !== undefined)) return 'heads of rings lie elsewhere';
    if (predicates === 'probes') return 'a proof by the probes alone is wanted';
    return again === 'again' && !known.isLong ? 'the execution is not the only one' : undefined;
  },
  async run({ program, entries, checkedProperties }, known, _budget, events) {
    const entry = entries[0]!;
    const started = performance.now();
    const run = onlyExecution(program, entry, checkedProperties, steps);
    events.onTime('execution', (performance.now() - started) / 1000);
    switch (run.kind) {
      case 'harmless':
        return { kind: 'safe', proof: { kind: 'execution', run } };
      case 'fault': {
        // With parameters the search, which passes some, is as quick.
        if (entry.parameters.length > 0) return { kind: 'unknown', reason: undefined, learned: known };
        const scenario: Scenario = { calls: [{ fn: entry, arguments: [] }], answers: run.orders };
        return { kind: 'unsafe', failure: { kind: 'execution', scenario, steps } };
      }
      case 'open':
        return { kind: 'unknown', reason: undefined, learned: { ...known, isLong: run.why === 'steps' } };
    }
  },
});
