/**
 * Drops a check if an equal one precedes it on every path and its operands have not changed since: `p->a + p->b` needs
 * one check of `p` (available expressions; Muchnick, Advanced Compiler Design, 13.1). A violation of the dropped check
 * also violates the earlier one, in the same property, and is reported there. Assertions of the program are all kept.
 */
import type { DraftEdge, DraftLocation } from './draft';
import type { Check, Command } from '../command';
import type { Expression, Variable } from '../expression';
import { targetOf, variablesIn, walk } from '../traverse';
import { unreachable } from '../../unreachable';

type Bits = bigint;

/** `locations` in reverse post-order, the entry first. */
export function dropRepeatedChecks(locations: readonly DraftLocation[]): void {
  const available = new AvailableChecks(locations.flatMap(({ edges }) => edges));
  if (available.isEmpty) return;
  const before = new Map<DraftLocation, Bits>(locations.map((location) => [location, available.all]));
  before.set(locations[0]!, 0n);
  for (let changed = true; changed;) {
    changed = false;
    for (const location of locations) {
      for (const edge of location.edges) {
        const known = before.get(edge.to)!;
        const next = known & available.after(edge, before.get(location)!);
        if (next === known) continue;
        before.set(edge.to, next);
        changed = true;
      }
    }
  }
  for (const location of locations) {
    for (const edge of location.edges)
      if (available.isRedundant(edge, before.get(location)!)) edge.command = { kind: 'skip' };
  }
}

class AvailableChecks {
  private readonly bit = new Map<string, Bits>();
  private readonly generates = new Map<DraftEdge, Bits>();
  private readonly byVariable = new Map<Variable, Bits>();
  private onGlobals: Bits = 0n;
  private onContents: Bits = 0n;
  private onLives: Bits = 0n;

  constructor(edges: readonly DraftEdge[]) {
    const counts = new Map<string, number>();
    const keyed = edges.flatMap((edge) => {
      const { command } = edge;
      if (command.kind !== 'check' || isClaim(command.check)) return [];
      const key = keyOfCheck(command);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      return [{ edge, key, condition: command.condition }];
    });
    for (const { edge, key, condition } of keyed) {
      if (counts.get(key) === 1) continue;
      let bit = this.bit.get(key);
      if (bit === undefined) {
        bit = 1n << BigInt(this.bit.size);
        this.bit.set(key, bit);
        this.note(condition, bit);
      }
      this.generates.set(edge, bit);
    }
  }

  get isEmpty(): boolean {
    return this.bit.size === 0;
  }
  get all(): Bits {
    return (1n << BigInt(this.bit.size)) - 1n;
  }

  after(edge: DraftEdge, before: Bits): Bits {
    return (before & ~this.killedBy(edge.command)) | (this.generates.get(edge) ?? 0n);
  }

  isRedundant(edge: DraftEdge, before: Bits): boolean {
    return (before & (this.generates.get(edge) ?? 0n)) !== 0n;
  }

  private note(condition: Expression, bit: Bits): void {
    for (const variable of variablesIn(condition)) {
      this.byVariable.set(variable, (this.byVariable.get(variable) ?? 0n) | bit);
      if (variable.scope === 'global') this.onGlobals |= bit;
    }
    walk(condition, (e) => {
      if (e.kind === 'load' || e.kind === 'is-initialised' || isAboutHeap(e)) this.onContents |= bit;
      if (
        isAboutHeap(e) ||
        e.kind === 'is-live' ||
        e.kind === 'object-size' ||
        e.kind === 'is-heap' ||
        e.kind === 'is-writable' ||
        e.kind === 'address'
      )
        this.onLives |= bit;
    });
  }

  private killedBy(command: Command): Bits {
    const target = targetOf(command);
    const own = target ? (this.byVariable.get(target) ?? 0n) : 0n;
    switch (command.kind) {
      case 'skip':
      case 'assume':
      case 'check':
      case 'halt':
      case 'assign':
      case 'havoc':
      case 'input':
        return own;
      case 'store':
      case 'copy':
      case 'fill':
        return own | this.onContents;
      case 'allocate':
      case 'free':
      case 'declare':
      case 'end':
        return own | this.onContents | this.onLives;
      case 'call':
      case 'external':
        return own | this.onContents | this.onLives | this.onGlobals;
      default:
        return unreachable(command);
    }
  }
}

function keyOfCheck({ check, ifUnchecked, condition }: Check): string {
  return `${check} ${ifUnchecked} ${keyOf(condition)}`;
}

/** Equal for expressions that differ in object identity only. */
export function keyOf(e: Expression): string {
  const type =
    e.type.kind === 'pointer'
      ? 'p'
      : `${e.type.kind === 'integer' && !e.type.signed ? 'u' : e.type.kind[0]}${e.type.widthBits}`;
  switch (e.kind) {
    case 'integer':
    case 'float':
      return `${type}:${String(e.value)}${Object.is(e.value, -0) ? '-' : ''}`;
    case 'null':
      return 'null';
    case 'read':
      return `${e.variable.scope[0]}${e.variable.slot}`;
    case 'address':
      return e.of.kind === 'frame-object'
        ? `&f${e.of.slot}`
        : e.of.kind === 'static-object'
          ? `&s${e.of.number}`
          : `&${e.of.name}`;
    case 'load':
      return `(load ${type} ${keyOf(e.address)})`;
    case 'unary':
      return `(${e.operator} ${type} ${keyOf(e.operand)})`;
    case 'convert':
      return `(convert ${type} ${keyOf(e.operand)})`;
    case 'binary':
    case 'compare':
      return `(${e.operator} ${type} ${keyOf(e.left)} ${keyOf(e.right)})`;
    case 'offset':
      return `(offset ${keyOf(e.pointer)} ${keyOf(e.delta)})`;
    case 'object-of':
    case 'offset-of':
    case 'object-size':
    case 'is-live':
    case 'is-writable':
    case 'is-heap':
      return `(${e.kind} ${keyOf(e.pointer)})`;
    case 'is-initialised':
      return `(${e.kind} ${e.sizeBytes} ${keyOf(e.pointer)})`;
    case 'all-reached':
      return `(${e.kind} ${e.from.map(keyOf).join(' ')})`;
    case 'list':
      return `(${e.is} ${e.linkBytes} ${e.nodeBytes} ${keyOf(e.list)} ${keyOf(e.node)} ${keyOf(e.condition)})`;
    case 'conditional':
      return `(if ${type} ${keyOf(e.condition)} ${keyOf(e.then)} ${keyOf(e.otherwise)})`;
    default:
      return unreachable(e);
  }
}

/** Follows pointers from object to object. */
const isAboutHeap = ({ kind }: Expression): boolean => kind === 'all-reached' || kind === 'list';

/** Conditions that users write. They are never dropped, so that each can be reported on. */
const isClaim = (kind: Check['check']): boolean =>
  kind === 'assertion' || kind === 'unreachable' || kind === 'precondition' || kind === 'postcondition';
