/**
 * Statements of a C test as statements of JavaScript. Only C whose meaning is the same there: calls of the module,
 * comparisons, small constants, loops over them. Everything else throws `CannotTranslate`, and the test keeps the C as
 * a comment: a translation that might mean something else would be worse than none.
 */
import type {
  Declaration,
  Declarator,
  SyntaxExpression,
  SyntaxInitializer,
  SyntaxStatement,
  TypeSpecifier,
} from '../../c/syntax';
import { declaredName } from '../../c/syntax';
import { assertionOf, isFrameworkName, type Translated } from './assertions';

export class CannotTranslate extends Error {}

/** The module under test, as far as it is known. */
export interface TestedModule {
  readonly variable: string;
  /** Result of a function; undefined: it is not known. */
  resultKind(name: string): Translated['kind'] | undefined;
  isFunction(name: string): boolean;
  isStatic(name: string): boolean;
  isVariable(name: string): boolean;
  isConstant(name: string): boolean;
}

interface Local {
  readonly code: string;
  /** `value`: a JavaScript variable. Others: a C object behind a pointer; of a `pointer` the address was taken. */
  readonly how: 'value' | 'scalar' | 'pointer' | 'array' | 'record';
  readonly kind: Translated['kind'];
}

/** The names that are visible, innermost first. */
export class TestScope {
  private readonly locals = new Map<string, Local>();
  constructor(
    readonly module: TestedModule,
    /** Names whose address is taken somewhere. */
    readonly addressed: ReadonlySet<string>,
    private readonly outer?: TestScope,
  ) {}

  inner(): TestScope {
    return new TestScope(this.module, this.addressed, this);
  }

  declare(name: string, local: Local): void {
    this.locals.set(name, local);
  }

  find(name: string): Local | undefined {
    return this.locals.get(name) ?? this.outer?.find(name);
  }
}

const cannot = (what: string): never => {
  throw new CannotTranslate(what);
};

export function statement(node: SyntaxStatement, scope: TestScope): readonly string[] {
  switch (node.kind) {
    case 'block': {
      const inner = scope.inner();
      return ['{', ...indented(node.items.flatMap((item) => statement(item, inner))), '}'];
    }
    case 'declaration':
      return declaration(node, scope);
    case 'expression':
      return expressionStatement(node.expression, scope);
    case 'empty':
      return [];
    case 'if':
      return [
        `if (${condition(node.condition, scope)})`,
        ...body(node.then, scope),
        ...(node.otherwise ? ['else', ...body(node.otherwise, scope)] : []),
      ];
    case 'while':
      return [`while (${condition(node.condition, scope)})`, ...body(node.body, scope)];
    case 'for': {
      const inner = scope.inner();
      const init = node.init ? statement(node.init, inner).join(' ') : ';';
      if (!/^(let|const) .*;$|^[^;]*;$/.test(init)) cannot('the beginning of this loop');
      const step = node.step ? expressionStatement(node.step, inner).join(', ').replace(/;$/, '') : '';
      return [
        `for (${init} ${node.condition ? condition(node.condition, inner) : ''}; ${step})`,
        ...body(node.body, inner),
      ];
    }
    case 'break':
      return ['break;'];
    case 'continue':
      return ['continue;'];
    case 'return':
      return node.value ? cannot('a value that a test returns') : ['return;'];
    default:
      return cannot(`a statement of kind ${node.kind}`);
  }
}

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => `  ${line}`);

function body(node: SyntaxStatement, scope: TestScope): readonly string[] {
  const lines = statement(node, scope.inner());
  return node.kind === 'block' ? lines : ['{', ...indented(lines), '}'];
}

export function declaration({ specifiers, declarators }: Declaration, scope: TestScope): readonly string[] {
  if (specifiers.storage === 'typedef' || specifiers.storage === 'extern') return [];
  return declarators.flatMap(({ declarator, initializer }) => {
    const { name } = declaredName(declarator);
    if (name === undefined || isFunction(declarator)) return [];
    const { variable } = scope.module;
    const type = typeText(specifiers.type);
    const safe = reserved.has(name) || name === variable ? `${name}_` : name;
    const object = (how: Local['how'], code: string): readonly string[] => {
      scope.declare(name, { code: safe, how, kind: 'pointer' });
      return [`const ${safe} = ${code};`];
    };
    if (declarator.kind === 'array') {
      if (declarator.inner.kind !== 'name') return cannot('an array of arrays or of pointers');
      const items = initializer && contents(initializer, scope);
      const length = declarator.length
        ? plainNumber(declarator.length)
        : initializer?.kind === 'list'
          ? initializer.items.length
          : undefined;
      if (length === undefined) return cannot('the length of this array');
      return object('array', `${variable}.alloc('${type}[${length}]'${items === undefined ? '' : `, ${items}`})`);
    }
    if (declarator.kind === 'name' && isRecord(specifiers.type, scope)) {
      const items = initializer && contents(initializer, scope);
      if (items !== undefined && items !== '{}' && items !== '[]' && items !== '[0]')
        return cannot('these contents of a structure');
      return object('record', initializer ? `${variable}.new('${type}')` : `${variable}.alloc('${type}')`);
    }
    const pointer = declarator.kind === 'pointer' && declarator.inner.kind === 'name';
    if (!pointer && declarator.kind !== 'name') return cannot('this type');
    const given =
      initializer === undefined
        ? undefined
        : initializer.kind === 'expression'
          ? value(initializer.expression, scope)
          : cannot('these contents');
    if (scope.addressed.has(name))
      return object(
        pointer ? 'pointer' : 'scalar',
        `${variable}.alloc('${type}${pointer ? ' *' : ''}'${given ? `, ${given.code}` : ''})`,
      );
    scope.declare(name, {
      code: safe,
      how: 'value',
      kind: pointer ? (given?.kind === 'string' ? 'string' : 'pointer') : given?.kind === 'wide' ? 'wide' : 'number',
    });
    return [`let ${safe}${given ? ` = ${given.code}` : ''};`];
  });
}

const reserved = new Set([
  'test',
  'expect',
  'new',
  'delete',
  'let',
  'function',
  'class',
  'this',
  'in',
  'of',
  'var',
  'with',
  'typeof',
  'await',
  'yield',
  'arguments',
  'eval',
  'null',
  'true',
  'false',
  'undefined',
  'require',
]);

const isFunction = (declarator: Declarator): boolean => declarator.kind === 'function';

/** Structures by their tag, or by a name that the module has for one. */
function isRecord(type: TypeSpecifier, _scope: TestScope): boolean {
  return (
    type.kind === 'record' ||
    (type.kind === 'typedef-name' &&
      !/^(u?int\d+_t|size_t|ssize_t|bool|u?intptr_t|ptrdiff_t|u?int_(fast|least)\d+_t|[us]\d+|uint|byte|word)$/i.test(
        type.name,
      ))
  );
}

function typeText(type: TypeSpecifier): string {
  switch (type.kind) {
    case 'basic':
      return type.words.join(' ');
    case 'record':
      return type.tag === undefined ? cannot('a structure without a name') : `${type.keyword} ${type.tag}`;
    case 'enum':
      return type.tag === undefined ? 'int' : `enum ${type.tag}`;
    case 'typedef-name':
      return type.name;
    default:
      return cannot('this type');
  }
}

function contents(initializer: SyntaxInitializer, scope: TestScope): string {
  if (initializer.kind === 'expression') return value(initializer.expression, scope).code;
  if (initializer.items.some(({ designators }) => designators.length > 0)) return cannot('designated contents');
  return `[${initializer.items.map((item) => contents(item.value, scope)).join(', ')}]`;
}

function plainNumber(node: SyntaxExpression): number | undefined {
  return node.kind === 'number' && /^\d+$/.test(node.text) ? Number(node.text) : undefined;
}

function expressionStatement(node: SyntaxExpression, scope: TestScope): readonly string[] {
  if (node.kind === 'cast' && typeText(node.type.specifiers.type) === 'void') {
    if (node.operand.kind === 'identifier') return [];
    return expressionStatement(node.operand, scope);
  }
  if (node.kind === 'call' && node.callee.kind === 'identifier') {
    const { name } = node.callee;
    const assertion = assertionOf(name);
    if (assertion) {
      const given = node.arguments.map((argument, i) => (i < assertion.arity ? value(argument, scope) : undefined));
      if (given.length < assertion.arity) return cannot(`the arguments of ${name}`);
      return assertion.translate(given.flatMap((one) => one ?? []))?.split('\n') ?? cannot(`the arguments of ${name}`);
    }
    if (name === 'TEST_MESSAGE' || name === 'print_message') return [];
    return [`${value(node, scope).code};`];
  }
  if (node.kind === 'assignment') return [`${assignment(node, scope)};`];
  if ((node.kind === 'postfix' || node.kind === 'prefix') && (node.operator === '++' || node.operator === '--')) {
    const target = node.operand.kind === 'identifier' ? scope.find(node.operand.name) : undefined;
    return target?.how === 'value' && target.kind === 'number'
      ? [`${target.code}${node.operator};`]
      : cannot(`${node.operator} here`);
  }
  return cannot('this expression');
}

function assignment(node: Extract<SyntaxExpression, { kind: 'assignment' }>, scope: TestScope): string {
  const right = value(node.right, scope);
  if (node.operator !== '=' && !(['+=', '-='].includes(node.operator) && right.kind === 'number'))
    return cannot(`the operator ${node.operator}`);
  if (node.left.kind === 'identifier') {
    const local = scope.find(node.left.name);
    if (local?.how === 'value') return `${local.code} ${node.operator} ${right.code}`;
    if (node.operator !== '=') return cannot(`the operator ${node.operator} here`);
    if (local) return `${local.code}.write(${right.code})`;
    if (scope.module.isVariable(node.left.name))
      return `${scope.module.variable}.global.${node.left.name} = ${right.code}`;
    return cannot(`the variable ${node.left.name}`);
  }
  if (node.operator !== '=') return cannot(`the operator ${node.operator} here`);
  if (node.left.kind === 'member' || node.left.kind === 'subscript')
    return `${place(node.left, scope)}.write(${right.code})`;
  return cannot('what is assigned to');
}

/** A pointer to a field or an element. */
function place(node: SyntaxExpression, scope: TestScope): string {
  if (node.kind === 'member')
    return `${pointerTo(node.object, node.arrow ? 'pointer' : 'object', scope)}.field('${node.name}')`;
  if (node.kind === 'subscript')
    return `${pointerTo(node.array, 'pointer', scope)}.at(${value(node.index, scope).code})`;
  return cannot('the address of this');
}

/** The expression is a pointer, or an object whose address is meant. */
function pointerTo(node: SyntaxExpression, is: 'pointer' | 'object', scope: TestScope): string {
  if (node.kind === 'identifier') {
    const local = scope.find(node.name);
    if (local && local.how !== 'value')
      return is === 'pointer' && local.how === 'pointer' ? `${local.code}.deref()` : local.code;
    if (local && is === 'pointer') return local.code;
    return cannot(`the address of ${node.name}`);
  }
  return is === 'pointer' ? value(node, scope).code : place(node, scope);
}

function condition(node: SyntaxExpression, scope: TestScope): string {
  return value(node, scope).code;
}

const sameInBoth = new Set(['+', '-', '<', '<=', '>', '>=', '&&', '||', '==', '!=']);

export function value(node: SyntaxExpression, scope: TestScope): Translated {
  switch (node.kind) {
    case 'number':
      return number(node.text);
    case 'character': {
      const [, char] = /^'([^\\'])'$/.exec(node.text) ?? [];
      const escape = /^'\\([0nrt\\'])'$/.exec(node.text)?.[1];
      const code =
        char !== undefined
          ? char.codePointAt(0)!
          : escape !== undefined
            ? { 0: 0, n: 10, r: 13, t: 9, '\\': 92, "'": 39 }[escape]
            : undefined;
      return code === undefined || code > 127
        ? cannot('this character')
        : { code: String(code), kind: 'number', literal: true };
    }
    case 'string': {
      const text = node.pieces.map(({ text: piece }) => piece);
      if (text.some((piece) => !/^"(?:[^"\\]|\\[nrt\\"'])*"$/.test(piece))) return cannot('this string');
      return { code: text.length === 1 ? text[0]! : text.join(' + '), kind: 'string', literal: true };
    }
    case 'identifier':
      return identifier(node.name, scope);
    case 'cast':
      return cast(node, scope);
    case 'prefix':
      return prefix(node, scope);
    case 'binary': {
      const [left, right] = [value(node.left, scope), value(node.right, scope)];
      const compares = /^([<>]=?|[=!]=|&&|\|\|)$/.test(node.operator);
      if (!sameInBoth.has(node.operator) && !(node.operator === '*' && left.literal && right.literal))
        return cannot(`the operator ${node.operator}`);
      if (!compares && (left.kind !== 'number' || right.kind !== 'number')) return cannot(`${node.operator} of these`);
      const operator = node.operator === '==' ? '===' : node.operator === '!=' ? '!==' : node.operator;
      const sides = [left, right].map((side, i) =>
        side.literal && [left, right][1 - i]!.kind === 'wide' && side.kind === 'number' ? `${side.code}n` : side.code,
      );
      if (
        compares &&
        /^[=!]=/.test(operator) &&
        [left, right].some(({ kind }) => kind === 'pointer' || kind === 'string') &&
        ![left, right].some(({ code }) => code === 'null')
      )
        return cannot('a comparison of pointers');
      if ([left, right].some(({ kind }) => kind === 'boolean' || kind === 'truth') && !/^(&&|\|\|)$/.test(operator))
        return cannot('a comparison of truth values');
      return { code: `(${sides[0]} ${operator} ${sides[1]})`, kind: compares ? 'truth' : 'number' };
    }
    case 'call':
      return call(node, scope);
    case 'member': {
      const whole = node.arrow ? `${value(node.object, scope).code}.read()` : value(node.object, scope).code;
      return { code: `${whole}.${node.name}`, kind: 'number' };
    }
    case 'subscript':
      return { code: `${place(node, scope)}.read()`, kind: 'number' };
    default:
      return cannot(`an expression of kind ${node.kind}`);
  }
}

function number(text: string): Translated {
  const [, digits, suffix = ''] = /^(0[xX][\da-fA-F]+|\d+)([uUlL]*)$/.exec(text) ?? [];
  if (digits !== undefined) {
    if (/^0\d/.test(digits)) return cannot('an octal number');
    return BigInt(digits) > BigInt(Number.MAX_SAFE_INTEGER)
      ? { code: `${digits}n`, kind: 'wide', literal: true }
      : { code: digits, kind: 'number', literal: true };
  }
  const [, real] = /^((?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?)[fF]?$/.exec(text) ?? [];
  return real === undefined || suffix !== ''
    ? cannot(`the number ${text}`)
    : { code: real, kind: 'number', literal: true };
}

function identifier(name: string, scope: TestScope): Translated {
  const { module } = scope;
  const local = scope.find(name);
  if (local?.how === 'value') return { code: local.code, kind: local.kind };
  if (local?.how === 'array') return { code: local.code, kind: 'pointer' };
  if (local?.how === 'pointer') return { code: `${local.code}.deref()`, kind: 'pointer' };
  if (local) return { code: `${local.code}.read()`, kind: 'number' };
  if (name === 'NULL') return { code: 'null', kind: 'pointer', literal: true };
  if (name === 'true' || name === 'false') return { code: name, kind: 'boolean', literal: true };
  if (module.isConstant(name)) return { code: `${module.variable}.constants.${name}`, kind: 'number', literal: true };
  if (module.isVariable(name)) return { code: `${module.variable}.global.${name}`, kind: 'number' };
  return cannot(`the name ${name}`);
}

/** Casts of constants to pointers are null; other casts change no value that a test compares, or are refused. */
function cast(node: Extract<SyntaxExpression, { kind: 'cast' }>, scope: TestScope): Translated {
  const { operand, type } = node;
  const inner = value(operand, scope);
  if (type.declarator.kind === 'pointer')
    return inner.code === '0'
      ? { code: 'null', kind: 'pointer', literal: true }
      : inner.kind === 'pointer' || inner.kind === 'string'
        ? inner
        : cannot('this cast');
  if (inner.literal && inner.kind === 'number' && type.declarator.kind === 'name' && !inner.code.startsWith('-')) {
    const limit = {
      char: 127,
      'unsigned char': 255,
      short: 32767,
      int: 2147483647,
      uint8_t: 255,
      int8_t: 127,
      uint16_t: 65535,
      int16_t: 32767,
      uint32_t: 4294967295,
      int32_t: 2147483647,
      size_t: Infinity,
      long: Infinity,
      'unsigned long': Infinity,
      unsigned: 4294967295,
      'unsigned int': 4294967295,
    }[typeText(type.specifiers.type)];
    if (limit !== undefined && Number(inner.code) <= limit) return inner;
  }
  return cannot('this cast');
}

function prefix(node: Extract<SyntaxExpression, { kind: 'prefix' }>, scope: TestScope): Translated {
  const { operator, operand } = node;
  switch (operator) {
    case '&': {
      if (operand.kind === 'identifier') {
        const local = scope.find(operand.name);
        return local && local.how !== 'value'
          ? { code: local.code, kind: 'pointer' }
          : cannot(`the address of ${operand.name}`);
      }
      return { code: place(operand, scope), kind: 'pointer' };
    }
    case '*':
      return { code: `${pointerTo(operand, 'pointer', scope)}.read()`, kind: 'number' };
    case '!':
      return { code: `!${value(operand, scope).code}`, kind: 'truth' };
    case '-': {
      const inner = value(operand, scope);
      return inner.kind === 'number' || inner.kind === 'wide'
        ? { ...inner, code: `-${inner.code}` }
        : cannot('- of this');
    }
    case '+':
      return value(operand, scope);
    default:
      return cannot(`the operator ${operator}`);
  }
}

function call(node: Extract<SyntaxExpression, { kind: 'call' }>, scope: TestScope): Translated {
  const { module } = scope;
  if (node.callee.kind !== 'identifier') return cannot('a call through a pointer');
  const { name } = node.callee;
  if (isFrameworkName(name)) return cannot(name);
  if (!module.isFunction(name)) return cannot(`the function ${name}, which is not the module's`);
  if (module.isStatic(name))
    return cannot(`the function ${name}, which is static; -D may make it visible, such as -D UNIT_TESTING`);
  const given = node.arguments.map((argument) => value(argument, scope).code);
  return { code: `${module.variable}.${name}(${given.join(', ')})`, kind: module.resultKind(name) ?? 'number' };
}
