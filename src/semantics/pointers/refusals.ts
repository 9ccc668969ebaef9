/**
 * Results by which a function that sets up a structure says that it has not: `if (size == 0) return -1;` before it
 * writes anything. What such a call was given is not set up, and no client goes on with it. Read off the control flow:
 * a result counts if every path that returns it has written nothing, and some other path has. By convention so does a
 * negative result of a function that returns 0 as well, and `false` of one that returns `true`.
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

interface Results {
  /** Unsigned. */
  readonly refusals: ReadonlySet<bigint>;
  /** Constants that some path returns. */
  readonly constants: ReadonlySet<Result>;
}

const known = new WeakMap<FunctionDefinition, Results>();

/**
 * Undefined unless the function says by this result that it has set nothing up. `by convention`: what it was given may
 * have been changed all the same.
 */
export function refusal(
  fn: FunctionDefinition,
  value: ConcreteValue | undefined,
): 'before any write' | 'by convention' | undefined {
  const { result, resultVariable } = fn;
  if (value === undefined || result?.kind !== 'integer') return undefined;
  const { refusals, constants } = resultsOf(fn);
  const number = BigInt(value);
  const isBool = resultVariable?.ctype?.kind === 'integer' && resultVariable.ctype.name === 'bool';
  if (refusals.has(BigInt.asUintN(result.widthBits, number))) return 'before any write';
  const isNegative = result.signed && number < 0n && constants.has(0n);
  return isNegative || (isBool && number === 0n && constants.has(1n)) ? 'by convention' : undefined;
}

function resultsOf(fn: FunctionDefinition): Results {
  let found = known.get(fn);
  if (!found) known.set(fn, (found = compute(fn)));
  return found;
}

function compute(fn: FunctionDefinition): Results {
  const [untouched, written] = [new Set<bigint>(), new Set<Result>()];
  const seen = new Set<string>();
  const open: State[] = [{ at: fn.entry, hasWritten: false, result: undefined }];
  for (let state = open.pop(); state; state = open.pop()) {
    const { at, hasWritten, result } = state;
    const key = `${at.index} ${hasWritten} ${result}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > limits.states) return { refusals: new Set(), constants: new Set() };
    if (at === fn.exit) {
      if (hasWritten) written.add(result);
      else if (typeof result === 'bigint') untouched.add(result);
      continue;
    }
    for (const { command, to } of at.edges)
      open.push({ at: to, hasWritten: hasWritten || writes(command), result: resultAfter(command, fn, result) });
  }
  const isClear = written.size > 0 && !written.has('other') && !written.has(undefined);
  const refusals = new Set(isClear ? [...untouched].filter((value) => !written.has(value)) : []);
  return { refusals, constants: new Set([...untouched, ...written]) };
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
