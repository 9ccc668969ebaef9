/**
 * C types as text, both ways: `int *[3]` in a test becomes a type of the module, and a type becomes the text a C
 * programmer would write. Declarators are read as in C11 6.7.7 (type names).
 */
import { doubleType, floatType, longDoubleType, targetOf, voidType } from '../c/target';
import { typedefNameOf } from '../c/typedefNames';
import type { CType, DataModel, EnumType, FunctionType, RecordType } from '../c/types';
import type { Scalar } from '../program/expression';
import type { Program } from '../program/program';
import { unreachable } from '../unreachable';
import { closest } from './suggest';

/** Reads a type name with the typedefs and tags of a program. Throws a TypeError that says what was expected. */
export function parseType(
  text: string,
  program: Pick<Program, 'typedefs' | 'tags' | 'dataModel' | 'enumConstants'>,
): CType {
  const words = text.match(/[A-Za-z_]\w*|\d\w*|\S/g) ?? [];
  let at = 0;
  const fail = (message: string): never => {
    throw new TypeError(
      `'${text}' is not a C type: ${message}${message.endsWith('?') ? '' : '.'} Write for example 'int', ` +
        "'unsigned char[16]', 'struct node *' or a typedef of the module.",
    );
  };
  const accept = (word: string): boolean => words[at] === word && ++at > 0;
  const qualifiers = () => {
    while (words[at] === 'const' || words[at] === 'volatile' || words[at] === 'restrict') at++;
  };

  const specifiers = (): CType => {
    const basic: string[] = [];
    let named: CType | undefined;
    for (;;) {
      qualifiers();
      const word = words[at];
      if (word === undefined || !/^[A-Za-z_]/.test(word)) break;
      if (basicWords.has(word) && !named) basic.push(words[at++]!);
      else if ((word === 'struct' || word === 'union' || word === 'enum') && !named && basic.length === 0) {
        const tag = words[at + 1] ?? '';
        at += 2;
        named =
          program.tags.get(`${word} ${tag}`) ??
          fail(`the module declares no '${word} ${tag}'${closest(`${word} ${tag}`, program.tags.keys())}`);
      } else if (!named && basic.length === 0) {
        at++;
        named =
          program.typedefs.get(word) ??
          (word === 'bool' ? targetOf(program.dataModel).integers.bool : undefined) ??
          untagged(word) ??
          fail(
            `${word === text ? 'it' : `'${word}'`} is neither a basic type nor a typedef or tag of the module` +
              closest(word, [
                ...program.typedefs.keys(),
                ...[...program.tags.keys()].map((tag) => tag.replace(/^\w+ /, '')),
              ]),
          );
      } else break;
    }
    if (named) return named;
    if (basic.length === 0) fail('it names no type');
    return basicType(basic, program.dataModel) ?? fail(`'${basic.join(' ')}' is no combination of C's basic types`);
  };

  /** `new('node', …)`: a tag without its keyword, when that is unambiguous. */
  const untagged = (word: string): CType | undefined => {
    const found = ['struct', 'union', 'enum'].flatMap((keyword) => program.tags.get(`${keyword} ${word}`) ?? []);
    return found.length === 1 ? found[0] : undefined;
  };

  const length = (): number | undefined => {
    if (accept(']')) return undefined;
    const word = words[at++] ?? fail("']' is missing");
    const value = /^\d/.test(word) && !Number.isNaN(Number(word)) ? Number(word) : program.enumConstants.get(word);
    if (value === undefined || value < 0) fail(`'${word}' is no array length: write a number`);
    if (!accept(']')) fail("']' is missing");
    return Number(value);
  };

  /** Reads an abstract declarator and returns what it does to the type before it. Parameters may have names. */
  const declarator = (of: 'type' | 'parameter' = 'type'): ((base: CType) => CType) => {
    qualifiers();
    if (accept('*')) {
      qualifiers();
      const inner = declarator(of);
      return (base) => inner({ kind: 'pointer', to: base });
    }
    if (of === 'parameter' && /^[A-Za-z_]/.test(words[at] ?? '')) at++;
    let inner = (base: CType): CType => base;
    if (words[at] === '(' && ['*', '(', '['].includes(words[at + 1] ?? '')) {
      at++;
      inner = declarator(of);
      if (!accept(')')) fail("')' is missing");
    }
    const suffixes: ((base: CType) => CType)[] = [];
    for (;;) {
      if (accept('[')) {
        const count = length();
        suffixes.push((of) =>
          of.kind === 'function' ? fail('functions are no elements') : { kind: 'array', of, length: count },
        );
      } else if (accept('(')) {
        const made = parameters();
        suffixes.push((result) =>
          result.kind === 'function' || result.kind === 'array'
            ? fail('a function returns neither an array nor a function')
            : { kind: 'function', result, ...made },
        );
      } else break;
    }
    return (base) => inner(suffixes.reduceRight((type, suffix) => suffix(type), base));
  };

  /** Behind `(`, up to `)`. An array or a function is passed as a pointer. */
  const parameters = (): Pick<FunctionType, 'parameters' | 'variadic' | 'unprototyped'> => {
    if (accept(')')) return { parameters: [], variadic: false, unprototyped: true };
    const found: FunctionType['parameters'][number][] = [];
    for (;;) {
      if (accept('.')) {
        if (found.length === 0 || !accept('.') || !accept('.') || !accept(')')) fail("'...' comes last");
        return { parameters: found, variadic: true, unprototyped: false };
      }
      const base = specifiers();
      const type = declarator('parameter')(base);
      const isNone = type.kind === 'void' && found.length === 0 && words[at - 1] === 'void';
      if (isNone && accept(')')) return { parameters: [], variadic: false, unprototyped: false };
      if (type.kind === 'void') fail("'void' must be the only parameter, and has no name");
      found.push({ name: undefined, type: passed(type) });
      if (accept(')')) return { parameters: found, variadic: false, unprototyped: false };
      if (!accept(',')) fail("')' is missing");
    }
  };

  const base = specifiers();
  const type = declarator()(base);
  if (at < words.length) fail(`'${words.slice(at).join(' ')}' is left over`);
  if (type.kind === 'function') fail('a function is no object; write a pointer to it');
  return type;
}

/** C11 6.7.6.3p7, p8. */
const passed = (type: CType): CType =>
  type.kind === 'array'
    ? { kind: 'pointer', to: type.of }
    : type.kind === 'function'
      ? { kind: 'pointer', to: type }
      : type;

const basicWords = new Set([
  'void',
  'char',
  'short',
  'int',
  'long',
  '__int128',
  'signed',
  'unsigned',
  'float',
  'double',
  '_Bool',
]);

function basicType(words: readonly string[], model: DataModel): CType | undefined {
  const text = [...words].sort().join(' ');
  if (text === 'void') return voidType;
  if (text === 'float') return floatType;
  if (text === 'double') return doubleType;
  if (text === 'double long') return longDoubleType;
  if (text === '_Bool') return targetOf(model).integers.bool;
  const rest = words.filter((word) => word !== 'int' && word !== 'signed' && word !== 'unsigned');
  const count = (word: string) => words.filter((other) => other === word).length;
  if (count('signed') + count('unsigned') > 1 || count('int') > 1) return undefined;
  const unsigned = count('unsigned') === 1;
  switch (rest.join(' ')) {
    case '':
      return targetOf(model).integers[unsigned ? 'unsigned int' : 'int'];
    case 'char':
      if (count('int') > 0) return undefined;
      return targetOf(model).integers[unsigned ? 'unsigned char' : count('signed') ? 'signed char' : 'char'];
    case 'short':
      return targetOf(model).integers[unsigned ? 'unsigned short' : 'short'];
    case 'long':
      return targetOf(model).integers[unsigned ? 'unsigned long' : 'long'];
    case 'long long':
      return targetOf(model).integers[unsigned ? 'unsigned long long' : 'long long'];
    case '__int128':
      if (count('int') > 0 || model === 'ilp32') return undefined;
      return targetOf(model).integers[unsigned ? 'unsigned __int128' : '__int128'];
    default:
      return undefined;
  }
}

/** The type as C text around a name: `int *f[3]`. */
export function formatType(type: CType, name = ''): string {
  const spaced = (base: string) =>
    name === '' ? base : /^[[(]/.test(name) && !name.startsWith('(*') ? base + name : `${base} ${name}`;
  switch (type.kind) {
    case 'void':
      return spaced(`${type.const ? 'const ' : ''}void`);
    case 'integer':
      return spaced(`${type.const ? 'const ' : ''}${type.name === 'bool' ? '_Bool' : type.name}`);
    case 'float':
      return spaced(`${type.const ? 'const ' : ''}${type.name}`);
    case 'enum':
      return spaced(type.tag === undefined ? (typedefNameOf(type) ?? `enum ${enumBody(type)}`) : `enum ${type.tag}`);
    case 'record':
      return spaced(`${type.const ? 'const ' : ''}${recordText(type)}`);
    case 'pointer': {
      const star = `*${type.const ? ' const ' : ''}${name}`;
      return formatType(type.to, type.to.kind === 'array' || type.to.kind === 'function' ? `(${star})` : star);
    }
    case 'array':
      return formatType(type.of, `${name}[${type.length ?? ''}]`);
    case 'function': {
      const parameters = type.parameters.map((p) => formatType(p.type, p.name ?? ''));
      if (type.variadic) parameters.push('...');
      return formatType(
        type.result,
        `${name}(${parameters.length === 0 && !type.unprototyped ? 'void' : parameters.join(', ')})`,
      );
    }
    default:
      return unreachable(type);
  }
}

function recordText(type: RecordType): string {
  const { keyword, tag } = type.record;
  return tag === undefined ? (typedefNameOf(type) ?? `${keyword} {…}`) : `${keyword} ${tag}`;
}

function enumBody(type: EnumType): string {
  return `{ ${type.constants
    .slice(0, 3)
    .map((c) => c.name)
    .join(', ')}${type.constants.length > 3 ? ', …' : ''} }`;
}

const scalarNames = { 8: 'char', 16: 'short', 32: 'int', 64: 'long long', 128: '__int128' } as const;

/** A C type for a value of which only the scalar is known. */
export function typeOfScalar(type: Scalar): CType {
  switch (type.kind) {
    case 'integer':
      return {
        kind: 'integer',
        name: `${type.signed ? '' : 'unsigned '}${scalarNames[type.widthBits]}`,
        widthBits: type.widthBits,
        signed: type.signed,
      };
    case 'float':
      return { kind: 'float', name: type.widthBits === 32 ? 'float' : 'double', widthBits: type.widthBits };
    case 'pointer':
      return { kind: 'pointer', to: { kind: 'void' } };
  }
}

/** Element type of a typed array, in C. */
export function elementOf(value: NodeJS.TypedArray): CType {
  const widthBits = (value.BYTES_PER_ELEMENT * 8) as 8 | 16 | 32 | 64;
  const name = Object.prototype.toString.call(value);
  if (name.includes('Float'))
    return { kind: 'float', name: widthBits === 32 ? 'float' : 'double', widthBits: widthBits === 32 ? 32 : 64 };
  return typeOfScalar({ kind: 'integer', widthBits, signed: !name.includes('Uint') });
}
