/** Variables that keep what a global was when an activation began: which functions have them, and that they hold it. */
import type { FunctionDefinition } from '../../src/program/program';
import { Machine } from '../../src/semantics/concrete/machine';
import { functionOf, programOf } from './programOf';

const text = `
  static int depth, quiet, untouched, ready;
  static long steps;
  static int table[3];
  static void visit(int n) { depth++; steps += 2; table[0] = n; if (n > 0) visit(n - 1); depth--; }
  static void once(void) { quiet++; }
  static void loops(int n) { if (ready) return; for (int i = 0; i < n; i++) quiet++; ready = 1; }
  void through(int n) { visit(n); loops(n); once(); }
  void client(int n) { for (int i = 0; i < n; i++) { untouched; through(n); } }`;
const keptBy = (fn: FunctionDefinition): string[] =>
  fn.variables.flatMap(({ entryValueOf, name }) => (entryValueOf ? [name] : []));

test('functions that are summarised keep the integer globals that a call of them may change', () => {
  const { functionByName } = programOf(text);
  const kept = (name: string): string[] => keptBy(functionByName.get(name)!);
  expect(kept('visit')).toEqual(['\\old(depth)', '\\old(steps)']);
  expect(kept('loops')).toEqual(['\\old(quiet)']);
  // What it calls counts.
  expect(kept('through')).toEqual(['\\old(depth)', '\\old(quiet)', '\\old(steps)']);
  // (`ready` is set, whatever it was.) Part of its callers, or called by nobody.
  expect(kept('once')).toEqual([]);
  expect(kept('client')).toEqual([]);
});

test('they are assigned first, once, and locations and edges stay numbered in order', () => {
  const fn = functionOf(programOf(text), 'visit');
  expect(fn.locations[0]).toBe(fn.entry);
  expect(fn.locations.map(({ index }) => index)).toEqual(fn.locations.map((_, i) => i));
  expect(fn.edges.map(({ index }) => index)).toEqual(fn.edges.map((_, i) => i));
  const assigned = fn.edges.filter(({ command }) => command.kind === 'assign' && command.target.entryValueOf);
  expect(assigned.map(({ from }) => from.index)).toEqual([0, 1]);
});

test('in every activation they hold what the global was when it began', () => {
  const program = programOf(text);
  const fn = functionOf(program, 'visit');
  const [depth, old] = [
    fn.variables.find(({ name }) => name === '\\old(depth)')!.entryValueOf!,
    fn.variables.find(({ name }) => name === '\\old(depth)')!,
  ];
  const machine = new Machine(program);
  const seen: [unknown, unknown][] = [];
  machine.observer = {
    locations: new Set([fn.exit]),
    visit: (_, { locals }) => {
      seen.push([locals[old.slot], machine.globals[depth.slot]]);
    },
  };
  machine.call(fn, [3]);
  expect(seen).toEqual([
    [3, 3],
    [2, 2],
    [1, 1],
    [0, 0],
  ]);
});

test('a text along which a called function moves its parameter is kept, too', () => {
  const { functionByName } = programOf(`
    static char *rest(char *s, const int *n, const char *end) { while (s != end && *s == ' ') s++, n++; return s; }
    static int letters(const char *s) { int n = 0; while (s[n]) n++; return n; }
    int client(char *s, int n) { s++; return letters(rest(s, &n, s + 1)); }`);
  expect(keptBy(functionByName.get('rest')!)).toEqual(['\\old(s)']);
  expect(keptBy(functionByName.get('letters')!)).toEqual([]);
  expect(keptBy(functionByName.get('client')!)).toEqual([]);
});
