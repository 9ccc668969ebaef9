/**
 * Variables, and regions, that may hold a pointer which was not made as one: read from memory that may be
 * uninitialised, or unknown.
 */
import type { Expression, Variable } from '../../program/expression';
import { unsetWhenRead } from '../concrete/liveness';
import type { Node } from './regionNode';
import type { Regions } from './regions';

export function dirtyThings(regions: Regions, external: readonly Variable[]): ReadonlySet<Variable | Node> {
  const { program } = regions;
  const dirty = new Set<Variable | Node>(external);
  let changed: boolean;
  const mark = (what: Variable | Node, bad: boolean): void => {
    if (bad && !dirty.has(what)) {
      dirty.add(what);
      changed = true;
    }
  };
  const bad = (e: Expression): boolean => {
    switch (e.kind) {
      case 'null':
      case 'address':
        return false;
      case 'read':
        return dirty.has(e.variable);
      case 'offset':
        return bad(e.pointer);
      case 'conditional':
        return bad(e.then) || bad(e.otherwise);
      case 'load': {
        const from = regions.pointee(e.address);
        if (!from) return true;
        const node = regions.find(from.node);
        return dirty.has(node) || [...node.origins].some((o) => o.kind !== 'static');
      }
      default:
        return true;
    }
  };
  for (const fn of program.functions) for (const variable of unsetWhenRead(fn)) dirty.add(variable);
  do {
    changed = false;
    for (const fn of program.functions) {
      for (const { command } of fn.edges) {
        switch (command.kind) {
          case 'assign':
            if (command.target.type.kind === 'pointer') mark(command.target, bad(command.value));
            break;
          case 'havoc':
          case 'input':
            mark(command.target, command.target.type.kind === 'pointer');
            break;
          case 'external':
            if (command.target?.type.kind === 'pointer') mark(command.target, true);
            break;
          case 'store':
          case 'copy':
          case 'fill': {
            const to = regions.pointee(command.kind === 'store' ? command.address : command.target);
            if (to)
              mark(
                regions.find(to.node),
                command.kind === 'store' ? command.type.kind === 'pointer' && bad(command.value) : true,
              );
            break;
          }
          case 'call':
            for (const target of command.targets) {
              target.parameters.forEach((parameter, i) => {
                const argument = command.arguments[i];
                if (parameter.type.kind === 'pointer' && argument) mark(parameter, bad(argument));
              });
              if (command.target?.type.kind === 'pointer' && target.resultVariable)
                mark(command.target, dirty.has(target.resultVariable));
            }
            break;
          default:
            break;
        }
      }
    }
  } while (changed);
  return dirty;
}
