/** Constraints of the open heads that are kept, and why: the operations on annotations that take queries. */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { withoutReads } from './abstractReads';
import { type StateConstraint, type Head, isAlive, type Needs } from './constraints';
import type { Described, Implied, Questions } from './questions';
import type { TreeNode } from './searchTree';

export class Annotations {
  constructor(private readonly questions: Questions) {}

  /** Constraints of the next head further out that imply the given one; undefined: they do not, as far as is known. */
  async coreOf(constraint: StateConstraint): Promise<readonly StateConstraint[] | undefined> {
    const { node } = constraint.head;
    if (constraint.core || !node?.above.isAnnotated) return constraint.core ?? [];
    const { above: head, arrival: path, arrived: witness } = node;
    const answer = await this.questions.implies({ head, path, witness }, path.readOne(constraint.term));
    if (answer.kind !== 'implied') return undefined;
    constraint.core = answer.core;
    return answer.core;
  }

  /** The constraints of the head that imply a term over the symbols at the path's end. */
  async coreIn(state: Described, term: Term): Promise<readonly StateConstraint[] | undefined> {
    if (state.path.keeps(term)) {
      const own = state.head.constraints.find((constraint) => constraint.isKept && constraint.term === term);
      if (own) return [own];
    }
    const { isAnnotated } = state.head;
    const answer = await this.questions.implies(state, state.path.readOne(term), isAnnotated ? 'core' : 'no core');
    if (answer.kind !== 'implied') return undefined;
    return isAnnotated ? answer.core : [];
  }

  /** The constraint must be kept, and so must all that it rests on. False: something it rests on is dropped. */
  async makeMax(constraint: StateConstraint): Promise<boolean> {
    if (constraint.isMax) return true;
    if (!constraint.isKept) return false;
    constraint.isMax = true;
    if (!constraint.head.isAnnotated) return true;
    for (const outer of (await this.coreOf(constraint)) ?? [undefined])
      if (!outer || !(await this.makeMax(outer))) return false;
    for (const head of constraint.head.chain.concat(openInside(constraint.head)))
      for (const support of head.constraints)
        if (support.tags.has(constraint) && !(await this.makeMax(support))) return false;
    return true;
  }

  /** The constraints are needed. False: one of them cannot be kept. */
  async need(constraints: readonly StateConstraint[], needs: Needs): Promise<boolean> {
    for (const constraint of constraints) {
      if (needs === 'always' || [...needs].some(({ isMax }) => isMax)) {
        if (!(await this.makeMax(constraint))) return false;
      } else {
        for (const tag of needs) if (isAlive(new Set([tag])) && !(await this.tag(constraint, tag))) return false;
      }
    }
    return true;
  }

  private async tag(constraint: StateConstraint, tag: StateConstraint): Promise<boolean> {
    if (constraint.tags.has(tag)) return true;
    if (!constraint.isKept) return false;
    constraint.tags.add(tag);
    if (!constraint.head.isInside(tag.head)) return true;
    const core = await this.coreOf(constraint);
    if (!core) return false;
    for (const outer of core) if (!(await this.tag(outer, tag))) return false;
    return true;
  }

  /** The constraints of outer heads on which those of a head rest. */
  async outside(constraints: readonly StateConstraint[]): Promise<readonly StateConstraint[]> {
    const found = new Set<StateConstraint>();
    for (const constraint of constraints) for (const outer of (await this.coreOf(constraint)) ?? []) found.add(outer);
    return [...found];
  }

  /**
   * Drops the constraints, and with them the unneeded ones that follow from them at heads further in, unless others
   * imply these. False if a needed constraint would not follow any more.
   */
  async drop(dropped: ReadonlySet<StateConstraint>, open: readonly Head[]): Promise<boolean> {
    for (const constraint of dropped) constraint.isKept = false;
    const touched = new Set([...dropped].map(({ head }) => head));
    for (const head of open) {
      if (!head.node || !head.outer || !touched.has(head.outer)) continue;
      const unexplained = head.kept.filter(({ core }) => core === undefined);
      if (unexplained.length === 0) continue;
      const { above, arrival } = head.node;
      const broken = await this.findBroken(
        { head: above, path: arrival, witness: undefined },
        unexplained.map(({ term }) => term),
      );
      for (const constraint of unexplained) {
        if (!broken.has(constraint.term)) continue;
        if (constraint.isMax || constraint.tags.size > 0) return false;
        constraint.isKept = false;
        touched.add(head);
      }
    }
    return true;
  }

  /** The terms, over the symbols at the path's end, that the state does not imply. */
  async findBroken(state: Described, terms: readonly Term[]): Promise<ReadonlySet<Term>> {
    const broken = new Set<Term>();
    let open = terms.filter(
      (term) =>
        !(
          state.path.keeps(term) &&
          state.head.constraints.some((constraint) => constraint.isKept && constraint.term === term)
        ),
    );
    while (open.length > 0) {
      const read = state.path.read(open);
      const answer = await this.questions.implies(state, L.and(...read), 'no core');
      if (answer.kind === 'implied') return broken;
      const failing = open.filter((_, i) => isFalsified(read[i]!, answer));
      if (failing.length === 0) {
        // Undecided together: one by one.
        for (const [i, term] of open.entries())
          if ((await this.questions.implies(state, read[i]!, 'no core')).kind !== 'implied') broken.add(term);
        return broken;
      }
      for (const term of failing) broken.add(term);
      open = open.filter((term) => !broken.has(term));
    }
    return broken;
  }

  /** The terms that hold in the node's state, over the symbols of its place. */
  async impliedOf(node: TreeNode, terms: readonly Term[]): Promise<readonly Term[]> {
    if (terms.length === 0) return [];
    const { above, arrival, arrived: witness } = node;
    const possible = terms.filter((term) => witness?.evaluate(arrival.readOne(term)) !== false);
    const broken = await this.findBroken({ head: above, path: arrival, witness }, possible);
    return possible.filter((term) => !broken.has(term));
  }
}

/** False in the state that was found; where that is one without memory, the term might hold, which is not known. */
function isFalsified(term: Term, { witness, abstract }: Extract<Implied, { kind: 'not implied' }>): boolean {
  if (witness) return witness.evaluate(term) === false;
  return abstract?.evaluate(withoutReads([term])[0]!) === false;
}

/** The open heads further in on the path that is searched. */
function openInside(head: Head): readonly Head[] {
  const found: Head[] = [];
  for (let { inner } = head; inner?.isOpen; { inner } = inner) found.push(inner);
  return found;
}
