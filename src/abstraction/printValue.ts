/** A symbol's value in a state, in C terms. */
import type { CType } from '../c/types';
import { floatText } from '../logic/floatPatterns';
import type { SymbolTerm, Value } from '../logic/term';
import type { Vocabulary } from '../semantics/vocabulary';
import { asSigned, printTerm } from './printTerm';

/** Undefined for what has no C name of its own (arrays, object tables, offsets of pointers). */
export function printValue(symbol: SymbolTerm, valueOf: (symbol: SymbolTerm) => Value, vocabulary: Vocabulary): { name: string; value: string } | undefined {
  const meaning = vocabulary.meaning(symbol);
  const value = valueOf(symbol);
  if (!meaning || typeof value === 'object') return undefined;
  const name = printTerm(symbol, vocabulary);
  if (typeof value === 'boolean') return { name, value: String(value) };
  switch (meaning.kind) {
    case 'object': return undefined;
    case 'variable':
      if (meaning.part === 'offset') return undefined;
      if (meaning.part === 'object') return { name, value: pointerText(symbol, value, valueOf, vocabulary) };
      if (meaning.variable.type.kind === 'float') return { name, value: floatText(value, meaning.variable.type.widthBits) };
      return { name, value: scalarText(value, meaning.variable.type.kind === 'pointer' ? 64 : meaning.variable.type.widthBits, meaning.variable.ctype, meaning.variable.type.kind === 'integer' && meaning.variable.type.signed) };
    case 'memory': {
      const { role } = meaning.memory;
      if (role.kind !== 'slot') return undefined;
      if (role.part === 'offset') return undefined;
      if (role.part === 'object') return { name, value: pointerText(symbol, value, valueOf, vocabulary) };
      if (role.slot === 'byte') return { name, value: String(value) };
      if (role.slot.type.kind === 'float') return { name, value: floatText(value, role.slot.type.widthBits) };
      return { name, value: scalarText(value, role.slot.bytes * 8, undefined, role.slot.type.kind === 'integer' && role.slot.type.signed) };
    }
  }
}

function pointerText(symbol: SymbolTerm, object: bigint, valueOf: (symbol: SymbolTerm) => Value, vocabulary: Vocabulary): string {
  const { program, half, live } = vocabulary.shape;
  const beside = vocabulary.offsetBeside(symbol);
  const offset = beside ? asSigned(valueOf(beside) as bigint, half) : 0n;
  if (object === 0n) return offset === 0n ? 'NULL' : 'an address in no object';
  const named = program.objects[Number(object) - 1];
  const alive = vocabulary.symbolOf(live);
  const isLive = alive.kind !== 'symbol' || elementAt(valueOf(alive), object) === true;
  const whole = named ? `&${named.name}` : isLive ? 'an object of its own' : 'an object whose lifetime has ended';
  return offset === 0n ? whole : `${whole} ${offset < 0n ? '-' : '+'} ${offset < 0n ? -offset : offset} bytes`;
}

function elementAt(array: Value, index: bigint): Value | undefined {
  return typeof array === 'object' ? array.entries.get(index) ?? array.default : undefined;
}

export function scalarText(bits: bigint, width: number, ctype: CType | undefined, signed: boolean): string {
  const value = signed ? asSigned(bits, width) : bits;
  if (ctype?.kind === 'enum') {
    const constant = ctype.constants.find((c) => c.value === value);
    if (constant) return constant.name;
  }
  return String(value);
}
