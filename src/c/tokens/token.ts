/** Preprocessing tokens for the parser (C11 6.4), before keywords and constants are distinguished. */
import type { Span } from '../source';

export type TokenKind = 'identifier' | 'number' | 'character' | 'string' | 'punctuator' | 'other' | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The spelling, with quotes and prefix for characters and strings; digraphs are spelled as what they mean. */
  readonly text: string;
  readonly span: Span;
  /** White space (or a comment) stands before it. */
  readonly spaceBefore: boolean;
  /** First on its line. */
  readonly startsLine: boolean;
  /** For `struct` and `union`: the `#pragma pack` in force, in bytes. */
  readonly pack?: number;
}
