/** Texts with an end, as an excuse where a number says how long the text is. */
import { curesOf } from '../../../src/engines/angelic/cures';
import { precondition, type Specification, specificationText } from '../../../src/engines/angelic/specifications';
import { verify } from '../../../src/index';
import { file, task } from '../task';
import { type Calls, withTrace } from './failingTrace';

jest.setTimeout(120_000);

const isEnd = (text: string): boolean => text.includes('PROVEST_TERMINATED');

const ends = (text: string, calls: Calls, kept: readonly string[]): Promise<readonly string[]> =>
  withTrace(text, calls, async (trace) => {
    const taken = kept.map((said): Specification => precondition(trace.problem.program, 'find', said)!);
    const found: string[] = [];
    const failure = { ...trace, isKnown: () => false, vocabulary: 'default', taken: () => taken } as const;
    for await (const { specification } of curesOf(failure)) found.push(specificationText(specification));
    return found.filter(isEnd);
  });

const late = `int find(const char *s, unsigned n, char c) {
  for (unsigned i = 0; s[i] && i < n; i++) if (s[i] == c) return (int)i;
  return -1;
}`;
const heedless = `int find(const char *s, unsigned n, char c) {
  unsigned i = 0;
  while (s[i] && s[i] != c) i++;
  return i < n;
}`;
const three: Calls = ({ characters }) => [['find', characters([1, 1, 1]), 3, 2]];

test.each([
  ['is one for a function of which nothing says how far it reads', late, [], true],
  ['is none for a read behind the number', late, ['PROVEST_LENGTH(s) >= n'], false],
  [
    'is none where the length comes with other conditions',
    late,
    ['s != NULL && n < 9 && n <= PROVEST_LENGTH(s)'],
    false,
  ],
  ['is one beside a constant length', late, ['PROVEST_LENGTH(s) >= 1'], true],
  ['is one for a function that does not look at the number', heedless, ['PROVEST_LENGTH(s) >= n'], true],
])('%s', async (_, text, kept, isExcused) => {
  expect((await ends(text, three, kept)).length > 0).toBe(isExcused);
});

test('a stated length counts like one that is offered', async () => {
  const formula = {
    kind: '>=',
    left: { kind: 'length', of: { kind: 'path', variable: 's', steps: [] } },
    right: { kind: 'path', variable: 'n', steps: [] },
  } as const;
  const requires = [{ function: 'find', formula }];
  const verdict = await verify(task(file(late), { requires, budget: { milliseconds: 60_000 } }));
  expect(verdict.kind).toBe('bug');
  expect(verdict.angelic?.specifications.filter(({ text }) => isEnd(text)) ?? []).toEqual([]);
});
