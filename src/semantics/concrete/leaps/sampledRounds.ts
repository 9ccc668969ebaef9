/**
 * A leap that is tried out: some of its rounds, the last one among them, are executed as they are. This shares nothing
 * with what found the leap but the evaluator, so that a mistake there shows before a failure rests on it.
 */
import type { Variable } from '../../../program/expression';
import type { Edge, Location } from '../../../program/program';
import type { Evaluator } from '../../evaluate';
import { commandEffect } from '../../execute';
import type { ProgramState } from '../../values';
import { type ConcreteValue, holds } from '../concreteValues';

const limits = {
  /** Edges of one sample; longer rounds, as of loops with inner loops, are not tried out. */
  edges: 300,
  /** Samples between the first round and the last. */
  between: 3,
} as const;

/** Rounds that are said to be alike. */
export interface AlikeRounds {
  readonly head: Location;
  /** Arrivals at the head that end a round. */
  readonly together: number;
  /** Edges of one. */
  readonly steps: bigint;
  readonly count: bigint;
  /** Variables that change, where a round begins; `round`: from 0 up to `count`. */
  values(round: bigint): ReadonlyMap<Variable, ConcreteValue>;
}

/** False if a round that is tried out goes another way, ends with other values or takes another number of edges. */
export function holdsInSamples(
  rounds: AlikeRounds,
  state: ProgramState<ConcreteValue>,
  evaluator: Evaluator<ConcreteValue>,
): boolean {
  if (rounds.steps > BigInt(limits.edges)) return true;
  return sampledRounds(rounds.count).every((round) => {
    const from = stateWith(rounds.values(round), state);
    if (executed(rounds, from, evaluator) !== rounds.steps) return false;
    const { globals, locals } = stateWith(rounds.values(round + 1n), state);
    return isSame(from.globals, globals) && isSame(from.locals, locals);
  });
}

/** The last round, and some that lie apart without a common distance. */
function sampledRounds(count: bigint): bigint[] {
  const between = Array.from({ length: limits.between }, (_, i) => (count * BigInt(137 + 331 * i)) / 1000n);
  return [...new Set([...between, count - 1n])];
}

function stateWith(
  values: ReadonlyMap<Variable, ConcreteValue>,
  state: ProgramState<ConcreteValue>,
): ProgramState<ConcreteValue> {
  const changed = { ...state, globals: [...state.globals], locals: [...state.locals] };
  for (const [{ scope, slot }, value] of values) (scope === 'global' ? changed.globals : changed.locals)[slot] = value;
  return changed;
}

const isSame = (some: readonly ConcreteValue[], others: readonly ConcreteValue[]): boolean =>
  some.every((value, i) => Object.is(value, others[i]));

/** Edges of one round; undefined if it does not come back. */
function executed(
  { head, together, steps }: AlikeRounds,
  state: ProgramState<ConcreteValue>,
  evaluator: Evaluator<ConcreteValue>,
): bigint | undefined {
  let arrivals = 0;
  let location = head;
  for (let made = 1n; made <= steps; made++) {
    const edge = location.edges.find((one) => isTaken(one, state, evaluator));
    if (!edge) return undefined;
    if (edge.command.kind === 'assign') commandEffect(edge.command, evaluator)(state);
    location = edge.to;
    if (location === head && ++arrivals === together) return made;
  }
  return undefined;
}

/** Leaps hold such commands only. */
function isTaken({ command }: Edge, state: ProgramState<ConcreteValue>, evaluator: Evaluator<ConcreteValue>): boolean {
  switch (command.kind) {
    case 'skip':
    case 'assign':
      return true;
    case 'assume':
    case 'check':
      return holds(evaluator.evaluate(command.condition, state));
    default:
      return false;
  }
}
