/**
 * Runs begin from the initial state, each on its own, so their order says nothing: `--randomize`, workers and shards
 * change it. Questions are asked about them in one order.
 */
export function inOneOrder<R>(runs: readonly R[]): readonly R[] {
  if (runs.length < 2) return runs;
  return runs
    .map((run) => ({ run, text: JSON.stringify(run) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ run }) => run);
}
