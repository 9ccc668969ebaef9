/**
 * Checks a literal format of the printf or scanf family against the types of its arguments (C11 7.21.6.1p9,
 * 7.21.6.2p10). A reached call fails a check if a conversion
 *
 * - confuses numbers and pointers,
 * - reads more arguments than were passed, or a number of another size,
 * - writes more or fewer bytes than its target has.
 *
 * Other signedness is accepted, as is any pointer for `%p` and `%s`.
 */
import { printType } from '../../../c/printType';
import { isInteger } from '../../../c/target';
import type { TypedExpression as Tree } from '../../../c/tree';
import type { CType, DataModel } from '../../../c/types';
import { no } from '../../build';
import type { FunctionLowering } from '../context';
import { sizeOf } from '../objects/layout';

interface Wanted {
  readonly kind: 'integer' | 'float' | 'pointer';
  /** Undefined if any size is accepted. */
  readonly bytes: number | undefined;
  readonly conversion: string;
  readonly name: string;
}

/** `trees` are all arguments of the call; `first` is the index of the first one behind the format. */
export function checkFormatArguments(
  f: FunctionLowering,
  name: string,
  of: 'printf' | 'scanf',
  format: string,
  trees: readonly Tree[],
  first: number,
): void {
  const wanted = of === 'printf' ? printedArguments(format, f.model) : scannedArguments(format, f.model);
  wanted.forEach((want, i) => {
    const tree = trees[first + i];
    if (!tree || fits(tree.type, want, of, f.model)) return;
    const text =
      `${name}: '${want.conversion}' takes '${want.name}', but argument ${first + i + 1} is ` +
      `'${printType(tree.type)}'`;
    f.check('invalid-call', no, tree.span, { text, ifUnchecked: 'ignore' });
  });
}

function fits(type: CType, { kind, bytes }: Wanted, of: 'printf' | 'scanf', model: DataModel): boolean {
  if (of === 'printf') return kindOf(type) === kind && (bytes === undefined || sizeOf(type, model) === bytes);
  if (type.kind !== 'pointer') return false;
  const { to } = type;
  // A value not known to be a number may be a pointer.
  if (
    bytes === undefined ||
    to.kind === 'void' ||
    to.kind === 'record' ||
    to.kind === 'array' ||
    to.kind === 'function'
  )
    return true;
  return kindOf(to) === kind && sizeOf(to, model) === bytes;
}

function kindOf(type: CType): Wanted['kind'] | undefined {
  if (isInteger(type)) return 'integer';
  return type.kind === 'float' || type.kind === 'pointer' ? type.kind : undefined;
}

const directive = /%(?:%|[-+ #0']*(\*|\d+)?(?:\.(\*|-?\d+)?)?(hh|h|ll|l|j|z|t|L|q)?(.))/gs;

function printedArguments(format: string, model: DataModel): Wanted[] {
  const star: Omit<Wanted, 'conversion'> = { kind: 'integer', bytes: 4, name: 'int' };
  const result: Wanted[] = [];
  for (const [all, width, precision, length = '', conversion] of format.matchAll(directive)) {
    if (conversion === undefined || conversion === 'm') continue;
    if (width === '*') result.push({ ...star, conversion: '*' });
    if (precision === '*') result.push({ ...star, conversion: '.*' });
    const want = passedTo(conversion, length, model);
    // The interpreter reports everything behind a conversion without a meaning.
    if (!want) return result;
    result.push({ ...want, conversion: all });
  }
  return result;
}

function passedTo(conversion: string, length: string, model: DataModel): Omit<Wanted, 'conversion'> | undefined {
  if ('diouxX'.includes(conversion))
    return integerOf(
      length === 'h' || length === 'hh' ? '' : length,
      'di'.includes(conversion) ? 'signed' : 'unsigned',
      model,
    );
  if ('fFeEgGaA'.includes(conversion))
    return { kind: 'float', bytes: 8, name: length === 'L' ? 'long double' : 'double' };
  if (conversion === 'c')
    return length === 'l' ? { kind: 'integer', bytes: 4, name: 'wint_t' } : { kind: 'integer', bytes: 4, name: 'int' };
  if (conversion === 's') return { kind: 'pointer', bytes: undefined, name: length === 'l' ? 'wchar_t *' : 'char *' };
  if (conversion === 'p') return { kind: 'pointer', bytes: undefined, name: 'void *' };
  if (conversion === 'n')
    return { kind: 'pointer', bytes: undefined, name: `${integerOf(length, 'signed', model).name} *` };
  return undefined;
}

const scanDirective = /%(?:%|(\*)?\d*m?(hh|h|ll|l|j|z|t|L|q)?(\[\^?\]?[^\]]*\]|.))/gs;

function scannedArguments(format: string, model: DataModel): Wanted[] {
  const result: Wanted[] = [];
  for (const [all, suppressed, length = '', conversion] of format.matchAll(scanDirective)) {
    if (conversion === undefined || suppressed !== undefined) continue;
    const want = storedBy(conversion[0]!, length, model);
    if (!want) return result;
    result.push({ ...want, name: `${want.name} *`, conversion: all });
  }
  return result;
}

/** The type that a target must point to. */
function storedBy(conversion: string, length: string, model: DataModel): Omit<Wanted, 'conversion'> | undefined {
  if ('diouxXn'.includes(conversion))
    return integerOf(length, 'ouxX'.includes(conversion) ? 'unsigned' : 'signed', model);
  if ('fFeEgGaA'.includes(conversion))
    return length === ''
      ? { kind: 'float', bytes: 4, name: 'float' }
      : { kind: 'float', bytes: 8, name: length === 'L' ? 'long double' : 'double' };
  if ('cs['.includes(conversion))
    return length === 'l'
      ? { kind: 'integer', bytes: 4, name: 'wchar_t' }
      : { kind: 'integer', bytes: 1, name: 'char' };
  return conversion === 'p' ? { kind: 'pointer', bytes: undefined, name: 'void *' } : undefined;
}

function integerOf(length: string, signedness: 'signed' | 'unsigned', model: DataModel): Omit<Wanted, 'conversion'> {
  const long = model === 'lp64' ? 8 : 4;
  const unsigned = signedness === 'unsigned';
  const of = (bytes: number, name: string): Omit<Wanted, 'conversion'> => ({
    kind: 'integer',
    bytes,
    name: unsigned ? `unsigned ${name}` : name,
  });
  switch (length) {
    case 'hh':
      return unsigned ? of(1, 'char') : { kind: 'integer', bytes: 1, name: 'signed char' };
    case 'h':
      return of(2, 'short');
    case 'l':
      return of(long, 'long');
    case 'll':
    case 'q':
    case 'L':
      return of(8, 'long long');
    case 'j':
      return { kind: 'integer', bytes: 8, name: unsigned ? 'uintmax_t' : 'intmax_t' };
    case 'z':
      return { kind: 'integer', bytes: long, name: unsigned ? 'size_t' : 'ssize_t' };
    case 't':
      return { kind: 'integer', bytes: long, name: 'ptrdiff_t' };
    default:
      return of(4, 'int');
  }
}
