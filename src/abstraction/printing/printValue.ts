/** A symbol's value in a state, in C terms. */
import type { CType } from '../../c/types';
import { floatText } from '../../logic/floats/patterns';
import * as L from '../../logic/build';
import type { Application, SymbolTerm, Term, Value } from '../../logic/term';
import type { Slot } from '../../semantics/pointers/slotLayout';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { asSigned } from './linearIndex';
import { printTerm } from './printTerm';

/** Undefined for what has no C name of its own (arrays, object tables, offsets of pointers). */
export function printValue(
  symbol: SymbolTerm,
  valueOf: (symbol: SymbolTerm) => Value,
  vocabulary: Vocabulary,
): { name: string; value: string } | undefined {
  const meaning = vocabulary.meaning(symbol);
  const value = valueOf(symbol);
  if (!meaning || typeof value === 'object') return undefined;
  const name = printTerm(symbol, vocabulary);
  if (typeof value === 'boolean') return { name, value: String(value) };
  switch (meaning.kind) {
    case 'object':
      return undefined;
    case 'variable':
      if (meaning.part === 'offset') return undefined;
      if (meaning.part === 'object') return { name, value: pointerText(symbol, value, valueOf, vocabulary) };
      if (meaning.variable.type.kind === 'float')
        return { name, value: floatText(value, meaning.variable.type.widthBits) };
      return {
        name,
        value: scalarText(
          value,
          meaning.variable.type.kind === 'pointer' ? 64 : meaning.variable.type.widthBits,
          meaning.variable.ctype,
          meaning.variable.type.kind === 'integer' && meaning.variable.type.signed,
        ),
      };
    case 'memory': {
      const { role } = meaning.memory;
      if (role.kind !== 'slot') return undefined;
      if (role.part === 'offset') return undefined;
      return {
        name,
        value: role.part === 'object' ? pointerText(symbol, value, valueOf, vocabulary) : slotText(value, role.slot),
      };
    }
  }
}

/** The same of an element of memory, a `select`: `elems[i]`, `list->next`. Undefined for what has no name in C. */
export function printElement(
  element: Application,
  evaluate: (term: Term) => Value,
  vocabulary: Vocabulary,
): { name: string; value: string } | undefined {
  const [array, index] = element.args;
  const meaning = vocabulary.meaning(array!);
  if (meaning?.kind !== 'memory' || meaning.memory.role.kind !== 'slot' || meaning.memory.role.part === 'offset')
    return undefined;
  const { role } = meaning.memory;
  const name = printTerm(element, vocabulary);
  const value = evaluate(element);
  if (!nameInC.test(name) || typeof value !== 'bigint') return undefined;
  if (role.part === 'value') return { name, value: slotText(value, role.slot) };
  const beside = vocabulary.memoryModel.variables.find(
    (other) =>
      other.role.kind === 'slot' &&
      other.role.node === role.node &&
      other.role.slot === role.slot &&
      other.role.part === 'offset',
  );
  const offset = beside ? evaluate(L.select(vocabulary.symbolOf(beside), index!)) : 0n;
  return {
    name,
    value: whereText(value, asSigned(offset as bigint, vocabulary.memoryModel.half), evaluate, vocabulary),
  };
}

/** Not what `printTerm` writes where C has no words. */
const nameInC = /^\*?[A-Za-z_][\w\s.>[\]+*-]*$/;

function slotText(value: bigint, slot: Slot | 'byte'): string {
  if (slot === 'byte') return String(value);
  if (slot.type.kind === 'float') return floatText(value, slot.type.widthBits);
  return scalarText(value, slot.bytes * 8, undefined, slot.type.kind === 'integer' && slot.type.signed);
}

function pointerText(
  symbol: SymbolTerm,
  object: bigint,
  valueOf: (symbol: SymbolTerm) => Value,
  vocabulary: Vocabulary,
): string {
  const beside = vocabulary.offsetBeside(symbol);
  const offset = beside ? asSigned(valueOf(beside) as bigint, vocabulary.memoryModel.half) : 0n;
  return whereText(object, offset, valueOf, vocabulary);
}

function whereText(
  object: bigint,
  offset: bigint,
  valueOf: (symbol: SymbolTerm) => Value,
  vocabulary: Vocabulary,
): string {
  const { program, live } = vocabulary.memoryModel;
  if (object === 0n) return offset === 0n ? 'NULL' : 'an address in no object';
  const named = program.objects[Number(object) - 1];
  const alive = vocabulary.symbolOf(live);
  const isLive = alive.kind !== 'symbol' || elementAt(valueOf(alive), object) === true;
  const whole = named ? `&${named.name}` : isLive ? 'an object of its own' : 'an object whose lifetime has ended';
  const size = offset < 0n ? -offset : offset;
  return offset === 0n ? whole : `${whole} ${offset < 0n ? '-' : '+'} ${size} byte${size === 1n ? '' : 's'}`;
}

function elementAt(array: Value, index: bigint): Value | undefined {
  return typeof array === 'object' ? (array.entries.get(index) ?? array.default) : undefined;
}

export function scalarText(bits: bigint, width: number, ctype: CType | undefined, signed: boolean): string {
  const value = signed ? asSigned(bits, width) : bits;
  if (ctype?.kind === 'enum') {
    const constant = ctype.constants.find((c) => c.value === value);
    if (constant) return constant.name;
  }
  return String(value);
}
