/** Pointers that are `restrict`, for the assumption that no other pointer leads to what they access. */
import type { Span } from '../source';
import type { Declarator, Specifiers } from '../syntax';
import type { ElaborationContext } from './context';

/** Compilers may assume that no other pointer leads to what is changed through this one (6.7.3.1). */
export function noteRestrict(
  ctx: ElaborationContext,
  { qualifiers }: Specifiers,
  declarator: Declarator,
  span: Span,
): void {
  let isRestrict = qualifiers.restrict;
  for (let d = declarator; d.kind !== 'name'; d = d.inner) isRestrict ||= hasRestrict(d);
  if (isRestrict) ctx.restricted.push(span);
}

/** The declared pointer itself is `restrict`, and not one that it leads to. */
export function isRestrictPointer({ qualifiers }: Specifiers, declarator: Declarator): boolean {
  if (declarator.kind === 'name') return qualifiers.restrict;
  let d = declarator;
  while (d.inner.kind !== 'name') d = d.inner;
  return hasRestrict(d);
}

const hasRestrict = (d: Declarator): boolean => (d.kind === 'pointer' || d.kind === 'array') && d.qualifiers.restrict;
