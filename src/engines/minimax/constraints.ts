/**
 * The annotated vectors of the paper. At the head of a loop a state is a vector of constraints over the symbols there;
 * what lies below it, up to the next head, is a path from such a state. Each constraint is kept or dropped (`min`), and
 * it may be one that must be kept (`max`).
 *
 * Supports, which the paper lacks: a loop is closed as long as its head keeps a constraint c only if certain other
 * constraints are kept, which are tagged with c. Dropping a tagged constraint drops c, too, at its own head. Without
 * them, figure 5 of the paper proves programs that fail (see docs/minimax.md).
 */
import { substitute, symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import type { TreeNode } from './searchTree';

/** Something is needed for ever, or as long as one of these constraints is kept at its head. */
export type Needs = 'always' | ReadonlySet<StateConstraint>;

/** A constraint that is an equation of a symbol, or half of one. */
export interface Bound {
  readonly symbol: SymbolTerm;
  readonly value: Term;
  readonly side: 'both' | 'most' | 'least';
}

export class StateConstraint {
  private kept = true;
  /** Needed by a path to the error that is infeasible, or locked. */
  isMax = false;
  /** A path to the error was infeasible only with it. */
  isLocked = false;
  /** The constraints of heads, here or further out, that were found inductive only with this one. */
  readonly tags = new Set<StateConstraint>();
  /** Constraints of the next head further out that imply it where this head is entered; undefined: not computed. */
  core: readonly StateConstraint[] | undefined;

  constructor(
    readonly head: Head,
    /** Over the symbols at the head. */
    readonly term: Term,
    readonly bound?: Bound,
  ) {}

  get isKept(): boolean {
    return this.kept;
  }

  set isKept(kept: boolean) {
    if (kept !== this.kept) this.head.changes++;
    this.kept = kept;
  }
}

/** A symbol's value according to constraints, over symbols that have no definition. */
export interface Definition {
  readonly value: Term;
  readonly by: readonly StateConstraint[];
}

/** The begin of a vector: the start of everything, or a node at the head of a loop. */
export class Head {
  readonly constraints: StateConstraint[] = [];
  /** Its subtree is being searched. */
  isOpen = true;
  /** States that were closed by it. */
  closings = 0;
  restarts = 0;
  /** The next head further in on the path that is searched. */
  inner: Head | undefined;
  /** Counts constraints that were dropped or kept again. */
  changes = 0;
  private defined: { readonly key: string; readonly definitions: ReadonlyMap<SymbolTerm, Definition> } | undefined;

  constructor(
    /** Undefined: the start. */
    readonly node: TreeNode | undefined,
    readonly outer: Head | undefined,
    /** It may drop constraints to close states below, or its loop is followed. */
    readonly loop: 'closable' | 'followed',
  ) {}

  /** It matters what rests on which constraints, here or further out. */
  get isAnnotated(): boolean {
    return this.loop === 'closable' || (this.outer?.isAnnotated ?? false);
  }

  get kept(): readonly StateConstraint[] {
    return this.constraints.filter(({ isKept }) => isKept);
  }

  /** Symbols that the kept constraints define. */
  get definitions(): ReadonlyMap<SymbolTerm, Definition> {
    const key = `${this.changes} ${this.constraints.length}`;
    if (this.defined?.key !== key) this.defined = { key, definitions: definitionsIn(this.constraints) };
    return this.defined.definitions;
  }

  /** From the outermost to this one. */
  get chain(): readonly Head[] {
    const chain: Head[] = [];
    for (let head: Head | undefined = this; head; head = head.outer) chain.push(head);
    return chain.reverse();
  }

  isInside(other: Head): boolean {
    let head: Head | undefined = this.outer;
    while (head && head !== other) head = head.outer;
    return head !== undefined;
  }
}

function definitionsIn(constraints: readonly StateConstraint[]): ReadonlyMap<SymbolTerm, Definition> {
  const equations = new Map<SymbolTerm, Definition>();
  const halves = new Map<SymbolTerm, StateConstraint>();
  for (const constraint of constraints) {
    const { bound, isKept } = constraint;
    if (!bound || !isKept || equations.has(bound.symbol)) continue;
    const { symbol, value, side } = bound;
    const other = halves.get(symbol);
    if (side === 'both') equations.set(symbol, { value, by: [constraint] });
    else if (!other) halves.set(symbol, constraint);
    else if (other.bound!.side !== side && other.bound!.value === value)
      equations.set(symbol, { value, by: [other, constraint] });
  }
  // Solved one by one, so that no definition mentions a symbol that is defined.
  const solved = new Map<SymbolTerm, Definition>();
  for (const [symbol, { value, by }] of equations) {
    const mentioned = [...symbolsOf(value)].filter((other) => solved.has(other));
    const read = substitute(value, new Map(mentioned.map((other) => [other, solved.get(other)!.value])));
    if (symbolsOf(read).has(symbol)) continue;
    const own: Definition = { value: read, by: [...by, ...mentioned.flatMap((other) => solved.get(other)!.by)] };
    for (const [other, definition] of solved)
      if (symbolsOf(definition.value).has(symbol))
        solved.set(other, {
          value: substitute(definition.value, new Map([[symbol, read]])),
          by: [...new Set([...definition.by, ...own.by])],
        });
    solved.set(symbol, own);
  }
  return solved;
}

/** True if anything still needs what has these needs. */
export function isAlive(needs: Needs): boolean {
  return needs === 'always' || [...needs].some(isNeeded);
}

/** Supports may need one another, which alone is no need. */
function isNeeded(constraint: StateConstraint): boolean {
  const seen = new Set([constraint]);
  for (const one of seen) {
    if (one.isMax || (one.isKept && one.head.isOpen)) return true;
    if (one.isKept) for (const tag of one.tags) if (tag.head !== one.head) seen.add(tag);
  }
  return false;
}

export function joinNeeds(a: Needs, b: Needs): Needs {
  return a === 'always' || b === 'always' ? 'always' : new Set([...a, ...b]);
}

/**
 * All that must be dropped with the given constraints: those that they support, and those of heads further in that
 * follow from them. Undefined when one of these is max. `inner`: the open heads, from the outermost.
 */
export function cascade(
  first: readonly StateConstraint[],
  open: readonly Head[],
): ReadonlySet<StateConstraint> | undefined {
  const dropped = new Set<StateConstraint>();
  const work = [...first];
  for (let next = work.pop(); next; next = work.pop()) {
    if (dropped.has(next) || !next.isKept) continue;
    if (next.isMax) return undefined;
    dropped.add(next);
    work.push(...next.tags);
    for (const head of open)
      if (head.outer === next.head)
        for (const constraint of head.constraints) if (constraint.core?.includes(next)) work.push(constraint);
  }
  return dropped;
}

/** Annotations that a restart or a failed attempt takes back. */
export type AnnotationSnapshot = ReadonlyMap<
  StateConstraint,
  { readonly isKept: boolean; readonly isMax: boolean; readonly tags: readonly StateConstraint[] }
>;

export function snapshotOf(open: readonly Head[]): AnnotationSnapshot {
  return new Map(
    open.flatMap(({ constraints }) =>
      constraints.map((constraint) => {
        const { isKept, isMax, tags } = constraint;
        return [constraint, { isKept, isMax, tags: [...tags] }] as const;
      }),
    ),
  );
}

export function restore(snapshot: AnnotationSnapshot): void {
  for (const [constraint, { isKept, isMax, tags }] of snapshot) {
    constraint.isKept = isKept;
    constraint.isMax = isMax;
    constraint.tags.clear();
    for (const tag of tags) constraint.tags.add(tag);
  }
}

/**
 * Ends a head whose subtree is done. Unneeded constraints are dropped, and tags of its own constraints are replaced by
 * what those are needed for further out.
 */
export function settle(head: Head): void {
  head.isOpen = false;
  const outer = new Map<StateConstraint, Set<StateConstraint>>();
  const outerTags = (constraint: StateConstraint): ReadonlySet<StateConstraint> => {
    const found = new Set<StateConstraint>();
    const seen = new Set<StateConstraint>([constraint]);
    const work = [constraint];
    for (let next = work.pop(); next; next = work.pop())
      for (const tag of next.tags)
        if (tag.head !== head) found.add(tag);
        else if (!seen.has(tag)) {
          seen.add(tag);
          work.push(tag);
        }
    return found;
  };
  for (const constraint of head.kept) outer.set(constraint, new Set(outerTags(constraint)));
  for (const [constraint, tags] of outer) {
    constraint.tags.clear();
    for (const tag of tags) constraint.tags.add(tag);
    if (!constraint.isMax && ![...tags].some(isNeeded)) constraint.isKept = false;
  }
}
