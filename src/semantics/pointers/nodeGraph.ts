/**
 * The graph of a unification-based points-to analysis (Steensgaard 1996): nodes in a union-find structure, each with
 * the targets of the pointers that its objects hold.
 */
import { anyInteger, contains, equal, join, overlap, type Congruence } from '../../program/congruence';
import { Node, type Origin, type Pointee } from './regionNode';

/** Places in a node's objects whose pointers are distinguished. */
const mostContents = 48;

export class NodeGraph {
  private readonly nodes: Node[] = [];
  /** Set by whatever adds to the graph. */
  changed = false;
  /** Memory was laid out for the nodes: they stay apart. */
  settled = false;

  add(origin?: Origin): Node {
    const node = new Node(this.nodes.length);
    if (origin) node.origins.add(origin);
    this.nodes.push(node);
    this.changed = true;
    return node;
  }

  roots(): readonly Node[] {
    return this.nodes.filter((node) => node.parent === undefined);
  }

  find(node: Node): Node {
    while (node.parent) node = node.parent;
    return node;
  }

  resolve(p: Pointee | undefined): Pointee | undefined {
    return p && { node: this.find(p.node), at: p.at };
  }

  unify(a: Node, b: Node): Node {
    a = this.find(a);
    b = this.find(b);
    if (a === b) return a;
    if (this.settled) throw new Error('regions that memory was laid out for stay apart');
    if (b.index < a.index) [a, b] = [b, a];
    b.parent = a;
    this.changed = true;
    for (const origin of b.origins) a.origins.add(origin);
    for (const [key, access] of b.accesses) if (!a.accesses.get(key)?.isRead) a.accesses.set(key, access);
    const moved = b.contents;
    b.contents = [];
    for (const { at, target } of moved) this.store({ node: a, at }, target);
    return this.find(a);
  }

  join(a: Pointee | undefined, b: Pointee | undefined): Pointee | undefined {
    if (!a || !b) return a ?? b;
    const node = this.unify(a.node, b.node);
    return { node, at: join(a.at, b.at) };
  }

  /** The targets of pointers at these offsets of the node's objects, as one. */
  load(from: Node, at: Congruence): Pointee | undefined {
    let result: Pointee | undefined;
    for (const content of [...this.find(from).contents]) {
      if (overlap(content.at, at)) result = this.join(result, this.resolve(content.target));
    }
    return result;
  }

  store(to: Pointee | undefined, value: Pointee | undefined): void {
    if (!to || !value) return;
    const node = this.find(to.node);
    let present = false;
    for (const entry of node.contents) {
      if (!overlap(entry.at, to.at)) continue;
      const joined = this.join(this.resolve(entry.target), this.resolve(value))!;
      if (joined.node !== this.find(entry.target.node) || !equal(joined.at, entry.target.at)) this.changed = true;
      entry.target = joined;
      if (contains(entry.at, to.at)) present = true;
    }
    if (!present) {
      this.find(node).contents.push({ at: to.at, target: value });
      this.changed = true;
    }
    this.mergeContents(this.find(node));
  }

  /** Copies onto themselves would make ever more offsets: beyond a number, offsets are no longer distinguished. */
  private mergeContents(node: Node): void {
    if (node.contents.length <= mostContents) return;
    let all: Pointee | undefined;
    for (const { target } of [...node.contents]) all = this.join(all, this.resolve(target));
    this.find(node).contents = [{ at: anyInteger, target: all! }];
    this.changed = true;
  }

  /** Nodes whose objects a pointer stored in one of `from` may reach, transitively, these included. */
  reachable(from: Iterable<Node>): ReadonlySet<Node> {
    const seen = new Set<Node>();
    const work = [...from].map((n) => this.find(n));
    for (let node = work.pop(); node; node = work.pop()) {
      if (seen.has(node)) continue;
      seen.add(node);
      for (const { target } of node.contents) work.push(this.find(target.node));
    }
    return seen;
  }
}
