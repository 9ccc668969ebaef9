/** Conditions as people write them: the same of exact numbers, and of places. */

/**
 * `n - 1 >= 1` as `n >= 2`, and `p != s->next` as `s->next != p`. A sum at an end of its type, `a + b <= 2147483647`,
 * holds of all C computes, so it is written as `a <= 2147483647 - b`.
 */
export function plainCondition(text: string): string {
  const parts = text.split(' && ');
  return parts.length > 1 && !text.includes('(') ? parts.map(plainPart).join(' && ') : plainPart(text);
}

const name = String.raw`[\w>.-]*\w`;
const sumOfNumber = new RegExp(String.raw`^(${name}) ([-+]) (\d+) ([<>]=?) (-?\d+)$`);
const numberWithout = new RegExp(String.raw`^(\d+) - (${name}) ([<>]=?) (-?\d+)$`);
const sumOfPlaces = new RegExp(String.raw`^(${name}) ([-+]) (${name}) ([<>]=?) (-?\d+)$`);
const ends: ReadonlySet<string> = new Set(
  [31n, 63n].flatMap((bits) => [`${(1n << bits) - 1n}`, `-${1n << bits}`]).concat('4294967295', '18446744073709551615'),
);

function plainPart(text: string): string {
  const [, place, sign, added, operator, bound] = sumOfNumber.exec(text) ?? [];
  if (place !== undefined) {
    const moved = BigInt(bound!) + (sign === '-' ? 1n : -1n) * BigInt(added!);
    return `${place} ${operator} ${moved}`;
  }
  const [, from, taken, compared, limit] = numberWithout.exec(text) ?? [];
  if (taken !== undefined) return `${taken} ${mirrored[compared!]!} ${BigInt(from!) - BigInt(limit!)}`;
  const [, first, plus, second, order, end] = sumOfPlaces.exec(text) ?? [];
  if (second !== undefined && ends.has(end!)) return `${first} ${order} ${end} ${plus === '+' ? '-' : '+'} ${second}`;
  const [, left, right] = /^([\w>.-]+) != ([\w>.-]+)$/.exec(text) ?? [];
  if (left === undefined || right === undefined || right === 'NULL') return text;
  const steps = (side: string): number => side.split(/->|\./).length;
  return steps(right) > steps(left) ? `${right} != ${left}` : text;
}

const mirrored: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };
