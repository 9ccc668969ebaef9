/**
 * Places in clients' objects that hold a value of one kind at every time. A client keeps to it; here it is found out
 * whether the program does, too: what it stores there must be of the kind, or read from such a place or variable.
 * Flow-insensitive, the greatest set for which this holds.
 */
import type { CType } from '../../c/types';
import type { Command } from '../../program/command';
import { exactly } from '../../program/congruence';
import type { Expression, Variable } from '../../program/expression';
import { type FunctionDefinition, initialisedBytes, type Program, type StaticObject } from '../../program/program';
import { cellsIn, slotAt, type Slot, type SlotLayout } from './slotLayout';
import { unsetWhenRead } from '../concrete/liveness';
import type { Node } from './regionNode';
import type { Regions } from './regions';

/** Bytes of a copy or fill beyond which it is not looked which slots are met. */
const extentLimit = 1n << 16n;

/** `Content`: the kind of value that a place, or a variable, holds. */
export abstract class PreservedSlots<Content> {
  private readonly places = new Map<Node, Map<Slot, Content>>();
  private readonly variables = new Map<Variable, Content>();
  private changed = false;

  constructor(
    protected readonly program: Program,
    protected readonly regions: Regions,
  ) {}

  /** Contents of the slot in a client's objects; undefined when they may be anything. */
  at(node: Node, slot: Slot): Content | undefined {
    return this.places.get(this.regions.find(node))?.get(slot);
  }

  get isEmpty(): boolean {
    return [...this.places.values()].every((slots) => slots.size === 0);
  }

  /** The kind of value that clients keep in the slot of objects of these types; undefined when it may be anything. */
  protected abstract keptByClients(
    node: Node,
    types: readonly CType[],
    slot: Slot,
    layout: SlotLayout,
  ): Content | undefined;

  /** The kind of value that the variable holds if the program keeps to it; undefined when it is of no such kind. */
  protected abstract contentOf(variable: Variable, fn: FunctionDefinition | undefined): Content | undefined;

  /** Null, or an address that is a value of the kind. */
  protected abstract isConstant(e: Extract<Expression, { kind: 'address' }>, content: Content): boolean;

  /** Every value of `some` is one of `all`. */
  protected abstract isPartOf(some: Content, all: Content): boolean;

  protected settle(): void {
    if (this.regions.collapsed) return;
    for (const node of this.regions.roots()) this.begin(node);
    if (this.places.size === 0) return;
    this.beginVariables();
    do {
      this.changed = false;
      for (const fn of this.program.functions) for (const { command } of fn.edges) this.look(command);
    } while (this.changed);
  }

  /**
   * Only where all objects are clients', of known types, or the program's own static ones whose first contents are
   * such, too.
   */
  private begin(node: Node): void {
    const layout = this.regions.layout(node);
    const types = this.regions.clientTypes(node);
    if (layout.kind !== 'slots' || types === undefined || types.length === 0) return;
    const slots = new Map<Slot, Content>();
    for (const slot of layout.slots) {
      const place = slot.type.kind === 'pointer' ? this.keptByClients(node, types, slot, layout) : undefined;
      if (place) slots.set(slot, place);
    }
    for (const origin of node.origins) {
      if (origin.kind === 'external') continue;
      if (origin.kind !== 'static' || origin.object.visible) return;
      for (const [slot, place] of [...slots])
        if (!this.beginsSo(origin.object, layout, slot, place)) slots.delete(slot);
    }
    if (slots.size > 0) this.places.set(node, slots);
  }

  private beginsSo(
    { bytes, sizeBytes, relocations }: StaticObject,
    layout: SlotLayout,
    slot: Slot,
    place: Content,
  ): boolean {
    // Behind what is initialised all is zero.
    return cellsIn(layout, slot, Math.min(sizeBytes, initialisedBytes({ bytes, relocations }))).every((cell) => {
      const initial = relocations.filter(
        ({ offsetBytes }) => offsetBytes > cell - slot.bytes && offsetBytes < cell + slot.bytes,
      );
      return (
        bytes.subarray(cell, cell + slot.bytes).every((byte) => byte === 0) &&
        initial.every(({ offsetBytes, value }) => offsetBytes === cell && this.isOfKind(value, place))
      );
    });
  }

  private beginVariables(): void {
    const { program } = this;
    const offer = (variable: Variable, fn?: FunctionDefinition): void => {
      const place = this.contentOf(variable, fn);
      if (place) this.variables.set(variable, place);
    };
    for (const { variable, visible, initial } of program.globals) {
      offer(variable);
      const place = this.variables.get(variable);
      if (place && (visible || (initial && !this.isOfKind(initial, place)))) this.variables.delete(variable);
    }
    for (const fn of program.functions) {
      for (const variable of fn.variables) offer(variable, fn);
      for (const variable of unsetWhenRead(fn)) this.variables.delete(variable);
    }
  }

  private isOfKind(e: Expression, content: Content): boolean {
    const fits = (place: Content | undefined): boolean => place !== undefined && this.isPartOf(place, content);
    switch (e.kind) {
      case 'null':
        return true;
      case 'address':
        return this.isConstant(e, content);
      case 'read':
        return fits(this.variables.get(e.variable));
      case 'conditional':
        return this.isOfKind(e.then, content) && this.isOfKind(e.otherwise, content);
      case 'load': {
        const from = this.regions.pointee(e.address);
        const layout = from && this.regions.layout(from.node);
        const slot = layout?.kind === 'slots' ? slotAt(layout, from!.at) : undefined;
        return slot !== undefined && fits(this.places.get(this.regions.find(from!.node))?.get(slot));
      }
      default:
        return false;
    }
  }

  private look(command: Command): void {
    switch (command.kind) {
      case 'assign':
        return this.noteAssignment(command.target, command.value);
      case 'store':
        return this.noteStore(command);
      case 'copy':
        return this.noteCopy(command);
      case 'fill':
        return this.noteFill(command);
      case 'call':
        for (const target of command.targets) {
          target.parameters.forEach((parameter, i) => this.noteAssignment(parameter, command.arguments[i]));
          if (command.target) this.noteReturn(command.target, target);
        }
        return;
      case 'havoc':
      case 'input':
      case 'external':
      case 'allocate':
        if (command.target) this.drop(this.variables, command.target);
        return;
      // Writes of library functions make all of memory one region; a client's function keeps to what a client does.
      case 'skip':
      case 'assume':
      case 'check':
      case 'free':
      case 'declare':
      case 'end':
      case 'halt':
        return;
    }
  }

  private noteAssignment(target: Variable, value: Expression | undefined): void {
    const place = this.variables.get(target);
    if (place && (value === undefined || !this.isOfKind(value, place))) this.drop(this.variables, target);
  }

  private noteReturn(target: Variable, by: FunctionDefinition): void {
    const place = this.variables.get(target);
    if (
      place &&
      (!by.resultVariable ||
        !this.isOfKind({ kind: 'read', type: by.resultVariable.type, variable: by.resultVariable }, place))
    )
      this.drop(this.variables, target);
  }

  private noteStore({ address, value }: Extract<Command, { kind: 'store' }>): void {
    const to = this.regions.pointee(address);
    const node = to && this.regions.find(to.node);
    const slots = node && this.places.get(node);
    if (!slots) return;
    const layout = this.regions.layout(node);
    const slot = layout.kind === 'slots' ? slotAt(layout, to.at) : undefined;
    if (!slot) return this.drop(this.places, node);
    const place = slots.get(slot);
    if (place && !this.isOfKind(value, place)) this.drop(slots, slot);
  }

  private noteCopy({ target, source, size }: Extract<Command, { kind: 'copy' }>): void {
    const [to, from] = [this.regions.pointee(target), this.regions.pointee(source)];
    const node = to && this.regions.find(to.node);
    const slots = node && this.places.get(node);
    if (!slots) return;
    const origins = from && this.regions.layout(from.node);
    const isKnown =
      size.kind === 'integer' &&
      size.value <= extentLimit &&
      origins?.kind === 'slots' &&
      [to.at, from!.at].every(({ modulus, strides }) => modulus === 0 && !strides);
    if (!isKnown) return this.drop(this.places, node);
    const there = this.places.get(this.regions.find(from!.node));
    for (const [slot, place] of [...slots]) {
      const isKept = this.slotNumbers(slot, node, to.at.residue, Number(size.value)).every((position) => {
        const origin = position === undefined ? undefined : slotAt(origins, exactly(from!.at.residue + position));
        const other = origin && there?.get(origin);
        return other !== undefined && this.isPartOf(other, place);
      });
      if (!isKept) this.drop(slots, slot);
    }
  }

  /** Zeros are null. */
  private noteFill({ target, byte, size }: Extract<Command, { kind: 'fill' }>): void {
    const to = this.regions.pointee(target);
    const node = to && this.regions.find(to.node);
    const slots = node && this.places.get(node);
    if (!slots) return;
    const isKnown =
      byte.kind === 'integer' &&
      byte.value === 0n &&
      size.kind === 'integer' &&
      size.value <= extentLimit &&
      to.at.modulus === 0 &&
      !to.at.strides;
    if (!isKnown) return this.drop(this.places, node);
    for (const slot of [...slots.keys()])
      if (this.slotNumbers(slot, node, to.at.residue, Number(size.value)).includes(undefined)) this.drop(slots, slot);
  }

  /**
   * The slot's values among `bytes` bytes from `start` on, by their distance from there; undefined for those that are
   * met in part.
   */
  private slotNumbers(slot: Slot, node: Node, start: number, bytes: number): (number | undefined)[] {
    const layout = this.regions.layout(node);
    const stride = layout.kind === 'slots' ? layout.stride : 0;
    return slot.cells.flatMap((cell) => {
      const found: (number | undefined)[] = [];
      const first = stride === 0 ? cell : cell + stride * Math.ceil((start - slot.bytes + 1 - cell) / stride);
      for (let at = first; at < start + bytes; at += stride) {
        if (at + slot.bytes > start)
          found.push(at >= start && at + slot.bytes <= start + bytes ? at - start : undefined);
        if (stride === 0) break;
      }
      return found;
    });
  }

  private drop<K>(from: Map<K, unknown>, key: K): void {
    if (from.delete(key)) this.changed = true;
  }
}
