/**
 * Lowers typed trees to one program: links, lays out static data, lowers every function. This file assigns objects and
 * numbers. Choices that C leaves open, such as places and orders, are made in `lower/`.
 */
import { CError, type Diagnostic } from '../c/diagnostics/diagnostic';
import type { Span } from '../c/source';
import type { FunctionSymbol, TranslationUnit, VariableSymbol } from '../c/tree';
import { targetOf } from '../c/target';
import type { CType, FunctionType } from '../c/types';
import { keepEntryValues } from './entryValues';
import { int32, int8, type Expression, type Variable } from './expression';
import {
  link,
  type LinkedFunction,
  type LinkedProgram,
  type LinkedVariable,
  type UndefinedFunction,
} from './linking/link';
import { argumentTypesOf } from './lower/calls/argumentTypes';
import { clientFunctionsOf } from './lower/calls/clientFunctions';
import type { Mutable } from '../mutable';
import { alignHeads } from './lower/objects/alignedHeads';
import { convertedPointers } from './lower/objects/convertedPointers';
import { storesAddresses } from './lower/objects/storedAddresses';
import { copiesIntoStatics } from './lower/objects/copied';
import {
  definedElsewhere,
  type DefinedElsewhere,
  type VariableElsewhere,
  writerType,
  writtenByOthers,
} from './lower/objects/definedElsewhere';
import { callable } from './lower/compatible';
import {
  type CallTarget,
  type ClientFunction,
  type KeptBlocks,
  type ProgramContext,
  sourceText,
} from './lower/context';
import type { BaseLowerOptions } from './lower/lowerOptions';
import { reachableFunctions } from './automata/reachableFunctions';
import {
  isMain,
  lowerForwarder,
  lowerFunction,
  lowerNothing,
  lowerWriter,
  type LoweredFunction,
} from './lower/function';
import { isAggregate, isConst, scalarOf, sizeOf } from './lower/objects/layout';
import { keptBlocks } from './lower/objects/keptBlocks';
import { copyCallees } from './lower/copiedCallees';
import { returnFromJumps } from './lower/returningJumps';
import { inlineHelpers } from './lower/inlinedHelpers';
import { pointersComeFromOutside } from './lower/calls/outside';
import { entryBytes } from './lower/calls/variadic';
import { lowerConstant, lowerStaticData } from './lower/objects/staticData';
import type { ImplementationChoice, FunctionDefinition, GlobalVariable, Program, StaticObject } from './program';
import { Suppressions } from './suppressions';

export interface LowerOptions extends BaseLowerOptions {
  /** Every file that was read. Default: those of the units. */
  readonly sources?: readonly string[];
  /** The unit of the bundled C library that defines this name. */
  readonly libraryUnit?: (name: string) => TranslationUnit | undefined;
}

/** Throws `CError` with all errors. */
export function lower(units: readonly TranslationUnit[], options: LowerOptions): Program {
  const diagnostics: Diagnostic[] = [];
  const linked = link(units, options, diagnostics);
  const missing = linked.undefinedFunctions.flatMap((fn) => (fn.missing ? [{ ...fn, missing: fn.missing }] : []));
  if (diagnostics.length > 0) throw new CError([...missing.map((fn) => fn.missing), ...diagnostics]);
  const program = new ProgramLowering(linked, options, diagnostics).lower();
  const used = namedBy(program);
  for (const { name, addressTaken, missing: error } of missing)
    if (addressTaken || used.has(name)) diagnostics.push(error);
  if (diagnostics.length > 0) throw new CError(diagnostics);
  return missing.length === 0
    ? program
    : {
        ...program,
        externals: program.externals.filter(({ name }) => used.has(name) || !missing.some((fn) => fn.name === name)),
      };
}

/** The functions without a body that reachable code calls. */
function namedBy(program: Program): ReadonlySet<string> {
  return new Set(
    program.functions.flatMap((fn) =>
      fn.edges.flatMap(({ command }) => (command.kind === 'external' ? [command.name] : [])),
    ),
  );
}

/** Initialisers are lowered after every object has its number. */
type WritableObject = StaticObject & { readonly relocations: StaticObject['relocations'][number][] };

class ProgramLowering implements ProgramContext {
  readonly model: ProgramContext['model'];
  readonly liveBlocks: Variable | undefined;
  readonly kept: KeptBlocks | undefined;
  elsewhere: DefinedElsewhere | undefined;
  readonly suppressions: Suppressions;
  readonly argumentTypes: readonly CType[];
  private readonly outside: boolean;
  readonly copiesIntoStatics: boolean;
  private readonly choices = new Map<ImplementationChoice, Span[]>();
  private readonly globals: Mutable<GlobalVariable>[] = [];
  private readonly objects: WritableObject[] = [];
  private readonly homes = new Map<LinkedVariable, Variable | WritableObject>();
  private readonly constants = new Map<Variable, Expression>();
  private readonly strings = new Map<string, WritableObject>();
  private readonly literals = new Map<VariableSymbol, WritableObject>();
  private readonly definitions = new Map<LinkedFunction, Mutable<FunctionDefinition>>();
  private readonly lowered = new Map<LinkedFunction, LoweredFunction>();
  /** Functions that never return. */
  private readonly silent = new Set<LinkedFunction>();
  private readonly returnedFlags = new Map<LinkedFunction, Variable>();
  private readonly forwarders = new Map<UndefinedFunction, Mutable<FunctionDefinition>>();
  private readonly ofClients: readonly UndefinedFunction[];
  private copies: readonly Mutable<FunctionDefinition>[] = [];
  private readonly clientFunctions = new Map<UndefinedFunction, Mutable<FunctionDefinition>>();
  private readonly writers = new Map<VariableElsewhere, Mutable<FunctionDefinition>>();

  constructor(
    readonly linked: LinkedProgram,
    readonly options: LowerOptions,
    readonly diagnostics: Diagnostic[],
  ) {
    this.model = options.dataModel;
    this.suppressions = new Suppressions(diagnostics, options.suppress === true);
    this.ofClients = clientFunctionsOf(linked);
    const undefinedFunctions = [...linked.undefinedFunctions, ...this.ofClients];
    this.outside = pointersComeFromOutside({ ...linked, undefinedFunctions }, options.externals);
    this.copiesIntoStatics = copiesIntoStatics(linked);
    this.argumentTypes = argumentTypesOf(linked);
    const [first] = linked.functions;
    if (options.keepsBlocks && first) this.kept = keptBlocks(options.keepsBlocks, this.globals, first.symbol.span);
    if (options.leaksAfter === undefined) return;
    const { span } = linked.functions.find(({ name }) => name === options.leaksAfter)!.symbol;
    this.liveBlocks = {
      kind: 'variable',
      scope: 'global',
      slot: 0,
      name: '<allocated blocks>',
      type: int32,
      temporary: false,
    };
    this.globals.push({ variable: this.liveBlocks, initial: undefined, visible: false, span });
  }

  lower(): Program {
    for (const variable of this.linked.variables) this.homes.set(variable, this.makeHome(variable));
    this.elsewhere = this.makeElsewhere();
    for (const one of this.elsewhere ? writtenByOthers(this.elsewhere) : []) {
      const { name, span, path } = one.linked;
      const writer = skeleton({ name: `<others write ${name}>`, span, type: writerType, ...ofOthers });
      this.writers.set(one, Object.assign(writer, { writes: path }));
    }
    for (const fn of this.linked.functions)
      this.definitions.set(fn, skeleton({ ...fn.symbol, name: fn.name, library: fn.library }));
    for (const fn of this.linked.undefinedFunctions) {
      if (fn.addressTaken) this.forwarders.set(fn, generatedSkeleton(fn));
    }
    for (const fn of this.ofClients) this.clientFunctions.set(fn, generatedSkeleton(fn));
    for (const variable of this.linked.variables) this.initialise(variable);
    this.lowerBodies();
    for (const [fn, definition] of this.forwarders) Object.assign(definition, lowerForwarder(this, fn));
    for (const [fn, definition] of this.clientFunctions) Object.assign(definition, lowerNothing(this, fn));
    for (const [one, definition] of this.writers) Object.assign(definition, lowerWriter(this, definition.name, one));
    const { inlines, returnsFromJumps } = this.options;
    if (returnsFromJumps && this.diagnostics.length === 0)
      returnFromJumps(
        [...this.definitions.values()],
        this.globals,
        this.objects,
        ({ visible }) => !visible || returnsFromJumps === 'program',
      );
    if (inlines && this.diagnostics.length === 0)
      inlineHelpers([...this.definitions.values()], { globals: this.globals, objects: this.objects }, inlines);
    const { copiesAllBut } = this.options;
    if (copiesAllBut && this.diagnostics.length === 0)
      this.copies = copyCallees([...this.definitions.values()], copiesAllBut);
    const { alignsAllBut } = this.options;
    if (alignsAllBut && this.diagnostics.length === 0) {
      const functions = [...this.definitions.values(), ...this.forwarders.values(), ...this.clientFunctions.values()];
      alignHeads({ functions, globals: this.globals, objects: this.objects, model: this.model }, alignsAllBut);
    }
    return this.finish();
  }

  /**
   * Lowering a function shows whether it never returns, or may return without a value. Its callers are then lowered
   * again.
   */
  private lowerBodies(): void {
    this.lowerEach([...this.definitions.keys()]);
    for (;;) {
      const found = [...this.lowered].filter(([fn, { returns }]) => !returns && !this.silent.has(fn)).map(([fn]) => fn);
      if (found.length === 0 || this.diagnostics.length > 0) break;
      for (const fn of found) this.silent.add(fn);
      this.lowerEach(this.callersOf(found));
    }
    const valueless = [...this.lowered].filter(([fn, { fallsOff }]) => fallsOff && !isMain(fn)).map(([fn]) => fn);
    if (valueless.length === 0 || this.diagnostics.length > 0) return;
    for (const fn of valueless) {
      const flag: Variable = {
        kind: 'variable',
        scope: 'global',
        slot: this.globals.length,
        name: `<${fn.name} returned a value>`,
        type: int8,
        temporary: false,
      };
      this.globals.push({ variable: flag, initial: undefined, visible: false, span: fn.symbol.span });
      this.returnedFlags.set(fn, flag);
    }
    this.lowerEach([...new Set([...valueless, ...this.callersOf(valueless)])]);
  }

  private lowerEach(functions: readonly LinkedFunction[]): void {
    for (const fn of functions) {
      const lowered = lowerFunction(this, fn);
      this.lowered.set(fn, lowered);
      Object.assign(this.definitions.get(fn)!, lowered.body);
    }
  }

  private callersOf(functions: readonly LinkedFunction[]): LinkedFunction[] {
    const called = new Set<FunctionDefinition>(functions.map((fn) => this.definitionOf(fn)));
    return [...this.lowered]
      .filter(([, { body }]) =>
        body.edges.some(
          ({ command }) => command.kind === 'call' && command.targets.some((target) => called.has(target)),
        ),
      )
      .map(([fn]) => fn);
  }

  choose(choice: ImplementationChoice, { file, start, end }: Span): void {
    const spans = this.choices.get(choice) ?? [];
    this.choices.set(choice, spans);
    if (!file.path.startsWith('<provest>/')) spans.push({ file, start, end });
  }

  neverReturns(fn: LinkedFunction): boolean {
    return this.silent.has(fn);
  }

  returnedFlag(fn: LinkedFunction): Variable | undefined {
    return this.returnedFlags.get(fn);
  }

  /**
   * Functions of the program, without static ones that nothing calls and that call, directly or not, a function that is
   * defined nowhere. Headers have such `static inline` functions; compilers drop them, and programs rely on it.
   */
  private definitionsInUse(): readonly Mutable<FunctionDefinition>[] {
    const all = [...this.definitions];
    const missing = new Set(this.linked.undefinedFunctions.flatMap((fn) => (fn.missing ? [fn.name] : [])));
    if (missing.size === 0) return all.map(([, definition]) => definition);
    const called = reachableFunctions(
      all.flatMap(([{ addressTaken }, definition]) =>
        definition.linkage === 'internal' && !definition.library && !addressTaken ? [] : [definition],
      ),
    );
    const callsMissing = ({ edges }: FunctionDefinition): boolean =>
      edges.some(({ command }) => command.kind === 'external' && missing.has(command.name));
    return all.flatMap(([, definition]) =>
      called.has(definition) || ![...reachableFunctions([definition])].some(callsMissing) ? [definition] : [],
    );
  }

  private finish(): Program {
    const functions = [
      ...this.definitionsInUse(),
      ...this.forwarders.values(),
      ...this.clientFunctions.values(),
      ...this.writers.values(),
      ...this.copies,
    ];
    functions.forEach((fn, i) => {
      fn.number = this.objects.length + 1 + i;
    });
    keepEntryValues(
      functions,
      new Set(
        this.linked.variables.flatMap((variable) => {
          const home = this.homes.get(variable)!;
          return variable.library || home.kind === 'static-object' ? [] : [home];
        }),
      ),
    );
    const { units } = this.linked;
    return {
      dataModel: this.model,
      files: units.map(({ path }) => path),
      sources: this.options.sources ?? units.map(({ path }) => path),
      globals: this.globals,
      ...(this.liveBlocks && { liveBlocks: this.liveBlocks }),
      ...(this.kept && { keepsBlocks: true }),
      ...(this.options.suppress && { suppressed: this.suppressions.checks, idleSuppressions: this.suppressions.idle }),
      objects: this.objects,
      functions,
      functionByName: new Map(functions.map((fn) => [fn.name, fn])),
      choices: [...this.choices].map(([choice, spans]) => ({ choice, spans })),
      restricted: units.flatMap(({ restricted }) =>
        restricted.filter(({ file }) => !file.path.startsWith('<provest>/')),
      ),
      answering: this.linked.undefinedFunctions
        .filter(({ meaning }) => meaning.kind === 'special' && meaning.assumed)
        .map(({ name }) => name),
      externals: [...this.linked.undefinedFunctions, ...this.clientFunctions.keys()]
        .filter(({ meaning }) => meaning.kind === 'external')
        .map(({ name, type, span, guarantees }) => ({
          name,
          ctype: type,
          span,
          ...(guarantees.length > 0 && { guarantees: guarantees.map((one) => sourceText(one.span)) }),
        })),
      clientFunctions: [...this.clientFunctions.values()],
      typedefs: new Map(units.flatMap(({ typedefs }) => [...typedefs])),
      tags: new Map(units.flatMap(({ tags }) => [...tags])),
      enumConstants: new Map(units.flatMap(({ enumConstants }) => [...enumConstants])),
      argumentTypes: this.argumentTypes,
      convertedPointers: convertedPointers(this.linked),
      ...((this.model === 'ilp32' || storesAddresses(this.linked)) && { storesAddresses: true }),
      symbols: new Map(
        this.linked.variables
          .filter(({ library }) => !library)
          .map((variable) => [variable.path, { ctype: variable.type, place: this.homes.get(variable)! }]),
      ),
    };
  }

  private makeElsewhere(): DefinedElsewhere | undefined {
    const { startsUnknown } = this.options;
    const variables = this.linked.variables
      .filter(({ elsewhere }) => elsewhere)
      .map((linked) => ({ linked, home: this.homes.get(linked)! }));
    return startsUnknown && definedElsewhere(variables, startsUnknown, this.globals);
  }

  private makeHome(linked: LinkedVariable): Variable | WritableObject {
    const { name, type, span, visible, elsewhere } = linked;
    const named = visible && !isConst(type) && this.outside;
    if (!linked.addressTaken && !named && !isAggregate(type)) {
      const variable = this.global(name, type);
      this.globals.push({ variable, initial: undefined, visible, span, ...(elsewhere && { elsewhere }) });
      return variable;
    }
    const sizeBytes = Math.max(sizeOf(type, this.model), linked.initializer?.sizeBytes ?? 0);
    const bytes = new Uint8Array(linked.initializer ? sizeBytes : 0);
    return this.staticObject(name, type, {
      sizeBytes,
      bytes,
      writable: !isConst(type),
      visible,
      span,
      ...(linked.alignBytes !== undefined && { alignBytes: linked.alignBytes }),
      ...(elsewhere && { elsewhere }),
    });
  }

  private global(name: string, ctype: CType): Variable {
    return {
      kind: 'variable',
      scope: 'global',
      slot: this.globals.length,
      name,
      type: scalarOf(ctype),
      ctype,
      temporary: false,
    };
  }

  private staticObject(
    name: string,
    ctype: CType,
    facts: Pick<WritableObject, 'sizeBytes' | 'bytes' | 'writable' | 'visible' | 'span' | 'alignBytes' | 'elsewhere'>,
  ): WritableObject {
    const object: WritableObject = {
      kind: 'static-object',
      number: this.objects.length + 1,
      name,
      ctype,
      relocations: [],
      ...facts,
    };
    this.objects.push(object);
    return object;
  }

  private initialise(linked: LinkedVariable): void {
    const { initializer } = linked;
    const home = this.homes.get(linked)!;
    if (home.kind === 'static-object') {
      if (initializer) lowerStaticData(this, initializer, home);
      return;
    }
    const value = initializer?.items[0]?.value;
    const constant = value && lowerConstant(this, value);
    if (constant) this.globals[home.slot]!.initial = constant;
    if (isConst(linked.type) && !linked.type.volatile && (constant?.kind === 'integer' || constant?.kind === 'float'))
      this.constants.set(home, constant);
  }

  homeOf(symbol: VariableSymbol): Variable | StaticObject | undefined {
    const linked = this.linked.variableOf(symbol);
    return linked && this.homes.get(linked);
  }

  constantOf(variable: Variable): Expression | undefined {
    return this.constants.get(variable);
  }

  private advanced: StaticObject | undefined;
  advancedList(span: Span): StaticObject {
    const type: CType = { kind: 'array', of: targetOf(this.model).integers.char, length: entryBytes(0) };
    this.advanced ??= this.staticObject('<a list that a called function has advanced>', type, {
      sizeBytes: entryBytes(0),
      bytes: new Uint8Array(entryBytes(0)),
      writable: false,
      visible: false,
      span,
    });
    return this.advanced;
  }

  stringObject(bytes: Uint8Array, type: CType, span: Span): StaticObject {
    const element = type.kind === 'array' ? scalarOf(type.of) : int8;
    const key = `${JSON.stringify(element)} ${Buffer.from(bytes).toString('latin1')}`;
    let object = this.strings.get(key);
    if (!object) {
      object = this.staticObject(`"${printable(bytes)}"`, type, {
        sizeBytes: bytes.length,
        bytes: bytes.slice(),
        writable: false,
        visible: false,
        span,
      });
      this.strings.set(key, object);
    }
    return object;
  }

  staticLiteral(e: Parameters<ProgramContext['staticLiteral']>[0]): StaticObject {
    const known = this.literals.get(e.symbol);
    if (known) return known;
    const sizeBytes = Math.max(sizeOf(e.type, this.model), e.initializer.sizeBytes);
    const object = this.staticObject(e.symbol.name, e.type, {
      sizeBytes,
      bytes: new Uint8Array(sizeBytes),
      writable: !isConst(e.type),
      visible: false,
      span: e.span,
    });
    this.literals.set(e.symbol, object);
    lowerStaticData(this, e.initializer, object);
    return object;
  }

  definitionOf(fn: LinkedFunction): FunctionDefinition {
    return this.definitions.get(fn)!;
  }

  functionOf(symbol: FunctionSymbol): LinkedFunction | UndefinedFunction {
    return this.linked.functionOf(symbol);
  }

  pointee(symbol: FunctionSymbol): FunctionDefinition {
    const fn = this.linked.functionOf(symbol);
    return fn.kind === 'defined' ? this.definitionOf(fn) : this.forwarders.get(fn)!;
  }

  clientFunctionsOf(type: FunctionType, argumentCount: number): ClientFunction[] {
    return [...this.clientFunctions]
      .filter(([fn]) => callable(type, fn.type) && takes(fn.type, argumentCount))
      .map(([fn, definition]) => ({ fn, definition }));
  }

  targetsOf(type: FunctionType, argumentCount: number): readonly CallTarget[] {
    const defined = this.linked.functions
      .filter((fn) => fn.addressTaken)
      .map((fn) => ({ definition: this.definitionOf(fn), type: fn.symbol.type, returned: this.returnedFlag(fn) }));
    const forwarded = [...this.forwarders].map(([fn, definition]) => ({
      definition,
      type: fn.type,
      returned: undefined,
    }));
    return [...defined, ...forwarded].filter(
      (target) => callable(type, target.type) && takes(target.type, argumentCount),
    );
  }
}

function takes({ parameters, variadic }: FunctionType, argumentCount: number): boolean {
  return variadic ? argumentCount >= parameters.length : argumentCount === parameters.length;
}

interface Heading {
  readonly name: string;
  readonly span: Span;
  readonly type: FunctionType;
  readonly linkage: 'internal' | 'external';
  readonly library: boolean;
}

/** A function that has no body yet. */
const skeleton = ({ name, span, type, linkage, library }: Heading): Mutable<FunctionDefinition> =>
  ({ kind: 'function', name, number: 0, span, ctype: type, linkage, library }) as Mutable<FunctionDefinition>;

/** A function without a body in C that lowering writes one for. */
const ofOthers = { linkage: 'internal', library: true } as const;

const generatedSkeleton = ({ name, span, type }: UndefinedFunction): Mutable<FunctionDefinition> =>
  skeleton({ name, span, type, ...ofOthers });

function printable(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1').replace(/\0$/, '');
  const short = text.length > 30 ? `${text.slice(0, 27)}...` : text;
  return short.replace(/[^ -~]/g, '?');
}
