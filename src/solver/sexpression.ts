/** Reading Z3's answers: parenthesised lists of symbols, numerals and strings. */
export type SExpression = string | readonly SExpression[];

/** All expressions of a text, in order; undefined when parentheses do not match. Quoted symbols lose their bars. */
export function parseSExpressions(text: string): readonly SExpression[] | undefined {
  const lists: SExpression[][] = [[]];
  const token = /\s+|;[^\n]*|\(|\)|\|[^|]*\||"(?:[^"]|"")*"|[^\s()|";]+/gy;
  while (token.lastIndex < text.length) {
    const found = token.exec(text)?.[0];
    if (found === undefined) return undefined;
    const top = lists[lists.length - 1]!;
    if (found === '(') lists.push([]);
    else if (found === ')') {
      lists.pop();
      const parent = lists[lists.length - 1];
      if (!parent) return undefined;
      parent.push(top);
    } else if (!/^[\s;]/.test(found)) top.push(found.startsWith('|') ? found.slice(1, -1) : found);
  }
  return lists.length === 1 ? lists[0] : undefined;
}
