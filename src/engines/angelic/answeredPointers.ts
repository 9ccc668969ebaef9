/**
 * Guarantees about pointers inside objects that functions without a body return: `result->ops != NULL`. Runs cannot
 * try them, since such pointers are null in every answer. They are judged by formula.
 */
import { sizeOf } from '../../c/layout';
import type { CType } from '../../c/types';
import { runScenario, type Scenario } from '../../evidence/scenarios/scenario';
import { propertyOf } from '../../program/command';
import type { Fault } from '../../semantics/concrete/fault';
import type { Problem } from '../problem';
import type { OfferedGuarantee } from './guaranteeCures';
import type { Specification } from './specifications';

const limits = {
  /** Members of one structure. */
  members: 8,
} as const;

/**
 * Guarantees of the functions that the failing run has called, the latest first. A function that may return null, as
 * far as `taken` says, still may.
 */
export function answeredPointers(
  problem: Problem,
  scenario: Scenario,
  fault: Fault,
  taken: readonly Specification[],
): readonly OfferedGuarantee[] {
  const { program } = problem;
  const run = runScenario(program, scenario, problem.scenarioOptions());
  const asked = [...new Set((run?.answers ?? []).map(({ name }) => name))].reverse();
  const isAboutMemory = propertyOf[fault.command.check] === 'memsafety';
  return asked.flatMap((name) => {
    const ctype = program.externals.find((one) => one.name === name)?.ctype;
    if (ctype?.kind !== 'function' || ctype.result.kind !== 'pointer') return [];
    return pointersIn(ctype.result.to).flatMap(({ path, to }) => {
      const hasLength = to.kind !== 'function' && sizeOf(to, program.dataModel) !== undefined;
      const texts = [...(hasLength ? [`PROVEST_LENGTH(${path}) >= 1`] : []), `${path} != NULL`];
      return (isAboutMemory ? texts : texts.reverse()).map((text): OfferedGuarantee => ({
        kind: 'ensures',
        function: name,
        text: isNeverNull(name, taken) ? text : `result == NULL || ${text}`,
      }));
    });
  });
}

const isNeverNull = (name: string, taken: readonly Specification[]): boolean =>
  taken.some(
    (one) =>
      one.kind === 'ensures' &&
      one.function === name &&
      /^(result != NULL|PROVEST_LENGTH\(result\) >= 1)$/.test(one.text),
  );

function pointersIn(type: CType): readonly { readonly path: string; readonly to: CType }[] {
  if (type.kind === 'pointer') return [{ path: '*result', to: type.to }];
  if (type.kind !== 'record') return [];
  return type.record.fields
    .flatMap(({ name, type: member }) =>
      name !== undefined && member.kind === 'pointer' ? [{ path: `result->${name}`, to: member.to }] : [],
    )
    .slice(0, limits.members);
}
