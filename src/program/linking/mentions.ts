/** Functions that a program needs by the text of its calls, before anything is linked. */
import type { TranslationUnit, FunctionSymbol } from '../../c/tree';
import { textArguments } from '../lower/calls/printedText';
import { walkInitializer, walkStatement, type TreeVisitor } from '../lower/walk';
import { nativeFunctions } from './natives';

export function mentions(units: readonly TranslationUnit[], name: string): boolean {
  let found = false;
  const visitor: TreeVisitor = {
    expression: (e) => {
      if (e.kind === 'function' && e.symbol.name === name) found = true;
    },
  };
  for (const unit of units) {
    if (!unit.functions.some((fn) => fn.name === name)) continue;
    for (const fn of unit.functions) if (fn.body) walkStatement(fn.body, visitor);
    for (const variable of unit.variables) if (variable.initializer) walkInitializer(variable.initializer, visitor);
  }
  return found;
}

/** A call prints a text, as by `%s`, that is no literal. */
export function printsTexts(units: readonly TranslationUnit[], isNative: (symbol: FunctionSymbol) => boolean): boolean {
  let found = false;
  const visitor: TreeVisitor = {
    expression: (e) => {
      if (e.kind !== 'call' || e.callee.kind !== 'function-pointer') return;
      const { designator } = e.callee;
      if (designator.kind !== 'function') return;
      const native = nativeFunctions.get(designator.symbol.name);
      if (native && textArguments(native, e.arguments).length > 0) found ||= isNative(designator.symbol);
    },
  };
  for (const unit of units) for (const fn of unit.functions) if (fn.body) walkStatement(fn.body, visitor);
  return found;
}
