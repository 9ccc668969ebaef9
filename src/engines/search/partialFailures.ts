/**
 * Coverage of the alternatives of a check: a check that holds if one of several conditions does fails only if all are
 * false at once. A run in which a set of them is false that has been false in no run before is worth going on from. So
 * clients approach a failure by one condition after the other, as two pointers that have to be equal, and then a number
 * (condition coverage: J. Chilenski, S. Miller, "Applicability of modified condition/decision coverage to software
 * testing", 1994).
 */
import type { Command } from '../../program/command';
import type { Expression } from '../../program/expression';
import type { Location, Program } from '../../program/program';
import type { Activation, Machine } from '../../semantics/concrete/machine';
import { addObserver } from '../../semantics/concrete/observers';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Evaluation } from '../../semantics/evaluate';

const limits = {
  /** Alternatives of one check. */
  alternatives: 8,
  /** Arrivals at one check in one run that are looked at. */
  visits: 16,
} as const;

interface WatchedCheck {
  readonly alternatives: readonly Expression[];
  /** Sets of alternatives that were false together, as bits. */
  readonly seen: Set<number>;
  /** Arrivals in the current run. */
  visits: number;
}

export class PartialFailures {
  private readonly checksAt = new Map<Location, WatchedCheck[]>();
  private readonly staged = new Map<Expression, Evaluation<ConcreteValue>>();
  private readonly visited = new Set<WatchedCheck>();
  private found = false;

  constructor(program: Program, isChecked: (command: Extract<Command, { kind: 'check' }>) => boolean) {
    for (const fn of program.functions) {
      for (const location of fn.locations) {
        for (const { command } of location.edges) {
          if (command.kind !== 'check' || !isChecked(command)) continue;
          const alternatives = disjuncts(command.condition);
          if (alternatives.length < 2 || alternatives.length > limits.alternatives) continue;
          const checks = this.checksAt.get(location) ?? [];
          checks.push({ alternatives, seen: new Set(), visits: 0 });
          this.checksAt.set(location, checks);
        }
      }
    }
  }

  watch(machine: Machine): void {
    if (this.checksAt.size === 0) return;
    addObserver(machine, this.checksAt.keys(), (location, activation) => this.visit(location, activation, machine));
  }

  /** True if a new set of alternatives was false since the last question. */
  isNew(): boolean {
    const { found } = this;
    this.found = false;
    for (const check of this.visited) check.visits = 0;
    this.visited.clear();
    return found;
  }

  private visit(location: Location, activation: Activation, machine: Machine): void {
    for (const check of this.checksAt.get(location) ?? []) {
      if (check.visits++ >= limits.visits) continue;
      this.visited.add(check);
      const state = {
        globals: machine.globals,
        memory: machine.memory,
        locals: [...activation.locals],
        objects: [...activation.objects],
      };
      let bits = 0;
      check.alternatives.forEach((alternative, i) => {
        let holds = this.staged.get(alternative);
        if (!holds) this.staged.set(alternative, (holds = machine.evaluator.stage(alternative)));
        if (Number(holds(state)) === 0) bits |= 1 << i;
      });
      if (check.seen.has(bits)) continue;
      check.seen.add(bits);
      this.found = true;
    }
  }
}

const disjuncts = (condition: Expression): readonly Expression[] =>
  condition.kind === 'binary' && condition.operator === 'or'
    ? [...disjuncts(condition.left), ...disjuncts(condition.right)]
    : [condition];
