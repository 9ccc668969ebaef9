/**
 * Words with few possible values, each value with its condition: conditionals over literals and the terms computed from
 * them. Loop counters become such words when unwound executions of different length are merged.
 */
import { evaluate } from '../evaluate';
import { bits, isApplication, TRUE, widthOf } from '../intern';
import { and, not, or } from '../propositional';
import { rebuild } from '../rebuild';
import type { Application, Term } from '../term';
import { postOrder } from '../traverse';

/** Exactly one of the conditions holds. */
export type Cases = ReadonlyMap<bigint, Term>;

const mostValues = 64;
/** Limit on the combinations of operand values that are computed for one operator. */
const mostCombinations = 256;

export class CasesOfWords {
  private readonly known = new Map<Term, Cases | undefined>();

  /** Undefined if the word may have many values, or if the term is no word. */
  of(word: Term): Cases | undefined {
    if (word.sort.kind !== 'bits') return undefined;
    if (word.kind === 'bits') return new Map([[word.value, TRUE]]);
    if (!this.known.has(word))
      for (const t of postOrder([word], (s) => s.sort.kind !== 'bits' || this.known.has(s)))
        this.known.set(t, this.compute(t));
    return this.known.get(word);
  }

  private compute(word: Term): Cases | undefined {
    if (word.kind === 'bits') return new Map([[word.value, TRUE]]);
    if (word.kind !== 'apply') return undefined;
    if (isApplication(word, 'ite')) {
      const [condition, then, otherwise] = word.args as readonly [Term, Term, Term];
      const [thenCases, otherCases] = [this.known.get(then), this.known.get(otherwise)];
      return (
        thenCases &&
        otherCases &&
        join([
          [condition, thenCases],
          [not(condition), otherCases],
        ])
      );
    }
    if (word.operator === 'select' || word.operator === 'call') return undefined;
    return this.combine(word);
  }

  /** An operator on words. */
  private combine(word: Application): Cases | undefined {
    let combinations: readonly { readonly args: readonly Term[]; readonly condition: Term }[] = [
      { args: [], condition: TRUE },
    ];
    for (const arg of word.args) {
      const cases = this.known.get(arg);
      if (!cases || cases.size * combinations.length > mostCombinations) return undefined;
      combinations = combinations.flatMap(({ args, condition }) =>
        [...cases].map(([value, when]) => ({
          args: [...args, bits(value, widthOf(arg))],
          condition: and(condition, when),
        })),
      );
    }
    const found = new Map<bigint, Term[]>();
    for (const { args, condition } of combinations) {
      const value = valueOf(rebuild(word, args));
      const conditions = found.get(value);
      if (conditions) conditions.push(condition);
      else found.set(value, [condition]);
    }
    return found.size > mostValues
      ? undefined
      : new Map([...found].map(([value, conditions]) => [value, or(...conditions)]));
  }
}

function join(sides: readonly (readonly [Term, Cases])[]): Cases | undefined {
  const found = new Map<bigint, Term>();
  for (const [condition, cases] of sides) {
    for (const [value, when] of cases) {
      const before = found.get(value);
      const here = and(condition, when);
      found.set(value, before === undefined ? here : or(before, here));
    }
  }
  return found.size > mostValues ? undefined : found;
}

function valueOf(closed: Term): bigint {
  return closed.kind === 'bits' ? closed.value : (evaluate(closed, noSymbols) as bigint);
}

function noSymbols(): never {
  throw new Error('an operator of literals has no symbols');
}
