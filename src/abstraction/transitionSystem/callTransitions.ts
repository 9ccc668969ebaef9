/**
 * Transitions of calls that are not part of a segment. A call by summaries has two halves: into the callee, and from a
 * callee's exit back to the caller. An unknown function that may call back is a client for as long as its call lasts.
 */
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Command } from '../../program/command';
import type { Edge, FunctionDefinition } from '../../program/program';
import type { SymbolicMemory, SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import {
  FreshSymbols,
  isPointer,
  type SymbolicPointer,
  type SymbolicValue,
} from '../../semantics/symbolic/symbolicValues';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
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

    const exitState = exitStateOf(system, target, before, { values, objects: gone }, symbols);
    const after = stateAfter(command, target, before, exitState);
    const next = L.ule(
      before.memory.contents[memoryModel.allocationCounter.index]!,
      exitState.memory.contents[memoryModel.allocationCounter.index]!,
    );
    const exitAxioms = substituteAll(vocabulary.wellFormed(target, target.exit), vocabulary.binding(target, exitState));
    const returned = system.at(edge.to);
    if (!returned) throw new Error('a call ends at a cutpoint');
    const end = endAt(vocabulary, returned, chosen, after);
    found.push(
      leap('return', point, [...axioms, next, ...exitAxioms, ...end.axioms], end, {
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
  passed: { readonly values: readonly SymbolicValue[]; readonly objects: readonly SymbolicPointer[] },
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
  keepObjects(builder.effects.endsObjects(target), before.memory, memory, vocabulary);
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

/** A callee makes objects, and ends its own; it changes no others, and can end them only by freeing. */
function keepObjects(endsOthers: boolean, before: SymbolicMemory, after: SymbolicMemory, vocabulary: Vocabulary): void {
  const { size, heap, live, allocationCounter } = before.memoryModel;
  const next = before.contents[allocationCounter.index]!;
  for (const { index } of endsOthers ? [size, heap] : [size, heap, live]) {
    const [was, is] = [before.contents[index]!, after.contents[index]!];
    if (was !== is) vocabulary.keptByCall(is, was, next);
  }
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
