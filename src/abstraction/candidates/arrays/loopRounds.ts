/** Rounds of loops as terms: what one does to variables, which of them count, and where a loop begins. */
import * as L from '../../../logic/build';
import { linearOf } from '../../../logic/words/linear';
import { symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { postOrder } from '../../../logic/traverse';
import type { FunctionDefinition } from '../../../program/program';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem, TransitionEnd } from '../../transitionSystem/transitionSystem';

export interface Counter {
  readonly symbol: SymbolTerm;
  /** Some rounds leave it as it is: it counts what is appended. */
  readonly isConditional: boolean;
  readonly signed: boolean;
  readonly step: bigint;
  /** Before the first round, where that is known. */
  readonly start: Term | undefined;
}

export interface LoopRound {
  readonly point: Cutpoint;
  readonly end: TransitionEnd;
  readonly after: ReadonlyMap<Term, Term>;
  readonly counters: readonly Counter[];
  /** That the round reads or writes. */
  readonly places: readonly ElementPlace[];
}

/** An element of an array: where it lies, by offset. */
export interface ElementPlace {
  readonly array: Term;
  readonly offset: Term;
}

/** Loops whose round is one segment, the last one first. */
export function roundsOf(fn: FunctionDefinition, system: TransitionSystem): readonly LoopRound[] {
  return system.transitions
    .flatMap((transition) => {
      const { from, kind, ends } = transition;
      const end = ends.find(({ point }) => point === from);
      if (kind !== 'segment' || from?.fn !== fn || from.kind !== 'loop' || !end) return [];
      const after = system.vocabulary.binding(fn, end.state);
      const counters = countersOf(from, after, system);
      return [{ point: from, end, after, counters, places: placesIn([end.guard, ...after.values()], system) }];
    })
    .sort((a, b) => b.point.location.index - a.point.location.index);
}

function countersOf(point: Cutpoint, after: ReadonlyMap<Term, Term>, system: TransitionSystem): readonly Counter[] {
  return [...after].flatMap(([symbol, value]): readonly Counter[] => {
    if (symbol.kind !== 'symbol' || symbol.sort.kind !== 'bits' || value === symbol) return [];
    const step = stepOf(symbol, value, symbol.sort.width);
    const isConditional = L.isApplication(value, 'ite');
    const meaning = system.vocabulary.meaning(symbol);
    if (step === undefined || meaning?.kind !== 'variable') return [];
    const { type } = meaning.variable;
    const signed = type.kind !== 'integer' || type.signed;
    return [{ symbol, signed, step, isConditional, start: startOf(symbol, point, system) }];
  });
}

/** The number that a round adds: always, or in the rounds in which it adds anything. */
function stepOf(symbol: Term, value: Term, width: number): bigint | undefined {
  if (L.isApplication(value, 'ite')) {
    const [, then, otherwise] = value.args as readonly [Term, Term, Term];
    if (then === symbol) return stepOf(symbol, otherwise, width);
    if (otherwise === symbol) return stepOf(symbol, then, width);
    const [a, b] = [stepOf(symbol, then, width), stepOf(symbol, otherwise, width)];
    return a === b ? a : undefined;
  }
  const { monomials, constant } = linearOf(L.sub(value, symbol));
  return monomials.length === 0 && constant !== 0n ? BigInt.asIntN(width, constant) : undefined;
}

/** The value with which the loop is entered, if it is one, and one that the loop's states can mention. */
export function startOf(
  symbol: SymbolTerm,
  point: Cutpoint,
  system: Pick<TransitionSystem, 'vocabulary' | 'transitions'>,
): Term | undefined {
  const values = new Set(
    system.transitions.flatMap(({ from, ends }) =>
      from === point
        ? []
        : ends.flatMap((end) =>
            end.point === point ? [system.vocabulary.binding(point.fn, end.state).get(symbol)!] : [],
          ),
    ),
  );
  const [value, ...others] = values;
  if (value === undefined || others.length > 0) return undefined;
  const known = new Set<Term>(system.vocabulary.symbolsFor(point.fn));
  return [...symbolsOf(value)].every((one) => known.has(one)) ? value : undefined;
}

/** Elements of the program's arrays that are read or written, or written alone. */
export function placesIn(
  terms: readonly Term[],
  { vocabulary }: TransitionSystem,
  how: 'accessed' | 'written' = 'accessed',
): readonly ElementPlace[] {
  const places = new Map<string, ElementPlace>();
  for (const term of postOrder([...terms])) {
    if (!L.isApplication(term, 'store') && !(how === 'accessed' && L.isApplication(term, 'select'))) continue;
    const array = baseOf(term.args[0]!);
    const meaning = array.kind === 'symbol' ? vocabulary.meaning(array) : undefined;
    if (meaning?.kind !== 'memory' || meaning.memory.role.kind !== 'slot') continue;
    const index = term.args[1]!;
    const offset = L.isApplication(index, 'concat') ? index.args.at(-1)! : index;
    places.set(`${array.id} ${offset.id}`, { array, offset });
  }
  return [...places.values()];
}

/** The array before it was written; one of them where that depends. */
export function baseOf(array: Term): Term {
  if (L.isApplication(array, 'store')) return baseOf(array.args[0]!);
  return L.isApplication(array, 'ite') ? baseOf(array.args[1]!) : array;
}

/** The counter's value in the round that accesses the place, if that is a number. */
export function numberAt(place: Term, { symbol }: Counter, offset: Term): Term | undefined {
  const { monomials, constant, width } = linearOf(L.sub(place, offset));
  const [only, ...others] = monomials;
  if (!only || others.length > 0 || !symbolsOf(only.atom).has(symbol)) return undefined;
  const [rest, coefficient] = [-BigInt.asIntN(width, constant), BigInt.asIntN(width, only.coefficient)];
  if (coefficient === 0n || rest % coefficient !== 0n) return undefined;
  const counterWidth = L.widthOf(symbol);
  return L.bits(BigInt.asUintN(counterWidth, rest / coefficient), counterWidth);
}
