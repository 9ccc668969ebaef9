/**
 * Short loops become part of their segments, so that they need no invariant. That no execution stays longer is proved
 * like everything else: the head of an unrolled loop gets the invariant `false` (unwinding assertions: Clarke,
 * Kroening, Lerda, TACAS 2004).
 */
import { candidatesFrom } from '../../abstraction/candidates/candidates';
import { constantsOf } from '../../abstraction/candidates/observables';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { conjoin } from '../../abstraction/transitionSystem/invariantMap';
import { TransitionSystem, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import * as L from '../../logic/build';
import type { Engine } from '../engine';
import { houdini } from './houdini';

const limits = {
  /** Rounds to unroll, as multiples of what runs needed. */
  slack: [1, 2, 4],
  /** Fraction of time left for one of them. */
  share: 1 / 3,
} as const;

export const loopUnrolling: Engine = {
  name: 'loop-unrolling',
  applies: (_, { samples }) => (samples ? undefined : 'no states were sampled'),
  async run(problem, known, budget) {
    const { system: sampled, samples, rounds } = known.samples!;
    for (const slack of limits.slack) {
      const options: SystemOptions = { ...problem.systemOptions(), unroll: rounds.plan(sampled.functions, slack) };
      const system = new TransitionSystem(problem.program, options);
      if (system.unrolled.size === 0) break;
      const isHead = (point: Cutpoint): boolean => system.unrolled.has(point.location);
      const plain = candidatesFrom(sampled, known.invariants, samples, constantsOf(sampled), 'plain');
      const candidates = new Map(
        system.points.map((point) => [point, isHead(point) ? [L.FALSE] : (plain.get(sampled.point(point.key)) ?? [])]),
      );
      const share = budget.share(limits.share);
      const kept = await houdini(system, known.invariants, candidates, problem.solvers.instances, {
        query: budget.query(),
        stop: () => share.exhausted !== undefined,
      });
      if (!kept) break;
      if (system.points.some((point) => isHead(point) && !kept.get(point.key)!.includes(L.FALSE))) continue;
      const invariants = conjoin(known.invariants, kept);
      return {
        kind: 'unknown',
        reason: undefined,
        learned: { ...known, strengthened: { by: 'loop-unrolling', system, invariants } },
      };
    }
    return { kind: 'unknown', reason: undefined, learned: known };
  },
};
