/**
 * Branches that specifications make impossible (definition 1 of Das, Lahiri, Lal, Li, CAV 2015). A specification is
 * offered only if it leaves every branch of the function possible that was possible without it: a function that tests
 * for null is called with null. Failing checks are skipped here, since a branch behind a dereference of the pointer
 * would otherwise be impossible already. The module's variables may have any value.
 *
 * Branches count in the function itself and in static functions that nobody else calls. A null test in a function that
 * is called from elsewhere, too, says nothing about this one. Calls that the user states as possible count like
 * branches.
 */
import { ProbeError } from '../../abstraction/predicates/probes';
import { type Transition, TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import { ensuresFile } from '../../c/elaborate/ensuresOf';
import { sourceLocationOf } from '../../sourceLocation';
import { symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import * as L from '../../logic/build';
import { targetOf } from '../../program/traverse';
import type { Variable } from '../../program/expression';
import type { Edge, FunctionDefinition, Program } from '../../program/program';
import type { Branch } from '../../semantics/symbolic/segment';
import type { QueryBudget, Solver } from '../../solver/solver';
import type { Task } from '../../task';
import type { SourceLocation } from '../../verdict';
import { preconditionsAt } from '../portfolio/userFormulas';
import type { Problem } from '../problem';
import { under, type Specification } from './specifications';

/** A branch that no call could take any more, or calls that the user has stated as possible and that none could be. */
export interface KilledBranch {
  readonly place: SourceLocation;
  /** The condition as written, and which outcome would be impossible. */
  readonly condition: string;
  readonly outcome: boolean;
  /** The condition is the user's, of calls of the function at `place`. */
  readonly stated?: true;
}

interface PossibleBranch extends Branch {
  readonly transition: Transition;
}

interface BranchIn extends PossibleBranch {
  readonly system: TransitionSystem;
  /** Preconditions of the entry. */
  readonly required: readonly Term[];
}

export class Permissiveness {
  private readonly systems = new Map<string, TransitionSystem>();

  constructor(
    private readonly problem: Problem,
    private readonly solver: Solver,
    private readonly query: () => QueryBudget | undefined,
    private readonly budget: Budget,
  ) {}

  /**
   * A branch that `added` makes impossible for clients that keep `others` already; undefined when none is, as far as
   * is known.
   */
  async killed(others: readonly Specification[], added: Specification): Promise<KilledBranch | undefined> {
    switch (added.kind) {
      case 'requires':
        return this.killedIn(added.function, others, [added]);
      case 'ensures':
        return this.killedByGuarantees(others, [added]);
      case 'initialised-by':
        return undefined;
    }
  }

  /** A branch that all of them together make impossible. */
  async killedByAll(specifications: readonly Specification[]): Promise<KilledBranch | undefined> {
    const names = new Set(specifications.flatMap((one) => (one.kind === 'requires' ? [one.function] : [])));
    for (const name of names) {
      const own = specifications.filter((one) => one.kind === 'requires' && one.function === name);
      const killed = await this.killedIn(name, [], own);
      if (killed) return killed;
    }
    const guarantees = specifications.filter(({ kind }) => kind === 'ensures');
    return guarantees.length > 0 ? this.killedByGuarantees([], specifications) : undefined;
  }

  /**
   * A branch of any function that no call of any entry could take any more. Guarantees hold everywhere, so a test for
   * null behind another call of the function counts, too.
   */
  private async killedByGuarantees(
    others: readonly Specification[],
    added: readonly Specification[],
  ): Promise<KilledBranch | undefined> {
    const names = new Set(added.flatMap((one) => (one.kind === 'ensures' ? [one.function] : [])));
    const before = this.branchesUnder(others, names);
    const after = this.branchesUnder([...others, ...added], names);
    for (const [key, branches] of after) {
      if (await this.anyPossible(branches)) continue;
      const known = before.get(key);
      if (!known || !(await this.anyPossible(known))) continue;
      const { edge, function: fn } = branches[0]!;
      return {
        place: sourceLocationOf(edge.span, fn.name),
        condition: edge.span.file.text.slice(edge.span.start, edge.span.end).replace(/\s+/g, ' '),
        outcome: isTrueOutcome(edge),
      };
    }
    return undefined;
  }

  private async anyPossible(branches: readonly BranchIn[]): Promise<boolean> {
    for (const branch of branches) {
      const { system, transition } = branch;
      const { fn } = transition.from!;
      const said = transition.from!.kind === 'entry' && system.options.entries.includes(fn) ? branch.required : [];
      if (await this.isPossible(system, fn, branch, said)) return true;
    }
    return false;
  }

  /** Branches of the module's functions that call one of `names`, directly or not; by place and outcome. */
  private branchesUnder(
    specifications: readonly Specification[],
    names: ReadonlySet<string>,
  ): ReadonlyMap<string, readonly BranchIn[]> {
    const under = this.problem.under(specifications, this.budget);
    const found = new Map<string, BranchIn[]>();
    const affected = callersOf(under.program, names);
    for (const fn of under.callable) {
      if (!affected.has(fn)) continue;
      const system = this.systemFor(under, fn);
      const required = this.terms(system, fn, specifications) ?? [];
      for (const transition of system.transitions) {
        if (!transition.from || !affected.has(transition.from.fn)) continue;
        for (const branch of transition.segment?.branches ?? []) {
          const { edge, function: within } = branch;
          const { file, start, end } = edge.span;
          if (within.library || file.path.endsWith(ensuresFile)) continue;
          const key = `${within.name} ${file.path}:${start}-${end} ${isTrueOutcome(edge)}`;
          found.set(key, [...(found.get(key) ?? []), { ...branch, transition, system, required }]);
        }
      }
    }
    return found;
  }

  private async killedIn(
    name: string,
    others: readonly Specification[],
    added: readonly Specification[],
  ): Promise<KilledBranch | undefined> {
    const fn = this.problem.program.functionByName.get(name)!;
    const system = this.systemOf(fn);
    const known = others.filter((one) => one.kind === 'requires' && one.function === name);
    const before = this.terms(system, fn, known);
    const cure = this.terms(system, fn, added);
    // About memory that the function's own code does not read.
    if (!before || !cure) return undefined;
    const excluded = await this.excludedCalls(system, fn, before, cure);
    if (excluded) return excluded;
    const asked = [...symbolsOf(L.and(...cure))];
    const kept = unchanging(system, fn);
    const byEdge = new Map<Edge, PossibleBranch[]>();
    const counted = ownFunctions(this.problem.program, fn);
    for (const transition of system.transitions) {
      if (transition.from?.fn !== fn) continue;
      for (const branch of transition.segment?.branches ?? []) {
        if (!counted.has(branch.function)) continue;
        byEdge.set(branch.edge, [...(byEdge.get(branch.edge) ?? []), { ...branch, transition }]);
      }
    }
    for (const [edge, branches] of byEdge) {
      // Guards about other symbols are decided by something else.
      if (!branches.some(({ guard }) => asked.some((symbol) => symbolsOf(guard).has(symbol)))) continue;
      const possible = async (terms: readonly Term[]): Promise<boolean> => {
        for (const branch of branches) {
          const said = branch.transition.from!.kind === 'entry' ? terms : terms.filter((term) => isOnly(term, kept));
          if (await this.isPossible(system, fn, branch, said)) return true;
        }
        return false;
      };
      if (!(await possible([...before, ...cure])) && (await possible(before)))
        return {
          place: sourceLocationOf(edge.span, edge.from.edges[0] && branches[0]!.function.name),
          condition: edge.span.file.text.slice(edge.span.start, edge.span.end).replace(/\s+/g, ' '),
          outcome: isTrueOutcome(edge),
        };
    }
    return undefined;
  }

  /** Calls that the user has stated as possible, of which `cure` leaves none. */
  private async excludedCalls(
    system: TransitionSystem,
    fn: FunctionDefinition,
    before: readonly Term[],
    cure: readonly Term[],
  ): Promise<KilledBranch | undefined> {
    const stated = (this.problem.task.possible ?? []).filter((one) => one.function === fn.name);
    for (const one of stated) {
      const calls = preconditionTerms({ ...this.problem.task, requires: [one] }, fn, system);
      // About memory that the function's own code does not read.
      if (!calls) continue;
      const clients = system.clientAssumptions(fn);
      if (!(await this.isImpossible(system, [...clients, ...before, ...cure, ...calls]))) continue;
      // Preconditions that the user states as well rule them out.
      if (await this.isImpossible(system, [...clients, ...before, ...calls])) continue;
      const said = one.said && ('c' in one.said ? one.said.c : one.said.host);
      return { place: sourceLocationOf(fn.span, fn.name), condition: said ?? '', outcome: true, stated: true };
    }
    return undefined;
  }

  private async isPossible(
    system: TransitionSystem,
    fn: FunctionDefinition,
    { guard, transition }: PossibleBranch,
    said: readonly Term[],
  ): Promise<boolean> {
    const terms = [
      ...transition.axioms,
      ...(transition.from!.kind === 'entry' ? system.clientAssumptions(fn) : []),
      ...said,
    ];
    return guard !== L.FALSE && !(await this.isImpossible(system, [...terms, guard]));
  }

  /** An edge that is not known to be impossible is possible. */
  private async isImpossible({ vocabulary }: TransitionSystem, terms: readonly Term[]): Promise<boolean> {
    const budget = this.query();
    if (!budget) return false;
    const answer = await this.solver.check([...terms, ...vocabulary.readAxioms(terms, new Set())], budget);
    return answer.kind === 'unsat';
  }

  private terms(
    system: TransitionSystem,
    fn: FunctionDefinition,
    specifications: readonly Specification[],
  ): readonly Term[] | undefined {
    const { requires: _, ...task } = this.problem.task;
    return preconditionTerms(under(task, specifications), fn, system);
  }

  private systemOf(fn: FunctionDefinition): TransitionSystem {
    const known = this.systems.get(fn.name);
    if (known) return known;
    const { problem } = this;
    const system = this.systemFor(problem, fn);
    this.systems.set(fn.name, system);
    return system;
  }

  private systemFor(problem: Problem, fn: FunctionDefinition): TransitionSystem {
    return new TransitionSystem(problem.program, {
      ...problem.systemOptions(),
      init: undefined,
      entries: [fn],
      checkedProperties: new Set(),
      branches: true,
    });
  }
}

/** Undefined for what the system has no terms of. */
export function preconditionTerms(
  task: Task,
  fn: FunctionDefinition,
  { vocabulary }: TransitionSystem,
): readonly Term[] | undefined {
  try {
    return preconditionsAt(task, fn, vocabulary);
  } catch (error) {
    if (error instanceof ProbeError) return undefined;
    throw error;
  }
}

/** Functions that call one of these functions without a body, directly or not. */
function callersOf({ functions }: Program, names: ReadonlySet<string>): ReadonlySet<FunctionDefinition> {
  const found = new Set<FunctionDefinition>();
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const fn of functions)
      if (
        fn.edges.some(
          ({ command }) =>
            (command.kind === 'external' && names.has(command.name)) ||
            (command.kind === 'call' && command.targets.some((target) => found.has(target))),
        )
      )
        found.add(fn);
  }
  return found;
}

/** The function, and static functions that are called from these alone. */
function ownFunctions({ functions }: Program, fn: FunctionDefinition): ReadonlySet<FunctionDefinition> {
  const callers = new Map<FunctionDefinition, Set<FunctionDefinition>>();
  for (const caller of functions)
    for (const { command } of caller.edges)
      if (command.kind === 'call')
        for (const target of command.targets)
          callers.set(target, (callers.get(target) ?? new Set<FunctionDefinition>()).add(caller));
  const own = new Set([fn]);
  for (let size = 0; size < own.size;) {
    size = own.size;
    for (const [target, by] of callers)
      if (
        target.linkage === 'internal' &&
        !target.library &&
        [...by].every((caller) => own.has(caller) || caller === target)
      )
        own.add(target);
  }
  return own;
}

/** Symbols of parameters that the function never changes: what is said of them at its entry holds throughout. */
function unchanging(system: TransitionSystem, fn: FunctionDefinition): ReadonlySet<SymbolTerm> {
  const changed = new Set<Variable>(fn.edges.flatMap(({ command }) => targetOf(command) ?? []));
  const kept = new Set(fn.parameters.filter((parameter) => !changed.has(parameter)));
  return new Set(
    system.vocabulary.symbolsFor(fn).filter((symbol) => {
      const meaning = system.vocabulary.meaning(symbol);
      return meaning?.kind === 'variable' && kept.has(meaning.variable);
    }),
  );
}

const isOnly = (term: Term, symbols: ReadonlySet<SymbolTerm>): boolean =>
  [...symbolsOf(term)].every((symbol) => symbols.has(symbol));

/** The first of two edges is that of the condition as written. */
const isTrueOutcome = (edge: Edge): boolean => edge.from.edges[0] === edge;
