/**
 * Facts known of the state at a point of a function while code for it is emitted: ranges of local integers, from checks
 * and conditions that held, and accesses found valid, with the locals that hold where they go. Assignments and effects
 * take away what depends on them.
 */
import { isBoolean, preserves } from '../../../program/build';
import type { Expression, IntegerScalar, Variable } from '../../../program/expression';
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
  /** Local with the distance to its object's shadow, if there is one. */
  readonly shadow: number | undefined;
}

/** Possible changes by commands, as the methods of `KnownFacts` distinguish them. */
export interface Effects {
  readonly variables: ReadonlySet<Variable>;
  readonly memory: boolean;
  /** Functions that leave the lives of others' objects alone. */
  readonly others: boolean;
  readonly elsewhere: boolean;
}

/** `leavesObjects`: see `KnownFacts.othersWrote`. */
export function effectsOf(commands: readonly Command[], leavesObjects: (command: Command) => boolean): Effects {
  const variables = new Set<Variable>();
  let memory = false;
  let others = false;
  let elsewhere = false;
  for (const command of commands) {
    const target = targetOf(command);
    if (target) variables.add(target);
    switch (command.kind) {
      case 'store':
      case 'fill':
        memory = true;
        break;
      case 'copy':
      case 'havoc':
      case 'input':
      case 'free':
      case 'declare':
      case 'end':
      case 'external':
        elsewhere = true;
        break;
      case 'call':
        if (leavesObjects(command)) others = true;
        else elsewhere = true;
        break;
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
  return { variables, memory, others, elsewhere };
}

interface KnownFact<T> {
  readonly value: T;
  readonly variables: ReadonlySet<Variable>;
  readonly readsMemory: boolean;
}

const exact = 2 ** 52;

export class KnownFacts {
  private constructor(
    private readonly ranges: Map<Variable, ValueRange>,
    private readonly accesses: Map<string, KnownFact<ValidAccess>>,
    private readonly entries: Map<string, KnownFact<number>>,
    private readonly compound: Map<string, KnownFact<ValueRange>>,
  ) {}

  static nothing(): KnownFacts {
    return new KnownFacts(new Map(), new Map(), new Map(), new Map());
  }
  fork(): KnownFacts {
    return new KnownFacts(new Map(this.ranges), new Map(this.accesses), new Map(this.entries), new Map(this.compound));
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

  /** An object all of whose bytes counted as written may have got a shadow, so its distance is to be read again. */
  shadowAppeared(): void {
    for (const [key, { value, ...rest }] of this.accesses)
      if (value.shadow !== undefined) this.accesses.set(key, { value: { ...value, shadow: undefined }, ...rest });
  }

  /** Functions ran that may have written to memory and global variables, but ended no life and gave nobody a shadow. */
  othersWrote(): void {
    this.forget((fact) => fact.readsMemory || [...fact.variables].some(({ scope }) => scope === 'global'));
  }

  /** Anything may have happened but to local variables. */
  elsewhereRan(): void {
    this.forget(() => true);
  }

  /** Some of these commands may have been executed, in any order. */
  mayHaveExecuted(effects: Effects): void {
    if (effects.elsewhere) this.elsewhereRan();
    else if (effects.others) this.othersWrote();
    else if (effects.memory) this.memoryWritten();
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
            return fitting(boundedRange(Math.min(...products), Math.max(...products)));
          }
          case 'and':
            return b.low >= 0 ? { low: 0, high: b.high } : a.low >= 0 ? { low: 0, high: a.high } : whole;
          case 'remainder':
            return b.low > 0 && a.low >= 0 ? { low: 0, high: Math.min(a.high, b.high - 1) } : whole;
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
  }
}

const isFinite = ({ low, high }: ValueRange): boolean => Number.isFinite(low) && Number.isFinite(high);
const everything: ValueRange = { low: -Infinity, high: Infinity };

function boundedRange(low: number, high: number): ValueRange {
  return { low: low >= -exact ? low : -Infinity, high: high <= exact ? high : Infinity };
}

function wholeRange(type: IntegerScalar): ValueRange {
  const { widthBits, signed } = type;
  if (widthBits === 64) return signed ? everything : { low: 0, high: Infinity };
  return signed
    ? { low: -(2 ** (widthBits - 1)), high: 2 ** (widthBits - 1) - 1 }
    : { low: 0, high: 2 ** widthBits - 1 };
}

function dependencies(e: Expression): { readonly variables: ReadonlySet<Variable>; readonly readsMemory: boolean } {
  let readsMemory = false;
  walk(e, (inner) => {
    if (inner.kind === 'load' || inner.kind === 'is-initialised') readsMemory = true;
  });
  return { variables: variablesIn(e), readsMemory };
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
