/**
 * A path to the error that is feasible only since constraints were dropped. From the last head outwards: which of its
 * constraints, dropped ones included, exclude what comes after it; where none do, the weakest precondition of what
 * comes after. The search begins anew at the outermost head at which something is missing.
 */
import * as L from '../../logic/build';
import { sizeOf, symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import { type GraphNode, symbolsOfFrames } from '../../abstraction/transitionSystem/transitionGraph';
import type { Head } from './constraints';
import { eliminate } from './labels';
import type { Questions } from './questions';
import type { SearchGraph, TreeNode } from './searchTree';
import { SymbolicPath } from './symbolicPath';

export interface Conflict {
  readonly head: Head;
  /** Terms that may not be dropped at the head. */
  readonly locks: readonly Term[];
  /** Weakest preconditions of the path at heads on it. */
  readonly learned: readonly (readonly [GraphNode, readonly Term[]])[];
}

const limits = {
  conflictNodes: 300,
} as const;

/** `condition`: of the last step, over the symbols at the node's head. Undefined: nothing could be said. */
export async function conflictOf(
  node: TreeNode,
  condition: readonly Term[],
  questions: Questions,
  graph: SearchGraph,
): Promise<Conflict | undefined> {
  const learned: (readonly [GraphNode, readonly Term[]])[] = [];
  let excluded: readonly Term[] = condition;
  let path: SymbolicPath = node.path;
  for (let head: Head | undefined = node.head; head?.node; head = head.outer) {
    const { above, arrival, place } = head.node;
    const missing = head.constraints.filter(({ isKept }) => !isKept);
    // The path itself may be what the dropped constraints exclude.
    const whole = [...new Set([...excluded, ...path.conditions])];
    const answer = await questions.possible({ head, path, witness: undefined }, whole, 'core', missing);
    let locks: readonly Term[];
    if (answer.kind === 'impossible') locks = answer.core.filter(({ isKept }) => !isKept).map(({ term }) => term);
    else {
      const core = await contradicting(head, whole, questions);
      if (!core) return undefined;
      if (core.length === 0) {
        // The head itself is not reached by the path.
        [excluded, path] = [[], arrival];
        continue;
      }
      const precondition = preconditionOf(
        core,
        whole,
        new Set<Term>(symbolsOfFrames(graph.framesAt(place), graph.system)),
      );
      if (!precondition) return undefined;
      locks = [precondition];
      learned.push([place, locks]);
    }
    excluded = [L.not(L.and(...arrival.read(locks)))];
    path = arrival;
    const before = await questions.possible({ head: above, path: arrival, witness: undefined }, excluded, 'no core');
    if (before.kind === 'impossible') return { head, locks, learned };
  }
  return undefined;
}

/** The terms, over the symbols at the head, that no execution satisfies which takes the path to the head. */
async function contradicting(
  head: Head,
  terms: readonly Term[],
  questions: Questions,
): Promise<readonly Term[] | undefined> {
  const exact = exactPath(head);
  const read = exact.read(terms);
  const core = await questions.coreOf(read, [...exact.conditions], L.FALSE);
  return core && terms.filter((_, i) => core.includes(read[i]!));
}

/** From the start to the head, with nothing dropped on the way. */
function exactPath({ node, outer }: Head): SymbolicPath {
  if (!node || !outer) return SymbolicPath.from([]);
  const before = exactPath(outer);
  const { values, conditions } = node.arrival;
  const read = before.read([...values.values()]);
  return new SymbolicPath(
    new Map([...before.values, ...[...values.keys()].map((symbol, i): [Term, Term] => [symbol, read[i]!])]),
    new Set([...before.conditions, ...before.read([...conditions])]),
  );
}

/**
 * The states at the head in which one of the terms is false, whatever is chosen afterwards. `whole`: all that the path
 * asks, of which bounds of what is chosen count, too.
 */
function preconditionOf(terms: readonly Term[], whole: readonly Term[], own: ReadonlySet<Term>): Term | undefined {
  const mentioned = new Set(terms.flatMap((term) => [...symbolsOf(term)]));
  const chosen = new Set<SymbolTerm>([...mentioned].filter((symbol) => !own.has(symbol)));
  const bounds = whole.filter((term) => [...symbolsOf(term)].every((symbol) => chosen.has(symbol)));
  for (const asked of [terms, [...new Set([...terms, ...bounds])]]) {
    const found = L.not(eliminate(L.and(...asked), chosen));
    if (found !== L.FALSE && sizeOf(found) <= limits.conflictNodes) return found;
  }
  return undefined;
}
