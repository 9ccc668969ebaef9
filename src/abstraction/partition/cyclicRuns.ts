/**
 * Runs that can never end: control is where it was, every variable has the value it had, and nothing was asked of the
 * environment in between. Seen only in programs without memory, where that is all there is to a state (R. P. Brent's
 * way of looking: compare with one state, remembered at visits 1, 2, 4, 8, ...).
 */
import type { Location, Program } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Activation, Machine } from '../../semantics/concrete/machine';

export class CycleWatch {
  private readonly applies: boolean;
  private visits = 0;
  private location: Location | undefined;
  private values: readonly ConcreteValue[] = [];
  private asked = 0;

  constructor(program: Program) {
    const commands = program.functions.flatMap((fn) => fn.edges.map(({ command }) => command.kind));
    const beyond = new Set(['store', 'copy', 'fill', 'allocate', 'free', 'declare', 'havoc', 'external', 'call']);
    this.applies = !commands.some((kind) => beyond.has(kind));
  }

  begin(): void {
    this.visits = 0;
    this.location = undefined;
  }

  /** True when the machine was in this very state before. */
  repeats(machine: Machine, { location, locals }: Activation): boolean {
    if (!this.applies) return false;
    const { globals, inputs } = machine;
    if (
      location === this.location &&
      inputs.length === this.asked &&
      locals.every((value, i) => value === this.values[i]) &&
      globals.every((value, i) => value === this.values[locals.length + i])
    )
      return true;
    this.visits++;
    if ((this.visits & (this.visits - 1)) === 0) {
      this.location = location;
      this.values = [...locals, ...globals];
      this.asked = inputs.length;
    }
    return false;
  }
}
