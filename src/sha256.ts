/** Node's `crypto` takes longer to load than most proofs need it: it is loaded with the first hash. */
export function sha256(data: string | Uint8Array, encoding: 'hex' | 'base64' = 'hex'): string {
  return process.getBuiltinModule('node:crypto').createHash('sha256').update(data).digest(encoding);
}
