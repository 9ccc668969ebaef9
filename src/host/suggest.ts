/** The tail of a message about an unknown name: "; did you mean 'push'?", or nothing when no known name is near. */
import { nearest } from '../c/diagnostics/editDistance';

export function closest(name: string, candidates: Iterable<string>): string {
  const found = nearest(name, candidates);
  return found === undefined ? '' : `; did you mean '${found}'?`;
}
