/**
 * The door to Horn clauses: predicates over states are looked for that make all clauses true, which for the clauses of
 * a program is an inductive invariant that excludes the error. Z3's Spacer does that (Komuravelli, Gurfinkel, Chaki,
 * "SMT-based model checking for recursive programs", CAV 2014), over unbounded integers, since over words it is too
 * slow. Nothing wraps there (`logic/unboundedIntegers.ts`), so that an answer proves nothing: formulas come back as
 * candidates, to be checked of the words by whoever asked, and `refuted` says no more than that integers have a
 * derivation of false.
 *
 * A process of its own, started when first asked: a fixpoint that has lost its way is killed without taking any other
 * question along. Options of fixpoints hold for a whole process and survive contexts, so all of them are set every
 * time.
 */
import { performance } from 'node:perf_hooks';
import type { SymbolTerm, Term } from '../../logic/term';
import type { IntegerArithmetic } from '../../logic/integers/unboundedIntegers';
import type { Signedness } from '../../logic/words/words';
import { clauseText } from './hornText';
import { readModel } from './hornModel';
import { bitVectorFormulas } from './bitVectorFormulas';
import { processOptions, startProcess, type SolverContext, type ProcessOptions, type SolverProcess } from '../process';
import { budgetText, unlimited } from '../query';
import type { QueryBudget, UnknownCause } from '../solver';

export interface HornPredicate {
  readonly name: string;
  readonly parameters: readonly SymbolTerm[];
}

/** Arguments in the order of the parameters. */
export interface HornApplication {
  readonly predicate: HornPredicate;
  readonly arguments: readonly Term[];
}

/** Whatever its symbols are: `body` and `condition` imply `head`, or, without one, cannot hold together. */
export interface HornClause {
  readonly body: readonly HornApplication[];
  readonly condition: readonly Term[];
  readonly head: HornApplication | undefined;
}

export interface HornProblem {
  readonly predicates: readonly HornPredicate[];
  readonly clauses: readonly HornClause[];
  /** Signedness to read a word with, always the same for a symbol. */
  readonly readingOf: (symbol: SymbolTerm) => Signedness;
}

export type HornAnswer =
  /**
   * Per predicate, formulas over its parameters: guesses, each to be checked. Where the integers' formula could be read
   * as words in several ways, all of them.
   */
  | { readonly kind: 'candidates'; readonly formulas: ReadonlyMap<HornPredicate, readonly Term[]> }
  | { readonly kind: 'refuted' }
  | { readonly kind: 'unknown'; readonly cause: UnknownCause; readonly detail: string };

export interface HornOptions extends QueryBudget {
  readonly arithmetic?: IntegerArithmetic;
}

export interface HornSolver {
  solve(problem: HornProblem, options: HornOptions): Promise<HornAnswer>;
  /** Ends the process. What runs answers `unknown` with cause `interrupted`. */
  close(): Promise<void>;
}

export function createHornSolver(
  options: ProcessOptions = processOptions('auto'),
  log?: (smt: string) => void,
): HornSolver {
  return new Spacer(options, log);
}

/**
 * Predicates must not be inlined, or their formulas are lost. Without global guidance (Vediramana Krishnan et al., CAV
 * 2020) lemmas diverge as figure 9 of SYNERGY shows.
 */
const fixpointOptions = [
  ':fp.engine spacer',
  ':fp.xform.inline_eager false',
  ':fp.xform.inline_linear false',
  ':fp.xform.slice false',
  ':fp.spacer.global true',
  ':fp.spacer.use_euf_gen true',
];
/** Z3 notices its limit late; then it is killed. */
const graceMs = 1500;

class Spacer implements HornSolver {
  private process: SolverProcess | undefined;
  private context: SolverContext | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly options: ProcessOptions,
    private readonly log: ((smt: string) => void) | undefined,
  ) {}

  solve(problem: HornProblem, options: HornOptions): Promise<HornAnswer> {
    const answer = this.last.then(() => this.ask(problem, options));
    this.last = answer.catch(() => {});
    return answer;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.context?.close();
    await this.process?.close();
  }

  private async ask(
    { predicates, clauses, readingOf }: HornProblem,
    { arithmetic = 'unbounded', ...budget }: HornOptions,
  ): Promise<HornAnswer> {
    if (this.closed) return { kind: 'unknown', cause: 'interrupted', detail: 'the solver was closed' };
    this.process ??= startProcess(this.options);
    const context = (this.context ??= this.process.open());
    const text = [
      // Limits are the process's: those of an earlier question would hold while this one is said.
      unlimited,
      ...fixpointOptions.map((option) => `(set-option ${option})\n`),
      '(set-option :memory_high_watermark_mb 1500)\n',
      '(set-logic HORN)\n',
      ...predicates.map(
        (predicate, i) =>
          `(declare-fun ${nameOf(i)} ` +
          `(${predicate.parameters.map(({ sort }) => (sort.kind === 'boolean' ? 'Bool' : 'Int')).join(' ')}) ` +
          'Bool)\n',
      ),
      ...clauses.map(
        (clause) =>
          '(assert ' +
          `${clauseText(clause, (predicate) => nameOf(predicates.indexOf(predicate)), readingOf, arithmetic)})\n`,
      ),
      budgetText(budget),
      '(check-sat)\n',
    ].join('');
    this.log?.(text);
    const start = performance.now();
    const reply = await context.run(text, budget.timeoutMs + graceMs, {
      sat: '(get-model)',
      unknown: '(get-info :reason-unknown)',
    });
    context.reset();
    switch (reply.kind) {
      case 'timeout':
        return { kind: 'unknown', cause: 'timeout', detail: 'killed at the time limit' };
      case 'died':
        return { kind: 'unknown', cause: 'died', detail: reply.detail };
      case 'lost':
        return { kind: 'unknown', cause: 'died', detail: 'the context was lost' };
      case 'interrupted':
        return { kind: 'unknown', cause: 'interrupted', detail: 'the solver was closed' };
      case 'text':
        break;
    }
    this.log?.(reply.text);
    const [answer = '', rest = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(reply.text)?.slice(1) ?? [];
    switch (answer) {
      case 'sat': {
        const model = readModel(rest, (name) => predicates[numberOf(name)]?.parameters);
        if (!model) return { kind: 'unknown', cause: 'error', detail: `not understood: ${rest.slice(0, 200)}` };
        return {
          kind: 'candidates',
          formulas: new Map(
            predicates.map((predicate, i) => [predicate, bitVectorFormulas(model.get(nameOf(i)) ?? [], readingOf)]),
          ),
        };
      }
      case 'unsat':
        return { kind: 'refuted' };
      case 'unknown':
        return {
          kind: 'unknown',
          cause:
            performance.now() - start > 0.9 * budget.timeoutMs
              ? 'timeout'
              : /resource|cancel/.test(rest)
                ? 'resources'
                : 'incomplete',
          detail: rest.trim().slice(0, 200),
        };
      default:
        return { kind: 'unknown', cause: 'error', detail: reply.text.slice(0, 300) };
    }
  }
}

const nameOf = (index: number): string => `p!${index}`;
const numberOf = (name: string): number => Number(/^p!(\d+)$/.exec(name)?.[1] ?? -1);
