/**
 * A module, part by part: each part of its state with the functions that need it, by itself. What is proved of parts
 * needs no more work: the rest of the portfolio is about the others.
 */
import type { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { askedIn } from '../../evidence/certificates/certify';
import type { Check } from '../../program/command';
import type { FunctionDefinition } from '../../program/program';
import type { Weakening } from '../../program/automata/weakening';
import { isDeclined, type Reduced, type Reduction } from '../../reductions/reduction';
import type { Engine, Outcome } from '../engine';
import type { Problem } from '../problem';
import { decide, outcomeOfPart, partReport } from './decide';

const limits = {
  /** However many parts there are: in less time hardly any is decided, and with a small budget none would be. */
  leastMs: 2_000,
  /** Candidates of one kind took all of a part's time, and what comes last would have proved it. */
  engineShare: 0.5,
} as const;

/** `inner`: in this order, each with what those before it learned. */
export const partByPart = (reduction: Reduction, inner: readonly Engine[]): Engine => ({
  name: `reduced:${reduction.name}`,
  applies({ task, entries }) {
    if (task.mode !== 'module' || entries.length < 2) return 'there is one function to call';
    return task.predicates === 'probes' || task.probes.length > 0 || task.adequacy || task.explain
      ? 'abstract states are wanted'
      : undefined;
  },
  async run(problem, known, budget, events): Promise<Outcome> {
    const nothing = { kind: 'unknown', reason: undefined, learned: known } as const;
    const system = problem.system;
    const parts = reduction.reduce(system, new Set(askedIn(system)), () => budget.exhausted !== undefined);
    if (isDeclined(parts)) {
      events.onReduction([], parts.why);
      return nothing;
    }
    const proofs: PredicateAbstraction[] = [];
    const open: Reduced[] = [];
    const reports = parts.map((part) => partReport(part, 'put-off'));
    for (const [i, part] of parts.entries()) {
      if (budget.exhausted) {
        open.push(part);
        continue;
      }
      const share = Math.max(1 / (parts.length - i), Math.min(1, limits.leastMs / budget.leftMs));
      const outcome = await decide(problem, part, inner, budget.share(share), {
        sampled: 'as it is',
        engineShare: limits.engineShare,
      });
      reports[i] = partReport(part, outcomeOfPart(outcome));
      events.onReduction(reports);
      if (outcome.kind === 'unsafe') return outcome;
      if (outcome.kind === 'safe') proofs.push(outcome.abstraction);
      else open.push(part);
    }
    if (proofs.length === 0) return nothing;
    if (open.length > 0) {
      const rest = restOf(problem, open, new Set(proofs.flatMap((proof) => askedIn(proof.system))));
      return { ...nothing, learned: { ...known, parts: [...known.parts, ...proofs], rest } };
    }
    const remark = `proved in ${parts.length} parts that need different state`;
    return {
      kind: 'safe',
      proof: { kind: 'parts', parts: [...known.parts, ...proofs], remark },
      ifRefused: known,
    };
  },
});

/** The program for all parts that are open: what matters to none of them does not matter. */
function restOf({ program }: Problem, open: readonly Reduced[], proved: ReadonlySet<Check>): Weakening {
  const weakenings = open.map(({ weakening }) => weakening);
  const asked = new Set(open.flatMap(({ checks }) => [...checks]));
  const dropped = inAll(weakenings.map((one) => one.dropped));
  const assumed = program.functions.flatMap(({ edges }) =>
    edges.filter(({ command }) => command.kind === 'check' && !asked.has(command) && proved.has(command)),
  );
  return {
    dropped: new Set([...dropped].filter(({ command }) => command.kind !== 'check' || !asked.has(command))),
    assumed: new Set(assumed),
    silent: inAll(weakenings.map(({ silent }) => silent ?? new Set<FunctionDefinition>())),
  };
}

function inAll<T>([first, ...others]: readonly ReadonlySet<T>[]): ReadonlySet<T> {
  return new Set([...first!].filter((one) => others.every((other) => other.has(one))));
}
