/**
 * A template of a stub, as a property of `stubs`: `read_sensor: (port) => 0`. The type of each parameter is a comment,
 * so the text can be pasted into JavaScript and TypeScript. It returns a value that C accepts.
 */
import type { FunctionSymbol } from '../c/tree';
import type { CType } from '../c/types';

export function stubSkeleton(symbol: FunctionSymbol): string {
  const { parameters, result } = symbol.type;
  const names = parameters.map(({ name, type }, i) => `${parameterName(name, i)} /* ${hostType(type)} */`);
  if (symbol.type.variadic) names.push('...rest');
  return `${symbol.name}: (${names.join(', ')}) => ${exampleOf(result)}`;
}

/** The host's type for a value of a C type: see `host/values/encode.ts` and `decode.ts`. */
function hostType(type: CType): string {
  switch (type.kind) {
    case 'integer':
      return type.name === 'bool' ? 'boolean' : type.widthBits > 32 ? 'bigint' : 'number';
    case 'enum':
    case 'float':
      return 'number';
    case 'pointer':
      return 'Pointer | null';
    case 'record':
      return (
        '{ ' +
        type.record.fields
          .flatMap(({ name, type: of }) =>
            name === undefined ? [] : [`${name}: ${of.kind === 'record' ? 'object' : hostType(of)}`],
          )
          .join('; ') +
        ' }'
      );
    case 'array':
      return isText(type.of) ? 'string' : 'unknown[]';
    case 'void':
    case 'function':
      return 'unknown';
  }
}

const isText = (element: CType): boolean => element.kind === 'integer' && element.name === 'char';

function exampleOf(type: CType): string {
  switch (type.kind) {
    case 'void':
      return '{}';
    case 'pointer':
      return 'null';
    case 'record':
      return (
        '({ ' +
        type.record.fields
          .flatMap(({ name, type: of }) =>
            name === undefined ? [] : [`${name}: ${of.kind === 'record' ? '{}' : exampleOf(of)}`],
          )
          .join(', ') +
        ' })'
      );
    case 'array':
      return isText(type.of) ? "''" : '[]';
    case 'integer':
      return type.name === 'bool' ? 'false' : type.widthBits > 32 ? '0n' : '0';
    case 'enum':
    case 'float':
    case 'function':
      return '0';
  }
}

function parameterName(name: string | undefined, index: number): string {
  return name === undefined ? `a${index + 1}` : reserved.has(name) ? `${name}_` : name;
}

/** Words that are names in C but reserved in TypeScript modules. */
const reserved: ReadonlySet<string> = new Set([
  'arguments',
  'await',
  'catch',
  'class',
  'debugger',
  'delete',
  'eval',
  'export',
  'extends',
  'false',
  'finally',
  'function',
  'implements',
  'import',
  'in',
  'instanceof',
  'interface',
  'let',
  'new',
  'null',
  'package',
  'private',
  'protected',
  'public',
  'super',
  'this',
  'throw',
  'true',
  'try',
  'var',
  'with',
  'yield',
]);
