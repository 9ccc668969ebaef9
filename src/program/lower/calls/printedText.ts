/**
 * The output of a literal printf format, as far as the call determines it. The result says if every string that `%s`
 * reads is a literal, or was measured before the call, and bounds the length of the output in the C locale.
 */
import type { TypedExpression as Tree } from '../../../c/tree';
import type { NativeFunction } from '../../linking/natives';

export interface PrintedText {
  /** In bytes, without the null byte. Undefined if a width or precision is an argument, or a text is no literal. */
  readonly longest: number | undefined;
}

const directive = /[^%]+|(%%)|%[-+ #0]*(\*|\d+)?(\.(\*|\d+)?)?(hh|h|ll|l|j|z|t|L|q)?([a-zA-Z])/gsy;

/**
 * The arguments whose characters the call reads up to the first 0, by position; no literals. A precision limits the
 * characters, so its text need not end.
 */
export function textArguments({ name, format, prototype }: NativeFunction, trees: readonly Tree[]): readonly number[] {
  if (name === 'puts') return trees.length === 1 && literalBytes(trees[0]!) === undefined ? [0] : [];
  if (format?.of !== 'printf' || !prototype.endsWith('...)')) return [];
  const text = literalOf(trees[format.argument]);
  const found: number[] = [];
  let next = format.argument + 1;
  for (const [, , width, point, precision, length, conversion] of text?.matchAll(directive) ?? []) {
    if (conversion === undefined) continue;
    next += [width, precision].filter((part) => part === '*').length;
    const tree = trees[next];
    const isText = conversion === 's' && length === undefined && point === undefined;
    if (isText && tree?.type.kind === 'pointer' && literalBytes(tree) === undefined) found.push(next);
    next++;
  }
  return found;
}

/**
 * `trees` are the arguments behind the format, `measured` those whose texts end. Undefined if a conversion may read
 * other memory, write, or has no meaning.
 */
export function printedText(
  format: string,
  trees: readonly Tree[],
  measured: ReadonlySet<Tree> = new Set(),
): PrintedText | undefined {
  let longest: number | undefined = 0;
  let next = 0,
    end = 0;
  for (const match of format.matchAll(directive)) {
    const [all, percent, width, point, precision, length = '', conversion] = match;
    end = match.index + all.length;
    if (conversion === undefined) {
      if (longest !== undefined) longest += percent === undefined ? all.length : 1;
      continue;
    }
    const stars = [width, precision].filter((part) => part === '*').length;
    next += stars;
    if (next >= trees.length) return undefined;
    const tree = trees[next++]!;
    if (measured.has(tree)) {
      longest = undefined;
      continue;
    }
    const bytes = printedBytes(conversion, length, point === undefined ? undefined : Number(precision ?? 0), tree);
    if (bytes === undefined) return undefined;
    if (longest !== undefined) longest = stars > 0 ? undefined : longest + Math.max(bytes, Number(width ?? 0));
  }
  return end === format.length ? { longest } : undefined;
}

/** An upper bound. NaN if the precision is unknown. */
function printedBytes(
  conversion: string,
  length: string,
  precision: number | undefined,
  argument: Tree,
): number | undefined {
  if ('diouxX'.includes(conversion)) return Math.max(longestInteger, (precision ?? 0) + 3);
  if ('fF'.includes(conversion)) return longestWhole + (precision ?? 6);
  if ('eEgGaA'.includes(conversion)) return longestMantissa + (precision ?? 13);
  if (conversion === 'p') return longestInteger;
  if (length !== '') return undefined;
  return conversion === 'c' ? 1 : conversion === 's' ? literalBytes(argument) : undefined;
}

/** 64 bits in octal, with the prefix that '#' adds. */
const longestInteger = 24;
/** The largest double before the point, a sign and the point. */
const longestWhole = 311;
/** A sign, `0x`, the digit before the point, the point and the exponent. */
const longestMantissa = 12;

/** One character per byte; undefined for what is no literal. */
function literalOf(tree: Tree | undefined): string | undefined {
  if (tree?.kind === 'convert') return literalOf(tree.operand);
  if (tree?.kind !== 'decay' || tree.lvalue.kind !== 'string') return undefined;
  const { bytes } = tree.lvalue;
  return String.fromCharCode(...bytes.subarray(0, textBytes(bytes)));
}

/** The size of a literal, or the larger one of two. */
function literalBytes(tree: Tree): number | undefined {
  switch (tree.kind) {
    case 'convert':
      return literalBytes(tree.operand);
    case 'decay':
      return tree.lvalue.kind === 'string' ? textBytes(tree.lvalue.bytes) : undefined;
    case 'conditional': {
      const parts = [tree.then && literalBytes(tree.then), literalBytes(tree.otherwise)];
      return parts.every((part) => part !== undefined) ? Math.max(...parts) : undefined;
    }
    default:
      return undefined;
  }
}

function textBytes(bytes: Uint8Array): number {
  const end = bytes.indexOf(0);
  return end < 0 ? bytes.length : end;
}
