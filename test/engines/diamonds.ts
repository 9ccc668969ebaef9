/**
 * `count` two-armed branches, one after the other, and a check that none of them touches: after SYNERGY (FSE 2006),
 * figure 8. `spoiled`: the last one does touch it; `labelled`: each begins with a label.
 */
export function diamonds(count: number, { spoiled = false, labelled = false } = {}): string {
  const numbers = Array.from({ length: count }, (_, i) => i);
  const last = (i: number): string => (spoiled && i === count - 1 ? ' free = 0;' : '');
  return [
    'extern int nondet(void);',
    'extern void error(void);',
    ...numbers.map((i) => `static int x${i};`),
    'void entry(void) {',
    '  int free = 1;',
    ...numbers.map(
      (i) => `${labelled ? `d${i}:` : ''}  if (nondet()) { x${i} = x${i} + 1;${last(i)} } else { x${i} = x${i} - 1; }`,
    ),
    '  if (free != 1) error();',
    '}',
    '',
  ].join('\n');
}
