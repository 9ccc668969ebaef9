/**
 * Arithmetic, comparisons and conversions as WebAssembly, total as in the IR: division by zero and shifts by too much
 * have their documented values. The emitter of expressions gives the operands.
 */
import type { BinaryOperator, CompareOperator, Expression, IntegerScalar, Scalar } from '../../../program/expression';
import { unreachable } from '../../../unreachable';
import type { ExpressionEmitter } from './expressions';
import { wasmTypeOf } from './layout';
import { op, type Code, type WasmType } from './wasm';

export class ArithmeticEmitter {
  private readonly code: Code;
  constructor(private readonly emitter: ExpressionEmitter) {
    this.code = emitter.code;
  }

  unary(operator: 'negate' | 'complement', operand: Expression, type: Scalar): void {
    const { code } = this;
    if (type.kind === 'pointer') throw new Error('lowering makes no arithmetic on pointers');
    if (type.kind === 'float') {
      this.emitter.value(operand);
      return code.op(type.widthBits === 64 ? op.f64neg : op.f32neg);
    }
    const wide = type.widthBits === 64;
    if (operator === 'complement') {
      this.emitter.value(operand);
      if (wide) code.i64(-1n);
      else code.i32(-1);
      code.op(wide ? op.i64xor : op.i32xor);
    } else {
      if (wide) code.i64(0n);
      else code.i32(0);
      this.emitter.value(operand);
      code.op(wide ? op.i64sub : op.i32sub);
    }
    this.canonical(type);
  }

  /** Brings an i32 that is right modulo 2^width into the range of its type. */
  canonical(type: IntegerScalar): void {
    const { code } = this;
    if (type.widthBits >= 32) return;
    if (type.signed) return code.op(type.widthBits === 8 ? op.i32extend8S : op.i32extend16S);
    code.i32(type.widthBits === 8 ? 0xff : 0xffff);
    code.op(op.i32and);
  }

  binary(operator: BinaryOperator, left: Expression, right: Expression, type: IntegerScalar): void {
    const { code } = this;
    const wide = type.widthBits === 64;
    const plain = (narrowOp: number, wideOp: number) => {
      this.emitter.value(left);
      this.emitter.value(right);
      code.op(wide ? wideOp : narrowOp);
      this.canonical(type);
    };
    switch (operator) {
      case 'add':
        return plain(op.i32add, op.i64add);
      case 'subtract':
        return plain(op.i32sub, op.i64sub);
      case 'multiply':
        return plain(op.i32mul, op.i64mul);
      case 'and':
        return plain(op.i32and, op.i64and);
      case 'or':
        return plain(op.i32or, op.i64or);
      case 'xor':
        return plain(op.i32xor, op.i64xor);
      case 'divide':
      case 'remainder':
        return this.division(operator, left, right, type);
      case 'shift-left':
      case 'shift-right': {
        this.emitter.value(left);
        this.emitter.value(right);
        const rightIsWide = right.type.kind === 'integer' && right.type.widthBits === 64;
        if (wide && !rightIsWide) code.op(op.i64extendU);
        if (!wide && rightIsWide) code.op(op.i32wrap);
        if (type.widthBits < 32) {
          code.i32(type.widthBits - 1);
          code.op(op.i32and);
        }
        if (operator === 'shift-left') code.op(wide ? op.i64shl : op.i32shl);
        else if (type.signed) code.op(wide ? op.i64shrS : op.i32shrS);
        else code.op(wide ? op.i64shrU : op.i32shrU);
        return this.canonical(type);
      }
      default:
        return unreachable(operator);
    }
  }

  /** By zero: 0, or the left operand. The smallest by -1 wraps. */
  private division(operator: 'divide' | 'remainder', left: Expression, right: Expression, type: IntegerScalar): void {
    const { code } = this;
    const wide = type.widthBits === 64;
    const wasm: WasmType = wide ? 'i64' : 'i32';
    const divides = operator === 'divide';
    const divide = () => {
      if (wide) code.op(divides ? (type.signed ? op.i64divS : op.i64divU) : type.signed ? op.i64remS : op.i64remU);
      else code.op(divides ? (type.signed ? op.i32divS : op.i32divU) : type.signed ? op.i32remS : op.i32remU);
    };
    if (right.kind === 'integer' && right.value !== 0n && right.value !== -1n) {
      this.emitter.value(left);
      this.emitter.value(right);
      divide();
      return this.canonical(type);
    }
    this.emitter.withTemporary(wasm, (a) =>
      this.emitter.withTemporary(wasm, (b) => {
        this.emitter.value(left);
        this.emitter.value(right);
        code.set(b);
        code.set(a);
        // Neither 0 nor -1 (of an unsigned type -1 is no special case, but costs nothing).
        code.get(b);
        if (wide) {
          code.i64(1n);
          code.op(op.i64add);
          code.i64(1n);
          code.op(op.i64gtU);
        } else {
          code.i32(1);
          code.op(op.i32add);
          code.i32(1);
          code.op(op.i32gtU);
        }
        code.if(wasm);
        code.get(a);
        code.get(b);
        divide();
        code.else();
        code.get(b);
        code.op(wide ? op.i64eqz : op.i32eqz);
        code.if(wasm);
        if (divides) {
          if (wide) code.i64(0n);
          else code.i32(0);
        } else {
          code.get(a);
        }
        code.else();
        if (!type.signed) {
          code.get(a);
          code.get(b);
          divide();
        } else if (divides) {
          if (wide) code.i64(0n);
          else code.i32(0);
          code.get(a);
          code.op(wide ? op.i64sub : op.i32sub);
        } else if (wide) {
          code.i64(0n);
        } else {
          code.i32(0);
        }
        code.end();
        code.end();
      }),
    );
    this.canonical(type);
  }

  floatBinary(operator: BinaryOperator, left: Expression, right: Expression, widthBits: 32 | 64): void {
    const { code } = this;
    const wide = widthBits === 64;
    this.emitter.value(left);
    this.emitter.value(right);
    switch (operator) {
      case 'add':
        return code.op(wide ? op.f64add : op.f32add);
      case 'subtract':
        return code.op(wide ? op.f64sub : op.f32sub);
      case 'multiply':
        return code.op(wide ? op.f64mul : op.f32mul);
      case 'divide':
        return code.op(wide ? op.f64div : op.f32div);
      case 'remainder':
      case 'and':
      case 'or':
      case 'xor':
      case 'shift-left':
      case 'shift-right':
        throw new Error(`C has no ${operator} of floats, the front end refuses it`);
      default:
        return unreachable(operator);
    }
  }

  compare(operator: CompareOperator, left: Expression, right: Expression): void {
    const { code } = this;
    const { type } = left;
    const ordered = type.kind === 'pointer' && (operator === 'lt' || operator === 'le');
    // In the order of (object, signed offset): flipping the offset's sign makes that the order of unsigned numbers.
    const operand = (e: Expression) => {
      this.emitter.value(e);
      if (ordered) {
        code.i64(0x8000_0000n);
        code.op(op.i64xor);
      }
    };
    if (right.kind === 'integer' && right.value === 0n && operator === 'eq') {
      this.emitter.value(left);
      return code.op(wasmTypeOf(type) === 'i64' ? op.i64eqz : op.i32eqz);
    }
    operand(left);
    operand(right);
    const signed = type.kind === 'integer' && type.signed;
    switch (wasmTypeOf(type)) {
      case 'i32':
        return code.op(
          { eq: op.i32eq, ne: op.i32ne, lt: signed ? op.i32ltS : op.i32ltU, le: signed ? op.i32leS : op.i32leU }[
            operator
          ],
        );
      case 'i64':
        return code.op(
          { eq: op.i64eq, ne: op.i64ne, lt: signed ? op.i64ltS : op.i64ltU, le: signed ? op.i64leS : op.i64leU }[
            operator
          ],
        );
      case 'f32':
        return code.op({ eq: op.f32eq, ne: op.f32ne, lt: op.f32lt, le: op.f32le }[operator]);
      case 'f64':
        return code.op({ eq: op.f64eq, ne: op.f64ne, lt: op.f64lt, le: op.f64le }[operator]);
    }
  }

  convert(operand: Expression, to: Scalar): void {
    const from = operand.type;
    this.emitter.value(operand);
    if (from.kind === 'pointer') {
      if (to.kind === 'pointer') return;
      const { model, support } = this.emitter;
      if (model === 'ilp32') this.code.call(support.pack);
      this.code.call(support.address[model]);
      return this.convertInteger({ kind: 'integer', widthBits: model === 'lp64' ? 64 : 32, signed: false }, to);
    }
    if (to.kind === 'pointer') {
      const address: IntegerScalar = {
        kind: 'integer',
        widthBits: this.emitter.model === 'lp64' ? 64 : 32,
        signed: false,
      };
      if (from.kind === 'float') this.convertFloat(from.widthBits, address);
      else this.convertInteger(from, address);
      this.code.call(this.emitter.support.pointer[this.emitter.model]);
      if (this.emitter.model === 'ilp32') this.code.call(this.emitter.support.unpack);
      return;
    }
    if (from.kind === 'float') this.convertFloat(from.widthBits, to);
    else this.convertInteger(from, to);
  }

  private convertInteger(from: IntegerScalar, to: Exclude<Scalar, { kind: 'pointer' }>): void {
    const { code } = this;
    const wide = from.widthBits === 64;
    if (to.kind === 'float') {
      if (to.widthBits === 64)
        return code.op(
          wide
            ? from.signed
              ? op.f64convertI64S
              : op.f64convertI64U
            : from.signed
              ? op.f64convertI32S
              : op.f64convertI32U,
        );
      return code.op(
        wide
          ? from.signed
            ? op.f32convertI64S
            : op.f32convertI64U
          : from.signed
            ? op.f32convertI32S
            : op.f32convertI32U,
      );
    }
    if (to.widthBits === 64) {
      if (!wide) code.op(from.signed ? op.i64extendS : op.i64extendU);
      return;
    }
    if (wide) code.op(op.i32wrap);
    if (to.widthBits < from.widthBits || to.signed !== from.signed) this.canonical(to);
  }

  private convertFloat(widthBits: 32 | 64, to: Exclude<Scalar, { kind: 'pointer' }>): void {
    const { code } = this;
    if (to.kind === 'float') {
      if (widthBits !== to.widthBits) code.op(to.widthBits === 64 ? op.f64promote : op.f32demote);
      return;
    }
    if (widthBits === 32) code.op(op.f64promote);
    code.call(this.emitter.support.truncate);
    if (to.widthBits === 64) return;
    code.op(op.i32wrap);
    this.canonical(to);
  }
}
