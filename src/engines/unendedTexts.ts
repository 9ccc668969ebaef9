/**
 * Failures that a client brings about with characters that do not end in 0, where the function goes on to the end of a text: the contract that rules them out. A bug stays a bug; whoever
 * knows that clients pass texts can say so. Offered is only what is the cause, found by running once more with a 0 behind the characters (as in angelic verification: A. Das, S. Lahiri,
 * A. Lal, Y. Li, CAV 2015).
 */
import { sizeOf } from '../c/layout';
import { faultOf, ScenarioRunner, type Argument, type Scenario, type ScenarioOptions } from '../evidence/scenario';
import type { FunctionDefinition, Program } from '../program/program';
import { failsAlike, type Fault } from '../semantics/fault';

/** Edges of a run with a text. */
const STEPS = 20_000;

export class UnendedTexts {
  private readonly found = new Map<FunctionDefinition, Map<number, string>>();
  private readonly runner: ScenarioRunner;

  constructor(private readonly program: Program, options: ScenarioOptions) {
    this.runner = new ScenarioRunner(program, options);
  }

  /** Remembers what would have to be promised for the failure not to be. */
  look(scenario: Scenario, fault: Fault): void {
    if (fault.check !== 'dereference' && fault.check !== 'array-bounds') return;
    const failing = this.runner.run(scenario, { stepLimit: STEPS })?.last;
    if (failing === undefined) return;
    const { fn, arguments: given } = scenario.calls[failing]!;
    const isHarmless = (argument: Argument, at: number): boolean => {
      const run = this.runner.run({ ...scenario, calls: scenario.calls.with(failing, { fn, arguments: given.with(at, argument) }) }, { stepLimit: STEPS });
      const again = faultOf(run);
      return run !== undefined && run.last >= failing && !(again && failsAlike(again, fault)) && again?.check !== 'null-dereference';
    };
    for (const [at, argument] of given.entries()) {
      const parameter = fn.parameters[at]!;
      const ended = this.ended(argument);
      if (!ended || parameter.ctype?.kind !== 'pointer' || parameter.ctype.to.kind !== 'integer' || parameter.ctype.to.name !== 'char' || !isHarmless(ended, at)) continue;
      const isText = `PROVEST_TERMINATED(${parameter.name})`;
      const promises = this.found.get(fn) ?? new Map<number, string>();
      this.found.set(fn, promises.set(at, isHarmless({ kind: 'scalar', value: 0 }, at) ? `${parameter.name} == NULL || ${isText}` : isText));
      return;
    }
  }

  get suggestion(): string | undefined {
    const said = this.program.functions.flatMap((fn) => [...this.found.get(fn) ?? []].sort(([a], [b]) => a - b).map(([, promise]) => `${fn.name}: PROVEST_REQUIRES(${promise});`));
    return said.length === 0 ? undefined : `if clients pass a text there, which ends in 0, say so in the C, at the beginning of the function, with #include <provest.h>:\n${said.join('\n')}`;
  }

  /** The same characters and a 0. */
  private ended(argument: Argument): Argument | undefined {
    if (argument.kind !== 'object' || !Array.isArray(argument.contents)) return undefined;
    const { type, contents } = argument;
    if (type.kind !== 'array' || type.length === undefined || sizeOf(type.of, this.program.dataModel) !== 1 || contents.length < type.length || Number(contents.at(-1)) === 0) return undefined;
    return { kind: 'object', type: { ...type, length: type.length + 1 }, contents: [...contents, 0] };
  }
}
