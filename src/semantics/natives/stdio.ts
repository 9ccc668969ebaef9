/** Output of <stdio.h>. All streams are one; text goes out as bytes, one character each. */
import { float64, int32, int64, pointer as pointerType } from '../../program/expression';
import { objectNumber, offsetBytes, packed, pointerTo, type ConcreteValue } from '../concrete';
import { readString, loadChecked, writeString } from './cMemory';
import { format, FormatError, type FormatArguments } from './format';
import { NativeFault, type Native, type NativeCall } from './native';

type Printer = (call: NativeCall, text: string) => ConcreteValue;

const toOutput: Printer = (call, text) => {
  call.output(text);
  return text.length;
};
const toTarget: Printer = (call, text) => {
  writeString(call, call.arguments[0]!, text);
  return text.length;
};
const toBoundedTarget: Printer = (call, text) => {
  const size = Number(call.arguments[1]!);
  if (size > 0) writeString(call, call.arguments[0]!, text.slice(0, size - 1));
  return text.length;
};

/** A function whose format is argument `position`, with the slots of the further arguments behind it. */
const printing = (position: number, print: Printer): Native['run'] => (call) => {
  const text = readString(call, call.arguments[position]!);
  try {
    return print(call, format(text, slots(call, call.arguments[position + 1]!), call.model));
  } catch (error) {
    if (error instanceof FormatError) throw new NativeFault('invalid-call', `${call.name}: ${error.message}`);
    throw error;
  }
};

/** Reads variable arguments from their array of 8-byte slots. */
function slots(call: NativeCall, list: ConcreteValue): FormatArguments {
  let next = list;
  const take = (): ConcreteValue => {
    const slot = next;
    const size = call.memory.block(slot)?.sizeBytes ?? 0;
    if (list === 0 || offsetBytes(slot) >= size) throw new NativeFault('invalid-call', `${call.name}: the format asks for more arguments than there are`);
    next = pointerTo(objectNumber(slot), offsetBytes(slot) + 8);
    return slot;
  };
  return {
    integer: (widthBits) => BigInt(loadChecked(call, take(), widthBits === 64 ? int64 : int32)),
    float: () => Number(loadChecked(call, take(), float64)),
    pointer: () => packed(loadChecked(call, take(), pointerType), call.model),
    string: (limit) => readString(call, loadChecked(call, take(), pointerType), limit),
  };
}

const putByte: Native['run'] = (call) => {
  const byte = Number(call.arguments[0]!) & 0xff;
  call.output(String.fromCharCode(byte));
  return byte;
};
const reading = (run: Native['run']): Native => ({ writesMemory: false, run });
const writing = (run: Native['run']): Native => ({ writesMemory: true, run });

export const stdio: Readonly<Record<string, Native>> = {
  printf: reading(printing(0, toOutput)),
  vprintf: reading(printing(0, toOutput)),
  fprintf: reading(printing(1, toOutput)),
  vfprintf: reading(printing(1, toOutput)),
  sprintf: writing(printing(1, toTarget)),
  vsprintf: writing(printing(1, toTarget)),
  snprintf: writing(printing(2, toBoundedTarget)),
  vsnprintf: writing(printing(2, toBoundedTarget)),
  puts: reading((call) => toOutput(call, `${readString(call, call.arguments[0]!)}\n`)),
  fputs: reading((call) => toOutput(call, readString(call, call.arguments[0]!))),
  putchar: reading(putByte),
  fputc: reading(putByte),
  putc: reading(putByte),
  fflush: reading(() => 0),
  perror: reading((call) => {
    const prefix = call.arguments[0] === 0 ? '' : readString(call, call.arguments[0]!);
    call.output(`${prefix === '' ? '' : `${prefix}: `}Success\n`);
    return undefined;
  }),
};
