/**
 * Results by which a function that sets up a structure says that it has not: `if (size == 0) return -1;` before it
 * writes anything. What such a call was given is not set up, and no client goes on with it. Read off the control flow:
 * a result counts if every path that returns it has written nothing, and some other path has.
 */
import type { Command } from '../../program/command';
import type { FunctionDefinition, Location } from '../../program/program';
import type { ConcreteValue } from '../concrete/concreteValues';

const limits = {
  /** States of the traversal: a location, with what was written and returned so far. */
  states: 20_000,
} as const;

/** `other`: no constant. */
type Result = bigint | 'other' | undefined;

interface State {
  readonly at: Location;
  readonly hasWritten: boolean;
  readonly result: Result;
}

const known = new WeakMap<FunctionDefinition, ReadonlySet<bigint>>();

/** True if the function has returned this without having written anything. */
export function refuses(fn: FunctionDefinition, value: ConcreteValue | undefined): boolean {
  const { result } = fn;
  if (value === undefined || result?.kind !== 'integer') return false;
  return refusals(fn).has(BigInt.asUintN(result.widthBits, BigInt(value)));
}

function refusals(fn: FunctionDefinition): ReadonlySet<bigint> {
  let found = known.get(fn);
  if (!found) known.set(fn, (found = compute(fn)));
  return found;
}

function compute(fn: FunctionDefinition): ReadonlySet<bigint> {
  const [untouched, written] = [new Set<bigint>(), new Set<Result>()];
  const seen = new Set<string>();
  const open: State[] = [{ at: fn.entry, hasWritten: false, result: undefined }];
  for (let state = open.pop(); state; state = open.pop()) {
    const { at, hasWritten, result } = state;
    const key = `${at.index} ${hasWritten} ${result}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > limits.states) return new Set();
    if (at === fn.exit) {
      if (hasWritten) written.add(result);
      else if (typeof result === 'bigint') untouched.add(result);
      continue;
    }
    for (const { command, to } of at.edges)
      open.push({ at: to, hasWritten: hasWritten || writes(command), result: resultAfter(command, fn, result) });
  }
  const isClear = written.size > 0 && !written.has('other') && !written.has(undefined);
  return new Set(isClear ? [...untouched].filter((value) => !written.has(value)) : []);
}

function resultAfter(command: Command, { resultVariable, result: type }: FunctionDefinition, before: Result): Result {
  const isSet =
    (command.kind === 'assign' || command.kind === 'havoc' || command.kind === 'input') &&
    command.target === resultVariable;
  if (!isSet) return before;
  return command.kind === 'assign' && command.value.kind === 'integer' && type?.kind === 'integer'
    ? BigInt.asUintN(type.widthBits, command.value.value)
    : 'other';
}

/** A called function may write anything. */
function writes({ kind }: Command): boolean {
  switch (kind) {
    case 'store':
    case 'copy':
    case 'fill':
    case 'call':
    case 'external':
    case 'free':
      return true;
    default:
      return false;
  }
}
