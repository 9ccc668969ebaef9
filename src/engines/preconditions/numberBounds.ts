/**
 * Bounds of numbers that clients pass: a count, a size or an index that may not be negative, and a number that may not
 * be the last one of its type. Offered where the failure hangs on that, found by running once more with others.
 */
import { type Argument, ScenarioRunner, type Scenario, type ScenarioOptions } from '../../evidence/scenarios/scenario';
import type { CType } from '../../c/types';
import type { FunctionDefinition, Program } from '../../program/program';
import { propertyOf } from '../../program/command';
import type { ConcreteMemory } from '../../semantics/concrete/concreteMemory';
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

export interface NumberBound {
  readonly function: string;
  readonly text: string;
  /** An access to memory, or arithmetic, fails with a negative number. */
  readonly isNegative: boolean;
  /**
   * An access to memory fails, and on the way the execution asked for more memory than any object has, which it did not
   * with other numbers.
   */
  readonly isUnallocated: boolean;
}

/** Bounds of parameters, `count >= 0`, and of numbers that they lead to, `*length >= 0`. */
export function numberBounds(
  program: Program,
  options: ScenarioOptions,
  scenario: Scenario,
  fault: Fault,
): readonly NumberBound[] {
  let memory: ConcreteMemory | undefined;
  const runner = new ScenarioRunner(program, { ...options, observe: (machine) => (memory = machine.memory) });
  const failing = runner.run(scenario, { stepLimit: limits.steps })?.last;
  if (failing === undefined) return [];
  const property = propertyOf[fault.check];
  const isUnallocated = property === 'memsafety' && (memory?.refusedAllocations ?? 0) > 0;
  return scenario.calls.flatMap(({ fn, arguments: given }, index) =>
    given.flatMap((argument, at) => {
      const place = numberOf(fn, at, argument);
      if (!place) return [];
      let isAllocatedThen = true;
      const trial = (value: bigint): 'harmless' | 'fails' | 'no client does that' => {
        const call = { fn, arguments: given.with(at, place.number.with(value)) };
        const changed = { ...scenario, calls: scenario.calls.with(index, call) };
        if (memory) memory.refusedAllocations = 0;
        const run = runner.run(changed, { stepLimit: limits.steps });
        if (!run) return 'no client does that';
        // There is no object of no bytes.
        if (value > 0n) isAllocatedThen &&= memory?.refusedAllocations === 0;
        return endsFailure(run, fault, failing) ? 'harmless' : 'fails';
      };
      return bounds(place, fault)
        .filter(({ instead }) => {
          const trials = instead.map(trial);
          return trials.includes('harmless') && !trials.includes('fails');
        })
        .map(({ text }) => ({
          function: fn.name,
          text,
          isNegative: (property === 'memsafety' || property === 'overflow') && place.number.now < 0n,
          isUnallocated: isUnallocated && isAllocatedThen,
        }));
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
