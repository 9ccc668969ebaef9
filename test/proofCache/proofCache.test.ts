/**
 * What earlier runs left makes a proof quicker and nothing else: whatever is put into the memory, a wrong program is
 * never proved and a right one is never said to have a bug.
 */
import * as fc from 'fast-check';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { verify } from '../../src';
import * as L from '../../src/logic/build';
import type { Term } from '../../src/logic/term';
import { writeTerms } from '../../src/logic/serialise';
import { ProofFolder, cacheKeyOf, type ProofMemory } from '../../src/proofCache';
import { recallScenario, storeScenario } from '../../src/proofCache/storedScenario';
import type { CType } from '../../src/c/types';
import { loadProgram } from '../../src/program';
import type { Probe, Task } from '../../src/task';
import type { Verdict } from '../../src/verdict';
import { compare, file, integer, run, task, variable } from '../engines/task';

const good = `
static int elems[4];
static int size;
int push(int k) { if (size == 4) return 0; elems[size] = k; size++; return 1; }
int pop(void) { if (size == 0) return 0; size--; return elems[size]; }
`;
const loops = `${good}int sum(void) { int s = 0; for (int i = 0; i < size; i++) s ^= elems[i]; return s; }\n`;
const pointers = 'int bounded(char c, int *p) { if (p) *p = c; return 200 / (300 - c); }\n';
const bad = good.replace('if (size == 0) return 0; size--', 'if (size < 0) return 0; size--');

/** Kept as text, as in a file. */
class Notes implements ProofMemory {
  readonly texts = new Map<string, string>();
  recalls = 0;
  recall(name: string): unknown {
    const text = this.texts.get(name);
    if (text !== undefined) this.recalls++;
    return text === undefined ? undefined : JSON.parse(text);
  }
  keep(name: string, contents: unknown): undefined {
    this.texts.set(name, JSON.stringify(contents));
  }
}

/** Whatever is asked for, this is what is remembered. */
const lying = (contents: unknown): ProofMemory => ({ recall: () => structuredClone(contents), keep: () => undefined });
const ask = (text: string, memory: ProofMemory, changes: Partial<Task> = {}): Promise<Verdict> =>
  verify(task(file(text), changes), { memory });

async function remembered(text: string, changes: Partial<Task> = {}): Promise<Notes> {
  const notes = new Notes();
  await ask(text, notes, changes);
  return notes;
}

test('an unchanged module is proved from the cache with the same verdict; the file may lie elsewhere', async () => {
  const notes = new Notes();
  const runs = [run(['push', 1], ['pop'], ['pop'])];
  const first = await ask(good, notes, { runs, adequacy: true });
  const again = await ask(good, notes, { runs, adequacy: true, budget: { milliseconds: 30_000 }, seed: 7 });
  expect(first.kind).toBe('proved');
  expect(first.statistics.reused).toBeUndefined();
  expect(again.statistics.reused).toBe(again.statistics.cutpoints);
  expect(again.statistics.solverQueries).toBeLessThan(first.statistics.solverQueries);
  expect(again.statistics.fabricatedStates).toBe(0);
  const said = ({ kind, assumptions, properties, adequacy, statistics }: Verdict) => ({
    kind,
    assumptions,
    properties,
    covered: adequacy?.covered,
    total: adequacy?.total,
    obligations: statistics.obligations,
  });
  expect(said(again)).toEqual(said(first));
  // How well the tests cover is measured anew.
  const more = await ask(good, notes, {
    runs: [...runs, run(['push', 1], ['push', 1], ['push', 1], ['push', 1], ['push', 1])],
    adequacy: true,
  });
  expect(more.statistics.reused).toBe(more.statistics.cutpoints);
  expect(more.adequacy!.covered).toBeGreaterThan(first.adequacy!.covered);
  expect(more.adequacy!.total).toBe(first.adequacy!.total);
});

test('a proof by a rival engine is kept for the question asked; an unfinished run does not replace it', async () => {
  const notes = await remembered(good, { engine: 'synergy', asked: 'auto' });
  const again = await ask(good, notes);
  expect(again.kind).toBe('proved');
  expect(again.statistics.reused).toBe(again.statistics.cutpoints);
  // The favourite had begun before there was an answer, and is cut short after it.
  let recalls = 0;
  const slow: ProofMemory = {
    recall: (name) => (recalls++ === 0 ? undefined : notes.recall(name)),
    keep: (name, contents) => notes.keep(name, contents),
  };
  const kept = [...notes.texts.values()];
  const stop = new AbortController();
  const cut = await verify(task(file(good)), {
    memory: slow,
    signal: stop.signal,
    progress: ({ phase }) => {
      if (phase === 'solving') stop.abort();
    },
  });
  expect(cut).toMatchObject({ kind: 'unknown', reason: { cause: 'interrupted' } });
  expect([...notes.texts.values()]).toEqual(kept);
});

test('other text, properties, macros or probes are other questions', async () => {
  const small = 'static int x;\nint f(int k) { x = k & 7; return 10 / (x + 1); }\n';
  const notes = await remembered(small);
  const exact = () => [...notes.texts.keys()].filter((name) => name.startsWith('["exact"'));
  expect(exact()).toHaveLength(1);
  for (const changes of [
    { properties: ['overflow'] as const },
    { load: { define: { X: 1 } } },
    { load: { dataModel: 'ilp32' as const } },
    { engine: 'intervals' },
  ])
    await ask(small, notes, changes);
  await ask(`${small} `, notes);
  expect(exact()).toHaveLength(6);
  const header = file('#define MASK 7\n');
  const includes = file(`#include "${basename(header)}"\n${small.replace('7', 'MASK')}`);
  const question = () => cacheKeyOf(task(includes), loadProgram([includes]), 'z3').exact;
  const before = question();
  expect(question()).toBe(before);
  writeFileSync(header, '#define MASK 15\n');
  expect(question()).not.toBe(before);
});

test('after an edit of one function the rest of the invariant is taken over', async () => {
  const path = file(loops);
  const notes = new Notes();
  const first = await verify(task(path), { memory: notes });
  writeFileSync(path, loops.replace('s ^= elems[i]', 's |= elems[i]'));
  const edited = await verify(task(path), { memory: notes });
  expect(edited.kind).toBe('proved');
  // Its entry, its loop and its exit are not counted.
  expect(edited.statistics).toMatchObject({ reused: first.statistics.cutpoints - 3, provedAnew: ['sum'] });
  writeFileSync(path, loops.replace('if (size == 0) return 0; size--', 'size--'));
  const broken = await verify(task(path), { memory: notes });
  expect(broken.kind).toBe('bug');
});

test('a counterexample is replayed', async () => {
  const notes = await remembered(bad);
  const again = await ask(bad, notes);
  expect(again.kind).toBe('bug');
  expect(again.statistics.solverQueries).toBe(0);
  expect(again.remarks).toContain('the counterexample is one that an earlier run had found; it was replayed');
});

test('an answer that the budget cut short is no answer later, but a place to begin', async () => {
  const notes = new Notes();
  const short = await ask(good, notes, { budget: { milliseconds: 1 } });
  expect(short.kind).toBe('unknown');
  const long = await ask(good, notes);
  expect(long.kind).toBe('proved');
});

test('a run that is interrupted goes on where it was', async () => {
  const notes = new Notes();
  const abort = new AbortController();
  const path = file(good);
  const probe = (name: string, operator: '==' | '>=' | '<=', value: number): Probe => ({
    name,
    origin: 'test',
    formula: compare(operator, variable('size'), integer(value)),
  });
  const states = {
    predicates: 'probes',
    runs: [run(['push', 1])],
    probes: [probe('low', '>=', 0), probe('high', '<=', 4), ...[0, 1, 2, 3, 4].map((n) => probe(`is${n}`, '==', n))],
  } as const;
  let reports = 0;
  const cut = await verify(task(path, states), {
    memory: notes,
    signal: abort.signal,
    progress: ({ phase }) => {
      if (phase === 'solving' && ++reports > 12) abort.abort();
    },
  });
  expect(cut).toMatchObject({ kind: 'unknown', reason: { cause: 'interrupted' } });
  const whole = await verify(task(path, states), {});
  const rest = await verify(task(path, states), { memory: notes });
  expect(rest.kind).toBe('proved');
  expect(rest.remarks.join()).toContain('what an earlier run had found out is taken up');
  expect(rest.statistics.fabricatedStates).toBeLessThan(whole.statistics.fabricatedStates);
  expect(rest.statistics.abstractStates).toBe(whole.statistics.abstractStates);
});

test('no certificate proves a wrong program', async () => {
  const notes = await remembered(good);
  const [exact] = [...notes.texts].filter(([name]) => name.startsWith('["exact"')).map(([, text]) => text);
  interface Kept {
    kind: string;
    proof: {
      terms: { rows: unknown[][]; roots: number[] };
      points: {
        name: string;
        invariants: number[];
        predicates: [number, string | null][];
        states: [string, string, unknown[]][];
      }[];
    };
  }
  const kept = (): Kept => JSON.parse(exact!) as Kept;
  const everywhere = (term: Term, kind = 'proved'): Kept => {
    const proof = kept();
    proof.kind = kind;
    proof.proof.terms = writeTerms([term]) as unknown as Kept['proof']['terms'];
    for (const point of proof.proof.points)
      Object.assign(point, { invariants: [0], predicates: [], states: [['', '', []]] });
    return proof;
  };
  const size = L.symbol('size', L.bitsSort(32));
  const one = L.bits(1n, 32);
  const lies: unknown[] = [
    kept(),
    everywhere(L.FALSE),
    everywhere(L.TRUE),
    { ...everywhere(L.FALSE), kind: 'unfinished', closing: false, stages: 1, level: 0 },
    everywhere(L.sle(one, size)),
    { ...everywhere(L.FALSE), kind: 'unfinished', closing: true, stages: 99, level: 2 },
    { ...everywhere(L.FALSE), kind: 'unfinished', closing: false, stages: 0, level: 99 },
    null,
    { kind: 'proved', proof: {} },
    { kind: 'bug', scenario: {} },
    { kind: 'unfinished', proof: { terms: {}, points: [] }, level: 0, stages: 0 },
  ];
  for (const lie of lies) expect((await ask(bad, lying(lie))).kind).toBe('bug');
  for (const lie of [
    everywhere(L.FALSE),
    { ...everywhere(L.FALSE), kind: 'unfinished', closing: true, stages: 99, level: 2 },
  ])
    expect(await ask(good, lying(lie), { budget: { milliseconds: 300_000 } })).toMatchObject({ kind: 'proved' });
});

test('what a client passes is no part of the state between calls', async () => {
  const picky = 'static int x;\nint f(int k) { x = 1; return 10 / (k - 77); }\n';
  const notes = await remembered(picky.replace('k - 77', '(k & 1) + 1'));
  const [exact] = [...notes.texts]
    .filter(([name]) => name.startsWith('["exact"'))
    .map(([, text]) => JSON.parse(text) as { proof: { terms: unknown; points: object[] } });
  // Claimed everywhere, it is assumed at the call and kept until the next.
  exact!.proof.terms = writeTerms([L.eq(L.symbol('f:k#0', L.bitsSort(32)), L.bits(1n, 32))]);
  for (const point of exact!.proof.points)
    Object.assign(point, { invariants: [0], predicates: [], states: [['', '', []]] });
  const verdict = await ask(picky, lying(exact));
  expect(verdict.kind).toBe('bug');
});

test('damage of any kind is survived', async () => {
  const notes = await remembered(good);
  const exact = [...notes.texts].find(([name]) => name.startsWith('["exact"'))![1];
  const value = fc.constantFrom<unknown>(
    0,
    1,
    2,
    -1,
    99,
    '0',
    '1',
    '',
    'and',
    'or',
    'not',
    null,
    [],
    {},
    true,
    [0],
    ['', '1', []],
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(), value), { minLength: 1, maxLength: 4 }), async (changes) => {
      const damaged = JSON.parse(exact) as unknown;
      for (const [where, what] of changes) damage(damaged, where, what);
      expect((await ask(bad, lying(damaged))).kind).toBe('bug');
    }),
    { numRuns: 8 },
  );
});

/** Replaces one of all the parts, chosen by number. */
function damage(root: unknown, where: number, what: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push([node as Record<string, unknown>, key]);
      visit((node as Record<string, unknown>)[key]);
    }
  };
  visit(root);
  if (places.length === 0) return;
  const [holder, key] = places[where % places.length]!;
  holder[key] = what;
}

test('no counterexample that a client could not do is believed', async () => {
  const scalar = (value: unknown) => ({ kind: 'scalar', value });
  const call = (name: string, ...args: unknown[]) => ({ function: name, arguments: args });
  const lies = [
    [call('bounded', scalar(300), scalar(0))], // not a char
    [call('bounded', scalar(1), scalar(4096))], // a pointer from nowhere
    [call('bounded', scalar(1), { kind: 'object', type: 'char', contents: 1 })], // too small an object
    [call('bounded')],
  ];
  for (const calls of lies)
    expect((await ask(pointers, lying({ kind: 'bug', scenario: { calls, answers: [] } }))).kind).toBe('proved');
});

test('a client that passes a table of pointers to const is read back', () => {
  const program = loadProgram([file('int f(const char **table, const int *n) { return table != 0 && n != 0; }')]);
  const fn = program.functionByName.get('f')!;
  const object = (at: number, contents: readonly number[]) => {
    const { to } = fn.parameters[at]!.ctype as CType & { kind: 'pointer' };
    return { kind: 'object', type: { kind: 'array', of: { ...to, const: false }, length: 1 }, contents } as const;
  };
  const scenario = { calls: [{ fn, arguments: [object(0, []), object(1, [1])] }], answers: [] };
  const again = recallScenario(storeScenario(scenario), program);
  expect(again?.calls[0]?.arguments).toMatchObject([{ contents: [] }, { contents: [1] }]);
  // Too small for a table.
  const other = { ...scenario, calls: [{ fn, arguments: [object(1, []), object(0, [])] }] };
  expect(recallScenario(storeScenario(other), program)).toBeUndefined();
});

test('a folder that cannot be written takes no proof away, and the verdict says that nothing was kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'provest-memory-'));
  try {
    const path = join(folder, 'a file');
    writeFileSync(path, 'no folder');
    const verdict = await ask(good, new ProofFolder(path));
    expect(verdict.kind).toBe('proved');
    expect(verdict.remarks).toContainEqual(
      expect.stringMatching(/^the next run will prove this anew: .*a file cannot be written \(E[A-Z]+\)$/),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a folder: a damaged, torn or foreign file is as good as none, and two writers do not meet', () => {
  const folder = mkdtempSync(join(tmpdir(), 'provest-memory-'));
  try {
    const memory = new ProofFolder(join(folder, 'not', 'there', 'yet'));
    expect(memory.recall('question')).toBeUndefined();
    memory.keep('question', { answer: [1, 'two', null] });
    expect(new ProofFolder(memory.folder).recall('question')).toEqual({ answer: [1, 'two', null] });
    expect(memory.recall('another')).toBeUndefined();
    const [name] = readdirSync(memory.folder);
    const path = join(memory.folder, name!);
    expect(name).not.toMatch(/\.(json|js|ts|c|h)$/);
    const text = readFileSync(path, 'utf8');
    for (const damaged of [text.replace('two', 'too'), text.slice(0, -3), '', '\n', 'x'.repeat(100), text.slice(65)]) {
      writeFileSync(path, damaged);
      expect(memory.recall('question')).toBeUndefined();
    }
    memory.keep('question', 3);
    expect(memory.recall('question')).toBe(3);
    expect(readdirSync(memory.folder)).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
