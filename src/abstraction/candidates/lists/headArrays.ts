/**
 * Lists whose heads are elements of a static array, as those of a hash table. Clauses about single links suffice: heads
 * and links are null or lead to live nodes, no two of them to the same one (as in McPeak, Necula, CAV 2005). So a node
 * that is taken out is linked to from nowhere. All are one step of Houdini, since none is inductive alone.
 */
import * as L from '../../../logic/build';
import { compile } from '../../../logic/compile';
import type { Term } from '../../../logic/term';
import { equal, exactly } from '../../../program/congruence';
import type { Expression, Variable } from '../../../program/expression';
import type { FunctionDefinition } from '../../../program/program';
import { targetOf, variablesIn } from '../../../program/traverse';
import { objectNumber, offsetBytes, pointerTo } from '../../../semantics/concrete/concreteValues';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import { FreshSymbols, isPointer } from '../../../semantics/symbolic/symbolicValues';
import { symbolsOf } from '../../../logic/symbols';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { heldPointers, type HeldPointer, isPlaceOf } from '../statics/heldPointers';
import type { Heap, Name, Template } from './linkedHeap';
import type { LinkTerms } from './linkTerms';

const limits = {
  /** Arrays of heads of one link. */
  arrays: 2,
  /** Elements that a function reads. */
  elements: 2,
} as const;

/** The static arrays of heads of the link's lists. */
function arraysOf(link: LinkVariables, system: TransitionSystem): readonly HeldPointer[] {
  const { regions } = system.memoryModel;
  return heldPointers(system, ({ node, at }) => regions.find(node) === link.node && equal(at, exactly(link.offset)))
    .filter(({ isMany }) => isMany)
    .slice(0, limits.arrays);
}

export function headArrays(
  point: Cutpoint,
  terms: LinkTerms,
  names: readonly Name[],
  system: TransitionSystem,
): readonly Template[] {
  const { link } = terms;
  const arrays = link.ofClients ? [] : arraysOf(link, system);
  if (arrays.length === 0) return [];
  const { halfSort } = system.memoryModel;
  const [place, elsewhere] = [L.symbol('?offset', halfSort), L.symbol('?elsewhere', halfSort)];
  const { bound, other } = terms;
  const [next, otherNext] = [terms.linkAt(bound), terms.linkAt(other)];
  const found: Template[] = [];
  const add = (term: Term, holds: Template['holds'], tried: Template['tried'] = 'always'): void => {
    found.push({ term, holds, tried, refuted: false });
  };
  for (const { isPlace } of headElements(point, link, system)) {
    const isThere = compile(isPlace);
    add(isPlace, ({ value }) => isThere(value) === true);
  }
  const leads = (pointer: { readonly object: Term; readonly offset: Term }): Term =>
    L.or(terms.isNull(pointer), terms.leadsThere({ ...pointer, at: link.offset, isObject: false, isStatic: true }));
  const isNode = ({ isLive }: Heap, target: number | 'null' | undefined): boolean =>
    target === 'null' || (target !== undefined && isLive(target));
  const ofEach = (held: HeldPointer, body: Term): Term => L.forall([place], L.implies(isPlaceOf(held, place), body));
  /** Conditions on all nodes, or on all but the one that a variable leads to, as one that is being made. */
  const ofNodes = (except: Term | undefined, others: (heap: Heap) => readonly number[]): void => {
    const tried = except ? 'if-seen' : 'always';
    const isOne = (object: Term): Term => (except ? L.eq(object, except) : L.FALSE);
    add(
      terms.forLive(L.or(leads(next), isOne(bound))),
      (heap) => others(heap).every((o) => isNode(heap, heap.chains.pointerAt(o))),
      tried,
    );
    const areApart = [terms.isZero(next), L.not(L.eq(next.object, otherNext.object)), L.eq(bound, other)];
    add(
      terms.forLivePairs(L.or(...areApart, isOne(bound), isOne(other))),
      (heap) => areDistinct(others(heap).map((o) => heap.chains.pointerAt(o))),
      tried,
    );
    for (const held of arrays)
      add(
        L.forall(
          [place, bound],
          L.or(
            L.not(isPlaceOf(held, place)),
            terms.isNoNode(bound),
            terms.isZero(held.at(place)),
            L.not(L.eq(held.at(place).object, next.object)),
            isOne(bound),
          ),
        ),
        (heap) => {
          const heads = new Set(headsIn(heap, held, link));
          return others(heap).every((o) => heap.chains.isNullAt(o) || !heads.has(heap.chains.pointerAt(o)!));
        },
        tried,
      );
  };
  ofNodes(undefined, ({ live }) => live);
  if (point.kind === 'loop' || point.kind === 'return')
    names.forEach((z, k) => {
      if (z.isObject || z.isStatic) return;
      const others = ({ live, values }: Heap): readonly number[] => live.filter((object) => object !== values[k]);
      ofNodes(z.object, others);
      // Nothing leads to a node that is being made.
      add(
        terms.forLive(L.or(terms.isZero(z), L.eq(bound, z.object), L.not(L.eq(next.object, z.object)))),
        (heap) => others(heap).every((o) => heap.values[k] === 0 || heap.chains.pointerAt(o) !== heap.values[k]),
        'if-seen',
      );
      for (const held of arrays)
        add(
          ofEach(held, L.or(terms.isZero(z), L.not(L.eq(held.at(place).object, z.object)))),
          (heap) => heap.values[k] === 0 || !headsIn(heap, held, link).includes(heap.values[k]),
          'if-seen',
        );
    });
  for (const held of arrays) {
    const [head, second] = [held.at(place), held.at(elsewhere)];
    add(ofEach(held, leads(head)), (heap) => headsIn(heap, held, link).every((target) => isNode(heap, target)));
    add(
      L.forall(
        [place, elsewhere],
        L.or(
          L.not(L.and(isPlaceOf(held, place), isPlaceOf(held, elsewhere))),
          L.eq(place, elsewhere),
          terms.isZero(head),
          L.not(L.eq(head.object, second.object)),
        ),
      ),
      (heap) => areDistinct(headsIn(heap, held, link)),
    );
  }
  return found;
}

const areDistinct = (targets: readonly (number | 'null' | undefined)[]): boolean => {
  const all = targets.filter((target) => target !== 'null');
  return new Set(all).size === all.length;
};

/** Objects that the heads lead to; undefined where one leads elsewhere. */
function headsIn(
  { memory }: Heap,
  { object, first, step }: HeldPointer,
  { offset }: LinkVariables,
): readonly (number | 'null' | undefined)[] {
  const found: (number | 'null' | undefined)[] = [];
  for (let at = first; at < object.sizeBytes; at += step) {
    const head = memory.load(pointerTo(object.number, at), { kind: 'pointer' });
    const number = objectNumber(head);
    found.push(Number(head) === 0 ? 'null' : offsetBytes(head) === offset ? number : undefined);
  }
  return found;
}

interface HeadElement {
  readonly name: Name;
  /** The element exists. */
  readonly isPlace: Term;
}

/** Elements of arrays of heads that the point's function reads, at an index that stays as it is. */
export function headElements(point: Cutpoint, link: LinkVariables, system: TransitionSystem): readonly HeadElement[] {
  const { memoryModel, vocabulary, builder } = system;
  const { regions } = memoryModel;
  if (link.ofClients || point.kind === 'module' || point.kind === 'entry' || point.kind === 'exit') return [];
  const arrays = arraysOf(link, system);
  if (arrays.length === 0) return [];
  const changed = changedOften(point.fn);
  const state = vocabulary.arbitraryState(point.fn, new FreshSymbols('head'));
  const found = new Map<Term, HeadElement>();
  const read = point.fn.edges.flatMap(({ command }) => (command.kind === 'assign' ? casesOf(command.value) : []));
  for (const value of read) {
    if (value.kind !== 'load' || value.type.kind !== 'pointer' || found.size === limits.elements) continue;
    const place = regions.pointee(value.address);
    const held = place && arrays.find(({ node }) => regions.find(node) === regions.find(place.node));
    if (!held) continue;
    if ([...variablesIn(value)].some((variable) => variable.temporary || changed.has(variable))) continue;
    const [head, address] = [builder.evaluate(value, state), builder.evaluate(value.address, state)];
    if (!isPointer(head) || !isPointer(address)) continue;
    const symbols = [...symbolsOf(L.and(L.eq(head.object, head.offset), L.eq(address.object, address.offset)))];
    if (!symbols.every((symbol) => vocabulary.meaning(symbol))) continue;
    found.set(head.object, {
      name: { ...head, at: link.offset, isObject: false, isStatic: false },
      isPlace: isPlaceOf(held, address.offset),
    });
  }
  return [...found.values()];
}

/** The values of which a choice takes one, as of a pointer that leads to an element or to a link. */
const casesOf = (e: Expression): readonly Expression[] =>
  e.kind === 'conditional' ? [...casesOf(e.then), ...casesOf(e.otherwise)] : [e];

/** Parameters that are assigned, and locals that are more than once. */
function changedOften({ edges, parameters }: FunctionDefinition): ReadonlySet<Variable> {
  const once = new Set<Variable>(parameters);
  const often = new Set<Variable>();
  for (const { command } of edges) {
    const target = targetOf(command);
    if (!target) continue;
    if (once.has(target)) often.add(target);
    once.add(target);
  }
  return often;
}
