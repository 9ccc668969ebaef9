/** Formatted input and output of <stdio.h>. Text is handled as bytes, one character each. */
import { printType } from '../../../c/printType';
import { isInteger } from '../../../c/target';
import type { CType, DataModel } from '../../../c/types';
import { float32, float64, int32, int64, pointer as pointerType, type Scalar } from '../../../program/expression';
import { endOfList } from '../../../program/lower/calls/argumentTypes';
import { sizeOf } from '../../../program/lower/objects/layout';
import { entryBytes, numberType, valueOffset } from '../../../program/lower/calls/variadic';
import { addressOf, objectNumber, offsetBytes, pointerTo, wrapInteger, type ConcreteValue } from '../concreteValues';
import { describePointer } from '../failureMessage';
import { readString, loadChecked, storeBytes, storeChecked, writeString } from './cMemory';
import { errorText } from './errorTexts';
import { format, FormatError, type FormatArguments } from './format';
import { NativeFault, type Native, type NativeCall } from './native';
import { scan, type ScanSource, type ScanTargets } from './scan';

type Printer = (call: NativeCall, text: string) => ConcreteValue;
const standardOutput = 1;

const toStream = (call: NativeCall, number: number, text: string): ConcreteValue => {
  const written = call.environment.files.write(number, Buffer.from(text, 'latin1'));
  return written < 0 ? -1 : written;
};
const toOutput: Printer = (call, text) => toStream(call, standardOutput, text);
/** The first argument is a `FILE *`, whose first member is the number. */
const streamNumber = (call: NativeCall): number => Number(loadChecked(call, call.arguments[0]!, int32));
const toFile: Printer = (call, text) => toStream(call, streamNumber(call), text);
const toNowhere: Printer = () => 0;
const toTarget: Printer = (call, text) => {
  writeString(call, call.arguments[0]!, text);
  return text.length;
};
const wholeText = (_: NativeCall, text: string): number => text.length + 1;
const toBoundedTarget: Printer = (call, text) => {
  const size = Number(call.arguments[1]!);
  if (size > 0) writeString(call, call.arguments[0]!, text.slice(0, size - 1));
  return text.length;
};
const boundedText = (call: NativeCall, text: string): number => Math.min(Number(call.arguments[1]!), text.length + 1);

/** A function whose format is argument `position`, with the slots of the further arguments behind it. */
const printing =
  (position: number, print: Printer): Native['run'] =>
  (call) => {
    const text = readString(call, call.arguments[position]!);
    return withFormatCheck(call, () =>
      print(call, format(text, formatArguments(call, call.arguments[position + 1]!), call.model)),
    );
  };

interface Range {
  readonly from: ConcreteValue;
  readonly size: number;
}

/**
 * As `printing`, into the memory at the first argument, as much of it as `written` returns. The output must overlap
 * neither the format nor a text that is printed (C11 7.21.6.5p2, 7.21.6.6p2). If this is not checked, everything is
 * read before anything is written.
 */
const printingInto =
  (position: number, print: Printer, written: (call: NativeCall, text: string) => number): Native['run'] =>
  (call) => {
    const pattern = readString(call, call.arguments[position]!);
    const taken: Range[] = [{ from: call.arguments[position]!, size: pattern.length + 1 }];
    return withFormatCheck(call, () => {
      const text = format(
        pattern,
        formatArguments(call, call.arguments[position + 1]!, (from, size) => taken.push({ from, size })),
        call.model,
      );
      const result = print(call, text);
      const target: Range = { from: call.arguments[0]!, size: written(call, text) };
      if (call.isChecked('overlapping-copy') && taken.some((range) => overlap(target, range)))
        throw new NativeFault(
          'overlapping-copy',
          `${call.name} writes over what it prints: ${describePointer(target.from, call.memory)}`,
        );
      return result;
    });
  };

const overlap = (a: Range, b: Range): boolean =>
  a.size > 0 &&
  b.size > 0 &&
  objectNumber(a.from) === objectNumber(b.from) &&
  offsetBytes(a.from) < offsetBytes(b.from) + b.size &&
  offsetBytes(b.from) < offsetBytes(a.from) + a.size;

function withFormatCheck<T>(call: NativeCall, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof FormatError) throw new NativeFault('invalid-call', `${call.name}: ${error.message}`);
    throw error;
  }
}

type Wanted = 'integer' | 'float' | 'pointer';

/**
 * Takes variable arguments from their list, by the address of their value; see `program/lower/variadic.ts`. An argument
 * of a test may have a type that the program does not know.
 */
function argumentReader(
  call: NativeCall,
  list: ConcreteValue,
): (isRight: (type: CType) => boolean, wanted: string) => ConcreteValue {
  let next = list;
  return (isRight, wanted) => {
    const number = list === 0 ? endOfList : Number(loadChecked(call, next, numberType));
    if (number === endOfList)
      throw new NativeFault('invalid-call', `${call.name}: the format asks for more arguments than there are`);
    const type = call.argumentTypes[number - 1];
    if (type && !isRight(type))
      throw new NativeFault(
        'invalid-call',
        `${call.name}: the format asks for ${wanted}, but the argument is '${printType(type)}'`,
      );
    const [object, offset] = [objectNumber(next), offsetBytes(next)];
    next = pointerTo(object, offset + entryBytes(type ? sizeOf(type, call.model) : 1));
    return pointerTo(object, offset + valueOffset);
  };
}

const kindOf = (type: CType): Wanted | undefined =>
  isInteger(type) ? 'integer' : type.kind === 'float' || type.kind === 'pointer' ? type.kind : undefined;

/** The types that an argument may have. Lowering decides alike if the format is a literal. */
const isPointer = (type: CType): boolean => type.kind === 'pointer';
const isScalarOf =
  (wanted: Wanted, bytes: number, model: DataModel) =>
  (type: CType): boolean =>
    kindOf(type) === wanted && sizeOf(type, model) === bytes;

/** A pointer to a scalar of this size. Memory not known to be one may hold it. */
const isTargetOf =
  (wanted: 'integer' | 'float', bytes: number, model: DataModel) =>
  (type: CType): boolean => {
    if (type.kind !== 'pointer') return false;
    const { to } = type;
    const kind = kindOf(to);
    return kind === undefined || (sizeOf(to, model) === bytes && (kind === 'float') === (wanted === 'float'));
  };

/** `takes` hears of the bytes of each text that is read. */
function formatArguments(
  call: NativeCall,
  list: ConcreteValue,
  takes: (from: ConcreteValue, size: number) => void = () => undefined,
): FormatArguments {
  const take = argumentReader(call, list);
  const { model } = call;
  const target = (): ConcreteValue => loadChecked(call, take(isPointer, 'a pointer'), pointerType);
  return {
    integer: (widthBits) =>
      BigInt(
        loadChecked(
          call,
          take(isScalarOf('integer', widthBits / 8, model), `an integer of ${widthBits} bits`),
          widthBits === 64 ? int64 : int32,
        ),
      ),
    float: () => Number(loadChecked(call, take(isScalarOf('float', 8, model), "a 'double'"), float64)),
    pointer: () => addressOf(target(), model),
    string: (limit) => {
      const start = target();
      const text = readString(call, start, limit);
      takes(start, text.length === limit ? text.length : text.length + 1);
      return text;
    },
    wideString: (limit = Infinity) => {
      const characters: number[] = [];
      const start = target();
      while (characters.length < limit) {
        const c = Number(
          loadChecked(call, pointerTo(objectNumber(start), offsetBytes(start) + 4 * characters.length), int32),
        );
        if (c === 0) break;
        characters.push(c);
      }
      takes(start, 4 * (characters.length === limit ? characters.length : characters.length + 1));
      return characters;
    },
    count: (widthBytes, value) => storeInteger(call, target(), widthBytes, value),
    errorText: () => errorText(call.errorNumber()),
  };
}

function storeInteger(call: NativeCall, target: ConcreteValue, widthBytes: number, value: bigint): void {
  const type: Scalar = { kind: 'integer', widthBits: (widthBytes * 8) as 8 | 16 | 32 | 64, signed: false };
  storeChecked(call, target, type, wrapInteger(value, type));
}

/** `source` is made anew for every call. The format is argument `position`. */
const scanning =
  (position: number, source: (call: NativeCall) => ScanSource): Native['run'] =>
  (call) => {
    const text = readString(call, call.arguments[position]!);
    const take = argumentReader(call, call.arguments[position + 1]!);
    const target = (wanted: 'integer' | 'float', bytes: number): ConcreteValue => {
      const description = `a pointer to ${wanted === 'float' ? 'a float' : 'an integer'} of ${8 * bytes} bits`;
      return loadChecked(call, take(isTargetOf(wanted, bytes, call.model), description), pointerType);
    };
    const targets: ScanTargets = {
      integer: (widthBytes, value) => storeInteger(call, target('integer', widthBytes), widthBytes, value),
      float: (widthBits, value) =>
        storeChecked(call, target('float', widthBits / 8), widthBits === 64 ? float64 : float32, value),
      characters: (text) => storeBytes(call, target('integer', 1), Buffer.from(text, 'latin1')),
      string: (text) => storeBytes(call, target('integer', 1), Buffer.from(`${text}\0`, 'latin1')),
    };
    return withFormatCheck(call, () => scan(text, source(call), targets, call.model));
  };

const fromStream = (call: NativeCall, number: number): ScanSource => {
  const { files } = call.environment;
  let next: number | undefined;
  return {
    peek: () => {
      if (next === undefined) {
        next = files.get(number);
        if (next >= 0) files.unget(number, next);
      }
      return next;
    },
    skip: () => {
      files.get(number);
      next = undefined;
    },
  };
};
const fromText = (call: NativeCall): ScanSource => {
  let at = call.arguments[0]!;
  const byte = (): number => Number(loadChecked(call, at, { kind: 'integer', widthBits: 8, signed: false }));
  return {
    peek: () => byte() || -1,
    skip: () => {
      at = pointerTo(objectNumber(at), offsetBytes(at) + 1);
    },
  };
};

const native = (run: Native['run']): Native => ({ run });

export const stdio: Readonly<Record<string, Native>> = {
  printf: native(printing(0, toOutput)),
  vprintf: native(printing(0, toOutput)),
  fprintf: native(printing(1, toFile)),
  /** Messages are checked and dropped. */
  provest_syslog: native(printing(1, toNowhere)),
  provest_vsyslog: native(printing(1, toNowhere)),
  vfprintf: native(printing(1, toFile)),
  sprintf: native(printingInto(1, toTarget, wholeText)),
  vsprintf: native(printingInto(1, toTarget, wholeText)),
  snprintf: native(printingInto(2, toBoundedTarget, boundedText)),
  vsnprintf: native(printingInto(2, toBoundedTarget, boundedText)),
  scanf: native(scanning(0, (call) => fromStream(call, 0))),
  vscanf: native(scanning(0, (call) => fromStream(call, 0))),
  fscanf: native(scanning(1, (call) => fromStream(call, streamNumber(call)))),
  vfscanf: native(scanning(1, (call) => fromStream(call, streamNumber(call)))),
  sscanf: native(scanning(1, fromText)),
  vsscanf: native(scanning(1, fromText)),
  puts: native((call) => toOutput(call, `${readString(call, call.arguments[0]!)}\n`)),
  putchar: native((call) => {
    const byte = Number(call.arguments[0]!) & 0xff;
    return toOutput(call, String.fromCharCode(byte)) === -1 ? -1 : byte;
  }),
};
