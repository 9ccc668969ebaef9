/** Links that are looked at, and the variables that lead to lists along them. */
import { sizeOf } from '../../../c/layout';
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import type { Variable } from '../../../program/expression';
import { equal, exactly } from '../../../program/congruence';
import { naturalLoops } from '../../../program/automata/loops';
import { reachableFunctions } from '../../../program/automata/reachableFunctions';
import type { Node } from '../../../semantics/pointers/regionNode';
import type { LinkVariables, MemoryVariable } from '../../../semantics/symbolic/memoryModel';
import { assignedVariables, declaredAt, type Vocabulary } from '../../../semantics/symbolic/vocabulary';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { Relevance } from '../../transitionSystem/relevance';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { headElements } from './headArrays';
import type { Name } from './linkedHeap';

type SlotRole = Extract<MemoryVariable['role'], { kind: 'slot' }>;
type FrameOrigin = Extract<NonNullable<SlotRole['single']>, { kind: 'frame' }>;

const limits = {
  /** Variables per link and control point. */
  names: 6,
  /** Static and automatic objects that one pointer leads to, and whose members are looked at. */
  owners: 3,
  /** Members of allocated objects that variables lead to. */
  held: 3,
} as const;

/**
 * Link along which loops walk, among several of one region: most assignments in loops read it. A second relation makes
 * queries much harder.
 */
export function walkedLinks({ memoryModel, program }: TransitionSystem): readonly LinkVariables[] {
  const steps = new Map<LinkVariables, number>();
  for (const fn of memoryModel.links.length < 2 ? [] : program.functions)
    for (const { body } of naturalLoops(fn).values())
      for (const { from, command } of fn.edges) {
        const read = body.has(from) && command.kind === 'assign' ? command.value : undefined;
        const place = read?.kind === 'load' ? memoryModel.regions.pointee(read.address) : undefined;
        const link = memoryModel.links.find(
          ({ node, slot }) =>
            place && memoryModel.regions.find(place.node) === node && equal(place.at, exactly(slot.offset)),
        );
        if (link) steps.set(link, (steps.get(link) ?? 0) + 1);
      }
  const byNode = new Map<Node, LinkVariables>();
  for (const link of memoryModel.links) {
    const best = byNode.get(link.node);
    if (!best || (steps.get(link) ?? 0) > (steps.get(best) ?? 0)) byNode.set(link.node, link);
  }
  return [...byNode.values()];
}

/** Pointer variables in scope that matter there, those of the whole program first, and variables of the region. */
export function namesAt(
  point: Cutpoint,
  link: LinkVariables,
  system: TransitionSystem,
  relevance: Relevance,
): readonly Name[] {
  const { vocabulary, memoryModel } = system;
  const assigned = assignedVariables(point.fn);
  // A loop does not need the target of a static variable that is assigned another value behind it.
  const isNeeded = (variable: Variable): boolean =>
    point.kind === 'loop'
      ? relevance.inFunction(point.fn, point.location, variable)
      : relevance.at(point.location, variable);
  const isInScope = (variable: Variable): boolean => {
    if (variable.temporary) return false;
    if (variable.scope === 'global') return isNeeded(variable);
    const isParameter = point.fn.parameters.includes(variable);
    if (point.kind === 'module' || (point.kind === 'entry' && !isParameter)) return false;
    if (point.kind === 'exit') return variable === point.fn.resultVariable || (isParameter && !assigned.has(variable));
    return relevance.at(point.location, variable);
  };
  const half = (value: number): Term => L.bits(BigInt(value), memoryModel.half);
  const variables = vocabulary.pointersFor(point.fn).flatMap(({ variable, value }): Name[] => {
    const target = isInScope(variable)
      ? memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable })
      : undefined;
    if (!target || !leadsInto(target)) return [];
    const flag = point.fn.variables.find(({ selects }) => selects === variable);
    return [
      {
        ...value,
        at: target.at.residue,
        isObject: false,
        isStatic: variable.scope === 'global',
        ...(flag && { flag: vocabulary.numberOf(flag, point.fn) }),
        ...pointeeSize(variable, system),
      },
    ];
  });
  // Members of single objects, such as the ends of a queue, and of each of a few.
  const members = memoryModel.variables.flatMap((memory): Name[] => {
    const { role } = memory;
    if (role.kind !== 'slot' || role.part !== 'object' || role.slot === 'byte' || role.node === link.node) return [];
    const owners = ownersOf(role, point, vocabulary);
    const target = owners && memoryModel.regions.storedAt(role.node, exactly(role.slot.offset));
    const offset = memoryModel.slot(role.node, role.slot, 'offset');
    if (!target || !offset || !leadsInto(target)) return [];
    const [object, where] = [vocabulary.symbolOf(memory), vocabulary.symbolOf(offset)];
    const name = { at: target.at.residue, isObject: false };
    if (owners === 'one') return [{ ...name, object, offset: where, isStatic: true }];
    return owners.map(({ owner, isStatic }) => ({
      ...name,
      object: L.select(object, owner),
      offset: L.select(where, owner),
      isStatic,
    }));
  });
  // Members of allocated objects, such as a list's head in its owner. It counts as null where there is no owner.
  const held = memoryModel.variables.flatMap((memory): Name[] => {
    const { role } = memory;
    if (role.kind !== 'slot' || role.part !== 'object' || role.slot === 'byte' || role.node === link.node) return [];
    if (role.addressing !== 'by-object' || [...role.node.origins].some(({ kind }) => kind !== 'heap')) return [];
    const target = memoryModel.regions.storedAt(role.node, exactly(role.slot.offset));
    const offset = memoryModel.slot(role.node, role.slot, 'offset');
    if (!target || !offset || !leadsInto(target)) return [];
    return vocabulary.pointersFor(point.fn).flatMap(({ variable, value }): Name[] => {
      const place = isInScope(variable)
        ? memoryModel.regions.pointee({ kind: 'read', type: variable.type, variable })
        : undefined;
      if (!place || memoryModel.regions.find(place.node) !== role.node || !equal(place.at, exactly(0))) return [];
      const read = (of: MemoryVariable): Term =>
        L.ite(L.eq(value.object, half(0)), half(0), L.select(vocabulary.symbolOf(of), value.object));
      return [
        {
          ...{ object: read(memory), offset: read(offset), at: target.at.residue },
          ...{ isObject: false, isStatic: variable.scope === 'global' },
          owner: { ...value, node: role.node },
        },
      ];
    });
  });
  const statics = link.statics.map((number): Name => ({
    object: half(number),
    offset: half(link.offset),
    at: link.offset,
    isObject: true,
    isStatic: true,
  }));
  // Pointers from the head of a queue to the link that ends it.
  const ends = memoryModel.slotVariables(link.node).flatMap((memory): Name[] => {
    const { role } = memory;
    if (role.kind !== 'slot' || role.part !== 'object' || role.addressing !== 'by-object' || role.slot === 'byte')
      return [];
    const target = memoryModel.regions.storedAt(role.node, exactly(role.slot.offset));
    const offset = memoryModel.slot(role.node, role.slot, 'offset');
    if (!target || !offset || !leadsInto(target)) return [];
    if (target.at.residue === link.offset || target.at.residue !== link.slot.offset) return [];
    return link.statics.map((number) => ({
      object: L.select(vocabulary.symbolOf(memory), half(number)),
      offset: L.select(vocabulary.symbolOf(offset), half(number)),
      at: target.at.residue,
      isObject: false,
      isStatic: true,
    }));
  });
  const isInside = point.kind !== 'module' && point.kind !== 'entry' && point.kind !== 'exit';
  const automatic = (isInside ? declaredAt(point.fn, point.location) : []).flatMap((object): Name[] =>
    [...link.node.origins].some((origin) => origin.kind === 'frame' && origin.object === object)
      ? [{ ...vocabulary.objectOf(object, point.fn), at: link.offset, isObject: true, isStatic: false }]
      : [],
  );
  return [
    ...statics,
    ...automatic,
    ...ends,
    ...members,
    ...held.slice(0, limits.held),
    ...headElements(point, link, system).map(({ name }) => name),
    ...variables,
  ].slice(0, limits.names);

  function leadsInto({ node, at }: { readonly node: LinkVariables['node']; readonly at: ReturnType<typeof exactly> }) {
    return (
      memoryModel.regions.find(node) === link.node &&
      at.modulus === 0 &&
      !at.strides &&
      (at.residue === link.offset || at.residue === link.slot.offset)
    );
  }
}

/**
 * The objects whose member this is: one, or the numbers of a few. An automatic object counts in its scope, and in
 * functions that are called there. One of several counts in its own function: cursors, or heads of two local lists.
 */
function ownersOf(
  { node, addressing, single }: SlotRole,
  point: Cutpoint,
  vocabulary: Vocabulary,
): 'one' | readonly { readonly owner: Term; readonly isStatic: boolean }[] | undefined {
  if (addressing === 'plain')
    return single?.kind === 'static' || (single?.kind === 'frame' && isLiveAt(single, point)) ? 'one' : undefined;
  if (addressing !== 'by-object') return undefined;
  const origins = [...node.origins];
  if (!origins.every(({ kind }) => kind === 'static' || kind === 'frame')) return undefined;
  const isInside = point.kind !== 'module' && point.kind !== 'entry' && point.kind !== 'exit';
  const declared = isInside ? declaredAt(point.fn, point.location) : [];
  const automatic = origins.flatMap((origin) =>
    origin.kind === 'frame' && declared.includes(origin.object)
      ? [{ owner: vocabulary.objectOf(origin.object, point.fn).object, isStatic: false }]
      : [],
  );
  const statics = origins.flatMap((origin) =>
    origin.kind === 'static'
      ? [{ owner: L.bits(BigInt(origin.object.number), vocabulary.memoryModel.half), isStatic: true }]
      : [],
  );
  return statics.length + automatic.length <= limits.owners ? [...statics, ...automatic] : undefined;
}

function isLiveAt({ object, function: owner }: FrameOrigin, { kind, fn, location }: Cutpoint): boolean {
  if (kind === 'module') return false;
  if (fn === owner) return kind !== 'entry' && kind !== 'exit' && declaredAt(fn, location).includes(object);
  return reachableFunctions([owner]).has(fn);
}

function pointeeSize({ ctype }: Variable, { program }: TransitionSystem): { readonly pointeeBytes?: number } {
  const bytes = ctype?.kind === 'pointer' ? sizeOf(ctype.to, program.dataModel) : undefined;
  return bytes === undefined ? {} : { pointeeBytes: bytes };
}
