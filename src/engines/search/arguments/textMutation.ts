/**
 * Other texts and arrays near one that is known, as fuzzers make them: bytes changed, left out and put in, pieces
 * doubled or repeated, words of the program put in (dictionaries: M. Zalewski, AFL). The object is as long as what is
 * in it, so that an access one too far is seen.
 */
import type { CType } from '../../../c/types';
import type { Argument } from '../../../evidence/scenarios/scenario';
import type { Program } from '../../../program/program';
import { walkOwn } from '../../../program/traverse';
import type { Random } from '../../../semantics/concrete/random';

const limits = {
  bytes: 4096,
  wordBytes: 32,
  /** Repetitions of one piece; a table of words, fields or arguments seldom has more entries. */
  repeats: 32,
} as const;
/** Around the ends of integer types, as interpreters of texts meet them. */
const numbers = ['0', '-1', '1', '255', '65536', '2147483648', '4294967296', '99999999999999999999'];

export class TextMutation {
  private readonly words: readonly (readonly number[])[];
  private readonly characters: readonly number[];

  constructor(
    program: Program,
    private readonly random: Random,
  ) {
    const characters = new Set<number>();
    walkOwn(program, (node) => {
      if (node.kind === 'integer' && node.value > 0n && node.value < 256n) characters.add(Number(node.value));
    });
    const texts = program.objects
      .filter(({ ctype, writable, bytes }) => !writable && isBytes(ctype) && bytes.length > 1)
      .map(({ bytes }) => [...bytes.subarray(0, Math.min(bytes.length - 1, limits.wordBytes))]);
    this.words = [...texts, ...numbers.map((text) => [...Buffer.from(text)])];
    this.characters = [...characters, 0x20, 0x30, 0x39, 0x41, 0x61, 0x80, 0xff];
  }

  /** Undefined for what holds no bytes. */
  mutate(argument: Argument): Argument | undefined {
    const text = bytesIn(argument);
    return text && textOfBytes(argument, this.changeBytes(text));
  }

  /** A text near one that is known. */
  changeBytes(bytes: readonly number[]): number[] {
    const text = [...bytes];
    for (let times = 1 + this.below(4); times > 0; times--) this.change(text);
    text.length = Math.min(text.length, limits.bytes);
    return text;
  }

  /** A text of the program, or a number. */
  word(): readonly number[] {
    return this.words[this.below(this.words.length)]!;
  }

  private change(text: number[]): void {
    const at = this.below(text.length + 1);
    const piece = (): number => 1 + this.below(Math.max(1, Math.min(8, text.length - at)));
    switch (this.below(9)) {
      case 0:
        if (at < text.length) text[at] = this.character();
        return;
      case 1:
        if (at < text.length) text[at] = (text[at]! + (this.below(2) === 0 ? 1 : 255)) & 0xff;
        return;
      case 2:
        text.splice(at, piece());
        return;
      case 3:
        text.splice(at, 0, this.character());
        return;
      case 4:
      case 5:
        text.splice(at, this.below(2) === 0 ? 0 : piece(), ...this.word());
        return;
      case 6: {
        const repeated = text.slice(at, at + piece());
        const times = this.below(4) === 0 ? 1 + this.below(limits.repeats) : 1;
        text.splice(at, 0, ...Array.from({ length: times }, () => repeated).flat());
        return;
      }
      case 7:
        text.length = at;
        return;
      default: {
        // A number is another number.
        const digit = text.findIndex((byte, i) => i >= at && byte >= 0x30 && byte <= 0x39);
        if (digit < 0) return;
        let end = digit;
        while (end < text.length && text[end]! >= 0x30 && text[end]! <= 0x39) end++;
        text.splice(digit, end - digit, ...Buffer.from(numbers[this.below(numbers.length)]!));
      }
    }
  }

  private character(): number {
    return this.characters[this.below(this.characters.length)]!;
  }

  private below(bound: number): number {
    return this.random.below(bound);
  }
}

/** Sizes of the program's buffers for bytes, also of those in structures; each once, the smallest first. */
export function bufferSizes({ objects, functions }: Program): readonly bigint[] {
  const own = functions.filter(({ library }) => !library);
  return [
    ...new Set(
      [
        ...[...objects, ...own.flatMap((fn) => fn.objects)]
          .filter((object) => !('writable' in object && !object.writable))
          .map(({ ctype }) => ctype),
        ...own.flatMap(({ parameters }) =>
          parameters.flatMap(({ ctype }) => (ctype?.kind === 'pointer' ? [ctype.to] : [])),
        ),
      ].flatMap(bytesWithin),
    ),
  ].sort((a, b) => Number(a - b));
}

function bytesWithin(type: CType): readonly bigint[] {
  switch (type.kind) {
    case 'array':
      return isBytes(type) ? [BigInt(type.length ?? 0)] : bytesWithin(type.of);
    case 'record':
      return type.record.complete ? type.record.fields.flatMap(({ type: member }) => bytesWithin(member)) : [];
    default:
      return [];
  }
}

/** Characters before the first 0, or all bytes of an array of numbers; undefined for what holds no bytes. */
export function bytesIn(argument: Argument): readonly number[] | undefined {
  if (argument.kind !== 'object' || argument.type.kind !== 'array' || !isBytes(argument.type)) return undefined;
  const { contents } = argument;
  const given =
    typeof contents === 'string' ? [...Buffer.from(contents, 'latin1')] : Array.isArray(contents) ? contents : [];
  const bytes = given.map((value) => Number(value) & 0xff);
  return hasCharacters(argument) && bytes.includes(0) ? bytes.slice(0, bytes.indexOf(0)) : bytes;
}

/** Characters of a text; undefined for any other argument. */
export const bytesOfText = (argument: Argument): readonly number[] | undefined =>
  hasCharacters(argument) ? bytesIn(argument) : undefined;

/** The argument with other bytes, in an object just as long. A text has no 0 but at its end. */
export function textOfBytes(argument: Argument, bytes: readonly number[]): Argument {
  if (argument.kind !== 'object' || argument.type.kind !== 'array') return argument;
  return withBytes(argument, hasCharacters(argument) ? [...bytes.map((byte) => byte || 1), 0] : bytes);
}

/** The argument with other bytes, in an object just as long, without a 0 behind them. */
export function withBytes(argument: Argument, bytes: readonly number[]): Argument {
  if (argument.kind !== 'object' || argument.type.kind !== 'array') return argument;
  const { type } = argument;
  const whole = bytes.length === 0 ? [0] : bytes;
  const isSigned = type.of.kind === 'integer' && type.of.signed;
  return {
    ...argument,
    type: { ...type, length: whole.length },
    contents: whole.map((byte) => (isSigned && byte > 127 ? byte - 256 : byte)),
  };
}

const hasCharacters = (argument: Argument): boolean =>
  argument.kind === 'object' &&
  argument.type.kind === 'array' &&
  argument.type.of.kind === 'integer' &&
  argument.type.of.name === 'char';

const isBytes = (type: {
  readonly kind: string;
  readonly of?: { readonly kind: string; readonly widthBits?: number; readonly name?: string };
}): boolean =>
  type.kind === 'array' && type.of?.kind === 'integer' && type.of.widthBits === 8 && type.of.name !== 'bool';
