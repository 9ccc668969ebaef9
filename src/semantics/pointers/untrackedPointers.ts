/**
 * Variables and regions that may hold a pointer of unknown provenance: read from uninitialised or unknown memory.
 */
import type { Expression, Variable } from '../../program/expression';
import { unsetWhenRead } from '../concrete/liveness';
import type { Node } from './regionNode';
import type { Regions } from './regions';

export function untrackedPointers(regions: Regions, external: readonly Variable[]): ReadonlySet<Variable | Node> {
  const { program } = regions;
  const untracked = new Set<Variable | Node>(external);
  let changed: boolean;
  const mark = (what: Variable | Node): void => {
    if (untracked.has(what)) return;
    untracked.add(what);
    changed = true;
  };
  const isUntracked = (e: Expression): boolean => {
    switch (e.kind) {
      case 'null':
      case 'address':
        return false;
      case 'read':
        return untracked.has(e.variable);
      case 'offset':
        return isUntracked(e.pointer);
      case 'conditional':
        return isUntracked(e.then) || isUntracked(e.otherwise);
      case 'load': {
        const from = regions.pointee(e.address);
        if (!from) return true;
        const node = regions.find(from.node);
        return untracked.has(node) || [...node.origins].some((o) => o.kind !== 'static');
      }
      default:
        return true;
    }
  };
  for (const fn of program.functions) for (const variable of unsetWhenRead(fn)) untracked.add(variable);
  do {
    changed = false;
    for (const fn of program.functions) {
      for (const { command } of fn.edges) {
        switch (command.kind) {
          case 'assign':
            if (command.target.type.kind === 'pointer' && isUntracked(command.value)) mark(command.target);
            break;
          case 'havoc':
          case 'input':
          case 'external':
            if (command.target?.type.kind === 'pointer') mark(command.target);
            break;
          case 'store':
          case 'copy':
          case 'fill': {
            if (command.kind === 'store' && !(command.type.kind === 'pointer' && isUntracked(command.value))) break;
            const to = regions.pointee(command.kind === 'store' ? command.address : command.target);
            if (to) mark(regions.find(to.node));
            break;
          }
          case 'call':
            for (const target of command.targets) {
              target.parameters.forEach((parameter, i) => {
                const argument = command.arguments[i];
                if (parameter.type.kind === 'pointer' && argument && isUntracked(argument)) mark(parameter);
              });
              if (
                command.target?.type.kind === 'pointer' &&
                target.resultVariable &&
                untracked.has(target.resultVariable)
              )
                mark(command.target);
            }
            break;
          default:
            break;
        }
      }
    }
  } while (changed);
  return untracked;
}
