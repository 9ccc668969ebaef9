/**
 * A formula over a vocabulary as an expression of the intermediate form, with the same value in every concrete state:
 * so that whoever runs programs can compute it like the program's own expressions, in compiled code too. The concrete
 * reading of symbols is that of `ConcreteView`.
 *
 * A boolean is an int32, 0 or 1; a word is an unsigned integer of the next larger type, its upper bits zero. A bit
 * pattern that a formula compares as a floating-point number is that number. What does not fit (words over 64 bits,
 * other uses of floating-point numbers, arrays that are more than memory as it is, quantifiers) is `undefined`, and the
 * caller must compute the formula otherwise.
 */
import type { Signedness } from '../../logic/build';
import { floatOf } from '../../logic/floats/patterns';
import type { Application, SymbolTerm, Term } from '../../logic/term';
import * as E from '../../program/build';
import { int64, type Expression, type FloatScalar, type IntegerScalar, type Scalar } from '../../program/expression';
import type { FunctionDefinition } from '../../program/program';
import { keyOf } from '../../program/automata/repeatedChecks';
import type { DefinednessRole, SlotRole } from '../../semantics/symbolic/memoryModel';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { unreachable } from '../../unreachable';

const limits = {
  /** Terms share parts, expressions repeat them: so many nodes are given out, counted with repetition. */
  nodes: 250,
} as const;

class NotExpressible extends Error {}

/** A floating-point number is read as such, or not at all. */
type Reading = 'word' | 'number';

/** `fn`: whose activation the formula mentions. */
export function asExpression(term: Term, vocabulary: Vocabulary, fn: FunctionDefinition): Expression | undefined {
  try {
    return new Translation(vocabulary, fn).of(term);
  } catch (error) {
    if (error instanceof NotExpressible) return undefined;
    throw error;
  }
}

class Translation {
  private nodes = 0;
  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly fn: FunctionDefinition,
  ) {}

  of(term: Term): Expression {
    if (++this.nodes > limits.nodes) throw new NotExpressible();
    switch (term.kind) {
      case 'boolean':
        return E.truthValue(term.value);
      case 'bits':
        return E.integer(term.value, wordType(term.sort.width));
      case 'symbol':
        return this.symbol(term, 'word');
      case 'apply':
        return this.apply(term);
      case 'forall':
      case 'exists':
        throw new NotExpressible();
      default:
        return unreachable(term);
    }
  }

  private apply(term: Application): Expression {
    const { operator, args, parameters } = term;
    if (operator === 'select') return this.element(args[0]!, args[1]!, 'word');
    if (operator === 'call') return this.comparison(term);
    if (args.some(({ sort }) => sort.kind === 'array') || term.sort.kind === 'array') throw new NotExpressible();
    const parts = args.map((arg) => this.of(arg));
    const [a, b, c] = parts as [Expression, Expression, Expression];
    const width = widthOf(args[0]!);
    switch (operator) {
      case 'not':
        return E.not(a);
      case 'and':
        return parts.length === 0 ? E.yes : E.and(...parts);
      case 'or':
        return parts.length === 0 ? E.no : E.or(...parts);
      case 'eq':
        return E.equal(a, b);
      case 'ite':
        return E.conditional(a, b, c);
      case 'unsigned-less':
        return E.less(a, b);
      case 'unsigned-less-equal':
        return E.atMost(a, b);
      case 'signed-less':
        return E.less(asSigned(a, width), asSigned(b, width));
      case 'signed-less-equal':
        return E.atMost(asSigned(a, width), asSigned(b, width));
      case 'negate':
        return cut(E.unary('negate', a), width);
      case 'complement':
        return cut(E.unary('complement', a), width);
      case 'add':
        return cut(chain('add', parts), width);
      case 'subtract':
        return cut(E.binary('subtract', a, b), width);
      case 'multiply':
        return cut(chain('multiply', parts), width);
      case 'bit-and':
        return chain('and', parts);
      case 'bit-or':
        return chain('or', parts);
      case 'bit-xor':
        return chain('xor', parts);
      case 'unsigned-divide':
        return E.conditional(isZero(b), allOnes(width), E.binary('divide', a, b));
      // By zero both give the left operand.
      case 'unsigned-remainder':
        return E.binary('remainder', a, b);
      case 'signed-divide': {
        const byZero = E.conditional(
          E.less(asSigned(a, width), E.integer(0, signedType(width))),
          E.integer(1, wordType(width)),
          allOnes(width),
        );
        return E.conditional(
          isZero(b),
          byZero,
          asUnsigned(E.binary('divide', asSigned(a, width), asSigned(b, width)), width),
        );
      }
      case 'signed-remainder':
        return asUnsigned(E.binary('remainder', asSigned(a, width), asSigned(b, width)), width);
      case 'shift-left':
        return E.conditional(
          isBelow(b, width),
          cut(E.binary('shift-left', a, b), width),
          E.integer(0, wordType(width)),
        );
      case 'logical-shift-right':
        return E.conditional(isBelow(b, width), E.binary('shift-right', a, b), E.integer(0, wordType(width)));
      case 'arithmetic-shift-right': {
        const by = E.conditional(isBelow(b, width), b, E.integer(width - 1, wordType(width)));
        return asUnsigned(E.binary('shift-right', asSigned(a, width), by), width);
      }
      case 'concat':
        return parts
          .map((value, i) => ({ value, bits: widthOf(args[i]!) }))
          .reduce((high, low) => {
            const bits = high.bits + low.bits;
            const type = wordType(bits);
            const raised = E.binary('shift-left', E.convert(high.value, type), E.integer(low.bits, type));
            return { value: E.binary('or', raised, E.convert(low.value, type)), bits };
          }).value;
      case 'extract': {
        const [high, low] = [parameters[0]!, parameters[1]!];
        const moved = low === 0 ? a : E.binary('shift-right', a, E.integer(low, wordType(width)));
        return asUnsigned(moved, high - low + 1);
      }
      case 'zero-extend':
        return E.convert(a, wordType(width + parameters[0]!));
      case 'sign-extend':
        return asUnsigned(E.convert(asSigned(a, width), signedType(width + parameters[0]!)), width + parameters[0]!);
      case 'store':
      case 'constant-array':
      case 'identity-relation':
      case 'link-written':
      case 'link-counted':
        throw new NotExpressible();
      default:
        return unreachable(operator);
    }
  }

  /** Orders of floating-point numbers. */
  private comparison({ name, args }: Application): Expression {
    const [, operator, width] = /^float-(eq|lt|le)-(32|64)$/.exec(name ?? '') ?? [];
    if (!operator) throw new NotExpressible();
    const type: FloatScalar = { kind: 'float', widthBits: width === '32' ? 32 : 64 };
    const [a, b] = args.map((arg) => this.number(arg, type)) as [Expression, Expression];
    return E.compare(operator as 'eq' | 'lt' | 'le', a, b);
  }

  /** The number whose bit pattern the term is. */
  private number(term: Term, type: FloatScalar): Expression {
    if (++this.nodes > limits.nodes) throw new NotExpressible();
    const value = this.numberOf(term, type);
    if (!E.sameScalar(value.type, type)) throw new NotExpressible();
    return value;
  }

  private numberOf(term: Term, type: FloatScalar): Expression {
    if (term.kind === 'bits') return E.float(floatOf(term.value, type.widthBits), type);
    if (term.kind === 'symbol') return this.symbol(term, 'number');
    if (term.kind !== 'apply') throw new NotExpressible();
    const { operator, args } = term;
    if (operator === 'select') return this.element(args[0]!, args[1]!, 'number');
    if (operator !== 'ite') throw new NotExpressible();
    return E.conditional(this.of(args[0]!), this.number(args[1]!, type), this.number(args[2]!, type));
  }

  private get half(): number {
    return this.vocabulary.memoryModel.half;
  }

  private symbol(symbol: SymbolTerm, as: Reading): Expression {
    const meaning = this.vocabulary.meaning(symbol);
    if (!meaning) throw new NotExpressible();
    switch (meaning.kind) {
      case 'variable':
        if (meaning.variable.scope === 'local' && meaning.function !== this.fn) throw new NotExpressible();
        return this.part(E.read(meaning.variable), meaning.variable.type, meaning.part, as);
      case 'object':
        if (meaning.function !== this.fn) throw new NotExpressible();
        return this.part(E.addressOf(meaning.object), { kind: 'pointer' }, 'object', as);
      case 'memory': {
        const { role } = meaning.memory;
        if ((role.kind !== 'slot' && role.kind !== 'written') || role.addressing !== 'plain')
          throw new NotExpressible();
        return this.slot(role, this.single(role), E.integer(role.slot === 'byte' ? 0 : role.slot.offset, int64), as);
      }
      default:
        return unreachable(meaning);
    }
  }

  private part(value: Expression, type: Scalar, part: 'value' | 'object' | 'offset', as: Reading): Expression {
    if (type.kind === 'pointer') {
      if (part === 'value') throw new NotExpressible();
      return E.convert(part === 'object' ? E.objectOf(value) : E.offsetOf(value), wordType(this.half));
    }
    if (part !== 'value') throw new NotExpressible();
    if (type.kind === 'float') {
      if (as === 'word') throw new NotExpressible();
      return value;
    }
    return E.convert(value, wordType(type.widthBits));
  }

  /** An element of memory as the state has it. */
  private element(array: Term, index: Term, as: Reading): Expression {
    const meaning = this.vocabulary.meaning(array);
    if (meaning?.kind !== 'memory') throw new NotExpressible();
    const { role } = meaning.memory;
    if ((role.kind === 'slot' || role.kind === 'written') && role.addressing === 'by-object-and-offset')
      return this.slot(role, this.address(index), E.integer(0, int64), as);
    const at = this.of(index);
    switch (role.kind) {
      case 'size':
        return E.convert(E.objectSize(this.pointer(at)), wordType(this.half));
      case 'live': {
        const last = E.integer(this.vocabulary.memoryModel.lastStatic, wordType(this.half));
        return E.and(E.less(last, at), E.isLive(this.pointer(at)));
      }
      case 'heap':
        return E.isHeap(this.pointer(at));
      case 'allocation-site':
      case 'allocation-counter':
      case 'reach':
      case 'acyclic':
      case 'count':
      case 'linked':
      case 'holder':
      case 'parent':
      case 'ancestor':
      case 'forest':
        throw new NotExpressible();
      case 'slot':
      case 'written': {
        const exact = E.integer(role.slot === 'byte' ? 0 : role.slot.offset, int64);
        switch (role.addressing) {
          case 'plain':
          case 'by-object-and-offset':
            throw new NotExpressible();
          case 'by-offset':
            return this.slot(role, this.single(role), this.asOffset(at), as);
          case 'by-object':
            return this.slot(role, this.beginning(at), exact, as);
          default:
            return unreachable(role.addressing);
        }
      }
      default:
        return unreachable(role);
    }
  }

  private slot(role: SlotRole | DefinednessRole, base: Expression, offset: Expression, as: Reading): Expression {
    const { slot } = role;
    if (role.kind === 'written') return E.isInitialised(E.offset(base, offset), slot === 'byte' ? 1 : slot.bytes);
    const type: Scalar = slot === 'byte' ? wordType(8) : slot.type;
    return this.part(E.load(type, E.offset(base, offset)), type, role.part, as);
  }

  private asOffset(word: Expression): Expression {
    return E.convert(E.convert(word, signedType(this.half)), int64);
  }

  /** A pointer made of both its halves; where they are those of one pointer, up to a constant, it is that one. */
  private address(index: Term): Expression {
    if (
      index.kind === 'apply' &&
      index.operator === 'concat' &&
      index.args.length === 2 &&
      widthOf(index.args[1]!) === this.half
    ) {
      const [object, offset] = [this.of(index.args[0]!), this.of(index.args[1]!)];
      const whole = pointerBehind(object, 'object-of');
      if (whole) {
        const [start, more] =
          offset.kind === 'binary' && offset.operator === 'add' && offset.right.kind === 'integer'
            ? [offset.left, this.asOffset(offset.right)]
            : [offset, E.integer(0, int64)];
        const same = pointerBehind(start, 'offset-of');
        if (same && keyOf(same) === keyOf(whole)) return E.offset(whole, more);
      }
      return E.offset(this.beginning(object), this.asOffset(offset));
    }
    const at = this.of(index);
    const object = E.binary('shift-right', at, E.integer(this.half, wordType(2 * this.half)));
    return E.offset(
      this.beginning(E.convert(object, wordType(this.half))),
      this.asOffset(E.convert(at, wordType(this.half))),
    );
  }

  /** Some pointer into the object of a number. */
  private pointer(object: Expression): Expression {
    return pointerBehind(object, 'object-of') ?? this.beginning(object);
  }

  /** To the beginning of the object of a number. */
  private beginning(object: Expression): Expression {
    const behind = pointerBehind(object, 'object-of');
    if (behind) return behind.kind === 'address' ? behind : E.offset(behind, E.unary('negate', E.offsetOf(behind)));
    const address = wordType(2 * this.half);
    return E.convert(E.binary('shift-left', E.convert(object, address), E.integer(this.half, address)), {
      kind: 'pointer',
    });
  }

  private single({ single }: SlotRole | DefinednessRole): Expression {
    if (single?.kind === 'static') return E.addressOf(single.object);
    // A function that may call itself has no object that is the only one of its kind.
    if (single?.kind === 'frame' && single.function === this.fn) return E.addressOf(single.object);
    throw new NotExpressible();
  }
}

/** The pointer that a word is half of. */
function pointerBehind(word: Expression, half: 'object-of' | 'offset-of'): Expression | undefined {
  return word.kind === 'convert' && word.operand.kind === half ? word.operand.pointer : undefined;
}

function wordType(width: number): IntegerScalar {
  return integerType(width, 'unsigned');
}
function signedType(width: number): IntegerScalar {
  return integerType(width, 'signed');
}
function integerType(width: number, signedness: Signedness): IntegerScalar {
  const widthBits = width <= 8 ? 8 : width <= 16 ? 16 : width <= 32 ? 32 : 64;
  if (width > widthBits) throw new NotExpressible();
  return { kind: 'integer', widthBits, signed: signedness === 'signed' };
}

function widthOf({ sort }: Term): number {
  return sort.kind === 'bits' ? sort.width : 0;
}

/** Without what lies above the word. */
function cut(e: Expression, width: number): Expression {
  const type = wordType(width);
  return type.widthBits === width ? e : E.binary('and', e, E.integer((1n << BigInt(width)) - 1n, type));
}

/** Any integer's lower bits as a word. */
function asUnsigned(e: Expression, width: number): Expression {
  return cut(E.convert(e, wordType(width)), width);
}

/** A word read as two's complement. */
function asSigned(e: Expression, width: number): Expression {
  const type = signedType(width);
  const value = E.convert(e, type);
  if (type.widthBits === width) return value;
  const room = E.integer(type.widthBits - width, type);
  return E.binary('shift-right', E.binary('shift-left', value, room), room);
}

function chain(operator: 'add' | 'multiply' | 'and' | 'or' | 'xor', parts: readonly Expression[]): Expression {
  return parts.reduce((left, right) => E.binary(operator, left, right));
}

function isZero(e: Expression): Expression {
  return E.equal(e, E.zero(e.type));
}

/** Condition for a valid shift of a word of this width. */
function isBelow(amount: Expression, width: number): Expression {
  return E.less(amount, E.integer(width, wordType(width)));
}

function allOnes(width: number): Expression {
  return E.integer((1n << BigInt(width)) - 1n, wordType(width));
}
