/**
 * A failure that a witness claims: the program is run with the claimed results of its inputs, on the reference
 * evaluator. Every claimed result must be asked for, in order and where the claim says, and the first failing check
 * must be on the claimed line.
 */
import type { FunctionDefinition, Program } from '../../program/program';
import type { Scalar } from '../../program/expression';
import { type ConcreteValue, isWide } from '../../semantics/concrete/concreteValues';
import type { Replay } from '../../task';
import { isProgramStart } from '../../program/programStart';
import { startArguments } from '../scenarios/programStart';
import { faultOf, runScenario, type Scenario, type ScenarioOptions } from '../scenarios/scenario';

export type ReplayResult =
  { readonly kind: 'fails'; readonly scenario: Scenario } | { readonly kind: 'refuted'; readonly why: string };

export function replayClaim(
  program: Program,
  entry: FunctionDefinition,
  { results, target }: Replay,
  options: ScenarioOptions,
): ReplayResult {
  const refuted = (why: string): ReplayResult => ({ kind: 'refuted', why });
  let given = 0;
  const environment = (name: string, type: Scalar): ConcreteValue => {
    const claimed = isInput(name) ? results[given++] : undefined;
    return valueOf(claimed?.value ?? '0', type);
  };
  const call = {
    fn: entry,
    arguments: isProgramStart(entry)
      ? startArguments(entry, ['program'])
      : entry.parameters.map(() => ({ kind: 'scalar' as const, value: 0 })),
  };
  const run = runScenario(program, { calls: [call], answers: [] }, { ...options, environment });
  if (!run) return refuted(`${entry.name} may not be called like this`);
  const asked = run.inputs.filter(({ name }) => isInput(name));
  for (const [i, { file, line, value }] of results.entries()) {
    const input = asked[i];
    if (!input) return refuted(`the ${ordinal(i)} result it names is never asked for`);
    if (!isResult(value, input.type))
      return refuted(`the ${ordinal(i)} result it names, ${value}, is no value that ${input.name} can return`);
    const { span } = input;
    if (span.file.path !== file || span.file.position(Math.max(span.start, span.end - 1)).line !== line)
      return refuted(`the ${ordinal(i)} input is not read where it says, on line ${line}`);
  }
  const fault = faultOf(run);
  if (!fault) return refuted('the program does not fail with these inputs');
  const at = fault.span.file.position(fault.span.start).line;
  if (fault.span.file.path !== target.file || at !== target.line)
    return refuted(`the program fails with these inputs, but on line ${at}`);
  return {
    kind: 'fails',
    scenario: { calls: [call], answers: run.answers.map(({ name, value, type }) => ({ name, value, type })) },
  };
}

/** Allocations, and variables without a value, are no calls whose result a witness names. */
const isInput = (name: string): boolean => /^\w+$/.test(name) && name !== 'malloc';

/** As C compares: a negative number equals an unsigned result of 32 or 64 bits that it converts to. */
function isResult(text: string, type: Scalar): boolean {
  if (type.kind !== 'integer') return true;
  const value = BigInt(text);
  return type.signed
    ? BigInt.asIntN(type.widthBits, value) === value
    : value >= (type.widthBits < 32 ? 0n : -(1n << BigInt(type.widthBits - 1))) && value < 1n << BigInt(type.widthBits);
}

function valueOf(text: string, type: Scalar): ConcreteValue {
  if (type.kind !== 'integer') return Number(text);
  const value = type.signed
    ? BigInt.asIntN(type.widthBits, BigInt(text))
    : BigInt.asUintN(type.widthBits, BigInt(text));
  return isWide(type) ? value : Number(value);
}

const ordinal = (i: number): string => `${i + 1}${['st', 'nd', 'rd'][i] ?? 'th'}`;
