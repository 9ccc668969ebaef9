/**
 * Preconditions of functions that clients call, said of the parameters of functions that get the same arguments: that a
 * client's text ends is what the walk within `strlen` rests on, too.
 */
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import { sizeOf, symbolsOf } from '../../logic/symbols';
import type { Term } from '../../logic/term';
import type { Expression } from '../../program/expression';
import type { FunctionDefinition } from '../../program/program';
import { FreshSymbols, isPointer } from '../../semantics/symbolic/symbolicValues';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  /** Conditions that one function gets. */
  terms: 24,
  /** Nodes of one: larger ones, as of a precondition among others, make every question harder. */
  size: 32,
} as const;

/** By function: the conditions, in its own symbols. `stated`: of a function that clients call, by itself. */
export function passedAssumptions(
  system: TransitionSystem,
  stated: (fn: FunctionDefinition) => readonly Term[],
): ReadonlyMap<FunctionDefinition, readonly Term[]> {
  const passed = new Map<FunctionDefinition, ReadonlySet<Term>>();
  const pending = new Set(system.functions.filter((fn) => stated(fn).length > 0));
  for (const fn of pending) {
    pending.delete(fn);
    const terms = [...stated(fn), ...(passed.get(fn) ?? [])];
    for (const { command } of fn.edges) {
      if (command.kind !== 'call' || system.isInlined(command)) continue;
      for (const callee of command.targets) {
        if (callee === fn) continue;
        const known = new Set(passed.get(callee));
        const before = known.size;
        for (const term of handedOn(terms, fn, callee, command.arguments, system))
          if (known.size < limits.terms) known.add(term);
        passed.set(callee, known);
        if (known.size > before) pending.add(callee);
      }
    }
  }
  return new Map([...passed].map(([fn, terms]) => [fn, [...terms]]));
}

/** The terms that are about parameters of `fn` that a call hands on as they are, in the symbols of the callee. */
function handedOn(
  terms: readonly Term[],
  fn: FunctionDefinition,
  callee: FunctionDefinition,
  given: readonly Expression[],
  { vocabulary }: TransitionSystem,
): readonly Term[] {
  const own = vocabulary.arbitraryState(fn, new FreshSymbols('own')).locals;
  const others = vocabulary.arbitraryState(callee, new FreshSymbols('callee')).locals;
  const binding = new Map<Term, Term>();
  callee.parameters.forEach((parameter, at) => {
    const argument = given[at];
    if (argument?.kind !== 'read' || !fn.parameters.includes(argument.variable)) return;
    const value = own[argument.variable.slot]!;
    const passed = others[parameter.slot]!;
    if (isPointer(value) && isPointer(passed)) {
      binding.set(value.object, passed.object);
      binding.set(value.offset, passed.offset);
    } else if (!isPointer(value) && !isPointer(passed) && L.widthOf(value) === L.widthOf(passed))
      binding.set(value, passed);
  });
  const locals = new Set(own.flatMap((value) => (isPointer(value) ? [value.object, value.offset] : [value])));
  const isHandedOn = (term: Term): boolean => {
    const ofFunction = [...symbolsOf(term)].filter((symbol) => locals.has(symbol));
    return sizeOf(term) <= limits.size && ofFunction.length > 0 && ofFunction.every((symbol) => binding.has(symbol));
  };
  return substituteAll(terms.filter(isHandedOn), binding);
}
