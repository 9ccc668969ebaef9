/** Call site in a test: the first frame of the stack that is not ours. Jest maps it back to the source file. */
import { framesOf, isOurs } from '../../src/host/callerStack';

export interface CallSite {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function callSite(): CallSite | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const stack = String(new Error().stack);
  Error.stackTraceLimit = limit;
  const frame = framesOf(stack).find(({ path }) => !isOurs(path));
  return frame && { file: frame.path, line: frame.line, column: frame.column };
}
