/**
 * A verdict as the JSON that `--json` prints: plain data for other programs, valid against `verdict.schema.json`. Files
 * are relative to `base` where they lie below it, so that the output is the same on every machine.
 */
import { isAbsolute, relative, sep } from 'node:path';
import type { Diagnostic } from '../../c/diagnostics/diagnostic';
import { asFunction } from '../../plainFunction';
import type { Property } from '../../program/command';
import type {
  Adequacy,
  AngelicReport,
  CheckResult,
  ClientStep,
  ClientValue,
  Counterexample,
  Failure,
  SourceLocation,
  Plain,
  PotentialError,
  Reason,
  RefinementReport,
  SearchTreeReport,
  Statistics,
  Verdict,
} from '../../verdict';
import type {
  AdequacyJson,
  ArgumentJson,
  CheckResultJson,
  CounterexampleJson,
  DiagnosticJson,
  AngelicJson,
  FailureJson,
  PlaceJson,
  PlainJson,
  PotentialErrorJson,
  ReasonJson,
  RefinementJson,
  SearchTreeJson,
  StatisticsJson,
  StepJson,
  VerdictJson,
} from './verdictJson';

export interface JsonContext {
  readonly version: string;
  /** Directory that places are relative to. */
  readonly base: string;
  readonly files: readonly string[];
}

export function verdictToJson(verdict: Verdict, mode: 'module' | 'program', context: JsonContext): VerdictJson {
  const { base } = context;
  return {
    ...envelope(context, mode, verdict.properties, verdict.engine),
    verdict: verdict.kind,
    seconds: verdict.statistics.seconds,
    reason: 'reason' in verdict ? reasonToJson(verdict.reason, base) : null,
    counterexample: verdict.kind === 'bug' ? counterexampleToJson(verdict.counterexample, base) : null,
    further: verdict.kind === 'bug' ? (verdict.further ?? []).map((one) => counterexampleToJson(one, base)) : [],
    ...(verdict.kind === 'bug' && verdict.suggestion !== undefined && { suggestion: verdict.suggestion }),
    ...(verdict.searchTree && { searchTree: searchTreeToJson(verdict.searchTree, base) }),
    ...(verdict.angelic && { angelic: angelicToJson(verdict.angelic, base) }),
    errors: verdict.kind === 'potential-error' ? verdict.errors.map((e) => potentialErrorToJson(e, base)) : [],
    invariants:
      verdict.kind === 'proved' || verdict.kind === 'conditional'
        ? verdict.invariants.map(({ place, at, formula }) => ({ place: placeToJson(place, base), at, formula }))
        : [],
    assumptions: [...verdict.assumptions],
    suppressed: (verdict.suppressed ?? []).map(({ place, ...rest }) => ({ ...rest, place: placeToJson(place, base) })),
    checks: (verdict.checks ?? []).map((check) => checkToJson(check, base)),
    statistics: statisticsToJson(verdict.statistics),
    adequacy: verdict.adequacy ? adequacyToJson(verdict.adequacy, base) : null,
    refinement: verdict.refinement ? refinementToJson(verdict.refinement, base) : null,
    remarks: [...verdict.remarks],
    diagnostics: [],
  };
}

/** There is no verdict: the call or the C text is wrong (`bad-input`), or we failed (`internal-error`). */
export interface ErrorReport {
  readonly cause: 'bad-input' | 'internal-error';
  readonly message: string;
  readonly suggestion?: string;
  readonly diagnostics?: readonly Diagnostic[];
}

export function errorToJson(error: ErrorReport, context: JsonContext): VerdictJson {
  const { cause, message, suggestion, diagnostics = [] } = error;
  return {
    ...envelope(context, null, [], ''),
    verdict: 'error',
    seconds: 0,
    reason: { cause, message, ...(suggestion === undefined ? {} : { suggestion }) },
    counterexample: null,
    further: [],
    errors: [],
    invariants: [],
    assumptions: [],
    suppressed: [],
    checks: [],
    statistics: null,
    adequacy: null,
    refinement: null,
    remarks: [],
    diagnostics: diagnostics.map((d) => diagnosticToJson(d, context.base)),
  };
}

type Envelope = Pick<VerdictJson, 'schemaVersion' | 'tool' | 'files' | 'mode' | 'property' | 'properties' | 'engine'>;

function envelope(
  context: JsonContext,
  mode: VerdictJson['mode'],
  properties: readonly Property[],
  engine: string,
): Envelope {
  return {
    schemaVersion: 1,
    tool: { name: 'provest', version: context.version },
    files: context.files.map((file) => relativeTo(context.base, file)),
    mode,
    property: properties.join(','),
    properties: [...properties],
    engine,
  };
}

/** Below `base`: relative, with `/` on every system. Elsewhere: as it is. */
export function relativeTo(base: string, file: string): string {
  if (!isAbsolute(file)) return file;
  const path = relative(base, file);
  return path === '' || path.startsWith('..') || isAbsolute(path) ? file : path.split(sep).join('/');
}

function angelicToJson({ specifications, refused }: AngelicReport, base: string): AngelicJson {
  return {
    specifications: specifications.map(({ example, undecided, ...rest }) => ({
      ...rest,
      ...(example && { example: counterexampleToJson(example, base) }),
      ...(undecided && { undecided: { ...undecided, place: placeToJson(undecided.place, base) } }),
    })),
    refused: refused.map((one) => one && { ...one, place: placeToJson(one.place, base) }),
  };
}

/** One row of the table of checks. */
export function checkToJson(check: CheckResult, base: string): CheckResultJson {
  const { check: kind, property, text, library } = check;
  const common = { check: kind, property, place: placeToJson(check.place, base), text, ...(library && { library }) };
  switch (check.status) {
    case 'proved': {
      const { status, stage, assumesFailing } = check;
      return {
        ...common,
        status,
        stage,
        ...(assumesFailing && { assumesFailing }),
      };
    }
    case 'fails': {
      const { status, stage, counterexample, excused } = check;
      return {
        ...common,
        status,
        stage,
        ...(counterexample !== undefined && { counterexample }),
        ...(excused && { excused }),
      };
    }
    case 'open':
      return { ...common, status: check.status, cause: check.reason.cause, message: check.reason.message };
  }
}

function statisticsToJson({ provedAnew, stages, ...rest }: Statistics): StatisticsJson {
  return {
    ...rest,
    stages: stages.map(({ parts, ...stage }) => ({ ...stage, ...(parts && { parts: [...parts] }) })),
    ...(provedAnew && { provedAnew: [...provedAnew] }),
  };
}

function placeToJson(place: SourceLocation, base: string): PlaceJson {
  return { ...place, file: relativeTo(base, place.file) };
}

function plainToJson(value: Plain): PlainJson {
  if (typeof value === 'bigint') return value.toString();
  // JSON has a zero below zero, but those who write it in JavaScript do not.
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value !== 'object') return value;
  const fn = asFunction(value);
  if (fn) return fn.index === 0 ? fn.name : `&${fn.name}[${fn.index}]`;
  if (isList(value)) return value.map(plainToJson);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainToJson(field)]));
}

const isList = (value: Plain): value is readonly Plain[] => Array.isArray(value);

function reasonToJson(reason: Reason, base: string): ReasonJson {
  const { place, ...rest } = reason;
  return { ...rest, ...(place ? { place: placeToJson(place, base) } : {}) };
}

function failureToJson(failure: Failure, base: string): FailureJson {
  const { caller } = failure;
  return {
    ...failure,
    place: placeToJson(failure.place, base),
    ...(caller && { caller: { ...caller, place: placeToJson(caller.place, base) } }),
  };
}

function counterexampleToJson(counterexample: Counterexample, base: string): CounterexampleJson {
  return {
    failure: failureToJson(counterexample.failure, base),
    steps: counterexample.steps.map((step) => stepToJson(step, base)),
    stack: counterexample.stack.map((place) => placeToJson(place, base)),
    test: counterexample.test,
  };
}

function stepToJson(step: ClientStep, base: string): StepJson {
  switch (step.kind) {
    case 'call': {
      const { result, ...rest } = step;
      return {
        ...rest,
        arguments: step.arguments.map(argumentToJson),
        ...(result === undefined ? {} : { result: plainToJson(result) }),
      };
    }
    case 'allocate': {
      const { value, ...rest } = step;
      return { ...rest, ...(value === undefined ? {} : { value: plainToJson(value) }) };
    }
    case 'function':
      return step;
    case 'input': {
      const { place, does, written: _written, ...rest } = step;
      return {
        ...rest,
        value: plainToJson(step.value),
        ...(place && { place: placeToJson(place, base) }),
        ...(does && { does: does.effects.map(({ text }) => text) }),
      };
    }
  }
}

function argumentToJson(argument: ClientValue): ArgumentJson {
  return argument.kind === 'value' ? { kind: 'value', value: plainToJson(argument.value) } : argument;
}

function potentialErrorToJson(error: PotentialError, base: string): PotentialErrorJson {
  return {
    failure: failureToJson(error.failure, base),
    at: placeToJson(error.at, base),
    state: [...error.state],
    explanation: error.explanation,
    suggestion: error.suggestion ?? null,
  };
}

function adequacyToJson(adequacy: Adequacy, base: string): AdequacyJson {
  return {
    ...adequacy,
    missing: adequacy.missing.map(({ at, valuation, state, test }) => ({
      at: placeToJson(at, base),
      valuation,
      state: [...state],
      test: test ?? null,
    })),
  };
}

function diagnosticToJson(diagnostic: Diagnostic, base: string): DiagnosticJson {
  const { severity, message, span, hint } = diagnostic;
  return {
    severity,
    message,
    ...(span ? { place: { file: relativeTo(base, span.file.path), ...span.file.position(span.start) } } : {}),
    ...(hint === undefined ? {} : { hint }),
  };
}

function refinementToJson({ steps, graph, ...counts }: RefinementReport, base: string): RefinementJson {
  return {
    ...counts,
    steps: steps.map((step) => withPlace(step, base)),
    graph: { ...graph, regions: graph.regions.map((region) => withPlace(region, base)), edges: [...graph.edges] },
  };
}

function searchTreeToJson({ tree, restarts, ...figures }: SearchTreeReport, base: string): SearchTreeJson {
  return {
    ...figures,
    tree: tree.map(({ label, vector, ...node }) => ({
      ...withPlace(node, base),
      ...(label && { label: [...label] }),
      ...(vector && { vector: [...vector] }),
    })),
    restarts: restarts.map(({ at, locked }) => ({ at, locked: [...locked] })),
  };
}

/** With its place as in all JSON. */
function withPlace<T extends { readonly at?: SourceLocation }>(
  { at, ...rest }: T,
  base: string,
): Omit<T, 'at'> & { at?: PlaceJson } {
  return { ...rest, ...(at && { at: placeToJson(at, base) }) };
}
