/**
 * From a claim to a verdict: a proof is certified, a failing execution replayed. No engine answers by itself.
 */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Verdict } from '../../verdict';
import type { FailingExecution, Knowledge, Proof } from '../engine';
import type { StageName } from '../registry';
import type { Certification } from './certification';
import type { Counterexamples } from './counterexamples';

export type EngineClaim =
  { readonly kind: 'safe'; readonly proof: Proof } | { readonly kind: 'unsafe'; readonly failure: FailingExecution };

/** Who checks claims. */
export interface Checkers {
  readonly certification: Certification;
  readonly counterexamples: Counterexamples;
}

/** The verdict is `proved` or `bug` when the claim is accepted; undefined, or another one with the reason, when not. */
export async function conclude(
  claim: EngineClaim,
  by: StageName,
  { reuse, strengthened, parts: others }: Knowledge,
  asked: string,
  { certification, counterexamples }: Checkers,
): Promise<Verdict | undefined> {
  if (claim.kind === 'unsafe') return counterexamples.of(claim.failure, { engine: answersAs(asked, by), reuse });
  const { proof } = claim;
  switch (proof.kind) {
    case 'invariant': {
      const { abstraction, reused } = proof;
      const learnedBy = by === 'discharge' ? strengthened!.by : by;
      const engine = answersAs(asked, learnedBy, abstraction.system);
      // It is about what the parts are not about.
      if (abstraction.system.options.weakening) return certification.parts([abstraction, ...others], { engine, reuse });
      return certification.invariant(abstraction, { engine, reused, reuse });
    }
    case 'parts': {
      const { parts, remark } = proof;
      return certification.parts(parts, {
        engine: answersAs(asked, by),
        reuse,
        ...(remark !== undefined && { remark }),
      });
    }
    case 'call-stacks':
      if (proof.abstraction.system.options.weakening) return undefined;
      return certification.callStacks(proof.certificate, proof.abstraction, { engine: answersAs(asked, by) });
    case 'unwinding':
      // It is not joined with proofs of the other checks.
      if (proof.system.options.weakening) return undefined;
      return certification.unwinding(proof.certificate, proof.system.options);
    case 'execution':
      return certification.execution(proof.run);
  }
}

/**
 * The engines that an answer names: the one that was asked for, or the portfolio's base and what completed the proof.
 */
export function answersAs(asked: string, by?: StageName, system?: TransitionSystem): string {
  const isPortfolio = asked === 'auto';
  const base = isPortfolio || asked === 'k-induction' ? 'test-based-abstraction' : asked;
  if (system?.options.induction !== undefined) return isPortfolio ? `${base}, k-induction` : 'k-induction';
  if (!isPortfolio) return base;
  if (by === 'reduced:components') return base;
  if (by === 'reduced:shrinking') return `${base}, loop shrinking`;
  if (by?.startsWith('reduced:')) return `${base}, slices`;
  if (by?.startsWith('minimax')) return `${base}, minimax`;
  if (by === 'synergy:alarms') return `${base}, synergy`;
  return by === 'spacer' ? `${base}, spacer` : base;
}
