/**
 * TypeScript declarations of a C module: `loadC('./stack.c')` then knows its functions, variables and constants, and a
 * renamed field is a compile error in the tests. Structs go through JSON Schema, which the same text could check logs
 * with; signatures are printed directly.
 */
import { basename } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import type { CType, FunctionType } from '../c/types';
import type { FunctionDefinition, Program } from '../program/program';
import { unreachable } from '../unreachable';
import { namedFields } from './values/encode';
import { formatType } from './typeText';

/** The text of a `.d.ts` file. Its module is found under the paths `loadC` is likely to be called with. */
export async function declarations(program: Program): Promise<string> {
  const printer = new Printer();
  const file = basename(program.files[0] ?? 'module.c');
  const name = `${typeName(file.replace(/\.c$/, ''))}Module`;
  const functions = program.functions
    .filter((fn) => !fn.library && fn.linkage === 'external')
    .map((fn) => printer.signature(fn));
  const variables = [...program.symbols].map(
    ([symbol, { ctype }]) => `    ${printer.variable(propertyName(symbol), ctype)}`,
  );
  const constants = [...program.enumConstants].map(
    ([constant, value]) =>
      `    readonly ${propertyName(constant)}: ${value >= -(2n ** 31n) && value < 2n ** 32n ? value : `${value}n`};`,
  );
  const structs = await printer.structs();
  return [
    `// Made by "provest types ${file}"; do not edit.`,
    `import type { ${imported.join(', ')} } from 'provest';`,
    '',
    ...structs,
    `export interface ${name} extends Omit<ModuleApi, 'global' | 'constants' | 'probe'${takenNames(program)}>, ` +
      'DollarApi {',
    ...functions.map((line) => `  ${line}`),
    ...(isTaken('probe', program)
      ? []
      : [
          `  probe(name: string, predicate: ((state: ProbeState<${name}['global']>) => unknown) | string, ` +
            'options?: ProbeOptions & { readonly in?: undefined }): void;',
          '  /** With the parameters and locals of a function, whose types are not known here. */',
          `  probe(name: string, predicate: ((state: ProbeState<${name}['global']> & Readonly<Record<string, ` +
            'any>>) => unknown) | string, options: ProbeOptions & { readonly in: string }): void;',
        ]),
    '  readonly global: {',
    ...variables,
    '  };',
    '  readonly constants: {',
    ...constants,
    '  };',
    '}',
    '',
    "declare module 'provest' {",
    '  interface CModules {',
    `    ${quoted(file)}: ${name};`,
    '    // From whatever folder.',
    `    [path: \`\${string}/${file.replace(/[\\`$]/g, '\\$&')}\`]: ${name};`,
    '  }',
    '}',
    '',
  ].join('\n');
}

/** Members of the handle that C functions hide. */
function takenNames(program: Program): string {
  const own = ['alloc', 'new', 'read', 'stdout', 'stderr', 'file', 'reset', 'answer'];
  return own
    .filter((name) => isTaken(name, program))
    .map((name) => ` | '${name}'`)
    .join('');
}

function isTaken(name: string, program: Program): boolean {
  return program.functions.some((fn) => !fn.library && fn.linkage === 'external' && fn.name === name);
}

class Printer {
  private readonly schemas = new Map<string, JSONSchema>();
  private readonly seen = new Set<string>();
  private readonly given = new Map<string, readonly string[]>();

  /** Reading gives C's type; what is written may be said in other ways, too. */
  variable(name: string, type: CType): string {
    const [read, written] = [this.type(type), this.argument(type)];
    if (isReadonly(type)) return `readonly ${name}: ${read};`;
    return read === written ? `${name}: ${read};` : `get ${name}(): ${read}; set ${name}(value: ${written});`;
  }

  signature(fn: FunctionDefinition): string {
    const type = fn.ctype as FunctionType;
    const parameters = type.parameters.map((p, i) => `${parameterName(p.name, i)}: ${this.argument(p.type)}`);
    return (
      `/** ${formatType(type, fn.name).replace(/\*\//g, '* /')} */\n  ${propertyName(fn.name)}(` +
      `${[...parameters, ...(type.variadic ? ['...rest: readonly VariableArgument[]'] : [])].join(', ')}): ` +
      `${this.type(type.result)};`
    );
  }

  /** Type that a parameter accepts. */
  private argument(type: CType): string {
    switch (type.kind) {
      case 'integer':
        return type.name === 'bool'
          ? 'boolean | 0 | 1'
          : type.widthBits > 32
            ? 'number | bigint'
            : type.widthBits === 8
              ? 'number | string'
              : 'number | bigint';
      case 'enum':
        return `${type.constants.map(({ name }) => `'${name}'`).join(' | ') || 'never'} | number`;
      case 'float':
        return 'number';
      case 'pointer': {
        const { to } = type;
        if (to.kind === 'function') return 'Pointer | ((...args: never[]) => unknown) | null';
        if (to.kind === 'void') return 'Pointer | string | TypedArray | null';
        if (to.kind === 'record') return `Pointer | ${this.argument(to)} | readonly ${this.argument(to)}[] | null`;
        return `Pointer | ${this.items(to)} | null`;
      }
      case 'record':
        return this.givenStruct(type);
      case 'array':
        return this.items(type.of);
      case 'void':
      case 'function':
        return 'never';
      default:
        return unreachable(type);
    }
  }

  private items(of: CType): string {
    if (of.kind === 'integer' && of.widthBits === 8 && of.name !== 'bool')
      return 'string | readonly number[] | TypedArray';
    const items = `readonly (${this.argument(of)})[]`;
    return of.kind === 'integer' || of.kind === 'float' ? `${items} | TypedArray` : items;
  }

  /** Type C gives. */
  type(type: CType): string {
    switch (type.kind) {
      case 'integer':
        return type.name === 'bool' ? 'boolean' : type.widthBits > 32 ? 'bigint' : 'number';
      case 'enum':
        return type.underlying.widthBits > 32 ? 'bigint' : 'number';
      case 'float':
        return 'number';
      case 'pointer':
        return 'Pointer | null';
      case 'array':
        return `${/[| ]/.test(this.type(type.of)) ? `(${this.type(type.of)})` : this.type(type.of)}[]`;
      case 'record':
        return this.struct(type);
      case 'void':
      case 'function':
        return 'void';
      default:
        return unreachable(type);
    }
  }

  /** A literal of it: members that are left out are 0. */
  private givenStruct(type: CType & { kind: 'record' }): string {
    const name = structName(type);
    if (!type.record.complete) return 'never';
    const members = () => namedFields(type).map((f) => `${propertyName(f.name)}?: ${this.argument(f.type)};`);
    if (name === undefined) return `{ ${members().join(' ')} }`;
    const printed = `${name}Given`;
    // Tests may name what `read` gives.
    this.struct(type);
    if (!this.given.has(printed)) {
      this.given.set(printed, []);
      this.given.set(printed, members());
    }
    return printed;
  }

  private struct(type: CType & { kind: 'record' }): string {
    const name = structName(type);
    if (!type.record.complete) return 'never';
    if (name === undefined)
      return `{ ${namedFields(type)
        .map((f) => `${propertyName(f.name)}: ${this.type(f.type)}`)
        .join('; ')} }`;
    if (!this.seen.has(name)) {
      this.seen.add(name);
      this.schemas.set(name, {
        title: name,
        description: formatType({ ...type, const: false }),
        type: 'object',
        additionalProperties: false,
        required: namedFields(type).map((f) => f.name),
        properties: Object.fromEntries(
          namedFields(type).map((f) => [f.name, { tsType: this.type(f.type), description: formatType(f.type) }]),
        ),
      });
    }
    return name;
  }

  async structs(): Promise<string[]> {
    const texts: string[] = [];
    for (const [name, schema] of this.schemas) {
      texts.push(
        (await compile(schema, name, { bannerComment: '', format: false, additionalProperties: false })).trim(),
        '',
      );
    }
    for (const [name, members] of this.given)
      texts.push(`export interface ${name} {`, ...members.map((member) => `  ${member}`), '}', '');
    return texts;
  }
}

/** Undefined where C has no name for it, either. */
function structName(type: CType & { kind: 'record' }): string | undefined {
  const name = typeName(formatType({ ...type, const: false }).replace(/^(struct|union) /, ''));
  if (name === '' || formatType(type).includes('{')) return undefined;
  return usedHere.has(name) ? `${name}Struct` : name;
}

function isReadonly(type: CType): boolean {
  return type.const === true || (type.kind === 'array' && isReadonly(type.of));
}

function typeName(text: string): string {
  return text
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== '')
    .map((part) => part[0]!.toUpperCase() + part.slice(1))
    .join('')
    .replace(/^(?=\d)/, 'C');
}

const imported = ['DollarApi', 'ModuleApi', 'Pointer', 'ProbeOptions', 'ProbeState', 'TypedArray', 'VariableArgument'];
const usedHere = new Set([...imported, 'Omit', 'Readonly', 'Record']);

function parameterName(name: string | undefined, index: number): string {
  return name === undefined ? `argument${index + 1}` : reserved.has(name) ? `${name}_` : name;
}

const reserved = new Set([
  'new',
  'delete',
  'class',
  'function',
  'this',
  'in',
  'of',
  'var',
  'let',
  'try',
  'catch',
  'throw',
  'with',
  'yield',
  'await',
  'export',
  'import',
  'super',
  'typeof',
  'instanceof',
  'null',
  'true',
  'false',
  'arguments',
  'eval',
  'implements',
  'interface',
  'package',
  'private',
  'protected',
  'public',
]);

const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name));
const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
