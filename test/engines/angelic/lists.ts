/** The two lists of a verdict: errors that nothing excuses, and specifications that excuse the others. */
import type { Verdict } from '../../../src';

export const errors = (verdict: Verdict): readonly string[] => {
  if (verdict.kind !== 'bug') return [];
  const excused = new Set(verdict.angelic?.specifications.map(({ example }) => example));
  return [verdict.counterexample, ...(verdict.further ?? [])]
    .filter((one) => !excused.has(one))
    .map(({ failure }) => `${failure.place.function}: ${failure.message}`);
};

export const specifications = ({ angelic }: Verdict): readonly string[] =>
  (angelic?.specifications ?? []).map(({ text }) => text).sort();
