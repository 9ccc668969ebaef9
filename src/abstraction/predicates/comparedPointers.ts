/** Preconditions that compare pointers with each other, as `name == none` does. */
import type { CType } from '../../c/types';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Task } from '../../task';
import type { ProbeFormula, ProbePath } from './probeFormula';
import { statedByFunction } from './statedByFunction';

/**
 * True if what some precondition says depends on which of the module's objects a pointer leads to. That two pointers
 * are in different objects, as one of the conditions that all hold, only excludes calls.
 */
export function comparesPointers(requires: Task['requires'], program: Program): boolean {
  return statedByFunction(requires, program, (formula, fn) => (isBound(formula, fn, program) ? [fn] : [])).size > 0;
}

function isBound(formula: ProbeFormula, fn: FunctionDefinition, program: Program): boolean {
  if (formula.kind === 'and') return isBound(formula.left, fn, program) || isBound(formula.right, fn, program);
  return !(formula.kind === 'not' && formula.operand.kind === 'same-object') && compares(formula, fn, program);
}

function compares(formula: ProbeFormula, fn: FunctionDefinition, program: Program): boolean {
  const within = (part: ProbeFormula): boolean => compares(part, fn, program);
  switch (formula.kind) {
    case 'same-object':
      return true;
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
    case 'length':
      return false;
    case 'path':
      return formula.steps.some((step) => step.kind === 'index' && within(step.index));
    case 'list':
      return formula.is === 'through' || (formula.is === 'every' && within(formula.condition));
    case 'not':
    case 'negate':
      return within(formula.operand);
    case 'conditional':
      return [formula.condition, formula.then, formula.otherwise].some(within);
    default: {
      const { left, right } = formula;
      return [left, right].every((one) => mayBePointer(one, fn, program)) || within(left) || within(right);
    }
  }
}

/** A pointer that is not known to be null. */
function mayBePointer(formula: ProbeFormula, fn: FunctionDefinition, program: Program): boolean {
  if (formula.kind === 'conditional')
    return [formula.then, formula.otherwise].some((one) => mayBePointer(one, fn, program));
  if (formula.kind !== 'path') return false;
  const type = typeOf(formula, fn, program);
  return type === undefined || type.kind === 'pointer' || type.kind === 'array';
}

/** Undefined if it is not known. */
function typeOf({ variable, steps }: ProbePath, fn: FunctionDefinition, program: Program): CType | undefined {
  const parameters = fn.ctype.kind === 'function' ? fn.ctype.parameters : [];
  const parameter = parameters.find(({ name }) => name === variable);
  let type = parameter ? parameter.type : program.symbols.get(variable)?.ctype;
  for (const step of steps) {
    if (step.kind === 'field') {
      const record: CType | undefined = type?.kind === 'pointer' ? type.to : type;
      type = record?.kind === 'record' ? record.record.fields.find(({ name }) => name === step.name)?.type : undefined;
    } else {
      type = type?.kind === 'pointer' ? type.to : type?.kind === 'array' ? type.of : undefined;
    }
  }
  return type;
}
