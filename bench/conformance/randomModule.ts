/**
 * Random modules whose truth can be computed: a few statics of three bits each, functions of one byte, so that all
 * states that any sequence of calls reaches are enumerated natively. They aim at what proofs of modules get wrong: what
 * holds between calls, in any order of them.
 */
import { Random } from '../../src/semantics/concrete/random';

export interface RandomModule {
  readonly text: string;
  readonly functions: readonly string[];
  readonly variables: readonly { readonly place: string; readonly initial: number }[];
}

export function randomModule(seed: number): RandomModule {
  const random = new Random(seed);
  const below = (n: number): number => random.below(n);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;
  const scalars = ['s0', 's1', 's2'].slice(0, 2 + below(2));
  const places = [...scalars, 'a[0]', 'a[1]'];
  const variables = places.map((place) => ({ place, initial: below(4) === 0 ? below(8) : 0 }));
  const leaf = (): string => pick([...places, ...scalars, 'x', 'x', `a[${pick(scalars)} & 1]`, '*p', String(below(9))]);
  const expression = (depth: number): string => {
    if (depth === 0) return leaf();
    const [l, r] = [expression(depth - 1), leaf()];
    return pick([
      `(${l} ${pick(['+', '-', '*', '&', '|', '^'])} ${r})`,
      `(${l} ${pick(['<', '==', '!=', '>='])} ${r})`,
      `(${l} ? ${r} : ${leaf()})`,
      l,
    ]);
  };
  const condition = (): string =>
    pick([
      `${expression(1)} ${pick(['<', '>', '==', '!='])} ${expression(1)}`,
      `${leaf()} == ${below(8)}`,
      `${leaf()} ${pick(['>', '<'])} ${below(9)}`,
    ]);
  /** Functions defined so far: a helper with a loop, and entries, which the module then calls, too. */
  const defined = ['helper'];
  const statement = (depth: number): string => {
    switch (below(depth > 0 ? 9 : 4)) {
      case 0:
      case 1:
      case 2:
        return `  ${pick([...scalars, ...places, `a[${leaf()} & 1]`, '*p'])} = ${expression(2)} & 7;`;
      case 3:
        return `  p = ${pick([...scalars.map((s) => `&${s}`), `&a[${leaf()} & 1]`])};`;
      case 4:
      case 5:
        return (
          `  if (${condition()}) {\n${statement(depth - 1)}\n  ` +
          `}${below(2) ? ` else {\n${statement(depth - 1)}\n  }` : ''}`
        );
      case 6:
        return `  if (${condition()}) return ${leaf()};`;
      case 8:
        return `  ${pick(scalars)} = ${pick(defined)}(${leaf()}) & 7;`;
      default:
        return (
          `  for (int i = 0; i < ${1 + below(3)}; i++) ` +
          `{\n${statement(0)}\n${below(2) ? `  if (${condition()}) break;\n` : ''}  }`
        );
    }
  };
  const helper =
    `static int helper(unsigned char x) {\n  unsigned *p = &${pick(scalars)};\n  int r = 0;\n` +
    `  for (int i = 0; i < (x & 3); i++) {\n  r += 1 + (${condition()});\n${statement(0)}\n  }\n  return r;\n}`;
  const functions = ['f0', 'f1', 'f2'].slice(0, 2 + below(2));
  const bodies = functions.map((name, i) => {
    // A pointer of each call's own: what it points to between the calls would be part of the state.
    const body = Array.from({ length: 2 + below(3) }, () => statement(2)).join('\n');
    const check =
      i === 0
        ? `  if (${pick([
            `${pick(places)} == ${below(8)}`,
            `${pick(places)} + ${pick(places)} == ${below(15)}`,
            `${pick(places)} > ${pick(places)}`,
            `${pick(places)} == ${below(8)} && ${pick(places)} == ${below(8)}`,
          ])}) reach_error();\n`
        : '';
    defined.push(name);
    return (
      `int ${name}(unsigned char x) {\n  unsigned *p = ` +
      `&${pick(scalars)};\n${below(2) ? check + body : `${body}\n${check}`}\n  return 0;\n}`
    );
  });
  return {
    functions,
    variables,
    text: [
      'extern void reach_error(void);',
      ...scalars.map((s, i) => `static unsigned ${s} = ${variables[i]!.initial};`),
      `static unsigned a[2] = { ${variables
        .slice(-2)
        .map(({ initial }) => initial)
        .join(', ')} };`,
      helper,
      ...bodies,
      '',
    ].join('\n'),
  };
}
