/**
 * GNU's built-in questions about floating-point numbers that no operator answers, as the macros of <math.h> ask them:
 * of any real type, each argument evaluated once. They are written out in C; that some raise no exception where the
 * operators do is not modelled.
 */
import type { Span } from '../source';
import type { SyntaxExpression } from '../syntax';
import { writtenInC } from './writtenInC';

interface Question {
  readonly parameters: readonly string[];
  readonly declarations: string;
  readonly answer: string;
}

const question = (parameters: string, answer: string): Question => {
  const names = parameters.split(' ');
  return { parameters: names, declarations: names.map((name) => `__auto_type ${name} = 0;`).join(' '), answer };
};
const magnitude = '__auto_type size = x < 0 ? -x : x;';
/** Smallest normal number: a float's differs from that of a double, which `long double` is here. */
const smallestNormal = '(sizeof x == sizeof(float) ? 0x1p-126 : 0x1p-1022)';
const infinity = '__builtin_inf()';

const questions: ReadonlyMap<string, Question> = new Map([
  ['__builtin_isunordered', question('x y', 'x != x || y != y;')],
  ['__builtin_islessgreater', question('x y', 'x < y || x > y;')],
  ['__builtin_isnormal', question('x', `${magnitude} size >= ${smallestNormal} && size < ${infinity};`)],
  ['__builtin_isinf_sign', question('x', `x == ${infinity} ? 1 : x == -${infinity} ? -1 : 0;`)],
  [
    '__builtin_fpclassify',
    question(
      'nan infinite normal subnormal zero x',
      `${magnitude} x != x ? nan : size == ${infinity} ? infinite : size >= ${smallestNormal} ? normal : size > ` +
        '0 ? subnormal : zero;',
    ),
  ],
]);

/** Number of its arguments, and the call as a statement expression; undefined when the name is none of these. */
export function floatQuestion(
  name: string,
): { readonly count: number; write(args: readonly SyntaxExpression[], span: Span): SyntaxExpression } | undefined {
  const asked = questions.get(name);
  return (
    asked && {
      count: asked.parameters.length,
      write: (args, span) =>
        writtenInC(`${asked.declarations} ${asked.answer}`, [...asked.parameters, 'size'], args, span),
    }
  );
}
