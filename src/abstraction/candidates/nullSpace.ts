/**
 * Integer vectors x with row . x = 0 for all rows: a basis of the null space, by exact elimination, each divided by its
 * common factor.
 */
export function nullSpace(rows: readonly (readonly bigint[])[]): bigint[][] {
  const width = rows[0]?.length ?? 0;
  // Rows in echelon form, fraction-free.
  const echelon: { readonly pivot: number; row: bigint[] }[] = [];
  for (const given of rows) {
    let row = [...given];
    for (const { pivot, row: above } of echelon) {
      if (row[pivot] === 0n) continue;
      const [p, q] = [above[pivot]!, row[pivot]!];
      row = reduceRow(row.map((value, i) => value * p - above[i]! * q));
    }
    const pivot = row.findIndex((value) => value !== 0n);
    if (pivot < 0) continue;
    for (const entry of echelon) {
      if (entry.row[pivot] === 0n) continue;
      const [p, q] = [row[pivot]!, entry.row[pivot]!];
      entry.row = reduceRow(entry.row.map((value, i) => value * p - row[i]! * q));
    }
    echelon.push({ pivot, row: reduceRow(row) });
    if (echelon.length === width) return [];
  }
  const pivots = new Set(echelon.map(({ pivot }) => pivot));
  const basis: bigint[][] = [];
  for (let free = 0; free < width; free++) {
    if (pivots.has(free)) continue;
    const scale = echelon.reduce((m, { pivot, row }) => lcm(m, row[pivot]!), 1n);
    const vector = new Array<bigint>(width).fill(0n);
    vector[free] = scale;
    for (const { pivot, row } of echelon) vector[pivot] = (-row[free]! * scale) / row[pivot]!;
    basis.push(reduceRow(vector));
  }
  return basis;
}

function reduceRow(row: bigint[]): bigint[] {
  let divisor = 0n;
  for (const value of row) divisor = gcd(divisor, value);
  return divisor > 1n ? row.map((value) => value / divisor) : row;
}
function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a < 0n ? -a : a;
}
function lcm(a: bigint, b: bigint): bigint {
  const product = (a / gcd(a, b)) * b;
  return product < 0n ? -product : product;
}
