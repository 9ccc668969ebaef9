/** Searches a tree for a program, with one solver for all of a file's tests. */
import { Budget } from '../../../src/budget';
import { Solvers } from '../../../src/engines/solvers';
import { searched, type SearchedTree, type TreeOptions } from './searched';

let shared: Solvers | undefined;
afterAll(async () => {
  await shared?.close();
  shared = undefined;
});

/** `text` defines `foo`. Loops are closed at once; see `decidedRounds`. */
export function treeOf(text: string, options: TreeOptions = {}): Promise<SearchedTree> {
  shared ??= new Solvers(1, Budget.start({ milliseconds: 36_000_000 }), {});
  return searched(text, options, shared);
}
