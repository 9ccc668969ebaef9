/**
 * The symbols a state is described with: one (pointers: two) per global, per local of a function, per automatic object,
 * and per memory variable. A predicate of a location is a term over the vocabulary of its function; `well-formed` says
 * what every state of the semantics satisfies anyway and may be assumed of a fabricated one.
 */
import * as L from '../../logic/build';
import { proportionLaws } from '../../logic/bounds/proportions';
import { factorsOf, productLaws } from '../../logic/words/productOrders';
import { quotientLaws } from '../../logic/words/quotients';
import { symbolsOf } from '../../logic/symbols';
import type { SymbolTerm, Term } from '../../logic/term';
import { cellsOf, flat } from '../../program/congruence';
import type { FrameObject, Scalar, Variable } from '../../program/expression';
import type { FunctionDefinition, Location } from '../../program/program';
import { unsetWhenRead } from '../concrete/liveness';
import { isWrittenFirst } from '../pointers/writtenFirst';
import { addressAxioms } from './addresses';
import { KeptByCalls } from './keptByCalls';
import { countLaw, lawsIn } from './linkedMemory';
import type { MemoryModel, MemoryVariable } from './memoryModel';
import { SymbolicMemory, type SymbolicState } from './symbolicMemory';
import {
  type FreshSymbols,
  type SymbolicPointer,
  type SymbolicValue,
  SymbolicValues,
  isPointer,
} from './symbolicValues';

/** Meaning of a symbol in a state. */
export type Meaning =
  | {
      readonly kind: 'variable';
      readonly variable: Variable;
      readonly part: 'value' | 'object' | 'offset';
      readonly function: FunctionDefinition | undefined;
    }
  | { readonly kind: 'object'; readonly object: FrameObject; readonly function: FunctionDefinition }
  | { readonly kind: 'memory'; readonly memory: MemoryVariable };

export class Vocabulary {
  private readonly meanings = new Map<Term, Meaning>();
  /** Offsets of pointer variables, by the object's symbol. */
  private readonly offsets = new Map<Term, SymbolTerm>();
  private readonly globals: SymbolicValue[];
  private readonly memory: Term[];
  private readonly frames = new Map<FunctionDefinition, { locals: SymbolicValue[]; objects: SymbolicPointer[] }>();
  readonly values: SymbolicValues;
  /** The laws of states whose relations are symbols, by these. */
  private readonly laws = new Map<Term, Term>();
  private readonly storedObjects = new Map<Term, boolean>();
  readonly kept: KeptByCalls;
  private countLaw: { readonly count: Term; readonly law: Term } | undefined;

  /** `pointerAxioms`: use what the region analysis knows of pointer variables. */
  constructor(
    readonly memoryModel: MemoryModel,
    private readonly pointerAxioms = true,
  ) {
    this.kept = new KeptByCalls(memoryModel);
    this.values = new SymbolicValues(memoryModel.program.dataModel);
    this.globals = memoryModel.program.globals.map(({ variable }) => this.variable(variable, variable.name, undefined));
    this.memory = memoryModel.variables.map((memory) =>
      this.symbol(memory.name, memory.sort, { kind: 'memory', memory }),
    );
    this.observeLinks(this.memory);
  }

  /** The program counts its live blocks, and nobody else makes or frees any. */
  observeCount(variable: Variable): void {
    const count = this.globals[variable.slot]!;
    if (this.laws.size > 0 && !isPointer(count))
      this.countLaw = { count, law: countLaw(count, this.memory, this.memoryModel) };
  }

  /** Lets `readAxioms` know the laws of links in these memory contents. */
  observeLinks(contents: readonly Term[]): void {
    for (const [reach, law] of lawsIn(contents, this.memoryModel))
      if (reach.kind === 'symbol') this.laws.set(reach, law);
  }

  meaning(symbol: Term): Meaning | undefined {
    return this.meanings.get(symbol);
  }

  /** Offset of a pointer variable in its object; undefined when `object` is not the one half of such a variable. */
  offsetBeside(object: Term): SymbolTerm | undefined {
    return this.offsets.get(object);
  }

  /**
   * A state of `fn` with control at `location`, made of symbols. At the entry, locals that are no parameters hold 0.
   */
  state(fn: FunctionDefinition, location: Location, symbols: FreshSymbols): SymbolicState {
    const { locals, objects } = this.frame(fn);
    const own =
      location === fn.entry
        ? locals.map((value, slot) =>
            slot < fn.parameters.length ? value : this.uninitialisedValue(fn.variables[slot]!, fn, symbols),
          )
        : [...locals];
    const inScope: SymbolicValue[] = [];
    for (const object of possiblyDeclaredAt(fn, location)) inScope[object.slot] = objects[object.slot]!;
    return {
      globals: [...this.globals],
      locals: own,
      objects: inScope,
      memory: new SymbolicMemory(this.memoryModel, this.values, symbols, [...this.memory]),
    };
  }

  /** A state with all of `fn`'s vocabulary, independent of the location: for reading a formula over it. */
  arbitraryState(fn: FunctionDefinition, symbols: FreshSymbols): SymbolicState {
    const { locals, objects } = this.frame(fn);
    return {
      globals: [...this.globals],
      locals: [...locals],
      objects: [...objects],
      memory: new SymbolicMemory(this.memoryModel, this.values, symbols, [...this.memory]),
    };
  }

  /** The value of a local variable before its first assignment: arbitrary if some path reads it, else 0 or null. */
  uninitialisedValue(variable: Variable, fn: FunctionDefinition, symbols: FreshSymbols): SymbolicValue {
    if (unsetWhenRead(fn).has(variable)) return symbols.value(variable.name, variable.type, this.memoryModel.half);
    return variable.type.kind === 'pointer' ? this.values.null : L.bits(0n, variable.type.widthBits);
  }

  /**
   * Value of each symbol of `fn`'s vocabulary in a later state: the substitution that moves a predicate to where the
   * state came from.
   */
  binding(fn: FunctionDefinition, state: SymbolicState): Map<Term, Term> {
    const map = new Map<Term, Term>();
    const bind = (symbols: readonly SymbolicValue[], values: readonly SymbolicValue[]): void =>
      symbols.forEach((symbol, i) => bindValue(map, symbol, values[i]));
    const frame = this.frame(fn);
    bind(this.globals, state.globals);
    bind(frame.locals, state.locals);
    bind(frame.objects, state.objects);
    this.memory.forEach((symbol, i) => {
      if (symbol.kind === 'symbol') map.set(symbol, state.memory.contents[i]!);
    });
    return map;
  }

  /** The same for the symbols of these terms alone, which are few beside those of a large program. */
  bindingIn(terms: Iterable<Term>, fn: FunctionDefinition, state: SymbolicState): Map<Term, Term> {
    const map = new Map<Term, Term>();
    for (const term of terms)
      for (const symbol of symbolsOf(term)) {
        const value = map.has(symbol) ? undefined : this.valueIn(symbol, fn, state);
        if (value) map.set(symbol, value);
      }
    return map;
  }

  /** The value that `binding` gives a symbol. */
  valueIn(symbol: Term, fn: FunctionDefinition, state: SymbolicState): Term | undefined {
    const meaning = this.meanings.get(symbol);
    switch (meaning?.kind) {
      case undefined:
        return undefined;
      case 'memory':
        return this.memory[meaning.memory.index] === symbol ? state.memory.contents[meaning.memory.index] : undefined;
      case 'object':
        return meaning.function === fn ? partOf(state.objects[meaning.object.slot], 'object') : undefined;
      case 'variable': {
        const { variable, part } = meaning;
        if (meaning.function !== undefined && meaning.function !== fn) return undefined;
        const [own, values] =
          meaning.function === undefined ? [this.globals, state.globals] : [this.frame(fn).locals, state.locals];
        return partOf(own[variable.slot], part) === symbol ? partOf(values[variable.slot], part) : undefined;
      }
    }
  }

  /** Replaces these symbols by constants in every state from now on: data that nothing changes. */
  assumeConstant(values: ReadonlyMap<Term, Term>): void {
    const known = (term: Term): Term => values.get(term) ?? term;
    this.globals.forEach((value, i) => {
      this.globals[i] = isPointer(value) ? { object: known(value.object), offset: known(value.offset) } : known(value);
    });
    this.memory.forEach((term, i) => {
      this.memory[i] = known(term);
    });
  }

  /** Makes the function's symbols, which a later question for the meaning of one needs. */
  introduce(fn: FunctionDefinition): void {
    this.frame(fn);
  }

  /** Every symbol a state of `fn` is described with. */
  symbolsFor(fn: FunctionDefinition): readonly SymbolTerm[] {
    const { locals, objects } = this.frame(fn);
    const parts = [...this.globals, ...locals, ...objects].flatMap((value): Term[] =>
      isPointer(value) ? [value.object, value.offset] : [value],
    );
    return [...parts, ...this.memory].filter((term): term is SymbolTerm => term.kind === 'symbol');
  }

  /** Pointer variables of `fn` and the program, with their symbols. */
  pointersFor(fn: FunctionDefinition): { readonly variable: Variable; readonly value: SymbolicPointer }[] {
    const { locals } = this.frame(fn);
    const all = [
      ...this.memoryModel.program.globals.map(({ variable }, i) => ({ variable, value: this.globals[i]! })),
      ...fn.variables.map((variable, i) => ({ variable, value: locals[i]! })),
    ];
    return all.flatMap(({ variable, value }) =>
      isPointer(value) && value.object.kind === 'symbol' ? [{ variable, value }] : [],
    );
  }

  /** A number that a local variable holds. */
  numberOf(variable: Variable, fn: FunctionDefinition): Term {
    const value = this.frame(fn).locals[variable.slot]!;
    if (isPointer(value)) throw new Error(`${variable.name} is a pointer`);
    return value;
  }

  /** The place of an automatic object of `fn`. */
  objectOf(object: FrameObject, fn: FunctionDefinition): SymbolicPointer {
    return this.frame(fn).objects[object.slot]!;
  }

  symbolOf(memory: MemoryVariable): Term {
    return this.memory[memory.index]!;
  }

  /**
   * Axioms about every state with control at `location`: addresses of automatic objects in scope are distinct, live, of
   * their size and younger than statics; pointers name no object that is still to be made; and each pointer variable
   * points where the region analysis says.
   */
  wellFormed(fn: FunctionDefinition, location: Location): Term[] {
    const { memoryModel } = this;
    const { locals, objects } = this.frame(fn);
    const bits = (n: number): Term => L.bits(BigInt(n), memoryModel.half);
    const next = this.symbolOf(memoryModel.allocationCounter);
    const axioms: Term[] = [L.ult(bits(memoryModel.lastStatic), next), L.ult(next, bits(2 ** (memoryModel.half - 1)))];
    const own = declaredAt(fn, location);
    for (const object of own) {
      const id = objects[object.slot]!.object;
      axioms.push(
        L.eq(objects[object.slot]!.offset, bits(0)),
        L.ult(bits(memoryModel.lastStatic), id),
        L.ult(id, next),
        L.select(this.symbolOf(memoryModel.live), id),
        L.eq(L.select(this.symbolOf(memoryModel.size), id), bits(object.sizeBytes)),
        L.not(L.select(this.symbolOf(memoryModel.heap), id)),
      );
    }
    if (own.length > 1) axioms.push(L.distinct(...own.map((object) => objects[object.slot]!.object)));
    const assigned = assignedVariables(fn);
    const about = (variable: Variable, value: SymbolicValue): void => {
      if (!isPointer(value)) return;
      if (memoryModel.regions.pointToMade) axioms.push(L.ult(value.object, next));
      const youngest = !memoryModel.regions.forges && fn.parameters.includes(variable) && !assigned.has(variable);
      if (youngest) for (const object of own) axioms.push(L.not(L.eq(value.object, objects[object.slot]!.object)));
      axioms.push(...this.pointsWithin(variable, value, fn, own));
    };
    memoryModel.program.globals.forEach(({ variable }, i) => about(variable, this.globals[i]!));
    const initialised = location === fn.entry ? new Set<Variable>(fn.parameters) : undefined;
    fn.variables.forEach((variable, i) => {
      if (!initialised || initialised.has(variable)) about(variable, locals[i]!);
    });
    return axioms;
  }

  /**
   * Axioms for the array reads that occur in `terms`, also for what was there before a change that may be elsewhere:
   * instances of what holds for every element. Sizes are not negative, there are 0 bytes behind null, and stored
   * pointers name existing objects. The laws of links whose relations occur are axioms, too, and those of quotients and
   * products.
   */
  readAxioms(terms: readonly Term[], seen: Set<Term>): Term[] {
    const axioms = [...this.linkLaws(terms, seen), ...this.kept.ofAll(terms).filter((term) => !seen.has(term))];
    for (const term of axioms) seen.add(term);
    const next = this.symbolOf(this.memoryModel.allocationCounter);
    const work = [...terms];
    let hasNewProduct = false;
    for (let term = work.pop(); term; term = work.pop()) {
      if (seen.has(term)) continue;
      hasNewProduct ||= factorsOf(term) !== undefined;
      if (term.kind === 'symbol' && this.isStoredObject(term)) {
        seen.add(term);
        axioms.push(L.ult(term, next));
      }
      if (term.kind !== 'apply') continue;
      seen.add(term);
      work.push(...term.args);
      axioms.push(...addressAxioms(term, this.memoryModel), ...lawsOfQuotient(term));
      if (term.operator !== 'select') continue;
      for (const array of changedArrays(term.args[0]!)) work.push(L.select(array, term.args[1]!));
      const kept = this.kept.ofRead(term);
      axioms.push(...kept);
      work.push(...kept);
      const meaning = this.meanings.get(term.args[0]!);
      if (meaning?.kind !== 'memory') continue;
      const { role } = meaning.memory;
      if (role.kind === 'size') {
        const none = L.bits(0n, this.memoryModel.half);
        axioms.push(L.sle(none, term), L.or(L.not(L.eq(term.args[1]!, none)), L.eq(term, none)));
      }
      // Objects still to be made were never written.
      if (role.kind === 'written' && role.addressing !== 'by-offset')
        axioms.push(
          L.or(
            L.not(term),
            L.ult(
              role.addressing === 'by-object'
                ? term.args[1]!
                : L.extract(2 * this.memoryModel.half - 1, this.memoryModel.half, term.args[1]!),
              next,
            ),
          ),
        );
      if (role.kind === 'slot' && role.part === 'object' && this.memoryModel.regions.pointToMade)
        axioms.push(L.ult(term, next));
    }
    if (hasNewProduct) axioms.push(...productLaws(seen));
    return axioms;
  }

  /** The object of a pointer in memory that is one place, and that nobody sees before it is written. */
  private isStoredObject(symbol: SymbolTerm): boolean {
    const known = this.storedObjects.get(symbol);
    if (known !== undefined) return known;
    const { regions, half } = this.memoryModel;
    const meaning = this.meanings.get(symbol);
    const role = meaning?.kind === 'memory' ? meaning.memory.role : undefined;
    let isStored = false;
    if (regions.pointToMade && role?.kind === 'slot' && role.addressing === 'plain' && role.part === 'object') {
      const { single, slot } = role;
      if (single?.kind === 'static') isStored = true;
      else if (single?.kind === 'frame' && slot !== 'byte')
        isStored = isWrittenFirst(single.function, single.object, slot.offset, (2 * half) / 8);
    }
    this.storedObjects.set(symbol, isStored);
    return isStored;
  }

  private linkLaws(terms: readonly Term[], seen: Set<Term>): Term[] {
    if (this.laws.size === 0) return [];
    const found = new Set<Term>();
    const mentioned = new Set(terms.flatMap((term) => [...symbolsOf(term)]));
    for (const symbol of mentioned) {
      const law = this.laws.get(symbol);
      if (law && !seen.has(law)) found.add(law);
    }
    const isAboutLinks =
      this.memoryModel.linkRelations.some((memory) => mentioned.has(this.symbolOf(memory) as SymbolTerm)) ||
      [...this.laws.values()].some((law) => seen.has(law));
    const { countLaw } = this;
    if (isAboutLinks && countLaw && mentioned.has(countLaw.count as SymbolTerm) && !seen.has(countLaw.law))
      found.add(countLaw.law);
    for (const law of found) seen.add(law);
    return [...found];
  }

  private pointsWithin(
    variable: Variable,
    value: SymbolicPointer,
    fn: FunctionDefinition,
    own: readonly FrameObject[],
  ): Term[] {
    const { regions, half, lastStatic } = this.memoryModel;
    if (!this.pointerAxioms || !regions.isClean(variable)) return [];
    const bits = (n: number): Term => L.bits(BigInt.asUintN(half, BigInt(n)), half);
    const target = regions.pointee({ kind: 'read', type: variable.type, variable });
    const isNull = L.eq(value.object, bits(0));
    if (!target) return [];
    const { objects } = this.frame(fn);
    const places: Term[] = [isNull];
    for (const origin of target.node.origins) {
      if (origin.kind === 'static') places.push(L.eq(value.object, bits(origin.object.number)));
      else if (
        origin.kind === 'frame' &&
        origin.function === fn &&
        own.includes(origin.object) &&
        !regions.isRecursive(fn)
      ) {
        // The one that lives, or one of an earlier activation or round that is gone.
        places.push(
          L.eq(value.object, objects[origin.object.slot]!.object),
          L.and(
            L.ult(bits(lastStatic), value.object),
            L.not(L.select(this.symbolOf(this.memoryModel.live), value.object)),
          ),
        );
      } else places.push(L.ult(bits(lastStatic), value.object));
    }
    const axioms = [L.or(...places)];
    const { residue, modulus } = flat(target.at);
    const width = Math.log2(modulus);
    const trueNull = L.and(isNull, L.eq(value.offset, bits(0)));
    if (modulus === 0) axioms.push(L.or(trueNull, L.eq(value.offset, bits(residue))));
    if (target.at.modulus === 0 && target.at.strides) {
      const cells = cellsOf(target.at);
      axioms.push(
        L.or(
          trueNull,
          L.and(L.sle(bits(cells[0]!), value.offset), L.sle(value.offset, bits(cells[cells.length - 1]!))),
        ),
      );
    }
    if (modulus > 1 && Number.isInteger(width) && width < half)
      axioms.push(L.or(trueNull, L.eq(L.extract(width - 1, 0, value.offset), L.bits(BigInt(residue), width))));
    return axioms;
  }

  private frame(fn: FunctionDefinition): { locals: SymbolicValue[]; objects: SymbolicPointer[] } {
    let frame = this.frames.get(fn);
    if (!frame) {
      frame = {
        locals: fn.variables.map((variable) =>
          this.variable(variable, `${fn.name}:${variable.name}#${variable.slot}`, fn),
        ),
        objects: fn.objects.map((object) => ({
          object: this.symbol(`${fn.name}:&${object.name}#${object.slot}`, this.memoryModel.halfSort, {
            kind: 'object',
            object,
            function: fn,
          }),
          offset: L.bits(0n, this.memoryModel.half),
        })),
      };
      this.frames.set(fn, frame);
      fn.objects.forEach((object, i) => this.memoryModel.frameObjects.set(frame!.objects[i]!.object, object));
    }
    return frame;
  }

  private variable(variable: Variable, name: string, fn: FunctionDefinition | undefined): SymbolicValue {
    const make = (part: 'value' | 'object' | 'offset', width: number): SymbolTerm =>
      this.symbol(part === 'value' ? name : `${name}.${part}`, L.bitsSort(width), {
        kind: 'variable',
        variable,
        part,
        function: fn,
      });
    const type: Scalar = variable.type;
    if (type.kind !== 'pointer') return make('value', type.widthBits);
    const pointer = { object: make('object', this.memoryModel.half), offset: make('offset', this.memoryModel.half) };
    this.offsets.set(pointer.object, pointer.offset);
    return pointer;
  }

  private symbol(name: string, sort: Parameters<typeof L.symbol>[1], meaning: Meaning): SymbolTerm {
    const symbol = L.symbol(name, sort);
    this.meanings.set(symbol, meaning);
    return symbol;
  }
}

function partOf(value: SymbolicValue | undefined, part: 'value' | 'object' | 'offset'): Term | undefined {
  if (value === undefined) return undefined;
  return isPointer(value) ? (part === 'value' ? undefined : value[part]) : part === 'value' ? value : undefined;
}

function bindValue(map: Map<Term, Term>, symbol: SymbolicValue, value: SymbolicValue | undefined): void {
  if (value === undefined) return;
  if (isPointer(symbol) && isPointer(value)) {
    if (symbol.object.kind === 'symbol') map.set(symbol.object, value.object);
    if (symbol.offset.kind === 'symbol') map.set(symbol.offset, value.offset);
  } else if (!isPointer(symbol) && !isPointer(value)) {
    if (symbol.kind === 'symbol') map.set(symbol, value);
  } else {
    throw new Error('a variable keeps its type');
  }
}

/** Automatic objects declared on every path from the entry to `location` and not ended since. */
export function declaredAt(fn: FunctionDefinition, location: Location): readonly FrameObject[] {
  return (
    declarations(fn, 'every path', (a, b) => new Set([...a].filter((object) => b.has(object)))).get(location) ?? []
  );
}

/** The same on some path. */
function possiblyDeclaredAt(fn: FunctionDefinition, location: Location): readonly FrameObject[] {
  return declarations(fn, 'some path', (a, b) => new Set([...a, ...b])).get(location) ?? [];
}

type Declared = ReadonlyMap<Location, readonly FrameObject[]>;
const known = {
  'every path': new WeakMap<FunctionDefinition, Declared>(),
  'some path': new WeakMap<FunctionDefinition, Declared>(),
};

/** A forward data flow over declarations and ends of scopes; `meet` joins paths. */
function declarations(
  fn: FunctionDefinition,
  kind: keyof typeof known,
  meet: (a: ReadonlySet<FrameObject>, b: ReadonlySet<FrameObject>) => ReadonlySet<FrameObject>,
): Declared {
  const before = known[kind].get(fn);
  if (before) return before;
  const at = new Map<Location, ReadonlySet<FrameObject>>([[fn.entry, new Set()]]);
  for (let changed = true; changed;) {
    changed = false;
    for (const location of fn.locations) {
      const here = at.get(location);
      if (!here) continue;
      for (const { command, to } of location.edges) {
        let after = here;
        if (command.kind === 'declare') after = new Set([...here, command.object]);
        if (command.kind === 'end') after = new Set([...here].filter((object) => object !== command.object));
        const old = at.get(to);
        const merged = old ? meet(old, after) : after;
        if (!old || merged.size !== old.size) {
          at.set(to, merged);
          changed = true;
        }
      }
    }
  }
  const result: Declared = new Map(
    [...at].map(([location, objects]) => [location, fn.objects.filter((object) => objects.has(object))]),
  );
  known[kind].set(fn, result);
  return result;
}

const assignments = new WeakMap<FunctionDefinition, ReadonlySet<Variable>>();
/** Variables that some command of the function writes. */
export function assignedVariables(fn: FunctionDefinition): ReadonlySet<Variable> {
  let known = assignments.get(fn);
  if (!known) {
    const targets = fn.edges.flatMap(({ command }) =>
      'target' in command && command.target && 'slot' in command.target && command.target.kind === 'variable'
        ? [command.target]
        : [],
    );
    assignments.set(fn, (known = new Set(targets)));
  }
  return known;
}

/** The law of proportions mentions no product; the other law does, and so is said only of quotients without it. */
function lawsOfQuotient(term: Term): readonly Term[] {
  const laws = proportionLaws(term);
  return laws.length > 0 ? laws : quotientLaws(term);
}

/** The arrays that an array was made from by storing elements, where it is none of them. */
function changedArrays(array: Term): readonly Term[] {
  const found = new Set<Term>();
  const seen = new Set([array]);
  for (const one of seen) {
    if (one.kind === 'symbol' && one !== array) found.add(one);
    if (L.isApplication(one, 'store')) seen.add(one.args[0]!);
    if (L.isApplication(one, 'ite')) for (const branch of one.args.slice(1)) seen.add(branch);
  }
  return [...found];
}
