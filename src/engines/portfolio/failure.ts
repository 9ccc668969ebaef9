import { codeFrame } from '../../c/diagnostics/diagnostic';
import type { Span } from '../../c/source';
import { sourceLocationOf } from '../../sourceLocation';
import { propertyOf, type CheckKind } from '../../program/command';
import type { FunctionDefinition } from '../../program/program';
import type { Fault } from '../../semantics/concrete/fault';
import type { Failure } from '../../verdict';

/** `stack`: innermost first, where the failure was observed in a run. */
export function failureAt(
  check: CheckKind,
  message: string,
  span: Span,
  fn: FunctionDefinition | undefined,
  stack: Fault['stack'] = [],
): Failure {
  const caller = fn?.library ? stack.find((frame) => !frame.function.library) : undefined;
  return {
    check,
    property: propertyOf[check],
    message,
    place: sourceLocationOf(span, fn?.name),
    codeFrame: codeFrame(span),
    ...(caller && {
      caller: { place: sourceLocationOf(caller.span, caller.function.name), codeFrame: codeFrame(caller.span) },
    }),
  };
}
