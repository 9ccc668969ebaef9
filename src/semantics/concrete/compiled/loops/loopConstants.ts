/** Constants of a loop, or of a whole function: expressions that keep their value while control stays in it. */
import type { Command } from '../../../../program/command';
import type { Expression, Variable } from '../../../../program/expression';
import { interferes, operands, targetOf } from '../../../../program/traverse';
import { rootOf } from '../checkElimination';

/** Variables and memory that an expression reads. */
interface Reads {
  readonly variables: Set<Variable>;
  contents: boolean;
  /** Properties of objects. */
  properties: boolean;
  /** The place of an automatic object. */
  frame: boolean;
}

export class LoopConstants {
  private readonly changed = new Set<Variable>();
  /** Pointers that stay in their object: each assignment of them adds an offset. */
  private readonly moved = new Set<Variable>();

  /** `packsOffsets`: adding an offset to a pointer never changes its object. */
  constructor(
    private readonly commands: readonly Command[],
    private readonly packsOffsets: boolean,
  ) {
    for (const command of commands) {
      const target = targetOf(command);
      if (target) this.changed.add(target);
    }
    const leaves = new Set<Variable>();
    for (const command of commands) {
      const target = targetOf(command);
      if (target && !(command.kind === 'assign' && isMove(command.value, target))) leaves.add(target);
    }
    if (packsOffsets)
      for (const variable of this.changed)
        if (variable.type.kind === 'pointer' && !leaves.has(variable)) this.moved.add(variable);
  }

  isChanged(variable: Variable): boolean {
    return this.changed.has(variable);
  }

  /** True if the expression keeps its value, or that for each value of a local variable. */
  keeps(e: Expression, but?: Variable): boolean {
    const reads: Reads = {
      variables: new Set(),
      contents: false,
      properties: false,
      frame: false,
    };
    this.collect(e, reads);
    for (const variable of reads.variables) if (variable !== but && this.changed.has(variable)) return false;
    return this.commands.every((command) => {
      switch (command.kind) {
        case 'store':
        case 'copy':
        case 'fill':
          // They change contents, and neither make nor end an object.
          return !reads.contents;
        case 'declare':
        case 'end':
          return !reads.contents && !reads.properties && !reads.frame;
        case 'assign':
        case 'havoc':
        case 'input':
          return true; // of what is read nothing changes, or the pointer only moves
        default:
          return !interferes(command, e);
      }
    });
  }

  private collect(e: Expression, reads: Reads): void {
    switch (e.kind) {
      case 'read':
        reads.variables.add(e.variable);
        return;
      case 'address':
        reads.frame ||= e.of.kind === 'frame-object';
        return;
      case 'load':
      case 'is-initialised':
      case 'list':
      case 'all-reached':
        reads.contents = true;
        break;
      case 'object-size':
      case 'is-live':
      case 'is-heap':
      case 'is-writable':
      case 'object-of': {
        reads.properties ||= e.kind !== 'object-of';
        // However far a pointer moves, it leads to the same object.
        if (this.packsOffsets) return this.collectObject(rootOf(e.pointer).root, reads);
        break;
      }
      default:
    }
    for (const operand of operands(e)) this.collect(operand, reads);
  }

  private collectObject(root: Expression, reads: Reads): void {
    if (root.kind !== 'read' || !this.moved.has(root.variable)) this.collect(root, reads);
  }
}

function isMove(e: Expression, variable: Variable): boolean {
  return e.kind === 'offset' ? isMove(e.pointer, variable) : e.kind === 'read' && e.variable === variable;
}
