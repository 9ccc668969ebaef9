/**
 * Regions: a partition of memory into parts that no access straddles, so that symbolic memory is a few small arrays, or
 * plain variables.
 *
 * A unification-based points-to analysis (Steensgaard 1996), with offsets tracked as congruences, groups objects that
 * one pointer may reach into a node. Within a node, accesses whose byte ranges agree modulo the common stride form a
 * slot of its own: the fields of a struct, the elements of an array. Where ranges overlap without agreeing (unions,
 * punning through char), the node is a plain array of bytes. A pointer made from an integer, or read where something
 * else was written, ends all this: one node, bytes.
 *
 * Flow- and context-insensitive. Relies on the checks before an access to stop executions whose pointer is invalid.
 */
import { printType } from '../../c/printType';
import { unqualified } from '../../c/target';
import type { CType, RecordLayout } from '../../c/types';
import type { Command, ExternalCommand } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import { countedList, errnoOf, isNative, nativeFunctions, setsErrno } from '../../program/linking/natives';
import type { FunctionDefinition, Program } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';
import { anyObject, functionsAt, objectKey, pointersIn } from './clientObjects';
import { formatStrings } from './formatStrings';
import {
  anyInteger,
  type Congruence,
  contains,
  equal,
  exactly,
  flat,
  join,
  negated,
  overlap,
  plus,
  valuesOf,
} from '../../program/congruence';
import { type NodeLayout, layoutOf } from './slotLayout';
import { collectAccesses, positionsIn } from './regionAccesses';
import { untrackedPointers } from './untrackedPointers';
import {
  type EscapedPointer,
  Node,
  type Origin,
  type Pointee,
  pointerBytes,
  pointsToConst,
  scalarBytes,
} from './regionNode';

/** Bytes of a copy that leaves its two ends apart, at most. */
const COPY_LIMIT = 256;
/** Places in a node's objects whose pointers are told apart. */
const CONTENTS_LIMIT = 48;

/** A pointer that a client fills in, and what it points to. */
export interface ExternalPointer {
  readonly variable: Variable;
  readonly to: CType | undefined;
  /** A table of texts that a program is started with: objects of their own, to which no other pointer leads. */
  readonly isTableOfTexts?: boolean;
}

export class Regions {
  private readonly nodes: Node[] = [];
  private readonly variables = new Map<Variable, Pointee>();
  private readonly originNode = new Map<object, Node>();
  private readonly externalNodes = new Map<string, Node>();
  private readonly madeByClients = new Set<string>();
  /** The types that clients' objects have, and where these are: of one key there may be several, in several files. */
  private readonly typesOfClients = new Map<
    RecordLayout | CType | string,
    { readonly node: Node; readonly type: CType | undefined }
  >();
  private readonly setUpNodes = new Map<string, Node>();
  private readonly setUpKeys: ReadonlySet<string>;
  private readonly given: ReadonlySet<Variable>;
  /** Result variables of functions, among those that clients have to do with. */
  private readonly results: ReadonlySet<Variable>;
  /** A client's objects are not told apart. */
  private untyped = false;
  private changed = false;
  private wild = false;
  /** Once everything is one node: that node. */
  private all: Node | undefined;
  private settled = false;
  private readonly dirty: ReadonlySet<Variable | Node>;
  /** Bytes of pointers are also accessed as something else. */
  readonly showsPointers: boolean;
  private readonly layouts = new Map<Node, NodeLayout>();

  /**
   * `external`: pointer parameters a client fills in and results it gets. `mode`: a module's client also passes on what
   * it finds in visible data. `handles`: structures that no client makes or looks into. `setUp`: structures that
   * clients make and only the program writes: no other pointer of a client's leads to one.
   */
  constructor(
    readonly program: Program,
    private readonly external: readonly ExternalPointer[],
    private readonly recursive: ReadonlySet<FunctionDefinition>,
    private readonly mode: 'module' | 'program',
    private readonly handles: ReadonlySet<RecordLayout> = new Set(),
    private readonly setUp: ReadonlySet<RecordLayout> = new Set(),
  ) {
    this.given = new Set(external.map(({ variable }) => variable));
    const results = new Set(program.functions.flatMap(({ resultVariable }) => resultVariable ?? []));
    this.results = new Set(external.flatMap(({ variable }) => (results.has(variable) ? [variable] : [])));
    this.setUpKeys = new Set([...setUp].map((record) => objectKey({ kind: 'record', record })));
    for (const object of program.objects) this.nodeOf({ kind: 'static', object }, object);
    do {
      this.changed = false;
      this.pass();
    } while (this.changed);
    do {
      this.changed = false;
      collectAccesses(this);
    } while (this.changed);
    this.showsPointers = this.mixedPointers();
    if (this.showsPointers || this.changedOutside() || this.changedByNatives()) this.wild = true;
    if (this.wild) this.collapse();
    this.dirty = untrackedPointers(
      this,
      external.map(({ variable }) => variable),
    );
    this.settled = true;
  }

  /**
   * Every value the variable ever has was made as a pointer: never read from memory that may be uninitialised, never
   * unknown.
   */
  isClean(variable: Variable): boolean {
    return !this.wild && !this.dirty.has(variable);
  }

  /** Everything is one array of bytes. */
  get collapsed(): boolean {
    return this.wild;
  }

  /** Several activations may live at once. */
  isRecursive(fn: FunctionDefinition): boolean {
    return this.recursive.has(fn);
  }

  roots(): readonly Node[] {
    return this.nodes.filter((node) => node.parent === undefined);
  }

  find(node: Node): Node {
    while (node.parent) node = node.parent;
    return node;
  }

  nodeOfOrigin(key: object): Node | undefined {
    const node = this.originNode.get(key);
    return node && this.find(node);
  }

  /** Types of objects that clients may have there, as arrays too; undefined when one can be of any type. */
  clientTypes(node: Node): readonly CType[] | undefined {
    const types = [...this.typesOfClients.values()]
      .filter((made) => this.find(made.node) === this.find(node))
      .map(({ type }) => type);
    return types.every((type) => type !== undefined) ? types : undefined;
  }

  /** Node of a client's objects of the structure, which only the program writes once they are set up. */
  nodeOfSetUp(record: RecordLayout): Node | undefined {
    const node = this.setUpNodes.get(objectKey({ kind: 'record', record }));
    return node && this.find(node);
  }

  /** Targets of a pointer-valued expression; undefined when it can only be null or invalid. */
  pointee(e: Expression): Pointee | undefined {
    if (
      this.all &&
      e.kind !== 'null' &&
      e.kind !== 'integer' &&
      e.kind !== 'float' &&
      !(e.kind === 'address' && e.of.kind === 'function')
    )
      return { node: this.find(this.all), at: anyInteger };
    switch (e.kind) {
      case 'null':
      case 'integer':
      case 'float':
        return undefined;
      case 'address': {
        if (e.of.kind === 'function') return undefined;
        return { node: this.find(this.originNode.get(e.of)!), at: exactly(0) };
      }
      case 'read':
        return this.resolved(this.variables.get(e.variable));
      case 'load':
        return e.type.kind === 'pointer' ? this.loaded(this.pointee(e.address)) : undefined;
      case 'offset': {
        const base = this.pointee(e.pointer);
        return base && { node: base.node, at: plus(base.at, e.within ?? valuesOf(e.delta)) };
      }
      case 'conditional':
        return this.joined(this.pointee(e.then), this.pointee(e.otherwise));
      case 'convert':
        if (e.type.kind === 'pointer' && e.operand.type.kind === 'pointer') return this.pointee(e.operand);
        if (e.type.kind === 'pointer' && e.operand.kind !== 'integer') this.makeWild();
        if (e.type.kind === 'pointer' && e.operand.kind === 'integer' && e.operand.value !== 0n) this.makeWild();
        return this.wild ? { node: this.everything(), at: anyInteger } : undefined;
      default:
        return undefined;
    }
  }

  /**
   * The same for a pointer that is only compared, its targets left apart: it leads into one of them. Undefined when it
   * was made from a number.
   */
  targets(e: Expression): readonly Pointee[] | undefined {
    switch (e.kind) {
      case 'load': {
        if (this.all) break;
        const found = this.targets(e.address)?.map((from) =>
          this.find(from.node).contents.flatMap(({ at, target }) =>
            overlap(at, from.at) ? [this.resolved(target)!] : [],
          ),
        );
        if (!found || found.every((some) => some.length > 0)) return found?.flat();
        break;
      }
      case 'offset':
        return this.targets(e.pointer)?.map(({ node, at }) => ({ node, at: plus(at, e.within ?? valuesOf(e.delta)) }));
      case 'conditional': {
        const [then, otherwise] = [this.targets(e.then), this.targets(e.otherwise)];
        return then && otherwise && [...then, ...otherwise];
      }
      case 'convert':
        if (e.operand.type.kind === 'pointer') return this.targets(e.operand);
        if (!this.all && !(e.operand.kind === 'integer' && e.operand.value === 0n)) return undefined;
        break;
      default:
        break;
    }
    const pointee = this.pointee(e);
    return pointee ? [pointee] : [];
  }

  layout(node: Node): NodeLayout {
    node = this.find(node);
    let layout = this.layouts.get(node);
    if (!layout) this.layouts.set(node, (layout = this.computeLayout(node)));
    return layout;
  }

  /** Target of pointers stored at this offset (or residue) of the node's objects. */
  stored(node: Node, at: Congruence): Pointee | undefined {
    const entry = this.find(node).contents.find((content) => overlap(content.at, at));
    return this.resolved(entry?.target);
  }

  /** Node of `errno`, in a program that looks at it. */
  get errno(): Node | undefined {
    const object = errnoOf(this.program);
    return object && this.nodeOfOrigin(object);
  }

  /** Nodes a native library function may write, `errno` apart. */
  writtenByNative(command: ExternalCommand): readonly Node[] {
    const writes = nativeFunctions.get(command.name)?.writes;
    const counted = countedList(command, (format) => formatStrings(this.program).of(format, this.given));
    const listed = [
      ...(counted ? [counted] : []),
      ...(writes?.kind === 'listed' ? [command.arguments[writes.argument]!] : []),
    ];
    return [
      ...(writes?.kind === 'pointee' ? this.nodeAt(command.arguments[writes.argument]!) : []),
      ...listed.flatMap((list) =>
        this.nodeAt(list).flatMap(({ contents }) => contents.map(({ target }) => this.find(target.node))),
      ),
    ];
  }

  private nodeAt(pointer: Expression): Node[] {
    const target = this.pointee(pointer);
    return target ? [this.find(target.node)] : [];
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

  private nodeOf(origin: Origin, key: object): Node {
    const known = this.originNode.get(key);
    if (known) return this.find(known);
    const node = new Node(this.nodes.length);
    node.origins.add(origin);
    this.nodes.push(node);
    this.originNode.set(key, node);
    this.changed = true;
    return node;
  }

  /** Objects of a client, one node per type unless some pointer hides the type. */
  private externalNode(type: CType | undefined): Node {
    const own = type?.kind === 'record' && this.setUpKeys.has(objectKey(type));
    const key = !own && this.untyped ? anyObject : objectKey(type);
    const table = own ? this.setUpNodes : this.externalNodes;
    const isSetUp = type?.kind === 'record' && this.setUp.has(type.record);
    const isHandle = type?.kind === 'record' && this.handles.has(type.record);
    const known = table.get(key);
    const isNew = known !== undefined && !isHandle && this.noteType(type, key, known);
    // Another type may have the name of a handle: a client has objects of that one.
    if (known && (isHandle || isSetUp || (this.untyped && !own) || this.madeByClients.has(key))) {
      if (isNew) this.leadOn(known, type, key);
      return this.find(known);
    }
    let node = known ? this.find(known) : new Node(this.nodes.length);
    if (isSetUp) node.origins.add({ kind: 'set-up', record: type.record });
    else if (!isHandle) {
      node.origins.add({ kind: 'external', type: type ? printType(unqualified(type)) : 'void' });
      this.madeByClients.add(key);
    }
    if (!known) this.nodes.push(node);
    table.set(key, node);
    if (!isHandle) this.noteType(type, key, node);
    this.changed = true;
    if (key === anyObject) {
      this.untyped = true;
      for (const other of this.externalNodes.values()) node = this.unify(node, other);
      node.contents.push({ at: anyInteger, target: { node, at: exactly(0) } });
    } else if (!isHandle) {
      this.leadOn(node, type, key);
    }
    return this.find(node);
  }

  /** If a pointer of unknown provenance appears, it may lead there, too. */
  private tableOfTexts(to: CType): Node {
    const [table, texts] = [to, to.kind === 'pointer' ? to.to : undefined].map((type) => {
      const key = `started with ${type ? printType(unqualified(type)) : 'nothing'}`;
      let node = this.externalNodes.get(key);
      if (!node) {
        node = new Node(this.nodes.length);
        node.origins.add({ kind: 'external', type: type ? printType(unqualified(type)) : 'void' });
        this.nodes.push(node);
        this.externalNodes.set(key, node);
        if (this.untyped) this.unify(node, this.externalNode(undefined));
        this.noteType(type, key, node);
        this.changed = true;
      }
      return this.find(node);
    });
    this.storeInto(
      { node: table!, at: { residue: 0, modulus: pointerBytes(this.program) } },
      { node: this.find(texts!), at: exactly(0) },
    );
    return this.find(table!);
  }

  /** A pointer in an object that the client made points to another such object. */
  private leadOn(node: Node, type: CType | undefined, key: string): void {
    if (!type || key === anyObject) return;
    for (const { at, to } of pointersIn(type, this.program.dataModel))
      this.storeInto({ node: this.find(node), at }, { node: this.externalNode(to), at: exactly(0) });
  }

  /** True if not noted before. */
  private noteType(type: CType | undefined, key: string, node: Node): boolean {
    const name = type === undefined || key === anyObject ? anyObject : type.kind === 'record' ? type.record : type;
    if (this.typesOfClients.has(name)) return false;
    this.typesOfClients.set(name, { node, type: key === anyObject ? undefined : type });
    return true;
  }

  private everything(): Node {
    let all: Node | undefined;
    for (const node of this.roots()) all = all ? this.unify(all, node) : node;
    return all ?? this.externalNode(undefined);
  }

  private makeWild(): void {
    if (this.wild) return;
    if (this.settled) throw new Error('regions that memory was laid out for stay apart');
    this.wild = true;
    this.changed = true;
  }

  private resolved(p: Pointee | undefined): Pointee | undefined {
    return p && { node: this.find(p.node), at: p.at };
  }

  private unify(a: Node, b: Node): Node {
    a = this.find(a);
    b = this.find(b);
    if (a === b) return a;
    if (this.settled) throw new Error('regions that memory was laid out for stay apart');
    if (b.index < a.index) [a, b] = [b, a];
    b.parent = a;
    this.changed = true;
    for (const origin of b.origins) a.origins.add(origin);
    for (const [key, access] of b.accesses) a.accesses.set(key, access);
    const moved = b.contents;
    b.contents = [];
    for (const { at, target } of moved) this.storeInto({ node: a, at }, target);
    return this.find(a);
  }

  private joined(a: Pointee | undefined, b: Pointee | undefined): Pointee | undefined {
    if (!a || !b) return a ?? b;
    const node = this.unify(a.node, b.node);
    return { node, at: join(a.at, b.at) };
  }

  private loaded(from: Pointee | undefined): Pointee | undefined {
    if (!from) return undefined;
    const node = this.find(from.node);
    let result: Pointee | undefined;
    for (const { at, target } of [...node.contents]) {
      if (overlap(at, from.at)) result = this.joined(result, this.resolved(target));
    }
    if (
      !result &&
      [...node.origins].some((o) => o.kind === 'external' || o.kind === 'set-up') &&
      !this.holdsFunctions(node, from.at)
    ) {
      // No pointer is there by the object's type: it is used as another.
      result = { node: this.externalNode(undefined), at: exactly(0) };
      this.storeInto({ node: this.find(node), at: from.at }, result);
    }
    return this.resolved(result);
  }

  /** Clients have pointers to functions there, behind which there is no object. */
  private holdsFunctions(node: Node, at: Congruence): boolean {
    const types = this.clientTypes(node);
    if (
      !types ||
      types.length === 0 ||
      ![...node.origins].every((o) => o.kind === 'external' || (o.kind === 'static' && !o.object.visible))
    )
      return false;
    return types.every((type) => functionsAt(type, at, this.program.dataModel));
  }

  private storeInto(to: Pointee | undefined, value: Pointee | undefined): void {
    if (!to || !value) return;
    const node = this.find(to.node);
    let present = false;
    for (const entry of node.contents) {
      if (!overlap(entry.at, to.at)) continue;
      const joined = this.joined(this.resolved(entry.target), this.resolved(value))!;
      if (joined.node !== this.find(entry.target.node) || !equal(joined.at, entry.target.at)) {
        entry.target = joined;
        this.changed = true;
      } else {
        entry.target = joined;
      }
      if (contains(entry.at, to.at)) present = true;
    }
    if (!present) {
      this.find(node).contents.push({ at: to.at, target: value });
      this.changed = true;
    }
    this.mergeContents(this.find(node));
  }

  /** Copies onto themselves would make ever more offsets: beyond a number, offsets are told apart no more. */
  private mergeContents(node: Node): void {
    if (node.contents.length <= CONTENTS_LIMIT) return;
    let all: Pointee | undefined;
    for (const { target } of [...node.contents]) all = this.joined(all, this.resolved(target));
    this.find(node).contents = [{ at: anyInteger, target: all! }];
    this.changed = true;
  }

  private assign(variable: Variable, value: Pointee | undefined): void {
    if (!value) return;
    const before = this.resolved(this.variables.get(variable));
    const after = this.joined(before, value)!;
    if (!before || before.node !== after.node || !equal(before.at, after.at)) this.changed = true;
    this.variables.set(variable, after);
  }

  private pass(): void {
    const { program } = this;
    for (const { variable, to, isTableOfTexts } of this.external)
      if (to?.kind !== 'function')
        this.assign(variable, {
          node: isTableOfTexts && to ? this.tableOfTexts(to) : this.externalNode(to),
          at: exactly(0),
        });
    if (this.mode === 'module' && this.external.length > 0) this.handOutVisible();
    for (const { variable, initial } of program.globals)
      if (initial && variable.type.kind === 'pointer') this.assign(variable, this.pointee(initial));
    for (const object of program.objects) {
      const node = this.nodeOf({ kind: 'static', object }, object);
      for (const { offsetBytes, value } of object.relocations)
        if (value.type.kind === 'pointer') this.storeInto({ node, at: exactly(offsetBytes) }, this.pointee(value));
    }
    for (const fn of program.functions) {
      for (const object of fn.objects) this.nodeOf({ kind: 'frame', object, function: fn }, object);
      for (const edge of fn.edges) this.flow(edge.command);
    }
    if (this.mode === 'module') {
      this.handOutArguments();
      this.takeBack();
    }
  }

  /** Clients have what functions without a body got, if of a type that they hand over. */
  private handOutArguments(): void {
    const { program } = this;
    const seen = new Set<Node>();
    const handOut = (target: Pointee | undefined, to: CType | undefined): void => {
      const from = this.resolved(target);
      if (!from || !to || to.kind === 'function') return;
      const known = this.externalNodes.get(this.untyped ? anyObject : objectKey(to));
      if (known) {
        this.unify(from.node, known);
        return;
      }
      if (seen.has(from.node)) return;
      seen.add(from.node);
      for (const { at, to: inner } of pointersIn(to, program.dataModel))
        handOut(this.stored(from.node, plus(from.at, at)), inner);
    };
    for (const { command } of program.functions.flatMap(({ edges }) => edges)) {
      const type =
        command.kind === 'external' && !isNative(command.name)
          ? program.externals.find(({ name }) => name === command.name)?.ctype
          : undefined;
      if (command.kind !== 'external' || type?.kind !== 'function') continue;
      const hidden = command.resultBytes === undefined ? 0 : 1;
      type.parameters.forEach((parameter, i) => {
        const argument = command.arguments[i + hidden];
        if (parameter.type.kind === 'pointer' && argument?.type.kind === 'pointer')
          handOut(this.pointee(argument), parameter.type.to);
      });
    }
  }

  /** Targets of visible pointers may come back as arguments. */
  private handOutVisible(): void {
    const { program } = this;
    for (const { variable, visible } of program.globals) {
      if (!visible || variable.ctype?.kind !== 'pointer' || variable.ctype.to.kind === 'function') continue;
      this.assign(variable, { node: this.externalNode(variable.ctype.to), at: exactly(0) });
    }
    for (const object of program.objects) {
      if (!object.visible) continue;
      for (const { at, to } of pointersIn(object.ctype, program.dataModel))
        this.storeInto(
          { node: this.nodeOf({ kind: 'static', object }, object), at },
          { node: this.externalNode(to), at: exactly(0) },
        );
    }
  }

  /** A client's own objects, and arguments, may hold what the module handed out. */
  private takeBack(): void {
    for (const { target } of this.escaped()) {
      for (const { variable } of this.external) {
        const known = this.results.has(variable) ? undefined : this.variables.get(variable);
        if (known && this.find(known.node) === this.find(target.node)) this.assign(variable, target);
      }
      for (const node of this.roots().filter(({ origins }) => [...origins].some(({ kind }) => kind === 'external'))) {
        for (const content of [...node.contents])
          if (this.find(content.target.node) === this.find(target.node))
            this.storeInto({ node: this.find(node), at: content.at }, target);
      }
    }
  }

  /**
   * Pointers to objects that clients of a module get: as results, in what they can see, as arguments of functions
   * without a body, and what those lead on to.
   */
  escaped(): readonly EscapedPointer[] {
    const found: EscapedPointer[] = [];
    // In one array of bytes nothing is known of where pointers lead.
    if (this.wild && this.settled)
      return this.hasEscapes() ? [{ target: { node: this.find(this.all!), at: anyInteger }, toConst: false }] : [];
    const take = (target: Pointee | undefined, to: 'const' | 'any' = 'any'): void => {
      const resolved = this.resolved(target);
      if (
        !resolved ||
        found.some(
          (known) =>
            known.target.node === resolved.node &&
            equal(known.target.at, resolved.at) &&
            (to === 'const' || !known.toConst),
        )
      )
        return;
      found.push({ target: resolved, toConst: to === 'const' });
      for (const { target: next } of resolved.node.contents) take(next);
    };
    const takeFrom = (variable: Variable): void =>
      take(this.variables.get(variable), pointsToConst(variable.ctype) ? 'const' : 'any');
    for (const variable of this.results) takeFrom(variable);
    for (const { variable, visible } of this.program.globals)
      if (visible && variable.ctype?.kind === 'pointer') takeFrom(variable);
    for (const node of this.roots()) {
      if (
        [...node.origins].some(
          (origin) => origin.kind === 'external' || (origin.kind === 'static' && origin.object.visible),
        )
      )
        for (const { target } of node.contents) take(target);
    }
    for (const { command } of this.program.functions.flatMap(({ edges }) => edges)) {
      if (command.kind === 'external' && !isNative(command.name))
        for (const argument of command.arguments)
          if (argument.type.kind === 'pointer') take(this.pointee(argument));
    }
    return found;
  }

  /** There is a way for pointers to come to clients. */
  private hasEscapes(): boolean {
    const holdsPointer = (type: CType | undefined): boolean =>
      type === undefined || type.kind === 'void' || pointersIn(type, this.program.dataModel).length > 0;
    return (
      this.results.size > 0 ||
      this.external.some(({ to }) => holdsPointer(to)) ||
      this.program.globals.some(({ visible, variable }) => visible && variable.type.kind === 'pointer') ||
      this.program.objects.some(({ visible, ctype }) => visible && holdsPointer(ctype)) ||
      this.program.functions.some(({ edges }) =>
        edges.some(
          ({ command }) =>
            command.kind === 'external' &&
            !isNative(command.name) &&
            command.arguments.some(({ type }) => type.kind === 'pointer'),
        ),
      )
    );
  }

  private flow(command: Command): void {
    switch (command.kind) {
      case 'assign':
        if (command.target.type.kind === 'pointer') this.assign(command.target, this.pointee(command.value));
        else this.visit(command.value);
        break;
      case 'store':
        if (command.type.kind === 'pointer') this.storeInto(this.pointee(command.address), this.pointee(command.value));
        break;
      case 'copy': {
        const target = this.pointee(command.target);
        const source = this.pointee(command.source);
        if (!target || !source) break;
        const shift = flat(plus(target.at, negated(source.at)));
        const apart = this.copiedApart(command);
        if (apart) {
          for (const { at, target: value } of [...this.find(apart.source.node).contents]) {
            for (const position of positionsIn(at, pointerBytes(this.program), apart.source.at, apart.bytes))
              this.storeInto({ node: this.find(target.node), at: plus(target.at, exactly(position)) }, value);
          }
          break;
        }
        const node = this.unify(target.node, source.node);
        for (const { at, target: value } of [...node.contents]) {
          const to = movedAlong(at, source.at, shift, command.size);
          if (to) this.storeInto({ node, at: to }, value);
        }
        break;
      }
      case 'allocate':
        this.assign(command.target, { node: this.nodeOf({ kind: 'heap', command }, command), at: exactly(0) });
        break;
      case 'call':
        for (const target of command.targets) {
          target.parameters.forEach((parameter, i) => {
            const argument = command.arguments[i];
            if (parameter.type.kind === 'pointer' && argument) this.assign(parameter, this.pointee(argument));
          });
          if (command.target?.type.kind === 'pointer' && target.resultVariable)
            this.assign(command.target, this.resolved(this.variables.get(target.resultVariable)));
        }
        break;
      // A pointer that nobody here made may be to anything.
      case 'external':
      case 'input':
        if (command.target?.type.kind === 'pointer') this.makeWild();
        break;
      default:
        break;
    }
  }

  /**
   * A structure's copy to another one leaves the two objects apart: what they hold is copied slot by slot. So it is
   * from one element of an array to another. Not where a client's objects are concerned, whose pointers are known by
   * type alone.
   */
  copiedApart({
    target,
    source,
    size,
  }: Extract<Command, { kind: 'copy' }>):
    { readonly target: Pointee; readonly source: Pointee; readonly bytes: number } | undefined {
    if (this.wild || size.kind !== 'integer' || size.value > COPY_LIMIT) return undefined;
    const [to, from] = [this.pointee(target), this.pointee(source)];
    if (!to || !from) return undefined;
    if (to.node === from.node && !(to.at.modulus === 0 && from.at.modulus === 0 && (to.at.strides ?? from.at.strides)))
      return undefined;
    const clients =
      to.node !== from.node &&
      [to, from].some(({ node }) => [...node.origins].some(({ kind }) => kind === 'external' || kind === 'set-up'));
    return clients ? undefined : { target: to, source: from, bytes: Number(size.value) };
  }

  /** Looks for pointers made from integers inside an expression that is not itself a pointer. */
  private visit(e: Expression): void {
    if (e.kind === 'convert') {
      if (e.type.kind === 'pointer') this.pointee(e);
      this.visit(e.operand);
    }
  }

  /** A pointer read where something that is no pointer was written: bytes may forge it. */
  private mixedPointers(): boolean {
    for (const node of this.roots()) {
      const accesses = [...node.accesses.values()];
      const pointers = accesses.filter((a) => a.type.kind === 'pointer');
      if (pointers.length === 0) continue;
      if (this.slotsOf(node).kind === 'bytes') return true;
    }
    return false;
  }

  /** An unknown function may write pointers: into visible globals, or into memory that it can reach. */
  private changedOutside(): boolean {
    const unknown = this.program.functions.flatMap((fn) =>
      fn.edges.flatMap(({ command }) => (command.kind === 'external' && !isNative(command.name) ? [command] : [])),
    );
    if (unknown.length === 0) return false;
    const isData = ({ variable: { type, ctype } }: Program['globals'][number]): boolean =>
      type.kind === 'pointer' && !(ctype?.kind === 'pointer' && ctype.to.kind === 'function');
    if (this.program.globals.some((global) => global.visible && isData(global))) return true;
    const handed = unknown.flatMap((command) =>
      command.arguments.flatMap((argument) =>
        argument.type.kind === 'pointer' ? (this.pointee(argument)?.node ?? []) : [],
      ),
    );
    const seen = this.reachable([
      ...handed,
      ...this.toldAsNumbers(),
      ...this.program.objects.flatMap((object) => (object.visible ? this.originNode.get(object)! : [])),
    ]);
    return [...seen].some(
      (node) => node.contents.length > 0 || [...node.accesses.values()].some(({ type }) => type.kind === 'pointer'),
    );
  }

  /** Targets of addresses that were made numbers: as numbers they can go anywhere. */
  toldAsNumbers(): readonly Node[] {
    const nodes = new Set<Node>();
    for (const fn of this.program.functions) {
      for (const { command } of fn.edges) {
        for (const e of expressionsOf(command)) {
          walk(e, (inner) => {
            if (inner.kind !== 'convert' || inner.operand.type.kind !== 'pointer' || inner.type.kind === 'pointer')
              return;
            const target = this.pointee(inner.operand);
            if (target) nodes.add(this.find(target.node));
          });
        }
      }
    }
    return [...nodes];
  }

  /** Bytes that a library function writes over a pointer may forge another. */
  private changedByNatives(): boolean {
    return this.program.functions.some((fn) =>
      fn.edges.some(
        ({ command }) =>
          command.kind === 'external' &&
          [...this.writtenByNative(command), ...(setsErrno(command.name) && this.errno ? [this.errno] : [])].some(
            (node) =>
              node.contents.length > 0 || [...node.accesses.values()].some(({ type }) => type.kind === 'pointer'),
          ),
      ),
    );
  }

  private collapse(): void {
    this.layouts.clear();
    const all = this.everything();
    this.all = all;
    all.contents = [{ at: anyInteger, target: { node: all, at: anyInteger } }];
    for (const variable of [...this.variables.keys()]) this.variables.set(variable, { node: all, at: anyInteger });
  }

  private computeLayout(node: Node): NodeLayout {
    return this.wild ? { kind: 'bytes', single: this.single(node) } : this.slotsOf(node);
  }

  /** By the accesses alone. */
  private slotsOf(node: Node): NodeLayout {
    return layoutOf([...node.accesses.values()], this.single(node), (type) => scalarBytes(type, this.program));
  }

  private single(node: Node): Origin | undefined {
    if (node.origins.size !== 1) return undefined;
    const [origin] = [...node.origins];
    if (origin!.kind === 'static') return origin;
    return origin!.kind === 'frame' && !this.recursive.has(origin!.function) ? origin : undefined;
  }
}

/**
 * New place of a pointer at `at` after a copy of `size` bytes from `source` on; undefined when the copy does not reach
 * it. A copy within one object whose length is not known may be made again and again, so that the pointer ends up any
 * number of shifts further on.
 */
function movedAlong(at: Congruence, source: Congruence, shift: Congruence, size: Expression): Congruence | undefined {
  if (at.modulus !== 0 || at.strides || source.strides || shift.modulus !== 0 || shift.residue === 0)
    return plus(at, shift);
  if (size.kind !== 'integer' || source.modulus !== 0)
    return plus(at, { residue: 0, modulus: Math.abs(shift.residue) });
  return at.residue < source.residue + Number(size.value) && at.residue >= source.residue ? plus(at, shift) : undefined;
}
