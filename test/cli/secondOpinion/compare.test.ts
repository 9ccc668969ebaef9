import type { CbmcResult } from '../../../src/cli/secondOpinion/cbmc';
import { judgeChecks, type Comparison } from '../../../src/cli/secondOpinion/compare';
import type { CheckResult } from '../../../src/verdict';

const overflow: CheckResult = {
  check: 'signed-overflow',
  property: 'overflow',
  place: { file: 'p.c', line: 4, column: 3, function: 'main' },
  text: 'i + 1',
  status: 'proved',
  stage: 'houdini',
};
const assertion: CheckResult = {
  ...overflow,
  check: 'assertion',
  property: 'reach',
  place: { file: 'p.c', line: 2, column: 3, function: 'main' },
};
const result = (changes: Partial<CbmcResult>): CbmcResult => ({
  name: 'main.overflow.1',
  subject: { kind: 'check', property: 'overflow' },
  status: 'holds',
  line: 4,
  function: 'main',
  description: 'arithmetic overflow in i + 1',
  ...changes,
});
const step = (status: CbmcResult['status']): CbmcResult =>
  result({ subject: { kind: 'invariant', which: 'step' }, status, line: 3, description: 'preserved' });

function opinion(check: CheckResult, changes: Partial<Comparison>) {
  const comparison: Comparison = {
    contracts: [],
    executions: undefined,
    assertions: new Set(['__VERIFIER_assert']),
    lines: ['', '  __VERIFIER_assert(i > 0);', '', '', '  other();'],
    incomplete: undefined,
    ...changes,
  };
  return judgeChecks([check], comparison)[0]!.opinion;
}

test('a check is confirmed if the checks on its line and all invariants hold', () => {
  expect(opinion(overflow, { contracts: [result({}), step('holds')] })).toEqual({ kind: 'confirmed' });
});

test.each<[string, Partial<Comparison>, RegExp]>([
  ['nothing on the line', { contracts: [result({ line: 5 })] }, /no check of this property on the line/],
  ['another function', { contracts: [result({ function: 'other' })] }, /no check of this property/],
  [
    'an invariant that is not inductive',
    { contracts: [result({}), step('fails')] },
    /line 3 is not inductive for CBMC$/,
  ],
  ['no answer about one', { contracts: [result({}), step('unknown')] }, /no answer about the loop invariant/],
  [
    'a loop that goes on',
    { contracts: [result({}), result({ subject: { kind: 'unwinding' }, status: 'fails' })] },
    /fails/,
  ],
  ['a check that fails with contracts only', { contracts: [result({ status: 'fails' })] }, /too weak for CBMC$/],
  [
    'the same with conjuncts left out',
    { contracts: [result({ status: 'fails' })], incomplete: 'at line 3, 1 of 2 conjuncts cannot be expressed' },
    /too weak for CBMC; at line 3, 1 of 2/,
  ],
  ['one of two that fails', { contracts: [result({}), result({ status: 'unknown' })] }, /too weak/],
])('not decided: %s', (_, changes, why) => {
  const found = opinion(overflow, changes);
  expect(found).toMatchObject({ kind: 'not decided', why: expect.stringMatching(why) as string });
});

test('an execution that fails refutes, whatever holds with contracts', () => {
  const executions = [result({ status: 'fails' })];
  expect(opinion(overflow, { contracts: [result({})], executions }).kind).toBe('refuted');
  expect(opinion(overflow, { contracts: [result({})], executions: [result({})] }).kind).toBe('confirmed');
});

test('an assertion is looked for in the function that stands for it', () => {
  const inside = result({ subject: { kind: 'check', property: 'reach' }, function: '__VERIFIER_assert', line: 90 });
  expect(opinion(assertion, { contracts: [inside] }).kind).toBe('confirmed');
  expect(opinion(assertion, { contracts: [{ ...inside, function: 'main' }] }).kind).toBe('not decided');
  expect(opinion(assertion, { contracts: [inside], executions: [{ ...inside, status: 'fails' }] }).kind).toBe(
    'refuted',
  );
});
