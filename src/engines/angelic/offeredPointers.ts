/**
 * Pointers in clients' structures that a proof has to know to be valid: the module uses what they hold as an address,
 * and no test of its own can tell a live object from anything else. Offered are those that the program itself keeps
 * valid. No failing run stands behind such a specification, since no client in a run holds a pointer into nothing.
 */
import { externalPointers } from '../../abstraction/transitionSystem/clients/sharedStructures';
import { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { CType } from '../../c/types';
import type { ValidPointers } from '../../evidence/scenarios/structures/validPointers';
import type { Command } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import { expressionsOf, walk } from '../../program/traverse';
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import { pointersIn } from '../../semantics/pointers/clientObjects';
import type { Slot } from '../../semantics/pointers/slotLayout';
import { slotAt } from '../../semantics/pointers/slotLayout';
import { type MembersByType, typeName, type ValidTarget } from '../../semantics/pointers/validMembers';
import type { Problem } from '../problem';

/** One for each structure, in the order in which clients' pointers lead to them. */
export function offeredPointers(problem: Problem): readonly ValidPointers[] {
  if (problem.task.mode !== 'module') return [];
  const all = pointerMembers(problem);
  if (all.size === 0) return [];
  const system = new TransitionSystem(problem.program, { ...problem.systemOptions(), validMembers: all });
  const used = new Map<string, Set<string>>();
  for (const { members } of usedAsAddress(problem, system))
    for (const { type, member } of members) used.set(type, (used.get(type) ?? new Set<string>()).add(member));
  return [...all].flatMap(([type, members]) => {
    const known = problem.validMembers.get(type);
    const wanted = [...members].filter((member) => used.get(type)?.has(member) && !known?.has(member));
    // One without a name cannot be said.
    return wanted.length > 0 && !type.includes('<') ? [{ type, members: wanted }] : [];
  });
}

/** Members that are pointers to objects, of all structures that clients' pointers lead to. */
function pointerMembers({ program, callable, task, handles, initialisers }: Problem): MembersByType {
  const found = new Map<string, Set<string>>();
  const seen = new Set<CType>();
  const look = (type: CType | undefined): void => {
    if (!type || seen.has(type)) return;
    seen.add(type);
    if (type.kind === 'record') {
      if (type.record.keyword === 'union' || handles.has(type.record) || initialisers.has(type.record)) return;
      const members = found.get(typeName(type.record)) ?? new Set<string>();
      for (const field of type.record.fields) {
        const of = field.type.kind === 'array' ? field.type.of : field.type;
        if (field.name !== undefined && of.kind === 'pointer' && of.to.kind !== 'function') members.add(field.name);
      }
      if (members.size > 0) found.set(typeName(type.record), members);
    }
    for (const { to } of pointersIn(type, program.dataModel)) look(to);
  };
  for (const fn of callable) for (const { to } of externalPointers(fn, { mode: task.mode })) look(to);
  return found;
}

/** Places whose pointers the module reads or writes through, ends, or adds to, directly or by way of variables. */
function usedAsAddress({ callable }: Problem, { memoryModel }: TransitionSystem): ReadonlySet<ValidTarget> {
  const { regions, validMembers } = memoryModel;
  const commands = [...reachableFunctions(callable)].flatMap(({ edges }) => edges.map(({ command }) => command));
  const held = new Map<Variable, Set<ValidTarget>>();
  const sources = (e: Expression): readonly ValidTarget[] => {
    switch (e.kind) {
      case 'read':
        return [...(held.get(e.variable) ?? [])];
      case 'load': {
        const from = regions.pointee(e.address);
        const layout = from && regions.layout(from.node);
        const slot: Slot | undefined = layout?.kind === 'slots' ? slotAt(layout, from!.at) : undefined;
        const target = slot && validMembers.at(from!.node, slot);
        return target ? [target] : [];
      }
      case 'offset':
        return sources(e.pointer);
      case 'convert':
        return sources(e.operand);
      case 'conditional':
        return [...sources(e.then), ...sources(e.otherwise)];
      default:
        return [];
    }
  };
  let changed = true;
  const assign = (variable: Variable | undefined, value: Expression | undefined): void => {
    if (!variable || variable.type.kind !== 'pointer' || !value) return;
    const before = held.get(variable) ?? new Set<ValidTarget>();
    const { size } = before;
    for (const one of sources(value)) before.add(one);
    held.set(variable, before);
    changed ||= before.size > size;
  };
  while (changed) {
    changed = false;
    for (const command of commands) {
      if (command.kind === 'assign') assign(command.target, command.value);
      if (command.kind !== 'call') continue;
      for (const { parameters, resultVariable } of command.targets) {
        parameters.forEach((parameter, i) => assign(parameter, command.arguments[i]));
        if (resultVariable)
          assign(command.target, { kind: 'read', type: resultVariable.type, variable: resultVariable });
      }
    }
  }
  return new Set(commands.flatMap(addressesIn).flatMap(sources));
}

function addressesIn(command: Command): readonly Expression[] {
  const found: Expression[] = [];
  if (command.kind === 'store') found.push(command.address);
  if (command.kind === 'copy') found.push(command.target, command.source);
  if (command.kind === 'fill') found.push(command.target);
  if (command.kind === 'free') found.push(command.pointer);
  for (const e of expressionsOf(command))
    walk(e, (inner) => {
      if (inner.kind === 'load') found.push(inner.address);
      if (inner.kind === 'offset') found.push(inner.pointer);
    });
  return found;
}
