/**
 * The two name spaces of C that nest (6.2.3): ordinary names and tags. Labels belong to functions, members to their
 * record.
 */
import type { Diagnostic } from '../diagnostics/diagnostic';
import type { Span } from '../source';
import type { FunctionSymbol, VariableSymbol } from '../tree';
import type { CType, EnumType, IntegerType, RecordType } from '../types';

export type Entry =
  | { readonly kind: 'variable'; readonly symbol: VariableSymbol; readonly span: Span }
  | { readonly kind: 'function'; readonly symbol: FunctionSymbol; readonly span: Span }
  | { readonly kind: 'typedef'; readonly type: CType; readonly span: Span }
  | { readonly kind: 'enum-constant'; readonly value: bigint; readonly type: IntegerType; readonly span: Span }
  /** Its declaration was wrong. What to say at a use, if nothing was said at the declaration. */
  | { readonly kind: 'poison'; readonly onUse: readonly Diagnostic[]; readonly span: Span };

export type Tag =
  | { readonly kind: 'record'; readonly type: RecordType; readonly span: Span }
  | { readonly kind: 'enum'; readonly type: EnumType; readonly span: Span }
  | { readonly kind: 'poison'; readonly keyword: string; readonly span: Span };

export class Scope {
  readonly names = new Map<string, Entry>();
  readonly tags = new Map<string, Tag>();
  constructor(
    readonly outer: Scope | undefined,
    readonly kind: 'file' | 'block' | 'prototype',
  ) {}

  lookup(name: string): Entry | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.outer) {
      const entry = scope.names.get(name);
      if (entry) return entry;
    }
    return undefined;
  }

  lookupTag(tag: string): Tag | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.outer) {
      const found = scope.tags.get(tag);
      if (found) return found;
    }
    return undefined;
  }

  /** Innermost first; for suggestions. */
  *visibleNames(): Iterable<string> {
    for (let scope: Scope | undefined = this; scope; scope = scope.outer) yield* scope.names.keys();
  }
}
