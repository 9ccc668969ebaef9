/**
 * The lemma on which reductions rest, as a property: whichever commands are dropped, every step that an execution takes
 * is a step of the weakened program.
 */
import fc from 'fast-check';
import { ConcreteView } from '../../src/abstraction/transitionSystem/concreteView';
import type { Cutpoint } from '../../src/abstraction/transitionSystem/cutpoint';
import {
  plainOptions,
  TransitionSystem,
  type SystemOptions,
} from '../../src/abstraction/transitionSystem/transitionSystem';
import * as L from '../../src/logic/build';
import { readArray } from '../../src/logic/arrays/arrayValue';
import { literal } from '../../src/logic/literal';
import { substituteAll } from '../../src/logic/substitute';
import type { ArrayValue, SymbolTerm, Term } from '../../src/logic/term';
import type { Program } from '../../src/program/program';
import type { Weakening } from '../../src/program/automata/weakening';
import { Machine } from '../../src/semantics/concrete/machine';
import { createSolver, type Solver } from '../../src/solver';
import { programOf } from '../program/programOf';
import { moduleText, program } from './randomProgram';

jest.setTimeout(300_000);
const numRuns = Number(process.env.PROVEST_RUNS ?? 25);

let solver: Solver;
beforeAll(() => {
  solver = createSolver({ seed: 1 });
});
afterAll(() => solver.close());

const optionsOf = (of: Program, weakening: Weakening): SystemOptions => ({
  ...plainOptions,
  mode: 'program',
  entries: [of.functionByName.get('main')!],
  checkedProperties: new Set(['reach', 'memsafety']),
  weakening,
});

/** A state of `main`: what is known of its symbols. */
interface Seen {
  readonly point: Cutpoint;
  /** Equations between a symbol, or an element of an array, and its value. */
  readonly values: readonly { readonly of: Term; readonly is: Term }[];
}

/** The states of `main` at cutpoints, in the order in which an execution comes to them. */
function execution(system: TransitionSystem, seed: number): Seen[] {
  const machine = new Machine(system.program, {
    seed,
    stepLimit: 4_000,
    properties: new Set(['reach', 'memsafety']),
    output: () => {},
  });
  const main = system.program.functionByName.get('main')!;
  const seen: Seen[] = [];
  machine.observer = {
    locations: system.watched,
    visit: (location, activation) => {
      if (activation.fn !== main || seen.length >= 12) return;
      const view = new ConcreteView(system.vocabulary, {
        globals: machine.globals,
        memory: machine.memory,
        activation,
        activations: machine.activations,
      });
      const values = system.vocabulary.symbolsFor(main).flatMap((symbol) => known(symbol, view));
      seen.push({ point: system.at(location)!, values });
    },
  };
  machine.call(main, []);
  return seen;
}

function known(symbol: SymbolTerm, view: ConcreteView): Seen['values'] {
  const { sort } = symbol;
  const value = view.value(symbol);
  if (sort.kind !== 'array') return [{ of: symbol, is: literal(value, sort)! }];
  // The array `a`, by offset; what is said of all objects is not looked at.
  if (sort.element.kind !== 'bits' || sort.element.width !== 32 || symbol.name.startsWith('#')) {
    if (!/^#m\d+:a/u.test(symbol.name)) return [];
  }
  return [0n, 4n, 8n].map((at) => ({
    of: L.select(symbol, L.bits(at, sort.index.width)),
    is: literal(readArray(value as ArrayValue, at), sort.element)!,
  }));
}

/** True if some transition leads from the one state to the other. */
async function isStep(
  system: TransitionSystem,
  from: Seen,
  to: Seen,
  kind: 'segment' | 'elsewhere' = 'segment',
): Promise<boolean> {
  const before = from.values.map(({ of, is }) => L.eq(of, is));
  for (const transition of system.transitions) {
    if (transition.from !== from.point || transition.kind !== kind) continue;
    for (const { point, guard, state, axioms } of transition.ends) {
      if (point !== to.point) continue;
      const binding = system.vocabulary.binding(point.fn, state);
      const after = substituteAll(
        to.values.map(({ of }) => of),
        binding,
      ).map((term, i) => L.eq(term, to.values[i]!.is));
      const question = [...transition.axioms, ...axioms, ...before, guard, ...after];
      const all = [...question, ...system.vocabulary.readAxioms(question, new Set())];
      if (!all.includes(L.FALSE) && (await solver.check(all, { timeoutMs: 20_000 })).kind === 'sat') return true;
    }
  }
  return false;
}

test('KT-11: a step of an execution is one of the weakened program, whichever commands are dropped', async () => {
  let steps = 0;
  let choices = 0;
  await fc.assert(
    fc.asyncProperty(
      program,
      fc.infiniteStream(fc.integer({ min: 0, max: 3 })),
      fc.nat(1000),
      async (text, draws, seed) => {
        const read = programOf(text, { externals: 'any' });
        const edges = read.functions.flatMap((fn) => fn.edges);
        const dropped = new Set(edges.filter(() => draws.next().value === 0));
        const system = new TransitionSystem(read, optionsOf(read, { dropped, assumed: new Set() }));
        choices += system.weakening.dropped.size;
        const states = execution(system, seed);
        for (const [i, to] of states.entries()) {
          const from = states[i - 1];
          // Behind a call that is summarised the caller's next state is for the summary to say.
          if (!from || from.point.kind === 'call') continue;
          steps++;
          expect(await isStep(system, from, to)).toBe(true);
        }
      },
    ),
    { numRuns },
  );
  expect(steps).toBeGreaterThan(numRuns);
  expect(choices).toBeGreaterThan(numRuns);
});

test('a call of a silent function is a step of the client, whatever the function does', async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(
      moduleText,
      fc.subarray([0, 1, 2], { minLength: 1 }),
      fc.array(fc.tuple(fc.nat(2), fc.integer({ min: -3, max: 5 })), { minLength: 1, maxLength: 8 }),
      async (text, chosen, calls) => {
        const read = programOf(text, { externals: 'any' });
        const entries = [0, 1, 2].map((i) => read.functionByName.get(`entry${i}`)!);
        const silent = new Set(chosen.map((i) => entries[i]!));
        const system = new TransitionSystem(read, {
          ...optionsOf(read, { dropped: new Set(), assumed: new Set(), silent }),
          mode: 'module',
          entries,
          // A function with checks that are asked is executed.
          checkedProperties: new Set(),
        });
        expect(system.weakening.silent).toEqual(silent);
        const machine = new Machine(read, { seed: 1, stepLimit: 4_000, properties: new Set(), output: () => {} });
        const client = system.client!;
        const state = (): Seen => {
          const view = new ConcreteView(system.vocabulary, {
            globals: machine.globals,
            memory: machine.memory,
            activation: undefined,
            activations: [],
          });
          const values = system.vocabulary.symbolsFor(client.fn).flatMap((symbol) => known(symbol, view));
          return { point: client, values };
        };
        for (const [i, argument] of calls) {
          const before = state();
          const outcome = machine.call(entries[i]!, [argument]);
          if (outcome.kind !== 'returned') break;
          if (!silent.has(entries[i]!)) continue;
          steps++;
          expect(await isStep(system, before, state(), 'elsewhere')).toBe(true);
        }
      },
    ),
    { numRuns },
  );
  expect(steps).toBeGreaterThan(numRuns);
});
