/** The numbers that invariants are guessed about, at each control point; and the constants of the program. */
import { symbolsOf } from '../../logic/symbols';
import type { Term } from '../../logic/term';
import type { Expression } from '../../program/expression';
import { expressionsOf, operands, walk } from '../../program/traverse';
import type { FunctionDefinition } from '../../program/program';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { Relevance } from '../transitionSystem/relevance';
import { mayMatter } from '../transitionSystem/relevantData';
import type { ObservableVariable } from './samples';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  variables: 12,
} as const;

/** Integer variables in scope that matter there, the program's own before temporaries. */
export function observablesOf(system: TransitionSystem): Map<Cutpoint, ObservableVariable[]> {
  const { vocabulary } = system;
  const relevance = relevanceOf(system);
  const result = new Map<Cutpoint, ObservableVariable[]>();
  for (const point of system.points) {
    const found: ObservableVariable[] = [];
    for (const symbol of vocabulary.symbolsFor(point.fn)) {
      const meaning = vocabulary.meaning(symbol)!;
      if (meaning.kind === 'variable') {
        const { variable } = meaning;
        if (variable.type.kind !== 'integer' || variable.type.widthBits > 64 || meaning.part !== 'value') continue;
        const matters =
          point.kind === 'module'
            ? !variable.temporary && mayMatter(system, symbol)
            : relevance.at(point.location, variable);
        if (!matters) continue;
        if (variable.scope === 'local') {
          if (point.kind === 'module') continue;
          const parameter = point.fn.parameters.includes(variable);
          if (point.kind === 'entry' && !parameter) continue;
          if (point.kind === 'exit' && !parameter && variable !== point.fn.resultVariable && !variable.entryValueOf)
            continue;
        }
        found.push({
          term: symbol,
          name: variable.name,
          signed: variable.type.signed,
          widthBits: variable.type.widthBits,
        });
      } else if (meaning.kind === 'memory') {
        const { role } = meaning.memory;
        if (
          !mayMatter(system, symbol) ||
          role.kind !== 'slot' ||
          role.addressing !== 'plain' ||
          role.slot === 'byte' ||
          role.slot.type.kind !== 'integer' ||
          role.slot.type.widthBits > 64
        )
          continue;
        if (
          role.single?.kind === 'frame' &&
          (role.single.function !== point.fn || point.kind === 'entry' || point.kind === 'exit')
        )
          continue;
        found.push({
          term: symbol,
          name: meaning.memory.name,
          signed: role.slot.type.signed,
          widthBits: role.slot.type.widthBits,
        });
      }
    }
    const mentioned = mentionedIn(point.fn, system);
    found.sort((a, b) => Number(mentioned.has(b.name)) - Number(mentioned.has(a.name)));
    result.set(point, found.slice(0, limits.variables));
  }
  return result;
}

export function relevanceOf({
  functions,
  program,
  inlined,
  options,
  weakening: { dropped },
}: TransitionSystem): Relevance {
  const called = new Set(
    functions.flatMap((fn) =>
      fn.edges.flatMap((edge) => (edge.command.kind === 'call' && !dropped.has(edge) ? edge.command.targets : [])),
    ),
  );
  return new Relevance({
    functions: dropped.size === 0 ? program.functions : [...functions, ...inlined],
    checkedProperties: options.checkedProperties,
    dropped,
    hasCaller: (fn) => options.mode === 'module' || called.has(fn) || inlined.has(fn),
  });
}

/**
 * False of terms that mention a local variable whose value decides nothing from the point on, as of one that is set
 * before it is read: no invariant there needs it.
 */
export function liveVariablesIn(system: TransitionSystem): (term: Term, point: Cutpoint) => boolean {
  const relevance = relevanceOf(system);
  return (term, point) =>
    point.kind === 'module' ||
    [...symbolsOf(term)].every((symbol) => {
      const meaning = system.vocabulary.meaning(symbol);
      return (
        meaning?.kind !== 'variable' ||
        meaning.variable.scope !== 'local' ||
        relevance.at(point.location, meaning.variable)
      );
    });
}

function mentionedIn(fn: FunctionDefinition, { weakening: { dropped } }: TransitionSystem): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { command } of fn.edges.filter((edge) => !dropped.has(edge))) {
    for (const e of expressionsOf(command))
      walk(e, (node) => {
        if (node.kind === 'read') names.add(node.variable.name);
      });
    if ('target' in command && command.target && 'name' in command.target) names.add(command.target.name);
  }
  return names;
}

/**
 * Integer constants of the program, with their neighbours, in ascending order. Where members lie in their structures is
 * no number of the program's.
 */
export function constantsOf(system: TransitionSystem): readonly bigint[] {
  const found = new Set<bigint>([-1n, 0n, 1n]);
  const visit = (e: Expression): void => {
    if (e.kind === 'integer') for (const near of [-1n, 0n, 1n]) found.add(e.value + near);
    else if (e.kind === 'load') place(e.address);
    else operands(e).forEach(visit);
  };
  const place = (e: Expression): void => {
    if (e.kind !== 'offset') return visit(e);
    place(e.pointer);
    if (e.delta.kind !== 'integer') visit(e.delta);
  };
  for (const fn of system.functions) {
    for (const { command } of fn.edges.filter((edge) => !system.weakening.dropped.has(edge))) {
      if (
        command.kind === 'check' &&
        (command.check === 'signed-overflow' ||
          command.check === 'dereference' ||
          command.check === 'uninitialised-read')
      )
        continue;
      if (command.kind === 'store') {
        place(command.address);
        visit(command.value);
      } else expressionsOf(command).forEach(visit);
    }
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1));
}
