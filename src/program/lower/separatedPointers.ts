/**
 * Local pointers to pointers that lead to one variable or to a member of some object, as `link` does in
 *
 *   struct node **link = &head;
 *   while (*link != NULL) link = &(*link)->next;
 *
 * The region analysis has one region for whatever a pointer leads to, at one place of its objects. Here `head` and
 * `next` would share it, though they lie at different places, and nothing could be distinguished in it. Such a pointer
 * becomes two variables: a flag that says that it leads to the variable, and the pointer where it does not, null where
 * it does. A condition or a load is made of both cases, and a store is a branch.
 *
 * The program keeps its executions: the pointer is the address of the variable where the flag is set, and else what the
 * second variable holds. Pointers that are used otherwise, as arguments or in copies, stay as they are.
 */
import { addressOf, compare, conditional, integer, nullPointer, read } from '../build';
import type { Command } from '../command';
import { type DraftEdge, reversePostOrder } from '../automata/draft';
import { int8, type Expression, type FrameObject, type Variable } from '../expression';
import { expressionsOf, operands, targetOf, variablesIn, withOperands } from '../traverse';
import type { Mutable } from '../../mutable';
import type { StaticObject, TypedAccess } from '../program';
import type { FunctionLowering } from './context';

type Fixed = StaticObject | FrameObject;

interface Separated {
  readonly variable: Variable;
  readonly flag: Variable;
  readonly fixed: Fixed;
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
    const fixed = fixedTarget(variable, edges);
    if (!fixed || !isOneObject(fixed, variable, edges) || isOrdered(f, variable)) return [];
    const flag = f.variable(`<${variable.name} is &${fixed.name}>`, int8, { temporary: false });
    return [{ variable, flag: { ...flag, selects: variable }, fixed }];
  });
  for (const one of found) {
    f.variables[one.flag.slot] = one.flag;
    for (const edge of reversePostOrder(f.draft.entry).flatMap((location) => location.edges)) separate(f, edge, one);
    f.unordered.splice(0, Infinity, ...f.unordered.map((unordered) => orderedApart(unordered, one)));
    f.typedAccesses.splice(0, Infinity, ...f.typedAccesses.flatMap((access) => typedApart(access, one)));
    (one.variable as Mutable<Variable>).name = `<${one.variable.name} if not &${one.fixed.name}>`;
  }
  return found.length > 0;
}

/** The variable that a pointer leads to at some assignments, if it leads elsewhere at others and has no other use. */
function fixedTarget(variable: Variable, edges: readonly DraftEdge[]): Fixed | undefined {
  const targets = new Set<Fixed>();
  let leadsElsewhere = false;
  for (const { command } of edges) {
    if (targetOf(command) === variable) {
      if (command.kind !== 'assign' || isBare(command.value, variable)) return undefined;
      const target = fixedOf(command.value);
      if (target) targets.add(target);
      else leadsElsewhere ||= command.value.kind !== 'null';
    }
    if (!expressionsOf(command).some((e) => variablesIn(e).has(variable))) continue;
    switch (command.kind) {
      case 'assume':
      case 'check':
        break;
      case 'assign':
        if (isBare(command.value, variable)) return undefined;
        break;
      case 'store':
        if (isBare(command.value, variable)) return undefined;
        break;
      default:
        return undefined;
    }
  }
  return targets.size === 1 && leadsElsewhere ? [...targets][0] : undefined;
}

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
    const isFixed = fixedOf(command.value) === fixed;
    const between = f.draft.location(span);
    const { to } = edge;
    edge.command = { ...command, value: isFixed ? nullPointer : apart(command.value, one) };
    edge.to = between;
    f.draft.edge(between, { kind: 'assign', target: flag, value: integer(isFixed ? 1 : 0, int8) }, to, span);
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
        [compare('ne', read(flag), integer(0, int8)), whereFixed(command.address, one)],
        [compare('eq', read(flag), integer(0, int8)), elsewhere(command.address)],
      ] as const;
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

/** The same value, of both cases where it is no pointer that the variable's gives. */
function apart(e: Expression, one: Separated): Expression {
  const { variable, flag } = one;
  if (!variablesIn(e).has(variable)) return e;
  const own = operands(e).filter((operand) => variablesIn(operand).has(variable));
  if (!own.some((operand) => isBare(operand, variable))) return withOperands(e, (operand) => apart(operand, one));
  return conditional(compare('ne', read(flag), integer(0, int8)), whereFixed(e, one), elsewhere(e));
}

const elsewhere = (e: Expression): Expression => e;

function whereFixed(e: Expression, one: Separated): Expression {
  return e.kind === 'read' && e.variable === one.variable
    ? addressOf(one.fixed)
    : withOperands(e, (operand) => whereFixed(operand, one));
}

function orderedApart(
  unordered: FunctionLowering['unordered'][number],
  one: Separated,
): FunctionLowering['unordered'][number] {
  const both = (e: Expression): Expression[] => (isBare(e, one.variable) ? [e, whereFixed(e, one)] : [apart(e, one)]);
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
  return [access, { ...access, address: whereFixed(access.address, one) }];
}
