/**
 * The table of checks of one file, put together from all results about it. A check that several questions are about,
 * by several test files or for other properties, has the worst of their answers.
 */
import type { VerdictJson } from '../report';
import { liesIn, type ModuleResult } from './moduleResult';

export type CheckRow = VerdictJson['checks'][number] & { readonly result: ModuleResult };

const rank = { proved: 0, open: 1, fails: 2 } as const;

/** In the order of the text. */
export function checksOf(results: readonly ModuleResult[], file: string): readonly CheckRow[] {
  const worst = new Map<string, CheckRow>();
  for (const result of results)
    for (const check of result.verdict.checks) {
      if (check.library || !liesIn(result, check.place, file)) continue;
      const key = `${check.place.line}:${check.place.column}:${check.check}:${check.text}`;
      const known = worst.get(key);
      if (!known || rank[check.status] > rank[known.status]) worst.set(key, { ...check, result });
    }
  return [...worst.values()].sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
}

/** `3 checks proved`, `1 of 3 checks fails`, `2 of 3 checks proved, 1 open`. */
export function checkCount(checks: readonly CheckRow[]): string {
  const count = (status: CheckRow['status']): number => checks.filter((check) => check.status === status).length;
  const [proved, fails, open] = [count('proved'), count('fails'), count('open')];
  const noun = `check${checks.length === 1 ? '' : 's'}`;
  if (proved === checks.length) return `${proved} of ${checks.length} ${noun} proved`;
  return [
    `${proved} of ${checks.length} ${noun} proved`,
    ...(fails > 0 ? [`${fails} fail${fails === 1 ? 's' : ''}`] : []),
    ...(open > 0 ? [`${open} open`] : []),
  ].join(', ');
}
