/**
 * The checks of a proof beside CBMC's answers about the annotated program. A check is confirmed if CBMC makes checks of
 * the same property on its line and all of them hold, along with every loop invariant. It is refuted if CBMC has an
 * execution of the program itself, without contracts, that fails. Everything else is not decided.
 */
import type { Property } from '../../program/command';
import type { CheckResult } from '../../verdict';
import type { CbmcResult } from './cbmc';

export type Opinion =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'refuted'; readonly why: string }
  | { readonly kind: 'not decided'; readonly why: string };

export interface JudgedCheck {
  readonly check: CheckResult;
  readonly opinion: Opinion;
}

/** Nothing of the kind is checked by CBMC. */
const notAsked: ReadonlySet<Property> = new Set(['uninitialised', 'aliasing']);

export interface Comparison {
  /** With contracts, all loops and recursions unwound. */
  readonly contracts: readonly CbmcResult[];
  /** The answer about the program as it is, to some depth. Absent: nothing failed before, so CBMC was not run on it. */
  readonly executions: readonly CbmcResult[] | undefined;
  /** Names of functions that stand for assertions, whose failure CBMC reports in the function. */
  readonly assertions: ReadonlySet<string>;
  /** The lines of the program. */
  readonly lines: readonly string[];
  /** Why CBMC cannot have the same loop invariants; undefined: it has all of them. */
  readonly incomplete: string | undefined;
}

export function judgeChecks(checks: readonly CheckResult[], comparison: Comparison): readonly JudgedCheck[] {
  return checks.map((check) => ({ check, opinion: opinionOn(check, comparison) }));
}

function opinionOn(check: CheckResult, comparison: Comparison): Opinion {
  const { contracts, executions, incomplete } = comparison;
  const executed = (executions ?? []).find((result) => isAbout(result, check, comparison) && result.status === 'fails');
  if (executed) return { kind: 'refuted', why: `CBMC has an execution that fails: ${executed.description}` };
  if (notAsked.has(check.property)) return { kind: 'not decided', why: 'CBMC has no such check' };
  const own = contracts.filter((result) => isAbout(result, check, comparison));
  if (own.length === 0) return { kind: 'not decided', why: 'CBMC makes no check of this property on the line' };
  const open = contracts.find(
    ({ subject, status }) => status !== 'holds' && (subject.kind === 'unwinding' || subject.kind === 'other'),
  );
  if (open) return { kind: 'not decided', why: `${open.description}: ${open.status}` };
  const invariant = contracts.find(({ subject, status }) => subject.kind === 'invariant' && status !== 'holds');
  const failing = invariant ?? own.find(({ status }) => status !== 'holds');
  if (!failing) return { kind: 'confirmed' };
  const where = failing.line === undefined ? '' : ` at line ${failing.line}`;
  const said =
    failing.subject.kind !== 'invariant'
      ? 'the invariants are too weak for CBMC'
      : failing.status === 'unknown'
        ? `CBMC has no answer about the loop invariant${where}`
        : failing.subject.which === 'base'
          ? `the invariant of the loop${where} does not hold before it for CBMC`
          : `the invariant of the loop${where} is not inductive for CBMC`;
  return { kind: 'not decided', why: incomplete === undefined ? said : `${said}; ${incomplete}` };
}

function isAbout(
  result: CbmcResult,
  { property, place }: CheckResult,
  { assertions, lines }: Pick<Comparison, 'assertions' | 'lines'>,
): boolean {
  if (result.subject.kind !== 'check' || result.subject.property !== property) return false;
  if (property === 'reach' && result.function !== undefined && assertions.has(result.function)) {
    // A macro may hide the name: then any of them may be meant.
    const line = lines[place.line - 1] ?? '';
    const named = [...assertions].filter((name) => new RegExp(`\\b${name}\\b`).test(line));
    return named.length === 0 || named.includes(result.function);
  }
  return result.line === place.line && (place.function === undefined || result.function === place.function);
}
