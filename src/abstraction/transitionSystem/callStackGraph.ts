/**
 * The transition graph of a program with its calls unfolded: a place is a cutpoint and the calls that wait for it. A
 * call goes on in the callee, with the variables of the caller kept beside those of the callee, and the callee's exit
 * leads to the place behind the call. Only functions that may call themselves are summarised: such a call begins an
 * empty stack, and beside it a step leads over the call, behind which all that the callee may change is arbitrary. So
 * no function waits for itself here, and each variable of a stack is one symbol of the vocabulary. The client of a
 * module has no frame: its calls begin an empty stack, and the exit of a function that it called leads back to it.
 */
import * as L from '../../logic/build';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import type { SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import { FreshSymbols } from '../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from './cutpoint';
import { type StackFrame, type GraphNode, type Step, symbolsOfFrames, TransitionGraph } from './transitionGraph';
import type { TransitionSystem } from './transitionSystem';

/** Others leave the module in the middle of a call, or stand for calls of which nothing is executed. */
const unfoldable: ReadonlySet<Step['kind']> = new Set([
  'start',
  'segment',
  'error',
  'client',
  'leave',
  'call',
  'return',
]);

interface StackedPlace {
  /** The cutpoints before the calls that wait, outermost first. */
  readonly waiting: readonly Cutpoint[];
  readonly point: Cutpoint;
}

export class CallStackGraph {
  readonly nodes: GraphNode[] = [];
  readonly steps: Step[] = [];
  readonly start: GraphNode;
  readonly error: GraphNode;
  private readonly plain: TransitionGraph;
  private readonly placeOf = new Map<GraphNode, StackedPlace>();
  private readonly nodeOf = new Map<string, GraphNode>();
  private readonly work: GraphNode[] = [];
  /** Functions that may call themselves, with others between or none. */
  private readonly recursive: ReadonlySet<FunctionDefinition>;

  private constructor(readonly system: TransitionSystem) {
    this.plain = new TransitionGraph(system);
    this.recursive = recursiveFunctions(this.plain);
    this.start = this.node('start', this.plain.start);
    this.error = this.node('error', this.plain.error);
  }

  /** Undefined: no call is unfolded, an unknown function may call back, or there are more places. */
  static of(system: TransitionSystem, mostPlaces: number): CallStackGraph | undefined {
    const graph = new CallStackGraph(system);
    if (graph.plain.steps.some(({ kind }) => !unfoldable.has(kind))) return undefined;
    for (const step of graph.plain.start.leaving) graph.copy(step, graph.start, []);
    for (let node = graph.work.pop(); node; node = graph.work.pop())
      if (graph.nodes.length > mostPlaces) return undefined;
      else graph.leave(node);
    const isUnfolded = [...graph.placeOf.values()].some(({ waiting }) => waiting.length > 0);
    return isUnfolded || graph.recursive.size === 0 ? graph : undefined;
  }

  /** The frames of a stack, the innermost first: each with the location at which it is, or waits. */
  framesAt(node: GraphNode): readonly StackFrame[] {
    const place = this.placeOf.get(node);
    return place ? [place.point, ...[...place.waiting].reverse()].map(({ fn, location }) => ({ fn, location })) : [];
  }

  /** Tells places apart: the same in every such graph of a program, whatever the options of its system. */
  keyOf(node: GraphNode): string {
    const place = this.placeOf.get(node);
    return place ? keyOf(place) : node.kind;
  }

  /** The steps that leave a place. */
  private leave(node: GraphNode): void {
    const { waiting, point } = this.placeOf.get(node)!;
    if (point.kind === 'exit') {
      const call = waiting.at(-1);
      if (call) this.goBack(node, call, waiting.slice(0, -1));
      else for (const step of this.plain.at(point).leaving) this.copy(step, node, []);
      return;
    }
    const leaving = this.plain.at(point).leaving;
    for (const step of leaving) {
      if (step.kind === 'return') {
        // The call's other half is needed where it is not unfolded.
        if (this.recursive.has(step.callee!.entry.point!.fn)) this.copy(step, node, waiting);
      } else if (step.kind === 'call') {
        this.copy(step, node, this.recursive.has(step.to.point!.fn) ? [] : [...waiting, point]);
      } else this.copy(step, node, waiting);
    }
  }

  private copy(step: Step, from: GraphNode, waiting: readonly Cutpoint[]): void {
    const to = step.kind === 'error' ? this.error : this.at({ waiting, point: step.to.point! });
    this.add({ ...step, from, to });
  }

  /** From the exit of a callee to the place behind the call, with the caller's variables as they were. */
  private goBack(from: GraphNode, call: Cutpoint, waiting: readonly Cutpoint[]): void {
    const { vocabulary } = this.system;
    const callee = from.point!;
    const edge = this.system.callAt(call);
    if (edge?.command.kind !== 'call') throw new Error('a call point is left by a call');
    const { target } = edge.command;
    const symbols = new FreshSymbols('back');
    const left = vocabulary.state(callee.fn, callee.location, symbols);
    const caller = vocabulary.arbitraryState(call.fn, symbols);
    const back: SymbolicState = {
      globals: [...left.globals],
      locals: [...caller.locals],
      objects: [...caller.objects],
      memory: left.memory,
    };
    if (target && callee.fn.resultVariable) {
      const result = left.locals[callee.fn.resultVariable.slot]!;
      if (target.scope === 'global') back.globals[target.slot] = result;
      else back.locals[target.slot] = result;
    }
    const point = this.system.at(edge.to);
    if (!point) throw new Error('a call ends at a cutpoint');
    const after = vocabulary.binding(call.fn, back);
    const axioms = vocabulary.wellFormed(point.fn, point.location);
    this.add({
      index: 0,
      kind: 'return',
      from,
      to: this.at({ waiting, point }),
      guard: L.TRUE,
      after: new Map([...after].filter(([symbol, value]) => symbol !== value)),
      premises: [...vocabulary.wellFormed(callee.fn, callee.location), ...substituteAll(axioms, after)],
      fresh: new Set(),
      inputs: [],
      obligation: undefined,
      callee: undefined,
      entered: undefined,
    });
  }

  private at(place: StackedPlace): GraphNode {
    const key = keyOf(place);
    let node = this.nodeOf.get(key);
    if (!node) {
      node = this.node('point', this.plain.at(place.point));
      this.nodeOf.set(key, node);
      this.placeOf.set(node, place);
      this.work.push(node);
    }
    return node;
  }

  private node(kind: GraphNode['kind'], { point, known }: GraphNode): GraphNode {
    const node: GraphNode = {
      index: this.nodes.length,
      kind,
      point,
      known,
      invariants: [],
      leaving: [],
      arriving: [],
    };
    this.nodes.push(node);
    return node;
  }

  private add(step: Step): void {
    const own = new Set<Term>(symbolsOfFrames(this.framesAt(step.from), this.system));
    const mentioned = [step.guard, ...step.premises, ...step.after.values()].flatMap((term) => [...symbolsOf(term)]);
    const fresh = new Set([...step.fresh, ...mentioned].filter((symbol) => !own.has(symbol)));
    const made: Step = { ...step, index: this.steps.length, fresh };
    this.steps.push(made);
    made.from.leaving.push(made);
    made.to.arriving.push(made);
  }
}

const keyOf = ({ waiting, point }: StackedPlace): string => [...waiting, point].map(({ key }) => key).join('>');

function recursiveFunctions({ steps }: TransitionGraph): ReadonlySet<FunctionDefinition> {
  const called = new Map<FunctionDefinition, Set<FunctionDefinition>>();
  for (const { kind, from, to } of steps) {
    if (kind !== 'call') continue;
    const { fn } = from.point!;
    called.set(fn, (called.get(fn) ?? new Set()).add(to.point!.fn));
  }
  const callsItself = (fn: FunctionDefinition): boolean => {
    const reached = new Set(called.get(fn));
    for (const other of reached) for (const next of called.get(other) ?? []) reached.add(next);
    return reached.has(fn);
  };
  return new Set([...called.keys()].filter(callsItself));
}
