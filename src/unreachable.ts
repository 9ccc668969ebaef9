/** Ends an exhaustive `switch`: the compiler proves that no case is left. */
export function unreachable(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v))}`);
}
