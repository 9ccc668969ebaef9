/**
 * Returns that were ruled out. A return depends on three regions: where the caller was, how the callee began, and how
 * it ended. That none of its states leads into a fourth is a summary of the callee: not-may, in the words of SMASH
 * (Godefroid, Nori, Rajamani, Tetali, "Compositional May-Must Program Analysis", POPL 2010). All returns are possible
 * until a question removes them; when a region is split, what was removed stays so for both halves.
 */
import type { AbstractEdge } from './partition';
import type { Region } from './region';

type Return = AbstractEdge & { readonly over: NonNullable<AbstractEdge['over']> };

export class RemovedReturns {
  private readonly removed = new Map<string, Return>();
  private readonly concerned = new Map<Region, Set<string>>();

  has(edge: Return): boolean {
    return this.removed.has(edgeKey(edge));
  }

  /** False when it was removed before. */
  add(edge: Return): boolean {
    const key = edgeKey(edge);
    if (this.removed.has(key)) return false;
    this.removed.set(key, edge);
    for (const region of [edge.from, edge.over.entry, edge.over.exit, edge.to]) {
      const keys = this.concerned.get(region);
      if (keys) keys.add(key);
      else this.concerned.set(region, new Set([key]));
    }
    return true;
  }

  split(region: Region, halves: readonly Region[]): void {
    const of = (other: Region): readonly Region[] => (other === region ? halves : [other]);
    for (const key of this.concerned.get(region) ?? []) {
      const edge = this.removed.get(key);
      if (!edge) continue;
      this.removed.delete(key);
      for (const from of of(edge.from))
        for (const entry of of(edge.over.entry))
          for (const exit of of(edge.over.exit))
            for (const to of of(edge.to)) this.add({ from, step: edge.step, to, over: { entry, exit } });
    }
    this.concerned.delete(region);
  }
}

/** Tells edges apart. */
export function edgeKey({ from, step, to, over }: AbstractEdge): string {
  return `${from.id}>${step.index}>${to.id}${over ? `>${over.entry.id}>${over.exit.id}` : ''}`;
}
