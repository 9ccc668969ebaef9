/**
 * Limit on the depth of syntax trees. Long chains (`a + b + …`, `x ? y : …`, `else if`) are parsed in loops, but every
 * later pass walks the tree they make by recursion; a tree that could exhaust the stack is an error with a place
 * instead. The weights say how much of the stack a level takes.
 */
import { SourceFile, type Span } from '../source';

const most = 900;
const weights: Readonly<Record<string, number>> = { binary: 0.45, comma: 0.3, if: 0.35 };

type TreeNode = Readonly<Record<string, unknown>>;

/**
 * Place too deep in the tree; undefined if there is none. The walk keeps its own stack, as two lists, for it sees every
 * node of a file.
 */
export function tooDeep(tree: object): Span | undefined {
  const nodes: object[] = [tree];
  const depths: number[] = [0];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    let depth = depths.pop()!;
    if (Array.isArray(node)) {
      for (const value of node as readonly unknown[]) {
        if (typeof value !== 'object' || value === null) continue;
        nodes.push(value);
        depths.push(depth);
      }
      continue;
    }
    const { kind, span } = node as TreeNode;
    if (typeof kind === 'string') depth += weights[kind] ?? 1;
    if (depth > most) return span as Span | undefined;
    for (const key in node) {
      const value = (node as TreeNode)[key];
      if (
        typeof value !== 'object' ||
        value === null ||
        value === span ||
        value instanceof SourceFile ||
        key === 'pieces' ||
        key.endsWith('Span')
      )
        continue;
      nodes.push(value);
      depths.push(depth);
    }
  }
  return undefined;
}
