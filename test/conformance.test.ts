/**
 * Every answer agrees with the verdict written in the program, or is none. Every 24th program; all of them with
 * PROVEST_CONFORMANCE=all.
 */
import { CError, verify } from '../src/index';
import type { Verdict } from '../src/verdict';
import { failingLine, judge, type Answer } from './conformance/judge';
import { readPrograms, taskOf, type ConformanceProgram } from './conformance/programs';

const budgetMs = 3000;
const programs = readPrograms();
const chosen = process.env.PROVEST_CONFORMANCE === 'all' ? programs : programs.filter((_, i) => i % 24 === 0);
const judgements: string[] = [];

async function check(program: ConformanceProgram): Promise<void> {
  const judgement = judge(program, await answer(program));
  judgements.push(judgement.kind);
  if (judgement.kind === 'wrong') throw new Error(`${program.id}: ${judgement.why}`);
}

/** A program that is refused, because of C that is not modelled, has no answer. */
async function answer(program: ConformanceProgram): Promise<Answer> {
  try {
    return answerOf(await verify(taskOf(program, budgetMs)));
  } catch (error) {
    if (error instanceof CError) return { kind: 'not-evaluated' };
    throw error;
  }
}

function answerOf(verdict: Verdict): Answer {
  switch (verdict.kind) {
    case 'proved':
      return { kind: 'proved' };
    case 'bug':
      return { kind: 'bug', line: failingLine(verdict.counterexample.stack) };
    case 'conditional':
    case 'potential-error':
    case 'unknown':
    case 'not-evaluated':
      return { kind: verdict.kind, cause: verdict.reason.cause };
  }
}

describe('no answer contradicts the program', () => {
  test.each(chosen.map((program) => [program.id, program] as const))('%s', (_, program) => check(program));

  afterAll(() => {
    const solved = judgements.filter((kind) => kind === 'solved').length;
    process.stdout.write(
      `conformance: solved ${solved} of ${chosen.length}, ` +
        `${judgements.filter((kind) => kind === 'wrong').length} wrong, ` +
        `${programs.length - chosen.length} not asked\n`,
    );
  });
});

describe('the set', () => {
  const ofKind = (kind: string) => programs.filter(({ expect }) => expect.kind === kind).length;

  test('has proofs and bugs in equal parts', () => {
    expect(programs.length).toBeGreaterThanOrEqual(150);
    expect(ofKind('proved')).toBeGreaterThan(programs.length / 3);
    expect(ofKind('bug')).toBeGreaterThan(programs.length / 3);
  });

  test('is judged strictly: an answer of the other kind, and a bug elsewhere, are wrong', () => {
    const said = (expectation: ConformanceProgram['expect'], answer: Answer) =>
      judge({ expect: expectation }, answer).kind;
    expect(said({ kind: 'proved' }, { kind: 'bug', line: 3 })).toBe('wrong');
    expect(said({ kind: 'bug', line: 3 }, { kind: 'proved' })).toBe('wrong');
    expect(said({ kind: 'bug', line: 3 }, { kind: 'bug', line: 4 })).toBe('wrong');
    expect(said({ kind: 'unknown', cause: 'vacuous' }, { kind: 'proved' })).toBe('wrong');
    expect(said({ kind: 'unknown', cause: 'vacuous' }, { kind: 'unknown', cause: 'vacuous' })).toBe('solved');
    expect(said({ kind: 'bug', line: 3 }, { kind: 'potential-error' })).toBe('undecided');
    expect(said({ kind: 'proved' }, { kind: 'unknown', cause: 'time-budget' })).toBe('undecided');
  });
});
