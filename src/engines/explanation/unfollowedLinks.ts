/**
 * Links that a loop walks along and reachability says nothing of, with the reason: proofs about such lists usually stay
 * open, and readers should know why.
 */
import { printType } from '../../c/printType';
import type { CType } from '../../c/types';
import { withoutQualifiers } from '../../c/target';
import { followedLink, whyUnfollowed } from '../../abstraction/transitionSystem/followedLinks';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { Command } from '../../program/command';
import type { Expression } from '../../program/expression';
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import type { FunctionDefinition, Location } from '../../program/program';
import { expressionsOf, variablesIn } from '../../program/traverse';
import { naturalLoops } from '../../program/automata/loops';
import { pathAt } from '../../abstraction/printing/memberPaths';

/** The reasons, and what can be done. */
export function remarksOnLinks(system: TransitionSystem): readonly string[] {
  const reasons = unfollowedLinks(system);
  return reasons.length === 0 ? [] : [...reasons, advice];
}

const advice =
  'more time seldom helps where links are not followed: functions in another file, which leave such structures to ' +
  'stubs, can be proved without them';

/** One sentence for each kind of structure. */
export function unfollowedLinks(system: TransitionSystem): readonly string[] {
  const { memoryModel, vocabulary } = system;
  const found = new Set<string>();
  for (const fn of [...system.functions, ...system.inlined]) {
    if (fn.library) continue;
    const texts = [
      ...alongSeveralByRecursion(fn, system),
      ...freedByRecursion(fn, system),
      ...throughPointers(fn),
      ...fromElements(fn, system),
    ];
    for (const text of texts) found.add(text);
    for (const { body } of naturalLoops(fn).values()) {
      const members = new Map<string, Set<string>>();
      for (const { from, command } of fn.edges) {
        const structure = body.has(from) ? stepsAlong(command, fn) : undefined;
        if (!structure || command.kind !== 'assign' || command.value.kind !== 'load') continue;
        const name = printType(withoutQualifiers(structure));
        const place = memoryModel.regions.pointee(command.value.address);
        if (isHead(place, system)) continue;
        const why = whyUnfollowed(place, memoryModel);
        if (why !== undefined) found.add(`links of ${name} are not followed: ${why}`);
        else if (keptWithClients(place, system))
          found.add(
            `lists of ${name} that the module keeps between calls are not followed: clients have such ` +
              'structures, too, and may change them',
          );
        else if (place && followedLink(place, memoryModel)) {
          const member = pathAt('', structure, place.at.residue, vocabulary).replace(/^\./, '');
          members.set(name, (members.get(name) ?? new Set()).add(member));
        }
      }
      for (const [name, links] of members) if (links.size > 1) found.add(`a loop ${goesAlong(name, links)}`);
    }
  }
  return [...found];
}

const goesAlong = (name: string, links: ReadonlySet<string>): string =>
  `goes along ${[...links].join(' and ')} of ${name}: one link at a time is followed, as in lists`;

/** A function that calls itself for what several links lead to, as functions of trees do. */
function alongSeveralByRecursion(fn: FunctionDefinition, { memoryModel, vocabulary }: TransitionSystem): string[] {
  const members = new Map<string, Set<string>>();
  for (const { command } of fn.edges) {
    if (command.kind !== 'call' || !command.targets.some((target) => reachableFunctions([target]).has(fn))) continue;
    command.arguments.forEach((argument, i) => {
      const { ctype } = command.targets[0]!.parameters[i]!;
      const structure = nextOfItsKind(ctype);
      for (const address of structure ? loadedFrom(argument, fn) : []) {
        const place = memoryModel.regions.pointee(address);
        if (!place || !followedLink(place, memoryModel)) continue;
        const member = pathAt('', structure!, place.at.residue, vocabulary).replace(/^\./, '');
        const name = printType(withoutQualifiers(structure!));
        members.set(name, (members.get(name) ?? new Set()).add(member));
      }
    });
  }
  return [...members].flatMap(([name, links]) =>
    links.size > 1 ? [`${fn.name}, which calls itself, ${goesAlong(name, links)}`] : [],
  );
}

/**
 * A function that calls itself for nodes behind its argument, frees some, and reads a pointer to one behind that. Those
 * that are reached along one link, or along those of a tree, are known.
 */
function freedByRecursion(fn: FunctionDefinition, { memoryModel, builder }: TransitionSystem): string[] {
  const { objects } = builder.effects;
  const followed = [...objects.followed(fn)];
  const isOfTree = memoryModel.forests.some(({ links }) =>
    followed.every((one) => links.some((link) => link.objects === one)),
  );
  if (!objects.ended(fn).any && (followed.length === 1 || isOfTree)) return [];
  const frees = [...reachableFunctions([fn])].some(({ edges }) => edges.some(({ command }) => command.kind === 'free'));
  const names = fn.edges.flatMap(({ command, to }) => {
    if (!frees || command.kind !== 'call' || !command.targets.some((target) => reachableFunctions([target]).has(fn)))
      return [];
    return command.arguments.flatMap((argument, i) => {
      const structure = nextOfItsKind(command.targets[0]!.parameters[i]!.ctype);
      const leadsOn = loadedFrom(argument, fn).some((address) => {
        const place = memoryModel.regions.pointee(address);
        return place && followedLink(place, memoryModel);
      });
      return structure && leadsOn && usesBehind(to, structure) ? [printType(withoutQualifiers(structure))] : [];
    });
  });
  return [...new Set(names)].map(
    (name) =>
      `${fn.name}, which calls itself, frees ${name}: it is not known which nodes a call leaves alone, so none that ` +
      'its caller holds is known to live behind it',
  );
}

/** A pointer to such a structure is read where control comes from there. */
function usesBehind(location: Location, structure: CType): boolean {
  const seen = new Set([location]);
  for (const at of seen)
    for (const { command, to } of at.edges) {
      seen.add(to);
      const read = expressionsOf(command).flatMap((e) => [...variablesIn(e)]);
      if (read.some(({ ctype }) => ctype && nextOfItsKind(ctype) === structure)) return true;
    }
  return false;
}

/** The addresses from which the value is loaded. */
const loadedFrom = (value: Expression, fn: FunctionDefinition): readonly Expression[] =>
  valuesOf(value, fn).flatMap((one) => (one.kind === 'load' ? [one.address] : []));

/** Lists whose heads are elements of an array, as those of a hash table: see `headArrays.ts`. */
function fromElements(fn: FunctionDefinition, { memoryModel }: TransitionSystem): string[] {
  const { links, regions } = memoryModel;
  return fn.edges.flatMap(({ command }) => {
    const structure = stepsAlong(command, fn);
    if (!structure || command.kind !== 'assign' || command.value.kind !== 'load') return [];
    const place = regions.pointee(command.value.address);
    const target = place && regions.storedAt(place.node, place.at);
    const node = target && regions.find(target.node);
    const [origin] = place && regions.find(place.node) !== node ? [...place.node.origins] : [];
    if (!links.some((link) => link.node === node)) return [];
    if (!place || place.at.modulus === 0 || origin?.kind !== 'static') return [];
    const name = printType(withoutQualifiers(structure));
    return [
      `lists of ${name} whose heads are elements of ${origin.object.name} are followed from node to node alone: ` +
        'it is known that two links lead to two nodes, and not which nodes a head reaches',
    ];
  });
}

/** The pointer at the place leads into another region, in which links are followed. */
function isHead(
  place: Parameters<typeof followedLink>[0],
  { memoryModel: { regions, links } }: TransitionSystem,
): boolean {
  const target = place && regions.storedAt(place.node, place.at);
  const node = target && regions.find(target.node);
  return node !== undefined && node !== regions.find(place!.node) && links.some((link) => link.node === node);
}

/** Clients own objects of the link's region, and static data of the module leads to some. */
function keptWithClients(
  place: Parameters<typeof followedLink>[0],
  { memoryModel, options, program }: TransitionSystem,
): boolean {
  const { regions } = memoryModel;
  const link = options.mode === 'module' ? followedLink(place, memoryModel) : undefined;
  if (!link?.ofClients) return false;
  return (
    program.globals.some(({ variable }) => {
      const target =
        variable.type.kind === 'pointer' && regions.pointee({ kind: 'read', type: variable.type, variable });
      return target && regions.find(target.node) === link.node;
    }) ||
    program.objects.some((object) =>
      regions.nodeOfOrigin(object)?.contents.some(({ target }) => regions.find(target.node) === link.node),
    )
  );
}

/** Loops in which a pointer to links goes on to one of several: `at = x < y ? &(*at)->left : &(*at)->right`. */
function throughPointers(fn: FunctionDefinition): string[] {
  const found: string[] = [];
  for (const { body } of naturalLoops(fn).values()) {
    const members = new Map<string, Set<string>>();
    for (const { from, command } of fn.edges) {
      if (command.kind !== 'assign' || !body.has(from)) continue;
      const { ctype } = command.target;
      const structure = ctype?.kind === 'pointer' ? nextOfItsKind(ctype.to) : undefined;
      if (structure?.kind !== 'record') continue;
      const offsets = valuesOf(command.value, fn).flatMap((value) =>
        value.kind === 'offset' && value.delta.kind === 'integer' ? [Number(value.delta.value)] : [],
      );
      const name = printType(withoutQualifiers(structure));
      const linksAt = members.get(name) ?? new Set();
      for (const field of structure.record.fields)
        if (field.name !== undefined && offsets.includes(field.offsetBytes)) linksAt.add(field.name);
      members.set(name, linksAt);
    }
    for (const [name, links] of members) if (links.size > 1) found.push(`a loop ${goesAlong(name, links)}`);
  }
  return found;
}

/** The value, or all that are assigned to the temporary variable that holds it. */
function valuesOf(value: Expression, { edges }: FunctionDefinition): readonly Expression[] {
  if (value.kind !== 'read' || value.variable.ctype) return [value];
  return edges.flatMap(({ command }) =>
    command.kind === 'assign' && command.target === value.variable ? [command.value] : [],
  );
}

/** The structure, if the command loads a pointer to the next one of its kind. */
function stepsAlong(command: Command, fn: FunctionDefinition): CType | undefined {
  if (command.kind !== 'assign' || command.value.kind !== 'load' || command.value.type.kind !== 'pointer')
    return undefined;
  const { target } = command;
  if (target.ctype) return nextOfItsKind(target.ctype);
  // A choice of `?:` reaches its variable through one without a type.
  for (const { command: later } of fn.edges) {
    if (later.kind !== 'assign' || later.value.kind !== 'read' || later.value.variable !== target) continue;
    const structure = nextOfItsKind(later.target.ctype);
    if (structure) return structure;
  }
  return undefined;
}

/** The structure that a pointer of the type leads to, if it has a pointer to another of its kind. */
function nextOfItsKind(ctype: CType | undefined): CType | undefined {
  const to = ctype?.kind === 'pointer' ? ctype.to : undefined;
  if (to?.kind !== 'record') return undefined;
  const leadsOn = to.record.fields.some(
    ({ type }) => type.kind === 'pointer' && type.to.kind === 'record' && type.to.record === to.record,
  );
  return leadsOn ? to : undefined;
}
