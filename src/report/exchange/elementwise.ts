/**
 * A formula about all elements of an array in a range, as C without a quantifier: one condition for each element. Where
 * the range is bounded by numbers, or by a variable that is at most a number, both say the same.
 */

const limits = {
  /** The check of 32 takes seconds; that of 64 is not done in a minute, here and elsewhere. */
  elements: 32,
} as const;

/**
 * Undefined for a formula that is not of the form `forall(_k: _k <= -1 || _k >= 8 || a[_k] == 0)`, or whose range may
 * be long. `others`: the conjuncts beside it, of which `n <= 8` bounds `n <= _k`.
 */
export function elementwise(formula: string, others: readonly string[]): readonly string[] | undefined {
  const [, bound, body] = /^forall\((\w+): (.*)\)$/.exec(formula) ?? [];
  if (bound === undefined || body === undefined) return undefined;
  const parts = disjuncts(body);
  const number = (pattern: string): readonly number[] =>
    parts.flatMap((part) => new RegExp(`^${pattern}$`).exec(part)?.slice(1).map(Number) ?? []);
  const [below] = number(`${bound} <= (-?\\d+)`);
  const variables = parts.flatMap((part) => new RegExp(`^(\\w+) <= ${bound}$`).exec(part)?.[1] ?? []);
  const mosts = variables.flatMap((name) =>
    others.flatMap((one) => new RegExp(`^${name} <= (\\d+)$`).exec(one)?.[1] ?? []),
  );
  const high = Math.min(...number(`${bound} >= (\\d+)`), ...mosts.map(Number));
  // Elements before the first one, or of a range without end, are none that C could name.
  if (below === undefined || below < -1 || high === Infinity || high - below - 1 > limits.elements) return undefined;
  const isRange = (part: string): boolean => new RegExp(`^${bound} (?:<= -?|>= )\\d+$`).test(part);
  const conditions = parts
    .filter((part) => !isRange(part))
    .sort((a, b) => Number(a.includes('[')) - Number(b.includes('[')));
  // A number where the bound variable stood means the same as an index and beside `<=`, whatever the types.
  const elsewhere = new RegExp(`(?<!\\[|\\w <= )\\b${bound}\\b|\\b${bound}\\b(?!\\]|$)`);
  if (conditions.length === 0 || conditions.some((part) => elsewhere.test(part))) return undefined;
  return Array.from({ length: Math.max(0, high - below - 1) }, (_, i) => {
    const own = conditions.map((part) => part.replace(new RegExp(`\\b${bound}\\b`, 'g'), String(below + 1 + i)));
    return own.length === 1 ? own[0]! : `(${own.join(' || ')})`;
  });
}

/** The parts between `||` outside of parentheses. */
function disjuncts(formula: string): readonly string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const token of formula.split(/( \|\| |[()[\]])/)) {
    if (token === '(' || token === '[') depth++;
    if (token === ')' || token === ']') depth--;
    if (token === ' || ' && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts;
}
