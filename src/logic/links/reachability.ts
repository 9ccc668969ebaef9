/**
 * Reachability along one link as a relation between objects that is updated, not computed: a write of a link changes it
 * by a formula without quantifiers (Itzhaky, Banerjee, Immerman, Nanevski, Sagiv, "Effectively-propositional reasoning
 * about reachability in linked data structures", CAV 2013). A relation is an array of booleans by a pair of object
 * numbers, the first in the upper half of the index. A read of a written relation is rewritten to reads of the relation
 * before, so a query has one relation, whatever number of links its segment writes.
 *
 * The update is exact for relations of heaps without cycles, reflexive ones, as long as no write closes a cycle: see
 * `closesCycle`. What it yields otherwise means nothing.
 */
import { select } from '../arrays/arrays';
import { lazyArray, readArray } from '../arrays/arrayValue';
import { eq } from '../comparison';
import { ite } from '../conditional';
import { application, bits, isApplication, widthOf } from '../intern';
import { and, not, or } from '../propositional';
import { add, sub } from '../words/linear';
import { concat, extract } from '../words/shape';
import { arraySort, bitsSort, boolSort } from '../sort';
import type { Application, ArraySort, ArrayValue, Sort, Term, Value } from '../term';

/** The sort of relations between objects with numbers of `width` bits. */
export function relationSort(width: number): ArraySort {
  return arraySort(bitsSort(2 * width), boolSort);
}

/** `b` is `a`, or is reached from it. */
export function relate(relation: Term, a: Term, b: Term): Term {
  return select(relation, concat(a, b));
}

/** The relation of a heap without links. `sort` is a relation's. */
export function identityRelation(sort: Sort): Term {
  return application('identity-relation', asRelation(sort), []);
}

/** The relation after the link of `object` is set to `target`, or to nothing where `isLink` is false. */
export function linkWritten(relation: Term, object: Term, target: Term, isLink: Term): Term {
  const sort = asRelation(relation.sort);
  if (widthOf(object) * 2 !== sort.index.width || object.sort !== target.sort || isLink.sort !== boolSort)
    throw new TypeError('a link leads from an object to an object, on a condition');
  return application('link-written', sort, [relation, object, target, isLink]);
}

/**
 * The numbers of objects that each object reaches, itself included, as an array by object number, after a write:
 * `counts` and `relation` are those before it. Exact as `linkWritten` is: what reaches the object keeps the objects up
 * to it, and gets those that the target reaches.
 */
export function linkCounted(counts: Term, relation: Term, object: Term, target: Term, isLink: Term): Term {
  const { sort } = counts;
  const { index } = asRelation(relation.sort);
  if (sort.kind !== 'array' || sort.index !== object.sort || sort.element.kind !== 'bits')
    throw new TypeError('counts are an array of words by objects');
  if (sort.index.width * 2 !== index.width || object.sort !== target.sort || isLink.sort !== boolSort)
    throw new TypeError('a link leads from an object to an object, on a condition');
  return application('link-counted', sort, [counts, relation, object, target, isLink]);
}

/** Sort of counts by objects with numbers of `width` bits. Sums of several counts do not overflow. */
export function countsSort(width: number): ArraySort {
  return arraySort(bitsSort(width), bitsSort(width + 8));
}

/** True if the write of `linkWritten` closes a cycle, over the relation before it. */
export function closesCycle(relation: Term, object: Term, target: Term, isLink: Term): Term {
  return and(isLink, relate(relation, target, object));
}

function asRelation(sort: Sort): ArraySort {
  if (sort.kind !== 'array' || sort.element !== boolSort || sort.index.width % 2 !== 0)
    throw new TypeError('a relation is an array of booleans by pairs');
  return sort;
}

const known = new WeakMap<Term, boolean>();

/** True if `readRelation` rewrites reads of the array: a relation, or counts. */
export function isRelation(array: Term): boolean {
  if (array.kind !== 'apply' || array.sort.kind !== 'array') return false;
  const { index, element } = array.sort;
  if (element !== boolSort && !(element.kind === 'bits' && element.width === index.width + 8)) return false;
  switch (array.operator) {
    case 'identity-relation':
    case 'link-written':
    case 'link-counted':
      return true;
    case 'ite':
      break;
    default:
      return false;
  }
  let found = known.get(array);
  if (found === undefined) known.set(array, (found = isRelation(array.args[1]!) || isRelation(array.args[2]!)));
  return found;
}

const reads = new WeakMap<Term, Map<Term, Term>>();

/** One element of a relation for which `isRelation` holds. Each pair is rewritten once. */
export function readRelation(relation: Application, index: Term): Term {
  let ofRelation = reads.get(relation);
  if (!ofRelation) reads.set(relation, (ofRelation = new Map()));
  let result = ofRelation.get(index);
  if (!result) ofRelation.set(index, (result = rewritten(relation, index)));
  return result;
}

function rewritten(relation: Application, index: Term): Term {
  if (isApplication(relation, 'ite')) {
    const [condition, then, otherwise] = relation.args as readonly [Term, Term, Term];
    return ite(condition, select(then, index), select(otherwise, index));
  }
  if (isApplication(relation, 'link-counted')) return counted(relation, index);
  const width = widthOf(index) / 2;
  const [a, b] = [extract(2 * width - 1, width, index), extract(width - 1, 0, index)];
  if (isApplication(relation, 'identity-relation')) return eq(a, b);
  const [before, object, target, isLink] = relation.args as readonly [Term, Term, Term, Term];
  const reached = (from: Term, to: Term): Term => relate(before, from, to);
  const cut = (from: Term, to: Term): Term =>
    and(reached(from, to), or(not(reached(from, object)), reached(to, object)));
  // If no cycle is closed, nothing that the target reaches is cut off.
  return or(cut(a, b), and(isLink, reached(a, object), reached(target, b)));
}

function counted({ args }: Application, from: Term): Term {
  const [counts, relation, object, target, isLink] = args as readonly [Term, Term, Term, Term, Term];
  const at = (index: Term): Term => select(counts, index);
  const width = widthOf(at(object));
  const added = ite(isLink, at(target), bits(0, width));
  return ite(relate(relation, from, object), sub(add(at(from), bits(1, width), added), at(object)), at(from));
}

/** The values of `identityRelation` and `linkWritten`: elements are computed when they are read. */
export function identityValue(width: number): ArrayValue {
  return lazyArray((index) => index >> BigInt(width) === BigInt.asUintN(width, index), false);
}
export function linkWrittenValue(
  before: ArrayValue,
  object: bigint,
  target: bigint,
  isLink: boolean,
  width: number,
): ArrayValue {
  const reached = (from: bigint, to: bigint): boolean => readArray(before, (from << BigInt(width)) | to) === true;
  const cut = (from: bigint, to: bigint): boolean =>
    reached(from, to) && (!reached(from, object) || reached(to, object));
  return remembering((index) => {
    const [a, b] = [index >> BigInt(width), BigInt.asUintN(width, index)];
    return cut(a, b) || (isLink && reached(a, object) && reached(target, b));
  }, false);
}

/** Each element reads several of the array before the write, which may be the result of many more writes. */
function remembering(read: (index: bigint) => Value, fallback: Value): ArrayValue {
  const known = new Map<bigint, Value>();
  return lazyArray((index) => {
    let value = known.get(index);
    if (value === undefined) known.set(index, (value = read(index)));
    return value;
  }, fallback);
}

export function linkCountedValue(
  counts: ArrayValue,
  relation: ArrayValue,
  { object, target, isLink, width }: { object: bigint; target: bigint; isLink: boolean; width: number },
): ArrayValue {
  const at = (index: bigint): bigint => readArray(counts, index) as bigint;
  const added = isLink ? at(target) : 0n;
  return remembering(
    (index) =>
      readArray(relation, (index << BigInt(width)) | object) === true
        ? BigInt.asUintN(width + 8, at(index) - at(object) + 1n + added)
        : at(index),
    0n,
  );
}
