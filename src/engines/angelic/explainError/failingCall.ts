/**
 * The trace of a failing call: the edges it took, and those that the failure depends on. That is the slice of
 * ExplainError (A. Das, S. K. Lahiri, A. Lal, Y. Li, CAV 2015, algorithm 2), over control and data alike: with branches
 * that dominate the check alone, `if (a == irp) n++; ... assert(n < 2)` would keep the additions and lose the tests.
 */
import { dependence, visitOf, type Visit } from '../../../evidence/scenarios/dynamicSlice';
import { runScenario, type Scenario } from '../../../evidence/scenarios/scenario';
import { checkKey } from '../../../program/command';
import type { Edge, FunctionDefinition, Location } from '../../../program/program';
import type { Activation, Machine } from '../../../semantics/concrete/machine';
import type { Fault } from '../../../semantics/concrete/fault';
import type { ProgramState } from '../../../semantics/values';
import type { ConcreteValue } from '../../../semantics/concrete/concreteValues';
import type { Problem } from '../../problem';

const limits = {
  /** Locations of a trace. Longer ones have formulas that no vocabulary has a cure for. */
  locations: 2_000,
} as const;

export interface FailingCall {
  readonly fn: FunctionDefinition;
  /** In the order of execution; the last one is the failing check. */
  readonly edges: readonly Edge[];
  /** True if the failure depends on the edge with this index. */
  isNeeded(step: number): boolean;
}

/** Undefined for a long trace, and for a failure inside a library function that has no edges. */
export function failingCall(problem: Problem, scenario: Scenario, fault: Fault): FailingCall | undefined {
  const { program } = problem;
  const fn = fault.stack.at(-1)?.function;
  const recorder = new Recorder(fn);
  const locations = new Set(program.functions.flatMap((one) => one.locations));
  const run = runScenario(program, scenario, {
    ...problem.scenarioOptions(),
    observe: (machine) => {
      machine.observer = {
        locations,
        visit: (location, activation) => recorder.visit(location, activation, machine),
      };
    },
  });
  if (!fn || run?.outcome.kind !== 'fault' || recorder.isLong) return undefined;
  const last = recorder.steps.at(-1)?.edge?.command;
  if (last?.kind !== 'check' || checkKey(last) !== checkKey(fault.command)) return undefined;
  const needed = dependence(recorder.steps.map(({ visit }) => visit));
  const taken = recorder.steps.flatMap(({ edge }, at) => (edge ? [{ edge, isNeeded: needed[at] === true }] : []));
  return { fn, edges: taken.map(({ edge }) => edge), isNeeded: (step) => taken[step]?.isNeeded === true };
}

/** The last call that the client makes. */
class Recorder {
  steps: { readonly visit: Visit; readonly edge: Edge | undefined }[] = [];
  private readonly numbers = new WeakMap<Activation, number>();
  private activations = 0;

  constructor(private readonly fn: FunctionDefinition | undefined) {}

  get isLong(): boolean {
    return this.steps.length > limits.locations;
  }

  visit(location: Location, activation: Activation, machine: Machine): void {
    if (machine.activations.length === 1 && location === activation.fn.entry) this.steps = [];
    if (this.isLong || machine.activations[0]?.fn !== this.fn) return;
    this.steps.push({
      visit: visitOf(location, activation, machine, (one) => this.numberOf(one)),
      edge: edgeFrom(location, activation, machine),
    });
  }

  private numberOf(activation: Activation): number {
    let number = this.numbers.get(activation);
    if (number === undefined) this.numbers.set(activation, (number = ++this.activations));
    return number;
  }
}

/** The edge that control takes from here; undefined at a function's end. */
function edgeFrom({ edges }: Location, { locals, objects }: Activation, machine: Machine): Edge | undefined {
  if (edges.length < 2) return edges[0];
  const state: ProgramState<ConcreteValue> = {
    globals: machine.globals,
    locals: [...locals],
    objects: [...objects],
    memory: machine.memory,
  };
  return edges.find(
    ({ command }) => command.kind !== 'assume' || Number(machine.evaluator.evaluate(command.condition, state)) !== 0,
  );
}
