/** Quantified terms. Bound symbols that do not occur are dropped. */
import { quantified } from '../intern';
import { symbolsOf } from '../symbols';
import type { SymbolTerm, Term } from '../term';

export function forall(bound: readonly SymbolTerm[], body: Term): Term {
  return quantify('forall', bound, body);
}

export function exists(bound: readonly SymbolTerm[], body: Term): Term {
  return quantify('exists', bound, body);
}

function quantify(kind: 'forall' | 'exists', bound: readonly SymbolTerm[], body: Term): Term {
  if (body.sort.kind !== 'boolean') throw new TypeError(`a boolean is needed, not ${body.sort.kind}`);
  const free = symbolsOf(body);
  const needed = [...new Set(bound)].filter((s) => free.has(s));
  if (needed.length === 0) return body;
  if (body.kind === kind) return quantified(kind, [...needed, ...body.bound], body.body);
  return quantified(kind, needed, body);
}
