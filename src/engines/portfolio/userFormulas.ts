/**
 * User's formulas about the module, read as terms over the vocabulary: preconditions of its functions, and probes where
 * they can be evaluated.
 */
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import type { StatePredicate } from '../../abstraction/predicates/predicateAbstraction';
import { variablesOf } from '../../abstraction/predicates/probeFormula';
import { ProbeError, ProbeReader } from '../../abstraction/predicates/probes';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import { FreshSymbols } from '../../semantics/symbolic/symbolicValues';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import type { Requirement, Task } from '../../task';

export function preconditionsAt(task: Task, fn: FunctionDefinition, vocabulary: Vocabulary): readonly Term[] {
  return (task.requires ?? [])
    .filter((r) => r.function === fn.name)
    .map(({ formula }) => {
      const reader = ProbeReader.over(vocabulary, fn, vocabulary.state(fn, fn.entry, new FreshSymbols('requires')));
      try {
        return reader.read(formula);
      } catch (error) {
        if (error instanceof ProbeError)
          throw new ProbeError(`the precondition of ${fn.name} cannot be used: ${error.message}`);
        throw error;
      }
    });
}

/** False for a precondition about memory of which the vocabulary has nothing. */
export function canState(task: Task, one: Requirement, fn: FunctionDefinition, vocabulary: Vocabulary): boolean {
  try {
    preconditionsAt({ ...task, requires: [one] }, fn, vocabulary);
    return true;
  } catch (error) {
    if (error instanceof ProbeError) return false;
    throw error;
  }
}

/** Throws `ProbeError` for a probe that cannot be read. */
export function probesAt(task: Task, system: TransitionSystem): Map<Cutpoint, StatePredicate[]> {
  const found = new Map<Cutpoint, StatePredicate[]>();
  for (const probe of task.probes) {
    let used = false;
    for (const point of placesOf(probe, system)) {
      const state = system.vocabulary.arbitraryState(point.fn, new FreshSymbols('probe'));
      try {
        const term = new ProbeReader(
          system.builder,
          point === system.client ? undefined : point.fn,
          state,
          point.location,
        ).read(probe.formula);
        found.set(point, [...(found.get(point) ?? []), { term, name: probe.name }]);
        used = true;
      } catch (error) {
        if (error instanceof ProbeError)
          throw new ProbeError(`${probe.origin}: probe '${probe.name}' cannot be used: ${error.message}`);
        throw error;
      }
    }
    if (!used)
      throw new ProbeError(
        `${probe.origin}: probe '${probe.name}' mentions the function '${probe.function}', which the proof never ` +
          'enters',
      );
  }
  return found;
}

/**
 * The function's points, or all. Locals mean little where the function begins and ends, but in a function without
 * further points a probe of theirs is followed there.
 */
function placesOf(probe: Task['probes'][number], system: TransitionSystem): readonly Cutpoint[] {
  if (probe.function === undefined) return system.points;
  const inFunction = system.points.filter(({ fn }) => fn.name === probe.function);
  const telling = inFunction.filter(
    ({ kind, fn }) => (kind !== 'entry' && kind !== 'exit') || onlyParameters(probe.formula, fn),
  );
  return telling.length > 0 ? telling : inFunction;
}

function onlyParameters(formula: Task['probes'][number]['formula'], fn: FunctionDefinition): boolean {
  const names = new Set(fn.parameters.map(({ name }) => name));
  return variablesOf(formula).every(
    (name) =>
      names.has(name) || (!fn.variables.some((v) => v.name === name) && !fn.objects.some((o) => o.name === name)),
  );
}

/** For an abstraction of the probes alone: what the client knows is a prefix of what every entry and exit knows. */
export function onlyProbesAt(task: Task, system: TransitionSystem): Map<Cutpoint, StatePredicate[]> {
  const found = probesAt(task, system);
  if (!system.client) return found;
  const shared = found.get(system.client) ?? [];
  for (const point of system.points) {
    if (point.kind !== 'entry' && point.kind !== 'exit') continue;
    const own = found.get(point) ?? [];
    found.set(point, [...shared, ...own.filter(({ term }) => !shared.some((p) => p.term === term))]);
  }
  return found;
}
