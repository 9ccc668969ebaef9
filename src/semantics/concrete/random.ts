/** Seeded pseudo-random numbers: sfc32 (C. Doty-Humphrey, PractRand). Same seed, same sequence, on every machine. */
export class Random {
  private a = 0;
  private b = 0;
  private c = 0;
  private counter = 0;

  constructor(private readonly seed: number) {
    this.restart();
  }

  /** Begins the sequence again. */
  restart(): void {
    this.a = 0x9e3779b9;
    this.b = 0x243f6a88;
    this.c = this.seed | 0;
    this.counter = 1;
    for (let i = 0; i < 12; i++) this.uint32();
  }

  uint32(): number {
    const result = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + result) | 0;
    return result >>> 0;
  }

  uint64(): bigint {
    return (BigInt(this.uint32()) << 32n) | BigInt(this.uint32());
  }

  /** In [0, bound); bound at most 2^32. */
  below(bound: number): number {
    return Math.floor((this.uint32() / 4294967296) * bound);
  }

  fill(bytes: Uint8Array): void {
    let word = 0;
    for (let i = 0; i < bytes.length; i++) {
      if ((i & 3) === 0) word = this.uint32();
      bytes[i] = word;
      word >>>= 8;
    }
  }
}
