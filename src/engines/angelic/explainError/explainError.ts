/**
 * ExplainError (A. Das, S. K. Lahiri, A. Lal, Y. Li, CAV 2015, algorithm 2): preconditions that exclude a failing
 * trace, read off its formula. The literals of the vocabulary that exclude it alone come first (MONOMIAL), then what is
 * left of the weakest precondition without the literals that are not in the vocabulary (ProjectAtoms).
 *
 * Departures. The vocabulary is what a precondition can say in C. No number is left out by it, `n != 4`: that would
 * hide every failure at the end of a range. Bounds are those that the failing check itself states. Each answer is read
 * back from its text, and the solver is asked whether it implies the weakest precondition: a text that wraps nowhere,
 * and C that does, may differ.
 */
import { printTerm } from '../../../abstraction/printing/printTerm';
import type { TransitionSystem } from '../../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../../logic/build';
import { symbolsOf } from '../../../logic/symbols';
import { substitute } from '../../../logic/substitute';
import type { SymbolTerm, Term } from '../../../logic/term';
import { childrenOf } from '../../../logic/traverse';
import type { FunctionDefinition } from '../../../program/program';
import type { Scenario } from '../../../evidence/scenarios/scenario';
import type { Fault } from '../../../semantics/concrete/fault';
import type { QueryBudget, Solver } from '../../../solver/solver';
import { LengthArguments } from '../../preconditions/bufferLengths';
import type { Problem } from '../../problem';
import { CallWatch, type StatedPrecondition } from '../callWatch';
import { plainCondition } from '../conditionText';
import { preconditionTerms } from '../permissiveness';
import { precondition, type Specification, specificationText, under } from '../specifications';
import { type Clause, clausesOf, joinLiterals, monomial, projectAtoms } from './clauses';
import { eliminateWrites } from './eliminateWrites';
import { extents, pointersSet } from './extents';
import { type FailingCall, failingCall } from './failingCall';
import { type WeakestPrecondition, weakestPrecondition } from './weakestPrecondition';

const limits = {
  /** Answers for one trace. */
  answers: 4,
  /** Questions about one trace that the solver did not answer: all of them are about the same formula. */
  unanswered: 2,
  /** Literals joined by *or*. Nobody reads more. */
  literals: 2,
  /** Clauses joined by *and*. */
  clauses: 3,
  /** Characters of a literal. */
  characters: 60,
} as const;

const usualNumbers = [0n, 1n, 2n, 8n, 64n, 1000n];

export interface ExplainedTrace {
  readonly problem: Problem;
  readonly scenario: Scenario;
  readonly fault: Fault;
  readonly system: () => TransitionSystem;
  /** Bounds of numbers are part of the vocabulary. */
  readonly bounds: boolean;
  /** Specifications that are kept already. */
  readonly taken: () => readonly Specification[];
  readonly solver: Solver;
  readonly query: () => QueryBudget | undefined;
}

/** The likeliest first; none if the solver does not answer in time. */
export async function* explainError(trace: ExplainedTrace): AsyncGenerator<Specification> {
  const { problem, scenario, fault } = trace;
  const call = failingCall(problem, scenario, fault);
  if (!call || !problem.callable.includes(call.fn)) return;
  const system = trace.system();
  const needed = weakestPrecondition(system, call);
  if (!needed) return;
  let [answers, unanswered] = [0, 0];
  for (const one of candidates(trace, call, needed)) {
    const kind = await excludes(one, call.fn, needed.formula, system, trace);
    if (kind === 'unknown' && ++unanswered === limits.unanswered) return;
    if (kind !== 'yes') continue;
    yield one;
    if (++answers === limits.answers) return;
  }
}

/** Each once. */
function candidates(
  { problem, scenario, fault, system, bounds }: ExplainedTrace,
  { fn }: FailingCall,
  needed: WeakestPrecondition,
): readonly StatedPrecondition[] {
  const { program } = problem;
  const broken = (offered: readonly StatedPrecondition[]): readonly StatedPrecondition[] => [
    ...new CallWatch(problem, system).findBroken(scenario, fn, offered),
  ];
  const far = isAboutExtent(fault)
    ? broken(extents(program, fn)).filter((one) => !isLoose(one, problem, scenario))
    : [];
  const formula = eliminateWrites(needed.formula);
  const clauses = formula && clausesOf(formula);
  const unset = isThroughNull(fault) ? broken(pointersSet(program, fn)) : [];
  if (!clauses) return [...far, ...unset];
  const own = eliminateWrites(needed.check);
  const ofCheck = new Set((own ? (clausesOf(own) ?? []) : []).flatMap((clause) => [...clause]));
  const vocabulary = new EntryVocabulary(problem, system(), fn, bounds ? ofCheck : new Set());
  const texts = literals(
    clauses.map((clause) => joinLiterals(clause, vocabulary.pointer)),
    vocabulary,
  );
  const near = [...new Set(texts)].flatMap((text) => {
    const one = precondition(program, fn.name, text);
    return one?.kind === 'requires' ? [one] : [];
  });
  const named = new Set(near.map(specificationText));
  return [...far, ...near, ...unset.filter((one) => !named.has(specificationText(one)))];
}

/** A length of a parameter, by a parameter that does not count its elements. */
function isLoose(one: StatedPrecondition, problem: Problem, scenario: Scenario): boolean {
  const [, ...names] = /^PROVEST_LENGTH\((\w+)\) >= \*?(\w+)$/.exec(one.text) ?? [];
  const { fn } = scenario.calls.at(-1)!;
  const [pointer = -1, number = -1] = names.map((name) =>
    fn.parameters.findIndex((parameter) => parameter.name === name),
  );
  if (fn.name !== one.function || pointer < 0 || number < 0) return false;
  return new LengthArguments(problem.program, problem.scenarioOptions(), problem.task.runs).isLoose(
    scenario,
    pointer,
    number,
  );
}

/** Null, or an element or a member of what is behind null. */
export const isThroughNull = ({ check, message }: Fault): boolean =>
  check === 'null-dereference' || message.includes('a null pointer plus');

/** An access behind the end of an object, and none through null: of that, no length says that it cannot be. */
const isAboutExtent = ({ check }: Fault): boolean =>
  check === 'dereference' || check === 'array-bounds' || check === 'pointer-arithmetic';

/** Two places that are not the same are joined, as the weaker condition; other literals stand alone. */
function literals(clauses: readonly Clause[], vocabulary: EntryVocabulary): readonly string[] {
  const isAllowed = (literal: Term): boolean => vocabulary.text(literal) !== undefined;
  const texts = monomial(clauses, isAllowed).map((literal) => vocabulary.text(literal)!);
  const apart = texts.filter((text) => text.includes(' != ') && !text.endsWith(' != NULL'));
  const weaker = apart.length > 1 && apart.length <= limits.literals ? [apart.join(' || ')] : [];
  const alone = [...weaker, ...texts];
  if (alone.length > 0) return alone;
  const projected = projectAtoms(clauses, isAllowed);
  if (!projected || projected.length > limits.clauses || projected.some(({ size }) => size > limits.literals))
    return [];
  const parts = projected.map((clause) => [...clause].map((literal) => vocabulary.text(literal)!).join(' || '));
  return [
    parts.length === 1 ? parts[0]! : parts.map((part) => (part.includes('||') ? `(${part})` : part)).join(' && '),
  ];
}

/** The vocabulary of preconditions of the entry. */
class EntryVocabulary {
  private readonly hidden: ReadonlySet<unknown>;
  private readonly parameters: ReadonlySet<string>;
  private readonly texts = new Map<Term, string | undefined>();

  constructor(
    { program }: Problem,
    private readonly system: TransitionSystem,
    fn: FunctionDefinition,
    private readonly bounds: ReadonlySet<Term>,
  ) {
    this.hidden = new Set(program.globals.flatMap(({ variable, visible }) => (visible ? [] : [variable])));
    this.parameters = new Set(fn.parameters.map(({ name }) => name));
  }

  /** As C; undefined for a literal that is no part of the vocabulary. */
  text(literal: Term): string | undefined {
    if (!this.texts.has(literal)) this.texts.set(literal, this.whyNotAllowed(literal));
    return this.texts.get(literal);
  }

  /** Two literals about the halves of one pointer. */
  readonly pointer = (a: Term, b: Term): Term | undefined => {
    const both = L.not(L.and(L.not(a), L.not(b)));
    return /^[^ ()]+ != [^ ()]+$/.test(printTerm(both, this.system.vocabulary)) ? both : undefined;
  };

  private whyNotAllowed(literal: Term): string | undefined {
    const { vocabulary } = this.system;
    const symbols = [...symbolsOf(literal)];
    if (symbols.length === 0 || symbols.some((symbol) => !this.isVisible(symbol))) return undefined;
    const text = plainCondition(printTerm(literal, vocabulary));
    if (text.length > limits.characters) return undefined;
    const place = /^(?:\w+(?:(?:->|\.)\w+|\[\d+\])*|\*\w+)$/;
    const [, left, right] = /^(\S+) != (\S+)$/.exec(text) ?? [];
    if (left !== undefined && right !== undefined) {
      const sides = [left, right].filter((side) => side !== 'NULL');
      return this.isAboutPlaces(literal) && sides.every((side) => place.test(side) && this.isClients(side))
        ? text
        : undefined;
    }
    const isBound = this.bounds.has(literal) && /^[^=!|]*[<>]=?[^=!|]*$/.test(text);
    return isBound && isKeptByUsual(literal, symbols) ? text : undefined;
  }

  /** Two pointers differ, or the objects that they lead to. */
  private isAboutPlaces(literal: Term): boolean {
    const [equal] = childrenOf(literal);
    if (!L.isApplication(literal, 'not') || !equal) return false;
    return L.isApplication(equal, 'and') || childrenOf(equal).every((side) => this.isObjectNumber(side));
  }

  private isObjectNumber(term: Term): boolean {
    const { vocabulary } = this.system;
    const read = L.isApplication(term, 'select') ? term.args[0]! : term;
    const meaning = read.kind === 'symbol' ? vocabulary.meaning(read) : undefined;
    if (meaning?.kind === 'variable') return meaning.part === 'object';
    return meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot' && meaning.memory.role.part === 'object';
  }

  /** Fresh symbols, such as answers of functions, have no meaning at the entry. */
  private isVisible(symbol: Term & { kind: 'symbol' }): boolean {
    const meaning = this.system.vocabulary.meaning(symbol);
    return meaning !== undefined && !(meaning.kind === 'variable' && this.hidden.has(meaning.variable));
  }

  /** Memory behind a pointer is up to clients if the pointer is an argument. */
  private isClients(place: string): boolean {
    return !/->|\.|\[|^\*/.test(place) || this.parameters.has(/\w+/.exec(place)![0]);
  }
}

/** A bound that leaves out all numbers that most clients pass says where a failure cannot be reached, and no more. */
function isKeptByUsual(bound: Term, symbols: readonly SymbolTerm[]): boolean {
  const numbers = symbols.filter(({ sort }) => sort.kind === 'bits');
  return usualNumbers.some((value) => {
    const map = new Map<Term, Term>(numbers.map((symbol) => [symbol, L.bits(value, L.widthOf(symbol))]));
    return substitute(bound, map) !== L.FALSE;
  });
}

/** No execution takes the trace from a state in which the precondition holds, and those taken. */
async function excludes(
  one: Specification,
  fn: FunctionDefinition,
  formula: Term,
  system: TransitionSystem,
  { problem, solver, query, taken }: ExplainedTrace,
): Promise<'yes' | 'no' | 'unknown'> {
  const required = preconditionTerms(under(problem.task, [one]), fn, system);
  const beside = taken()
    .filter((other) => other.kind === 'requires' && other.function === fn.name)
    .flatMap((other) => preconditionTerms(under(problem.task, [other]), fn, system) ?? []);
  const budget = query();
  if (!required || !budget) return 'no';
  const { vocabulary } = system;
  const terms = [
    ...vocabulary.wellFormed(fn, fn.entry),
    ...system.clientAssumptions(fn),
    ...beside,
    ...required,
    L.not(formula),
  ];
  const answer = await solver.check([...terms, ...vocabulary.readAxioms(terms, new Set())], budget);
  return answer.kind === 'unknown' ? 'unknown' : answer.kind === 'unsat' ? 'yes' : 'no';
}
