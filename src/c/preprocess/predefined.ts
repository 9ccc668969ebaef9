/**
 * The macros that are there before the first line (C11 6.10.8), as the text of a header.
 *
 * `__GNUC__` is 4.2.1, as Clang has it: the front end takes the GNU forms that such code uses
 * (`__attribute__`, `__extension__`, `typeof`, statement expressions, case ranges, common
 * `__builtin_*`), while later GCC features are asked for by `__has_builtin` and the like. No macro
 * names a machine or a system (`__x86_64__`, `__linux__`): nothing here has inline assembly or system
 * calls, and code that cannot do without says so by `#error` or is given `define`.
 */
import type { DataModel } from '../types';

export function predefinedMacros(model: DataModel): string {
  const wide = model === 'lp64';
  const long = wide ? '9223372036854775807L' : '2147483647L';
  const sizeType = wide ? 'long unsigned int' : 'unsigned int';
  const pointerDifference = wide ? 'long int' : 'int';
  const int64 = wide ? 'long int' : 'long long int';
  const suffix = wide ? 'L' : 'LL';
  const pointerBytes = wide ? 8 : 4;
  const lines: [string, string | number][] = [
    ['__PROVEST__', 1],
    ['__CPROVER_bool', '_Bool'], ['__STDC__', 1], ['__STDC_VERSION__', '201112L'], ['__STDC_HOSTED__', 1],
    ['__STDC_UTF_16__', 1], ['__STDC_UTF_32__', 1], ['__STDC_NO_ATOMICS__', 1], ['__STDC_NO_COMPLEX__', 1], ['__STDC_NO_THREADS__', 1],
    ['__GNUC__', 4], ['__GNUC_MINOR__', 2], ['__GNUC_PATCHLEVEL__', 1], ['__GNUC_STDC_INLINE__', 1], ['__VERSION__', '"provest"'],
    ['__CHAR_BIT__', 8], ['__SCHAR_MAX__', 127], ['__SHRT_MAX__', 32767], ['__INT_MAX__', 2147483647], ['__LONG_MAX__', long], ['__LONG_LONG_MAX__', '9223372036854775807LL'],
    ['__WCHAR_MAX__', 2147483647], ['__WCHAR_MIN__', '(-__WCHAR_MAX__ - 1)'], ['__WINT_MAX__', '4294967295U'], ['__WINT_MIN__', '0U'],
    ['__SIZE_MAX__', wide ? '18446744073709551615UL' : '4294967295U'], ['__PTRDIFF_MAX__', wide ? long : '2147483647'],
    ['__INTMAX_MAX__', `9223372036854775807${suffix}`], ['__UINTMAX_MAX__', `18446744073709551615U${suffix}`],
    ['__INTPTR_MAX__', wide ? long : '2147483647'], ['__UINTPTR_MAX__', wide ? '18446744073709551615UL' : '4294967295U'],
    ['__CHAR_WIDTH__', 8], ['__SHRT_WIDTH__', 16], ['__INT_WIDTH__', 32], ['__LONG_WIDTH__', pointerBytes * 8], ['__LONG_LONG_WIDTH__', 64],
    ['__SIZEOF_SHORT__', 2], ['__SIZEOF_INT__', 4], ['__SIZEOF_LONG__', pointerBytes], ['__SIZEOF_LONG_LONG__', 8], ['__SIZEOF_POINTER__', pointerBytes],
    ['__SIZEOF_SIZE_T__', pointerBytes], ['__SIZEOF_PTRDIFF_T__', pointerBytes], ['__SIZEOF_WCHAR_T__', 4], ['__SIZEOF_WINT_T__', 4],
    ['__SIZEOF_FLOAT__', 4], ['__SIZEOF_DOUBLE__', 8], ['__SIZEOF_LONG_DOUBLE__', 8],
    ['__SIZE_TYPE__', sizeType], ['__PTRDIFF_TYPE__', pointerDifference], ['__WCHAR_TYPE__', 'int'], ['__WINT_TYPE__', 'unsigned int'],
    ['__INTMAX_TYPE__', int64], ['__UINTMAX_TYPE__', int64.replace(' int', ' unsigned int')], ['__INTPTR_TYPE__', pointerDifference], ['__UINTPTR_TYPE__', sizeType],
    ['__CHAR16_TYPE__', 'short unsigned int'], ['__CHAR32_TYPE__', 'unsigned int'],
    ['__INT8_TYPE__', 'signed char'], ['__INT16_TYPE__', 'short int'], ['__INT32_TYPE__', 'int'], ['__INT64_TYPE__', int64],
    ['__UINT8_TYPE__', 'unsigned char'], ['__UINT16_TYPE__', 'short unsigned int'], ['__UINT32_TYPE__', 'unsigned int'], ['__UINT64_TYPE__', int64.replace(' int', ' unsigned int')],
    ['__INT64_C(c)', `c ## ${suffix}`], ['__UINT64_C(c)', `c ## U${suffix}`],
    ['__ORDER_LITTLE_ENDIAN__', 1234], ['__ORDER_BIG_ENDIAN__', 4321], ['__ORDER_PDP_ENDIAN__', 3412],
    ['__BYTE_ORDER__', '__ORDER_LITTLE_ENDIAN__'], ['__FLOAT_WORD_ORDER__', '__ORDER_LITTLE_ENDIAN__'], ['__LITTLE_ENDIAN__', 1],
    ['__FLT_RADIX__', 2], ['__FLT_EVAL_METHOD__', 0], ['__USER_LABEL_PREFIX__', ''],
    // Fixed, so that the same text gives the same program on every day.
    ['__DATE__', '"Jan  1 1970"'], ['__TIME__', '"00:00:00"'], ['__TIMESTAMP__', '"Thu Jan  1 00:00:00 1970"'],
    ...(wide ? [['__LP64__', 1], ['_LP64', 1]] as [string, number][] : [['__ILP32__', 1], ['_ILP32', 1]] as [string, number][]),
  ];
  return lines.map(([name, value]) => `#define ${name} ${value}\n`).join('');
}
