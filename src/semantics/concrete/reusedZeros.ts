/**
 * Bytes of large static objects, which begin as zeros. Each execution begins with all of them zero. New bytes for each
 * would make the garbage collector run, although most executions write few of them. So the same bytes are used again,
 * and only the chunks that were written are cleared. The same holds of the copy of a block that a snapshot shares.
 * Before an object is written at all it shares its zeros with those of other memories.
 */

/** Smaller objects are made anew. */
export const leastReusedBytes = 1 << 20;

/** Chunks of 64 KiB. */
const chunkShift = 16;

/** One byte per chunk of an object, 1 if it may have been written. */
export type WrittenChunks = Uint8Array;

export interface ReusedBytes {
  readonly bytes: Uint8Array;
  readonly chunks: WrittenChunks;
}

export class ReusedZeros {
  private readonly kept = new Map<number, ReusedBytes>();

  /** Zeros for an object, in place of all that it was given before. */
  take(number: number, sizeBytes: number): ReusedBytes {
    const before = this.kept.get(number);
    if (before?.bytes.length === sizeBytes) {
      clear(before);
      return before;
    }
    const made = { bytes: new Uint8Array(sizeBytes), chunks: new Uint8Array(chunkOf(sizeBytes) + 1) };
    this.kept.set(number, made);
    return made;
  }

  /** The bytes of an object may be written unseen, or are kept elsewhere. */
  forget(number: number): void {
    this.kept.delete(number);
  }

  forgetAll(): void {
    this.kept.clear();
  }
}

export function noteWriting(chunks: WrittenChunks, at: number, count: number): void {
  for (let chunk = chunkOf(at); chunk * 2 ** chunkShift < at + count; chunk++) chunks[chunk] = 1;
}

/** `to` has been taken for the same object; elsewhere both are zero. */
export function copyChunks(from: Uint8Array, written: WrittenChunks, to: ReusedBytes): void {
  forEachChunk(written, (start, end) => to.bytes.set(from.subarray(start, end), start));
  to.chunks.set(written);
}

let zeros: Uint8Array = new Uint8Array(0);

/** Zeros that are never written to: an object's bytes until it is first written, in all memories at once. */
export function sharedZeros(sizeBytes: number): ReusedBytes {
  if (zeros.length < sizeBytes) zeros = new Uint8Array(sizeBytes);
  return { bytes: zeros.subarray(0, sizeBytes), chunks: new Uint8Array(chunkOf(sizeBytes) + 1) };
}

function clear({ bytes, chunks }: ReusedBytes): void {
  forEachChunk(chunks, (start, end) => bytes.fill(0, start, end));
  chunks.fill(0);
}

/** Offsets of the chunks that may have been written; the last one may go beyond the object. */
function forEachChunk(chunks: WrittenChunks, visit: (start: number, end: number) => void): void {
  for (let chunk = chunks.indexOf(1); chunk >= 0; chunk = chunks.indexOf(1, chunk + 1))
    visit(chunk * 2 ** chunkShift, (chunk + 1) * 2 ** chunkShift);
}

/** Offsets stay below 2^31. */
const chunkOf = (offsetBytes: number): number => offsetBytes >> chunkShift;
