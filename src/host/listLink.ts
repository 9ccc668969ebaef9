/** Words for conditions on lists, and the member by which a structure leads on to another of its kind. */
import type { CType } from '../c/types';
import { namedFields } from './values/encode';
import { formatType } from './typeText';

export const listWords = ['acyclic', 'reach', 'every', 'length'] as const;
export type ListWord = (typeof listWords)[number];

export const isListWord = (word: string): word is ListWord => (listWords as readonly string[]).includes(word);

export type ListLink =
  { readonly kind: 'link'; readonly member: string } | { readonly kind: 'none'; readonly why: string };

/** The link called `named`, or the only one. */
export function linkOf(node: CType, named: string | undefined): ListLink {
  const links =
    node.kind === 'record'
      ? namedFields(node).filter(
          ({ type }) => type.kind === 'pointer' && type.to.kind === 'record' && type.to.record === node.record,
        )
      : [];
  const names = links.map(({ name }) => name);
  if (names.length === 0)
    return { kind: 'none', why: `'${formatType(node)}' is no node of a list: no member leads to another of its kind` };
  if (named !== undefined)
    return names.includes(named)
      ? { kind: 'link', member: named }
      : { kind: 'none', why: `'${named}' is no link of '${formatType(node)}': it has ${names.join(', ')}` };
  return names.length === 1
    ? { kind: 'link', member: names[0]! }
    : {
        kind: 'none',
        why:
          `'${formatType(node)}' has the links ${names.join(', ')}: name one as the last argument, as in ` +
          `acyclic(l, ${names[0]!})`,
      };
}
