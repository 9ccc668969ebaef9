/**
 * An alarm in the first segment of an entry function is a client's call: the model's arguments and inputs, from the
 * initial state, may fail by themselves.
 */
import { scalarOf } from '../../abstraction/transitionSystem/concreteView';
import { faultOf, runScenario, type Argument, type Scenario } from '../../evidence/scenarios/scenario';
import { isPointer, number } from '../../semantics/symbolic/symbolicValues';
import type { Engine } from '../engine';
import type { Problem } from '../problem';
import type { Alarm } from '../testBasedAbstraction/testBasedAbstraction';

const limits = {
  replaySteps: 200_000,
} as const;

export const replayAlarms: Engine = {
  name: 'replay-alarms',
  applies: (_, { alarms }) => (alarms.length === 0 ? 'there is no alarm' : undefined),
  async run(problem, known) {
    const options = { ...problem.scenarioOptions(), stepLimit: limits.replaySteps };
    const scenario = known.alarms
      .map((alarm) => scenarioOf(alarm, problem))
      .find((one) => one && faultOf(runScenario(problem.program, one, options)));
    return scenario
      ? { kind: 'unsafe', failure: { kind: 'scenario', scenario } }
      : { kind: 'unknown', reason: undefined, learned: known };
  },
};

function scenarioOf({ transition, model }: Alarm, { entries, init }: Problem): Scenario | undefined {
  const { from, segment } = transition;
  if (!from || !segment || from.kind !== 'entry' || !entries.includes(from.fn) || init) return undefined;
  const args: Argument[] = [];
  for (const parameter of from.fn.parameters) {
    const value = segment.start.locals[parameter.slot]!;
    if (isPointer(value)) {
      if (model.evaluate(value.object) !== 0n) return undefined;
      args.push({ kind: 'scalar', value: 0 });
      continue;
    }
    args.push({ kind: 'scalar', value: scalarOf(model.evaluate(value) as bigint, parameter.type) });
  }
  const answers = segment.inputs
    .filter(({ guard, value }) => model.evaluate(guard) === true && !isPointer(value))
    .map(({ kind, name, type, value }) => ({
      name: kind === 'havoc' ? `uninitialised ${name}` : name,
      type,
      value: scalarOf(model.evaluate(number(value)) as bigint, type),
    }));
  return { calls: [{ fn: from.fn, arguments: args }], answers };
}
