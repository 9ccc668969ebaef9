/**
 * Facts known of the state at a point of a function while code for it is emitted: ranges of local integers, from checks
 * and conditions that held, and accesses found valid, with the locals that hold where they go. Assignments and effects
 * take away what depends on them.
 */
import { isBoolean, preserves } from '../../../program/build';
import type { Expression, FrameObject, IntegerScalar, Variable } from '../../../program/expression';
import type { Edge } from '../../../program/program';
import { keyOf } from '../../../program/automata/repeatedChecks';
import { operands, targetOf, variablesIn, walk } from '../../../program/traverse';
import type { Command } from '../../../program/command';
import { unreachable } from '../../../unreachable';

/** Inclusive; exact integers up to 2^52, infinite beyond. */
export interface ValueRange {
  readonly low: number;
  readonly high: number;
}

/** An access of some bytes that is in bounds of a live object in linear memory. */
export interface ValidAccess {
  readonly sizeBytes: number;
  /** Local with its linear address. */
  readonly address: number;
  /** Local with its object's entry in the table. */
  readonly entry: number;
}

/** Possible changes by commands, as the methods of `KnownFacts` distinguish them. */
export interface Effects {
  readonly variables: ReadonlySet<Variable>;
  /** Slots of automatic objects: see `objectChanged`. */
  readonly objects: ReadonlySet<number>;
  readonly memory: boolean;
  readonly copies: boolean;
  /** Functions that leave the lives of others' objects alone. */
  readonly others: boolean;
  readonly elsewhere: boolean;
}

/** Effect of a call on objects that are not the called function's own. */
export type CallEffect = 'writes' | 'writes and copies' | 'ends lives';

export interface EffectContext {
  ofCall(command: Command): CallEffect;
  /** True if no pointer of the function may lead to the object, so that its end concerns nobody else. */
  isPrivate(object: FrameObject): boolean;
  /** True if the command, which declares an object, may have to end an earlier one first. */
  mayEnd(edge: Edge): boolean;
}

export function effectsOf(edges: readonly Edge[], context: EffectContext): Effects {
  const variables = new Set<Variable>();
  const objects = new Set<number>();
  let memory = false;
  let copies = false;
  let others = false;
  let elsewhere = false;
  for (const edge of edges) {
    const { command } = edge;
    const target = targetOf(command);
    if (target) variables.add(target);
    switch (command.kind) {
      case 'store':
      case 'fill':
        memory = true;
        break;
      case 'copy':
        copies = true;
        break;
      case 'declare':
        objects.add(command.object.slot);
        if (!context.isPrivate(command.object) && context.mayEnd(edge)) elsewhere = true;
        break;
      case 'end':
        objects.add(command.object.slot);
        if (!context.isPrivate(command.object)) elsewhere = true;
        break;
      case 'havoc':
      case 'input':
      case 'free':
      case 'external':
        elsewhere = true;
        break;
      case 'call': {
        const effect = context.ofCall(command);
        if (effect === 'ends lives') elsewhere = true;
        else others = true;
        if (effect === 'writes and copies') copies = true;
        break;
      }
      case 'skip':
      case 'assume':
      case 'check':
      case 'assign':
      case 'allocate':
      case 'halt':
        break;
      default:
        return unreachable(command);
    }
  }
  return { variables, objects, memory, copies, others, elsewhere };
}

interface KnownFact<T> {
  readonly value: T;
  readonly variables: ReadonlySet<Variable>;
  /** Slots of automatic objects whose addresses it mentions. */
  readonly objects: ReadonlySet<number>;
  readonly readsMemory: boolean;
}

/** Largest object, and so the end of the largest offset of an access; both data models have no larger one. */
const largestSizeBytes = 0x7fff_ffff;

const exact = 2 ** 52;

export class KnownFacts {
  private constructor(
    private readonly ranges: Map<Variable, ValueRange>,
    private readonly accesses: Map<string, KnownFact<ValidAccess>>,
    private readonly entries: Map<string, KnownFact<number>>,
    private readonly compound: Map<string, KnownFact<ValueRange>>,
    private readonly initialised: Map<string, KnownFact<number>>,
    private readonly writable: Map<string, KnownFact<true>>,
  ) {}

  static nothing(): KnownFacts {
    return new KnownFacts(new Map(), new Map(), new Map(), new Map(), new Map(), new Map());
  }
  fork(): KnownFacts {
    return new KnownFacts(
      new Map(this.ranges),
      new Map(this.accesses),
      new Map(this.entries),
      new Map(this.compound),
      new Map(this.initialised),
      new Map(this.writable),
    );
  }

  access(key: string, sizeBytes: number): ValidAccess | undefined {
    const fact = this.accesses.get(key)?.value;
    return fact && fact.sizeBytes >= sizeBytes ? fact : undefined;
  }
  addAccess(key: string, address: Expression, access: ValidAccess): void {
    this.accesses.set(key, { value: access, ...dependencies(address) });
  }

  /** Local with the table entry of the live object that a pointer points into. */
  entry(key: string): number | undefined {
    return this.entries.get(key)?.value;
  }
  addEntry(key: string, pointer: Expression, local: number): void {
    this.entries.set(key, { value: local, ...dependencies(pointer) });
  }

  /** True if so many bytes behind the pointer were certainly written. */
  isInitialised(key: string, sizeBytes: number): boolean {
    return (this.initialised.get(key)?.value ?? 0) >= sizeBytes;
  }
  addInitialised(key: string, pointer: Expression, sizeBytes: number): void {
    if (!this.isInitialised(key, sizeBytes)) this.initialised.set(key, { value: sizeBytes, ...dependencies(pointer) });
  }

  /** True if the object of the pointer is certainly writable. */
  isWritable(key: string): boolean {
    return this.writable.has(key);
  }
  addWritable(key: string, pointer: Expression): void {
    this.writable.set(key, { value: true, ...dependencies(pointer) });
  }

  /** Bytes were copied, so some may count as unwritten that counted as written before. */
  copied(): void {
    this.initialised.clear();
    this.memoryWritten();
  }

  onAssigned(variable: Variable, value?: Expression): void {
    const range =
      value && variable.scope === 'local' && variable.type.kind === 'integer' ? this.rangeOf(value) : undefined;
    this.forget((fact) => fact.variables.has(variable));
    this.ranges.delete(variable);
    if (range && isFinite(range)) this.ranges.set(variable, range);
  }

  /** Contents of memory may have changed. */
  memoryWritten(): void {
    this.forget((fact) => fact.readsMemory);
  }

  /** Functions ran that may have written to memory and global variables, but ended no life of others' objects. */
  othersWrote(copies: 'copies' | 'no copies'): void {
    if (copies === 'copies') this.initialised.clear();
    this.forget((fact) => fact.readsMemory || [...fact.variables].some(({ scope }) => scope === 'global'));
  }

  /** An automatic object begins, or ends to which no pointer of the function leads. */
  objectChanged(slot: number): void {
    this.forget((fact) => fact.objects.has(slot));
  }

  /** Anything may have happened but to local variables. */
  elsewhereRan(): void {
    this.forget(() => true);
  }

  /** Some of these commands may have been executed, in any order. */
  mayHaveExecuted(effects: Effects): void {
    if (effects.elsewhere) this.elsewhereRan();
    else if (effects.others) this.othersWrote(effects.copies ? 'copies' : 'no copies');
    else if (effects.copies) this.copied();
    else if (effects.memory) this.memoryWritten();
    for (const slot of effects.objects) this.objectChanged(slot);
    for (const variable of effects.variables) this.onAssigned(variable);
  }

  /** A condition holds. */
  learn(condition: Expression): void {
    if (condition.kind === 'binary' && condition.operator === 'and') {
      if (isBoolean(condition.left) && isBoolean(condition.right)) {
        this.learn(condition.left);
        this.learn(condition.right);
      }
      return;
    }
    if (condition.kind !== 'compare') return;
    const { operator, left, right } = condition;
    if (operator !== 'lt' && operator !== 'le') return;
    const gap = operator === 'lt' ? 1 : 0;
    this.narrow(left, -Infinity, this.rangeOf(right).high - gap);
    this.narrow(right, this.rangeOf(left).low + gap, Infinity);
  }

  private narrow(e: Expression, low: number, high: number): void {
    let inner = e;
    while (
      inner.kind === 'convert' &&
      inner.type.kind === 'integer' &&
      inner.operand.type.kind === 'integer' &&
      preserves(inner.operand.type, inner.type)
    )
      inner = inner.operand;
    if (inner.kind === 'integer' || inner.type.kind !== 'integer') return;
    const before = this.rangeOf(inner);
    if (low <= before.low && high >= before.high) return;
    const range = { low: Math.max(before.low, low), high: Math.min(before.high, high) };
    if (inner.kind === 'read' && inner.variable.scope === 'local') this.ranges.set(inner.variable, range);
    else this.compound.set(keyOf(inner), { value: range, ...dependencies(inner) });
  }

  /** Range of an integer expression's mathematical value. */
  rangeOf(e: Expression): ValueRange {
    if (e.type.kind !== 'integer') return everything;
    if (this.compound.size > 0 && e.kind !== 'integer') {
      const range = this.compound.get(keyOf(e))?.value;
      if (range) return range;
    }
    const whole = wholeRange(e.type);
    const fitting = (range: ValueRange): ValueRange =>
      range.low >= whole.low && range.high <= whole.high ? range : whole;
    switch (e.kind) {
      case 'integer':
        return boundedRange(Number(e.value), Number(e.value));
      case 'read':
        return this.ranges.get(e.variable) ?? whole;
      case 'convert': {
        if (e.operand.type.kind !== 'integer') return whole;
        const range = this.rangeOf(e.operand);
        return preserves(e.operand.type, e.type) || isFinite(range) ? fitting(range) : whole;
      }
      case 'compare':
        return { low: 0, high: 1 };
      case 'object-size':
        return { low: 0, high: largestSizeBytes };
      case 'offset-of':
        return { low: -(2 ** 31), high: 2 ** 31 - 1 };
      case 'conditional': {
        const [a, b] = [this.rangeOf(e.then), this.rangeOf(e.otherwise)];
        return { low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) };
      }
      case 'binary': {
        const [a, b] = [this.rangeOf(e.left), this.rangeOf(e.right)];
        // Beyond what is exact here, a result may wrap.
        if (!isFinite(a) || !isFinite(b)) return whole;
        switch (e.operator) {
          case 'add':
            return fitting(boundedRange(a.low + b.low, a.high + b.high));
          case 'subtract':
            return fitting(boundedRange(a.low - b.high, a.high - b.low));
          case 'multiply': {
            const products = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
            const range = boundedRange(Math.min(...products), Math.max(...products));
            return isFinite(range) ? fitting(range) : whole;
          }
          case 'and':
            return b.low >= 0 ? { low: 0, high: b.high } : a.low >= 0 ? { low: 0, high: a.high } : whole;
          case 'remainder':
            if (b.low <= 0) return whole;
            return a.low >= 0
              ? { low: 0, high: Math.min(a.high, b.high - 1) }
              : { low: Math.max(a.low, 1 - b.high), high: Math.max(0, Math.min(a.high, b.high - 1)) };
          case 'shift-right':
            if (e.right.kind !== 'integer' || a.low < 0) return whole;
            return { low: 0, high: Math.floor(a.high / 2 ** (Number(e.right.value) & (e.type.widthBits - 1))) };
          default:
            return whole;
        }
      }
      default:
        return whole;
    }
  }

  private forget(isGone: (fact: KnownFact<unknown>) => boolean): void {
    for (const [key, fact] of this.accesses) if (isGone(fact)) this.accesses.delete(key);
    for (const [key, fact] of this.entries) if (isGone(fact)) this.entries.delete(key);
    for (const [key, fact] of this.compound) if (isGone(fact)) this.compound.delete(key);
    for (const [key, fact] of this.initialised) if (isGone(fact)) this.initialised.delete(key);
    for (const [key, fact] of this.writable) if (isGone(fact)) this.writable.delete(key);
  }
}

const isFinite = ({ low, high }: ValueRange): boolean => Number.isFinite(low) && Number.isFinite(high);
const everything: ValueRange = { low: -Infinity, high: Infinity };

function boundedRange(low: number, high: number): ValueRange {
  return {
    low: low < -exact ? -Infinity : Math.min(low, exact),
    high: high > exact ? Infinity : Math.max(high, -exact),
  };
}

function wholeRange(type: IntegerScalar): ValueRange {
  const { widthBits, signed } = type;
  if (widthBits === 64) return signed ? everything : { low: 0, high: Infinity };
  return signed
    ? { low: -(2 ** (widthBits - 1)), high: 2 ** (widthBits - 1) - 1 }
    : { low: 0, high: 2 ** widthBits - 1 };
}

function dependencies(e: Expression): Omit<KnownFact<unknown>, 'value'> {
  let readsMemory = false;
  const objects = new Set<number>();
  walk(e, (inner) => {
    if (inner.kind === 'load' || inner.kind === 'is-initialised' || inner.kind === 'list') readsMemory = true;
    if (inner.kind === 'address' && inner.of.kind === 'frame-object') objects.add(inner.of.slot);
  });
  return { variables: variablesIn(e), objects, readsMemory };
}

/** A pointer as the object it comes from and the bytes added. */
export function rootOf(address: Expression): { readonly root: Expression; readonly deltas: readonly Expression[] } {
  const deltas: Expression[] = [];
  let root = address;
  while (root.kind === 'offset') {
    deltas.unshift(root.delta);
    [root] = operands(root) as [Expression, Expression];
  }
  return { root, deltas };
}
