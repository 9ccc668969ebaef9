/**
 * A program that asks nothing has one execution, and to run it to its end on the reference evaluator decides every
 * property: the run is its own certificate. What would make a second execution possible ends the attempt: an input, a
 * value of an unknown function (or of one of the library's that C does not determine) or of an allocation that may
 * fail, an indeterminate value that somebody looks at, and whatever depends on where objects lie (see
 * `Representation`). Orders of evaluation that C leaves open are all tried, one execution for each.
 */
import {
  allProperties,
  isChecked,
  propertyOf,
  type CheckKind,
  type Command,
  type ExternalCommand,
  type Property,
} from '../../program/command';
import { countedList, errnoOf, nativeFunctions, setsErrno } from '../../program/linking/natives';
import type { Edge, FunctionDefinition, Location, Program } from '../../program/program';
import type { Scalar, Variable } from '../../program/expression';
import { isOrderInput } from '../../program/orderInput';
import { Relevance } from '../../abstraction/transitionSystem/relevance';
import type { Fault } from '../../semantics/concrete/fault';
import { pointerTo, zero, type ConcreteValue } from '../../semantics/concrete/concreteValues';
import { formatStrings } from '../../semantics/pointers/formatStrings';
import { Machine } from '../../semantics/concrete/machine';
import { expressionsOf, variablesIn, walk } from '../../program/traverse';
import type { EnvironmentAnswer } from './scenario';
import { isDetermined } from './determinedNatives';
import { ComparedByPlace, Representation } from './representation';

/** It ended and no check failed. `unreached`: assertions it did not come to. `executions`: one for each order. */
export interface HarmlessRun {
  readonly kind: 'harmless';
  readonly executions: number;
  readonly steps: number;
  readonly unreached: readonly Edge[];
}

export type OnlyExecution =
  | HarmlessRun
  | { readonly kind: 'fault'; readonly fault: Fault; readonly orders: readonly EnvironmentAnswer[] }
  /** Not shown to be the only one, or not run to its end. */
  | { readonly kind: 'open'; readonly why: 'choice' | 'steps' };

const limits = {
  /** More orders of evaluation are left to engines that need no execution for each. */
  mostExecutions: 64,
} as const;

/** Thrown where a second execution would part from this one. */
class Choice extends Error {}

export function onlyExecution(
  program: Program,
  entry: FunctionDefinition,
  checkedProperties: ReadonlySet<Property | CheckKind>,
  stepLimit: number,
): OnlyExecution {
  const orders: EnvironmentAnswer[] = [];
  let [steps, executions] = [0, 0];
  let unreached: readonly Edge[] | undefined;
  do {
    const left = stepLimit - steps;
    // The compiled run finds out fast if the other is worth it.
    const tried = execute(program, entry, checkedProperties, left, undefined, orders);
    const run =
      tried.kind === 'harmless' ? execute(program, entry, checkedProperties, left, 'reference', orders) : tried;
    if (run.kind !== 'harmless') return run;
    if (++executions > limits.mostExecutions) return { kind: 'open', why: 'choice' };
    steps += run.steps;
    unreached = unreached?.filter((edge) => run.unreached.includes(edge)) ?? run.unreached;
  } while (nextOrders(orders));
  return { kind: 'harmless', executions, steps, unreached };
}

/** The next choices in lexical order. False after the last. */
function nextOrders(orders: EnvironmentAnswer[]): boolean {
  while (orders.at(-1)?.value === 1) orders.pop();
  const last = orders.pop();
  if (!last) return false;
  orders.push({ ...last, value: 1 });
  return true;
}

function execute(
  program: Program,
  entry: FunctionDefinition,
  checkedProperties: ReadonlySet<Property | CheckKind>,
  stepLimit: number,
  execution: 'reference' | undefined,
  orders: EnvironmentAnswer[],
): OnlyExecution {
  let chosen = 0;
  const order = (name: string, type: Scalar): ConcreteValue => {
    if (chosen === orders.length) orders.push({ name, type, value: 0 });
    return orders[chosen++]!.value;
  };
  const open = (why: 'choice' | 'steps'): OnlyExecution => ({ kind: 'open', why });
  if (usesParameters(entry) || ![...checkedProperties].every(understood) || program.functions.some(looksAtAddresses))
    return open('choice');
  const looked = lookedAt(program, checkedProperties);
  const choose = (): never => {
    throw new Choice();
  };
  const errno = errnoOf(program);
  const representation = execution && new Representation(choose);
  const machine: Machine = new Machine(program, {
    // Indeterminate contents fault where they are read.
    properties: new Set([...checkedProperties, 'uninitialised-read' as const]),
    stepLimit,
    output: () => {},
    ...(execution && { execution }),
    input: (name, type) => (isOrderInput(name) ? order(name, type) : choose()),
    havoc: (target) => (looked.variables.has(target) ? choose() : undefined),
    external: (_name, args, { command }) => {
      const uses = looked.externals.get(command);
      if (uses !== undefined && !isDetermined(command, args, uses, machine.memory)) return choose();
      if (errno && setsErrno(command.name)) representation?.leaveOpen(errno, 0, errno.sizeBytes);
      return 'unknown';
    },
    ...(execution && {
      values: new ComparedByPlace(program.dataModel, (number) => machine.memory.block(pointerTo(number)), choose),
    }),
  });
  if (representation) {
    representation.machine = machine;
    machine.memory.watch = representation;
    machine.reset();
  }
  const asserting = assertions(program);
  const unreached = new Map(asserting);
  machine.observer = {
    locations: new Set(asserting.keys()),
    visit: (location) => {
      unreached.delete(location);
    },
    skip: () => Infinity,
  };
  try {
    const outcome = machine.call(
      entry,
      entry.parameters.map(({ type }) => zero(type)),
    );
    switch (outcome.kind) {
      case 'returned':
      case 'halted':
        return { kind: 'harmless', executions: 1, steps: machine.steps, unreached: [...unreached.values()] };
      case 'fault':
        return isChecked(outcome.fault.command, checkedProperties)
          ? { kind: 'fault', fault: outcome.fault, orders: [...orders] }
          : open('choice');
      // An assumption that fails makes what follows vacuous, which others judge.
      case 'stopped':
        return open('choice');
      case 'limit':
        return open('steps');
    }
  } catch (error) {
    if (error instanceof Choice) return open('choice');
    throw error;
  }
}

/** Properties that a check on some edge, or in a native function, stands for. */
function understood(property: Property | CheckKind): boolean {
  return property !== 'leak' && ((allProperties as readonly string[]).includes(property) || property in propertyOf);
}

/** Parameters that the program does not read, as the `argc` of many, make no second execution. */
function usesParameters({ parameters, edges }: FunctionDefinition): boolean {
  const read = new Set<Variable>();
  for (const { command } of edges) for (const e of expressionsOf(command)) variablesIn(e, read);
  return parameters.some((parameter) => read.has(parameter));
}

/** Integers made of pointers, and their order, depend on where objects lie. */
function looksAtAddresses(fn: FunctionDefinition): boolean {
  let found = false;
  for (const { command } of fn.edges) {
    for (const e of expressionsOf(command)) {
      walk(e, (node) => {
        if (node.kind === 'convert' && (node.operand.type.kind === 'pointer') !== (node.type.kind === 'pointer'))
          found = true;
        if (
          node.kind === 'compare' &&
          (node.operator === 'lt' || node.operator === 'le') &&
          node.left.type.kind === 'pointer'
        )
          found = true;
        if (node.kind === 'object-of' && command.kind !== 'check') found = true;
      });
    }
  }
  return found;
}

/**
 * Variables that some command leaves indeterminate though they are looked at later, and calls without a body whose
 * effect is.
 */
function lookedAt(
  program: Program,
  checkedProperties: ReadonlySet<Property | CheckKind>,
): { readonly variables: ReadonlySet<Variable>; readonly externals: ReadonlyMap<Command, 'result' | 'effects'> } {
  const relevance = new Relevance({
    functions: program.functions,
    checkedProperties: new Set<Property | CheckKind>([...checkedProperties, 'uninitialised']),
    hasCaller: () => true,
  });
  const variables = new Set<Variable>();
  const externals = new Map<Command, 'result' | 'effects'>();
  for (const fn of program.functions) {
    for (const { command, to } of fn.edges) {
      if (command.kind === 'havoc' && relevance.at(to, command.target)) variables.add(command.target);
      if (command.kind !== 'external') continue;
      if (command.target && relevance.at(to, command.target)) externals.set(command, 'result');
      else if (!isPure(command, program) || checkedProperties.has('memsafety')) externals.set(command, 'effects');
    }
  }
  return { variables, externals };
}

/** It changes nothing but its result, and what the world sees. */
function isPure(command: ExternalCommand, program: Program): boolean {
  const native = nativeFunctions.get(command.name);
  if (
    (setsErrno(command.name) && errnoOf(program)) ||
    countedList(command, (format) => formatStrings(program).of(format))
  )
    return false;
  return (
    native !== undefined &&
    native.writes.kind === 'nothing' &&
    (!native.internal || command.name === '__provest_usually')
  );
}

function assertions(program: Program): Map<Location, Edge> {
  return new Map(
    program.functions
      .filter((fn) => !fn.library)
      .flatMap((fn) =>
        fn.edges
          .filter(({ command }) => command.kind === 'check' && command.check === 'assertion')
          .map((edge) => [edge.from, edge] as const),
      ),
  );
}
