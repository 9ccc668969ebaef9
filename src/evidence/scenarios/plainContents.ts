/**
 * Numbers, and structures and arrays of them, as a counterexample hands them over: simpler ones to try, and the same
 * said in short.
 */
import { asFunction, functionPart } from '../../plainFunction';
import { asPointer, pointerToFresh } from '../../plainPointer';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import type { Plain } from '../../verdict';

/** Nearer to zero, nearest first. */
export function simplerNumbers(value: ConcreteValue): ConcreteValue[] {
  if (typeof value === 'number' && !Number.isInteger(value)) return [0];
  const big = BigInt(value);
  const size = big < 0n ? -big : big;
  // No sign appears where there was none, and none is lost by the smallest number of a type: values stay in their
  // types.
  const candidates = [0n, 1n, -1n, 2n].filter((c) => (c < 0n ? -c : c) < size && (c >= 0n || big < 0n));
  if (big < 0n && !(size >= 128n && (size & (size - 1n)) === 0n)) candidates.push(-big);
  const sign = big < 0n ? -1n : 1n;
  // Half as many bits, half as large, and closer values: if only large numbers fail, few tries find the least of them.
  if (size > 15n) candidates.push(sign * (size >> BigInt(size.toString(2).length >> 1)));
  // The low byte, half or word, if C takes no more of it, and all bits but the lowest or the highest: those of a
  // device's register matter one by one.
  for (const widthBits of [8, 16, 32])
    if (size >> BigInt(widthBits) > 0n) candidates.push(sign * BigInt.asUintN(widthBits, size));
  if (size > 3n) candidates.push(sign * (size & (size - 1n)), sign * BigInt.asUintN(size.toString(2).length - 1, size));
  if (size > 3n)
    candidates.push(
      ...[2n, 4n, 8n].map((part) => sign * (size - (part === 2n ? (size + 1n) / 2n : size / part))),
      sign * (size - 1n),
    );
  return [...new Set(candidates)].filter((c) => c !== big).map((c) => (typeof value === 'bigint' ? c : Number(c)));
}

/** All zero, or one element or member simpler. */
export function simplerPlain(contents: Plain): Plain[] {
  if (isNumber(contents)) return simplerNumbers(contents);
  const fn = asFunction(contents);
  if (fn) return [null, ...(fn.index > 0 ? [functionPart(fn.name, 0)] : [])];
  const pointer = asPointer(contents);
  if (pointer?.kind === 'argument') return [null];
  if (pointer) return [null, ...[...fewer(pointer.contents), ...simplerPlain(pointer.contents)].map(pointerToFresh)];
  const entries = entriesOf(contents);
  const zeros = entries.map(([name, part]): [string, Plain] => [name, isNumber(part) ? zeroLike(part) : part]);
  if (entries.filter(([, part], i) => part !== zeros[i]![1] || !isNumber(part)).length > limits.simplifiedParts)
    return [];
  return [
    ...(entries.some(([, part], i) => part !== zeros[i]![1]) ? [rebuilt(contents, zeros)] : []),
    ...entries.flatMap(([name, part], i) =>
      simplerPlain(part).map((simpler) =>
        rebuilt(
          contents,
          entries.map((entry, k): [string, Plain] => (k === i ? [name, simpler] : entry)),
        ),
      ),
    ),
  ];
}

/** One element, or half of them. */
const fewer = (contents: Plain): Plain[] =>
  Array.isArray(contents) && contents.length > 1
    ? [1, contents.length >> 1].map((length) => contents.slice(0, length) as Plain)
    : [];

const limits = {
  /** Larger objects are not simplified: each attempt is a run. */
  simplifiedParts: 64,
  shownInFull: 16,
} as const;

/** True if a pointer inside leads to where another argument points. */
export function leadsToArguments(contents: Plain): boolean {
  return asPointer(contents)?.kind === 'argument' || entriesOf(contents).some(([, part]) => leadsToArguments(part));
}

/** Count of numbers, zero or not. */
export function numbersIn(contents: Plain | undefined): number {
  if (contents === undefined || asPointer(contents)?.kind === 'argument') return 0;
  return isNumber(contents) ? 1 : entriesOf(contents).reduce((sum, [, part]) => sum + numbersIn(part), 0);
}

/**
 * With `number` for those that are not zero of `length` of its numbers from number `start` on; undefined when they are
 * that already.
 */
export function withNumbers(contents: Plain, start: number, length: number, number: 0 | 1): Plain | undefined {
  let next = 0;
  let changed = false;
  const visit = (part: Plain): Plain => {
    if (!isNumber(part))
      return typeof part === 'object' && part !== null && !asFunction(part) && asPointer(part)?.kind !== 'argument'
        ? rebuilt(
            part,
            entriesOf(part).map(([name, inner]) => [name, visit(inner)]),
          )
        : part;
    const at = next++;
    // The only other value of a signed member of one bit is -1.
    if (at < start || at >= start + length || Number(part) === 0 || Math.abs(Number(part)) === number) return part;
    changed = true;
    return typeof part === 'bigint' ? BigInt(number) : number;
  };
  const result = visit(contents);
  return changed ? result : undefined;
}

/** Omitted parts of a literal are zero, in C and in tests: long ones leave out the zeros, arrays those at the end. */
export function inShort(contents: Plain): Plain {
  if (typeof contents !== 'object' || contents === null || asFunction(contents)) return contents;
  const pointer = asPointer(contents);
  if (pointer) return pointer.kind === 'fresh' ? pointerToFresh(inShort(pointer.contents)) : contents;
  const entries = entriesOf(contents).map(([name, part]): [string, Plain] => [name, inShort(part)]);
  if (entries.length <= limits.shownInFull) return rebuilt(contents, entries);
  if (!Array.isArray(contents))
    return rebuilt(
      contents,
      entries.filter(([, part]) => !isZero(part)),
    );
  return rebuilt(contents, entries.slice(0, 1 + entries.findLastIndex(([, part]) => !isZero(part))));
}

function isZero(part: Plain): boolean {
  return isNumber(part)
    ? Object.is(Number(part), 0)
    : part === null ||
        part === false ||
        (typeof part === 'object' &&
          !asFunction(part) &&
          !asPointer(part) &&
          entriesOf(part).every(([, inner]) => isZero(inner)));
}

const isNumber = (part: Plain): part is number | bigint => typeof part === 'number' || typeof part === 'bigint';
const zeroLike = (part: number | bigint): Plain => (typeof part === 'bigint' ? 0n : 0);
const entriesOf = (contents: Plain): [string, Plain][] =>
  typeof contents === 'object' && contents !== null && !asFunction(contents)
    ? (Object.entries(contents) as [string, Plain][])
    : [];
const rebuilt = (like: Plain, parts: readonly [string, Plain][]): Plain =>
  Array.isArray(like) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
