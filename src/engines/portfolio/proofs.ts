/**
 * A closed abstraction without alarms becomes a proof when it is discharged again and says something.
 */
import type { ControlPoint } from '../../abstraction/transitionSystem/controlPoint';
import { elementByElement } from '../../solver/elementwise';
import { irredundant } from '../../abstraction/printing/minimise';
import { printInvariant } from '../../abstraction/printing/printInvariant';
import { System, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import { certificateOf, certify, checksInForce } from '../../evidence/certificates/certify';
import { claimedInvariants } from '../../evidence/certificates/claimedInvariants';
import { certifyEnded, type Ended } from '../../evidence/certificates/unwindingCertificate';
import { placeOf } from '../../host/fault';
import type { Term } from '../../logic/term';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { type InvariantMap, noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import type { CheckKind, Property } from '../../program/command';
import type { Model } from '../../solver';
import { allHold } from '../../solver/model';
import type { Task } from '../../task';
import { placeText } from '../assumptions/assumptions';
import type { CauseId, InvariantAt, Reason, Verdict } from '../../verdict';
import { discharged } from '../invariants/openObligations';
import { inductionDepths } from '../invariants/inductionDepths';
import { earlyEnd, endings } from './prematureTermination';
import { callsOfTheOutside } from '../assumptions/externalPointerCalls';
import { probesAt } from './userFormulas';
import { uncheckedNativeCalls } from '../assumptions/uncheckedNatives';
import { emptyProbes, vacuity } from '../assumptions/vacuity';
import type { Account } from './findings';
import type { Setting } from './context';

const cutShort: ReadonlySet<CauseId> = new Set<CauseId>([
  'time-budget',
  'solver-budget',
  'nonlinear',
  'interrupted',
  'state-explosion',
]);
/**
 * For saying an invariant briefly: questions to the solver, and the time after which a slow machine leaves it longer.
 */
const briefnessQuestions = 150;
const briefnessMs = 5_000;

export class Proofs {
  constructor(
    private readonly setting: Setting,
    private readonly account: Account,
  ) {}

  /** The loop invariants of somebody else must carry the whole proof. */
  async checkClaims(claims: NonNullable<Task['claims']>): Promise<Verdict> {
    let verdict: Verdict | undefined;
    // What is inductive only with more than one state before is an invariant, too.
    for (const k of [1, ...inductionDepths]) {
      const options = { ...this.setting.systemOptions(), ...(k > 1 && { induction: k }) };
      const system = new System(this.setting.program, options);
      if (k > 1 && system.transitions.every(({ through }) => through.length === 0)) break;
      const claimed = claimedInvariants(system, claims);
      this.account.abstraction = PredicateAbstraction.of(system, noInvariants);
      if (typeof claimed === 'string') return this.account.unknown({ cause: 'checker-disagrees', message: claimed });
      const answer = await this.restingOn(system, claimed);
      if (answer.kind === 'proved') return answer;
      verdict ??= answer;
      if (answer.kind !== 'unknown' || answer.reason.cause !== 'checker-disagrees' || this.setting.stopReason()) break;
    }
    return verdict!;
  }

  /** Invariants, and no predicates. */
  async restingOn(system: System, invariants: InvariantMap): Promise<Verdict> {
    const abstraction = PredicateAbstraction.ofInvariants(system, invariants);
    this.account.abstraction = abstraction;
    return this.proved(abstraction);
  }

  async proved(abstraction: PredicateAbstraction): Promise<Verdict> {
    const { system } = abstraction;
    const systemOptions = system.options;
    const started = performance.now();
    this.setting.report('certify', 0, system.transitions.length);
    const result = await certify(
      this.setting.program,
      systemOptions,
      certificateOf(abstraction),
      this.setting.certifier,
      () => this.setting.lastWord(),
    );
    this.account.seconds.certify += (performance.now() - started) / 1000;
    if (result.kind !== 'certified')
      return this.account.unknown({
        cause: result.kind === 'refuted' ? 'checker-disagrees' : 'solver-budget',
        message: `the proof could not be discharged again: ${result.why}`,
      });
    this.account.obligations = result.obligations;
    if (systemOptions.induction !== undefined) {
      this.account.engineName = `${this.setting.task.engine === 'auto' ? 'test-based-abstraction, ' : ''}k-induction`;
      this.account.remarks.add(
        `the invariants of loops are ${systemOptions.induction}-inductive: they follow from what they say of the last ${systemOptions.induction} states there`,
      );
    }
    if (result.obligations === 0) {
      if (this.setting.task.mode === 'module')
        return this.account.unknown({
          cause: 'vacuous',
          message: 'there is nothing to prove: no check of the asked properties occurs in the module',
          suggestion:
            "ask for more properties: --property all on the command line, toBeVerified({ properties: ['uninitialised'] }) in a test",
        });
      this.account.remarks.add('no check of the asked properties occurs in the program');
    }
    const [unchecked] =
      this.setting.inForce.has('memsafety') || this.setting.inForce.has('dereference')
        ? uncheckedNativeCalls([...system.functions, ...system.inlined], this.setting.program.dataModel)
        : [];
    if (unchecked) {
      return this.account.unknown({
        cause: 'unsupported-construct',
        place: placeOf(unchecked.edge.span, unchecked.function.name),
        message: `all checks hold, but the memory that ${unchecked.name} reads or writes through its arguments is not checked, so memory safety is not proved`,
        suggestion: `ask for the other properties, or leave the call of ${unchecked.name} to a function of its own that a stub replaces`,
      });
    }
    const outside = await this.outside(abstraction);
    if (outside) return this.account.unknown(outside);
    const early = this.earlyEnd();
    if (early) return this.account.unknown(early);
    const possible = this.possible(system);
    const vacuous = await vacuity(abstraction, possible, this.setting.task.mode);
    for (const remark of vacuous.remarks) this.account.remarks.add(remark);
    const empty =
      vacuous.reason || this.setting.task.probes.length === 0
        ? vacuous
        : await emptyProbes(abstraction, probesAt(this.setting.task, system), possible);
    for (const remark of empty.remarks) this.account.remarks.add(remark);
    if (empty.reason) return this.account.unknown(empty.reason);
    const forgotten = this.account.isKept ? undefined : this.account.memory?.keepProof(abstraction);
    if (forgotten !== undefined) this.account.remarks.add(`the next run will prove this anew: ${forgotten}`);
    return {
      kind: 'proved',
      ...this.account.common(),
      adequacy: this.account.adequacy(),
      invariants: await this.invariants(abstraction),
    };
  }

  /** Whether some state satisfies all of the terms, as far as is known; what satisfied others may do. */
  private possible(system: System): (terms: readonly Term[]) => Promise<boolean> {
    const models: Model[] = [];
    return async (terms) => {
      const all = [...terms, ...system.vocabulary.elementFacts(terms, new Set())];
      if (models.some((model) => allHold(model, all))) return true;
      const answer = await this.setting.solver.check(all, this.setting.queryBudget());
      if (answer.kind === 'sat') models.push(answer.model);
      return answer.kind !== 'unsat';
    };
  }

  private earlyEnd(): Reason | undefined {
    const { setting } = this;
    const end = earlyEnd({
      task: setting.task,
      program: setting.program,
      entries: setting.entries,
      inForce: setting.inForce,
      stopReason: () => setting.stopReason(),
      scenarioOptions: () => setting.scenarioOptions(),
    });
    return (
      end && {
        cause: 'vacuous',
        place: placeOf(end.span, end.stack[0]?.function.name),
        message: `no check of the asked properties fails, but some executions come only as far as this (${end.message}), about which nobody asked`,
        suggestion: 'ask for memsafety and div-by-zero, too',
      }
    );
  }

  /**
   * No execution is longer than those searched; undefined when that is not all there is to show. Nor must one end in
   * what nobody asked about, at an invalid access, say: such executions may go on in practice.
   */
  async ended(ended: Ended, systemOptions: SystemOptions): Promise<Verdict | undefined> {
    const started = performance.now();
    const options: SystemOptions = {
      ...systemOptions,
      inForce: new Set<Property | CheckKind>([...systemOptions.inForce, ...endings]),
    };
    const result = await certifyEnded(this.setting.program, options, ended, elementByElement(this.setting.solver), () =>
      this.setting.lastWord(),
    );
    this.account.seconds.certify += (performance.now() - started) / 1000;
    if (result.kind === 'open') return undefined;
    const { inForce, program } = this.setting;
    if (
      (inForce.has('memsafety') || inForce.has('dereference')) &&
      uncheckedNativeCalls([...result.system.functions, ...result.system.inlined], program.dataModel).length > 0
    )
      return undefined;
    this.account.obligations = checksInForce(new System(program, systemOptions));
    if (this.account.obligations === 0)
      this.account.remarks.add('no check of the asked properties occurs in the program');
    for (const { text, span } of result.unreached)
      this.account.remarks.add(`the assertion ${text} at ${placeText(span)} is never reached`);
    this.account.remarks.add(`all executions end; they were followed to their ends, in ${ended.rounds} steps`);
    return { kind: 'proved', ...this.account.common(), engine: 'all-executions', invariants: [] };
  }

  /** The same invariant must exclude calls of functions that the program does not contain. */
  private async outside(abstraction: PredicateAbstraction): Promise<Reason | undefined> {
    const { system } = abstraction;
    if (this.setting.inForce.has('memsafety') || this.setting.inForce.has('invalid-call')) return undefined;
    const [call] = callsOfTheOutside(
      this.setting.program,
      [...system.functions, ...system.inlined],
      [...this.setting.entries, ...(this.setting.init ? [this.setting.init] : [])],
    );
    if (!call) return undefined;
    const excluded = await certify(
      this.setting.program,
      { ...system.options, inForce: new Set([...this.setting.inForce, 'invalid-call']) },
      certificateOf(abstraction),
      this.setting.certifier,
      () => this.setting.lastWord(),
    );
    if (excluded.kind === 'certified') return undefined;
    return {
      cause: 'no-body',
      place: placeOf(call.edge.span, call.function.name),
      message:
        'all checks hold, but a pointer from outside may lead this call to a function that is not in the program',
      suggestion:
        'ask for memsafety, too, which says whether it can, or add the file with the functions that can be called',
    };
  }

  /**
   * The invariant at each point, the module's first, said as briefly as some questions allow. Their number comes before
   * the clock, so that the same proof reads the same on every machine.
   */
  private async invariants({ system, points: abstract }: PredicateAbstraction): Promise<InvariantAt[]> {
    let questions = briefnessQuestions;
    const until = Math.min(performance.now() + briefnessMs, Math.max(this.setting.deadline, performance.now() + 500));
    const found: InvariantAt[] = [];
    const interest: readonly ControlPoint['kind'][] = [
      'module',
      'loop',
      'label',
      'exit',
      'entry',
      'return',
      'call',
      'check',
    ];
    const points = [...abstract].sort(
      ({ point: a }, { point: b }) => interest.indexOf(a.kind) - interest.indexOf(b.kind) || a.index - b.index,
    );
    for (const one of points) {
      const { point, predicates } = one;
      if (predicates.length + one.invariants.length === 0 || one.valuations().length === 0) continue;
      const shortest = await irredundant(
        one.invariants,
        system.vocabulary.wellFormed(point.fn, point.location),
        this.setting.solver,
        this.setting.queryBudget(),
        () => questions-- <= 0 || performance.now() > until,
      );
      const at =
        point.kind === 'return' || point.kind === 'call' ? 'call' : point.kind === 'check' ? 'label' : point.kind;
      found.push({
        place: placeOf(
          (at === 'loop' && point.location.loop) || point.location.span,
          point === system.client ? undefined : point.fn.name,
        ),
        at,
        formula: printInvariant(one, system.vocabulary, shortest),
      });
    }
    return found;
  }

  /** An answer that was cut short says how far it had come. */
  async withWhatWasProved(verdict: Verdict): Promise<Verdict> {
    if (verdict.kind !== 'unknown' || !this.account.settled || !cutShort.has(verdict.reason.cause)) return verdict;
    const { proved, total, open } = await discharged(
      this.account.settled.system,
      this.account.settled.invariants,
      this.setting.solver,
      this.setting.lastWords(),
    );
    if (total === 0) return verdict;
    const place = verdict.reason.place ?? (open && placeOf(open.check.span, open.function));
    const message = `${verdict.reason.message}; ${proved} of ${total} obligations ${proved === 1 ? 'is' : 'are'} proved`;
    return {
      ...verdict,
      reason: { ...verdict.reason, message, ...(place && { place }) },
      statistics: {
        ...verdict.statistics,
        obligations: proved,
        seconds: (performance.now() - this.setting.began) / 1000,
      },
    };
  }
}
