/**
 * One path as formulas over the state at its start: the edges that an execution took, those of callees included. Unlike
 * a segment it goes through loops and calls of any kind, and the conditions of its branches stay apart.
 */
import * as L from '../../logic/build';
import type { Term } from '../../logic/term';
import type { Check } from '../../program/command';
import type { Edge, FunctionDefinition, Location } from '../../program/program';
import { type Flow, type SegmentBuilder, SegmentRun } from './segment';
import { forkState } from './symbolicMemory';
import { FreshSymbols } from './symbolicValues';

/** A condition under which control takes the edge with this index in the path. */
export interface PathCondition {
  readonly step: number;
  readonly condition: Term;
}

export interface TracedPath {
  readonly conditions: readonly PathCondition[];
  /** The condition of the check with which the path ends. */
  readonly check: Term;
}

/** Law: from a state in which all conditions hold and `check` does not, an execution takes the path and fails there. */
export function tracedPath(
  builder: SegmentBuilder,
  fn: FunctionDefinition,
  edges: readonly Edge[],
  check: Check,
): TracedPath | undefined {
  return new PathRun(builder, new FreshSymbols(`${fn.name}@path`), edges).path(fn, check);
}

class PathRun extends SegmentRun {
  private readonly passed: PathCondition[] = [];
  private check: Term | undefined;
  private next = 0;

  constructor(
    private readonly reader: SegmentBuilder,
    private readonly fresh: FreshSymbols,
    private readonly edges: readonly Edge[],
  ) {
    super(reader, fresh);
  }

  path(fn: FunctionDefinition, check: Check): TracedPath | undefined {
    const state = forkState(this.reader.vocabulary.state(fn, fn.entry, this.fresh));
    this.follow(fn, fn.entry, { guard: L.TRUE, state }, new Set([fn.exit]));
    const ends = this.next === this.edges.length && this.edges.at(-1)?.command === check;
    return ends && this.check ? { conditions: this.passed, check: this.check } : undefined;
  }

  /** No flow arrives where the path ends, or goes another way. */
  override follow(
    fn: FunctionDefinition,
    from: Location,
    { guard, state }: Flow,
    stops: ReadonlySet<Location>,
  ): Map<Location, Flow> {
    // The callee, of several.
    if (guard !== L.TRUE) this.passed.push({ step: this.next - 1, condition: guard });
    for (let location = from; !stops.has(location);) {
      const edge = this.edges[this.next];
      if (edge?.from !== location) return new Map();
      const step = this.next++;
      const { command } = edge;
      if (this.next === this.edges.length) {
        if (command.kind === 'check') this.check = this.reader.condition(command.condition, state);
        return new Map();
      }
      const after = this.along(fn, edge, { guard: L.TRUE, state });
      if (!after) return new Map();
      if (after.guard !== L.TRUE) this.passed.push({ step, condition: after.guard });
      ({ state } = after);
      location = edge.to;
    }
    return new Map([[[...stops][0]!, { guard: L.TRUE, state }]]);
  }
}
