/**
 * Stacks that begin where the reader's code called: our own frames above it say nothing to whoever wrote the test. An
 * error that did not arise in our code, such as one thrown by a stub, keeps its stack; so do all with
 * PROVEST_STACKS=full, for reports about ourselves.
 */
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SourceLocation } from '../verdict';

export interface Frame {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** `called` is what the reader's code called, and what is left out together with all it called. */
export function fromCaller<T>(called: (...args: never[]) => unknown, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (error instanceof Error && process.env['PROVEST_STACKS'] !== 'full') {
      const [first] = framesOf(error.stack ?? '');
      if (first && isOurs(first.path)) Error.captureStackTrace(error, called);
    }
    throw error;
  }
}

/** Shows the C functions between a stub that threw and whoever called C, in place of the interpreter's frames. */
export function throughC(error: unknown, places: readonly SourceLocation[]): void {
  if (!(error instanceof Error) || typeof error.stack !== 'string' || process.env['PROVEST_STACKS'] === 'full') return;
  const lines = error.stack.split('\n');
  const ours = (line: string | undefined): boolean =>
    line !== undefined && framesOf(line).some(({ path }) => isOurs(path));
  const from = lines.findIndex(ours);
  let to = from < 0 ? lines.length : from;
  while (ours(lines[to])) to++;
  const shown = places.map(
    ({ file, line, column, function: name }) => `    at ${name ?? 'C'} (${file}:${line}:${column})`,
  );
  error.stack = [...lines.slice(0, from < 0 ? lines.length : from), ...shown, ...lines.slice(to)].join('\n');
}

/**
 * The error with the frames of the test file only: matchers are called by the runner's `expect`, which says as little
 * to its reader as we do.
 */
export function fromTest<E extends Error>(error: E): E {
  if (typeof error.stack !== 'string' || process.env['PROVEST_STACKS'] === 'full') return error;
  const lines = error.stack.split('\n');
  const runners = /[\\/]node_modules[\\/](expect|vitest|@vitest|@jest|jest-[\w-]+)[\\/]/;
  const kept = lines.filter((line) => framesOf(line).every(({ path }) => !isOurs(path) && !runners.test(path)));
  if (framesOf(kept.join('\n')).length > 0) error.stack = kept.join('\n');
  return error;
}

/** The action as a function for tests to call. */
export function calledByTest<A extends unknown[], R>(action: (...args: A) => R): (...args: A) => R {
  const called = (...args: A): R => fromCaller(called, () => action(...args));
  return called;
}

/** The frames that have a file, innermost first. */
export function framesOf(stack: string): Frame[] {
  return stack.split('\n').flatMap((line) => {
    const match = /^\s*at .*?\(?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])[^()]*?):(\d+):(\d+)\)?$/.exec(line);
    if (!match) return [];
    const file = match[1]!;
    return [
      {
        path: file.startsWith('file://') ? fileURLToPath(file) : file,
        line: Number(match[2]),
        column: Number(match[3]),
      },
    ];
  });
}

const root = join(dirname(dirname(__dirname)), sep);

/** The folders `src` and `plugin`, as TypeScript or built. */
export function isOurs(path: string): boolean {
  return path.startsWith(join(root, 'src', sep)) || path.startsWith(join(root, 'plugin', sep));
}
