/**
 * k-induction (Sheeran, Singh, Stålmarck, "Checking safety properties using induction and a SAT-solver", FMCAD 2000),
 * for the first k with which the checks cannot fail: with the known invariants first, which makes small queries, so
 * that k may be large; then with candidates that are inductive only for that k.
 */
import { candidatesFrom } from '../../abstraction/candidates/candidates';
import { constantsOf } from '../../abstraction/candidates/observables';
import { conjoin } from '../../abstraction/transitionSystem/invariantMap';
import { TransitionSystem, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import type { Engine } from '../engine';
import { houdini } from './houdini';
import { inductionDepths } from './inductionDepths';
import { openObligations, dischargesAll } from './openObligations';

const limits = {
  /** One query about all checks of a segment. */
  queryMs: 2000,
  /** Share of the stage's budget for finding checks that need more than one state. */
  openChecksShare: 1 / 4,
  /** Number of depths tried with candidates. */
  depthsWithCandidates: 2,
} as const;

/** `alone`: begins with k = 1, which earlier stages of a portfolio have tried. */
export const kInduction = (where: 'alone' | 'in a portfolio'): Engine => ({
  name: 'k-induction',
  applies: (_, { samples }) => (samples ? undefined : 'no states were sampled'),
  async run(problem, known, budget) {
    const { system: sampled, samples } = known.samples!;
    const solver = problem.solvers.instances;
    const stop = (): boolean => budget.exhausted !== undefined;
    const options = problem.systemOptions();
    const nothing = {
      kind: 'unknown',
      reason: {
        cause: 'probe-too-weak',
        message: 'no candidates from runs are both k-inductive, for a small k, and sufficient',
      },
      learned: known,
    } as const;
    // Checks that hold by the known invariants need no further states.
    const { checks } = await openObligations(sampled, known.invariants, solver, budget.share(limits.openChecksShare));
    const constants = constantsOf(sampled);
    const found = (['plain', 'split'] as const).map((kind) =>
      candidatesFrom(sampled, known.invariants, samples, constants, kind),
    );
    const attempts = [
      ...(where === 'alone' ? ([1] as const).flatMap((k) => [[k, 'known'] as const, [k, 'candidates'] as const]) : []),
      ...inductionDepths.map((k) => [k, 'known'] as const),
      ...inductionDepths.slice(0, limits.depthsWithCandidates).map((k) => [k, 'candidates'] as const),
    ];
    for (const [k, what] of attempts) {
      if (stop()) return nothing;
      const longer: SystemOptions = { ...options, ...(k > 1 && { induction: k }) };
      const system = new TransitionSystem(problem.program, longer);
      if (k > 1 && system.transitions.every(({ through }) => through.length === 0)) continue;
      let { invariants } = known;
      if (what === 'candidates') {
        const candidates = new Map(
          system.points.map((point) => [
            point,
            [...new Set(found.flatMap((kind) => kind.get(sampled.point(point.key)) ?? []))],
          ]),
        );
        const query = budget.moderateQuery();
        const kept = await houdini(system, invariants, candidates, solver, { query, stop });
        if (!kept) return nothing;
        invariants = conjoin(invariants, kept);
      }
      const effort = () => ({ timeoutMs: Math.max(1, Math.min(limits.queryMs, budget.leftMs)) });
      if (await dischargesAll(system, invariants, checks, solver, effort))
        return {
          kind: 'unknown',
          reason: undefined,
          learned: { ...known, strengthened: { by: 'k-induction', system, invariants } },
        };
    }
    return nothing;
  },
});
