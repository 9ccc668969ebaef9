/**
 * Pointers that the program may hold without having made them: read from bytes that something else wrote, or written by
 * a function without a body or of the library. A program with one is modelled as one array of bytes.
 */
import { isNative, setsErrno } from '../../program/linking/natives';
import type { Program } from '../../program/program';
import { expressionsOf, walk, walkOwn } from '../../program/traverse';
import type { Node, Origin } from './regionNode';
import type { Regions } from './regions';

const holdsPointers = (node: Node): boolean =>
  node.contents.length > 0 || [...node.accesses.values()].some(({ type }) => type.kind === 'pointer');

/** Objects where a pointer lies and something that is no pointer is accessed, too: bytes may forge it. */
export const mixedObjects = (regions: Regions): ReadonlySet<Origin> =>
  new Set(mixedNodes(regions).flatMap(({ origins }) => [...origins]));

/**
 * The program may hold a pointer that such bytes forge. It does not if it only writes pointers there, as through
 * `const char **start` beside a text. The objects must be clients', who get what is written there as pointers anyway:
 * from bytes of other objects a client might put together a pointer that nothing hands out.
 */
export const mayReadForged = (regions: Regions): boolean =>
  mixedNodes(regions).some(
    ({ origins, accesses }) =>
      ![...origins].some(({ kind }) => kind === 'external') ||
      [...accesses.values()].some(({ type, isRead }) => type.kind === 'pointer' && isRead === true),
  );

const mixedNodes = (regions: Regions): readonly Node[] =>
  regions
    .roots()
    .filter(
      (node) =>
        [...node.accesses.values()].some(({ type }) => type.kind === 'pointer') &&
        regions.slotsOf(node).kind === 'bytes',
    );

/** An unknown function may write pointers: into visible globals, or into memory that it can reach. */
export function mayBeWrittenOutside(regions: Regions): boolean {
  const { program } = regions;
  const unknown = program.functions.flatMap((fn) =>
    fn.edges.flatMap(({ command }) => (command.kind === 'external' && !isNative(command.name) ? [command] : [])),
  );
  if (unknown.length === 0) return false;
  const isData = ({ variable: { type, ctype } }: Program['globals'][number]): boolean =>
    type.kind === 'pointer' && !(ctype?.kind === 'pointer' && ctype.to.kind === 'function');
  if (program.globals.some((global) => global.visible && isData(global))) return true;
  const handed = unknown.flatMap((command) =>
    command.arguments.flatMap((argument) =>
      argument.type.kind === 'pointer' ? (regions.pointee(argument)?.node ?? []) : [],
    ),
  );
  const seen = regions.reachable([
    ...handed,
    ...convertedToNumbers(regions),
    ...program.objects.flatMap((object) => (object.visible ? regions.nodeOfOrigin(object)! : [])),
  ]);
  const copied = endsOfCopies(regions);
  // Memory that the program itself never reads gives it no pointer.
  return [...seen].some((node) => holdsPointers(node) && (node.accesses.size > 0 || copied.has(node)));
}

/** Objects whose bytes go elsewhere, or come from elsewhere, as they are. */
function endsOfCopies(regions: Regions): ReadonlySet<Node> {
  const pointers = regions.program.functions.flatMap((fn) =>
    fn.edges.flatMap(({ command }) => {
      switch (command.kind) {
        case 'copy':
          return [command.target, command.source];
        case 'external':
          return isNative(command.name) ? command.arguments.filter(({ type }) => type.kind === 'pointer') : [];
        default:
          return [];
      }
    }),
  );
  return new Set(pointers.flatMap((pointer) => regions.pointee(pointer)?.node ?? []).map((node) => regions.find(node)));
}

/** Targets of addresses that were made numbers: as numbers they can go anywhere. */
export function convertedToNumbers(regions: Regions): readonly Node[] {
  const nodes = new Set<Node>();
  for (const fn of regions.program.functions) {
    for (const { command } of fn.edges) {
      for (const e of expressionsOf(command)) {
        walk(e, (inner) => {
          if (inner.kind !== 'convert' || inner.operand.type.kind !== 'pointer' || inner.type.kind === 'pointer')
            return;
          const target = regions.pointee(inner.operand);
          if (target) nodes.add(regions.find(target.node));
        });
      }
    }
  }
  return [...nodes];
}

/** Bytes that a library function writes over a pointer may forge another. */
export const mayBeWrittenByNatives = (regions: Regions): boolean =>
  regions.program.functions.some((fn) =>
    fn.edges.some(
      ({ command }) =>
        command.kind === 'external' &&
        [
          ...regions.writtenByNative(command),
          ...(setsErrno(command.name) && regions.errno ? [regions.errno] : []),
        ].some(holdsPointers),
    ),
  );

/** A number that is no constant is made a pointer, and may be the address of an object that is still to be made. */
export function makesPointersOfNumbers(program: Program): boolean {
  let found = false;
  walkOwn(program, (e) => {
    if (e.kind === 'convert' && e.type.kind === 'pointer' && e.operand.type.kind !== 'pointer')
      found ||= e.operand.kind !== 'integer';
  });
  return found;
}

/** `memset` may make other pointers than null: bytes that are not 0, over a pointer. */
export const mayFillPointers = (regions: Regions): boolean =>
  regions.program.functions.some((fn) =>
    fn.edges.some(({ command }) => {
      if (command.kind !== 'fill' || (command.byte.kind === 'integer' && command.byte.value === 0n)) return false;
      const target = regions.pointee(command.target);
      return target !== undefined && holdsPointers(regions.find(target.node));
    }),
  );
