/**
 * Reads the formulas that a fixpoint found for predicates over unbounded integers. What is not linear has no reading.
 */
import type { SymbolTerm } from '../../logic/term';
import { parseSExpressions, type SExpression } from '../sexpression';

/** A sum of symbols with coefficients, none of them zero, and a constant. */
export interface LinearSum {
  readonly factors: ReadonlyMap<SymbolTerm, bigint>;
  readonly constant: bigint;
}

export type IntegerFormula =
  | { readonly kind: 'literal'; readonly value: boolean }
  | { readonly kind: 'symbol'; readonly symbol: SymbolTerm }
  /** `form <= 0`, `form = 0`. */
  | { readonly kind: 'at-most-zero' | 'zero'; readonly form: LinearSum }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly IntegerFormula[] }
  | { readonly kind: 'not'; readonly part: IntegerFormula };

/** By the names they were declared with, the conjuncts that could be read; undefined when the text is no model. */
export function readModel(
  text: string,
  parametersOf: (name: string) => readonly SymbolTerm[] | undefined,
): Map<string, readonly IntegerFormula[]> | undefined {
  const [model] = parseSExpressions(text) ?? [];
  if (!isList(model)) return undefined;
  const found = new Map<string, readonly IntegerFormula[]>();
  for (const definition of model) {
    if (!isList(definition)) return undefined;
    const [keyword, name, bound, , body] = definition;
    const parameters = typeof name === 'string' ? parametersOf(name) : undefined;
    if (
      keyword !== 'define-fun' ||
      typeof name !== 'string' ||
      !parameters ||
      !isList(bound) ||
      body === undefined ||
      bound.length !== parameters.length
    )
      continue;
    const scope: Scope = new Map(
      bound.flatMap((parameter, i) =>
        isList(parameter) && typeof parameter[0] === 'string' ? [[parameter[0], meaningOf(parameters[i]!)]] : [],
      ),
    );
    found.set(name, [...conjuncts(body, scope)]);
  }
  return found;
}

type Scope = ReadonlyMap<string, LinearSum | IntegerFormula>;

function isList(e: SExpression | undefined): e is readonly SExpression[] {
  return Array.isArray(e);
}

function meaningOf(symbol: SymbolTerm): LinearSum | IntegerFormula {
  return symbol.sort.kind === 'boolean'
    ? { kind: 'symbol', symbol }
    : { factors: new Map([[symbol, 1n]]), constant: 0n };
}

const constant = (value: bigint): LinearSum => ({ factors: new Map(), constant: value });

/** `a + factor * b`. */
export function plus(a: LinearSum, b: LinearSum, factor = 1n): LinearSum {
  const factors = new Map(a.factors);
  for (const [symbol, f] of b.factors) {
    const total = (factors.get(symbol) ?? 0n) + f * factor;
    if (total === 0n) factors.delete(symbol);
    else factors.set(symbol, total);
  }
  return { factors, constant: a.constant + b.constant * factor };
}

function* conjuncts(e: SExpression, scope: Scope): Generator<IntegerFormula> {
  if (isList(e) && e[0] === 'let' && isList(e[1]) && e[2] !== undefined)
    return yield* conjuncts(e[2], inner(e[1], scope));
  if (isList(e) && e[0] === 'and') {
    for (const part of e.slice(1)) yield* conjuncts(part, scope);
    return;
  }
  const formula = formulaOf(e, scope);
  if (formula) yield formula;
}

function inner(bindings: readonly SExpression[], scope: Scope): Scope {
  const made = new Map(scope);
  for (const binding of bindings) {
    if (!isList(binding) || typeof binding[0] !== 'string' || binding[1] === undefined) continue;
    const meaning = linearOf(binding[1], scope) ?? formulaOf(binding[1], scope);
    if (meaning) made.set(binding[0], meaning);
    else made.delete(binding[0]);
  }
  return made;
}

function linearOf(e: SExpression, scope: Scope): LinearSum | undefined {
  if (!isList(e)) {
    if (/^\d+$/.test(e as string)) return constant(BigInt(e as string));
    const known = scope.get(e as string);
    return known && 'factors' in known ? known : undefined;
  }
  const parts: LinearSum[] = [];
  for (const part of e.slice(1)) {
    const form = linearOf(part, scope);
    if (!form) return undefined;
    parts.push(form);
  }
  const [first, ...rest] = parts;
  if (!first) return undefined;
  switch (e[0]) {
    case '+':
      return rest.reduce((sum, part) => plus(sum, part), first);
    case '-':
      return rest.length === 0
        ? plus(constant(0n), first, -1n)
        : rest.reduce((sum, part) => plus(sum, part, -1n), first);
    case '*':
      return rest.reduce<LinearSum | undefined>((product, part) => product && times(product, part), first);
    default:
      return undefined;
  }
}

function times(a: LinearSum, b: LinearSum): LinearSum | undefined {
  if (a.factors.size === 0) return plus(constant(0n), b, a.constant);
  return b.factors.size === 0 ? plus(constant(0n), a, b.constant) : undefined;
}

function formulaOf(e: SExpression, scope: Scope): IntegerFormula | undefined {
  if (!isList(e)) {
    if (e === 'true' || e === 'false') return { kind: 'literal', value: e === 'true' };
    const known = scope.get(e as string);
    return known && 'kind' in known ? known : undefined;
  }
  const [operator, a, b] = e;
  if (operator === 'let') return isList(a) && b !== undefined ? formulaOf(b, inner(a, scope)) : undefined;
  if (a !== undefined && b !== undefined && e.length === 3) {
    const [left, right] = [linearOf(a, scope), linearOf(b, scope)];
    if (left && right) return comparison(operator, left, right);
  }
  const parts: IntegerFormula[] = [];
  for (const part of e.slice(1)) {
    const formula = formulaOf(part, scope);
    if (!formula) return undefined;
    parts.push(formula);
  }
  const [first, second] = parts;
  switch (operator) {
    case 'and':
    case 'or':
      return { kind: operator, parts };
    case 'not':
      return first && negate(first);
    case '=>':
      return first && second && parts.length === 2 ? { kind: 'or', parts: [negate(first), second] } : undefined;
    case '=':
      return first && second && parts.length === 2
        ? {
            kind: 'or',
            parts: [
              { kind: 'and', parts },
              { kind: 'and', parts: parts.map(negate) },
            ],
          }
        : undefined;
    default:
      return undefined;
  }
}

function comparison(operator: SExpression | undefined, left: LinearSum, right: LinearSum): IntegerFormula | undefined {
  const atMost = (a: LinearSum, b: LinearSum): IntegerFormula => ({ kind: 'at-most-zero', form: plus(a, b, -1n) });
  const less = (a: LinearSum, b: LinearSum): IntegerFormula => atMost(plus(a, constant(1n)), b);
  switch (operator) {
    case '<=':
      return atMost(left, right);
    case '<':
      return less(left, right);
    case '>=':
      return atMost(right, left);
    case '>':
      return less(right, left);
    case '=':
      return { kind: 'zero', form: plus(left, right, -1n) };
    default:
      return undefined;
  }
}

/** The negation of an inequality is one, too. */
function negate(formula: IntegerFormula): IntegerFormula {
  switch (formula.kind) {
    case 'literal':
      return { kind: 'literal', value: !formula.value };
    case 'at-most-zero':
      return { kind: 'at-most-zero', form: plus(constant(1n), formula.form, -1n) };
    case 'not':
      return formula.part;
    case 'and':
      return { kind: 'or', parts: formula.parts.map(negate) };
    case 'or':
      return { kind: 'and', parts: formula.parts.map(negate) };
    case 'symbol':
    case 'zero':
      return { kind: 'not', part: formula };
  }
}
