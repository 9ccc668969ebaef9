/**
 * Numbers of objects, and the sizes of those that live: the part of concrete memory that compiled code also changes.
 * All of it lies in typed arrays, which move into the memory of compiled code when there is some.
 */

/** Words of the state, by place. */
export const stateWords = {
  /** The number that the next object gets, while numbers last. */
  next: 0,
  /** Place of the oldest death in the queue, and how many there are. */
  firstDead: 1,
  deadCount: 2,
  /** Place in the program, for objects made or ended now: a number of the residence, or `siteOfHost`. */
  site: 3,
  /** 1 while compiled code may make objects by itself. */
  isDirect: 4,
} as const;
export const siteOfHost = -1;

/** Numbers that wait in the queue at most. If it is full, the oldest is never used again. */
export const queueCapacity = 1 << 20;
const smallestQueue = 1 << 6;

export interface SavedObjectState {
  readonly next: number;
  readonly dead: Int32Array;
  readonly liveBytes: number;
}

export interface StateArrays {
  /** As many as `stateWords` has. */
  readonly words: Int32Array;
  /** Bytes of live objects, and the most that are allowed. */
  readonly sizes: Float64Array;
  /** Numbers in order of death: a ring of a power of two. */
  readonly queue: Int32Array;
}

export class ObjectState {
  private words: Int32Array = new Int32Array(Object.keys(stateWords).length);
  private sizes: Float64Array;
  private queue: Int32Array = new Int32Array(smallestQueue);

  constructor(limitBytes: number) {
    this.sizes = Float64Array.of(0, limitBytes);
    this.clear();
    this.site = siteOfHost;
  }

  clear(): void {
    this.words[stateWords.next] = 1;
    this.words[stateWords.firstDead] = 0;
    this.words[stateWords.deadCount] = 0;
    this.words[stateWords.isDirect] = 1;
    this.sizes[0] = 0;
  }

  get next(): number {
    return this.words[stateWords.next]!;
  }
  set next(number: number) {
    this.words[stateWords.next] = number;
  }
  get site(): number {
    return this.words[stateWords.site]!;
  }
  set site(number: number) {
    this.words[stateWords.site] = number;
  }
  set isDirect(direct: boolean) {
    this.words[stateWords.isDirect] = direct ? 1 : 0;
  }
  get liveBytes(): number {
    return this.sizes[0]!;
  }
  set liveBytes(bytes: number) {
    this.sizes[0] = bytes;
  }
  get limitBytes(): number {
    return this.sizes[1]!;
  }
  get deadCount(): number {
    return this.words[stateWords.deadCount]!;
  }

  enqueueDead(number: number): void {
    const { words } = this;
    const count = this.deadCount;
    if (count === this.queue.length) this.makeRoom();
    const mask = this.queue.length - 1;
    this.queue[(words[stateWords.firstDead]! + count) & mask] = number;
    if (count === queueCapacity) words[stateWords.firstDead] = (words[stateWords.firstDead]! + 1) & mask;
    else words[stateWords.deadCount] = count + 1;
  }

  /** In order of death. */
  forEachDead(visit: (number: number) => void): void {
    const first = this.words[stateWords.firstDead]!;
    const mask = this.queue.length - 1;
    for (let i = 0; i < this.deadCount; i++) visit(this.queue[(first + i) & mask]!);
  }

  /** The number that is dead longest; it leaves the queue, which must not be empty. */
  longestDead(): number {
    const { words } = this;
    const first = words[stateWords.firstDead]!;
    words[stateWords.firstDead] = (first + 1) & (this.queue.length - 1);
    words[stateWords.deadCount]!--;
    return this.queue[first]!;
  }

  save(): SavedObjectState {
    return { next: this.next, dead: this.inOrder(), liveBytes: this.liveBytes };
  }

  restore({ next, dead, liveBytes }: SavedObjectState): void {
    if (dead.length > this.queue.length) this.queue = new Int32Array(powerAtLeast(dead.length));
    this.next = next;
    this.queue.set(dead);
    this.words[stateWords.firstDead] = 0;
    this.words[stateWords.deadCount] = dead.length;
    this.liveBytes = liveBytes;
  }

  /** From now on all of it lies there. The queue given has `queueCapacity` words. */
  moveTo({ words, sizes, queue }: StateArrays): void {
    const dead = this.inOrder();
    words.set(this.words);
    sizes.set(this.sizes);
    queue.set(dead);
    words[stateWords.firstDead] = 0;
    this.words = words;
    this.sizes = sizes;
    this.queue = queue;
  }

  private inOrder(): Int32Array {
    const first = this.words[stateWords.firstDead]!;
    const end = first + this.deadCount;
    const dead = new Int32Array(this.deadCount);
    const unbroken = this.queue.subarray(first, Math.min(end, this.queue.length));
    dead.set(unbroken);
    dead.set(this.queue.subarray(0, Math.max(0, end - this.queue.length)), unbroken.length);
    return dead;
  }

  private makeRoom(): void {
    if (this.queue.length === queueCapacity) return;
    const dead = this.inOrder();
    this.queue = new Int32Array(2 * this.queue.length);
    this.queue.set(dead);
    this.words[stateWords.firstDead] = 0;
  }
}

const powerAtLeast = (count: number): number => 2 ** Math.ceil(Math.log2(Math.max(count, smallestQueue)));
