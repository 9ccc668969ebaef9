/**
 * The exact number of bytes that a literal printf format prints, if all conversions print integers, characters,
 * literals and texts that were measured. `snprintf` returns it, and the target must hold it. Digits are counted by
 * comparisons with powers of the base, which bounds of the number decide one by one.
 */
import type { DataModel } from '../../../c/types';
import { atMost, binary, conditional, convert, integer, less, or } from '../../build';
import { int64, uint64, type Expression, type IntegerScalar } from '../../expression';
import { literalText } from '../../linking/natives';

/** Precisions, wide characters and `#` give `undefined`; so do arguments of another kind. */
const directive = /[^%]+|(%%)|%([-+ 0]*)(\d+)?(hh|h|ll|l|j|z|t|q)?([a-zA-Z])/gsy;

/**
 * Without the null byte; an int64. `values` are the arguments behind the format, each cheap to repeat, `measured` the
 * lengths of texts among them, by position.
 */
export function printedLength(
  format: string,
  values: readonly Expression[],
  model: DataModel,
  measured: ReadonlyMap<number, Expression> = new Map(),
): Expression | undefined {
  let total: Expression = integer(0, int64);
  let next = 0,
    end = 0;
  for (const match of format.matchAll(directive)) {
    const [all, percent, flags = '', width, length = '', conversion] = match;
    end = match.index + all.length;
    const bytes =
      conversion === undefined
        ? integer(percent === undefined ? all.length : 1, int64)
        : (measured.get(next) ?? convertedLength(conversion, length, flags, values[next], model));
    if (conversion !== undefined) next++;
    if (!bytes) return undefined;
    total = binary('add', total, width === undefined ? bytes : atLeast(integer(Number(width), int64), bytes));
  }
  return end === format.length ? total : undefined;
}

const atLeast = (least: Expression, e: Expression): Expression => conditional(less(e, least), least, e);
const counted = (condition: Expression): Expression => convert(condition, int64);

function convertedLength(
  conversion: string,
  length: string,
  flags: string,
  value: Expression | undefined,
  model: DataModel,
): Expression | undefined {
  if (!value) return undefined;
  if (conversion === 's' && length === '') {
    const text = literalText(value);
    return text === undefined ? undefined : integer(text.length, int64);
  }
  if (value.type.kind !== 'integer') return undefined;
  const bits = integerBits(length, model);
  // An argument narrower than its conversion is an error of the call, and its output is unspecified.
  if (bits === 64 && value.type.widthBits < 64) return undefined;
  switch (conversion) {
    case 'c':
      return length === '' ? integer(1, int64) : undefined;
    case 'd':
    case 'i': {
      const number = convert(convert(value, { kind: 'integer', widthBits: bits, signed: true }), int64);
      const signed =
        flags.includes('+') || flags.includes(' ') ? integer(1, int64) : counted(less(number, integer(0, int64)));
      return binary(
        'add',
        signed,
        digits(10n, 1n << BigInt(bits - 1), (power) =>
          or(atMost(integer(power, int64), number), atMost(number, integer(-power, int64))),
        ),
      );
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      const number = convert(convert(value, { kind: 'integer', widthBits: bits, signed: false }), uint64);
      return digits(conversion === 'u' ? 10n : conversion === 'o' ? 8n : 16n, (1n << BigInt(bits)) - 1n, (power) =>
        atMost(integer(power, uint64), number),
      );
    }
    default:
      return undefined;
  }
}

/** The number of digits of a number with an absolute value of at most `furthest`. */
function digits(base: bigint, furthest: bigint, reaches: (power: bigint) => Expression): Expression {
  const powers: bigint[] = [];
  for (let power = base; power <= furthest; power *= base) powers.push(power);
  return powers.reduceRight<Expression>(
    (more, power, i) => conditional(reaches(power), more, integer(i + 1, int64)),
    integer(powers.length + 1, int64),
  );
}

/** The width to which an argument is converted before printing. */
function integerBits(length: string, model: DataModel): IntegerScalar['widthBits'] {
  switch (length) {
    case 'hh':
      return 8;
    case 'h':
      return 16;
    case 'll':
    case 'j':
    case 'q':
      return 64;
    case 'l':
    case 'z':
    case 't':
      return model === 'lp64' ? 64 : 32;
    default:
      return 32;
  }
}
