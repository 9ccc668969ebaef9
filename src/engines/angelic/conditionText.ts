/** Conditions as people write them: the same of exact numbers, and of places. */

/** `n - 1 >= 1` as `n >= 2`, and `p != s->next` as `s->next != p`. */
export function plainCondition(text: string): string {
  const [, place, sign, added, operator, bound] = /^([\w>.-]*\w) ([-+]) (\d+) ([<>]=?) (-?\d+)$/.exec(text) ?? [];
  if (place !== undefined) {
    const moved = BigInt(bound!) + (sign === '-' ? 1n : -1n) * BigInt(added!);
    return `${place} ${operator} ${moved}`;
  }
  const [, left, right] = /^([\w>.-]+) != ([\w>.-]+)$/.exec(text) ?? [];
  if (left === undefined || right === undefined || right === 'NULL') return text;
  const steps = (side: string): number => side.split(/->|\./).length;
  return steps(right) > steps(left) ? `${right} != ${left}` : text;
}
