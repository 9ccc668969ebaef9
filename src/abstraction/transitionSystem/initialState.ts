/** The state before anything ran: static data as the program initialises it, no dynamic object. */
import * as L from '../../logic/build';
import type { ArraySort, Term } from '../../logic/term';
import { ConcreteView } from './concreteView';
import { Machine } from '../../semantics/concrete/machine';
import { defaultValue } from '../../logic/arrays/arrayValue';
import { initialisedBytes, type Program } from '../../program/program';
import { symbolsOf } from '../../logic/substitute';
import type { SideEffects } from '../../semantics/symbolic/effects';
import { cellsIn, hasMoreCells } from '../../semantics/pointers/slotLayout';
import type { DefinednessRole, MemoryModel, MemoryVariable } from '../../semantics/symbolic/memoryModel';
import type { Node } from '../../semantics/pointers/regionNode';
import { type SymbolicState, SymbolicMemory } from '../../semantics/symbolic/symbolicMemory';
import { FreshSymbols, isPointer, type SymbolicValue } from '../../semantics/symbolic/symbolicValues';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';

const limits = {
  /** Cells of one region beyond this many are left open: a larger set of initial states, so still sound. */
  cells: 2048,
} as const;

export function initialState(program: Program, vocabulary: Vocabulary, symbols: FreshSymbols): SymbolicState {
  const machine = new Machine(program);
  const { memoryModel } = vocabulary;
  const view = new ConcreteView(vocabulary, {
    globals: machine.globals,
    memory: machine.memory,
    activation: undefined,
    activations: [],
  });
  const value = (term: Term): Term => {
    if (term.kind !== 'symbol') return term;
    const known = view.value(term);
    if (typeof known === 'boolean') return L.bool(known);
    if (typeof known === 'bigint') return L.bits(known, L.widthOf(term));
    throw new Error('scalars only');
  };
  const somewhere = program.functions[0]!;
  const symbolic = vocabulary.state(somewhere, somewhere.entry, symbols);
  const globals = symbolic.globals.map((global): SymbolicValue =>
    'object' in global ? { object: value(global.object), offset: value(global.offset) } : value(global),
  );
  const contents = memoryModel.variables.map((variable) =>
    initialContents(variable, vocabulary, value, (symbol) => view.value(symbol)),
  );
  return {
    globals,
    locals: [],
    objects: [],
    memory: new SymbolicMemory(memoryModel, vocabulary.values, symbols, contents),
  };
}

/** The same, but the client has made objects of its own: how many, which and what is in them is open. */
export function initialStateOfClient(program: Program, vocabulary: Vocabulary, symbols: FreshSymbols): SymbolicState {
  const state = initialState(program, vocabulary, symbols);
  const { allocationCounter, live, size, heap, variables, links } = vocabulary.memoryModel;
  const written = variables.filter(
    ({ role }) => role.kind === 'written' && [...role.node.origins].some(({ kind }) => kind === 'external'),
  );
  // Links that lead to no ring count.
  const related = links.flatMap(({ ofClients, reach, linked }) => (ofClients ? [reach, linked!] : []));
  for (const variable of [allocationCounter, live, size, heap, ...written, ...related])
    state.memory.contents[variable.index] = symbols.fresh(variable.name, variable.sort);
  vocabulary.observeLinks(state.memory.contents);
  return state;
}

/**
 * Static data that neither a function nor the environment can change: its symbols with the values they always have.
 * `ofOthers`: what others change, too.
 */
export function unchangingData(
  program: Program,
  vocabulary: Vocabulary,
  effects: SideEffects,
  ofOthers: Node | undefined,
): Map<Term, Term> {
  const { memoryModel } = vocabulary;
  const start = initialState(program, vocabulary, new FreshSymbols('initial'));
  const somewhere = program.functions[0]!;
  const symbols = vocabulary.state(somewhere, somewhere.entry, new FreshSymbols('initial'));
  const found = new Map<Term, Term>();
  const known = (symbol: Term, value: Term): void => {
    if (symbol.kind === 'symbol' && !symbolsOf(value).has(symbol)) found.set(symbol, value);
  };
  program.globals.forEach((_, slot) => {
    if (effects.changesGlobal(slot)) return;
    const [symbol, value] = [symbols.globals[slot]!, start.globals[slot]!];
    if (isPointer(symbol) && isPointer(value)) {
      known(symbol.object, value.object);
      known(symbol.offset, value.offset);
    } else if (!isPointer(symbol) && !isPointer(value)) known(symbol, value);
  });
  for (const variable of memoryModel.variables) {
    const { role } = variable;
    if (
      role.kind !== 'slot' ||
      role.single?.kind !== 'static' ||
      role.node === ofOthers ||
      effects.changesMemory(variable)
    )
      continue;
    known(symbols.memory.contents[variable.index]!, start.memory.contents[variable.index]!);
  }
  return found;
}

function initialContents(
  variable: MemoryVariable,
  vocabulary: Vocabulary,
  scalar: (term: Term) => Term,
  read: (symbol: never) => unknown,
): Term {
  const symbol = vocabulary.symbolOf(variable);
  const { memoryModel } = vocabulary;
  const { role } = variable;
  if (symbol.kind !== 'symbol') return symbol;
  if (role.kind === 'reach' || role.kind === 'ancestor') return L.identityRelation(symbol.sort);
  if (symbol.sort.kind !== 'array') return scalar(symbol);
  if (role.kind === 'count') return L.constArray(symbol.sort, L.bits(1n, memoryModel.half + 8));
  if (role.kind === 'live' || role.kind === 'heap') return L.constArray(symbol.sort, L.FALSE);
  if (role.kind === 'holder' || role.kind === 'parent') return L.constArray(symbol.sort, L.bits(0n, memoryModel.half));
  if (role.kind === 'allocation-site') return L.constArray(symbol.sort, L.bits(0n, memoryModel.half));
  if (role.kind === 'written') return initiallyDefined(symbol.sort, role, memoryModel);
  if (role.kind !== 'slot') return symbol;
  const statics = [...role.node.origins].flatMap((origin) => (origin.kind === 'static' ? [origin.object] : []));
  const elements = read(symbol as never) as { entries: ReadonlyMap<bigint, bigint | boolean> };
  const sort: ArraySort = symbol.sort;
  let contents: Term =
    role.addressing === 'by-offset' && statics.length === 1
      ? L.constArray(sort, L.bits(0n, L.widthOf(L.select(symbol, L.bits(0n, sort.index.width)))))
      : symbol;
  const zeroIsDefault = contents !== symbol;
  const layout = memoryModel.regions.layout(role.node);
  for (const object of statics) {
    if (!zeroIsDefault && hasMoreCells(layout, role.slot, object.sizeBytes, limits.cells)) continue;
    const end = zeroIsDefault ? Math.min(initialisedBytes(object), object.sizeBytes) : object.sizeBytes;
    for (const offset of cellsIn(layout, role.slot, end)) {
      const index =
        role.addressing === 'by-offset'
          ? BigInt(offset)
          : role.addressing === 'by-object'
            ? BigInt(object.number)
            : (BigInt(object.number) << BigInt(memoryModel.half)) | BigInt(offset);
      const element = elements.entries.get(index) as bigint;
      if (zeroIsDefault && element === defaultValue(sort.element)) continue;
      contents = L.store(
        contents,
        L.bits(index, sort.index.width),
        L.bits(element, (sort.element as { width: number }).width),
      );
    }
  }
  return contents;
}

/** Nothing was written of objects that are not there yet; everything of static ones, as far as cells are looked at. */
function initiallyDefined(
  sort: ArraySort,
  { node, slot, addressing, single }: DefinednessRole,
  memoryModel: MemoryModel,
): Term {
  if (single?.kind === 'static') return L.constArray(sort, L.TRUE);
  let contents: Term = L.constArray(sort, L.FALSE);
  for (const origin of node.origins) {
    if (origin.kind !== 'static') continue;
    const number = BigInt(origin.object.number);
    for (const offset of cellsIn(memoryModel.regions.layout(node), slot, origin.object.sizeBytes, limits.cells)) {
      contents = L.store(
        contents,
        L.bits(
          addressing === 'by-object' ? number : (number << BigInt(memoryModel.half)) | BigInt(offset),
          sort.index.width,
        ),
        L.TRUE,
      );
    }
  }
  return contents;
}
