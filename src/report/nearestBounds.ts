/** Facts about a state, said briefly. */

/**
 * What a fact about a pointer says without being said: what is null points nowhere, and what points somewhere is not
 * null.
 */
function withoutTheObvious(facts: readonly string[]): readonly string[] {
  const nowhere = new Set(facts.flatMap((fact) => /^([\w.>[\]-]+) == NULL$/.exec(fact)?.[1] ?? []));
  const somewhere = new Set(facts.flatMap((fact) => /^([\w.>[\]-]+) == &/.exec(fact)?.[1] ?? []));
  return facts.filter((fact) => {
    const [, pointer = '', to = ''] = /^([\w.>[\]-]+) != (NULL|&.*)$/.exec(fact) ?? [];
    if (to === 'NULL') return !somewhere.has(pointer);
    const [, measured = pointer] = /^offset_of\(([\w.>[\]-]+)\)/.exec(fact) ?? [];
    return !nowhere.has(measured);
  });
}

/** `x >= 0 && x <= 8 && x <= 7` says `x >= 0 && x <= 7`; both the same, `x == 7`. */
export function nearestBounds(all: readonly string[]): string[] {
  const facts = withoutTheObvious(all);
  const bounds = new Map<string, { least?: bigint; most?: bigint }>();
  // A negative constant may be a large unsigned one: then nothing is left out.
  const plain = new Set(facts.flatMap((fact) => /^([\w.>[\]-]+) (?:<=|>=|<|>|==) \d+$/.exec(fact)?.[1] ?? []));
  for (const fact of facts) plain.delete(/^([\w.>[\]-]+) (?:<=|>=|<|>|==|!=) -\d+$/.exec(fact)?.[1] ?? '');
  const read = (fact: string): { readonly of: string; readonly least?: bigint; readonly most?: bigint } | undefined => {
    const [, of, operator, number] = /^([\w.>[\]-]+) (<=|>=|<|>|==) (-?\d+)$/.exec(fact) ?? [];
    if (of === undefined || number === undefined || !plain.has(of)) return undefined;
    const n = BigInt(number);
    switch (operator) {
      case '<=':
        return { of, most: n };
      case '<':
        return { of, most: n - 1n };
      case '>=':
        return { of, least: n };
      case '>':
        return { of, least: n + 1n };
      default:
        return { of, least: n, most: n };
    }
  };
  for (const fact of facts) {
    const bound = read(fact);
    if (!bound) continue;
    const known = bounds.get(bound.of) ?? {};
    bounds.set(bound.of, known);
    if (bound.least !== undefined && (known.least === undefined || bound.least > known.least))
      known.least = bound.least;
    if (bound.most !== undefined && (known.most === undefined || bound.most < known.most)) known.most = bound.most;
  }
  const said = new Set<string>();
  const excluded = (fact: string): boolean => {
    const [, of, number] = /^([\w.>[\]-]+) != (\d+)$/.exec(fact) ?? [];
    const { least, most } = bounds.get(of ?? '') ?? {};
    return (
      number !== undefined &&
      ((least !== undefined && BigInt(number) < least) || (most !== undefined && BigInt(number) > most))
    );
  };
  return facts.flatMap((fact) => {
    const bound = read(fact);
    if (!bound) return excluded(fact) ? [] : [fact];
    if (said.has(bound.of)) return [];
    said.add(bound.of);
    const { least, most } = bounds.get(bound.of)!;
    if (least !== undefined && least === most) return [`${bound.of} == ${least}`];
    return [
      ...(least === undefined ? [] : [`${bound.of} >= ${least}`]),
      ...(most === undefined ? [] : [`${bound.of} <= ${most}`]),
    ];
  });
}
