/**
 * The condition under which an abstract path can be taken from the start to its end: strongest postconditions by
 * substitution, no state in hand.
 */
import * as L from '../../logic/build';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { AbstractPath } from './partition';
import { stepCondition } from './preimage';
import type { SymbolicAnswer, SymbolicCall } from './symbolicRun';
import { isPointer, type SymbolicValue } from '../../semantics/symbolic/symbolicValues';

export interface PathFormula {
  readonly constraints: readonly Term[];
  readonly calls: readonly SymbolicCall[];
  readonly answers: readonly SymbolicAnswer[];
}

/** With the state after each edge: the value of each symbol of the node, over the inputs. */
export interface SimulatedPath extends PathFormula {
  readonly states: readonly ReadonlyMap<Term, Term>[];
}

export function pathFormula(path: AbstractPath): SimulatedPath {
  const constraints: Term[] = [];
  const calls: SymbolicCall[] = [];
  const answers: SymbolicAnswer[] = [];
  const states: Map<Term, Term>[] = [];
  let state = new Map<Term, Term>();
  path.forEach(({ step, to }, i) => {
    const environment = new Map(state);
    if (step.from.kind !== 'start')
      for (const symbol of step.fresh) environment.set(symbol, L.symbol(`${symbol.name}~${i}`, symbol.sort));
    const read = (terms: readonly Term[]): Term[] => substituteAll(terms, within(environment, terms));
    const value = (v: SymbolicValue): SymbolicValue =>
      isPointer(v) ? { object: read([v.object])[0]!, offset: read([v.offset])[0]! } : read([v])[0]!;
    constraints.push(...read([stepCondition(step, to), ...(step.from.kind === 'start' ? step.premises : [])]));
    for (const { kind, name, type, value: v, guard } of step.inputs)
      answers.push({ kind, name, type, value: value(v), guard: read([guard])[0]! });
    if (step.entered)
      calls.push({
        fn: step.entered.fn,
        locals: step.entered.state.locals.map(value),
        contents: read(step.entered.state.memory.contents),
      });
    const changed = [...step.after];
    const values = read(changed.map(([, term]) => term));
    const next = new Map(state);
    changed.forEach(([symbol], k) => next.set(symbol, values[k]!));
    state = next;
    states.push(next);
  });
  return { constraints: constraints.filter((term) => term !== L.TRUE), calls, answers, states };
}

/** Only what occurs, so that a substitution costs what its terms are worth. */
function within(environment: ReadonlyMap<Term, Term>, terms: readonly Term[]): Map<Term, Term> {
  const map = new Map<Term, Term>();
  for (const term of terms)
    for (const symbol of symbolsOf(term)) {
      const known = environment.get(symbol);
      if (known) map.set(symbol, known);
    }
  return map;
}
