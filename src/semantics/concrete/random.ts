/**
 * Seeded pseudo-random numbers: sfc32 (C. Doty-Humphrey, PractRand). Same seed, same sequence, on every machine.
 *
 * The state is four words of an array that may lie in the memory of compiled code, which then continues the sequence.
 */

/** Bytes of the pool that contents of fresh memory are copied from. A power of two. */
export const poolBytes = 1 << 12;
/** Bytes copied one word at a time at most, and so the most that are read beyond the pool. */
export const poolTail = 64;
/** Bytes of a fresh object that are pseudo-random; the others are zero. Most of a large one is never read. */
export const mostFilledBytes = 1 << 16;

export class Random {
  /** a, b, c and the counter of sfc32. */
  private words: Int32Array = new Int32Array(4);
  private bytes: Uint8Array | undefined;

  constructor(private readonly seed: number) {
    this.restart();
  }

  /** Begins the sequence again. */
  restart(): void {
    this.words[0] = 0x9e3779b9;
    this.words[1] = 0x243f6a88;
    this.words[2] = this.seed;
    this.words[3] = 1;
    for (let i = 0; i < 12; i++) this.uint32();
  }

  /** Moves the state into four other words. */
  moveTo(words: Int32Array): void {
    words.set(this.words);
    this.words = words;
  }

  uint32(): number {
    const { words } = this;
    const [a, b, c, counter] = [words[0]!, words[1]!, words[2]!, words[3]!];
    const result = (a + b + counter) | 0;
    words[3] = counter + 1;
    words[0] = b ^ (b >>> 9);
    words[1] = c + (c << 3);
    words[2] = ((c << 21) | (c >>> 11)) + result;
    return result >>> 0;
  }

  uint64(): bigint {
    return (BigInt(this.uint32()) << 32n) | BigInt(this.uint32());
  }

  /** In [0, bound); bound at most 2^32. */
  below(bound: number): number {
    return Math.floor((this.uint32() / 4294967296) * bound);
  }

  /** The pool: pseudo-random bytes that depend on the seed only. */
  get pool(): Uint8Array {
    if (this.bytes) return this.bytes;
    const words = new Int32Array(poolBytes / 4);
    const source = new Random(this.seed ^ 0x5bd1e995);
    for (let i = 0; i < words.length; i++) words[i] = source.uint32();
    return (this.bytes = new Uint8Array(words.buffer));
  }

  /**
   * Contents of fresh memory, which is zero: the pool from a random place on, again and again. One number is drawn,
   * whatever the size, and the rest of a large object is not touched. So a large array that is soon overwritten costs
   * little.
   */
  fill(bytes: Uint8Array): void {
    this.fillFrom(bytes, this.uint32() & (poolBytes - 8));
  }

  fillFrom(bytes: Uint8Array, start: number): void {
    const { pool } = this;
    let from = start;
    const end = Math.min(bytes.length, mostFilledBytes);
    for (let at = 0; at < end; from = 0) {
      const count = Math.min(end - at, poolBytes - from);
      bytes.set(pool.subarray(from, from + count), at);
      at += count;
    }
  }
}
