/**
 * One token of a conformance program changed: another operator, another number, a condition turned round. What became
 * of its verdict is not known; CBMC is asked. Nothing in the notation of the programs themselves (`extern`, includes,
 * the first line) changes.
 */
import { Random } from '../../src/semantics/concrete/random';
import type { ConformanceProgram } from '../../test/conformance/programs';

const others: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>', '!='],
  '<=': ['<', '=='],
  '>': ['>=', '<'],
  '>=': ['>', '!='],
  '==': ['!=', '<='],
  '!=': ['==', '<'],
  '+': ['-'],
  '-': ['+'],
  '&&': ['||'],
  '||': ['&&'],
  '++': ['--'],
  '--': ['++'],
  '+=': ['-=', '='],
  '-=': ['+='],
};

export function mutantOf(program: ConformanceProgram, seed: number): ConformanceProgram | undefined {
  const random = new Random(seed);
  const pick = <T>(choices: readonly T[]): T => choices[random.below(choices.length)]!;
  const lines = program.text.split('\n').map((line) => line.replace(/\s*\/\/ <- fails$/, ''));
  const places = lines.flatMap((line, at) =>
    at === 0 || /^\s*(#|extern|\/\/|\/\*|\*)/.test(line)
      ? []
      : [...line.matchAll(/"[^"]*"|'[^']*'|\/\/.*|->|&&|\|\||\+\+|--|[-+*/%&|^<>=!]=|<<|>>|[-+<>]|\b\d+\b/g)]
          .filter(([token]) => token in others || /^\d+$/.test(token))
          .map((match) => ({ at, column: match.index, token: match[0] })),
  );
  if (places.length === 0) return undefined;
  const { at, column, token } = pick(places);
  const number = Number(token);
  const replaced = /^\d+$/.test(token)
    ? String(pick([number + 1, Math.max(0, number - 1), 0, number * 2].filter((n) => n !== number)))
    : pick(others[token]!);
  lines[at] = lines[at]!.slice(0, column) + replaced + lines[at]!.slice(column + token.length);
  return { ...program, id: `${program.id}~${seed}`, text: lines.join('\n') };
}
