/**
 * Description of a failure that the abstraction cannot rule out: in words, what it hangs on, and what to follow next.
 */
import { printTerm } from '../../abstraction/printing/printTerm';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { sourceLocationOf } from '../../sourceLocation';
import * as L from '../../logic/build';
import { symbolsOf } from '../../logic/substitute';
import type { CheckKind } from '../../program/command';
import type { Program } from '../../program/program';
import { isPointer } from '../../semantics/symbolic/symbolicValues';
import type { Reason } from '../../verdict';
import type { Alarm } from '../testBasedAbstraction/testBasedAbstraction';

/** The check depends on what a function without a body answered: then no predicate helps, only to know the function. */
export function missingBody(
  { obligation, transition }: Alarm,
  program: Program,
  { vocabulary }: TransitionSystem,
): Reason | undefined {
  const symbols = symbolsOf(L.and(obligation.guard, obligation.condition));
  const unknown = transition.segment?.unknownResults.find(
    ({ name, value }) =>
      program.externals.some((external) => external.name === name) &&
      (isPointer(value) ? [value.object, value.offset] : [value]).some((term) =>
        [...symbolsOf(term)].some((symbol) => symbols.has(symbol)),
      ),
  );
  // A function that may call the module back ends the segment before: its answer is what the variable holds.
  const { from } = transition;
  const returned = from?.fn.edges.find(
    ({ to, command }) =>
      to === from.location &&
      command.kind === 'external' &&
      [...symbols].some((symbol) => {
        const meaning = vocabulary.meaning(symbol);
        return meaning?.kind === 'variable' && meaning.variable === command.target;
      }),
  );
  const name = unknown?.name ?? (returned?.command.kind === 'external' ? returned.command.name : undefined);
  return name === undefined
    ? undefined
    : {
        cause: 'no-body',
        message: `${obligation.check.text} depends on what ${name} returns, and ${name} has no body`,
        place: sourceLocationOf((unknown ?? returned)!.span),
        suggestion: `add the C file that defines ${name}, or check what it returns before it is used`,
      };
}

/** The weakest condition at the start of the segment, as C, when it can be said over the module's data. */
export function neededCondition({ obligation: { condition }, transition, abstraction }: Alarm): string | undefined {
  const { vocabulary } = abstraction.system;
  const known = new Set(abstraction.at(transition.from!).predicates.map(({ term }) => term));
  const simple =
    condition.kind === 'apply' &&
    !known.has(condition) &&
    [...symbolsOf(condition)].every((s) => vocabulary.meaning(s)?.kind === 'variable');
  return simple ? printTerm(condition, vocabulary) : undefined;
}

export function describeCheck(check: CheckKind): string {
  const words: Record<CheckKind, string> = {
    assertion: 'the assertion',
    precondition: 'the precondition',
    postcondition: 'the postcondition',
    unreachable: 'the claim that this is never reached',
    'null-dereference': 'the test for a null pointer',
    dereference: 'the access within a live object',
    'array-bounds': 'the array bound',
    'read-only': 'the test for writable memory',
    'invalid-free': 'the validity of the freed pointer',
    leak: 'the absence of leaks',
    'pointer-arithmetic': 'the range of the pointer',
    'pointer-comparison': 'the comparison within one object',
    'invalid-call': 'the validity of the called pointer',
    'signed-overflow': 'the range of the signed result',
    shift: 'the range of the shift amount',
    'shift-overflow': 'the range of the shifted value',
    'division-by-zero': 'the non-zero divisor',
    conversion: 'the range of the conversion',
    'uninitialised-read': 'the initialisation of what is read',
    'missing-return': 'the presence of a result',
    'array-length': 'the length of the array',
    'overlapping-copy': 'the distance between what is copied and where to',
    noreturn: 'the promise not to return',
    'effective-type': 'the type of the object that is accessed',
    'overlapping-assignment': 'the distance between what is assigned and where to',
    'array-argument': 'the length of the array',
    'variable-argument': 'the type of the next variable argument',
    'object-size': 'the size of the object, which the model limits',
    unsequenced: 'the distance between what is changed and what is used at the same time',
  };
  return words[check];
}
