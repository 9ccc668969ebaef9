/**
 * Formulas about lists, in words: where a pointer leads, what is live, what two lists share. C has no expression for
 * these, and written out they are unreadable.
 */
import type { CType } from '../../c/types';
import * as L from '../../logic/build';
import { halvesOf } from '../../logic/links/chains';
import type { Application, Quantified, SymbolTerm, Term } from '../../logic/term';
import type { HolderRole } from '../../semantics/symbolic/memoryModel';
import type { Vocabulary } from '../../semantics/symbolic/vocabulary';
import { isApplied, isMemory, pointerInto } from './quantifiedObjects';

/** A pointer leads to an object that the program allocates in a region. */
export interface PointerTarget {
  readonly object: Term;
  readonly region: bigint;
  /** A pointer to such an object; undefined where no variable of C tells the type. */
  readonly type: CType | undefined;
  readonly isLive: boolean;
  /** The other conjuncts. */
  readonly rest: readonly Term[];
}

/** Undefined for a conjunction that says nothing of the kind. */
export function targetIn(conjuncts: readonly Term[], vocabulary: Vocabulary): PointerTarget | undefined {
  for (const one of conjuncts) {
    const [read, region] = isApplied(one, 'eq') ? ofEither(one.args, (side) => side.kind === 'bits') : [];
    if (
      region?.kind !== 'bits' ||
      !read ||
      !isApplied(read, 'select') ||
      !isMemory(read.args[0]!, 'allocation-site', vocabulary)
    )
      continue;
    const object = read.args[1]!;
    const live = conjuncts.find((other) => isReadOf(other, 'live', object, vocabulary));
    const bounds = conjuncts.filter((other) => isBoundOf(other, object, vocabulary));
    const offset = conjuncts.find((other) => isOffsetOf(other, object, vocabulary));
    if (bounds.length < 2 || !offset) continue;
    const said = new Set([one, offset, ...bounds, ...(live ? [live] : [])]);
    return {
      object,
      region: region.value,
      type: pointerInto(region.value, vocabulary),
      isLive: live !== undefined,
      rest: conjuncts.filter((other) => !said.has(other)),
    };
  }
  return undefined;
}

/** All that a pointer reaches is live, or has something else in common; or two pointers reach nothing in common. */
export type ReachedNodes =
  | { readonly kind: 'live'; readonly from: Term; readonly butItself: boolean }
  | { readonly kind: 'apart'; readonly first: Term; readonly second: Term }
  | {
      readonly kind: 'each';
      readonly from: Term;
      readonly bound: SymbolTerm;
      /** A pointer to such an object; undefined where no variable of C tells the type. */
      readonly type: CType | undefined;
      /** One of these holds of each. */
      readonly said: readonly Term[];
    };

/** Undefined for a formula of another shape. */
export function reachedIn(term: Quantified, vocabulary: Vocabulary): ReachedNodes | undefined {
  const [bound] = term.bound;
  if (term.kind !== 'forall' || term.bound.length !== 1 || !isApplied(term.body, 'or')) return undefined;
  const sources: Term[] = [];
  const others: Term[] = [];
  let region: bigint | undefined;
  for (const one of term.body.args) {
    const read = isApplied(one, 'not') ? one.args[0]! : undefined;
    const isReach = read && isApplied(read, 'select') && isMemory(read.args[0]!, 'reach', vocabulary);
    const [from, to] = isReach ? halvesOf(read.args[1]!) : [];
    if (from && to === bound) {
      sources.push(from);
      region = regionOfLink((read as Application).args[0]!, vocabulary);
    } else others.push(one);
  }
  const isNull = (one: Term): boolean =>
    isApplied(one, 'eq') &&
    one.args.some((side) => side.kind === 'bits' && side.value === 0n) &&
    one.args.some((side) => sources.includes(side));
  const said = others.filter((one) => !isNull(one) && !isBoundOf(L.not(one), bound!, vocabulary));
  const [first, second, ...more] = sources;
  if (!first || more.length > 0) return undefined;
  if (second) return said.length === 0 ? { kind: 'apart', first, second } : undefined;
  const isItself = (one: Term): boolean =>
    isApplied(one, 'eq') && one.args.includes(first) && one.args.includes(bound!);
  const rest = said.filter((one) => !isReadOf(one, 'live', bound!, vocabulary));
  if (rest.length === said.length) {
    const type = region === undefined ? undefined : pointerInto(region, vocabulary);
    return { kind: 'each', from: first, bound: bound!, type, said };
  }
  if (!rest.every(isItself)) return undefined;
  return { kind: 'live', from: first, butItself: rest.length > 0 };
}

/** One of the alternatives that hold of every live block: a live object has it in a member. */
export interface HeldBlock {
  readonly holders: bigint;
  readonly slot: HolderRole['slot'];
}

/** Undefined for another alternative. */
export function holderIn(term: Term, block: SymbolTerm, vocabulary: Vocabulary): HeldBlock | undefined {
  if (!isApplied(term, 'and')) return undefined;
  for (const one of term.args) {
    const [array, by] = isApplied(one, 'select') ? (one.args as readonly [Term, Term]) : [];
    if (!array || !by || !isMemory(array, 'live', vocabulary) || !isApplied(by, 'select')) continue;
    const meaning = by.args[0]!.kind === 'symbol' ? vocabulary.meaning(by.args[0] as SymbolTerm) : undefined;
    if (by.args[1] !== block || meaning?.kind !== 'memory' || meaning.memory.role.kind !== 'holder') continue;
    const { node, slot } = meaning.memory.role;
    return { holders: vocabulary.memoryModel.allocationSiteOf(node), slot };
  }
  return undefined;
}

/** The count of what a list has where it is the length of the list, which is 0 for null. */
export function lengthIn(term: Application, vocabulary: Vocabulary): Application | undefined {
  const [condition, none, count] = term.args as readonly [Term, Term, Term];
  if (!isApplied(term, 'ite') || none.kind !== 'bits' || none.value !== 0n) return undefined;
  if (!isApplied(count, 'select') || !isMemory(count.args[0]!, 'count', vocabulary)) return undefined;
  const object = count.args[1]!;
  const isNull =
    isApplied(condition, 'eq') &&
    condition.args.includes(object) &&
    condition.args.some((side) => side.kind === 'bits' && side.value === 0n);
  return isNull ? count : undefined;
}

/** An object that a formula names: `&head` of a number of a static one. */
export function nameOfStatic(object: Term, { memoryModel }: Vocabulary): string | undefined {
  const named = memoryModel.staticObject(object);
  return named && `&${named.name}`;
}

function regionOfLink(relation: Term, vocabulary: Vocabulary): bigint | undefined {
  const known = relation.kind === 'symbol' ? vocabulary.meaning(relation) : undefined;
  return known?.kind === 'memory' && known.memory.role.kind === 'reach'
    ? vocabulary.memoryModel.allocationSiteOf(known.memory.role.link.node)
    : undefined;
}

const ofEither = (args: readonly Term[], isSecond: (side: Term) => boolean): readonly Term[] => {
  const [a, b] = args as readonly [Term, Term];
  return isSecond(b) ? [a, b] : [b, a];
};

const isReadOf = (term: Term, role: 'live' | 'allocation-site', object: Term, vocabulary: Vocabulary): boolean =>
  isApplied(term, 'select') && term.args[1] === object && isMemory(term.args[0]!, role, vocabulary);

/** `object < next`, or that the object is neither null nor static. */
function isBoundOf(term: Term, object: Term, vocabulary: Vocabulary): boolean {
  const isNegated = isApplied(term, 'not');
  const inner = isNegated ? term.args[0]! : term;
  if (!isApplied(inner, 'unsigned-less') && !isApplied(inner, 'unsigned-less-equal')) return false;
  const [low, high] = isNegated ? [inner.args[1]!, inner.args[0]!] : (inner.args as readonly [Term, Term]);
  return (
    (low === object && isMemory(high, 'allocation-counter', vocabulary)) ||
    (high === object && low.kind === 'bits' && low.value >= BigInt(vocabulary.memoryModel.lastStatic))
  );
}

/** The offset beside the object is a given one. */
function isOffsetOf(term: Term, object: Term, vocabulary: Vocabulary): boolean {
  if (!isApplied(term, 'eq')) return false;
  const [offset, place] = ofEither(term.args, (side) => side.kind === 'bits');
  return place?.kind === 'bits' && offset !== undefined && isOffsetBeside(offset, object, vocabulary);
}

function isOffsetBeside(offset: Term, object: Term, vocabulary: Vocabulary): boolean {
  if (isApplied(offset, 'select') && isApplied(object, 'select'))
    return offset.args[1] === object.args[1] && isPair(offset.args[0]!, object.args[0]!, vocabulary);
  return isPair(offset, object, vocabulary);
}

function isPair(offset: Term, object: Term, vocabulary: Vocabulary): boolean {
  const [o, p] = [offset, object].map((term) => (term.kind === 'symbol' ? vocabulary.meaning(term) : undefined));
  if (o?.kind === 'variable' && p?.kind === 'variable') return o.variable === p.variable && o.part === 'offset';
  if (o?.kind !== 'memory' || p?.kind !== 'memory') return false;
  const [a, b] = [o.memory.role, p.memory.role];
  return a.kind === 'slot' && b.kind === 'slot' && a.node === b.node && a.slot === b.slot && a.part === 'offset';
}
