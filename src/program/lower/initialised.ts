/**
 * Definite assignment: the locals that are certainly written before every read. This is a forward must-analysis over
 * the automaton. The domain is a set of bits: one per scalar local and one per byte of an automatic object (one in all
 * for large objects). Objects whose address escapes lose their bits at calls and at copies to unknown places, because a
 * copy can bring uninitialised bytes.
 */
import type { VariableSymbol } from '../../c/tree';
import type { Automaton } from '../automata/automaton';
import type { Command } from '../command';
import type { Expression, FrameObject, Scalar, Variable } from '../expression';
import type { Edge, Location, StaticObject } from '../program';
import { dependsOnMemory, expressionsOf, operands, targetOf, walk } from '../traverse';
import type { DataModel } from '../../c/types';
import type { ProgramContext } from './context';
import { scalarBytes } from './objects/layout';

type Bits = bigint;
interface Range {
  readonly first: number;
  readonly count: number;
  readonly bytewise: boolean;
}
const largestBytewise = 256;

/** The symbols that some read may find uninitialised. */
export function mayBeReadUnset(
  automaton: Automaton,
  symbols: ReadonlyMap<Variable | FrameObject, VariableSymbol>,
  { model, copiesIntoStatics }: Pick<ProgramContext, 'model' | 'copiesIntoStatics'>,
): Set<VariableSymbol> {
  return new Analysis(automaton, symbols, model, copiesIntoStatics).run();
}

class Analysis {
  private readonly ranges = new Map<Variable | FrameObject, Range>();
  private readonly escaping = new Set<FrameObject>();
  private escapingBits: Bits = 0n;

  constructor(
    private readonly automaton: Automaton,
    private readonly symbols: ReadonlyMap<Variable | FrameObject, VariableSymbol>,
    private readonly model: DataModel,
    private readonly copiesIntoStatics: boolean,
  ) {
    let first = 0;
    for (const home of symbols.keys()) {
      const bytewise = home.kind === 'frame-object' && home.sizeBytes <= largestBytewise;
      const count = bytewise ? Math.max(1, home.sizeBytes) : 1;
      this.ranges.set(home, { first, count, bytewise });
      first += count;
    }
  }

  run(): Set<VariableSymbol> {
    const suspicious = new Set<VariableSymbol>();
    if (this.ranges.size === 0) return suspicious;
    for (const edge of this.automaton.edges) this.findEscapes(edge.command);
    for (const object of this.escaping) this.escapingBits |= this.mask(object);
    const before = this.solve();
    for (const edge of this.automaton.edges) {
      const set = before.get(edge.from);
      if (set === undefined) continue;
      for (const expression of expressionsOf(edge.command)) walk(expression, (e) => this.findUnset(e, set, suspicious));
    }
    return suspicious;
  }

  /** Bits certainly set at each reachable location. */
  private solve(): Map<Location, Bits> {
    const before = new Map<Location, Bits>([[this.automaton.entry, 0n]]);
    for (let changed = true; changed;) {
      changed = false;
      for (const location of this.automaton.locations) {
        const here = before.get(location);
        if (here === undefined) continue;
        for (const edge of location.edges) changed = this.flow(edge, here, before) || changed;
      }
    }
    return before;
  }

  private flow(edge: Edge, here: Bits, before: Map<Location, Bits>): boolean {
    const after = this.transfer(edge.command, here);
    const known = before.get(edge.to);
    const next = known === undefined ? after : known & after;
    if (next === known) return false;
    before.set(edge.to, next);
    return true;
  }

  private transfer(command: Command, set: Bits): Bits {
    let after = set;
    const target = targetOf(command);
    if (command.kind === 'call' || command.kind === 'external') after &= ~this.escapingBits;
    if (target) after = command.kind === 'havoc' ? after & ~this.mask(target) : after | this.mask(target);
    switch (command.kind) {
      case 'store':
        return after | this.coveredBits(command.address, scalarBytes(command.type, this.model));
      case 'fill':
        return after | this.coveredBy(command.target, command.size);
      case 'copy':
        return this.copy(command, after);
      case 'declare':
      case 'end':
        return after & ~this.mask(command.object);
      default:
        return after;
    }
  }

  private copy(command: Extract<Command, { kind: 'copy' }>, set: Bits): Bits {
    const target = accessedObject(command.target);
    if (!target) return set & ~this.escapingBits;
    const range = this.ranges.get(target.object);
    if (!range) return set;
    const initialised = command.size.kind === 'integer' && this.isSet(command.source, Number(command.size.value), set);
    return initialised ? set | this.coveredBy(command.target, command.size) : set & ~this.mask(target.object);
  }

  private isSet(source: Expression, bytes: number, set: Bits): boolean {
    const copied = staticBehind(source);
    if (copied) return !copied.writable || !this.copiesIntoStatics;
    const needed = this.coveredBits(source, bytes);
    return needed !== 0n && (set & needed) === needed;
  }

  private coveredBy(address: Expression, size: Expression): Bits {
    return size.kind === 'integer' ? this.coveredBits(address, Number(size.value)) : 0n;
  }

  /** The bits that a write of this many bytes certainly sets. */
  private coveredBits(address: Expression, bytes: number): Bits {
    const place = accessedObject(address);
    const range = place && this.ranges.get(place.object);
    if (!place || !range || place.delta === undefined) return 0n;
    if (!range.bytewise) return place.delta === 0 && bytes >= place.object.sizeBytes ? this.mask(place.object) : 0n;
    const [from, to] = [Math.max(0, place.delta), Math.min(range.count, place.delta + bytes)];
    return to <= from ? 0n : ((1n << BigInt(to - from)) - 1n) << BigInt(range.first + from);
  }

  private mask(home: Variable | FrameObject): Bits {
    const range = this.ranges.get(home);
    return range ? ((1n << BigInt(range.count)) - 1n) << BigInt(range.first) : 0n;
  }

  private findUnset(e: Expression, set: Bits, suspicious: Set<VariableSymbol>): void {
    if (e.kind === 'read') {
      const needed = this.mask(e.variable);
      if ((set & needed) !== needed) suspicious.add(this.symbols.get(e.variable)!);
    } else if (e.kind === 'load') {
      const place = accessedObject(e.address);
      if (!place || !this.ranges.has(place.object)) return;
      const needed =
        place.delta === undefined
          ? this.mask(place.object)
          : this.coveredBits(e.address, this.bytesOf(e.type)) || this.mask(place.object);
      if ((set & needed) !== needed) suspicious.add(this.symbols.get(place.object)!);
    }
  }

  private bytesOf(type: Scalar): number {
    return scalarBytes(type, this.model);
  }

  /** Finds addresses that have uses other than as the place of an access. */
  private findEscapes(command: Command): void {
    const access = (address: Expression): void => {
      const place = accessedObject(address);
      if (!place) this.escapesIn(address);
      else if (address.kind === 'offset') this.escapesIn(address.delta);
    };
    switch (command.kind) {
      case 'store':
        access(command.address);
        this.escapesIn(command.value);
        return;
      case 'fill':
        access(command.target);
        this.escapesIn(command.byte);
        this.escapesIn(command.size);
        return;
      case 'copy':
        access(command.target);
        access(command.source);
        this.escapesIn(command.size);
        return;
      default:
        for (const e of expressionsOf(command)) this.escapesIn(e);
    }
  }

  private escapesIn(e: Expression): void {
    if (e.kind === 'address' && e.of.kind === 'frame-object') {
      this.escaping.add(e.of);
    } else if (e.kind === 'load' && accessedObject(e.address)) {
      if (e.address.kind === 'offset') this.escapesIn(e.address.delta);
    } else if (dependsOnMemory(e) || operands(e).length > 0) {
      for (const operand of operands(e)) this.escapesIn(operand);
    }
  }
}

/** The automatic object that an address names directly. `delta` is set if it is constant. */
function accessedObject(
  address: Expression,
): { readonly object: FrameObject; readonly delta: number | undefined } | undefined {
  if (address.kind === 'address')
    return address.of.kind === 'frame-object' ? { object: address.of, delta: 0 } : undefined;
  if (address.kind !== 'offset' || address.pointer.kind !== 'address' || address.pointer.of.kind !== 'frame-object')
    return undefined;
  return {
    object: address.pointer.of,
    delta: address.delta.kind === 'integer' ? Number(address.delta.value) : undefined,
  };
}

function staticBehind(address: Expression): StaticObject | undefined {
  const base = address.kind === 'offset' ? address.pointer : address;
  return base.kind === 'address' && base.of.kind === 'static-object' ? base.of : undefined;
}
