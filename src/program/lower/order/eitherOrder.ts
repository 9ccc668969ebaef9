/**
 * Operands in either order. C does not specify in which order the operands of an operator and the arguments of a call
 * are evaluated. Lowering evaluates them from left to right, except in the expressions of `LowerOptions.eitherOrder`.
 * There the environment chooses, and both orders are drawn. The program has the results and failures of both.
 *
 * Operands are evaluated as wholes. `evaluationOrder.ts` tells if the two orders are all that C allows.
 */
import type { Span } from '../../../c/source';
import type { TypedExpression as Tree } from '../../../c/tree';
import { binary, integer, read, truth } from '../../build';
import { uint8, type Expression } from '../../expression';
import { orderInput, type OrderChoice } from '../../orderInput';
import { keyOf } from '../../automata/repeatedChecks';
import { operands } from '../../traverse';
import { inArm } from './accesses';
import { branch, orderKey, sourceText, type FunctionLowering, type OperandOrder } from '../context';
import { walkExpression } from '../walk';

/** Deeper nesting would draw an operand more than 8 times. */
const deepest = 3;

/**
 * Draws operands, whose trees these are, in both orders if that is asked for, and from left to right otherwise. `draw`
 * returns their values, which have the same types in both.
 */
export function inEitherOrder<T extends readonly (Expression | undefined)[]>(
  f: FunctionLowering,
  span: Span,
  trees: readonly Tree[],
  draw: (order: OperandOrder, drawn: 'one order' | 'both') => T,
  kind: OrderChoice = 'operands',
): T {
  const key = orderKey(span);
  const isAsked = f.program.options.eitherOrder?.has(key) === true;
  if (!isAsked || f.openOrders.size >= deepest || trees.some(hasStatements)) return draw('left first', 'one order');
  const choice = f.temporary(uint8, 'order');
  f.emit({ kind: 'input', target: choice, name: orderInput(kind, sourceText(span)) }, span);
  const [left, right, after] = [f.draft.location(span), f.draft.location(span), f.draft.location()];
  branch(f, truth(binary('and', read(choice), integer(1, uint8))), right, left, span);
  const outer = f.openOrders.get(key);
  const { calls } = f;
  const arm = (from: typeof left, order: OperandOrder): T => {
    f.draft.startAt(from);
    f.openOrders.set(key, order);
    f.calls = calls;
    return inArm(f, () => draw(order, 'both'));
  };
  // A structure is passed by the address of the object itself, or of a copy where that may have been changed.
  const isSame = (value: Expression, i: number): boolean => trees[i]?.type.kind !== 'record' && isFixed(value);
  const results = arm(left, 'left first').map((value, i) =>
    !value || isSame(value, i) ? { value, target: undefined } : { value, target: f.temporary(value.type, 'operand') },
  );
  const deliver = (values: readonly (Expression | undefined)[]): void => {
    values.forEach((value, i) => {
      const { target, value: first } = results[i]!;
      if (target) f.assign(target, value!, span);
      else if (value && keyOf(value) !== keyOf(first!)) throw new Error('a fixed operand is the same in every order');
    });
    f.draft.goTo(after, span);
  };
  deliver(results.map(({ value }) => value));
  const first = f.accesses.length;
  deliver(arm(right, 'right first'));
  for (const access of f.accesses.slice(first)) access.isRepeated = true;
  if (outer) f.openOrders.set(key, outer);
  else f.openOrders.delete(key);
  f.draft.startAt(after);
  return results.map(({ value, target }) => (target ? read(target) : value)) as readonly (
    Expression | undefined
  )[] as T;
}

/** No command changes it. */
const isFixed = (e: Expression): boolean =>
  e.kind !== 'read' &&
  e.kind !== 'load' &&
  !(e.kind === 'address' && e.of.kind === 'frame-object') &&
  !/^(is-|object-size)/.test(e.kind) &&
  operands(e).every(isFixed);

/** Its statements may have labels, which stand at one place only. */
const hasStatements = (tree: Tree): boolean => contains(tree, 'statement-expression');

export function contains(tree: Tree, kind: Tree['kind']): boolean {
  let found = false;
  walkExpression(tree, {
    expression: (e) => {
      found ||= e.kind === kind;
    },
  });
  return found;
}
