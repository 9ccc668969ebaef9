/**
 * A JavaScript function expression to a ProbeFormula. The function must be one expression over the state: no side
 * effects, loops or calls (but `every` and `some`), so that the formula means what the function computes. C types,
 * where known, catch what JavaScript would get silently wrong (`===` between a bigint and a number). Parts that come
 * out `undefined` in JavaScript (`s.head?.value` with a null head) carry a guard.
 */
import type {
  ArrowFunctionExpression,
  Expression,
  FunctionExpression,
  Node,
  ObjectMethod,
  ObjectPattern,
  Statement,
} from '@babel/types';
import type { PathStep, ProbeFormula, ProbePath } from '../../src/abstraction/predicates/probeFormula';
import type { CType } from '../../src/c/types';
import { namedFields } from '../../src/host/values/encode';
import type { ProbeScope } from '../../src/host/probeScope';
import { linkOf, type ListWord } from '../../src/host/listLink';
import { closest } from '../../src/host/suggest';
import type { Captured } from './capturedVariables';
import { listWordOf } from './lists';
import { elementwise, joinConditions, mostElements, type QuantifiedCall } from './elementwise';

export type FunctionNode = ArrowFunctionExpression | FunctionExpression | ObjectMethod;

/** Why a function is no probe, at a node of it. */
export class UntranslatableProbe extends Error {
  constructor(
    message: string,
    readonly node: Node | undefined,
  ) {
    super(message);
    this.name = 'ProbeError';
  }
}

export interface Translation {
  readonly formula: ProbeFormula;
  /** Uses of captured variables in the formula: text and value. */
  readonly captured: ReadonlyMap<string, unknown>;
}

export function translateProbe(fn: FunctionNode, scope: ProbeScope, captured: Captured): Translation {
  const translator = new Translator(scope, captured);
  return { formula: translator.function(fn), captured: translator.used };
}

/** JavaScript type of a C value. */
type HostKind = 'number' | 'bigint' | 'boolean' | 'pointer' | 'other';

/** A translated expression. `guard`: JavaScript's value is `undefined` (or NaN) unless it holds. */
type Part =
  | { readonly kind: 'state' }
  | { readonly kind: 'value'; readonly value: unknown; readonly text: string }
  | {
      readonly kind: 'formula';
      readonly formula: ProbeFormula;
      readonly host: HostKind;
      readonly guard?: ProbeFormula;
      readonly ctype?: CType;
    };
type FormulaPart = Extract<Part, { kind: 'formula' }>;

class Translator {
  readonly used = new Map<string, unknown>();
  private bindings = new Map<string, Part>();
  /** Elements that the expression at hand is written out for. */
  private copies = 1;
  private namedNodes = 0;
  constructor(
    private readonly scope: ProbeScope,
    private readonly captured: Captured,
  ) {}

  function(fn: FunctionNode): ProbeFormula {
    if (fn.async || fn.generator)
      throw new UntranslatableProbe('a probe is a plain function, neither async nor a generator', fn);
    const [parameter, ...rest] = fn.params;
    if (rest[0]) throw new UntranslatableProbe('a probe has one parameter, the state', rest[0]);
    if (parameter) this.bind(parameter, { kind: 'state' });
    return this.truth(fn.body.type === 'BlockStatement' ? this.block(fn.body.body, fn) : this.expression(fn.body), fn);
  }

  private bind(parameter: Node, part: Part): void {
    if (parameter.type === 'Identifier') this.bindings.set(parameter.name, part);
    else if (parameter.type === 'ObjectPattern') this.pattern(parameter, part);
    else
      throw new UntranslatableProbe('the parameter of a probe is a name or a pattern such as { size, max }', parameter);
  }

  private block(statements: readonly Statement[], fn: Node): Part {
    for (const statement of statements) {
      if (isCoverageCounter(statement)) continue;
      switch (statement.type) {
        case 'ReturnStatement':
          if (!statement.argument) throw new UntranslatableProbe('a probe returns a condition', statement);
          return this.expression(statement.argument);
        case 'VariableDeclaration':
          if (statement.kind !== 'const' && statement.declarations.length > 0 && !isDownlevelled(statement.kind))
            throw new UntranslatableProbe(`declare it with const: a probe changes nothing`, statement);
          for (const { id, init } of statement.declarations) {
            if (!init) throw new UntranslatableProbe('a probe changes nothing: give the constant its value', statement);
            const value = this.expression(init);
            if (id.type === 'Identifier') this.bindings.set(id.name, value);
            else if (id.type === 'ObjectPattern') this.pattern(id, value);
            else throw new UntranslatableProbe('this pattern is not understood in a probe', id);
          }
          break;
        case 'ForStatement':
        case 'ForInStatement':
        case 'ForOfStatement':
        case 'WhileStatement':
        case 'DoWhileStatement':
          throw new UntranslatableProbe('a probe has no loops: it becomes one formula', statement);
        case 'ExpressionStatement':
          throw new UntranslatableProbe('a probe has no side effects: leave this statement out', statement);
        default:
          throw new UntranslatableProbe('a probe is one expression (constants and a return are fine)', statement);
      }
    }
    throw new UntranslatableProbe('a probe returns a condition; this function returns nothing', fn);
  }

  private pattern(pattern: ObjectPattern, from: Part): void {
    for (const property of pattern.properties) {
      if (property.type !== 'ObjectProperty' || property.computed || property.key.type !== 'Identifier')
        throw new UntranslatableProbe('this pattern is not understood in a probe', property);
      const part = this.member(from, property.key.name, property);
      if (property.value.type === 'Identifier') this.bindings.set(property.value.name, part);
      else if (property.value.type === 'ObjectPattern') this.pattern(property.value, part);
      else throw new UntranslatableProbe('this pattern is not understood in a probe', property.value);
    }
  }

  private expression(e: Expression): Part {
    switch (e.type) {
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
        return this.expression(e.expression);
      case 'NumericLiteral':
        return this.constant(e.value, String(e.value), e);
      case 'BigIntLiteral':
        return this.constant(BigInt(e.value), `${e.value}n`, e);
      case 'BooleanLiteral':
        return this.constant(e.value, String(e.value), e);
      case 'NullLiteral':
        return this.constant(null, 'null', e);
      case 'Identifier':
        return this.identifier(e.name, e);
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return this.access(e);
      case 'UnaryExpression':
        return this.unary(e);
      case 'BinaryExpression':
        if (e.left.type === 'PrivateName') throw new UntranslatableProbe('this cannot be turned into a formula', e);
        return this.binary(e.operator, this.expression(e.left), this.expression(e.right), e);
      case 'LogicalExpression': {
        if (e.operator === '??')
          throw new UntranslatableProbe("'??' cannot be turned into a formula: compare with null", e);
        const kind = e.operator === '&&' ? 'and' : 'or';
        return boolean({
          kind,
          left: this.truth(this.expression(e.left), e.left),
          right: this.truth(this.expression(e.right), e.right),
        });
      }
      case 'ConditionalExpression': {
        const condition = this.truth(this.expression(e.test), e.test);
        const then = this.formula(this.expression(e.consequent), e.consequent);
        const otherwise = this.formula(this.expression(e.alternate), e.alternate);
        if (then.guard || otherwise.guard)
          throw new UntranslatableProbe(
            "'?.' in a branch of '?:' cannot be turned into a formula: compare with null",
            e,
          );
        return {
          kind: 'formula',
          formula: { kind: 'conditional', condition, then: then.formula, otherwise: otherwise.formula },
          host: then.host === otherwise.host ? then.host : 'other',
        };
      }
      case 'SequenceExpression': {
        const last = e.expressions.at(-1)!;
        for (const other of e.expressions.slice(0, -1)) {
          const importedCall = other.type === 'NumericLiteral';
          if (!importedCall && !isCounterExpression(other))
            throw new UntranslatableProbe('a probe has no side effects', other);
        }
        return this.expression(last);
      }
      case 'AssignmentExpression':
      case 'UpdateExpression':
        throw new UntranslatableProbe('a probe has no side effects: it looks at the state and changes nothing', e);
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        return this.call(e);
      case 'AwaitExpression':
      case 'YieldExpression':
        throw new UntranslatableProbe('a probe is a plain function', e);
      case 'ThisExpression':
        throw new UntranslatableProbe("'this' has no meaning in a probe", e);
      case 'StringLiteral':
        throw new UntranslatableProbe(
          e.value.length === 1
            ? `C characters are numbers: write ${e.value.charCodeAt(0)} for ${JSON.stringify(e.value)}`
            : 'a probe compares numbers and pointers, not strings',
          e,
        );
      default:
        throw new UntranslatableProbe('this cannot be turned into a formula', e);
    }
  }

  private identifier(name: string, node: Node): Part {
    const bound = this.bindings.get(name);
    if (bound) return bound;
    if (name === 'undefined') throw new UntranslatableProbe("C has no undefined; the null pointer is 'null'", node);
    if (name === 'arguments') throw new UntranslatableProbe("'arguments' has no meaning in a probe", node);
    const found = this.captured(name);
    if (!found.found) {
      const hint = this.scope.names.includes(name)
        ? `; the C variable is a property of the state: write s.${name}`
        : '';
      throw new UntranslatableProbe(`the value of '${name}' cannot be seen from here${hint}`, node);
    }
    return this.constant(found.value, name, node);
  }

  /** A JavaScript value; numbers and the like become formulas, objects wait for a member access. */
  private constant(value: unknown, text: string, node: Node): Part {
    if (/^[A-Za-z_$]/.test(text) && (typeof value !== 'object' || value === null)) this.used.set(text, value);
    switch (typeof value) {
      case 'boolean':
        return { kind: 'formula', formula: { kind: 'boolean', value }, host: 'boolean' };
      case 'bigint':
        return { kind: 'formula', formula: { kind: 'integer', value: String(value) }, host: 'bigint' };
      case 'number':
        if (!Number.isSafeInteger(value))
          return { kind: 'formula', formula: { kind: 'number', value }, host: 'number' };
        return {
          kind: 'formula',
          formula: { kind: 'integer', value: String(value === 0 ? 0 : value) },
          host: 'number',
        };
      case 'object':
      case 'function':
        if (value === null) return { kind: 'formula', formula: { kind: 'null' }, host: 'pointer' };
        return { kind: 'value', value, text };
      case 'undefined':
        throw new UntranslatableProbe(`'${text}' is undefined`, node);
      case 'string':
      case 'symbol':
        throw new UntranslatableProbe(`'${text}' is a ${typeof value}; a probe compares numbers and pointers`, node);
      default:
        throw new UntranslatableProbe('this cannot be turned into a formula', node);
    }
  }

  private access(e: Extract<Expression, { type: 'MemberExpression' | 'OptionalMemberExpression' }>): Part {
    if (e.object.type === 'Super' || e.property.type === 'PrivateName')
      throw new UntranslatableProbe('this cannot be turned into a formula', e);
    const object = this.expression(e.object);
    if (object.kind === 'formula' && e.optional) return this.optional(object, this.step(object, e), e);
    return this.step(object, e);
  }

  private step(object: Part, e: Extract<Expression, { type: 'MemberExpression' | 'OptionalMemberExpression' }>): Part {
    const { property } = e;
    if (property.type === 'PrivateName') throw new UntranslatableProbe('this cannot be turned into a formula', e);
    if (!e.computed && property.type === 'Identifier') return this.member(object, property.name, property);
    if (property.type === 'StringLiteral') return this.member(object, property.value, property);
    const index = this.formula(this.expression(property as Expression), property);
    if (object.kind === 'value') {
      if (index.formula.kind !== 'integer')
        throw new UntranslatableProbe('this index is not known before the program runs', property);
      return this.member(object, index.formula.value, property);
    }
    if (object.kind === 'state') throw new UntranslatableProbe('name the variable: s.size or s["size"]', property);
    if (index.guard) throw new UntranslatableProbe("'?.' in an index cannot be turned into a formula", property);
    return this.elementOf(object, index.formula, e);
  }

  private optional(object: FormulaPart, result: Part, node: Node): Part {
    if (object.host !== 'pointer') throw new UntranslatableProbe("'?.' is for pointers; this is never null", node);
    if (result.kind !== 'formula') return result;
    return {
      ...result,
      guard: conjunction(object.guard, { kind: '!=', left: object.formula, right: { kind: 'null' } })!,
    };
  }

  private member(object: Part, name: string, node: Node): Part {
    switch (object.kind) {
      case 'state': {
        const ctype = this.scope.typeOf(name);
        if (!ctype)
          throw new UntranslatableProbe(
            `'${name}' is none of the ${this.scope.description}` +
              `${closest(name, this.scope.names) || `; there are ${this.scope.names.join(', ') || 'none'}`}`,
            node,
          );
        return pathPart({ kind: 'path', variable: name, steps: [] }, ctype);
      }
      case 'value':
        return this.constant((object.value as Record<string, unknown>)[name], `${object.text}.${name}`, node);
      case 'formula': {
        let { ctype } = object;
        if (name === 'length' && ctype?.kind === 'array' && ctype.length !== undefined)
          return this.constant(ctype.length, String(ctype.length), node);
        const steps: PathStep[] = [];
        const pointer = ctype?.kind === 'pointer';
        if (ctype?.kind === 'pointer') ctype = ctype.to;
        if (
          name === 'length' &&
          pointer &&
          object.formula.kind === 'path' &&
          ctype?.kind !== 'record' &&
          ctype?.kind !== 'function'
        )
          return withGuard(lengthOf(object.formula), object.guard);
        if (object.formula.kind !== 'path' || ctype?.kind !== 'record')
          throw new UntranslatableProbe(`this C value has no member '${name}'`, node);
        const fields = namedFields(ctype);
        const field = fields.find((f) => f.name === name);
        if (!field && name === 'length' && pointer) return withGuard(lengthOf(object.formula), object.guard);
        if (!field)
          throw new UntranslatableProbe(
            `'${ctype.record.keyword} ${ctype.record.tag ?? ''}' has no member '${name}'${
              closest(
                name,
                fields.map((f) => f.name),
              ) || `; it has ${fields.map((f) => f.name).join(', ')}`
            }`,
            node,
          );
        steps.push({ kind: 'field', name });
        return withGuard(
          pathPart({ ...object.formula, steps: [...object.formula.steps, ...steps] }, field.type),
          object.guard,
        );
      }
    }
  }

  private elementOf(array: FormulaPart, index: ProbeFormula, node: Node): Part {
    const { ctype, formula } = array;
    if (formula.kind !== 'path' || (ctype?.kind !== 'array' && ctype?.kind !== 'pointer'))
      throw new UntranslatableProbe('this C value is neither an array nor a pointer', node);
    const element = ctype.kind === 'array' ? ctype.of : ctype.to;
    return withGuard(
      pathPart({ ...formula, steps: [...formula.steps, { kind: 'index', index }] }, element),
      array.guard,
    );
  }

  private unary(e: Extract<Expression, { type: 'UnaryExpression' }>): Part {
    if (e.operator === 'delete' || e.operator === 'throw')
      throw new UntranslatableProbe('a probe has no side effects', e);
    if (e.operator === 'typeof' || e.operator === 'void')
      throw new UntranslatableProbe(`'${e.operator}' cannot be turned into a formula`, e);
    const part = this.expression(e.argument);
    if (e.operator === '!') return boolean({ kind: 'not', operand: this.truth(part, e.argument) });
    if (part.kind === 'formula' && part.formula.kind === 'number' && (e.operator === '-' || e.operator === '+'))
      return {
        ...part,
        formula: { kind: 'number', value: e.operator === '-' ? -part.formula.value : part.formula.value },
      };
    const operand = this.formula(part, e.argument);
    if (operand.host !== 'number' && operand.host !== 'bigint')
      throw new UntranslatableProbe(`'${e.operator}' wants a number`, e.argument);
    switch (e.operator) {
      case '+':
        if (operand.host === 'bigint') throw new UntranslatableProbe("JavaScript has no '+' before a bigint", e);
        return operand;
      case '-':
        return { kind: 'formula', formula: negateFormula(operand.formula), host: operand.host, ...guardOf(operand) };
      case '~':
        return {
          kind: 'formula',
          formula: {
            kind: '-',
            left: { kind: 'negate', operand: operand.formula },
            right: { kind: 'integer', value: '1' },
          },
          host: operand.host,
          ...guardOf(operand),
        };
    }
  }

  private binary(operator: string, leftPart: Part, rightPart: Part, e: Expression): Part {
    const compares = [leftPart, rightPart].some(isFloating) && /^([=!]==?|[<>]=?)$/.test(operator);
    const left = this.formula(leftPart, e, compares);
    const right = this.formula(rightPart, e, compares);
    const guard = conjunction(left.guard, right.guard);
    switch (operator) {
      case '===':
      case '==':
      case '!==':
      case '!=': {
        const strict = operator.length === 3;
        const negative = operator.startsWith('!');
        const numeric = (part: FormulaPart) => part.host === 'number' || part.host === 'bigint';
        if (
          left.host !== right.host &&
          left.host !== 'other' &&
          right.host !== 'other' &&
          (strict || !numeric(left) || !numeric(right))
        )
          throw new UntranslatableProbe(mismatch(left, right, operator), e);
        const formula: ProbeFormula = { kind: negative ? '!=' : '==', left: left.formula, right: right.formula };
        if (!guard) return boolean(formula);
        // undefined == null, but undefined !== null.
        const whenUndefined =
          !strict && (left.formula.kind === 'null' || right.formula.kind === 'null') ? !negative : negative;
        return boolean(
          whenUndefined
            ? { kind: 'or', left: { kind: 'not', operand: guard }, right: formula }
            : { kind: 'and', left: guard, right: formula },
        );
      }
      case '<':
      case '<=':
      case '>':
      case '>=': {
        this.bothNumbers(left, right, operator, e, 'mixed');
        const formula: ProbeFormula = { kind: operator, left: left.formula, right: right.formula };
        return boolean(guard ? { kind: 'and', left: guard, right: formula } : formula);
      }
      case '+':
      case '-':
      case '*':
      case '%':
      case '&':
      case '|':
      case '^':
      case '<<':
      case '>>':
        this.bothNumbers(left, right, operator, e, 'alike');
        return {
          kind: 'formula',
          formula: { kind: operator, left: left.formula, right: right.formula },
          host: left.host,
          ...(guard ? { guard } : {}),
        };
      case '>>>': {
        // JavaScript's conversion to unsigned 32 bits, without which its `^`, `|` and `~` give signed numbers.
        if (left.host === 'bigint') throw new UntranslatableProbe("JavaScript has no '>>>' of bigints: write >>", e);
        this.bothNumbers(left, right, operator, e, 'alike');
        const lower: ProbeFormula = { kind: '&', left: left.formula, right: { kind: 'integer', value: '4294967295' } };
        if (right.formula.kind !== 'integer' || BigInt(right.formula.value) < 0n || BigInt(right.formula.value) > 31n)
          throw new UntranslatableProbe("'>>>' takes a constant from 0 to 31", e);
        return {
          kind: 'formula',
          formula: right.formula.value === '0' ? lower : { kind: '>>', left: lower, right: right.formula },
          host: 'number',
          ...(guard ? { guard } : {}),
        };
      }
      case '/':
        this.bothNumbers(left, right, operator, e, 'alike');
        if (left.host !== 'bigint')
          throw new UntranslatableProbe("'/' of numbers is not C's: write Math.trunc(a / b), or compare products", e);
        return {
          kind: 'formula',
          formula: { kind: '/', left: left.formula, right: right.formula },
          host: 'bigint',
          ...(guard ? { guard } : {}),
        };
      default:
        throw new UntranslatableProbe(`'${operator}' cannot be turned into a formula`, e);
    }
  }

  private bothNumbers(
    left: FormulaPart,
    right: FormulaPart,
    operator: string,
    node: Node,
    types: 'alike' | 'mixed',
  ): void {
    for (const part of [left, right]) {
      if (part.host === 'pointer')
        throw new UntranslatableProbe(
          `'${operator}' of a pointer cannot be turned into a formula; pointers are compared with === and !==`,
          node,
        );
    }
    if (types === 'alike' && left.host !== right.host && left.host !== 'other' && right.host !== 'other')
      throw new UntranslatableProbe(mismatch(left, right, operator), node);
  }

  private overElements({ method, array, condition }: QuantifiedCall, node: Node): Part {
    const whole = this.expression(array);
    const { length, elementAt } = this.elements(whole, method, array);
    if (condition.async || condition.generator || condition.params.length > 2)
      throw new UntranslatableProbe(`'${method}' takes a plain function of an element and its index`, condition);
    const [element, index] = condition.params;
    const [bindings, copies] = [this.bindings, this.copies];
    this.copies = copies * Math.max(1, length);
    if (this.copies > mostElements)
      throw new UntranslatableProbe(
        `'${method}' is written out for each element, and these are ${this.copies}; at most ${mostElements} are ` +
          'understood',
        node,
      );
    const conditions = Array.from({ length }, (_, at): ProbeFormula => {
      this.bindings = new Map(bindings);
      if (element) this.bind(element, elementAt(at));
      if (index) this.bind(index, this.constant(at, String(at), node));
      const { body } = condition;
      return this.truth(body.type === 'BlockStatement' ? this.block(body.body, body) : this.expression(body), body);
    });
    [this.bindings, this.copies] = [bindings, copies];
    const all = boolean(joinConditions(method === 'every' ? 'and' : 'or', conditions));
    return whole.kind === 'formula' ? withGuard(all, whole.guard) : all;
  }

  private elements(
    part: Part,
    method: string,
    node: Node,
  ): { readonly length: number; readonly elementAt: (at: number) => Part } {
    if (part.kind === 'value' && Array.isArray(part.value))
      return { length: part.value.length, elementAt: (at) => this.member(part, String(at), node) };
    const { guard: _, ...array } = this.formula(part, node);
    if (array.ctype?.kind === 'pointer')
      throw new UntranslatableProbe(
        `'${method}' needs an array whose length its type says; a pointer does not say how many elements follow`,
        node,
      );
    if (array.ctype?.kind !== 'array' || array.ctype.length === undefined)
      throw new UntranslatableProbe(`'${method}' is for arrays, which this is not`, node);
    return {
      length: array.ctype.length,
      elementAt: (at) => this.elementOf(array, { kind: 'integer', value: String(at) }, node),
    };
  }

  /**
   * No calls, but `every` and `some`, the one that makes a C division, and conversions that change nothing here.
   */
  private call(e: Extract<Expression, { type: 'CallExpression' | 'OptionalCallExpression' | 'NewExpression' }>): Part {
    const { callee } = e;
    const overElements = elementwise(e);
    if (overElements) return this.overElements(overElements, e);
    const word = listWordOf(e, (name) =>
      this.bindings.has(name) ? { found: true, value: undefined } : this.captured(name),
    );
    if (word) return this.ofList(word, e);
    const [argument, ...more] = e.arguments;
    const isMath =
      callee.type === 'MemberExpression' &&
      callee.object.type === 'Identifier' &&
      callee.object.name === 'Math' &&
      callee.property.type === 'Identifier'
        ? callee.property.name
        : undefined;
    if (
      e.type === 'CallExpression' &&
      argument &&
      more.length === 0 &&
      argument.type !== 'SpreadElement' &&
      argument.type !== 'ArgumentPlaceholder'
    ) {
      if (isMath === 'trunc') {
        const inner = unwrap(argument);
        if (inner.type === 'BinaryExpression' && inner.operator === '/' && inner.left.type !== 'PrivateName') {
          const left = this.formula(this.expression(inner.left), inner.left);
          const right = this.formula(this.expression(inner.right), inner.right);
          if (left.host !== 'number' || right.host !== 'number')
            throw new UntranslatableProbe('Math.trunc wants numbers; bigints divide with /', inner);
          const guard = conjunction(left.guard, right.guard);
          return {
            kind: 'formula',
            formula: { kind: '/', left: left.formula, right: right.formula },
            host: 'number',
            ...(guard ? { guard } : {}),
          };
        }
        return this.expression(inner);
      }
      if (
        callee.type === 'Identifier' &&
        (callee.name === 'Number' || callee.name === 'BigInt') &&
        !this.captured(callee.name).found &&
        !this.bindings.has(callee.name)
      ) {
        const operand = this.formula(this.expression(argument), argument);
        if (operand.host === 'number' || operand.host === 'bigint')
          return { ...operand, host: callee.name === 'Number' ? 'number' : 'bigint' };
      }
    }
    throw new UntranslatableProbe('a probe has no calls: write the condition out (constants and && || ?: are fine)', e);
  }

  /** A condition on a list, or its length. */
  private ofList(
    word: ListWord,
    e: Extract<Expression, { type: string }> & { readonly arguments: readonly Node[] },
  ): Part {
    const [first, ...others] = e.arguments as readonly Expression[];
    const pathAt = (argument: Expression | undefined): FormulaPart & { readonly path: ProbePath } => {
      const part = argument && this.formula(this.expression(argument), argument);
      if (part?.formula.kind !== 'path')
        throw new UntranslatableProbe(`${word} is about a pointer of the state, such as s.head`, argument ?? e);
      return { ...part, path: part.formula };
    };
    const list = pathAt(first);
    if (list.ctype?.kind !== 'pointer')
      throw new UntranslatableProbe(`${word} is about a pointer to the nodes of a list`, first);
    const second = word === 'reach' || word === 'every' ? others.shift() : undefined;
    const [last] = others;
    if (others.length > 1 || (last && last.type !== 'StringLiteral'))
      throw new UntranslatableProbe(`the last argument of ${word} is the name of a link, such as 'next'`, last);
    const link = linkOf(list.ctype.to, last?.type === 'StringLiteral' ? last.value : undefined);
    if (link.kind === 'none') throw new UntranslatableProbe(link.why, e);
    const common = { kind: 'list', list: list.path, link: link.member } as const;
    const said = (formula: ProbeFormula, host: HostKind, ...parts: readonly FormulaPart[]): FormulaPart =>
      withGuard(
        { kind: 'formula', formula, host },
        parts.reduce<ProbeFormula | undefined>((all, part) => conjunction(all, part.guard), undefined),
      );
    switch (word) {
      case 'acyclic':
        return said({ ...common, is: 'acyclic' }, 'boolean', list);
      case 'length':
        return said({ ...common, is: 'length' }, 'number', list);
      case 'reach': {
        const node = pathAt(second);
        return said({ ...common, is: 'through', node: node.path }, 'boolean', list, node);
      }
      case 'every': {
        const isFunction = second?.type === 'ArrowFunctionExpression' || second?.type === 'FunctionExpression';
        const parameter = isFunction ? second.params[0] : undefined;
        if (!isFunction || second.async || second.generator || second.params.length !== 1 || !parameter)
          throw new UntranslatableProbe('every takes a plain function of a node: every(s.head, (n) => n.value > 0)', e);
        const name = `<node ${++this.namedNodes}>`;
        const bindings = this.bindings;
        this.bindings = new Map(bindings);
        this.bind(parameter, pathPart({ kind: 'path', variable: name, steps: [] }, list.ctype));
        const { body } = second;
        const condition = this.truth(
          body.type === 'BlockStatement' ? this.block(body.body, body) : this.expression(body),
          body,
        );
        this.bindings = bindings;
        return said({ ...common, is: 'every', name, condition }, 'boolean', list);
      }
    }
  }

  /** `compared`: with floating point, which is all that can be said of it. */
  private formula(part: Part, node: Node, compared = false): FormulaPart {
    switch (part.kind) {
      case 'formula':
        if (!compared && isFloating(part))
          throw new UntranslatableProbe('floating point is only compared in a probe: s.level <= 0.5', node);
        if (!compared && part.formula.kind === 'number')
          throw new UntranslatableProbe(
            `${part.formula.value} is no whole number; only floating point is compared with such`,
            node,
          );
        return part;
      case 'state':
        throw new UntranslatableProbe('this is the whole state; name a variable of it', node);
      case 'value':
        throw new UntranslatableProbe(`'${part.text}' is an object; a probe compares numbers and pointers`, node);
    }
  }

  /** JavaScript's truth: not zero, not null, not undefined. */
  private truth(part: Part, node: Node): ProbeFormula {
    const { formula, host, guard, ctype } = this.formula(part, node);
    if (ctype?.kind === 'array' || ctype?.kind === 'record')
      throw new UntranslatableProbe('an array or struct is always true in JavaScript; compare one of its parts', node);
    const truth: ProbeFormula =
      host === 'boolean'
        ? formula
        : host === 'pointer'
          ? { kind: '!=', left: formula, right: { kind: 'null' } }
          : { kind: '!=', left: formula, right: { kind: 'integer', value: '0' } };
    return guard ? { kind: 'and', left: guard, right: truth } : truth;
  }
}

function pathPart(formula: ProbeFormula, ctype: CType): FormulaPart {
  return { kind: 'formula', formula, host: hostKind(ctype), ctype };
}

const isFloating = (part: Part): boolean => part.kind === 'formula' && part.ctype?.kind === 'float';

const lengthOf = (of: ProbePath): FormulaPart => ({ kind: 'formula', formula: { kind: 'length', of }, host: 'number' });

function hostKind(type: CType): HostKind {
  switch (type.kind) {
    case 'integer':
      return type.name === 'bool' ? 'boolean' : type.widthBits > 32 ? 'bigint' : 'number';
    case 'enum':
      return type.underlying.widthBits > 32 ? 'bigint' : 'number';
    case 'pointer':
      return 'pointer';
    case 'float':
      return 'number';
    case 'array':
    case 'record':
    case 'void':
    case 'function':
      return 'other';
  }
}

const boolean = (formula: ProbeFormula): FormulaPart => ({ kind: 'formula', formula, host: 'boolean' });
const guardOf = (part: FormulaPart) => (part.guard ? { guard: part.guard } : {});
const withGuard = (part: FormulaPart, guard: ProbeFormula | undefined): FormulaPart =>
  guard ? { ...part, guard } : part;

function conjunction(left: ProbeFormula | undefined, right: ProbeFormula | undefined): ProbeFormula | undefined {
  return left && right ? { kind: 'and', left, right } : (left ?? right);
}

function negateFormula(formula: ProbeFormula): ProbeFormula {
  return formula.kind === 'integer'
    ? { kind: 'integer', value: String(-BigInt(formula.value)) }
    : { kind: 'negate', operand: formula };
}

function mismatch(left: FormulaPart, right: FormulaPart, operator: string): string {
  const kinds = [left.host, right.host];
  if (kinds.includes('bigint') && kinds.includes('number'))
    return (
      `'${operator}' of a bigint and a number: 64-bit C integers are bigints here, so write the constant with an n ` +
      '(10n)'
    );
  if (kinds.includes('boolean'))
    return `'${operator}' of a boolean and a ${kinds.find((k) => k !== 'boolean')}: _Bool is true or false here`;
  return (
    `'${operator}' of a ${left.host} and a ${right.host} is never true in ` +
    `JavaScript${kinds.includes('pointer') ? '; the null pointer is null' : ''}`
  );
}

function unwrap(e: Expression): Expression {
  return e.type === 'ParenthesizedExpression' || e.type === 'TSAsExpression' || e.type === 'TSNonNullExpression'
    ? unwrap(e.expression)
    : e;
}

/** ES5 output declares constants with var; an assignment to one is rejected anyway. */
function isDownlevelled(kind: string): boolean {
  return kind === 'var';
}

/** Istanbul's `cov_x().s[0]++`. */
function isCoverageCounter(statement: Statement): boolean {
  return statement.type === 'ExpressionStatement' && isCounterExpression(statement.expression);
}

function isCounterExpression(e: Expression): boolean {
  if (e.type === 'SequenceExpression') return e.expressions.every(isCounterExpression);
  if (e.type !== 'UpdateExpression') return false;
  let place: Node = e.argument;
  while (place.type === 'MemberExpression') place = place.object;
  return place.type === 'CallExpression' && place.callee.type === 'Identifier' && place.callee.name.startsWith('cov_');
}
