/** Where a test called us: the first frame of the stack that is not ours. Jest maps it back to the source file. */
import { fileURLToPath } from 'node:url';
import { dirname, sep } from 'node:path';

export interface CallSite { readonly file: string; readonly line: number; readonly column: number }

export function callSite(): CallSite | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const stack = String(new Error().stack);
  Error.stackTraceLimit = limit;
  for (const line of stack.split('\n').slice(1)) {
    const match = /\(?((?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]).*?):(\d+):(\d+)\)?$/.exec(line.trim());
    if (!match) continue;
    const file = match[1]!.replace(/^.*\(/, '');
    const path = file.startsWith('file://') ? fileURLToPath(file) : file;
    if (isOurs(path)) continue;
    return { file: path, line: Number(match[2]), column: Number(match[3]) };
  }
  return undefined;
}

/** This folder and the sources beside it, as TypeScript or built. */
function isOurs(path: string): boolean {
  return path.startsWith(__dirname + sep) || path.startsWith(dirname(__dirname) + sep + 'src' + sep);
}
