/**
 * Cures of a failure that depends on the answers of functions without a body: one guarantee per function, for all its
 * calls. Found by experiment: the run is repeated with each answer that breaks the guarantee replaced by one that keeps
 * it. If the failure comes all the same, it depends on something else, although the guarantee excludes the run.
 */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import type { CType, FunctionType } from '../../c/types';
import {
  asGiven,
  faultOf,
  runScenario,
  type EnvironmentAnswer,
  type Scenario,
  type UsedAnswer,
} from '../../evidence/scenarios/scenario';
import { propertyOf } from '../../program/command';
import { failsAlike, type Fault } from '../../semantics/concrete/fault';
import type { Plain } from '../../verdict';
import type { Problem } from '../problem';
import type { Specification } from './specifications';

export type OfferedGuarantee = Extract<Specification, { kind: 'ensures' }>;

const limits = {
  /** Bytes of an object that is made as long as an argument says. */
  objectBytes: 4096,
} as const;

/** Functions that end the program, by what such functions are called. */
const endsProgram =
  /(?:^|_)(?:abort|panic|fatal|die|bugcheck|assert_?fail(?:ed)?|unreachable|terminate)(?:$|_)|BugCheck|Panic|Fatal/;

interface Trial {
  readonly function: string;
  readonly text: string;
  /** An answer that keeps the guarantee in place of one that breaks it; undefined for one that keeps it. */
  readonly mend: (answer: UsedAnswer) => EnvironmentAnswer | undefined;
}

/** `bounds`: bounds of numbers by constants, too. */
export function guaranteeCures(
  problem: Problem,
  scenario: Scenario,
  fault: Fault,
  bounds: boolean,
): readonly OfferedGuarantee[] {
  const { program } = problem;
  const options = problem.scenarioOptions();
  const run = runScenario(program, scenario, options);
  if (!run) return [];
  const failsStill = (answers: readonly EnvironmentAnswer[]): boolean => {
    const again = faultOf(runScenario(program, { calls: scenario.calls, answers }, options));
    return again !== undefined && failsAlike(again, fault);
  };
  const isAboutMemory = propertyOf[fault.command.check] === 'memsafety';
  const ofClients = new Set(program.clientFunctions.map(({ name }) => name));
  const unknown = program.externals.filter(({ name }) => !ofClients.has(name));
  const trials = unknown.flatMap(({ name, ctype }) =>
    ctype.kind === 'function' && run.answers.some((answer) => answer.name === name)
      ? trialsOf(name, ctype, problem, { bounds, isAboutMemory })
      : [],
  );
  const mended = trials.filter(({ function: name, mend }) => {
    let changed = 0;
    const answers = run.answers.map((answer): EnvironmentAnswer => {
      const better = answer.name === name && answer.sideEffects === undefined ? mend(answer) : undefined;
      if (better) changed++;
      return better ?? asGiven(answer);
    });
    return changed > 0 && !failsStill(answers);
  });
  return [
    ...mended.map(({ function: name, text }): OfferedGuarantee => ({ kind: 'ensures', function: name, text })),
    ...unknown.flatMap(({ name }): OfferedGuarantee[] =>
      endsProgram.test(name) ? [{ kind: 'ensures', function: name, text: '0' }] : [],
    ),
  ];
}

function trialsOf(
  name: string,
  { parameters, result, variadic }: FunctionType,
  problem: Problem,
  { bounds, isAboutMemory }: { readonly bounds: boolean; readonly isAboutMemory: boolean },
): Trial[] {
  const { dataModel } = problem.program;
  const integers = parameters.flatMap((parameter, at) =>
    parameter.type.kind === 'integer' && parameter.type.name !== 'bool'
      ? [{ name: parameter.name ?? `argument${at + 1}`, at }]
      : [],
  );
  if (result.kind === 'pointer') {
    const element = elementOf(result.to);
    const bytes = element && sizeOf(element, dataModel);
    if (!element || !bytes) return [];
    const object = (length: number, answer: UsedAnswer): EnvironmentAnswer => ({
      ...asGiven(answer),
      value: 0,
      object: { type: { kind: 'array', of: element, length }, contents: Array.from({ length }, () => zero(element)) },
    });
    const nonNull = (text: string): Trial => ({
      function: name,
      text,
      mend: (answer) => (answer.value === 0 && !answer.object ? object(1, answer) : undefined),
    });
    // Memory is safe only behind a pointer to an object; an assertion mostly asks for null alone.
    const texts = ['PROVEST_LENGTH(result) >= 1', 'result != NULL'];
    return [
      ...(isAboutMemory ? texts : texts.reverse()).map(nonNull),
      ...integers.map((parameter): Trial => ({
        function: name,
        text: `result == NULL || PROVEST_LENGTH(result) >= ${parameter.name}`,
        mend: (answer) => {
          const wanted = Number(answer.args?.[parameter.at] ?? 0);
          const length = answer.object?.type.kind === 'array' ? (answer.object.type.length ?? 0) : undefined;
          return length !== undefined && wanted > length && wanted * bytes <= limits.objectBytes
            ? object(wanted, answer)
            : undefined;
        },
      })),
    ];
  }
  if (result.kind !== 'integer' || result.name === 'bool' || variadic) return [];
  const number = (value: bigint, answer: UsedAnswer): EnvironmentAnswer => ({
    ...asGiven(answer),
    value: typeof answer.value === 'bigint' ? value : Number(value),
  });
  const within = integers.map((parameter): Trial => ({
    function: name,
    text: `result <= ${parameter.name}`,
    mend: (answer) => {
      const most = answer.args?.[parameter.at];
      return most !== undefined && BigInt(answer.value) > BigInt(most) ? number(BigInt(most), answer) : undefined;
    },
  }));
  const least = (bound: bigint): Trial => ({
    function: name,
    text: `result >= ${bound}`,
    mend: (answer) => (BigInt(answer.value) < bound ? number(bound, answer) : undefined),
  });
  return bounds && result.signed ? [...within, least(0n), least(-1n)] : within;
}

/** Undefined for what has no objects of its own, or only the module knows. */
function elementOf(to: CType): CType | undefined {
  switch (to.kind) {
    case 'void':
      return { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false };
    case 'function':
      return undefined;
    default:
      return printType(to).includes('<') ? undefined : { ...to, const: false };
  }
}

function zero(type: CType): Plain {
  switch (type.kind) {
    case 'integer':
      return type.name === 'bool' ? false : 0;
    case 'enum':
    case 'float':
      return 0;
    case 'array':
      return Array.from({ length: type.length ?? 0 }, () => zero(type.of));
    // Members that are left out are zero.
    case 'record':
      return {};
    default:
      return null;
  }
}

/** True if the failure of this run depends on what the guarantee says. */
export const dependsOn = (cures: readonly OfferedGuarantee[], one: OfferedGuarantee): boolean =>
  cures.some(({ function: name, text }) => name === one.function && text === one.text);
