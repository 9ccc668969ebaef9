/**
 * Programs of our own in the shape of those on which a prototype of the algorithm was measured, and its node counts.
 * The prototype has a node per statement, we have one per branch and per place where branches meet.
 */
import { additions, counted, exclusive, locked } from './figures';

/** Nodes of the prototype, by kind of interpolant. */
export interface PrototypeNodes {
  readonly precondition: number;
  readonly halves?: number;
  readonly subset?: number;
}

export interface AcceptanceRow {
  readonly text: string;
  readonly nodes: PrototypeNodes;
  readonly restarts: number;
  /** Rounds for which loops are followed that constants decide; default 0. */
  readonly followed?: number;
  /** A failing twin, and the nodes after which the prototype found the failure. */
  readonly twin?: { readonly text: string; readonly nodes: number };
}

const lines = (...parts: readonly (string | readonly string[])[]): string => parts.flat().join('\n');
const repeated = (count: number, text: (i: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, i) => text(i));

function row(
  text: string,
  nodes: PrototypeNodes,
  restarts: number,
  twin?: readonly [safe: string, unsafe: string, nodes: number],
): AcceptanceRow {
  if (!twin) return { text, nodes, restarts };
  const [safe, unsafe, most] = twin;
  if (text.split(safe).length !== 2) throw new Error(`${safe} must occur once`);
  return { text, nodes, restarts, twin: { text: text.replace(safe, unsafe), nodes: most } };
}

/** Figure 3(a). */
const guarded = `void foo(void) {
  int on, x, y;
  on = 1;
  if (nondet()) x = 0; else x = 1;
  if (x > 0) y = 0; else y = 1;
  if (on == 0) error();
}`;

/** Figure 3(d): what a call returns decides nothing, since one of two counters excludes the error. */
const halved = (count: number): string =>
  lines(
    'static int spent(void) { int i, r; r = 15; for (i = 0; i < 5; i++) { if (r > 0) r = r - 3; } return r; }',
    'void foo(void) {',
    '  int a, b, left, right;',
    '  if (nondet()) { a = 0; b = 0; } else { a = spent(); b = 0; }',
    '  left = a; right = b;',
    repeated(count, () => '  if (nondet()) { left = left + 1; right = right + 1; }'),
    `  if (right > ${count} && left > ${count}) error();`,
    '}',
  );

/** The exit of the loop comes last, so what excludes it at first must not be kept for ever. */
const exitLast = `void foo(void) {
  int i, x;
  x = 3; i = 0;
  while (i < 90) { i = i + 1; if (i == 60) x = 5; }
  if (x == 0) error();
}`;

const firstRound = `void foo(int n) {
  int isFirst, i, least, now;
  isFirst = 1; i = 0; least = 0;
  while (i < n) {
    now = nondet();
    if (isFirst) { least = now; isFirst = 0; }
    else if (now < least) least = now;
    if (least > now) error();
    i = i + 1;
  }
  if (i > 0 && isFirst != 0) error();
}`;

const files = `void foo(int n) {
  int live = 0, i, handle;
  for (i = 0; i < n; i++) {
    handle = nondet();
    if (handle < 0) break;
    live = live + 1;
    if (nondet()) { live = live - 1; continue; }
    live = live - 1;
  }
  if (live < 0) error();
}`;

const costs = (count: number): string =>
  lines(
    'void foo(int a, int b, int c) {',
    '  int cost;',
    '  cost = 0;',
    repeated(count, (i) => {
      const [high, low] = i % 2 === 0 ? [6, 1] : [2, 3];
      return `  if (${'abc'[i % 3]!} > ${i}) cost = cost + ${high}; else cost = cost + ${low};`;
    }),
    `  if (cost > ${(count / 2) * (6 + 3)}) error();`,
    '}',
  );

const sections = (count: number): string =>
  lines(
    'static int held, bad;',
    'static void lock(void) { if (held) bad = 1; held = 1; }',
    'static void unlock(void) { if (!held) bad = 1; held = 0; }',
    `void foo(${repeated(count, (i) => `int p${i}`).join(', ')}) {`,
    '  int x;',
    '  held = 0; bad = 0; x = 0;',
    repeated(count, (i) => `  if (p${i} != 0) lock();\n  if (p${i} > 0) x = x + 1;\n  if (p${i} != 0) unlock();`),
    '  if (bad || held) error();',
    '}',
  );

/** The inner branch of each choice is decided by the first one. */
const correlated = (count: number): string =>
  lines(
    'void foo(int k) {',
    '  int up, s;',
    '  s = 0;',
    '  if (k > 0) up = 1; else up = 0;',
    repeated(
      count,
      (i) =>
        `  if (nondet()) { if (up) s = s + ${(i % 3) + 1}; else s = s - ${(i % 3) + 1}; }` +
        (i % 4 === 3 ? '\n  if (up && s < 0) error();' : ''),
    ),
    '  if (!up && s > 0) error();',
    '}',
  );

const eventLoop = `static int state, pending, opened;
static void open(void) { if (state == 0) { state = 1; opened = 1; } }
static void begin(void) { if (state == 1) { state = 2; pending = 1; } }
static void finish(void) { if (state == 2) { pending = 0; state = 1; } }
static void shut(void) { if (state == 1 || state == 3) { state = 0; opened = 0; pending = 0; } }
static void fault(void) { if (state == 2) { state = 3; } }
void foo(void) {
  state = 0; pending = 0; opened = 0;
  while (nondet()) {
    int event = nondet();
    if (event == 0) open();
    else if (event == 1) begin();
    else if (event == 2) finish();
    else if (event == 3) shut();
    else fault();
    if (state == 1 && pending) error();
    if (state == 0 && opened) error();
    if (pending && !opened) error();
  }
}`;

/** As figure 3(d), but in one half the counter that excludes the error is what a loop leaves. */
const spent = lines(
  'static int left(void) { int i, r; r = 15; for (i = 0; i < 5; i++) { if (r > 0) r = r - 3; } return r; }',
  'void foo(void) {',
  '  int a, b, x, y;',
  '  if (nondet()) { a = 0; b = 0; } else { a = left(); b = 1; }',
  '  x = a; y = b;',
  repeated(16, () => '  if (nondet()) { x = x + 1; y = y + 1; }'),
  '  if (y > 16 && x > 16) error();',
  '}',
);

/** The figures of the paper. */
export const figures: Readonly<Record<string, AcceptanceRow>> = {
  'figure 1': row(exclusive, { precondition: 22, halves: 24, subset: 40 }, 0, ['key < 1', 'key < 2', 14]),
  'figure 2': row(locked, { precondition: 40, halves: 40, subset: 40 }, 1, ['last + 1;\n  on', 'last;\n  on', 10]),
  'figure 3(a)': row(guarded, { precondition: 19, halves: 19, subset: 19 }, 0, ['on == 0', 'on == 1 && x > 0', 11]),
  'figure 3(b)': row(counted, { precondition: 13, halves: 13 }, 0),
  'figure 3(c), 5 branches': row(additions(5), { precondition: 75, halves: 145, subset: 215 }, 0),
  'figure 3(c), 10 branches': row(additions(10), { precondition: 135, halves: 425, subset: 715 }, 0),
  'figure 3(c), 20 branches': row(additions(20), { precondition: 255 }, 0, ['> 40 &&', '> 39 &&', 207]),
  'figure 3(c), 40 branches': row(additions(40), { precondition: 495 }, 0),
  'figure 3(d), 5 branches': row(halved(5), { precondition: 61, halves: 61, subset: 131 }, 0),
  'figure 3(d), 10 branches': row(halved(10), { precondition: 91, halves: 91 }, 0),
  'figure 3(d), 20 branches': row(halved(20), { precondition: 151 }, 0, [
    'right > 20 && left > 20',
    'right > 19 && left > 19',
    90,
  ]),
  'figure 3(d), 40 branches': row(halved(40), { precondition: 271 }, 0),
};

/** Further programs of the prototype's set. */
export const others: Readonly<Record<string, AcceptanceRow>> = {
  'the exit comes last': row(exitLast, { precondition: 16 }, 0),
  'the first round is another': row(firstRound, { precondition: 60 }, 1, [
    'isFirst = 0; }',
    'isFirst = 0; least++; }',
    53,
  ]),
  'resources in a loop': row(files, { precondition: 29 }, 0, ['< 0) break;', '< 0) { live--; break; }', 25]),
  'what a call leaves': { ...row(spent, { precondition: 259 }, 0), followed: 130 },
  '150 additions': row(additions(150), { precondition: 1815 }, 0),
  '24 costs': row(costs(24), { precondition: 259 }, 0),
  '12 critical sections': row(sections(12), { precondition: 347 }, 0),
  '16 correlated branches': row(correlated(16), { precondition: 295 }, 0),
  'events of a driver': row(eventLoop, { precondition: 409 }, 1, ['pending = 0; state = 1;', 'state = 1;', 163]),
};
