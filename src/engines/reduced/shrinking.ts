/**
 * Loop shrinking: how many rounds of a loop show what all of them do is asked of the solver, for one round, two, and so
 * on. The answer is a candidate like any other. It is kept if the loop's entry establishes it, which is to say that the
 * residual program is safe, and the certifier asks both again.
 */
import { both } from '../../abstraction/candidates/candidates';
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import {
  conjoin,
  type InvariantMap,
  invariantMap,
  invariantsAt,
  isSameSize,
} from '../../abstraction/transitionSystem/invariantMap';
import {
  type Transition,
  type TransitionEnd,
  type TransitionSystem,
} from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import * as L from '../../logic/build';
import { substituteAll } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { edgeCount } from '../../program/traverse';
import { type LoopClaim, formulaOf } from '../../reductions/shrinking/claim';
import { type NumberedLoop, partsOfGuard } from '../../reductions/shrinking/numberedLoop';
import type { ResidualClaim } from '../../reductions/shrinking/residual';
import { mostRounds, mostRoundsOf, Shrinking } from '../../reductions/shrinking/shrinking';
import type { Solver } from '../../solver/solver';
import { sourceLocationOf } from '../../sourceLocation';
import type { Engine } from '../engine';
import { houdini } from '../invariants/houdini';
import { openObligations } from '../invariants/openObligations';

const limits = {
  /** CFA edges of a program above which a transition system is not made for this alone. */
  edges: 4_000,
  /** One query about a round, and its effort in the solver's units. */
  queryMs: 15_000,
  queryResources: 1_000_000,
} as const;

/** A claim that residual runs of `rounds` rounds decide. */
export interface Shrunk {
  readonly claim: LoopClaim;
  readonly rounds: number;
  readonly candidates: readonly ResidualClaim[];
}

export interface ShrunkLoop {
  readonly loop: NumberedLoop;
  readonly shrunk: readonly Shrunk[];
  /** Claims of which the most rounds that are tried do not show what one more does. */
  readonly others: readonly LoopClaim[];
}

export const shrinking: Engine = {
  name: 'reduced:shrinking',
  applies: ({ program, task }) => {
    if (task.predicates === 'probes' || task.adequacy) return 'abstract states are wanted';
    if (edgeCount(program) > limits.edges) return 'the program is large';
    return program.functions.some(({ locations }) => locations.some(({ isLoopHead }) => isLoopHead))
      ? undefined
      : 'there is no loop';
  },
  async run(problem, known, budget, events) {
    const nothing = { kind: 'unknown', reason: undefined, learned: known } as const;
    const decline = (why: string): typeof nothing => {
      events.onReduction([], why);
      return nothing;
    };
    const system = problem.system;
    if (system.memoryModel.links.length > 0) return decline('there are linked structures');
    const { instances } = problem.solvers;
    const open = await openObligations(system, known.invariants, instances, budget);
    const steps = new StepQueries(system, known.invariants, instances, budget);
    const loops: ShrunkLoop[] = [];
    for (const fn of system.functions)
      loops.push(...(await shrinkLoops(new Shrinking(fn, system, open.checks), steps)));
    if (loops.length === 0) return decline('no check depends on what numbered rounds of a loop do');
    const candidates = loops.reduce<ReadonlyMap<Cutpoint, readonly Term[]>>(
      (all, { loop, shrunk }) => both(all, new Map([[loop.point, formulasOf(shrunk)]]), system),
      new Map(),
    );
    const kept = (await steps.establishes(loops))
      ? invariantMap(system.points, (point) => candidates.get(point) ?? [])
      : await houdini(system, known.invariants, candidates, instances, {
          query: budget.query(),
          stop: () => budget.exhausted !== undefined,
        });
    const invariants = kept ? conjoin(known.invariants, kept) : known.invariants;
    events.onReduction(
      loops.flatMap(({ loop, shrunk }) => reportOf(loop, shrunk, kept)),
      whyNot(loops),
    );
    if (isSameSize(invariants, known.invariants)) return nothing;
    const strengthened = { by: 'reduced:shrinking', system, invariants } as const;
    return { kind: 'unknown', reason: undefined, learned: { ...known, invariants, strengthened } };
  },
};

/** Each loop of a function, the last one first. */
export async function shrinkLoops(shrinking: Shrinking, steps: StepQueries): Promise<readonly ShrunkLoop[]> {
  const found: ShrunkLoop[] = [];
  for (const one of shrinking.loops) {
    let loop = one;
    let claims = shrinking.claimsOf(loop);
    if (claims.length > 0 && (await steps.impliesOthers(loop))) {
      loop = shrinking.trim(loop, partsOfGuard(loop).numbered);
      claims = shrinking.claimsOf(loop);
    }
    const shrunk: Shrunk[] = [];
    let left = claims;
    for (let rounds = 0; rounds <= mostRounds && left.length > 0 && !steps.budget.exhausted; rounds++) {
      const tried = left
        .filter((claim) => rounds <= mostRoundsOf(claim))
        .map((claim) => ({ claim, rounds, candidates: shrinking.candidates(claim, loop, rounds) }));
      const kept = await keptByARound(tried, shrunk, loop, steps);
      shrunk.push(...kept);
      left = left.filter((claim) => !kept.some((one) => one.claim === claim));
    }
    shrinking.settle(
      loop,
      shrunk.flatMap(({ candidates }) => candidates),
    );
    if (claims.length > 0) found.push({ loop, shrunk, others: left });
  }
  return found;
}

/** The largest part of what is tried that every round keeps, together with what is kept already. */
async function keptByARound(
  tried: readonly Shrunk[],
  before: readonly Shrunk[],
  { point, end }: NumberedLoop,
  steps: StepQueries,
): Promise<readonly Shrunk[]> {
  const round = roundOf(point, end, steps.system);
  const follows = (one: Shrunk, from: readonly Shrunk[]): Promise<boolean> =>
    steps.leadsTo(round, end, formulasOf([one]), formulasOf(from));
  const alone: Shrunk[] = [];
  let left: Shrunk[] = [];
  for (const one of tried.filter(({ candidates }) => candidates.length > 0))
    ((await follows(one, [...before, ...alone, one])) ? alone : left).push(one);
  for (let i = 0; i < left.length && left.length > 1;) {
    if (await follows(left[i]!, [...before, ...alone, ...left])) i++;
    else {
      left = left.filter((_, at) => at !== i);
      i = 0;
    }
  }
  // One that is left by itself was tried with all that is known.
  return left.length === 1 ? alone : [...alone, ...left];
}

const formulasOf = (shrunk: readonly Shrunk[]): readonly Term[] =>
  shrunk.flatMap(({ candidates }) => candidates.map(formulaOf));

const roundOf = (point: Cutpoint, end: TransitionEnd, { transitions }: TransitionSystem): Transition =>
  transitions.find(({ kind, from, ends }) => kind === 'segment' && from === point && ends.includes(end))!;

/** Queries about steps, relative to the invariants that are known. */
export class StepQueries {
  constructor(
    readonly system: TransitionSystem,
    private readonly known: InvariantMap,
    private readonly solver: Solver,
    readonly budget: Budget,
  ) {}

  /** True if the step from states with `assumed` leads to states with all these conditions. */
  async leadsTo(
    transition: Transition,
    { point, guard, state, axioms }: TransitionEnd,
    conditions: readonly Term[],
    assumed: readonly Term[],
  ): Promise<boolean> {
    const { vocabulary } = this.system;
    const after = substituteAll(conditions, vocabulary.binding(point.fn, state));
    const query = [
      ...transition.axioms,
      ...axioms,
      ...(transition.from ? invariantsAt(this.known, transition.from) : []),
      guard,
      ...assumed,
      L.not(L.and(...after)),
    ];
    return query.includes(L.FALSE) || this.isContradictory(query);
  }

  /** True if a round goes round whatever the state is, as long as its number allows. */
  async impliesOthers(loop: NumberedLoop): Promise<boolean> {
    const { numbered, others } = partsOfGuard(loop);
    if (others.length === 0) return false;
    const { axioms } = roundOf(loop.point, loop.end, this.system);
    const query = [...axioms, ...numbered, L.not(L.and(...others))];
    return this.isContradictory(query);
  }

  private async isContradictory(query: readonly Term[]): Promise<boolean> {
    const timeoutMs = Math.max(1, Math.min(limits.queryMs, this.budget.leftMs));
    const effort = { timeoutMs, resources: limits.queryResources };
    const axioms = this.system.vocabulary.readAxioms(query, new Set());
    return (await this.solver.check([...query, ...axioms], effort)).kind === 'unsat';
  }

  /** True if what rounds keep holds where their loops are entered: then it is inductive. */
  async establishes(loops: readonly ShrunkLoop[]): Promise<boolean> {
    const at = new Map(loops.map(({ loop, shrunk }) => [loop.point, formulasOf(shrunk)]));
    for (const { loop, shrunk } of loops) {
      const round = roundOf(loop.point, loop.end, this.system);
      for (const transition of this.system.transitions) {
        const assumed = transition.from ? (at.get(transition.from) ?? []) : [];
        for (const end of transition.ends) {
          if (end.point !== loop.point || (transition === round && end === loop.end)) continue;
          if (!(await this.leadsTo(transition, end, formulasOf(shrunk), assumed))) return false;
        }
      }
    }
    return true;
  }
}

/** Loops that leave what is claimed alone are not told of. */
const isOfRounds = ({ claim, rounds, candidates }: Shrunk): boolean =>
  rounds > 0 || candidates.some((one) => formulaOf(one) !== formulaOf(claim));

/** Rounds that a residual program has to have: one, where each round by itself keeps the claim. */
export const factorOf = ({ rounds }: Pick<Shrunk, 'rounds'>): number => Math.max(1, rounds);

function reportOf(loop: NumberedLoop, shrunk: readonly Shrunk[], kept: InvariantMap | undefined) {
  const left = new Set(kept ? invariantsAt(kept, loop.point) : []);
  const { line } = sourceLocationOf(loop.point.location.span);
  const factors = [...new Set(shrunk.map(factorOf))].sort((a, b) => a - b);
  return factors.flatMap((rounds) => {
    const own = shrunk.filter((one) => factorOf(one) === rounds && isOfRounds(one));
    if (own.length === 0) return [];
    const isProved = own.every(({ candidates }) => candidates.every((one) => left.has(formulaOf(one))));
    return [
      {
        size: `${rounds === 1 ? 'one round' : `${rounds} rounds`} of the loop at line ${line}`,
        checks: new Set(own.flatMap(({ claim }) => [...claim.checks])).size,
        outcome: isProved ? ('proved' as const) : ('open' as const),
      },
    ];
  });
}

function whyNot(loops: readonly ShrunkLoop[]): string | undefined {
  const lines = loops
    .filter(({ others }) => others.length > 0)
    .map(({ loop }) => sourceLocationOf(loop.point.location.span).line);
  if (lines.length === 0) return undefined;
  const which = lines.length > 1 ? `loops at lines ${lines.join(', ')} do` : `loop at line ${lines.join()} does`;
  return `${mostRounds} rounds do not show what the ${which}`;
}
