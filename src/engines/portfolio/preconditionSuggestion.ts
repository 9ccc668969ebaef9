/**
 * What to promise of arguments, to paste, where failures hang on null, on too short an object or on what is no text.
 */
import { ProbeError } from '../../abstraction/predicates/probes';
import { System } from '../../abstraction/transitionSystem/transitionSystem';
import { readCProbe } from '../../host/cProbe';
import { argumentScope } from '../../host/probeScope';
import type { LengthArguments } from '../preconditions/bufferLengths';
import type { NullArguments } from '../preconditions/nonNull';
import { printPromises, type Promised } from '../preconditions/preconditions';
import { requiredAt } from './userFormulas';
import type { UnendedTexts } from '../preconditions/unterminatedStrings';
import type { Problem } from '../problem';

export interface OfArguments {
  readonly nulls: NullArguments;
  readonly lengths: LengthArguments;
  readonly unended: UnendedTexts;
}

/** Undefined when nothing hangs on it. */
export function argumentsSuggestion(problem: Problem, { nulls, lengths, unended }: OfArguments): string | undefined {
  const isUsable = usable(problem);
  const texts = unended.promised.filter(isUsable);
  const inC = unended.promised.filter((promise) => !isUsable(promise));
  // A text is somewhere.
  const places = nulls.promised.filter(
    ({ function: fn, text }) => !texts.some((of) => of.function === fn && text === `${of.parameter} != NULL`),
  );
  const never = [
    ...(places.length === 0 ? [] : ['null there']),
    ...(lengths.promised.length === 0 ? [] : ['less than that']),
  ];
  const promised = [...places, ...lengths.promised, ...texts];
  const said: string[] = [];
  if (promised.length > 0) {
    const { code, flags } = printPromises(promised, problem.task.requires);
    const clients = [
      ...(never.length === 0 ? [] : [`never pass ${never.join(', or ')} (no test does)`]),
      ...(texts.length === 0 ? [] : ['pass texts, which end in 0']),
    ];
    said.push(
      `if clients ${clients.join(', and ')}, have them promise it, and what fails all the same comes first; to loadC:`,
      code,
      'or on the command line:',
      flags,
    );
  }
  if (inC.length > 0)
    said.push(
      'if clients pass a text there, which ends in 0, say so in the C, at the beginning of the function, with #include <provest.h>:',
      ...inC.map(({ function: fn, text }) => `${fn}: PROVEST_REQUIRES(${text});`),
    );
  return said.length === 0 ? undefined : said.join('\n');
}

/**
 * Whether a proof can do with the promise: of memory that only functions without a formula read, it knows nothing,
 * unless the C itself reads it.
 */
function usable(problem: Problem): (promise: Pick<Promised, 'function' | 'text'>) => boolean {
  const { program, task } = problem;
  let system: System | undefined;
  return ({ function: name, text }) => {
    const fn = program.functionByName.get(name)!;
    const read = readCProbe(text, argumentScope(program, 'the module', fn), program.enumConstants);
    if (read.kind === 'mistake') return false;
    system ??= new System(program, problem.systemOptions());
    try {
      requiredAt({ ...task, requires: [{ function: name, formula: read.formula }] }, fn, system.vocabulary);
      return true;
    } catch (error) {
      if (error instanceof ProbeError) return false;
      throw error;
    }
  };
}
