/**
 * `setjmp` and `longjmp` as returns, for proofs. A call of `longjmp` notes the place and the value in variables of the
 * program and returns; every call that may end that way is followed by a test, which returns again, up to the function
 * that has called `setjmp`; there it goes on behind that call. Objects of the functions on the way end.
 *
 * `longjmp` fails unless the activation still lasts that has called `setjmp`. For a static `jmp_buf` of which nothing
 * has the address, a variable holds the number of the call of `setjmp`, until the function returns in which that is.
 * Into others `setjmp` writes two numbers, as the interpreter does: of the activation, and of the call. A function with
 * `setjmp` is not recursive, so that a variable for each such function holds the number of its activation, and 0 while
 * there is none.
 *
 * C leaves open what automatic variables of that function hold that were changed after `setjmp` and are not `volatile`
 * (7.13.2.1p3): they get any value, unless it is the one that they had then. The interpreter keeps their values, which
 * is one of the executions.
 *
 * Programs stay as they are, and without proofs, where
 *
 * - a function with `setjmp` may be called while it is active, also by a function without a body,
 * - a jump may leave a function of the C library, such as `exit` with its handlers,
 * - an object on the way was declared on some paths only, or is a block of variable length,
 * - an array or structure of the function with `setjmp` may change after it, but for its `jmp_buf`,
 * - the call is within a block with variables, and a jump may lead there when the block has ended,
 * - anything of that function may change, and the call is repeated with places of which others have the address: a
 *   jump may then lead to an earlier time.
 */
import type { Mutable } from '../../mutable';
import { finish } from '../automata/automaton';
import { AutomatonDraft, type DraftLocation } from '../automata/draft';
import { jumpOf } from '../automata/jumps';
import { reachableFunctions } from '../automata/reachableFunctions';
import {
  addressOf,
  and,
  atMost,
  binary,
  conditional,
  convert,
  equal,
  float,
  integer,
  isLive,
  isNonNull,
  isWritable,
  load,
  not,
  notEqual,
  objectSize,
  offset,
  offsetOf,
  or,
  read,
  zero,
} from '../build';
import type { CheckKind, Command, ExternalCommand } from '../command';
import {
  int32,
  int64,
  type Expression,
  type FloatScalar,
  type FrameObject,
  type Scalar,
  type Variable,
} from '../expression';
import { isNative } from '../linking/natives';
import type { Edge, FunctionDefinition, GlobalVariable, Location, StaticObject } from '../program';
import type { Span } from '../../c/source';
import { expressionsOf, operands } from '../traverse';
import { scalarOf } from './objects/layout';
import { draftOf } from './inlinedHelpers';
import { temporariesAcrossCutpoints } from './temporaries';
import { type Changed, kindOf, isJumpingCall, staticPlaceOf, Changes } from './changesBehindJumps';

type Function = Mutable<FunctionDefinition>;

/** A call of `setjmp`. */
interface Site extends Changed {
  readonly number: number;
  readonly edge: Edge;
  /** Holds the number, in the place of its static object. */
  readonly holder: Variable | undefined;
  readonly declared: ReadonlySet<FrameObject>;
}

/**
 * The functions' definitions are changed, and variables added; nothing is if some jump is not supported. `objects`: the
 * static objects; `isOwn`: nothing but the program changes the object.
 */
export function returnFromJumps(
  functions: readonly Function[],
  globals: GlobalVariable[],
  objects: readonly StaticObject[],
  isOwn: (object: StaticObject) => boolean,
): void {
  const setting = functions.filter((fn) => fn.edges.some((edge) => kindOf(edge) === 'set'));
  if (setting.length === 0 || !isSupported(functions, setting)) return;
  const jumping = mayJump(functions);
  if ([...jumping].some(({ library }) => library)) return;
  const declared = new Map<FunctionDefinition, ReadonlyMap<Location, ReadonlySet<FrameObject>>>();
  for (const fn of new Set([...setting, ...jumping])) {
    const found = declaredObjects(fn, jumping);
    if (!found) return;
    declared.set(fn, found);
  }
  const { span } = setting[0]!;
  const added: GlobalVariable[] = [];
  const global = (name: string, type: Scalar): Variable => {
    const slot = globals.length + added.length;
    const variable: Variable = { kind: 'variable', scope: 'global', slot, name, type, temporary: false };
    added.push({ variable, initial: undefined, visible: false, span });
    return variable;
  };
  const writesPlaces = functions.some((fn) => fn.edges.some(mayWritePlace));
  const holders = new Map(
    [...unexposedPlaces(functions, objects)]
      .filter(isOwn)
      .map((object) => [object, global(`<place in ${object.name}>`, int32)]),
  );
  const sites = new Map<FunctionDefinition, readonly Site[]>();
  let number = 0;
  for (const fn of setting) {
    const changes = new Changes(fn, jumping, declared.get(fn)!, holders, !writesPlaces).all();
    if (!changes) return;
    const found: Site[] = [];
    for (const [edge, changed] of changes) {
      const holder = holders.get(staticPlaceOf(edge)!);
      found.push({ number: ++number, edge, holder, declared: declared.get(fn)!.get(edge.from)!, ...changed });
    }
    sites.set(fn, found);
  }
  const shared: Shared = {
    jump: global('<jump>', int32),
    value: global('<value of the jump>', int32),
    activations: global('<activations>', int64),
    active: new Map(
      setting
        .filter((fn) => sites.get(fn)!.some(({ holder }) => !holder))
        .map((fn) => [fn, global(`<activation of ${fn.name}>`, int64)]),
    ),
    sites,
    holders,
    jumping,
  };
  globals.push(...added);
  for (const fn of new Set([...setting, ...jumping])) new Rewriting(fn, shared, declared.get(fn)!).rewrite();
}

/** No function with `setjmp` is called while it is active, nor does code outside the program call one that may jump. */
function isSupported(functions: readonly FunctionDefinition[], setting: readonly FunctionDefinition[]): boolean {
  const isOutside = ({ command }: Edge): boolean =>
    command.kind === 'external' && !isNative(command.name) && !jumpOf(command.name);
  if (functions.some((fn) => fn.edges.some(isOutside))) return false;
  return setting.every((fn) => {
    const called = fn.edges.flatMap(({ command }) => (command.kind === 'call' ? command.targets : []));
    return !reachableFunctions(called).has(fn);
  });
}

/** Functions that may return by a jump. */
function mayJump(functions: readonly FunctionDefinition[]): ReadonlySet<FunctionDefinition> {
  const found = new Set<FunctionDefinition>();
  for (let size = -1; size !== found.size;) {
    size = found.size;
    for (const fn of functions)
      if (fn.edges.some((edge) => kindOf(edge) === 'jump' || isJumpingCall(edge, found))) found.add(fn);
  }
  return found;
}

/** The live objects of the activation at each location; undefined where that depends on the path. */
function declaredObjects(
  fn: FunctionDefinition,
  jumping: ReadonlySet<FunctionDefinition>,
): ReadonlyMap<Location, ReadonlySet<FrameObject>> | undefined {
  const found = new Map<Location, ReadonlySet<FrameObject>>([[fn.entry, new Set()]]);
  const open = [fn.entry];
  const unequal = new Set<Location>();
  for (let at = open.pop(); at; at = open.pop()) {
    for (const { command, to } of at.edges) {
      const after = new Set(found.get(at));
      if (command.kind === 'declare') after.add(command.object);
      if (command.kind === 'end') after.delete(command.object);
      const known = found.get(to);
      if (!known) {
        found.set(to, after);
        open.push(to);
      } else if (known.size !== after.size || [...after].some((object) => !known.has(object))) unequal.add(to);
    }
  }
  // A location behind an unequal one is not known either, and may be reached from there alone in part.
  if (unequal.size > 0 && [...unequal].some((location) => location !== fn.exit)) return undefined;
  const hasBlocks = fn.edges.some(({ command }) => command.kind === 'allocate' && command.automatic);
  return hasBlocks && jumping.has(fn) ? undefined : found;
}

/** Static objects that `setjmp` and `longjmp` name, and nothing else does. */
function unexposedPlaces(
  functions: readonly FunctionDefinition[],
  objects: readonly StaticObject[],
): ReadonlySet<StaticObject> {
  const found = new Set(functions.flatMap(({ edges }) => edges.flatMap((edge) => staticPlaceOf(edge) ?? [])));
  const look = (e: Expression): void => {
    if (e.kind === 'address' && e.of.kind === 'static-object') found.delete(e.of);
    for (const operand of operands(e)) look(operand);
  };
  for (const { edges } of functions)
    for (const edge of edges) for (const e of expressionsOf(edge.command).slice(staticPlaceOf(edge) ? 1 : 0)) look(e);
  for (const { relocations } of objects) for (const { value } of relocations) look(value);
  return found;
}

/** Other objects than the one that is named may get a place to jump to. */
function mayWritePlace(edge: Edge): boolean {
  const { command } = edge;
  if (kindOf(edge) === 'set') return !isNamed((command as ExternalCommand).arguments[0]!);
  return command.kind === 'copy' && !isNamed(command.target);
}

const isNamed = (e: Expression): boolean =>
  e.kind === 'address' || (e.kind === 'offset' && e.pointer.kind === 'address');

interface Shared {
  /** The number of the call of `setjmp` that returns next, or 0. */
  readonly jump: Variable;
  readonly value: Variable;
  /** Activations with a call of `setjmp` so far. */
  readonly activations: Variable;
  /** The number of the activation, or 0. */
  readonly active: ReadonlyMap<FunctionDefinition, Variable>;
  readonly sites: ReadonlyMap<FunctionDefinition, readonly Site[]>;
  /** Variables in the place of static objects: the number of the call of `setjmp`, or 0. */
  readonly holders: ReadonlyMap<StaticObject, Variable>;
  readonly jumping: ReadonlySet<FunctionDefinition>;
}

class Rewriting {
  private readonly draft = new AutomatonDraft();
  private readonly variables: Variable[];
  private readonly end: DraftLocation;
  private readonly behind = new Map<Location, DraftLocation>();
  /** Values at a call of `setjmp` of what may change behind it. */
  private readonly saved = new Map<Site, ReadonlyMap<Variable | FrameObject, Variable>>();

  constructor(
    private readonly fn: Function,
    private readonly shared: Shared,
    private readonly declared: ReadonlyMap<Location, ReadonlySet<FrameObject>>,
  ) {
    this.variables = [...fn.variables];
    this.end = this.draft.location(fn.exit.span);
  }

  rewrite(): void {
    const { fn, draft, shared } = this;
    const sites = shared.sites.get(fn) ?? [];
    const active = shared.active.get(fn);
    const late: (() => void)[] = [];
    const entry = draftOf(fn, draft, this.end, (edge, from, to) => {
      this.behind.set(edge.to, to);
      const kind = kindOf(edge);
      const { command } = edge;
      if (kind === 'set')
        this.set(
          edge,
          sites.find((site) => site.edge === edge)!,
          from,
          to,
        );
      else if (kind === 'jump') late.push(() => this.jump(edge, from));
      else if (command.kind === 'call' && isJumpingCall(edge, shared.jumping))
        late.push(() => this.call(edge, from, to));
      else draft.edge(from, command, to, edge.span);
    });
    for (const drawing of late) drawing();
    const held = [...new Set(sites.flatMap(({ holder }) => holder ?? []))];
    const resets = [
      ...(active ? [assign(active, zero(int64))] : []),
      ...held.map((holder) => {
        const own = sites.filter((site) => site.holder === holder);
        const isOwn = or(...own.map(({ number }) => equal(read(holder), integer(number, int32))));
        return assign(holder, conditional(isOwn, zero(int32), read(holder)));
      }),
    ];
    this.emit(draft.entry, resets, entry, fn.entry.span);
    this.emit(this.end, resets, draft.exit, fn.exit.span);
    draft.exit.span = fn.exit.span;
    const automaton = finish(draft, fn.exit.span);
    for (const variable of temporariesAcrossCutpoints(automaton)) (variable as Mutable<Variable>).temporary = false;
    Object.assign(fn, { ...automaton, variables: this.variables, hasReturningJumps: true });
  }

  private temporary(type: Scalar, name: string): Variable {
    const variable: Variable = {
      kind: 'variable',
      scope: 'local',
      slot: this.variables.length,
      name: `<${name}>`,
      type,
      temporary: true,
    };
    this.variables.push(variable);
    return variable;
  }

  /** Commands in a row. */
  private emit(from: DraftLocation, commands: readonly Command[], to: DraftLocation, span: Span): void {
    let at = from;
    commands.forEach((command, i) => {
      const next = i === commands.length - 1 ? to : this.draft.location(span);
      this.draft.edge(at, command, next, span);
      at = next;
    });
    if (commands.length === 0) this.draft.edge(from, { kind: 'skip' }, to, span);
  }

  private set(edge: Edge, site: Site, start: DraftLocation, to: DraftLocation): void {
    const { activations } = this.shared;
    const { number, holder } = site;
    const command = edge.command as ExternalCommand;
    const from = this.draft.location(edge.span);
    this.emit(start, this.save(site), from, edge.span);
    const returns = command.target ? [assign(command.target, zero(command.target.type))] : [];
    if (holder) {
      this.emit(from, [assign(holder, integer(number, int32)), ...returns], to, edge.span);
      return;
    }
    const active = this.shared.active.get(this.fn)!;
    const place = command.arguments[0]!;
    const isNew = equal(read(active), zero(int64));
    const next = binary('add', read(activations), integer(1, int64));
    this.emit(
      from,
      [
        ...checksOf(place, command.name, 'written', edge),
        assign(activations, conditional(isNew, next, read(activations))),
        assign(active, conditional(isNew, read(activations), read(active))),
        { kind: 'store', address: place, type: int64, value: read(active) },
        { kind: 'store', address: secondNumber(place), type: int64, value: integer(number, int64) },
        ...returns,
      ],
      to,
      edge.span,
    );
  }

  private jump(edge: Edge, from: DraftLocation): void {
    const { jump, value, sites, active } = this.shared;
    const command = edge.command as ExternalCommand;
    const [place, passed] = command.arguments as readonly [Expression, Expression];
    const left = this.draft.location(edge.span);
    const passes = assign(
      value,
      conditional(equal(passed, zero(passed.type)), integer(1, int32), convert(passed, int32)),
    );
    const holder = this.shared.holders.get(staticPlaceOf(edge)!);
    if (holder) {
      const isSet = check('invalid-call', notEqual(read(holder), zero(int32)), command.name, edge);
      this.emit(from, [isSet, assign(jump, read(holder)), passes], left, edge.span);
      this.leave(left, edge);
      return;
    }
    const [activation, number] = [this.temporary(int64, 'activation'), this.temporary(int64, 'place')];
    const known = [...sites].flatMap(([fn, all]) =>
      all
        .filter(({ holder: own }) => !own)
        .map((site) =>
          and(
            notEqual(read(activation), zero(int64)),
            equal(read(activation), read(active.get(fn)!)),
            equal(read(number), integer(site.number, int64)),
          ),
        ),
    );
    this.emit(
      from,
      [
        ...checksOf(place, command.name, 'read', edge),
        assign(activation, load(int64, place)),
        assign(number, load(int64, secondNumber(place))),
        check('invalid-call', or(...known), command.name, edge),
        assign(jump, convert(read(number), int32)),
        passes,
      ],
      left,
      edge.span,
    );
    this.leave(left, edge);
  }

  private call(edge: Edge, from: DraftLocation, to: DraftLocation): void {
    const { jump } = this.shared;
    const command = edge.command as Extract<Command, { kind: 'call' }>;
    const returned = this.draft.location(edge.span);
    const { target } = command;
    const result = target && this.temporary(target.type, 'returned');
    this.draft.edge(from, { ...command, target: result }, returned, edge.span);
    const isNormal = equal(read(jump), zero(int32));
    this.emit(returned, [assume(isNormal), ...(target && result ? [assign(target, read(result))] : [])], to, edge.span);
    const left = this.draft.location(edge.span);
    this.draft.edge(returned, assume(not(isNormal)), left, edge.span);
    this.leave(left, edge);
  }

  /** Goes on behind the call of `setjmp`, if it is one of this function's, and returns otherwise. */
  private leave(from: DraftLocation, edge: Edge): void {
    const { fn, draft } = this;
    const { jump, value } = this.shared;
    const objects = this.declared.get(edge.from)!;
    let at = from;
    for (const site of this.shared.sites.get(fn) ?? []) {
      const isHere = equal(read(jump), integer(site.number, int32));
      const target = (site.edge.command as ExternalCommand).target;
      const here = draft.location(edge.span);
      this.emit(
        at,
        [
          assume(isHere),
          assign(jump, zero(int32)),
          ...[...objects].filter((object) => !site.declared.has(object)).map(end),
          ...site.changedVariables.flatMap((variable) => this.anyIfChanged(variable, site)),
        ],
        here,
        edge.span,
      );
      const changed = site.changedObjects.reduce((place, object) => this.anyContents(object, site, place, edge), here);
      this.emit(
        changed,
        target ? [assign(target, convert(read(value), target.type))] : [],
        this.behind.get(site.edge.to)!,
        edge.span,
      );
      const other = draft.location(edge.span);
      draft.edge(at, assume(not(isHere)), other, edge.span);
      at = other;
    }
    const result = fn.resultVariable;
    this.emit(
      at,
      [...[...objects].map(end), ...(result ? [assign(result, zero(result.type))] : [])],
      this.end,
      edge.span,
    );
  }

  private save(site: Site): readonly Command[] {
    const saved = new Map<Variable | FrameObject, Variable>();
    for (const variable of site.changedVariables) saved.set(variable, this.temporary(variable.type, variable.name));
    for (const object of site.changedObjects) saved.set(object, this.temporary(scalarOf(object.ctype), object.name));
    this.saved.set(site, saved);
    return [...saved].map(([of, variable]) =>
      assign(variable, of.kind === 'variable' ? read(of) : load(variable.type, addressOf(of))),
    );
  }

  /** Any value, if it is another one than when `setjmp` was called. */
  private anyIfChanged(variable: Variable, site: Site): readonly Command[] {
    const any = this.temporary(variable.type, afterJump(variable.name));
    const isKept = sameValue(read(variable), read(this.saved.get(site)!.get(variable)!));
    return [{ kind: 'havoc', target: any }, assign(variable, conditional(isKept, read(variable), read(any)))];
  }

  private anyContents(object: FrameObject, site: Site, from: DraftLocation, { span }: Edge): DraftLocation {
    const type = scalarOf(object.ctype);
    const any = this.temporary(type, afterJump(object.name));
    const isKept = sameValue(load(type, addressOf(object)), read(this.saved.get(site)!.get(object)!));
    const to = this.draft.location(span);
    this.draft.edge(from, assume(isKept), to, span);
    const commands: readonly Command[] = [
      assume(not(isKept)),
      { kind: 'havoc', target: any },
      { kind: 'store', address: addressOf(object), type, value: read(any) },
    ];
    this.emit(from, commands, to, span);
    return to;
  }
}

/** For reports: the value is one that C leaves open (C11 7.13.2.1p3). */
const afterJump = (name: string): string => `${name} after longjmp`;

/** Also of the zeros of floating point, which are equal. NaN is no value of its own. */
function sameValue(a: Expression, b: Expression): Expression {
  if (a.type.kind !== 'float') return equal(a, b);
  const inverse = (e: Expression): Expression => binary('divide', float(1, e.type as FloatScalar), e);
  return and(equal(a, b), equal(inverse(a), inverse(b)));
}

const assign = (target: Variable, value: Expression): Command => ({ kind: 'assign', target, value });

const assume = (condition: Expression): Command => ({ kind: 'assume', condition });

const end = (object: FrameObject): Command => ({ kind: 'end', object });

const secondNumber = (place: Expression): Expression => offset(place, integer(8, int64));

const check = (kind: CheckKind, condition: Expression, text: string, { span }: Edge): Command => ({
  kind: 'check',
  check: kind,
  condition,
  text,
  span,
  ifUnchecked: 'assume',
});

/** The 16 bytes of the two numbers are there. */
function checksOf(place: Expression, name: string, how: 'read' | 'written', edge: Edge): Command[] {
  const start = offsetOf(place);
  const isInside = and(
    atMost(zero(int64), start),
    atMost(start, binary('subtract', objectSize(place), integer(16, int64))),
  );
  return [
    check('null-dereference', isNonNull(place), name, edge),
    check('dereference', and(isLive(place), isInside), name, edge),
    ...(how === 'written' ? [check('read-only', isWritable(place), name, edge)] : []),
  ];
}
