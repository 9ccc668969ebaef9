/** What is assumed of a module's clients, as candidates wherever it may still hold. */
import * as L from '../../logic/build';
import { substitute } from '../../logic/substitute';
import { symbolsOf } from '../../logic/symbols';
import type { Application, Term } from '../../logic/term';
import type { FunctionDefinition } from '../../program/program';
import { isProgramStart } from '../../program/programStart';
import { isUnknownOfList } from '../../semantics/symbolic/lists';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { passedAssumptions } from './passedAssumptions';

const limits = {
  /** Conditions that a disjunction of conjunctions is taken apart into. */
  clauses: 64,
} as const;

/**
 * Assumptions on clients that call a function; where the module calls it, too, Houdini has the last word. What
 * was stated of a function often holds all through it, also of parameters that change: `n <= PROVEST_LENGTH(p)` in
 * `while (n--) *p++ = 0`; and of functions that get the parameters. Pointers that were handed over are still valid
 * behind a call.
 */
export function assumedOfClients(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const passed = passedAssumptions(system, (fn) => assumedOf(fn, system).flatMap(clauses));
  return new Map(
    system.points.map((point) => {
      if (point.kind === 'exit') return [point, []];
      const isKept = point.kind === 'entry' || isKeptAt(point, system);
      return [point, [...(isKept ? assumptionsAt(point, system) : []), ...(passed.get(point.fn) ?? [])]];
    }),
  );
}

const isKeptAt = ({ kind, fn }: Cutpoint, system: TransitionSystem): boolean =>
  system.requires(fn) ||
  (system.options.mode === 'program' && isProgramStart(fn)) ||
  (kind === 'return' && fn.parameters.some(({ type }) => type.kind === 'pointer'));

/** Assumptions on clients that call the point's function, in the point's symbols; none if no client calls it. */
export function assumptionsAt(point: Cutpoint, system: TransitionSystem): readonly Term[] {
  const assumptions = assumedOf(point.fn, system);
  return point.kind === 'entry' ? assumptions : assumptions.flatMap(clauses);
}

function assumedOf(fn: FunctionDefinition, system: TransitionSystem): readonly Term[] {
  const {
    vocabulary,
    options: { entries, init },
  } = system;
  if (fn !== init && !entries.includes(fn)) return [];
  return system
    .clientAssumptions(fn)
    .flatMap((term) => conjuncts(withoutUnknownLists(term)))
    .filter((term) => term.kind !== 'boolean' && [...symbolsOf(term)].every((symbol) => vocabulary.meaning(symbol)));
}

/** The term as it is as long as no link closes a ring. */
function withoutUnknownLists(term: Term): Term {
  const unknown = [...symbolsOf(term)].filter(isUnknownOfList);
  return substitute(
    term,
    new Map(unknown.map((s) => [s, s.sort.kind === 'bits' ? L.bits(0n, s.sort.width) : L.FALSE])),
  );
}

const conjuncts = (term: Term): readonly Term[] =>
  L.isApplication(term, 'and') ? term.args.flatMap(conjuncts) : [term];

/** `a || b && c` as `a || b` and `a || c`. A pointer that may lead to many places has too many: it stays as it is. */
function clauses(term: Term): readonly Term[] {
  if (!L.isApplication(term, 'or')) return [term];
  const at = term.args.findIndex((arg) => L.isApplication(arg, 'and'));
  const count = term.args.reduce((product, arg) => product * conjuncts(arg).length, 1);
  if (at === -1 || count > limits.clauses) return [term];
  return (term.args[at] as Application).args.flatMap((part) => clauses(L.or(...term.args.with(at, part))));
}
