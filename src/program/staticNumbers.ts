/** Numbers of objects and functions that live as long as the program: from 1, objects first. */
import type { Program } from './program';

/** The last of them. A copy of a function has the number of the function: no pointer leads to a copy alone. */
export const lastStaticNumber = ({ objects, functions }: Program): number =>
  objects.length + functions.filter(({ copyOf }) => copyOf === undefined).length;
