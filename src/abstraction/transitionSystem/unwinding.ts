/**
 * All executions from the initial state at once, symbolically, segment by segment, joined where they meet again
 * (bounded model checking on large blocks: Biere, Cimatti, Clarke, Zhu, TACAS 1999). It asks nothing: who steps it
 * decides which control to drop, and answers for that.
 */
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Edge, FunctionDefinition, Location } from '../../program/program';
import { naturalLoops } from '../../program/automata/loops';
import { mergeFlows, type Assumption, type Flow, type Input, type Obligation } from '../../semantics/symbolic/segment';
import type { SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import { asPointer, type SymbolicValue, FreshSymbols } from '../../semantics/symbolic/symbolicValues';
import { initialState, initialStateOfClient } from './initialState';
import type { TransitionSystem } from './transitionSystem';

/** A call that waits: where it goes on, with what the caller holds. */
interface Waiting {
  readonly edge: Edge;
  readonly fn: FunctionDefinition;
  readonly flow: Flow;
}

/** Control somewhere, under the guard of its flow. */
export interface Control {
  readonly stack: readonly Waiting[];
  readonly fn: FunctionDefinition;
  readonly location: Location;
  readonly flow: Flow;
  readonly calls: number;
}

/** A client's call, made when `guard` holds. */
interface ClientCall {
  readonly guard: Term;
  readonly fn: FunctionDefinition;
  readonly locals: readonly SymbolicValue[];
  readonly state: SymbolicState;
}

/**
 * Who is stepped in a round. `breadth`: all, so that failures near the beginning come first. `inner-first`: who is
 * furthest inside loops and calls, while others wait for executions that took longer, and meet them where the loop is
 * left (in a weak topological order: Bourdoncle, FMPA 1993); no execution leaves a loop that does not end.
 */
export type StepOrder = 'breadth' | 'inner-first';

/** The flow that control at a location may have become before its next segment: see `acceleration/jumps.ts`. */
export type Shortcut = (fn: FunctionDefinition, location: Location, flow: Flow, symbols: FreshSymbols) => Flow;

export class BoundedExecutions {
  /** Control states after the rounds so far. */
  frontier: readonly Control[];
  /** Obligations met in the last round. */
  obligations: readonly Obligation[] = [];
  assumptions: readonly Assumption[] = [];
  readonly calls: ClientCall[] = [];
  readonly inputs: Input[] = [];
  private readonly symbols = new FreshSymbols('bounded');
  private readonly axioms: Term[] = [];
  private readonly seen = new Set<Term>();

  private readonly controlOrder = new ControlOrder();

  /** `callLimit`: calls a client makes; 1 in program mode. `shortcut`: default none. */
  constructor(
    private readonly system: TransitionSystem,
    private readonly callLimit: number,
    private readonly order: StepOrder = 'breadth',
    private readonly shortcut: Shortcut = (_fn, _location, flow) => flow,
  ) {
    const { entries } = system.options;
    const start: Flow = {
      guard: L.TRUE,
      state: (takesPointers(system) ? initialStateOfClient : initialState)(
        system.program,
        system.vocabulary,
        this.symbols,
      ),
    };
    this.frontier = system.client
      ? this.fromClient(
          { stack: [], fn: system.client.fn, location: system.client.location, flow: start, calls: 0 },
          'first',
        )
      : entries.map((fn) => this.enter(fn, start, 0));
  }

  /** The controls of the frontier that the next round steps. */
  get next(): readonly Control[] {
    if (this.order === 'breadth' || this.frontier.length < 2) return this.frontier;
    const [first, ...others] = this.frontier;
    return [others.reduce((best, control) => (this.controlOrder.compare(control, best) < 0 ? control : best), first!)];
  }

  /** These one segment further. */
  advance(): void {
    const obligations: Obligation[] = [];
    const assumptions: Assumption[] = [];
    const stepped = new Set(this.next);
    const next = new Map<string, Control[]>(
      this.frontier.filter((control) => !stepped.has(control)).map((control) => [keyOf(control), [control]]),
    );
    for (const control of stepped) {
      for (const after of this.step(control, obligations, assumptions)) {
        if (after.flow.guard === L.FALSE) continue;
        const key = keyOf(after);
        const list = next.get(key);
        if (list) list.push(after);
        else next.set(key, [after]);
      }
    }
    this.obligations = obligations;
    this.assumptions = assumptions;
    this.frontier = [...next.values()].map((controls) => mergeControls(controls));
  }

  /** Axioms about the symbols in use, those in `terms` too; none is given twice. */
  newAxioms(terms: readonly Term[]): readonly Term[] {
    const axioms = this.axioms.splice(0);
    return [...axioms, ...this.system.vocabulary.readAxioms([...axioms, ...terms], this.seen)];
  }

  private step(control: Control, obligations: Obligation[], assumptions: Assumption[]): Control[] {
    const { system } = this;
    const { fn, location } = control;
    if (fn === system.client?.fn) return this.fromClient(control, 'later');
    if (location === fn.exit) return this.leave(control);
    const point = system.at(location);
    const call = point && system.callAt(point);
    if (call) return this.call(control, call);
    const flow = this.shortcut(fn, location, control.flow, this.symbols);
    const segment = system.builder.buildFrom(fn, location, flow.state, this.symbols, flow.guard);
    this.inputs.push(...segment.inputs);
    obligations.push(...segment.obligations);
    assumptions.push(...segment.assumptions);
    return segment.ends.map(({ to, guard, state }) => ({ ...control, location: to, flow: { guard, state } }));
  }

  private call(control: Control, edge: Edge): Control[] {
    const { builder, memoryModel, vocabulary } = this.system;
    const { command } = edge;
    if (command.kind !== 'call') throw new Error('a call point is left by a call');
    const { state, guard } = control.flow;
    const values = builder.argumentsOf(edge, state);
    const callee = builder.calleeOf(edge, state);
    return command.targets.map((target) => {
      const chosen =
        command.callee.kind === 'function'
          ? L.TRUE
          : L.eq(asPointer(callee).object, L.bits(BigInt(target.number), memoryModel.half));
      const locals = target.variables.map((variable, slot) =>
        slot < target.parameters.length ? values[slot]! : vocabulary.uninitialisedValue(variable, target, this.symbols),
      );
      const inside: SymbolicState = { globals: state.globals, locals, objects: [], memory: state.memory };
      return {
        ...control,
        stack: [...control.stack, { edge, fn: control.fn, flow: control.flow }],
        fn: target,
        location: target.entry,
        flow: { guard: L.and(guard, chosen), state: inside },
      };
    });
  }

  private leave(control: Control): Control[] {
    const { state, guard } = control.flow;
    const waiting = control.stack[control.stack.length - 1];
    if (!waiting) {
      const { client } = this.system;
      return client
        ? [
            {
              stack: [],
              fn: client.fn,
              location: client.location,
              flow: { guard, state: { ...state, locals: [], objects: [] } },
              calls: control.calls,
            },
          ]
        : [];
    }
    const { command } = waiting.edge;
    if (command.kind !== 'call') throw new Error('a call point is left by a call');
    const back: SymbolicState = {
      globals: [...state.globals],
      locals: [...waiting.flow.state.locals],
      objects: [...waiting.flow.state.objects],
      memory: state.memory,
    };
    if (command.target && control.fn.resultVariable) {
      const result = state.locals[control.fn.resultVariable.slot]!;
      if (command.target.scope === 'global') back.globals[command.target.slot] = result;
      else back.locals[command.target.slot] = result;
    }
    return [
      {
        ...control,
        stack: control.stack.slice(0, -1),
        fn: waiting.fn,
        location: waiting.edge.to,
        flow: { guard, state: back },
      },
    ];
  }

  /** The client picks a function: each under its own choice. */
  private fromClient(control: Control, call: 'first' | 'later'): Control[] {
    const {
      options: { entries, init },
      weakening: { silent },
    } = this.system;
    if (control.calls >= this.callLimit) return [];
    const functions = call === 'first' && init ? [init] : entries.filter((fn) => !silent.has(fn));
    let rest = control.flow.guard;
    return functions.map((fn, i) => {
      const choice = i === functions.length - 1 ? L.TRUE : this.symbols.fresh(`call ${fn.name}`, L.boolSort);
      const guard = L.and(rest, choice);
      rest = L.and(rest, L.not(choice));
      return this.enter(fn, { guard, state: control.flow.state }, control.calls + 1);
    });
  }

  private enter(fn: FunctionDefinition, flow: Flow, calls: number): Control {
    const { vocabulary, memoryModel } = this.system;
    const locals = fn.variables.map((variable, slot) =>
      slot < fn.parameters.length
        ? this.symbols.value(variable.name, variable.type, memoryModel.half)
        : vocabulary.uninitialisedValue(variable, fn, this.symbols),
    );
    const state: SymbolicState = { globals: [...flow.state.globals], locals, objects: [], memory: flow.state.memory };
    const given = substituteAll(this.system.clientAssumptions(fn), vocabulary.binding(fn, state));
    this.axioms.push(...given.map((axiom) => L.implies(flow.guard, axiom)));
    this.calls.push({ guard: flow.guard, fn, locals, state });
    const begun: SymbolicState = { ...state, memory: state.memory.fork() };
    this.system.setUp(fn, begun);
    return { stack: [], fn, location: fn.entry, flow: { guard: flow.guard, state: begun }, calls };
  }
}

/**
 * Controls in the order of execution: each loop as a whole before what follows it, what is in its body before its head
 * is come to again.
 */
class ControlOrder {
  private readonly known = new Map<FunctionDefinition, ReadonlyMap<Location, readonly number[]>>();

  /** Below zero: `a` is stepped first. Of two activations of one function, the one called later. */
  compare(a: Control, b: Control): number {
    for (let depth = 0; depth <= Math.min(a.stack.length, b.stack.length); depth++) {
      const [x, y] = [a.stack[depth], b.stack[depth]];
      const [f, g] = [x?.fn ?? a.fn, y?.fn ?? b.fn];
      const order =
        f === g
          ? compareNumbers(this.of(f, x?.edge.from ?? a.location), this.of(g, y?.edge.from ?? b.location))
          : f.number - g.number;
      if (order !== 0) return order;
    }
    return b.stack.length - a.stack.length;
  }

  /** The heads of the loops around it, from outside, and then itself, the head of a loop after all in it. */
  private of(fn: FunctionDefinition, location: Location): readonly number[] {
    let controlOrder = this.known.get(fn);
    if (!controlOrder) {
      const loops = [...naturalLoops(fn).values()];
      controlOrder = new Map(
        fn.locations.map((at) => {
          const around = loops.filter(({ body }) => body.has(at));
          return [at, [...around.map(({ head }) => head.index), around.at(-1)?.head === at ? Infinity : at.index]];
        }),
      );
      this.known.set(fn, controlOrder);
    }
    return controlOrder.get(location)!;
  }
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((n, i) => n !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

/** Some function that a client calls takes a pointer. */
export function takesPointers({ options: { entries, init } }: TransitionSystem): boolean {
  return [...entries, ...(init ? [init] : [])].some((fn) => fn.parameters.some(({ type }) => type.kind === 'pointer'));
}

/** Tells controls of one round apart. */
export function keyOf({ stack, fn, location, calls }: Control): string {
  return (
    `${stack.map(({ edge, fn: caller }) => `${caller.name}:${edge.index}`).join('>')}>${fn.name}@${location.index}#` +
    `${calls}`
  );
}

function mergeControls(controls: readonly Control[]): Control {
  const [first] = controls;
  if (controls.length === 1) return first!;
  const flow = mergeFlows(controls.map((control) => control.flow));
  // The callers' own variables meet too.
  const stack = first!.stack.map((waiting, i) => ({
    ...waiting,
    flow: {
      ...waiting.flow,
      state: mergeFlows(controls.map((control) => ({ guard: control.flow.guard, state: control.stack[i]!.flow.state })))
        .state,
    },
  }));
  return { ...first!, stack, flow };
}
