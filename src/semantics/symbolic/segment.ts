/**
 * Segments: the loop-free code from one cutpoint to the next ones, read as formulas. Branches are merged, not
 * enumerated: at a join the two states become one of conditional terms (large-block encoding), so a segment has one
 * guard and one state per end, whatever the number of paths. Loops may be part of a segment for a number of rounds;
 * what would go round once more ends at the loop's head, which is a cutpoint like any other.
 *
 * A segment's state is a function of the state at its start and of inputs. Hence strongest postcondition and weakest
 * precondition are both substitutions: Q holds after the segment exactly when (guard implies Q[end state]) holds before
 * it.
 */
import * as L from '../../logic/build';
import type { SymbolTerm, Term } from '../../logic/term';
import { encloses, type Span } from '../../c/source';
import type { Check, Command } from '../../program/command';
import type { Expression, Scalar, Variable } from '../../program/expression';
import { walk } from '../../program/traverse';
import type { Loop } from '../../program/automata/loops';
import type { Edge, FunctionDefinition, Location } from '../../program/program';
import { isNative } from '../../program/linking/natives';
import { noWeakening, type Weakening } from '../../program/automata/weakening';
import { Evaluator } from '../evaluate';
import { commandEffect, isStateCommand } from '../execute';
import { type SideEffects } from './effects';
import { prescribedResult } from './prescribedResults';
import { forkState, type SymbolicState } from './symbolicMemory';
import { FreshSymbols, isTrue, iteValue, type SymbolicValue } from './symbolicValues';
import type { Vocabulary } from './vocabulary';

/** A check met on the way: it fails in the states where `guard` holds and `condition` does not. */
export interface Obligation {
  readonly check: Check;
  readonly function: FunctionDefinition;
  readonly guard: Term;
  readonly condition: Term;
}

/** A value the environment chose, or an indeterminate one, in the order of execution. */
export interface Input {
  readonly kind: 'input' | 'havoc';
  readonly name: string;
  readonly type: Scalar;
  readonly value: SymbolicValue;
  readonly guard: Term;
  readonly span: Span;
}

export interface UnknownResult {
  readonly name: string;
  readonly value: SymbolicValue;
  readonly span: Span;
}

export interface SegmentEnd {
  readonly to: Location;
  readonly guard: Term;
  readonly state: SymbolicState;
}

export interface Segment {
  readonly function: FunctionDefinition;
  readonly from: Location;
  readonly start: SymbolicState;
  readonly ends: readonly SegmentEnd[];
  readonly obligations: readonly Obligation[];
  readonly inputs: readonly Input[];
  /** Answers of functions without a body: any values. */
  readonly unknownResults: readonly UnknownResult[];
  /** Branch conditions met, each over the start state. */
  readonly conditions: readonly Term[];
  /** Branch edges met, where they were asked for. */
  readonly branches: readonly Branch[];
  /** The user's assumptions met: edges that have no sibling for the other case. */
  readonly assumptions: readonly Assumption[];
}

/** An edge with a sibling for the other case, taken in the states where `guard` holds. */
export interface Branch {
  readonly edge: Edge;
  readonly function: FunctionDefinition;
  readonly guard: Term;
  /** For an operand of an assertion, such as `p` in `assert(p && *p)`: the assertion holds, if control gets there. */
  assertion?: Term;
  /** Assertions that control has passed before, in this segment, hold. */
  readonly asserted: Term;
}

export interface Assumption {
  readonly edge: Edge;
  readonly before: Term;
  readonly after: Term;
}

export interface SegmentOptions {
  readonly cutpoints: ReadonlySet<Location>;
  /**
   * Loops that segments go through, by head, with the rounds they go at most; no other cutpoint lies in their bodies
   * but heads of such loops.
   */
  readonly unrolled?: ReadonlyMap<Location, { readonly loop: Loop; readonly rounds: number }>;
  /** Is a violation of this check an error? Otherwise see `Check.ifUnchecked`. */
  readonly isChecked: (check: Check) => boolean;
  /** Changes unknown functions may make. */
  readonly effects: SideEffects;
  /** Default: the program as it is. */
  readonly weakening?: Weakening;
  /**
   * Which branches can be taken is the question, with what failing checks mean left out: those not in force are
   * skipped, and an operation without a meaning has the value of its term. Segments say which branches they pass.
   */
  readonly branches?: true;
}

/** Control, under a condition, with a state. */
export interface Flow {
  guard: Term;
  state: SymbolicState;
}

export class SegmentBuilder {
  private readonly evaluator: Evaluator<SymbolicValue>;
  private readonly executions = new WeakMap<Command, (state: SymbolicState) => void>();
  constructor(
    readonly vocabulary: Vocabulary,
    private readonly options: SegmentOptions,
  ) {
    this.evaluator = new Evaluator(vocabulary.values);
  }

  /** The segment that starts at a cutpoint. Calls that are not cutpoints are followed into their (loop-free) bodies. */
  build(fn: FunctionDefinition, from: Location): Segment {
    const symbols = new FreshSymbols(`${fn.name}@${from.index}`);
    const start = this.vocabulary.state(fn, from, symbols);
    return this.buildFrom(fn, from, start, symbols, L.TRUE);
  }

  /** The same from a given state. */
  buildFrom(fn: FunctionDefinition, from: Location, start: SymbolicState, symbols: FreshSymbols, guard: Term): Segment {
    const run = new SegmentRun(this, symbols);
    const ends = run.follow(fn, from, { guard, state: forkState(start) }, this.options.cutpoints);
    return {
      function: fn,
      from,
      start,
      ends: [...ends].map(([to, { guard: g, state }]) => ({ to, guard: g, state })),
      obligations: run.obligations,
      inputs: run.inputs,
      unknownResults: run.unknownResults,
      conditions: [...run.conditions],
      branches: run.branches,
      assumptions: run.assumptions,
    };
  }

  /** Values of a call's arguments in a state. */
  argumentsOf(edge: Edge, state: SymbolicState): SymbolicValue[] {
    if (edge.command.kind !== 'call') throw new Error('this edge is no call');
    return edge.command.arguments.map((argument) => this.evaluator.evaluate(argument, state));
  }

  /** The object number of a call's callee in a state; a literal for direct calls. */
  calleeOf(edge: Edge, state: SymbolicState): SymbolicValue {
    if (edge.command.kind !== 'call') throw new Error('this edge is no call');
    const { callee } = edge.command;
    return callee.kind === 'function' ? this.vocabulary.values.address(callee) : this.evaluator.evaluate(callee, state);
  }

  condition(expression: Parameters<Evaluator<SymbolicValue>['evaluate']>[0], state: SymbolicState): Term {
    return isTrue(this.evaluator.evaluate(expression, state));
  }

  evaluate(expression: Parameters<Evaluator<SymbolicValue>['evaluate']>[0], state: SymbolicState): SymbolicValue {
    return this.evaluator.evaluate(expression, state);
  }

  change(command: Command, state: SymbolicState): boolean {
    if (!isStateCommand(command)) return false;
    let execute = this.executions.get(command);
    if (!execute) {
      const staged = commandEffect(command, this.evaluator);
      execute = (s) => staged(s);
      this.executions.set(command, execute);
    }
    execute(state);
    return true;
  }

  unrolledLoop(location: Location): { readonly loop: Loop; readonly rounds: number } | undefined {
    return this.options.unrolled?.get(location);
  }
  get isChecked(): SegmentOptions['isChecked'] {
    return this.options.isChecked;
  }
  get asksForBranches(): boolean {
    return this.options.branches === true;
  }
  get effects(): SideEffects {
    return this.options.effects;
  }
  get weakening(): Weakening {
    return this.options.weakening ?? noWeakening;
  }
}

/** A callee's body has a loop, or a call that is a cutpoint: it cannot be part of a segment. */
export class NotLoopFree extends Error {
  constructor(readonly callee: FunctionDefinition) {
    super(`${callee.name} is not loop-free`);
  }
}

/** The function that a run goes through, the locations where it stops, and the receiver of the flow there. */
interface SegmentScope {
  readonly fn: FunctionDefinition;
  readonly stops: ReadonlySet<Location>;
  readonly stop: (to: Location, after: Flow) => void;
}

/** The reading of one segment, or of one path through it: see `tracedPath.ts`. */
export class SegmentRun {
  readonly obligations: Obligation[] = [];
  readonly inputs: Input[] = [];
  readonly unknownResults: UnknownResult[] = [];
  readonly conditions = new Set<Term>();
  readonly branches: Branch[] = [];
  private asserted: Term = L.TRUE;
  readonly assumptions: Assumption[] = [];
  constructor(
    private readonly builder: SegmentBuilder,
    private readonly symbols: FreshSymbols,
  ) {}

  /** Runs the code from `from` to the next locations in `stops`, in reverse post-order, merging at joins. */
  follow(fn: FunctionDefinition, from: Location, flow: Flow, stops: ReadonlySet<Location>): Map<Location, Flow> {
    const ends = new Map<Location, Flow[]>();
    const stop = (to: Location, after: Flow): void => {
      addFlow(ends, to, after);
    };
    this.through({ fn, stops, stop }, fn.locations.slice(from.index), from, flow, undefined, (to) => {
      throw new Error(`location ${to.index} lies in no part of ${fn.name}`);
    });
    return new Map([...ends].map(([to, flows]) => [to, mergeFlows(flows)]));
  }

  /**
   * Runs through some locations of a function once, those given in order; `leave` gets what goes on elsewhere. `round`
   * is the loop of which this is one round: its head is not another loop then.
   */
  private through(
    scope: SegmentScope,
    locations: Iterable<Location>,
    from: Location,
    flow: Flow,
    round: Loop | undefined,
    leave: (to: Location, after: Flow) => void,
  ): void {
    const { fn, stops } = scope;
    const inside = round?.body;
    const arriving = new Map<Location, Flow[]>([[from, [flow]]]);
    for (const location of locations) {
      const flows = arriving.get(location);
      if (!flows) continue;
      const merged = mergeFlows(flows);
      const arrive = (to: Location, after: Flow): void => {
        const unrolled = this.builder.unrolledLoop(to) !== undefined;
        if ((inside && !inside.has(to)) || to === round?.head) leave(to, after);
        else if (to === fn.exit || (stops.has(to) && !(unrolled && to.index > location.index))) scope.stop(to, after);
        else if (to.index <= location.index) throw new NotLoopFree(fn);
        else addFlow(arriving, to, after);
      };
      const unrolled = location === round?.head ? undefined : this.builder.unrolledLoop(location);
      if (unrolled) this.roundAndRound(scope, unrolled.loop, unrolled.rounds, merged, arrive);
      else this.step(fn, location, merged, arrive);
    }
  }

  /** Rounds of a loop until none goes on, or there were as many as wanted: then what goes on ends at the head. */
  private roundAndRound(
    scope: SegmentScope,
    loop: Loop,
    rounds: number,
    flow: Flow,
    arrive: (to: Location, after: Flow) => void,
  ): void {
    const locations = [...loop.body].sort((a, b) => a.index - b.index);
    let current = flow;
    for (let round = 0; round <= rounds; round++) {
      const again: Flow[] = [];
      this.through(scope, locations, loop.head, current, loop, (to, after) => {
        if (to === loop.head) again.push(after);
        else arrive(to, after);
      });
      if (again.length === 0) return;
      current = mergeFlows(again);
    }
    scope.stop(loop.head, current);
  }

  private step(
    fn: FunctionDefinition,
    location: Location,
    flow: Flow,
    arrive: (to: Location, after: Flow) => void,
  ): void {
    const { dropped } = this.builder.weakening;
    const isBranch = location.edges.length > 1 && location.edges.every(({ command }) => command.kind === 'assume');
    if (isBranch && location.edges.some((edge) => dropped.has(edge))) {
      this.eitherWay(location, flow, arrive);
      return;
    }
    location.edges.forEach((edge, i) => {
      const start: Flow = {
        guard: flow.guard,
        state: i === location.edges.length - 1 ? flow.state : forkState(flow.state),
      };
      const after = this.along(fn, edge, start);
      if (after && after.guard !== L.FALSE) arrive(edge.to, after);
    });
  }

  /** Any edge of a branch, whatever its conditions are. The guards exclude each other, which joins presume. */
  private eitherWay({ edges }: Location, flow: Flow, arrive: (to: Location, after: Flow) => void): void {
    let { guard } = flow;
    edges.forEach((edge, i) => {
      const isLast = i === edges.length - 1;
      const choice = isLast ? L.TRUE : this.symbols.fresh('either way', L.boolSort);
      const state = isLast ? flow.state : forkState(flow.state);
      arrive(edge.to, { guard: L.and(guard, choice), state });
      guard = L.and(guard, L.not(choice));
    });
  }

  /** Executes a command as a weaker one; see `weakening.ts`. Undefined: there is none. */
  private weakly({ command }: Edge, flow: Flow): Flow | undefined {
    const { builder, symbols } = this;
    const { effects } = builder;
    switch (command.kind) {
      case 'assign':
        this.havocVariable(flow.state, command.target);
        return flow;
      case 'store':
      case 'copy':
      case 'fill':
        effects.havocWritten(command, flow.state, symbols);
        return flow;
      case 'call':
        effects.havocCall(command.targets, flow.state, symbols);
        if (command.target) this.havocVariable(flow.state, command.target);
        return flow;
      case 'check':
        return flow;
      default:
        return undefined;
    }
  }

  /** An assertion's branches lie before it, within its text. */
  private noteOperands({ span }: Check, fn: FunctionDefinition, { guard }: Flow, condition: Term): void {
    for (const branch of this.branches)
      if (branch.function === fn && branch.assertion === undefined && encloses(span, branch.edge.span))
        branch.assertion = L.implies(guard, condition);
  }

  private havocVariable(state: SymbolicState, target: Variable): void {
    const { half } = this.builder.vocabulary.memoryModel;
    this.write(state, target, this.symbols.value(target.name, target.type, half));
  }

  /** The flow behind an edge; undefined when control does not get there. */
  protected along(fn: FunctionDefinition, edge: Edge, flow: Flow): Flow | undefined {
    const { command } = edge;
    const { builder } = this;
    const { state } = flow;
    const weaker = builder.weakening.dropped.has(edge) ? this.weakly(edge, flow) : undefined;
    if (weaker) return weaker;
    switch (command.kind) {
      case 'assume': {
        if (asksForDefinedness(command.condition)) return flow;
        const condition = builder.condition(command.condition, state);
        this.conditions.add(condition);
        const after = L.and(flow.guard, condition);
        if (edge.from.edges.length > 1 && builder.asksForBranches)
          this.branches.push({ edge, function: fn, guard: after, asserted: this.asserted });
        if (edge.from.edges.length === 1) this.assumptions.push({ edge, before: flow.guard, after });
        return { guard: after, state };
      }
      case 'check': {
        const condition = builder.condition(command.condition, state);
        const passed = asksForDefinedness(command.condition) ? flow : { guard: L.and(flow.guard, condition), state };
        if (builder.isChecked(command)) {
          if (builder.weakening.assumed.has(edge)) return passed;
          if (condition !== L.TRUE)
            this.obligations.push({ check: command, function: fn, guard: flow.guard, condition });
          else this.obligations.push({ check: command, function: fn, guard: L.FALSE, condition });
          return passed;
        }
        if (builder.asksForBranches && command.check === 'assertion') {
          this.noteOperands(command, fn, flow, condition);
          this.asserted = L.and(this.asserted, L.implies(flow.guard, condition));
        }
        return command.ifUnchecked === 'assume' && !builder.asksForBranches ? passed : flow;
      }
      case 'havoc': {
        const value = this.symbols.value(command.target.name, command.target.type, builder.vocabulary.memoryModel.half);
        this.inputs.push({
          kind: 'havoc',
          name: command.target.name,
          type: command.target.type,
          value,
          guard: flow.guard,
          span: edge.span,
        });
        this.write(state, command.target, value);
        return flow;
      }
      case 'input': {
        const value = this.symbols.value(command.name, command.target.type, builder.vocabulary.memoryModel.half);
        this.inputs.push({
          kind: 'input',
          name: command.name,
          type: command.target.type,
          value,
          guard: flow.guard,
          span: edge.span,
        });
        this.write(state, command.target, value);
        return flow;
      }
      case 'allocate': {
        const size = builder.evaluate(command.size, state);
        const fails = command.mayFail ? this.symbols.fresh('malloc', L.boolSort) : L.FALSE;
        const made = state.memory.allocate(size, command.zeroed, command, L.not(fails));
        this.write(state, command.target, iteValue(fails, builder.vocabulary.values.null, made));
        return flow;
      }
      case 'external': {
        const known = isNative(command.name)
          ? prescribedResult(command, (argument) => builder.evaluate(argument, state))
          : undefined;
        builder.effects.havoc(command, state, this.symbols);
        if (command.target) {
          const value =
            known ?? this.symbols.value(command.name, command.target.type, builder.vocabulary.memoryModel.half);
          if (!known) this.unknownResults.push({ name: command.name, value, span: edge.span });
          this.write(state, command.target, value);
        }
        return flow;
      }
      case 'halt':
        return undefined;
      case 'call':
        return this.call(edge, flow);
      default:
        builder.change(command, state);
        return flow;
    }
  }

  /** Through the body of a loop-free callee. */
  private call(edge: Edge, flow: Flow): Flow | undefined {
    const { builder } = this;
    const { command } = edge;
    if (command.kind !== 'call') throw new Error('this edge is no call');
    const args = builder.argumentsOf(edge, flow.state);
    const callee = builder.calleeOf(edge, flow.state);
    const after: Flow[] = [];
    command.targets.forEach((target) => {
      const chosen =
        command.targets.length === 1 && command.callee.kind === 'function'
          ? L.TRUE
          : L.eq(
              (callee as { object: Term }).object,
              L.bits(BigInt(target.number), builder.vocabulary.memoryModel.half),
            );
      const locals = target.variables.map((variable, slot) =>
        slot < target.parameters.length
          ? args[slot]!
          : builder.vocabulary.uninitialisedValue(variable, target, this.symbols),
      );
      const inside: SymbolicState = {
        globals: [...flow.state.globals],
        locals,
        objects: [],
        memory: flow.state.memory.fork(),
      };
      const exit = this.follow(
        target,
        target.entry,
        { guard: L.and(flow.guard, chosen), state: inside },
        new Set([target.exit]),
      ).get(target.exit);
      if (!exit) return;
      const state: SymbolicState = {
        globals: exit.state.globals,
        locals: [...flow.state.locals],
        objects: [...flow.state.objects],
        memory: exit.state.memory,
      };
      if (command.target && target.resultVariable)
        this.write(state, command.target, exit.state.locals[target.resultVariable.slot]!);
      after.push({ guard: exit.guard, state });
    });
    return after.length === 0 ? undefined : mergeFlows(after);
  }

  private write(state: SymbolicState, target: Variable, value: SymbolicValue): void {
    if (target.scope === 'global') state.globals[target.slot] = value;
    else state.locals[target.slot] = value;
  }
}

function addFlow(flows: Map<Location, Flow[]>, to: Location, flow: Flow): void {
  const list = flows.get(to);
  if (list) list.push(flow);
  else flows.set(to, [flow]);
}

/** One flow of several whose guards exclude each other. */
export function mergeFlows(flows: readonly Flow[]): Flow {
  return flows.reduce((a, b) => {
    const { guard, choice } = disjoin(a.guard, b.guard);
    const state: SymbolicState = {
      globals: mergeValues(choice, a.state.globals, b.state.globals),
      locals: mergeValues(choice, a.state.locals, b.state.locals),
      objects: mergeValues(choice, a.state.objects, b.state.objects),
      memory: a.state.memory.fork(),
    };
    const [left, right] = [a.state.memory.contents, b.state.memory.contents];
    state.memory.joinAlignments(b.state.memory);
    state.memory.contents = left.map((term, i) => (term === right[i] ? term : L.ite(choice, term, right[i]!)));
    return { guard, state };
  });
}

function mergeValues(choice: Term, a: readonly SymbolicValue[], b: readonly SymbolicValue[]): SymbolicValue[] {
  const merged: SymbolicValue[] = [];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [x, y] = [a[i], b[i]];
    // A slot that only one side has set (an automatic object declared there) is out of scope after the join.
    if (x === undefined || y === undefined) {
      if ((x ?? y) !== undefined) merged[i] = (x ?? y)!;
      continue;
    }
    merged[i] = x === y ? x : iteValue(choice, x, y);
  }
  return merged;
}

/**
 * `a or b`, and a condition that is true under a and false under b; common conjuncts taken out so that diamonds close
 * without a trace.
 */
function disjoin(a: Term, b: Term): { guard: Term; choice: Term } {
  const [left, right] = [conjuncts(a), conjuncts(b)];
  const inRight = new Set(right);
  const common = left.filter((t) => inRight.has(t));
  const shared = new Set(common);
  const onlyLeft = L.and(...left.filter((t) => !shared.has(t)));
  const onlyRight = L.and(...right.filter((t) => !shared.has(t)));
  return { guard: L.and(...common, L.or(onlyLeft, onlyRight)), choice: onlyLeft };
}

export function conjuncts(term: Term): readonly Term[] {
  return term.kind === 'apply' && term.operator === 'and' ? term.args : [term];
}

export type { SymbolTerm };

/**
 * True if the condition asks what was written. Memory that was may count as unwritten, behind a native function, say:
 * an execution that passes may have a state in which the condition is false, so nothing follows from passing.
 */
function asksForDefinedness(condition: Expression): boolean {
  let found = false;
  walk(condition, ({ kind }) => {
    if (kind === 'is-initialised') found = true;
  });
  return found;
}
