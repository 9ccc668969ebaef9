/**
 * All executions from the initial state at once, symbolically, one segment deeper each round, joined where they meet again (bounded model checking on large
 * blocks: Biere, Cimatti, Clarke, Zhu, TACAS 1999). It asks nothing: who steps it decides which control to drop, and answers for that.
 */
import * as L from '../logic/build';
import { substituteAll } from '../logic/substitute';
import type { Term } from '../logic/term';
import type { Edge, FunctionDefinition, Location } from '../program/program';
import { mergeFlows, type Assumption, type Flow, type Input, type Obligation } from '../semantics/segment';
import type { SymbolicState } from '../semantics/symbolic';
import { asPointer, type SymbolicValue, FreshSymbols } from '../semantics/symbolicValues';
import { initialState, initialStateOfClient } from './initialState';
import type { System } from './system';

/** A call that waits: where it goes on, with what the caller holds. */
interface Waiting { readonly edge: Edge; readonly fn: FunctionDefinition; readonly flow: Flow }

/** Control somewhere, under the guard of its flow. */
export interface Control { readonly stack: readonly Waiting[]; readonly fn: FunctionDefinition; readonly location: Location; readonly flow: Flow; readonly calls: number }

/** A client's call, made when `guard` holds. */
interface ClientCall { readonly guard: Term; readonly fn: FunctionDefinition; readonly locals: readonly SymbolicValue[]; readonly state: SymbolicState }

export class BoundedExecutions {
  /** Where control is after the rounds so far. */
  frontier: readonly Control[];
  /** What was met in the last round. */
  obligations: readonly Obligation[] = [];
  assumptions: readonly Assumption[] = [];
  readonly calls: ClientCall[] = [];
  readonly inputs: Input[] = [];
  private readonly symbols = new FreshSymbols('bounded');
  private readonly facts: Term[] = [];
  private readonly seen = new Set<Term>();

  /** `mostCalls`: calls a client makes; 1 in program mode. */
  constructor(private readonly system: System, private readonly mostCalls: number) {
    const { entries } = system.options;
    const start: Flow = { guard: L.TRUE, state: (takesPointers(system) ? initialStateOfClient : initialState)(system.program, system.vocabulary, this.symbols) };
    this.frontier = system.client ? this.fromClient({ stack: [], fn: system.client.fn, location: system.client.location, flow: start, calls: 0 }, true)
      : entries.map((fn) => this.enter(fn, start, 0));
  }

  /** Every control one segment further. */
  advance(): void {
    const obligations: Obligation[] = [];
    const assumptions: Assumption[] = [];
    const next = new Map<string, Control[]>();
    for (const control of this.frontier) {
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
    this.frontier = [...next.values()].map((controls) => merged(controls));
  }

  /** What holds of the symbols in use, of those in `terms` too; what was given before is not repeated. */
  newFacts(terms: readonly Term[]): readonly Term[] {
    const facts = this.facts.splice(0);
    return [...facts, ...this.system.vocabulary.elementFacts([...facts, ...terms], this.seen)];
  }

  private step(control: Control, obligations: Obligation[], assumptions: Assumption[]): Control[] {
    const { system } = this;
    const { fn, location, flow } = control;
    if (fn === system.client?.fn) return this.fromClient(control, false);
    if (location === fn.exit) return this.leave(control);
    const point = system.at(location);
    const call = point && system.callAt(point);
    if (call) return this.call(control, call);
    const segment = system.builder.buildFrom(fn, location, flow.state, this.symbols, flow.guard);
    this.inputs.push(...segment.inputs);
    obligations.push(...segment.obligations);
    assumptions.push(...segment.assumptions);
    return segment.ends.map(({ to, guard, state }) => ({ ...control, location: to, flow: { guard, state } }));
  }

  private call(control: Control, edge: Edge): Control[] {
    const { builder, shape, vocabulary } = this.system;
    const { command } = edge;
    if (command.kind !== 'call') throw new Error('a call point is left by a call');
    const { state, guard } = control.flow;
    const values = builder.argumentsOf(edge, state);
    const callee = builder.calleeOf(edge, state);
    return command.targets.map((target) => {
      const chosen = command.callee.kind === 'function' ? L.TRUE : L.eq(asPointer(callee).object, L.bits(BigInt(target.number), shape.half));
      const locals = target.variables.map((variable, slot) => (slot < target.parameters.length ? values[slot]! : vocabulary.unset(variable, target, this.symbols)));
      const inside: SymbolicState = { globals: state.globals, locals, objects: [], memory: state.memory };
      return { ...control, stack: [...control.stack, { edge, fn: control.fn, flow: control.flow }], fn: target, location: target.entry, flow: { guard: L.and(guard, chosen), state: inside } };
    });
  }

  private leave(control: Control): Control[] {
    const { state, guard } = control.flow;
    const waiting = control.stack[control.stack.length - 1];
    if (!waiting) {
      const { client } = this.system;
      return client ? [{ stack: [], fn: client.fn, location: client.location, flow: { guard, state: { ...state, locals: [], objects: [] } }, calls: control.calls }] : [];
    }
    const { command } = waiting.edge;
    if (command.kind !== 'call') throw new Error('a call point is left by a call');
    const back: SymbolicState = { globals: [...state.globals], locals: [...waiting.flow.state.locals], objects: [...waiting.flow.state.objects], memory: state.memory };
    if (command.target && control.fn.resultVariable) {
      const result = state.locals[control.fn.resultVariable.slot]!;
      if (command.target.scope === 'global') back.globals[command.target.slot] = result;
      else back.locals[command.target.slot] = result;
    }
    return [{ ...control, stack: control.stack.slice(0, -1), fn: waiting.fn, location: waiting.edge.to, flow: { guard, state: back } }];
  }

  /** The client picks a function: each under its own choice. */
  private fromClient(control: Control, first: boolean): Control[] {
    const { entries, init } = this.system.options;
    if (control.calls >= this.mostCalls) return [];
    const functions = first && init ? [init] : entries;
    let rest = control.flow.guard;
    return functions.map((fn, i) => {
      const choice = i === functions.length - 1 ? L.TRUE : this.symbols.fresh(`call ${fn.name}`, L.boolSort);
      const guard = L.and(rest, choice);
      rest = L.and(rest, L.not(choice));
      return this.enter(fn, { guard, state: control.flow.state }, control.calls + 1);
    });
  }

  private enter(fn: FunctionDefinition, flow: Flow, calls: number): Control {
    const { vocabulary, shape } = this.system;
    const locals = fn.variables.map((variable, slot) => (slot < fn.parameters.length ? this.symbols.value(variable.name, variable.type, shape.half) : vocabulary.unset(variable, fn, this.symbols)));
    const state: SymbolicState = { globals: [...flow.state.globals], locals, objects: [], memory: flow.state.memory };
    const given = substituteAll(this.system.clientFacts(fn), vocabulary.binding(fn, state));
    this.facts.push(...given.map((fact) => L.implies(flow.guard, fact)));
    this.calls.push({ guard: flow.guard, fn, locals, state });
    const begun: SymbolicState = { ...state, memory: state.memory.fork() };
    this.system.setUp(fn, begun);
    return { stack: [], fn, location: fn.entry, flow: { guard: flow.guard, state: begun }, calls };
  }
}

/** Some function that a client calls takes a pointer. */
export function takesPointers({ options: { entries, init } }: System): boolean {
  return [...entries, ...(init ? [init] : [])].some((fn) => fn.parameters.some(({ type }) => type.kind === 'pointer'));
}

/** Tells controls of one round apart. */
export function keyOf({ stack, fn, location, calls }: Control): string {
  return `${stack.map(({ edge, fn: caller }) => `${caller.name}:${edge.index}`).join('>')}>${fn.name}@${location.index}#${calls}`;
}

function merged(controls: readonly Control[]): Control {
  const [first] = controls;
  if (controls.length === 1) return first!;
  const flow = mergeFlows(controls.map((control) => control.flow));
  // The callers' own variables meet too.
  const stack = first!.stack.map((waiting, i) => ({ ...waiting, flow: { ...waiting.flow, state: mergeFlows(controls.map((control) => ({ guard: control.flow.guard, state: control.stack[i]!.flow.state }))).state } }));
  return { ...first!, stack, flow };
}
