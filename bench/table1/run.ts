/**
 * One program of table 1 under one engine: verdict, iterations, seconds. The table's own programs are not public; these
 * follow the patterns it names.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CutpointSelection } from '../../src/abstraction/transitionSystem/cutpointSelection';
import { noInvariants } from '../../src/abstraction/transitionSystem/invariantMap';
import { TransitionSystem } from '../../src/abstraction/transitionSystem/transitionSystem';
import type { Generalisation } from '../../src/engines/refinement/generalise';
import { refine, type Refined, type RefiningEngine } from '../../src/engines/refinement/refine';
import { loadProgram } from '../../src/program';
import type { HornSolver } from '../../src/solver';
import type { Solver } from '../../src/solver/solver';

export interface Table1Program {
  readonly name: string;
  readonly path: string;
  readonly expect: 'proved' | 'bug';
  readonly paper: {
    readonly synergy: number;
    readonly slam: number | undefined;
    readonly leeYannakakis: number | undefined;
  };
}

/** Iterations in the paper: Synergy, SLAM, Lee-Yannakakis; undefined stands for its star, not within 20 minutes. */
const paper: readonly (readonly [number, number | undefined, number | undefined])[] = [
  [9, 4, undefined],
  [6, 4, undefined],
  [5, 13, undefined],
  [2, 12, 22],
  [2, 1, undefined],
  [1, 1, 1],
  [6, 4, 6],
  [2, 2, undefined],
  [3, 1, 3],
  [3, 1, 3],
  [2, 13, undefined],
  [7, 13, undefined],
  [12, 2, 12],
  [1, 12, undefined],
  [3, undefined, 3],
  [3, undefined, undefined],
  [2, undefined, undefined],
  [24, undefined, undefined],
  [24, undefined, undefined],
  [22, undefined, undefined],
];

export const table1Programs: readonly Table1Program[] = readdirSync(__dirname)
  .filter((name) => name.endsWith('.c'))
  .sort()
  .map((name, i) => {
    const path = join(__dirname, name);
    const [synergy, slam, leeYannakakis] = paper[i]!;
    return {
      name: name.slice(0, -2),
      path,
      expect: readFileSync(path, 'utf8').includes('expect: bug') ? 'bug' : 'proved',
      paper: { synergy, slam, leeYannakakis },
    };
  });

export interface Measured {
  readonly verdict: 'proved' | 'bug' | 'unknown';
  readonly iterations: number;
  readonly tests: number;
  readonly seconds: number;
  readonly result: Refined;
}

/** `horn`: for interpolants. */
export interface Limits {
  readonly cutpoints?: CutpointSelection;
  readonly iterations?: number;
  readonly milliseconds?: number;
  readonly generalize?: Generalisation;
  readonly horn?: HornSolver;
}

export async function measure(
  { path }: Pick<Table1Program, 'path'>,
  engine: RefiningEngine,
  solver: Solver,
  { cutpoints = 'default', iterations = 60, milliseconds = 30_000, generalize = 'learned', horn }: Limits = {},
): Promise<Measured> {
  const program = loadProgram([path], { externals: 'any' });
  const checkedProperties = new Set(['reach'] as const);
  const began = performance.now();
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
  const result = await refine(system, noInvariants, solver, {
    engine,
    seed: 1,
    runSteps: 1_000_000,
    query: () => ({ timeoutMs: 5000 }),
    scenarios: { checkedProperties, stepLimit: 1_000_000, permits: () => true },
    executions: [],
    generalize,
    horn,
    choice: 'nearest',
    edges: 'checked',
    iterations,
    stop: () =>
      performance.now() - began > milliseconds ? { cause: 'time-budget', message: 'out of time' } : undefined,
  });
  const verdict = result.kind === 'pass' ? 'proved' : result.kind === 'fail' ? 'bug' : 'unknown';
  return {
    verdict,
    iterations: result.report.iterations,
    tests: result.report.tests,
    seconds: (performance.now() - began) / 1000,
    result,
  };
}
