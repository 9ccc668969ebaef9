/**
 * Comparisons for equality that may involve a pointer to an object that is gone (C11 6.2.4p2). Here it differs from
 * every pointer to a live object; in a compiled program the memory may be in use again. A verdict lists these places.
 *
 * The region analysis distinguishes objects: blocks that `free` may end, and automatic objects to which a pointer may
 * outlive them. Such a pointer lies in memory or in a global variable, is a result, or is used by the function itself
 * where the object is not declared. Objects of clients live as long as the module may use them.
 */
import type { Span } from '../../c/source';
import type { Expression, Variable } from '../../program/expression';
import type { Edge, FunctionDefinition, Program } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';
import { declaredAt } from '../symbolic/vocabulary';
import type { Node, Origin } from './regionNode';
import type { Regions } from './regions';

/** The places in the user's own functions, in program order, each perhaps several times. */
export function comparesEnded(program: Program, regions: Regions): readonly Span[] {
  const own = program.functions.filter((fn) => !fn.library);
  const compared = own.flatMap((fn) =>
    fn.edges.flatMap((edge) => equalities(edge).map((pair) => ({ fn, edge, pair }))),
  );
  if (compared.length === 0) return [];
  const freed = freedNodes(program, regions);
  const kept = keptNodes(program, regions);
  return compared
    .filter(({ fn, edge, pair }) =>
      pair.some((pointer) =>
        nodesBehind(pointer, regions).some(
          (node) => freed.has(node) || [...node.origins].some((origin) => mayHaveEnded(origin, node, fn, edge)),
        ),
      ),
    )
    .map(({ edge }) => edge.span);

  function mayHaveEnded(origin: Origin, node: Node, fn: FunctionDefinition, { from }: Edge): boolean {
    if (origin.kind !== 'frame') return false;
    return kept.has(node) || (origin.function === fn && !declaredAt(fn, from).includes(origin.object));
  }
}

/** A pointer that was made from a number may lead to any object. */
const nodesBehind = (pointer: Expression, regions: Regions): readonly Node[] =>
  regions.targets(pointer)?.map(({ node }) => node) ?? regions.roots();

/** The operands of `==` and `!=`, neither of them null. */
function equalities({ command }: Edge): (readonly [Expression, Expression])[] {
  const found: (readonly [Expression, Expression])[] = [];
  for (const e of expressionsOf(command))
    walk(e, (node) => {
      if (node.kind !== 'compare' || (node.operator !== 'eq' && node.operator !== 'ne')) return;
      if (node.left.type.kind === 'pointer' && node.left.kind !== 'null' && node.right.kind !== 'null')
        found.push([node.left, node.right]);
    });
  return found;
}

function freedNodes(program: Program, regions: Regions): ReadonlySet<Node> {
  const freed = new Set<Node>();
  for (const { command } of program.functions.flatMap(({ edges }) => edges)) {
    if (command.kind === 'free') for (const node of nodesBehind(command.pointer, regions)) freed.add(node);
  }
  return freed;
}

/** Nodes to which pointers in memory, in global variables or from results lead. */
function keptNodes(program: Program, regions: Regions): ReadonlySet<Node> {
  const kept = new Set<Node>();
  const keep = (variable: Variable | undefined): void => {
    if (variable?.type.kind !== 'pointer') return;
    const target = regions.pointee({ kind: 'read', type: variable.type, variable });
    if (target) kept.add(target.node);
  };
  for (const { variable } of program.globals) keep(variable);
  for (const { resultVariable } of program.functions) keep(resultVariable);
  for (const node of regions.roots())
    for (const { at } of node.contents) {
      const target = regions.storedAt(node, at);
      if (target) kept.add(target.node);
    }
  return kept;
}
