/**
 * Laws of SYNERGY as properties of random programs: ordered traces are ordered, suitable tests follow them, preimages
 * are exact, failing inputs fail again, and a quotient that Lee and Yannakakis end with is never coarser than Synergy's
 * partition (lemma 1).
 */
import fc from 'fast-check';
import { prefix } from '../../../src/abstraction/partition/frontier';
import { holdsIn } from '../../../src/abstraction/partition/partition';
import { stepCondition, without } from '../../../src/abstraction/partition/preimage';
import { leeYannakakis } from '../../../src/engines/refinement/leeYannakakis';
import { synergy } from '../../../src/engines/refinement/synergy';
import { ScenarioExecution } from '../../../src/engines/refinement/refinementState';
import { faultOf, runScenario } from '../../../src/evidence/scenarios/scenario';
import * as L from '../../../src/logic/build';
import { file } from '../task';
import { refinementOf, refiningOptions } from '../refining';
import { inLongForm } from '../../long';

jest.setTimeout(300_000);
const numRuns = Number(process.env.PROVEST_RUNS ?? 8);

const variable = fc.constantFrom('x', 'y');
const operand = fc.oneof(variable, fc.constant('a'), fc.integer({ min: -4, max: 9 }).map(String));
const condition = fc.tuple(operand, fc.constantFrom('<', '<=', '==', '!='), operand).map((parts) => parts.join(' '));
const assignment = fc.oneof(
  fc
    .tuple(variable, operand, fc.constantFrom('+', '-', '^'), operand)
    .map(([v, a, op, b]) => `${v} = ${a} ${op} ${b};`),
  variable.map((v) => `${v} = nondet();`),
);
const block = fc.oneof(
  assignment,
  fc.tuple(condition, assignment, assignment).map(([c, a, b]) => `if (${c}) { ${a} } else { ${b} }`),
  fc.tuple(assignment, fc.integer({ min: 1, max: 6 })).map(([a, rounds]) => `for (i = 0; i < ${rounds}; i++) { ${a} }`),
);
const program = fc
  .tuple(fc.array(block, { minLength: 1, maxLength: 4 }), condition)
  .map(
    ([blocks, c]) =>
      'extern int nondet(void);\nextern void error(void);\n' +
      `void entry(int a) { int x = 0, y = 1, i = 0; ${blocks.join(' ')} if (${c}) error(); }\n`,
  );

const small = fc.integer({ min: 0, max: 3 });
const update = fc.oneof(
  fc.tuple(variable, small, variable, small).map(([v, c, w, d]) => `if (${v} == ${c}) ${w} = ${d};`),
  fc.tuple(variable, small).map(([v, c]) => `if (${v} < ${c}) ${v} = ${v} + 1;`),
  fc.tuple(variable, small, variable).map(([v, c, w]) => `if (${v} != ${c}) ${w} = ${v};`),
);
/** Of few states, so that Lee and Yannakakis end. */
const machine = fc
  .tuple(fc.array(update, { minLength: 1, maxLength: 4 }), variable, fc.integer({ min: 1, max: 4 }))
  .map(
    ([updates, v, c]) =>
      'extern int nondet(void);\nextern void error(void);\n' +
      `void entry(void) { int x = 0, y = 0; while (nondet()) { ${updates.join(' ')} } ` +
      `if (${v} == ${c}) error(); }\n`,
  );

inLongForm('traces are ordered, tests follow them, splits are exact and make progress', async () => {
  await fc.assert(
    fc.asyncProperty(
      program,
      fc.constantFrom('off' as const, 'learned' as const),
      fc.constantFrom('checked' as const, 'lazy' as const),
      async (text, generalize, edges) => {
        const refinement = refinementOf(file(text));
        const { partition, forest } = refinement;
        let asked = 0;
        let expected: { readonly k: number; readonly before: readonly number[] } | undefined;
        const result = await synergy(refinement, {
          ...refiningOptions,
          generalize,
          edges,
          iterations: 40,
          log: (event) => {
            if (event.kind === 'trace') {
              // SY-11: preimages are computed and edges removed without asking, so that an iteration costs one
              // question.
              if (generalize === 'off' && edges === 'lazy')
                expect(refinement.statistics.queries - asked).toBeLessThanOrEqual(1);
              asked = refinement.statistics.queries;
              // SY-03: S_0 to S_k-1 hold states, S_k and what follows holds none.
              const before = prefix(event.trace, forest, partition);
              expect(before).toHaveLength(event.trace.k);
              for (const region of before) expect(region.isReached).toBe(true);
              for (const { to } of [event.trace.frontier, ...event.trace.rest]) expect(to.isReached).toBe(false);
              if (expected) {
                // SY-04: the test made for the trace before passes its first k places.
                const run = forest.runs[forest.runs.length - 1]!;
                const places = Array.from(
                  { length: Math.min(run.count, expected.k) },
                  (_, i) => forest.nodeOf(run.first + i).index,
                );
                expect(places).toEqual(expected.before.slice(0, run.count));
                expected = undefined;
              }
            }
            if (event.kind === 'test')
              expected = {
                k: event.trace.k,
                before: prefix(event.trace, forest, partition).map(({ node }) => node.index),
              };
          },
        });
        // No region is split twice by the same predicate, and states lie where their formula holds.
        for (const region of partition.regions) {
          expect(new Set(region.literals).size).toBe(region.literals.length);
          refinement.show(region.states.slice(0, 20), (_, view) => expect(holdsIn(region.formula, view)).toBe(true));
        }
        // SY-01: a failing input fails again, from the initial state.
        if (result.kind === 'fail') {
          const { execution } = forest.runOf(result.state);
          if (!(execution instanceof ScenarioExecution)) throw new Error('all executions here are scenarios');
          expect(
            faultOf(runScenario(refinement.system.program, execution.scenario, refinement.options.scenarios))?.check,
          ).toBe('unreachable');
        }
      },
    ),
    { numRuns },
  );
});

test('the preimage of a region holds exactly in the states from which the step can lead there', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (text) => {
      const refinement = refinementOf(file(text));
      await synergy(refinement, { ...refiningOptions, iterations: 8 });
      const { partition, forest } = refinement;
      for (const { from, step, to } of partition.regions
        .flatMap((region) => partition.edgesFrom(region))
        .slice(0, 12)) {
        if (!from.node.point) continue;
        const exact = stepCondition(step, to);
        const pre = without(exact, step.fresh, 'keep');
        // Sound: whatever can step into the region satisfies it. Exact: nothing else does, but for what the environment
        // chooses.
        expect((await refinement.check([exact, L.not(pre)])).kind).toBe('unsat');
        if (step.fresh.size === 0) expect((await refinement.check([pre, L.not(exact)])).kind).toBe('unsat');
        // Every step that a test took starts in it.
        const taken = to.states
          .filter((state) => forest.stepTo(state) === step)
          .flatMap((state) => forest.parentOf(state) ?? [])
          .filter((state) => partition.regionOf(state) === from);
        refinement.show(taken.slice(0, 10), (_, view) => expect(holdsIn(pre, view)).toBe(true));
      }
    }),
    { numRuns },
  );
});

test('lemma 1: a region that Lee and Yannakakis reach is never cut by a split of Synergy', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(machine, async (text) => {
      const path = file(text);
      const quotient = refinementOf(path);
      const ended = await leeYannakakis(quotient, { iterations: 10, stop: () => undefined });
      if (ended.kind !== 'pass') return;
      const ours = refinementOf(path);
      await synergy(ours, { ...refiningOptions, generalize: 'off', iterations: 20 });
      for (const { region, split } of ours.partition.splits.slice(0, 4)) {
        for (const reached of quotient.partition
          .at(quotient.graph.nodes[region.node.index]!)
          .filter(({ isReached }) => isReached)) {
          const here = [...reached.literals, ...region.literals];
          const [inside, outside] = [
            await ours.check([...here, split.predicate]),
            await ours.check([...here, L.not(split.predicate)]),
          ];
          expect([inside.kind, outside.kind]).toContain('unsat');
          compared++;
        }
      }
    }),
    { numRuns },
  );
  // Random programs of which none is proved by Lee and Yannakakis would compare nothing.
  expect(compared).toBeGreaterThan(0);
});
