/** All library functions the machine runs itself, by name. */
import type { Native } from './native';

export const natives: ReadonlyMap<string, Native> = new Map();
