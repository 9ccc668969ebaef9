/** All library functions the machine runs itself, by name: those of `program/natives.ts`. */
import { math } from './math';
import type { Native } from './native';
import { stdio } from './stdio';
import { time } from './time';

export const natives: ReadonlyMap<string, Native> = new Map(Object.entries({ ...stdio, ...math, ...time }));
