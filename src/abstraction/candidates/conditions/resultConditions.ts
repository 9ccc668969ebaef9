/**
 * What a function tested of the number that it returns: `for (int i = 0; i < N; i++) if (slots[i].used && slots[i].key
 * == key) return i; return -1;` returns -1, or the number of an element that is used. Callers know nothing else of it.
 * Read off the program, as candidates at the function's exit, and where it has returned.
 */
import * as L from '../../../logic/build';
import { hasQuantifier } from '../../../logic/quantifiers/instances';
import { sizeOf, substitute, symbolsOf } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { conjuncts } from '../../../semantics/symbolic/segment';
import { inScope } from '../../predicates/defaultPredicates';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import { type InvariantMap, invariantsAt } from '../../transitionSystem/invariantMap';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';

const limits = {
  /** Constants that are returned where nothing was found. */
  constants: 3,
  /** Ways to the exit that are told apart, and candidates at one. */
  ways: 16,
  candidates: 12,
  /** Nodes of a condition. */
  size: 40,
} as const;

/** A value that is returned, and what holds then. */
interface Way {
  readonly value: Term;
  readonly conditions: readonly Term[];
}

/** `known`: what holds where a way to the exit begins is known of the number that it returns, too. */
export function resultConditions(
  system: TransitionSystem,
  known: InvariantMap,
): ReadonlyMap<Cutpoint, readonly Term[]> {
  const found = new Map<Cutpoint, readonly Term[]>();
  for (const exit of system.points) {
    const type = exit.fn.resultVariable?.type;
    if (exit.kind !== 'exit' || type?.kind !== 'integer') continue;
    const result = resultOf(exit, system);
    const ways = result && waysTo(exit, result, known, system);
    if (!ways || ways.length > limits.ways) continue;
    const constants = [...new Set(ways.flatMap(({ value }) => (value.kind === 'bits' ? [L.eq(result, value)] : [])))];
    const told = ways.flatMap(({ value, conditions }) =>
      value.kind === 'symbol' && isOfFunction(value, system)
        ? conditions.flatMap((one) => ofResult(one, value, result, exit, system))
        : [],
    );
    if (told.length === 0 || constants.length > limits.constants) continue;
    const isNumber = type.signed ? [L.sle(L.bits(0n, type.widthBits), result)] : [];
    const terms = [...isNumber, ...told].map((term) => L.or(...constants, term));
    const chosen = [...new Set(terms)].filter(({ kind }) => kind !== 'boolean').slice(0, limits.candidates);
    found.set(exit, chosen);
    for (const { point, variable } of receivers(exit, result, system)) {
      const received = chosen.map((term) => substitute(term, new Map([[result, variable]])));
      found.set(point, [...(found.get(point) ?? []), ...received]);
    }
  }
  return found;
}

/** Variables that the result is assigned to, where calls have returned. */
function receivers(
  exit: Cutpoint,
  result: SymbolTerm,
  { transitions, vocabulary }: TransitionSystem,
): readonly { readonly point: Cutpoint; readonly variable: Term }[] {
  return transitions.flatMap(({ summary, ends }) => {
    if (summary?.exit !== exit) return [];
    const returned = vocabulary.binding(exit.fn, summary.exitState).get(result);
    return ends.flatMap(({ point, state }) =>
      [...vocabulary.binding(point.fn, state)].flatMap(([variable, value]) =>
        value === returned && vocabulary.meaning(variable)?.kind === 'variable' ? [{ point, variable }] : [],
      ),
    );
  });
}

/** Of static data that are returned callers know what holds of these. */
function isOfFunction(symbol: SymbolTerm, { vocabulary }: TransitionSystem): boolean {
  const meaning = vocabulary.meaning(symbol);
  return meaning?.kind === 'variable' && meaning.variable.scope !== 'global';
}

function resultOf({ fn }: Cutpoint, { vocabulary }: TransitionSystem): SymbolTerm | undefined {
  return vocabulary.symbolsFor(fn).find((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind === 'variable' && meaning.part === 'value' && meaning.variable === fn.resultVariable;
  });
}

/** Memory that a way changes is not said of the state behind it. */
function waysTo(
  exit: Cutpoint,
  result: SymbolTerm,
  known: InvariantMap,
  { transitions, vocabulary }: TransitionSystem,
): readonly Way[] {
  return transitions.flatMap(({ from, kind, ends }) =>
    kind !== 'segment' || from?.fn !== exit.fn
      ? []
      : ends.flatMap(({ point, guard, state }) => {
          if (point !== exit) return [];
          const after = vocabulary.binding(exit.fn, state);
          const isLeft = (symbol: SymbolTerm): boolean => symbol.sort.kind !== 'array' || after.get(symbol) === symbol;
          const held = invariantsAt(known, from).filter((term) => !hasQuantifier(term));
          const conditions = [...conjuncts(guard), ...held];
          return leavesOf({ value: after.get(result)!, conditions }).map((way) => ({
            ...way,
            conditions: way.conditions.filter((one) => [...symbolsOf(one)].every(isLeft)),
          }));
        }),
  );
}

/** The ways apart on which choices give the value. */
function leavesOf({ value, conditions }: Way): readonly Way[] {
  if (!L.isApplication(value, 'ite')) return [{ value, conditions }];
  const [test, yes, no] = value.args as readonly [Term, Term, Term];
  return [
    ...leavesOf({ value: yes, conditions: [...conditions, ...conjuncts(test)] }),
    ...leavesOf({ value: no, conditions: [...conditions, ...conjuncts(L.not(test))] }),
  ];
}

/** The condition said of the result, if it is about the value that is returned and about what outlasts the call. */
function ofResult(
  condition: Term,
  value: SymbolTerm,
  result: SymbolTerm,
  exit: Cutpoint,
  { vocabulary }: TransitionSystem,
): readonly Term[] {
  if (!symbolsOf(condition).has(value) || sizeOf(condition) > limits.size) return [];
  const said = substitute(condition, new Map([[value, result]]));
  const isKnown = (symbol: SymbolTerm): boolean => {
    const meaning = vocabulary.meaning(symbol);
    if (!meaning || !inScope(meaning, exit)) return false;
    return (
      symbol === result ||
      meaning.kind === 'memory' ||
      (meaning.kind === 'variable' && meaning.variable.scope === 'global')
    );
  };
  return [...symbolsOf(said)].every(isKnown) ? [said] : [];
}
