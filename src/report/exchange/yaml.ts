/** YAML, loaded at its first use: that takes as long as all the rest of this folder, and only witnesses need it. */
import { createRequire } from 'node:module';

export function yaml(): typeof import('yaml') {
  return createRequire(__filename)('yaml') as typeof import('yaml');
}
