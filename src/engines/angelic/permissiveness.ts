/**
 * Branches that specifications make impossible (definition 1 of Das, Lahiri, Lal, Li, CAV 2015). A specification is
 * offered only if it leaves every branch of the function possible that was possible without it: a function that tests
 * for null is called with null. Failing checks are skipped here, since a branch behind a dereference of the pointer
 * would otherwise be impossible already. The module's variables may have any value.
 *
 * A branch behind an assertion that rules it out is no loss: `assert(p); if (!p) return;` says twice that clients pass
 * something. A test before the assertion counts.
 *
 * An outcome of an operand of an assertion counts if the assertion can hold behind it: `assert(p && *p)` says of `p`
 * that it is not null, and `assert(!p || *p)` that it may be.
 *
 * Branches count in the function itself and in static functions that nobody else calls. A null test in a function that
 * is called from elsewhere, too, says nothing about this one. Calls that the user states as possible count like
 * branches. A branch that the solver does not decide on, also when it is queried again with more time, is neither.
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
import type { BranchOutcome } from '../../verdict';
import { preconditionsAt } from '../portfolio/userFormulas';
import type { Problem } from '../problem';
import { BranchesInRuns } from './branchesInRuns';
import { hasAngelicAssertions } from './configuration';
import { under, type Specification } from './specifications';
import { symbolsOfValues } from './symbolsOfValues';

export type Permission =
  | { readonly kind: 'permissive' }
  | { readonly kind: 'kills'; readonly branch: BranchOutcome }
  /** The solver did not decide on this branch, and no other is known to be impossible. */
  | { readonly kind: 'undecided'; readonly branch: BranchOutcome };

const permissive: Permission = { kind: 'permissive' };

type Possible = 'yes' | 'no' | 'unknown';

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
  private readonly inRuns: BranchesInRuns;
  /** False once a question has no answer the second time: the judgement stays open, and its other branches are many. */
  private mayAskAgain = true;
  /** False if only calls that the user states as possible count. */
  private readonly countsBranches: boolean;

  constructor(
    private readonly problem: Problem,
    private readonly solver: Solver,
    /** Undefined when no time, or no further attempt, is left. */
    private readonly query: (attempt: 'first' | 'again') => QueryBudget | undefined,
    private readonly budget: Budget,
  ) {
    this.inRuns = new BranchesInRuns(budget);
    this.countsBranches = hasAngelicAssertions(problem.task.angelicConfiguration);
  }

  /**
   * Judges `added` for clients that keep `others` already. Branches that runs take count as possible, and so do those
   * whose condition does not depend on the values that it is about.
   */
  async judge(others: readonly Specification[], added: Specification): Promise<Permission> {
    this.mayAskAgain = true;
    switch (added.kind) {
      case 'requires':
        return this.judgeAt(added.function, others, [added], 'quickly');
      case 'ensures':
        return this.countsBranches ? this.judgeGuarantees(others, [added]) : permissive;
      case 'valid-pointers':
        return this.countsBranches ? this.judgeValidPointers(others, [added]) : permissive;
      case 'initialised-by':
      case 'convention':
        return permissive;
    }
  }

  /** Judges all of them together, by formula alone. */
  async judgeAll(specifications: readonly Specification[]): Promise<Permission> {
    this.mayAskAgain = true;
    const names = new Set(specifications.flatMap((one) => (one.kind === 'requires' ? [one.function] : [])));
    const parts: (() => Promise<Permission>)[] = [...names].map((name) => {
      const own = specifications.filter((one) => one.kind === 'requires' && one.function === name);
      return () => this.judgeAt(name, [], own, 'from scratch');
    });
    if (this.countsBranches && specifications.some(({ kind }) => kind === 'ensures'))
      parts.push(() => this.judgeGuarantees([], specifications));
    if (this.countsBranches && specifications.some(({ kind }) => kind === 'valid-pointers'))
      parts.push(() => this.judgeValidPointers([], specifications));
    return firstObjection(parts);
  }

  /**
   * Asks about branches of any function that some call of some entry can take. Guarantees hold everywhere, so a test
   * for null behind another call of the function counts, too.
   */
  private async judgeGuarantees(
    others: readonly Specification[],
    added: readonly Specification[],
  ): Promise<Permission> {
    const names = new Set(added.flatMap((one) => (one.kind === 'ensures' ? [one.function] : [])));
    const before = this.branchesUnder(others, names);
    const after = this.branchesUnder([...others, ...added], names);
    return this.judgeBranches(before, after);
  }

  /** Asks about branches whose conditions read such a pointer. */
  private judgeValidPointers(others: readonly Specification[], added: readonly Specification[]): Promise<Permission> {
    const before = this.branchesUnder(others, 'all');
    const after = [...this.branchesUnder([...others, ...added], 'all')].filter(([, branches]) =>
      branches.some(({ system: { memoryModel, vocabulary }, guard }) =>
        [...symbolsOf(guard)].some((symbol) => {
          const meaning = vocabulary.meaning(symbol);
          const role = meaning?.kind === 'memory' ? meaning.memory.role : undefined;
          return role?.kind === 'slot' && role.slot !== 'byte' && memoryModel.validMembers.at(role.node, role.slot);
        }),
      ),
    );
    return this.judgeBranches(before, new Map(after));
  }

  private judgeBranches(
    before: ReadonlyMap<string, readonly BranchIn[]>,
    after: ReadonlyMap<string, readonly BranchIn[]>,
  ): Promise<Permission> {
    return firstObjection(
      [...after].map(([key, branches]) => async () => {
        const known = before.get(key);
        const { edge, function: fn } = branches[0]!;
        return known
          ? objection(
              edge,
              fn.name,
              () => this.anyPossible(branches),
              () => this.anyPossible(known),
            )
          : permissive;
      }),
    );
  }

  private anyPossible(branches: readonly BranchIn[]): Promise<Possible> {
    return anyOf(branches, (branch) => {
      const { system, transition } = branch;
      const { fn } = transition.from!;
      const said = transition.from!.kind === 'entry' && system.options.entries.includes(fn) ? branch.required : [];
      return this.isPossible(system, fn, branch, said);
    });
  }

  /** Branches of the module's functions, or those that call one of `names`, directly or not; by place and outcome. */
  private branchesUnder(
    specifications: readonly Specification[],
    names: ReadonlySet<string> | 'all',
  ): ReadonlyMap<string, readonly BranchIn[]> {
    const under = this.problem.under(specifications, this.budget);
    const found = new Map<string, BranchIn[]>();
    const affected = names === 'all' ? new Set(under.program.functions) : callersOf(under.program, names);
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

  private async judgeAt(
    name: string,
    others: readonly Specification[],
    added: readonly Specification[],
    how: 'quickly' | 'from scratch',
  ): Promise<Permission> {
    const fn = this.problem.program.functionByName.get(name)!;
    const system = this.systemOf(fn);
    const known = others.filter((one) => one.kind === 'requires' && one.function === name);
    const before = this.terms(system, fn, known);
    const cure = this.terms(system, fn, added);
    // About memory that the function's own code does not read.
    if (!before || !cure) return permissive;
    if (!this.countsBranches) return this.judgeStatedCalls(system, fn, before, cure);
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
    const mentioned = how === 'from scratch' ? symbolsOf : symbolsOfValues;
    // Guards about other symbols are decided by something else.
    const depending = new Map(
      [...byEdge].filter(([, branches]) =>
        branches.some(({ guard }) => asked.some((symbol) => mentioned(guard).has(symbol))),
      ),
    );
    const inRuns =
      how === 'from scratch'
        ? new Set<Edge>()
        : this.branchesInRuns(fn, new Set(depending.keys()), [...others, ...added]);
    return firstObjection([
      () => this.judgeStatedCalls(system, fn, before, cure),
      ...[...depending].flatMap(([edge, branches]) => {
        if (inRuns.has(edge)) return [];
        const possible = (terms: readonly Term[], which: 'any' | 'as asserted'): Promise<Possible> =>
          anyOf(branches, (branch) => {
            const said = branch.transition.from!.kind === 'entry' ? terms : terms.filter((term) => isOnly(term, kept));
            return this.isPossible(system, fn, branch, which === 'any' ? said : [...said, branch.asserted]);
          });
        const { name } = branches[0]!.function;
        return () =>
          objection(
            edge,
            name,
            () => possible([...before, ...cure], 'any'),
            () => possible(before, 'as asserted'),
          );
      }),
    ]);
  }

  /** Branches that are taken in runs of clients that keep the specifications. */
  private branchesInRuns(
    fn: FunctionDefinition,
    wanted: ReadonlySet<Edge>,
    specifications: readonly Specification[],
  ): ReadonlySet<Edge> {
    if (wanted.size === 0) return wanted;
    const under = this.problem.under(specifications, this.budget);
    return under.program === this.problem.program ? this.inRuns.taken(under, fn, wanted) : new Set();
  }

  /** Calls that the user has stated as possible must be left. */
  private judgeStatedCalls(
    system: TransitionSystem,
    fn: FunctionDefinition,
    before: readonly Term[],
    cure: readonly Term[],
  ): Promise<Permission> {
    const stated = (this.problem.task.possible ?? []).filter((one) => one.function === fn.name);
    return firstObjection(
      stated.map((one) => async () => {
        const calls = preconditionTerms({ ...this.problem.task, requires: [one] }, fn, system);
        // About memory that the function's own code does not read.
        if (!calls) return permissive;
        const said = one.said && ('c' in one.said ? one.said.c : one.said.host);
        const clients = system.clientAssumptions(fn);
        return judged(
          { place: sourceLocationOf(fn.span, fn.name), condition: said ?? '', outcome: true, stated: true },
          () => this.areSatisfiable(system, [...clients, ...before, ...cure, ...calls]),
          // Preconditions that the user states as well may rule them out.
          () => this.areSatisfiable(system, [...clients, ...before, ...calls]),
        );
      }),
    );
  }

  private async isPossible(
    system: TransitionSystem,
    fn: FunctionDefinition,
    { guard, assertion = L.TRUE, transition }: PossibleBranch,
    said: readonly Term[],
  ): Promise<Possible> {
    if (guard === L.FALSE || assertion === L.FALSE) return 'no';
    const clients = transition.from!.kind === 'entry' ? system.clientAssumptions(fn) : [];
    return this.areSatisfiable(system, [...transition.axioms, ...clients, ...said, guard, assertion]);
  }

  private async areSatisfiable({ vocabulary }: TransitionSystem, terms: readonly Term[]): Promise<Possible> {
    const all = [...terms, ...vocabulary.readAxioms(terms, new Set())];
    for (const attempt of ['first', 'again'] as const) {
      const budget = attempt === 'first' || this.mayAskAgain ? this.query(attempt) : undefined;
      if (!budget) break;
      const { kind } = await this.solver.check(all, budget);
      if (kind !== 'unknown') return kind === 'sat' ? 'yes' : 'no';
      if (attempt === 'again') this.mayAskAgain = false;
    }
    return 'unknown';
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

/** The first part that kills something, or else the first that is undecided. */
async function firstObjection(parts: readonly (() => Promise<Permission>)[]): Promise<Permission> {
  let first = permissive;
  for (const part of parts) {
    const permission = await part();
    if (permission.kind === 'kills') return permission;
    if (first.kind === 'permissive') first = permission;
  }
  return first;
}

const objection = (
  edge: Edge,
  functionName: string,
  after: () => Promise<Possible>,
  before: () => Promise<Possible>,
): Promise<Permission> =>
  judged(
    {
      place: sourceLocationOf(edge.span, functionName),
      condition: edge.span.file.text.slice(edge.span.start, edge.span.end).replace(/\s+/g, ' '),
      outcome: isTrueOutcome(edge),
    },
    after,
    before,
  );

/** Impossible before, it is no loss. */
async function judged(
  branch: BranchOutcome,
  after: () => Promise<Possible>,
  before: () => Promise<Possible>,
): Promise<Permission> {
  const isLeft = await after();
  if (isLeft === 'yes') return permissive;
  const was = await before();
  if (was === 'no') return permissive;
  return { kind: isLeft === 'no' && was === 'yes' ? 'kills' : 'undecided', branch };
}

async function anyOf<T>(all: readonly T[], ask: (one: T) => Promise<Possible>): Promise<Possible> {
  let answer: Possible = 'no';
  for (const one of all) {
    const possible = await ask(one);
    if (possible === 'yes') return 'yes';
    if (possible === 'unknown') answer = 'unknown';
  }
  return answer;
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
