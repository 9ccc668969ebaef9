/**
 * Models of steps that broke candidates, for later searches on the same system. Most of their candidates were tried
 * before: a model that satisfies all that such a search assumes breaks them again, and the solver need not find it.
 */
import type { Transition } from '../../abstraction/transitionSystem/transitionSystem';
import { evaluate, NotComputable } from '../../logic/evaluate';
import { hasQuantifier } from '../../logic/quantifiers/instances';
import type { Term } from '../../logic/term';
import { truthUnder } from '../../solver/model';
import type { Model } from '../../solver/solver';

const limits = {
  /** Models of one transition; the oldest goes first. */
  models: 24,
} as const;

export interface StepModel {
  readonly model: Model;
  /** Asserted beside the transition when the model was found. */
  readonly asserted: ReadonlySet<Term>;
}

const byTransition = new WeakMap<Transition, StepModel[]>();

export const stepModels = (transition: Transition): readonly StepModel[] => byTransition.get(transition) ?? [];

export function rememberModel(transition: Transition, found: StepModel): void {
  const models = byTransition.get(transition);
  if (!models) byTransition.set(transition, [found]);
  else if (models.push(found) > limits.models) models.shift();
}

/** True if the model is one of these assertions, too. */
export const satisfies = ({ model, asserted }: StepModel, assertions: readonly Term[]): boolean =>
  assertions.every((term) => asserted.has(term) || holdsIn(model, term));

/** A model of instances takes a quantifier for true where its query knew nothing of it: there, every value is tried. */
function holdsIn(model: Model, term: Term): boolean {
  if (model.partial !== true || !hasQuantifier(term)) return truthUnder(model, term) === true;
  try {
    return evaluate(term, (symbol) => model.symbol(symbol)) === true;
  } catch (error) {
    if (error instanceof NotComputable) return false;
    throw error;
  }
}
