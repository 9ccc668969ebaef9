/**
 * Share of the abstract states that is asked for, in percent: from `high` on it is good, below `low` it is poor, below
 * `break` it is a failure.
 */
export interface Thresholds {
  readonly high?: number;
  readonly low?: number;
  readonly break?: number;
}

const names: readonly (keyof Thresholds)[] = ['high', 'low', 'break'];

/** Objection to it; undefined when there is none. */
export function objectionToThresholds(value: unknown): string | undefined {
  const wanted = 'percentages, { high: 90, low: 70, break: 50 }';
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wanted;
  for (const [name, share] of Object.entries(value)) {
    if (!names.some((known) => known === name)) return `${wanted}, without '${name}'`;
    if (typeof share !== 'number' || !(share >= 0 && share <= 100)) return `${wanted}; ${name} is from 0 to 100`;
  }
  const { high = 100, low = 0 } = value as Thresholds;
  return high < low ? `${wanted}; high is not below low` : undefined;
}

/** `ratio`: from 0 to 1. */
export function grade(ratio: number, { high, low }: Thresholds): 'good' | 'fair' | 'poor' | undefined {
  if (high === undefined && low === undefined) return undefined;
  const share = ratio * 100 + 1e-9;
  if (low !== undefined && share < low) return 'poor';
  return high !== undefined && share < high ? 'fair' : 'good';
}

export function breaks(ratio: number, thresholds: Thresholds): boolean {
  return thresholds.break !== undefined && ratio * 100 + 1e-9 < thresholds.break;
}
