/** Specifications of clients, as what is pasted. */
import type { Specification } from '../../../src/engines/angelic/specifications';
import { excusesSuggestion } from '../../../src/engines/portfolio/preconditionSuggestion';
import { file, task } from '../task';

const requires = (text: string): Specification => {
  const formula = { kind: 'path' } as never;
  return { kind: 'requires', function: 'f', text, formula };
};
const pasted = (...texts: string[]): string | undefined =>
  excusesSuggestion(task(file('int f(const char *p) { return *p; }')), texts.map(requires), [])
    ?.split('\n')
    .find((line) => line.startsWith('requires'));

test('a text or null, beside that it is not null, is a text', () => {
  expect(pasted('(p == NULL || PROVEST_TERMINATED(p))', 'p != NULL')).toBe("requires: { f: 'PROVEST_TERMINATED(p)' }");
  expect(pasted('p != NULL', '(p == NULL || PROVEST_LENGTH(p) >= n)')).toBe(
    "requires: { f: 'p != NULL && PROVEST_LENGTH(p) >= n' }",
  );
});

test('a text or null stays so alone, and so do other conditions', () => {
  expect(pasted('(p == NULL || PROVEST_TERMINATED(p))')).toBe(
    "requires: { f: '(p == NULL || PROVEST_TERMINATED(p))' }",
  );
  expect(pasted('(q == NULL || PROVEST_TERMINATED(q))', 'p != NULL')).toMatch('q == NULL');
  expect(pasted('(p == NULL || a || b)', 'p != NULL')).toMatch('(p == NULL || a || b)');
});
