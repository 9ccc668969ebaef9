/** The parts of a module: which functions are verified together, and what a part leaves out. */
import { plainOptions, TransitionSystem } from '../../src/abstraction/transitionSystem/transitionSystem';
import { askedIn } from '../../src/evidence/certificates/certify';
import { components } from '../../src/reductions/components';
import { type Initialisers, recordBehind } from '../../src/semantics/pointers/initialisers';
import { isDeclined } from '../../src/reductions/reduction';
import { slice } from '../../src/reductions/slice/slice';
import { programOf } from '../program/programOf';

const systemOf = (text: string): TransitionSystem => {
  const program = programOf(text, { externals: 'error' });
  const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);
  return new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['memsafety', 'overflow']),
  });
};

/** The names of the functions that are executed in each part, and the lines of the checks that are asked there. */
function partsOf(text: string): { readonly functions: string; readonly checks: number }[] | string {
  const system = systemOf(text);
  const parts = components.reduce(system, new Set(askedIn(system)), () => false);
  if (isDeclined(parts)) return parts.why;
  return parts.map(({ weakening }) => {
    const part = new TransitionSystem(system.program, { ...system.options, weakening });
    const executed = [...new Set([...part.functions, ...part.inlined])].map(({ name }) => name);
    return { functions: executed.sort().join(' '), checks: askedIn(part).length };
  });
}

const table = (name: string): string => `
static int ${name}[16]; static int used_${name};
int put_${name}(int v) { if (used_${name} >= 16) return -1; ${name}[used_${name}++] = v; return 0; }
int find_${name}(int v) { for (int i = 0; i < used_${name}; i++) if (${name}[i] == v) return i; return -1; }
`;

test('functions of one table are verified together, those of another one without them', () => {
  expect(partsOf(table('a') + table('b') + table('c'))).toEqual([
    { functions: 'find_a put_a', checks: 4 },
    { functions: 'find_b put_b', checks: 4 },
    { functions: 'find_c put_c', checks: 4 },
  ]);
});

const reversed = (name: string): string => `
void ${name}(char *out, const char *in, int n) {
  if (n < 0 || n > 64) return;
  for (int i = 0; i < n; i++) out[i] = in[n - 1 - i];
}
`;

test('what a function writes into objects of clients matters to its own call only', () => {
  expect(partsOf(reversed('f') + reversed('g'))).toEqual([
    { functions: 'f', checks: expect.any(Number) },
    { functions: 'g', checks: expect.any(Number) },
  ]);
});

test('what a helper writes into objects of clients matters to the calls that lead to it', () => {
  const text = `
static void fill(int *at) { for (int i = 0; i < 4; i++) at[i] = i; }
static int table[4];
int first(int *at) { fill(at); return table[at[1] & 3]; }
int second(int *at) { return table[at[0] & 3] + table[at[2] & 3]; }
`;
  const system = systemOf(text);
  const checksIn = (name: string) =>
    new Set(
      [...askedIn(system)].filter((check) =>
        system.program.functionByName.get(name)!.edges.some(({ command }) => command === check),
      ),
    );
  const keptBy = (name: string) =>
    [...slice(system, checksIn(name), 'backward').kept.keys()].filter(
      (kept) => !('edges' in kept) && kept.command.kind === 'store',
    ).length;
  expect([keptBy('first'), keptBy('second')]).toEqual([1, 0]);
});

test('what all functions need is no reason to take a module apart', () => {
  const text = `
static int count;
int up(void) { if (count < 9) count++; return count; }
int down(void) { if (count > 0) count--; return count; }
int twice(void) { if (count < 5) count += count; return count; }
`;
  expect(partsOf(text)).toBe('all functions need the same state');
});

test('a check in a function that several call is asked with all its callers', () => {
  const text = `${table('a')}
static int t[8], other[8], m;
static void set(int i, int v) { t[i] = v; }
void masked(int i) { set(i & 7, 1); }
void plain(int i) { if (i == 3) set(i, 2); }
void apart(int i) { other[m & 7] = i; m = (m + 1) & 7; }
`;
  const parts = partsOf(text);
  if (typeof parts === 'string') throw new Error(parts);
  expect(parts.filter(({ functions }) => functions.includes('set'))).toEqual([
    { functions: 'masked plain set', checks: 1 },
  ]);
});

test('an entry on whose way something is asked is no silent one, whatever a reduction says', () => {
  const system = systemOf(`
static int t[8];
static void set(int i) { t[i] = 1; }
void masked(int i) { set(i & 7); }
void plain(int i) { set(i); }
void nothing(int i) { t[i & 7] = 0; }
`);
  const named = (name: string) => system.program.functionByName.get(name)!;
  const silent = new Set([named('plain'), named('nothing')]);
  const dropped = new Set(named('nothing').edges.filter(({ command }) => command.kind === 'check'));
  const part = new TransitionSystem(system.program, {
    ...system.options,
    weakening: { dropped, assumed: new Set(), silent },
  });
  expect([...part.weakening.silent].map(({ name }) => name)).toEqual(['nothing']);
  expect(part.functions.map(({ name }) => name)).toEqual(['masked', 'plain']);
});

test('an entry that sets up objects is no silent one: only after its call are there any', () => {
  const system = systemOf(`
struct box { int a; };
static int t[4];
void set_up(struct box *b) { if (b) b->a = 1; }
void use(struct box *b, int i) { if (b) t[i] = 1; }
void other(int i) { t[i & 3] = 0; }
`);
  const named = (name: string) => system.program.functionByName.get(name)!;
  const record = recordBehind(named('set_up').parameters[0]!)!;
  const initialisers: Initialisers = new Map([[record, new Set([named('set_up')])]]);
  const options = { ...system.options, initialisers };
  const silent = new Set([named('set_up'), named('other')]);
  const dropped = new Set(named('other').edges.filter(({ command }) => command.kind === 'check'));
  const part = new TransitionSystem(system.program, {
    ...options,
    weakening: { dropped, assumed: new Set(), silent },
  });
  expect([...part.weakening.silent].map(({ name }) => name)).toEqual(['other']);
  const whole = new TransitionSystem(system.program, options);
  const found = slice(whole, new Set(askedIn(whole).filter(({ check }) => check === 'array-bounds')), 'backward');
  expect([...found.weakening.silent!]).toEqual([]);
});

test('an unknown function that calls back may have an object set up', () => {
  const program = programOf(
    `
struct box { int a; };
static struct box *last;
void hook(void);
void set_up(struct box *b) { if (b) last = b; }
int use(void) { if (!last) hook(); return last != 0; }
`,
    { externals: 'any' },
  );
  const entries = program.functions.filter(({ linkage, library }) => linkage === 'external' && !library);
  const named = (name: string) => program.functionByName.get(name)!;
  const record = recordBehind(named('set_up').parameters[0]!)!;
  const system = new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries,
    checkedProperties: new Set(['memsafety']),
    initialisers: new Map([[record, new Set([named('set_up')])]]),
    callBacks: { by: new Set(['hook']), entries, others: [] },
  });
  const [call] = program.functions.flatMap(({ edges }) =>
    edges.flatMap(({ command }) => (command.kind === 'external' && command.name === 'hook' ? [command] : [])),
  );
  expect(system.builder.effects.ofExternal(call!).memory.has(system.memoryModel.allocationSite)).toBe(true);
});
