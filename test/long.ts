/** Suites have a short form, and with PROVEST_LONG=1 their long one. */
export const isLong = process.env.PROVEST_LONG === '1';

/** In the long form alone. */
export function ifLong<T>(...items: readonly T[]): readonly T[] {
  return isLong ? items : [];
}

/** Of a table of cases that are much alike: every other one in the short form. */
export function everyOther<T>(cases: readonly T[]): readonly T[] {
  return isLong ? cases : cases.filter((_, i) => i % 2 === 0);
}

/** A test that takes long, in the long form alone. */
export const inLongForm: jest.It = isLong ? test : test.skip;

/** Number of random cases, and what is expected to depend on it: a third in the short form. */
export function runs(count: number): number {
  return isLong ? count : Math.ceil(count / 3);
}
