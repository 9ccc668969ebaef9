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
  UnaryExpression,
} from '@babel/types';
import type { PathStep, ProbeFormula, ProbePath } from '../../src/abstraction/predicates/probeFormula';
import { namedFields } from '../../src/host/values/encode';
import type { ProbeScope } from '../../src/host/probeScope';
import { linkOf, type ListWord } from '../../src/host/listLink';
import { closest } from '../../src/host/suggest';
import type { Captured } from './capturedVariables';
import { listWordOf } from './lists';
import { isCounterExpression, isCoverageCounter } from './coverageCounters';
import { elementwise, joinConditions, mostElements, type QuantifiedCall } from './elementwise';
import { binary, unary } from './probeOperators';
import {
  boolean,
  conjunction,
  formulaOf,
  lengthOf,
  pathPart,
  truthOf,
  UntranslatableProbe,
  withGuard,
  type FormulaPart,
  type HostKind,
  type ProbePart,
} from './probePart';

export type FunctionNode = ArrowFunctionExpression | FunctionExpression | ObjectMethod;

export interface Translation {
  readonly formula: ProbeFormula;
  /** Uses of captured variables in the formula: text and value. */
  readonly captured: ReadonlyMap<string, unknown>;
}

export function translateProbe(fn: FunctionNode, scope: ProbeScope, captured: Captured): Translation {
  const translator = new Translator(scope, captured);
  return { formula: translator.function(fn), captured: translator.used };
}

class Translator {
  readonly used = new Map<string, unknown>();
  private bindings = new Map<string, ProbePart>();
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
    return truthOf(fn.body.type === 'BlockStatement' ? this.block(fn.body.body, fn) : this.expression(fn.body), fn);
  }

  private bind(parameter: Node, part: ProbePart): void {
    if (parameter.type === 'Identifier') this.bindings.set(parameter.name, part);
    else if (parameter.type === 'ObjectPattern') this.pattern(parameter, part);
    else
      throw new UntranslatableProbe('the parameter of a probe is a name or a pattern such as { size, max }', parameter);
  }

  private block(statements: readonly Statement[], fn: Node): ProbePart {
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

  private pattern(pattern: ObjectPattern, from: ProbePart): void {
    for (const property of pattern.properties) {
      if (property.type !== 'ObjectProperty' || property.computed || property.key.type !== 'Identifier')
        throw new UntranslatableProbe('this pattern is not understood in a probe', property);
      const part = this.member(from, property.key.name, property);
      if (property.value.type === 'Identifier') this.bindings.set(property.value.name, part);
      else if (property.value.type === 'ObjectPattern') this.pattern(property.value, part);
      else throw new UntranslatableProbe('this pattern is not understood in a probe', property.value);
    }
  }

  private expression(e: Expression): ProbePart {
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
        return this.unaryOperator(e);
      case 'BinaryExpression':
        if (e.left.type === 'PrivateName') throw new UntranslatableProbe('this cannot be turned into a formula', e);
        return binary(e.operator, this.expression(e.left), this.expression(e.right), e);
      case 'LogicalExpression': {
        if (e.operator === '??')
          throw new UntranslatableProbe("'??' cannot be turned into a formula: compare with null", e);
        const kind = e.operator === '&&' ? 'and' : 'or';
        return boolean({
          kind,
          left: truthOf(this.expression(e.left), e.left),
          right: truthOf(this.expression(e.right), e.right),
        });
      }
      case 'ConditionalExpression': {
        const condition = truthOf(this.expression(e.test), e.test);
        const then = formulaOf(this.expression(e.consequent), e.consequent);
        const otherwise = formulaOf(this.expression(e.alternate), e.alternate);
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

  private identifier(name: string, node: Node): ProbePart {
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
  private constant(value: unknown, text: string, node: Node): ProbePart {
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

  private access(e: Extract<Expression, { type: 'MemberExpression' | 'OptionalMemberExpression' }>): ProbePart {
    if (e.object.type === 'Super' || e.property.type === 'PrivateName')
      throw new UntranslatableProbe('this cannot be turned into a formula', e);
    const object = this.expression(e.object);
    if (object.kind === 'formula' && e.optional) return this.optional(object, this.step(object, e), e);
    return this.step(object, e);
  }

  private step(
    object: ProbePart,
    e: Extract<Expression, { type: 'MemberExpression' | 'OptionalMemberExpression' }>,
  ): ProbePart {
    const { property } = e;
    if (property.type === 'PrivateName') throw new UntranslatableProbe('this cannot be turned into a formula', e);
    if (!e.computed && property.type === 'Identifier') return this.member(object, property.name, property);
    if (property.type === 'StringLiteral') return this.member(object, property.value, property);
    const index = formulaOf(this.expression(property as Expression), property);
    if (object.kind === 'value') {
      if (index.formula.kind !== 'integer')
        throw new UntranslatableProbe('this index is not known before the program runs', property);
      return this.member(object, index.formula.value, property);
    }
    if (object.kind === 'state') throw new UntranslatableProbe('name the variable: s.size or s["size"]', property);
    if (index.guard) throw new UntranslatableProbe("'?.' in an index cannot be turned into a formula", property);
    return this.elementOf(object, index.formula, e);
  }

  private optional(object: FormulaPart, result: ProbePart, node: Node): ProbePart {
    if (object.host !== 'pointer') throw new UntranslatableProbe("'?.' is for pointers; this is never null", node);
    if (result.kind !== 'formula') return result;
    return {
      ...result,
      guard: conjunction(object.guard, { kind: '!=', left: object.formula, right: { kind: 'null' } })!,
    };
  }

  private member(object: ProbePart, name: string, node: Node): ProbePart {
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

  private elementOf(array: FormulaPart, index: ProbeFormula, node: Node): ProbePart {
    const { ctype, formula } = array;
    if (formula.kind !== 'path' || (ctype?.kind !== 'array' && ctype?.kind !== 'pointer'))
      throw new UntranslatableProbe('this C value is neither an array nor a pointer', node);
    const element = ctype.kind === 'array' ? ctype.of : ctype.to;
    return withGuard(
      pathPart({ ...formula, steps: [...formula.steps, { kind: 'index', index }] }, element),
      array.guard,
    );
  }

  private unaryOperator(e: UnaryExpression): ProbePart {
    if (e.operator === 'delete' || e.operator === 'throw')
      throw new UntranslatableProbe('a probe has no side effects', e);
    if (e.operator === 'typeof' || e.operator === 'void')
      throw new UntranslatableProbe(`'${e.operator}' cannot be turned into a formula`, e);
    return unary(e, this.expression(e.argument));
  }

  private overElements({ method, array, condition }: QuantifiedCall, node: Node): ProbePart {
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
      return truthOf(body.type === 'BlockStatement' ? this.block(body.body, body) : this.expression(body), body);
    });
    [this.bindings, this.copies] = [bindings, copies];
    const all = boolean(joinConditions(method === 'every' ? 'and' : 'or', conditions));
    return whole.kind === 'formula' ? withGuard(all, whole.guard) : all;
  }

  private elements(
    part: ProbePart,
    method: string,
    node: Node,
  ): { readonly length: number; readonly elementAt: (at: number) => ProbePart } {
    if (part.kind === 'value' && Array.isArray(part.value))
      return { length: part.value.length, elementAt: (at) => this.member(part, String(at), node) };
    const { guard: _, ...array } = formulaOf(part, node);
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
  private call(
    e: Extract<Expression, { type: 'CallExpression' | 'OptionalCallExpression' | 'NewExpression' }>,
  ): ProbePart {
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
          const left = formulaOf(this.expression(inner.left), inner.left);
          const right = formulaOf(this.expression(inner.right), inner.right);
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
        const operand = formulaOf(this.expression(argument), argument);
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
  ): ProbePart {
    const [first, ...others] = e.arguments as readonly Expression[];
    const pathAt = (argument: Expression | undefined): FormulaPart & { readonly path: ProbePath } => {
      const part = argument && formulaOf(this.expression(argument), argument);
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
        const condition = truthOf(
          body.type === 'BlockStatement' ? this.block(body.body, body) : this.expression(body),
          body,
        );
        this.bindings = bindings;
        return said({ ...common, is: 'every', name, condition }, 'boolean', list);
      }
    }
  }
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
