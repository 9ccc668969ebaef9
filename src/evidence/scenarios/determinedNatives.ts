/**
 * Calls of library functions whose result C and IEEE 754 determine, and which the interpreter computes exactly. A run
 * through them is still the only one. Sines, powers and their like are among them only at a few arguments (C11 F.10),
 * because C leaves their accuracy open (C11 5.2.4.2.2p6). Neither are the results of output, which may fail.
 */
import type { ExternalCommand } from '../../program/command';
import { countedList, literalText, nativeFunctions } from '../../program/linking/natives';
import type { ConcreteMemory } from '../../semantics/concrete/concreteMemory';
import { offsetBytes, type ConcreteValue } from '../../semantics/concrete/concreteValues';

const exactMath: ReadonlySet<string> = new Set(
  [
    'sqrt',
    'rint',
    'nearbyint',
    'logb',
    'fmod',
    'fdim',
    'remainder',
    'nextafter',
    'ldexp',
    'scalbn',
    'scalbln',
    'fma',
  ].flatMap((name) => [name, `${name}f`]),
);
const exactAtZero: ReadonlySet<string> = new Set(
  ['sin', 'tan', 'asin', 'atan', 'sinh', 'tanh', 'asinh', 'atanh', 'expm1', 'log1p', 'cbrt', 'erf']
    .concat(['cos', 'cosh', 'exp', 'exp2', 'log', 'log2', 'log10'])
    .flatMap((name) => [name, `${name}f`]),
);
const exactAtOne: ReadonlySet<string> = new Set(
  ['acos', 'acosh', 'log', 'log2', 'log10'].flatMap((name) => [name, `${name}f`]),
);
const output: ReadonlySet<string> = new Set([
  'printf',
  'vprintf',
  'fprintf',
  'vfprintf',
  'provest_syslog',
  'provest_vsyslog',
  'puts',
  'putchar',
]);
const intoMemory: ReadonlySet<string> = new Set(['sprintf', 'snprintf', 'vsprintf', 'vsnprintf', 'sscanf', 'vsscanf']);
const parsing: ReadonlySet<string> = new Set([
  '__provest_parse_double',
  '__provest_parse_float',
  '__provest_number_out_of_range',
  '__provest_effective_type',
]);

/** Without `%p`, `%a`, `%m` and wide characters, whose text depends on the implementation. */
const determinedConversion = /^%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:hh|h|ll|l|j|z|t)?[diouxXcsnfFeEgG%]/;
const determinedScan = /^%\*?\d*(?:(?:hh|h|ll|l|j|z|t)?[diouxXcsnfFeEgG%]|\[\^?\]?[^\]]*\])/;

/** `uses`: the program depends on the result, or only on the call's effects. */
export function isDetermined(
  command: ExternalCommand,
  args: readonly ConcreteValue[],
  uses: 'result' | 'effects',
  memory: ConcreteMemory,
): boolean {
  const { name } = command;
  if (exactMath.has(name) || parsing.has(name) || isExactAt(name, args.map(Number))) return true;
  if (output.has(name)) return uses === 'effects' && countedList(command) === undefined;
  if (!intoMemory.has(name)) return false;
  const { format } = nativeFunctions.get(name)!;
  const text = format && literalText(command.arguments[format.argument]);
  if (!format || text === undefined) return false;
  const conversions = conversionsOf(text, format.of === 'printf' ? determinedConversion : determinedScan);
  if (!conversions) return false;
  const printsFloats = format.of === 'printf' && conversions.some((one) => /[fFeEgG]$/.test(one));
  return !printsFloats || !holdsNaN(args[format.argument + 1]!, memory);
}

/** Arguments at which Annex F of C11 names the result. */
function isExactAt(name: string, [x, y]: readonly number[]): boolean {
  if (/^powf?$/.test(name)) return y === 0 || x === 1;
  if (/^hypotf?$/.test(name)) return (x === 0 || y === 0) && Number.isFinite(x! + y!);
  return (x === 0 && exactAtZero.has(name)) || (x === 1 && exactAtOne.has(name));
}

/** Undefined if one of them is not determined. */
function conversionsOf(format: string, determined: RegExp): readonly string[] | undefined {
  const found: string[] = [];
  for (let at = format.indexOf('%'); at >= 0; at = format.indexOf('%', at)) {
    const conversion = determined.exec(format.slice(at))?.[0];
    if (conversion === undefined || /l[cs]$/.test(conversion)) return undefined;
    found.push(conversion);
    at += conversion.length;
  }
  return found;
}

/** The sign of a NaN is open, and some libraries print it. */
function holdsNaN(list: ConcreteValue, memory: ConcreteMemory): boolean {
  const block = memory.block(list);
  if (!block) return false;
  for (let at = offsetBytes(list); at + 8 <= block.sizeBytes; at += 8)
    if (Number.isNaN(bytesAsFloat(block.bytes, at))) return true;
  return false;
}

function bytesAsFloat(bytes: Uint8Array, at: number): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat64(at, true);
}
