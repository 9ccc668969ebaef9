/** Traversals of terms without recursion: terms may be a hundred thousand operators deep. */
import type { Term } from './term';

const none: readonly Term[] = [];

export function childrenOf(term: Term): readonly Term[] {
  switch (term.kind) {
    case 'apply':
      return term.args;
    case 'forall':
    case 'exists':
      return [term.body];
    default:
      return none;
  }
}

/**
 * Every subterm of the roots once, operands before their operators. Subterms for which `skip` holds are left out
 * together with their operands. Subterms for which `isLeaf` holds are listed without their operands.
 */
export function postOrder(
  roots: readonly Term[],
  skip: (term: Term) => boolean = never,
  isLeaf: (term: Term) => boolean = never,
): Term[] {
  const order: Term[] = [];
  const seen = new Set<Term>();
  const stack: { term: Term; children: readonly Term[]; next: number }[] = [];
  const visit = (term: Term) => {
    if (seen.has(term) || skip(term)) return;
    seen.add(term);
    const children = isLeaf(term) ? none : childrenOf(term);
    if (children.length === 0) order.push(term);
    else stack.push({ term, children, next: 0 });
  };
  for (const root of roots) {
    visit(root);
    while (stack.length > 0) {
      const top = stack[stack.length - 1]!;
      if (top.next < top.children.length) visit(top.children[top.next++]!);
      else order.push(stack.pop()!.term);
    }
  }
  return order;
}

function never(): boolean {
  return false;
}
