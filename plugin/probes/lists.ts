/**
 * Conditions on the list to which a pointer of a probe's state leads: `acyclic(s.head)`. As functions they walk along
 * the link; in a formula they are the same conditions of C text.
 */
import type { CallExpression, Expression, NewExpression, OptionalCallExpression } from '@babel/types';
import type { CType } from '../../src/c/types';
import { pointeeType } from '../../src/host/globals';
import { isListWord, linkOf, type ListWord } from '../../src/host/listLink';
import { nodesOf } from './evaluateProbe';

function linkAt(list: unknown, word: ListWord, link: string | undefined): string | undefined {
  if (list === null) return undefined;
  const type = typeof list === 'object' ? (list as { readonly [pointeeType]?: CType })[pointeeType] : undefined;
  if (!type) throw new TypeError(`${word} is about a pointer of the state that a probe or precondition gets`);
  const found = linkOf(type, link);
  if (found.kind === 'none') throw new TypeError(`${word}: ${found.why}`);
  return found.member;
}

function listAt(list: unknown, word: ListWord, link: string | undefined): readonly unknown[] | undefined {
  const member = linkAt(list, word, link);
  return member === undefined ? [] : nodesOf(list, member);
}

/**
 * True if the pointer is null, or leads to a node from which the link leads, node by node, to null. All nodes live.
 * `link` names the member where a node has several.
 */
export function acyclic(list: unknown, link?: string): boolean {
  return listAt(list, 'acyclic', link) !== undefined;
}

/** True if `node` is on the list, which ends in null. */
export function reach(list: unknown, node: unknown, link?: string): boolean {
  return listAt(list, 'reach', link)?.includes(node) ?? false;
}

/** True if the list ends in null and the condition holds of each of its nodes. */
export function every<Node>(list: Node, condition: (node: NonNullable<Node>) => unknown, link?: string): boolean {
  return listAt(list, 'every', link)?.every((node) => Boolean(condition(node as NonNullable<Node>))) ?? false;
}

/** The number of nodes of a list; NaN where it does not end in null. */
export function length(list: unknown, link?: string): number {
  return listAt(list, 'length', link)?.length ?? Number.NaN;
}

const functions: Readonly<Record<ListWord, unknown>> = { acyclic, reach, every, length };

/**
 * The word that a call is about: the function of that name which this package exports, however the test imports it.
 * `captured` gives values of names in the test; what it does not know is taken for the import.
 */
export function listWordOf(
  { callee }: CallExpression | OptionalCallExpression | NewExpression,
  captured: (name: string) => { readonly found: boolean; readonly value?: unknown },
): ListWord | undefined {
  const called = callee.type === 'SequenceExpression' ? callee.expressions.at(-1)! : (callee as Expression);
  const [root, name] =
    called.type === 'Identifier'
      ? [called.name, called.name]
      : called.type === 'MemberExpression' &&
          !called.computed &&
          called.object.type === 'Identifier' &&
          called.property.type === 'Identifier'
        ? [called.object.name, called.property.name]
        : [];
  if (root === undefined || name === undefined || !isListWord(name)) return undefined;
  const known = captured(root);
  const value =
    called.type === 'Identifier' ? known.value : (known.value as Readonly<Record<string, unknown>> | undefined)?.[name];
  return known.found && value !== functions[name] ? undefined : name;
}
