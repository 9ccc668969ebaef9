/**
 * Bounded search: all executions from the initial state at once, symbolically, one segment deeper each round, joined where they meet again (bounded
 * model checking on large blocks). Each round asks whether some check in force can fail. An answer is a scenario, to be replayed; the
 * absence of one proves nothing.
 */
import * as L from '../logic/build';
import { substituteAll } from '../logic/substitute';
import type { Term } from '../logic/term';
import { initialState, initialStateOfClient } from '../abstraction/initialState';
import type { System } from '../abstraction/system';
import type { Scenario } from '../evidence/scenario';
import { scenarioOfModel } from '../evidence/scenarioOfModel';
import type { Edge, FunctionDefinition, Location } from '../program/program';
import { asPointer, type SymbolicState, type SymbolicValue, FreshSymbols } from '../semantics/symbolic';
import { mergeFlows, type Flow, type Input } from '../semantics/segment';
import type { Model, QueryBudget, Session, Solver } from '../solver/solver';

export interface BoundedSearchLimits {
  readonly rounds: number;
  /** Calls a client makes; 1 in program mode. */
  readonly calls: number;
  readonly query: QueryBudget;
  readonly stop: () => boolean;
}

/** A call that waits: where it goes on, with what the caller holds. */
interface Waiting { readonly edge: Edge; readonly fn: FunctionDefinition; readonly flow: Flow }

interface Node { readonly stack: readonly Waiting[]; readonly fn: FunctionDefinition; readonly location: Location; readonly flow: Flow; readonly calls: number }

/** A client's call, made when `guard` holds. */
interface ClientCall { readonly guard: Term; readonly fn: FunctionDefinition; readonly locals: readonly SymbolicValue[]; readonly state: SymbolicState }

export async function searchBounded(system: System, solver: Solver, limits: BoundedSearchLimits): Promise<Scenario | undefined> {
  const search = new BoundedSearch(system, solver, limits);
  try {
    return await search.run();
  } finally {
    search.close();
  }
}

class BoundedSearch {
  private readonly session: Session;
  private readonly symbols = new FreshSymbols('bounded');
  private readonly facts: Term[] = [];
  private readonly seen = new Set<Term>();
  private readonly calls: ClientCall[] = [];
  private readonly inputs: Input[] = [];

  constructor(private readonly system: System, solver: Solver, private readonly limits: BoundedSearchLimits) {
    this.session = solver.session();
  }

  close(): void {
    this.session.close();
  }

  async run(): Promise<Scenario | undefined> {
    const { system, limits } = this;
    const { entries, init } = system.options;
    const takesPointers = [...entries, ...(init ? [init] : [])].some((fn) => fn.parameters.some(({ type }) => type.kind === 'pointer'));
    const start: Flow = { guard: L.TRUE, state: (takesPointers ? initialStateOfClient : initialState)(system.program, system.vocabulary, this.symbols) };
    let frontier = system.client ? this.fromClient({ stack: [], fn: system.client.fn, location: system.client.location, flow: start, calls: 0 }, true)
      : system.options.entries.map((fn) => this.enter(fn, start, 0));
    let violations: Term[] = [];
    for (let round = 0; round < limits.rounds && frontier.length > 0; round++) {
      if (limits.stop()) return undefined;
      const next = new Map<string, Node[]>();
      for (const node of frontier) {
        for (const after of this.step(node, violations)) {
          if (after.flow.guard === L.FALSE) continue;
          const key = keyOf(after);
          const list = next.get(key);
          if (list) list.push(after);
          else next.set(key, [after]);
        }
      }
      // The deeper, the less often: one question about several rounds costs little more than one about the last.
      if (round < 8 || round % Math.ceil(round / 8) === 0 || next.size === 0 || round === limits.rounds - 1) {
        const found = await this.ask(violations);
        if (found !== undefined) return found;
        violations = [];
      }
      frontier = [...next.values()].map((nodes) => merged(nodes));
      if (round % 6 === 5) frontier = await this.feasible(frontier);
    }
    return undefined;
  }

  private step(node: Node, violations: Term[]): Node[] {
    const { system } = this;
    const { fn, location, flow } = node;
    if (fn === system.client?.fn) return this.fromClient(node, false);
    if (location === fn.exit) return this.leave(node);
    const point = system.at(location);
    const call = point && system.callAt(point);
    if (call) return this.call(node, call);
    const segment = system.builder.buildFrom(fn, location, flow.state, this.symbols, flow.guard);
    this.inputs.push(...segment.inputs);
    for (const { guard, condition } of segment.obligations) {
      const violation = L.and(guard, L.not(condition));
      if (violation !== L.FALSE) violations.push(violation);
    }
    return segment.ends.map(({ to, guard, state }) => ({ ...node, location: to, flow: { guard, state } }));
  }

  private call(node: Node, edge: Edge): Node[] {
    const { builder, shape, vocabulary } = this.system;
    const { command } = edge;
    if (command.kind !== 'call') throw new Error('a call point is left by a call');
    const { state, guard } = node.flow;
    const values = builder.argumentsOf(edge, state);
    const callee = builder.calleeOf(edge, state);
    return command.targets.map((target) => {
      const chosen = command.callee.kind === 'function' ? L.TRUE : L.eq(asPointer(callee).object, L.bits(BigInt(target.number), shape.half));
      const locals = target.variables.map((variable, slot) => (slot < target.parameters.length ? values[slot]! : vocabulary.unset(variable, target, this.symbols)));
      const inside: SymbolicState = { globals: state.globals, locals, objects: [], memory: state.memory };
      return { ...node, stack: [...node.stack, { edge, fn: node.fn, flow: node.flow }], fn: target, location: target.entry, flow: { guard: L.and(guard, chosen), state: inside } };
    });
  }

  private leave(node: Node): Node[] {
    const { state, guard } = node.flow;
    const waiting = node.stack[node.stack.length - 1];
    if (!waiting) {
      const { client } = this.system;
      return client ? [{ stack: [], fn: client.fn, location: client.location, flow: { guard, state: { ...state, locals: [], objects: [] } }, calls: node.calls }] : [];
    }
    const { command } = waiting.edge;
    if (command.kind !== 'call') throw new Error('a call point is left by a call');
    const back: SymbolicState = { globals: [...state.globals], locals: [...waiting.flow.state.locals], objects: [...waiting.flow.state.objects], memory: state.memory };
    if (command.target && node.fn.resultVariable) {
      const result = state.locals[node.fn.resultVariable.slot]!;
      if (command.target.scope === 'global') back.globals[command.target.slot] = result;
      else back.locals[command.target.slot] = result;
    }
    return [{ ...node, stack: node.stack.slice(0, -1), fn: waiting.fn, location: waiting.edge.to, flow: { guard, state: back } }];
  }

  /** The client picks a function: each under its own choice. */
  private fromClient(node: Node, first: boolean): Node[] {
    const { entries, init } = this.system.options;
    if (node.calls >= this.limits.calls) return [];
    const functions = first && init ? [init] : entries;
    let rest = node.flow.guard;
    return functions.map((fn, i) => {
      const choice = i === functions.length - 1 ? L.TRUE : this.symbols.fresh(`call ${fn.name}`, L.boolSort);
      const guard = L.and(rest, choice);
      rest = L.and(rest, L.not(choice));
      return this.enter(fn, { guard, state: node.flow.state }, node.calls + 1);
    });
  }

  private enter(fn: FunctionDefinition, flow: Flow, calls: number): Node {
    const { vocabulary, shape } = this.system;
    const locals = fn.variables.map((variable, slot) => (slot < fn.parameters.length ? this.symbols.value(variable.name, variable.type, shape.half) : vocabulary.unset(variable, fn, this.symbols)));
    const state: SymbolicState = { globals: [...flow.state.globals], locals, objects: [], memory: flow.state.memory };
    const given = substituteAll(this.system.clientFacts(fn), vocabulary.binding(fn, state));
    this.facts.push(...given.map((fact) => L.implies(flow.guard, fact)));
    this.calls.push({ guard: flow.guard, fn, locals, state });
    return { stack: [], fn, location: fn.entry, flow: { guard: flow.guard, state }, calls };
  }

  private async ask(violations: readonly Term[]): Promise<Scenario | undefined> {
    const some = L.or(...violations);
    if (some === L.FALSE) return undefined;
    this.assertFacts([some]);
    this.session.push();
    this.session.assert(some);
    const answer = await this.session.check([], this.limits.query);
    this.session.pop();
    return answer.kind === 'sat' ? this.scenario(answer.model) : undefined;
  }

  private assertFacts(terms: readonly Term[]): void {
    const facts = this.facts.splice(0);
    for (const term of [...facts, ...this.system.vocabulary.elementFacts([...facts, ...terms], this.seen)]) this.session.assert(term);
  }

  /** Drops control that cannot be; what the solver cannot decide stays. */
  private async feasible(frontier: readonly Node[]): Promise<Node[]> {
    const kept: Node[] = [];
    for (const node of frontier) {
      if (node.flow.guard === L.TRUE || this.limits.stop()) { kept.push(node); continue; }
      this.assertFacts([node.flow.guard]);
      const answer = await this.session.check([node.flow.guard], { timeoutMs: Math.min(500, this.limits.query.timeoutMs) });
      if (answer.kind !== 'unsat') kept.push(node);
    }
    return kept;
  }

  private scenario(model: Model): Scenario {
    const happens = ({ guard }: { readonly guard: Term }): boolean => model.evaluate(guard) === true;
    const calls = this.calls.filter(happens).map(({ fn, locals, state }) => ({ fn, locals, contents: state.memory.contents }));
    return scenarioOfModel(this.system, calls, this.inputs.filter(happens), model);
  }
}

function keyOf({ stack, fn, location, calls }: Node): string {
  return `${stack.map(({ edge, fn: caller }) => `${caller.name}:${edge.index}`).join('>')}>${fn.name}@${location.index}#${calls}`;
}

function merged(nodes: readonly Node[]): Node {
  const [first] = nodes;
  if (nodes.length === 1) return first!;
  const flow = mergeFlows(nodes.map((node) => node.flow));
  // The callers' own variables meet too.
  const stack = first!.stack.map((waiting, i) => ({ ...waiting, flow: { ...waiting.flow, state: mergeFlows(nodes.map((node) => ({ guard: node.flow.guard, state: node.stack[i]!.flow.state }))).state } }));
  return { ...first!, stack, flow };
}
