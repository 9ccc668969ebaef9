/** An answer against what the program says of itself. Neither `unknown` nor a potential error contradicts anything. */
import { BUNDLED } from '../../src/c/preprocess/headerSearch';
import type { ConformanceProgram } from './programs';

export interface Answer {
  readonly kind: 'proved' | 'conditional' | 'bug' | 'potential-error' | 'unknown' | 'not-evaluated';
  /** Of a bug. */
  readonly line?: number;
  readonly cause?: string;
}

/** Where the program fails: in its own text, if that calls a function of the bundled library that does. */
export function failingLine(stack: readonly { readonly file: string; readonly line: number }[]): number {
  return (stack.find(({ file }) => !file.startsWith(BUNDLED)) ?? stack[0]!).line;
}

export type Judgement =
  | { readonly kind: 'solved' }
  | { readonly kind: 'undecided'; readonly why: string }
  | { readonly kind: 'wrong'; readonly why: string };

export function judge({ expect }: Pick<ConformanceProgram, 'expect'>, answer: Answer): Judgement {
  switch (answer.kind) {
    case 'proved':
      if (expect.kind === 'proved') return { kind: 'solved' };
      return {
        kind: 'wrong',
        why:
          expect.kind === 'bug'
            ? `proved, but ${expect.line === undefined ? 'a check' : `line ${expect.line}`} fails`
            : `proved, but nothing is: ${expect.cause}`,
      };
    case 'bug':
      if (expect.kind !== 'bug') return { kind: 'wrong', why: `a bug on line ${answer.line}, but no check can fail` };
      return expect.line === undefined || answer.line === expect.line
        ? { kind: 'solved' }
        : { kind: 'wrong', why: `a bug on line ${answer.line}, but line ${expect.line} fails` };
    case 'unknown':
      return expect.kind === 'unknown' && expect.cause === answer.cause
        ? { kind: 'solved' }
        : { kind: 'undecided', why: answer.cause ?? 'unknown' };
    case 'conditional':
    case 'potential-error':
    case 'not-evaluated':
      return { kind: 'undecided', why: answer.kind };
  }
}
