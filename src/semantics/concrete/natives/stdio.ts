/** Formatted input and output of <stdio.h>. Text is handled as bytes, one character each. */
import { float32, float64, int32, int64, pointer as pointerType, type Scalar } from '../../../program/expression';
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
    return checked(call, () => print(call, format(text, slots(call, call.arguments[position + 1]!), call.model)));
  };

interface Range {
  readonly from: ConcreteValue;
  readonly size: number;
}

/**
 * As `printing`, into the memory at the first argument, of which `written` says how much. What is written must overlap
 * neither the format nor a text that is printed (C11 7.21.6.5p2, 7.21.6.6p2); where nobody asks about that, everything
 * is read before anything is written.
 */
const printingInto =
  (position: number, print: Printer, written: (call: NativeCall, text: string) => number): Native['run'] =>
  (call) => {
    const pattern = readString(call, call.arguments[position]!);
    const taken: Range[] = [{ from: call.arguments[position]!, size: pattern.length + 1 }];
    return checked(call, () => {
      const text = format(
        pattern,
        slots(call, call.arguments[position + 1]!, (from, size) => taken.push({ from, size })),
        call.model,
      );
      const result = print(call, text);
      const target: Range = { from: call.arguments[0]!, size: written(call, text) };
      if (call.inForce('overlapping-copy') && taken.some((range) => overlap(target, range)))
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

function checked<T>(call: NativeCall, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof FormatError) throw new NativeFault('invalid-call', `${call.name}: ${error.message}`);
    throw error;
  }
}

/** Takes variable arguments from their array of 8-byte slots, by address. */
function slotReader(call: NativeCall, list: ConcreteValue): () => ConcreteValue {
  let next = list;
  return () => {
    const slot = next;
    const size = call.memory.block(slot)?.sizeBytes ?? 0;
    if (list === 0 || offsetBytes(slot) >= size)
      throw new NativeFault('invalid-call', `${call.name}: the format asks for more arguments than there are`);
    next = pointerTo(objectNumber(slot), offsetBytes(slot) + 8);
    return slot;
  };
}

/** `takes` hears of the bytes of each text that is read. */
function slots(
  call: NativeCall,
  list: ConcreteValue,
  takes: (from: ConcreteValue, size: number) => void = () => undefined,
): FormatArguments {
  const take = slotReader(call, list);
  return {
    integer: (widthBits) => BigInt(loadChecked(call, take(), widthBits === 64 ? int64 : int32)),
    float: () => Number(loadChecked(call, take(), float64)),
    pointer: () => addressOf(loadChecked(call, take(), pointerType), call.model),
    string: (limit) => {
      const start = loadChecked(call, take(), pointerType);
      const text = readString(call, start, limit);
      takes(start, text.length === limit ? text.length : text.length + 1);
      return text;
    },
    wideString: (limit = Infinity) => {
      const characters: number[] = [];
      const start = loadChecked(call, take(), pointerType);
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
    count: (widthBytes, value) => storeInteger(call, loadChecked(call, take(), pointerType), widthBytes, value),
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
    const take = slotReader(call, call.arguments[position + 1]!);
    const target = (): ConcreteValue => loadChecked(call, take(), pointerType);
    const targets: ScanTargets = {
      integer: (widthBytes, value) => storeInteger(call, target(), widthBytes, value),
      float: (widthBits, value) => storeChecked(call, target(), widthBits === 64 ? float64 : float32, value),
      bytes: (bytes, terminated) =>
        storeBytes(call, target(), Buffer.from(terminated ? `${bytes}\0` : bytes, 'latin1')),
    };
    return checked(call, () => scan(text, source(call), targets, call.model));
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
