/**
 * A proof with call stacks, discharged again: what holds at each cutpoint under each stack of waiting calls. The system
 * and its stacks are built anew from the program, and each step is checked by a fresh query:
 *
 *   whatever the start leads to is allowed; no step leads from an allowed state to one that is not; no check in force
 *   can fail in an allowed state.
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
import { askedIn, type CertifyResult, edgeBehindNoCutpoint } from './certify';

/** By the key of a place of the `CallStackGraph`; everything holds where there is none. */
export type CallStackCertificate = ReadonlyMap<string, readonly Term[]>;

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
  const allowedAt = (node: GraphNode): readonly Term[] => certificate.get(graph.keyOf(node)) ?? [];
  // A symbol of a step's own (an input, a havoc) would be constrained by what is claimed of states.
  for (const node of graph.nodes) {
    const own = new Set<Term>(symbolsOfFrames(graph.framesAt(node), system));
    const foreign = allowedAt(node)
      .flatMap((term) => [...symbolsOf(term)])
      .find((symbol) => !own.has(symbol));
    if (foreign) return { kind: 'refuted', why: `a claim mentions ${foreign.name}, which is no part of the state` };
  }
  let queries = 0;
  for (const step of graph.steps) {
    const escapes =
      step.kind === 'error' ? L.TRUE : L.not(L.and(...substituteAll(allowedAt(step.to), new Map(step.after))));
    // Axioms about the end of a step are assumed only where control enters a function or comes back.
    const premises = step.kind === 'start' || step.kind === 'return' ? step.premises : [];
    const terms = [...step.from.known, ...allowedAt(step.from), ...premises, step.guard, escapes];
    if (L.and(...terms) === L.FALSE) continue;
    queries++;
    const answer = await solver.check([...terms, ...system.vocabulary.readAxioms(terms, new Set())], budget());
    if (answer.kind === 'unsat') continue;
    const failure = step.kind === 'error' ? 'a check can fail' : 'a state beyond the invariant can be reached';
    return answer.kind === 'sat' && !answer.model.partial
      ? { kind: 'refuted', why: `${describe(step)}: ${failure}` }
      : { kind: 'unknown', why: `${describe(step)}: the solver gave up` };
  }
  return { kind: 'certified', obligations: askedIn(system).length, queries };
}

function describe({ kind, from, to }: Step): string {
  const place = ({ point, kind: other }: GraphNode): string => (point ? `${point.fn.name}:${point.kind}` : other);
  return `${kind} ${place(from)} -> ${place(to)}`;
}
