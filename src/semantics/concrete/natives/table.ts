/** All library functions the machine runs itself, by name: those of `program/natives.ts`. */
import { effectiveTypes } from './effectiveTypes';
import { math } from './math';
import type { Native } from './native';
import { numbers } from './numbers';
import { stdio } from './stdio';
import { streams } from './streams';

export const natives: ReadonlyMap<string, Native> = new Map(
  Object.entries({ ...stdio, ...streams, ...numbers, ...math, ...effectiveTypes }),
);
