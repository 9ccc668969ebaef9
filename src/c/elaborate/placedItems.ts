/**
 * Items of an initializer so far, in order, and found by place: neighbouring bytes share a cell, so that large tables
 * of bit-fields take linear time.
 */
import type { TypedExpression } from '../tree';
import type { CType, Field } from '../types';

export interface Item {
  readonly offsetBytes: number;
  readonly field?: Field;
  readonly type: CType;
  readonly value: TypedExpression;
}

const cellBytes = 64;

export class PlacedItems {
  private readonly inOrder = new Set<Item>();
  private readonly cells = new Map<number, Set<Item>>();

  constructor(private readonly sizeOf: (type: CType) => number) {}

  get all(): readonly Item[] {
    return [...this.inOrder];
  }

  add(item: Item): void {
    this.inOrder.add(item);
    for (const cell of this.cellsOf(item.offsetBytes, this.sizeOf(item.type))) {
      const items = this.cells.get(cell);
      if (items) items.add(item);
      else this.cells.set(cell, new Set([item]));
    }
  }

  remove(item: Item): void {
    this.inOrder.delete(item);
    for (const cell of this.cellsOf(item.offsetBytes, this.sizeOf(item.type))) this.cells.get(cell)?.delete(item);
  }

  /** Items with a byte in this range, in order of their cells. */
  within(offset: number, size: number): ReadonlySet<Item> {
    const found = new Set<Item>();
    for (const cell of this.cellsOf(offset, size)) {
      for (const item of this.cells.get(cell) ?? []) {
        if (item.offsetBytes < offset + size && item.offsetBytes + this.sizeOf(item.type) > offset) found.add(item);
      }
    }
    return found;
  }

  private *cellsOf(offset: number, size: number): Generator<number> {
    for (let cell = Math.floor(offset / cellBytes); cell * cellBytes < offset + size; cell++) yield cell;
  }
}
