/** A matcher's promise knows whether the test waits for it, when used as `expect` uses it. */
import { trackAwaiting, type AwaitedPromise } from '../../../plugin/session/awaitedPromise';

/** Jest 29 and 30: `result.then(process).catch(handle)`. */
function check(result: Promise<number>): {
  readonly promise: Promise<number>;
  readonly pending: () => AwaitedPromise[];
} {
  const all: AwaitedPromise[] = [];
  const matcher = trackAwaiting(result, (pending) => all.push(pending)) as Promise<number>;
  const promise = matcher
    .then((n) => {
      if (n < 0) throw new Error('negative');
      return n;
    })
    .catch((error: unknown) => {
      throw error;
    });
  return { promise, pending: () => all.filter((p) => !p.awaited) };
}

test('a promise that is not awaited', async () => {
  const { pending } = check(Promise.resolve(-1));
  expect(pending()).toHaveLength(1);
  await expect(pending()[0]!.settled).rejects.toThrow('negative');
});

test.each<[string, (p: Promise<number>) => unknown]>([
  [
    'await',
    async (p) => {
      await p;
    },
  ],
  ['return', (p) => Promise.resolve(p)],
  ['all', (p) => Promise.all([p])],
  ['catch', (p) => p.catch(() => {})],
  ['finally', (p) => p.finally(() => {})],
])('%s counts as asking', async (_, use) => {
  const { promise, pending } = check(Promise.resolve(1));
  await use(promise);
  expect(pending()).toEqual([]);
  await expect(promise).resolves.toBe(1);
});

test('a promise that was asked but is not settled is not done', async () => {
  let settle = (_: number): void => {};
  const all: AwaitedPromise[] = [];
  const matcher = trackAwaiting(
    new Promise<number>((resolve) => {
      settle = resolve;
    }),
    (pending) => all.push(pending),
  ) as Promise<number>;
  const promise = matcher
    .then((n) => n)
    .catch((error: unknown) => {
      throw error;
    });
  void promise.then(() => {});
  const last = all.at(-1)!;
  expect(last).toMatchObject({ awaited: true, done: false });
  settle(5);
  await promise;
  expect(last.done).toBe(true);
});
