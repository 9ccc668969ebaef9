/**
 * The only door to Jest's internals. Public parts (`expect`, the hooks) come from the globals or `@jest/globals`; the
 * rest is jest-circus's list of event handlers (in Jest 29, which does not show it: its state, before the first test),
 * where three things are done that a user would else have to configure: tests that prove run last in their block, so
 * that the states of all others are known; they are not cut after five seconds; and a verdict nobody awaited is awaited
 * for them. With another runner the first two are left out, and a proof cut short is a failing test.
 */
import { filteredTests, filteredProofsText, type RunState } from '../session/partialRun';
import { recordRuns, recordNotRequested } from '../session/recordRuns';
import { session } from '../session/session';

interface CircusTest {
  readonly type: 'test';
  readonly name?: string;
  readonly concurrent?: boolean;
  readonly mode?: string | null;
  readonly fn?: unknown;
  timeout?: number;
  readonly errors: unknown[];
}
interface CircusHook {
  readonly type: string;
  fn: unknown;
}
interface CircusBlock {
  readonly type: 'describeBlock';
  readonly name?: string;
  readonly mode?: string | null;
  children: CircusEntry[];
  tests?: CircusTest[];
  readonly hooks?: readonly CircusHook[];
}
type CircusEntry = CircusTest | CircusBlock;
interface CircusEvent {
  readonly name: string;
  readonly test?: CircusTest;
}
interface CircusState extends RunState {
  readonly currentlyRunningTest?: CircusTest | null;
  readonly rootDescribeBlock?: CircusBlock;
  readonly testTimeout?: number;
  readonly unhandledErrors?: unknown[];
}
type CircusHandler = (event: CircusEvent, state: CircusState) => void | Promise<void>;

interface ExpectState {
  readonly testPath?: string;
  readonly currentTestName?: string;
}
export interface JestExpect {
  extend(matchers: Record<string, unknown>): void;
  getState(): ExpectState;
}
interface JestGlobals {
  readonly expect?: JestExpect;
  readonly beforeAll?: (hook: () => void) => void;
  readonly afterAll?: (hook: () => Promise<void>, timeoutMs?: number) => void;
  readonly afterEach?: (hook: () => Promise<void>, timeoutMs?: number) => void;
}

/** Longer than any budget; the prover ends on its own clock. */
const longestProofMs = 24 * 3600 * 1000;
const proving = /\b(toBeVerified|toBeAdequatelyTested|verdictOf)\b/;

/** Undefined outside a test file of Jest. */
export function jestGlobals(): JestGlobals | undefined {
  if (process.env.VITEST !== undefined) return undefined;
  const globals = globalThis as unknown as JestGlobals & { jest?: unknown };
  if (globals.expect?.extend) return globals;
  if (process.env.JEST_WORKER_ID === undefined) return undefined;
  try {
    // With `injectGlobals: false` Jest's own `require` answers this name; elsewhere it throws.
    return module.require('@jest/globals') as JestGlobals;
  } catch {
    return undefined;
  }
}

export function currentTestPath(): string | undefined {
  return stateOfExpect()?.testPath;
}

/** While a test file is read, and in its `beforeAll`. */
export function beforeTheTests(): boolean {
  const state = stateOfExpect();
  return state !== undefined && state.currentTestName === undefined;
}

const stateOfExpect = (): ExpectState | undefined => (session().expect ?? jestGlobals()?.expect)?.getState();

/** Once per test file. */
export function installHooks(): void {
  const current = session();
  if (current.installed) return;
  current.installed = true;
  const handlers = (globalThis as unknown as Record<symbol, CircusHandler[] | undefined>)[Symbol.for('EVENT_HANDLERS')];
  handlers?.push(onEvent);
  try {
    if (!handlers) {
      const afterAll = async (): Promise<void> => {
        recordRuns();
        await failForgotten();
      };
      jestGlobals()?.beforeAll?.(() => prepare(circusState(), afterAll));
      jestGlobals()?.afterAll?.(afterAll, longestProofMs);
    }
    jestGlobals()?.afterEach?.(() => failForgotten(circusState()?.currentlyRunningTest?.concurrent), longestProofMs);
  } catch {
    // Imported inside a test, where hooks cannot be defined: the event handler does it alone.
  }
}

const onEvent: CircusHandler = async (event, state) => {
  switch (event.name) {
    case 'run_start':
      order(state);
      return;
    case 'run_finish':
      recordRuns();
      // `afterAll` belongs to no test.
      state.unhandledErrors?.push(...(await forgotten()));
      return;
    case 'test_start':
      if (event.test && event.test.timeout === undefined && proves(event.test)) event.test.timeout = longestTimeoutMs;
      return;
    case 'test_fn_success':
    case 'test_fn_failure':
      event.test?.errors.push(...(await forgotten(event.test.concurrent)));
      return;
    default:
  }
};

/** Its symbol is of the realm, but it has no other way in. */
function circusState(): CircusState | undefined {
  const key = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'JEST_STATE_SYMBOL');
  return key && (globalThis as unknown as Record<symbol, CircusState | undefined>)[key];
}

function prepare(state: CircusState | undefined, afterAll: () => Promise<void>): void {
  if (!state?.rootDescribeBlock) return;
  order(state);
  callLast(afterAll, state.rootDescribeBlock);
  giveTime(state.rootDescribeBlock);
}

function order(state: CircusState): void {
  if (!state.rootDescribeBlock) return;
  provingLast(state.rootDescribeBlock);
  session().filteredTests = filteredTests(state.rootDescribeBlock, state, (test) => proves(test));
  recordNotRequested(filteredProofsText(filteredTests(state.rootDescribeBlock, state, (test) => !proves(test))));
}

/**
 * A file's own hooks stand after ours, and may ask for a verdict, too. Which are called, and in which order, is settled
 * by now, but not what each does.
 */
function callLast(afterAll: () => Promise<void>, { hooks = [] }: CircusBlock): void {
  const called = hooks.filter(({ type }) => type === 'afterAll');
  const own = called.findIndex(({ fn }) => fn === afterAll);
  if (own < 0) return;
  const later = called.slice(own);
  const does = later.map((hook) => ({ ...hook }));
  later.forEach((hook, i) => Object.assign(hook, does[(i + 1) % does.length]));
}

function giveTime(block: CircusBlock): void {
  for (const child of block.children) {
    if (child.type === 'describeBlock') giveTime(child);
    else if (child.timeout === undefined && proves(child)) child.timeout = longestTimeoutMs;
  }
}

/** Limit of timers. */
export const longestTimeoutMs = Math.min(longestProofMs, 2 ** 31 - 1);

function proves(test: { readonly fn?: unknown }): boolean {
  return typeof test.fn === 'function' && proving.test(Function.prototype.toString.call(test.fn));
}

/**
 * Children that prove go last, in their old order otherwise. `--randomize` assigns `children` anew after this, so the
 * order is kept by an accessor.
 */
function provingLast(block: CircusBlock): boolean {
  const late = new Map(
    block.children.map((child) => [child, child.type === 'describeBlock' ? provingLast(child) : proves(child)]),
  );
  const ordered = (children: readonly CircusEntry[]) => [
    ...children.filter((child) => !late.get(child)),
    ...children.filter((child) => late.get(child)),
  ];
  let children = ordered(block.children);
  Object.defineProperty(block, 'children', {
    configurable: true,
    enumerable: true,
    get: () => children,
    set: (value: CircusEntry[]) => {
      children = ordered(value);
    },
  });
  return [...late.values()].some(Boolean);
}

/**
 * Waits for the verdicts that no test waited for; the errors of those that failed. While others run at the same time,
 * what somebody waits for may be theirs: it is looked at again when they end.
 */
export async function forgotten(concurrent = false): Promise<Error[]> {
  const errors: Error[] = [];
  for (const pending of session().pending.splice(0)) {
    if (pending.awaited && pending.done) continue;
    if (pending.awaited && concurrent) {
      session().pending.push(pending);
      continue;
    }
    await pending.settled.catch((error: unknown) => {
      if (!(error instanceof Error) && !isErrorLike(error)) return errors.push(new Error(String(error)));
      const { message, stack } = error;
      error.message =
        `${message}\n\n` + 'This verdict came after the test had ended: write "await expect(…)…" or return it.';
      // Vitest shows the stack, which may have the message in it already.
      if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
      return errors.push(error);
    });
  }
  return errors;
}

export async function failForgotten(concurrent = false): Promise<void> {
  const [error] = await forgotten(concurrent);
  if (error !== undefined) throw error;
}

/** An error of another realm. */
function isErrorLike(error: unknown): error is Error {
  return typeof error === 'object' && error !== null && 'message' in error && 'stack' in error;
}
