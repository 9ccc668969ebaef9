/**
 * Proofs that engines claim, checked again before they count: an invariant is discharged by the independent checker, a
 * complete unwinding is unwound anew, a single execution was watched step by step. A proof must say something, too.
 */
import type { Cutpoint } from '../../abstraction/transitionSystem/cutpoint';
import { cube, PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { abstractHeap } from '../../abstraction/printing/abstractHeap';
import { irredundant } from '../../abstraction/printing/minimise';
import {
  conjoin,
  invariantMap,
  type InvariantMap,
  invariantsAt,
} from '../../abstraction/transitionSystem/invariantMap';
import * as L from '../../logic/build';
import { printInvariant } from '../../abstraction/printing/printInvariant';
import { TransitionSystem, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import type { Budget } from '../../budget';
import type { CertifyResult } from '../../evidence/certificates/certificateChecker';
import { askedIn, certificateOf, certify } from '../../evidence/certificates/certify';
import { type CallStackCertificate, certifyCallStacks } from '../../evidence/certificates/callStackCertificate';
import { certifyUnwinding, type UnwindingCertificate } from '../../evidence/certificates/unwindingCertificate';
import type { HarmlessRun } from '../../evidence/scenarios/onlyExecution';
import { isSameSourceLocation, sourceLocationOf } from '../../sourceLocation';
import { type Check, type CheckKey, isChecked, type CheckKind, type Property } from '../../program/command';
import { elementByElement } from '../../solver/wrappers/elementByElement';
import type { InvariantAt, LoopAnnotation, Reason, Verdict } from '../../verdict';
import { placeText } from '../assumptions/assumptions';
import { externalPointerCalls } from '../assumptions/externalPointerCalls';
import { uncheckedNativeCalls } from '../assumptions/uncheckedNatives';
import { behindFailures, emptyProbes, possibleIn, vacuity } from '../assumptions/vacuity';
import type { Reused } from '../engine';
import type { Problem } from '../problem';
import { loopAnnotations } from './loopAnnotations';
import { undefinedBehaviourBeforeCheck, terminatingChecks } from './prematureTermination';
import type { ProofReuse } from './proofReuse';
import { probesAt } from './userFormulas';
import { hasQuantifier } from '../../logic/quantifiers/instances';
import type { VerificationLog } from './verificationLog';

const limits = {
  /**
   * Solver queries to print invariants briefly; they end before the time does, so that output is the same everywhere.
   */
  briefnessQueries: 150,
  /** Queries that one with quantifiers counts for: its instances make it as dear. */
  quantifiedBriefness: 4,
  briefnessMs: 5_000,
  /** Granted for it at least, when the budget is used up. */
  leastBriefnessMs: 500,
} as const;

/** `reuse`: where the proof is saved. */
export interface ProofOrigin {
  readonly engine: string;
  readonly reused?: Reused | undefined;
  readonly reuse?: ProofReuse | undefined;
  /** Printed once the proof is accepted. */
  readonly remark?: string;
}

export class Certification {
  /** Checks behind failing ones that nothing passes: the proof that was accepted says nothing of them. */
  unreached: ReadonlySet<CheckKey> = new Set();

  constructor(
    private readonly problem: Problem,
    private readonly budget: Budget,
    private readonly log: VerificationLog,
  ) {}

  /** Discharges the invariant again; a refused proof is an `unknown` verdict. */
  async invariant(abstraction: PredicateAbstraction, origin: ProofOrigin): Promise<Verdict> {
    return this.accept([abstraction], await this.certify(abstraction), origin);
  }

  /**
   * Proofs of weaker programs. An execution of the program is one of each of them; if it failed a check, the first one
   * that it fails would be asked in one of them, whose execution passes those that are assumed there.
   */
  async parts(parts: readonly PredicateAbstraction[], origin: ProofOrigin): Promise<Verdict> {
    const asked = new Set<Check>();
    let obligations = 0;
    let queries = 0;
    for (const part of parts) {
      const result = await this.certify(part);
      if (result.kind !== 'certified') return this.accept(parts, result, origin);
      for (const check of askedIn(part.system)) asked.add(check);
      obligations = asked.size;
      queries += result.queries;
    }
    const whole = new TransitionSystem(this.problem.program, this.problem.systemOptions());
    const missing = askedIn(whole).find((check) => !asked.has(check));
    if (missing) return this.accept(parts, { kind: 'refuted', why: `no part is about ${missing.text}` }, origin);
    return this.accept(parts, { kind: 'certified', obligations, queries }, origin);
  }

  /** An invariant by location and call stack. The abstraction is not saved: by itself it need not be inductive. */
  async callStacks(
    certificate: CallStackCertificate,
    abstraction: PredicateAbstraction,
    origin: ProofOrigin,
  ): Promise<Verdict> {
    const started = performance.now();
    const { program, solvers } = this.problem;
    const result = await certifyCallStacks(program, abstraction.system.options, certificate, solvers.certifier, () =>
      this.budget.finalQuery(),
    );
    this.log.onTime('certify', (performance.now() - started) / 1000);
    return this.accept([abstraction], result, origin);
  }

  /** The program itself with the invariants of all parts, which hold in it, too. */
  private withAllChecks(parts: readonly PredicateAbstraction[]): PredicateAbstraction {
    const whole = new TransitionSystem(this.problem.program, this.problem.systemOptions());
    return PredicateAbstraction.ofInvariants(
      whole,
      parts.map((part) => invariantsIn(whole, part)).reduce((all, some) => conjoin(all, some)),
    );
  }

  private async certify(abstraction: PredicateAbstraction): Promise<CertifyResult> {
    const { system } = abstraction;
    this.log.working(abstraction);
    const started = performance.now();
    this.log.progress('certify', 0, system.transitions.length);
    const result = await certify(
      this.problem.program,
      system.options,
      certificateOf(abstraction),
      this.problem.solvers.certifier,
      () => this.budget.finalQuery(),
    );
    this.log.onTime('certify', (performance.now() - started) / 1000);
    return result;
  }

  /** `parts`: that together are about all checks. */
  private async accept(
    parts: readonly PredicateAbstraction[],
    result: CertifyResult,
    { engine, reused, reuse, remark }: ProofOrigin,
  ): Promise<Verdict> {
    if (parts.length === 1) this.log.working(parts[0]!);
    if (result.kind !== 'certified')
      return this.log.unknown(engine, {
        cause: result.kind === 'refuted' ? 'checker-disagrees' : 'solver-budget',
        message: `the proof could not be discharged again: ${result.why}`,
      });
    // A check that another part is about is asked there; that it can be reached is asked of the program.
    const isWhole = parts.length === 1 && !parts[0]!.system.options.weakening;
    const abstraction = isWhole ? parts[0]! : this.withAllChecks(parts);
    const { system } = abstraction;
    const systemOptions = system.options;
    this.log.working(abstraction);
    const figures = { obligations: result.obligations, reused };
    const unknown = (reason: Reason): Verdict => this.log.unknown(engine, reason, figures);
    if (systemOptions.induction !== undefined)
      this.log.remark(
        `the invariants of loops are ${systemOptions.induction}-inductive: they follow from what they say of the ` +
          `last ${systemOptions.induction} states there`,
      );
    if (result.obligations === 0) {
      const { mode } = this.problem.task;
      if (mode === 'module' && !this.problem.hasNothingToCheck)
        return unknown({
          cause: 'vacuous',
          message: 'there is nothing to prove: the checks of the module are of other properties, or suppressed',
          suggestion:
            'ask for more properties: --property all on the command line, toBeVerified({ properties: ' +
            "['uninitialised'] }) in a test",
        });
      this.log.remark(`no check of the asked properties occurs in the ${mode}`);
    }
    const [unchecked] =
      this.problem.checkedProperties.has('memsafety') || this.problem.checkedProperties.has('dereference')
        ? uncheckedNativeCalls([...system.functions, ...system.inlined], this.problem.program.dataModel)
        : [];
    if (unchecked) {
      return unknown({
        cause: 'unsupported-construct',
        place: sourceLocationOf(unchecked.edge.span, unchecked.function.name),
        message:
          `all checks hold, but the memory that ${unchecked.name} reads or writes through its arguments is not ` +
          'checked, so memory safety is not proved',
        suggestion:
          `ask for the other properties, or leave the call of ${unchecked.name} to a function of its own that a ` +
          'stub replaces',
      });
    }
    const outside = await this.outside(abstraction);
    if (outside) return unknown(outside);
    const early = this.undefinedBehaviourBeforeCheck();
    if (early) return unknown(early);
    const possible = possibleIn(system, this.problem.solvers.instances, () => this.budget.query());
    const vacuous = await vacuity(abstraction, possible, this.problem.task.mode);
    for (const remark of vacuous.remarks) this.log.remark(remark);
    const empty =
      vacuous.reason || this.problem.task.probes.length === 0
        ? vacuous
        : await emptyProbes(abstraction, probesAt(this.problem.task, system), possible);
    for (const remark of empty.remarks) this.log.remark(remark);
    if (empty.reason) return unknown(empty.reason);
    this.unreached = await behindFailures(abstraction, possible);
    if (remark !== undefined) this.log.remark(remark);
    // Parts are kept as one proof, which the next run certifies as such.
    const forgotten = reused?.exact ? undefined : reuse?.keepProof(abstraction);
    if (forgotten !== undefined) this.log.remark(`the next run will prove this anew: ${forgotten}`);
    return {
      kind: 'proved',
      ...this.log.common(engine, 'answered', figures),
      adequacy: this.log.adequacy(),
      invariants: await this.invariants(parts),
      ...(this.problem.task.annotate && { annotations: await this.annotations(parts) }),
    };
  }

  private undefinedBehaviourBeforeCheck(): Reason | undefined {
    const end = undefinedBehaviourBeforeCheck(this.problem, this.budget);
    return (
      end && {
        cause: 'vacuous',
        place: sourceLocationOf(end.span, end.stack[0]?.function.name),
        message:
          `no check of the asked properties fails, but some executions come only as far as this (${end.message}), ` +
          'about which nobody asked',
        suggestion: 'ask for memsafety and div-by-zero, too',
      }
    );
  }

  /**
   * Proves that no execution is longer than those searched. Undefined if more is to be shown. No execution may end at
   * undefined behaviour that is not checked, such as an invalid access: in practice it may go on.
   */
  async unwinding(ended: UnwindingCertificate, systemOptions: SystemOptions): Promise<Verdict | undefined> {
    const started = performance.now();
    const options: SystemOptions = {
      ...systemOptions,
      checkedProperties: new Set<Property | CheckKind>([...systemOptions.checkedProperties, ...terminatingChecks]),
    };
    const result = await certifyUnwinding(
      this.problem.program,
      options,
      ended,
      elementByElement(this.problem.solvers.instances),
      () => this.budget.finalQuery(),
    );
    this.log.onTime('certify', (performance.now() - started) / 1000);
    if (result.kind === 'open') return undefined;
    const { checkedProperties, program } = this.problem;
    if (
      (checkedProperties.has('memsafety') || checkedProperties.has('dereference')) &&
      uncheckedNativeCalls([...result.system.functions, ...result.system.inlined], program.dataModel).length > 0
    )
      return undefined;
    const obligations = askedIn(new TransitionSystem(program, systemOptions)).length;
    if (obligations === 0) this.log.remark('no check of the asked properties occurs in the program');
    for (const { text, span } of result.unreached)
      this.log.remark(`the assertion ${text} at ${placeText(span)} is never reached`);
    this.log.remark(`all executions end; they were followed to their ends, in ${ended.rounds} steps`);
    return { kind: 'proved', ...this.log.common('all-executions', 'answered', { obligations }), invariants: [] };
  }

  /** The only execution of a program without inputs. */
  execution({ executions, steps, unreached }: HarmlessRun): Verdict {
    const { program, checkedProperties } = this.problem;
    const obligations = program.functions
      .flatMap((fn) => fn.edges)
      .filter(({ command }) => command.kind === 'check' && isChecked(command, checkedProperties)).length;
    if (obligations === 0) this.log.remark('no check of the asked properties occurs in the program');
    for (const { command, span } of unreached)
      if (command.kind === 'check')
        this.log.remark(`the assertion ${command.text} at ${placeText(span)} is never reached`);
    this.log.remark(
      executions === 1
        ? `the program reads no input: its only execution, of ${steps} steps, was run to its end`
        : `the program reads no input: its ${executions} executions, one for each order of evaluation, were run to ` +
            `their end, in ${steps} steps`,
    );
    return { kind: 'proved', ...this.log.common('only-execution', 'answered', { obligations }), invariants: [] };
  }

  /** The same invariant must exclude calls of functions that the program does not contain. */
  private async outside(abstraction: PredicateAbstraction): Promise<Reason | undefined> {
    const { system } = abstraction;
    if (this.problem.checkedProperties.has('memsafety') || this.problem.checkedProperties.has('invalid-call'))
      return undefined;
    const [call] = externalPointerCalls(
      this.problem.program,
      [...system.functions, ...system.inlined],
      [...this.problem.entries, ...(this.problem.init ? [this.problem.init] : [])],
    );
    if (!call) return undefined;
    const excluded = await certify(
      this.problem.program,
      { ...system.options, checkedProperties: new Set([...this.problem.checkedProperties, 'invalid-call']) },
      certificateOf(abstraction),
      this.problem.solvers.certifier,
      () => this.budget.finalQuery(),
    );
    if (excluded.kind === 'certified') return undefined;
    return {
      cause: 'no-body',
      place: sourceLocationOf(call.edge.span, call.function.name),
      message:
        'all checks hold, but a pointer from outside may lead this call to a function that is not in the program',
      suggestion:
        'ask for memsafety, too, which says whether it can, or add the file with the functions that can be called',
    };
  }

  private annotations(parts: readonly PredicateAbstraction[]): Promise<LoopAnnotation[]> {
    const share = this.budget.share(1, limits.briefnessMs, undefined, limits.leastBriefnessMs);
    return loopAnnotations(
      parts,
      this.problem.solvers.instances,
      this.budget.query(),
      () => share.exhausted !== undefined,
    );
  }

  /**
   * The invariant at each point, the module's first, said as briefly as some questions allow. Their number comes before
   * the clock, so that the same proof reads the same on every machine.
   */
  private async invariants(parts: readonly PredicateAbstraction[]): Promise<InvariantAt[]> {
    let questions: number = limits.briefnessQueries;
    const share = this.budget.share(1, limits.briefnessMs, undefined, limits.leastBriefnessMs);
    const found: InvariantAt[] = [];
    const interest: readonly Cutpoint['kind'][] = [
      'module',
      'loop',
      'label',
      'exit',
      'entry',
      'return',
      'call',
      'check',
    ];
    const points = parts
      .flatMap(({ system, points: abstract }) => abstract.map((one) => ({ one, system })))
      .sort(
        ({ one: { point: a } }, { one: { point: b } }) =>
          interest.indexOf(a.kind) - interest.indexOf(b.kind) || a.index - b.index,
      );
    for (const { one, system } of points) {
      const { point, predicates } = one;
      if (predicates.length + one.invariants.length === 0 || one.valuations().length === 0) continue;
      const weight = one.invariants.some(hasQuantifier) ? limits.quantifiedBriefness : 1;
      const shortest = await irredundant(
        one.invariants,
        system.vocabulary.wellFormed(point.fn, point.location),
        this.problem.solvers.instances,
        this.budget.query(),
        () => (questions -= weight) < 0 || share.exhausted !== undefined,
      );
      const at =
        point.kind === 'return' || point.kind === 'call' ? 'call' : point.kind === 'check' ? 'label' : point.kind;
      const place = sourceLocationOf(
        (at === 'loop' && point.location.loop) || point.location.span,
        point === system.client ? undefined : point.fn.name,
      );
      const formula = printInvariant(one, system.vocabulary, shortest);
      const isSaid = found.some(
        (said) => said.at === at && said.formula === formula && isSameSourceLocation(said.place, place),
      );
      const heap = this.problem.task.explain ? abstractHeap(one.invariants, system.vocabulary) : undefined;
      if (!isSaid) found.push({ place, at, formula, ...(heap && { heap }) });
    }
    return found;
  }
}

/**
 * The invariants of a part, and what its abstract states amount to. What holds between calls holds all through a
 * function that the part knows nothing of: none of it is written there.
 */
function invariantsIn(whole: TransitionSystem, { system, points, invariants }: PredicateAbstraction): InvariantMap {
  const ofStates = points.flatMap((one) => {
    const literals = one.predicates.map(({ term }) => term);
    return literals.length === 0
      ? []
      : [[one.point.key, [L.or(...new Set(one.valuations().map((valuation) => cube(valuation, literals))))]] as const];
  });
  const found = conjoin(invariants, new Map(ofStates));
  const between = system.client ? invariantsAt(found, system.client) : [];
  const known = new Set(system.functions);
  const elsewhere = whole.points.filter((point) => point !== whole.client && !known.has(point.fn));
  return conjoin(
    found,
    invariantMap(elsewhere, () => between),
  );
}
