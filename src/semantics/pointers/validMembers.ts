/**
 * Pointers in clients' structures that, as a specification says, are null or lead to the start of a live object at
 * every time. Clients keep to it; here it is found out whether the program does, too: it stores nothing else there, and
 * ends no object that such a pointer may lead to.
 */
import { sizeOf } from '../../c/layout';
import { printType } from '../../c/printType';
import type { CType, RecordLayout } from '../../c/types';
import { equal, exactly } from '../../program/congruence';
import type { Expression, Variable } from '../../program/expression';
import { isNative } from '../../program/linking/natives';
import type { FunctionDefinition, Program } from '../../program/program';
import { elementBytes } from './clientObjects';
import { PreservedSlots } from './preservedSlots';
import type { Node } from './regionNode';
import type { Regions } from './regions';
import { isOnePlace, type Slot, type SlotLayout } from './slotLayout';

/** Names of members, by the type as C prints it: the same structure of several files counts as one. */
export type MembersByType = ReadonlyMap<string, ReadonlySet<string>>;

export const noMembers: MembersByType = new Map();

export const typeName = (record: RecordLayout): string => printType({ kind: 'record', record });

/** An object that a pointer leads to the start of, unless it is null. */
export interface ValidTarget {
  /** Least size of the object. */
  readonly bytes: number;
  readonly node: Node;
  /** Numbers of the module's own variables that it may be. */
  readonly statics: readonly number[];
  /** Members of structures that the place is. */
  readonly members: readonly ValidMember[];
}

export interface ValidMember {
  readonly type: string;
  readonly member: string;
}

export interface ValidMembersOptions {
  readonly members: MembersByType;
  /** Functions that clients call. */
  readonly callable: readonly FunctionDefinition[];
  /** Parameters that may lead to any element of an object. */
  readonly interior?: ReadonlySet<Variable> | undefined;
}

export class ValidMembers extends PreservedSlots<ValidTarget> {
  /** Regions in which the program ends objects. */
  private readonly ended: ReadonlySet<Node>;
  /** Regions into which clients may have pointers from the program that lead to no start of an object. */
  private readonly handedOut: ReadonlySet<Node>;
  /** Functions without a body may end what variables lead to. */
  private readonly hasExternals: boolean;

  constructor(
    program: Program,
    regions: Regions,
    private readonly options: ValidMembersOptions,
  ) {
    super(program, regions);
    const commands = program.functions.flatMap(({ edges }) => edges.map(({ command }) => command));
    this.ended = new Set(
      commands.flatMap((command) => {
        const target = command.kind === 'free' ? regions.pointee(command.pointer) : undefined;
        return target ? [regions.find(target.node)] : [];
      }),
    );
    this.hasExternals = commands.some((command) => command.kind === 'external' && !isNative(command.name));
    this.handedOut = new Set(
      options.members.size === 0
        ? []
        : regions
            .escapedPointers()
            .flatMap(({ target: { node, at } }) => (equal(at, exactly(0)) ? [] : [regions.find(node)])),
    );
    if (options.members.size > 0) this.settle();
  }

  protected keptByClients(
    node: Node,
    types: readonly CType[],
    slot: Slot,
    layout: SlotLayout,
  ): ValidTarget | undefined {
    const { dataModel } = this.program;
    const target = this.regions.storedAt(node, exactly(slot.offset));
    const led = target && this.regions.find(target.node);
    if (!led || this.ended.has(led)) return undefined;
    // Other cells of the slot lead there, too: pointers to one type have one region.
    let bytes = 0;
    const members: ValidMember[] = [];
    for (const type of types) {
      const of = type.kind === 'array' ? type.of : type;
      const size = sizeOf(of, dataModel) ?? 0;
      if (of.kind !== 'record' || of.record.keyword === 'union' || size === 0) return undefined;
      if (!isOnePlace(layout, slot) && layout.stride % size !== 0) return undefined;
      for (const cell of slot.cells) {
        const field = of.record.fields.find(({ offsetBytes, type: member, bits }) => {
          const at = (cell % size) - offsetBytes;
          return !bits && at >= 0 && at < (sizeOf(member, dataModel) ?? 0);
        });
        const member = field?.type.kind === 'array' ? field.type.of : field?.type;
        if (field?.name === undefined || member?.kind !== 'pointer' || member.to.kind === 'function') return undefined;
        if (!this.options.members.get(typeName(of.record))?.has(field.name)) return undefined;
        members.push({ type: typeName(of.record), member: field.name });
        bytes = Math.max(bytes, elementBytes(member.to, dataModel));
      }
    }
    return this.target(led, bytes, members);
  }

  protected contentOf(variable: Variable, fn: FunctionDefinition | undefined): ValidTarget | undefined {
    const { ctype } = variable;
    if (this.hasExternals || ctype?.kind !== 'pointer' || ctype.to.kind === 'function') return undefined;
    const target = this.regions.pointee({ kind: 'read', type: variable.type, variable });
    const node = target && this.regions.find(target.node);
    if (!node || this.ended.has(node)) return undefined;
    const bytes = elementBytes(ctype.to, this.program.dataModel);
    const isClients = fn !== undefined && this.options.callable.includes(fn) && fn.parameters.includes(variable);
    if (isClients && (this.options.interior?.has(variable) || this.handedOut.has(node))) return undefined;
    return this.target(node, bytes);
  }

  protected isConstant({ of }: Extract<Expression, { kind: 'address' }>, { bytes, node }: ValidTarget): boolean {
    const object = this.program.objects.find((one) => one === of);
    return (
      object !== undefined &&
      object.leadBytes === undefined &&
      object.sizeBytes >= bytes &&
      this.regions.nodeOfOrigin(object) === this.regions.find(node)
    );
  }

  protected isPartOf(some: ValidTarget, all: ValidTarget): boolean {
    return some.bytes >= all.bytes && this.regions.find(some.node) === this.regions.find(all.node);
  }

  /** Undefined if the module has a variable there that is too small. */
  private target(node: Node, bytes: number, members: readonly ValidMember[] = []): ValidTarget | undefined {
    const statics = [...node.origins].flatMap((origin) => (origin.kind === 'static' ? [origin.object] : []));
    const fits = statics.every(({ sizeBytes, leadBytes }) => sizeBytes >= bytes && leadBytes === undefined);
    return fits ? { bytes, node, statics: statics.map(({ number }) => number), members } : undefined;
  }
}
