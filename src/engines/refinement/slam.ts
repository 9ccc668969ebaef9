/**
 * Counterexample-guided refinement without tests, as in SLAM (Ball, Rajamani, "The SLAM Project", POPL 2002), as a
 * baseline on the structures of `Refinement`: take an abstract path to the error, ask whether it can be run; if not,
 * what explains that becomes predicates at every place: the values that the variables of its conditions had on the way,
 * where they are known (as Newton does by simulating the path), else the atoms of its preimages.
 */
import * as L from '../../logic/build';
import { atomsOf, sizeOf, symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { AbstractEdge, AbstractPath } from '../../abstraction/partition/partition';
import { pathFormula, type SimulatedPath } from '../../abstraction/partition/pathFormula';
import { stepCondition, without } from '../../abstraction/partition/preimage';
import { Region } from '../../abstraction/partition/region';
import { edgeKey } from '../../abstraction/partition/notMaySummaries';
import type { Reason } from '../../verdict';
import { ScenarioExecution, type Refinement } from './refinementState';
import type { SynergyOptions, SynergyResult } from './synergy';

const limits = {
  /** Larger atoms are not followed; in distinct subterms. */
  atomSize: 60,
  splits: 400,
} as const;

export async function slam(
  refinement: Refinement,
  options: Pick<SynergyOptions, 'stop' | 'iterations'>,
): Promise<SynergyResult> {
  const { partition, forest } = refinement;
  const possible = new Set<string>();
  const followed = new Set<Term>();
  let splits = 0;
  const unknown = (iterations: number, reason: Reason): SynergyResult => ({ kind: 'unknown', iterations, reason });

  const feasibleEdges = async (path: AbstractPath): Promise<boolean> => {
    for (const edge of path) {
      if (possible.has(edgeKey(edge))) continue;
      if ((await refinement.edge(edge)).kind === 'unsat') {
        partition.remove(edge);
        return false;
      }
      possible.add(edgeKey(edge));
    }
    return true;
  };

  /** Splits every region at every place that the predicate cuts. */
  const everywhere = async (predicate: Term, because: AbstractEdge): Promise<void> => {
    for (const region of partition.regions) {
      if (options.stop() || splits > limits.splits) return;
      const { point } = region.node;
      if (!point || region.literals.includes(predicate) || region.literals.includes(L.not(predicate))) continue;
      const own = new Set<Term>(refinement.system.vocabulary.symbolsFor(point.fn));
      if (![...symbolsOf(predicate)].every((symbol) => own.has(symbol))) continue;
      const here = [...region.node.known, ...region.literals];
      if (
        (await refinement.check([...here, predicate])).kind === 'unsat' ||
        (await refinement.check([...here, L.not(predicate)])).kind === 'unsat'
      )
        continue;
      splits++;
      refinement.split(region, { predicate, step: because.step, into: because.to, how: 'preimage' });
    }
  };

  for (let iteration = 1; ; iteration++) {
    let path: AbstractPath | undefined;
    do {
      const reason = options.stop();
      if (reason) return unknown(iteration, reason);
      path = partition.errorPath();
      if (!path) return { kind: 'pass', iterations: iteration };
    } while (!(await feasibleEdges(path)));
    if (splits > limits.splits)
      return unknown(iteration, {
        cause: 'state-explosion',
        message: `the predicates distinguish more than ${limits.splits} abstract states`,
      });
    if (iteration > options.iterations)
      return unknown(iteration - 1, {
        cause: 'state-explosion',
        message: `the predicates were not enough after ${options.iterations} iterations`,
      });
    const formula = pathFormula(path);
    const answer = await refinement.check(formula.constraints);
    if (answer.kind === 'unknown')
      return unknown(iteration, {
        cause: 'solver-budget',
        message: `the solver could not decide about a path (${answer.cause}: ${answer.detail})`,
      });
    if (answer.kind === 'sat') {
      refinement.test(refinement.scenario(formula, answer.model), path.length);
      const failed = partition.error.states[0];
      if (failed === undefined)
        return unknown(iteration, {
          cause: 'probe-too-weak',
          message: 'a path that the formulas allow was not run: a step is not described exactly',
        });
      const { execution } = forest.runOf(failed);
      return {
        kind: 'fail',
        iterations: iteration,
        state: failed,
        scenario: execution instanceof ScenarioExecution ? execution.scenario : undefined,
      };
    }
    const before = followed.size;
    const follow = async (atom: Term, edge: AbstractEdge): Promise<void> => {
      if (followed.has(atom) || sizeOf(atom) > limits.atomSize || atom.kind === 'boolean') return;
      followed.add(atom);
      await everywhere(atom, edge);
    };
    for (const { edge, predicate } of valuesAlong(path, formula)) await follow(predicate, edge);
    if (followed.size === before)
      for (const { edge, condition } of preimagesAlong(path))
        for (const atom of atomsOf(condition)) await follow(atom, edge);
    if (followed.size === before)
      return unknown(iteration, {
        cause: 'probe-too-weak',
        message: 'a path that cannot be run gave no new predicate',
      });
  }
}

/** Equations of variables in the path's conditions with the constants they are on it. */
function valuesAlong(
  path: AbstractPath,
  { states }: SimulatedPath,
): { readonly edge: AbstractEdge; readonly predicate: Term }[] {
  const asked = new Set(
    path.flatMap(({ step }) => [...symbolsOf(step.guard)].filter((symbol) => !step.fresh.has(symbol))),
  );
  return path.flatMap((edge, i) =>
    [...asked].flatMap((symbol) => {
      const value = states[i]!.get(symbol);
      return edge.to.node.point && value?.kind === 'bits' ? [{ edge, predicate: L.eq(symbol, value) }] : [];
    }),
  );
}

/** Conditions before each step for the rest of the path to be taken. */
function preimagesAlong(path: AbstractPath): { readonly edge: AbstractEdge; readonly condition: Term }[] {
  const found: { edge: AbstractEdge; condition: Term }[] = [];
  let condition: Term = L.TRUE;
  for (const edge of [...path].reverse()) {
    if (!edge.from.node.point) break;
    const target = new Region(-1, edge.to.node, condition === L.TRUE ? [] : [condition], undefined, undefined);
    condition = without(stepCondition(edge.step, target), edge.step.fresh, 'drop');
    found.push({ edge, condition });
  }
  return found;
}
