/**
 * From a program's functions to a WebAssembly module. What is compiled is kept per program and set of checks, for any
 * number of machines: the first function asked for brings those it may call, the second one that is missing brings the
 * whole program.
 *
 * A function with irreducible control flow, or of a shape the emitter does not know, is left to the reference machine,
 * and so are calls of it.
 */
import { isChecked, type CheckKind, type Property } from '../../../program/command';
import type { Edge, FunctionDefinition, Location, Program } from '../../../program/program';
import type { Expression, Scalar } from '../../../program/expression';
import { expressionsOf, targetOf, walk } from '../../../program/traverse';
import type { ObservedPredicateMap } from '../machine';
import { jumpedPast } from '../liveness';
import { confinedObjects } from '../../../program/automata/confinedObjects';
import { natives } from '../natives/table';
import { blocksOf, type BlockGraph } from './blocks';
import { dominance } from './controlFlow';
import { declaredObjects, type Declared } from './declared';
import { FunctionEmitter } from './functionEmitter';
import { automaticSizes, callEffects, callsOnly, type CallEffects } from './leaveObjects';
import { calledSignature, reentrantSignature, type EmissionContext } from './frameEmitter';
import { align, layoutOf, maximumArguments, mostRanges, rangeBytes, tableBytes, type LinearLayout } from './layout';
import { NotCompiled } from './notCompiled';
import { calledGraph, reentrantGraph, reentryPoints, targetNode } from './reentry';
import { hostFunctionNames, hostFunctions } from './support/hostFunctions';
import { supportFunctions } from './support/support';
import { encodeModule, type Signature } from './wasm';
import { webAssembly, type WasmModule } from './webAssembly';

/** Larger functions take longer to compile than they are likely to run. */
const mostEdges = 20_000;
export const maximumPages = 0x8000;
const pageBytes = 0x1_0000;

export interface CompiledFunction {
  /** The name of its second form among the module's exports. */
  readonly exportName: string;
  readonly points: ReadonlySet<Location>;
  readonly declared: Declared;
  readonly graph: BlockGraph;
}

export interface Site {
  readonly edge: Edge;
  readonly fn: FunctionDefinition;
}

/** Constants in linear memory that code reads. */
export interface BitTable {
  readonly address: number;
  readonly words: readonly bigint[];
  readonly type: 'i32' | 'i64';
}

export interface CompiledUnit {
  readonly module: WasmModule;
  readonly sites: readonly Site[];
  readonly functions: ReadonlyMap<FunctionDefinition, CompiledFunction>;
  /** Tables that its code reads. */
  readonly tables: readonly BitTable[];
  /** Static objects that code goes to directly: they must be in linear memory while it runs. */
  readonly statics: readonly number[];
  /** Slots of global variables that it mentions. */
  readonly globals: readonly number[];
  /** Activations that fit on half of a usual native stack. */
  readonly maximumDepth: number;
  readonly byteLength: number;
}

const programs = new WeakMap<Program | ObservedPredicateMap, Map<string, CompiledProgram>>();

/** Sets of checks and of watched locations that are kept per program. */
const mostForms = 12;

/**
 * Failing checks of the properties, or of the kinds, end an execution. Arrivals at watched locations are reported.
 * Where predicates are observed, only those that look new. Undefined where there is no WebAssembly.
 */
export function compiledProgram(
  program: Program,
  properties: ReadonlySet<Property | CheckKind>,
  watched: ReadonlySet<Location>,
  observedPredicates?: ObservedPredicateMap,
): CompiledProgram | undefined {
  if (!webAssembly) return undefined;
  // Observed predicates belong to one program.
  const owner = observedPredicates ?? program;
  let byProperties = programs.get(owner);
  if (!byProperties) programs.set(owner, (byProperties = new Map()));
  const own = program.functions.flatMap((fn, i) =>
    fn.locations.filter((location) => watched.has(location)).map(({ index }) => `${i}.${index}`),
  );
  const key = [...[...properties].sort(), ...own].join();
  let compiled = byProperties.get(key);
  if (!compiled) {
    const [oldest] = byProperties.keys();
    if (byProperties.size >= mostForms && oldest !== undefined) byProperties.delete(oldest);
    byProperties.set(
      key,
      (compiled = new CompiledProgram(
        program,
        properties,
        new Set(watched),
        new Map([...(observedPredicates ?? [])].filter(([location]) => watched.has(location))),
      )),
    );
  }
  return compiled;
}

export class CompiledProgram {
  readonly layout: LinearLayout;
  readonly functionIndex: ReadonlyMap<FunctionDefinition, number>;
  private readonly observedNumbers: ReadonlyMap<Location, number>;
  private readonly callEffects: CallEffects;
  private readonly units = new Map<FunctionDefinition, CompiledUnit | undefined>();
  private readonly examined = new Set<FunctionDefinition>();
  private readonly rejected = new Set<FunctionDefinition>();
  private requests = 0;
  /** Ranges that code has been given. */
  private ranges = 0;
  /** Tables by content, and the place behind them. */
  private readonly tables = new Map<string, BitTable>();
  private tablesEnd: number;

  constructor(
    readonly program: Program,
    private readonly properties: ReadonlySet<Property | CheckKind>,
    private readonly watched: ReadonlySet<Location>,
    readonly observedPredicates: ObservedPredicateMap,
  ) {
    this.layout = layoutOf(program);
    this.tablesEnd = this.layout.tables;
    this.observedNumbers = new Map([...observedPredicates.keys()].map((location, i) => [location, i]));
    this.callEffects = callEffects(program);
    this.functionIndex = new Map(program.functions.map((fn, i) => [fn, i]));
  }

  /** Linear memory to begin with. */
  get initialPages(): number {
    return Math.ceil(this.layout.heap / pageBytes) + 1;
  }

  /** True if it has or can get code. */
  mayCompile(fn: FunctionDefinition): boolean {
    if (!this.examined.has(fn)) {
      this.examined.add(fn);
      if (
        fn.edges.length > mostEdges ||
        this.initialPages >= maximumPages / 2 ||
        !isReducible(fn) ||
        hasLongWords(fn) ||
        jumpedPast(fn).length > 0
      )
        this.rejected.add(fn);
    }
    return !this.rejected.has(fn);
  }

  isReady(fn: FunctionDefinition): boolean {
    return this.units.has(fn);
  }

  unit(fn: FunctionDefinition): CompiledUnit | undefined {
    if (!this.mayCompile(fn)) return undefined;
    const known = this.units.get(fn);
    if (known) return known;
    this.requests++;
    let unit: CompiledUnit | undefined;
    do
      unit = this.mayCompile(fn)
        ? this.compile(
            this.requests === 1 ? this.closure([fn]) : this.program.functions.filter((other) => this.mayCompile(other)),
          )
        : undefined;
    while (unit === undefined && this.mayCompile(fn));
    if (!unit) return undefined;
    for (const compiled of unit.functions.keys()) if (!this.units.has(compiled)) this.units.set(compiled, unit);
    return this.units.get(fn);
  }

  private table(words: readonly bigint[], type: 'i32' | 'i64'): BitTable | undefined {
    const key = [type, ...words].join();
    let table = this.tables.get(key);
    const end = this.tablesEnd + align(words.length * (type === 'i32' ? 4 : 8));
    if (!table && end <= this.layout.tables + tableBytes) {
      this.tables.set(key, (table = { address: this.tablesEnd, words, type }));
      this.tablesEnd = end;
    }
    return table;
  }

  private closure(from: readonly FunctionDefinition[]): FunctionDefinition[] {
    const found = new Set(from);
    for (const fn of found) {
      for (const { command } of fn.edges) {
        if (command.kind !== 'call') continue;
        for (const target of command.callee.kind === 'function' ? [command.callee] : command.targets)
          if (this.mayCompile(target)) found.add(target);
      }
    }
    return [...found];
  }

  /** Undefined when one of the functions turned out not to be compiled, and is rejected now. */
  private compile(functions: readonly FunctionDefinition[]): CompiledUnit | undefined {
    const { layout } = this;
    const { support, functions: supporting } = supportFunctions(
      layout,
      this.program.dataModel,
      automaticSizes(functions),
    );
    const first = hostFunctionNames.length + supporting.length;
    const index = new Map(functions.map((fn, i) => [fn, first + i]));
    const sites: Site[] = [];
    const tables = new Set<BitTable>();
    const siteOf = new Map<Edge, number>();
    let current = functions[0]!;
    const around: EmissionContext = {
      model: this.program.dataModel,
      storesAddresses: this.program.storesAddresses === true,
      layout,
      support,
      site: (edge) => {
        let site = siteOf.get(edge);
        if (site === undefined) {
          siteOf.set(edge, (site = sites.length));
          sites.push({ edge, fn: current });
        }
        return site;
      },
      place: ({ from }) => layout.locationNumbers.get(current)! + from.index + 1,
      effectOfCall: (command) =>
        !callsOnly(command, (fn) => this.callEffects.endNoLives.has(fn))
          ? 'ends lives'
          : callsOnly(command, (fn) => this.callEffects.copyNothing.has(fn))
            ? 'writes'
            : 'writes and copies',
      confined: confinedObjects(this.program),
      calledIndex: (fn) => index.get(fn),
      isWatched: (location) => this.watched.has(location),
      predicatesAt: (location) => this.observedPredicates.get(location),
      observedNumber: (location) => this.observedNumbers.get(location)!,
      nextRange: () => (this.ranges < mostRanges ? layout.ranges + rangeBytes * this.ranges++ : undefined),
      tableOf: (words, type) => {
        const table = this.table(words, type);
        if (table) tables.add(table);
        return table?.address;
      },
      functionIndex: (fn) => this.functionIndex.get(fn)!,
      isChecked: (check) => check.ifUnchecked === 'assume' || isChecked(check, this.properties),
    };
    const callable: { signature: Signature; body: Uint8Array }[] = [];
    const enterable: { signature: Signature; body: Uint8Array; exportedAs: string }[] = [];
    const compiled = new Map<FunctionDefinition, CompiledFunction>();
    let largestFrame = 0;
    for (const fn of functions) {
      current = fn;
      try {
        const graph = blocksOf(fn, (edge) => handsOver(edge, (callee) => index.has(callee)), around.isWatched);
        const declared = declaredObjects(fn);
        const points = reentryPoints(graph);
        const [called, entered] = [calledGraph(graph), reentrantGraph(graph, points)];
        if (!called || !entered) throw new NotCompiled('irreducible');
        const emitter = new FunctionEmitter(fn, graph, declared, called, 'called', around).withTargets(
          (block) => block,
        );
        callable.push({ signature: calledSignature(fn), body: emitter.emit() });
        largestFrame = Math.max(largestFrame, emitter.stackBytes);
        const exportName = `enter${enterable.length}`;
        enterable.push({
          signature: reentrantSignature,
          exportedAs: exportName,
          body: new FunctionEmitter(fn, graph, declared, entered, 'reentrant', around)
            .withTargets((block) => targetNode(entered, block))
            .emit(),
        });
        compiled.set(fn, { exportName, points: new Set(points), declared, graph });
      } catch (error) {
        if (!(error instanceof NotCompiled)) throw error;
        this.rejected.add(fn);
        return undefined;
      }
    }
    const bytes = encodeModule({
      imports: hostFunctionNames.map((name) => ({ name, signature: hostFunctions[name] })),
      memory: { initialPages: this.initialPages, maximumPages },
      functions: [...supporting, ...callable, ...enterable],
    });
    return {
      module: new webAssembly!.Module(bytes),
      sites,
      functions: compiled,
      byteLength: bytes.length,
      tables: [...tables],
      ...mentionedFunctions(this.program, functions, this.observedPredicates),
      maximumDepth: Math.max(1, Math.floor(400_000 / largestFrame)),
    };
  }
}

/** Commands that only the reference machine does: what a stub of the host answers, and the end. */
function handsOver({ command }: Edge, isCompiled: (fn: FunctionDefinition) => boolean): boolean {
  switch (command.kind) {
    case 'halt':
      return true;
    case 'external':
      return !natives.has(command.name) || command.arguments.length > maximumArguments;
    case 'call':
      return command.callee.kind === 'function' && !isCompiled(command.callee);
    default:
      return false;
  }
}

/** Integers of 128 bits, which WebAssembly does not have, are left to the reference machine. */
function hasLongWords(fn: FunctionDefinition): boolean {
  const isLong = (type: Scalar): boolean => type.kind === 'integer' && type.widthBits > 64;
  if (fn.variables.some(({ type }) => isLong(type))) return true;
  let found = false;
  for (const { command } of fn.edges) {
    const target = targetOf(command);
    if (target && isLong(target.type)) return true;
    for (const expression of expressionsOf(command)) walk(expression, (e) => (found ||= isLong(e.type)));
  }
  return found;
}

function isReducible(fn: FunctionDefinition): boolean {
  return dominance({
    entry: fn.entry.index,
    successors: fn.locations.map(({ edges }) => edges.map(({ to }) => to.index)),
  }).isReducible;
}

function mentionedFunctions(
  program: Program,
  functions: readonly FunctionDefinition[],
  observedPredicates: ObservedPredicateMap,
): { readonly statics: readonly number[]; readonly globals: readonly number[] } {
  const statics = new Set<number>();
  const globals = new Set<number>();
  const note = (expression: Expression): void =>
    walk(expression, (e) => {
      if (e.kind === 'address' && e.of.kind === 'static-object') statics.add(e.of.number);
      if (e.kind === 'read' && e.variable.scope === 'global') globals.add(e.variable.slot);
    });
  for (const fn of functions) {
    for (const { command } of fn.edges) {
      const target = targetOf(command);
      if (target?.scope === 'global') globals.add(target.slot);
      for (const expression of expressionsOf(command)) note(expression);
    }
    for (const location of fn.locations)
      for (const condition of observedPredicates.get(location)?.conditions ?? []) note(condition);
  }
  return { statics: [...statics], globals: [...globals].filter((slot) => slot < program.globals.length) };
}
