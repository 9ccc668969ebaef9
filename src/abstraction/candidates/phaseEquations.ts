/**
 * Loops that go through phases, as in `while (x < 300) { if (x < 100) x += 1; else if (x < 200) x += 2; else x += 4;
 * rounds++; }`: the states at the loop's head are told apart by which of the function's branch conditions hold in them,
 * and each class has linear equations of its own, as implications (R. Sharma, I. Dillig, T. Dillig, A. Aiken,
 * "Simplifying loop invariant generation using splitter predicates", CAV 2011, which splits the loop instead).
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { equations } from './numberTemplates';
import type { Observable, Sample } from './samples';

const limits = {
  /** Conditions that tell states apart, and classes of states that they make. */
  conditions: 5,
  classes: 6,
  /** States in a class before anything is guessed of it. */
  samplesOfClass: 3,
} as const;

/** `watched`: the formulas of the samples' truths. `conditions`: those among them that may tell phases apart. */
export function phaseEquations(
  seen: readonly Sample[],
  watched: readonly Term[],
  conditions: readonly Term[],
  observables: readonly Observable[],
): Term[] {
  const telling = conditions
    .map((term) => ({ term, at: watched.indexOf(term) }))
    .filter(({ at }) => at >= 0 && new Set(seen.map(({ truths }) => truths[at])).size === 2)
    .slice(0, limits.conditions);
  const classes = new Map<string, Sample[]>();
  for (const sample of seen) {
    const key = telling.map(({ at }) => Number(sample.truths[at]!)).join('');
    classes.set(key, [...(classes.get(key) ?? []), sample]);
  }
  if (classes.size < 2 || classes.size > limits.classes) return [];
  const equationsOf = (samples: readonly Sample[]): ReadonlySet<Term> => {
    const found = new Set<Term>();
    const vectors = samples.map(({ values }) => values);
    if (samples.length >= limits.samplesOfClass) equations(observables, vectors, found);
    return found;
  };
  return [...classes.values()].flatMap(([first, ...others]) => {
    const isIn = telling.map(({ term, at }) => ({ term, at, holds: first!.truths[at]! }));
    return [...equationsOf([first!, ...others])].map((equation) => {
      // Where a condition makes no difference it is left out, as that of the loop is for the state behind it.
      const needed = isIn.reduce((kept, one) => {
        const rest = kept.filter((other) => other !== one);
        const satisfy = seen.filter(({ truths }) => rest.every(({ at, holds }) => truths[at] === holds));
        return equationsOf(satisfy).has(equation) ? rest : kept;
      }, isIn);
      return L.or(...needed.map(({ term, holds }) => (holds ? L.not(term) : term)), equation);
    });
  });
}
