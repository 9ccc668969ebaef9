/**
 * A matcher's promise that knows whether the test waits for it. `expect` itself calls `then` and then `catch`; what it
 * hands to the user is a promise whose `then` tells. A promise nobody asks is a forgotten `await`.
 */
export interface AwaitedPromise {
  awaited: boolean;
  done: boolean;
  readonly settled: Promise<unknown>;
}

class ObservedPromise<T> extends Promise<T> {
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }
  declare onObserved: (() => void) | undefined;
  // `await`, `catch`, `finally` and `Promise.all` all come through here.
  override then<A = T, B = never>(
    fulfilled?: ((value: T) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.onObserved?.();
    return super.then(fulfilled, rejected);
  }
}

type Register = (pending: AwaitedPromise) => void;

/** Result of a matcher. `register` gets the record of the promise that reaches the user. */
export function trackAwaiting<T>(result: Promise<T>, register: Register): PromiseLike<T> {
  return {
    then(fulfilled, rejected) {
      const first = observe(result.then(fulfilled, rejected), register);
      // The `catch` that follows is still expect's own: the promise after it is the user's.
      void Object.defineProperty(first.promise, 'catch', {
        value: (handler: (reason: unknown) => never) => {
          first.pending.awaited = first.pending.done = true;
          return observe(first.pending.settled.catch(handler), register).promise;
        },
      });
      return first.promise;
    },
  };
}

function observe<T>(
  settled: Promise<T>,
  register: Register,
): { readonly promise: Promise<T>; readonly pending: AwaitedPromise } {
  const pending: AwaitedPromise = { awaited: false, done: false, settled };
  const done = () => {
    pending.done = true;
  };
  void settled.then(done, done);
  register(pending);
  const promise = new ObservedPromise<T>((resolve, reject) => {
    settled.then(resolve, reject);
  });
  // a rejection is reported by who waits, or after the test
  void Promise.prototype.then.call(promise, undefined, () => {});
  promise.onObserved = () => {
    pending.awaited = true;
  };
  return { promise, pending };
}
