/** Indices in bytes as sums of multiples, which strides divide. */
import type { BitsSort, Term } from '../../logic/term';

export function asSigned(value: bigint, width: number): bigint {
  return BigInt.asIntN(width, value);
}

/** (index - offset) / stride as a sum, when every coefficient divides. */
export function dividedBy(
  index: Term,
  stride: number,
  offset: number,
): { factor: bigint; term: Term | undefined }[] | undefined {
  const sum = partsOf(index);
  const constant = sum.constant - BigInt(offset);
  if (constant % BigInt(stride) !== 0n || sum.parts.some(({ factor }) => factor % BigInt(stride) !== 0n))
    return undefined;
  return [
    ...sum.parts.map(({ factor, term }) => ({ factor: factor / BigInt(stride), term })),
    ...(constant === 0n ? [] : [{ factor: constant / BigInt(stride), term: undefined }]),
  ];
}

/** A place as a sum of multiples. */
export function partsOf(index: Term): {
  readonly parts: readonly { readonly factor: bigint; readonly term: Term }[];
  readonly constant: bigint;
} {
  const width = (index.sort as BitsSort).width;
  const parts: { factor: bigint; term: Term }[] = [];
  const args = index.kind === 'apply' && index.operator === 'add' ? index.args : [index];
  let constant = 0n;
  for (const arg of args) {
    if (arg.kind === 'bits') {
      constant += asSigned(arg.value, width);
      continue;
    }
    let factor = 1n;
    let term: Term = arg;
    if (arg.kind === 'apply' && arg.operator === 'multiply') {
      const literal = arg.args.find((x) => x.kind === 'bits');
      const others = arg.args.filter((x) => x !== literal);
      if (literal?.kind === 'bits' && others.length === 1) {
        factor = asSigned(literal.value, width);
        term = others[0]!;
      }
    } else if (arg.kind === 'apply' && arg.operator === 'shift-left' && arg.args[1]!.kind === 'bits') {
      factor = 1n << arg.args[1].value;
      term = arg.args[0]!;
    } else if (
      arg.kind === 'apply' &&
      arg.operator === 'concat' &&
      arg.args.length === 2 &&
      arg.args[1]!.kind === 'bits' &&
      arg.args[1].value === 0n
    ) {
      factor = 1n << BigInt((arg.args[1].sort as BitsSort).width);
      term = arg.args[0]!;
    }
    parts.push({ factor, term });
  }
  return { parts, constant };
}
