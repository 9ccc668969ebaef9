/**
 * Guarantees of functions without a body, collected from all units. They are refused of functions that have a body or a
 * meaning of their own: there the condition would be an assumption that nothing needs.
 */
import type { Diagnostic } from '../../c/diagnostics/diagnostic';
import { ensuresFile } from '../../c/elaborate/ensuresOf';
import type { Span } from '../../c/source';
import type { FunctionSymbol, Guarantee, TranslationUnit, TypedExpression } from '../../c/tree';
import { walkExpression } from '../lower/walk';

export interface LinkedGuarantee {
  readonly guarantee: Guarantee;
  readonly unit: TranslationUnit;
}
/** By the name of the function. */
export type Guarantees = ReadonlyMap<string, readonly LinkedGuarantee[]>;

export interface KnownFunctions {
  /** The place of the function's definition. */
  bodyOf(symbol: FunctionSymbol): Span | undefined;
  /** True if nothing is known of what the function does. */
  isUnknown(symbol: FunctionSymbol): boolean;
}

/** A condition that several files state, as those of a header, counts once. Errors are added to `diagnostics`. */
export function linkGuarantees(
  units: readonly TranslationUnit[],
  known: KnownFunctions,
  diagnostics: Diagnostic[],
): Guarantees {
  const found = new Map<string, LinkedGuarantee[]>();
  for (const unit of units) {
    for (const guarantee of unit.guarantees) {
      const { name } = guarantee.function;
      const others = found.get(name) ?? [];
      const mistake = mistakeIn(guarantee, known);
      if (mistake) diagnostics.push(mistake);
      else if (!others.some((one) => isSame(one.guarantee.span, guarantee.span)))
        found.set(name, [...others, { guarantee, unit }]);
    }
  }
  return found;
}

function mistakeIn({ function: fn, condition, span }: Guarantee, known: KnownFunctions): Diagnostic | undefined {
  const body = known.bodyOf(fn);
  if (body)
    return {
      severity: 'error',
      message: `'${fn.name}' has a body: a guarantee is for functions without one`,
      span,
      notes: [{ message: 'it is defined here', span: body }],
      hint: 'Write PROVEST_ENSURES(…) at its beginning, which is checked.',
    };
  if (!known.isUnknown(fn))
    return {
      severity: 'error',
      message: `provest knows what '${fn.name}' does: a guarantee is for functions that it does not know`,
      span,
    };
  const call = callIn(condition);
  if (!call) return undefined;
  return {
    severity: 'error',
    message: 'a guarantee calls no function',
    span: call,
    hint: 'PROVEST_LENGTH and PROVEST_TERMINATED may stand there.',
  };
}

/** The first call that is more than a question about an object's length. */
function callIn(condition: TypedExpression): Span | undefined {
  let found: Span | undefined;
  walkExpression(condition, {
    expression: (e) => {
      if (e.kind !== 'call') return;
      const name =
        e.callee.kind === 'function-pointer' && e.callee.designator.kind === 'function'
          ? e.callee.designator.symbol.name
          : undefined;
      if (name !== '__provest_bytes_from') found ??= e.span;
    },
  });
  return found;
}

/** Options are read once in each file, at the same place of a file of their own. */
const isSame = (a: Span, b: Span): boolean =>
  a.start === b.start &&
  a.end === b.end &&
  (a.file.path === b.file.path || [a, b].every(({ file }) => file.path.endsWith(ensuresFile)));
