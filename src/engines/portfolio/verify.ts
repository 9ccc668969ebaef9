/**
 * From a task to a verdict. The order is: what the tests did, a short search by running, then test-based abstraction
 * with ever more predicates; an alarm is looked for by running before it is called potential. A bug is replayed before
 * it is a bug, a proof discharged again before it is a proof.
 */
import { promisedAt } from '../../abstraction/candidates/candidates';
import type { ControlPoint } from '../../abstraction/transitionSystem/controlPoint';
import type { Predicate } from '../../abstraction/predicates/predicateAbstraction';
import { defaultPredicates, predicateLevels as levels } from '../../abstraction/predicates/defaultPredicates';
import { System, type SystemOptions } from '../../abstraction/transitionSystem/transitionSystem';
import { mayEnd } from '../../evidence/certificates/unwindingCertificate';
import { replayClaim } from '../../evidence/certificates/replayClaim';
import { faultOf, runScenario } from '../../evidence/scenarios/scenario';
import { placeOf } from '../../host/fault';
import { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { type InvariantMap, invariantMap, noInvariants } from '../../abstraction/transitionSystem/invariantMap';
import { reachableFunctions, reachableJump } from '../../program';
import { naturalLoops } from '../../program/loops';
import { isOpenNaN } from '../../program/lower/staticData';
import type { Location } from '../../program/program';
import { largestObject } from '../../semantics/concrete/concreteMemory';
import { withAdvice } from '../../advice';
import type { Task } from '../../task';
import type { Reason, Verdict } from '../../verdict';
import { placeText } from '../assumptions/assumptions';
import { changingContract } from '../assumptions/contractCalls';
import { Recollection } from './proofReuse';
import { isRefining } from '../refinement/refine';
import { onlyProbesAt, probesAt } from './userFormulas';
import { missingBody } from '../explanation/potentialErrors';
import type { Alarm } from '../testBasedAbstraction/testBasedAbstraction';
import { Account } from './findings';
import { Bugs } from './bugs';
import { Facts } from './invariantGenerator';
import { Potentials } from './alarmReports';
import { Presentation, type CoveringTest } from './presentation';
import { Proofs } from './proofs';
import { Recall, type Taken } from './recalledProofs';
import { Escalation } from './escalation';
import { Setting, type VerifyOptions } from './context';
import { TestRuns } from './testSeededAbstraction';

export type { CoveringTest, VerifyOptions };

/** Throws `CError` when the C text cannot be accepted, `ProbeError` for a probe that cannot be read. */
export async function verify(task: Task, options: VerifyOptions = {}): Promise<Verdict> {
  const verification = new Verification(task, options);
  try {
    return withAdvice(await verification.proofs.withWhatWasProved(await verification.run()));
  } finally {
    await verification.end();
  }
}

/** Clients that reach abstract states, for tests to be made of them. */
export async function cover(task: Task, options: VerifyOptions = {}): Promise<readonly CoveringTest[]> {
  const verification = new Verification(task, options);
  try {
    return verification.presentation.cover();
  } finally {
    await verification.end();
  }
}

/** What an abstraction could not rule out. */
interface Alarmed {
  readonly alarms: readonly Alarm[];
  readonly abstraction: PredicateAbstraction;
}

class Verification {
  private readonly setting: Setting;
  private readonly account: Account;
  private readonly tests: TestRuns;
  private readonly bugs: Bugs;
  private readonly facts: Facts;
  private readonly refinement: Escalation;
  private readonly recall: Recall;
  private readonly potentials: Potentials;
  /** What the solver could not decide though there was time: that says more than that there is none left. */
  private tooHard: Reason | undefined;
  readonly proofs: Proofs;
  readonly presentation: Presentation;

  constructor(task: Task, options: VerifyOptions) {
    const setting = new Setting(task, options);
    const account = new Account(setting);
    this.setting = setting;
    this.account = account;
    this.tests = new TestRuns(setting, account);
    this.bugs = new Bugs(setting, account);
    this.proofs = new Proofs(setting, account);
    this.facts = new Facts(setting, account, this.bugs);
    this.refinement = new Escalation(setting, account, this.bugs, this.proofs);
    this.recall = new Recall(setting, account, this.tests, this.bugs, this.facts, this.proofs);
    this.potentials = new Potentials(setting, account, this.tests, (other) =>
      verify(other, { solver: setting.exactSolver, aside: true, ...(options.signal && { signal: options.signal }) }),
    );
    this.presentation = new Presentation(setting, account, this.tests, this.facts);
    if (setting.cutRuns > 0)
      account.remarks.add(
        `${setting.cutRuns === 1 ? 'a test hands' : `${setting.cutRuns} tests hand`} over a structure that was not set up, or ${setting.cutRuns === 1 ? 'writes' : 'write'} one that was, which initialisedBy says clients do not; what ${setting.cutRuns === 1 ? 'it does' : 'they do'} from there on is not counted`,
      );
    for (const span of setting.program.idleSuppressions ?? [])
      account.remarks.add(`the suppression at ${placeText(span)} is for no check`);
    account.seconds['front-end'] = setting.frontEndSeconds;
  }

  async end(): Promise<void> {
    this.account.engine?.dispose();
    await this.setting.end();
  }

  async run(): Promise<Verdict> {
    const decided = this.roomy(this.beginning(this.modelled(await this.decide())));
    // How well the tests test does not depend on what the proof needed.
    const verdict = this.setting.task.adequacy ? await this.presentation.measured(decided) : decided;
    return this.setting.task.explain ? this.presentation.explained(verdict) : verdict;
  }

  /**
   * Proofs begin with the static data of the evaluator, which gives a NaN bits that C leaves open; a run whose every
   * step was watched does not depend on them.
   */
  private beginning(verdict: Verdict): Verdict {
    if (verdict.kind !== 'proved' || verdict.engine === 'only-execution') return verdict;
    const { globals, objects } = this.setting.program;
    const from =
      globals.find(({ initial }) => isOpenNaN(initial)) ??
      objects.find(({ relocations }) => relocations.some(({ value }) => isOpenNaN(value)));
    if (!from) return verdict;
    const name = 'variable' in from ? from.variable.name : from.name;
    return this.account.unknown({
      cause: 'unsupported-construct',
      message: `${name} begins as a NaN that an operation gives, and which one C leaves open: proofs do not know such static data`,
      ...(from.span && { place: placeOf(from.span, undefined) }),
      suggestion: 'write NAN',
    });
  }

  /** An object that the model has no room for is no error of the program. */
  private modelled(verdict: Verdict): Verdict {
    if (verdict.kind !== 'potential-error') return verdict;
    const limits = verdict.errors.filter(({ failure }) => failure.check === 'object-size');
    if (limits.length === 0) return verdict;
    const { place } = limits[0]!.failure;
    const { dataModel } = this.setting.program;
    return this.account.unknown({
      cause: 'unsupported-construct',
      message: `an object here may have more than ${largestObject(dataModel)} bytes, which are not modelled with this data model`,
      place,
      suggestion: `bound its size${dataModel === 'lp64' ? '' : ', or verify with 64-bit pointers (lp64)'}`,
    });
  }

  /**
   * A block of a size that the model has no room for and machines do is null in proofs, so that what follows it holds
   * of nothing.
   */
  private roomy(verdict: Verdict): Verdict {
    if (verdict.kind !== 'proved') return verdict;
    const { program, entries, init } = this.setting;
    const [largest, most] = [
      BigInt(largestObject(program.dataModel)),
      program.dataModel === 'lp64' ? 1n << 63n : 1n << 31n,
    ];
    for (const fn of reachableFunctions([...entries, ...(init ? [init] : [])])) {
      for (const { command, span } of fn.edges) {
        if (
          command.kind !== 'allocate' ||
          command.size.kind !== 'integer' ||
          command.size.value <= largest ||
          command.size.value >= most
        )
          continue;
        return this.account.unknown({
          cause: 'unsupported-construct',
          message: `no check fails, but only because a block of ${command.size.value} bytes is not to be had here: with this data model objects of more than ${largest} bytes are not modelled`,
          place: placeOf(span, fn.name),
          suggestion: 'make it smaller, or verify with 64-bit pointers (lp64)',
        });
      }
    }
    return verdict;
  }

  /** What no engine can do anything about. */
  private outOfReach(): Reason | undefined {
    const { setting } = this;
    if (setting.entries.length === 0 && !setting.init) {
      return {
        cause: 'no-entry',
        message: 'the module has no function that a client may call',
        suggestion: 'make a function non-static, or name one in entry',
      };
    }
    const large = setting.program.objects.find(({ sizeBytes }) => sizeBytes > largestObject(setting.program.dataModel));
    if (large) {
      return {
        cause: 'unsupported-construct',
        message: `${large.name} has ${large.sizeBytes} bytes; with this data model objects of more than ${largestObject(setting.program.dataModel)} are not modelled`,
        ...(large.span && { place: placeOf(large.span) }),
        suggestion: 'make it smaller, or verify with 64-bit pointers (lp64)',
      };
    }
    const jump = reachableJump([...setting.entries, ...(setting.init ? [setting.init] : [])]);
    if (jump) {
      return {
        cause: 'unsupported-construct',
        message: `${jump.function.name} calls ${jump.name}: jumps between functions run in tests, but proofs do not know them`,
        place: placeOf(jump.edge.span, jump.function.name),
      };
    }
    const changing = changingContract(setting.program, setting.inForce);
    if (changing) {
      return {
        cause: 'unsupported-construct',
        message: `a contract may change something or end here${changing.name === undefined ? '' : `, by calling ${changing.name}`}: compilers leave contracts out, so what is proved would be another program`,
        place: placeOf(changing.span, undefined),
        suggestion:
          'say it of the values as they are, or with functions that write nothing but their own variables; ask for the properties of what they check',
      };
    }
    return setting.inForce.has('leak') ? this.callOfTheEntry() : undefined;
  }

  private async decide(): Promise<Verdict> {
    const { setting, account } = this;
    const { task } = setting;
    const obstacle = this.outOfReach();
    if (obstacle) return account.unknown(obstacle);
    if (task.claims) return this.claimed(task.claims);
    if (task.replay) {
      const replayed = replayClaim(setting.program, setting.entries[0]!, task.replay, setting.scenarioOptions());
      return replayed.kind === 'fails'
        ? this.bugs.bug(replayed.scenario)
        : account.unknown({ cause: 'checker-disagrees', message: replayed.why });
    }
    const tested = this.bugs.inTests();
    if (tested) return tested;
    const systemOptions = setting.systemOptions();
    void setting.solver.name.then((name) => {
      account.solverName = name;
    });
    const refining = isRefining(task.engine);
    if (refining || task.engine === 'spacer') account.engineName = task.engine;
    const only = refining ? undefined : this.bugs.runOnly(3_000_000);
    if (only?.verdict) return only.verdict;
    account.memory = await Recollection.of(setting.options.memory, task, setting.program, setting.solver.name);
    const recalled = account.memory && (await this.recall.recalled(account.memory, systemOptions));
    if (recalled) return recalled;
    if (refining) return this.refinement.refined(systemOptions);
    const taken = account.memory && (await this.recall.takeOver(account.memory, systemOptions));
    if (taken?.verdict) return taken.verdict;
    return this.abstracted(systemOptions, taken, only?.long ?? false);
  }

  /**
   * What needs nothing to be known between its segments but what clients promise: no loop, and in a module nothing that
   * a call leaves to the next.
   */
  private async withoutFacts(options: SystemOptions): Promise<Verdict | undefined> {
    const { setting, account, tests } = this;
    const { task, program } = setting;
    if (
      task.engine !== 'auto' ||
      task.predicates === 'probes' ||
      task.probes.length > 0 ||
      task.adequacy ||
      task.explain
    )
      return undefined;
    if (task.mode === 'module' && (program.globals.length > 0 || program.objects.some(({ writable }) => writable)))
      return undefined;
    if (setting.entries.some(({ locations }) => locations.some(({ isLoopHead }) => isLoopHead))) return undefined;
    const easy = this.bugs.easy();
    if (easy) return this.bugs.bug(easy);
    const system = new System(program, options);
    // Where a call is a step of its own, as in recursion, something has to be known of what it returns.
    if (system.points.some(({ kind }) => kind === 'loop' || kind === 'call')) return undefined;
    const abstraction = PredicateAbstraction.of(
      system,
      invariantMap(system.points, (point) => (point.kind === 'entry' ? promisedAt(point, system) : [])),
    );
    account.abstraction = account.settled = abstraction;
    const engine = tests.attempt(abstraction, { query: setting.moderately(), stop: () => setting.stopReason() });
    if ((await engine.close()).kind === 'gave-up') return undefined;
    const alarms = await engine.alarms();
    account.fabricated += engine.statistics.fabricated;
    if (!Array.isArray(alarms)) this.noted(alarms as Reason);
    if (!Array.isArray(alarms) || alarms.length > 0) return undefined;
    const verdict = await this.proofs.proved(abstraction);
    // What the checker could not discharge in its time, more facts may make easier.
    return verdict.kind === 'unknown' && verdict.reason.cause === 'checker-disagrees' ? undefined : verdict;
  }

  /** Test-based abstraction with ever more facts, then with ever more predicates (Yorsh, Ball, Sagiv, ISSTA 2006). */
  private async abstracted(systemOptions: SystemOptions, taken: Taken | undefined, long: boolean): Promise<Verdict> {
    const { setting, account, tests, bugs } = this;
    const { task } = setting;
    const plain = taken ? undefined : await this.withoutFacts(systemOptions);
    if (plain) return plain;
    const learner = this.facts.learner(systemOptions);
    if (learner.bug) return bugs.bug(learner.bug);
    const unfinished = taken && account.memory?.unfinished;
    let known: InvariantMap = taken?.invariants ?? noInvariants;
    let alarms: readonly Alarm[] = [];
    let undecided: Reason | undefined;
    let alarmed: Alarmed | undefined;
    const levelsOfFacts = this.facts.levels();
    let toFollow = true;
    for (const [level, limits] of levelsOfFacts.entries()) {
      // What was asked before a run was cut short had not been enough.
      if (unfinished && level < Math.min(unfinished.level, levelsOfFacts.length - 1)) continue;
      setting.report('execution', level, levelsOfFacts.length);
      const before = known;
      known = await learner.invariants(level, known, unfinished?.level === level ? unfinished.stages : 0);
      // Without objects, arrays, modes or curves there is nothing new.
      if (
        (limits === 'extents' ||
          limits === 'objects' ||
          limits === 'elements' ||
          limits === 'modes' ||
          limits === 'curves' ||
          (limits === 'spacer' && task.engine !== 'spacer')) &&
        known === before
      )
        continue;
      const longer = limits === 'unrolled' || limits === 'induction' ? await learner.longer(limits, known) : undefined;
      if ((limits === 'unrolled' || limits === 'induction') && !longer) continue;
      const options = longer?.options ?? systemOptions;
      const invariants = longer?.invariants ?? known;
      const system = new System(setting.program, options);
      const predicates =
        task.predicates === 'probes'
          ? onlyProbesAt(task, system)
          : typeof limits === 'string'
            ? new Map<ControlPoint, Predicate[]>()
            : defaultPredicates(system, this.refinement.withSplits(system, probesAt(task, system)), limits);
      const abstraction = PredicateAbstraction.of(system, invariants, predicates);
      account.abstraction = account.settled = abstraction;
      const onlyFacts = typeof limits === 'string' && task.engine !== 'intervals';
      const engine = tests.attempt(abstraction, {
        query: onlyFacts ? setting.moderately() : setting.queryBudget(),
        stop: () => setting.stopReason(),
        progress: (done, total) => {
          setting.report('solving', done, total);
          account.memory?.keepStates(abstraction, level, 'from time to time');
        },
      });
      for (const [point, { states }] of account.memory?.states(abstraction, level) ?? [])
        for (const state of states) engine.adopt(point, state);
      const closure = await engine.close();
      account.fabricated += engine.statistics.fabricated;
      for (const remark of engine.remarks) account.difficulties.add(remark);
      if (closure.kind === 'gave-up') {
        account.memory?.keepStates(abstraction, level, 'now');
        const searched = bugs.search(2_000_000);
        return searched
          ? bugs.bug(searched)
          : ((await this.searchedDeep(system, options)) ??
              (await this.refinement.escalate(undefined, invariants, options)) ??
              this.cutShort(closure.reason, alarmed));
      }
      setting.report('solving', 0, system.transitions.length);
      const result = await engine.alarms();
      if (Array.isArray(result)) {
        alarms = result;
        account.alarms = alarms;
        alarmed = alarms.length > 0 ? { alarms, abstraction } : undefined;
        if (alarms.length === 0) {
          if (limits === 'spacer' && task.engine === 'auto') account.engineName = 'test-based-abstraction, spacer';
          return await this.proofs.proved(abstraction);
        }
      } else {
        // What facts alone do not decide in a while, other facts or predicates may.
        undecided = this.noted(result as Reason);
        if (!onlyFacts || setting.stopReason()) return this.cutShort(undecided, alarmed);
      }
      if (level === 0 && long) {
        const { verdict } = bugs.runOnly(40_000_000);
        if (verdict) return verdict;
      }
      const direct = alarms
        .map((alarm) => bugs.scenarioOf(alarm))
        .find(
          (scenario) =>
            scenario &&
            faultOf(runScenario(setting.program, scenario, { ...setting.scenarioOptions(), stepLimit: 200_000 })),
        );
      if (direct) return bugs.bug(direct);
      const bug = bugs.search(level === 0 ? 1_000_000 : onlyFacts ? 0 : limits === levels[0] ? 2_000_000 : 24_000_000);
      if (bug) return bugs.bug(bug);
      const triesToFollow = toFollow && level >= levelsOfFacts.indexOf(learner.followAfter);
      if (triesToFollow) toFollow = false;
      const followed =
        onlyFacts && !triesToFollow
          ? undefined
          : await this.searchedDeep(system, options, triesToFollow ? learner.arrivals : undefined);
      if (followed) return followed;
      const settled = onlyFacts ? undefined : await this.refinement.escalate(abstraction, invariants, options);
      if (settled) return settled;
      if (task.predicates === 'probes' || setting.stopReason()) break;
    }
    if (task.engine === 'spacer') return account.unknown(this.facts.hornReason);
    if (task.engine === 'k-induction' && !alarmed)
      return account.unknown(
        setting.stopReason() ?? {
          cause: 'probe-too-weak',
          message: 'no facts guessed from runs are both k-inductive, for a small k, and enough',
        },
      );
    return alarms.length === 0 && undecided ? account.unknown(undecided) : await this.potentials.potential(alarms);
  }

  private noted(reason: Reason): Reason {
    if (reason.cause === 'nonlinear') this.tooHard ??= reason;
    return reason;
  }

  /**
   * Where a check hangs on what a function without a body answered, finer predicates may not have helped either: that
   * is said, not that there was no time for them.
   */
  private async cutShort(reason: Reason, alarmed: Alarmed | undefined): Promise<Verdict> {
    const { setting, account } = this;
    const [alarm] = alarmed?.alarms ?? [];
    if (
      !alarmed ||
      !alarm ||
      setting.interrupted ||
      (reason.cause !== 'time-budget' && reason.cause !== 'solver-budget') ||
      !missingBody(alarm, setting.program, alarmed.abstraction.system)
    ) {
      return account.unknown(
        reason.cause === 'time-budget' && !setting.interrupted ? (this.tooHard ?? reason) : reason,
      );
    }
    account.abstraction = alarmed.abstraction;
    account.remarks.add('finer predicates were tried until the budget was used up');
    return this.potentials.potential(alarmed.alarms);
  }

  /** Where nothing is claimed, all executions may have been followed to their ends, which is done again. */
  private async claimed(claims: NonNullable<Task['claims']>): Promise<Verdict> {
    const { setting, bugs } = this;
    const checked = await this.proofs.checkClaims(claims);
    if (checked.kind === 'proved') return checked;
    const only = claims.length === 0 ? bugs.runOnly(3_000_000) : undefined;
    if (only?.verdict) return only.verdict;
    const options = setting.systemOptions();
    const learner = this.facts.learner(options);
    if (learner.bug) return bugs.bug(learner.bug);
    for await (const { system, invariants } of learner.beside(claims)) {
      const verdict = await this.proofs.restingOn(system, invariants);
      if (verdict.kind === 'proved') return verdict;
    }
    return (
      (claims.length === 0
        ? await this.searchedDeep(new System(setting.program, options), options, learner.arrivals)
        : undefined) ?? checked
    );
  }

  /**
   * All executions of a bounded length: a failure among them, or that there are no longer ones. `arrivals`: only a try,
   * where runs came to ends soon.
   */
  private async searchedDeep(
    system: System,
    options: SystemOptions,
    arrivals?: (head: Location) => number | undefined,
  ): Promise<Verdict | undefined> {
    const {
      setting: { task },
      bugs,
    } = this;
    if (arrivals && (task.predicates === 'probes' || task.adequacy || !mayEnd(system))) return undefined;
    const heads = new Set(
      arrivals && [...system.functions, ...system.inlined].flatMap((fn) => [...naturalLoops(fn).keys()]),
    );
    const result = await (arrivals
      ? bugs.followToTheEnd(system, (location) => (heads.has(location) ? followedFor(arrivals(location)) : Infinity))
      : bugs.searchDeep(system));
    switch (result.kind) {
      case 'found':
        return bugs.bug(result.scenario);
      // Where abstract states are wanted, or only the probes, another proof is.
      case 'ended':
        return task.predicates === 'probes' || task.adequacy ? undefined : this.proofs.ended(result.ended, options);
      case 'open':
        return undefined;
    }
  }

  /** Whether blocks are left is asked where the entry returns, which must be the end of the program. */
  private callOfTheEntry(): Reason | undefined {
    const [entry] = this.setting.entries;
    const call = this.setting.program.functions
      .flatMap((fn) => fn.edges)
      .find(({ command }) => command.kind === 'call' && command.targets.includes(entry!));
    return (
      call && {
        cause: 'unsupported-construct',
        message: `leaks are looked for where ${entry!.name} returns, but the program calls it, too`,
        place: placeOf(call.span, undefined),
      }
    );
  }
}

/**
 * How often control may come to a head while all executions are followed: somewhat more often than in any run; not at
 * all where a run went on and on.
 */
function followedFor(arrivals: number | undefined): number {
  return arrivals === undefined ? 0 : Math.max(20, 2 * arrivals + 4);
}
