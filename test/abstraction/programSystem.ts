/** The transition system of a program that is started at one function. */
import { plainOptions, TransitionSystem } from '../../src/abstraction/transitionSystem/transitionSystem';
import type { Property } from '../../src/program/command';
import type { FunctionDefinition, Program } from '../../src/program/program';

/** `properties`: those whose checks are asked. */
export const programSystem = (
  program: Program,
  entry: FunctionDefinition,
  properties: readonly Property[] = [],
): TransitionSystem =>
  new TransitionSystem(program, {
    ...plainOptions,
    mode: 'program',
    entries: [entry],
    checkedProperties: new Set(properties),
  });
