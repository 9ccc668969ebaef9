/**
 * A verdict for people: one screen that starts with one of the five words, shows the C line, says how to get there or
 * what the answer is relative to, and ends with what to do next. Used by the command and by the matcher's message, and
 * independent of both.
 */
import { styleText } from 'node:util';
import type { Property } from '../program/command';
import { unreachable } from '../unreachable';
import type {
  Adequacy,
  AngelicReport,
  BranchOutcome,
  ClientStep,
  Counterexample,
  Failure,
  InvariantAt,
  SourceLocation,
  PotentialError,
  Reason,
  RefusedSpecification,
  StateInC,
  Verdict,
} from '../verdict';
import { causePage } from './causePage';
import { checkLines, checksInSum, hasNothingToCheck } from './checkTable';
import { conjuncts } from './conjuncts';
import { relativeTo } from './json/json';
import { percent } from './percent';
import { formatInputs, formatStep, type InputStep } from './step';

export interface TextOptions {
  readonly color: boolean;
  /** Names what was judged, such as the C file; stands before the word. */
  readonly subject?: string;
  /** Directory that places are relative to; absent: shown as they are. */
  readonly base?: string;
  /** Lists all checks, not only those without a proof beside others. */
  readonly allChecks?: boolean;
}

/** "Either this fails, or that test is idle." */
const refusedText = ({ text, place, condition, outcome, stated }: RefusedSpecification): string =>
  stated
    ? `${text} would do, but then no call of ${place.function} could have ${condition}, which is stated as possible`
    : `${text} would do, but then line ${place.line}, ${condition}, could never be ${outcome ? 'true' : 'false'}`;

const undecidedText = ({ place, condition, outcome, stated }: BranchOutcome): string =>
  stated
    ? `perhaps no call of ${place.function} could have ${condition}, which is stated as possible`
    : `perhaps line ${place.line}, ${condition}, could never be ${outcome ? 'true' : 'false'}`;

export const failureKey = ({ failure: { check, message, place } }: Counterexample): string =>
  `${place.file}:${place.line}:${place.column}:${check}:${message}`;

/** A place in the user's files, where there is one. */
const shownPlace = ({ place, caller }: Failure): SourceLocation => caller?.place ?? place;

/** One call of a library function may fail alike in several of its lines: where it copies, and where it ends a text. */
const isSameForCaller = (a: Failure, b: Failure): boolean =>
  a.caller !== undefined &&
  b.caller !== undefined &&
  a.check === b.check &&
  JSON.stringify(a.caller.place) === JSON.stringify(b.caller.place) &&
  withoutNumbers(a.message) === withoutNumbers(b.message);

const withoutNumbers = (message: string): string => message.replace(/\d+/g, '0');

const lastSteps = ({ steps }: Counterexample): string =>
  steps
    .slice(-3)
    .map((step) => formatStep(step, steps))
    .join(', ');

/** The word of each verdict, everywhere the same. */
export const verdictWord: Readonly<Record<Verdict['kind'], string>> = {
  proved: 'proved',
  conditional: 'proved if',
  bug: 'bug (reproduced)',
  'potential-error': 'potential error',
  unknown: 'unknown',
  'not-evaluated': 'not evaluated',
};

export function formatVerdict(verdict: Verdict, options: TextOptions): string {
  const page = new Page(options);
  return [page.title(verdict), ...page.body(verdict), page.checks(verdict), page.effort(verdict)]
    .filter((section) => section !== '')
    .join('\n\n');
}

const shownInvariants = 8;
const shownRefinements = 6;
const formulaColumns = 76;
const rowColumns = 62;
const narrowestColumns = 30;
const shownStateEntries = 12;
const shownFurtherErrors = 5;
const shownSpecifications = 8;
const shownFirstSteps = 4;
const shownLastSteps = 24;
const shownFrames = 6;
/** From so many on, steps that are the same are told once. */
const manySteps = 6;

/** Specifications of clients excuse all failures that were found, the first one, too. */
function isExcused(verdict: Verdict): boolean {
  if (verdict.kind !== 'bug') return false;
  const { counterexample, angelic } = verdict;
  const key = failureKey(counterexample);
  return angelic?.specifications.some(({ example }) => example && failureKey(example) === key) === true;
}

class Page {
  private readonly paint: (style: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string;
  constructor(private readonly options: TextOptions) {
    this.paint = options.color ? (style, text) => styleText(style, text, { validateStream: false }) : (_, text) => text;
  }

  title(verdict: Verdict): string {
    const color = (
      {
        proved: 'green',
        conditional: 'yellow',
        bug: 'red',
        'potential-error': 'yellow',
        unknown: 'yellow',
        'not-evaluated': 'yellow',
      } as const
    )[verdict.kind];
    const word = this.paint('bold', this.paint(isExcused(verdict) ? 'yellow' : color, verdictWord[verdict.kind]));
    const { subject } = this.options;
    const how =
      verdict.kind === 'conditional'
        ? ''
        : hasNothingToCheck(verdict)
          ? ' (nothing to check):'
          : isExcused(verdict)
            ? ', if a client breaks a specification below:'
            : ':';
    return `${subject === undefined ? '' : `${subject}: `}${word}${how} ${this.summary(verdict)}`;
  }

  private summary(verdict: Verdict): string {
    switch (verdict.kind) {
      case 'proved':
        return (
          `no check of ${list(verdict.properties)} ` +
          `${hasNothingToCheck(verdict) ? 'occurs' : 'can fail'}${whateverTheyDo(verdict.assumptions)}`
        );
      case 'bug':
        return verdict.counterexample.failure.message;
      case 'potential-error': {
        const n = verdict.errors.length;
        return `${n} check${n === 1 ? '' : 's'} could fail, in ${n === 1 ? 'a state' : 'states'} not shown reachable`;
      }
      case 'conditional':
      case 'unknown':
      case 'not-evaluated':
        return verdict.reason.message;
      default:
        return unreachable(verdict);
    }
  }

  body(verdict: Verdict): string[] {
    switch (verdict.kind) {
      case 'proved':
        return [
          this.relativeTo(verdict),
          this.suppressedSection(verdict),
          this.invariants(verdict.invariants),
          this.refinement(verdict),
          this.adequacy(verdict.adequacy),
          this.remarks(verdict),
        ];
      case 'bug':
        return [
          ...this.counterexample(verdict.counterexample),
          this.further(verdict),
          this.specifications(verdict.angelic),
          this.section('What to try', verdict.suggestion?.split('\n') ?? []),
          this.suppressedSection(verdict),
          this.refinement(verdict),
          this.remarks(verdict),
        ];
      case 'potential-error':
        return [
          ...this.potentialErrors(verdict.errors),
          this.reason(verdict.reason, verdict.errors[0]),
          this.suppressedSection(verdict),
          this.adequacy(verdict.adequacy),
          this.remarks(verdict),
        ];
      case 'conditional':
        return [
          this.specifications(verdict.angelic),
          this.reason(verdict.reason),
          this.relativeTo(verdict),
          this.suppressedSection(verdict),
          this.invariants(verdict.invariants),
          this.remarks(verdict),
        ];
      case 'unknown':
      case 'not-evaluated':
        return [
          this.reason(verdict.reason),
          this.suppressedSection(verdict),
          this.adequacy(verdict.adequacy),
          this.remarks(verdict),
        ];
      default:
        return unreachable(verdict);
    }
  }

  private counterexample({ failure, steps, stack, test }: Counterexample): string[] {
    return [
      this.failure(failure),
      this.section(
        'How to get there, from the initial state',
        elide(numberSteps(steps), shownFirstSteps, shownLastSteps, 'lines'),
      ),
      stack.length > 1
        ? this.section(
            'C call stack',
            elide(
              stack.map((place) => this.place(place)),
              shownFrames,
              0,
              'frames',
            ),
          )
        : '',
      test === '' ? '' : this.section('Test to paste; it fails at this C line', test.trimEnd().split('\n')),
    ];
  }

  private further({ counterexample, further = [], angelic }: Extract<Verdict, { kind: 'bug' }>): string {
    const excused = new Set(angelic?.specifications.flatMap(({ example }) => (example ? [failureKey(example)] : [])));
    const errors = [counterexample, ...further.filter((one) => !excused.has(failureKey(one)))].filter(
      ({ failure }, at, all) => !all.slice(0, at).some((other) => isSameForCaller(other.failure, failure)),
    );
    const refusalOf = (one: Counterexample): string | undefined => {
      const refusal = angelic?.refused[[counterexample, ...further].indexOf(one)];
      return refusal ? refusedText(refusal) : undefined;
    };
    // Errors that one specification would excuse have one cause, and are told once.
    const isTold = (one: Counterexample, at: number): boolean => {
      const refusal = refusalOf(one);
      return refusal !== undefined && errors.slice(0, at).some((other) => refusalOf(other) === refusal);
    };
    const shown = errors.filter((one, at) => at > 0 && !isTold(one, at));
    const count = errors.slice(1).filter(({ test }) => test !== '').length;
    const refused = (one: Counterexample): string[] => {
      const refusal = refusalOf(one);
      if (refusal === undefined) return [];
      const others = errors.filter((other) => other !== one && refusalOf(other) === refusal);
      const places = others.map(({ failure }) => this.place(shownPlace(failure)));
      return [`  ${refusal}`, ...(others.length === 0 ? [] : [`  the same cause: ${places.join(', ')}`])];
    };
    return [
      this.section(
        'Not for clients to avoid',
        refused(counterexample).map((line) => line.trim()),
      ),
      this.section('Further checks that fail', [
        ...shown.flatMap((one) => [
          `${this.place(shownPlace(one.failure))}: ${one.failure.message}, after ${lastSteps(one)}`,
          ...refused(one),
        ]),
        ...(count === 0
          ? []
          : [`(${count === 1 ? 'its test is' : 'their tests are'} in the JSON, and written by jest -u)`]),
      ]),
    ]
      .filter((section) => section !== '')
      .join('\n\n');
  }

  private specifications(angelic: AngelicReport | undefined): string {
    const specifications = angelic?.specifications ?? [];
    return this.section(
      'Specifications of clients that excuse failures',
      elide(
        specifications.map(
          ({ text, excuses, example, keptByCalls, undecided }) =>
            `${text}: ` +
            (example
              ? `${count(excuses, 'failure')}, ${excuses === 1 ? '' : 'for example '}${lastSteps(example)}`
              : excuses > 0
                ? `${count(excuses, 'failure')} of a check that fails all the same, for other functions`
                : 'the proof rests on it, and no run of a client can show it') +
            (keptByCalls === 0
              ? ''
              : `; ${count(keptByCalls, 'call')} in tests keep${keptByCalls === 1 ? 's' : ''} it`) +
            (undecided ? `; not judged: ${undecidedText(undecided)}` : ''),
        ),
        shownSpecifications,
        0,
        'specifications',
      ),
    );
  }

  private failure(failure: Failure): string {
    const about = `${failure.check}, property ${failure.property}`;
    const { place, codeFrame } = failure.caller ?? failure;
    return [
      `at ${this.place(place)} ${this.paint('dim', `(${about})`)}`,
      ...indent(codeFrame.split('\n')),
      ...(failure.caller
        ? [`from there, at ${this.place(failure.place)}`, ...indent(failure.codeFrame.split('\n'))]
        : []),
    ].join('\n');
  }

  private potentialErrors(errors: readonly PotentialError[]): string[] {
    const [first, ...others] = errors;
    if (!first) return [];
    const further = others.map(({ failure }) => `${this.place(failure.place)}: ${failure.message}`);
    return [
      first.failure.message,
      this.failure(first.failure),
      this.section(`The state it starts from, at ${this.place(first.at)}`, state(first.state)),
      first.explanation,
      first.suggestion === undefined ? '' : this.section('What to try', first.suggestion.split('\n')),
      further.length === 0 ? '' : this.section('Further', elide(further, shownFurtherErrors, 0, 'places')),
    ];
  }

  /** The title or the first error has said what the message says. */
  private reason({ cause, place, suggestion }: Reason, error?: PotentialError): string {
    return [
      ...(place && !error ? [`at ${this.place(place)}`] : []),
      `cause: ${cause} ${this.paint('dim', `(${causePage(cause, this.options.base)})`)}`,
      ...(suggestion === undefined || suggestion === error?.suggestion
        ? []
        : [this.section('What to try', suggestion.split('\n'))]),
    ].join('\n');
  }

  /** Cases that refinement distinguished, and why, where it decided. */
  private refinement({ refinement }: Verdict): string {
    const told = refinement?.steps.filter(({ kind }) => kind === 'split' || kind === 'invariants') ?? [];
    const rows = told.flatMap(({ at, formula, why }) => [
      `${at ? this.place(at) : 'between calls'}: ${formula === undefined ? why : wrap(formula).join(' ')}`,
      ...(formula === undefined ? [] : [`  since ${why}`]),
    ]);
    return rows.length === 0 ? '' : this.section('What was refined', elide(rows, 2 * shownRefinements, 0, 'lines'));
  }

  /** Empty for a proof unless asked for: it says already that no check can fail. */
  checks({ kind, checks = [] }: Verdict): string {
    const { allChecks = false } = this.options;
    if (checks.length === 0 || (kind === 'proved' && !allChecks)) return '';
    const heading = this.paint('bold', `${checksInSum(checks)}:`);
    return [heading, ...indent(checkLines(checks, allChecks ? 'all' : 'without proof'))].join('\n');
  }

  private suppressedSection({ suppressed = [] }: Verdict): string {
    return this.section(
      'Suppressed, and so not proved',
      suppressed.map(({ check, text, place, reason }) => `- ${text} (${check}) at ${this.place(place)}: ${reason}`),
    );
  }

  private relativeTo({ assumptions }: Verdict): string {
    return this.section(
      'Relative to',
      assumptions.map((assumption) => `- ${assumption}`),
    );
  }

  /** Invariants between calls in full, then of other places, loops first, where they say anything else. */
  private invariants(invariants: readonly InvariantAt[]): string {
    const module = invariants.filter(({ at }) => at === 'module');
    const known = new Set(['true', ...module.map(({ formula }) => formula)]);
    const others = invariantOrder.flatMap((kind) =>
      invariants.filter(({ at, formula }) => at === kind && !known.has(formula)),
    );
    const rows = others.map((invariant) => ({ where: this.where(invariant), formula: invariant.formula }));
    const width = Math.max(0, ...rows.slice(0, shownInvariants).map(({ where }) => where.length));
    return [
      ...module.map(({ formula }) => this.section('Between any two calls', wrap(formula))),
      this.section(
        module.length === 0 ? 'Invariants' : 'Elsewhere',
        elide(
          rows.map(
            ({ where, formula }) =>
              `${where.padEnd(width)}  ${shorten(formula, Math.max(narrowestColumns, rowColumns - width))}`,
          ),
          shownInvariants,
          0,
          'places',
        ),
      ),
    ]
      .filter((section) => section !== '')
      .join('\n\n');
  }

  private where({ at, place }: InvariantAt): string {
    const inFunction = place.function === undefined ? '' : ` ${place.function}`;
    switch (at) {
      case 'module':
        return 'between any two calls';
      case 'entry':
        return `entry of${inFunction}`;
      case 'exit':
        return `exit of${inFunction}`;
      case 'loop':
      case 'call':
      case 'label':
        return `${at} at line ${place.line}${place.function === undefined ? '' : ` of${inFunction}`}`;
      default:
        return unreachable(at);
    }
  }

  private adequacy(adequacy: Adequacy | undefined): string {
    if (!adequacy || adequacy.total === 0) return '';
    return `The tests reach ${adequacy.covered} of ${adequacy.total} abstract states (${percent(adequacy.ratio)}).`;
  }

  private remarks({ remarks }: Verdict): string {
    return remarks.length === 0
      ? ''
      : this.section(
          'Remarks',
          remarks.map((remark) => `- ${remark}`),
        );
  }

  effort({ kind, engine, statistics: s }: Verdict): string {
    if (kind === 'not-evaluated') return ''; // There was none.
    // Invariants alone distinguish no states, and tests may be measured by other states than those of the proof.
    const states =
      s.abstractStates === 0 || s.predicates === 0
        ? ''
        : `, ${count(s.abstractStates, 'abstract state')}, ${count(s.fabricatedStates, 'state')} fabricated`;
    const reused =
      s.reused === undefined
        ? ''
        : `, reused the invariant at ${s.reused} of ${s.cutpoints} cutpoints, checked again${anew(s.provedAnew)}`;
    return this.paint(
      'dim',
      `${engine}, ${s.seconds.toFixed(1)} s, ${count(s.solverQueries, 'solver query', 'solver queries')} ` +
        `(${s.solver})${states}${reused}`,
    );
  }

  private section(heading: string, lines: readonly string[]): string {
    return lines.length === 0
      ? ''
      : [this.paint('bold', `${heading}:`), ...indent(lines.flatMap((line) => line.split('\n')))].join('\n');
  }

  private place({ file, line, column, function: name }: SourceLocation): string {
    const { base } = this.options;
    return (
      `${base === undefined ? file : relativeTo(base, file)}:${line}:${column}` +
      `${name === undefined ? '' : ` in ${name}`}`
    );
  }
}

/** A proof that assumes something of unknown functions always says so. Empty when there are none. */
export function whateverTheyDo(assumptions: readonly string[]): string {
  const names = assumptions.flatMap((assumption) => /^(\w+) has no body: /.exec(assumption)?.[1] ?? []);
  return names.length === 0
    ? ''
    : `, whatever ${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''} ` +
        `${names.length === 1 ? 'does' : 'do'}`;
}

const shownAnew = 5;

/** Functions that had to be proved anew beside what an earlier run had left. */
export function anew(names: readonly string[] = []): string {
  return names.length === 0
    ? ''
    : `; proved anew: ${names.slice(0, shownAnew).join(', ')}` +
        `${names.length > shownAnew ? ` and ${names.length - shownAnew} more` : ''}`;
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `  ${line}`));
const invariantOrder = ['loop', 'exit', 'entry', 'call', 'label'] as const;
const list = (properties: readonly Property[]): string => properties.join(', ');
const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

function state(entries: StateInC): string[] {
  return elide(
    entries.map(({ name, value }) => `${name} = ${value}`),
    shownStateEntries,
    0,
    'variables',
  );
}

/** Calls and allocations by number; the inputs that a call asks for below it. Many that are the same are told once. */
function numberSteps(steps: readonly ClientStep[]): string[] {
  const lines: string[] = [];
  const width = String(steps.filter(({ kind }) => kind !== 'input').length).length;
  const gap = ' '.repeat(width + 2);
  let number = 1;
  const { numbered, inputs } = stepsWithInputs(steps);
  for (const { told, below, times } of numbered) {
    lines.push(
      `${String(number).padStart(width)}  ${told}${times === 1 ? '' : `, ${times} times`}`,
      ...below.map((line) => `${gap}where ${line}`),
    );
    number += times;
  }
  return [...lines, ...formatInputs(inputs, steps).map((line) => `${gap}then ${line}`)];
}

interface NumberedStep {
  readonly told: string;
  readonly below: readonly string[];
  readonly times: number;
}

/** `inputs`: those behind the last call. */
function stepsWithInputs(steps: readonly ClientStep[]): {
  readonly numbered: readonly NumberedStep[];
  readonly inputs: readonly InputStep[];
} {
  const runs: NumberedStep[] = [];
  let inputs: InputStep[] = [];
  for (const step of steps) {
    if (step.kind === 'input') {
      inputs.push(step);
      continue;
    }
    const told = formatStep(step, steps);
    const below = step.kind === 'call' ? formatInputs(inputs, steps) : [];
    if (step.kind === 'call') inputs = [];
    const last = runs.at(-1);
    if (last?.told === told && last.below.join('\n') === below.join('\n'))
      runs[runs.length - 1] = { ...last, times: last.times + 1 };
    else runs.push({ told, below, times: 1 });
  }
  const numbered = runs.flatMap((run) =>
    run.times === 1 || run.times * (1 + run.below.length) < manySteps
      ? Array.from({ length: run.times }, () => ({ ...run, times: 1 }))
      : [run],
  );
  return { numbered, inputs };
}

/** Broken between conjuncts. */
function wrap(formula: string, columns = formulaColumns): string[] {
  return conjuncts(formula).reduce<string[]>((lines, conjunct) => {
    const last = lines.at(-1);
    if (last === undefined) return [conjunct];
    return last.length + conjunct.length + 4 <= columns
      ? [...lines.slice(0, -1), `${last} && ${conjunct}`]
      : [...lines, `&& ${conjunct}`];
  }, []);
}

/** The conjuncts that fit on a line, and how many do not. */
function shorten(formula: string, columns: number): string {
  const [first = ''] = wrap(formula, columns);
  const all = conjuncts(formula);
  const left = all.length - conjuncts(first).length;
  return left === 0 ? first : `${first} && … ${left} more`;
}

/** All lines, or the first and last ones with a line that says how many are left out. */
function elide(lines: readonly string[], first: number, last: number, what: string): string[] {
  const left = lines.length - first - last;
  if (left <= 1) return [...lines];
  return [
    ...lines.slice(0, first),
    `… ${left} more ${what} (all of them in the JSON)`,
    ...lines.slice(lines.length - last),
  ];
}
