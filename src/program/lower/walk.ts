/** Walks over the typed tree. */
import type { TypedExpression, Initializer, Statement } from '../../c/tree';
import { unreachable } from '../../unreachable';

export interface TreeVisitor {
  expression?(e: TypedExpression): void;
  statement?(s: Statement): void;
  /** After everything inside. */
  leave?(s: Statement): void;
}

export function walkStatement(s: Statement, visitor: TreeVisitor): void {
  visitor.statement?.(s);
  walkInside(s, visitor);
  visitor.leave?.(s);
}

function walkInside(s: Statement, visitor: TreeVisitor): void {
  const inner = (e: TypedExpression | undefined) => {
    if (e) walkExpression(e, visitor);
  };
  switch (s.kind) {
    case 'block':
      for (const item of s.items) walkStatement(item, visitor);
      return;
    case 'declare':
      if (s.initializer) walkInitializer(s.initializer, visitor);
      inner(s.value);
      return;
    case 'array-length':
      inner(s.value);
      return;
    case 'declare-array':
      for (const length of s.lengths) inner(length);
      return;
    case 'cleanup':
      inner(s.call);
      return;
    case 'expression':
      inner(s.expression);
      return;
    case 'if':
      inner(s.condition);
      walkStatement(s.then, visitor);
      if (s.otherwise) walkStatement(s.otherwise, visitor);
      return;
    case 'while':
      inner(s.condition);
      walkStatement(s.body, visitor);
      return;
    case 'do':
      walkStatement(s.body, visitor);
      inner(s.condition);
      return;
    case 'for':
      for (const item of s.init) walkStatement(item, visitor);
      inner(s.condition);
      walkStatement(s.body, visitor);
      inner(s.step);
      return;
    case 'switch':
      inner(s.condition);
      walkStatement(s.body, visitor);
      return;
    case 'case':
    case 'default':
    case 'label':
      walkStatement(s.body, visitor);
      return;
    case 'computed-goto':
      inner(s.target);
      return;
    case 'return':
      inner(s.value);
      return;
    case 'goto':
    case 'break':
    case 'continue':
    case 'empty':
      return;
    default:
      unreachable(s);
  }
}

export function walkInitializer(initializer: Initializer, visitor: TreeVisitor): void {
  for (const item of initializer.items) walkExpression(item.value, visitor);
}

export function walkExpression(e: TypedExpression, visitor: TreeVisitor): void {
  visitor.expression?.(e);
  const inner = (x: TypedExpression) => walkExpression(x, visitor);
  switch (e.kind) {
    case 'integer':
    case 'float':
    case 'string':
    case 'variable':
    case 'function':
      return;
    case 'dereference':
      return inner(e.pointer);
    case 'member':
      return inner(e.object);
    case 'compound-literal':
      return walkInitializer(e.initializer, visitor);
    case 'load':
    case 'decay':
    case 'address-of':
      return inner(e.lvalue);
    case 'function-pointer':
      return inner(e.designator);
    case 'convert':
    case 'unary':
    case 'not':
      return inner(e.operand);
    case 'arithmetic':
    case 'relational':
    case 'pointer-difference':
    case 'logical':
    case 'comma':
      inner(e.left);
      return inner(e.right);
    case 'pointer-add':
      inner(e.pointer);
      return inner(e.index);
    case 'conditional':
      inner(e.condition);
      if (e.then) inner(e.then);
      return inner(e.otherwise);
    case 'assign':
      inner(e.target);
      return inner(e.value);
    case 'compound-assign':
      inner(e.target);
      return inner(e.operand);
    case 'pointer-update':
      inner(e.target);
      return inner(e.index);
    case 'increment':
      return inner(e.target);
    case 'call':
      inner(e.callee);
      for (const argument of e.arguments) inner(argument);
      return;
    case 'statement-expression':
      walkStatement(e.body, visitor);
      if (e.result) inner(e.result);
      return;
    case 'va-start':
    case 'va-arg':
    case 'va-end':
      return inner(e.list);
    case 'va-copy':
      inner(e.target);
      return inner(e.source);
    default:
      return unreachable(e);
  }
}
