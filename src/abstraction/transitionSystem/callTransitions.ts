/**
 * Transitions of calls that are not part of a segment. A call by summaries has two halves: into the callee, and from a
 * callee's exit back to the caller. An unknown function that may call back is a client for as long as its call lasts.
 */
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Command } from '../../program/command';
import type { Edge, FunctionDefinition } from '../../program/program';
import type { Regions } from '../../semantics/pointers/regions';
import type { ForestVariables, LinkVariables, MemoryVariable } from '../../semantics/symbolic/memoryModel';
import type { SymbolicMemory, SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import {
  asPointer,
  FreshSymbols,
  isPointer,
  type SymbolicPointer,
  type SymbolicValue,
} from '../../semantics/symbolic/symbolicValues';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { areNewLinksWritten } from '../../semantics/symbolic/newLinks';
import { none, type Targets, type WrittenObjects } from '../../semantics/symbolic/writtenObjects';
import { adopted, ReachedObjects } from '../../semantics/symbolic/reachedObjects';
import type { Cutpoint } from './cutpoint';
import { endAt, leap, type NewTransition } from './transition';
import type { TransitionSystem } from './transitionSystem';

type CallCommand = Extract<Command, { kind: 'call' }>;
type CallSystem = Pick<TransitionSystem, 'vocabulary' | 'builder' | 'memoryModel' | 'program' | 'at'>;

/** A call point's two transitions per possible callee. */
export function callTransitions(
  system: CallSystem,
  point: Cutpoint,
  edge: Edge,
  axioms: readonly Term[],
): readonly NewTransition[] {
  const { vocabulary, builder, memoryModel } = system;
  const found: NewTransition[] = [];
  const { command } = edge;
  if (command.kind !== 'call') throw new Error('a call point is left by a call');
  const symbols = new FreshSymbols(`${point.fn.name}@${point.location.index}`);
  const before = vocabulary.state(point.fn, point.location, symbols);
  const values = builder.argumentsOf(edge, before);
  const callee = builder.calleeOf(edge, before);
  for (const target of command.targets) {
    const entry = system.at(target.entry)!;
    const exit = system.at(target.exit)!;
    const chosen =
      command.callee.kind === 'function' || !isPointer(callee)
        ? L.TRUE
        : L.eq(callee.object, L.bits(BigInt(target.number), memoryModel.half));
    const locals = target.variables.map((variable, slot) =>
      slot < target.parameters.length ? values[slot]! : vocabulary.uninitialisedValue(variable, target, symbols),
    );
    // A caller knows nothing of the callee's frame, above all when it is the same function: its objects have other
    // names here.
    const gone = target.objects.map((object) => ({
      object: symbols.fresh(`&${object.name}`, memoryModel.halfSort),
      offset: L.bits(0n, memoryModel.half),
    }));
    const entryState: SymbolicState = {
      globals: [...before.globals],
      locals,
      objects: [],
      memory: before.memory.fork(),
    };
    found.push(leap('call', point, axioms, endAt(vocabulary, entry, chosen, entryState)));

    const reached = new ReachedObjects(target, builder.effects.objects, before.memory, values, symbols);
    const exitState = exitStateOf(system, target, before, { values, objects: gone, reached }, symbols);
    const after = stateAfter(command, target, before, exitState);
    const next = before.memory.contents[memoryModel.allocationCounter.index]!;
    const madeMore = L.ule(next, exitState.memory.contents[memoryModel.allocationCounter.index]!);
    const result = resultLeads(target, builder.effects.objects, values, reached, exitState, next);
    const exitAxioms = substituteAll(vocabulary.wellFormed(target, target.exit), vocabulary.binding(target, exitState));
    const returned = system.at(edge.to);
    if (!returned) throw new Error('a call ends at a cutpoint');
    const end = endAt(vocabulary, returned, chosen, after);
    found.push(
      leap('return', point, [...axioms, madeMore, result, ...exitAxioms, ...end.axioms], end, {
        entry,
        entryState: { ...entryState, objects: gone },
        exit,
        exitState,
      }),
    );
  }
  return found;
}

/** The state at the callee's exit, as the caller sees it: what the callee may change holds anything. */
function exitStateOf(
  { vocabulary, builder, memoryModel, program }: CallSystem,
  target: FunctionDefinition,
  before: SymbolicState,
  passed: {
    readonly values: readonly SymbolicValue[];
    readonly objects: readonly SymbolicPointer[];
    readonly reached: ReachedObjects;
  },
  symbols: FreshSymbols,
): SymbolicState {
  const modified = builder.effects.of(target);
  const globals = before.globals.map((value, slot) =>
    modified.globals.has(slot)
      ? symbols.value(program.globals[slot]!.variable.name, program.globals[slot]!.variable.type, memoryModel.half)
      : value,
  );
  const memory = before.memory.fork();
  for (const variable of modified.memory) memory.contents[variable.index] = symbols.fresh(variable.name, variable.sort);
  vocabulary.observeLinks(memory.contents);
  const called = {
    target,
    before: before.memory,
    after: memory,
    values: passed.values,
    reached: passed.reached,
    written: builder.effects.objects,
    vocabulary,
  };
  keepObjects(called);
  keepReachability(called);
  keepAncestors(called);
  const changed = new Set(
    target.edges.flatMap(({ command }) =>
      'target' in command && command.target && 'kind' in command.target && command.target.kind === 'variable'
        ? [command.target]
        : [],
    ),
  );
  const locals = target.variables.map((variable, slot) =>
    variable.entryValueOf
      ? (variable.entryValueOf.scope === 'global' ? before.globals : passed.values)[variable.entryValueOf.slot]!
      : slot < target.parameters.length && !changed.has(variable)
        ? passed.values[slot]!
        : symbols.value(`${target.name}:${variable.name}`, variable.type, memoryModel.half),
  );
  return { globals, locals, objects: [...passed.objects], memory };
}

/** A call, with memory before it and behind it, and the arguments. */
interface Called {
  readonly target: FunctionDefinition;
  readonly before: SymbolicMemory;
  readonly after: SymbolicMemory;
  readonly values: readonly SymbolicValue[];
  readonly reached: ReachedObjects;
  readonly written: WrittenObjects;
  readonly vocabulary: Vocabulary;
}

const contentsAt = ({ contents }: SymbolicMemory, { index }: MemoryVariable): Term => contents[index]!;

/** What a call changes of older objects, it changes in those that it may write, or end by freeing them. */
function keepObjects(called: Called): void {
  const { target, before, after, values, reached, written, vocabulary } = called;
  const { variables, allocationCounter } = before.memoryModel;
  const next = before.contents[allocationCounter.index]!;
  for (const variable of variables) {
    const [was, is] = [before.contents[variable.index]!, after.contents[variable.index]!];
    if (was === is) continue;
    if (variable.role.kind === 'parent') {
      if (variable === reached.forest?.parents) keepParents(called);
      continue;
    }
    const changed = changedIn(variable, target, written);
    const sets = changed && reached.of(changed);
    if (!sets) continue;
    const except = objectsOf(changed, values);
    vocabulary.kept.array(is, { before: was, next, except, reached: sets });
  }
}

/** What a call leaves of the relation of the link along which it goes on. */
function keepReachability({ target, before, after, reached, written, vocabulary }: Called): void {
  const { link } = reached;
  const { allocationCounter, regions } = before.memoryModel;
  if (!link || contentsAt(before, link.reach) === contentsAt(after, link.reach)) return;
  const makes = contentsAt(before, allocationCounter) !== contentsAt(after, allocationCounter);
  const left = leftOfRelation(target, link, makes, written, regions);
  if (!left) return;
  vocabulary.kept.relation(contentsAt(after, link.reach), {
    before: contentsAt(before, link.reach),
    acyclic: contentsAt(after, link.acyclic),
    next: contentsAt(before, allocationCounter),
    reached: reached.of({ ...none, reached: left.from })!,
    onlyFrees: left.onlyFrees,
    withNew: left.withNew,
  });
}

/** The parents of all but new objects and those that the arguments reach. */
function keepParents({ target, before, after, reached, written, vocabulary }: Called): void {
  const { forest } = reached;
  const left = forest && leftOfParents(target, forest, written);
  if (!left) return;
  const trees = reached.below([...left.from]);
  const { allocationCounter } = before.memoryModel;
  vocabulary.kept.array(contentsAt(after, forest.parents), {
    before: contentsAt(before, forest.parents),
    next: contentsAt(before, allocationCounter),
    except: [],
    reached: left.keepsFirst ? adopted(trees, contentsAt(before, forest.acyclic)) : trees,
  });
}

/** What a call leaves of the ancestors in the forest along whose links it goes on. */
function keepAncestors({ target, before, after, reached, written, vocabulary }: Called): void {
  const { forest } = reached;
  if (!forest || contentsAt(before, forest.ancestors) === contentsAt(after, forest.ancestors)) return;
  const left = leftOfParents(target, forest, written);
  if (!left) return;
  vocabulary.kept.ancestors(contentsAt(after, forest.ancestors), {
    before: contentsAt(before, forest.ancestors),
    acyclic: contentsAt(after, forest.acyclic),
    next: contentsAt(before, before.memoryModel.allocationCounter),
    reached: reached.below([...left.from]),
    onlyFrees: left.onlyFrees,
  });
}

/**
 * See `ancestorsKept`; `from`: the parameters that reach what the call ends, links or unlinks. `keepsFirst`: it links
 * nothing to the objects of its arguments, so all that it links to is new or below these. Undefined if nothing is said.
 */
export function leftOfParents(
  target: FunctionDefinition,
  forest: ForestVariables,
  objects: WrittenObjects,
): { readonly from: ReadonlySet<number>; readonly onlyFrees: boolean; readonly keepsFirst: boolean } | undefined {
  const written = forest.links.flatMap((link) => [
    objects.written(target, link.objects),
    objects.written(target, link.offsets),
  ]);
  const onlyFrees = written.every(({ any, made, parameters, reached }) => {
    return !any && !made && parameters.size === 0 && reached.size === 0;
  });
  const stored = objects.stored(target);
  const changed = [objects.ended(target), ...(onlyFrees ? [] : [...written, stored])];
  const own = [forest.parents, forest.ancestors, forest.acyclic].map((memory) => objects.written(target, memory));
  if ([...changed, ...own].some(({ any }) => any)) return undefined;
  const from = new Set(changed.flatMap(({ parameters, reached }) => [...parameters, ...reached]));
  return { from, onlyFrees, keepsFirst: stored.parameters.size === 0 };
}

/**
 * See `reachabilityKept`; `from`: the parameters that reach what the call ends or links. A new object's link holds
 * anything before it is written, if it counts then. Nothing is said of new objects, or of lists that may lead on to
 * some, unless all are written. `makes`: the call makes objects.
 */
export function leftOfRelation(
  target: FunctionDefinition,
  link: LinkVariables,
  makes: boolean,
  objects: WrittenObjects,
  regions: Regions,
): { readonly from: ReadonlySet<number>; readonly onlyFrees: boolean; readonly withNew: boolean } | undefined {
  const written = [objects.written(target, link.objects), objects.written(target, link.offsets)];
  const onlyFrees = written.every(({ any, parameters, reached }) => {
    return !any && parameters.size === 0 && reached.size === 0;
  });
  const changed = [objects.ended(target), ...(onlyFrees ? [] : [...written, objects.stored(target)])];
  if ([...changed, objects.written(target, link.reach)].some(({ any }) => any)) return undefined;
  const withNew = !makes || (!onlyFrees && areNewLinksWritten(target, link, regions));
  if (!withNew && !onlyFrees) return undefined;
  const from = new Set(changed.flatMap(({ parameters, reached }) => [...parameters, ...reached]));
  return { from, onlyFrees, withNew };
}

/** Undefined for what is not said object by object. */
function changedIn(variable: MemoryVariable, target: FunctionDefinition, objects: WrittenObjects): Targets | undefined {
  const { role, sort } = variable;
  switch (role.kind) {
    case 'size':
    case 'heap':
      return none;
    case 'live':
      return objects.ended(target);
    // Clients that an unknown function calls back for may have the module set an object up.
    case 'allocation-site':
      return objects.written(target, variable);
    case 'slot':
    case 'written':
      if (sort.kind !== 'array' || role.addressing === 'by-offset') return undefined;
      return objects.written(target, variable);
    default:
      return undefined;
  }
}

const objectsOf = ({ parameters }: Targets, passed: readonly SymbolicValue[]): readonly Term[] =>
  [...parameters].map((parameter) => asPointer(passed[parameter]!).object);

/** A result leads to no object, to one that the call has made, or to where an argument led. */
function resultLeads(
  target: FunctionDefinition,
  objects: WrittenObjects,
  passed: readonly SymbolicValue[],
  reached: ReachedObjects,
  exit: SymbolicState,
  next: Term,
): Term {
  const targets = objects.result(target);
  const result = target.resultVariable && exit.locals[target.resultVariable.slot];
  const sets = reached.of(targets);
  if (!sets || !result || !isPointer(result)) return L.TRUE;
  const { object } = result;
  return L.and(
    L.or(
      L.eq(object, L.bits(0n, L.widthOf(object))),
      ...(targets.made ? [L.ule(next, object)] : []),
      ...objectsOf(targets, passed).map((one) => L.eq(object, one)),
      ...sets.map((set) => set.has(object)),
    ),
    ...sets.map((set) => set.isOnList(object)),
  );
}

/** The caller's state behind the call. */
function stateAfter(
  { target: assigned }: CallCommand,
  callee: FunctionDefinition,
  before: SymbolicState,
  exit: SymbolicState,
): SymbolicState {
  const after: SymbolicState = {
    globals: [...exit.globals],
    locals: [...before.locals],
    objects: [...before.objects],
    memory: exit.memory.fork(),
  };
  if (assigned && callee.resultVariable) {
    const result = exit.locals[callee.resultVariable.slot]!;
    if (assigned.scope === 'global') after.globals[assigned.slot] = result;
    else after.locals[assigned.slot] = result;
  }
  return after;
}

/**
 * The call of an unknown function in a module. What it finds, its own writes included, is a state that clients meet;
 * what it leaves is one, too, for every entry it calls ends in one and its own writes lead from such states to such
 * states.
 */
export function callOutTransitions(
  system: CallSystem,
  point: Cutpoint,
  { command, to }: Edge,
  client: Cutpoint,
  axioms: readonly Term[],
): readonly NewTransition[] {
  if (command.kind !== 'external') throw new Error('calling out is calling an unknown function');
  const {
    vocabulary,
    memoryModel,
    builder: { effects },
  } = system;
  const found: NewTransition[] = [];
  const symbols = new FreshSymbols(`${point.fn.name}@${point.location.index}`);
  const atRest = (state: SymbolicState): SymbolicState => ({
    globals: [...state.globals],
    locals: [],
    objects: [],
    memory: state.memory.fork(),
  });
  const met = vocabulary.state(point.fn, point.location, symbols);
  effects.havoc(command, met, symbols, 'itself');
  found.push(leap('hand-over', point, axioms, endAt(vocabulary, client, L.TRUE, atRest(met))));
  const written = vocabulary.state(client.fn, client.location, symbols);
  effects.havoc(command, written, symbols, 'itself');
  found.push(
    leap(
      'hand-over',
      client,
      vocabulary.wellFormed(client.fn, client.location),
      endAt(vocabulary, client, L.TRUE, written),
    ),
  );

  const left = vocabulary.state(point.fn, point.location, symbols);
  effects.havoc(command, left, symbols);
  vocabulary.observeLinks(left.memory.contents);
  const leftAtRest = atRest(left);
  if (command.target) {
    const value = symbols.value(command.name, command.target.type, memoryModel.half);
    if (command.target.scope === 'global') left.globals[command.target.slot] = value;
    else left.locals[command.target.slot] = value;
  }
  const returned = system.at(to);
  if (!returned) throw new Error('a call ends at a cutpoint');
  const end = endAt(vocabulary, returned, L.TRUE, left);
  const leftAxioms = substituteAll(
    vocabulary.wellFormed(client.fn, client.location),
    vocabulary.binding(client.fn, leftAtRest),
  );
  found.push(
    leap('resume', point, [...axioms, ...leftAxioms, ...end.axioms], end, {
      entry: client,
      entryState: leftAtRest,
      exit: client,
      exitState: leftAtRest,
    }),
  );
  return found;
}
