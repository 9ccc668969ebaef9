/**
 * The external environment of a program while it runs: the pointers that functions without a body received, the memory
 * they reach from there, and their effects. It uses only pointers that exist in the run: an object changes only if its
 * address was passed out or is stored in an object that the environment reaches.
 */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import type { CType } from '../../c/types';
import type { Command, ExternalCommand } from '../../program/command';
import { pointer, type FrameObject, type Scalar } from '../../program/expression';
import { isBool, scalarBytes } from '../../program/lower/objects/layout';
import { entryBytes, valueOffset } from '../../program/lower/calls/variadic';
import {
  isWrittenOutside,
  type FunctionDefinition,
  type GlobalVariable,
  type Program,
  type StaticObject,
} from '../../program/program';
import type { CallBacks } from '../../semantics/pointers/callbacks';
import {
  isWide,
  objectNumber,
  offsetBytes as offsetIn,
  pointerAt,
  pointerTo,
  wrapInteger,
  type ConcreteValue,
} from '../../semantics/concrete/concreteValues';
import type { MemoryBlock } from '../../semantics/concrete/memoryBlock';
import { cellsIn } from '../../semantics/pointers/slotLayout';
import type { Machine, RunOutcome } from '../../semantics/concrete/machine';
import type { Regions } from '../../semantics/pointers/regions';
import { unreachable } from '../../unreachable';
import { type ExternalEffect, isAccessPath, type AccessPath } from './externalEffect';
import { type ScalarPlace, scalarPlaces } from './scalarPlaces';

export type AllocateCommand = Extract<Command, { kind: 'allocate' }>;

export interface ExternalEnvironmentOptions {
  /** Who is called back by whom. */
  readonly callBacks: CallBacks;
  /** Functions that do nothing besides. */
  readonly onlyAnswers: (name: string) => boolean;
  /** Contents of memory from the allocator, which has no type of its own. */
  readonly regions: () => Regions;
  readonly permits: (fn: FunctionDefinition, args: readonly ConcreteValue[], machine: Machine) => boolean;
}

/** A pointer with what it is known to point to. */
export interface KnownPointer {
  readonly pointer: ConcreteValue;
  readonly to: CType | undefined;
  /** A structure by value: other code does not see writes to it. */ readonly copy?: true;
}
export interface KnownAccessPath extends KnownPointer {
  readonly path: AccessPath;
}
/** A scalar that can be written, `offsetBytes` behind the pointer that the access path leads to. */
export interface WritableScalar {
  readonly to: AccessPath;
  readonly offsetBytes: number;
  readonly type: Scalar;
  readonly ctype: CType | undefined;
}
/** The effects that a function without a body can have now. */
export interface PossibleEffects {
  readonly writes: readonly WritableScalar[];
  readonly sets: readonly GlobalVariable[];
  readonly frees: readonly AccessPath[];
  readonly calls: readonly FunctionDefinition[];
  readonly paths: readonly KnownAccessPath[];
}

const limits = {
  callsBack: 40,
  writes: 200,
  /** Calls back within calls back. */
  nestedCallsBack: 3,
} as const;

export class ExternalEnvironment {
  private asks: (readonly KnownPointer[])[] = [];
  private readonly names: string[] = [];
  private fresh: (KnownPointer & { readonly command: AllocateCommand }) | undefined;
  /** Calls back that run now, each within the one before it. */
  private depth = 0;
  /** Objects of the client, which have the types of the parameters they were made for. */
  private readonly client = new Map<number, CType>();
  /** Types by themselves with qualifiers. */
  private readonly bare = new Map<CType, CType>();
  private readonly places = new Map<CType, readonly ScalarPlace[]>();

  constructor(
    private readonly program: Program,
    private readonly machine: Machine,
    private readonly options: ExternalEnvironmentOptions,
  ) {}

  begin(): void {
    this.asks = [];
    this.names.length = 0;
    this.client.clear();
    this.depth = 0;
  }

  get nesting(): number {
    return this.depth;
  }

  madeByClient(object: ConcreteValue, type: CType): void {
    this.client.set(objectNumber(object), type);
  }

  /** A function without a body is called; the number of that call. */
  answerCall(
    { name, arguments: given, resultBytes, rest = [] }: ExternalCommand,
    values: readonly ConcreteValue[],
  ): number {
    const type = this.program.externals.find((external) => external.name === name)?.ctype;
    const parameters = type?.kind === 'function' ? type.parameters : [];
    const own = resultBytes === undefined ? 0 : 1;
    const known = values.map((value, i): KnownPointer => {
      if (i < own) return { pointer: 0, to: undefined };
      const parameter = parameters[i - own]?.type;
      const { type: scalar } = given[i]!;
      if (scalar.kind === 'pointer')
        return parameter?.kind === 'record'
          ? { pointer: value, to: parameter, copy: true }
          : { pointer: value, to: targetOf(parameter) };
      // An address told as a number.
      return {
        pointer:
          scalar.kind === 'integer' && scalar.widthBits === 8 * scalarBytes(pointer, this.program.dataModel)
            ? pointerAt(BigInt(value), this.program.dataModel)
            : 0,
        to: undefined,
      };
    });
    const list = values[values.length - 1];
    if (rest.length > 0 && list !== undefined) {
      known.pop();
      let at = offsetIn(list);
      for (const one of rest) {
        if (one.kind === 'pointer')
          known.push({
            pointer: this.machine.memory.load(pointerTo(objectNumber(list), at + valueOffset), pointer),
            to: one.to,
          });
        at += entryBytes(sizeOf(one, this.program.dataModel) ?? 8);
      }
    }
    this.names.push(name);
    return this.asks.push(known) - 1;
  }

  /** While `body` runs, `fresh` is the way to this memory. */
  withObject<T>(command: AllocateCommand, memory: ConcreteValue, body: () => T): T {
    this.fresh = { pointer: memory, to: undefined, command };
    const result = body();
    this.fresh = undefined;
    return result;
  }

  /** Integers that are looked for in the memory that is given out now. */
  offerOfFresh(): readonly WritableScalar[] {
    const block = this.fresh && this.machine.memory.block(this.fresh.pointer);
    const regions = this.options.regions();
    const node = this.fresh && regions.nodeOfOrigin(this.fresh.command);
    if (!block || !node) return [];
    const layout = regions.layout(node);
    if (layout.kind === 'bytes') return [];
    return layout.slots
      .filter(({ type }) => type.kind === 'integer')
      .flatMap((slot) => {
        return cellsIn(layout, slot, block.sizeBytes, limits.writes).map((offsetBytes): WritableScalar => ({
          to: { kind: 'fresh' },
          offsetBytes,
          type: slot.type,
          ctype: undefined,
        }));
      });
  }

  /** Possible effects of the function called `name`. */
  possibleEffects(name: string): PossibleEffects {
    if (this.options.onlyAnswers(name)) return { writes: [], sets: [], frees: [], calls: [], paths: [] };
    const paths = this.paths();
    const writes = paths
      .flatMap((known) => {
        const block = this.living(known.pointer);
        if (!block?.writable || known.copy) return [];
        const at = offsetIn(known.pointer);
        return this.writableIn(block, known).map(({ offsetBytes, type, ctype }): WritableScalar => ({
          to: known.path,
          offsetBytes: offsetBytes - at,
          type,
          ctype,
        }));
      })
      .slice(0, limits.writes);
    return {
      writes,
      paths,
      sets: this.program.globals.filter(isWrittenOutside),
      frees: paths
        .filter(({ pointer: p, copy }) => !copy && this.living(p)?.kind === 'heap' && offsetIn(p) === 0)
        .map(({ path }) => path),
      calls: this.depth < limits.nestedCallsBack ? this.calledBackBy(name) : [],
    };
  }

  /** True if it could be, and was, done; or how the run ended meanwhile. */
  perform(effect: ExternalEffect, name: string, ask: number | undefined): boolean | RunOutcome {
    const { memory, globals } = this.machine;
    if (this.options.onlyAnswers(name)) return false;
    switch (effect.kind) {
      case 'write': {
        const known = this.resolve(effect.to, ask);
        const block = known && this.living(known.pointer);
        if (!known || known.copy || !block?.writable) return false;
        const offsetBytes = offsetIn(known.pointer) + effect.offsetBytes;
        const places: readonly Omit<WritableScalar, 'to'>[] =
          effect.to.kind === 'fresh' ? this.offerOfFresh() : this.writableIn(block, known);
        const place = places.find((one) => one.offsetBytes === offsetBytes && sameScalar(one.type, effect.type));
        if (!place) return false;
        const value = this.value(effect.value, place.type, place.ctype, ask);
        if (value === undefined) return false;
        memory.store(pointerTo(objectNumber(known.pointer), offsetBytes), effect.type, value);
        return true;
      }
      case 'set': {
        const global = this.visible(effect.variable);
        if (!global || !isWrittenOutside(global)) return false;
        const value = this.value(effect.value, global.variable.type, global.variable.ctype, ask);
        if (value === undefined) return false;
        globals[global.variable.slot] = value;
        return true;
      }
      case 'free': {
        const known = this.resolve(effect.what, ask);
        if (!known || known.copy || this.living(known.pointer)?.kind !== 'heap' || offsetIn(known.pointer) !== 0)
          return false;
        memory.free(known.pointer);
        return true;
      }
      case 'call':
        return this.callBack(effect, name);
      default:
        return unreachable(effect);
    }
  }

  /** The function called `ago` calls before the `ask`-th. */
  nameOf(ago: number, ask: number | undefined): string {
    return this.names[(ask ?? 0) - ago] ?? '';
  }

  private callBack(
    { function: called, arguments: args }: Extract<ExternalEffect, { kind: 'call' }>,
    name: string,
  ): boolean | RunOutcome {
    const fn = this.calledBackBy(name).find((one) => one.name === called);
    const isClient = fn && this.options.callBacks.entries.includes(fn);
    if (!fn || this.depth >= limits.nestedCallsBack || args.length !== fn.parameters.length) return false;
    if (
      !fn.parameters.every(({ type, ctype }, i) => this.value(args[i]!, type, ctype, undefined) !== undefined) ||
      !this.options.permits(fn, args, this.machine)
    )
      return false;
    this.depth++;
    const outcome = this.machine.call(fn, args);
    this.depth--;
    switch (outcome.kind) {
      case 'returned':
        return true;
      // Functions that are no entries are called only as they may be; and so are those with preconditions.
      case 'fault':
        return isClient && outcome.fault.check !== 'precondition' ? outcome : { kind: 'stopped', reason: 'assume' };
      case 'halted':
      case 'stopped':
      case 'limit':
        return outcome;
      default:
        return unreachable(outcome);
    }
  }

  private calledBackBy(name: string): readonly FunctionDefinition[] {
    const { by, entries, others } = this.options.callBacks;
    return by.has(name) ? [...entries, ...others] : [];
  }

  private visible(name: string): GlobalVariable | undefined {
    return this.program.globals.find(({ visible, variable }) => visible && variable.name === name);
  }

  private living(p: ConcreteValue): MemoryBlock | undefined {
    const block = this.machine.memory.block(p);
    return block?.live && block.kind !== 'function' && offsetIn(p) >= 0 ? block : undefined;
  }

  /** Everything that can be reached now, each object once. */
  private paths(): readonly KnownAccessPath[] {
    const found: KnownAccessPath[] = [];
    const seen = new Set<MemoryBlock>();
    const copies = new Set<MemoryBlock>();
    const add = (path: AccessPath, known: KnownPointer): void => {
      const block = this.living(known.pointer);
      if (!block || (known.copy ? copies : seen).has(block) || found.length >= limits.callsBack) return;
      (known.copy ? copies : seen).add(block);
      found.push({ path, ...known });
    };
    for (let ask = this.asks.length - 1; ask >= 0 && found.length < limits.callsBack; ask--)
      this.asks[ask]!.forEach((known, index) => {
        add({ kind: 'argument', ago: this.asks.length - 1 - ask, index }, known);
      });
    for (const { variable, visible } of this.program.globals) {
      if (visible && variable.type.kind === 'pointer')
        add(
          { kind: 'variable', name: variable.name },
          { pointer: this.machine.globals[variable.slot]!, to: targetOf(variable.ctype) },
        );
    }
    for (const object of this.program.objects)
      if (object.visible)
        add({ kind: 'object', name: object.name }, { pointer: pointerTo(object.number), to: object.ctype });
    for (let i = 0; i < found.length; i++) {
      const known = found[i]!;
      const block = this.living(known.pointer)!;
      const at = offsetIn(known.pointer);
      for (const { offsetBytes, type, ctype } of this.placesOf(block, known)) {
        if (type.kind !== 'pointer') continue;
        add(
          { kind: 'inside', of: known.path, offsetBytes: offsetBytes - at },
          { pointer: this.machine.memory.load(pointerTo(block.number, offsetBytes), pointer), to: targetOf(ctype) },
        );
      }
    }
    return found;
  }

  /** Target of a path now. */
  resolve(path: AccessPath, ask: number | undefined): KnownPointer | undefined {
    switch (path.kind) {
      case 'argument':
        return ask === undefined ? undefined : this.asks[ask - path.ago]?.[path.index];
      case 'variable': {
        const global = this.visible(path.name);
        return global?.variable.type.kind === 'pointer'
          ? { pointer: this.machine.globals[global.variable.slot]!, to: targetOf(global.variable.ctype) }
          : undefined;
      }
      case 'object': {
        const object = this.program.objects.find(({ name, visible }) => visible && name === path.name);
        return object && { pointer: pointerTo(object.number), to: object.ctype };
      }
      case 'inside': {
        const known = this.resolve(path.of, ask);
        const block = known && this.living(known.pointer);
        if (!known || !block) return undefined;
        const offsetBytes = offsetIn(known.pointer) + path.offsetBytes;
        const place = this.placesOf(block, known).find(
          (one) => one.offsetBytes === offsetBytes && one.type.kind === 'pointer',
        );
        return (
          place && {
            pointer: this.machine.memory.load(pointerTo(block.number, offsetBytes), pointer),
            to: targetOf(place.ctype),
          }
        );
      }
      case 'fresh':
        return this.fresh;
      default:
        return unreachable(path);
    }
  }

  /**
   * As declared; of memory from the allocator, elements of the type that the pointer says. Offsets count from the
   * object's start.
   */
  private placesOf(block: MemoryBlock, { pointer: p, to }: KnownPointer): readonly ScalarPlace[] {
    const declared = declaredType(block) ?? this.unqualified(this.client.get(block.number));
    if (declared)
      return this.placesIn(declared).filter(
        ({ offsetBytes, type }) => offsetBytes + scalarBytes(type, this.program.dataModel) <= block.sizeBytes,
      );
    // Through a pointer to const others may write an object that is not defined so.
    const element = this.unqualified(to);
    const bytes = element && sizeOf(element, this.program.dataModel);
    if (!bytes || !this.isPlain(block, element)) return [];
    const found: ScalarPlace[] = [];
    const first = offsetIn(p);
    for (let at = first; at + bytes <= block.sizeBytes && found.length < limits.writes; at += bytes)
      found.push(...this.placesIn(element).map((place) => ({ ...place, offsetBytes: at + place.offsetBytes })));
    return found;
  }

  /** Places in it that are not `const`. */
  private writableIn(block: MemoryBlock, known: KnownPointer): readonly ScalarPlace[] {
    return this.placesOf(block, known).filter(({ isConstant }) => !isConstant);
  }

  private unqualified(type: CType | undefined): CType | undefined {
    if (!type) return undefined;
    let found = this.bare.get(type);
    if (!found) this.bare.set(type, (found = withoutQualifiers(type)));
    return found;
  }

  private placesIn(type: CType): readonly ScalarPlace[] {
    let places = this.places.get(type);
    if (!places) this.places.set(type, (places = scalarPlaces(type, this.program.dataModel)));
    return places;
  }

  /** Numbers are not written over pointers. */
  private isPlain(block: MemoryBlock, to: CType): boolean {
    if (this.placesIn(to).some(({ type }) => type.kind === 'pointer')) return true;
    const regions = this.options.regions();
    if (regions.collapsed) return !(to.kind === 'integer' && to.widthBits === 8);
    const node = block.origin && regions.nodeOfOrigin(block.origin);
    return node !== undefined && node.contents.length === 0;
  }

  /** Value as written; undefined when the type has no such value, or there is no such pointer. */
  private value(
    value: ConcreteValue | AccessPath,
    type: Scalar,
    ctype: CType | undefined,
    ask: number | undefined,
  ): ConcreteValue | undefined {
    if (isAccessPath(value)) {
      const known = this.resolve(value, ask);
      return known && !known.copy && this.living(known.pointer) && type.kind === 'pointer' && pointsTo(ctype, known.to)
        ? known.pointer
        : undefined;
    }
    switch (type.kind) {
      case 'pointer':
        return value === 0 ? 0 : undefined;
      case 'float':
        return typeof value === 'number' && (type.widthBits === 64 || Object.is(Math.fround(value), value))
          ? value
          : undefined;
      case 'integer': {
        if ((typeof value === 'bigint') !== isWide(type) || (typeof value === 'number' && !Number.isInteger(value)))
          return undefined;
        return wrapInteger(BigInt(value), type) === value && !(ctype && isBool(ctype) && Number(value) > 1)
          ? value
          : undefined;
      }
      default:
        return unreachable(type);
    }
  }
}

/** May a pointer of this type be given the address of such an object? */
export function pointsTo(type: CType | undefined, object: CType | undefined): boolean {
  if (type?.kind !== 'pointer' || object === undefined) return false;
  const element = object.kind === 'array' ? object.of : object;
  return type.to.kind === 'void' || printType(withoutQualifiers(type.to)) === printType(withoutQualifiers(element));
}

const targetOf = (type: CType | undefined): CType | undefined => (type?.kind === 'pointer' ? type.to : undefined);

/** Static and automatic objects have one. */
function declaredType({ origin }: MemoryBlock): CType | undefined {
  return origin !== undefined && 'ctype' in origin ? (origin as StaticObject | FrameObject).ctype : undefined;
}

function sameScalar(a: Scalar, b: Scalar): boolean {
  if (a.kind === 'pointer' || b.kind === 'pointer') return a.kind === b.kind;
  return (
    a.kind === b.kind &&
    a.widthBits === b.widthBits &&
    (a.kind !== 'integer' || b.kind !== 'integer' || a.signed === b.signed)
  );
}
