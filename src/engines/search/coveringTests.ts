/**
 * Tests for abstract states that no test reaches: clients are tried at random, as in the search for bugs, and those
 * kept that come by an abstract state no other came by; then each is made as short as its states allow (the idea of
 * IntelliTest's and CrossHair's `cover`, on abstract states in place of branches).
 */
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import type { PredicateAbstraction, Valuation } from '../../abstraction/predicates/predicateAbstraction';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { runScenario, type Scenario, type ScenarioOptions, type ScenarioRun } from '../../evidence/scenarios/scenario';
import { withoutCalls, withSimplerArguments } from '../../evidence/scenarios/shrink';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Activation, Machine } from '../../semantics/concrete/machine';
import { fuzzProgram } from './fuzzing';

export interface Reached {
  readonly point: Cutpoint;
  readonly valuation: Valuation;
}
export interface CoveringScenario {
  readonly scenario: Scenario;
  readonly run: ScenarioRun;
  /** States that no earlier test reaches. */ readonly states: readonly Reached[];
}

export interface CoverOptions {
  /** Its predicates distinguish the states. */
  readonly abstraction: PredicateAbstraction;
  readonly entries: readonly FunctionDefinition[];
  readonly scenario: ScenarioOptions;
  readonly seed: number;
  readonly edges: number;
  readonly stop: () => boolean;
  /** States, by `stateKey`, that need no client. */
  readonly known?: ReadonlySet<string>;
}

const limits = {
  calls: 24,
} as const;

/** Each fails no check; together they reach all states that the search came by. */
export function coveringScenarios(program: Program, options: CoverOptions): CoveringScenario[] {
  const { abstraction } = options;
  const { system } = abstraction;
  // Not every test can do what functions without a body do besides answering.
  const how: ScenarioOptions = { ...options.scenario, external: undefined };
  const all = new Set<string>();
  const between =
    (into: Set<string>) =>
    (machine: Machine): void => {
      if (system.client) into.add(keyOf(abstraction, system.client, undefined, machine));
    };
  const candidates: Scenario[] = [];
  fuzzProgram(program, {
    ...how,
    observe: (machine) => watch(machine, abstraction, all),
    between: between(all),
    seen: () => all.size,
    kept: (scenario) => {
      candidates.push(scenario);
    },
    entries: options.entries,
    seed: options.seed,
    edges: options.edges,
    maximumCalls: system.options.mode === 'program' ? 1 : limits.calls,
    stop: options.stop,
  });
  const reaches = (
    scenario: Scenario,
  ): { readonly run: ScenarioRun; readonly states: ReadonlySet<string> } | undefined => {
    const states = new Set<string>();
    const run = runScenario(program, scenario, {
      ...how,
      observe: (machine) => watch(machine, abstraction, states),
      between: between(states),
    });
    return run?.outcome.kind === 'returned' ? { run, states } : undefined;
  };
  const covered = new Set([...(reaches({ calls: [], answers: [] })?.states ?? []), ...(options.known ?? [])]);
  // Short ones first: what they reach needs no long one.
  const found: CoveringScenario[] = [];
  for (const candidate of candidates.sort((a, b) => a.calls.length - b.calls.length)) {
    const first = reaches(candidate);
    const wanted = first && [...first.states].filter((state) => !covered.has(state));
    if (!first || !wanted || wanted.length === 0) continue;
    let [best, reached] = [candidate, first];
    const takes = (simpler: Scenario): boolean => {
      const still = simpler.calls.length > 0 ? reaches(simpler) : undefined;
      if (!still || !wanted.every((state) => still.states.has(state))) return false;
      [best, reached] = [simpler, still];
      return true;
    };
    for (let i = best.calls.length - 1; i >= 0; i--) if (i < best.calls.length) takes(withoutCalls(best, i));
    for (let i = 0; i < best.calls.length; i++) withSimplerArguments(best, i).some(takes);
    const added = [...reached.states].filter((state) => !covered.has(state));
    for (const state of added) covered.add(state);
    found.push({ scenario: best, run: reached.run, states: added.map((state) => readKey(state, system)) });
  }
  return found;
}

function watch(machine: Machine, abstraction: PredicateAbstraction, into: Set<string>): void {
  const { system } = abstraction;
  machine.observer = {
    locations: new Set(system.points.filter((point) => point !== system.client).map(({ location }) => location)),
    visit: (location, activation) => {
      const point = system.at(location);
      if (point) into.add(keyOf(abstraction, point, activation, machine));
    },
  };
}

function keyOf(
  abstraction: PredicateAbstraction,
  point: Cutpoint,
  activation: Activation | undefined,
  machine: Machine,
): string {
  const view = new ConcreteView(abstraction.system.vocabulary, {
    globals: machine.globals,
    memory: machine.memory,
    activation,
    activations: machine.activations,
  });
  return stateKey(point, abstraction.at(point).valuationOf(view.value));
}

/** Names an abstract state of a system. */
export const stateKey = (point: Cutpoint, valuation: Valuation): string => `${point.index}:${valuation}`;

function readKey(key: string, { points }: TransitionSystem): Reached {
  const [index, valuation] = key.split(':') as [string, string];
  return { point: points[Number(index)]!, valuation };
}
