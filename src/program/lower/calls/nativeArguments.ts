/**
 * Checks of the arguments of native library functions before the call: an open stream, writable targets of `scanf`,
 * texts that are printed. A literal format gives the sizes of the targets. A text is measured by the library's own
 * `strlen`, whose checks say that it ends. For other formats, and for `%s` of `scanf` without a width, nothing is
 * checked here. The interpreter checks those calls itself (`checkedFormat` tells the engines).
 */
import type { Span } from '../../../c/source';
import { evaluateConstant } from '../../../c/constant';
import { objectSize } from '../../../c/objectSize';
import type { TypedExpression as Tree } from '../../../c/tree';
import type { DataModel } from '../../../c/types';
import { binary, conditional, convert, equal, integer, isWritable, less, or, read, zero } from '../../build';
import { int64, uint64, type Expression } from '../../expression';
import { literalText, nativeFunctions, type NativeFunction } from '../../linking/natives';
import { checkAccess, pointerAddress } from '../objects/address';
import { sourceText, type FunctionLowering } from '../context';
import { checkApart, checkBytes } from '../objects/allocation';
import { checkFormatArguments } from './formatArguments';
import { printedLength } from './printedLength';
import { printedText, textArguments } from './printedText';
import { scalarOf } from '../objects/layout';
import { entryBytes, valueOffset } from './variadic';

export interface CheckedArguments {
  /**
   * The memory that the call reaches through its arguments is valid by the call itself, or is checked before.
   * `isCheckedCall` recognises fewer calls.
   */
  readonly reachesChecked: boolean;
  /** The result of the call, if it is known. It depends on nothing that the call changes. */
  readonly result?: Expression;
}

export function checkNativeArguments(
  f: FunctionLowering,
  name: string,
  values: readonly Expression[],
  trees: readonly Tree[],
  isResultUsed: boolean,
  span: Span,
): CheckedArguments {
  const native = nativeFunctions.get(name);
  if (!native) return unchecked;
  const text = (i: number): string => sourceText(trees[i]?.span ?? span);
  if (native.stream !== undefined)
    checkAccess(
      f,
      pointerAddress(f.nameValue(values[native.stream]!, 'stream', span), text(native.stream)),
      4,
      'read',
      span,
    );
  const measured = measureTexts(f, native, values, trees, span);
  if (name === 'puts') return measured.size > 0 ? { reachesChecked: true } : unchecked;
  if (!native.format || !native.prototype.endsWith('...)')) return unchecked;
  const first = native.format.argument + 1;
  const format = literalText(values[native.format.argument]);
  if (format !== undefined) checkFormatArguments(f, name, native.format.of, format, trees, first);
  if (native.format.of !== 'scanf') {
    const inPlace =
      format !== undefined && trees.length >= first && printsInPlace(native, format, trees, f.model, measured);
    if (inPlace && native.writes.kind === 'pointee') {
      const [target, size] = values as readonly [Expression, Expression];
      const isTarget = isWritable(f.nameValue(target, 'target', span));
      f.check('read-only', name === 'snprintf' ? or(equal(size, zero(size.type)), isTarget) : isTarget, span, {
        text: text(0),
        ifUnchecked: 'assume',
      });
    }
    const isWriting = native.writes.kind === 'pointee';
    const isKnown = inPlace && !isResultUsed && measured.size === 0;
    const length =
      format === undefined || trees.length < first || !isWriting || isKnown
        ? undefined
        : printedLength(
            format,
            values.slice(first).map((value) => f.nameValue(value, 'printed', span)),
            f.model,
            new Map([...measured].map(([at, bytes]) => [at - first, bytes])),
          );
    // A printed text may lie in the target.
    if (length === undefined) return { reachesChecked: inPlace && !(isWriting && measured.size > 0) };
    const result = f.temporary(int64, 'length');
    f.emit({ kind: 'assign', target: result, value: length }, span);
    const whole = binary('add', read(result), integer(1, int64));
    const size = name === 'snprintf' ? f.nameValue(convert(values[1]!, uint64), 'size', span) : undefined;
    const written = size ? conditional(less(size, convert(whole, uint64)), size, convert(whole, uint64)) : whole;
    if (!inPlace) checkBytes(f, values[0]!, written, 'write', text(0), span);
    for (const [at, bytes] of measured)
      checkApart(f, values[0]!, written, values[at]!, binary('add', bytes, integer(1, int64)), name, span, 'other');
    return { reachesChecked: true, result: read(result) };
  }
  const targets = scanTargets(format, f.model);
  targets?.forEach((bytes, i) => {
    const target = values[first + i];
    if (target?.type.kind === 'pointer')
      checkAccess(f, pointerAddress(f.nameValue(target, 'target', span), text(first + i)), bytes, 'write', span);
  });
  return unchecked;
}

const unchecked: CheckedArguments = { reachesChecked: false };

/** The lengths of the texts that the call reads, as int64, by the arguments' positions. */
function measureTexts(
  f: FunctionLowering,
  native: NativeFunction,
  values: readonly Expression[],
  trees: readonly Tree[],
  span: Span,
): ReadonlyMap<number, Expression> {
  const { textLength } = f.program.linked;
  if (!textLength) return new Map();
  const callee = f.program.definitionOf(textLength);
  const type = scalarOf(textLength.symbol.type.result);
  return new Map(
    textArguments(native, trees).map((at) => {
      const target = f.temporary(type, 'length');
      const text = f.nameValue(values[at]!, 'text', span);
      f.emit({ kind: 'call', target, callee, targets: [callee], arguments: [text] }, trees[at]!.span);
      return [at, convert(read(target), int64)];
    }),
  );
}

/**
 * The call reads literals and measured texts only. If it prints into memory, the output fits into the object that the
 * call names.
 */
function printsInPlace(
  { name, format }: NativeFunction,
  text: string,
  trees: readonly Tree[],
  model: DataModel,
  measured: ReadonlyMap<number, Expression>,
): boolean {
  const known = new Set([...measured.keys()].map((at) => trees[at]!));
  const printed = printedText(text, trees.slice(format!.argument + 1), known);
  if (!printed) return false;
  if (name === 'printf' || name === 'fprintf' || name === 'provest_syslog') return true;
  const room = objectSize(model, trees[0]!, 'object');
  if (room === undefined) return false;
  const size = name === 'snprintf' ? evaluateConstant(trees[1]!, { model }) : undefined;
  if (size?.kind === 'integer' && size.value <= room) return true;
  return printed.longest !== undefined && BigInt(printed.longest) < room;
}

/** True if all memory that the call reaches through its arguments has been checked, or needs no check. */
export function isCheckedCall(name: string, args: readonly Expression[], model: DataModel): boolean {
  const native = nativeFunctions.get(name);
  if (!native || native.internal || args.every(({ type }) => type.kind !== 'pointer')) return native !== undefined;
  if (native.format) return isCheckedFormat(native, args, model);
  return name === 'puts' && literalText(args[0]) !== undefined;
}

function isCheckedFormat(native: NativeFunction, args: readonly Expression[], model: DataModel): boolean {
  const { argument, of } = native.format!;
  // The target of sprintf, the input of sscanf and lists of unknown length are checked at their use.
  if (!/^f?(printf|scanf)$/.test(native.name)) return false;
  const text = literalText(args[argument]);
  if (text === undefined) return false;
  const wanted = of === 'printf' ? printArguments(text) : scanTargets(text, model)?.length;
  return wanted !== undefined && wanted <= argumentCount(args[argument + 1]);
}

/** Formats whose conversions are `%%`, or take integers, floating-point numbers, characters and pointers as values. */
const plainFormat = new RegExp(
  String.raw`^(?:[^%]|%%|%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?` +
    String.raw`(?:(?:hh|h|ll|l|j|z|t|q)?[diouxX]|[lL]?[fFeEgGaA]|[cp]))*$`,
  's',
);

/**
 * The number of arguments of a printf format. Undefined if a conversion reads memory through one, or has no meaning.
 */
function printArguments(format: string): number | undefined {
  if (!plainFormat.test(format)) return undefined;
  const conversions = format.replaceAll('%%', '').match(/%[^%a-zA-Z]*/g) ?? [];
  return conversions.reduce((sum, conversion) => sum + 1 + (conversion.match(/\*/g)?.length ?? 0), 0);
}

/** The bytes that each target of a scanf format must have. Undefined if that is unknown. */
function scanTargets(format: string | undefined, model: DataModel): number[] | undefined {
  if (format === undefined) return undefined;
  const sizes: number[] = [];
  const pattern = /%%|%(\*)?(\d+)?(hh|h|ll|l|j|z|t|L|q)?(\[\^?\]?[^\]]*\]|[diouxXcsnfFeEgGaAp])|(%)/gs;
  for (const [, star, width, length = '', conversion, lone] of format.matchAll(pattern)) {
    if (lone !== undefined) return undefined;
    if (conversion === undefined || star !== undefined) continue;
    const size = targetBytes(conversion[0]!, length, width === undefined ? undefined : Number(width), model);
    if (size === undefined) return undefined;
    sizes.push(size);
  }
  return sizes;
}

function targetBytes(
  conversion: string,
  length: string,
  width: number | undefined,
  model: DataModel,
): number | undefined {
  const word = model === 'lp64' ? 8 : 4;
  if ('cs['.includes(conversion)) {
    if (length !== '') return undefined;
    return conversion === 'c' ? (width ?? 1) : width === undefined ? undefined : width + 1;
  }
  if ('fFeEgGaA'.includes(conversion)) return length === 'l' || length === 'L' ? 8 : 4;
  if (conversion === 'p') return word;
  switch (length) {
    case 'hh':
      return 1;
    case 'h':
      return 2;
    case 'll':
    case 'j':
    case 'q':
    case 'L':
      return 8;
    case 'l':
    case 'z':
    case 't':
      return word;
    default:
      return 4;
  }
}

/** The number of variable arguments in a list. */
function argumentCount(list: Expression | undefined): number {
  if (list?.kind === 'null') return 0;
  return list?.kind === 'address' && list.of.kind === 'frame-object'
    ? (list.of.sizeBytes - valueOffset) / entryBytes(8)
    : 0;
}
