/**
 * The tests' runs, done again so that their abstract states are known.
 */
import type { PredicateAbstraction } from '../../abstraction/predicates/predicateAbstraction';
import { leavesTheClient } from '../../evidence/scenarios/operations';
import { Machine } from '../../semantics/concrete/machine';
import { type Limits, TestBasedAbstraction } from '../testBasedAbstraction/testBasedAbstraction';
import type { Account } from './findings';
import type { Setting } from './context';

export class TestRuns {
  constructor(
    private readonly setting: Setting,
    private readonly account: Account,
  ) {}

  /**
   * Records the abstract states the tests reach. A run ends where it leaves what a client may do: then its states need
   * not be reachable.
   */
  private replay(engine: TestBasedAbstraction): void {
    const { system } = engine.abstraction;
    const started = performance.now();
    engine.begin('test');
    if (system.client && !this.setting.init) {
      const machine = new Machine(this.setting.program);
      engine.recorder.attach(machine);
      engine.recorder.visit(system.client, undefined);
    }
    const machineBefore = engine.machine;
    for (const run of this.setting.task.runs) {
      const instance = this.setting.instance();
      engine.recorder.attach(instance.machine);
      let initialised = this.setting.init === undefined;
      for (const operation of run) {
        const why = leavesTheClient(operation, this.setting.program);
        if (why !== undefined) {
          this.account.remarks.add(why);
          break;
        }
        if (operation.kind === 'call') {
          if (!initialised && operation.function !== this.setting.init?.name) {
            this.account.remarks.add(
              `a test did not begin with ${this.setting.init?.name}; its states are not counted`,
            );
            break;
          }
          initialised = true;
        }
        const outcome = instance.redo(operation);
        if (outcome && outcome.kind !== 'returned') break;
      }
    }
    engine.recorder.attach(machineBefore);
    this.account.testStates = engine.abstraction.points.reduce((sum, point) => sum + point.all().length, 0);
    this.account.seconds.execution += (performance.now() - started) / 1000;
  }

  /** An engine that knows what the tests reached; the caller disposes of it. */
  abstraction(
    abstraction: PredicateAbstraction,
    limits: Pick<Limits, 'query' | 'abstractStates' | 'stop' | 'progress'>,
  ): TestBasedAbstraction {
    const machine = new Machine(this.setting.program, {
      properties: this.setting.inForce,
      stepLimit: 200_000,
      output: () => {},
    });
    const engine = new TestBasedAbstraction(abstraction, this.setting.solver, machine, {
      runSteps: 200_000,
      idleSteps: 4000,
      ...limits,
    });
    this.replay(engine);
    return engine;
  }

  /** The abstraction that the verdict rests on, in place of the one before. */
  attempt(
    abstraction: PredicateAbstraction,
    limits: Pick<Limits, 'query' | 'stop' | 'progress'>,
  ): TestBasedAbstraction {
    this.account.engine?.dispose();
    return (this.account.engine = this.abstraction(abstraction, { abstractStates: 4000, ...limits }));
  }
}
