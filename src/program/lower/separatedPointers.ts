/**
 * Local pointers to pointers that lead to a few variables or to a member of some object, as `link` does in
 *
 *   struct node **link = isLate ? &late : &head;
 *   while (*link != NULL) link = &(*link)->next;
 *
 * The region analysis has one region for whatever a pointer leads to, at one place of its objects. Here `head`, `late`
 * and `next` would share it, though they lie at different places, and nothing could be distinguished in it. Such a
 * pointer becomes two variables: a flag with the number of the variable that it leads to, and the pointer where it
 * leads to none of them, null where it does. A condition or a load is made of all cases, and a store is a branch.
 *
 * The program keeps its executions: the pointer is the address of the variable that the flag gives, and where that is
 * 0, what the second variable holds. Pointers that are used otherwise, as arguments or in copies, stay as they are.
 */
import { addressOf, and, compare, conditional, integer, nullPointer, read } from '../build';
import type { Command } from '../command';
import { type DraftEdge, reversePostOrder } from '../automata/draft';
import { int8, type Expression, type FrameObject, type Variable } from '../expression';
import { expressionsOf, operands, targetOf, variablesIn, withOperands } from '../traverse';
import type { Mutable } from '../../mutable';
import type { StaticObject, TypedAccess } from '../program';
import type { FunctionLowering } from './context';

type Fixed = StaticObject | FrameObject;

/** Variables that one pointer leads to: each is a case wherever the pointer is used. */
const mostFixed = 3;

interface Separated {
  readonly variable: Variable;
  /** 0, or one more than the place in `fixed` of the variable that the pointer leads to. */
  readonly flag: Variable;
  readonly fixed: readonly Fixed[];
}

/** A function whose draft is complete. */
type Drawn = Pick<
  FunctionLowering,
  'draft' | 'variables' | 'variable' | 'typedAccesses' | 'unordered' | 'conflicts' | 'contracts'
>;

/** True if a pointer of the function became two variables. `isKept`: those that stay as they are. */
export function separatePointers(f: Drawn, isKept: (variable: Variable) => boolean): boolean {
  const edges = reversePostOrder(f.draft.entry).flatMap((location) => location.edges);
  const found = f.variables.flatMap((variable): Separated[] => {
    const { ctype } = variable;
    const leadsToPointers = ctype?.kind === 'pointer' && ctype.to.kind === 'pointer';
    if (!leadsToPointers || isKept(variable)) return [];
    const fixed = fixedTargets(variable, edges);
    if (fixed.length === 0 || isOrdered(f, variable)) return [];
    if (!fixed.every((one) => isOneObject(one, variable, edges))) return [];
    const flag = f.variable(`<${variable.name} is ${namesOf(fixed)}>`, int8, { temporary: false });
    return [{ variable, flag: { ...flag, selects: variable }, fixed }];
  });
  for (const one of found) {
    f.variables[one.flag.slot] = one.flag;
    for (const edge of reversePostOrder(f.draft.entry).flatMap((location) => location.edges)) separate(f, edge, one);
    f.unordered.splice(0, Infinity, ...f.unordered.map((unordered) => orderedApart(unordered, one)));
    f.typedAccesses.splice(0, Infinity, ...f.typedAccesses.flatMap((access) => typedApart(access, one)));
    (one.variable as Mutable<Variable>).name = `<${one.variable.name} if not ${namesOf(one.fixed)}>`;
  }
  return found.length > 0;
}

const namesOf = (fixed: readonly Fixed[]): string => fixed.map(({ name }) => `&${name}`).join(' or ');

/**
 * The variables that a pointer leads to at some assignments. None, if it leads nowhere else, so that one region is what
 * it leads to, or has other uses.
 */
function fixedTargets(variable: Variable, edges: readonly DraftEdge[]): readonly Fixed[] {
  const targets = new Set<Fixed>();
  let leadsElsewhere = false;
  for (const { command } of edges) {
    if (targetOf(command) === variable) {
      if (command.kind !== 'assign' || isBare(command.value, variable)) return [];
      for (const value of casesOf(command.value)) {
        const target = fixedOf(value);
        if (target) targets.add(target);
        else leadsElsewhere ||= value.kind !== 'null';
      }
      // The flag is assigned behind the pointer, and would be chosen by what that is then.
      if (conditionsOf(command.value).some((e) => variablesIn(e).has(variable))) return [];
    }
    if (!expressionsOf(command).some((e) => variablesIn(e).has(variable))) continue;
    switch (command.kind) {
      case 'assume':
      case 'check':
        break;
      case 'assign':
        if (isBare(command.value, variable)) return [];
        break;
      case 'store':
        if (isBare(command.value, variable)) return [];
        break;
      default:
        return [];
    }
  }
  return targets.size <= mostFixed && leadsElsewhere ? [...targets] : [];
}

/** The values of which a choice takes one. */
const casesOf = (e: Expression): readonly Expression[] =>
  e.kind === 'conditional' ? [...casesOf(e.then), ...casesOf(e.otherwise)] : [e];

const conditionsOf = (e: Expression): readonly Expression[] =>
  e.kind === 'conditional' ? [e.condition, ...conditionsOf(e.then), ...conditionsOf(e.otherwise)] : [];

/** While the variable is used, the address is always that of the same object: no block declares another on the way. */
function isOneObject(fixed: Fixed, variable: Variable, edges: readonly DraftEdge[]): boolean {
  if (fixed.kind === 'static-object') return true;
  const lives = (kind: 'declare' | 'end'): readonly DraftEdge[] =>
    edges.filter(({ command }) => command.kind === kind && command.object === fixed);
  const [first, ...others] = lives('declare');
  return (
    first !== undefined &&
    others.length === 0 &&
    !after(first).includes(first) &&
    lives('end').every((end) => after(end).every(({ command }) => !isAbout(command, variable)))
  );
}

const after = ({ to }: DraftEdge): readonly DraftEdge[] => reversePostOrder(to).flatMap(({ edges }) => edges);

const isAbout = (command: Command, variable: Variable): boolean =>
  targetOf(command) === variable || expressionsOf(command).some((e) => variablesIn(e).has(variable));

function fixedOf(e: Expression): Fixed | undefined {
  return e.kind === 'address' && e.of.kind !== 'function' ? e.of : undefined;
}

/** The value may be that of the variable, or lead into the same object. */
function isBare(e: Expression, variable: Variable): boolean {
  switch (e.kind) {
    case 'read':
      return e.variable === variable;
    case 'offset':
      return isBare(e.pointer, variable);
    case 'conditional':
      return isBare(e.then, variable) || isBare(e.otherwise, variable);
    case 'convert':
      return isBare(e.operand, variable);
    default:
      return false;
  }
}

/** Accessed through where C leaves an order of evaluation open, or in a contract, whose commands are known by place. */
function isOrdered(f: Drawn, variable: Variable): boolean {
  return (
    f.unordered.some(
      ({ operands: all, inEitherOrder }) =>
        inEitherOrder ||
        all.some(({ edges }) =>
          edges.some(({ command }) => command.kind === 'store' && isBare(command.address, variable)),
        ),
    ) ||
    f.conflicts.some(({ accesses }) => accesses.some((command) => isAbout(command, variable))) ||
    f.contracts.some(({ command }) => isAbout(command, variable))
  );
}

function separate(f: Drawn, edge: DraftEdge, one: Separated): void {
  const { command, span } = edge;
  const { variable, flag, fixed } = one;
  if (targetOf(command) === variable && command.kind === 'assign') {
    const between = f.draft.location(span);
    const { to } = edge;
    edge.command = { ...command, value: pointerIn(command.value, one) };
    edge.to = between;
    f.draft.edge(between, { kind: 'assign', target: flag, value: flagIn(command.value, one) }, to, span);
    return;
  }
  switch (command.kind) {
    case 'assume':
    case 'check':
      edge.command = { ...command, condition: apart(command.condition, one) };
      break;
    case 'assign':
      edge.command = { ...command, value: apart(command.value, one) };
      break;
    case 'store': {
      const value = apart(command.value, one);
      if (!isBare(command.address, variable)) {
        edge.command = { ...command, address: apart(command.address, one), value };
        break;
      }
      const { from, to } = edge;
      const cases = [
        ...fixed.map((target) => [isAt(target, one), whereFixed(command.address, target, one)] as const),
        [isElsewhere(one), elsewhere(command.address)] as const,
      ];
      from.edges.splice(from.edges.indexOf(edge), 1);
      for (const [condition, address] of cases) {
        const between = f.draft.location(span);
        f.draft.edge(from, { kind: 'assume', condition }, between, span);
        f.draft.edge(between, { ...command, address, value }, to, span);
      }
      break;
    }
    default:
      break;
  }
}

/** The flag says that the pointer leads to the variable; the last one's case is all that no other has. */
function isAt(target: Fixed, { flag, fixed }: Separated): Expression {
  const number = fixed.indexOf(target) + 1;
  return number < fixed.length
    ? compare('eq', read(flag), integer(number, int8))
    : and(...fixed.map((_, i) => compare('ne', read(flag), integer(i, int8))));
}

const isElsewhere = ({ flag }: Separated): Expression => compare('eq', read(flag), integer(0, int8));

/** The value that the second variable is assigned in the place of the given one. */
function pointerIn(value: Expression, one: Separated): Expression {
  if (value.kind === 'conditional')
    return conditional(value.condition, pointerIn(value.then, one), pointerIn(value.otherwise, one));
  return fixedOf(value) ? nullPointer : apart(value, one);
}

function flagIn(value: Expression, one: Separated): Expression {
  if (value.kind === 'conditional')
    return conditional(value.condition, flagIn(value.then, one), flagIn(value.otherwise, one));
  const target = fixedOf(value);
  return integer(target ? one.fixed.indexOf(target) + 1 : 0, int8);
}

/** The same value, of all cases where it is no pointer that the variable's gives. */
function apart(e: Expression, one: Separated): Expression {
  const { variable, fixed } = one;
  if (!variablesIn(e).has(variable)) return e;
  const own = operands(e).filter((operand) => variablesIn(operand).has(variable));
  if (!own.some((operand) => isBare(operand, variable))) return withOperands(e, (operand) => apart(operand, one));
  return fixed.reduceRight(
    (otherwise, target) => conditional(isAt(target, one), whereFixed(e, target, one), otherwise),
    elsewhere(e),
  );
}

const elsewhere = (e: Expression): Expression => e;

function whereFixed(e: Expression, target: Fixed, one: Separated): Expression {
  return e.kind === 'read' && e.variable === one.variable
    ? addressOf(target)
    : withOperands(e, (operand) => whereFixed(operand, target, one));
}

function orderedApart(
  unordered: FunctionLowering['unordered'][number],
  one: Separated,
): FunctionLowering['unordered'][number] {
  const both = (e: Expression): Expression[] =>
    isBare(e, one.variable) ? [e, ...one.fixed.map((target) => whereFixed(e, target, one))] : [apart(e, one)];
  return {
    ...unordered,
    operands: unordered.operands.map((operand) => ({
      ...operand,
      values: operand.values.flatMap(both),
      also: operand.also.flatMap(both),
      wholes: operand.wholes.flatMap(both),
    })),
  };
}

function typedApart(access: TypedAccess, one: Separated): TypedAccess[] {
  if (!isBare(access.address, one.variable)) return [{ ...access, address: apart(access.address, one) }];
  return [access, ...one.fixed.map((target) => ({ ...access, address: whereFixed(access.address, target, one) }))];
}
