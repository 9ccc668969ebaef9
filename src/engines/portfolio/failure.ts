import { codeFrame } from '../../c/diagnostic';
import type { Span } from '../../c/source';
import { sourceLocationOf } from '../../sourceLocation';
import { propertyOf, type CheckKind } from '../../program/command';
import type { FunctionDefinition } from '../../program/program';
import type { Failure } from '../../verdict';

export function failureAt(check: CheckKind, message: string, span: Span, fn: FunctionDefinition | undefined): Failure {
  return {
    check,
    property: propertyOf[check],
    message,
    place: sourceLocationOf(span, fn?.name),
    codeFrame: codeFrame(span),
  };
}
