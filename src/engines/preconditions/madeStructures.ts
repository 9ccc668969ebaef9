/**
 * Failures that a client brings about with a structure that it made by itself, where the module has a function that
 * returns a new one: clients have every such structure from there. Offered is only what is the cause, found by running
 * once more with one that the module made, and what no test contradicts.
 */
import type { RecordLayout } from '../../c/types';
import {
  type Argument,
  type Call,
  faultOf,
  ScenarioRunner,
  type Scenario,
  type ScenarioOptions,
} from '../../evidence/scenarios/scenario';
import { returnedRecord } from '../../evidence/scenarios/structures/setUpFunctions';
import type { Operation } from '../../host/operation';
import { parseType } from '../../host/typeText';
import { hiddenStructure } from '../../evidence/scenarios/structures/voidHandles';
import type { Variable } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { isWide } from '../../semantics/concrete/concreteValues';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import { typeName } from '../../semantics/pointers/validMembers';
import { recordBehind } from '../../semantics/pointers/initialisers';

const limits = {
  /** Edges of a run with the structure from the module. */
  steps: 20_000,
} as const;
/** For each number that the function takes; with the first it often makes nothing. */
const numbers = [8, 1, 0];
/** For each text that it takes. */
const text = [49, 0];

/** Arguments with which the function makes a structure. */
interface Way {
  readonly number: number;
  readonly texts: 'null' | 'short';
}

const ways = ({ parameters }: FunctionDefinition): readonly Way[] =>
  numbers.flatMap((number): Way[] => [
    { number, texts: 'null' },
    ...(parameters.some(isText) ? [{ number, texts: 'short' } as const] : []),
  ]);

const isText = ({ ctype }: Variable): boolean =>
  ctype?.kind === 'pointer' && ctype.to.kind === 'integer' && ctype.to.name === 'char';

/** The same structure of several files is one. */
const isSame = (a: RecordLayout | undefined, b: RecordLayout): boolean =>
  a === b || (a !== undefined && !typeName(a).includes('<') && typeName(a) === typeName(b));

/** The structure, and the function to have it from; undefined when that is not behind the failure. */
export function madeStructure(
  program: Program,
  callable: readonly FunctionDefinition[],
  options: ScenarioOptions,
  runs: readonly (readonly Operation[])[],
  scenario: Scenario,
  fault: Fault,
): { readonly record: RecordLayout; readonly by: FunctionDefinition } | undefined {
  const runner = new ScenarioRunner(program, options);
  for (const [index, { fn, arguments: given }] of scenario.calls.entries()) {
    for (const [at, argument] of given.entries()) {
      if (argument.kind !== 'object') continue;
      const { record, by } = makerOf(fn.parameters[at]!, fn, callable) ?? {};
      if (!record || !by || options.handles?.has(record) || isMadeByTests(record, program, runs)) continue;
      const isHarmless = ways(by).some((way) => {
        const run = runner.run(withMade(scenario, index, at, by, way), { stepLimit: limits.steps });
        const again = faultOf(run);
        return (
          run !== undefined &&
          (run.outcome.kind === 'returned' || run.last > index + 1) &&
          !(again && failsAlike(again, fault))
        );
      });
      if (isHarmless) return { record, by };
    }
  }
  return undefined;
}

function makerOf(
  parameter: Variable,
  fn: FunctionDefinition,
  callable: readonly FunctionDefinition[],
): { readonly record: RecordLayout; readonly by: FunctionDefinition } | undefined {
  const record = recordBehind(parameter);
  if (!record) return hiddenStructure(parameter, fn, callable);
  const by = callable.find(
    (one) =>
      isSame(returnedRecord(one), record) && !one.parameters.some((other) => isSame(recordBehind(other), record)),
  );
  return by && { record, by };
}

function withMade(scenario: Scenario, index: number, at: number, by: FunctionDefinition, way: Way): Scenario {
  const made: Call = {
    fn: by,
    arguments: by.parameters.map((parameter): Argument => {
      const { type, ctype } = parameter;
      if (way.texts === 'short' && isText(parameter) && ctype?.kind === 'pointer')
        return {
          kind: 'object',
          type: { kind: 'array', of: { ...ctype.to, const: false }, length: text.length },
          contents: text,
        };
      const value = type.kind === 'integer' && isWide(type) ? BigInt(way.number) : way.number;
      return { kind: 'scalar', value: type.kind === 'pointer' ? 0 : value };
    }),
  };
  const fromModule: Argument = { kind: 'earlier', call: index, argument: -1 };
  const later = (argument: Argument): Argument => {
    if (argument.kind !== 'earlier' || argument.call < index) return argument;
    return argument.call === index && argument.argument === at ? fromModule : { ...argument, call: argument.call + 1 };
  };
  return {
    ...scenario,
    calls: scenario.calls.flatMap((call, i): Call[] => {
      if (i < index) return [call];
      const { fn, arguments: given } = call;
      const changed = given.map((argument, j) => (i === index && j === at ? fromModule : later(argument)));
      return i === index ? [made, { fn, arguments: changed }] : [{ fn, arguments: changed }];
    }),
  };
}

function isMadeByTests(record: RecordLayout, program: Program, runs: readonly (readonly Operation[])[]): boolean {
  return runs.flat().some((operation) => {
    if (operation.kind !== 'allocate') return false;
    let type = parseType(operation.type, program);
    while (type.kind === 'array') type = type.of;
    return type.kind === 'record' && isSame(type.record, record);
  });
}
