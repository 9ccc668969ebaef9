/**
 * Bounds of numbers that clients pass: a count, a size or an index that may not be negative, and a number that may not
 * be the last one of its type. Offered where the failure hangs on that, found by running once more with others.
 */
import { type Argument, ScenarioRunner, type Scenario, type ScenarioOptions } from '../../evidence/scenarios/scenario';
import type { CType } from '../../c/types';
import type { FunctionDefinition, Program } from '../../program/program';
import { propertyOf } from '../../program/command';
import type { Fault } from '../../semantics/concrete/fault';
import { endsFailure } from './experiment';
import { numberAt, pointee } from './lengthAttempts';

const limits = {
  /** Edges of a run with another number. */
  steps: 20_000,
  /** A number below that in the other direction is tried as well: it needs no memory that none has. */
  opposite: 1000n,
} as const;

/** A number, and what clients would keep to. */
interface Bound {
  readonly text: string;
  /** Numbers that keep it: that one of them ends the failure says little alone. */
  readonly instead: readonly bigint[];
}

/** Bounds of parameters, `count >= 0`, and of numbers that they lead to, `*length >= 0`. */
export function numberBounds(
  program: Program,
  options: ScenarioOptions,
  scenario: Scenario,
  fault: Fault,
): readonly { readonly function: string; readonly text: string }[] {
  const runner = new ScenarioRunner(program, options);
  const failing = runner.run(scenario, { stepLimit: limits.steps })?.last;
  if (failing === undefined) return [];
  return scenario.calls.flatMap(({ fn, arguments: given }, index) =>
    given.flatMap((argument, at) => {
      const place = numberOf(fn, at, argument);
      if (!place) return [];
      const isHarmless = (value: bigint): boolean => {
        const call = { fn, arguments: given.with(at, place.number.with(value)) };
        const changed = { ...scenario, calls: scenario.calls.with(index, call) };
        return endsFailure(runner.run(changed, { stepLimit: limits.steps }), fault, failing);
      };
      return bounds(place, fault)
        .filter(({ instead }) => instead.every(isHarmless))
        .map(({ text }) => ({ function: fn.name, text }));
    }),
  );
}

interface NumberPlace {
  /** As in C. */
  readonly text: string;
  readonly type: CType & { readonly kind: 'integer' };
  readonly number: NonNullable<ReturnType<typeof numberAt>>;
}

function bounds({ text, type: { signed, widthBits }, number: { now } }: NumberPlace, fault: Fault): readonly Bound[] {
  const last = (1n << BigInt(widthBits - (signed ? 1 : 0))) - 1n;
  return [
    ...(now < 0n ? [{ text: `${text} >= 0`, instead: [0n, 1n, ...(now > -limits.opposite ? [-now] : [])] }] : []),
    ...(now === last && propertyOf[fault.check] === 'overflow'
      ? [{ text: `${text} < ${last}`, instead: [last - 1n, 1n] }]
      : []),
  ];
}

/** Characters are no numbers here. */
function numberOf(fn: FunctionDefinition, at: number, argument: Argument): NumberPlace | undefined {
  const { name, type, ctype } = fn.parameters[at]!;
  const of = type.kind === 'pointer' ? pointee(fn, at) : ctype;
  if (of?.kind !== 'integer' || of.widthBits <= 8) return undefined;
  const number = numberAt(argument, type);
  return number && { text: type.kind === 'pointer' ? `*${name}` : name, type: of, number };
}
