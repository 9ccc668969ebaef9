/** Candidates where clients come and go: what no proof can use is left out before it costs a query. */
import { entriesInAnyState, withoutUnshared } from '../../../src/abstraction/candidates/clientCalls';
import type { Cutpoint } from '../../../src/abstraction/transitionSystem/cutpoint';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import { Budget } from '../../../src/budget';
import { houdini } from '../../../src/engines/invariants/houdini';
import { Solvers } from '../../../src/engines/solvers';
import * as L from '../../../src/logic/build';
import type { Term } from '../../../src/logic/term';
import { programOf } from '../../program/programOf';

function systemOf(text: string, entries: readonly string[]): TransitionSystem {
  const program = programOf(`#include <provest.h>\n${text}`);
  return new TransitionSystem(program, {
    ...plainOptions,
    mode: 'module',
    entries: entries.map((name) => program.functionByName.get(name)!),
    checkedProperties: new Set(['reach', 'overflow']),
  });
}

const atMost = (system: TransitionSystem, { fn }: Cutpoint, name: string, bound: number): Term =>
  L.sle(
    system.vocabulary.symbolsFor(fn).find((symbol) => symbol.name.includes(name))!,
    L.bits(BigInt(bound), 32),
  );

/** Everywhere that `n` is at most 9 and at most 5, between calls the first alone; `x` at entries and exits. */
function left(text: string, entries: readonly string[]): Record<string, number> {
  const system = systemOf(text, entries);
  const candidates = new Map(
    system.points.map((point) => [
      point,
      [
        atMost(system, point, 'n', 9),
        ...(point === system.client ? [] : [atMost(system, point, 'n', 5), atMost(system, point, 'x', 3)]),
      ],
    ]),
  );
  withoutUnshared(system, candidates);
  return Object.fromEntries([...candidates].map(([{ kind, fn }, { length }]) => [`${kind} ${fn.name}`, length]));
}

const add = (before = ''): string => `static int n; void add(int x) { ${before} if (x > 0 && n < 3) n++; }`;

test('of entries and exits, what is said between calls, and of arguments', () => {
  expect(left(add(), ['add'])).toMatchObject({ 'entry add': 2, 'exit add': 2 });
});

test('all of an entry whose precondition is about static data', () => {
  expect(left(add('PROVEST_REQUIRES(n < 2);'), ['add'])).toMatchObject({ 'entry add': 3, 'exit add': 2 });
  expect(left(add('PROVEST_REQUIRES(x < n);'), ['add'])).toMatchObject({ 'entry add': 2, 'exit add': 2 });
});

test('all of an exit to which the module itself returns', () => {
  const recursive = 'static int n; void add(int x) { if (x > 0 && n < 3) { n++; add(x - 1); } }';
  expect(left(recursive, ['add'])).toMatchObject({ 'entry add': 2, 'exit add': 3 });
});

test('where clients call, no query is spent on what is dropped between calls', async () => {
  const solvers = new Solvers(1, Budget.start({ milliseconds: 60_000 }), {});
  const search = async (text: string): Promise<{ readonly entry: number; readonly queries: number }> => {
    const system = systemOf(text, ['add', 'get']);
    const get = system.points.find(({ kind, fn }) => kind === 'entry' && fn.name === 'get')!;
    const before = solvers.instances.statistics.queries;
    const candidates = new Map(system.points.map((point) => [point, [2, 3].map((n) => atMost(system, point, 'n', n))]));
    const kept = await houdini(system, noInvariants, candidates, solvers.instances, {
      query: { timeoutMs: 20_000 },
      stop: () => false,
    });
    expect(entriesInAnyState(system)).toContain(get);
    return { entry: kept!.get(get.key)!.length, queries: solvers.instances.statistics.queries - before };
  };
  const get = 'int get(int x) { return n; }';
  expect(await search(`${add()} ${get}`)).toEqual({ entry: 1, queries: expect.any(Number) as number });
  const { entry, queries } = await search(`${add().replace('n < 3', 'n < 9')} ${get}`);
  expect(entry).toBe(0);
  // One step of `add` breaks them, one after the other, with some models. Two entries would need as many each.
  expect(queries).toBeLessThanOrEqual(5);
  await solvers.close();
});
