/** The conditions that hold in a state, without those that others imply. */

/**
 * Leaves out conditions on a pointer that others imply: null points nowhere, and a pointer to an object is not null.
 */
function withoutTheObvious(conditions: readonly string[]): readonly string[] {
  const nowhere = new Set(conditions.flatMap((condition) => /^([\w.>[\]-]+) == NULL$/.exec(condition)?.[1] ?? []));
  const somewhere = new Set(conditions.flatMap((condition) => /^([\w.>[\]-]+) == &/.exec(condition)?.[1] ?? []));
  return conditions.filter((condition) => {
    const [, pointer = '', to = ''] = /^([\w.>[\]-]+) != (NULL|&.*)$/.exec(condition) ?? [];
    if (to === 'NULL') return !somewhere.has(pointer);
    const [, measured = pointer] = /^offset_of\(([\w.>[\]-]+)\)/.exec(condition) ?? [];
    return !nowhere.has(measured);
  });
}

/** `x >= 0 && x <= 8 && x <= 7` says `x >= 0 && x <= 7`; both the same, `x == 7`. */
export function nearestBounds(all: readonly string[]): string[] {
  const conditions = withoutTheObvious(all);
  const bounds = new Map<string, { least?: bigint; most?: bigint }>();
  // A negative constant may be a large unsigned one: then nothing is left out.
  const plain = new Set(
    conditions.flatMap((condition) => /^([\w.>[\]-]+) (?:<=|>=|<|>|==) \d+$/.exec(condition)?.[1] ?? []),
  );
  for (const condition of conditions)
    plain.delete(/^([\w.>[\]-]+) (?:<=|>=|<|>|==|!=) -\d+$/.exec(condition)?.[1] ?? '');
  const read = (
    condition: string,
  ): { readonly of: string; readonly least?: bigint; readonly most?: bigint } | undefined => {
    const [, of, operator, number] = /^([\w.>[\]-]+) (<=|>=|<|>|==) (-?\d+)$/.exec(condition) ?? [];
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
  for (const condition of conditions) {
    const bound = read(condition);
    if (!bound) continue;
    const known = bounds.get(bound.of) ?? {};
    bounds.set(bound.of, known);
    if (bound.least !== undefined && (known.least === undefined || bound.least > known.least))
      known.least = bound.least;
    if (bound.most !== undefined && (known.most === undefined || bound.most < known.most)) known.most = bound.most;
  }
  const said = new Set<string>();
  const excluded = (condition: string): boolean => {
    const [, of, number] = /^([\w.>[\]-]+) != (\d+)$/.exec(condition) ?? [];
    const { least, most } = bounds.get(of ?? '') ?? {};
    return (
      number !== undefined &&
      ((least !== undefined && BigInt(number) < least) || (most !== undefined && BigInt(number) > most))
    );
  };
  return conditions.flatMap((condition) => {
    const bound = read(condition);
    if (!bound) return excluded(condition) ? [] : [condition];
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
