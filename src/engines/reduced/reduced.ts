/**
 * An engine over other engines: reduces the problem for the checks that are open, and has each part decided. A proof of
 * all parts is a proof of the program; a failing execution is one that the program itself, run, has.
 */
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { askedIn } from '../../evidence/certificates/certify';
import type { Check } from '../../program/command';
import type { Weakening } from '../../program/automata/weakening';
import { isDeclined, type Reduced, type Reduction } from '../../reductions/reduction';
import type { ReducedPart } from '../../verdict';
import type { Engine, Knowledge, Outcome } from '../engine';
import type { Problem } from '../problem';
import type { StageName } from '../registry';
import { decide, outcomeOfPart, partReport } from './decide';

const limits = {
  /** So many are not tried whole before they are sliced. */
  checksAtOnce: 8,
} as const;

/** `early`: only parts that are much easier, and only of few checks: candidates decide most others at less cost. */
type Turn = 'early' | 'late';

/** `inner`: in this order, each with what those before it learned. */
export const reduced = (reduction: Reduction, inner: readonly Engine[], turn: Turn = 'late'): Engine => ({
  name: nameOf(reduction),
  applies({ checks }, known) {
    if (!known.samples) return 'no states were sampled';
    return turn === 'early' && checks.length > limits.checksAtOnce ? 'most of many checks are easy' : undefined;
  },
  async run(problem, known, budget, events) {
    const { system } = known.samples!;
    const before = new Set(known.parts.flatMap((part) => askedIn(part.system)));
    const open = openChecks(system, known);
    const left = new Set([...open].filter((check) => !before.has(check)));
    const others = withoutChecks(problem, system, known, open);
    if (left.size === 0) return known.parts.length > 0 ? provedBy([others, ...known.parts], known) : nothingNew(known);
    const found = reduction.reduce(system, left, () => budget.exhausted !== undefined);
    if (isDeclined(found)) {
      events.onReduction([], found.why);
      return nothingNew(known);
    }
    const easy = found.filter(({ isMuchEasier }) => isMuchEasier);
    const hard = turn === 'early' ? [] : found.filter(({ isMuchEasier }) => !isMuchEasier);
    // Slices that are much easier were tried early, but not for long.
    const parts = known.tried.has(nameOf(reduction)) ? [...hard, ...easy] : [...easy, ...hard];
    const proofs: PredicateAbstraction[] = [];
    const reports = new Map<Reduced, ReducedPart['outcome']>();
    const report = (): void =>
      events.onReduction(found.map((part) => partReport(part, reports.get(part) ?? 'put-off')));
    for (const [i, part] of parts.entries()) {
      const outcome = await decide(problem, part, inner, budget.share(1 / (parts.length - i)), {
        sampled: 'with runs of the slice',
        engineShare: 1,
      });
      reports.set(part, outcomeOfPart(outcome));
      report();
      if (outcome.kind === 'unsafe') return outcome;
      if (outcome.kind === 'safe') proofs.push(outcome.abstraction);
    }
    report();
    if (proofs.length === 0) return nothingNew(known);
    const all = [...known.parts, ...proofs];
    const learned = { ...known, parts: all };
    const proved = new Set(all.flatMap((part) => askedIn(part.system)));
    if ([...open].some((check) => !proved.has(check))) return { kind: 'unknown', reason: undefined, learned };
    const sizes = parts.map(({ size }) => size).join(', and ');
    return provedBy([others, ...all], known, `proved of ${sizes}: the others do not matter to what was open`);
  },
});

const nameOf = ({ name }: Reduction): StageName => `reduced:${name}`;

const provedBy = (parts: readonly PredicateAbstraction[], known: Knowledge, remark?: string): Outcome => ({
  kind: 'safe',
  proof: { kind: 'parts', parts, ...(remark !== undefined && { remark }) },
  ifRefused: known,
});

const nothingNew = (learned: Knowledge): Outcome => ({ kind: 'unknown', reason: undefined, learned });

/** Before anything was tried: all. The others of an abstraction that was closed since are proved. No query is spent. */
const openChecks = (system: TransitionSystem, { alarms }: Knowledge): ReadonlySet<Check> =>
  new Set(alarms.length === 0 ? askedIn(system) : alarms.map(({ obligation }) => obligation.check));

/** The invariants that are known, as a proof of all checks but the open ones. */
function withoutChecks(
  problem: Problem,
  system: TransitionSystem,
  { invariants }: Knowledge,
  open: ReadonlySet<Check>,
): PredicateAbstraction {
  const assumed = new Set(
    problem.program.functions.flatMap(({ edges }) =>
      edges.filter(({ command }) => command.kind === 'check' && open.has(command)),
    ),
  );
  const weakening: Weakening = {
    ...system.weakening,
    assumed: new Set([...system.weakening.assumed, ...assumed]),
  };
  return PredicateAbstraction.ofInvariants(
    new TransitionSystem(problem.program, { ...system.options, weakening }),
    invariants,
  );
}
