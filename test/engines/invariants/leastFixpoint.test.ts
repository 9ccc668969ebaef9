/**
 * Theorem 3.2 of ISSTA 2006 as a property: the engine's final abstract states are the least fixpoint of the best
 * abstract transformer, whichever state the prover picks and wherever runs are cut. The oracle enumerates all abstract
 * successors with a fresh query each.
 */
import fc from 'fast-check';
import { PredicateAbstraction } from '../../../src/abstraction/predicates/predicateAbstraction';
import { noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import { cube, type StatePredicate } from '../../../src/abstraction/predicates/predicateAbstraction';
import { ConcreteView } from '../../../src/abstraction/transitionSystem/concreteView';
import { ProbeReader } from '../../../src/abstraction/predicates/probes';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { TestBasedAbstraction } from '../../../src/engines/testBasedAbstraction/testBasedAbstraction';
import * as L from '../../../src/logic/build';
import { compile } from '../../../src/logic/compile';
import { substituteAll } from '../../../src/logic/substitute';
import { loadProgram } from '../../../src/program';
import { defaultProperties } from '../../../src/program/command';
import { Machine } from '../../../src/semantics/concrete/machine';
import { FreshSymbols } from '../../../src/semantics/symbolic/symbolicValues';
import { createSolver } from '../../../src/solver';
import { compare, file, integer, variable } from '../task';

jest.setTimeout(300_000);
const budget = { timeoutMs: 20_000 };

const small = fc.integer({ min: 0, max: 12 });
const operand = fc.oneof(fc.constantFrom('x', 'y', 'a'), small.map(String));
const condition = fc.tuple(operand, fc.constantFrom('<', '<=', '==', '!='), operand).map((parts) => parts.join(' '));
const assignment = fc
  .tuple(fc.constantFrom('x', 'y'), operand, fc.constantFrom('+', '-', '&', '|'), operand)
  .map(([v, a, op, b]) => `${v} = (unsigned char)(${a} ${op} ${b});`);
const block = fc.oneof(
  assignment,
  fc.tuple(condition, assignment, assignment).map(([c, a, b]) => `if (${c}) { ${a} } else { ${b} }`),
  fc
    .tuple(condition, assignment)
    .map(([c, a]) => `while (${c}) { ${a} x = (unsigned char)(x + 1); if (x > 200) break; }`),
  fc.tuple(condition, assignment).map(([c, a]) => `if (${c}) return; ${a}`),
);
const moduleText = fc
  .array(fc.array(block, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 2 })
  .map((bodies) =>
    [
      'static unsigned char x, y;',
      ...bodies.map(
        (body, i) =>
          `void f${i}(unsigned char a) { ${body.join(' ')} if (a == 255 && x > 250 && y > 250) x = 1 / ` +
          '(a - 255 + 1); }',
      ),
    ].join('\n'),
  );
const probe = fc
  .tuple(
    fc.constantFrom('x', 'y'),
    fc.constantFrom('<' as const, '==' as const, '<=' as const),
    fc.oneof(small.map(integer), fc.constantFrom('x', 'y').map(variable)),
  )
  .map(([left, operator, right]) => compare(operator, variable(left), right));

type States = Map<number, Set<string>>;
const statesOf = ({ points }: PredicateAbstraction): string[] =>
  points.map((abstract) => `${abstract.point.index}:${[...abstract.valuations()].sort().join(',')}`);

test('the final states are the least fixpoint, for three seeds and four ways of cutting runs', async () => {
  await fc.assert(
    fc.asyncProperty(moduleText, fc.array(probe, { minLength: 2, maxLength: 4 }), async (text, probes) => {
      const program = loadProgram([file(text)]);
      const make = (): PredicateAbstraction => {
        const system = new TransitionSystem(program, {
          ...plainOptions,
          mode: 'module',
          entries: program.functions,
          checkedProperties: new Set(defaultProperties),
        });
        return new PredicateAbstraction(system, noInvariants, (point) => {
          const reader = new ProbeReader(
            system.builder,
            undefined,
            system.vocabulary.state(point.fn, point.fn.exit, new FreshSymbols('probe')),
          );
          const terms = new Set(probes.map((formula) => reader.read(formula)));
          return [...terms]
            .filter((term) => term.kind !== 'boolean')
            .map((term): StatePredicate => ({ term, name: undefined }));
        });
      };
      const expected = await leastFixpoint(make());
      for (const [seed, runSteps] of [
        [1, 100_000],
        [2, 10],
        [3, 1],
        [3, 0],
      ] as const) {
        const abstraction = make();
        const { system } = abstraction;
        const solver = createSolver({ seed });
        const engine = new TestBasedAbstraction(abstraction, solver, new Machine(program, { stepLimit: 10_000 }), {
          query: budget,
          abstractStates: 5000,
          runSteps,
          idleSteps: 1000,
          stop: () => undefined,
        });
        try {
          engine.recorder.visit(system.client!, undefined);
          expect(await engine.close()).toEqual({ kind: 'closed' });
          expect(statesOf(abstraction)).toEqual(
            system.points.map(({ index }) => `${index}:${[...expected.get(index)!].sort().join(',')}`),
          );
          // Nothing is new, so nothing is asked (row IS-04).
          const asked = engine.statistics.queries;
          expect(await engine.close()).toEqual({ kind: 'closed' });
          expect(engine.statistics.queries).toBe(asked);
        } finally {
          engine.dispose();
          await solver.close();
        }
      }
    }),
    { numRuns: Number(process.env.PROVEST_RUNS ?? 6) },
  );
});

async function leastFixpoint(abstraction: PredicateAbstraction): Promise<States> {
  const { system } = abstraction;
  const solver = createSolver({ seed: 7 });
  const states: States = new Map(system.points.map((point) => [point.index, new Set<string>()]));
  const client = system.client!;
  const machine = new Machine(system.program);
  const view = new ConcreteView(system.vocabulary, {
    globals: machine.globals,
    memory: machine.memory,
    activation: undefined,
    activations: [],
  });
  states.get(client.index)!.add(
    abstraction
      .at(client)
      .predicates.map(({ term }) => (compile(term)(view.value) === true ? '1' : '0'))
      .join(''),
  );
  try {
    for (let changed = true; changed;) {
      changed = false;
      for (const point of system.points)
        if (point.kind === 'exit')
          for (const v of states.get(point.index)!)
            if (!states.get(client.index)!.has(v)) {
              states.get(client.index)!.add(v);
              changed = true;
            }
      for (const { from, axioms, ends } of system.transitions) {
        for (const source of [...states.get(from!.index)!]) {
          for (const { point, guard, state } of ends) {
            const literals = substituteAll(
              abstraction.at(point).predicates.map(({ term }) => term),
              system.vocabulary.binding(point.fn, state),
            );
            const known = states.get(point.index)!;
            for (;;) {
              const query = [
                ...axioms,
                cube(
                  source,
                  abstraction.at(from!).predicates.map(({ term }) => term),
                ),
                guard,
                ...[...known].map((v) => L.not(cube(v, literals))),
              ];
              const answer = await solver.check([...query, ...system.vocabulary.readAxioms(query, new Set())], budget);
              if (answer.kind === 'unknown') throw new Error('the oracle must decide');
              if (answer.kind === 'unsat') break;
              known.add(literals.map((literal) => (answer.model.evaluate(literal) === true ? '1' : '0')).join(''));
              changed = true;
            }
          }
        }
      }
    }
    return states;
  } finally {
    await solver.close();
  }
}
