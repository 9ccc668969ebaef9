/**
 * Content of the page: one entry per module, plain JSON. It is embedded in the report, where the page's script reads
 * it, and the next run too, to say what has changed.
 */
import type { CheckAt, CheckStatus, Explanation, HeapPicture } from '../../explanation';
import { checksInSum } from '../checkTable';
import type { CheckResult, Verdict } from '../../verdict';
import { relativeTo, verdictToJson } from '../json/json';
import { fingerprintOf } from '../exchange/sarif';
import { formatStep } from '../step';
import { verdictWord } from '../text';
import type { VerdictJson } from '../json/verdictJson';
import type { Difference } from './difference';
import type { DrawnPartition } from './drawPartition';
import type { DrawnStates } from './drawStates';
import type { DrawnTree } from './drawTree';

export interface ModuleReport {
  /** Tells modules of one report apart. */
  readonly name: string;
  readonly word: string;
  readonly verdict: VerdictJson;
  /** Failures and their lasting names; a verdict without an answer counts as one. */
  readonly findings: readonly Finding[];
  /** `41 of 44 checks proved, 2 fail, 1 open`; null where there is no table. */
  readonly checksInSum: string | null;
  /** Ones that no source shows: mostly of the C library. */
  readonly checksElsewhere: number;
  readonly sources: readonly Source[];
  readonly trace: TraceData | null;
  /** Lists that the invariants are about, in the order of the verdict's. */
  readonly shapes: readonly (HeapPicture | null)[];
  /** The client's steps; `call` counts the calls among them from 1. */
  readonly steps: readonly { readonly text: string; readonly call: number | null }[];
  readonly states: DrawnStates | null;
  /** Refining engines only; what it is drawn from is in the verdict. */
  readonly partition: DrawnPartition | null;
  /** The same of a search tree. */
  readonly tree: DrawnTree | null;
  readonly difference: Difference | null;
}

/** `holds-if`: for clients that keep specifications which the user has not accepted. */
export type ShownStatus = CheckStatus | 'holds-if';

export interface Finding {
  readonly id: string;
  readonly title: string;
  readonly place: string | null;
}

export interface Source {
  readonly file: string;
  readonly text: string;
  /** Line, column, kind of check, C text, status. */
  readonly checks: readonly (readonly [number, number, string, string, ShownStatus])[];
  /** Lines that hold code; of those, the ones no test ran. */
  readonly code: readonly number[];
  readonly missed: readonly number[];
  /** For checks of the module, by `[file, index]` in these lists: lines of this file that do not matter to it. */
  readonly aside: readonly (readonly [number, number, readonly number[]])[];
}

export interface TraceData {
  readonly probes: readonly string[];
  readonly omitted: number;
  readonly steps: readonly {
    readonly source: number;
    readonly line: number;
    readonly column: number;
    readonly function: string | null;
    readonly depth: number;
    readonly call: number;
    readonly relevant: boolean;
    /** A name alone is out of scope now. */
    readonly changed: readonly (readonly [string, string] | readonly [string])[];
    readonly probes: string;
    /** Index of its picture. */
    readonly heap: number | null;
  }[];
  readonly heaps: readonly HeapPicture[];
}

export interface ReportInput {
  readonly name: string;
  readonly verdict: Verdict;
  readonly mode: 'module' | 'program';
  readonly version: string;
  readonly base: string;
  readonly sources: readonly { readonly file: string; readonly text: string }[];
}

/** Without the drawing and the difference, which come later. */
export function moduleReport({ name, verdict, mode, version, base, sources }: ReportInput): ModuleReport {
  const { explanation } = verdict;
  const checks = shownChecks(verdict);
  const files = sources.map(({ file }) => file);
  let call = 0;
  return {
    name,
    word: verdictWord[verdict.kind],
    verdict: verdictToJson(verdict, mode, { version, base, files: sources.map(({ file }) => file) }),
    findings: findingsOf(verdict, base),
    checksInSum: verdict.checks && verdict.checks.length > 0 ? checksInSum(verdict.checks) : null,
    checksElsewhere: verdict.checks
      ? verdict.checks.length - checks.filter(({ place }) => files.includes(place.file)).length
      : 0,
    sources: sources.map((one) => source(one, verdict, checks, { base, files })),
    trace: explanation?.trace ? traceData(explanation.trace, sources) : null,
    shapes: verdict.kind === 'proved' ? verdict.invariants.map(({ heap }) => heap ?? null) : [],
    steps:
      verdict.kind === 'bug'
        ? verdict.counterexample.steps.map((step, _, steps) => ({
            text: formatStep(step, steps),
            call: step.kind === 'call' ? ++call : null,
          }))
        : [],
    states: null,
    partition: null,
    tree: null,
    difference: null,
  };
}

interface ShownCheck extends Pick<CheckAt, 'check' | 'text' | 'place'> {
  readonly status: ShownStatus;
  /** Its position in the explanation. */
  readonly explained: number | undefined;
}

/**
 * The checks of the table, so that marks and figures agree; of open ones the explanation knows more. Without a table,
 * those of the explanation.
 */
function shownChecks({ explanation, checks }: Verdict): readonly ShownCheck[] {
  const explained = explanation?.checks ?? [];
  if (!checks) return explained.map((one, i) => ({ ...one, explained: i }));
  const known = new Map(explained.map((one, i) => [keyOf(one), i]));
  return checks
    .filter(({ library }) => !library)
    .map((one) => {
      const index = known.get(keyOf(one));
      const status = statusOf(one, index === undefined ? undefined : explained[index]!.status);
      return { check: one.check, text: one.text, place: one.place, status, explained: index };
    });
}

const keyOf = ({ place, check, text }: Pick<CheckAt, 'place' | 'check' | 'text'>): string =>
  `${place.file}:${place.line}:${place.column}:${check}:${text}`;

function statusOf(answer: CheckResult, explained: CheckStatus | undefined): ShownStatus {
  switch (answer.status) {
    case 'proved':
      return 'holds';
    case 'fails':
      return 'fails';
    case 'open':
      if (answer.reason.cause === 'not-accepted') return 'holds-if';
      return explained === 'may-fail' || explained === 'no-alarm' ? explained : 'open';
  }
}

function source(
  { file, text }: ReportInput['sources'][number],
  { explanation }: Verdict,
  checks: readonly ShownCheck[],
  { base, files }: { readonly base: string; readonly files: readonly string[] },
): Source {
  const lines = explanation?.lines.find((l) => l.file === file);
  const ran = new Set(lines?.ran);
  return {
    file: relativeTo(base, file),
    text,
    checks: checks
      .filter(({ place }) => place.file === file)
      .map(({ place, check, text: what, status }) => [place.line, place.column, check, what, status]),
    code: lines?.code ?? [],
    missed: ran.size === 0 ? [] : (lines?.code ?? []).filter((line) => !ran.has(line)),
    aside: asideIn(file, explanation, checks, files),
  };
}

/** For each file, which lines do not matter to a check: `[file, index of the check there]` and the lines. */
function asideIn(
  file: string,
  explanation: Explanation | undefined,
  checks: readonly ShownCheck[],
  files: readonly string[],
): Source['aside'] {
  const slices = new Map((explanation?.slices ?? []).map(({ check, aside }) => [check, aside]));
  return files.flatMap((of, source) =>
    checks
      .filter(({ place }) => place.file === of)
      .flatMap(({ explained }, index) => {
        const aside = explained === undefined ? undefined : slices.get(explained);
        if (!aside) return [];
        return [[source, index, aside.find((one) => one.file === file)?.lines ?? []] as const];
      }),
  );
}

function traceData(
  { probes, omitted, steps, heaps }: NonNullable<Explanation['trace']>,
  sources: ReportInput['sources'],
): TraceData {
  return {
    probes,
    omitted,
    heaps,
    steps: steps.map(({ place, depth, call, changed, probes: letters, relevant, heap }) => ({
      source: sources.findIndex(({ file }) => file === place.file),
      line: place.line,
      column: place.column,
      function: place.function ?? null,
      depth,
      call,
      relevant,
      probes: letters,
      heap: heap ?? null,
      changed: changed.map(({ name, value }) => (value === undefined ? [name] : [name, value])),
    })),
  };
}

function findingsOf(verdict: Verdict, base: string): Finding[] {
  switch (verdict.kind) {
    case 'proved':
      return [];
    case 'bug':
      return [verdict.counterexample, ...(verdict.further ?? [])].map((one) => failure(one.failure, base));
    case 'potential-error':
      return verdict.errors.map((error) => failure(error.failure, base));
    case 'conditional':
    case 'unknown':
    case 'not-evaluated':
      return [
        { id: verdict.reason.cause, title: `${verdictWord[verdict.kind]}: ${verdict.reason.cause}`, place: null },
      ];
  }
}

function failure(of: Parameters<typeof fingerprintOf>[0] & { readonly message: string }, base: string): Finding {
  return {
    id: fingerprintOf(of, base),
    title: of.message,
    place: `${relativeTo(base, of.place.file)}:${of.place.line}`,
  };
}
