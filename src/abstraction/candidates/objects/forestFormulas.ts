/**
 * Candidates about the objects of a forest: that an object is the parent of all that its links lead to, that a variable
 * leads to a root, and that one leads to the parent of another's object. These say of one object at a time that no two
 * link to the same.
 *
 * In functions that call themselves also that links lead to live objects but where a call has left dangling ones: those
 * of the ancestors of an argument, or those to the argument's object.
 */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import { reachableFunctions } from '../../../program/automata/reachableFunctions';
import type { FunctionDefinition } from '../../../program/program';
import { assignedVariables } from '../../../semantics/symbolic/vocabulary';
import type { ForestVariables, MemoryVariable } from '../../../semantics/symbolic/memoryModel';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { exists, type ObjectName, namesAt, nullPointer } from './objectNames';
import { arrayOf, type ObjectLink, type ObjectRegion } from './objectPairs';

/** Parameters of one function. */
const mostParameters = 3;

/** The forest of the region, and its links among the region's. */
export interface RegionForest {
  readonly forest: ForestVariables;
  readonly links: readonly ObjectLink[];
}

export function forestOf(
  { node, links }: ObjectRegion,
  { memoryModel, vocabulary }: TransitionSystem,
): RegionForest | undefined {
  const forest = memoryModel.forests.find((one) => one.node === memoryModel.regions.find(node));
  if (!forest) return undefined;
  const arrays = new Set(forest.links.map(({ objects }) => vocabulary.symbolOf(objects)));
  return { forest, links: links.filter(({ object }) => arrays.has(arrayOf(object))) };
}

export interface ForestFormula {
  readonly term: Term;
  /** A stronger formula: in a function where it held in all states seen, this one is not tried. */
  readonly unless?: Term;
}

/** Of any object `bound` of the region. */
export function forestFormulas(
  { bound, node }: ObjectRegion,
  { forest, links }: RegionForest,
  point: Cutpoint,
  names: readonly ObjectName[],
  system: TransitionSystem,
): readonly ForestFormula[] {
  const { parentOf, hasParent, isBelow } = parentsIn(forest, system);
  const led = names.filter((name) => !name.isGlobal && name.node === system.memoryModel.regions.find(node));
  const exceptions = calledAgain(point.fn) ? (point.kind === 'exit' ? parametersAt(point, node, system) : led) : [];
  return links.flatMap((link) => {
    const isNull = nullPointer(link, system);
    const isProper = L.or(isNull, exists(link, node, system));
    const isAdopted = { term: L.or(isNull, L.eq(parentOf(link.object), bound)) };
    return [
      isAdopted,
      ...exceptions.flatMap(({ value: { object } }) => {
        const isNone = L.eq(object, L.bits(0n, L.widthOf(object)));
        const unless = isProper;
        const ofAncestor = L.or(isNone, isProper, L.and(hasParent(object), isBelow(parentOf(object), bound)));
        switch (point.kind) {
          case 'entry':
            return [{ term: ofAncestor, unless }];
          case 'exit':
            return [
              { term: ofAncestor, unless },
              { term: L.or(isProper, L.eq(link.object, object)), unless },
            ];
          default:
            return [
              { term: ofAncestor, unless },
              { term: L.or(isNone, isProper, isBelow(object, bound)), unless },
            ];
        }
      }),
    ];
  });
}

/** Of variables that lead to objects of forests. */
export function forestNameFormulas(point: Cutpoint, system: TransitionSystem): readonly Term[] {
  const { memoryModel, vocabulary } = system;
  const none = L.bits(0n, memoryModel.half);
  return memoryModel.forests.flatMap((forest) => {
    const { parentOf, hasParent } = parentsIn(forest, system);
    const names = namesAt(point, system).filter(({ node }) => node === forest.node);
    const terms = [vocabulary.symbolOf(forest.acyclic)];
    for (const { variable, value } of names) {
      const isNull = L.eq(value.object, none);
      const isRoot = L.or(isNull, L.not(hasParent(value.object)));
      terms.push(isRoot);
      const parent = L.ite(hasParent(value.object), parentOf(value.object), none);
      for (const other of names)
        if (other.variable !== variable) terms.push(L.or(isNull, L.eq(parent, other.value.object)));
      if (point.kind === 'exit' && variable === point.fn.resultVariable)
        for (const parameter of parametersAt(point, forest.node, system))
          terms.push(L.or(isRoot, L.eq(value.object, parameter.value.object)));
    }
    return terms;
  });
}

/** Parents in the states of the system: an object that was freed is nobody's parent. */
function parentsIn(
  { node, parents, ancestors }: ForestVariables,
  { memoryModel, vocabulary }: TransitionSystem,
): {
  readonly parentOf: (object: Term) => Term;
  readonly hasParent: (object: Term) => Term;
  readonly isBelow: (object: Term, of: Term) => Term;
} {
  const at = (memory: MemoryVariable, object: Term): Term => L.select(vocabulary.symbolOf(memory), object);
  const parentOf = (object: Term): Term => at(parents, object);
  const last = L.bits(BigInt(memoryModel.lastStatic), memoryModel.half);
  const region = L.bits(memoryModel.allocationSiteOf(node), memoryModel.half);
  return {
    parentOf,
    hasParent: (object) =>
      L.and(
        L.ult(last, parentOf(object)),
        at(memoryModel.live, parentOf(object)),
        L.eq(at(memoryModel.allocationSite, parentOf(object)), region),
      ),
    isBelow: (object, of) => L.related(vocabulary.symbolOf(ancestors), object, of),
  };
}

/** Parameters that still lead to where the arguments did, also where the function ends. */
function parametersAt(
  { fn, kind }: Cutpoint,
  node: ObjectRegion['node'],
  { vocabulary, memoryModel: { regions } }: TransitionSystem,
): readonly ObjectName[] {
  if (kind !== 'exit') return [];
  const assigned = assignedVariables(fn);
  return vocabulary
    .pointersFor(fn)
    .flatMap(({ variable, value }): ObjectName[] => {
      if (!fn.parameters.includes(variable) || assigned.has(variable)) return [];
      const target = regions.pointee({ kind: 'read', type: variable.type, variable });
      const here = target && regions.find(target.node);
      return here === regions.find(node) ? [{ variable, value, node: here, isGlobal: false }] : [];
    })
    .slice(0, mostParameters);
}

const known = new WeakMap<FunctionDefinition, boolean>();

function calledAgain(fn: FunctionDefinition): boolean {
  let found = known.get(fn);
  if (found === undefined) {
    found = fn.edges.some(
      ({ command }) =>
        command.kind === 'call' && command.targets.some((target) => reachableFunctions([target]).has(fn)),
    );
    known.set(fn, found);
  }
  return found;
}
