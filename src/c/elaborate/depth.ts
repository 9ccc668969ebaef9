/**
 * How deep a syntax tree may be. Long chains (`a + b + …`, `x ? y : …`, `else if`) are parsed in loops, but every later pass walks the tree they make by
 * recursion; a tree that could exhaust the stack is an error with a place instead. The weights say how much of the stack a level takes.
 */
import type { Span } from '../source';

const most = 900;
const weights: Readonly<Record<string, number>> = { binary: 0.45, comma: 0.3, if: 0.35 };

type TreeNode = Readonly<Record<string, unknown>>;

/** Where the tree becomes too deep; undefined when it does not. The walk keeps its own stack. */
export function tooDeep(tree: object): Span | undefined {
  const work: { readonly node: TreeNode; readonly depth: number }[] = [{ node: tree as TreeNode, depth: 0 }];
  for (let entry = work.pop(); entry; entry = work.pop()) {
    const { node } = entry;
    const depth = entry.depth + (typeof node.kind === 'string' ? weights[node.kind] ?? 1 : 0);
    if (depth > most) return node.span as Span | undefined;
    for (const key in node) {
      const value = node[key];
      if (typeof value === 'object' && value !== null && key !== 'span' && !key.endsWith('Span') && key !== 'pieces') work.push({ node: value as TreeNode, depth });
    }
  }
  return undefined;
}
