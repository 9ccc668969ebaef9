/**
 * Probes as predicates: the data form of a TypeScript arrow function becomes a term over the vocabulary of its point.
 * Numbers are exact (widths grow with each operation), as JavaScript's are where both agree; C's wrapping plays no
 * part.
 */
import * as L from '../../logic/build';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { elementSizeOf, sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import type { CType } from '../../c/types';
import {
  and,
  atMost,
  binary,
  bytesFrom,
  convert,
  isLive,
  offsetOf,
  sameObject,
  startOf,
  zero,
} from '../../program/build';
import { int64, pointer, type Expression } from '../../program/expression';
import type { FunctionDefinition, Location } from '../../program/program';
import { hiddenName, passedStructure } from '../../program/passedStructure';
import { localNamed } from '../../program/automata/visibility';
import { Evaluator } from '../../semantics/evaluate';
import { isEvery, isList, isOnList, lengthOf, type ListState } from '../../semantics/symbolic/lists';
import type { SegmentBuilder } from '../../semantics/symbolic/segment';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import type { SymbolicState } from '../../semantics/symbolic/symbolicMemory';
import { isPointer, isTrue, type SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import {
  comparedLength,
  listAt,
  type ListNode,
  memberOf,
  mirrored,
  type Polarity,
  statedByClient,
} from './listConditions';
import { findField, scalarType } from './members';
import { ProbeError } from './probeError';
import {
  arithmetic,
  asDouble,
  double,
  equal,
  inOneObject,
  integer,
  integerOf,
  type Meant,
  number,
  orderOf,
  sameWidth,
  widen,
  widthOf,
} from './probeValues';
import { type ListFormula, mostListLength, type PathStep, type ProbeFormula, type ProbePath } from './probeFormula';

export { ProbeError } from './probeError';

export class ProbeReader {
  /**
   * `location`: where names are read, if that matters. Each means the innermost variable there. A client, who calls the
   * function, knows of its parameters alone.
   */
  constructor(
    private readonly builder: Pick<SegmentBuilder, 'evaluate' | 'vocabulary'>,
    private readonly fn: FunctionDefinition | undefined,
    private readonly state: SymbolicState,
    private readonly location?: Location,
    private readonly author: 'function' | 'client' = 'function',
    private readonly nodes: ReadonlyMap<string, ListNode> = new Map(),
  ) {}

  /**
   * Conditions under which the number that is read has a meaning. Without them the comparison that it is part of is
   * false.
   */
  private needed: Term[] = [];

  /** Lists whose lengths the comparison mentions that is read. */
  private counted: ListState[] = [];

  /** If the part that is read becomes false, so does the whole, if it becomes true, or neither can be said. */
  private polarity: Polarity = 'positive';

  /** Without a builder at hand: what the client says that calls `fn`. */
  static over(vocabulary: Vocabulary, fn: FunctionDefinition, state: SymbolicState): ProbeReader {
    const evaluator = new Evaluator(vocabulary.values);
    return new ProbeReader({ vocabulary, evaluate: (e, s) => evaluator.evaluate(e, s) }, fn, state, fn.entry, 'client');
  }

  /** The formula as a term; throws `ProbeError`. */
  read(formula: ProbeFormula): Term {
    const term = L.and(this.truth(this.meaning(formula)), ...this.needed.splice(0));
    for (const symbol of symbolsOf(term)) {
      if (!this.builder.vocabulary.meaning(symbol))
        throw new ProbeError('it reads memory that the module itself never reads or writes, so nothing is known of it');
    }
    return term;
  }

  private meaning(f: ProbeFormula): Meant {
    const before = this.needed.length;
    const countedBefore = this.counted.length;
    const meant = this.meaningOf(f);
    if (meant.kind !== 'boolean' || this.needed.length === before) return meant;
    const term = L.and(meant.term, ...this.needed.splice(before));
    const lists = this.counted.splice(countedBefore);
    return { kind: 'boolean', term: lists.reduce((stated, state) => this.stateCondition(stated, state), term) };
  }

  private meaningOf(f: ProbeFormula): Meant {
    const { values } = this.builder.vocabulary;
    switch (f.kind) {
      case 'integer':
        return integer(BigInt(f.value));
      case 'number':
        return { kind: 'float', term: double(f.value) };
      case 'boolean':
        return { kind: 'boolean', term: L.bool(f.value) };
      case 'null':
        return { kind: 'pointer', value: values.null };
      case 'path':
        return this.path(f.variable, f.steps);
      case 'length': {
        const { bytes, elementBytes } = this.extent(f.of);
        return integerOf(elementBytes === 1 ? bytes : L.sdiv(bytes, L.bits(BigInt(elementBytes), widthOf(bytes))));
      }
      case 'same-object': {
        const same = sameObject(this.pointerOf(f.left), this.pointerOf(f.right));
        return { kind: 'boolean', term: isTrue(this.builder.evaluate(same, this.state)) };
      }
      case 'list':
        return f.is === 'length' ? this.numberOfNodes(f) : { kind: 'boolean', term: this.ofList(f) };
      case 'not': {
        const { polarity } = this;
        const opposite = { positive: 'negative', negative: 'positive', mixed: 'mixed' } as const;
        return {
          kind: 'boolean',
          term: L.not(this.within(opposite[polarity], () => this.truth(this.meaning(f.operand)))),
        };
      }
      case 'negate': {
        const a = number(this.meaning(f.operand));
        return { kind: 'integer', term: L.neg(widen(a, widthOf(a) + 1)) };
      }
      case 'and':
        return { kind: 'boolean', term: L.and(this.truth(this.meaning(f.left)), this.truth(this.meaning(f.right))) };
      case 'or':
        return { kind: 'boolean', term: L.or(this.truth(this.meaning(f.left)), this.truth(this.meaning(f.right))) };
      case 'conditional': {
        const condition = this.within('mixed', () => this.truth(this.meaning(f.condition)));
        const [a, b] = [this.choice(f.then, condition), this.choice(f.otherwise, L.not(condition))];
        if (a.kind === 'boolean' && b.kind === 'boolean')
          return { kind: 'boolean', term: L.ite(condition, a.term, b.term) };
        const [x, y] = sameWidth(number(a), number(b));
        return { kind: 'integer', term: L.ite(condition, x, y) };
      }
      case '==':
      case '!=': {
        const length = this.ofLength({ ...f, kind: f.kind });
        if (length) return { kind: 'boolean', term: length };
        const areEqual = this.within('mixed', () => equal(this.meaning(f.left), this.meaning(f.right)));
        return { kind: 'boolean', term: f.kind === '==' ? areEqual : L.not(areEqual) };
      }
      case '<':
      case '<=':
      case '>':
      case '>=': {
        const length = this.ofLength({ ...f, kind: f.kind });
        if (length) return { kind: 'boolean', term: length };
        const sides = this.within('mixed', () => [this.meaning(f.left), this.meaning(f.right)] as const);
        if (sides.some(({ kind }) => kind === 'float')) {
          const [x, y] = sides.map(asDouble) as [Term, Term];
          const [a, b] = f.kind === '<' || f.kind === '<=' ? [x, y] : [y, x];
          return {
            kind: 'boolean',
            term: L.call(f.kind === '<' || f.kind === '>' ? 'float-lt-64' : 'float-le-64', L.boolSort, a, b),
          };
        }
        const { kind } = f;
        const isAboutNull = f.left.kind === 'null' || f.right.kind === 'null';
        const inOrder = isAboutNull ? undefined : inOneObject(...sides, (p, q) => orderOf(kind, p, q));
        if (inOrder) return { kind: 'boolean', term: inOrder };
        const [a, b] = sameWidth(...this.comparison({ ...f, kind: f.kind }));
        return { kind: 'boolean', term: orderOf(f.kind, a, b) };
      }
      default: {
        const [a, b] = [this.meaning(f.left), this.meaning(f.right)];
        const term =
          f.kind === '-' && a.kind === 'pointer' && b.kind === 'pointer' && f.left.kind === 'path'
            ? this.distance(a.value, b.value, f.left)
            : arithmetic(f.kind, number(a), number(b));
        return { kind: 'integer', term };
      }
    }
  }

  /** A choice that is not taken needs no meaning. */
  private choice(f: ProbeFormula, isTaken: Term): Meant {
    const before = this.needed.length;
    const meant = this.meaning(f);
    const needed = this.needed.splice(before);
    this.needed.push(...needed.map((term) => L.implies(isTaken, term)));
    return meant;
  }

  /** In elements. Only pointers into one object have one. */
  private distance(p: SymbolicPointer, q: SymbolicPointer, path: ProbePath): Term {
    this.needed.push(inOneObject({ kind: 'pointer', value: p }, { kind: 'pointer', value: q }, () => L.TRUE)!);
    const bytes = arithmetic('-', p.offset, q.offset);
    return arithmetic('/', bytes, this.numeral(this.elementsOf(path).elementBytes));
  }

  /**
   * A length is divided by the size of its elements; where it is compared, the other side is multiplied instead, which
   * solvers like better: `n <= bytes / 4` is `4 * n <= bytes`.
   */
  private comparison({
    kind,
    left,
    right,
  }: {
    readonly kind: '<' | '<=' | '>' | '>=';
    readonly left: ProbeFormula;
    readonly right: ProbeFormula;
  }): [Term, Term] {
    const isRight = right.kind === 'length';
    const [length, other] = isRight ? [right, left] : [left, right];
    if (length.kind !== 'length') return [number(this.meaning(left)), number(this.meaning(right))];
    const { bytes, elementBytes } = this.extent(length.of);
    const n = number(this.meaning(other));
    const times = (of: Term): Term => arithmetic('*', of, this.numeral(elementBytes));
    // `n < length` is `n + 1 <= length`, and `length <= n` its opposite.
    const isShifted = isRight ? kind === '<' || kind === '>=' : kind === '>' || kind === '<=';
    const bound =
      elementBytes === 1
        ? n
        : isShifted
          ? arithmetic('-', times(arithmetic('+', n, this.numeral(1))), this.numeral(1))
          : times(n);
    return isRight ? [bound, bytes] : [bytes, bound];
  }

  private numeral(value: number): Term {
    return number(integer(BigInt(value)));
  }

  /**
   * From where a pointer leads to the end of its object, and of one element. Parameters lead into live objects; of a
   * pointer in memory that is not known, and none of the elements can be used if it does not.
   */
  private extent(path: ProbePath): { readonly bytes: Term; readonly elementBytes: number } {
    const { pointer: from, elementBytes } = this.elementsOf(path);
    const bytes = this.builder.evaluate(bytesFrom(from), this.state) as Term;
    if (path.steps.length === 0) return { bytes, elementBytes };
    const isUsable = and(isLive(from), atMost(zero(int64), offsetOf(from)));
    const usable = isTrue(this.builder.evaluate(isUsable, this.state));
    return { bytes: L.ite(usable, bytes, L.bits(0n, widthOf(bytes))), elementBytes };
  }

  private elementsOf({ variable, steps }: ProbePath): { readonly pointer: Expression; readonly elementBytes: number } {
    const [value, type] = this.value(variable, steps);
    const elementBytes =
      type.kind === 'pointer'
        ? elementSizeOf(type.to, this.builder.vocabulary.memoryModel.program.dataModel)
        : undefined;
    if (elementBytes === undefined)
      throw new ProbeError(
        `${variable} is a ${printType(type)}: elements can be counted behind a pointer to an object`,
      );
    return { pointer: value, elementBytes };
  }

  private truth(m: Meant): Term {
    switch (m.kind) {
      case 'boolean':
        return m.term;
      case 'integer':
        return L.not(L.eq(m.term, L.bits(0n, widthOf(m.term))));
      case 'float':
        throw new ProbeError('it uses floating point as a condition: compare it with a number');
      case 'pointer':
        return L.not(equal(m, { kind: 'pointer', value: this.builder.vocabulary.values.null }));
    }
  }

  private within<T>(polarity: Polarity, read: () => T): T {
    const outer = this.polarity;
    this.polarity = polarity;
    const result = read();
    this.polarity = outer;
    return result;
  }

  private ofList(f: Exclude<ListFormula, { is: 'length' }>): Term {
    const { state, list, type } = this.listOf(f);
    switch (f.is) {
      case 'acyclic':
        return this.stateCondition(isList(state, list), state);
      case 'through': {
        const node = this.meaning(f.node);
        if (node.kind !== 'pointer') throw new ProbeError('it looks for a number on a list');
        return this.stateCondition(isOnList(state, list, node.value), state);
      }
      case 'every': {
        const { state: here, builder, fn, location, author } = this;
        const condition = (node: SymbolicPointer): Term => {
          const nodes = new Map(this.nodes).set(f.name, { pointer: node, node: state.link.node, type });
          const reader = new ProbeReader(builder, fn, here, location, author, nodes);
          reader.polarity = this.polarity;
          return reader.truth(reader.meaning(f.condition));
        };
        return this.stateCondition(isEvery(state, list, condition), state);
      }
    }
  }

  /** The length of a list of the module's own, at most one node more than there are object numbers. */
  private numberOfNodes(f: ListFormula): Meant {
    const { state, list } = this.listOf(f);
    const length = lengthOf(state, list);
    if (!length)
      throw new ProbeError(
        `it counts a list of clients: the length of such a list is compared with a number up to ${mostListLength} only`,
      );
    this.needed.push(isList(state, list));
    this.counted.push(state);
    return integerOf(length);
  }

  /** A comparison of a list's length with a small constant, which needs no count. */
  private ofLength(f: {
    readonly kind: '==' | '!=' | '<' | '<=' | '>' | '>=';
    readonly left: ProbeFormula;
    readonly right: ProbeFormula;
  }): Term | undefined {
    const side = [f.left, f.right].find((one) => one.kind === 'list' && one.is === 'length');
    if (side?.kind !== 'list') return undefined;
    const other = side === f.left ? f.right : f.left;
    if (other.kind !== 'integer' || BigInt(other.value) > BigInt(mostListLength)) return undefined;
    const { state, list } = this.listOf(side);
    const compared = comparedLength(side === f.left ? f.kind : mirrored[f.kind], state, list, Number(other.value));
    return this.stateCondition(compared, state);
  }

  private stateCondition(term: Term, state: ListState): Term {
    return this.author === 'client' ? statedByClient(term, state, this.polarity) : term;
  }

  private listOf({ list: { variable, steps }, link }: ListFormula): ReturnType<typeof listAt> {
    if (this.nodes.has(variable) && steps.length === 0)
      throw new ProbeError('it states something of the list from each node on: state it of the whole list');
    const [value, type] = this.value(variable, steps);
    const { memoryModel } = this.builder.vocabulary;
    const found = listAt(value, this.builder.evaluate(value, this.state), type, link, {
      contents: this.state.memory.contents,
      memoryModel,
    });
    return found;
  }

  private member(node: ListNode, name: string, steps: readonly PathStep[]): Meant {
    const { memoryModel } = this.builder.vocabulary;
    const value = memberOf(node, name, steps, this.state.memory.contents, memoryModel);
    if (value.kind === 'pointer') return value;
    return integerOf(value.signed ? value.term : L.zeroExtend(value.term, widthOf(value.term) + 1));
  }

  private path(name: string, steps: readonly PathStep[]): Meant {
    const ofNode = this.nodes.get(name);
    if (ofNode) return this.member(ofNode, name, steps);
    const [value, type] = this.value(name, steps);
    const result = this.builder.evaluate(value, this.state);
    if (isPointer(result)) return { kind: 'pointer', value: result };
    if (type.kind === 'float')
      return {
        kind: 'float',
        term: widthOf(result) === 64 ? result : L.call('convert-float32-float64', L.bitsSort(64), result),
      };
    const integerType = type.kind === 'enum' ? type.underlying : type;
    if (integerType.kind !== 'integer')
      throw new ProbeError(`${name} is a ${printType(type)}: probes compute with integers and pointers`);
    return { kind: 'integer', term: integerType.signed ? result : L.zeroExtend(result, widthOf(result) + 1) };
  }

  /** A pointer, or where an array lies. */
  private pointerOf({ variable, steps }: ProbePath): Expression {
    const { place, scalar } = this.findPlace(variable, steps);
    if (place?.type.kind === 'array') return place.address;
    const [value, type] = scalar ?? this.loadScalar(variable, place!);
    if (type.kind !== 'pointer') throw new ProbeError(`'${variable}' is a ${printType(type)}, and leads to no object`);
    return value;
  }

  /** The path as an IR expression. */
  private value(name: string, steps: readonly PathStep[]): [Expression, CType] {
    const { place, scalar } = this.findPlace(name, steps);
    return scalar ?? this.loadScalar(name, place!);
  }

  private loadScalar(name: string, { address, type: of }: Place): [Expression, CType] {
    const type = scalarType(of);
    if (!type) throw new ProbeError(`'${name}' is a ${printType(of)}: compare its members`);
    return [{ kind: 'load', type, address }, of];
  }

  /** The place in memory that the path leads to, or the value of a variable outside it. */
  private findPlace(
    name: string,
    steps: readonly PathStep[],
  ):
    | { readonly place: Place; readonly scalar?: undefined }
    | { readonly place?: undefined; readonly scalar: [Expression, CType] } {
    const passed =
      this.author === 'client' && this.fn
        ? this.fn.parameters.find(
            (parameter) =>
              parameter.name === hiddenName(name) && passedStructure(this.fn!, parameter)?.as === 'argument',
          )
        : undefined;
    const local =
      this.author === 'client'
        ? this.fn?.parameters.find((parameter) => parameter.name === name)
        : this.fn && localNamed(this.fn, name, this.location);
    const variable = local?.kind === 'variable' ? local : undefined;
    const object = local?.kind === 'frame-object' ? local : undefined;
    const constant = this.builder.vocabulary.memoryModel.program.enumConstants.get(name);
    const global = this.builder.vocabulary.memoryModel.program.symbols.get(name);
    let place: { readonly address: Expression; readonly type: CType } | undefined;
    let scalar: { readonly value: Expression; readonly type: CType } | undefined;
    if (passed)
      place = {
        address: { kind: 'read', type: pointer, variable: passed },
        type: passedStructure(this.fn!, passed)!.type,
      };
    else if (object) place = { address: { kind: 'address', type: pointer, of: object }, type: object.ctype };
    else if (variable)
      scalar = { value: { kind: 'read', type: variable.type, variable }, type: variable.ctype ?? { kind: 'void' } };
    else if (global?.place.kind === 'static-object') place = { address: startOf(global.place), type: global.ctype };
    else if (global?.place.kind === 'variable')
      scalar = { value: { kind: 'read', type: global.place.type, variable: global.place }, type: global.ctype };
    else if (constant !== undefined)
      scalar = {
        value: { kind: 'integer', type: int64, value: constant },
        type: { kind: 'integer', name: 'long', widthBits: 64, signed: true },
      };
    else throw new ProbeError(`'${name}' is no variable ${this.fn ? `of ${this.fn.name} or ` : ''}of the module`);
    for (const step of steps) {
      if (!place) {
        if (scalar!.type.kind !== 'pointer')
          throw new ProbeError(`'${name}' is a ${printType(scalar!.type)}, which has no members`);
        place = { address: scalar!.value, type: scalar!.type.to };
        if (step.kind === 'dereference') {
          [place, scalar] = this.settle(place);
          continue;
        }
      } else if (place.type.kind === 'pointer') {
        place = { address: { kind: 'load', type: pointer, address: place.address }, type: place.type.to };
        if (step.kind === 'dereference') {
          [place, scalar] = this.settle(place);
          continue;
        }
      }
      place = this.step(place, step);
      scalar = undefined;
    }
    return place ? { place } : { scalar: [scalar!.value, scalar!.type] };
  }

  private settle(place: { address: Expression; type: CType }): [{ address: Expression; type: CType }, undefined] {
    return [place, undefined];
  }

  private step(
    place: { readonly address: Expression; readonly type: CType },
    step: PathStep,
  ): { address: Expression; type: CType } {
    const { program } = this.builder.vocabulary.memoryModel;
    const at = (delta: Expression, type: CType): { address: Expression; type: CType } => ({
      address: { kind: 'offset', type: pointer, pointer: place.address, delta },
      type,
    });
    const constant = (bytes: number): Expression => ({ kind: 'integer', type: int64, value: BigInt(bytes) });
    switch (step.kind) {
      case 'dereference':
        throw new ProbeError(`a ${printType(place.type)} is no pointer`);
      case 'field': {
        if (place.type.kind !== 'record')
          throw new ProbeError(`a ${printType(place.type)} has no member '${step.name}'`);
        const field = findField(place.type, step.name);
        if (!field) throw new ProbeError(`${printType(place.type)} has no member '${step.name}'`);
        return at(constant(field.offset), field.type);
      }
      case 'index': {
        const element = place.type.kind === 'array' ? place.type.of : place.type;
        const bytes = sizeOf(element, program.dataModel);
        if (bytes === undefined) throw new ProbeError(`the size of ${printType(element)} is not known`);
        return at(binary('multiply', this.index(step.index), constant(bytes)), element);
      }
    }
  }

  /** In 64 bits. What leaves them lies outside every object. */
  private index(f: ProbeFormula): Expression {
    switch (f.kind) {
      case 'integer':
        return { kind: 'integer', type: int64, value: BigInt(f.value) };
      case 'length': {
        const { pointer: from, elementBytes } = this.elementsOf(f.of);
        return binary('divide', bytesFrom(from), { kind: 'integer', type: int64, value: BigInt(elementBytes) });
      }
      case '-':
        return binary('subtract', this.index(f.left), this.index(f.right));
      case 'path': {
        const [value, type] = this.value(f.variable, f.steps);
        if (type.kind !== 'integer' && type.kind !== 'enum') throw new ProbeError('an index is an integer');
        return convert(value, int64);
      }
      default:
        throw new ProbeError('an index is a constant, a variable, a length, or a difference of such');
    }
  }
}

interface Place {
  readonly address: Expression;
  readonly type: CType;
}
