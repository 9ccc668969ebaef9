/**
 * The meaning of expressions over any value domain. `evaluator` reads an expression once and returns a closure that
 * computes it in a state; closures are remembered per expression node.
 */
import type { Expression } from '../program/expression';
import type { ProgramState, Values } from './values';
import { unreachable } from '../unreachable';

export type Evaluation<V> = (state: ProgramState<V>) => V;

export class Evaluator<V> {
  private readonly staged = new WeakMap<Expression, Evaluation<V>>();
  constructor(readonly values: Values<V>) {}

  evaluate(expression: Expression, state: ProgramState<V>): V {
    return this.stage(expression)(state);
  }

  stage(expression: Expression): Evaluation<V> {
    let evaluation = this.staged.get(expression);
    if (!evaluation) this.staged.set(expression, (evaluation = this.read(expression)));
    return evaluation;
  }

  private read(e: Expression): Evaluation<V> {
    const { values } = this;
    switch (e.kind) {
      case 'integer':
        return constant(values.integer(e.value, e.type));
      case 'float':
        return constant(values.float(e.value, e.type));
      case 'null':
        return constant(values.null);
      case 'read': {
        const { slot } = e.variable;
        return e.variable.scope === 'global' ? (s) => s.globals[slot]! : (s) => s.locals[slot]!;
      }
      case 'address': {
        const { of } = e;
        if (of.kind !== 'frame-object') return constant(values.address(of));
        return (s) => s.objects[of.slot]!;
      }
      case 'load': {
        const address = this.stage(e.address);
        return (s) => s.memory.load(address(s), e.type, e);
      }
      case 'unary': {
        if (e.type.kind === 'pointer') throw new Error('lowering makes no arithmetic on pointers');
        const operate = values.unary(e.operator, e.type);
        const operand = this.stage(e.operand);
        return (s) => operate(operand(s));
      }
      case 'binary': {
        if (e.right.type.kind === 'pointer') throw new Error('lowering makes no arithmetic on pointers');
        const operate = values.binary(e.operator, e.type, e.right.type);
        const left = this.stage(e.left);
        const right = this.stage(e.right);
        return (s) => operate(left(s), right(s));
      }
      case 'compare': {
        const operate = values.compare(e.operator, e.left.type);
        const left = this.stage(e.left);
        const right = this.stage(e.right);
        const addresses =
          e.left.type.kind === 'pointer' &&
          (e.operator === 'eq' || e.operator === 'ne') &&
          e.left.kind !== 'null' &&
          e.right.kind !== 'null';
        if (!addresses) return (s) => operate(left(s), right(s));
        return (s) => {
          const [a, b] = [left(s), right(s)];
          return s.memory.comparePointers?.(a, b, e) ?? operate(a, b);
        };
      }
      case 'convert': {
        return this.conversion(e);
      }
      case 'offset': {
        const pointer = this.stage(e.pointer);
        const delta = this.stage(e.delta);
        return (s) => values.offset(pointer(s), delta(s));
      }
      case 'object-of':
        return this.onPointer(e.pointer, (p) => values.objectOf(p));
      case 'offset-of':
        return this.onPointer(e.pointer, (p) => values.offsetOf(p));
      case 'object-size':
        return this.onPointer(e.pointer, (p, s) => s.memory.objectSize(p, e));
      case 'is-live':
        return this.onPointer(e.pointer, (p, s) => s.memory.isLive(p, e));
      case 'is-writable':
        return this.onPointer(e.pointer, (p, s) => s.memory.isWritable(p, e));
      case 'is-heap':
        return this.onPointer(e.pointer, (p, s) => s.memory.isHeap(p, e));
      case 'is-initialised':
        return this.onPointer(e.pointer, (p, s) => s.memory.isInitialised(p, e.sizeBytes, e));
      case 'all-reached': {
        const from = e.from.map((pointer) => this.stage(pointer));
        return (s) =>
          s.memory.areAllReached(
            from.map((pointer) => pointer(s)),
            e,
          );
      }
      case 'list': {
        const list = this.stage(e.list);
        const node = this.stage(e.node);
        const condition = this.stage(e.condition);
        if (e.is !== 'every') return (s) => s.memory.ofList(list(s), node(s), e, () => condition(s));
        if (e.node.kind !== 'read' || e.node.variable.scope !== 'local')
          throw new Error(
            'the node of a condition on nodes is a local variable, which nothing but the condition reads',
          );
        const { slot } = e.node.variable;
        return (s) => {
          const before = s.locals[slot]!;
          const isMet = (one: V): V => {
            s.locals[slot] = one;
            const value = condition(s);
            s.locals[slot] = before;
            return value;
          };
          return s.memory.ofList(list(s), before, e, isMet);
        };
      }
      case 'conditional': {
        const condition = this.stage(e.condition);
        const then = this.stage(e.then);
        const otherwise = this.stage(e.otherwise);
        return (s) => values.conditional(condition(s), e.condition.type, then(s), otherwise(s), e.type);
      }
      default:
        return unreachable(e);
    }
  }

  private conversion({ operand, type }: Extract<Expression, { kind: 'convert' }>): Evaluation<V> {
    const value = this.stage(operand);
    const from = operand.type;
    const operate = this.values.convert(from, type);
    if (from.kind === 'pointer' && type.kind === 'integer')
      return (s) => {
        const pointer = value(s);
        return s.memory.addressOf?.(pointer, type) ?? operate(pointer);
      };
    if (from.kind === 'integer' && type.kind === 'pointer')
      return (s) => {
        const address = value(s);
        return s.memory.pointerAt?.(address, from) ?? operate(address);
      };
    return (s) => operate(value(s));
  }

  private onPointer(pointer: Expression, operate: (pointer: V, state: ProgramState<V>) => V): Evaluation<V> {
    const staged = this.stage(pointer);
    return (s) => operate(staged(s), s);
  }
}

function constant<V>(value: V): Evaluation<V> {
  return () => value;
}
