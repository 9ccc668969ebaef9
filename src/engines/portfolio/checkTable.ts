/**
 * The answer for each check in force. Only what `conclude` or the certifier has accepted gets in: certified proofs and
 * replayed failures.
 */
import { sourceLocationOf } from '../../sourceLocation';
import { checkKey, type Check, type CheckKey, propertyOf } from '../../program/command';
import type { CheckResult, Counterexample, Reason } from '../../verdict';
import type { LocatedCheck } from '../problem';

const notAccepted: Reason = {
  cause: 'not-accepted',
  message: 'proved of clients that keep the specifications',
};

/** Callers of whom a proof is. */
export type Clients = 'all clients' | 'clients that keep the specifications';

type Answer =
  | {
      readonly status: 'proved';
      readonly stage: string;
      readonly assumesFailing?: true;
      readonly underSpecifications?: true;
    }
  | {
      readonly status: 'fails';
      readonly stage: string;
      readonly counterexample: Counterexample;
      readonly excused?: true;
      /** Proved of clients that keep the specifications. */
      readonly provedUnder?: true;
    };

export class CheckTable {
  private readonly checks: ReadonlyMap<CheckKey, LocatedCheck>;
  private readonly answers = new Map<CheckKey, Answer>();

  /** `checks`: all that are in force. Those about the same place in the text are one entry. */
  constructor(checks: readonly LocatedCheck[]) {
    this.checks = new Map(checks.map((one) => [checkKey(one.check), one]));
  }

  /** A failure that nothing excuses counts more than one that a specification does. */
  fails(
    check: Pick<Check, 'check' | 'span'>,
    stage: string,
    counterexample: Counterexample,
    how: 'excused' | 'error' = 'error',
  ): void {
    const key = checkKey(check);
    const known = this.answers.get(key);
    if (!this.checks.has(key) || (how === 'excused' && known?.status === 'fails')) return;
    this.answers.set(key, { status: 'fails', stage, counterexample, ...(how === 'excused' && { excused: true }) });
  }

  /** For a check whose failures are all excused after all. */
  excuse(check: Pick<Check, 'check' | 'span'>): void {
    const key = checkKey(check);
    const known = this.answers.get(key);
    if (known?.status === 'fails') this.answers.set(key, { ...known, excused: true });
  }

  /**
   * `proved`: of `all`, the checks of the program that was verified, in which failing ones are assumed; `assumed`: also
   * others, that the table does not count as failing. An entry is proved when all checks about its place are.
   */
  recordProved(
    proved: ReadonlySet<Check> | 'all',
    all: readonly LocatedCheck[],
    stage: string,
    of: Clients = 'all clients',
    assumed: ReadonlySet<CheckKey> = new Set(),
  ): void {
    const assumesFailing = this.failing.size > 0 || assumed.size > 0;
    const underSpecifications = of !== 'all clients';
    const open = new Set(
      all.filter(({ check }) => proved !== 'all' && !proved.has(check)).map(({ check }) => checkKey(check)),
    );
    for (const key of new Set(all.map(({ check }) => checkKey(check)))) {
      const known = this.answers.get(key);
      if (known?.status === 'fails' && known.excused && underSpecifications && !open.has(key))
        this.answers.set(key, { ...known, provedUnder: true });
      if (open.has(key) || known || !this.checks.has(key)) continue;
      this.answers.set(key, {
        status: 'proved',
        stage,
        ...(assumesFailing && { assumesFailing }),
        ...(underSpecifications && { underSpecifications }),
      });
    }
  }

  /** Checks with a failure that nothing excuses. */
  get failing(): ReadonlySet<CheckKey> {
    return new Set(
      [...this.answers].flatMap(([key, answer]) => (answer.status === 'fails' && !answer.excused ? [key] : [])),
    );
  }

  /** Checks among `all` without an answer. */
  openAmong(all: readonly LocatedCheck[]): ReadonlySet<Check> {
    return new Set(all.flatMap(({ check }) => (this.answers.has(checkKey(check)) ? [] : [check])));
  }

  get isComplete(): boolean {
    return this.answers.size === this.checks.size;
  }

  get counts(): { readonly proved: number; readonly total: number } {
    const proved = [...this.answers.values()].filter(({ status }) => status === 'proved').length;
    return { proved, total: this.checks.size };
  }

  /** For clients that keep the specifications, who do not bring about what those excuse. */
  get countsUnder(): { readonly proved: number; readonly failing: number; readonly total: number } {
    const answers = [...this.answers.values()];
    const excused = answers.filter((answer) => answer.status === 'fails' && answer.excused && answer.provedUnder);
    return {
      proved: this.counts.proved + excused.length,
      failing: this.failing.size,
      total: this.checks.size,
    };
  }

  /** By file, line and column. `reason`: why checks are open. `shown`: the verdict's counterexamples, in order. */
  results(reason: Reason, shown: readonly Counterexample[] = []): readonly CheckResult[] {
    const positioned = (answer: Answer) => {
      // It is not known that clients keep them.
      if (answer.status === 'proved' && answer.underSpecifications)
        return { status: 'open' as const, reason: notAccepted };
      if (answer.status !== 'fails') return answer;
      const { counterexample: one, provedUnder: _, ...rest } = answer;
      const counterexample = shown.indexOf(one);
      return { ...rest, ...(counterexample >= 0 && { counterexample }) };
    };
    return [...this.checks]
      .map(([key, { check, function: fn }]): CheckResult => {
        const { check: kind, span, text } = check;
        const known = this.answers.get(key);
        const answer = known ? positioned(known) : { status: 'open' as const, reason };
        const place = sourceLocationOf(span, fn.name);
        return {
          check: kind,
          property: propertyOf[kind],
          place,
          text,
          ...(fn.library && { library: true }),
          ...answer,
        };
      })
      .sort(byPlace);
  }
}

function byPlace({ place: a }: CheckResult, { place: b }: CheckResult): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}
