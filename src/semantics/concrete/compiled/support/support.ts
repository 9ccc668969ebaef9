/**
 * The functions that every compiled module has besides the program's: the host's, by number, and pieces of memory
 * handling that are too long to repeat at each access.
 */
import type { DataModel } from '../../../../c/types';
import type { LinearLayout } from '../layout';
import { Code, type Define, type Signature } from '../wasm';
import { accessFunctions, type AccessSupport } from './access';
import { blockFunctions, type BlockSupport } from './blocks';
import { conversionFunctions, type ConversionSupport } from './conversions';
import { hostFunctionNames, hostIndices, type HostIndices } from './hostFunctions';
import { moveFunctions, type MoveSupport } from './moves';
import { objectFunctions, type ObjectSupport } from './objects';
import { emitSeen } from './seenStates';

/** Indices of functions. */
export interface Support extends AccessSupport, BlockSupport, ConversionSupport, MoveSupport, ObjectSupport {
  readonly host: HostIndices;
  /**
   * (number of a location, bits, bits of the entry, place in the cache): whether they were seen there before; from now
   * on they were.
   */
  readonly seen: number;
}

export function supportFunctions(
  layout: LinearLayout,
  model: DataModel,
  automaticSizes: readonly number[],
): {
  readonly support: Support;
  readonly functions: readonly { readonly signature: Signature; readonly body: Uint8Array }[];
} {
  const host = hostIndices();
  const functions: { signature: Signature; body: Uint8Array }[] = [];
  const define: Define = (signature, write) => {
    const code = new Code(signature);
    write(code);
    functions.push({ signature, body: code.finish() });
    return hostFunctionNames.length + functions.length - 1;
  };
  const moves = moveFunctions(define);
  const access = accessFunctions(layout, host, moves, define);
  const support = {
    host,
    ...moves,
    ...access,
    ...blockFunctions(layout, host, { ...access, ...moves }, define),
    ...conversionFunctions(host, define),
    seen: define({ parameters: ['i32', 'i64', 'i64', 'i32'], result: 'i32' }, (code) => emitSeen(code, layout)),
    ...objectFunctions(layout, model, automaticSizes, host.kill, define),
  };
  return { support, functions };
}
