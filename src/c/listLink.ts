/** The member by which a structure leads on to another of its kind, as the nodes of a list do. */
import { printType } from './printType';
import { withoutQualifiers } from './target';
import type { CType, Field, RecordType } from './types';

export type ListLink =
  | { readonly kind: 'link'; readonly member: string; readonly offsetBytes: number }
  | { readonly kind: 'none'; readonly why: string };

/** The link called `named`, or the only one. `word`: what the message shows by name. */
export function linkOf(node: CType, named: string | undefined, word = 'acyclic'): ListLink {
  const links =
    node.kind === 'record'
      ? members(node).filter(
          ({ type }) => type.kind === 'pointer' && type.to.kind === 'record' && type.to.record === node.record,
        )
      : [];
  const names = links.map(({ name }) => name);
  const text = printType(withoutQualifiers(node));
  if (names.length === 0)
    return { kind: 'none', why: `'${text}' is no node of a list: no member leads to another of its kind` };
  const found = named === undefined ? (links.length === 1 ? links[0] : undefined) : links.find((l) => l.name === named);
  if (found) return { kind: 'link', member: found.name, offsetBytes: found.offsetBytes };
  return {
    kind: 'none',
    why:
      named === undefined
        ? `'${text}' has the links ${names.join(', ')}: name one as the last argument, as in ${word}(l, ${names[0]!})`
        : `'${named}' is no link of '${text}': it has ${names.join(', ')}`,
  };
}

/** Members with a name, those of structures without one included. */
function members(
  type: RecordType,
): readonly { readonly name: string; readonly type: CType; readonly offsetBytes: number }[] {
  return type.record.fields.flatMap(({ name, type: of, offsetBytes }: Field) => {
    if (name !== undefined) return [{ name, type: of, offsetBytes }];
    if (of.kind !== 'record') return [];
    return members(of).map((inner) => ({ ...inner, offsetBytes: inner.offsetBytes + offsetBytes }));
  });
}
