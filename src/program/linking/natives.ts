/**
 * Library functions without a C body here. The interpreter runs them itself. A proof takes their result as any value of
 * its type and havocs the memory that they may write through their arguments. Arguments after the fixed ones come as
 * one hidden last argument: a pointer to the entries of `lower/variadic.ts`, null if there are none.
 */
import type { ExternalCommand } from '../command';
import type { Expression } from '../expression';
import type { Program, StaticObject } from '../program';

export interface NativeFunction {
  readonly name: string;
  /** In C, with `size_t` for the data model's type. */
  readonly prototype: string;
  /**
   * The visible memory that the function may change: the target of this argument, or the targets of the pointers in the
   * list at this argument.
   */
  readonly writes: { readonly kind: 'nothing' } | { readonly kind: 'pointee' | 'listed'; readonly argument: number };
  /** The argument that must be an open `FILE *`; lowering checks it. */
  readonly stream: number | undefined;
  /** The format argument and the position of the list behind it. */
  readonly format: { readonly argument: number; readonly of: 'printf' | 'scanf' } | undefined;
  /** Only the library's own C text calls the function, and it has checked the memory reached through the arguments. */
  readonly internal: boolean;
}

const reading: readonly string[] = [
  'int printf(const char *format, ...)',
  'int vprintf(const char *format, va_list list)',
  'int fprintf(FILE *stream, const char *format, ...)',
  'int vfprintf(FILE *stream, const char *format, va_list list)',
  'void provest_syslog(int priority, const char *format, ...)',
  'void provest_vsyslog(int priority, const char *format, va_list list)',
  'int puts(const char *text)',
  'int putchar(int c)',
  'int __provest_file_open(const char *path, const char *mode)',
  'int __provest_file_open_flags(const char *path, int flags)',
  'int __provest_file_temporary(void)',
  'int __provest_file_close(int file)',
  'int __provest_file_get(int file)',
  'int __provest_file_unget(int file, int c)',
  'long __provest_file_write(int file, const void *source, size_t size)',
  'long __provest_file_seek(int file, long offset, int whence)',
  'long __provest_file_tell(int file)',
  'int __provest_file_resize(int file, long size)',
  'int __provest_file_flags(int file)',
  'void __provest_file_clear(int file)',
  'int __provest_file_exists(const char *path)',
  'int __provest_file_remove(const char *path)',
  'int __provest_file_rename(const char *from, const char *to)',
  'long __provest_usually(long value)',
  'int __provest_effective_type(const void *place, int type, long size, int stores)',
  'long __provest_variable_length(const char *name)',
  'void __provest_seed(unsigned seed)',
  'long __provest_microseconds(void)',
  'double __provest_parse_double(const char *text, size_t size)',
  'float __provest_parse_float(const char *text, size_t size)',
  'int __provest_number_out_of_range(const char *text, size_t size, int width)',
  'int fetestexcept(int exceptions)',
];
const writingFirst: readonly string[] = [
  'int sprintf(char *target, const char *format, ...)',
  'int snprintf(char *target, size_t size, const char *format, ...)',
  'int vsprintf(char *target, const char *format, va_list list)',
  'int vsnprintf(char *target, size_t size, const char *format, va_list list)',
  'void __provest_any_bytes(void *target, size_t size)',
  'void __provest_given_bytes(void *target, size_t size, unsigned long long bytes)',
  'void __provest_kept_bits(void *target, size_t size, unsigned long long bits)',
];
const writingSecond: readonly string[] = [
  'long __provest_file_read(int file, void *target, size_t size)',
  'void __provest_variable_copy(const char *name, char *target, size_t size)',
];
const scanning: readonly string[] = [
  'int scanf(const char *format, ...)',
  'int vscanf(const char *format, va_list list)',
  'int fscanf(FILE *stream, const char *format, ...)',
  'int vfscanf(FILE *stream, const char *format, va_list list)',
  'int sscanf(const char *text, const char *format, ...)',
  'int vsscanf(const char *text, const char *format, va_list list)',
];
const unaryMath = [
  'sqrt',
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
  'asinh',
  'acosh',
  'atanh',
  'exp10',
  'logb',
  'erf',
  'erfc',
  'tgamma',
  'lgamma',
];
const binaryMath = ['pow', 'fmod', 'fdim', 'atan2', 'hypot', 'remainder', 'nextafter'];
const floatTypes = [
  ['double', ''],
  ['float', 'f'],
  ['long double', 'l'],
] as const;
const math: readonly string[] = floatTypes.flatMap(([type, suffix]) => [
  ...unaryMath.map((f) => `${type} ${f}${suffix}(${type} x)`),
  ...binaryMath.map((f) => `${type} ${f}${suffix}(${type} x, ${type} y)`),
  `${type} ldexp${suffix}(${type} x, int exponent)`,
  `${type} scalbn${suffix}(${type} x, int exponent)`,
  `${type} scalbln${suffix}(${type} x, long exponent)`,
  `${type} fma${suffix}(${type} x, ${type} y, ${type} z)`,
]);

const nameOf = (prototype: string): string => /(\w+)\(/.exec(prototype)![1]!;
type Writes = NativeFunction['writes'];
const nothing: Writes = { kind: 'nothing' };
const pointee = (argument: number): Writes => ({ kind: 'pointee', argument });

function describe(prototype: string, writes: Writes): NativeFunction {
  const parameters = prototype.slice(prototype.indexOf('(') + 1, -1).split(', ');
  const position = (pattern: RegExp): number | undefined => {
    const at = parameters.findIndex((parameter) => pattern.test(parameter));
    return at < 0 ? undefined : at;
  };
  const name = nameOf(prototype);
  const format = position(/^const char \*format$/);
  return {
    name,
    prototype,
    writes,
    stream: position(/^FILE \*/),
    internal: name.startsWith('__provest_'),
    format: format === undefined ? undefined : { argument: format, of: name.endsWith('scanf') ? 'scanf' : 'printf' },
  };
}

export const nativeFunctions: ReadonlyMap<string, NativeFunction> = new Map(
  [
    ...[...reading, ...math].map((prototype) => describe(prototype, nothing)),
    ...writingFirst.map((prototype) => describe(prototype, pointee(0))),
    ...writingSecond.map((prototype) => describe(prototype, pointee(1))),
    ...scanning.map((prototype) =>
      describe(prototype, {
        kind: 'listed',
        argument: /scanf\((.*), (?:\.\.\.|va_list list)\)$/.exec(prototype)![1]!.split(', ').length,
      }),
    ),
  ].map((native) => [native.name, native]),
);

export const isNative = (name: string): boolean => nativeFunctions.has(name);

/** The text of a string literal, as one character per byte. */
export function literalText(e: Expression | undefined): string | undefined {
  if (e?.kind !== 'address' || e.of.kind !== 'static-object' || e.of.writable) return undefined;
  const { bytes } = e.of;
  const end = bytes.indexOf(0);
  return end < 0 ? undefined : String.fromCharCode(...bytes.subarray(0, end));
}

/**
 * The argument list into which a printf call may write, because its format contains `%n` or may contain it (C11
 * 7.21.6.1p8). `formats` gives the possible values of a non-literal format: all strings, or undefined.
 */
export function countedList(
  { name, arguments: args }: ExternalCommand,
  formats: (format: Expression) => readonly string[] | undefined = () => undefined,
): Expression | undefined {
  const format = nativeFunctions.get(name)?.format;
  if (format?.of !== 'printf') return undefined;
  const [text, list] = [args[format.argument]!, args[format.argument + 1]];
  if (!list || list.kind === 'null') return undefined;
  const literal = literalText(text);
  const texts = literal === undefined ? formats(text) : [literal];
  // Includes "%%n": the scan does not interpret conversions exactly.
  return texts?.every((one) => !/%[-+ #0-9*.hljztLq']*n/.test(one)) ? undefined : list;
}

/**
 * The function may set `errno`, like any library function that does not exclude it (C11 7.5p3). Functions that serve
 * the library's own C text leave that to it.
 */
export const setsErrno = (name: string): boolean => nativeFunctions.get(name)?.internal === false;

/** The object that `errno` denotes, if the program uses it. */
export function errnoOf(program: Program): StaticObject | undefined {
  return program.objects.find(({ name }) => name === 'provest_errno');
}
