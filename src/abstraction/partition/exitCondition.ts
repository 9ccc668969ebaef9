/**
 * The preimage of a return, as a question about the callee alone: at which of its ends can some caller in a given
 * region go on into another region? What is passed by value and never assigned is still at the end what it was at the
 * call, so that a summary can relate results to arguments.
 */
import * as L from '../../logic/build';
import { isApplication } from '../../logic/intern';
import { substituteAll, symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import type { AbstractEdge } from './partition';

export interface ExitCondition {
  /** Over the vocabulary of the callee's exit, and `callers`. */
  readonly condition: Term;
  /** Names of the caller's symbols here, with their symbols at the call. */
  readonly callers: ReadonlyMap<SymbolTerm, SymbolTerm>;
}

export function exitCondition({ from, step, to }: AbstractEdge): ExitCondition {
  const { atExit } = step.callee!;
  const callers = new Map<SymbolTerm, SymbolTerm>();
  const names = new Map<Term, Term>();
  const after = substituteAll(to.literals, step.after);
  const passed = [...atExit].filter(
    ([symbol, term]) =>
      symbol !== term && !(term.kind === 'symbol' && step.fresh.has(term)) && term.sort.kind !== 'array',
  );
  const known = relevant(from.node.invariants, [...passed.map(([, term]) => term), ...after, ...from.literals]);
  const parts = [...from.literals, ...known, step.guard, ...after];
  for (const [symbol, term] of atExit) if (term.kind === 'symbol' && step.fresh.has(term)) names.set(term, symbol);
  for (const symbol of [...parts, ...passed.map(([, term]) => term)].flatMap((term) => [...symbolsOf(term)])) {
    // Symbols that no call changes bear one name on both sides.
    if (names.has(symbol) || step.fresh.has(symbol) || atExit.get(symbol) === symbol) continue;
    const renamed = L.symbol(`${symbol.name}@caller`, symbol.sort);
    names.set(symbol, renamed);
    callers.set(renamed, symbol);
  }
  const solved = new Map<Term, Term>();
  const equations: Term[] = [];
  for (const [parameter, term] of passed) {
    const argument = substituteAll([term], names)[0]!;
    const solution = solutionOf(parameter, argument);
    if (solution && callers.has(solution[0] as SymbolTerm) && !solved.has(solution[0])) solved.set(...solution);
    else equations.push(L.eq(parameter, argument));
  }
  return { condition: L.and(...substituteAll([...equations, ...substituteAll(parts, names)], solved)), callers };
}

/** Premises that share a symbol with the terms. */
function relevant(premises: readonly Term[], terms: readonly Term[]): readonly Term[] {
  const symbols = new Set(terms.flatMap((term) => [...symbolsOf(term)]));
  return premises.filter((premise) => [...symbolsOf(premise)].some((symbol) => symbols.has(symbol)));
}

/** `parameter = v + c` says what v is. */
function solutionOf(parameter: Term, argument: Term): readonly [Term, Term] | undefined {
  if (argument.kind === 'symbol') return [argument, parameter];
  if (!isApplication(argument, 'add') || argument.args.length !== 2) return undefined;
  const [a, b] = argument.args as readonly [Term, Term];
  if (a.kind === 'bits') return [b, L.sub(parameter, a)];
  return b.kind === 'bits' ? [a, L.sub(parameter, b)] : undefined;
}
