/**
 * Branches of a function that runs take, for clients that keep given specifications: these are possible, and the solver
 * need not be asked. Runs are a short search of its own, half of whose calls are of the function.
 */
import type { Budget } from '../../budget';
import type { Scenario } from '../../evidence/scenarios/scenario';
import type { Edge, FunctionDefinition, Location } from '../../program/program';
import type { Machine } from '../../semantics/concrete/machine';
import { addObserver } from '../../semantics/concrete/observers';
import { silent } from '../portfolio/verificationLog';
import type { Problem } from '../problem';
import { fuzz } from '../search/fuzzingEngine';

const limits = {
  /** CFA edges of all runs for one function: less work than one question to the solver. */
  steps: 100_000,
  /** Clients kept to go on from. */
  clients: 100,
} as const;

/** Searches for branches, each of which goes on from what the earlier ones found. */
export class BranchesInRuns {
  private clients: readonly Scenario[] = [];

  constructor(private readonly budget: Budget) {}

  /**
   * Which of `wanted` runs take in a client's call of `fn` itself. None if clients may not call it. `problem`: with the
   * specifications.
   */
  taken(problem: Problem, fn: FunctionDefinition, wanted: ReadonlySet<Edge>): ReadonlySet<Edge> {
    const taken = new Set<Edge>();
    const { called } = problem;
    if (!called.includes(fn)) return taken;
    const sources = new Set([...wanted].map(({ from }) => from));
    const targets = new Set([...sources].flatMap(({ edges }) => edges.map(({ to }) => to)));
    const entries = new Set(problem.program.functions.map(({ entry }) => entry));
    const observe = (machine: Machine): void => {
      let last: Location | undefined;
      // An edge leads from one of these to the next that is visited, without another between.
      addObserver(machine, new Set([...sources, ...targets]), (location) => {
        const edge = last && !entries.has(location) ? edgeBetween(last, location) : undefined;
        last = sources.has(location) ? location : undefined;
        if (!edge || !wanted.has(edge) || taken.has(edge)) return;
        const { activations } = machine;
        // A call by the module itself need not keep what clients keep.
        if (activations[0]?.fn === fn && activations.every((one, depth) => depth === 0 || one.fn !== fn))
          taken.add(edge);
      });
    };
    const found: Scenario[] = [];
    fuzz(problem, limits.steps, this.budget, silent, {
      watching: {
        observe,
        entries: [...called, ...called.map(() => fn)],
        stop: () => taken.size === wanted.size,
        failed: () => true,
        kept: (scenario) => found.push(scenario),
      },
      known: this.clients,
    });
    this.clients = [...new Set([...this.clients, ...found])].slice(-limits.clients);
    return taken;
  }
}

/** Undefined if two edges lead there. */
function edgeBetween({ edges }: Location, to: Location): Edge | undefined {
  const between = edges.filter((edge) => edge.to === to);
  return between.length === 1 ? between[0] : undefined;
}
