/**
 * Nodes of objects that clients own: one per type, unless some pointer hides the type. Structures that clients never
 * make (handles), those that only the program writes once they are set up, and those to which no other pointer of a
 * client's leads have nodes of their own.
 */
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import type { CType, RecordLayout } from '../../c/types';
import { anyInteger, exactly, type Congruence } from '../../program/congruence';
import type { Variable } from '../../program/expression';
import type { Program } from '../../program/program';
import { anyObject, functionsAt, objectKey, pointersIn } from './clientObjects';
import type { NodeGraph } from './nodeGraph';
import { pointerBytes, type Node } from './regionNode';

export class ClientNodes {
  private readonly nodes = new Map<string, Node>();
  /** Nodes that stay apart from the others when types keep nothing apart. */
  private readonly ownNodes = new Map<string, Node>();
  private readonly ownKeys: ReadonlySet<string>;
  /** By the pointer that leads there. */
  private readonly copies = new Map<Variable, Node>();
  private readonly madeByClients = new Set<string>();
  /** The types that clients' objects have, and where these are: of one key there may be several, in several files. */
  private readonly typed = new Map<
    RecordLayout | CType | Variable | string,
    { readonly node: Node; readonly type: CType | undefined }
  >();
  /** A client's objects are not distinguished. */
  private untyped = false;

  constructor(
    private readonly graph: NodeGraph,
    private readonly program: Program,
    private readonly handles: ReadonlySet<RecordLayout>,
    private readonly setUp: ReadonlySet<RecordLayout>,
    private readonly apart: ReadonlySet<RecordLayout>,
  ) {
    this.ownKeys = new Set([...setUp, ...apart].map((record) => objectKey({ kind: 'record', record })));
  }

  /** The node for objects of the type. It is made if there is none yet. */
  of(type: CType | undefined): Node {
    const { graph } = this;
    const own = this.isOwn(type);
    const key = !own && this.untyped ? anyObject : objectKey(type);
    const table = own ? this.ownNodes : this.nodes;
    const isSetUp = type?.kind === 'record' && this.setUp.has(type.record);
    const isHandle = type?.kind === 'record' && this.handles.has(type.record);
    const known = table.get(key);
    const isNew = known !== undefined && !isHandle && this.noteType(type, key, known);
    // Another type may have the name of a handle: a client has objects of that one.
    if (known && (isHandle || isSetUp || (this.untyped && !own) || this.madeByClients.has(key))) {
      if (isNew) this.leadOn(known, type, key);
      return graph.find(known);
    }
    let node = known ? graph.find(known) : graph.add();
    if (isSetUp) node.origins.add({ kind: 'set-up', record: type.record });
    else if (!isHandle) {
      node.origins.add({ kind: 'external', type: nameOf(type, 'void') });
      this.madeByClients.add(key);
    }
    table.set(key, node);
    if (!isHandle) this.noteType(type, key, node);
    graph.changed = true;
    if (key === anyObject) {
      this.untyped = true;
      for (const other of this.nodes.values()) node = graph.unify(node, other);
      node.contents.push({ at: anyInteger, target: { node, at: exactly(0) } });
    } else if (!isHandle) {
      this.leadOn(node, type, key);
    }
    return graph.find(node);
  }

  /** Clients have objects there, or handles. */
  has(node: Node): boolean {
    return [...this.nodes.values(), ...this.ownNodes.values(), ...this.copies.values()].some(
      (own) => this.graph.find(own) === node,
    );
  }

  /** The node for objects of the type, if there is one. */
  knownNode(type: CType): Node | undefined {
    const isApart = type.kind === 'record' && this.apart.has(type.record);
    return isApart ? this.ownNodes.get(objectKey(type)) : this.nodes.get(this.untyped ? anyObject : objectKey(type));
  }

  /** True if a client's object of another type leads to such a structure, and types keep nothing apart. */
  isLedTo(record: RecordLayout): boolean {
    const key = objectKey({ kind: 'record', record });
    return (
      this.untyped &&
      [...this.typed.values()].some(
        ({ type }) =>
          type !== undefined &&
          !this.isOwn(type) &&
          pointersIn(type, this.program.dataModel).some(({ to }) => objectKey(to) === key),
      )
    );
  }

  private isOwn(type: CType | undefined): boolean {
    return type?.kind === 'record' && this.ownKeys.has(objectKey(type));
  }

  /** Node of a client's objects of the structure, which only the program writes once they are set up. */
  ofSetUp(record: RecordLayout): Node | undefined {
    const node = this.setUp.has(record) ? this.ownNodes.get(objectKey({ kind: 'record', record })) : undefined;
    return node && this.graph.find(node);
  }

  /** A node of its own, to which `variable` alone leads. */
  copy(variable: Variable, type: CType): Node {
    let node = this.copies.get(variable);
    if (!node) {
      node = this.graph.add({ kind: 'external', type: nameOf(type, 'void') });
      this.copies.set(variable, node);
      this.typed.set(variable, { node, type });
    }
    return this.graph.find(node);
  }

  /** If a pointer of unknown provenance appears, it may lead there, too. */
  tableOfTexts(to: CType): Node {
    const { graph } = this;
    const [table, texts] = [to, to.kind === 'pointer' ? to.to : undefined].map((type) => {
      const key = `started with ${nameOf(type, 'nothing')}`;
      let node = this.nodes.get(key);
      if (!node) {
        node = graph.add({ kind: 'external', type: nameOf(type, 'void') });
        this.nodes.set(key, node);
        if (this.untyped) graph.unify(node, this.of(undefined));
        this.noteType(type, key, node);
      }
      return graph.find(node);
    });
    graph.store(
      { node: table!, at: { residue: 0, modulus: pointerBytes(this.program) } },
      { node: graph.find(texts!), at: exactly(0) },
    );
    return graph.find(table!);
  }

  /** Types of objects that clients may have there, as arrays too; undefined when one can be of any type. */
  types(node: Node): readonly CType[] | undefined {
    const types = [...this.typed.values()]
      .filter((made) => this.graph.find(made.node) === this.graph.find(node))
      .map(({ type }) => type);
    return types.every((type) => type !== undefined) ? types : undefined;
  }

  /** Clients have pointers to functions there, behind which there is no object. */
  holdFunctions(node: Node, at: Congruence): boolean {
    const types = this.types(node);
    if (
      !types ||
      types.length === 0 ||
      ![...node.origins].every((o) => o.kind === 'external' || (o.kind === 'static' && !o.object.visible))
    )
      return false;
    return types.every((type) => functionsAt(type, at, this.program));
  }

  /** A pointer in an object that the client made points to another such object. */
  private leadOn(node: Node, type: CType | undefined, key: string): void {
    if (!type || key === anyObject) return;
    for (const { at, to } of pointersIn(type, this.program.dataModel))
      this.graph.store({ node: this.graph.find(node), at }, { node: this.of(to), at: exactly(0) });
  }

  /** True if not noted before. */
  private noteType(type: CType | undefined, key: string, node: Node): boolean {
    const name = type === undefined || key === anyObject ? anyObject : type.kind === 'record' ? type.record : type;
    if (this.typed.has(name)) return false;
    this.typed.set(name, { node, type: key === anyObject ? undefined : type });
    return true;
  }
}

const nameOf = (type: CType | undefined, otherwise: string): string =>
  type ? printType(withoutQualifiers(type)) : otherwise;
