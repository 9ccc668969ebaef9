/** The transition system of a module whose clients call all functions with external linkage. */
import { plainOptions, TransitionSystem } from '../../src/abstraction/transitionSystem/transitionSystem';
import { defaultProperties } from '../../src/program/command';
import { programOf } from '../program/programOf';

export function moduleSystem(text: string): TransitionSystem {
  const program = programOf(text);
  return new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: program.functions.filter(({ linkage }) => linkage === 'external'),
    checkedProperties: new Set(defaultProperties),
  });
}
