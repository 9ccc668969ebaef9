/** Faults of running C: a failing check in words, with the C call stack. */
import type { Span } from '../../c/source';
import type { Check } from '../../program/command';
import type { FunctionDefinition } from '../../program/program';

/** Innermost first; the span is that of the failing check, then of the pending calls. */
export type CallStack = readonly { readonly function: FunctionDefinition; readonly span: Span }[];

export interface Fault {
  readonly check: Check['check'];
  /** The check that failed. Library functions of the host's own make one up on the spot. */
  readonly command: Check;
  readonly message: string;
  readonly span: Span;
  readonly stack: CallStack;
}

/** The same check fails at the same place. */
export function failsAlike(a: Fault, b: Fault): boolean {
  return a.check === b.check && a.span.start === b.span.start && a.span.file.path === b.span.file.path;
}

/** The place in the user's files: of a library function, its call. */
export function callersSpan({ span, stack }: Fault): Span {
  const [innermost] = stack;
  return (innermost?.function.library ? stack.find((frame) => !frame.function.library)?.span : undefined) ?? span;
}
