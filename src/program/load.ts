/** Loads a program from C files: front end, linking, lowering. */
import { CError, readC, readLibraryUnit, type ReadResult, type SystemHeaders } from '../c';
import type { Diagnostic } from '../c/diagnostics/diagnostic';
import { nearest } from '../c/diagnostics/editDistance';
import type { TranslationUnit } from '../c/tree';
import type { DataModel, Standard } from '../c/types';
import { link } from './linking/link';
import { lower } from './lower';
import { clientFunctionsOf } from './lower/calls/clientFunctions';
import type { EntryNames } from './lower/lowerOptions';
import type { InlinedHelpers } from './lower/inlinedHelpers';
import type { StartOfClients } from './lower/objects/definedElsewhere';
import type { CheckKey, Leavable } from './command';
import { type FunctionDefinition, type Program, staticBytes, totalStaticBytes } from './program';

export interface ProgramOptions {
  readonly include?: readonly string[];
  readonly define?: Readonly<Record<string, string | number | true>>;
  /** Default: `lp64`. */
  readonly dataModel?: DataModel;
  /** Default: the bundled headers. */
  readonly systemHeaders?: SystemHeaders;
  /** Default: `c11`. */
  readonly standard?: Standard;
  /** Treatment of functions that are defined nowhere. Default: `error`. */
  readonly externals?: 'error' | 'any' | 'value' | 'angelic';
  readonly stubs?: readonly string[];
  readonly mallocMayFail?: boolean;
  /** The functions of verification papers may be called undeclared. */
  readonly idioms?: boolean;
  /** Guarantees of functions without a body, as conditions in C, by function. */
  readonly ensures?: Readonly<Record<string, readonly string[]>>;
  /** Checks that are omitted everywhere. */
  readonly unchecked?: readonly Leavable[];
  /** Comments in the C may exclude checks from a proof. Default: no. */
  readonly suppress?: boolean;
  /** Accesses with a check `effective-type`. Default: none. */
  readonly typedAccesses?: ReadonlySet<string>;
  /** Expressions whose operands are evaluated in either order. Default: none. */
  readonly eitherOrder?: ReadonlySet<string>;
  /** For proofs: no pointer leads one past the end of a member, see `lower/objects/address.ts`. Default: no. */
  readonly excludesEnds?: boolean;
  /** Checks that are assumed to hold: an execution that fails one ends there. Default: none. */
  readonly assumed?: ReadonlySet<CheckKey>;
  /** See the property `leak`. */
  readonly leaksAfter?: string;
  /** Functions of a module for which the property `leak` is checked. */
  readonly keepsBlocks?: EntryNames;
  /** For proofs: local pointers become two variables each, but for these names; see `lower/separatedPointers.ts`. */
  readonly separatesAllBut?: ReadonlySet<string>;
  /** For proofs: static heads of rings get lead bytes, but for these; see `lower/objects/alignedHeads.ts`. */
  readonly alignsAllBut?: ReadonlySet<string>;
  /** For proofs: calls of functions that walk lists are copied; see `lower/inlinedHelpers.ts`. */
  readonly inlines?: InlinedHelpers;
  /** For proofs: library functions are copied for each call, but these; see `lower/copiedCallees.ts`. */
  readonly copiesAllBut?: ReadonlySet<string>;
  /** For proofs: `longjmp` returns from its callers, see `lower/returningJumps.ts`. */
  readonly returnsFromJumps?: 'program' | 'module';
  /** Treatment of variables that are defined nowhere. Default: `error` if `externals` is. */
  readonly variablesElsewhere?: 'error' | 'unknown';
  /** For proofs: variables that are defined nowhere hold anything, see `lower/objects/definedElsewhere.ts`. */
  readonly startsUnknown?: StartOfClients;
}

/** Throws `CError` with all errors in the files and between them. */
export function loadProgram(paths: readonly string[], options: ProgramOptions = {}): Program {
  const {
    dataModel = 'lp64',
    standard = 'c11',
    externals = 'error',
    stubs = [],
    mallocMayFail = false,
    idioms = false,
    unchecked = [],
    suppress = false,
    typedAccesses,
    eitherOrder,
    excludesEnds = false,
    assumed,
    leaksAfter,
    keepsBlocks,
    separatesAllBut,
    alignsAllBut,
    inlines,
    copiesAllBut,
    returnsFromJumps,
    variablesElsewhere,
    startsUnknown,
  } = options;
  const { units, files, warnings, libraryUnit } = read(paths, options);
  const program = lower(units, {
    dataModel,
    externals,
    stubs,
    mallocMayFail,
    idioms,
    unchecked,
    suppress,
    variablesElsewhere,
    common: standard === 'gnu89',
    ...(leaksAfter !== undefined && { leaksAfter }),
    ...(keepsBlocks && { keepsBlocks }),
    ...(separatesAllBut && { separatesAllBut }),
    ...(alignsAllBut && { alignsAllBut }),
    ...(inlines && { inlines }),
    ...(copiesAllBut && { copiesAllBut }),
    ...(returnsFromJumps && { returnsFromJumps }),
    ...(startsUnknown && { startsUnknown }),
    ...(typedAccesses && { typedAccesses }),
    ...(eitherOrder && { eitherOrder }),
    ...(excludesEnds && { excludesEnds }),
    ...(assumed && { assumed }),
    sources: files,
    libraryUnit,
  });
  refuseTooLarge(program);
  return { ...program, warnings };
}

/** The names that a program defines and lacks. */
export interface ProgramInterface extends Pick<Program, 'dataModel' | 'warnings'> {
  /** Functions of the bundled library are among them. */
  readonly functions: readonly Pick<FunctionDefinition, 'name' | 'linkage' | 'library'>[];
  /** Functions that are defined nowhere, and those that clients may pass. */
  readonly externals: readonly Pick<Program['externals'][number], 'name'>[];
  /** By name of an undefined function whose result is a floating-point number: its type. Not of a whole program. */
  readonly floatResults?: ReadonlyMap<string, string>;
}

/**
 * The interface alone, without the bodies of functions, which take about half of the time: errors in these stay untold.
 * Undefined functions are accepted.
 */
export function loadInterface(paths: readonly string[], options: ProgramOptions = {}): ProgramInterface {
  const { dataModel = 'lp64', standard = 'c11', externals = 'any', stubs = [], idioms = false } = options;
  const { units, warnings, libraryUnit } = read(paths, options);
  const diagnostics: Diagnostic[] = [];
  const { variablesElsewhere } = options;
  const common = standard === 'gnu89';
  const linked = link(
    units,
    { dataModel, externals, stubs, idioms, variablesElsewhere, common, libraryUnit },
    diagnostics,
  );
  if (diagnostics.length > 0) throw new CError(diagnostics);
  return {
    dataModel,
    warnings,
    functions: linked.functions.map(({ name, library, symbol: { linkage } }) => ({ name, linkage, library })),
    externals: [...linked.undefinedFunctions, ...clientFunctionsOf(linked)].filter(
      ({ meaning }) => meaning.kind === 'external',
    ),
    floatResults: new Map(
      linked.undefinedFunctions.flatMap(({ name, type: { result } }) =>
        result.kind === 'float' ? [[name, result.name] as const] : [],
      ),
    ),
  };
}

interface ReadUnits extends ReadResult {
  readonly libraryUnit: (name: string) => TranslationUnit | undefined;
}

function read(paths: readonly string[], options: ProgramOptions): ReadUnits {
  const { include, define, dataModel = 'lp64', standard = 'c11', systemHeaders, idioms = false, ensures } = options;
  const reading = { dataModel, idioms, ...(include && { include }), ...(define && { define }) };
  const found = readC(paths, {
    ...reading,
    standard,
    ...(systemHeaders && { systemHeaders }),
    ...(ensures && { ensures }),
  });
  for (const name of Object.keys(ensures ?? {}))
    if (!found.units.some(({ guarantees }) => guarantees.some((one) => one.function.name === name)))
      throw undeclaredError(name, found.units);
  return { ...found, libraryUnit: (name) => readLibraryUnit(name, reading) };
}

function undeclaredError(name: string, units: readonly TranslationUnit[]): CError {
  const near = nearest(name, [...new Set(units.flatMap(({ functions }) => functions.map((fn) => fn.name)))]);
  return new CError([
    {
      severity: 'error',
      message: `ensures: no file declares a function '${name}'`,
      ...(near !== undefined && { hint: `Did you mean '${near}'?` }),
    },
  ]);
}

/** Rejects a program that no run could hold in memory. */
function refuseTooLarge(program: Program): void {
  const bytes = totalStaticBytes(program);
  if (bytes <= staticBytes) return;
  const largest = program.objects.reduce((a, b) => (b.sizeBytes > a.sizeBytes ? b : a));
  throw new CError([
    {
      severity: 'error',
      message:
        `the variables take ${bytes} bytes, and a run has ${staticBytes / 2 ** 30} GiB; the largest is ` +
        `'${largest.name}'`,
      ...(largest.span && { span: largest.span }),
      hint: 'Make it smaller for the proof, by a macro: define: { … } (-D on the command line).',
    },
  ]);
}
