/**
 * Gathers what a report shows of a verdict (see `explanation.ts`), from what the engine ended with and from runs made
 * again.
 */
import type { Term } from '../../logic/term';
import { compile } from '../../logic/compile';
import { ConcreteView } from '../../abstraction/transitionSystem/concreteView';
import type { PredicateAbstraction, PredicateMap } from '../../abstraction/predicates/predicateAbstraction';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { ExecutedLines } from '../../evidence/scenarios/executedLines';
import { traceOf, type RunEnd, type WatchedProbe } from '../../evidence/scenarios/trace';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import type { CheckAt, CheckStatus, Explanation } from '../../explanation';
import { sourceLocationOf } from '../../sourceLocation';
import type { ModuleInstance } from '../../host/module';
import { isChecked, type Check, type CheckKind, type Property } from '../../program/command';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Machine } from '../../semantics/concrete/machine';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { Task } from '../../task';
import type { Verdict } from '../../verdict';
import { checkSlices } from './checkSlices';
import { StateGraphBuilder, type DrawnError } from './stateGraph';
import type { Alarm } from '../testBasedAbstraction/testBasedAbstraction';

/** Makes the failing run again on machines it shows first; tells when control is back with the client. */
export type Rerun = (watch: (machine: Machine) => void, between?: () => void) => RunEnd | undefined;

export interface Explained {
  readonly program: Program;
  readonly task: Task;
  readonly checkedProperties: ReadonlySet<Property | CheckKind>;
  readonly kind: Verdict['kind'];
  readonly abstraction: PredicateAbstraction | undefined;
  /** System of the program as it is, without weaker commands of a proof. */
  readonly wholeSystem: () => TransitionSystem;
  /** The states are closed under all transitions. */
  readonly closed: boolean;
  readonly alarms: readonly Alarm[];
  readonly probes: (system: TransitionSystem) => PredicateMap;
  readonly instance: () => ModuleInstance;
  /** Bugs only. */
  readonly rerun: Rerun | undefined;
  readonly solver: Solver;
  readonly query: () => QueryBudget;
  readonly stop: () => boolean;
}

export async function explain(input: Explained): Promise<Explanation> {
  const end = input.rerun?.(() => {});
  const found = checks(input, end);
  const drawn = await states(input, end);
  return {
    checks: found.map(({ at }) => at),
    lines: lines(input),
    // After the states, which take the time that is left.
    slices: checkSlices(
      input,
      found.map(({ commands }) => commands),
    ),
    states: drawn,
    trace: input.rerun && traceOf(input.program, watchedProbes(input), input.rerun),
  };
}

// Checks and lines

function checks(
  { program, checkedProperties, kind, abstraction, closed, alarms }: Explained,
  end: RunEnd | undefined,
): { readonly at: CheckAt; readonly commands: readonly Check[] }[] {
  const system = abstraction?.system;
  const analysed = system && new Set([...system.functions, ...system.inlined]);
  const found = new Map<string, { readonly at: CheckAt; readonly commands: readonly Check[] }>();
  const worst: readonly CheckStatus[] = ['fails', 'may-fail', 'open', 'no-alarm', 'holds'];
  for (const fn of program.functions) {
    if (fn.library) continue;
    for (const { command, to } of fn.edges) {
      if (command.kind !== 'check' || !isChecked(command, checkedProperties)) continue;
      const status = ((): CheckStatus => {
        if (end && sameSpan(command, end)) return 'fails';
        if (alarms.some(({ obligation }) => obligation.check === command)) return 'may-fail';
        if (analysed && !analysed.has(fn)) return 'open';
        if (kind === 'proved') return 'holds';
        return kind === 'potential-error' && closed ? 'no-alarm' : 'open';
      })();
      const place = sourceLocationOf(command.span, fn.name);
      const key = `${place.file}:${place.line}:${place.column}:${command.check}:${command.text}:${to === fn.exit}`;
      const before = found.get(key);
      const at =
        before && worst.indexOf(before.at.status) <= worst.indexOf(status)
          ? before.at
          : { check: command.check, text: command.text, place, status };
      found.set(key, { at, commands: [...(before?.commands ?? []), command] });
    }
  }
  return [...found.values()].sort(
    ({ at: a }, { at: b }) => a.place.line - b.place.line || a.place.column - b.place.column,
  );
}

function sameSpan({ span }: Check, { span: other }: RunEnd): boolean {
  return span.start === other.start && span.end === other.end && span.file.path === other.file.path;
}

function lines(input: Explained): Explanation['lines'] {
  const executed = new ExecutedLines(input.program);
  replay(input, (machine) => executed.watch(machine));
  return executed.files.map((file) => ({
    file: file.file,
    code: file.lines.map(({ line }) => line),
    ran: file.lines.filter(({ hits }) => hits > 0).map(({ line }) => line),
  }));
}

/** The tests again, as far as they kept to what a client may do. */
function replay({ task, instance: fresh }: Explained, watch: (machine: Machine) => void, between?: () => void): void {
  for (const run of task.runs) {
    const instance = fresh();
    watch(instance.machine);
    for (const operation of run) {
      between?.();
      if (leavesTheClient(operation, instance.program)) break;
      const outcome = instance.redo(operation);
      if (outcome && outcome.kind !== 'returned') break;
    }
    between?.();
  }
}

// Abstract states

async function states(input: Explained, end: RunEnd | undefined): Promise<Explanation['states']> {
  const { abstraction, rerun } = input;
  if (!abstraction || abstraction.points.every(({ predicates }) => predicates.length === 0)) return undefined;
  const builder = new StateGraphBuilder(abstraction);
  let between = (): void => {};
  replay(
    input,
    (machine) => {
      between = builder.watch(machine, 'test').between;
    },
    () => between(),
  );
  builder.latest = undefined;
  rerun?.(
    (machine) => {
      between = builder.watch(machine, 'run').between;
    },
    () => between(),
  );
  const failing = end && builder.latest;
  const complete = input.closed && (await builder.ask(input.solver, input.query(), input.stop));
  const errors = [...drawError(end, failing), ...possible(input.alarms), ...unreachable(input, abstraction)];
  return builder.build(errors, complete);
}

function drawError(end: RunEnd | undefined, latest: StateGraphBuilder['latest']): DrawnError[] {
  if (!end) return [];
  return [
    {
      name: `${nameOf(end.function)} line ${sourceLocationOf(end.span).line}`,
      point: latest?.point,
      valuations: latest ? [latest.valuation] : [],
      status: 'reached',
      checks: 1,
    },
  ];
}

function possible(alarms: readonly Alarm[]): DrawnError[] {
  return alarms.map(({ abstraction, transition, obligation, model }) => ({
    name: `${nameOf(obligation.function)} line ${sourceLocationOf(obligation.check.span).line}`,
    point: transition.from,
    status: 'possible',
    checks: 1,
    valuations: transition.from
      ? [
          abstraction
            .at(transition.from)
            .predicates.map(({ term }) => (model.evaluate(term) === true ? '1' : '0'))
            .join(''),
        ]
      : [],
  }));
}

/** One per function: all its failures that the proof excludes. */
function unreachable({ kind, program, checkedProperties }: Explained, abstraction: PredicateAbstraction): DrawnError[] {
  const { system } = abstraction;
  if (kind !== 'proved') return [];
  const analysed = new Set([...system.functions, ...system.inlined]);
  return program.functions
    .filter((fn) => !fn.library && analysed.has(fn))
    .flatMap((fn) => {
      const count = fn.edges.filter(
        ({ command }) => command.kind === 'check' && isChecked(command, checkedProperties),
      ).length;
      const point = system.at(fn.exit);
      return count === 0
        ? []
        : [
            {
              name: fn.name,
              point,
              valuations: point ? abstraction.at(point).valuations().slice(0, 1) : [],
              status: 'unreachable' as const,
              checks: count,
            },
          ];
    });
}

const nameOf = (fn: FunctionDefinition | undefined): string => fn?.name ?? 'the program';

// Probes

function watchedProbes({ task, abstraction, probes }: Explained): WatchedProbe[] {
  const system = abstraction?.system;
  if (!system || task.probes.length === 0) return [];
  const byPoint = probes(system);
  return task.probes.map(({ name, function: within }): WatchedProbe => {
    const compiled = new Map<FunctionDefinition, ReturnType<typeof compile>>();
    for (const [point, predicates] of byPoint) {
      const term: Term | undefined = predicates.find((predicate) => predicate.name === name)?.term;
      if (term && (within === undefined || point.fn.name === within)) compiled.set(point.fn, compile(term));
    }
    return {
      name,
      holds: (state) => {
        const holds = state.activation && compiled.get(state.activation.fn);
        return holds && holds(new ConcreteView(system.vocabulary, state).value) === true;
      },
    };
  });
}
