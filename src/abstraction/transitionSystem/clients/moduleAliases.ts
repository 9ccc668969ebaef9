/**
 * Targets of an argument that a client has from the module: a variable of the module's, or the middle of a block that
 * it allocated. A client's own objects are what they are whether or not the module knows of them; these are also the
 * module's, so that what one function writes through its argument another finds in its own data.
 */
import { sizeOf } from '../../../c/layout';
import type { CType } from '../../../c/types';
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { cellsOf, type Congruence, contains, equal, exactly, flat, plus } from '../../../program/congruence';
import type { Variable } from '../../../program/expression';
import { passedStructure } from '../../../program/passedStructure';
import type { FunctionDefinition, StaticObject } from '../../../program/program';
import { type EscapedPointer, isConst, type Node } from '../../../semantics/pointers/regionNode';
import type { Regions } from '../../../semantics/pointers/regions';
import type { MemoryModel } from '../../../semantics/symbolic/memoryModel';
import type { SymbolicMemory } from '../../../semantics/symbolic/symbolicMemory';
import type { SymbolicPointer } from '../../../semantics/symbolic/symbolicValues';

const limits = {
  /** Places in one object that are told one by one. */
  places: 16,
} as const;

interface Argument {
  readonly value: SymbolicPointer;
  readonly node: Node;
  /** Size of the pointee. */ readonly sizeBytes: number;
  readonly toConst: boolean;
  /** It may lead to any element from the place on that the client was given, or before, or behind the last one. */
  readonly isInterior: boolean;
}

/** Describes a pointer that a client passes; undefined for a function, or a structure that is passed by value. */
export function argumentOf(
  fn: FunctionDefinition,
  parameter: Variable,
  regions: Regions,
  interior?: ReadonlySet<Variable>,
): Omit<Argument, 'value'> | undefined {
  const target =
    passedStructure(fn, parameter) || parameter.type.kind !== 'pointer'
      ? undefined
      : regions.pointee({ kind: 'read', type: parameter.type, variable: parameter });
  const to = pointeeOf(parameter, fn);
  if (!target || to?.kind === 'function') return undefined;
  return {
    node: target.node,
    sizeBytes: Math.max(1, (to && sizeOf(to, regions.program.dataModel)) ?? 1),
    toConst: isConst(to),
    isInterior: interior?.has(parameter) === true,
  };
}

/** Pointee type of a pointer parameter or result. */
export function pointeeOf(variable: Variable, fn: FunctionDefinition): CType | undefined {
  if (variable.ctype) return variable.ctype.kind === 'pointer' ? variable.ctype.to : undefined;
  return passedStructure(fn, variable)?.type;
}

/** True if clients of the function may pass pointers into a variable of the module's. */
export function acceptsModulePointers(fn: FunctionDefinition, regions: Regions): boolean {
  const escaped = regions.escapedPointers();
  return fn.parameters.some((parameter) => {
    const argument = argumentOf(fn, parameter, regions);
    return argument !== undefined && escapedVariables(escaped, argument).length > 0;
  });
}

/** Variables of the module's to which a client may have a pointer of this kind. */
function escapedVariables(
  escaped: readonly EscapedPointer[],
  { node, sizeBytes, toConst, isInterior }: Omit<Argument, 'value'>,
): readonly { readonly object: StaticObject; readonly at: Congruence }[] {
  return reaching(escaped, node, toConst).flatMap(({ target: { at } }) =>
    [...node.origins].flatMap((origin) => {
      if (origin.kind !== 'static' || origin.object.sizeBytes < sizeBytes || (!origin.object.writable && !toConst))
        return [];
      return [{ object: origin.object, at: isInterior ? elementsFrom(at, sizeBytes) : at }];
    }),
  );
}

const elementsFrom = (at: Congruence, sizeBytes: number): Congruence => plus(at, { residue: 0, modulus: sizeBytes });

/** The disjuncts. */
export function mayAliasModule(
  escaped: readonly EscapedPointer[],
  argument: Argument,
  memoryModel: MemoryModel,
  memory: SymbolicMemory,
): readonly Term[] {
  const {
    value: { object, offset },
    node,
    sizeBytes,
    toConst,
    isInterior,
  } = argument;
  // An interior pointer may lead just behind the last element.
  const lastBytes = isInterior ? 0 : sizeBytes;
  const bits = (n: number): Term => L.bits(BigInt(n), memoryModel.half);
  const places = new Map<string, { readonly at: Term; readonly numbers: number[] }>();
  for (const { object: own, at } of escapedVariables(escaped, argument)) {
    const last = own.sizeBytes - lastBytes;
    const key = `${last} ${JSON.stringify(at)}`;
    const group = places.get(key) ?? { at: isAt(offset, at, last, bits), numbers: [] };
    places.set(key, group);
    group.numbers.push(own.number);
  }
  const variables = [...places.values()].flatMap(({ at, numbers }) =>
    runsOf(numbers).map(([first, last]) => L.and(L.ule(bits(first), object), L.ule(object, bits(last)), at)),
  );
  if (![...node.origins].some(({ kind }) => kind === 'heap')) return variables;
  const inside = reaching(escaped, node, toConst).filter(({ target: { at } }) => !equal(at, exactly(0)));
  const maker = L.select(memory.contents[memoryModel.allocationSite.index]!, object);
  const size = L.select(memory.contents[memoryModel.size.index]!, object);
  return [
    ...variables,
    ...inside.map(({ target: { at } }) =>
      L.and(
        L.ult(bits(memoryModel.lastStatic), object),
        L.ult(object, memory.contents[memoryModel.allocationCounter.index]!),
        L.select(memory.contents[memoryModel.live.index]!, object),
        L.eq(maker, L.bits(memoryModel.allocationSiteOf(node), memoryModel.half)),
        L.sle(bits(0), offset),
        L.sle(bits(sizeBytes), size),
        L.sle(offset, L.sub(size, bits(lastBytes))),
        isIn(offset, isInterior ? elementsFrom(at, sizeBytes) : at, bits),
      ),
    ),
  ];
}

function reaching(escaped: readonly EscapedPointer[], node: Node, toConst: boolean): readonly EscapedPointer[] {
  return escaped.filter((out) => out.target.node === node && (toConst || !out.toConst));
}

function isAt(offset: Term, at: Congruence, last: number, bits: (n: number) => Term): Term {
  const { modulus } = flat(at);
  const step = modulus === 0 ? 1 : modulus;
  const count = modulus === 0 ? 1 : Math.floor(last / step) + 1;
  if (count > limits.places) return L.and(L.sle(bits(0), offset), L.sle(offset, bits(last)), isIn(offset, at, bits));
  const first = modulus === 0 ? flat(at).residue : flat(at).residue % step;
  const cells = Array.from({ length: count }, (_, i) => first + i * step).filter(
    (cell) => cell >= 0 && cell <= last && contains(at, exactly(cell)),
  );
  return L.or(...cells.map((cell) => L.eq(offset, bits(cell))));
}

/** A set that is told by more than its period is taken for all of it. */
function isIn(offset: Term, at: Congruence, bits: (n: number) => Term): Term {
  const { residue, modulus } = flat(at);
  if (modulus === 0) return L.or(...cellsOf(at).map((cell) => L.eq(offset, bits(cell))));
  return modulus === 1 ? L.TRUE : L.eq(L.urem(offset, bits(modulus)), bits(((residue % modulus) + modulus) % modulus));
}

/** First and last of each run of numbers. */
function runsOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}
