/**
 * The lists of a module that calls give to its functions: for each parameter, the static variables and objects from
 * which calls pass a list, or the address of its head. A function that is given several has one summary for all, which
 * says little of each. So it is if one caller gives it several of its local variables.
 */
import type { CType } from '../../c/types';
import type { Mutable } from '../../mutable';
import type { Expression, Variable } from '../expression';
import type { FunctionDefinition, GlobalVariable, StaticObject } from '../program';
import { targetOf } from '../traverse';

type Owner = Variable | StaticObject;

/** Levels of pointers that types of lists are looked for behind. */
const pointerLevels = 3;

export class GivenLists {
  /** By parameter or local variable: those whose values it may hold. */
  private readonly owners = new Map<Variable, Set<Owner>>();
  /** Static pointers that keep their initial value. */
  private readonly constants = new Map<Variable, Expression>();

  constructor(functions: readonly Mutable<FunctionDefinition>[], globals: readonly GlobalVariable[]) {
    const edges = functions.flatMap((fn) => fn.edges);
    const written = new Set(edges.map(({ command }) => targetOf(command)));
    for (const { variable, initial, visible, elsewhere } of globals)
      if (!visible && !elsewhere && initial && baseOf(initial)?.kind === 'address' && !written.has(variable))
        this.constants.set(variable, initial);
    for (let isMore = true; isMore;) {
      isMore = false;
      const pass = (to: Variable, value: Expression): void => {
        const known = this.owners.get(to) ?? new Set();
        const before = known.size;
        this.addOwners(value, known);
        this.owners.set(to, known);
        isMore ||= known.size > before;
      };
      for (const { command } of edges) {
        if (command.kind === 'assign' && command.target.scope === 'local' && command.target.type.kind === 'pointer')
          pass(command.target, command.value);
        if (command.kind === 'call' && command.targets.length === 1)
          command.targets[0]!.parameters.forEach((parameter, i) => {
            const value = command.arguments[i];
            if (value && parameter.type.kind === 'pointer') pass(parameter, value);
          });
      }
    }
  }

  /**
   * True if calls give the function several lists, in the place of one or beside each other, be it all calls, or those
   * of the caller.
   */
  areSeveral(fn: FunctionDefinition, caller: FunctionDefinition): boolean {
    const lists = fn.parameters.filter(isOfList);
    const owners = lists.map((parameter) => this.owners.get(parameter) ?? new Set<Owner>());
    return (
      new Set(owners.flatMap((some) => [...some])).size > 1 ||
      fn.parameters.some((parameter, i) => isOfList(parameter) && this.localLists(fn, i, caller).size > 1)
    );
  }

  /** True if calls give the function the address of a list's head, and it goes on from there to links of nodes. */
  areWalkedFromHead(fn: FunctionDefinition): boolean {
    const written = new Set(fn.edges.map(({ command }) => targetOf(command)));
    return fn.parameters.some(
      (parameter) =>
        parameter.ctype?.kind === 'pointer' &&
        isNode(parameter.ctype.to, 1) &&
        written.has(parameter) &&
        [...(this.owners.get(parameter) ?? [])].some(({ kind }) => kind === 'static-object'),
    );
  }

  /** Local variables with nodes from no static variable that calls in the caller pass as this argument. */
  private localLists(fn: FunctionDefinition, argument: number, caller: FunctionDefinition): Set<Variable> {
    const found = new Set<Variable>();
    for (const { command } of caller.edges) {
      const value = command.kind === 'call' && command.callee === fn ? command.arguments[argument] : undefined;
      if (value?.kind !== 'read' || value.variable.scope !== 'local' || !isNode(value.variable.ctype)) continue;
      if ((this.owners.get(value.variable)?.size ?? 0) === 0) found.add(value.variable);
    }
    return found;
  }

  /** The argument as an address that is the same at each call; undefined if it is none. */
  addressIn(argument: Expression): Expression | undefined {
    const base = baseOf(argument);
    if (base?.kind === 'address' && base.of.kind === 'static-object') return argument;
    return argument.kind === 'read' ? this.constants.get(argument.variable) : undefined;
  }

  private addOwners(e: Expression, into: Set<Owner>): void {
    switch (e.kind) {
      case 'read':
        if (e.variable.scope === 'global') into.add(e.variable);
        else for (const owner of this.owners.get(e.variable) ?? []) into.add(owner);
        break;
      case 'address':
        if (e.of.kind === 'static-object') into.add(e.of);
        break;
      case 'load': {
        const base = baseOf(e.address);
        if (base?.kind === 'address') this.addOwners(base, into);
        break;
      }
      case 'offset':
        this.addOwners(e.pointer, into);
        break;
      case 'conditional':
        this.addOwners(e.then, into);
        this.addOwners(e.otherwise, into);
        break;
      default:
        break;
    }
  }
}

/** The address that a number of bytes is added to. */
function baseOf(e: Expression): Expression | undefined {
  if (e.kind === 'offset') return e.delta.kind === 'integer' ? baseOf(e.pointer) : undefined;
  return e.kind === 'address' ? e : undefined;
}

/** Leads to a node, to a pointer to nodes, to a structure with one, or to an untyped pointer. */
function isOfList({ ctype }: Variable): boolean {
  if (ctype?.kind !== 'pointer') return false;
  const { to } = ctype;
  if (to.kind === 'pointer' && to.to.kind === 'void') return true;
  return isNode(ctype) || (to.kind === 'record' && to.record.fields.some(({ type }) => isNode(type)));
}

/** A pointer, over some levels of pointers, to a structure with a pointer to such a structure. */
export function isNode(type: CType | undefined, levels = pointerLevels): boolean {
  if (type?.kind !== 'pointer' || levels === 0) return false;
  return type.to.kind === 'record' ? leadsOn(type.to) : isNode(type.to, levels - 1);
}

/** A structure with a pointer to such a structure. */
export const leadsOn = (type: CType): boolean =>
  type.kind === 'record' &&
  type.record.fields.some(
    ({ type: member }) => member.kind === 'pointer' && member.to.kind === 'record' && member.to.record === type.record,
  );
