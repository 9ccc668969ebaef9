/**
 * Slices of a program for checks (Weiser, ICSE 1981; value slices: Kumar, Sanyal, Khedker, "Value slice: a new slicing
 * concept for scalable property checking", TACAS 2015). Four kinds, each part of the next:
 *
 *   thin      what computes the values that the checks read; every branch goes either way
 *   value     and the branches that decide which value it is
 *   value+    and the branches whose conditions are computed anyway
 *   backward  and all branches that decide whether the checks, or what they need, are reached
 *
 * A slice may miss what matters: the program is then only weaker than it had to be, and proofs of it hold all the same
 * (`weakening.ts`).
 */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { callGraph, reachable } from '../../abstraction/transitionSystem/callGraph';
import { type Check, type Command, isChecked } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import type { Edge, FunctionDefinition, Location } from '../../program/program';
import { expressionsOf, targetOf, walk } from '../../program/traverse';
import type { Weakening } from '../../program/automata/weakening';
import { noCallBacks } from '../../semantics/pointers/callbacks';
import { setsUpSomething } from '../../semantics/pointers/initialisers';
import { Dependence, type Shared } from './dependence';
import { type PostDominators, postDominators } from './postDominators';

export const sliceKinds = ['thin', 'value', 'value+', 'backward'] as const;
export type SliceKind = (typeof sliceKinds)[number];

/** A command, or a branch: the location that its edges leave. */
export type KeptCommand = Edge | Location;

/** Why something is kept: what needs it, and for what. `by` is undefined for what belongs to a check itself. */
export interface Cause {
  readonly by: KeptCommand | undefined;
  /** `next`: name of what needs it, such as "line 12". */
  readonly what: (next: string) => string;
}

export interface Slice {
  readonly kind: SliceKind;
  readonly system: TransitionSystem;
  readonly criteria: ReadonlySet<Check>;
  /** Commands and branches, each with the reason that was found first. */
  readonly kept: ReadonlyMap<KeptCommand, Cause>;
  /** Functions that an execution may reach. */
  readonly functions: readonly FunctionDefinition[];
  readonly weakening: Weakening;
}

/** The slice of all executions for some checks of a program. */
export function slice(system: TransitionSystem, criteria: ReadonlySet<Check>, kind: SliceKind): Slice {
  return new Slicer(system, criteria, dependenceOf(system)).slice(kind);
}

const dependences = new WeakMap<TransitionSystem, Dependence>();

/** In the functions that an execution may reach. */
function dependenceOf(system: TransitionSystem): Dependence {
  let found = dependences.get(system);
  if (!found) {
    const { entries, init, callBacks } = system.options;
    const roots = [...entries, ...(init ? [init] : [])];
    const executed = reachable(roots, callGraph(system.program, callBacks ?? noCallBacks));
    found = new Dependence(
      system,
      system.program.functions.filter((fn) => executed.has(fn)),
    );
    dependences.set(system, found);
  }
  return found;
}

/** Commands that the program can do without if nothing needs them. */
export const isDroppable = ({ kind }: Command): boolean =>
  kind === 'assign' || kind === 'store' || kind === 'copy' || kind === 'fill' || kind === 'call';

export const isBranch = ({ edges }: Location): boolean => edges.length > 1;

/** Something whose value matters at a place, because of what is kept. */
type Need =
  | { readonly kind: 'local'; readonly variable: Variable; readonly at: Location; readonly cause: Cause }
  | {
      readonly kind: 'shared';
      readonly thing: Shared;
      /** Entries in whose calls it is read. */
      readonly calls: ReadonlySet<FunctionDefinition>;
      readonly cause: Cause;
    };

class Slicer {
  private readonly kept = new Map<KeptCommand, Cause>();
  private readonly functions: readonly FunctionDefinition[];
  private readonly edges: readonly Edge[];
  private readonly seenLocals = new Map<Location, Set<Variable>>();
  /** For each thing, the entries in whose calls it is known to be read. */
  private readonly seenShared = new Map<Shared, Set<FunctionDefinition>>();
  private readonly holding = new Set<FunctionDefinition>();
  private readonly needs: Need[] = [];
  /** While it is tried whether something comes for free: what was seen; undefined otherwise. */
  private trial: { readonly undo: (() => void)[]; failed: boolean } | undefined;
  private readonly ends = new Map<FunctionDefinition, Set<Location>>();
  private readonly dominators = new Map<FunctionDefinition, PostDominators>();

  constructor(
    private readonly system: TransitionSystem,
    private readonly criteria: ReadonlySet<Check>,
    private readonly dependence: Dependence,
  ) {
    this.functions = dependence.functions;
    this.edges = dependence.edges;
  }

  slice(kind: SliceKind): Slice {
    for (const edge of this.edges) if (this.isCriterion(edge)) this.addCriterion(edge);
    this.settle();
    if (kind === 'backward') this.addControl();
    else if (kind !== 'thin') {
      this.addValueImpacting();
      if (kind === 'value+') this.addFreeBranches();
    }
    const { system, criteria, kept, functions } = this;
    return { kind, system, criteria, kept, functions, weakening: this.weakening() };
  }

  private isCriterion({ command }: Edge): boolean {
    return command.kind === 'check' && this.criteria.has(command);
  }

  /** One in the function if there is one. */
  private criterionIn(fn: FunctionDefinition): Edge | undefined {
    const all = this.edges.filter((edge) => this.isCriterion(edge));
    return all.find((edge) => this.dependence.functionOf(edge) === fn) ?? all[0];
  }

  private addCriterion(edge: Edge): void {
    const fn = this.dependence.functionOf(edge);
    const ends = this.ends.get(fn);
    if (ends) ends.add(edge.from);
    else this.ends.set(fn, new Set([edge.from]));
    this.keep(edge, { by: undefined, what: () => 'the check' });
    if (expressionsOf(edge.command).every((e) => this.isConstant(e))) this.lift(fn, edge, new Set());
  }

  private isConstant(e: Expression): boolean {
    const { locals, shared } = this.dependence.reads(e);
    return locals.size + shared.size === 0;
  }

  /** `if (!c) error();`: the branches that lead straight to the check are its condition. */
  private lift(fn: FunctionDefinition, check: Edge, seen: Set<Location>, from = check.from): void {
    let isLifted = false;
    const work = [from];
    for (let at = work.pop(); at; at = work.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      const arriving = this.dependence.into(at);
      if (at.isLoopHead || arriving.some(({ command: { kind } }) => kind !== 'assume' && kind !== 'skip')) continue;
      for (const edge of arriving) {
        if (isBranch(edge.from)) {
          isLifted = true;
          this.keepBranch(edge.from, { by: check, what: decidesWhetherReached });
        }
        work.push(edge.from);
      }
    }
    if (!isLifted && seen.has(fn.entry))
      for (const call of this.dependence.callsOf(fn))
        this.lift(this.dependence.functionOf(call), check, seen, call.from);
  }

  // --- what values depend on

  private keep(edge: Edge, cause: Cause): void {
    if (this.kept.has(edge)) return;
    if (this.trial) {
      this.trial.failed = true;
      return;
    }
    this.kept.set(edge, cause);
    const { command, from } = edge;
    switch (command.kind) {
      case 'call':
        if (command.callee.kind !== 'function') this.need(command.callee, from, edge);
        break;
      case 'external':
        break;
      case 'copy':
        for (const e of expressionsOf(command)) this.need(e, from, edge);
        for (const thing of this.dependence.contentsAt(command.source)) this.needShared(thing, edge);
        break;
      default:
        for (const e of expressionsOf(command)) this.need(e, from, edge);
    }
    this.hold(this.dependence.functionOf(edge), edge);
  }

  private keepBranch(location: Location, cause: Cause): void {
    if (this.kept.has(location) || this.trial) return;
    this.kept.set(location, cause);
    for (const { command } of location.edges) for (const e of expressionsOf(command)) this.need(e, location, location);
    this.hold(this.dependence.functionOf(location.edges[0]!), location);
  }

  /** All calls on the way to what is kept are. */
  private hold(fn: FunctionDefinition, by: KeptCommand): void {
    if (this.holding.has(fn)) return;
    this.holding.add(fn);
    const what = (next: string): string => `calls ${fn.name}, which holds ${next}`;
    for (const call of this.dependence.callsOf(fn)) this.keep(call, { by, what });
  }

  private need(e: Expression, at: Location, by: KeptCommand): void {
    const { locals, shared } = this.dependence.reads(e);
    for (const variable of locals) this.needLocal(variable, at, { by, what: readBy(nameFor(variable)) });
    for (const thing of shared) this.needShared(thing, by);
  }

  private needLocal(variable: Variable, at: Location, cause: Cause): void {
    const seen = this.seenLocals.get(at) ?? new Set();
    if (seen.has(variable)) return;
    seen.add(variable);
    this.seenLocals.set(at, seen);
    this.trial?.undo.push(() => seen.delete(variable));
    this.needs.push({ kind: 'local', variable, at, cause });
  }

  private needShared(thing: Shared, by: KeptCommand): void {
    const seen = this.seenShared.get(thing) ?? new Set();
    this.seenShared.set(thing, seen);
    const calls = this.dependence.callsThatMatter(thing, this.holderOf(by)).filter((entry) => !seen.has(entry));
    if (calls.length === 0) return;
    for (const entry of calls) seen.add(entry);
    this.trial?.undo.push(() => {
      for (const entry of calls) seen.delete(entry);
    });
    this.needs.push({ kind: 'shared', thing, calls: new Set(calls), cause: { by, what: readBy(textOf(thing)) } });
  }

  /** Breadth first, so that reasons are short. */
  private settle(): void {
    for (let next = 0; next < this.needs.length && this.trial?.failed !== true; next++) this.follow(this.needs[next]!);
    this.needs.length = 0;
  }

  private follow(need: Need): void {
    if (need.kind === 'shared') {
      for (const edge of this.dependence.writersOf(need.thing, need.calls)) {
        const writes = after(isThroughPointer(edge.command) ? 'may write' : 'writes', need.cause);
        const lifetime = need.thing === 'lifetimes' ? lifetimeText(edge.command) : undefined;
        const what = lifetime === undefined ? writes : (next: string): string => `${lifetime} by ${next}`;
        this.keepDefinition(edge, { ...need.cause, what }, need.thing);
      }
      return;
    }
    const { variable, at, cause } = need;
    for (const edge of this.dependence.into(at)) {
      if (targetOf(edge.command) === variable)
        this.keepDefinition(edge, { ...cause, what: after(isPart(variable) ? 'computes' : 'writes', cause) }, variable);
      else this.needLocal(variable, edge.from, cause);
    }
    this.needArgument(need.variable, at, cause);
  }

  /** At the entry a parameter's value is what the calls pass. */
  private needArgument(variable: Variable, at: Location, cause: Cause): void {
    const fn = this.dependence.functionAt(at);
    if (!fn || at !== fn.entry) return;
    if (variable.entryValueOf?.scope === 'global') this.needShared(variable.entryValueOf, cause.by!);
    const position = fn.parameters.indexOf(variable);
    if (position < 0) return;
    for (const call of this.dependence.callsOf(fn)) {
      this.keep(call, { ...cause, what: after('passes', cause) });
      if (call.command.kind === 'call') this.need(call.command.arguments[position]!, call.from, call);
    }
  }

  private keepDefinition(edge: Edge, cause: Cause, thing: Shared): void {
    this.keep(edge, cause);
    if (edge.command.kind !== 'call' || edge.command.target !== thing) return;
    for (const { resultVariable, exit } of edge.command.targets)
      if (resultVariable) this.needLocal(resultVariable, exit, { by: edge, what: (next) => `the result for ${next}` });
  }

  private holderOf(kept: KeptCommand): FunctionDefinition {
    return 'edges' in kept ? this.dependence.functionAt(kept)! : this.dependence.functionOf(kept);
  }

  /** True if all that the expression reads is computed by what is kept. */
  private isFree(e: Expression, at: Location): boolean {
    this.trial = { undo: [], failed: false };
    this.need(e, at, at);
    this.settle();
    const { undo, failed } = this.trial;
    if (failed) for (const step of undo) step();
    this.trial = undefined;
    return !failed;
  }

  // --- which branches

  private branchesOf({ locations }: FunctionDefinition): readonly Location[] {
    return locations.filter(isBranch);
  }

  private dominatorsOf(fn: FunctionDefinition): PostDominators {
    let found = this.dominators.get(fn);
    if (!found) this.dominators.set(fn, (found = postDominators(fn, this.ends.get(fn) ?? new Set([fn.exit]))));
    return found;
  }

  /** Inner branches first, and again after each one that is added: it may be what makes an outer one differ. */
  private addValueImpacting(): void {
    for (let changed = true; changed;) {
      changed = false;
      for (const fn of this.functions) {
        if (!this.holding.has(fn)) continue;
        const branches = [...this.branchesOf(fn)].reverse();
        for (let found = this.impacting(fn, branches); found; found = this.impacting(fn, branches)) {
          this.keepBranch(found.branch, { by: found.of, what: decidesValue });
          this.settle();
          changed = true;
        }
      }
    }
  }

  /** With something kept that one of its ways leads to first, and another does not. */
  private impacting(
    fn: FunctionDefinition,
    branches: readonly Location[],
  ): { readonly branch: Location; readonly of: KeptCommand } | undefined {
    const dominators = this.dominatorsOf(fn);
    for (const branch of branches) {
      if (this.kept.has(branch)) continue;
      const ways = branch.edges.filter(({ to }) => dominators.reachesEnd(to));
      if (ways.length < 2) continue;
      const join = dominators.immediate(branch);
      const outcomes = new Set(ways.flatMap(({ to }) => this.firstKept(to, join, dominators)));
      const of = [...outcomes].find((outcome) => outcome !== 'none');
      if (outcomes.size > 1 && of) return { branch, of };
    }
    return undefined;
  }

  /** The first thing kept on each way from a location to `join`; `none` where there is none. */
  private firstKept(
    from: Location,
    join: Location | undefined,
    { reachesEnd }: PostDominators,
  ): (KeptCommand | 'none')[] {
    const outcomes = new Set<KeptCommand | 'none'>();
    const work = [from];
    const seen = new Set(work);
    for (let at = work.pop(); at; at = work.pop()) {
      if (at === join || at.edges.length === 0) {
        outcomes.add('none');
        continue;
      }
      if (isBranch(at) && this.kept.has(at)) {
        outcomes.add(at);
        continue;
      }
      for (const edge of at.edges) {
        if (this.isCriterion(edge)) outcomes.add('none');
        else if (this.kept.has(edge)) outcomes.add(edge);
        else if (reachesEnd(edge.to) && !seen.has(edge.to)) {
          seen.add(edge.to);
          work.push(edge.to);
        }
      }
    }
    return [...outcomes];
  }

  /** Branches that decide about something kept, where nothing more has to be computed for their conditions. */
  private addFreeBranches(): void {
    for (let changed = true; changed;) {
      changed = false;
      for (const fn of this.functions) {
        if (!this.holding.has(fn)) continue;
        for (const branch of this.branchesOf(fn)) {
          if (this.kept.has(branch)) continue;
          const controlled = this.controlled(branch, this.dominatorsOf(fn));
          if (controlled === undefined) continue;
          const conditions = branch.edges.flatMap(({ command }) => expressionsOf(command));
          if (!conditions.every((e) => this.isFree(e, branch))) continue;
          // An end keeps the execution from the check, or from what the callers do afterwards.
          const isEnd = controlled === 'an end';
          const what = (next: string): string => `${decidesWhetherReached(next)}, and all that it reads is kept`;
          this.keepBranch(branch, { by: isEnd ? this.criterionIn(fn) : controlled, what });
          this.settle();
          changed = true;
        }
      }
    }
  }

  /** Something kept of which the branch decides whether it is reached, or the end of the execution. */
  private controlled(branch: Location, dominators: PostDominators): KeptCommand | 'an end' | undefined {
    if (!dominators.reachesEnd(branch)) return undefined;
    const join = dominators.immediate(branch);
    const outcomes = branch.edges.flatMap(({ to }): readonly (KeptCommand | 'none' | 'an end')[] =>
      dominators.reachesEnd(to) ? this.firstKept(to, join, dominators) : ['an end'],
    );
    const kept = outcomes.filter((outcome) => outcome !== 'none');
    return kept.find((outcome) => outcome !== 'an end') ?? kept[0];
  }

  /** All branches on which it depends whether something kept is executed. */
  private addControl(): void {
    const controlling = new Map<FunctionDefinition, ReadonlyMap<Location, ReadonlySet<Location>>>();
    const of = (fn: FunctionDefinition): ReadonlyMap<Location, ReadonlySet<Location>> => {
      let found = controlling.get(fn);
      if (!found) controlling.set(fn, (found = controlDependence(fn)));
      return found;
    };
    const assumptions = this.edges.filter(
      ({ command, from }) => command.kind === 'assume' && !isBranch(from) && command.cuts !== true,
    );
    for (let before = -1; before !== this.kept.size;) {
      before = this.kept.size;
      for (const assumption of assumptions)
        if (this.holding.has(this.dependence.functionOf(assumption)))
          this.keep(assumption, { by: undefined, what: () => 'is assumed' });
      for (const kept of [...this.kept.keys()]) {
        const [at, fn] =
          'edges' in kept ? [kept, this.dependence.functionAt(kept)!] : [kept.from, this.dependence.functionOf(kept)];
        for (const branch of of(fn).get(at) ?? []) this.keepBranch(branch, { by: kept, what: decidesWhetherReached });
      }
      this.settle();
    }
  }

  // --- the program that is left

  private weakening(): Weakening {
    const { checkedProperties } = this.system.options;
    const dropped = new Set<Edge>();
    const assumed = new Set<Edge>();
    const { initialisers, options } = this.system;
    const called = options.mode === 'module' ? options.entries : [];
    const silent = new Set(called.filter((fn) => !this.holding.has(fn) && !setsUpSomething(initialisers, fn)));
    for (const edge of this.edges) {
      const { command, from } = edge;
      if (command.kind === 'check') {
        if (this.criteria.has(command)) continue;
        const isKnown = this.holding.has(this.dependence.functionOf(edge)) && this.isFree(command.condition, from);
        if (!isKnown) dropped.add(edge);
        else if (isChecked(command, checkedProperties)) assumed.add(edge);
      } else if (isDroppable(command) ? !this.kept.has(edge) : isBranch(from) && !this.kept.has(from))
        dropped.add(edge);
    }
    return { dropped, assumed, silent };
  }
}

const readBy =
  (name: string) =>
  (next: string): string =>
    `${name}, which ${next} reads`;
const after =
  (verb: string, { what }: Cause) =>
  (next: string): string =>
    `${verb} ${what(next)}`;
/** A pointer's target is known by the memory it may lead to, which is named after one of the objects there. */
function isThroughPointer(command: Command): boolean {
  if (command.kind !== 'store') return false;
  let isNamed = true;
  walk(command.address, ({ kind, type }) => {
    if (type.kind === 'pointer' && (kind === 'read' || kind === 'load')) isNamed = false;
  });
  return !isNamed;
}

const decidesWhetherReached = (next: string): string => `decides whether ${next} is reached`;
const decidesValue = (next: string): string => `chooses between ${next} and a way to another value`;

/** The branches on which it depends whether a location is reached (Ferrante, Ottenstein, Warren, TOPLAS 1987). */
function controlDependence(fn: FunctionDefinition): ReadonlyMap<Location, ReadonlySet<Location>> {
  const dominators = postDominators(fn, endsOf(fn));
  const found = new Map<Location, Set<Location>>();
  for (const branch of fn.locations.filter(isBranch)) {
    const join = dominators.immediate(branch);
    for (const { to } of branch.edges) {
      const seen = new Set<Location>();
      for (let at: Location | undefined = to; at && at !== join && !seen.has(at); at = dominators.immediate(at)) {
        seen.add(at);
        found.set(at, (found.get(at) ?? new Set()).add(branch));
      }
    }
  }
  return found;
}

/** The exit, ends of the execution, and one place in each loop that never ends. */
function endsOf(fn: FunctionDefinition): ReadonlySet<Location> {
  const ends = new Set([fn.exit, ...fn.edges.filter(({ command }) => command.kind === 'halt').map(({ from }) => from)]);
  for (const head of fn.locations) if (head.isLoopHead && !postDominators(fn, ends).reachesEnd(head)) ends.add(head);
  return ends;
}

function lifetimeText(command: Command): string | undefined {
  switch (command.kind) {
    case 'declare':
      return `begins the lifetime of ${nameFor(command.object)}, accessed`;
    case 'end':
      return `ends the lifetime of ${nameFor(command.object)}, accessed`;
    case 'allocate':
      return 'makes an object, accessed';
    case 'free':
      return 'ends the lifetime of an object, accessed';
    default:
      return undefined;
  }
}

export function textOf(thing: Shared): string {
  if (thing === 'lifetimes') return 'which objects there are';
  if ('kind' in thing) return nameFor(thing);
  const name = thing.name.replace(/^#m\d+:/u, '').replace(/\.(object|offset)$/u, '');
  // Named after an object of the library, which is one of those that pointers lead to.
  return isOfLibrary(name)
    ? 'memory that pointers lead to'
    : name.replace(/\+0$/u, '').replace(/\+(\d+)$/u, ' from byte $1 on');
}

/** Names that are in the C, and words for those that are not. */
function nameFor(named: { readonly name: string }): string {
  const { name } = named;
  if (isPart(named)) return 'a part of the expression';
  return isOfLibrary(name) ? name.replace(/^(__)?provest_/u, '') : name;
}

const isPart = ({ name }: { readonly name: string }): boolean => name.startsWith('<');

const isOfLibrary = (name: string): boolean => /^(?:__)?provest_/u.test(name);
