/** Runs an engine that refines, with everything it did in hand. */
import type { CutpointSelection } from '../../src/abstraction/transitionSystem/cutpointSelection';
import { reachableNodes } from '../../src/abstraction/partition/matchedPaths';
import { noInvariants } from '../../src/abstraction/transitionSystem/invariantMap';
import { TransitionSystem } from '../../src/abstraction/transitionSystem/transitionSystem';
import { Refinement, ScenarioExecution } from '../../src/engines/refinement/refinementState';
import {
  synergy,
  type SynergyEvent,
  type SynergyOptions,
  type SynergyResult,
} from '../../src/engines/refinement/synergy';
import type { Scenario } from '../../src/evidence/scenarios/scenario';
import * as L from '../../src/logic/build';
import type { Term } from '../../src/logic/term';
import { loadProgram } from '../../src/program';
import { FreshSymbols, number } from '../../src/semantics/symbolic/symbolicValues';
import { withBothEncodings, createHornSolver, createSolver, type HornSolver } from '../../src/solver';
import type { Solver } from '../../src/solver/solver';

export interface Watched {
  readonly result: SynergyResult;
  readonly refinement: Refinement;
  readonly events: readonly SynergyEvent[];
  readonly scenario: Scenario | undefined;
  readonly invariantAtLoop: () => Term;
}

export const refiningOptions = {
  generalize: 'off',
  choice: 'oldest',
  edges: 'checked',
  iterations: 400,
  stop: () => undefined,
} as const satisfies SynergyOptions;

let shared: Solver | undefined;
export const solver = (): Solver => (shared ??= withBothEncodings(createSolver({ seed: 1 })));
let sharedHorn: HornSolver | undefined;
afterAll(async () => {
  await Promise.all([shared?.close(), sharedHorn?.close()]);
  [shared, sharedHorn] = [undefined, undefined];
});

export function refinementOf(path: string, cutpoints: CutpointSelection = 'statements', seed = 1): Refinement {
  const program = loadProgram([path], { externals: 'any' });
  const checkedProperties = new Set(['reach'] as const);
  const system = new TransitionSystem(program, {
    mode: 'program',
    entries: [program.functionByName.get('entry')!],
    init: undefined,
    checkedProperties,
    cutpoints,
    inline: true,
    pointerAxioms: true,
    requires: () => [],
  });
  return new Refinement(system, noInvariants, solver(), {
    seed,
    runSteps: 5_000_000,
    query: () => ({ timeoutMs: 10_000 }),
    horn: (sharedHorn ??= createHornSolver()),
    scenarios: { checkedProperties, stepLimit: 5_000_000, permits: () => true },
  });
}

export async function refineFixture(
  path: string,
  { cutpoints, ...options }: Partial<SynergyOptions> & { readonly cutpoints?: CutpointSelection },
): Promise<Watched> {
  const refinement = refinementOf(path, cutpoints);
  const events: SynergyEvent[] = [];
  const result = await synergy(refinement, { ...refiningOptions, ...options, log: (event) => events.push(event) });
  const { execution } = result.kind === 'fail' ? refinement.forest.runOf(result.state) : { execution: undefined };
  return {
    result,
    refinement,
    events,
    scenario: execution instanceof ScenarioExecution ? execution.scenario : undefined,
    invariantAtLoop: () => {
      const { partition, graph, system } = refinement;
      const point = system.points.find(({ kind }) => kind === 'loop')!;
      const reachable = new Set(reachableNodes(partition).map(({ region }) => region));
      return L.and(
        ...graph.at(point).invariants,
        L.or(
          ...partition
            .at(graph.at(point))
            .filter((region) => reachable.has(region))
            .map(({ formula }) => formula),
        ),
      );
    },
  };
}

export type Formula = (variable: (name: string) => Term, literal: (value: number) => Term) => Term;

/**
 * Is the formula equivalent to one of the others, which mention the entry function's 32-bit variables? Or does it
 * imply one?
 */
export async function related(
  refinement: Refinement,
  formula: Term,
  relation: 'implies' | 'equivalent',
  others: readonly Formula[],
): Promise<boolean> {
  const { system } = refinement;
  const fn = system.options.entries[0]!;
  const { locals } = system.vocabulary.arbitraryState(fn, new FreshSymbols('formula'));
  const variable = (name: string): Term => number(locals[fn.variables.find((v) => v.name === name)!.slot]!);
  for (const other of others) {
    const wanted = other(variable, (value) => L.bits(BigInt.asUintN(32, BigInt(value)), 32));
    const different = relation === 'implies' ? L.and(formula, L.not(wanted)) : L.not(L.iff(formula, wanted));
    if ((await refinement.check([different])).kind === 'unsat') return true;
  }
  return false;
}
