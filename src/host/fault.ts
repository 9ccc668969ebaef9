/**
 * Error that a test sees when C goes wrong: like a compiler message, with the C call stack and code frame in the
 * message, and a JavaScript stack that begins at the line of the test.
 */
import { fixedAddressAdvice } from '../advice';
import { sourceLocationOf } from '../sourceLocation';
import { codeFrame, withLocation } from '../c/diagnostics/diagnostic';
import { propertyOf, type CheckKind, type Property } from '../program/command';
import type { Program } from '../program/program';
import type { RunOutcome } from '../semantics/concrete/machine';
import type { CallStack, Fault } from '../semantics/concrete/fault';
import { unreachable } from '../unreachable';
import type { SourceLocation } from '../verdict';

const limits = ['step-limit', 'stack-overflow', 'memory-limit', 'unsupported'] as const;
export type FaultKind = CheckKind | (typeof limits)[number];

/** C did something that has no meaning, failed an assertion, or went beyond a limit of the interpreter. */
export class CFault extends Error {
  /** C call stack, innermost first. */
  readonly cStack: readonly SourceLocation[];
  readonly place: SourceLocation | undefined;
  readonly codeFrame: string;
  constructor(
    readonly kind: FaultKind,
    readonly reason: string,
    stack: CallStack,
  ) {
    const [innermost] = stack;
    const frame = innermost ? codeFrame(innermost.span) : '';
    const advice = fixedAddressAdvice(reason);
    super(
      [
        reason,
        '',
        ...(innermost ? [withLocation(innermost.span, `in ${innermost.function.name}`), frame] : []),
        ...callers(stack),
        ...(advice === undefined ? [] : ['', `hint: ${advice}`]),
      ].join('\n'),
    );
    this.name = 'CFault';
    this.codeFrame = frame;
    this.cStack = stack.map((entry) => sourceLocationOf(entry.span, entry.function.name));
    this.place = this.cStack[0];
    // Messages of nested errors print these again otherwise.
    for (const key of ['cStack', 'place', 'codeFrame', 'reason', 'name'] as const)
      Object.defineProperty(this, key, { enumerable: false });
  }

  /** The property that this fault violates; undefined for limits of the interpreter. */
  get property(): Property | undefined {
    const { kind } = this;
    return isLimit(kind) ? undefined : propertyOf[kind];
  }
}

function isLimit(kind: FaultKind): kind is (typeof limits)[number] {
  return (limits as readonly FaultKind[]).includes(kind);
}

/** The module called `exit` or `abort`, or assumed something that does not hold: the call has no result. */
export class CExit extends Error {
  constructor(
    message: string,
    readonly status: number | undefined,
  ) {
    super(message);
    this.name = 'CExit';
    Object.defineProperty(this, 'name', { enumerable: false });
  }
}

/**
 * The error for an outcome that is no return. `caller` and what it called are left out of the JavaScript stack.
 * `unknown`: the functions without a body.
 */
export function errorFor(
  outcome: Exclude<RunOutcome, { kind: 'returned' }>,
  called: string,
  caller: (...args: never[]) => unknown,
  unknown: Program['externals'] = [],
): Error {
  const error = describe(outcome, called, unknown);
  Error.captureStackTrace(error, caller);
  return error;
}

function describe(
  outcome: Exclude<RunOutcome, { kind: 'returned' }>,
  called: string,
  unknown: Program['externals'],
): Error {
  switch (outcome.kind) {
    case 'fault':
      return faultOf(outcome.fault);
    case 'limit':
      return limitFault(outcome, called);
    case 'halted':
      return new CExit(
        `${called} ended the program: it called exit or abort (status ${outcome.status})`,
        outcome.status,
      );
    case 'stopped':
      return new CExit(
        outcome.reason === 'assume'
          ? `${called} has no result: the C code assumes a condition that does not hold for these ` +
              `inputs${guaranteesOf(unknown)}`
          : `${called} has no result: it violated a property that is switched off, and what follows has no meaning`,
        undefined,
      );
    default:
      return unreachable(outcome);
  }
}

function guaranteesOf(unknown: Program['externals']): string {
  const said = unknown.flatMap(({ name, guarantees = [] }) => guarantees.map((condition) => `${name}: ${condition}`));
  return said.length === 0 ? '' : `, or an answer breaks what a function without a body ensures (${said.join('; ')})`;
}

function limitFault(outcome: Extract<RunOutcome, { kind: 'limit' }>, called: string): CFault {
  const { limit, stack } = outcome;
  switch (limit) {
    case 'steps':
      return new CFault(
        'step-limit',
        `${called} did not end within the step limit: C was running here. Look for an endless loop, or raise the ` +
          'limit with loadC(…, { stepLimit }).',
        stack,
      );
    case 'depth':
      return new CFault(
        'stack-overflow',
        `stack overflow: ${called} made ${stack.length} nested C calls. Look for a recursion without an end.`,
        shorten(stack),
      );
    case 'memory':
      return new CFault('memory-limit', `${called} used more memory than the interpreter allows.`, stack);
    case 'unsupported':
      return new CFault('unsupported', `${outcome.what} by the interpreter; a stub can do it instead.`, stack);
    default:
      return unreachable(limit);
  }
}

function faultOf(fault: Fault): CFault {
  const [first, ...rest] = fault.stack;
  return new CFault(fault.check, fault.message, first ? [{ ...first, span: fault.span }, ...rest] : []);
}

/** A recursion's stack repeats itself: its ends say enough. */
function shorten(stack: CallStack): CallStack {
  return stack.length <= 12 ? stack : [...stack.slice(0, 6), ...stack.slice(-2)];
}

function callers(stack: CallStack): string[] {
  if (stack.length < 2) return [];
  return ['', 'C call stack:', ...stack.map(({ function: fn, span }) => `  ${withLocation(span, fn.name)}`)];
}
