/**
 * Which loops to take into segments, and for how many rounds. Where all runs seen left a loop after a few rounds,
 * perhaps all do: the loop becomes part of its segment, so precise that no invariant of it is needed, and its head is
 * reached no more. That it is not reached is proved like everything else: a guess too low costs precision, never
 * soundness (compare unwinding assertions: Clarke, Kroening, Lerda, TACAS 2004).
 */
import { naturalLoops } from '../../program/automata/loops';
import type { FunctionDefinition, Location, Program } from '../../program/program';
import type { Activation, Machine } from '../../semantics/concrete/machine';
import { addObserver } from '../../semantics/concrete/observers';

const limits = {
  /** Edges of a loop's body times its rounds, inner loops' included. */
  edges: 3000,
  rounds: 130,
} as const;

/** Counts how often runs arrived at loop heads between entering a loop and leaving it. */
export class LoopRounds {
  private readonly most = new Map<Location, number>();
  private readonly inner = new Map<Location, readonly Location[]>();
  private readonly inAll = new Map<Location, number>();
  private readonly counts = new WeakMap<Activation, Map<Location, number>>();

  constructor(program: Program) {
    for (const fn of program.functions) {
      const loops = naturalLoops(fn);
      for (const { head, body } of loops.values())
        this.inner.set(
          head,
          [...loops.keys()].filter((other) => other !== head && body.has(other)),
        );
    }
  }

  watch(machine: Machine): void {
    const inRun = new Map<Location, number>();
    addObserver(
      machine,
      this.inner.keys(),
      (head, activation) => {
        const all = (inRun.get(head) ?? 0) + 1;
        inRun.set(head, all);
        if (all > (this.inAll.get(head) ?? 0)) this.inAll.set(head, all);
        let own = this.counts.get(activation);
        if (!own) this.counts.set(activation, (own = new Map()));
        const arrivals = (own.get(head) ?? 0) + 1;
        own.set(head, arrivals);
        for (const inside of this.inner.get(head)!) own.delete(inside);
        if (arrivals > (this.most.get(head) ?? 0)) this.most.set(head, arrivals);
      },
      (head) => (this.isSettled(head) ? Infinity : 0),
    );
  }

  /** More arrivals change nothing: it goes round too often, and tells no loop inside that a new round begins. */
  private isSettled(head: Location): boolean {
    return (
      (this.most.get(head) ?? 0) > limits.rounds && this.inner.get(head)!.every((inside) => this.isSettled(inside))
    );
  }

  /**
   * Most arrivals of one run at a loop head, over all calls of its function. Undefined if some run did not end, there
   * or in a loop around it.
   */
  arrivals(head: Location): number | undefined {
    const endless = [...this.inner].some(
      ([loop, inside]) => (loop === head || inside.includes(head)) && (this.most.get(loop) ?? 0) > limits.rounds,
    );
    return endless ? undefined : (this.inAll.get(head) ?? 1);
  }

  /**
   * The rounds to unroll by head; `slack` times what was seen. `most`: of a loop's rounds, and of its edges then.
   */
  plan(
    functions: readonly FunctionDefinition[],
    slack: number,
    most: { readonly rounds: number; readonly edges: number } = limits,
  ): Map<Location, number> {
    const plan = new Map<Location, number>();
    for (const fn of functions) {
      const cost = new Map<Location, number>();
      for (const { head, body } of [...naturalLoops(fn).values()].reverse()) {
        const rounds = Math.ceil((this.most.get(head) ?? 1) * slack);
        const inside = this.inner.get(head)!;
        if (rounds > most.rounds || inside.some((other) => !plan.has(other))) continue;
        const innermost = new Set(inside.flatMap((other) => [...naturalLoops(fn).get(other)!.body]));
        const own = [...body]
          .filter((location) => !innermost.has(location))
          .reduce((sum, { edges }) => sum + edges.length, 0);
        const outermost = inside.filter(
          (other) => !inside.some((between) => between !== other && this.inner.get(between)!.includes(other)),
        );
        const total = (rounds + 1) * (own + outermost.reduce((sum, other) => sum + cost.get(other)!, 0));
        if (total > most.edges) continue;
        cost.set(head, total);
        plan.set(head, rounds);
      }
    }
    return plan;
  }
}
