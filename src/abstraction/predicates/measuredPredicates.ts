/**
 * The predicates that tell abstract states apart for a reader, who wants to know which of them the tests reach. What
 * checks of memory need besides (how large an object is, whether it is live, how far inside a pointer points) is the
 * proof's business: formulas that hold in every state or in none, in combinations that no test could distinguish. A
 * pointer that the program compares is compared here, too. Probes are the user's own.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { StatePredicate } from './predicateAbstraction';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

export function measuredPredicates(
  { vocabulary }: TransitionSystem,
  predicates: ReadonlyMap<Cutpoint, readonly StatePredicate[]>,
): ReadonlyMap<Cutpoint, readonly StatePredicate[]> {
  return new Map(
    [...predicates].map(([point, list]) => [
      point,
      wholePointers(list, vocabulary).filter(
        ({ name, term }) => name !== undefined || !isAboutMemory(term, vocabulary),
      ),
    ]),
  );
}

/** `p == q`, where the proof mentions the two objects and of the two offsets. */
function wholePointers(predicates: readonly StatePredicate[], vocabulary: Vocabulary): readonly StatePredicate[] {
  const compared = (part: 'object' | 'offset', { name, term }: StatePredicate): string | undefined => {
    if (name !== undefined || !L.isApplication(term, 'eq') || !term.args.every((arg) => isPart(part, arg, vocabulary)))
      return undefined;
    const variables = term.args.map((arg) => {
      const meaning = vocabulary.meaning(arg);
      return meaning?.kind === 'variable' ? `${meaning.variable.scope} ${meaning.variable.slot}` : undefined;
    });
    return variables.includes(undefined) ? undefined : variables.sort().join();
  };
  const objects = new Map(
    predicates.flatMap((predicate) => {
      const pair = compared('object', predicate);
      return pair === undefined ? [] : [[pair, predicate] as const];
    }),
  );
  const joined = new Map<StatePredicate, StatePredicate | undefined>();
  for (const predicate of predicates) {
    const ofObjects = objects.get(compared('offset', predicate) ?? '');
    if (!ofObjects) continue;
    joined.set(ofObjects, { ...ofObjects, term: L.and(ofObjects.term, predicate.term) });
    joined.set(predicate, undefined);
  }
  return predicates.flatMap((predicate) => (joined.has(predicate) ? (joined.get(predicate) ?? []) : predicate));
}

function isAboutMemory(term: Term, vocabulary: Vocabulary): boolean {
  const seen = new Set<Term>([term]);
  for (const t of seen) {
    if (t.kind === 'symbol') {
      const meaning = vocabulary.meaning(t);
      if (meaning?.kind === 'memory' && meaning.memory.role.kind !== 'slot') return true;
    }
    if (t.kind !== 'apply') continue;
    if (t.operator.endsWith('-less') || t.operator.endsWith('-less-equal')) {
      const [a, b] = t.args as [Term, Term];
      if (isPart('object', a, vocabulary) || isPart('object', b, vocabulary)) return true;
      // `p < end` compares two of them.
      if (isOffset(a, vocabulary) !== isOffset(b, vocabulary)) return true;
    }
    for (const arg of t.args) seen.add(arg);
  }
  return isOffsetOfWhole(term, vocabulary);
}

/** True if a pointer leads to the beginning, as only its type demands: `p == q` says so of the object, too. */
function isOffsetOfWhole(term: Term, vocabulary: Vocabulary): boolean {
  return (
    term.kind === 'apply' &&
    term.operator === 'eq' &&
    term.args.some((arg) => isPart('offset', arg, vocabulary)) &&
    term.args.some((arg) => arg.kind === 'bits' && arg.value === 0n)
  );
}

/** An offset, or one moved by something. */
function isOffset(term: Term, vocabulary: Vocabulary): boolean {
  return (
    isPart('offset', term, vocabulary) ||
    (term.kind === 'apply' &&
      (term.operator === 'add' || term.operator === 'subtract') &&
      term.args.some((arg) => isOffset(arg, vocabulary)))
  );
}

function isPart(part: 'object' | 'offset', term: Term, vocabulary: Vocabulary): boolean {
  const meaning = vocabulary.meaning(term.kind === 'apply' && term.operator === 'select' ? term.args[0]! : term);
  switch (meaning?.kind) {
    case 'variable':
      return meaning.part === part;
    case 'memory':
      return meaning.memory.role.kind === 'slot' && meaning.memory.role.part === part;
    case 'object':
      return part === 'object';
    case undefined:
      return false;
  }
}
