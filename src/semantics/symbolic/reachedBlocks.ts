/**
 * The condition that each live block of the allocator is reached, over a state's contents. Followed are pointers in
 * variables and static objects, links (`links.ts`) as far as no write has closed a cycle, and pointers in blocks that
 * one of these leads to, or that a linked object holds. A block that is reached otherwise, or that a client holds,
 * counts as lost here: the condition implies that of the concrete reading.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import { exactly } from '../../program/congruence';
import type { StaticObject } from '../../program/program';
import type { Node } from '../pointers/regionNode';
import { cellsIn, type Slot } from '../pointers/slotLayout';
import { chainIn } from './linkedMemory';
import type { MemoryModel, MemoryVariable } from './memoryModel';

const limits = {
  /** Pointers in one static object that are followed. */
  cells: 16,
  /** Blocks on the way to a pointer, links apart. */
  blocks: 2,
} as const;

/** An object that a pointer leads to, under a condition. */
export interface Root {
  readonly object: Term;
  readonly node: Node;
  readonly guard: Term;
}

/** `from`: objects that pointers in variables lead to. */
export function allReached(from: readonly Root[], contents: readonly Term[], memoryModel: MemoryModel): Term {
  const made = allocatedNodes(memoryModel);
  if (!made) return L.FALSE;
  const roots = new Roots(contents, memoryModel).all(from);
  const half = (value: bigint | number): Term => L.bits(BigInt(value), memoryModel.half);
  const bound = L.symbol('?object', memoryModel.halfSort);
  const at = ({ index }: MemoryVariable): Term => L.select(contents[index]!, bound);
  return L.and(
    ...made.map((node) => {
      const links = memoryModel.links.filter((link) => link.node === node);
      const own = roots.filter((root) => root.node === node);
      const direct = own.map(({ object, guard }) => L.and(guard, L.eq(object, bound)));
      const along = links.flatMap((link) => {
        const { acyclic, reach, statics } = chainIn(link, contents, memoryModel);
        const starts = [...own, ...statics.map((object) => ({ object, guard: L.TRUE }))];
        return starts.map(({ object, guard }) => L.and(acyclic, guard, L.related(reach, object, bound)));
      });
      return L.forall(
        [bound],
        L.or(
          L.not(L.ult(half(memoryModel.lastStatic), bound)),
          L.not(L.ult(bound, contents[memoryModel.allocationCounter.index]!)),
          L.not(at(memoryModel.live)),
          L.not(L.eq(at(memoryModel.allocationSite), half(memoryModel.allocationSiteOf(node)))),
          ...(links.length > 0 ? along : direct),
          ...heldBy(node, bound, roots, contents, memoryModel),
        ),
      );
    }),
  );
}

/** Conditions under which a block of the node is reached through a member of a linked object that is. */
function heldBy(
  node: Node,
  block: Term,
  roots: readonly Root[],
  contents: readonly Term[],
  memoryModel: MemoryModel,
): readonly Term[] {
  return memoryModel.holders
    .filter(({ target }) => target === node)
    .map(({ node: holders, holder, objects }) => {
      const by = L.select(contents[holder.index]!, block);
      const starts = roots.filter((root) => root.node === holders);
      const isReached = memoryModel.links
        .filter((link) => link.node === holders)
        .flatMap((link) => {
          const { acyclic, reach, statics } = chainIn(link, contents, memoryModel);
          const all = [...starts, ...statics.map((object) => ({ object, guard: L.TRUE }))];
          return all.map(({ object, guard }) => L.and(acyclic, guard, L.related(reach, object, by)));
        });
      return L.and(
        L.ult(L.bits(BigInt(memoryModel.lastStatic), memoryModel.half), by),
        L.select(contents[memoryModel.live.index]!, by),
        L.eq(L.select(contents[objects.index]!, by), block),
        L.or(...isReached),
      );
    });
}

/** Nodes of the blocks that the program allocates; undefined if some block's is not known. */
function allocatedNodes({ program, regions }: MemoryModel): readonly Node[] | undefined {
  const nodes = new Set<Node>();
  for (const { edges } of program.functions)
    for (const { command } of edges) {
      if (command.kind !== 'allocate' || command.automatic) continue;
      const node = regions.nodeOfOrigin(command);
      if (!node) return undefined;
      nodes.add(node);
    }
  return [...nodes];
}

class Roots {
  constructor(
    private readonly contents: readonly Term[],
    private readonly memoryModel: MemoryModel,
  ) {}

  all(from: readonly Root[]): readonly Root[] {
    const found = [...from, ...this.inStatics()];
    let last: readonly Root[] = found;
    for (let round = 0; round < limits.blocks; round++) {
      last = last.flatMap((root) => this.inBlock(root));
      found.push(...last);
    }
    return found;
  }

  /** Pointers in static objects. */
  private inStatics(): readonly Root[] {
    const { regions } = this.memoryModel;
    return this.memoryModel.variables.flatMap((variable): readonly Root[] => {
      const { role } = variable;
      if (role.kind !== 'slot' || role.part !== 'object' || role.slot === 'byte') return [];
      const { slot, node } = role;
      const statics = [...node.origins].flatMap((origin) => (origin.kind === 'static' ? [origin.object] : []));
      if (role.addressing === 'plain' && statics.length !== 1) return [];
      return statics.flatMap((object) =>
        cellsIn(regions.layout(node), slot, object.sizeBytes, limits.cells).flatMap((offset): readonly Root[] => {
          const target = regions.storedAt(node, exactly(offset));
          return target
            ? [{ object: this.at(variable, object, offset), node: regions.find(target.node), guard: L.TRUE }]
            : [];
        }),
      );
    });
  }

  private at(variable: MemoryVariable, object: StaticObject, offset: number): Term {
    const { half } = this.memoryModel;
    const [number, place] = [L.bits(BigInt(object.number), half), L.bits(BigInt(offset), half)];
    const array = this.contents[variable.index]!;
    switch (variable.role.kind === 'slot' ? variable.role.addressing : undefined) {
      case 'plain':
        return array;
      case 'by-offset':
        return L.select(array, place);
      case 'by-object':
        return L.select(array, number);
      default:
        return L.select(array, L.concat(number, place));
    }
  }

  /** Pointers in the live block that a root is, to blocks of other nodes. */
  private inBlock({ object, node, guard }: Root): readonly Root[] {
    const { memoryModel, contents } = this;
    const { regions, lastStatic, half } = memoryModel;
    const isLive = L.and(
      L.ult(L.bits(BigInt(lastStatic), half), object),
      L.select(contents[memoryModel.live.index]!, object),
    );
    return memoryModel.slotVariables(node).flatMap((variable): readonly Root[] => {
      const { role } = variable;
      if (role.kind !== 'slot' || role.part !== 'object' || role.addressing !== 'by-object') return [];
      const target = regions.storedAt(node, exactly((role.slot as Slot).offset));
      if (!target || regions.find(target.node) === node) return [];
      return [
        {
          object: L.select(contents[variable.index]!, object),
          node: regions.find(target.node),
          guard: L.and(guard, isLive),
        },
      ];
    });
  }
}
