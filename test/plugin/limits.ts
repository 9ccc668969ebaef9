/** Imported by the probe tests, so that a compiler turns its name into a member of a module object. */
export const Limits = { small: 1, large: 1000 };
