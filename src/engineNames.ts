/** What an engine may be called; the first is the default. Apart from the engines, which take long to load. */
export const engines: readonly string[] = [
  'auto',
  'test-based-abstraction',
  'intervals',
  'spacer',
  'k-induction',
  'synergy',
  'lee-yannakakis',
  'dart',
  'slam',
];
