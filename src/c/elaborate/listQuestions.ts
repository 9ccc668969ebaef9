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
import { writtenInC } from './writtenInC';

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

/**
 * `PROVEST_EVERY(l, n, condition, link)`: the node is declared, so that the condition finds it. Its value is
 * that of each node in turn.
 */
function everyCall(ctx: ElaborationContext, args: readonly SyntaxExpression[], span: Span): SyntaxExpression {
  const macro = 'PROVEST_EVERY';
  const [list, name, condition, named, ...more] = args;
  if (!list || !name || !condition || more.length > 0 || name.kind !== 'identifier')
    return ctx.log.fail(
      `${macro} takes a pointer to nodes, a name for each of them, a condition, and may be given the name of the ` +
        `link: ${macro}(l, n, n->value > 0)`,
      span,
    );
  const node = nodeType(ctx, macro, list);
  const { offsetBytes, sizeBytes } = linkIn(ctx, macro, node, named, list);
  const text = `__auto_type __list = 0; __typeof__(__list) ${name.name} = __list;
    __provest_list_all(__list, ${offsetBytes}ul, ${sizeBytes}ul, ${name.name}, 0);`;
  const block = placed(writtenInC(text, ['__list'], [list], span), span);
  const items = block.kind === 'statement-expression' ? block.body.items : [];
  const last = items.at(-1);
  if (block.kind !== 'statement-expression' || last?.kind !== 'expression' || last.expression.kind !== 'call')
    throw new Error('the text above ends in a call');
  const { expression: call } = last;
  const not = (operand: SyntaxExpression): SyntaxExpression => ({ kind: 'prefix', operator: '!', operand, span });
  const isMet: SyntaxExpression = { ...call, arguments: [...call.arguments.slice(0, -1), not(not(condition))] };
  return { ...block, body: { ...block.body, items: [...items.slice(0, -1), { ...last, expression: isMet }] } };
}

/** Nodes of the built-in text get the place of the call; what the user wrote keeps its own. */
function placed<T>(part: T, span: Span): T {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((one: unknown) => placed(one, span)) as T;
  const own = (part as { readonly span?: Span }).span;
  if (own && own.file.path !== '<built-in>' && own !== span) return part;
  return Object.fromEntries(
    Object.entries(part).map(([key, value]) => [key, /span$/i.test(key) ? span : placed(value as unknown, span)]),
  ) as T;
}

function linkIn(
  ctx: ElaborationContext,
  macro: string,
  node: RecordType,
  named: SyntaxExpression | undefined,
  list: SyntaxExpression,
): { readonly offsetBytes: number; readonly sizeBytes: number } {
  if (named && named.kind !== 'identifier')
    return ctx.log.fail(`the last argument of ${macro} is the name of a member`, named.span);
  const link = linkOf(node, named?.name, macro);
  if (link.kind === 'none') return ctx.log.fail(link.why, (named ?? list).span);
  return { offsetBytes: link.offsetBytes, sizeBytes: sizeOf(node, ctx.model) ?? 1 };
}

/** Undefined if the name is none of theirs. */
export function listQuestionCall(
  ctx: ElaborationContext,
  name: string,
  args: readonly SyntaxExpression[],
  span: Span,
): SyntaxExpression | undefined {
  if (name === '__provest_every') return everyCall(ctx, args, span);
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
  const { offsetBytes, sizeBytes } = linkIn(ctx, macro, node, named, list);
  const number = (value: number): SyntaxExpression => ({ kind: 'number', text: `${value}ul`, span });
  return {
    kind: 'call',
    callee: { kind: 'identifier', name: question.function, span },
    arguments: [...given, number(offsetBytes), number(sizeBytes)],
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
