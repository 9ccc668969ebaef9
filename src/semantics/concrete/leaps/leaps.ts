/**
 * Many rounds of a loop at once, where each does the same to variables: the closed forms of acceleration (S. Bardin,
 * A. Finkel, J. Leroux, L. Petrucci, "FAST", STTT 2008), found by executing two rounds rather than by reading the loop.
 *
 * The first round says what each variable grows by. The second is executed with variables that move so, and has to end
 * with the same growths; on the way each condition says for how many rounds it stays as it is. By induction so many
 * rounds do the same. Inner loops are left behind the same way, so that a nest of loops is one leap. Rounds may also be
 * taken several together, for loops that alternate. Some of the rounds are then tried out as they are.
 *
 * Departures: growths are constants, and memory is not written.
 */
import type { Command } from '../../../program/command';
import type { Variable } from '../../../program/expression';
import type { Edge, Location } from '../../../program/program';
import type { Evaluator } from '../../evaluate';
import type { ProgramState } from '../../values';
import type { ConcreteValue } from '../concreteValues';
import { after, isSame, isStill, leastOver, type Moving, type Room, roundsWithin, withGrowth } from './moving';
import { MovingEvaluator, type MovingValues } from './movingEvaluator';
import { holdsInSamples } from './sampledRounds';

const limits = {
  /** Edges that are executed to find one leap, which takes some milliseconds. */
  edges: 3_000,
  /** Rounds that are taken together. */
  together: 8,
  /** Edges that a leap should save, for it to be looked for at the next arrival, too. */
  worthwhile: 20_000n,
  /** Arrivals between attempts that save little, at most. */
  longestPause: 1 << 20,
} as const;

/** So many edges from a head to itself, and the variables then. */
export interface Leap {
  readonly steps: bigint;
  readonly values: ReadonlyMap<Variable, ConcreteValue>;
}

export class Leaps {
  private readonly pauses = new Map<Location, { left: number; next: number }>();

  constructor(private readonly evaluator: Evaluator<ConcreteValue>) {}

  /**
   * The longest leap that is found from a loop's head; undefined if there is none, or was none lately. `most`: it ends
   * after nine tenths of its rounds.
   */
  from(
    head: Location,
    state: ProgramState<ConcreteValue>,
    mostSteps: number,
    rounds: 'all' | 'most' = 'all',
  ): Leap | undefined {
    let pause = this.pauses.get(head);
    if (!pause) this.pauses.set(head, (pause = { left: 1, next: 1 }));
    if (pause.left-- > 0) return undefined;
    const most = BigInt(Math.max(0, Math.floor(mostSteps)));
    let best: Rounds | undefined;
    const search = new LeapSearch(this.evaluator, state, rounds);
    for (let together = 1; together <= limits.together && !isWorthwhile(best) && !search.isOver; together++) {
      const found = search.leap(head, new Map(), together, [], most);
      if (found && found.steps > (best?.steps ?? 0n)) best = found;
    }
    if (isWorthwhile(best)) pause.next = 1;
    else pause.next = Math.min(limits.longestPause, 4 * pause.next);
    pause.left = pause.next - 1;
    return best && { steps: best.steps, values: new Map([...best.values].map(concrete)) };
  }
}

const isWorthwhile = (found: Rounds | undefined): boolean => (found?.steps ?? 0n) >= limits.worthwhile;

function concrete([variable, { value }]: readonly [Variable, Moving]): [Variable, ConcreteValue] {
  const { type } = variable;
  return [variable, type.kind === 'integer' && type.widthBits <= 32 ? Number(value) : value];
}

/** Edges from a head to itself, the variables then, and the room that all of them need. */
interface Rounds {
  readonly steps: bigint;
  readonly values: MovingValues;
  readonly rooms: readonly Room[];
}

class LeapSearch {
  private readonly moving: MovingEvaluator;
  private edges: number = limits.edges;

  constructor(
    private readonly evaluator: Evaluator<ConcreteValue>,
    private readonly state: ProgramState<ConcreteValue>,
    private readonly outermost: 'all' | 'most',
  ) {
    this.moving = new MovingEvaluator(evaluator, state);
  }

  get isOver(): boolean {
    return this.edges <= 0;
  }

  /** As many rounds as there is room for; undefined if these are none, or without end. */
  leap(
    head: Location,
    before: MovingValues,
    together: number,
    around: readonly Location[],
    mostSteps?: bigint,
  ): Rounds | undefined {
    const first = this.rounds(head, before, together, around);
    const loop = around.length;
    const start = first && this.start(before, first.values, loop);
    const second = start && this.rounds(head, start, together, around);
    if (second?.steps !== first?.steps || !second || second.steps === 0n) return undefined;
    for (const variable of new Set([...start!.keys(), ...second.values.keys()])) {
      const [from, to] = [start!, second.values].map((values) => this.moving.variable(variable, values));
      if (!isSame(from!.growths, to!.growths)) return undefined;
    }
    let count = mostSteps === undefined ? undefined : mostSteps / second.steps;
    for (const room of second.rooms) {
      const within = roundsWithin(room, loop);
      if (within !== undefined && (count === undefined || within < count)) count = within;
    }
    if (count !== undefined && loop === 0 && this.outermost === 'most') count -= count / 10n;
    if (count === undefined || count < 2n) return undefined;
    const valuesAt = (round: bigint): Map<Variable, Moving> =>
      new Map([...start!].map(([variable, from]) => [variable, behind(variable, from, loop, round)]));
    const alike = {
      head,
      together,
      steps: second.steps,
      count,
      values: (round: bigint) => new Map([...valuesAt(round)].map(concrete)),
    };
    if (!holdsInSamples(alike, this.state, this.evaluator)) return undefined;
    const values = valuesAt(count);
    const rooms = second.rooms.map((room) => leastOver(room, loop, count)).filter((room) => !isStill(room));
    return { steps: second.steps * count, values, rooms };
  }

  /** Variables before any round, if they grow by what the first one added; undefined if that is no constant. */
  private start(before: MovingValues, ends: MovingValues, loop: number): MovingValues | undefined {
    const start = new Map(before);
    for (const [variable, end] of ends) {
      const from = this.moving.variable(variable, before);
      if (variable.type.kind !== 'integer' || !isSame(from.growths, end.growths)) return undefined;
      start.set(variable, withGrowth(from, loop, BigInt.asIntN(variable.type.widthBits, end.value - from.value)));
    }
    return start;
  }

  /** Rounds as they are executed, without what is left behind of inner loops; undefined if one cannot be. */
  private rounds(
    head: Location,
    before: MovingValues,
    together: number,
    around: readonly Location[],
  ): Rounds | undefined {
    const rooms: Room[] = [];
    const values = new Map(before);
    let steps = 0n;
    let arrivals = 0;
    for (let location = head; ;) {
      const edge = this.takenFrom(location, values, rooms);
      if (!edge || this.edges-- <= 0 || !this.execute(edge.command, values, rooms)) return undefined;
      steps++;
      location = edge.to;
      if (location === head && ++arrivals === together) return { steps, values, rooms };
      if (!location.isLoopHead || location === head || around.includes(location)) continue;
      const inner = this.innerLeap(location, values, [...around, head]);
      if (!inner) continue;
      steps += inner.steps;
      rooms.push(...inner.rooms);
      for (const [variable, value] of inner.values) values.set(variable, value);
    }
  }

  private innerLeap(head: Location, values: MovingValues, around: readonly Location[]): Rounds | undefined {
    for (let together = 1; together <= limits.together && !this.isOver; together++) {
      const found = this.leap(head, values, together, around);
      if (found) return found;
    }
    return undefined;
  }

  private takenFrom({ edges }: Location, values: MovingValues, rooms: Room[]): Edge | undefined {
    if (edges.length <= 1) return edges[0];
    for (const edge of edges) {
      if (edge.command.kind !== 'assume') return undefined;
      const condition = this.moving.integer(edge.command.condition, values, rooms);
      if (!condition || !isStill(condition)) return undefined;
      if (condition.value !== 0n) return edge;
    }
    return undefined;
  }

  /** False if the command does more than compute, or does not go on. */
  private execute(command: Command, values: Map<Variable, Moving>, rooms: Room[]): boolean {
    switch (command.kind) {
      case 'skip':
        return true;
      case 'assign': {
        const value = this.moving.integer(command.value, values, rooms);
        if (value) values.set(command.target, value);
        return value !== undefined;
      }
      case 'assume':
      case 'check': {
        const condition = this.moving.integer(command.condition, values, rooms);
        return condition !== undefined && isStill(condition) && condition.value !== 0n;
      }
      default:
        return false;
    }
  }
}

function behind({ type }: Variable, moving: Moving, loop: number, rounds: bigint): Moving {
  if (type.kind !== 'integer') throw new Error('only integers move');
  return after(moving, loop, rounds, type);
}
