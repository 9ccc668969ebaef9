/** Helper of the library's `strtod` and its like: the value of a number whose text they have found. */
import { bytesAt } from './cMemory';
import type { Native, NativeCall } from './native';
import { numberPrefix, parseFloating, type ParsedFloat } from '../../../c/floatingPoint';

/** The `size` bytes at `text` are a number. */
function parseNumber(call: NativeCall, widthBits: 32 | 64): ParsedFloat {
  const text = Buffer.from(bytesAt(call, call.arguments[0]!, Number(call.arguments[1]!))).toString('latin1');
  const prefix = numberPrefix(text);
  return prefix === undefined ? { value: 0, outOfRange: false } : parseFloating(prefix, widthBits);
}

const native = (run: Native['run']): Native => ({ run });

export const numbers: Readonly<Record<string, Native>> = {
  __provest_parse_double: native((call) => parseNumber(call, 64).value),
  __provest_parse_float: native((call) => parseNumber(call, 32).value),
  __provest_number_out_of_range: native((call) =>
    parseNumber(call, Number(call.arguments[2]!) === 32 ? 32 : 64).outOfRange ? 1 : 0,
  ),
};
