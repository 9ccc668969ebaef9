/**
 * Hide sets of Prosser's macro expansion algorithm (X3J11/86-196): the macros that a token came out
 * of, which must not be expanded in it again. That is why expansion terminates: each expansion adds a name to
 * the hide sets of what it yields, and there are finitely many names.
 * Immutable and shared: equal histories give the same object. An absent set is the empty one.
 */
export class HideSet {
  private readonly larger = new Map<string, HideSet>();
  private constructor(private readonly names: ReadonlySet<string>) {}

  static empty(): HideSet {
    return new HideSet(new Set());
  }

  has(name: string): boolean {
    return this.names.has(name);
  }

  with(name: string): HideSet {
    if (this.names.has(name)) return this;
    let set = this.larger.get(name);
    if (!set) this.larger.set(name, (set = new HideSet(new Set(this.names).add(name))));
    return set;
  }

  union(other: HideSet | undefined): HideSet {
    if (!other || other === this) return this;
    let set: HideSet = this;
    for (const name of other.names) set = set.with(name);
    return set;
  }

  intersection(other: HideSet | undefined, empty: HideSet): HideSet {
    if (other === this) return this;
    let set = empty;
    if (other) for (const name of this.names) if (other.names.has(name)) set = set.with(name);
    return set;
  }
}
