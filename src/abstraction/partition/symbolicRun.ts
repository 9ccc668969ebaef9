/**
 * The symbolic run along a branch of the forest: which inputs lead the same way. The run is done again concretely, and
 * beside it only what depends on the inputs is carried as terms; all else is read from the concrete state when it is
 * needed. So a step that no input can change costs a look-up, and a loop of a million such rounds no terms at all
 * (SYNERGY's fig. 1; DART's and EXE's concrete values beside symbolic ones).
 */
import * as L from '../../logic/build';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import type { Scalar, Variable } from '../../program/expression';
import { FreshSymbols, isPointer, type SymbolicValue } from '../../semantics/symbolic/symbolicValues';
import type { ConcreteView } from '../transitionSystem/concreteView';
import type { Forest, StateNumber } from './forest';
import type { Region } from './region';
import type { Step, TransitionGraph } from '../transitionSystem/transitionGraph';

/** A client's call along the branch. */
export interface SymbolicCall {
  readonly fn: FunctionDefinition;
  readonly locals: readonly SymbolicValue[];
  readonly contents: readonly Term[];
}
/** Answer of the environment along the branch, when `guard` holds. */
export interface SymbolicAnswer {
  readonly kind: 'input' | 'havoc';
  readonly name: string;
  readonly type: Scalar;
  readonly value: SymbolicValue;
  readonly guard: Term;
}

export interface Extension {
  readonly constraints: readonly Term[];
  readonly calls: readonly SymbolicCall[];
  readonly answers: readonly SymbolicAnswer[];
}

/** Dependence of the state at the end of a branch on the inputs. */
export interface BranchCondition {
  /** Inputs that satisfy all of these lead along the branch, through the same regions. */
  readonly constraints: readonly Term[];
  readonly calls: readonly SymbolicCall[];
  readonly answers: readonly SymbolicAnswer[];
  /** A term over the end state's vocabulary, as a term over the inputs. */
  read(terms: readonly Term[]): Term[];
  /**
   * The condition under which a step is taken from the end and leads into a region, and what it asks of the client and
   * the environment.
   */
  extend(step: Step, target: Term): Extension;
  /** The same for several steps, of which none has been run from here. */
  along(steps: readonly Step[], target: Term): Extension;
}

/** Changes by a step, with what they depend on. */
interface StepDependences {
  readonly guardNeeds: ReadonlySet<SymbolTerm>;
  readonly changes: readonly (readonly [SymbolTerm, Term, ReadonlySet<SymbolTerm>])[];
}

export class SymbolicRuns {
  private readonly dependences = new Map<Step, StepDependences>();

  constructor(
    private readonly graph: TransitionGraph,
    private readonly forest: Forest,
  ) {}

  /**
   * Along the branch that ends in `state`; `regionOf` names the regions it passes. Undefined state: before everything.
   */
  to(state: StateNumber | undefined, regionOf: (state: StateNumber) => Region): BranchCondition {
    const run = new SymbolicRun(this.graph, (step) => this.dependencesOf(step));
    if (state === undefined) return run.end([], undefined);
    const { forest } = this;
    let end: BranchCondition | undefined;
    const own = forest.runOf(state);
    const caller = forest.callerOf(state);
    run.take(forest.stepTo(own.first), undefined);
    forest.replay(own, state, (at, view) => {
      run.pass(regionOf(at).formula, view);
      if (at === caller) run.remember(this.symbolsAt(at), view);
      if (at < state) run.take(forest.stepTo(at + 1), view);
      else end = run.end(this.symbolsAt(at), view);
    });
    if (!end) throw new Error('a run done again meets the same states');
    return end;
  }

  private symbolsAt(state: StateNumber): readonly SymbolTerm[] {
    const { point } = this.forest.nodeOf(state);
    return point ? this.graph.system.vocabulary.symbolsFor(point.fn) : [];
  }

  private dependencesOf(step: Step): StepDependences {
    let found = this.dependences.get(step);
    if (!found) {
      const changes = [...step.after].flatMap(([symbol, term]) =>
        symbol.kind === 'symbol' && (symbol !== term || step.fresh.has(symbol))
          ? [[symbol, term, symbolsOf(term)] as const]
          : [],
      );
      this.dependences.set(step, (found = { guardNeeds: symbolsOf(step.guard), changes }));
    }
    return found;
  }
}

class SymbolicRun {
  private readonly constraints: Term[] = [];
  private readonly calls: SymbolicCall[] = [];
  private readonly answers: SymbolicAnswer[] = [];
  /** Symbols whose values depend on inputs, and memory; what is missing here is read from the concrete state. */
  private readonly symbolic = new Map<Term, Term>();
  /** Values kept by pending callers. */
  private readonly frames: (readonly (readonly [Term, Term])[])[] = [];
  /** Values, independent of inputs, of symbols in the caller of the branch's last activation. */
  private callerValues: ReadonlyMap<Term, Term> = new Map();
  private count = 0;

  /** Constants are read from the state at hand, or carried along if there is none. */
  constructor(
    private readonly graph: TransitionGraph,
    private readonly reading: (step: Step) => StepDependences,
    private readonly constants: 'read' | 'carried' = 'read',
  ) {}

  /** Takes a step from the state that `view` shows. */
  take(step: Step, view: ConcreteView | undefined): void {
    if (step.kind === 'return') return this.leaveCall(step, view);
    const { guardNeeds, changes } = this.reading(step);
    const concerned = (needs: ReadonlySet<SymbolTerm>): boolean => {
      for (const symbol of needs) if (this.symbolic.has(symbol) || step.fresh.has(symbol)) return true;
      return false;
    };
    const changed = changes.filter(
      ([symbol, , needs]) => this.constants === 'carried' || symbol.sort.kind === 'array' || concerned(needs),
    );
    const plain =
      this.constants === 'read' &&
      step.inputs.length === 0 &&
      !step.entered &&
      changed.length === 0 &&
      !concerned(guardNeeds);
    const values = plain
      ? []
      : this.follow(
          step,
          changed.map(([, term]) => term),
          view,
        );
    if (step.kind === 'call') this.frames.push(this.forgetFrame());
    for (const [symbol] of changes) this.symbolic.delete(symbol);
    changed.forEach(([symbol], i) => this.set(symbol, values[i]!));
    this.count++;
  }

  /** The latest state, which `view` shows, satisfies a formula. */
  pass(formula: Term, view: ConcreteView): void {
    for (const symbol of symbolsOf(formula)) {
      if (!this.symbolic.has(symbol)) continue;
      const [term] = this.read([formula], undefined, view);
      if (term !== L.TRUE) this.constraints.push(term!);
      return;
    }
  }

  /** The branch will end in an activation called from here. */
  remember(symbols: readonly SymbolTerm[], view: ConcreteView): void {
    this.callerValues = new Map(
      symbols
        .filter((symbol) => this.isLocal(symbol) && !this.symbolic.has(symbol))
        .map((symbol) => [symbol, literal(symbol, view)]),
    );
  }

  end(symbols: readonly SymbolTerm[], view: ConcreteView | undefined): BranchCondition {
    // The view is the machine's own and moves on: what may be asked of the end is read now.
    if (view)
      for (const symbol of symbols)
        if (!this.symbolic.has(symbol) && symbol.sort.kind !== 'array')
          this.symbolic.set(symbol, literal(symbol, view));
    return {
      constraints: this.constraints,
      calls: this.calls,
      answers: this.answers,
      read: (terms) => this.read(terms, undefined, undefined),
      extend: (step, target) =>
        step.kind === 'return' ? this.leave(step, target) : this.extend(step, target, undefined),
      along: (steps, target) => this.along(steps, target),
    };
  }

  private along(steps: readonly Step[], target: Term): Extension {
    const run = new SymbolicRun(this.graph, this.reading, 'carried');
    for (const [symbol, term] of this.symbolic) run.symbolic.set(symbol, term);
    run.frames.push(...this.frames);
    run.count = this.count;
    for (const step of steps) run.take(step, undefined);
    return {
      constraints: [...run.constraints, ...run.read([target], undefined, undefined)].filter((term) => term !== L.TRUE),
      calls: run.calls,
      answers: run.answers,
    };
  }

  private set(symbol: Term, value: Term): void {
    if (symbol.sort.kind === 'array' || this.constants === 'carried' || !isLiteral(value))
      this.symbolic.set(symbol, value);
    else this.symbolic.delete(symbol);
  }

  private follow(step: Step, terms: readonly Term[], view: ConcreteView | undefined): Term[] {
    const { constraints, calls, answers } = this.extend(step, L.TRUE, view);
    this.constraints.push(...constraints);
    this.calls.push(...calls);
    this.answers.push(...answers);
    return this.read(terms, step, view);
  }

  /** Locals belong to the activation that is left for a while. */
  private forgetFrame(): (readonly [Term, Term])[] {
    const own = [...this.symbolic].filter(([symbol]) => this.isLocal(symbol));
    for (const [symbol] of own) this.symbolic.delete(symbol);
    return own;
  }

  private isLocal(symbol: Term): boolean {
    const meaning = this.graph.system.vocabulary.meaning(symbol);
    return meaning?.kind === 'object' || (meaning?.kind === 'variable' && meaning.function !== undefined);
  }

  /**
   * From a callee's exit, which `view` shows, back into the caller: its locals are what they were, and one of them has
   * the result.
   */
  private leaveCall(step: Step, view: ConcreteView | undefined): void {
    const results = this.results(step, view);
    this.forgetFrame();
    for (const [symbol, term] of this.frames.pop() ?? []) this.symbolic.set(symbol, term);
    for (const [symbol, term] of results) this.set(symbol, term);
    this.count++;
  }

  /** Values of the call's target when the callee ends here. */
  private results(step: Step, view: ConcreteView | undefined): readonly (readonly [Term, Term])[] {
    const callee = step.callee!.entry.point!.fn;
    const { command } = this.graph.system.callAt(step.from.point!)!;
    if (command.kind !== 'call' || !command.target || !callee.resultVariable) return [];
    const values = this.read(this.partsOf(callee, callee.resultVariable), undefined, view);
    return this.partsOf(step.to.point!.fn, command.target).map((symbol, i) => [symbol, values[i]!] as const);
  }

  /** The condition under which a return from the end of the branch leads into a region. */
  private leave(step: Step, target: Term): Extension {
    const known = new Map([
      ...[...this.symbolic].filter(([symbol]) => !this.isLocal(symbol)),
      ...this.callerValues,
      ...(this.frames.at(-1) ?? []),
      ...this.results(step, undefined),
    ]);
    const constraints = substituteAll([target], known).filter((term) => term !== L.TRUE);
    return { constraints, calls: [], answers: [] };
  }

  private partsOf(fn: FunctionDefinition, variable: Variable): Term[] {
    const state = this.graph.system.vocabulary.arbitraryState(fn, new FreshSymbols('result'));
    const value = variable.scope === 'global' ? state.globals[variable.slot]! : state.locals[variable.slot]!;
    return isPointer(value) ? [value.object, value.offset] : [value];
  }

  private read(terms: readonly Term[], step: Step | undefined, view: ConcreteView | undefined): Term[] {
    const map = new Map<Term, Term>();
    for (const term of terms) {
      for (const symbol of symbolsOf(term)) {
        if (map.has(symbol)) continue;
        if (step?.fresh.has(symbol)) {
          // Each time anew; what the start leaves open keeps its name.
          if (step.from.kind !== 'start') map.set(symbol, L.symbol(`${symbol.name}~${this.count}`, symbol.sort));
          continue;
        }
        const known = this.symbolic.get(symbol);
        if (known) map.set(symbol, known);
        else if (view && symbol.sort.kind !== 'array') map.set(symbol, literal(symbol, view));
      }
    }
    return substituteAll(terms, map);
  }

  private extend(step: Step, target: Term, view: ConcreteView | undefined): Extension {
    const read = (terms: readonly Term[]): Term[] => this.read(terms, step, view);
    const value = (v: SymbolicValue): SymbolicValue =>
      isPointer(v) ? { object: read([v.object])[0]!, offset: read([v.offset])[0]! } : read([v])[0]!;
    // Axioms of the semantics about states hold of the branch anyway; those about fresh symbols have to be said.
    const premises = step.premises.filter((premise) =>
      [...symbolsOf(premise)].some((symbol) => step.fresh.has(symbol)),
    );
    const constraints = read([...premises, step.guard, ...substituteAll([target], step.after)]).filter(
      (term) => term !== L.TRUE,
    );
    const answers = step.inputs.map(({ kind, name, type, value: v, guard }): SymbolicAnswer => ({
      kind,
      name,
      type,
      value: value(v),
      guard: read([guard])[0]!,
    }));
    const calls = step.entered
      ? [
          {
            fn: step.entered.fn,
            locals: step.entered.state.locals.map(value),
            contents: read(step.entered.state.memory.contents),
          },
        ]
      : [];
    return { constraints, answers, calls };
  }
}

function isLiteral(term: Term): boolean {
  return term.kind === 'bits' || term.kind === 'boolean';
}
function literal(symbol: SymbolTerm, view: ConcreteView): Term {
  const value = view.value(symbol);
  if (typeof value === 'boolean') return L.bool(value);
  if (typeof value === 'bigint') return L.bits(value, L.widthOf(symbol));
  throw new Error('scalars only: memory is always carried as terms');
}
