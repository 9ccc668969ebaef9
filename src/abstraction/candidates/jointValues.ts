/**
 * Variables that have few values at a place, and the combinations of these values in the states that runs reached: what
 * state machines, protocols and schedulers are made of. Of counters that go on and on, their differences may have few
 * values.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { Samples } from './samples';

const limits = {
  /** Values of a word in all states seen at a place. */
  values: 8,
  /** Words of a place, counters among them, and differences of two. */
  words: 24,
  counters: 6,
  differences: 4,
  /** Values that a counter has at least, and most values of a difference, which has fewer than the two words. */
  counterValues: 3,
  differenceValues: 4,
} as const;

/** Values of the words, in their order; unsigned. */
export type Combination = readonly bigint[];

export interface JointValues {
  readonly words: readonly Term[];
  readonly combinations: readonly Combination[];
}

interface Column {
  readonly word: Term;
  readonly values: readonly bigint[];
}

/** Undefined: no states were seen there, or no word has few values. */
export function jointValuesAt(point: Cutpoint, samples: Samples): JointValues | undefined {
  const seen = samples.of(point);
  if (seen.length === 0) return undefined;
  const columns = samples
    .observablesOf(point)
    .map(({ term: word, widthBits, isSum }, i): Column | undefined =>
      isSum ? undefined : { word, values: seen.map(({ values }) => BigInt.asUintN(widthBits, values[i]!)) },
    )
    .filter((column) => column !== undefined);
  const count = ({ values }: Column): number => new Set(values).size;
  const counters = columns.filter((column) => column.word.kind === 'symbol' && count(column) >= limits.counterValues);
  const differences = differencesOf(counters.slice(0, limits.counters)).slice(0, limits.differences);
  // A variable that goes on with another one is told by the difference.
  const told = new Set(differences.flatMap(({ of }) => of));
  const few = columns.filter((column) => count(column) <= limits.values && !told.has(column));
  const chosen = [...few.slice(0, limits.words), ...differences];
  if (chosen.length === 0) return undefined;
  const combinations = new Map(
    seen.map((_, state) => {
      const combination = chosen.map(({ values }) => values[state]!);
      return [combination.join(), combination];
    }),
  );
  return { words: chosen.map(({ word }) => word), combinations: [...combinations.values()] };
}

interface Difference extends Column {
  readonly of: readonly Column[];
}

/** The words that have few values. */
function differencesOf(counters: readonly Column[]): readonly Difference[] {
  const all = counters.flatMap((first, i) =>
    counters.slice(i + 1).flatMap((second): readonly Difference[] => {
      const { sort } = first.word;
      if (second.word.sort !== sort || sort.kind !== 'bits') return [];
      const values = first.values.map((value, state) => BigInt.asUintN(sort.width, value - second.values[state]!));
      return [{ word: L.sub(first.word, second.word), values, of: [first, second] }];
    }),
  );
  return all.filter(({ of, values }) => {
    const count = new Set(values).size;
    return count <= limits.differenceValues && of.every((column) => count < new Set(column.values).size);
  });
}

/** True if some words were seen in fewer combinations than their values have. */
export function areCorrelated({ words, combinations }: JointValues): boolean {
  const all = words.reduce((product, _, i) => product * new Set(combinations.map((one) => one[i]!)).size, 1);
  return combinations.length < all;
}

/** That the words have one of the combinations: a tree of cases, by one word after the other. */
export function oneOf(words: readonly Term[], combinations: readonly Combination[], at = 0): Term {
  if (at === words.length) return combinations.length > 0 ? L.TRUE : L.FALSE;
  const word = words[at]!;
  const cases = new Map<bigint, Combination[]>();
  for (const combination of combinations) {
    const same = cases.get(combination[at]!);
    if (same) same.push(combination);
    else cases.set(combination[at]!, [combination]);
  }
  return L.or(...[...cases].map(([value, same]) => L.and(isValue(word, value), oneOf(words, same, at + 1))));
}

export const isValue = (word: Term, value: bigint): Term => L.eq(word, L.bits(value, L.widthOf(word)));
