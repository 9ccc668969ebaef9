/**
 * Components of symbolic memory for one program. A memory variable is a slot of a region (see `regions.ts`): a plain
 * value, or an array indexed by offset, by object number, or by both. Five more, indexed by object number but for the
 * last, hold what every object has: size, liveness, whether it came from the allocator, in which region the program
 * made it (0: not made by an allocation of the program), and the number that the next object gets.
 */
import * as L from '../../logic/build';
import type { BitsSort, Sort, Term } from '../../logic/term';
import { printType } from '../../c/printType';
import type { Command } from '../../program/command';
import type { FrameObject } from '../../program/expression';
import type { Program, StaticObject } from '../../program/program';
import { lastStaticNumber } from '../../program/staticNumbers';
import { expressionsOf, walk } from '../../program/traverse';
import { alignmentOf, type ObjectAddress } from './addresses';
import { ClientSlots } from '../pointers/clientSlots';
import { noMembers, ValidMembers, type ValidMembersOptions } from '../pointers/validMembers';
import { exactly } from '../../program/congruence';
import { branchingLinks } from '../pointers/links/branchingLinks';
import { isLinkedFirst } from '../pointers/links/linkedFirst';
import { isOfClients, type Link, linksOf } from '../pointers/links/links';
import { isOnePlace, type NodeLayout, type Slot } from '../pointers/slotLayout';
import type { Node, Origin } from '../pointers/regionNode';
import type { Regions } from '../pointers/regions';

/** Addressing of a memory variable. */
export type Addressing = 'plain' | 'by-offset' | 'by-object' | 'by-object-and-offset';

/** One component of symbolic memory. */
export interface MemoryVariable {
  readonly index: number;
  readonly name: string;
  readonly sort: Sort;
  readonly role: MemoryRole;
}

export type MemoryRole =
  SlotRole | DefinednessRole | LinkRole | ForestRole | HolderRole | { readonly kind: ObjectProperty };

/** A property that every object has, by its number. The counter has the number of the next object. */
export type ObjectProperty = 'size' | 'live' | 'heap' | 'allocation-site' | 'allocation-counter';

/** A part of the scalar in a slot. */
export interface SlotRole extends SlotPlace {
  readonly kind: 'slot';
  readonly part: 'value' | 'object' | 'offset';
}

/** True only if something was written there since the object began. */
export interface DefinednessRole extends SlotPlace {
  readonly kind: 'written';
}

/**
 * Along a link: which objects are reached from which, how many from each, whether no write has closed a cycle, and of
 * which objects the link counts.
 */
export interface LinkRole {
  readonly kind: 'reach' | 'count' | 'acyclic' | 'linked';
  readonly link: Link;
  readonly node: Node;
  readonly slot: Slot;
}

/**
 * Of the objects that the links of a forest lead to. `parent`: by object number, the object whose link was made to lead
 * to it last. It may lead elsewhere since, or have ended. `ancestor`: relation, the second object is reached from the
 * first along parents. `forest`: no write has closed a cycle of parents.
 */
export interface ForestRole {
  readonly kind: 'parent' | 'ancestor' | 'forest';
  readonly node: Node;
  readonly links: readonly Link[];
}

/**
 * By object number: the node into whose member a pointer to the object was stored last. Only a hint: who uses it looks
 * at the member.
 */
export interface HolderRole {
  readonly kind: 'holder';
  readonly node: Node;
  readonly slot: Slot;
}

/** A member of linked objects that leads to blocks of another region. */
export interface HolderVariables {
  readonly node: Node;
  readonly slot: Slot;
  readonly target: Node;
  readonly holder: MemoryVariable;
  readonly objects: MemoryVariable;
}

interface SlotPlace {
  readonly node: Node;
  readonly slot: Slot | 'byte';
  readonly addressing: Addressing;
  readonly single: Origin | undefined;
}

/** A link with the memory variables it is about. */
export interface LinkVariables extends Link {
  readonly reach: MemoryVariable;
  /** Absent where clients own objects of the region. */
  readonly count: MemoryVariable | undefined;
  readonly acyclic: MemoryVariable;
  readonly objects: MemoryVariable;
  readonly offsets: MemoryVariable;
  /** Numbers of static objects in the region. */
  readonly statics: readonly number[];
  /** True if the region has automatic objects. */
  readonly withAutomatic: boolean;
  readonly ofClients: boolean;
  /**
   * An array of booleans by object: its link counts. Present where clients own objects of the region, and where a new
   * object is linked to before its own link is written. A link that is written counts from then on. Before, a new
   * object's does not. A client may hand over rings: when it calls, the links count of the objects from which a walk
   * ends.
   */
  readonly linked: MemoryVariable | undefined;
}

/**
 * The links of a region along which one walk branches, as those of a tree, with the history variables that say whose
 * children objects are. These depend on the writes alone, whatever the links hold otherwise.
 */
export interface ForestVariables {
  readonly node: Node;
  readonly links: readonly LinkVariables[];
  readonly parents: MemoryVariable;
  readonly ancestors: MemoryVariable;
  readonly acyclic: MemoryVariable;
}

export type Part = 'value' | 'object' | 'offset' | 'written';

/** The memory model of one program: the components of symbolic memory, fixed before any execution. */
export class MemoryModel {
  readonly variables: MemoryVariable[] = [];
  private readonly byNode = new Map<Node, Map<string, MemoryVariable>>();
  readonly half: number;
  readonly halfSort: BitsSort;
  readonly indexSort: BitsSort;
  readonly size: MemoryVariable;
  readonly live: MemoryVariable;
  readonly heap: MemoryVariable;
  readonly allocationSite: MemoryVariable;
  readonly allocationCounter: MemoryVariable;
  /** None: nothing is said of reachability. */
  readonly links: readonly LinkVariables[];
  /** In regions of which no client owns objects. */
  readonly forests: readonly ForestVariables[];
  /** Only where lost blocks are looked for: the holders of the blocks that nodes own. */
  readonly holders: readonly HolderVariables[];
  /** Objects numbered up to here are static objects and functions. */
  readonly lastStatic: number;
  /** Clients' slots that hold null or a function. */
  readonly clientSlots: ClientSlots;
  /** Clients' slots that hold null or a pointer to the start of a live object. */
  readonly validMembers: ValidMembers;
  /** Addresses that were made numbers, by the calls that say where the objects lie. */
  readonly addresses = new Map<Term, ObjectAddress[]>();
  /** Some object comes from the allocator. */
  readonly allocates: boolean;
  /** Some pointer is made a number. */
  readonly takesAddresses: boolean;
  /** Bytes of pointers are their addresses. */
  readonly storesAddresses: boolean;
  /** Automatic objects, by the symbols of their numbers. */
  readonly frameObjects = new Map<Term, FrameObject>();

  /** `tracksDefinedness`: reads of uninitialised memory are checked. */
  constructor(
    readonly program: Program,
    readonly regions: Regions,
    readonly tracksDefinedness = false,
    validMembers: ValidMembersOptions = { members: noMembers, callable: [] },
  ) {
    this.half = program.dataModel === 'lp64' ? 32 : 16;
    this.halfSort = L.bitsSort(this.half);
    this.indexSort = L.bitsSort(2 * this.half);
    this.lastStatic = lastStaticNumber(program);
    this.storesAddresses = program.storesAddresses === true;
    this.size = this.add('#size', L.arraySort(this.halfSort, this.halfSort), { kind: 'size' });
    this.live = this.add('#live', L.arraySort(this.halfSort, L.boolSort), { kind: 'live' });
    this.heap = this.add('#heap', L.arraySort(this.halfSort, L.boolSort), { kind: 'heap' });
    this.allocationSite = this.add('#made', L.arraySort(this.halfSort, this.halfSort), { kind: 'allocation-site' });
    this.allocationCounter = this.add('#next', this.halfSort, { kind: 'allocation-counter' });
    const allocatedUninitialised = tracksDefinedness ? nodesAllocatedUninitialised(program, regions) : new Set<Node>();
    for (const node of regions.roots()) {
      const layout = regions.layout(node);
      const slots = layout.kind === 'bytes' ? (['byte'] as const) : layout.slots;
      if (layout.kind === 'bytes' && node.accesses.size === 0 && !regions.collapsed) continue;
      const variables = new Map<string, MemoryVariable>();
      for (const slot of slots)
        for (const part of partsOf(slot))
          variables.set(slotKey(slot, part), this.slotVariable(node, layout, slot, part));
      if (allocatedUninitialised.has(node))
        for (const slot of slots)
          variables.set(slotKey(slot, 'written'), this.slotVariable(node, layout, slot, 'written'));
      this.byNode.set(node, variables);
    }
    this.links = linksOf(regions).map((link) => this.linkVariables(link));
    this.forests = branchingLinks(program.functions, this.links, regions).flatMap((links) => this.forestOf([...links]));
    this.holders = looksForLostBlocks(program) ? this.holderVariables() : [];
    this.clientSlots = new ClientSlots(program, regions);
    this.validMembers = new ValidMembers(program, regions, validMembers);
    this.takesAddresses = program.functions.some((fn) => fn.edges.some(({ command }) => takesAddress(command)));
    this.allocates = regions.roots().some(({ origins }) => [...origins].some(({ kind }) => kind === 'heap'));
  }

  /** The static object with this number, if it is known. */
  staticObject(number: Term): StaticObject | undefined {
    return number.kind === 'bits' ? this.program.objects[Number(number.value) - 1] : undefined;
  }

  /** The pointer leads to the beginning of an object, or of a variable behind lead bytes. */
  begins({ object, offset }: { readonly object: Term; readonly offset: Term }): Term {
    const half = (value: number): Term => L.bits(BigInt(value), this.half);
    return L.or(
      L.eq(offset, half(0)),
      ...this.program.objects.flatMap(({ number, leadBytes }) =>
        leadBytes === undefined ? [] : [L.and(L.eq(object, half(number)), L.eq(offset, half(leadBytes)))],
      ),
    );
  }

  /** Alignment of the object with this number, in bytes; 1 if it is not known. */
  alignment(number: Term): number {
    if (number.kind === 'apply' && number.operator === 'ite')
      return Math.min(this.alignment(number.args[1]!), this.alignment(number.args[2]!));
    const object = this.staticObject(number) ?? this.frameObjects.get(number);
    return object ? alignmentOf(object, this.program) : 1;
  }

  /** The value of `allocationSite` for objects that the node's allocations make. No other object has it. */
  allocationSiteOf(node: Node): bigint {
    return BigInt(this.regions.find(node).index + 1);
  }

  linkAt(node: Node, slot: Slot | 'byte'): LinkVariables | undefined {
    const root = this.regions.find(node);
    return this.links.find((link) => link.node === root && link.slot === slot);
  }

  /** The forest of whose links the link is one. */
  forestOfLink(link: LinkVariables): ForestVariables | undefined {
    return this.forests.find(({ links }) => links.includes(link));
  }

  /** Variables that may change when an object ends; those that may when one begins are `parents` as well. */
  get linkRelations(): readonly MemoryVariable[] {
    return [
      ...this.links.flatMap(({ reach, count, acyclic, linked }) => [
        reach,
        ...(count ? [count] : []),
        acyclic,
        ...(linked ? [linked] : []),
      ]),
      ...this.forests.map(({ ancestors }) => ancestors),
    ];
  }

  get parents(): readonly MemoryVariable[] {
    return this.forests.map(({ parents }) => parents);
  }

  private linkVariables(link: Link): LinkVariables {
    const { node, slot } = link;
    const variables = this.byNode.get(node)!;
    const add = (kind: LinkRole['kind'], sort: Sort): MemoryVariable => {
      const made = this.add(`#m${node.index}:${nodeName(node)}+${slot.offset}.${kind}`, sort, {
        kind,
        link,
        node,
        slot,
      });
      variables.set(slotKey(slot, kind), made);
      return made;
    };
    const ofClients = isOfClients(node);
    return {
      ...link,
      ofClients,
      reach: add('reach', L.relationSort(this.half)),
      count: ofClients ? undefined : add('count', L.countsSort(this.half)),
      acyclic: add('acyclic', L.boolSort),
      objects: variables.get(slotKey(slot, 'object'))!,
      offsets: variables.get(slotKey(slot, 'offset'))!,
      statics: [...node.origins].flatMap((origin) => (origin.kind === 'static' ? [origin.object.number] : [])),
      withAutomatic: [...node.origins].some(({ kind }) => kind === 'frame'),
      linked:
        ofClients || isLinkedFirst(link, this.regions)
          ? add('linked', L.arraySort(this.halfSort, L.boolSort))
          : undefined,
    };
  }

  private forestOf(links: readonly LinkVariables[]): ForestVariables[] {
    const { node, ofClients } = links[0]!;
    if (ofClients) return [];
    const variables = this.byNode.get(node)!;
    const add = (kind: ForestRole['kind'], sort: Sort): MemoryVariable => {
      const made = this.add(`#m${node.index}:${nodeName(node)}.${kind}`, sort, { kind, node, links });
      variables.set(kind, made);
      return made;
    };
    return [
      {
        node,
        links,
        parents: add('parent', L.arraySort(this.halfSort, this.halfSort)),
        ancestors: add('ancestor', L.relationSort(this.half)),
        acyclic: add('forest', L.boolSort),
      },
    ];
  }

  private holderVariables(): readonly HolderVariables[] {
    const { regions } = this;
    const nodes = new Set(this.links.filter(({ ofClients }) => !ofClients).map(({ node }) => node));
    return [...nodes].flatMap((node) => {
      const layout = regions.layout(node);
      return (layout.kind === 'slots' ? layout.slots : []).flatMap((slot): HolderVariables[] => {
        const stored = slot.type.kind === 'pointer' ? regions.storedAt(node, exactly(slot.offset)) : undefined;
        const target = stored && regions.find(stored.node);
        const objects = this.slot(node, slot, 'object');
        if (!target || target === node || objects?.role.kind !== 'slot' || objects.role.addressing !== 'by-object')
          return [];
        if (![...target.origins].some(({ kind }) => kind === 'heap')) return [];
        const name = `#m${node.index}:${nodeName(node)}+${slot.offset}.holder`;
        const holder = this.add(name, L.arraySort(this.halfSort, this.halfSort), { kind: 'holder', node, slot });
        this.byNode.get(node)!.set(slotKey(slot, 'holder'), holder);
        return [{ node, slot, target, holder, objects }];
      });
    });
  }

  holderAt(node: Node, slot: Slot | 'byte'): HolderVariables | undefined {
    const root = this.regions.find(node);
    return this.holders.find((one) => one.node === root && one.slot === slot);
  }

  /** The memory variables of the node's slots, and the relations of its links. */
  slotVariables(node: Node): readonly MemoryVariable[] {
    return [...(this.byNode.get(this.regions.find(node))?.values() ?? [])];
  }

  slot(node: Node, slot: Slot | 'byte', part: Part): MemoryVariable | undefined {
    return this.byNode.get(this.regions.find(node))?.get(slotKey(slot, part));
  }

  private slotVariable(node: Node, layout: NodeLayout, slot: Slot | 'byte', part: Part): MemoryVariable {
    const width = slot === 'byte' ? 8 : part === 'value' ? slot.bytes * 8 : this.half;
    const exact = layout.kind === 'slots' && slot !== 'byte' && isOnePlace(layout, slot);
    const addressing: Addressing = layout.single
      ? exact
        ? 'plain'
        : 'by-offset'
      : exact
        ? 'by-object'
        : 'by-object-and-offset';
    const element = part === 'written' ? L.boolSort : L.bitsSort(width);
    const sort: Sort =
      addressing === 'plain'
        ? element
        : L.arraySort(addressing === 'by-object-and-offset' ? this.indexSort : this.halfSort, element);
    const name = `${nodeName(node)}${slot === 'byte' ? '' : `+${slot.offset}`}${part === 'value' ? '' : `.${part}`}`;
    const place = { node, slot, addressing, single: layout.single };
    return this.add(
      `#m${node.index}:${name}`,
      sort,
      part === 'written' ? { kind: 'written', ...place } : { kind: 'slot', part, ...place },
    );
  }

  private add(name: string, sort: Sort, role: MemoryRole): MemoryVariable {
    const variable: MemoryVariable = { index: this.variables.length, name, sort, role };
    this.variables.push(variable);
    return variable;
  }
}

/** Such variables depend on writes of links alone: copies and unknown values leave them as they are. */
export const isOfForest = (role: MemoryRole): role is ForestRole =>
  role.kind === 'parent' || role.kind === 'ancestor' || role.kind === 'forest';

function looksForLostBlocks(program: Program): boolean {
  let found = false;
  for (const { edges } of program.functions)
    for (const { command } of edges)
      for (const e of expressionsOf(command)) walk(e, ({ kind }) => (found ||= kind === 'all-reached'));
  return found;
}

/** The command makes a number of a pointer. */
export function takesAddress(command: Command): boolean {
  return expressionsOf(command).some((e) => {
    let found = false;
    walk(e, (inner) => {
      if (inner.kind === 'convert' && inner.operand.type.kind === 'pointer' && inner.type.kind === 'integer')
        found = true;
    });
    return found;
  });
}

/**
 * Nodes with a place that something may have to be written to first. Static data begins written, and so does what
 * clients and unknown functions hand over, which is assumed; what has never been written can only be copied there.
 */
function nodesAllocatedUninitialised(program: Program, regions: Regions): ReadonlySet<Node> {
  const found = new Set(
    regions
      .roots()
      .filter(
        ({ origins }) => regions.collapsed || [...origins].some(({ kind }) => kind !== 'static' && kind !== 'external'),
      ),
  );
  const copies = program.functions.flatMap((fn) =>
    fn.edges.flatMap(({ command }) =>
      command.kind === 'copy'
        ? [[regions.pointee(command.target)?.node, regions.pointee(command.source)?.node] as const]
        : [],
    ),
  );
  for (let before = -1; before !== found.size;) {
    before = found.size;
    for (const [to, from] of copies) if (to && (!from || found.has(from))) found.add(to);
  }
  return found;
}

function partsOf(slot: Slot | 'byte'): readonly ('value' | 'object' | 'offset')[] {
  return slot !== 'byte' && slot.type.kind === 'pointer' ? ['object', 'offset'] : ['value'];
}
function slotKey(slot: Slot | 'byte', part: string): string {
  return `${slot === 'byte' ? 'byte' : slot.offset}.${part}`;
}
function nodeName(node: Node): string {
  const [origin] = [...node.origins];
  switch (origin?.kind) {
    case 'static':
    case 'frame':
      return origin.object.name;
    case 'heap':
      return 'heap';
    case 'external':
      return origin.type;
    case 'set-up':
      return printType({ kind: 'record', record: origin.record });
    default:
      return 'memory';
  }
}
