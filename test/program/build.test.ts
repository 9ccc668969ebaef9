/** Every constructor means what the plain node means (the law stated in `build.ts`), whatever it folds. */
import fc from 'fast-check';
import * as build from '../../src/program/build';
import type {
  BinaryOperator,
  CompareOperator,
  Expression,
  IntegerScalar,
  Scalar,
  Variable,
} from '../../src/program/expression';
import {
  float64,
  int16,
  int32,
  int64,
  int8,
  pointer,
  uint16,
  uint32,
  uint64,
  uint8,
} from '../../src/program/expression';
import { ConcreteValues, type ConcreteValue } from '../../src/semantics/concrete/concreteValues';
import { Evaluator } from '../../src/semantics/evaluate';
import type { ProgramState } from '../../src/semantics/values';

const types: readonly IntegerScalar[] = [int8, uint8, int16, uint16, int32, uint32, int64, uint64];
const variables: readonly Variable[] = [...types, pointer, float64].map((type, slot) => ({
  kind: 'variable',
  scope: 'local',
  slot,
  name: `v${slot}`,
  type,
  temporary: false,
}));
const [aPointer, aFloat] = [variables[types.length]!, variables[types.length + 1]!];

/** An expression, as made by the constructors and as plain nodes. */
interface Pair {
  readonly folded: Expression;
  readonly plain: Expression;
}
const cast = (e: Expression, type: Scalar): Expression =>
  build.sameScalar(e.type, type) ? e : { kind: 'convert', type, operand: e };
const interesting = (type: IntegerScalar) =>
  fc.oneof(
    fc.constantFrom(-1n, 0n, 1n, 2n, build.minimum(type), build.maximum(type)),
    fc.bigInt({ min: build.minimum(type), max: build.maximum(type) }),
  );
const leaf: fc.Arbitrary<Pair> = fc
  .constantFrom(...types)
  .chain((type) =>
    fc.oneof(
      interesting(type).map((value) => build.integer(value, type)),
      fc.constant(build.read(variables[types.indexOf(type)]!)),
    ),
  )
  .map((e) => ({ folded: e, plain: e }));

const binaryOperators: readonly BinaryOperator[] = [
  'add',
  'subtract',
  'multiply',
  'divide',
  'remainder',
  'and',
  'or',
  'xor',
  'shift-left',
  'shift-right',
];
const compareOperators: readonly CompareOperator[] = ['eq', 'ne', 'lt', 'le'];

const { expression } = fc.letrec<{ expression: Pair }>((tie) => ({
  expression: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc
      .tuple(fc.constantFrom(...binaryOperators), tie('expression'), tie('expression'))
      .map(([operator, l, r]): Pair => {
        const type = l.folded.type as IntegerScalar;
        const shift = operator.startsWith('shift');
        return {
          folded: build.binary(operator, l.folded, shift ? r.folded : build.convert(r.folded, type)),
          plain: { kind: 'binary', type, operator, left: l.plain, right: shift ? r.plain : cast(r.plain, type) },
        };
      }),
    fc
      .tuple(fc.constantFrom(...compareOperators), tie('expression'), tie('expression'))
      .map(([operator, l, r]): Pair => ({
        folded: build.compare(operator, l.folded, build.convert(r.folded, l.folded.type)),
        plain: { kind: 'compare', type: int32, operator, left: l.plain, right: cast(r.plain, l.plain.type) },
      })),
    fc
      .tuple(fc.constantFrom(...types), tie('expression'))
      .map(([type, e]): Pair => ({ folded: build.convert(e.folded, type), plain: cast(e.plain, type) })),
    fc.tuple(fc.constantFrom(...types), tie('expression')).map(([type, e]): Pair => ({
      folded: build.convert(build.convert(e.folded, pointer), type),
      plain: cast(cast(e.plain, pointer), type),
    })),
    fc
      .tuple(fc.constantFrom('negate' as const, 'complement' as const), tie('expression'))
      .map(([operator, e]): Pair => ({
        folded: build.unary(operator, e.folded),
        plain: { kind: 'unary', type: e.plain.type, operator, operand: e.plain },
      })),
    tie('expression').map((e): Pair => ({ folded: build.truth(e.folded), plain: isTrue(e.plain) })),
    tie('expression').map((e): Pair => ({ folded: build.not(e.folded), plain: isFalse(e.plain) })),
    fc.tuple(tie('expression'), tie('expression')).map(([l, r]): Pair => ({
      folded: build.and(l.folded, r.folded),
      plain: { kind: 'binary', type: int32, operator: 'and', left: isTrue(l.plain), right: isTrue(r.plain) },
    })),
    fc.tuple(tie('expression'), tie('expression')).map(([l, r]): Pair => ({
      folded: build.or(l.folded, r.folded),
      plain: { kind: 'binary', type: int32, operator: 'or', left: isTrue(l.plain), right: isTrue(r.plain) },
    })),
    fc.tuple(tie('expression'), tie('expression'), tie('expression')).map(([c, t, o]): Pair => ({
      folded: build.conditional(c.folded, t.folded, build.convert(o.folded, t.folded.type)),
      plain: {
        kind: 'conditional',
        type: t.plain.type,
        condition: isTrue(c.plain),
        then: t.plain,
        otherwise: cast(o.plain, t.plain.type),
      },
    })),
    fc
      .tuple(fc.constantFrom('offset-of' as const, 'object-of' as const), tie('expression'), tie('expression'))
      .map(([kind, d, e]): Pair => {
        const base = build.read(aPointer);
        const [first, second] = [build.convert(d.folded, int64), build.convert(e.folded, int64)];
        const moved = build.offset(build.offset(base, first), second);
        const plain: Expression = {
          kind: 'offset',
          type: pointer,
          delta: cast(e.plain, int64),
          pointer: { kind: 'offset', type: pointer, pointer: base, delta: cast(d.plain, int64) },
        };
        return {
          folded: kind === 'offset-of' ? build.offsetOf(moved) : build.objectOf(moved),
          plain: { kind, type: int64, pointer: plain },
        };
      }),
    fc.tuple(fc.constantFrom(...compareOperators), tie('expression')).map(([operator, e]): Pair => {
      const compared = (converted: Expression): Expression => ({
        kind: 'compare',
        type: int32,
        operator,
        left: build.read(aFloat),
        right: converted,
      });
      const negated = (e2: Expression): Expression => ({
        kind: 'compare',
        type: int32,
        operator: 'eq',
        left: e2,
        right: build.no,
      });
      return {
        folded: build.not(build.compare(operator, build.read(aFloat), build.convert(e.folded, float64))),
        plain: negated(compared(cast(e.plain, float64))),
      };
    }),
  ),
}));

function isTrue(e: Expression): Expression {
  return { kind: 'compare', type: int32, operator: 'ne', left: e, right: build.zero(e.type) };
}
function isFalse(e: Expression): Expression {
  return { kind: 'compare', type: int32, operator: 'eq', left: e, right: build.zero(e.type) };
}

test.each(['lp64', 'ilp32'] as const)('a folded expression has the value of the plain one (%s)', (model) => {
  const values = new ConcreteValues(model);
  const evaluator = new Evaluator<ConcreteValue>(values);
  const locals = fc.tuple(
    ...types.map((type) => interesting(type).map((value) => values.integer(value, type))),
    interesting(uint64).map((bits) => values.convert(uint64, pointer)(values.integer(bits, uint64))),
    fc.oneof(fc.constant(NaN), fc.double()),
  );
  fc.assert(
    fc.property(expression, locals, ({ folded, plain }, slots) => {
      const state = {
        globals: [],
        locals: slots,
        objects: [],
        memory: {} as never,
      } satisfies ProgramState<ConcreteValue>;
      expect(folded.type).toEqual(plain.type);
      expect(evaluator.evaluate(folded, state)).toEqual(evaluator.evaluate(plain, state));
    }),
    { numRuns: 3000 },
  );
});
