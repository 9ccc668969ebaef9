/** Coverage of branches. */
import type { Location, Program } from '../../program/program';
import type { Machine } from '../../semantics/concrete/machine';
import { addObserver } from '../../semantics/concrete/observers';

/**
 * Which branches runs took, and how often in powers of two: a run that adds to it went where none had been, and is
 * worth going on from (M. Zalewski's AFL).
 */
export class Coverage {
  private readonly number = new Map<Location, number>();
  private readonly counts: Uint32Array;
  private readonly touched: number[] = [];
  /** Per location, a bit for each magnitude seen. */
  private readonly seen: Uint32Array;

  constructor(program: Program) {
    for (const fn of program.functions) {
      for (const location of fn.locations) {
        if (location.edges.length > 1)
          for (const { to } of location.edges) if (!this.number.has(to)) this.number.set(to, this.number.size);
      }
    }
    this.counts = new Uint32Array(this.number.size);
    this.seen = new Uint32Array(this.number.size);
  }

  watch(machine: Machine): void {
    addObserver(machine, this.number.keys(), (location) => {
      const index = this.number.get(location)!;
      if (this.counts[index]!++ === 0) this.touched.push(index);
    });
  }

  /** Did the run since the last question go anywhere new? */
  isNew(): boolean {
    let found = false;
    for (const index of this.touched) {
      const magnitude = 1 << (31 - Math.clz32(this.counts[index]!));
      if ((this.seen[index]! & magnitude) === 0) {
        found = true;
        this.seen[index]! |= magnitude;
      }
      this.counts[index] = 0;
    }
    this.touched.length = 0;
    return found;
  }
}
