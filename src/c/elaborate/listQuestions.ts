/**
 * `PROVEST_ACYCLIC(l)` and the other conditions on lists of `provest.h`. The type of `l` determines the member that
 * leads from node to node, or the last argument names it; the call becomes one of a function that gets its place.
 */
import { sizeOf } from '../layout';
import { linkOf } from '../listLink';
import { printType } from '../printType';
import type { Span } from '../source';
import type { SyntaxExpression } from '../syntax';
import type { RecordType } from '../types';
import type { ElaborationContext } from './context';
import { rvalueOf } from './expressions';

interface Question {
  readonly macro: string;
  readonly function: string;
  readonly pointers: 1 | 2;
}

const questions: ReadonlyMap<string, Question> = new Map([
  ['__provest_acyclic', { macro: 'PROVEST_ACYCLIC', function: '__provest_list_ends', pointers: 1 }],
  ['__provest_reach', { macro: 'PROVEST_REACH', function: '__provest_list_has', pointers: 2 }],
  ['__provest_list_length', { macro: 'PROVEST_LIST_LENGTH', function: '__provest_list_nodes', pointers: 1 }],
]);

/** Undefined if the name is none of theirs. */
export function listQuestionCall(
  ctx: ElaborationContext,
  name: string,
  args: readonly SyntaxExpression[],
  span: Span,
): SyntaxExpression | undefined {
  const question = questions.get(name);
  if (!question) return undefined;
  const { macro, pointers } = question;
  const given = args.slice(0, pointers);
  const [list] = given;
  const named = args[pointers];
  if (!list || given.length < pointers || args.length > pointers + 1)
    return ctx.log.fail(
      `${macro} takes ${pointers === 1 ? 'a pointer' : 'two pointers'} to nodes, and may be given the name of the link`,
      span,
    );
  const [node, other] = given.map((pointer) => nodeType(ctx, macro, pointer)) as [RecordType, RecordType?];
  if (other && other.record !== node.record)
    return ctx.log.fail(
      `${macro} looks for a node of a list of '${printType(node)}'; this leads to '${printType(other)}'`,
      given[1]!.span,
    );
  if (named && named.kind !== 'identifier')
    return ctx.log.fail(`the last argument of ${macro} is the name of a member`, named.span);
  const link = linkOf(node, named?.name, macro);
  if (link.kind === 'none') return ctx.log.fail(link.why, (named ?? list).span);
  const number = (value: number): SyntaxExpression => ({ kind: 'number', text: `${value}ul`, span });
  return {
    kind: 'call',
    callee: { kind: 'identifier', name: question.function, span },
    arguments: [...given, number(link.offsetBytes), number(sizeOf(node, ctx.model) ?? 1)],
    span,
  };
}

function nodeType(ctx: ElaborationContext, macro: string, pointer: SyntaxExpression): RecordType {
  const { type } = ctx.withoutEvaluation(() => rvalueOf(ctx, pointer));
  if (type.kind !== 'pointer' || type.to.kind !== 'record')
    return ctx.log.fail(
      `${macro} is about a pointer to the nodes of a list; this is '${printType(type)}'`,
      pointer.span,
    );
  return type.to;
}
