/**
 * Which steps of a run its end depends on: a dynamic slice, backwards over the data a step reads and the branches that
 * brought control to it (Korel and Laski, "Dynamic program slicing", 1988; Agrawal and Horgan, PLDI 1990). Data is told
 * apart by variable and activation, memory by byte. Only for showing a run: an allocation's or a native function's
 * effect on memory counts as none.
 */
import type { Expression, Scalar, Variable } from '../../program/expression';
import type { FunctionDefinition, Location } from '../../program/program';
import { expressionsOf, targetOf, walk } from '../../program/traverse';
import { objectNumber, offsetBytes, pointerTo, type ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Activation, Machine } from '../../semantics/concrete/machine';
import type { ProgramState } from '../../semantics/values';

/** One location control came by, with what the step from there reads and changes. */
export interface Visit {
  readonly location: Location;
  readonly fn: FunctionDefinition;
  readonly activation: number;
  /** The activation that waits for this one. */
  readonly caller: number | undefined;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

const limits = {
  bytesFollowed: 4096,
} as const;

export function visitOf(
  location: Location,
  activation: Activation,
  machine: Machine,
  numberOf: (activation: Activation) => number,
): Visit {
  const own = numberOf(activation);
  const outer = machine.activations.at(-2);
  const reads: string[] = [];
  const writes: string[] = [];
  const state: ProgramState<ConcreteValue> = {
    globals: machine.globals,
    locals: [...activation.locals],
    objects: [...activation.objects],
    memory: machine.memory,
  };
  const value = (e: Expression): ConcreteValue => machine.evaluator.evaluate(e, state);
  const cell = (variable: Variable, of = own): string =>
    variable.scope === 'global' ? `g${variable.slot}` : `${of}.${variable.slot}`;
  const bytes = (pointer: ConcreteValue, count: number): string[] => {
    const [object, offset] = [objectNumber(pointer), offsetBytes(pointer)];
    return Array.from({ length: Math.min(count, limits.bytesFollowed) }, (_, i) => `m${object}:${offset + i}`);
  };
  const read = (e: Expression): void =>
    walk(e, (inner) => {
      if (inner.kind === 'read') reads.push(cell(inner.variable));
      else if (inner.kind === 'load') reads.push(...bytes(value(inner.address), bytesOf(inner.type)));
      else if (inner.kind === 'list')
        for (const node of machine.memory.nodesFrom(value(inner.list), inner).nodes) {
          const link = pointerTo(objectNumber(node), offsetBytes(node) + inner.linkBytes);
          reads.push(`live${objectNumber(node)}`, ...bytes(link, bytesOf(inner.link.type)));
        }
      else if (inner.kind === 'is-live') reads.push(`live${objectNumber(value(inner.pointer))}`);
    });
  const { fn } = activation;
  const [edge] = location.edges;
  if (location === fn.exit) {
    const call = outer?.location.edges[0]?.command;
    const result = call?.kind === 'call' ? call.target : undefined;
    if (fn.resultVariable && result) {
      reads.push(cell(fn.resultVariable));
      writes.push(cell(result, numberOf(outer!)));
    }
  } else if (edge) {
    const { command } = edge;
    for (const e of expressionsOf(command)) read(e);
    const target = targetOf(command);
    // A call's result comes with the callee's exit.
    if (target && command.kind !== 'call') writes.push(cell(target));
    switch (command.kind) {
      case 'store':
        writes.push(...bytes(value(command.address), bytesOf(command.type)));
        break;
      case 'copy': {
        const size = Number(value(command.size));
        reads.push(...bytes(value(command.source), size));
        writes.push(...bytes(value(command.target), size));
        break;
      }
      case 'fill':
        writes.push(...bytes(value(command.target), Number(value(command.size))));
        break;
      case 'free':
        writes.push(`live${objectNumber(value(command.pointer))}`);
        break;
      default:
    }
  }
  return { location, fn, activation: own, caller: outer && numberOf(outer), reads, writes };
}

/** True for the visits that the last one depends on. */
export function dependence(visits: readonly Visit[]): boolean[] {
  const relevant = visits.map(() => false);
  const needed = new Set<string>();
  const deciding = new Map<number, Set<Location>>();
  const called = new Set<number>();
  for (let i = visits.length - 1; i >= 0; i--) {
    const visit = visits[i]!;
    const { location, fn, activation } = visit;
    const calls = location.edges[0]?.command.kind === 'call' && visits[i + 1]?.caller === activation;
    const next = visits[i + 1];
    // Parameters are written by the call.
    const writes = calls && next ? next.fn.parameters.map(({ slot }) => `${next.activation}.${slot}`) : visit.writes;
    const decides = deciding.get(activation);
    const wanted =
      i === visits.length - 1 ||
      writes.some((cell) => needed.has(cell)) ||
      decides?.has(location) === true ||
      (calls && next !== undefined && called.has(next.activation));
    if (!wanted) continue;
    relevant[i] = true;
    decides?.delete(location);
    for (const cell of writes) needed.delete(cell);
    for (const cell of visit.reads) needed.add(cell);
    called.add(activation);
    const branches = deciding.get(activation) ?? new Set();
    deciding.set(activation, branches);
    for (const branch of branchesBefore(fn).get(location) ?? []) branches.add(branch);
  }
  return relevant;
}

function bytesOf(type: Scalar): number {
  return type.kind === 'pointer' ? 8 : type.widthBits / 8;
}

const known = new WeakMap<FunctionDefinition, ReadonlyMap<Location, readonly Location[]>>();

/**
 * For each location the branches it is control dependent on (Ferrante, Ottenstein, Warren 1987): it follows one arm
 * always and the branch itself not always.
 */
function branchesBefore(fn: FunctionDefinition): ReadonlyMap<Location, readonly Location[]> {
  let found = known.get(fn);
  if (found) return found;
  const after = postdominators(fn);
  const branches = fn.locations.filter(({ edges }) => edges.length > 1);
  found = new Map(
    fn.locations.map((location) => [
      location,
      branches.filter(
        (branch) =>
          branch.edges.some(({ to }) => after.get(to)!.has(location)) &&
          (branch === location || !after.get(branch)!.has(location)),
      ),
    ]),
  );
  known.set(fn, found);
  return found;
}

/** The locations that every way from here to the exit comes by, itself included. */
function postdominators(fn: FunctionDefinition): ReadonlyMap<Location, ReadonlySet<Location>> {
  const all = new Set(fn.locations);
  const after = new Map<Location, ReadonlySet<Location>>(
    fn.locations.map((location) => [location, location.edges.length === 0 ? new Set([location]) : all]),
  );
  for (let changed = true; changed;) {
    changed = false;
    for (const location of [...fn.locations].reverse()) {
      const [first, ...others] = location.edges.map(({ to }) => after.get(to)!);
      if (!first) continue;
      const common = new Set([...first].filter((l) => others.every((set) => set.has(l))));
      common.add(location);
      if (common.size !== after.get(location)!.size) {
        after.set(location, common);
        changed = true;
      }
    }
  }
  return after;
}
