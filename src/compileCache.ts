/** Node 22 and later keep compiled code from run to run when they are asked to, before anything large is loaded. */
import * as nodeModule from 'node:module';

export function enableCompileCache(): void {
  // The types are those of the oldest Node that we run on.
  (nodeModule as { readonly enableCompileCache?: () => unknown }).enableCompileCache?.();
}
