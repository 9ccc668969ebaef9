/**
 * Every cutpoint of a program with simple questions about the numbers there, and the answers that a run gives: all of
 * them, found by looking at each arrival, or those that a machine reports because they look new. Both must be the same
 * set.
 */
import * as E from '../../src/program/build';
import { int32, uint8, type Expression, type Variable } from '../../src/program/expression';
import { cutpointsOf } from '../../src/program/automata/cutpoints';
import type { FunctionDefinition, Location, Program } from '../../src/program';
import {
  Machine,
  mostConditions,
  type Activation,
  type MachineOptions,
  type RunOutcome,
  type ObservedPredicates,
  type ObservedPredicateMap,
} from '../../src/semantics';

export function questionsAtCutpoints(program: Program): ObservedPredicateMap {
  const observedPredicates = new Map<Location, ObservedPredicates>();
  for (const fn of program.functions) {
    const variables = [...fn.variables, ...program.globals.map(({ variable }) => variable)];
    const conditions = variables.flatMap(questionsAbout).slice(0, mostConditions);
    for (const location of cutpointsOf(fn, { labels: true, checks: false, inlined: new Set() }))
      observedPredicates.set(location, { conditions, perEntry: true });
  }
  return observedPredicates;
}

/** At loop heads and entries of functions. */
export const questionsAtHeads = (
  { functions }: Program,
  conditionsOf: (fn: FunctionDefinition) => readonly Expression[],
): ObservedPredicateMap =>
  new Map<Location, ObservedPredicates>(
    functions.flatMap((fn) =>
      fn.locations
        .filter((location) => location.isLoopHead || location === fn.entry)
        .map((location) => [location, { conditions: conditionsOf(fn).slice(0, mostConditions), perEntry: true }]),
    ),
  );

function questionsAbout(variable: Variable): Expression[] {
  const { type } = variable;
  const value = E.read(variable);
  switch (type.kind) {
    case 'integer':
      return [
        E.less(value, E.integer(0, type)),
        E.less(E.integer(9, type), value),
        E.equal(value, E.zero(type)),
        E.truth(E.binary('and', E.convert(value, int32), E.integer(1, int32))),
      ];
    case 'pointer':
      return [E.equal(value, E.nullPointer), E.isLive(value), E.equal(E.load(uint8, value), E.zero(uint8))];
    case 'float':
      return [E.less(value, E.float(0, type))];
  }
}

/** `run` gets the machine that records. */
export function recordedStates(
  program: Program,
  observedPredicates: ObservedPredicateMap,
  how: 'every arrival' | 'in place',
  run: (machine: Machine) => RunOutcome,
  options: MachineOptions,
): {
  readonly states: readonly string[];
  readonly reports: number;
  readonly machine: Machine;
  readonly outcome: RunOutcome;
} {
  const machine = new Machine(program, { ...options, execution: how === 'in place' ? 'compiled' : 'reference' });
  const states = new Set<string>();
  const entered = new WeakMap<Activation, string>();
  let reports = 0;
  const see = (location: Location, activation: Activation): string => {
    const state = {
      globals: machine.globals,
      memory: machine.memory,
      locals: [...activation.locals],
      objects: [...activation.objects],
    };
    return observedPredicates
      .get(location)!
      .conditions.map((condition) => (machine.evaluator.evaluate(condition, state) === 1 ? '1' : '0'))
      .join('');
  };
  machine.observer = {
    locations: new Set(observedPredicates.keys()),
    ...(how === 'in place' && { observedPredicates }),
    visit: (location, activation) => {
      reports++;
      const { fn } = activation;
      const seen = see(location, activation);
      if (location === fn.entry) entered.set(activation, seen);
      const own =
        activation.entered === undefined
          ? entered.get(activation)
          : observedPredicates
              .get(fn.entry)!
              .conditions.map((_, i) => (activation.entered! >> BigInt(i)) & 1n)
              .join('');
      states.add(`${fn.name}@${location.index} ${own} ${seen}`);
    },
  };
  const outcome = run(machine);
  return { states: [...states].sort(), reports, machine, outcome };
}
