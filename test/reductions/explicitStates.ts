/**
 * All states of a program without memory, step by step, as it is or weakened: an oracle that shares nothing with the
 * formulas. What is chosen freely, an input or the result of a dropped command, is one of a few values, so there may be
 * more states than are found; those that are found can be reached.
 */
import type { Check } from '../../src/program/command';
import type { Expression, Variable } from '../../src/program/expression';
import type { Edge, FunctionDefinition, Location, Program } from '../../src/program/program';
import { isChecked, type Property } from '../../src/program/command';
import type { Weakening } from '../../src/program/automata/weakening';
import { expressionsOf, targetOf, walk } from '../../src/program/traverse';

/** Those of two bits, and one on each side of them. */
const chosen = [-1n, 0n, 1n, 2n, 3n, 6n];

type State = ReadonlyMap<Variable, bigint>;

export class ExplicitStates {
  readonly failing = new Set<Check>();
  private readonly results = new Map<string, readonly (bigint | undefined)[]>();
  private readonly live = new Map<FunctionDefinition, ReadonlyMap<Location, ReadonlySet<Variable>>>();

  constructor(
    private readonly weakening: Weakening,
    private readonly properties: ReadonlySet<Property>,
  ) {}

  static of(program: Program, entry: string, weakening: Weakening, properties: ReadonlySet<Property>): ExplicitStates {
    const states = new ExplicitStates(weakening, properties);
    states.call(program.functionByName.get(entry)!, []);
    return states;
  }

  /** The results of a call; its failing checks are among `failing`. Functions do not call themselves. */
  private call(fn: FunctionDefinition, given: readonly bigint[]): readonly (bigint | undefined)[] {
    const key = `${fn.name}(${given.join()})`;
    const known = this.results.get(key);
    if (known) return known;
    const results = new Set<bigint | undefined>();
    const start: State = new Map(fn.parameters.map((parameter, i) => [parameter, given[i]!]));
    const work: [Location, State][] = [[fn.entry, start]];
    const seen = new Set<string>();
    for (let next = work.pop(); next; next = work.pop()) {
      const [at, state] = next;
      if (at === fn.exit) results.add(fn.resultVariable && state.get(fn.resultVariable));
      const isFree = at.edges.length > 1 && at.edges.some((edge) => this.weakening.dropped.has(edge));
      for (const edge of at.edges)
        for (const after of this.step(edge, state, isFree)) {
          const live = this.liveIn(fn).get(edge.to)!;
          const kept = new Map([...after].filter(([variable]) => live.has(variable)));
          const id = `${edge.to.index}:${[...live].map((variable) => kept.get(variable)).join()}`;
          if (seen.has(id)) continue;
          seen.add(id);
          work.push([edge.to, kept]);
        }
    }
    const all = [...results];
    this.results.set(key, all);
    return all;
  }

  private step(edge: Edge, state: State, isFree: boolean): readonly State[] {
    const { command } = edge;
    const isDropped = this.weakening.dropped.has(edge);
    const any = (target: Variable | undefined): readonly State[] =>
      target ? chosen.map((value) => new Map([...state, [target, value]])) : [state];
    switch (command.kind) {
      case 'skip':
        return [state];
      case 'halt':
        return [];
      case 'assume':
        return isFree || valueOf(command.condition, state) !== 0n ? [state] : [];
      case 'check': {
        if (isDropped) return [state];
        const holds = valueOf(command.condition, state) !== 0n;
        if (holds) return [state];
        if (this.weakening.assumed.has(edge)) return [];
        if (!isChecked(command, this.properties)) return command.ifUnchecked === 'ignore' ? [state] : [];
        this.failing.add(command);
        return [];
      }
      case 'input':
      case 'havoc':
        return any(command.target);
      case 'assign':
        if (isDropped) return any(command.target);
        return [new Map([...state, [command.target, valueOf(command.value, state)]])];
      case 'call': {
        const { target, callee } = command;
        if (isDropped) return any(target);
        if (callee.kind !== 'function') throw new Error('a pointer is called');
        const results = this.call(
          callee,
          command.arguments.map((argument) => valueOf(argument, state)),
        );
        return results.map((value) => (target && value !== undefined ? new Map([...state, [target, value]]) : state));
      }
      default:
        throw new Error(`${command.kind} is beyond this oracle`);
    }
  }

  /** Variables that are read before they are written. */
  private liveIn(fn: FunctionDefinition): ReadonlyMap<Location, ReadonlySet<Variable>> {
    let live = this.live.get(fn) as Map<Location, Set<Variable>> | undefined;
    if (live) return live;
    live = new Map(fn.locations.map((location) => [location, new Set<Variable>()]));
    if (fn.resultVariable) live.get(fn.exit)!.add(fn.resultVariable);
    for (let changed = true; changed;) {
      changed = false;
      for (const { from, to, command } of fn.edges) {
        const here = live.get(from)!;
        const { size } = here;
        for (const variable of live.get(to)!) if (variable !== targetOf(command)) here.add(variable);
        for (const e of expressionsOf(command))
          walk(e, (inner) => {
            if (inner.kind === 'read') here.add(inner.variable);
          });
        changed ||= here.size > size;
      }
    }
    this.live.set(fn, live);
    return live;
  }
}

const toInt = (
  value: bigint,
  { widthBits, signed }: { readonly widthBits: number; readonly signed: boolean },
): bigint => (signed ? BigInt.asIntN(widthBits, value) : BigInt.asUintN(widthBits, value));

function valueOf(e: Expression, state: State): bigint {
  switch (e.kind) {
    case 'integer':
      return e.value;
    case 'read':
      return state.get(e.variable) ?? 0n;
    case 'compare': {
      const [left, right] = [valueOf(e.left, state), valueOf(e.right, state)];
      const holds = { eq: left === right, ne: left !== right, lt: left < right, le: left <= right }[e.operator];
      return holds ? 1n : 0n;
    }
    case 'conditional':
      return valueOf(valueOf(e.condition, state) === 0n ? e.otherwise : e.then, state);
    case 'convert':
      if (e.type.kind === 'integer') return toInt(valueOf(e.operand, state), e.type);
      break;
    case 'binary': {
      const [left, right] = [valueOf(e.left, state), valueOf(e.right, state)];
      if (e.type.kind !== 'integer') break;
      switch (e.operator) {
        case 'add':
          return toInt(left + right, e.type);
        case 'subtract':
          return toInt(left - right, e.type);
        case 'and':
          return toInt(left & right, e.type);
        default:
      }
      break;
    }
    default:
  }
  throw new Error(`${e.kind} is beyond this oracle`);
}
