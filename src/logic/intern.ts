/**
 * Hash-consing: the table that makes equal terms one object. Nothing is simplified here. Terms are never removed; a
 * verification makes some hundred thousand of them. Ids grow in order of creation, so sorting by id is deterministic.
 */
import { bitsSort, boolSort, internSort } from './sort';
import type {
  Application,
  BitsLiteral,
  BitsSort,
  BooleanLiteral,
  Operator,
  Quantified,
  Sort,
  SymbolTerm,
  Term,
} from './term';
import { wrap } from './words/words';

let nextId = 0;
const noParameters: readonly number[] = [];

export const TRUE: BooleanLiteral = { kind: 'boolean', id: nextId++, sort: boolSort, value: true };
export const FALSE: BooleanLiteral = { kind: 'boolean', id: nextId++, sort: boolSort, value: false };

export function bool(value: boolean): BooleanLiteral {
  return value ? TRUE : FALSE;
}

const literals: Map<bigint, BitsLiteral>[] = [];

/** `value` is taken modulo 2^width. */
export function bits(value: bigint | number, width: number): BitsLiteral {
  const word = wrap(BigInt(value), width);
  const ofWidth = (literals[width] ??= new Map<bigint, BitsLiteral>());
  let literal = ofWidth.get(word);
  if (!literal) ofWidth.set(word, (literal = { kind: 'bits', id: nextId++, sort: bitsSort(width), value: word }));
  return literal;
}

const symbols = new Map<string, Map<Sort, SymbolTerm>>();

export function symbol(name: string, sort: Sort): SymbolTerm {
  const interned = internSort(sort);
  let named = symbols.get(name);
  if (!named) symbols.set(name, (named = new Map<Sort, SymbolTerm>()));
  let made = named.get(interned);
  if (!made) named.set(interned, (made = { kind: 'symbol', id: nextId++, sort: interned, name }));
  return made;
}

let nextFresh = 0;
/** A fresh symbol, different from all others. */
export function freshSymbol(stem: string, sort: Sort): SymbolTerm {
  for (;;) {
    const name = `${stem}!${nextFresh++}`;
    if (!symbols.has(name)) return symbol(name, sort);
  }
}

/** Applications and quantified terms by hash (linear probing). Nothing is ever removed. */
const table = new Map<number, Application | Quantified>();
const codes = new Map<string, number>();

function codeOf(text: string): number {
  let code = codes.get(text);
  if (code === undefined) codes.set(text, (code = codes.size + 1));
  return code;
}

function mix(hash: number, value: number): number {
  const h = Math.imul(hash ^ value, 0x9e3779b1);
  return (h ^ (h >>> 15)) | 0;
}

/** The term as written. `sort` must be interned. */
export function application(
  operator: Operator,
  sort: Sort,
  args: readonly Term[],
  parameters = noParameters,
  name?: string,
): Application {
  let hash = codeOf(operator);
  for (const argument of args) hash = mix(hash, argument.id);
  for (const parameter of parameters) hash = mix(hash, parameter);
  if (name !== undefined) hash = mix(hash, codeOf(name));
  for (; ; hash = (hash + 1) | 0) {
    const found = table.get(hash);
    if (!found) {
      const made: Application =
        name === undefined
          ? { kind: 'apply', id: nextId++, sort, operator, args, parameters }
          : { kind: 'apply', id: nextId++, sort, operator, args, parameters, name };
      table.set(hash, made);
      return made;
    }
    if (
      found.kind === 'apply' &&
      found.operator === operator &&
      found.sort === sort &&
      found.name === name &&
      sameItems(found.args, args) &&
      sameItems(found.parameters, parameters)
    )
      return found;
  }
}

/** The negation of a term that is no comparison, if it was built before. */
export function existingNegation(a: Term): Term | undefined {
  if (isApplication(a, 'not')) return a.args[0];
  for (let hash = mix(codeOf('not'), a.id); ; hash = (hash + 1) | 0) {
    const found = table.get(hash);
    if (!found) return undefined;
    if (isApplication(found, 'not') && found.args[0] === a) return found;
  }
}

/** The term as written; `bound` in the order given. */
export function quantified(kind: 'forall' | 'exists', bound: readonly SymbolTerm[], body: Term): Quantified {
  let hash = mix(codeOf(kind), body.id);
  for (const s of bound) hash = mix(hash, s.id);
  for (; ; hash = (hash + 1) | 0) {
    const found = table.get(hash);
    if (!found) {
      const made: Quantified = { kind, id: nextId++, sort: boolSort, bound, body };
      table.set(hash, made);
      return made;
    }
    if (found.kind === kind && found.body === body && sameItems(found.bound, bound)) return found;
  }
}

function sameItems<T>(a: readonly T[], b: readonly T[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Width of a bit-vector term. */
export function widthOf(term: Term): number {
  if (term.sort.kind !== 'bits') throw new TypeError(`a bit-vector is needed, not ${term.sort.kind}`);
  return term.sort.width;
}

export function isApplication<O extends Operator>(
  term: Term,
  operator: O,
): term is Application & { readonly operator: O } {
  return term.kind === 'apply' && term.operator === operator;
}

/** The sort of two operands that must agree. */
export function commonSort(a: Term, b: Term): Sort {
  if (a.sort !== b.sort) throw new TypeError(`operands differ in sort: ${describe(a.sort)} and ${describe(b.sort)}`);
  return a.sort;
}

export function commonWidth(a: Term, b: Term): number {
  const sort = commonSort(a, b);
  if (sort.kind !== 'bits') throw new TypeError('bit-vectors are needed');
  return sort.width;
}

export function wordSort(term: Term): BitsSort {
  return bitsSort(widthOf(term));
}

function describe(sort: Sort): string {
  return sort.kind === 'bits' ? `${sort.width} bits` : sort.kind;
}
