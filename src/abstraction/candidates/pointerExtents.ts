/**
 * Candidates about pointers that walk: how many bytes of its object a pointer has before it and behind it, beside
 * the numbers in scope and beside other pointers into the same object. `while (n--) crc = f(crc, *p++)` keeps `n <=
 * PROVEST_LENGTH(p)`, `for (; p != end; p++)` that `p` is not behind `end`, a copy that both pointers have come equally
 * far. The same is said of pointers in memory, such as `*p` or the cursor of a reader. Said only of pointers that were
 * seen behind the start of an object; fitted to the states seen, and Houdini is the judge.
 */
import { elementSizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import * as L from '../../logic/build';
import { compileAll } from '../../logic/compile';
import { sizeOf, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { addressOf, binary, objectSize, offsetOf, read } from '../../program/build';
import type { Expression, Variable } from '../../program/expression';
import { passedFunctions } from '../../semantics/pointers/passedFunctions';
import { FreshSymbols, type SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import { declaredAt } from '../../semantics/symbolic/vocabulary';
import { relevanceOf } from './observables';
import type { ConcreteView } from '../transitionSystem/concreteView';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { endsInZero } from '../transitionSystem/textEnd';
import { nullSpace } from './nullSpace';
import { type PointerPlace, pointerPlacesAt } from './pointerPlaces';
import { validObject } from './pointerTargets';
import type { Observable } from './samples';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  /** Pointer variables at one cutpoint, and pointers in memory. */
  pointers: 6,
  places: 4,
  /** Nodes of a pointer that is read from memory. */
  placeSize: 40,
  /** Objects to which a pointer may lead. */
  origins: 64,
  /** Numbers in scope that distances are compared with. */
  numbers: 8,
  /** Automatic objects of the function that a pointer in memory is said not to lead to. */
  own: 4,
  /** Distances and numbers in one linear equation. */
  equationColumns: 8,
  /** States kept per cutpoint. */
  states: 120,
  /** Fewer states have something in common by chance. */
  leastStates: 3,
  /** Constants that bound one distance from one side. */
  boundsPerDistance: 3,
  largestFactor: 1n << 20n,
} as const;
const wordBits = 64;
/** In place of an offset, for the value of a variable itself. */
const isVariable = -1;

interface Extent {
  /** The same at all cutpoints. */
  readonly name: Name;
  readonly value: SymbolicPointer;
  /** Bytes of what it points to. */
  readonly unit: bigint;
  /** Bytes, as signed numbers of 64 bits. */
  readonly before: Term;
  readonly behind: Term;
  /** Conditions on the object that a pointer in memory leads to. */
  readonly target: readonly Term[];
}

/** A variable; or something in memory, and bytes from there. */
type Name = Variable | Pick<PointerPlace, 'of' | 'offsetBytes'>;

/** Position of a pointer in a state: its object's number, and the bytes before and behind it. */
interface PointerPosition {
  readonly object: bigint;
  readonly before: bigint;
  readonly behind: bigint;
}
interface State {
  readonly positions: readonly PointerPosition[];
  /** Truth of the conditions on each extent's target. */
  readonly targets: readonly (readonly boolean[])[];
  readonly numbers: readonly bigint[];
}
interface Watched {
  readonly extents: readonly Extent[];
  readonly numbers: readonly Observable[];
  readonly read: ReturnType<typeof compileAll>;
  readonly states: Map<string, State>;
}

export class PointerBoundCandidates {
  private readonly watched = new Map<Cutpoint, Watched>();
  /** Seen behind the start of an object; by bytes from a variable or object. */
  private readonly walking = new Map<object, Set<number>>();

  constructor(system: TransitionSystem, observables: ReadonlyMap<Cutpoint, readonly Observable[]>) {
    const relevance = relevanceOf(system);
    for (const point of system.points) {
      const extents = extentsAt(point, system, (variable) => relevance.at(point.location, variable));
      if (extents.length === 0) continue;
      const numbers = (observables.get(point) ?? []).slice(0, limits.numbers);
      this.watched.set(point, {
        extents,
        numbers,
        read: compileAll([
          ...extents.flatMap(({ value, before, behind }) => [value.object, before, behind]),
          ...numbers.map(({ term }) => term),
          ...extents.flatMap(({ target }) => target),
        ]),
        states: new Map(),
      });
    }
  }

  /** A state seen. */
  record(point: Cutpoint, view: ConcreteView): void {
    const watched = this.watched.get(point);
    if (!watched || watched.states.size >= limits.states) return;
    const { extents, numbers, states } = watched;
    const all = watched.read(view.value);
    let read = 3 * extents.length + watched.numbers.length;
    const values = all.slice(0, read) as readonly bigint[];
    const targets = extents.map(({ target }) => all.slice(read, (read += target.length)) as readonly boolean[]);
    const signed = (i: number): bigint => BigInt.asIntN(wordBits, values[i]!);
    const positions = extents.map((_, i): PointerPosition => ({
      object: values[3 * i]!,
      before: signed(3 * i + 1),
      behind: signed(3 * i + 2),
    }));
    positions.forEach(({ object, before }, i) => {
      if (object !== 0n && before > 0n) this.walks(extents[i]!.name);
    });
    states.set(values.join(','), {
      positions,
      targets,
      numbers: numbers.map((number, i) =>
        number.signed
          ? BigInt.asIntN(number.widthBits, values[3 * extents.length + i]!)
          : values[3 * extents.length + i]!,
      ),
    });
  }

  private walks(name: Name): void {
    const [of, offset] = 'of' in name ? [name.of, name.offsetBytes] : [name, isVariable];
    const known = this.walking.get(of);
    if (known) known.add(offset);
    else this.walking.set(of, new Set([offset]));
  }

  private isWalking({ name }: Extent): boolean {
    return 'of' in name
      ? this.walking.get(name.of)?.has(name.offsetBytes) === true
      : this.walking.get(name)?.has(isVariable) === true;
  }

  candidates(point: Cutpoint, constants: readonly bigint[]): readonly Term[] {
    const watched = this.watched.get(point);
    if (!watched) return [];
    const { extents, numbers } = watched;
    const states = [...watched.states.values()];
    if (states.length < limits.leastStates) return this.unseen(extents, states);
    const found = new Set<Term>();
    extents.forEach((extent, i) => {
      if (!this.isWalking(extent)) return;
      const own = states.map(({ positions }) => positions[i]!);
      alone(extent, own, constants, found);
      extent.target.forEach((condition, k) => {
        if (states.every(({ targets }) => targets[i]![k])) found.add(condition);
      });
      numbers.forEach((number, j) =>
        besideNumber(
          extent,
          number,
          own,
          states.map((state) => state.numbers[j]!),
          found,
        ),
      );
      extents.forEach((other, j) => {
        if (j > i || !this.isWalking(other))
          besidePointer(
            extent,
            other,
            own,
            states.map(({ positions }) => positions[j]!),
            found,
          );
      });
    });
    if (found.size > 0) equations(watched, (extent) => !('of' in extent.name) || this.isWalking(extent), states, found);
    return [...found].filter((term) => term.kind !== 'boolean');
  }

  /** Walks are within their objects also where hardly a run came, as behind a comparison with a character. */
  private unseen(extents: readonly Extent[], states: readonly State[]): readonly Term[] {
    return extents.flatMap((extent, i) => {
      if (!this.isWalking(extent)) return [];
      const own = states.map(({ positions }) => positions[i]!);
      return [
        ...(own.every(({ before }) => before >= 0n) ? [L.sle(literal(0n), extent.before)] : []),
        ...[0n, 1n].flatMap((least) =>
          own.every(({ behind }) => behind >= least) ? [L.sle(literal(least), extent.behind)] : [],
        ),
        ...extent.target.filter((_, k) => states.every(({ targets }) => targets[i]![k])),
        ...extents.flatMap((other, j) =>
          isApart(extent, other) && states.every(({ positions }) => positions[i]!.object !== positions[j]!.object)
            ? [L.not(L.eq(extent.value.object, other.value.object))]
            : [],
        ),
      ];
    });
  }
}

/** Pointers to objects in scope, those whose value may still matter: variables, then what lies in memory. */
function extentsAt(point: Cutpoint, system: TransitionSystem, matters: (variable: Variable) => boolean): Extent[] {
  const { vocabulary, builder, program, memoryModel } = system;
  if (point.kind === 'module') return [];
  const isExit = point.kind === 'exit';
  const state = vocabulary.arbitraryState(point.fn, new FreshSymbols('extents'));
  const own = isExit || point.kind === 'entry' ? [] : declaredAt(point.fn, point.location).slice(0, limits.own);
  const target = (pointer: Expression, to: CType, object: Term, size: Term): readonly Term[] => {
    const node = memoryModel.regions.pointee(pointer)?.node;
    if (!node) return [];
    const contents = memoryModel.variables.map((variable) => vocabulary.symbolOf(variable));
    const length = L.resize(size, memoryModel.half, 'unsigned');
    return [
      ...(isCharacter(to) ? [L.and(...endsInZero(object, node, contents, memoryModel, length))] : []),
      ...validObject(object, node, system),
      ...own.map((one) => L.not(L.eq(object, (builder.evaluate(addressOf(one), state) as SymbolicPointer).object))),
    ].filter(({ kind }) => kind !== 'boolean');
  };
  const extentOf = (name: Name, pointer: Expression, to: CType): Extent => {
    const [value, before, behind, size] = [
      pointer,
      offsetOf(pointer),
      binary('subtract', objectSize(pointer), offsetOf(pointer)),
      objectSize(pointer),
    ].map((e) => builder.evaluate(e, state));
    return {
      name,
      value: value as SymbolicPointer,
      target: 'of' in name ? target(pointer, to, (value as SymbolicPointer).object, size as Term) : [],
      unit: BigInt(elementSizeOf(to, program.dataModel) ?? 1),
      before: before as Term,
      behind: behind as Term,
    };
  };
  // Sizes in a region of very many objects are large terms, and pointers to all of them walk along none.
  const isSmall = (pointer: Expression): boolean =>
    (system.memoryModel.regions.pointee(pointer)?.node.origins.size ?? 0) <= limits.origins;
  const isSeenByCallers = (variable: Variable): boolean =>
    variable === point.fn.resultVariable || variable.scope === 'global' || point.fn.parameters.includes(variable);
  const variables = vocabulary
    .pointersFor(point.fn)
    .flatMap(({ variable }) => {
      if (
        variable.temporary ||
        variable.ctype?.kind !== 'pointer' ||
        (isExit ? !isSeenByCallers(variable) : !matters(variable)) ||
        (point.kind === 'entry' && variable.scope !== 'global' && !point.fn.parameters.includes(variable))
      )
        return [];
      const { to } = variable.ctype;
      if (to.kind === 'function' || passedFunctions(variable.ctype, program)) return [];
      return isSmall(read(variable)) ? [{ variable, to }] : [];
    })
    .slice(0, limits.pointers)
    .map(({ variable, to }) => extentOf(variable, read(variable), to));
  // In memory of unknown contents a pointer is a new symbol each time.
  const isKnown = (terms: readonly Term[]): boolean =>
    terms.every((term) => [...symbolsOf(term)].every((symbol) => vocabulary.meaning(symbol)));
  const places = pointerPlacesAt(point, system)
    .filter(({ value }) => isSmall(value))
    .map((place) => extentOf({ of: place.of, offsetBytes: place.offsetBytes }, place.value, place.to))
    .filter(({ before, behind }) => sizeOf(before) + sizeOf(behind) <= limits.placeSize && isKnown([before, behind]))
    .map((extent) => ({ ...extent, target: extent.target.filter((condition) => isKnown([condition])) }));
  return [...variables, ...places.slice(0, limits.places)];
}

const isCharacter = (type: CType): boolean => type.kind === 'integer' && type.widthBits === 8;

const literal = (value: bigint): Term => L.bits(BigInt.asUintN(wordBits, value), wordBits);

/** Within its object, and constants of the program that bound how far. */
function alone(
  { before, behind }: Extent,
  positions: readonly PointerPosition[],
  constants: readonly bigint[],
  out: Set<Term>,
): void {
  for (const [term, values] of [
    [before, positions.map((place) => place.before)],
    [behind, positions.map((place) => place.behind)],
  ] as const) {
    const [low, high] = [least(values), most(values)];
    for (const bound of constants.filter((c) => c >= 0n && c <= low).slice(-limits.boundsPerDistance))
      out.add(L.sle(literal(bound), term));
    if (low === high) out.add(L.eq(term, literal(low)));
    else
      for (const bound of constants.filter((c) => c >= high).slice(0, limits.boundsPerDistance))
        out.add(L.sle(term, literal(bound)));
  }
}

/** A number of elements, or of bytes, is at most, at least or just what lies before or behind. */
function besideNumber(
  { before, behind, unit }: Extent,
  number: Observable,
  positions: readonly PointerPosition[],
  values: readonly bigint[],
  out: Set<Term>,
): void {
  const le = number.signed || number.widthBits < wordBits ? L.sle : L.ule;
  const wide = widened(number);
  for (const [bytes, seen] of [
    [before, positions.map((place) => place.before)],
    [behind, positions.map((place) => place.behind)],
  ] as const) {
    for (const size of new Set([unit, 1n])) {
      // Not by multiplication, which wraps; what lies behind is not negative where it is compared.
      const elements = size === 1n ? bytes : L.udiv(bytes, literal(size));
      const count = seen.map((one) => (one < 0n ? -1n : one / size));
      const all = (holds: (elements: bigint, value: bigint) => boolean): boolean =>
        count.every((one, i) => holds(one, values[i]!));
      if (all((one, value) => one === value)) out.add(L.eq(wide, elements));
      else if (all((one, value) => value < one)) out.add(L.and(le(wide, elements), L.not(L.eq(wide, elements))));
      if (all((one, value) => value <= one)) out.add(le(wide, elements));
      else if (size === unit && all((one, value) => one <= value)) out.add(le(elements, wide));
    }
  }
}

/** A pointer in memory, and a variable that may lead to where it lies. */
const isApart = (a: Extent, b: Extent): boolean => 'of' in a.name && !('of' in b.name);

/** Into the same object, and which of the two comes first; or a pointer in memory into none that the other leads to. */
function besidePointer(
  a: Extent,
  b: Extent,
  here: readonly PointerPosition[],
  there: readonly PointerPosition[],
  out: Set<Term>,
): void {
  if (isApart(a, b) && here.every(({ object }, i) => object !== there[i]!.object))
    out.add(L.not(L.eq(a.value.object, b.value.object)));
  if (!here.every(({ object }, i) => object === there[i]!.object)) return;
  out.add(L.eq(a.value.object, b.value.object));
  const all = (holds: (a: bigint, b: bigint) => boolean): boolean =>
    here.every(({ before }, i) => holds(before, there[i]!.before));
  const [x, y] = [a.value.offset, b.value.offset];
  if (all((p, q) => p === q)) out.add(L.eq(x, y));
  else if (all((p, q) => p < q)) out.add(L.slt(x, y)).add(L.sle(x, y));
  else if (all((p, q) => p > q)) out.add(L.slt(y, x)).add(L.sle(y, x));
  else if (all((p, q) => p <= q)) out.add(L.sle(x, y));
  else if (all((p, q) => p >= q)) out.add(L.sle(y, x));
}

/** Linear equations between numbers and the bytes before pointers. */
function equations(
  { extents, numbers }: Watched,
  isTelling: (extent: Extent) => boolean,
  states: readonly State[],
  out: Set<Term>,
): void {
  const pointers = extents.flatMap((extent, at) => (isTelling(extent) ? [{ before: extent.before, at }] : []));
  const columns = [...pointers.map(({ before }) => before), ...numbers.map(widened)].slice(0, limits.equationColumns);
  if (states.length < columns.length + 1) return;
  const rows = states.map(({ positions, numbers: values }) => [
    ...[...pointers.map(({ at }) => positions[at]!.before), ...values].slice(0, limits.equationColumns),
    1n,
  ]);
  for (const solution of nullSpace(rows)) {
    const factors = solution.slice(0, columns.length);
    if (
      !factors.slice(0, pointers.length).some((factor) => factor !== 0n) ||
      factors.filter((factor) => factor !== 0n).length < 2
    )
      continue;
    if (solution.some((factor) => factor > limits.largestFactor || factor < -limits.largestFactor)) continue;
    out.add(
      L.eq(
        factors
          .map((factor, i) => L.mul(columns[i]!, literal(factor)))
          .reduce((x, y) => L.add(x, y), literal(solution[columns.length]!)),
        literal(0n),
      ),
    );
  }
}

const widened = ({ term, widthBits, signed }: Observable): Term =>
  widthBits === wordBits ? term : signed ? L.signExtend(term, wordBits) : L.zeroExtend(term, wordBits);
const least = (values: readonly bigint[]): bigint => values.reduce((a, b) => (b < a ? b : a));
const most = (values: readonly bigint[]): bigint => values.reduce((a, b) => (b > a ? b : a));
