/**
 * Shorter texts near one that is known, which lack a field that the program counts on, and longer ones, one by one:
 * bugs of buffers show at a length of the program's own, which random changes of a short text come to only by luck. A
 * stretch of letters, of digits, or of one other character becomes as long as a number near one of the program's; a
 * stretch with what follows it is repeated so many times, which makes a line of many fields.
 */
import type { Argument } from '../../../evidence/scenarios/scenario';
import { bytesOfText, textOfBytes } from './textMutation';

const limits = {
  /** Characters of the longest stretch: the program's larger numbers are sizes of no texts. */
  stretch: 300,
  /** Repeated pieces. */
  pieces: 40,
  /** Stretches of one text, the first ones. */
  stretches: 8,
  /** Numbers that are tried, the smallest. */
  numbers: 40,
} as const;

/** Characters from `from` to before `to`. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Texts that end behind a stretch, and texts without one; none for what is no text. */
export function* cutTexts(argument: Argument): Generator<Argument> {
  const text = bytesOfText(argument);
  if (text === undefined || text.length === 0) return;
  const stretches = stretchesOf(text).slice(0, limits.stretches);
  for (const { from } of stretches) yield textOfBytes(argument, text.slice(0, from));
  for (const { from, to } of stretches)
    if (to < text.length) yield textOfBytes(argument, [...text.slice(0, from), ...text.slice(to)]);
}

/** None for what is no text. */
export function* grownTexts(argument: Argument, numbers: readonly bigint[]): Generator<Argument> {
  const text = bytesOfText(argument);
  if (text === undefined || text.length === 0) return;
  const stretches = stretchesOf(text).slice(0, limits.stretches);
  const known = [...new Set(numbers)].filter((n) => n > 1n).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const lengths = known.slice(0, limits.numbers).map(Number);
  for (const length of lengths.filter((n) => n <= limits.stretch))
    for (const { from, to } of stretches) {
      if (to - from >= length) continue;
      const more = Array.from({ length: length - (to - from) }, () => text[to - 1]!);
      yield textOfBytes(argument, [...text.slice(0, to), ...more, ...text.slice(to)]);
    }
  for (const length of lengths.filter((n) => n <= limits.pieces))
    for (const [at, { from }] of stretches.entries()) {
      const { to } = stretches[at + 1] ?? {};
      if (to === undefined) continue;
      const more = Array.from({ length: length - 1 }, () => text.slice(from, to)).flat();
      yield textOfBytes(argument, [...text.slice(0, to), ...more, ...text.slice(to)]);
    }
}

function stretchesOf(text: readonly number[]): readonly Stretch[] {
  const found: Stretch[] = [];
  let from = 0;
  for (let at = 1; at <= text.length; at++) {
    if (at < text.length && kindOf(text[at]!) === kindOf(text[at - 1]!)) continue;
    found.push({ from, to: at });
    from = at;
  }
  return found;
}

function kindOf(byte: number): number | 'letter' | 'digit' {
  const character = String.fromCharCode(byte);
  return /[a-z]/i.test(character) ? 'letter' : /\d/.test(character) ? 'digit' : byte;
}
