/** Parts of objects that a program accesses, for each region: what the division into slots is made of. */
import { cellsOf, type Congruence, exactly, flat, gcd, keyOf, negate, plus, residueOf } from '../../program/congruence';
import { int8, pointer, type Expression, type Scalar } from '../../program/expression';
import type { Program } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';
import { type Pointee, scalarBytes } from './regionNode';
import type { Regions } from './regions';

/** Regions may become one on the way; then what was collected is to be collected again. */
export function collectAccesses(regions: Regions): void {
  const { program } = regions;
  const access = (address: Expression, type: Scalar): void => {
    const target = regions.pointee(address);
    if (target) regions.find(target.node).accesses.set(`${keyOf(target.at)}/${typeKey(type)}`, { at: target.at, type });
  };
  for (const fn of program.functions) {
    for (const { command } of fn.edges) {
      for (const e of expressionsOf(command)) {
        walk(e, (node) => {
          if (node.kind === 'load') access(node.address, node.type);
          else lookedAt(node, regions);
        });
      }
      if (command.kind === 'store') access(command.address, command.type);
      if (command.kind === 'copy' && regions.copiedApart(command)?.isBareByte)
        for (const end of [command.target, command.source]) access(end, int8);
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
          for (const { at, type } of [...node.accesses.values()]) {
            if (node.accesses.size > 200) break;
            const moved = plus(at, shift);
            const key = `${keyOf(moved)}/${typeKey(type)}`;
            if (moved.modulus === 0 && (cellsOf(moved).every((cell) => cell < 0) || moved.residue > 1 << 16)) continue;
            if (!node.accesses.has(key)) {
              node.accesses.set(key, { at: moved, type });
              again = true;
            }
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
  for (const { at, type } of [...from.node.accesses.values()]) {
    for (const position of positionsIn(at, scalarBytes(type, program), from.at, bytes)) {
      const moved = plus(to.at, exactly(position));
      const key = `${keyOf(moved)}/${typeKey(type)}`;
      if ((moved.modulus === 0 && cellsOf(moved).every((cell) => cell < 0)) || to.node.accesses.has(key)) continue;
      to.node.accesses.set(key, { at: moved, type });
      changed = true;
    }
  }
  return changed;
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
