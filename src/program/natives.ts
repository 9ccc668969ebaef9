/**
 * Library functions that have no body in C here: the machine runs them itself, a proof takes their result as any value of its type and,
 * for those that write through their arguments, the memory these reach as changed.
 *
 * Arguments after the fixed ones come as one hidden last argument, a pointer to an array of 8-byte slots, null when there are none.
 */
export interface NativeFunction {
  readonly name: string;
  /** In C, with `size_t` for the data model's. */
  readonly prototype: string;
  /** Whether it changes memory that the program can see. */
  readonly writesMemory: boolean;
}

const reading: readonly string[] = [
  'int printf(const char *format, ...)', 'int vprintf(const char *format, va_list list)', 'int fprintf(FILE *stream, const char *format, ...)',
  'int vfprintf(FILE *stream, const char *format, va_list list)', 'int puts(const char *text)', 'int putchar(int c)', 'int fputs(const char *text, FILE *stream)',
  'int fputc(int c, FILE *stream)', 'int putc(int c, FILE *stream)', 'int fflush(FILE *stream)', 'void perror(const char *text)', 'clock_t clock(void)',
];
const writing: readonly string[] = [
  'int sprintf(char *target, const char *format, ...)', 'int snprintf(char *target, size_t size, const char *format, ...)',
  'int vsprintf(char *target, const char *format, va_list list)', 'int vsnprintf(char *target, size_t size, const char *format, va_list list)',
  'time_t time(time_t *now)',
];
const unaryMath = [
  'fabs', 'sqrt', 'floor', 'ceil', 'trunc', 'round', 'rint', 'nearbyint', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan', 'sinh', 'cosh', 'tanh',
  'exp', 'exp2', 'expm1', 'log', 'log2', 'log10', 'log1p', 'cbrt',
];
const binaryMath = ['pow', 'fmod', 'fmin', 'fmax', 'fdim', 'atan2', 'hypot', 'copysign', 'remainder', 'nextafter'];
const floatTypes = [['double', ''], ['float', 'f'], ['long double', 'l']] as const;
const math: readonly string[] = floatTypes.flatMap(([type, suffix]) => [
  ...unaryMath.map((f) => `${type} ${f}${suffix}(${type} x)`),
  ...binaryMath.map((f) => `${type} ${f}${suffix}(${type} x, ${type} y)`),
]);

const nameOf = (prototype: string): string => /(\w+)\(/.exec(prototype)![1]!;
const describe = (writesMemory: boolean) => (prototype: string): NativeFunction => ({ name: nameOf(prototype), prototype, writesMemory });

export const nativeFunctions: ReadonlyMap<string, NativeFunction> = new Map(
  [...[...reading, ...math].map(describe(false)), ...writing.map(describe(true))].map((native) => [native.name, native]),
);

export const isNative = (name: string): boolean => nativeFunctions.has(name);
/** It changes nothing that the program can see but its result. */
export const isReadOnlyNative = (name: string): boolean => nativeFunctions.get(name)?.writesMemory === false;
