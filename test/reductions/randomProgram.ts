/** Random programs with loops, calls, arrays and pointers, over few variables. */
import fc from 'fast-check';

const variable = fc.constantFrom('x', 'y', 'g', 'h');
const place = fc.oneof(variable, fc.constantFrom('a[0]', 'a[i & 1]', '*p', 's.left', 's.right'));
const operand = fc.oneof(place, fc.integer({ min: -2, max: 4 }).map(String));
export const condition = fc.tuple(operand, fc.constantFrom('<', '<=', '==', '!='), operand).map((all) => all.join(' '));
const assignment = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(place, operand, fc.constantFrom('+', '-', '^', '&'), operand) },
  { weight: 1, arbitrary: place.map((target) => [target, 'nondet()', '&', '3'] as const) },
  { weight: 1, arbitrary: fc.tuple(place, fc.constant('twice(y)'), fc.constant('+'), operand) },
);
const simple = fc.oneof(
  assignment.map(([target, left, operator, right]) => `${target} = ${left} ${operator} ${right};`),
  operand.map((value) => `add(${value});`),
  operand.map((value) => `count(${value});`),
  fc.constant('p = &a[y & 1];'),
);
const statement = fc.oneof(
  { weight: 3, arbitrary: simple },
  {
    weight: 2,
    arbitrary: fc.tuple(condition, simple, simple).map(([c, then, other]) => `if (${c}) { ${then} } else { ${other} }`),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 3 }), simple)
      .map(([n, body]) => `for (j = 0; j < ${n}; j++) { ${body} }`),
  },
);
const block = (maxLength: number) =>
  fc.array(statement, { minLength: 1, maxLength }).map((statements) => statements.join('\n    '));

const shared = [
  'extern int nondet(void);',
  'extern void error(void);',
  'struct two { int left, right; };',
  'static int g, h, a[3];',
  'static struct two s;',
  'static int *p = a;',
  'static int twice(int v) { if (v > 2) return v; return v + v; }',
  'static void add(int v) { if (v > 1) g = g + v; *p = v; s.left = h; }',
  'static void count(int v) { int k; for (k = 0; k < 2; k++) { h = h + (v & 1); a[2] = k; } }',
];

/** `main` asks for one condition, in its loop or behind it. */
export const program = fc
  .tuple(block(3), block(4), block(2), condition, fc.boolean())
  .map(([before, round, after, claim, inside]) =>
    [
      ...shared,
      'int main(void) {',
      '  int x = nondet() & 7, y = 1, i, j;',
      `    ${before}`,
      '  for (i = 0; i < 4; i++) {',
      `    ${round}`,
      ...(inside ? [`    if (!(${claim})) error();`] : []),
      '  }',
      `    ${after}`,
      ...(inside ? [] : [`  if (!(${claim})) error();`]),
      '  return 0;',
      '}',
      '',
    ].join('\n'),
  );

/** Three functions that clients call, over the same data. */
export const moduleText = fc
  .tuple(block(3), block(3), block(3))
  .map((bodies) =>
    [...shared, ...bodies.map((body, i) => `void entry${i}(int x) {\n  int y = 1, i = 0, j;\n    ${body}\n}`), ''].join(
      '\n',
    ),
  );
