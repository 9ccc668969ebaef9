/** Texts of subterms, the scopes that name them, and how deep below quantifiers they stand. */
import { symbolsOf } from '../symbols';
import type { SymbolTerm, Term } from '../term';
import type { Signedness } from '../words/words';

/** The text of a subterm; words also have bounds of the integer that stands for them. */
export interface EncodedTerm {
  readonly text: string;
  readonly low: bigint;
  readonly high: bigint;
  readonly scope: NamingScope;
  readonly signednesses: Map<Signedness, string>;
}

/** A scope of named texts: definitions outside all quantifiers, `let` below one. */
export interface NamingScope {
  readonly depth: number;
  readonly entries: Map<Term, EncodedTerm>;
  name(text: string, sort: string): string;
}

/** Thrown for a term without an exact text. */
export class Unencodable extends Error {}

/**
 * The number of enclosing quantifiers that a term depends on: the position of the innermost one that binds a symbol in
 * it.
 */
export function depthOf(t: Term, scopes: readonly NamingScope[], below: ReadonlyMap<Term, number>): number {
  const bindingDepth = (s: SymbolTerm) => {
    // an inner scope holds no symbols but its own
    for (let i = scopes.length - 1; i > 0; i--) if (scopes[i]!.entries.has(s)) return i;
    return 0;
  };
  switch (t.kind) {
    case 'boolean':
    case 'bits':
      return 0;
    case 'symbol':
      return bindingDepth(t);
    case 'forall':
    case 'exists':
      return Math.max(0, ...[...symbolsOf(t)].map(bindingDepth));
    case 'apply':
      return t.args.reduce((depth, a) => Math.max(depth, below.get(a) ?? 0), 0);
  }
}

export function truth(text: string, scope: NamingScope): EncodedTerm {
  return { text, low: 0n, high: 0n, scope, signednesses: new Map() };
}

export function word(text: string, low: bigint, high: bigint, scope: NamingScope): EncodedTerm {
  return { text, low, high, scope, signednesses: new Map() };
}
