/** Parts of objects that a program accesses, for each region: what the division into slots is made of. */
import { cellsOf, type Congruence, exactly, flat, gcd, keyOf, negate, plus, residueOf } from '../../program/congruence';
import { int8, pointer, type Expression, type Scalar } from '../../program/expression';
import type { Program } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';
import { type Node, type Pointee, scalarBytes } from './regionNode';
import type { Regions } from './regions';
import type { SlotAccess } from './slotLayout';

/** Regions may become one on the way; then what was collected is to be collected again. */
export function collectAccesses(regions: Regions): void {
  const { program } = regions;
  const access = (address: Expression, type: Scalar, isRead: boolean): void => {
    const target = regions.pointee(address);
    if (target) note(regions.find(target.node), { at: target.at, type, isRead });
  };
  for (const fn of program.functions) {
    for (const { command } of fn.edges) {
      for (const e of expressionsOf(command)) {
        walk(e, (node) => {
          if (node.kind === 'load') access(node.address, node.type, true);
          else lookedAt(node, regions);
        });
      }
      if (command.kind === 'store') access(command.address, command.type, false);
      if (command.kind === 'copy' && regions.copiedApart(command)?.isBareByte)
        for (const end of [command.target, command.source]) access(end, int8, true);
      if (command.kind === 'fill') regions.pointee(command.target);
      if (command.kind === 'external')
        for (const argument of command.arguments) if (argument.type.kind === 'pointer') regions.pointee(argument);
    }
  }
  for (const object of program.objects) {
    for (const { offsetBytes, value } of object.relocations)
      if (value.type.kind === 'pointer')
        regions.nodeOfOrigin(object)!.accesses.set(`${offsetBytes}/0/p`, { at: exactly(offsetBytes), type: pointer });
  }
  // Copied bytes keep their shape at the other end.
  for (let again = true; again;) {
    again = false;
    for (const fn of program.functions) {
      for (const { command } of fn.edges) {
        if (command.kind !== 'copy') continue;
        const target = regions.pointee(command.target);
        const source = regions.pointee(command.source);
        if (!target || !source) continue;
        const apart = regions.copiedApart(command);
        if (apart?.isBareByte) continue;
        if (apart) {
          for (const [here, there] of [
            [apart.source, apart.target],
            [apart.target, apart.source],
          ] as const)
            again = mirror(here, there, apart.bytes, program) || again;
          continue;
        }
        const node = regions.find(target.node);
        const forward = flat(plus(target.at, negate(source.at)));
        for (const shift of [forward, negate(forward)]) {
          if (shift.residue === 0 && shift.modulus === 0) continue;
          for (const { at, ...access } of [...node.accesses.values()]) {
            if (node.accesses.size > 200) break;
            const moved = plus(at, shift);
            if (moved.modulus === 0 && (cellsOf(moved).every((cell) => cell < 0) || moved.residue > 1 << 16)) continue;
            again = note(node, { ...access, at: moved }) || again;
          }
        }
      }
    }
  }
}

/** Whatever formulas will ask of a pointer is asked before: nothing becomes one region once memory is laid out. */
function lookedAt(e: Expression, regions: Regions): void {
  if (e.kind === 'object-size' || e.kind === 'is-live' || e.kind === 'is-writable') regions.pointee(e.pointer);
  if (e.kind === 'list') {
    regions.pointee(e.list);
    regions.pointee(e.node);
  }
  if (e.kind !== 'compare' || e.left.type.kind !== 'pointer') return;
  regions.targets(e.left);
  regions.targets(e.right);
}

/** Gives the one end of a copy the accesses of the other; answers whether any is new. */
function mirror(from: Pointee, to: Pointee, bytes: number, program: Program): boolean {
  let changed = false;
  for (const { at, ...access } of [...from.node.accesses.values()]) {
    for (const position of positionsIn(at, scalarBytes(access.type, program), from.at, bytes)) {
      const moved = plus(to.at, exactly(position));
      if (moved.modulus === 0 && cellsOf(moved).every((cell) => cell < 0)) continue;
      changed = note(to.node, { ...access, at: moved }) || changed;
    }
  }
  return changed;
}

/** Adds the access to the node; answers whether it is new, or was not known to read. */
function note(node: Node, access: SlotAccess): boolean {
  const key = `${keyOf(access.at)}/${typeKey(access.type)}`;
  const known = node.accesses.get(key);
  if (known && (known.isRead || !access.isRead)) return false;
  node.accesses.set(key, access);
  return true;
}

/** Where, from the start of `count` bytes at `base`, something of `bytes` bytes that lies at `at` can meet them. */
export function positionsIn(at: Congruence, bytes: number, base: Congruence, count: number): readonly number[] {
  const modulus = gcd(at.modulus, base.modulus);
  const positions = new Set<number>();
  for (const cell of cellsOf(at)) {
    for (const start of cellsOf(base)) {
      const distance = cell - start;
      if (modulus !== 0)
        for (
          let position = 1 - bytes + residueOf(distance - (1 - bytes), modulus);
          position < count;
          position += modulus
        )
          positions.add(position);
      else if (distance > -bytes && distance < count) positions.add(distance);
    }
  }
  return [...positions];
}

function typeKey(type: Scalar): string {
  return type.kind === 'pointer' ? 'p' : `${type.kind[0]}${type.widthBits}`;
}
