/** Values of a state's symbols, all at once and one by one. */
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { programOf } from '../../program/programOf';

const texts = {
  'numbers, pointers and tables of a module': `
struct node { int value; struct node *next; };
static struct node nodes[4], *head; static int used; static const int most = 4;
static int table[3] = { 1, 2, 3 };
int push(int v) { if (used >= most) return -1; nodes[used].value = v; nodes[used].next = head; head = &nodes[used++];
  return 0; }
int sum(void) {
  int s = 0;
  for (struct node *n = head; n; n = n->next) s = (s + n->value) & 255;
  return table[s % 3];
}`,
  'automatic objects, and calls that are steps of their own': `
static int last;
static int down(int n) { return n <= 0 ? 0 : 1 + down(n - 1); }
static void fill(char *at, int n) { for (int i = 0; i < n; i++) at[i] = (char)i; }
int run(int n) { char text[8]; double d = n; fill(text, 8); last = down(n & 3); return text[last] + (d > 1); }`,
};

test.each(Object.entries(texts))('the value of a symbol is the one that the binding gives: %s', (_, text) => {
  const program = programOf(text, { externals: 'error' });
  const { transitions, vocabulary } = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: program.functions.filter(({ linkage, library }) => linkage === 'external' && !library),
    checkedProperties: new Set(['memsafety', 'overflow']),
  });
  let count = 0;
  for (const { ends } of transitions)
    for (const { point, state } of ends) {
      const binding = vocabulary.binding(point.fn, state);
      const symbols = program.functions.flatMap((fn) => vocabulary.symbolsFor(fn));
      expect(symbols.filter((symbol) => vocabulary.valueIn(symbol, point.fn, state) !== binding.get(symbol))).toEqual(
        [],
      );
      const one = [...binding.keys()].slice(0, 5);
      expect([...vocabulary.bindingIn(one, point.fn, state)]).toEqual(
        one.map((symbol) => [symbol, binding.get(symbol)]),
      );
      count += binding.size;
    }
  expect(count).toBeGreaterThan(50);
});
