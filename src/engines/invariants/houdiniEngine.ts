/**
 * Stages that guess invariants from sampled states and keep what is inductive (Houdini), one kind of candidate after
 * the other, each stage relative to those before.
 */
import { candidatesFrom, constantsOf, type CandidateKind } from '../../abstraction/candidates/candidates';
import { conjoin, type InvariantMap, isSameSize } from '../../abstraction/transitionSystem/invariantMap';
import type { System } from '../../abstraction/transitionSystem/transitionSystem';
import type { Engine, Knowledge } from '../engine';
import { isAt, type StageName } from '../registry';
import { houdini } from './houdini';

/** Kinds of which many programs have no candidates: their stages are skipped then. */
const special: ReadonlySet<CandidateKind> = new Set([
  'conditions',
  'extents',
  'objects',
  'elements',
  'modes',
  'curves',
]);

/** `after`: continues a stage that has gained invariants, and counts as a part of it. */
export const houdiniOf = (
  kind: CandidateKind,
  after?: `houdini:${CandidateKind}` | `houdini:${CandidateKind}+${CandidateKind}`,
): Engine => {
  const name: StageName = after === undefined ? `houdini:${kind}` : `${after}+${kind}`;
  return {
    name,
    applies: (_, { samples }) => (samples ? undefined : 'no states were sampled'),
    async run(problem, known, budget, events) {
      const { system, samples } = known.samples!;
      const strengthen = (invariants: InvariantMap): Knowledge => ({
        ...known,
        invariants,
        strengthened: { by: after ?? name, system, invariants },
      });
      // The search of an earlier run was saved here, and what it had left is inductive.
      if (wasSearched(known, name))
        return { kind: 'unknown', reason: undefined, learned: strengthen(known.invariants) };
      const candidates = candidatesFrom(system, known.invariants, samples, constantsOf(system), kind);
      if (special.has(kind) && [...candidates.values()].every((terms) => terms.length === 0))
        return { kind: 'unknown', reason: undefined, learned: known };
      const kept = await houdini(system, known.invariants, candidates, problem.solvers.instances, {
        query: budget.query(),
        stop: () => budget.exhausted !== undefined,
        left: saving(known, system, name),
      });
      if (!kept) events.difficulty('the search for inductive facts was cut by the budget');
      const invariants = kept ? conjoin(known.invariants, kept) : known.invariants;
      if (special.has(kind) && isSameSize(invariants, known.invariants))
        return { kind: 'unknown', reason: undefined, learned: known };
      return { kind: 'unknown', reason: undefined, learned: strengthen(invariants) };
    },
  };
};

/** Saves the candidates that are left, for a run that begins where this one is cut. */
export const saving =
  ({ reuse, invariants }: Knowledge, system: System, stage: StageName, searched = true) =>
  (left: InvariantMap): void =>
    reuse?.keepCandidates(system, conjoin(invariants, left), { stage, searched });

const wasSearched = ({ reuse, resumed }: Knowledge, stage: StageName): boolean =>
  resumed && reuse?.unfinished?.searched === true && isAt(stage, reuse.unfinished.stage);
