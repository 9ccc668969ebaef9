/**
 * The statement that loses a block, in a run that a check for lost blocks ends. A block that nothing leads to stays so:
 * the run is done again, and before each step it is seen which blocks no variable leads to any more. Variables of
 * waiting activations count.
 */
import type { Span } from '../../c/source';
import type { Location, Program } from '../../program/program';
import type { Machine } from '../../semantics/concrete/machine';
import { addObserver } from '../../semantics/concrete/observers';

const limits = {
  /** Memory is scanned before each step. */
  steps: 5_000,
} as const;

/**
 * The first step that loses one of the blocks that are lost at the end; undefined if only the end of the function that
 * the client called does. `rerun` makes a machine, shows it and runs it.
 */
export function placeOfLoss(program: Program, rerun: (watch: (machine: Machine) => void) => unknown): Span | undefined {
  const lostAt = new Map<number, Span>();
  let before: Location | undefined;
  let steps = 0;
  const locations = program.functions.flatMap((fn) => fn.locations);
  rerun((machine) =>
    addObserver(machine, locations, (location) => {
      if (++steps > limits.steps) return;
      const variables = [...machine.globals, ...machine.activations.flatMap(({ locals }) => locals)];
      const lost = new Set(machine.memory.lostBlocks(variables).map(({ number }) => number));
      for (const number of lostAt.keys()) if (!lost.has(number)) lostAt.delete(number);
      const step = before && stepBetween(before, location);
      for (const number of lost) if (step && !lostAt.has(number)) lostAt.set(number, step);
      before = location;
    }),
  );
  return steps > limits.steps ? undefined : [...lostAt.values()][0];
}

/** A call and a return lead to no neighbour. */
const stepBetween = (from: Location, to: Location): Span =>
  (from.edges.find((edge) => edge.to === to) ?? from.edges[0])?.span ?? from.span;
