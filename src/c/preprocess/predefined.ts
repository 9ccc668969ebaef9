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
    ['__STDC_UTF_16__', 1], ['__STDC_UTF_32__', 1], ['__STDC_NO_COMPLEX__', 1], ['__STDC_NO_THREADS__', 1],
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
    ...['RELAXED', 'CONSUME', 'ACQUIRE', 'RELEASE', 'ACQ_REL', 'SEQ_CST'].map((order, i): [string, number] => [`__ATOMIC_${order}`, i]),
    ['__ORDER_LITTLE_ENDIAN__', 1234], ['__ORDER_BIG_ENDIAN__', 4321], ['__ORDER_PDP_ENDIAN__', 3412],
    ['__BYTE_ORDER__', '__ORDER_LITTLE_ENDIAN__'], ['__FLOAT_WORD_ORDER__', '__ORDER_LITTLE_ENDIAN__'], ['__LITTLE_ENDIAN__', 1],
    ['__FLT_RADIX__', 2], ['__FLT_EVAL_METHOD__', 0], ['__USER_LABEL_PREFIX__', ''],
    ['__INT_LEAST8_TYPE__', 'signed char'], ['__INT_LEAST16_TYPE__', 'short int'], ['__INT_LEAST32_TYPE__', 'int'], ['__INT_LEAST64_TYPE__', int64],
    ['__UINT_LEAST8_TYPE__', 'unsigned char'], ['__UINT_LEAST16_TYPE__', 'short unsigned int'], ['__UINT_LEAST32_TYPE__', 'unsigned int'], ['__UINT_LEAST64_TYPE__', int64.replace(' int', ' unsigned int')],
    ['__INT_FAST8_TYPE__', 'signed char'], ['__INT_FAST16_TYPE__', pointerDifference], ['__INT_FAST32_TYPE__', pointerDifference], ['__INT_FAST64_TYPE__', int64],
    ['__UINT_FAST8_TYPE__', 'unsigned char'], ['__UINT_FAST16_TYPE__', sizeType], ['__UINT_FAST32_TYPE__', sizeType], ['__UINT_FAST64_TYPE__', int64.replace(' int', ' unsigned int')],
    ['__INT8_MAX__', '0x7f'], ['__INT16_MAX__', '0x7fff'], ['__INT32_MAX__', '0x7fffffff'], ['__INT64_MAX__', `0x7fffffffffffffff${suffix}`],
    ['__UINT8_MAX__', '0xff'], ['__UINT16_MAX__', '0xffff'], ['__UINT32_MAX__', '0xffffffffU'], ['__UINT64_MAX__', `0xffffffffffffffffU${suffix}`],
    ['__INT8_C(c)', 'c'], ['__INT16_C(c)', 'c'], ['__INT32_C(c)', 'c'], ['__UINT8_C(c)', 'c'], ['__UINT16_C(c)', 'c'], ['__UINT32_C(c)', 'c ## U'], ['__INTMAX_C(c)', `c ## ${suffix}`], ['__UINTMAX_C(c)', `c ## U${suffix}`],
    ['__SIG_ATOMIC_TYPE__', 'int'], ['__SIG_ATOMIC_MAX__', '0x7fffffff'], ['__SIG_ATOMIC_MIN__', '(-__SIG_ATOMIC_MAX__ - 1)'], ['__BIGGEST_ALIGNMENT__', 16],
    // As in <float.h>.
    ['__FLT_DECIMAL_DIG__', '9'], ['__DBL_DECIMAL_DIG__', '17'], ['__LDBL_DECIMAL_DIG__', '17'], ['__FLT_MANT_DIG__', '24'], ['__FLT_DIG__', '6'], ['__FLT_MIN_EXP__', '(-125)'],
    ['__FLT_MIN_10_EXP__', '(-37)'], ['__FLT_MAX_EXP__', '128'], ['__FLT_MAX_10_EXP__', '38'], ['__FLT_MAX__', '3.40282346638528859812e+38F'], ['__FLT_MIN__', '1.17549435082228750797e-38F'], ['__FLT_EPSILON__', '1.1920928955078125e-7F'],
    ['__FLT_DENORM_MIN__', '1.40129846432481707092e-45F'], ['__DBL_MANT_DIG__', '53'], ['__LDBL_MANT_DIG__', '53'], ['__DBL_DIG__', '15'], ['__LDBL_DIG__', '15'], ['__DBL_MIN_EXP__', '(-1021)'],
    ['__LDBL_MIN_EXP__', '(-1021)'], ['__DBL_MIN_10_EXP__', '(-307)'], ['__LDBL_MIN_10_EXP__', '(-307)'], ['__DBL_MAX_EXP__', '1024'], ['__LDBL_MAX_EXP__', '1024'], ['__DBL_MAX_10_EXP__', '308'],
    ['__LDBL_MAX_10_EXP__', '308'], ['__DBL_MAX__', '1.7976931348623157081e+308'], ['__LDBL_MAX__', '1.7976931348623157081e+308L'], ['__DBL_MIN__', '2.2250738585072013831e-308'], ['__LDBL_MIN__', '2.2250738585072013831e-308L'], ['__DBL_EPSILON__', '2.220446049250313080847e-16'],
    ['__LDBL_EPSILON__', '2.220446049250313080847e-16L'], ['__DBL_DENORM_MIN__', '4.94065645841246544177e-324'], ['__LDBL_DENORM_MIN__', '4.94065645841246544177e-324L'], ['__FLT_HAS_DENORM__', '1'], ['__FLT_HAS_INFINITY__', '1'], ['__FLT_HAS_QUIET_NAN__', '1'],
    ['__DBL_HAS_DENORM__', '1'], ['__DBL_HAS_INFINITY__', '1'], ['__DBL_HAS_QUIET_NAN__', '1'], ['__LDBL_HAS_DENORM__', '1'], ['__LDBL_HAS_INFINITY__', '1'], ['__LDBL_HAS_QUIET_NAN__', '1'],
    ['__DECIMAL_DIG__', '17'],
    // Fixed, so that the same text gives the same program on every day.
    ['__DATE__', '"Jan  1 1970"'], ['__TIME__', '"00:00:00"'], ['__TIMESTAMP__', '"Thu Jan  1 00:00:00 1970"'],
    ...(wide ? [['__LP64__', 1], ['_LP64', 1]] as [string, number][] : [['__ILP32__', 1], ['_ILP32', 1]] as [string, number][]),
  ];
  return lines.map(([name, value]) => `#define ${name} ${value}\n`).join('');
}
