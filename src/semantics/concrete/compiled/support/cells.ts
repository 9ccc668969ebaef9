/** Cells of linear memory: reading and writing, and the state of objects' numbers. */
import { stateWords } from '../../objectState';
import { cells } from '../layout';
import { access, type Code } from '../wasm';

export const stateWord = (word: keyof typeof stateWords): number => cells.objectState + 4 * stateWords[word];

/** Pushes the word in a cell. */
export function load(code: Code, cell: number): void {
  code.i32(0);
  code.access(access.i32load, cell);
}

/** Stores the word that `push` pushes. */
export function store(code: Code, cell: number, push: () => void): void {
  code.i32(0);
  push();
  code.access(access.i32store, cell);
}
