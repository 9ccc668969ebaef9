/**
 * The sequence of glibc's `rand`: an additive feedback generator, x[i] = x[i-3] + x[i-31], whose first 31 numbers come
 * from the seed by the minimal standard generator (Park and Miller 1988). C fixes no sequence; this is the one that
 * programs print on the machines most tests run on.
 */
export class LibraryRandom {
  private state: Int32Array = new Int32Array(34);
  private at = 0;
  /** The state is in a snapshot, too. */
  private shared = false;

  constructor() {
    this.seed(1);
  }

  seed(seed: number): void {
    const r = new Int32Array(34);
    r[0] = seed === 0 ? 1 : seed;
    for (let i = 1; i < 31; i++) {
      const high = Math.trunc(r[i - 1]! / 127773);
      const low = r[i - 1]! % 127773;
      const word = 16807 * low - 2836 * high;
      r[i] = word < 0 ? word + 2147483647 : word;
    }
    for (let i = 31; i < 34; i++) r[i] = r[i - 31]!;
    this.state = r;
    this.shared = false;
    this.at = 0;
    for (let i = 34; i < 344; i++) this.step();
  }

  /** From 0 to 2^31 - 1. */
  next(): number {
    return this.step() >>> 1;
  }

  snapshot(): readonly [Int32Array, number] {
    this.shared = true;
    return [this.state, this.at];
  }

  restore([state, at]: readonly [Int32Array, number]): void {
    this.state = state;
    this.shared = true;
    this.at = at;
  }

  /** The oldest of the last 34 numbers stands at `at`. */
  private step(): number {
    if (this.shared) this.state = this.state.slice();
    this.shared = false;
    const { state } = this;
    const value = (state[(this.at + 3) % 34]! + state[(this.at + 31) % 34]!) | 0;
    state[this.at] = value;
    this.at = (this.at + 1) % 34;
    return value;
  }
}
