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
import type { CType, RecordLayout } from '../../c/types';
import type { Command, ExternalCommand } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import { countedList, errnoOf, isNative, nativeFunctions } from '../../program/linking/natives';
import type { FunctionDefinition, Program } from '../../program/program';
import { ClientNodes } from './clientNodes';
import { elementBytes, pointersIn } from './clientObjects';
import {
  makesPointersOfNumbers,
  mayBeWrittenByNatives,
  mayBeWrittenOutside,
  mayFillPointers,
  mayReadForged,
  mixedObjects,
} from './forgedPointers';
import { formatStrings } from './formatStrings';
import {
  anyInteger,
  type Congruence,
  equal,
  exactly,
  flat,
  negate,
  overlap,
  plus,
  valuesOf,
} from '../../program/congruence';
import { NodeGraph } from './nodeGraph';
import { type NodeLayout, layoutOf } from './slotLayout';
import { collectAccesses, positionsIn } from './regionAccesses';
import { untrackedPointers } from './untrackedPointers';
import {
  type EscapedPointer,
  type Node,
  type Origin,
  type Pointee,
  pointerBytes,
  pointsToConst,
  scalarBytes,
} from './regionNode';

/** Bytes of a copy that leaves its two ends apart, at most. */
const copiedCells = 256;

/** A pointer that a client fills in, and what it points to. */
export interface ExternalPointer {
  readonly variable: Variable;
  readonly to: CType | undefined;
  /** A table of texts that a program is started with: objects of their own, to which no other pointer leads. */
  readonly isTableOfTexts?: boolean;
  /** It may lead to any element of an object; default to its beginning. */
  readonly isInterior?: boolean;
  /** It leads to a copy of a structure without pointers, made for the call, to which no other pointer leads. */
  readonly isCopy?: boolean;
}

export class Regions {
  private readonly variables = new Map<Variable, Pointee>();
  private readonly originNode = new Map<object, Node>();
  private readonly graph = new NodeGraph();
  private readonly clients: ClientNodes;
  private readonly given: ReadonlySet<Variable>;
  /** Result variables of functions, among those that clients have to do with. */
  private readonly results: ReadonlySet<Variable>;
  private wild = false;
  /** Once everything is one node: that node. */
  private all: Node | undefined;
  private readonly dirty: ReadonlySet<Variable | Node>;
  /** Objects in which bytes of pointers are also accessed as something else. */
  readonly mixed: ReadonlySet<Origin>;
  /** Pointers are made of bytes or numbers that may be the address of an object that is still to be made. */
  readonly forges: boolean;
  private readonly layouts = new Map<Node, NodeLayout>();

  /**
   * `external`: pointer parameters a client fills in and results it gets. `mode`: a module's client also passes on what
   * it finds in visible data. `handles`: structures that no client makes or looks into. `setUp`: structures that
   * clients make and only the program writes: no other pointer of a client's leads to one. `apart`: structures that
   * clients make, and to which they have pointers to that type alone. `keptResults`: results that no client hands over
   * again.
   */
  constructor(
    readonly program: Program,
    private readonly external: readonly ExternalPointer[],
    private readonly recursive: ReadonlySet<FunctionDefinition>,
    private readonly mode: 'module' | 'program',
    handles: ReadonlySet<RecordLayout> = new Set(),
    setUp: ReadonlySet<RecordLayout> = new Set(),
    apart: ReadonlySet<RecordLayout> = new Set(),
    readonly keptResults: ReadonlySet<Variable> = new Set(),
  ) {
    this.given = new Set(external.map(({ variable }) => variable));
    const results = new Set(program.functions.flatMap(({ resultVariable }) => resultVariable ?? []));
    this.results = new Set(external.flatMap(({ variable }) => (results.has(variable) ? [variable] : [])));
    this.clients = new ClientNodes(this.graph, program, handles, setUp, apart);
    for (const object of program.objects) this.nodeOf({ kind: 'static', object }, object);
    this.repeat(() => this.pass());
    this.repeat(() => collectAccesses(this));
    this.mixed = mixedObjects(this);
    if (mayReadForged(this) || mayBeWrittenOutside(this) || mayBeWrittenByNatives(this)) this.wild = true;
    if (this.wild) this.collapse();
    this.forges = mayReadForged(this) || mayFillPointers(this) || makesPointersOfNumbers(program);
    this.dirty = untrackedPointers(
      this,
      external.map(({ variable }) => variable),
    );
    this.graph.settled = true;
  }

  /** Repeats a pass until the graph stays as it is. */
  private repeat(pass: () => void): void {
    do {
      this.graph.changed = false;
      pass();
    } while (this.graph.changed);
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

  /** Pointers lead to objects that were made already, if to any. */
  get pointToMade(): boolean {
    return !this.wild && !this.forges;
  }

  /** Several activations may live at once. */
  isRecursive(fn: FunctionDefinition): boolean {
    return this.recursive.has(fn);
  }

  roots(): readonly Node[] {
    return this.graph.roots();
  }

  find(node: Node): Node {
    return this.graph.find(node);
  }

  nodeOfOrigin(key: object): Node | undefined {
    const node = this.originNode.get(key);
    return node && this.find(node);
  }

  /** Types of objects that clients may have there, as arrays too; undefined when one can be of any type. */
  clientTypes(node: Node): readonly CType[] | undefined {
    return this.clients.types(node);
  }

  /** Node of a client's objects of the structure, which only the program writes once they are set up. */
  nodeOfSetUp(record: RecordLayout): Node | undefined {
    return this.clients.ofSetUp(record);
  }

  /** True if a client's object of another type leads to such a structure, and types keep nothing apart. */
  isLedTo(record: RecordLayout): boolean {
    return this.clients.isLedTo(record);
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
        return this.graph.resolve(this.variables.get(e.variable));
      case 'load':
        return e.type.kind === 'pointer' ? this.load(this.pointee(e.address)) : undefined;
      case 'offset': {
        const base = this.pointee(e.pointer);
        return base && { node: base.node, at: plus(base.at, e.within ?? valuesOf(e.delta)) };
      }
      case 'conditional':
        return this.graph.join(this.pointee(e.then), this.pointee(e.otherwise));
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
            overlap(at, from.at) ? [this.graph.resolve(target)!] : [],
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
  storedAt(node: Node, at: Congruence): Pointee | undefined {
    const entry = this.find(node).contents.find((content) => overlap(content.at, at));
    return this.graph.resolve(entry?.target);
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
    return this.graph.reachable(from);
  }

  private nodeOf(origin: Origin, key: object): Node {
    const known = this.originNode.get(key);
    if (known) return this.find(known);
    const node = this.graph.add(origin);
    this.originNode.set(key, node);
    return node;
  }

  private everything(): Node {
    let all: Node | undefined;
    for (const node of this.roots()) all = all ? this.graph.unify(all, node) : node;
    return all ?? this.clients.of(undefined);
  }

  private makeWild(): void {
    if (this.wild) return;
    if (this.graph.settled) throw new Error('regions that memory was laid out for stay apart');
    this.wild = true;
    this.graph.changed = true;
  }

  private load(from: Pointee | undefined): Pointee | undefined {
    if (!from) return undefined;
    const node = this.find(from.node);
    let result = this.graph.load(node, from.at);
    if (
      !result &&
      [...node.origins].some((o) => o.kind === 'external' || o.kind === 'set-up') &&
      !this.clients.holdFunctions(node, from.at)
    ) {
      // No pointer is there by the object's type: it is used as another.
      result = { node: this.clients.of(undefined), at: exactly(0) };
      this.graph.store({ node: this.find(node), at: from.at }, result);
    }
    return this.graph.resolve(result);
  }

  private assign(variable: Variable, value: Pointee | undefined): void {
    if (!value) return;
    const before = this.graph.resolve(this.variables.get(variable));
    const after = this.graph.join(before, value)!;
    if (!before || before.node !== after.node || !equal(before.at, after.at)) this.graph.changed = true;
    this.variables.set(variable, after);
  }

  private pass(): void {
    const { program } = this;
    for (const one of this.external) {
      const { variable, to, isInterior } = one;
      if (to?.kind === 'function' || this.keptResults.has(variable)) continue;
      const at = isInterior ? { residue: 0, modulus: elementBytes(to, program.dataModel) } : exactly(0);
      this.assign(variable, { node: this.nodeOfClients(one), at });
    }
    if (this.mode === 'module' && this.external.length > 0) this.handOutVisible();
    for (const { variable, initial } of program.globals)
      if (initial && variable.type.kind === 'pointer') this.assign(variable, this.pointee(initial));
    for (const object of program.objects) {
      const node = this.nodeOf({ kind: 'static', object }, object);
      for (const { offsetBytes, value } of object.relocations)
        if (value.type.kind === 'pointer') this.graph.store({ node, at: exactly(offsetBytes) }, this.pointee(value));
    }
    for (const fn of program.functions) {
      for (const object of fn.objects) this.nodeOf({ kind: 'frame', object, function: fn }, object);
      for (const edge of fn.edges) this.flow(edge.command);
    }
    if (this.mode === 'module') {
      this.handOutArguments();
      this.takeCopied();
      this.takeBack();
    }
  }

  private nodeOfClients({ variable, to, isTableOfTexts, isCopy }: ExternalPointer): Node {
    if (to && isCopy) return this.clients.copy(variable, to);
    return to && isTableOfTexts ? this.clients.tableOfTexts(to) : this.clients.of(to);
  }

  /** Clients have what functions without a body got, if of a type that they hand over. */
  private handOutArguments(): void {
    const { program } = this;
    const seen = new Set<Node>();
    const handOut = (target: Pointee | undefined, to: CType | undefined): void => {
      const from = this.graph.resolve(target);
      if (!from || !to || to.kind === 'function') return;
      const known = this.clients.knownNode(to);
      if (known) {
        this.graph.unify(from.node, known);
        return;
      }
      if (seen.has(from.node)) return;
      seen.add(from.node);
      for (const { at, to: inner } of pointersIn(to, program.dataModel))
        handOut(this.storedAt(from.node, plus(from.at, at)), inner);
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
      this.assign(variable, { node: this.clients.of(variable.ctype.to), at: exactly(0) });
    }
    for (const object of program.objects) {
      if (!object.visible) continue;
      for (const { at, to } of pointersIn(object.ctype, program.dataModel))
        this.graph.store(
          { node: this.nodeOf({ kind: 'static', object }, object), at },
          { node: this.clients.of(to), at: exactly(0) },
        );
    }
  }

  /**
   * A pointer that was copied into an object that clients read where its type has none, as the bytes of a structure
   * into an array of characters: the client copies it out again, and has then a pointer to an object of any type.
   */
  private takeCopied(): void {
    for (const owner of this.roots()) {
      const types = [...owner.origins].flatMap((origin): readonly (CType | undefined)[] => {
        if (origin.kind === 'external') return this.clients.types(owner) ?? [undefined];
        if (origin.kind === 'set-up') return [{ kind: 'record', record: origin.record } as const];
        return origin.kind === 'static' && origin.object.visible ? [origin.object.ctype] : [];
      });
      if (types.length === 0) continue;
      const places = types.map((type) => (type ? pointersIn(type, this.program.dataModel) : []));
      for (const { at, target } of [...owner.contents]) {
        const isTyped = places.every((some) => some.some((place) => overlap(place.at, at)));
        const node = this.find(target.node);
        if (!isTyped && !this.clients.has(node)) this.graph.unify(node, this.clients.of(undefined));
      }
    }
  }

  /** A client's own objects, and arguments, may hold what the module handed out. */
  private takeBack(): void {
    for (const { target } of this.escapedPointers()) {
      for (const { variable, to, isInterior } of this.external) {
        const known = this.results.has(variable) ? undefined : this.variables.get(variable);
        if (!known || this.find(known.node) !== this.find(target.node)) continue;
        const elements = { residue: 0, modulus: elementBytes(to, this.program.dataModel) };
        this.assign(variable, isInterior ? { node: target.node, at: plus(target.at, elements) } : target);
      }
      for (const node of this.roots().filter(({ origins }) => [...origins].some(({ kind }) => kind === 'external'))) {
        for (const content of [...node.contents])
          if (this.find(content.target.node) === this.find(target.node))
            this.graph.store({ node: this.find(node), at: content.at }, target);
      }
    }
  }

  /**
   * Pointers to objects that clients of a module get: as results, in what they can see, as arguments of functions
   * without a body, and what those lead on to.
   */
  escapedPointers(): readonly EscapedPointer[] {
    const found: EscapedPointer[] = [];
    // In one array of bytes nothing is known of where pointers lead.
    if (this.wild && this.graph.settled)
      return this.hasEscapes() ? [{ target: { node: this.find(this.all!), at: anyInteger }, toConst: false }] : [];
    const take = (target: Pointee | undefined, to: 'const' | 'any' = 'any'): void => {
      const resolved = this.graph.resolve(target);
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
        for (const argument of command.arguments) if (argument.type.kind === 'pointer') take(this.pointee(argument));
    }
    return found;
  }

  /** Clients read the variable: a result that they get, or a global that they see. */
  showsToClients(variable: Variable): boolean {
    return this.results.has(variable) || this.program.globals.some((one) => one.visible && one.variable === variable);
  }

  /** There is a way for pointers to come to clients. */
  private hasEscapes(): boolean {
    const holdsPointer = (type: CType | undefined): boolean =>
      // Bytes of pointers that are read as such come to clients in anything.
      this.mixed.size > 0 ||
      type === undefined ||
      type.kind === 'void' ||
      pointersIn(type, this.program.dataModel).length > 0;
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
        if (command.type.kind === 'pointer')
          this.graph.store(this.pointee(command.address), this.pointee(command.value));
        break;
      case 'copy': {
        const target = this.pointee(command.target);
        const source = this.pointee(command.source);
        if (!target || !source) break;
        const shift = flat(plus(target.at, negate(source.at)));
        const apart = this.copiedApart(command);
        if (apart?.isBareByte) break;
        if (apart) {
          for (const { at, target: value } of [...this.find(apart.source.node).contents]) {
            for (const position of positionsIn(at, pointerBytes(this.program), apart.source.at, apart.bytes))
              this.graph.store({ node: this.find(target.node), at: plus(target.at, exactly(position)) }, value);
          }
          break;
        }
        const node = this.graph.unify(target.node, source.node);
        for (const { at, target: value } of [...node.contents]) {
          const to = movedAlong(at, source.at, shift, command.size);
          if (to) this.graph.store({ node, at: to }, value);
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
            this.assign(command.target, this.graph.resolve(this.variables.get(target.resultVariable)));
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
   * type alone; but for single bytes.
   */
  copiedApart({ target, source, size }: Extract<Command, { kind: 'copy' }>):
    | {
        readonly target: Pointee;
        readonly source: Pointee;
        readonly bytes: number;
        /** Between a client's object and another: a byte is no pointer, as where it is loaded and stored. */
        readonly isBareByte?: true;
      }
    | undefined {
    if (this.wild || size.kind !== 'integer' || size.value > copiedCells) return undefined;
    const [to, from] = [this.pointee(target), this.pointee(source)];
    if (!to || !from) return undefined;
    if (to.node === from.node && !(to.at.modulus === 0 && from.at.modulus === 0 && (to.at.strides ?? from.at.strides)))
      return undefined;
    const clients =
      to.node !== from.node &&
      [to, from].some(({ node }) => [...node.origins].some(({ kind }) => kind === 'external' || kind === 'set-up'));
    if (clients && size.value !== 1n) return undefined;
    return { target: to, source: from, bytes: Number(size.value), ...(clients && { isBareByte: true }) };
  }

  /** Looks for pointers made from integers inside an expression that is not itself a pointer. */
  private visit(e: Expression): void {
    if (e.kind === 'convert') {
      if (e.type.kind === 'pointer') this.pointee(e);
      this.visit(e.operand);
    }
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
  slotsOf(node: Node): NodeLayout {
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
