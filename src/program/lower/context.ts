/**
 * State of lowering: the program so far, and the function being drawn. Only `FunctionLowering` adds commands to an
 * automaton. Its `check` drops conditions that always hold.
 */
import type { DefinedElsewhere } from './objects/definedElsewhere';
import type { Diagnostic } from '../../c/diagnostics/diagnostic';
import type { Span } from '../../c/source';
import { resultName, type TypedExpression as Tree, type FunctionSymbol, type VariableSymbol } from '../../c/tree';
import type { CType, DataModel, FunctionType } from '../../c/types';
import { AutomatonDraft, type DraftEdge, type DraftLocation } from '../automata/draft';
import { addressOf, compare, integer, isConstant, not, read } from '../build';
import type { CheckKind, Command } from '../command';
import { int64, int8, type Expression, type FrameObject, type Scalar, type Variable } from '../expression';
import type { LinkedFunction, LinkedProgram, UndefinedFunction } from '../linking/link';
import type {
  ImplementationChoice,
  FunctionDefinition,
  GlobalVariable,
  StaticObject,
  StructureBehindVoid,
  TypedAccess,
} from '../program';
import { changesMemory, interferes, operands, targetOf, variablesIn, walk } from '../traverse';
import type { SequencedAccess } from './order/accesses';
import type { BaseLowerOptions } from './lowerOptions';
import type { ScopeInfo } from './objects/scopes';
import { isAggregate, isConst, scalarOf, sizeOf } from './objects/layout';
import type { Suppressions } from '../suppressions';

/** The storage of a C variable. */
export type Home = Variable | FrameObject | StaticObject;

/** Shared by all functions of one program. */
export interface ProgramContext {
  readonly options: BaseLowerOptions;
  readonly model: DataModel;
  readonly linked: LinkedProgram;
  readonly diagnostics: Diagnostic[];
  readonly suppressions: Suppressions;
  /** See `Program.argumentTypes`. */
  readonly argumentTypes: readonly CType[];
  /** Global scalars and static objects of the program's variables. */
  homeOf(symbol: VariableSymbol): Variable | StaticObject | undefined;
  /** Unspecified behaviour of C that the program may meet, as it is modelled. */
  choose(choice: ImplementationChoice, span: Span): void;
  /** A copy may have brought uninitialised bytes into static data. */
  readonly copiesIntoStatics: boolean;
  /** The value of a `const` scalar, which a correct program cannot change. */
  constantOf(variable: Variable): Expression | undefined;
  stringObject(bytes: Uint8Array, type: CType, span: Span): StaticObject;
  /** The entry of variable arguments to which a list leads that a called function has advanced. */
  advancedList(span: Span): StaticObject;
  staticLiteral(literal: Extract<Tree, { kind: 'compound-literal' }>): StaticObject;
  definitionOf(fn: LinkedFunction): FunctionDefinition;
  /** The target of a pointer to the function: its definition, or a forwarder that only calls an undefined one. */
  pointee(symbol: FunctionSymbol): FunctionDefinition;
  functionOf(symbol: FunctionSymbol): LinkedFunction | UndefinedFunction;
  /** Address-taken functions that a pointer of this type may call with this number of arguments. */
  targetsOf(type: FunctionType, argumentCount: number): readonly CallTarget[];
  /** The function of clients that a pointer of this type may call in addition. */
  clientFunctionsOf(type: FunctionType, argumentCount: number): ClientFunction[];
  /** Lowering found that no path returns to the caller. */
  neverReturns(fn: LinkedFunction): boolean;
  /** For functions that may end without a value: the flag that says if the last call returned one. */
  returnedFlag(fn: LinkedFunction): Variable | undefined;
  /** The number of allocated blocks, if leaks are checked. */
  readonly liveBlocks: Variable | undefined;
  /** See `BaseLowerOptions.keepsBlocks`. */
  readonly kept: KeptBlocks | undefined;
  /** See `BaseLowerOptions.startsUnknown`. */
  readonly elsewhere: DefinedElsewhere | undefined;
}

export interface KeptBlocks {
  isEntry(fn: FunctionDefinition): boolean;
  /** Not 0 where a function of the module waits for a call to return. */
  readonly inside: Variable;
  /** Global variables that may lead to blocks. */
  pointers(): readonly Variable[];
}

export interface CallTarget {
  readonly definition: FunctionDefinition;
  readonly type: FunctionType;
  /** See `returnedFlag`. */ readonly returned: Variable | undefined;
}
/**
 * `fn` stands for all functions of clients that have its type. Pointers to them lead to `definition`; offsets
 * distinguish them.
 */
export interface ClientFunction {
  readonly definition: FunctionDefinition;
  readonly fn: UndefinedFunction;
}

export type OperandOrder = 'left first' | 'right first';

/** Identifies an expression: lowering the same files again gives the same. */
export const orderKey = ({ file, start, end }: Span): string => `${file.path}:${start}-${end}`;

export interface DrawnOperand {
  readonly edges: readonly DraftEdge[];
  readonly values: readonly Expression[];
  readonly accesses: readonly SequencedAccess[];
  readonly also: readonly Expression[];
  readonly wholes: readonly Expression[];
  readonly uninterrupted: boolean;
}

/** A position in the evaluation of an expression. It selects the edges drawn since. */
export interface Moment {
  readonly location: DraftLocation;
  readonly drawn: number;
}

/** A block of a variable-length array, with the variable that points to it. */
export interface StackBlock {
  readonly kind: 'stack-block';
  readonly pointer: Variable;
}
/** An action at the end of its scope. */
export interface Cleanup {
  readonly kind: 'cleanup';
  readonly name: string;
  draw(): void;
}
/**
 * An entity that lives until its scope ends. A variable is one if it can be in scope although its declaration was not
 * reached.
 */
export type Scoped = FrameObject | StackBlock | Cleanup | Variable;

/** `active` lists the entities alive at the label. It is set when the label is reached. */
export interface Label {
  readonly location: DraftLocation;
  active: readonly Scoped[] | undefined;
}
export interface JumpTarget {
  readonly location: DraftLocation;
  readonly activeCount: number;
}

export interface FunctionSettings {
  readonly name: string;
  /** Symbols that may be read uninitialised, as the first lowering found. Undefined in the first lowering. */
  readonly suspicious: ReadonlySet<VariableSymbol> | undefined;
  readonly scopes: ScopeInfo;
}

export class FunctionLowering {
  readonly draft = new AutomatonDraft();
  readonly variables: Variable[] = [];
  readonly objects: FrameObject[] = [];
  /** The storage of local symbols. */
  readonly homes = new Map<VariableSymbol, Variable | FrameObject>();
  readonly symbols = new Map<Variable | FrameObject, VariableSymbol>();
  /** Objects that live for the whole activation: address-taken parameters, temporary structures, packed arguments. */
  readonly activationObjects: FrameObject[] = [];
  /** Objects of open scopes, in order of declaration. */
  readonly active: Scoped[] = [];
  readonly companions = new Map<Variable, Variable>();
  /** Values that the first lowering read from local variables. */
  readonly loads: { readonly symbol: VariableSymbol; readonly value: Expression; at: DraftLocation }[] = [];
  readonly labels = new Map<string, Label>();
  readonly caseLocations = new Map<object, Label>();
  readonly jumps: {
    readonly from: DraftLocation;
    readonly label: Label;
    readonly active: readonly Scoped[];
    readonly span: Span;
  }[] = [];
  readonly stackBlocks = new Map<VariableSymbol, StackBlock>();
  readonly breakTargets: JumpTarget[] = [];
  readonly continueTargets: JumpTarget[] = [];
  /** The loops around the current position, including their conditions and steps. */
  openLoops = 0;
  /** Freed in the epilogue: the blocks of `alloca`, and the chain of blocks from code that runs more than once. */
  readonly stackAllocations: Variable[] = [];
  stackChain: Variable | undefined;
  /** See `FunctionDefinition.structuresBehindVoid`. */
  readonly structuresBehindVoid: StructureBehindVoid[] = [];
  /** See `FunctionDefinition.unordered`. */
  readonly unordered: {
    readonly span: Span;
    readonly operands: readonly DrawnOperand[];
    readonly inEitherOrder: boolean;
  }[] = [];
  /**
   * Edges of called bodies and statement expressions, each with its number. No other operand is interleaved with them.
   */
  readonly uninterrupted = new Map<DraftEdge, number>();
  calls = 0;
  /** Expressions whose operands are being drawn in both orders, see `eitherOrder.ts`. */
  readonly openOrders = new Map<string, OperandOrder>();
  /** Accesses of the full expression that is being lowered, see `accesses.ts`. */
  readonly accesses: SequencedAccess[] = [];
  /** The arms of `?:`, `&&` and `||` around the current position. */
  armDepth = 0;
  /** See `FunctionDefinition.typedAccesses`. */
  readonly typedAccesses: TypedAccess[] = [];
  /** See `FunctionDefinition.puns`. */
  puns = false;
  /** The pairs of accesses that have a check `unsequenced`. */
  readonly conflicts: { readonly span: Span; readonly accesses: readonly Command[] }[] = [];
  /** See `FunctionDefinition.contracts`. */
  readonly contracts: DraftEdge[] = [];
  private contractsOpen = 0;
  private node: Variable | undefined;
  private guaranteesOpen = 0;
  /** Calls of `__provest_ensures`. Their conditions are checked at the end of the function. */
  readonly postconditions: Extract<Tree, { kind: 'call' }>[] = [];
  resultVariable: Variable | undefined;
  resultPointer: Variable | undefined;
  resultType: CType = { kind: 'void' };
  packedArguments: Variable | undefined;
  /** See `ProgramContext.returnedFlag`. */
  returned: Variable | undefined;
  readonly epilogue: DraftLocation = this.draft.location();

  constructor(
    readonly program: ProgramContext,
    readonly settings: FunctionSettings,
  ) {}

  get model(): DataModel {
    return this.program.model;
  }

  emit(command: Command, span: Span): void {
    this.draft.emit(command, span);
  }

  /**
   * Assumes a condition of the user's. One that is false for all values, by a slip in its types, is no literal: a
   * verdict that rests on `assume(0)` alone is not taken as vacuous, since programs cut branches off with it.
   */
  assumeVisibly(condition: Expression, span: Span): void {
    if (!isConstant(condition) || condition.value !== 0n)
      return this.emit({ kind: 'assume', condition, cuts: true }, span);
    const never = this.variable('never', int8, { temporary: true });
    this.emit({ kind: 'assign', target: never, value: integer(0, int8) }, span);
    this.emit({ kind: 'assume', condition: compare('ne', read(never), integer(0, int8)), cuts: true }, span);
  }

  /** A check with this text would be one of the program: it is not left out or assumed. */
  isInForce(check: CheckKind, text: string, span: Span): boolean {
    const { options, suppressions } = this.program;
    const isLeftOut = options.unchecked?.includes(check) === true || suppressions.covers(check, text, span);
    return this.guaranteesOpen === 0 && this.contractsOpen === 0 && !isLeftOut;
  }

  /** True if the condition holds behind it: it is checked, or assumed. */
  check(
    check: CheckKind,
    condition: Expression,
    span: Span,
    options: { readonly text?: string; readonly ifUnchecked: 'assume' | 'ignore' },
  ): boolean {
    if (isConstant(condition) && condition.value !== 0n) return true;
    if (this.node && accessChecks.has(check) && isAboutNode(condition, this.node)) return true;
    if (options.ifUnchecked === 'ignore' && this.program.options.unchecked?.includes(check)) return false;
    if (this.guaranteesOpen > 0) {
      this.assumeVisibly(condition, span);
      return true;
    }
    const text = options.text ?? sourceText(span);
    if (this.program.suppressions.covers(check, text, span)) {
      if (options.ifUnchecked === 'assume') this.emit({ kind: 'assume', condition, cuts: true }, span);
      return options.ifUnchecked === 'assume';
    }
    this.emit(
      {
        kind: 'check',
        check,
        condition,
        text,
        span,
        ifUnchecked: options.ifUnchecked,
        ...(this.contractsOpen > 0 && options.ifUnchecked === 'assume' && { ofContract: true }),
      },
      span,
    );
    return true;
  }

  assign(target: Variable, value: Expression, span: Span): void {
    this.emit({ kind: 'assign', target, value }, span);
    this.nowSet(target, span);
  }

  /** Must be called after every command that gives a variable a value. */
  nowSet(target: Variable, span: Span): void {
    const companion = this.companions.get(target);
    if (companion) this.emit({ kind: 'assign', target: companion, value: integer(1, int8) }, span);
  }

  /** A variable at the start of its lifetime holds any value. */
  unset(variable: Variable, span: Span): void {
    const companion = this.companions.get(variable);
    if (companion) this.emit({ kind: 'assign', target: companion, value: integer(0, int8) }, span);
    this.emit({ kind: 'havoc', target: variable }, span);
  }

  /** The object stays alive, but its contents are uninitialised again. */
  unsetObject(object: FrameObject, span: Span): void {
    const blank = this.object(object.name, object.ctype);
    this.emit({ kind: 'declare', object: blank }, span);
    this.emit(
      { kind: 'copy', target: addressOf(object), source: addressOf(blank), size: integer(object.sizeBytes, int64) },
      span,
    );
    this.emit({ kind: 'end', object: blank }, span);
  }

  reportUnsupported(message: string, span: Span, hint?: string): void {
    this.program.diagnostics.push({ severity: 'error', message, span, ...(hint === undefined ? {} : { hint }) });
  }

  variable(
    name: string,
    type: Scalar,
    options: Pick<Variable, 'ctype' | 'temporary' | 'isRestrict'> & { readonly visible?: Span | undefined },
  ): Variable {
    const variable: Variable = {
      kind: 'variable',
      scope: 'local',
      slot: this.variables.length,
      name,
      type,
      temporary: options.temporary,
      ...(options.ctype === undefined ? {} : { ctype: options.ctype }),
      ...(options.visible && { visible: options.visible }),
      ...(options.isRestrict && { isRestrict: options.isRestrict }),
    };
    this.variables.push(variable);
    return variable;
  }

  temporary(type: Scalar, name: string): Variable {
    return this.variable(`<${name}>`, type, { temporary: true });
  }

  object(
    name: string,
    ctype: CType,
    sizeBytes = sizeOf(ctype, this.model),
    { visible, alignBytes, holdsResult }: Pick<FrameObject, 'visible' | 'alignBytes' | 'holdsResult'> = {},
  ): FrameObject {
    const object: FrameObject = {
      kind: 'frame-object',
      slot: this.objects.length,
      name,
      sizeBytes,
      ctype,
      ...(visible && { visible }),
      ...(alignBytes !== undefined && { alignBytes }),
      ...(holdsResult && { holdsResult }),
    };
    this.objects.push(object);
    return object;
  }

  /** A temporary object that lives as long as the activation. */
  activationObject(name: string, ctype: CType, is: Pick<FrameObject, 'holdsResult'> = {}): FrameObject {
    const object = this.object(name, ctype, undefined, is);
    this.activationObjects.push(object);
    return object;
  }

  /** The object that a call of this function puts the structure into that it returns. */
  resultObject(name: string, ctype: CType): FrameObject {
    return this.activationObject(`<result of ${name}>`, ctype, { holdsResult: true });
  }

  homeOf(symbol: VariableSymbol): Home {
    const known = this.homes.get(symbol) ?? this.program.homeOf(symbol);
    if (known) return known;
    if (symbol.name === resultName && this.resultVariable) return this.resultVariable;
    const visible = this.settings.scopes.visible.get(symbol);
    const home =
      symbol.addressTaken || isAggregate(symbol.type) || this.settings.scopes.literals.has(symbol)
        ? this.object(symbol.name, symbol.type, undefined, { visible, alignBytes: symbol.alignBytes })
        : this.variable(symbol.name, scalarOf(symbol.type), { ctype: symbol.type, temporary: false, visible });
    this.setHome(symbol, home);
    return home;
  }

  setHome(symbol: VariableSymbol, home: Variable | FrameObject): void {
    this.homes.set(symbol, home);
    this.symbols.set(home, symbol);
    if (home.kind === 'variable' && this.isSuspicious(symbol))
      this.companions.set(home, this.temporary(int8, `${symbol.name} is set`));
  }

  /** In the first lowering, notes a value that C reads from a local variable, and returns it. */
  noteLoad(from: Home, value: Expression): Expression {
    const symbol = from.kind === 'static-object' ? undefined : this.symbols.get(from);
    if (symbol && !this.settings.suspicious) this.loads.push({ symbol, value, at: this.draft.current });
    return value;
  }

  isSuspicious(symbol: VariableSymbol): boolean {
    return this.settings.suspicious?.has(symbol) ?? false;
  }

  /** Begins an object's lifetime in the innermost scope. */
  declare(object: FrameObject | Variable, span: Span): void {
    this.begin(object, span);
    if (!this.active.includes(object)) this.active.push(object);
  }

  /** Begins the lifetime on the current path only. */
  begin(object: FrameObject | Variable, span: Span): void {
    if (object.kind === 'variable') this.unset(object, span);
    else this.emit({ kind: 'declare', object }, span);
  }

  /** Ends the entities declared since, on the current path only. */
  endDownTo(activeCount: number, span: Span): void {
    for (let i = this.active.length - 1; i >= activeCount; i--) this.end(this.active[i]!, span);
  }

  end(one: Scoped, span: Span): void {
    if (one.kind === 'cleanup') one.draw();
    else if (one.kind !== 'variable')
      this.emit(
        one.kind === 'stack-block' ? { kind: 'free', pointer: read(one.pointer) } : { kind: 'end', object: one },
        span,
      );
  }

  closeScope(activeCount: number, span: Span): void {
    this.endDownTo(activeCount, span);
    this.active.length = activeCount;
  }

  moment(): Moment {
    return this.draft.mark();
  }

  /** Draws what is not interleaved with other operands. */
  asOneCall<T>(draw: () => T): T {
    const start = this.moment();
    const value = draw();
    const call = ++this.calls;
    for (const edge of this.draft.drawnSince(start)) this.uninterrupted.set(edge, call);
    return value;
  }

  /** Records the drawn edges as part of a contract. */
  noteContract<T>(draw: () => T): T {
    const start = this.moment();
    this.contractsOpen++;
    const value = draw();
    this.contractsOpen--;
    this.contracts.push(...this.draft.drawnSince(start));
    return value;
  }

  /** Draws a condition on a node of a list, which is live and whole: accesses to it are not checked. */
  ofNode<T>(node: Variable, draw: () => T): T {
    const { length } = this.accesses;
    this.node = node;
    const result = draw();
    this.node = undefined;
    this.accesses.length = length;
    return result;
  }

  get isInGuarantee(): boolean {
    return this.guaranteesOpen > 0;
  }

  /** Draws a guarantee of a function without a body: its checks are assumed. */
  inGuarantee<T>(draw: () => T): T {
    const { length } = this.accesses;
    this.guaranteesOpen++;
    const value = draw();
    this.guaranteesOpen--;
    // Compilers leave a guarantee out: its accesses conflict with none.
    this.accesses.length = length;
    return value;
  }

  /**
   * Records operands that C evaluates in unspecified order. Each was drawn from the end of the previous one; `start` is
   * the beginning of the first.
   */
  noteUnordered(
    span: Span,
    start: Moment,
    operands: readonly {
      readonly values: readonly Expression[];
      readonly end: Moment;
      readonly accesses?: readonly SequencedAccess[];
      /** Reads that are no accesses of their own. */
      readonly also?: readonly Expression[];
      /** Addresses of structures that are the operand's value. They are read after what was drawn, or copied then. */
      readonly wholes?: readonly Expression[];
      /** No other operand is interleaved with it. */
      readonly uninterrupted?: true;
    }[],
  ): void {
    const order = this.openOrders.get(orderKey(span));
    if (order === 'right first') return;
    const drawn = operands.map(({ values, end, accesses = [], also = [], wholes = [], uninterrupted }, i) => ({
      values,
      accesses,
      also,
      wholes,
      uninterrupted: uninterrupted === true,
      edges: this.draft.drawnSince(i === 0 ? start : operands[i - 1]!.end, end),
    }));
    if (drawn.some(({ edges }) => edges.some(({ command }) => hasEffect(command))))
      this.unordered.push({ span, operands: drawn, inEitherOrder: order !== undefined });
  }

  /** The expression's value at `moment`: a temporary if something drawn since may have changed it. */
  asOf(moment: Moment, e: Expression, span: Span): Expression {
    const interfering = this.draft.drawnSince(moment).some(({ command }) => interferes(command, e));
    if (!interfering) return e;
    const saved = this.temporary(e.type, 'saved');
    this.draft.insertAt(moment, { kind: 'assign', target: saved, value: e }, span);
    return read(saved);
  }

  /** Assigns a compound expression to a temporary, so that it is computed once. */
  nameValue(e: Expression, name: string, span: Span): Expression {
    if (isSimple(e)) return e;
    const variable = this.temporary(e.type, name);
    this.emit({ kind: 'assign', target: variable, value: e }, span);
    return read(variable);
  }
}

/** An expression that is cheap to repeat: a few operations on variables. */
function isSimple(e: Expression, budget = { nodes: 8 }): boolean {
  if (e.kind === 'load' || e.kind === 'conditional' || --budget.nodes < 0) return false;
  return operands(e).every((operand) => isSimple(operand, budget));
}

/** The command does more than compute a value of its own. */
export function hasEffect(command: Command): boolean {
  const target = targetOf(command);
  return (target !== undefined && !target.temporary) || changesMemory(command);
}

/** One line of the program's own text, for messages. */
export function sourceText(span: Span): string {
  const text = span.file.text.slice(span.start, span.end).replace(/\s+/g, ' ').trim();
  return text.length > 100 ? `${text.slice(0, 97)}...` : text;
}

export const constantGlobal = (global: GlobalVariable): boolean =>
  global.variable.ctype !== undefined && isConst(global.variable.ctype);

/** Ends the current path: control continues at `then` if the condition holds, and at `otherwise` if it does not. */
export function branch(
  f: FunctionLowering,
  condition: Expression,
  then: DraftLocation,
  otherwise: DraftLocation,
  span: Span,
): void {
  if (isConstant(condition)) {
    f.draft.goTo(condition.value !== 0n ? then : otherwise, span);
    return;
  }
  const from = f.draft.current;
  f.draft.edge(from, { kind: 'assume', condition }, then, span);
  f.draft.edge(from, { kind: 'assume', condition: not(condition) }, otherwise, span);
  f.draft.cut();
}

/**
 * Checks that members of a live node pass which is large enough, and whose value is anything where none was written. A
 * node's address may fail others: `100 / (long)n`.
 */
const accessChecks: ReadonlySet<CheckKind> = new Set([
  'null-dereference',
  'dereference',
  'pointer-arithmetic',
  'uninitialised-read',
]);

/** The condition asks of the object that the variable leads to, or whether it leads anywhere, and nothing else. */
function isAboutNode(condition: Expression, node: Variable): boolean {
  let isAbout = true;
  walk(condition, (e) => {
    if (e.kind === 'load' || e.kind === 'list' || e.kind === 'all-reached') isAbout = false;
    if (e.kind === 'read' && e.variable !== node) isAbout = false;
  });
  return isAbout && variablesIn(condition).has(node);
}
