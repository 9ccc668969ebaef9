/** Parts between the `&&` of a formula that stand in no parentheses; the whole when an `||` does. */
export function conjuncts(formula: string): string[] {
  let depth = 0;
  let start = 0;
  const parts: string[] = [];
  for (let i = 0; i < formula.length; i++) {
    if (formula[i] === '(') depth++;
    else if (formula[i] === ')') depth--;
    else if (depth === 0 && formula.startsWith(' || ', i)) return [formula];
    else if (depth === 0 && formula.startsWith(' && ', i)) {
      parts.push(formula.slice(start, i));
      start = i + 4;
    }
  }
  return [...parts, formula.slice(start)];
}
