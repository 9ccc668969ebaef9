/**
 * Verdicts as SARIF 2.1.0, for code scanning. A bug is an error, a potential error a warning; anything that is neither
 * those nor a proof has the kind `open`, which no reader takes for a pass. Fingerprints hold the check, the function
 * and the text of the line, so that they survive lines inserted above.
 */
import { pathToFileURL } from 'node:url';
import { isAbsolute } from 'node:path';
import { propertyOf, type CheckKind } from '../../program/command';
import type { AngelicReport, Counterexample, Failure, SourceLocation, Suppressed, Verdict } from '../../verdict';
import { sha256 } from '../../sha256';
import { checkToJson, relativeTo, type JsonContext } from '../json/json';
import { failureKey, verdictWord } from '../text';
import { formatStep } from '../step';

interface Message {
  readonly text: string;
}
interface Region {
  readonly startLine: number;
  readonly startColumn: number;
}
interface Location {
  readonly physicalLocation?: { readonly artifactLocation: ArtifactLocation; readonly region?: Region };
  readonly logicalLocations?: readonly { readonly name: string; readonly kind: 'function' }[];
  readonly message?: Message;
}
interface ArtifactLocation {
  readonly uri: string;
  readonly uriBaseId?: '%SRCROOT%';
}
interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly kind: 'fail' | 'open' | 'review';
  readonly level: 'error' | 'warning' | 'none';
  readonly message: Message;
  readonly locations: readonly Location[];
  readonly partialFingerprints?: { readonly 'provest/v1': string };
  readonly stacks?: readonly { readonly frames: readonly { readonly location: Location }[] }[];
  readonly codeFlows?: readonly {
    readonly threadFlows: readonly [{ readonly locations: readonly { readonly location: Location }[] }];
  }[];
  readonly suppressions?: readonly {
    readonly kind: 'inSource';
    readonly status: 'accepted';
    readonly justification: string;
  }[];
  readonly properties: Readonly<Record<string, unknown>>;
}
export interface SarifLog {
  readonly $schema: string;
  readonly version: '2.1.0';
  readonly runs: readonly [
    {
      readonly tool: {
        readonly driver: { readonly name: 'provest'; readonly version: string; readonly rules: readonly Rule[] };
      };
      readonly columnKind: 'utf16CodeUnits';
      readonly invocations: readonly [
        { readonly executionSuccessful: boolean; readonly toolExecutionNotifications: readonly Notification[] },
      ];
      readonly results: readonly Result[];
      readonly properties: Readonly<Record<string, unknown>>;
    },
  ];
}
interface Rule {
  readonly id: string;
  readonly shortDescription: Message;
  readonly properties: { readonly tags: readonly string[] };
}
interface Notification {
  readonly level: 'error' | 'warning';
  readonly message: Message;
}

/** Weaknesses by their number in the Common Weakness Enumeration. */
const weakness: Readonly<Record<CheckKind, { readonly text: string; readonly cwe?: number }>> = {
  assertion: { text: 'An assertion fails', cwe: 617 },
  unreachable: { text: 'A place that should not be reached is reached' },
  'null-dereference': { text: 'A null pointer is dereferenced', cwe: 476 },
  dereference: { text: 'A pointer to no valid object is dereferenced', cwe: 119 },
  'array-bounds': { text: 'An index is outside its array', cwe: 119 },
  'read-only': { text: 'Read-only memory is written', cwe: 119 },
  'invalid-free': { text: 'Something that was not allocated is freed', cwe: 590 },
  leak: { text: 'Memory is never freed', cwe: 401 },
  'pointer-arithmetic': { text: 'A pointer leaves its object', cwe: 119 },
  'pointer-comparison': { text: 'Pointers to different objects are compared', cwe: 469 },
  'invalid-call': { text: 'A pointer to no function is called', cwe: 476 },
  'signed-overflow': { text: 'Signed arithmetic overflows', cwe: 190 },
  shift: { text: 'A shift amount is out of range', cwe: 1335 },
  'shift-overflow': { text: 'A signed value is shifted left out of its type, or is negative', cwe: 1335 },
  conversion: { text: 'A value does not fit the type it is converted to', cwe: 681 },
  'division-by-zero': { text: 'A division by zero', cwe: 369 },
  'uninitialised-read': { text: 'An uninitialised value is read', cwe: 457 },
  'missing-return': { text: 'A function with a result ends without one', cwe: 394 },
  precondition: { text: 'A function of the program breaks the precondition of one it calls', cwe: 628 },
  postcondition: { text: 'A function does not keep its postcondition', cwe: 573 },
  'overlapping-copy': { text: 'memcpy is used where memmove is needed: source and target overlap', cwe: 475 },
  noreturn: { text: 'A function that is declared not to return does' },
  'effective-type': { text: 'An object is accessed through an lvalue of another type', cwe: 843 },
  'overlapping-assignment': { text: 'The source and the target of an assignment overlap' },
  'array-argument': { text: 'An array has not the length that its type demands', cwe: 119 },
  'variable-argument': { text: 'va_arg reads an argument of another type, or none', cwe: 686 },
  'object-size': { text: 'An object is larger than the model allows' },
  unsequenced: { text: 'An expression changes an object and uses it in no particular order', cwe: 758 },
  'array-length': { text: 'A variable-length array gets a length that no array can have', cwe: 1284 },
};
const checkKinds = Object.keys(weakness) as CheckKind[];

/** The last rule: the proof itself has no result. */
const undecided = 'undecided';
/** GitHub takes no more locations in one flow. */
const maximumFlow = 999;

export function verdictToSarif(verdict: Verdict, context: JsonContext): SarifLog {
  return sarifLog([sarifPart(verdict, context)], context.version, {
    verdict: verdict.kind,
    engine: verdict.engine,
    properties: verdict.properties,
    assumptions: verdict.assumptions,
    // Not results: code scanning would show a proved check as an alert.
    checks: (verdict.checks ?? []).map((check) => checkToJson(check, context.base)),
    ...(verdict.statistics.reused !== undefined && { reused: verdict.statistics.reused }),
  });
}

/** For as long as there is no verdict, so that no earlier file is taken for this run's. */
export function sarifWithoutVerdict(message: string, context: JsonContext): SarifLog {
  const results = [new SarifWriter(context).open(message, undefined)];
  return sarifLog([{ results, successful: false, notification: message }], context.version, {
    verdict: 'not-evaluated',
  });
}

/** Contribution of one verdict to the log of a run. */
export interface SarifPart {
  readonly results: readonly Result[];
  readonly successful: boolean;
  readonly notification?: string | undefined;
}

export function sarifPart(verdict: Verdict, context: JsonContext): SarifPart {
  const writer = new SarifWriter(context);
  return {
    results: [...writer.results(verdict), ...(verdict.suppressed ?? []).map((one) => writer.suppressedResult(one))],
    successful: ['proved', 'conditional', 'bug', 'potential-error'].includes(verdict.kind),
    notification: 'reason' in verdict ? verdict.reason.message : undefined,
  };
}

/** Two questions may have had the same answer: it is given once. */
export function sarifLog(
  parts: readonly SarifPart[],
  version: string,
  properties: Readonly<Record<string, unknown>>,
): SarifLog {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'provest', version, rules } },
        columnKind: 'utf16CodeUnits',
        invocations: [
          {
            executionSuccessful: parts.every(({ successful }) => successful),
            toolExecutionNotifications: parts.flatMap(({ successful, notification }) =>
              notification === undefined
                ? []
                : [{ level: successful ? ('warning' as const) : ('error' as const), message: { text: notification } }],
            ),
          },
        ],
        results: [
          ...new Map(
            parts.flatMap(({ results }) => results).map((result) => [JSON.stringify(result), result]),
          ).values(),
        ],
        properties,
      },
    ],
  };
}

class SarifWriter {
  constructor(private readonly context: JsonContext) {}

  results(verdict: Verdict): readonly Result[] {
    switch (verdict.kind) {
      case 'proved':
        return [];
      case 'bug':
        return [
          this.bug(verdict.counterexample),
          ...(verdict.further ?? []).map((one) => this.further(one, verdict.angelic)),
        ];
      case 'potential-error':
        return verdict.errors.map((error) =>
          this.failure(
            error.failure,
            'warning',
            `${verdictWord['potential-error']}: ${error.failure.message}. ${error.explanation}`.trimEnd(),
          ),
        );
      case 'conditional':
      case 'unknown':
      case 'not-evaluated':
        return [
          this.open(
            `${verdictWord[verdict.kind]}: ${verdict.reason.message} (${verdict.reason.cause})`,
            verdict.reason.place,
          ),
        ];
    }
  }

  open(text: string, place: SourceLocation | undefined): Result {
    const files = this.context.files.map((file) => ({ physicalLocation: { artifactLocation: this.artifact(file) } }));
    return {
      ruleId: undecided,
      ruleIndex: checkKinds.length,
      kind: 'open',
      level: 'none',
      message: { text },
      locations: place ? [this.location(place)] : files.slice(0, 1),
      properties: {},
    };
  }

  suppressedResult({ check, property, place, text, reason }: Suppressed): Result {
    return {
      ruleId: check,
      ruleIndex: checkKinds.indexOf(check),
      kind: 'open',
      level: 'none',
      message: { text: `${text}: not proved, because it is suppressed` },
      locations: [this.location(place)],
      suppressions: [{ kind: 'inSource', status: 'accepted', justification: reason }],
      properties: { property },
    };
  }

  /** A failure that a specification excuses is for review, and no alert. */
  private further(one: Counterexample, angelic: AngelicReport | undefined): Result {
    const key = failureKey(one);
    const by = angelic?.specifications.find(({ example }) => example && failureKey(example) === key);
    if (!by) return this.bug(one);
    const text = `${one.failure.message}; none of clients that keep to ${by.text}`;
    return { ...this.bug(one), kind: 'review', level: 'none', message: { text } };
  }

  private bug({ failure, steps, stack, test }: Counterexample): Result {
    const shown = failure.caller?.place ?? failure.place;
    const flow = steps
      .slice(-(maximumFlow - 1))
      .map((step) => ({ location: { ...this.location(shown), message: { text: formatStep(step, steps) } } }));
    return {
      ...this.failure(failure, 'error', failure.message),
      stacks: [{ frames: stack.map((place) => ({ location: this.location(place) })) }],
      codeFlows: [
        {
          threadFlows: [
            {
              locations: [...flow, { location: { ...this.location(shown), message: { text: failure.message } } }],
            },
          ],
        },
      ],
      properties: { property: failure.property, test },
    };
  }

  private failure(failure: Failure, level: 'error' | 'warning', text: string): Result {
    return {
      ruleId: failure.check,
      ruleIndex: checkKinds.indexOf(failure.check),
      kind: 'fail',
      level,
      message: { text },
      locations: [this.location(failure.caller?.place ?? failure.place)],
      partialFingerprints: { 'provest/v1': fingerprintOf(failure, this.context.base) },
      properties: { property: failure.property },
    };
  }

  private location({ file, line, column, function: name }: SourceLocation): Location {
    return {
      physicalLocation: { artifactLocation: this.artifact(file), region: { startLine: line, startColumn: column } },
      ...(name === undefined ? {} : { logicalLocations: [{ name, kind: 'function' as const }] }),
    };
  }

  private artifact(file: string): ArtifactLocation {
    const path = relativeTo(this.context.base, file);
    return isAbsolute(path)
      ? { uri: pathToFileURL(path).href }
      : { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' };
  }
}

/** The same for the same failure after lines were inserted above it. */
export function fingerprintOf(
  { check, place, codeFrame }: Pick<Failure, 'check' | 'place' | 'codeFrame'>,
  base: string,
): string {
  const line = /^\s*>\s*\d+\s*\|(.*)$/m.exec(codeFrame)?.[1] ?? '';
  const parts = [check, relativeTo(base, place.file), place.function ?? '', line.trim()];
  return sha256(JSON.stringify(parts)).slice(0, 32);
}

const rules: readonly Rule[] = [
  ...checkKinds.map((id) => ({
    id,
    shortDescription: { text: weakness[id].text },
    properties: {
      tags: [
        'security',
        `property/${propertyOf[id]}`,
        ...(weakness[id].cwe === undefined ? [] : [`external/cwe/cwe-${weakness[id].cwe}`]),
      ],
    },
  })),
  { id: undecided, shortDescription: { text: 'There is neither a proof nor a bug' }, properties: { tags: [] } },
];
