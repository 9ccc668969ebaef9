/**
 * Small modules, each with a bug and its repair. What a counterexample has to be made of differs: plain calls,
 * arguments, objects, strings, pointers that came from C, answers of the environment.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SeededBug {
  readonly name: string;
  readonly c: string;
  /** A text in the C and what repairs it. */ readonly repair: readonly [string, string];
  /** Of the failure. */ readonly line: number;
}

export const seededBugs: readonly SeededBug[] = [
  {
    name: 'underflow',
    line: 10,
    repair: ['  size--;', '  if (size == 0) return 0;\n  size--;'],
    c:
      'static int items[4];\nstatic int size;\nint push(int k) {\n  if (size == 4) return 0;\n' +
      '  items[size++] = k;\n  return 1;\n}\nint pop(void) {\n  size--;\n  return items[size];\n}\n',
  },
  {
    name: 'offbyone',
    line: 4,
    repair: ['i <= 7', 'i < 7'],
    c:
      'static int table[7];\nint sum(void) {\n  int s = 0;\n' +
      '  for (int i = 0; i <= 7; i++) s = (s + table[i]) % 1000;\n  return s;\n}\n',
  },
  {
    name: 'division',
    line: 3,
    repair: ['return total / parts;', 'return parts == 0 || (total < -1000000 && parts == -1) ? 0 : total / parts;'],
    c: '/* shares */\nint share(int total, int parts) {\n  return total / parts;\n}\n',
  },
  {
    name: 'magic',
    line: 5,
    repair: ['assert(code != 4711);', 'assert(code >= 0 || code < 0);'],
    c:
      '#include <assert.h>\nstatic int armed;\nvoid arm(void) { armed = 1; }\n' +
      'void enter(int code) {\n  if (armed) assert(code != 4711);\n}\n',
  },
  {
    name: 'objects',
    line: 5,
    repair: [
      '  return a->x + b->x;',
      '  return a != 0 && b != 0 && a->x < 100 && a->x > -100 && b->x < 100 && b->x > -100 ? a->x + b->x : 0;',
    ],
    c:
      'struct point { int x; int y; };\nint add(const struct point *a, const struct point *b) {\n' +
      '  if (a == 0) return 0;\n  if (b == 0) return 0;\n  return a->x + b->x;\n}\n',
  },
  {
    name: 'nullpointer',
    line: 3,
    repair: ['  return *where;', '  return where == 0 ? 0 : *where;'],
    c: 'int used;\nint look(const int *where) {\n  return *where;\n}\n',
  },
  {
    name: 'lifetime',
    line: 12,
    repair: ['  free(n);\n', '  if (n == last) last = 0;\n  free(n);\n'],
    c:
      '#include <stdlib.h>\nstruct node { int value; };\nstatic struct node *last;\n' +
      'struct node *make(void) {\n  last = calloc(1, sizeof *last);\n  return last;\n}\n' +
      'void drop(void) {\n  struct node *n = last;\n  free(n);\n}\n' +
      'int peek(void) { return last == 0 ? 0 : last->value; }\n',
  },
  {
    name: 'handedback',
    line: 10,
    repair: ['h->open == 1 ?', 'h->open == 1 && h->left != 0 ?'],
    c:
      'struct handle { int open; int left; };\nstatic struct handle handles[2];\n' +
      'struct handle *acquire(int which) {\n  if (which < 0 || which > 1) return 0;\n  handles[which].open = 1;\n' +
      '  return &handles[which];\n}\nint use(const struct handle *h) {\n  if (h != &handles[0]) return 0;\n' +
      '  return h->open == 1 ? 10 / h->left : 0;\n}\n',
  },
  {
    name: 'environment',
    line: 7,
    repair: ['  level = r;', '  level = r < 0 || r > 9 ? 0 : r;'],
    c:
      'int nondet_int(void);\nstatic int level;\nstatic int marks[10];\n' +
      'void mark(void) {\n  int r = nondet_int();\n  level = r;\n  marks[level] = 1;\n}\n',
  },
  {
    name: 'overflow',
    line: 4,
    repair: ['  total = total + amount;', '  if (amount >= 0 && amount < 100 && total < 1000) total = total + amount;'],
    c: 'static int total;\nvoid pay(int amount) {\n  if (amount < 0) return;\n  total = total + amount;\n}\n',
  },
];

/** Modules after firmware, each beside its repaired twin; the line of the failure stands in the C. */
export const firmwareBugs: readonly SeededBug[] = ['byte_fifo', 'debounce', 'matrix', 'menu', 'node_pool', 'pid'].map(
  (name) => {
    const read = (file: string): string =>
      readFileSync(join(__dirname, '..', '..', 'fixtures', 'programs', 'firmware', `${file}.c`), 'utf8');
    const c = read(`${name}_bug`);
    return { name, c, repair: [c, read(name)], line: Number(/ line=(\d+) /.exec(c)![1]) };
  },
);
