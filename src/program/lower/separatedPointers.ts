/**
 * Local pointers to pointers that lead to a few variables or to a member of some object, as `link` does in
 *
 *   struct node **link = isLate ? &late : &head;
 *   while (*link != NULL) link = &(*link)->next;
 *
 * A variable may also be an array, of which the pointer leads to one element: `link = &heads[hash % 8]`.
 *
 * The region analysis has one region for whatever a pointer leads to, at one place of its objects. Here `head`, `late`
 * and `next` would share it, though they lie at different places, and nothing could be distinguished in it. Such a
 * pointer becomes two variables: a flag with the number of the variable that it leads to, and the pointer where it
 * leads to none of them, null where it does. For an array there is a third, the index of the element. A condition or a
 * load is made of all cases, and a store is a branch.
 *
 * The program keeps its executions: the pointer is the address of the variable that the flag gives, and where that is
 * 0, what the second variable holds. Pointers that are used otherwise, as arguments or in copies, stay as they are.
 */
import { addressOf, and, binary, compare, conditional, integer, nullPointer, offset, read } from '../build';
import type { Command } from '../command';
import { type DraftEdge, reversePostOrder } from '../automata/draft';
import { int64, int8, type Expression, type FrameObject, type Variable } from '../expression';
import { expressionsOf, operands, targetOf, variablesIn, withOperands } from '../traverse';
import type { Mutable } from '../../mutable';
import type { StaticObject, TypedAccess } from '../program';
import type { FunctionLowering } from './context';

type Fixed = StaticObject | FrameObject;

/** Elements of an array: so many bytes each. Without: a variable itself. */
interface Elements {
  readonly stepBytes: bigint;
  /** The number of the element. */
  readonly index: Variable;
}

/** Variables that one pointer leads to: each is a case wherever the pointer is used. */
const mostFixed = 3;

interface Separated {
  readonly variable: Variable;
  /** 0, or one more than the place in `fixed` of the variable that the pointer leads to. */
  readonly flag: Variable;
  readonly fixed: readonly Fixed[];
  readonly elements: ReadonlyMap<Fixed, Elements>;
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
    const steps = fixedTargets(variable, edges);
    const fixed = [...steps.keys()];
    if (fixed.length === 0 || isOrdered(f, variable)) return [];
    if (!fixed.every((one) => isOneObject(one, variable, edges))) return [];
    const flag = f.variable(`<${variable.name} is ${namesOf(fixed)}>`, int8, { temporary: false });
    const elements = new Map(
      [...steps].flatMap(([array, stepBytes]) =>
        stepBytes === 0n
          ? []
          : [
              [
                array,
                {
                  stepBytes,
                  index: f.variable(`<${variable.name} in ${array.name}>`, int64, { temporary: false }),
                },
              ] as const,
            ],
      ),
    );
    return [{ variable, flag: { ...flag, selects: variable }, fixed, elements }];
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
 * The variables that a pointer leads to at some assignments, with the size of an element where it leads to one of
 * several, and 0 otherwise. None, if it leads nowhere else, so that one region is what it leads to, or has other uses.
 */
function fixedTargets(variable: Variable, edges: readonly DraftEdge[]): ReadonlyMap<Fixed, bigint> {
  const targets = new Map<Fixed, bigint>();
  const none: ReadonlyMap<Fixed, bigint> = new Map();
  let leadsElsewhere = false;
  for (const { command } of edges) {
    if (targetOf(command) === variable) {
      if (command.kind !== 'assign' || isBare(command.value, variable)) return none;
      for (const value of casesOf(command.value)) {
        const target = placeOf(value);
        if (target) {
          const known = targets.get(target.of) || target.stepBytes;
          // The address of the array is that of its first element.
          if (target.stepBytes !== 0n && known !== target.stepBytes) return none;
          targets.set(target.of, known);
          // The index is assigned behind the pointer, and would be another one then.
          if (variablesIn(target.index).has(variable)) return none;
        } else leadsElsewhere ||= value.kind !== 'null';
      }
      // The flag is assigned behind the pointer, and would be chosen by what that is then.
      if (conditionsOf(command.value).some((e) => variablesIn(e).has(variable))) return none;
    }
    if (!expressionsOf(command).some((e) => variablesIn(e).has(variable))) continue;
    switch (command.kind) {
      case 'assume':
      case 'check':
        break;
      case 'assign':
        if (isBare(command.value, variable)) return none;
        break;
      case 'store':
        if (isBare(command.value, variable)) return none;
        break;
      default:
        return none;
    }
  }
  return targets.size <= mostFixed && leadsElsewhere ? targets : none;
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

interface Place {
  readonly of: Fixed;
  readonly stepBytes: bigint;
  readonly index: Expression;
}

/** A variable, or an element of a static array at an index that is computed. */
function placeOf(e: Expression): Place | undefined {
  if (e.kind === 'address')
    return e.of.kind === 'function' ? undefined : { of: e.of, stepBytes: 0n, index: integer(0, int64) };
  if (e.kind !== 'offset' || e.pointer.kind !== 'address' || e.pointer.of.kind !== 'static-object') return undefined;
  const { delta } = e;
  if (delta.kind !== 'binary' || delta.operator !== 'multiply' || delta.right.kind !== 'integer') return undefined;
  return { of: e.pointer.of, stepBytes: delta.right.value, index: delta.left };
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
    let from = between;
    for (const [array, { index }] of one.elements) {
      const next = f.draft.location(span);
      f.draft.edge(from, { kind: 'assign', target: index, value: indexIn(command.value, array) }, next, span);
      from = next;
    }
    f.draft.edge(from, { kind: 'assign', target: flag, value: flagIn(command.value, one) }, to, span);
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
  return placeOf(value) ? nullPointer : apart(value, one);
}

function flagIn(value: Expression, one: Separated): Expression {
  if (value.kind === 'conditional')
    return conditional(value.condition, flagIn(value.then, one), flagIn(value.otherwise, one));
  const target = placeOf(value);
  return integer(target ? one.fixed.indexOf(target.of) + 1 : 0, int8);
}

/** The index of the element of the array that a value leads to; 0 where it leads elsewhere. */
function indexIn(value: Expression, array: Fixed): Expression {
  if (value.kind === 'conditional')
    return conditional(value.condition, indexIn(value.then, array), indexIn(value.otherwise, array));
  const target = placeOf(value);
  return target?.of === array ? target.index : integer(0, int64);
}

/** The address that a case stands for. */
function addressIn(target: Fixed, { elements }: Separated): Expression {
  const element = elements.get(target);
  if (!element) return addressOf(target);
  return offset(addressOf(target), binary('multiply', read(element.index), integer(element.stepBytes, int64)));
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
    ? addressIn(target, one)
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
