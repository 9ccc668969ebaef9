/**
 * Named configurations (Das, Lahiri, Lal, Li, CAV 2015, section 5): the specifications that may excuse a failure. Less
 * than `default` reports more errors, and shows what the difference is worth.
 */
import { variablesOf, type ProbeFormula } from '../../abstraction/predicates/probeFormula';
import type { Program } from '../../program/program';
import type { AngelicConfiguration } from '../../task';
import type { Specification } from './specifications';

export function isInVocabulary(one: Specification, configuration: AngelicConfiguration, program: Program): boolean {
  switch (configuration) {
    case 'default':
    case 'default-AA':
      return true;
    case 'noTS':
      return !isAboutState(one, program);
    case 'noAlias':
      return isAboutState(one, program);
    case 'noEE':
      return false;
  }
}

/** A test or a branch speaks against what it makes impossible; a call that the user states as possible always does. */
export const hasAngelicAssertions = (configuration: AngelicConfiguration = 'default'): boolean =>
  configuration !== 'default-AA';

/** Variables of the module, numbers, and numbers that functions without a body return. */
function isAboutState(one: Specification, program: Program): boolean {
  switch (one.kind) {
    case 'requires': {
      const own = new Set(program.functionByName.get(one.function)?.parameters.map(({ name }) => name));
      return variablesOf(one.formula).some((name) => !own.has(name)) || isBound(one.formula);
    }
    case 'ensures':
      return /^result [<>]=|>= [A-Za-z_]\w*$/.test(one.text);
    case 'valid-pointers':
    case 'initialised-by':
    case 'convention':
      return false;
  }
}

/** Numbers are compared; a length is no number of the module's. */
function isBound(formula: ProbeFormula): boolean {
  switch (formula.kind) {
    case '<':
    case '<=':
    case '>':
    case '>=':
      return formula.left.kind !== 'length' && formula.right.kind !== 'length';
    case 'and':
    case 'or':
      return isBound(formula.left) || isBound(formula.right);
    case 'not':
      return isBound(formula.operand);
    default:
      return false;
  }
}
