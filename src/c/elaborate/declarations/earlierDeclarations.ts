/** Earlier declarations of a name, and how errors mention them. */
import type { Span } from '../../source';
import type { ElaborationContext } from '../context';
import type { Entry } from '../scope';

/** Points at the declaration before. */
export const previously = (span: Span): { notes: readonly { message: string; span: Span }[] } => ({
  notes: [{ message: 'the previous declaration is here', span }],
});

/** A declaration of the same name in the same scope, which must be of the same kind. */
export function sameScope<Kind extends Entry['kind']>(
  ctx: ElaborationContext,
  name: string,
  kind: Kind,
  span: Span,
): Extract<Entry, { kind: Kind }> | undefined {
  const previous = ctx.scope.names.get(name);
  if (!previous) return undefined;
  if (previous.kind === 'poison') return undefined;
  if (previous.kind !== kind)
    return ctx.log.fail(`'${name}' is declared as something else before`, span, previously(previous.span));
  return previous as Extract<Entry, { kind: Kind }>;
}
