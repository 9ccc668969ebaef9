/** First in, first out, however many: arrays shift in time that grows with their length. */
export class Queue<T> {
  private readonly items: T[] = [];
  private first = 0;

  constructor(items: Iterable<T> = []) {
    this.add(items);
  }

  add(items: Iterable<T>): void {
    for (const item of items) this.items.push(item);
  }

  get length(): number {
    return this.items.length - this.first;
  }

  get next(): T | undefined {
    return this.items[this.first];
  }

  take(): T | undefined {
    if (this.length === 0) return undefined;
    const item = this.items[this.first++];
    if (this.first === this.items.length) this.items.length = this.first = 0;
    return item;
  }
}
