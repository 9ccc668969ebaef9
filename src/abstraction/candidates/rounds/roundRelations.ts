/**
 * Relations of words that the rounds of a loop add numbers to, read off the loop instead of runs: after n rounds a word
 * has moved by n times its step, so that the ways of two words are in proportion, and a way is a multiple of the step.
 * Bounds follow from the loop's guard and the step. No run has to come as far as the loop goes.
 *
 * A loop whose rounds take sides may do so for good, by a condition that no round changes, or once, when a word passes
 * a bound: then each side has relations of its own, from where it begins.
 */
import * as L from '../../../logic/build';
import { substitute, substituteAll, symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { toSigned } from '../../../logic/words/words';
import { type ClosedForm, formOf } from '../../acceleration/closedForm';
import { phasesOf } from '../../acceleration/phases';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  /** Words related with one another at one loop. */
  words: 6,
  /** Candidates at one control point. */
  candidates: 60,
} as const;

/**
 * A word that moves, as a mark for its value at the loop's head; its value where the loop is entered, in terms of the
 * state that the segment there begins in; and the number that a round of each phase adds to it.
 */
interface Mover {
  readonly word: SymbolTerm;
  readonly start: Term;
  readonly steps: readonly bigint[];
  readonly signed: boolean;
}

/** Values with which a loop is entered, by symbol. */
type Entry = ReadonlyMap<Term, Term>;

export function roundRelations(system: TransitionSystem): Map<Cutpoint, readonly Term[]> {
  const byPoint = new Map<Cutpoint, ClosedForm[]>();
  for (const phase of phasesOf(system)) byPoint.set(phase.point, [...(byPoint.get(phase.point) ?? []), formOf(phase)]);
  const found = new Map<Cutpoint, readonly Term[]>();
  for (const [point, forms] of byPoint) {
    const candidates = relationsAt(point, forms, system);
    if (candidates.length === 0) continue;
    // Loops behind this one leave its words alone, mostly.
    for (const at of system.points)
      if (at === point || (at.kind === 'loop' && at.fn === point.fn && at.location.index > point.location.index))
        found.set(at, [...new Set([...(found.get(at) ?? []), ...candidates])].slice(0, limits.candidates));
  }
  return found;
}

function relationsAt(point: Cutpoint, forms: readonly ClosedForm[], system: TransitionSystem): readonly Term[] {
  const entry = entryOf(point, system);
  if (!entry) return [];
  const isFixed = (symbol: Term): boolean => forms.every(({ movement }) => movement.unchanged.has(symbol));
  const fixed = [...entry].flatMap(([symbol, value]): [Term, Term][] =>
    isFixed(symbol) && symbolsOf(value).size > 0 && value.sort === symbol.sort ? [[value, symbol]] : [],
  );
  const candidates = modesOf(forms).flatMap(({ condition, forms: own }) => {
    const movers = moversOf(point, own, entry, system);
    const marks = new Map<Term, Term>(movers.map(({ word, symbol }) => [symbol, word]));
    const guards = own.map(({ phase }) => substituteAll(phase.guard, marks));
    const relations = [...relationsOf(movers), ...boundsOf(movers, guards), ...passingABound(movers, guards)];
    const unmarked = new Map<Term, Term>(movers.map(({ word, symbol }) => [word, symbol]));
    // The value at the loop's entry is that of a word that no round changes, or it cannot be expressed at the head.
    return substituteAll(relations, new Map(fixed))
      .filter((relation) => [...symbolsOf(relation)].every((symbol) => unmarked.has(symbol) || isFixed(symbol)))
      .map((relation) => L.implies(condition, substitute(relation, unmarked)));
  });
  return [...new Set(candidates)].filter((term) => term.kind !== 'boolean');
}

/** Undefined when the loop is entered from several places. */
function entryOf(point: Cutpoint, { transitions, vocabulary }: TransitionSystem): Entry | undefined {
  const [end, ...others] = transitions.flatMap(({ from, ends }) =>
    from === point ? [] : ends.filter((one) => one.point === point),
  );
  return end && others.length === 0 ? vocabulary.binding(point.fn, end.state) : undefined;
}

/** Phases that exclude each other for good, by conditions that no round changes. */
function modesOf(forms: readonly ClosedForm[]): readonly { readonly condition: Term; readonly forms: ClosedForm[] }[] {
  const modes = new Map<Term, ClosedForm[]>();
  for (const form of forms) {
    const isFixed = (term: Term): boolean =>
      [...symbolsOf(term)].every((symbol) => forms.every(({ movement }) => movement.unchanged.has(symbol)));
    const isShared = (term: Term): boolean => forms.every(({ phase }) => phase.guard.includes(term));
    const condition = L.and(...form.phase.guard.filter((term) => isFixed(term) && !isShared(term)));
    modes.set(condition, [...(modes.get(condition) ?? []), form]);
  }
  return [...modes].map(([condition, own]) => ({ condition, forms: own }));
}

function moversOf(
  point: Cutpoint,
  forms: readonly ClosedForm[],
  entry: Entry,
  { vocabulary }: TransitionSystem,
): readonly (Mover & { readonly symbol: Term })[] {
  return vocabulary
    .symbolsFor(point.fn)
    .flatMap((symbol) => {
      const meaning = vocabulary.meaning(symbol);
      if (meaning?.kind !== 'variable' || meaning.variable.type.kind !== 'integer') return [];
      const steps = forms.map((form) => stepIn(form, symbol));
      if (!steps.every((step) => step !== undefined) || steps.every((step) => step === 0n)) return [];
      const { signed } = meaning.variable.type;
      return [
        { symbol, word: L.symbol(`${symbol.name} at the head`, symbol.sort), start: entry.get(symbol)!, steps, signed },
      ];
    })
    .slice(0, limits.words);
}

function stepIn({ movement }: ClosedForm, word: Term): bigint | undefined {
  if (movement.unchanged.has(word)) return 0n;
  const step = movement.steps.get(word);
  return step?.kind === 'bits' ? toSigned(step.value, L.widthOf(word)) : undefined;
}

const literal = (value: bigint, like: Term): Term => L.bits(BigInt.asUintN(L.widthOf(like), value), L.widthOf(like));
const zero = (like: Term): Term => literal(0n, like);
const wayOf = ({ word, start }: Mover): Term => L.sub(word, start);

/** Ways are multiples of steps, and in proportion. */
function relationsOf(movers: readonly Mover[]): readonly Term[] {
  const multiples = movers.flatMap((mover): Term[] => {
    const common = mover.steps.reduce(greatestCommonDivisor, 0n);
    const way = wayOf(mover);
    const bits = twosIn(common);
    return [
      ...(bits > 0 ? [L.eq(L.extract(bits - 1, 0, way), L.bits(0n, bits))] : []),
      ...(common >> BigInt(bits) > 1n ? [L.eq(L.urem(way, literal(common, way)), zero(way))] : []),
    ];
  });
  const proportions = movers.flatMap((a, i) =>
    movers.slice(i + 1).flatMap((b): Term[] => {
      if (L.widthOf(a.word) !== L.widthOf(b.word)) return [];
      const at = a.steps.findIndex((step, phase) => step !== 0n || b.steps[phase] !== 0n);
      const [x, y] = [a.steps[at]!, b.steps[at]!];
      if (!a.steps.every((step, phase) => step * y === b.steps[phase]! * x)) return [];
      const common = greatestCommonDivisor(x, y);
      return [L.eq(L.mul(literal(y / common, a.word), wayOf(a)), L.mul(literal(x / common, b.word), wayOf(b)))];
    }),
  );
  return [...multiples, ...proportions];
}

/** An order comparison, read as one of a word with a bound from above or from below. */
interface Comparison {
  readonly word: Term;
  readonly bound: Term;
  readonly side: 'above' | 'below';
  readonly isStrict: boolean;
  readonly signed: boolean;
}

function comparisonsIn(term: Term): readonly Comparison[] {
  const [atom, isTrue] = L.isApplication(term, 'not') ? [term.args[0]!, false] : [term, true];
  if (atom.kind !== 'apply' || !/^(un)?signed-less/.test(atom.operator)) return [];
  const [a, b] = atom.args as [Term, Term];
  const signed = atom.operator.startsWith('signed');
  const isStrict = !atom.operator.endsWith('equal') === isTrue;
  const [less, more] = isTrue ? [a, b] : [b, a];
  return [
    { word: less, bound: more, side: 'above', isStrict, signed },
    { word: more, bound: less, side: 'below', isStrict, signed },
  ];
}

/**
 * A round that begins within the guard's bound ends within the step behind it, or both steps if the bound moves, too;
 * the other end is where the word started.
 */
function boundsOf(movers: readonly Mover[], guards: readonly (readonly Term[])[]): readonly Term[] {
  const comparisons = guards.flat().flatMap(comparisonsIn);
  return movers.flatMap(({ word, start, steps, signed }): Term[] => {
    const rises = steps.every((step) => step >= 0n);
    if (!rises && steps.some((step) => step > 0n)) return [];
    const side = rises ? 'above' : 'below';
    const behind = comparisons.flatMap((comparison): Term[] => {
      if (comparison.word !== word || comparison.side !== side) return [];
      const towards = movers.find((mover) => mover.word === comparison.bound)?.steps ?? [];
      const room = longest(steps) + longest(towards) - (comparison.isStrict ? 1n : 0n);
      const end = L.add(comparison.bound, literal(rises ? room : -room, word));
      const order = comparison.signed ? L.sle : L.ule;
      const within = rises ? order(word, end) : order(end, word);
      return [within, L.or(within, L.eq(word, start))];
    });
    const order = signed ? L.sle : L.ule;
    return [rises ? order(start, word) : order(word, start), ...behind];
  });
}

const magnitude = (step: bigint): bigint => (step < 0n ? -step : step);
const longest = (steps: readonly bigint[]): bigint =>
  steps.map(magnitude).reduce((most, step) => (step > most ? step : most), 0n);

/**
 * Two phases on either side of a bound that a word passes once. Relations hold on the first side from the beginning,
 * and on the second from where the word has just passed.
 */
function passingABound(movers: readonly Mover[], guards: readonly (readonly Term[])[]): readonly Term[] {
  const [one, other] = guards;
  if (!one || !other || guards.length > 2) return [];
  return [
    [one, 0],
    [other, 1],
  ].flatMap(([guard, first]) =>
    (guard as readonly Term[]).flatMap((side): Term[] => {
      const second = 1 - (first as number);
      if (!guards[second]!.includes(L.not(side))) return [];
      return comparisonsIn(side).flatMap((comparison) => {
        const passing = movers.find(({ word }) => word === comparison.word);
        const step = passing?.steps[first as number];
        if (!passing || !step || step > 0n !== (comparison.side === 'above')) return [];
        const rounds = roundsToPass(passing, step, comparison);
        if (!rounds) return [];
        const onFirst = movers.map((mover) => ({ ...mover, steps: [mover.steps[first as number]!] }));
        const steady = (some: readonly Mover[]): Term[] =>
          some.filter(({ steps: [own] }) => own === 0n).map((mover) => L.eq(mover.word, mover.start));
        const onSecond = movers.flatMap((mover): Mover[] =>
          L.widthOf(mover.word) !== L.widthOf(rounds)
            ? []
            : [
                {
                  ...mover,
                  start: L.add(mover.start, L.mul(literal(mover.steps[first as number]!, rounds), rounds)),
                  steps: [mover.steps[second]!],
                },
              ],
        );
        const moving = (some: readonly Mover[]): Mover[] => some.filter(({ steps: [own] }) => own !== 0n);
        return [
          ...[...relationsOf(moving(onFirst)), ...steady(onFirst)].map((relation) => L.implies(side, relation)),
          ...[...relationsOf(moving(onSecond)), ...steady(onSecond)].map((relation) => L.or(side, relation)),
        ];
      });
    }),
  );
}

/** Number of rounds until the word has passed the bound, where it is one term. */
function roundsToPass({ word, start }: Mover, step: bigint, { bound, isStrict }: Comparison): Term | undefined {
  const target = isStrict ? bound : L.add(bound, literal(step > 0n ? 1n : -1n, word));
  const way = L.sub(target, start);
  if (step === 1n) return way;
  if (step === -1n) return L.neg(way);
  if (way.kind !== 'bits') return undefined;
  const [length, size] = [
    BigInt.asUintN(L.widthOf(word), step > 0n ? way.value : -way.value),
    step > 0n ? step : -step,
  ];
  return literal((length + size - 1n) / size, word);
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [magnitude(a), magnitude(b)];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

/** Exponent of two in a number. */
function twosIn(value: bigint): number {
  let count = 0;
  for (let rest = value; rest > 0n && (rest & 1n) === 0n; rest >>= 1n) count++;
  return count;
}
