/**
 * Source files as text. They are UTF-8; a byte that is not (old files in Latin-1, tests of compilers) becomes the lone
 * surrogate U+DC80 + byte - 0x80, which no valid text contains, so that string literals get their bytes back (as in
 * Python's PEP 383).
 */
import { TextDecoder } from '../../textCoding';
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export function decodeSource(bytes: Uint8Array): string {
  try {
    return strict.decode(bytes);
  } catch {
    return decodeByParts(bytes);
  }
}

function decodeByParts(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const length = sequenceLength(bytes, at);
    text += length === 0 ? String.fromCharCode(0xdc00 + bytes[at]!) : strict.decode(bytes.subarray(at, at + length));
    at += Math.max(length, 1);
  }
  return text;
}

/** Number of bytes of the UTF-8 sequence at `at`; 0 when there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  if (first < 0x80) return 1;
  const length =
    first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0;
  if (length === 0 || at + length > bytes.length) return 0;
  const [second, third, fourth] = [bytes[at + 1]!, bytes[at + 2], bytes[at + 3]];
  const low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  const continues = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x80 && byte <= 0xbf;
  if (second < low || second > high) return 0;
  return (length < 3 || continues(third)) && (length < 4 || continues(fourth)) ? length : 0;
}

/** The byte that a character of decoded text stands for, if it stands for one. */
export function rawByte(codePoint: number): number | undefined {
  return codePoint >= 0xdc80 && codePoint <= 0xdcff ? codePoint - 0xdc00 : undefined;
}
