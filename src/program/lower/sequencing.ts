/**
 * Unsequenced effects (C11 6.5p2): `i = i++` or `f(i, i++)` has no meaning, because lowering would have to choose one
 * of several orders. Only variables by name are considered. Effects through pointers are ignored, and so are those of
 * called functions, which C sequences in some order.
 *
 * Each subexpression has three sets of variables. It reads some. Others change, and the change may be pending when the
 * value is available (`pending`). For the last the change is complete by then (`settled`): before a comma, `&&`, `||`,
 * `?`, or in the arguments of a call.
 */
import type { Diagnostic } from '../../c/diagnostic';
import type { Block, Expression, Statement, VariableSymbol } from '../../c/tree';
import { unreachable } from '../../unreachable';
import { walkExpression, walkStatement } from './walk';

interface Effects {
  readonly reads: ReadonlySet<VariableSymbol>;
  readonly pending: ReadonlySet<VariableSymbol>;
  readonly settled: ReadonlySet<VariableSymbol>;
}
const none: Effects = { reads: new Set(), pending: new Set(), settled: new Set() };

/** One error for each full expression of the body that has a conflict. */
export function findUnsequenced(body: Block): Diagnostic[] {
  const found: Diagnostic[] = [];
  walkStatement(body, {
    statement: (s) => {
      for (const e of fullExpressions(s)) {
        const conflict = countEffects(e) > 0 ? new Sequencing().firstConflict(e) : undefined;
        if (!conflict) continue;
        found.push({
          severity: 'error',
          message: `'${conflict.name}' is changed and used in one expression, in no particular order: C leaves the result undefined`,
          span: e.span,
          hint: 'Write two statements.',
        });
      }
    },
  });
  return found;
}

function fullExpressions(s: Statement): Expression[] {
  const some = (...expressions: readonly (Expression | undefined)[]): Expression[] =>
    expressions.filter((e) => e !== undefined);
  switch (s.kind) {
    case 'expression':
      return [s.expression];
    case 'cleanup':
      return [s.call];
    case 'declare':
      return some(s.value, ...(s.initializer?.items.map(({ value }) => value) ?? []));
    case 'if':
    case 'while':
    case 'do':
    case 'switch':
      return [s.condition];
    case 'for':
      return some(s.condition, s.step);
    case 'array-length':
      return [s.value];
    case 'declare-array':
      return [];
    case 'return':
      return some(s.value);
    case 'block':
    case 'case':
    case 'default':
    case 'label':
    case 'goto':
    case 'break':
    case 'continue':
    case 'empty':
      return [];
    default:
      return unreachable(s);
  }
}

function countEffects(e: Expression): number {
  let count = 0;
  walkExpression(e, {
    expression: ({ kind }) => {
      if (kind === 'assign' || kind === 'compound-assign' || kind === 'increment' || kind === 'pointer-update') count++;
    },
  });
  return count;
}

class Sequencing {
  private conflict: VariableSymbol | undefined;

  firstConflict(e: Expression): VariableSymbol | undefined {
    this.effects(e);
    return this.conflict;
  }

  private effects(e: Expression): Effects {
    switch (e.kind) {
      case 'integer':
      case 'float':
      case 'string':
      case 'function':
      case 'statement-expression':
        return none;
      case 'variable':
        return none;
      case 'compound-literal':
        return this.unsequenced(...e.initializer.items.map(({ value }) => this.effects(value)));
      case 'load':
        return e.lvalue.kind === 'variable' ? { ...none, reads: new Set([e.lvalue.symbol]) } : this.effects(e.lvalue);
      case 'dereference':
        return this.effects(e.pointer);
      case 'member':
        return this.effects(e.object);
      case 'decay':
      case 'address-of':
        return this.effects(e.lvalue);
      case 'function-pointer':
        return this.effects(e.designator);
      case 'convert':
      case 'unary':
      case 'not':
        return this.effects(e.operand);
      case 'arithmetic':
      case 'relational':
      case 'pointer-difference':
        return this.unsequenced(this.effects(e.left), this.effects(e.right));
      case 'pointer-add':
        return this.unsequenced(this.effects(e.pointer), this.effects(e.index));
      case 'logical':
      case 'comma':
        return afterwards(this.effects(e.left), this.effects(e.right));
      case 'conditional':
        return afterwards(
          this.effects(e.condition),
          union(e.then ? this.effects(e.then) : none, this.effects(e.otherwise)),
        );
      case 'assign':
        return this.update(e.target, this.effects(e.value), false);
      case 'compound-assign':
        return this.update(e.target, this.effects(e.operand), true);
      case 'pointer-update':
        return this.update(e.target, this.effects(e.index), true);
      case 'increment':
        return this.update(e.target, none, true);
      case 'call':
        return settle(
          this.unsequenced(this.effects(e.callee), ...e.arguments.map((argument) => this.effects(argument))),
        );
      case 'va-start':
      case 'va-arg':
      case 'va-end':
        return this.effects(e.list);
      case 'va-copy':
        return this.unsequenced(this.effects(e.target), this.effects(e.source));
      default:
        return unreachable(e);
    }
  }

  private update(target: Expression, value: Effects, readsTarget: boolean): Effects {
    if (target.kind !== 'variable') return this.unsequenced(this.effects(target), value);
    const own = new Set([target.symbol]);
    this.meet(own, value.pending);
    if (readsTarget) this.meet(own, value.settled);
    return {
      reads: readsTarget ? join(value.reads, own) : value.reads,
      pending: join(value.pending, own),
      settled: value.settled,
    };
  }

  private unsequenced(...parts: readonly Effects[]): Effects {
    parts.forEach((part, i) => {
      const changes = join(part.pending, part.settled);
      if (changes.size === 0) return;
      parts.forEach((other, j) => {
        if (i !== j) this.meet(changes, join(other.reads, join(other.pending, other.settled)));
      });
    });
    return parts.reduce(union, none);
  }

  private meet(a: ReadonlySet<VariableSymbol>, b: ReadonlySet<VariableSymbol>): void {
    for (const symbol of a) if (b.has(symbol)) this.conflict ??= symbol;
  }
}

const join = <T>(a: ReadonlySet<T>, b: ReadonlySet<T>): ReadonlySet<T> =>
  a.size === 0 ? b : b.size === 0 ? a : new Set([...a, ...b]);
const union = (a: Effects, b: Effects): Effects => ({
  reads: join(a.reads, b.reads),
  pending: join(a.pending, b.pending),
  settled: join(a.settled, b.settled),
});
const settle = (a: Effects): Effects => ({
  reads: a.reads,
  pending: none.pending,
  settled: join(a.pending, a.settled),
});
const afterwards = (first: Effects, second: Effects): Effects => union(settle(first), second);
