/**
 * Names that the front end knows without any header: which header declares a library type or function (for hints), the
 * prototypes behind `__builtin_X`, and those of the functions that verification programs call without declaring them.
 */

const typesByHeader: Readonly<Record<string, string>> = {
  'stddef.h': 'size_t ptrdiff_t wchar_t max_align_t',
  'stdbool.h': 'bool',
  'stdint.h':
    'int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t intmax_t uintmax_t ' +
    'int_fast8_t int_fast16_t int_fast32_t int_fast64_t uint_fast8_t uint_fast16_t uint_fast32_t uint_fast64_t ' +
    'int_least8_t int_least16_t int_least32_t int_least64_t uint_least8_t uint_least16_t uint_least32_t ' +
    'uint_least64_t',
  'stdio.h': 'FILE fpos_t',
  'stdarg.h': 'va_list',
  'time.h': 'time_t clock_t',
  'sys/types.h': 'ssize_t off_t pid_t',
};
const headers = new Map(
  Object.entries(typesByHeader).flatMap(([header, names]) => names.split(' ').map((name) => [name, header] as const)),
);

/** `stddef.h` for `size_t`. */
export function headerOfType(name: string): string | undefined {
  return headers.get(name);
}

const macrosByHeader: Readonly<Record<string, string>> = {
  'stddef.h': 'NULL offsetof',
  'provest.h':
    'PROVEST_REQUIRES PROVEST_ENSURES PROVEST_INVARIANT PROVEST_LENGTH PROVEST_TERMINATED PROVEST_RESULT PROVEST_OLD ' +
    'PROVEST_ACYCLIC PROVEST_REACH PROVEST_EVERY PROVEST_LIST_LENGTH',
  'stdbool.h': 'true false',
  'assert.h': 'assert static_assert',
  'limits.h':
    'CHAR_BIT CHAR_MAX CHAR_MIN SCHAR_MAX SCHAR_MIN UCHAR_MAX SHRT_MAX SHRT_MIN USHRT_MAX INT_MAX INT_MIN ' +
    'UINT_MAX LONG_MAX LONG_MIN ULONG_MAX LLONG_MAX LLONG_MIN ULLONG_MAX',
  'stdint.h':
    'INT8_MAX INT8_MIN UINT8_MAX INT16_MAX INT16_MIN UINT16_MAX INT32_MAX INT32_MIN UINT32_MAX INT64_MAX ' +
    'INT64_MIN UINT64_MAX SIZE_MAX INTPTR_MAX UINTPTR_MAX PTRDIFF_MAX',
  'stdio.h': 'EOF stdin stdout stderr',
  'stdlib.h': 'EXIT_SUCCESS EXIT_FAILURE RAND_MAX',
  'errno.h': 'errno EINVAL ENOMEM ERANGE',
  'stdarg.h': 'va_start va_arg va_end va_copy',
};
const macros = new Map(
  Object.entries(macrosByHeader).flatMap(([header, names]) => names.split(' ').map((name) => [name, header] as const)),
);

/**
 * One prototype per function; `SIZE` stands for size_t's type. The texts are read by the parser itself, with
 * `__SIZE_TYPE__` as a type name.
 */
const prototypesByHeader: Readonly<Record<string, readonly string[]>> = {
  'string.h': [
    'void *memcpy(void *, const void *, SIZE)',
    'void *memmove(void *, const void *, SIZE)',
    'void *memset(void *, int, SIZE)',
    'int memcmp(const void *, const void *, SIZE)',
    'void *memchr(const void *, int, SIZE)',
    'SIZE strlen(const char *)',
    'SIZE strnlen(const char *, SIZE)',
    'int strcmp(const char *, const char *)',
    'int strncmp(const char *, const char *, SIZE)',
    'char *strcpy(char *, const char *)',
    'char *strncpy(char *, const char *, SIZE)',
    'char *strcat(char *, const char *)',
    'char *strncat(char *, const char *, SIZE)',
    'char *strchr(const char *, int)',
    'char *strrchr(const char *, int)',
    'char *strstr(const char *, const char *)',
    'SIZE strspn(const char *, const char *)',
    'SIZE strcspn(const char *, const char *)',
    'char *strpbrk(const char *, const char *)',
    'char *strtok(char *, const char *)',
    'char *strdup(const char *)',
    'char *strndup(const char *, SIZE)',
    'char *stpcpy(char *, const char *)',
    'char *strerror(int)',
  ],
  'stdlib.h': [
    'void *malloc(SIZE)',
    'void *calloc(SIZE, SIZE)',
    'void *realloc(void *, SIZE)',
    'void free(void *)',
    'void abort(void)',
    'void exit(int)',
    'void _Exit(int)',
    'int abs(int)',
    'long labs(long)',
    'long long llabs(long long)',
    'int atoi(const char *)',
    'long atol(const char *)',
    'long long atoll(const char *)',
    'double atof(const char *)',
    'long strtol(const char *, char **, int)',
    'unsigned long strtoul(const char *, char **, int)',
    'int rand(void)',
    'void srand(unsigned)',
    'void qsort(void *, SIZE, SIZE, int (*)(const void *, const void *))',
    'char *getenv(const char *)',
    'int atexit(void (*)(void))',
  ],
  'alloca.h': ['void *alloca(SIZE)'],
  'stdio.h': [
    'int printf(const char *, ...)',
    'int sprintf(char *, const char *, ...)',
    'int snprintf(char *, SIZE, const char *, ...)',
    'int puts(const char *)',
    'int putchar(int)',
    'int getchar(void)',
    'int scanf(const char *, ...)',
    'void perror(const char *)',
    'int vprintf(const char *, __builtin_va_list)',
    'int vsprintf(char *, const char *, __builtin_va_list)',
    'int vsnprintf(char *, SIZE, const char *, __builtin_va_list)',
  ],
  'math.h': [
    'fabs',
    'sqrt',
    'floor',
    'ceil',
    'trunc',
    'round',
    'rint',
    'nearbyint',
    'sin',
    'cos',
    'tan',
    'asin',
    'acos',
    'atan',
    'sinh',
    'cosh',
    'tanh',
    'exp',
    'exp2',
    'expm1',
    'log',
    'log2',
    'log10',
    'log1p',
    'cbrt',
  ]
    .flatMap((f) => [`double ${f}(double)`, `float ${f}f(float)`, `long double ${f}l(long double)`])
    .concat(
      ['pow', 'fmod', 'fmin', 'fmax', 'fdim', 'atan2', 'hypot', 'copysign', 'remainder', 'nextafter'].flatMap((f) => [
        `double ${f}(double, double)`,
        `float ${f}f(float, float)`,
        `long double ${f}l(long double, long double)`,
      ]),
    )
    .concat(['isnan', 'isinf', 'isfinite', 'signbit', 'isnormal'].map((f) => `int ${f}(double)`)),
  'ctype.h': [
    'isalpha',
    'isdigit',
    'isalnum',
    'isspace',
    'isupper',
    'islower',
    'isxdigit',
    'ispunct',
    'isprint',
    'iscntrl',
    'isgraph',
    'isblank',
    'toupper',
    'tolower',
  ].map((f) => `int ${f}(int)`),
  'time.h': ['long time(long *)', 'long clock(void)'],
};

const nameOf = (prototype: string): string => /([A-Za-z_]\w*)\(/.exec(prototype)![1]!;
const functions = new Map(
  Object.entries(prototypesByHeader).flatMap(([header, prototypes]) =>
    prototypes.map((p) => [nameOf(p), { header, prototype: `${p.replaceAll('SIZE', '__SIZE_TYPE__')};` }] as const),
  ),
);

export function headerOfFunction(name: string): string | undefined {
  return functions.get(name)?.header;
}

export function libraryFunctionNames(): Iterable<string> {
  return functions.keys();
}

export function headerOfMacro(name: string): string | undefined {
  return macros.get(name);
}

/** Functions behind the macros of <math.h>; GNU C's built-in functions of these names are generic in the same way. */
const classifiers = new Map(['isnan', 'isinf', 'isfinite', 'signbit'].map((f) => [f, `__provest_${f}`] as const));

/** The function of the C library that `__builtin_X` stands for. */
export function libraryFunctionOf(builtIn: string): { readonly name: string; readonly prototype: string } | undefined {
  const name = builtIn.slice('__builtin_'.length);
  const classifier = classifiers.get(name.replace(/^(signbit|isnan|isinf|isfinite)[fl]$/, '$1'));
  if (classifier !== undefined) return { name: classifier, prototype: `int ${classifier}(double);` };
  const prototype = functions.get(name)?.prototype;
  return prototype === undefined ? undefined : { name, prototype };
}

/** Compiler functions that are not library functions under another name; they keep their own. */
const compilerFunctions = new Map(
  [
    'int __builtin_setjmp(void *)',
    'void __builtin_longjmp(void *, int) __attribute__((noreturn))',
    'void __builtin_unreachable(void) __attribute__((noreturn))',
    'void __builtin_trap(void) __attribute__((noreturn))',
    ...['', 'l', 'll'].flatMap((suffix) => {
      const type = { '': '', l: 'long', ll: 'long long' }[suffix]!;
      return [
        ...['clz', 'ctz', 'popcount', 'parity'].map((f) => `int __builtin_${f}${suffix}(unsigned ${type})`),
        ...['ffs', 'clrsb'].map((f) => `int __builtin_${f}${suffix}(${type === '' ? 'int' : type})`),
      ];
    }),
    'unsigned short __builtin_bswap16(unsigned short)',
    'unsigned int __builtin_bswap32(unsigned int)',
    'unsigned long long __builtin_bswap64(unsigned long long)',
  ].map((p) => [nameOf(p), `${p};`] as const),
);

/** The suffixes of `__VERIFIER_nondet_X` and what they return. */
const nondetTypes: Readonly<Record<string, string>> = {
  bool: '_Bool',
  _Bool: '_Bool',
  char: 'char',
  schar: 'signed char',
  uchar: 'unsigned char',
  unsigned_char: 'unsigned char',
  short: 'short',
  ushort: 'unsigned short',
  unsigned_short: 'unsigned short',
  int: 'int',
  uint: 'unsigned',
  unsigned: 'unsigned',
  unsigned_int: 'unsigned',
  unsigned_long: 'unsigned long',
  long: 'long',
  ulong: 'unsigned long',
  longlong: 'long long',
  long_long: 'long long',
  ulonglong: 'unsigned long long',
  loff_t: 'long long',
  size_t: '__SIZE_TYPE__',
  sector_t: 'unsigned long',
  pthread_t: 'unsigned long',
  float: 'float',
  double: 'double',
  pointer: 'void *',
  pchar: 'char *',
  charp: 'char *',
  u8: 'unsigned char',
  s8: 'signed char',
  u16: 'unsigned short',
  s16: 'short',
  u32: 'unsigned',
  s32: 'int',
  u64: 'unsigned long long',
  s64: 'long long',
  uint8_t: 'unsigned char',
  int8_t: 'signed char',
  uint16_t: 'unsigned short',
  int16_t: 'short',
  uint32_t: 'unsigned',
  int32_t: 'int',
  uint64_t: 'unsigned long long',
  int64_t: 'long long',
};

/** `__CPROVER_assume` and `__ESBMC_assume` take any scalar as a truth value, which `_Bool` parameters say exactly. */
const verifierFunctions = new Map(
  [
    'void __VERIFIER_assume(int)',
    'void __VERIFIER_assert(int)',
    'void __VERIFIER_error(void) __attribute__((noreturn))',
    'void __VERIFIER_atomic_begin(void)',
    'void __VERIFIER_atomic_end(void)',
    'void __CPROVER_assume(_Bool)',
    'void __CPROVER_assert(_Bool, const char *)',
    'void __ESBMC_assume(_Bool)',
    'void __ESBMC_assert(_Bool, const char *)',
  ].map((p) => [nameOf(p), `${p};`] as const),
);

/** Functions that programs in verification papers and benchmarks call without declaring them. */
const idioms = new Map(
  [
    'void assert(_Bool)',
    'void assume(_Bool)',
    'void sassert(_Bool)',
    'void __builtin_assume(_Bool)',
    'void error(void) __attribute__((noreturn))',
    'int nondet(void)',
    'int unknown(void)',
  ].map((p) => [nameOf(p), `${p};`] as const),
);

/**
 * The prototype of such a function; only where the reader of the program asked for it. Of `nondet_uint` the name says
 * what it gives.
 */
export function idiomPrototype(name: string): string | undefined {
  return idioms.get(name) ?? nondetPrototype(name, 'nondet_');
}

/** Prototype that C89 implies for a call without a declaration; accepted along with the idioms. */
export function implicitPrototype(name: string): string {
  return functions.get(name)?.prototype ?? `int ${name}();`;
}

/** The prototype of a function that a program may call without declaring it. */
export function builtInPrototype(name: string): string | undefined {
  const known = verifierFunctions.get(name) ?? compilerFunctions.get(name);
  if (known !== undefined) return known;
  return (
    nondetPrototype(name, '__VERIFIER_nondet_') ??
    nondetPrototype(name, '__provest_nondet_') ??
    nondetPrototype(name, '__CPROVER_nondet_') ??
    nondetPrototype(name, '__ESBMC_nondet_')
  );
}

function nondetPrototype(name: string, prefix: string): string | undefined {
  const kind = name.startsWith(prefix) ? name.slice(prefix.length) : '';
  return Object.hasOwn(nondetTypes, kind) ? `${nondetTypes[kind]} ${name}(void);` : undefined;
}
