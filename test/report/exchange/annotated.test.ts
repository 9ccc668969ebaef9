import { annotatedProgram, type AnnotationDialect } from '../../../src/report';
import type { LoopAnnotation } from '../../../src/verdict';

const none = { conjuncts: [], leftOut: 0 };

function annotate(
  source: string,
  loops: readonly (Partial<LoopAnnotation> & { readonly keyword: string; readonly nth?: number })[],
  dialect: AnnotationDialect = 'cbmc',
) {
  const annotations = loops.map(({ keyword, nth = 0, ...rest }): LoopAnnotation => {
    const start = [...source.matchAll(new RegExp(`\\b${keyword}\\b`, 'g'))][nth]!.index;
    const line = source.slice(0, start).split('\n').length;
    return { place: { file: '/w/p.c', line, column: 1, function: 'main' }, start, cbmc: none, acsl: none, ...rest };
  });
  const result = annotatedProgram(annotations, {
    dialect,
    file: '/w/p.c',
    source,
    entry: 'main',
    base: '/w',
    name: 'out.c',
  });
  const [, body] = /#line 1 "p.c"\n([^]*)$/.exec(result.text)!;
  return { ...result, body };
}
const said = (...conjuncts: string[]) => ({ cbmc: { conjuncts, leftOut: 0 }, acsl: { conjuncts, leftOut: 0 } });

test('contracts stand between the head of a loop and its body, and no line moves', () => {
  const source =
    'int main(void) {\n  int i = 0;\n  while (i < (3)) /* ) */ i++;\n  for (i = 0; i < 3;\n       i++) { }\n}\n';
  const { body, annotated } = annotate(source, [
    { keyword: 'while', ...said('i >= 0', 'i <= 3') },
    { keyword: 'for', ...said('i <= 3') },
  ]);
  expect(body).toBe(
    'int main(void) {\n  int i = 0;\n' +
      '  while (i < (3)) __CPROVER_loop_invariant(i >= 0) __CPROVER_loop_invariant(i <= 3)  /* ) */ i++;\n' +
      '  for (i = 0; i < 3;\n       i++) __CPROVER_loop_invariant(i <= 3)  { }\n}\n',
  );
  expect(annotated).toBe(2);
});

test('a loop of which nothing was needed has the contract that says nothing', () => {
  const { body } = annotate('int main(void) { for (;;) { } }\n', [{ keyword: 'for' }]);
  expect(body).toBe('int main(void) { for (;;) __CPROVER_loop_invariant(1 == 1)  { } }\n');
});

test('a do loop becomes a while loop that breaks; with a continue it has no contract', () => {
  const source = 'int main(void) { int i = 9; do { i--;\n } while (i > 0); return i; }\n';
  expect(annotate(source, [{ keyword: 'do', ...said('i > 0') }]).body).toBe(
    'int main(void) { int i = 9; while (1) __CPROVER_loop_invariant(i > 0) { { i--;\n } if (! (i > 0)) break; } ' +
      'return i; }\n',
  );
  const { body, unannotated } = annotate(source.replace('i--;', 'i--; continue;'), [
    { keyword: 'do', ...said('i > 0') },
  ]);
  expect(body).toBe(source.replace('i--;', 'i--; continue;'));
  expect(unannotated).toEqual([{ line: 1, function: 'main', why: 'a do loop with a continue has no contract' }]);
});

test('ACSL stands in a comment before the loop', () => {
  const { body } = annotate(
    'int main(void) { int i = 0; do i++; while (i < 3); }\n',
    [{ keyword: 'do', ...said('i >= 0') }],
    'acsl',
  );
  expect(body).toBe('int main(void) { int i = 0; /*@ loop invariant i >= 0; */ do i++; while (i < 3); }\n');
});

test('invariants of one loop from several parts are joined, and omitted ones are counted', () => {
  const loop = { keyword: 'while' };
  const { body, unannotated } = annotate('int main(void) { int i = 0; while (i < 3) i++; }\n', [
    { ...loop, ...said('i >= 0') },
    { ...loop, cbmc: { conjuncts: ['i <= 3', 'i >= 0'], leftOut: 2 } },
  ]);
  expect(body).toContain('while (i < 3) __CPROVER_loop_invariant(i >= 0) __CPROVER_loop_invariant(i <= 3)  i++;');
  expect(unannotated).toEqual([{ line: 1, function: 'main', why: '2 of 4 conjuncts cannot be expressed' }]);
});

test('a loop of jumps or out of a macro has no place; one that the proof goes through at once needs none', () => {
  const place = { file: '/w/p.c', line: 1, column: 1, function: 'main' };
  const source = 'int main(void) { again: goto again; }\n';
  const context = { dialect: 'cbmc', file: '/w/p.c', source, entry: 'main', base: '/w', name: 'o.c' } as const;
  const jumps = annotatedProgram([{ place, ...said('1 == 1') }], context);
  expect(jumps).toMatchObject({ annotated: 0, rounds: 0, unannotated: [{ line: 1 }] });
  const unrolled = annotatedProgram([{ place, rounds: 5, cbmc: none, acsl: none }], context);
  expect(unrolled).toMatchObject({ annotated: 0, rounds: 5, unannotated: [] });
});

test('functions that verifiers define are defined for CBMC, as the program declares them', () => {
  const { text } = annotate(
    'extern void __VERIFIER_assert(_Bool c);\nextern void assume(int);\nextern void reach_error(void);\n' +
      'int main(void) { for (;;) { assume(1); __VERIFIER_assert(1); reach_error(); } }\n',
    [{ keyword: 'for' }],
  );
  expect(text.split('\n').slice(-6)).toEqual([
    '#ifdef __CPROVER__',
    'void reach_error(void) { __CPROVER_assert(!(1), "reach_error"); __CPROVER_assume(0); }',
    'void __VERIFIER_assert(_Bool condition) { __CPROVER_assert(!(!condition), "__VERIFIER_assert"); }',
    'void assume(int condition) { __CPROVER_assume(!(!condition)); }',
    '#endif',
    '',
  ]);
});
