/** Constraints and literals as C, without those that hardly any reader asks for. */
import { printTerm } from '../../abstraction/printing/printTerm';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { isAlive } from './constraints';
import type { Literal } from './searchTree';

export function literalTexts(terms: readonly Term[], vocabulary: Vocabulary): string[] {
  return terms.filter((term) => !isHousekeeping(term, vocabulary)).map((term) => printTerm(term, vocabulary));
}

/** The literals of a label that something still needs. */
export const neededLiterals = (label: readonly Literal[] | undefined): readonly Term[] =>
  (label ?? []).filter(({ needs }) => isAlive(needs)).map(({ term }) => term);

/** Liveness and sizes of objects. */
export function isHousekeeping(term: Term, vocabulary: Vocabulary): boolean {
  const meanings = [...symbolsOf(term)].map((symbol) => vocabulary.meaning(symbol));
  return meanings.length > 0 && meanings.every((one) => one?.kind === 'memory' && one.memory.role.kind !== 'slot');
}
