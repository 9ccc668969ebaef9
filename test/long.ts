/** Suites have a short form, and with PROVEST_LONG=1 their long one. */
export const isLong = process.env.PROVEST_LONG === '1';

/** In the long form alone. */
export function ifLong<T>(...items: readonly T[]): readonly T[] {
  return isLong ? items : [];
}

/** A test that takes long, in the long form alone. */
export const inLongForm: jest.It = isLong ? test : test.skip;
