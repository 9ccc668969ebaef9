/**
 * A proof with call stacks, discharged again: the cases of the states at each cutpoint under each stack of waiting
 * calls. The system and its stacks are built anew from the program, and each step is checked by fresh queries:
 *
 *   whatever the start leads to is in a case; no step leads from a case to a state that is in none; no check in force
 *   can fail in a case.
 *
 * A case names the one that each step leads to. That is a hint, which makes a query one about conjunctions: where the
 * hint is wrong, all cases of the place count.
 *
 * Shares with the engine the semantics (program to formulas, and the unfolding of calls) and the solver, nothing else.
 */
import { CallStackGraph } from '../../abstraction/transitionSystem/callStackGraph';
import { type GraphNode, type Step, symbolsOfFrames } from '../../abstraction/transitionSystem/transitionGraph';
import { type SystemOptions, TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import { symbolsOf } from '../../logic/symbols';
import type { Term } from '../../logic/term';
import type { Program } from '../../program/program';
import type { QueryBudget, Solver } from '../../solver/solver';
import { type CertifyResult, edgeBehindNoCutpoint } from './certificateChecker';
import { askedIn } from './certify';

export interface CertificateCase {
  readonly claims: readonly Term[];
  /** By position of a step among those that leave the place: the position of a case at its end. */
  readonly next: readonly (number | undefined)[];
}

/** By the key of a place of the `CallStackGraph`; all states are allowed where there is no entry. */
export type CallStackCertificate = ReadonlyMap<string, readonly CertificateCase[]>;

const limits = {
  /** Cases in one query, and how long that is tried before each is asked by itself. */
  group: 8,
  groupMs: 1000,
} as const;

const anyState: readonly CertificateCase[] = [{ claims: [], next: [] }];

export async function certifyCallStacks(
  program: Program,
  options: SystemOptions,
  certificate: CallStackCertificate,
  solver: Solver,
  budget: () => QueryBudget,
): Promise<CertifyResult> {
  const system = new TransitionSystem(program, options);
  const graph = CallStackGraph.of(system, Infinity);
  if (!graph) return { kind: 'refuted', why: 'the calls of the program cannot be unfolded' };
  const forgotten = edgeBehindNoCutpoint(system);
  if (forgotten) return { kind: 'refuted', why: forgotten };
  const keys = new Set(graph.nodes.map((node) => graph.keyOf(node)));
  if (keys.size < graph.nodes.length || [...certificate.keys()].some((key) => !keys.has(key)))
    return { kind: 'refuted', why: 'the certificate is for another program' };
  if (!(certificate.get(graph.keyOf(graph.start)) ?? anyState).some(({ claims }) => claims.length === 0))
    return { kind: 'refuted', why: 'the certificate leaves out executions from their start' };
  const casesAt = (node: GraphNode): readonly CertificateCase[] => certificate.get(graph.keyOf(node)) ?? anyState;
  // A symbol of a step's own (an input, a havoc) would be constrained by what is claimed of states.
  for (const node of graph.nodes) {
    const own = new Set<Term>(symbolsOfFrames(graph.framesAt(node), system));
    const foreign = casesAt(node)
      .flatMap(({ claims }) => claims.flatMap((term) => [...symbolsOf(term)]))
      .find((symbol) => !own.has(symbol));
    if (foreign) return { kind: 'refuted', why: `a claim mentions ${foreign.name}, which is no part of the state` };
  }
  const checker = new StepChecker(system, casesAt, solver, budget);
  for (const step of graph.steps) {
    const failure = await checker.failure(step);
    if (failure) return { ...failure, why: `${describe(step)}: ${failure.why}` };
  }
  return { kind: 'certified', obligations: askedIn(system).length, queries: checker.queries };
}

type StepFailure = Exclude<CertifyResult, { readonly kind: 'certified' }>;

class StepChecker {
  queries = 0;

  constructor(
    private readonly system: TransitionSystem,
    private readonly casesAt: (node: GraphNode) => readonly CertificateCase[],
    private readonly solver: Solver,
    private readonly budget: () => QueryBudget,
  ) {}

  /** Undefined: the step leads from each case to a case, and no check fails on it. */
  async failure(step: Step): Promise<StepFailure | undefined> {
    // Axioms about the end of a step are assumed only where control enters a function or comes back.
    const isEntered = step.kind === 'start' || step.kind === 'client' || step.kind === 'return';
    const premises = isEntered ? step.premises : [];
    const known = [...step.from.known, ...premises, step.guard];
    const targets = step.kind === 'error' ? [] : this.casesAt(step.to).map(({ claims }) => after(claims, step));
    const position = step.from.leaving.indexOf(step);
    const sources = this.casesAt(step.from).map(({ claims, next }) => {
      const hinted = targets[next[position] ?? -1];
      return { claims, escape: escape(claims, hinted ? [hinted] : targets), isHinted: hinted !== undefined };
    });
    for (let i = 0; i < sources.length; i += limits.group) {
      const group = sources.slice(i, i + limits.group);
      const escapes = L.or(...group.map((source) => source.escape));
      const { timeoutMs, ...rest } = this.budget();
      const isOne = group.length === 1;
      const all = await this.query([...known, escapes], {
        ...rest,
        timeoutMs: isOne ? timeoutMs : Math.min(timeoutMs, limits.groupMs),
      });
      if (all === 'excluded') continue;
      for (const source of group) {
        let answer = isOne ? all : await this.query([...known, source.escape], this.budget());
        if (answer === 'possible' && source.isHinted)
          answer = await this.query([...known, escape(source.claims, targets)], this.budget());
        if (answer === 'unknown') return { kind: 'unknown', why: 'the solver gave up' };
        if (answer === 'possible')
          return {
            kind: 'refuted',
            why: step.kind === 'error' ? 'a check can fail' : 'a state beyond the invariant can be reached',
          };
      }
    }
    return undefined;
  }

  private async query(terms: readonly Term[], budget: QueryBudget): Promise<'excluded' | 'possible' | 'unknown'> {
    if (L.and(...terms) === L.FALSE) return 'excluded';
    this.queries++;
    const answer = await this.solver.check([...terms, ...this.system.vocabulary.readAxioms(terms, new Set())], budget);
    if (answer.kind === 'unsat') return 'excluded';
    return answer.kind === 'sat' && !answer.model.partial ? 'possible' : 'unknown';
  }
}

const after = (claims: readonly Term[], step: Step): readonly Term[] => substituteAll(claims, new Map(step.after));

/** States of a case from which none of the targets is reached. */
function escape(claims: readonly Term[], targets: readonly (readonly Term[])[]): Term {
  const given = new Set(claims);
  return L.and(...claims, ...targets.map((target) => L.not(L.and(...target.filter((term) => !given.has(term))))));
}

function describe({ kind, from, to }: Step): string {
  const place = ({ point, kind: other }: GraphNode): string => (point ? `${point.fn.name}:${point.kind}` : other);
  return `${kind} ${place(from)} -> ${place(to)}`;
}
