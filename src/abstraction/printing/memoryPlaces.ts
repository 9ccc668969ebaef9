/**
 * Memory variables as places in C: `head->next`, `table[i].key`, `*p`. What C cannot say is written as a call, such as
 * `object_size(p)`.
 */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import type { CType } from '../../c/types';
import * as L from '../../logic/build';
import { halvesOf } from '../../logic/links/chains';
import type { BitsSort, SymbolTerm, Term } from '../../logic/term';
import { isOfClients } from '../../semantics/pointers/links/links';
import type { Node } from '../../semantics/pointers/regionNode';
import type { Slot } from '../../semantics/pointers/slotLayout';
import type { MemoryVariable } from '../../semantics/symbolic/memoryModel';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { asSigned, dividedBy, partsOf } from './linearIndex';
import { nameOfStatic } from './heapWords';
import { pathAt, typeAt } from './memberPaths';
import { pointerInto } from './quantifiedObjects';
import { PRODUCT, type CText } from './cText';
import type { ByteBehind } from './valuesInBytes';

/** The printer of terms, as far as places need it. */
interface TermPrinter {
  print(term: Term): CText;
  in(term: Term, strength: number): string;
  symbol(term: SymbolTerm): string;
  sum(args: readonly Term[]): CText;
  /** The type of pointers to the objects that a bound symbol names. */
  typeOfBound(symbol: Term): CType | undefined;
}

export class MemoryPlaces {
  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly terms: TermPrinter,
  ) {}

  /** Name of the member that a link is. */
  private memberOf({ node, slot }: { readonly node: Node; readonly slot: Slot }): string {
    const { vocabulary } = this;
    const type = pointerInto(vocabulary.memoryModel.allocationSiteOf(node), vocabulary);
    return type?.kind === 'pointer' ? pathAt('', type.to, slot.offset, vocabulary).replace(/^\./, '') : 'the link';
  }

  /** The place of the variable, or the place with the index in it. */
  place(variable: MemoryVariable, index: Term | undefined): string {
    const { role } = variable;
    switch (role.kind) {
      case 'size':
        return `object_size(${index ? this.terms.print(index).text : ''})`;
      case 'live':
        return `is_live(${index ? this.terms.print(index).text : ''})`;
      case 'heap':
        return `is_heap(${index ? this.terms.print(index).text : ''})`;
      case 'allocation-site':
        return `region_of(${index ? this.terms.print(index).text : ''})`;
      case 'allocation-counter':
        return 'next_object';
      case 'reach':
        return index && L.widthOf(index) % 2 === 0
          ? `reach(${halvesOf(index)
              .map((half) => nameOfStatic(half, this.vocabulary) ?? this.terms.print(half).text)
              .join(', ')})`
          : 'reach';
      case 'count':
        return `length(${index ? (nameOfStatic(index, this.vocabulary) ?? this.terms.print(index).text) : ''})`;
      case 'acyclic':
        return `(${this.memberOf(role)} makes no ring)`;
      case 'linked':
        return (
          (isOfClients(role.node) ? 'leads_to_no_ring' : 'link_is_written') +
          `(${index ? this.terms.print(index).text : ''})`
        );
      case 'holder':
        return `holder_of(${index ? this.terms.print(index).text : ''})`;
      case 'parent':
        return `parent_of(${index ? this.terms.print(index).text : ''})`;
      case 'ancestor':
        return index && L.widthOf(index) % 2 === 0
          ? `is_below(${halvesOf(index)
              .map((half) => nameOfStatic(half, this.vocabulary) ?? this.terms.print(half).text)
              .join(', ')})`
          : 'is_below';
      case 'forest':
        return `(${role.links.map((link) => this.memberOf(link)).join(' and ')} make no ring)`;
      case 'slot':
      case 'written':
        break;
    }
    const offset = role.slot === 'byte' ? 0 : role.slot.offset;
    const suffix = role.kind === 'written' ? 'is_initialised' : role.part === 'offset' ? 'offset_of' : '';
    const wrap = (text: string): string => (suffix ? `${suffix}(${text})` : text);
    const single =
      role.single && (role.single.kind === 'static' || role.single.kind === 'frame') ? role.single.object : undefined;
    if (single && role.addressing === 'plain') return wrap(pathAt(single.name, single.ctype, offset, this.vocabulary));
    if (single && role.addressing === 'by-offset' && index)
      return wrap(this.elementOf(single.name, single.ctype, index, offset));
    const through =
      role.addressing === 'by-object' && role.slot !== 'byte' && index ? this.throughPointer(index, offset) : undefined;
    if (through) return wrap(through.text);
    const inStatic =
      role.addressing === 'by-object-and-offset' && index ? this.elementOfStatic(index, offset) : undefined;
    if (inStatic !== undefined) return wrap(inStatic);
    const behind =
      role.addressing === 'by-object-and-offset' && role.slot !== 'byte' && index
        ? this.elementBehind(index, offset)
        : undefined;
    if (behind) return wrap(behind);
    const byte =
      role.addressing === 'by-object-and-offset' && role.slot === 'byte' && index ? this.byteBehind(index) : undefined;
    if (byte !== undefined) return wrap(byte);
    const target = [...role.node.origins]
      .map((origin) =>
        origin.kind === 'external'
          ? origin.type
          : origin.kind === 'set-up'
            ? printType({ kind: 'record', record: origin.record })
            : origin.kind,
      )
      .join('/');
    return wrap(
      `(${target})[${index ? this.terms.print(index).text : ''}]` +
        `${role.slot === 'byte' || offset === 0 ? '' : `+${offset}`}`,
    );
  }

  /**
   * Place at an offset in the object that a number names: `head->next`, `today.day`; undefined if the type is not
   * known.
   */
  private throughPointer(object: Term, offset: number): { readonly text: string; readonly type: CType } | undefined {
    if (object.kind === 'bits') {
      const named = this.vocabulary.memoryModel.program.objects[Number(object.value) - 1];
      return (
        named && {
          text: pathAt(named.name, named.ctype, offset, this.vocabulary),
          type: typeAt(named.ctype, offset, this.vocabulary) ?? named.ctype,
        }
      );
    }
    const pointer = this.pointer(object);
    if (pointer?.type.kind !== 'pointer') return undefined;
    const { to } = pointer.type;
    const type = typeAt(to, offset, this.vocabulary);
    return (
      type && {
        text:
          to.kind === 'record'
            ? `${pointer.text}->${pathAt('', to, offset, this.vocabulary).slice(1)}`
            : offset === 0
              ? `*${pointer.text}`
              : pathAt(pointer.text, { kind: 'array', of: to, length: undefined }, offset, this.vocabulary),
        type,
      }
    );
  }

  /** A pointer whose object number this is. */
  private pointer(object: Term): { readonly text: string; readonly type: CType } | undefined {
    if (object.kind === 'symbol') {
      const type = this.terms.typeOfBound(object);
      if (type) return { text: this.terms.symbol(object), type };
      const meaning = this.vocabulary.meaning(object);
      return meaning?.kind === 'variable' && meaning.part === 'object' && meaning.variable.ctype
        ? { text: meaning.variable.name, type: meaning.variable.ctype }
        : undefined;
    }
    if (object.kind !== 'apply' || object.operator !== 'select') return undefined;
    const meaning = object.args[0]!.kind === 'symbol' ? this.vocabulary.meaning(object.args[0]!) : undefined;
    if (meaning?.kind !== 'memory') return undefined;
    const { role } = meaning.memory;
    return role.kind === 'slot' && role.slot !== 'byte' && role.part === 'object' && role.addressing === 'by-object'
      ? this.throughPointer(object.args[1]!, role.slot.offset)
      : undefined;
  }

  /** A place in a static object that is known: `name[4]`. */
  private elementOfStatic(index: Term, offset: number): string | undefined {
    const { program, half } = this.vocabulary.memoryModel;
    const [object, place] =
      index.kind === 'bits'
        ? [L.extract(2 * half - 1, half, index), L.extract(half - 1, 0, index)]
        : L.isApplication(index, 'concat') && index.args.length === 2
          ? (index.args as [Term, Term])
          : [];
    const named = object?.kind === 'bits' ? program.objects[Number(object.value) - 1] : undefined;
    return named && place && this.elementOf(named.name, named.ctype, place, offset);
  }

  /** An element of an array that lies in the structure a pointer leads to: `ring->data[i]`. */
  private elementBehind(index: Term, offset: number): string | undefined {
    if (index.kind !== 'apply' || index.operator !== 'concat' || index.args.length !== 2) return undefined;
    const pointer = this.pointer(index.args[0]!);
    if (pointer?.type.kind !== 'pointer' || pointer.type.to.kind !== 'record') return undefined;
    return `${pointer.text}->${this.elementOf('', pointer.type.to, index.args[1]!, offset).slice(1)}`;
  }

  /** Undefined for what is no byte of memory at a constant distance from a pointer. */
  constantByte(term: Term): ByteBehind | undefined {
    const [array, index] = L.isApplication(term, 'select') ? term.args : [];
    const meaning = array?.kind === 'symbol' ? this.vocabulary.meaning(array) : undefined;
    if (!index || meaning?.kind !== 'memory') return undefined;
    const { role } = meaning.memory;
    const isByte = role.kind === 'slot' && role.addressing === 'by-object-and-offset' && role.slot === 'byte';
    const { pointer, distance } = (isByte && this.fromPointer(index)) || {};
    const [constant, ...others] = distance ?? [];
    if (!pointer || !distance || others.length > 0) return undefined;
    if (!constant) return { pointer, distance: 0 };
    if (constant.kind !== 'bits') return undefined;
    return { pointer, distance: Number(asSigned(constant.value, constant.sort.width)) };
  }

  /** A byte that lies at a distance from where a pointer points: `text[i]`, `((char *)p)[4]`. */
  private byteBehind(index: Term): string | undefined {
    const { pointer, distance } = this.fromPointer(index) ?? {};
    if (pointer?.type.kind !== 'pointer' || !distance) return undefined;
    const isText = pointer.type.to.kind === 'integer' && pointer.type.to.widthBits === 8;
    return (
      `${isText ? pointer.text : `((char *)${pointer.text})`}[` +
      `${distance.length === 0 ? '0' : this.terms.sum(distance).text}]`
    );
  }

  /** The distance is a sum, in bytes. */
  private fromPointer(
    index: Term,
  ): { readonly pointer: ByteBehind['pointer']; readonly distance: readonly Term[] } | undefined {
    if (index.kind !== 'apply' || index.operator !== 'concat' || index.args.length !== 2) return undefined;
    const [object, place] = index.args as [Term, Term];
    const pointer = this.pointer(object);
    if (pointer?.type.kind !== 'pointer') return undefined;
    const start = `offset_of(${pointer.text})`;
    const parts = place.kind === 'apply' && place.operator === 'add' ? place.args : [place];
    const from = parts.findIndex((part) => this.terms.print(part).text === start);
    return from < 0 ? undefined : { pointer, distance: parts.toSpliced(from, 1) };
  }

  /**
   * Element `index` bytes behind the start of an object, in the slot that begins at `offset`; the type named is at
   * `from`.
   */
  private elementOf(name: string, type: CType, index: Term, offset: number, from = 0): string {
    if (index.kind === 'bits')
      return pathAt(name, type, Number(asSigned(index.value, (index.sort as BitsSort).width)) - from, this.vocabulary);
    if (type.kind === 'record' && type.record.keyword === 'struct') {
      const field = [...type.record.fields].reverse().find(({ offsetBytes }) => from + offsetBytes <= offset);
      if (field)
        return this.elementOf(
          field.name === undefined ? name : `${name}.${field.name}`,
          field.type,
          index,
          offset,
          from + field.offsetBytes,
        );
    }
    if (type.kind !== 'array') return `${name}@${this.terms.print(index).text}`;
    const element = sizeOf(type.of, this.vocabulary.memoryModel.program.dataModel) ?? 1;
    const inside = (offset - from) % element;
    const scaled = dividedBy(index, element, from + inside);
    if (scaled) return pathAt(`${name}[${this.scaledText(scaled)}]`, type.of, inside, this.vocabulary);
    const isRow = type.of.kind === 'array' || (type.of.kind === 'record' && hasWholeRows(index, element));
    if (isRow) return this.elementOfRow(name, type.of, index, offset, from, element);
    return pathAt(`${name}[(${this.terms.print(index).text})/${element}]`, type.of, inside, this.vocabulary);
  }

  /** Element of a table of rows, or of structures with arrays: terms that move by whole rows say which row. */
  private elementOfRow(name: string, row: CType, index: Term, offset: number, from: number, rowBytes: number): string {
    const { parts, constant } = partsOf(index);
    const inside = (offset - from) % rowBytes;
    const whole = parts.filter(({ factor }) => factor % BigInt(rowBytes) === 0n);
    const width = (index.sort as BitsSort).width;
    const literal = (value: bigint): Term => L.bits(BigInt.asUintN(width, value), width);
    const start = constant - BigInt(from);
    if (whole.length > 0) {
      const others = parts.filter((part) => !whole.includes(part));
      const bytes = BigInt(rowBytes);
      // A member of a structure begins within it; indices of a table of rows may both be shifted.
      const isRounded = others.length === 0 || row.kind === 'record';
      const rows = start / bytes - (isRounded && start % bytes < 0n ? 1n : 0n);
      const within = others.reduce(
        (sum, { factor, term }) => L.add(sum, L.mul(literal(factor), term)),
        literal(start - rows * bytes),
      );
      const position = [
        ...whole.map(({ factor, term }) => ({ factor: factor / bytes, term })),
        ...(rows === 0n ? [] : [{ factor: rows, term: undefined }]),
      ];
      return this.elementOf(`${name}[${this.scaledText(position)}]`, row, within, inside);
    }
    const place = L.sub(index, literal(BigInt(from)));
    return this.elementOf(
      `${name}[${this.terms.in(place, PRODUCT)} / ${rowBytes}]`,
      row,
      L.urem(place, literal(BigInt(rowBytes))),
      inside,
    );
  }

  private scaledText(parts: readonly { factor: bigint; term: Term | undefined }[]): string {
    if (parts.length === 0) return '0';
    return parts
      .map(({ factor, term }, i) => {
        const size = factor < 0n ? -factor : factor;
        const body =
          term === undefined
            ? String(size)
            : size === 1n
              ? this.terms.in(term, PRODUCT)
              : `${size} * ${this.terms.in(term, PRODUCT)}`;
        return i === 0 ? (factor < 0n ? `-${body}` : body) : `${factor < 0n ? ' - ' : ' + '}${body}`;
      })
      .join('');
  }
}

/** Something moves by so many bytes, or by several times as many. */
const hasWholeRows = (index: Term, bytes: number): boolean =>
  partsOf(index).parts.some(({ factor }) => factor % BigInt(bytes) === 0n);
