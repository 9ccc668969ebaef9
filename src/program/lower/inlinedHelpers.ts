/**
 * Calls of functions that build or walk a list in a loop, copied into their callers. A callee knows nothing of what its
 * parameters do not reach: after `drop(a)` its summary does not say that the list of `b` is what it was. In the caller
 * the loop has both lists in scope, and invariants speak of both.
 *
 * The copy has the callee's variables and automatic objects under names of their own, the same ones for all calls in
 * one caller: no two copies are in execution at once, and a callee ends its objects itself. Parameters are assigned the
 * arguments, and the result is read at the end, so the program keeps its executions. A copied pointer that leads to the
 * head of a list and then to links becomes two variables, see `separatedPointers.ts`.
 *
 * In a module, functions are copied that are given several lists, or the address of a head from which they walk along
 * links. Each copy has variables of its own there, and a parameter that keeps the address of a static object is
 * replaced by that address. So a helper that is given the address of a list's head reads and writes that head.
 *
 * Functions of a module that put a larger block in the place of one are copied, too: how much room there is then, and
 * that all else is as it was, relates numbers that their caller knows.
 */
import type { Mutable } from '../../mutable';
import { finish } from '../automata/automaton';
import { AutomatonDraft, type DraftLocation } from '../automata/draft';
import { read } from '../build';
import type { Command } from '../command';
import type { Expression, FrameObject, Scalar, Variable } from '../expression';
import type { Edge, FunctionDefinition, GlobalVariable, StaticObject, TypedAccess } from '../program';
import { targetOf, withOperands } from '../traverse';
import { GivenLists, isNode, leadsOn } from './givenLists';
import { separatePointers } from './separatedPointers';
import { temporariesAcrossCutpoints } from './temporaries';
import { withParts } from './withParts';

/** Edges of a function that is copied, and of a caller with its copies. */
const calleeEdges = 80;
const callerEdges = 500;

/** `allBut`: functions that probes and the like speak of stay as they are. `of`: clients call functions of a module. */
export interface InlinedHelpers {
  readonly allBut: ReadonlySet<string>;
  readonly of: 'program' | 'module';
}

interface Statics {
  readonly globals: readonly GlobalVariable[];
  readonly objects: readonly StaticObject[];
}

/**
 * The functions' definitions are changed. In a program where there is no second list to lose, a summary says enough,
 * and calls stay.
 */
export function inlineHelpers(
  functions: readonly Mutable<FunctionDefinition>[],
  { globals, objects }: Statics,
  { allBut, of }: InlinedHelpers,
): void {
  const shared = [...globals.map(({ variable }) => variable), ...objects].filter(leadsToNodes).length;
  const given = of === 'module' ? new GivenLists(functions, globals) : undefined;
  const done = new Set<FunctionDefinition>();
  const visiting = new Set<FunctionDefinition>();
  const recursive = new Set<FunctionDefinition>();
  const visit = (fn: Mutable<FunctionDefinition>): void => {
    if (done.has(fn)) return;
    if (visiting.has(fn)) {
      recursive.add(fn);
      return;
    }
    visiting.add(fn);
    for (const { command } of fn.edges)
      if (command.kind === 'call') for (const target of command.targets) visit(target);
    visiting.delete(fn);
    done.add(fn);
    const lists = shared + [...fn.variables, ...fn.objects].filter(leadsToNodes).length;
    if (fn.library || (!given && lists <= 1)) return;
    const isWanted = given
      ? (callee: FunctionDefinition) =>
          (callee.variables.some(({ ctype }) => isNode(ctype)) &&
            (given.areSeveral(callee, fn) || given.areWalkedFromHead(callee))) ||
          replacesBlock(callee)
      : (callee: FunctionDefinition) => callee.variables.some(leadsToNodes);
    inlineInto(
      fn,
      (callee) => done.has(callee) && !recursive.has(callee) && isHelper(callee, allBut) && isWanted(callee),
      given,
    );
  };
  for (const fn of functions) visit(fn);
}

const leadsToNodes = ({ ctype }: Pick<Variable, 'ctype'>): boolean => isNode(ctype, 1);

/** It has a loop, and nothing but commands has to be copied. */
function isHelper(fn: FunctionDefinition, kept: ReadonlySet<string>): boolean {
  return (
    !fn.library &&
    !kept.has(fn.name) &&
    fn.edges.length <= calleeEdges &&
    fn.objects.every(isListInFrame) &&
    (fn.contracts ?? []).length === 0 &&
    (fn.unordered ?? []).length === 0 &&
    fn.locations.some(({ isLoopHead }) => isLoopHead)
  );
}

/** An automatic node, as the dummy head of a list that is being made, or the head of a list whose address is taken. */
const isListInFrame = ({ ctype }: FrameObject): boolean => isNode(ctype, 1) || leadsOn(ctype);

/** It allocates a block and frees one, as `realloc` does. */
function replacesBlock({ edges }: FunctionDefinition): boolean {
  const has = (kind: Command['kind']): boolean => edges.some(({ command }) => command.kind === kind);
  return has('free') && edges.some(({ command }) => command.kind === 'allocate' && command.automatic !== true);
}

function inlineInto(
  caller: Mutable<FunctionDefinition>,
  isCopied: (callee: FunctionDefinition) => boolean,
  given: GivenLists | undefined,
): void {
  const called = ({ command }: Edge): FunctionDefinition | undefined => {
    const callee = command.kind === 'call' && command.targets.length === 1 ? command.targets[0]! : undefined;
    return callee && command.kind === 'call' && command.callee === callee && isCopied(callee) ? callee : undefined;
  };
  let size = caller.edges.length;
  const copied = new Map<Edge, FunctionDefinition>();
  for (const edge of caller.edges) {
    const callee = called(edge);
    if (!callee || size + callee.edges.length > callerEdges) continue;
    size += callee.edges.length;
    copied.set(edge, callee);
  }
  if (copied.size === 0) return;
  const [variables, objects] = [[...caller.variables], [...caller.objects]];
  const accesses = [...(caller.typedAccesses ?? [])];
  const renamings = new Map<FunctionDefinition | Edge, Renaming>();
  for (const [edge, callee] of copied) {
    const key = given ? edge : callee;
    if (renamings.has(key)) continue;
    const number = [...copied].filter(([other, fn]) => fn === callee && renamings.has(other)).length + 1;
    const addresses = given ? fixedParameters(callee, edge.command, given) : new Map<Variable, Expression>();
    const renaming = renameVariables(callee, { variables, objects }, number, addresses);
    renamings.set(key, renaming);
    for (const access of callee.typedAccesses ?? [])
      accesses.push({ ...access, address: renaming.expression(access.address) });
  }
  const draft = new AutomatonDraft();
  const places = draftOf(caller, draft, draft.exit, (edge, from, to) => {
    const callee = copied.get(edge);
    if (!callee || edge.command.kind !== 'call') draft.edge(from, edge.command, to, edge.span);
    else copy(callee, edge.command, (renamings.get(edge) ?? renamings.get(callee))!, draft, from, to, edge);
  });
  draft.entry = places;
  draft.exit.span = caller.exit.span;
  const isSeparated = separateCopied(draft, variables, caller.variables.length, accesses);
  const automaton = finish(draft, caller.exit.span);
  for (const variable of temporariesAcrossCutpoints(automaton)) (variable as Mutable<Variable>).temporary = false;
  const puns = caller.puns === true || [...copied.values()].some((callee) => callee.puns === true);
  Object.assign(caller, {
    ...automaton,
    variables,
    objects,
    hasInlinedHelpers: true,
    ...(isSeparated && { hasSeparatedPointers: true }),
    ...(accesses.length > 0 && { typedAccesses: accesses }),
    ...(puns && { puns }),
  });
}

/** Parameters that hold the address of a static object throughout this call. */
function fixedParameters(callee: FunctionDefinition, call: Command, given: GivenLists): Map<Variable, Expression> {
  const fixed = new Map<Variable, Expression>();
  if (call.kind !== 'call') return fixed;
  const written = new Set(callee.edges.map(({ command }) => targetOf(command)));
  callee.parameters.forEach((parameter, i) => {
    const address = written.has(parameter) ? undefined : given.addressIn(call.arguments[i]!);
    if (address) fixed.set(parameter, address);
  });
  return fixed;
}

/** Copied pointers that lead to the head at first, and then to links of nodes; see `separatedPointers.ts`. */
function separateCopied(
  draft: AutomatonDraft,
  variables: Variable[],
  first: number,
  typedAccesses: TypedAccess[],
): boolean {
  const variable = (name: string, type: Scalar): Variable => {
    const added: Variable = { kind: 'variable', scope: 'local', slot: variables.length, name, type, temporary: false };
    variables.push(added);
    return added;
  };
  const copied = { draft, variables, variable, typedAccesses, unordered: [], conflicts: [], contracts: [] };
  return separatePointers(copied, ({ slot }) => slot < first);
}

type CallCommand = Extract<Command, { kind: 'call' }>;

function copy(
  callee: FunctionDefinition,
  { target, arguments: values }: CallCommand,
  { variable, command }: Renaming,
  draft: AutomatonDraft,
  from: DraftLocation,
  to: DraftLocation,
  { span }: Edge,
): void {
  const end = draft.location(callee.exit.span);
  const entry = draftOf(callee, draft, end, (edge, source, next) => {
    draft.edge(source, command(edge.command), next, edge.span);
  });
  let at = from;
  callee.parameters.forEach((parameter, i) => {
    const next = draft.location(span);
    draft.edge(at, { kind: 'assign', target: variable(parameter), value: values[i]! }, next, span);
    at = next;
  });
  draft.edge(at, { kind: 'skip' }, entry, span);
  draft.edge(
    end,
    target && callee.resultVariable
      ? { kind: 'assign', target, value: read(variable(callee.resultVariable)) }
      : { kind: 'skip' },
    to,
    span,
  );
}

/** Draws the function's locations, its exit as `exit`; `draw` draws an edge. The location of its entry. */
export function draftOf(
  fn: FunctionDefinition,
  draft: AutomatonDraft,
  exit: DraftLocation,
  draw: (edge: Edge, from: DraftLocation, to: DraftLocation) => void,
): DraftLocation {
  const places = new Map(
    fn.locations.map((location) => {
      const place = location === fn.exit ? exit : draft.location(location.span, location.label);
      if (location.loop) place.loop = location.loop;
      return [location, place] as const;
    }),
  );
  for (const { edges } of fn.locations)
    for (const edge of edges) draw(edge, places.get(edge.from)!, places.get(edge.to)!);
  return places.get(fn.entry)!;
}

export interface Renaming {
  readonly variable: (variable: Variable) => Variable;
  readonly expression: (e: Expression) => Expression;
  readonly command: (command: Command) => Command;
}

/**
 * The function's variables and automatic objects as new ones of a caller, to which they are added. `number`: of copies
 * in the caller.
 */
function renameVariables(
  fn: FunctionDefinition,
  { variables, objects }: { readonly variables: Variable[]; readonly objects: FrameObject[] },
  number: number,
  fixed: ReadonlyMap<Variable, Expression>,
): Renaming {
  const prefix = number === 1 ? fn.name : `${fn.name}#${number}`;
  const named = <T extends Variable | FrameObject>(one: T): T => ({
    ...one,
    name: one.name.startsWith('<') ? one.name : `${prefix}::${one.name}`,
    visible: one.visible ?? fn.span,
  });
  const copies = new Map<FrameObject, FrameObject>();
  for (const object of fn.objects) {
    const own = { ...named(object), slot: objects.length };
    copies.set(object, own);
    objects.push(own);
  }
  return renaming(fn.variables, variables, named, { fixed, objects: copies });
}

/**
 * New variables in the place of old ones, in the slots after `added`, to which they are added. `fixed`: values that
 * variables keep, which are read in their place. `objects`: new automatic objects in the place of old ones.
 */
export function renaming(
  old: readonly Variable[],
  added: Variable[],
  renamed: (variable: Variable) => Variable,
  {
    fixed = new Map<Variable, Expression>(),
    objects = new Map<FrameObject, FrameObject>(),
  }: {
    readonly fixed?: ReadonlyMap<Variable, Expression>;
    readonly objects?: ReadonlyMap<FrameObject, FrameObject>;
  } = {},
): Renaming {
  const names = new Map<Variable, Variable>();
  for (const one of old) {
    const own = { ...renamed(one), slot: added.length };
    names.set(one, own);
    added.push(own);
  }
  for (const own of names.values()) {
    if (own.selects) (own as Mutable<Variable>).selects = names.get(own.selects) ?? own.selects;
    // A copy is no activation, so what a call begins with is nothing of it.
    if (own.entryValueOf) throw new Error('entry values are kept when all copies are made');
  }
  const variable = (one: Variable): Variable => names.get(one) ?? one;
  const object = (one: FrameObject): FrameObject => objects.get(one) ?? one;
  const expression = (e: Expression): Expression => {
    if (e.kind === 'read') return fixed.get(e.variable) ?? { ...e, variable: variable(e.variable) };
    if (e.kind === 'address' && e.of.kind === 'frame-object') return { ...e, of: object(e.of) };
    return withOperands(e, expression);
  };
  return { variable, expression, command: (command) => withParts(command, variable, expression, object) };
}
