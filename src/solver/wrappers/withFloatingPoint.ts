/**
 * A solver that knows rounded operations: what it does not refute while they are arbitrary functions it is asked again
 * with the theory of floating point, in a fresh context and with little effort.
 */
import type { IeeeQuery } from '../../logic/floats/ieee';
import { isApplication } from '../../logic/intern';
import { substituteAll } from '../../logic/substitute';
import { symbolsOf } from '../../logic/symbols';
import type { SymbolTerm, Term, Value } from '../../logic/term';
import { allHold, FiniteModel, type CallValue } from '../model';
import type { Answer, Model, QueryBudget, Solver } from '../solver';
import { allOf, aroundQueries } from './aroundQueries';

/** `cases`: all that are asked. `fruitless`: after so many without an answer no more are asked. */
const limits = { timeoutMs: 10_000, resources: 4_000_000, cases: 24, fruitless: 2 } as const;

/**
 * `query`: the terms by IEEE 754; undefined if that is no use. What has no model there has none at all. `inModels`
 * rewrites what a model is asked for.
 */
export function withFloatingPoint(
  solver: Solver,
  query: (terms: readonly Term[]) => IeeeQuery | undefined,
  inModels: (term: Term) => Term,
): Solver {
  let [cases, fruitless] = [0, 0];
  const refined = async (first: Answer, terms: readonly Term[], budget: QueryBudget): Promise<Answer> => {
    if (first.kind === 'unsat' || cases >= limits.cases || fruitless >= limits.fruitless) return first;
    const asked = query(terms);
    if (!asked || (first.kind === 'sat' && allHold(first.model, asked.axioms))) return first;
    const limit: QueryBudget = {
      timeoutMs: Math.min(budget.timeoutMs, limits.timeoutMs),
      resources: Math.min(budget.resources ?? limits.resources, limits.resources),
    };
    for (const one of asked.cases) {
      cases++;
      const answer = await solver.check(one, limit, { encoding: 'bits' });
      if (answer.kind === 'unsat') continue;
      if (answer.kind === 'unknown') {
        fruitless++;
        return first;
      }
      const model = modelOf(terms, asked, answer.model, inModels);
      return allHold(model, terms) ? { kind: 'sat', model } : first;
    }
    return { kind: 'unsat', core: [] };
  };
  return aroundQueries(solver, async (asked) => {
    const first = await asked.ask(asked.budget);
    const answer = await refined(first, allOf(asked), asked.budget);
    return answer.kind === 'unsat' && answer !== first ? { kind: 'unsat', core: asked.assumptions } : answer;
  });
}

/** A model of the terms as they were, if no function has two values for the same operands. */
function modelOf(
  terms: readonly Term[],
  { opened, axioms }: IeeeQuery,
  model: Model,
  inModels: (term: Term) => Term,
): Model {
  const symbols = new Map<SymbolTerm, Value>();
  for (const term of [...terms, ...axioms])
    for (const symbol of symbolsOf(term)) symbols.set(symbol, model.symbol(symbol));
  const calls: CallValue[] = [];
  for (const [term, symbol] of opened) {
    if (!isApplication(term, 'call')) continue;
    const args = substituteAll(term.args, opened).map((arg) => model.evaluate(arg));
    calls.push({ term, args, value: model.symbol(symbol) });
  }
  const whole = new FiniteModel(symbols, calls);
  return { symbol: (symbol) => whole.symbol(symbol), evaluate: (term) => whole.evaluate(inModels(term)) };
}
