/**
 * Formulas about all elements of a small static array at once: each within a bound, each at most its counterpart in another array. A class invariant of tables, free
 * lists and cursors; over a fixed number of elements no quantifier is needed.
 */
import * as L from '../logic/build';
import type { Term } from '../logic/term';
import { cellsIn } from '../semantics/layout';
import type { MemoryVariable } from '../semantics/symbolic';
import type { System } from './system';

const ELEMENT_LIMIT = 16;
const ARRAY_LIMIT = 8;
const BOUND_LIMIT = 12;

interface Elements { readonly terms: readonly Term[]; readonly signed: boolean; readonly widthBits: number; readonly constant: boolean }

export function elementFormulas(system: System, constants: readonly bigint[]): readonly Term[] {
  const arrays = system.shape.variables.flatMap((memory) => elementsOf(memory, system)).slice(0, ARRAY_LIMIT);
  const formulas: Term[] = [];
  for (const { terms, signed, widthBits, constant } of arrays) {
    if (constant) continue;
    const le = signed ? L.sle : L.ule;
    const [least, most] = signed ? [-(1n << BigInt(widthBits - 1)), (1n << BigInt(widthBits - 1)) - 1n] : [0n, (1n << BigInt(widthBits)) - 1n];
    const near = constants.filter((c) => c >= least && c <= most).sort((a, b) => Number(magnitude(a) - magnitude(b))).slice(0, BOUND_LIMIT);
    for (const bound of near) {
      const literal = L.bits(BigInt.asUintN(widthBits, bound), widthBits);
      if (bound > least) formulas.push(L.and(...terms.map((term) => le(literal, term))));
      if (bound < most) formulas.push(L.and(...terms.map((term) => le(term, literal))));
    }
  }
  for (const a of arrays) {
    for (const b of arrays) {
      if (a === b || a.terms.length !== b.terms.length || a.widthBits !== b.widthBits || a.signed !== b.signed || (a.constant && b.constant)) continue;
      const [le, lt] = a.signed ? [L.sle, L.slt] : [L.ule, L.ult];
      formulas.push(L.and(...a.terms.map((term, i) => le(term, b.terms[i]!))), L.and(...a.terms.map((term, i) => lt(term, b.terms[i]!))));
    }
  }
  return [...new Set(formulas)].filter((term) => term.kind !== 'boolean');
}

/** A member of a record is an array of its own, one element in each record. */
function elementsOf(memory: MemoryVariable, system: System): Elements[] {
  const { role } = memory;
  if (role.kind !== 'slot' || role.addressing !== 'by-offset' || role.slot === 'byte' || role.slot.type.kind !== 'integer' || role.single?.kind !== 'static') return [];
  const layout = system.shape.regions.layout(role.node);
  const { slot } = role;
  const cells = cellsIn(layout, slot, role.single.object.sizeBytes);
  if (cells.length < 2 || cells.length > ELEMENT_LIMIT) return [];
  const contents = system.vocabulary.symbolOf(memory);
  const terms = cells.map((offset) => L.select(contents, L.bits(BigInt(offset), system.shape.half)));
  return [{ terms, signed: role.slot.type.signed, widthBits: role.slot.type.widthBits, constant: contents.kind !== 'symbol' }];
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
