/**
 * A verdict on a program as a verification witness, format 2.0 (Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček:
 * Software Verification Witnesses 2.0, SPIN 2024), for other verifiers to check. A proof becomes an `invariant_set`
 * with the loop invariants that are plain C, or become it when they are said of each element of a short range. One that
 * needs quantifiers or mentions objects is left out, which makes the witness weaker, not wrong. A bug becomes a
 * `violation_sequence` of the values that calls of the environment returned, in order, and the target.
 */
import { elementwise } from './elementwise';
import { yaml } from './yaml';
import type { DataModel } from '../../c/types';
import type { Property } from '../../program/command';
import { unreachable } from '../../unreachable';
import type { ClientStep, InvariantAt, SourceLocation, Verdict } from '../../verdict';
import { sha256 } from '../../sha256';
import { conjuncts } from '../conjuncts';
import { relativeTo, type JsonContext } from '../json/json';

export interface WitnessContext extends JsonContext {
  /** The entry function. */
  readonly entry: string;
  readonly dataModel: DataModel;
  /** The text of each of `files`. */
  readonly sources: readonly string[];
  readonly time: Date;
}

/** Content of a file that witnesses nothing. */
export const emptyWitness = '[]\n';

/** Empty when the verdict is neither a proof nor a bug, or is about properties that the format has no name for. */
export function verdictToWitness(verdict: Verdict, context: WitnessContext): string {
  if (propertiesOf(verdict).flatMap(specifications).length === 0) return emptyWitness;
  switch (verdict.kind) {
    case 'proved':
      return document(
        'invariant_set',
        verdict.invariants.flatMap((invariant) => loopInvariant(invariant, context).map((inC) => ({ invariant: inC }))),
        verdict.properties,
        context,
      );
    case 'bug': {
      const { place, property } = verdict.counterexample.failure;
      const inputs = verdict.counterexample.steps.flatMap((step) => inputWaypoint(step, context.base));
      const target = { waypoint: { type: 'target', action: 'follow', location: location(place, context.base) } };
      return document(
        'violation_sequence',
        [...inputs, target].map((waypoint) => ({ segment: [waypoint] })),
        [property],
        context,
      );
    }
    case 'conditional':
    case 'potential-error':
    case 'unknown':
    case 'not-evaluated':
      return emptyWitness;
    default:
      return unreachable(verdict);
  }
}

const propertiesOf = (verdict: Verdict): readonly Property[] =>
  verdict.kind === 'bug' ? [verdict.counterexample.failure.property] : verdict.properties;

/** Parts of a proof's loop invariants that are not in its witness, in the order of the loops. */
export function leftOutOfWitness(verdict: Verdict, context: WitnessContext): readonly LeftOut[] {
  if (verdict.kind !== 'proved') return [];
  return verdict.invariants.flatMap(({ at, place, formula }) => {
    if (at !== 'loop') return [];
    const parts = conjuncts(formula);
    const loop = loopStatement(place, context);
    const formulas = loop === 'begins with its condition' ? parts.filter((part) => !inC(part, parts)) : parts;
    return formulas.length === 0 ? [] : [{ place, loop, formulas, of: parts.length }];
  });
}

/**
 * An invariant of the format holds before each evaluation of the loop's condition. Ours hold where rounds begin, so a
 * `do` loop has no place for them, and the loop of a call, such as that of `strlen`, has none at all.
 */
export type LoopStatement = 'begins with its condition' | 'do' | 'no statement';

export interface LeftOut {
  readonly place: InvariantAt['place'];
  readonly loop: LoopStatement;
  readonly formulas: readonly string[];
  /** Conjuncts of the invariant. */
  readonly of: number;
}

function document(
  type: 'invariant_set' | 'violation_sequence',
  content: readonly object[],
  properties: readonly Property[],
  context: WitnessContext,
): string {
  const files = context.files.map((file) => relativeTo(context.base, file));
  const task = {
    input_files: files,
    input_file_hashes: Object.fromEntries(files.map((file, i) => [file, sha256(context.sources[i]!)])),
    specification: properties
      .flatMap(specifications)
      .map((formula) => `CHECK( init(${context.entry}()), LTL(${formula}) )`)
      .join('\n'),
    data_model: context.dataModel.toUpperCase(),
    language: 'C',
  };
  const metadata = {
    format_version: '2.0',
    uuid: uuid(JSON.stringify([type, content, task])),
    creation_time: context.time.toISOString().replace(/\.\d+Z$/, 'Z'),
    producer: { name: 'provest', version: context.version },
    task,
  };
  return yaml().stringify([{ entry_type: type, metadata, content }], { lineWidth: 0 });
}

/**
 * As in the competition on software verification; what it has no name for is left out. Its valid-memtrack is weaker
 * than our `leak`, which is its valid-memcleanup.
 */
function specifications(property: Property): readonly string[] {
  switch (property) {
    case 'reach':
      return ['G ! call(reach_error())'];
    case 'memsafety':
      return ['G valid-free', 'G valid-deref'];
    case 'overflow':
      return ['G ! overflow'];
    case 'leak':
      return ['G valid-memcleanup'];
    case 'div-by-zero':
    case 'uninitialised':
    case 'aliasing':
      return [];
    default:
      return unreachable(property);
  }
}

/** Words that others may follow in an expression of C. */
const beforeWords = new Set([
  'unsigned',
  'signed',
  'long',
  'short',
  'int',
  'char',
  'struct',
  'union',
  'enum',
  'const',
  'sizeof',
]);

/**
 * Names, numbers, members, elements and operators; a call would be a predicate of ours, quantifiers have colons or
 * keywords, and two names in a row are a phrase, such as "next makes no ring".
 */
function isInC(formula: string): boolean {
  const plain = /^(?:[A-Za-z_]\w*|\d\w*|\s|->|[-+*/%&|^~!<>=()[\]?.]|:(?!:))+$/.test(formula);
  if ([...formula.matchAll(/(\w+)\s+(?=\w)/g)].some(([, word]) => !beforeWords.has(word!))) return false;
  return plain && !/\b(?:forall|exists)\b|[A-Za-z_]\w*\s*\(|==>|<\w+>/.test(formula);
}

/** The conjunct as C, and as several ones for each element of a range; undefined if C cannot say it. */
function inC(part: string, others: readonly string[]): readonly string[] | undefined {
  const parts = isInC(part) ? [part] : elementwise(part, others);
  return parts?.every(isInC) === true ? parts : undefined;
}

/** Conjuncts that can be said in C. */
function loopInvariant({ at, place, formula }: InvariantAt, context: WitnessContext): readonly object[] {
  const parts = conjuncts(formula);
  const said = parts.flatMap((part) => inC(part, parts) ?? []);
  if (at !== 'loop' || said.length === 0 || loopStatement(place, context) !== 'begins with its condition') return [];
  const value = said.join(' && ');
  return [{ type: 'loop_invariant', location: location(place, context.base), value, format: 'c_expression' }];
}

function loopStatement(
  { file, line, column }: InvariantAt['place'],
  { files, sources }: WitnessContext,
): LoopStatement {
  const text = sources[files.indexOf(file)]?.split('\n')[line - 1];
  if (text === undefined) return 'begins with its condition';
  const [keyword] = /^(?:while|for|do)\b/.exec(text.slice(column - 1)) ?? [];
  return keyword === undefined ? 'no statement' : keyword === 'do' ? 'do' : 'begins with its condition';
}

/**
 * Result of a call of the environment, as format 2.0 says it: a comparison of `\result` in ACSL, at the parenthesis
 * that closes the call. Indeterminate variables and pointers have no such constraint.
 */
function inputWaypoint(step: ClientStep, base: string): readonly object[] {
  if (step.kind !== 'input' || step.place === undefined || !/^\w+$/.test(step.function) || step.function === 'malloc')
    return [];
  if (typeof step.value !== 'bigint' && !Number.isInteger(step.value)) return [];
  return [
    {
      waypoint: {
        type: 'function_return',
        action: 'follow',
        constraint: { value: `\\result == ${String(step.value)}`, format: 'acsl_expression' },
        location: location(step.place, base),
      },
    },
  ];
}

function location({ file, line, column, function: name }: SourceLocation, base: string): object {
  return { file_name: relativeTo(base, file), line, column, ...(name === undefined ? {} : { function: name }) };
}

/** Made from the contents, so that the same verdict has the same witness. */
function uuid(text: string): string {
  const [, a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(sha256(text))!;
  return `${a}-${b}-5${c}-8${d}-${e}`;
}
