/** The table of checks for people: one line in sum, then per function the checks that are not proved, or all. */
import type { CheckResult, Verdict } from '../verdict';

const limits = {
  /** Functions and checks that are shown unless all are asked for. */
  functions: 8,
  checksPerFunction: 6,
} as const;

/** `41 of 44 checks proved, 2 fail, 1 open` */
export function checksInSum(checks: readonly CheckResult[]): string {
  const count = (status: CheckResult['status']): number => checks.filter((one) => one.status === status).length;
  const under = checks.filter(isProvedUnderSpecifications).length;
  const [proved, failing, open] = [count('proved'), count('fails'), count('open') - under];
  return [
    `${proved} of ${checks.length} check${checks.length === 1 ? '' : 's'} proved`,
    ...(under === 0 ? [] : [`${under} under the specifications`]),
    ...(failing === 0 ? [] : [`${failing} ${failing === 1 ? 'fails' : 'fail'}`]),
    ...(open === 0 ? [] : [`${open} open`]),
  ].join(', ');
}

/** Proved of a program without any check: the table is there, and empty. */
export const hasNothingToCheck = ({ kind, checks, statistics }: Verdict): boolean =>
  kind === 'proved' && checks?.length === 0 && statistics.obligations === 0;

const isProvedUnderSpecifications = (check: CheckResult): boolean =>
  check.status === 'open' && check.reason.cause === 'not-accepted';

const hasNoProof = (check: CheckResult): boolean => check.status !== 'proved' && !isProvedUnderSpecifications(check);

/** `show`: the checks without a proof in some functions, or each check in force. */
export function checkLines(checks: readonly CheckResult[], show: 'without proof' | 'all'): string[] {
  const groups = new Map<string, CheckResult[]>();
  for (const check of checks) {
    const name = check.place.function ?? '';
    const group = groups.get(name);
    if (group) group.push(check);
    else groups.set(name, [check]);
  }
  const shown = [...groups].filter(([, group]) => show === 'all' || group.some(hasNoProof));
  const [functions, perFunction] = show === 'all' ? [Infinity, Infinity] : [limits.functions, limits.checksPerFunction];
  const lines = shown.slice(0, functions).flatMap(([name, group]) => {
    const listed = group.filter((check) => show === 'all' || hasNoProof(check));
    return [
      `${name}${group[0]!.library ? ' (C library)' : ''}: ${checksInSum(group)}`,
      ...listed.slice(0, perFunction).map((check) => `  ${checkLine(check)}`),
      ...(listed.length > perFunction ? [`  … ${listed.length - perFunction} more`] : []),
    ];
  });
  const more = shown.length - functions;
  const rest = [
    ...(more > 0 ? [`… ${more} more function${more === 1 ? '' : 's'}`] : []),
    ...(checks.some((check) => check.status === 'proved' && check.assumesFailing)
      ? ['proved for executions that pass the failing checks']
      : []),
  ];
  return [...lines, ...rest];
}

function checkLine(check: CheckResult): string {
  const { place, text, check: kind } = check;
  const status = isProvedUnderSpecifications(check) ? 'proved under the specifications' : check.status;
  return `line ${place.line}: ${text} (${kind}): ${status}`;
}
