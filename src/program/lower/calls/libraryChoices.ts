/**
 * Calls of library functions that C leaves undefined or unspecified for some arguments (C11 Annex J.2), while the
 * bundled library answers. A verdict lists them, except where the arguments show that C says the same.
 */
import { evaluateConstant } from '../../../c/constant';
import type { Span } from '../../../c/source';
import type { FunctionSymbol, TypedExpression as Tree } from '../../../c/tree';
import type { LibraryChoice } from '../../program';
import type { FunctionLowering } from '../context';
import { isBool, isByte } from '../objects/layout';

interface Use {
  readonly choice: LibraryChoice;
  readonly functions: RegExp;
  /** C defines what a call with these arguments does. Default: of none. */
  readonly isDefined?: (f: FunctionLowering, args: readonly Tree[]) => boolean;
}

const uses: readonly Use[] = [
  {
    choice: 'characters',
    functions: /^(?:is(?:alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)|to(?:lower|upper))$/,
    isDefined: (f, [character]) => character !== undefined && isCharacter(f, character),
  },
  {
    choice: 'wide-characters',
    functions: /^isw(?:alnum|alpha|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit|ctype)$/,
  },
  { choice: 'numbers-in-texts', functions: /^ato(?:i|l|ll)$/ },
  {
    choice: 'scanned-numbers',
    functions: /^v?[fs]?scanf$/,
    isDefined: (_, args) => !args.some(({ type }) => type.kind === 'pointer' && !isText(type.to)),
  },
  { choice: 'sort-order', functions: /^qsort$/ },
  { choice: 'search-order', functions: /^bsearch$/ },
  { choice: 'block-alignment', functions: /^aligned_alloc$/, isDefined: isAlignment },
  { choice: 'locale-name', functions: /^setlocale$/ },
  { choice: 'environment-strings', functions: /^(?:secure_)?getenv$/ },
  { choice: 'handlers', functions: /^(?:signal|sigaction)$/ },
  {
    choice: 'update-streams',
    functions: /^(?:fopen|fdopen|freopen|tmpfile)$/,
    isDefined: (_, [, mode]) => mode?.kind === 'decay' && mode.lvalue.kind === 'string' && !updates(mode.lvalue.bytes),
  },
  {
    choice: 'stream-buffers',
    functions: /^set(?:v)?buf$/,
    isDefined: (f, [, buffer]) => buffer !== undefined && isZero(f, buffer),
  },
  { choice: 'stream-positions', functions: /^(?:ftello?|fgetpos|fsetpos)$/ },
  { choice: 'exit-functions', functions: /^(?:atexit|at_quick_exit)$/ },
  { choice: 'one-thread', functions: /^pthread_(?:mutex|rwlock|cond|once|self)/ },
  { choice: 'calendar-time', functions: /^asctime$/ },
  { choice: 'conversion-states', functions: /^(?:mbrlen|mbrtowc|mbsrtowcs|wcrtomb|wcsrtombs)$/ },
];

/** `args`: undefined for a pointer to the function. A function of the program's own is none of the library. */
export function noteLibraryChoice(
  f: FunctionLowering,
  symbol: FunctionSymbol,
  args: readonly Tree[] | undefined,
  span: Span,
): void {
  const use = uses.find(({ functions }) => functions.test(symbol.name));
  if (!use) return;
  const target = f.program.functionOf(symbol);
  if (target.kind === 'undefined' ? target.meaning.kind === 'external' : !target.library) return;
  if (args && use.isDefined?.(f, args)) return;
  f.program.choose(use.choice, span);
}

const constantOf = (f: FunctionLowering, e: Tree): bigint | undefined => {
  const constant = evaluateConstant(e, { model: f.model });
  return constant?.kind === 'integer' ? constant.value : undefined;
};

const isText = (type: Tree['type']): boolean => type.kind === 'integer' && type.widthBits === 8;

/** A value of `unsigned char`, or EOF. */
function isCharacter(f: FunctionLowering, e: Tree): boolean {
  const value = constantOf(f, e);
  if (value !== undefined) return -1n <= value && value <= 255n;
  if (isByte(e.type) || isBool(e.type)) return true;
  switch (e.kind) {
    case 'convert':
      return e.type.kind === 'integer' && e.type.widthBits >= 32 && isCharacter(f, e.operand);
    case 'arithmetic':
      return e.operator === '&' && [e.left, e.right].some((mask) => isByteMask(constantOf(f, mask)));
    case 'call': {
      const { callee } = e;
      const named = callee.kind === 'function-pointer' && callee.designator.kind === 'function' && callee.designator;
      return named && /^(?:f?getc|getchar|to(?:lower|upper))$/.test(named.symbol.name);
    }
    default:
      return false;
  }
}

const isByteMask = (mask: bigint | undefined): boolean => mask !== undefined && 0n <= mask && mask <= 255n;

const updates = (mode: Uint8Array): boolean => mode.includes('+'.charCodeAt(0));

function isZero(f: FunctionLowering, e: Tree): boolean {
  return e.kind === 'convert' ? isZero(f, e.operand) : constantOf(f, e) === 0n;
}

/** A power of two, of which the size is a multiple (C11 7.22.3.1). */
function isAlignment(f: FunctionLowering, [alignment, size]: readonly Tree[]): boolean {
  const [bytes, asked] = [alignment, size].map((e) => e && constantOf(f, e));
  if (bytes === undefined || bytes <= 0n || (bytes & (bytes - 1n)) !== 0n) return false;
  return asked !== undefined && asked % bytes === 0n;
}
