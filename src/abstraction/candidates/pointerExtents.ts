/**
 * Candidates about pointers that walk: how many bytes of its object a pointer has before it and behind it, beside
 * the numbers in scope and beside other pointers into the same object. `while (n--) crc = f(crc, *p++)` keeps `n <=
 * PROVEST_LENGTH(p)`, `for (; p != end; p++)` that `p` is not behind `end`, a copy that both pointers have come equally
 * far. Said only in functions where a pointer was seen behind the start of an object; fitted to the states seen, and
 * Houdini is the judge.
 */
import { elementSizeOf } from '../../c/layout';
import * as L from '../../logic/build';
import { compileAll } from '../../logic/compile';
import type { Term } from '../../logic/term';
import { binary, objectSize, offsetOf } from '../../program/build';
import type { Variable } from '../../program/expression';
import { passedFunctions } from '../../semantics/pointers/passedFunctions';
import { FreshSymbols, type SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import { relevanceOf } from './observables';
import type { ConcreteView } from '../transitionSystem/concreteView';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { nullSpace } from './nullSpace';
import type { Observable } from './samples';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  /** Pointers at one cutpoint. */
  pointers: 6,
  /** Numbers in scope that distances are compared with. */
  numbers: 8,
  /** Distances and numbers in one linear equation. */
  equationColumns: 8,
  /** States kept per cutpoint. */
  states: 120,
  /** Fewer states have something in common by chance. */
  leastStates: 3,
  /** Constants that bound one distance from one side. */
  boundsPerDistance: 3,
} as const;
const WIDTH_BITS = 64;

interface Extent {
  readonly variable: Variable;
  readonly value: SymbolicPointer;
  /** Bytes of what it points to. */
  readonly unit: bigint;
  /** Bytes, as signed numbers of 64 bits. */
  readonly before: Term;
  readonly behind: Term;
}

/** Position of a pointer in a state: its object's number, and the bytes before and behind it. */
interface PointerPosition {
  readonly object: bigint;
  readonly before: bigint;
  readonly behind: bigint;
}
interface State {
  readonly positions: readonly PointerPosition[];
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
  /** Seen behind the start of an object. */
  private readonly walking = new Set<Variable>();

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
    const values = watched.read(view.value) as readonly bigint[];
    const signed = (i: number): bigint => BigInt.asIntN(WIDTH_BITS, values[i]!);
    const positions = extents.map((_, i): PointerPosition => ({
      object: values[3 * i]!,
      before: signed(3 * i + 1),
      behind: signed(3 * i + 2),
    }));
    positions.forEach(({ object, before }, i) => {
      if (object !== 0n && before > 0n) this.walking.add(extents[i]!.variable);
    });
    states.set(values.join(','), {
      positions,
      numbers: numbers.map((number, i) =>
        number.signed
          ? BigInt.asIntN(number.widthBits, values[3 * extents.length + i]!)
          : values[3 * extents.length + i]!,
      ),
    });
  }

  candidates(point: Cutpoint, constants: readonly bigint[]): readonly Term[] {
    const watched = this.watched.get(point);
    if (!watched || watched.states.size < limits.leastStates) return [];
    const { extents, numbers } = watched;
    const states = [...watched.states.values()];
    const found = new Set<Term>();
    extents.forEach((extent, i) => {
      if (!this.walking.has(extent.variable)) return;
      const own = states.map(({ positions }) => positions[i]!);
      alone(extent, own, constants, found);
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
        if (j > i || !this.walking.has(other.variable))
          besidePointer(
            extent,
            other,
            own,
            states.map(({ positions }) => positions[j]!),
            found,
          );
      });
    });
    if (found.size > 0) equations(watched, states, found);
    return [...found].filter((term) => term.kind !== 'boolean');
  }
}

/** Pointers to objects in scope, those whose value may still matter. */
function extentsAt(
  point: Cutpoint,
  { vocabulary, builder, program }: TransitionSystem,
  matters: (variable: Variable) => boolean,
): Extent[] {
  if (point.kind === 'module' || point.kind === 'exit') return [];
  const state = vocabulary.arbitraryState(point.fn, new FreshSymbols('extents'));
  return vocabulary
    .pointersFor(point.fn)
    .flatMap(({ variable, value }): Extent[] => {
      if (
        variable.temporary ||
        variable.ctype?.kind !== 'pointer' ||
        !matters(variable) ||
        (point.kind === 'entry' && variable.scope !== 'global' && !point.fn.parameters.includes(variable))
      )
        return [];
      const { to } = variable.ctype;
      if (to.kind === 'function' || passedFunctions(variable.ctype, program)) return [];
      const pointer = { kind: 'read', type: variable.type, variable } as const;
      const [before, behind] = [offsetOf(pointer), binary('subtract', objectSize(pointer), offsetOf(pointer))].map(
        (e) => builder.evaluate(e, state) as Term,
      );
      return [
        { variable, value, unit: BigInt(elementSizeOf(to, program.dataModel) ?? 1), before: before!, behind: behind! },
      ];
    })
    .slice(0, limits.pointers);
}

const literal = (value: bigint): Term => L.bits(BigInt.asUintN(WIDTH_BITS, value), WIDTH_BITS);

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
  const le = number.signed || number.widthBits < WIDTH_BITS ? L.sle : L.ule;
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

/** Into the same object, and which of the two comes first. */
function besidePointer(
  a: Extent,
  b: Extent,
  here: readonly PointerPosition[],
  there: readonly PointerPosition[],
  out: Set<Term>,
): void {
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
function equations({ extents, numbers }: Watched, states: readonly State[], out: Set<Term>): void {
  const columns = [...extents.map(({ before }) => before), ...numbers.map(widened)].slice(0, limits.equationColumns);
  if (states.length < columns.length + 1) return;
  const rows = states.map(({ positions, numbers: values }) => [
    ...[...positions.map(({ before }) => before), ...values].slice(0, limits.equationColumns),
    1n,
  ]);
  for (const solution of nullSpace(rows)) {
    const factors = solution.slice(0, columns.length);
    if (
      !factors.slice(0, extents.length).some((factor) => factor !== 0n) ||
      factors.filter((factor) => factor !== 0n).length < 2
    )
      continue;
    if (solution.some((factor) => factor > LARGEST_FACTOR || factor < -LARGEST_FACTOR)) continue;
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

const LARGEST_FACTOR = 1n << 20n;

const widened = ({ term, widthBits, signed }: Observable): Term =>
  widthBits === WIDTH_BITS ? term : signed ? L.signExtend(term, WIDTH_BITS) : L.zeroExtend(term, WIDTH_BITS);
const least = (values: readonly bigint[]): bigint => values.reduce((a, b) => (b < a ? b : a));
const most = (values: readonly bigint[]): bigint => values.reduce((a, b) => (b > a ? b : a));
