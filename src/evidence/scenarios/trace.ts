/**
 * A run line by line, for stepping through it: the variables that change, the probes' values, and which lines the
 * end depends on. The run itself is made by the caller on a machine that is watched here; watching changes nothing.
 */
import type { Span } from '../../c/source';
import type { HeapPicture, Trace, TraceStep } from '../../explanation';
import { sourceLocationOf } from '../../sourceLocation';
import { StatePrinter } from '../../host/printing/printState';
import type { FunctionDefinition, Location, Program } from '../../program/program';
import { targetOf } from '../../program/traverse';
import type { ConcreteState } from '../../abstraction/transitionSystem/concreteView';
import type { Activation, Machine } from '../../semantics/concrete/machine';
import { dependence, visitOf, type Visit } from './dynamicSlice';
import { HeapPictures } from './heapPictures';

/** A probe that can be evaluated in a state; undefined where it does not apply. */
export interface WatchedProbe {
  readonly name: string;
  holds(state: ConcreteState): boolean | undefined;
}

interface Line {
  readonly place: TraceStep['place'];
  readonly depth: number;
  readonly call: number;
  readonly state: ReadonlyMap<string, string>;
  readonly probes: string;
  readonly first: number;
  readonly heap: number | undefined;
}

const limits = {
  /** Lines that are told: the last ones. */
  toldLines: 1500,
  /** Lines with a picture of the heap: the last ones. */
  picturedLines: 300,
} as const;

/** End of a run. */
export interface RunEnd {
  readonly span: Span;
  readonly function: FunctionDefinition | undefined;
}

/**
 * `run` makes the run, the same every time, on machines it shows before they start; undefined when it did not end as it
 * should.
 */
export function traceOf(
  program: Program,
  probes: readonly WatchedProbe[],
  run: (watch: (machine: Machine) => void) => RunEnd | undefined,
): Trace | undefined {
  const counting = new Recorder(program, probes, Infinity);
  if (!run((machine) => counting.watch(machine))) return undefined;
  const telling = new Recorder(
    program,
    probes,
    Math.max(0, counting.count - limits.toldLines),
    Math.max(0, counting.count - limits.picturedLines),
  );
  const end = run((machine) => telling.watch(machine));
  return end && telling.trace(end);
}

class Recorder {
  /** Lines begun so far. */
  count = 0;
  private readonly visits: Visit[] = [];
  private readonly lines: Line[] = [];
  private call = 0;
  private readonly numbers = new WeakMap<Activation, number>();
  private readonly assigned = new WeakMap<Activation, Set<number>>();
  private activations = 0;
  private last: { readonly activation: number; readonly line: number; readonly file: string } | undefined;
  private readonly locations: ReadonlySet<Location>;
  private readonly pictures: HeapPictures;
  /** By their text. */
  private readonly heaps = new Map<string, number>();
  private readonly pictured: HeapPicture[] = [];

  /** `omitted`, `unpictured`: lines at the beginning that are not told, and those without a picture. */
  constructor(
    private readonly program: Program,
    private readonly probes: readonly WatchedProbe[],
    private readonly omitted: number,
    private readonly unpictured = Infinity,
  ) {
    this.pictures = new HeapPictures(program);
    this.locations = new Set(program.functions.flatMap((fn) => fn.locations));
  }

  watch(machine: Machine): void {
    machine.observer = {
      locations: this.locations,
      visit: (location, activation) => this.visit(location, activation, machine),
    };
  }

  trace(end: RunEnd): Trace {
    const relevant = dependence(this.visits);
    const steps: TraceStep[] = [];
    let before: ReadonlyMap<string, string> = new Map();
    this.lines.forEach((line, i) => {
      const until = this.lines[i + 1]?.first ?? this.visits.length;
      steps.push({
        place: line.place,
        depth: line.depth,
        call: line.call,
        changed: changes(before, line.state),
        probes: line.probes,
        relevant: relevant.slice(line.first, until).includes(true),
        ...(line.heap !== undefined && { heap: line.heap }),
      });
      before = line.state;
    });
    // The failing line is told at the place of the failure, which may be inside the line.
    const last = steps.at(-1);
    if (last)
      steps[steps.length - 1] = { ...last, place: sourceLocationOf(end.span, end.function?.name), relevant: true };
    return { probes: this.probes.map(({ name }) => name), omitted: this.omitted, steps, heaps: this.pictured };
  }

  private numberOf(activation: Activation): number {
    let number = this.numbers.get(activation);
    if (number === undefined) this.numbers.set(activation, (number = ++this.activations));
    return number;
  }

  private visit(location: Location, activation: Activation, machine: Machine): void {
    if (machine.activations.length === 1 && location === activation.fn.entry) this.call++;
    this.pictures.pass(location, activation, machine);
    const begins = this.begins(location, activation);
    if (begins) this.count++;
    if (this.count > this.omitted) {
      const visit = visitOf(location, activation, machine, (a) => this.numberOf(a));
      const first = this.visits.push(visit) - 1;
      if (begins) this.tell(begins, activation, machine, first);
    }
    const command = location.edges[0]?.command;
    const target = command && targetOf(command);
    if (target?.scope === 'local') this.assignedIn(activation).add(target.slot);
  }

  /** A step begins where the line or the activation changes. */
  private begins(location: Location, activation: Activation): Line['place'] | undefined {
    const { fn } = activation;
    if (fn.library || location === fn.exit) return undefined;
    const span = location.edges[0]?.span ?? location.span;
    const place = sourceLocationOf(span, fn.name);
    const here = { activation: this.numberOf(activation), line: place.line, file: place.file };
    if (this.last?.activation === here.activation && this.last.line === here.line && this.last.file === here.file)
      return undefined;
    this.last = here;
    return place;
  }

  private tell(place: Line['place'], activation: Activation, machine: Machine, first: number): void {
    const isSet = (of: Activation, slot: number): boolean =>
      slot < of.fn.parameters.length || this.assignedIn(of).has(slot);
    const state: ConcreteState = {
      globals: machine.globals,
      memory: machine.memory,
      activation,
      activations: machine.activations,
    };
    this.lines.push({
      place,
      depth: machine.activations.length,
      call: this.call,
      first,
      state: new StatePrinter(this.program, machine.globals, machine.memory).print(activation, (slot) =>
        isSet(activation, slot),
      ),
      heap: this.count > this.unpictured ? this.picture(this.pictures.of(machine, isSet)) : undefined,
      probes: this.probes.map((probe) => letter(probe.holds(state))).join(''),
    });
  }

  private picture(heap: HeapPicture | undefined): number | undefined {
    if (!heap) return undefined;
    const text = JSON.stringify(heap);
    let index = this.heaps.get(text);
    if (index === undefined) this.heaps.set(text, (index = this.pictured.push(heap) - 1));
    return index;
  }

  private assignedIn(activation: Activation): Set<number> {
    let slots = this.assigned.get(activation);
    if (!slots) this.assigned.set(activation, (slots = new Set()));
    return slots;
  }
}

function letter(holds: boolean | undefined): string {
  return holds === undefined ? '-' : holds ? '1' : '0';
}

function changes(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): TraceStep['changed'] {
  return [
    ...[...after].filter(([name, value]) => before.get(name) !== value).map(([name, value]) => ({ name, value })),
    ...[...before.keys()].filter((name) => !after.has(name)).map((name) => ({ name })),
  ];
}
