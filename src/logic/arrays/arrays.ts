/** Arrays. Reads over writes are simplified if the two indices are visibly equal or different. */
import { relate } from '../comparison';
import { ite } from '../conditional';
import { application, isApplication } from '../intern';
import { isRelation, readRelation } from '../links/reachability';
import type { ArraySort, Sort, Term } from '../term';
import { internSort } from '../sort';

/** Limit on the writes and branches that one `select` looks through. The solver handles the rest. */
const stepLimit = 1000;
const branchLimit = 16;

export function constArray(sort: ArraySort, value: Term): Term {
  const interned = arrayOf(internSort(sort));
  if (value.sort !== interned.element) throw new TypeError('the value is not of the element sort');
  return application('constant-array', interned, [value]);
}

export function store(array: Term, index: Term, value: Term): Term {
  const sort = arrayOf(array.sort);
  if (index.sort !== sort.index) throw new TypeError('the index is not of the index sort');
  if (value.sort !== sort.element) throw new TypeError('the value is not of the element sort');
  let base = array;
  while (isApplication(base, 'store') && base.args[1] === index) base = base.args[0]!;
  if (isApplication(base, 'constant-array') && base.args[0] === value) return base;
  if (isApplication(value, 'select') && value.args[0] === base && value.args[1] === index) return base;
  return application('store', sort, [base, index, value]);
}

export function select(array: Term, index: Term): Term {
  const sort = arrayOf(array.sort);
  if (index.sort !== sort.index) throw new TypeError('the index is not of the index sort');
  return read(array, index, sort.element, { steps: stepLimit, branches: branchLimit, seen: new Map() });
}

interface Effort {
  steps: number;
  branches: number;
  readonly seen: Map<Term, Term>;
}

function read(array: Term, index: Term, element: Sort, effort: Effort): Term {
  const before = effort.seen.get(array);
  if (before) return before;
  let at = array;
  let result: Term | undefined;
  while (!result && at.kind === 'apply' && effort.steps-- > 0) {
    if (at.operator === 'constant-array') result = at.args[0]!;
    else if (isRelation(at)) result = readRelation(at, index);
    else if (at.operator === 'store') {
      const relation = relate(at.args[1]!, index);
      if (relation === 'unknown') break;
      if (relation === 'equal') result = at.args[2]!;
      else at = at.args[0]!;
    } else if (at.operator === 'ite') {
      result = readBranches(at.args, index, element, effort);
      break;
    } else break;
  }
  result ??= application('select', element, [at, index]);
  effort.seen.set(array, result);
  return result;
}

/** Reads through a conditional only if at least one side gets simpler. */
function readBranches(args: readonly Term[], index: Term, element: Sort, effort: Effort): Term | undefined {
  if (effort.branches <= 0) return undefined;
  effort.branches--;
  const [condition, then, otherwise] = args;
  const t = read(then!, index, element, effort);
  const e = read(otherwise!, index, element, effort);
  if (isRaw(t, then!) && isRaw(e, otherwise!)) return undefined;
  return ite(condition!, t, e);
}

function isRaw(result: Term, array: Term): boolean {
  return isApplication(result, 'select') && result.args[0] === array;
}

function arrayOf(sort: Sort): ArraySort {
  if (sort.kind !== 'array') throw new TypeError(`an array is needed, not ${sort.kind}`);
  return sort;
}
