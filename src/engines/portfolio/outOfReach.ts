/**
 * Programs about which no engine may answer: those that proofs cannot model, seen before the first engine runs, and
 * proofs that would hold only because of a limit of the model.
 */
import { sourceLocationOf } from '../../sourceLocation';
import { reachableFunctions, reachableJump } from '../../program';
import { isOpenNaN } from '../../program/lower/objects/staticData';
import { takesAddress } from '../../semantics/symbolic/memoryModel';
import { largestObject } from '../../semantics/concrete/memoryBlock';
import type { PotentialError, Reason, Verdict } from '../../verdict';
import { changingContract } from '../assumptions/contractCalls';
import type { Problem } from '../problem';

/** Why no engine can contribute, but perhaps executions; undefined when they can. */
export const outOfReach = (problem: Problem): Reason | undefined =>
  outOfExecutions(problem) ?? jumpBetweenFunctions(problem);

/** Why not even a failing execution of the program would count. */
export function outOfExecutions(problem: Problem): Reason | undefined {
  if (problem.entries.length === 0 && !problem.init) {
    return {
      cause: 'no-entry',
      message: 'the module has no function that a client may call',
      suggestion: 'make a function non-static, or name one in entry',
    };
  }
  const large = problem.program.objects.find(({ sizeBytes }) => sizeBytes > largestObject(problem.program.dataModel));
  if (large) {
    return {
      cause: 'unsupported-construct',
      message:
        `${large.name} has ${large.sizeBytes} bytes; with this data model objects of more than ` +
        `${largestObject(problem.program.dataModel)} are not modelled`,
      ...(large.span && { place: sourceLocationOf(large.span) }),
      suggestion: 'make it smaller, or verify with 64-bit pointers (lp64)',
    };
  }
  const changing = changingContract(problem.program, problem.checkedProperties);
  if (changing) {
    return {
      cause: 'unsupported-construct',
      message:
        'a contract may change something or end ' +
        `here${changing.name === undefined ? '' : `, by calling ${changing.name}`}: compilers leave contracts out, ` +
        'so what is proved would be another program',
      place: sourceLocationOf(changing.span, undefined),
      suggestion:
        'say it of the values as they are, or with functions that write nothing but their own variables; ask for ' +
        'the properties of what they check',
    };
  }
  if (!problem.checkedProperties.has('leak')) return undefined;
  return problem.task.mode === 'program' ? callOfTheEntry(problem) : pointerAsNumber(problem);
}

/** A block whose address the module keeps as a number is not lost, but no pointer leads to it. */
function pointerAsNumber({ program, programRegions }: Problem): Reason | undefined {
  const suggestion = 'leave out the property leak';
  const taken = program.functions.flatMap(({ edges }) => edges).find(({ command }) => takesAddress(command));
  if (taken)
    return {
      cause: 'unsupported-construct',
      message: 'a pointer is made a number here, and blocks that numbers lead to are not followed',
      place: sourceLocationOf(taken.span, undefined),
      suggestion,
    };
  if (programRegions.mixed.size === 0) return undefined;
  return {
    cause: 'unsupported-construct',
    message:
      'pointers and numbers lie in the same memory, as in a union or after memcpy, and blocks that numbers lead to ' +
      'are not followed',
    suggestion,
  };
}

/** Proofs do not model `longjmp`, but executions do. */
export function jumpBetweenFunctions({ entries, init }: Problem): Reason | undefined {
  const jump = reachableJump([...entries, ...(init ? [init] : [])]);
  return (
    jump && {
      cause: 'unsupported-construct',
      message:
        `${jump.function.name} calls ${jump.name}: jumps between functions run in tests, but proofs do not know ` +
        'them',
      place: sourceLocationOf(jump.edge.span, jump.function.name),
    }
  );
}

/** Leaks are checked where the entry returns, which must be the end of the program. */
function callOfTheEntry({ entries, program }: Problem): Reason | undefined {
  const [entry] = entries;
  const call = program.functions
    .flatMap((fn) => fn.edges)
    .find(({ command }) => command.kind === 'call' && command.targets.includes(entry!));
  return (
    call && {
      cause: 'unsupported-construct',
      message: `leaks are looked for where ${entry!.name} returns, but the program calls it, too`,
      place: sourceLocationOf(call.span, undefined),
    }
  );
}

/** Why a verdict that is right in the model says nothing about the program; undefined when it does. */
export function beyondTheModel(problem: Problem, verdict: Verdict): Reason | undefined {
  if (verdict.kind === 'potential-error') return oversizedObject(problem, verdict.errors);
  if (verdict.kind !== 'proved') return undefined;
  return (verdict.engine === 'only-execution' ? undefined : openNaN(problem)) ?? oversizedAllocation(problem);
}

/** Why formulas prove no single check of the program, either. */
export const outOfFormulas = (problem: Problem): Reason | undefined =>
  outOfReach(problem) ?? openNaN(problem) ?? oversizedAllocation(problem);

/** An object that the model has no room for is no error of the program. */
function oversizedObject({ program }: Problem, errors: readonly PotentialError[]): Reason | undefined {
  const limit = errors.find(({ failure }) => failure.check === 'object-size');
  if (!limit) return undefined;
  const { dataModel } = program;
  return {
    cause: 'unsupported-construct',
    message:
      `an object here may have more than ${largestObject(dataModel)} bytes, which are not modelled with this data ` +
      'model',
    place: limit.failure.place,
    suggestion: `bound its size${dataModel === 'lp64' ? '' : ', or verify with 64-bit pointers (lp64)'}`,
  };
}

/**
 * Proofs begin with static data as the evaluator computes it, and it gives a NaN bits that C leaves open. A run whose
 * every step was watched does not depend on them.
 */
function openNaN({ program }: Problem): Reason | undefined {
  const { globals, objects } = program;
  const from =
    globals.find(({ initial }) => isOpenNaN(initial)) ??
    objects.find(({ relocations }) => relocations.some(({ value }) => isOpenNaN(value)));
  if (!from) return undefined;
  const name = 'variable' in from ? from.variable.name : from.name;
  return {
    cause: 'unsupported-construct',
    message:
      `${name} begins as a NaN that an operation gives, and which one C leaves open: proofs do not know such ` +
      'static data',
    ...(from.span && { place: sourceLocationOf(from.span, undefined) }),
    suggestion: 'write NAN',
  };
}

/**
 * An allocation larger than the model's largest object is null in proofs, so that what follows it is proved of nothing.
 */
function oversizedAllocation(problem: Problem): Reason | undefined {
  const { program, entries, init } = problem;
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
      return {
        cause: 'unsupported-construct',
        message:
          `no check fails, but only because a block of ${command.size.value} bytes is not to be had here: with ` +
          `this data model objects of more than ${largest} bytes are not modelled`,
        place: sourceLocationOf(span, fn.name),
        suggestion: 'make it smaller, or verify with 64-bit pointers (lp64)',
      };
    }
  }
  return undefined;
}
