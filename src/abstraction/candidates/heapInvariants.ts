/**
 * Candidates about all live objects of a region, which the program allocates and only it writes: what a list's
 * nodes, a tree's nodes, the objects behind handles have in common. A candidate quantifies over any object (`forall o`)
 * or of any two; it is fitted to the objects of the states seen, and Houdini is the judge.
 *
 * Guessed are: relations between an object's numbers; where its pointers lead, and how large that is; that two objects
 * do not link to the same one, that nobody links to what a variable names, that links of two kinds are each other's
 * inverse, that who links to nobody is the one that a variable names; that a list within an object of another region
 * begins with an object to which no other links; and of pointer variables, which rests on it,
 * whether they lead to such objects. In loops also the same of all objects but one that a variable names, which is
 * still being made or taken out.
 *
 * The shapes follow from such invariants without reachability (as in McPeak, Necula, "Data structure specifications via
 * local equality axioms", CAV 2005).
 */
import * as L from '../../logic/build';
import { compile, type Compiled } from '../../logic/compile';
import { symbolsOf } from '../../logic/symbols';
import type { SymbolTerm, Term, Value } from '../../logic/term';
import { exactly } from '../../program/congruence';
import { naturalLoops } from '../../program/automata/loops';
import type { FunctionDefinition } from '../../program/program';
import { reachableFunctions } from '../../program/automata/reachableFunctions';
import { setsUp } from '../../semantics/pointers/initialisers';
import { isOnePlace, type Slot } from '../../semantics/pointers/slotLayout';
import type { Machine } from '../../semantics/concrete/machine';
import type { Node } from '../../semantics/pointers/regionNode';
import type { MemoryVariable } from '../../semantics/symbolic/memoryModel';
import type { SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import type { ConcreteView } from '../transitionSystem/concreteView';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import { elementAt } from '../transitionSystem/textEnd';
import type { Observable } from './samples';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { observablesOf } from './observables';
import { type ObjectName, nameFormulas, namesAt } from './objects/objectNames';
import { forestFormulas, forestNameFormulas, forestOf } from './objects/forestFormulas';
import { numberRelations } from './objects/numberRelations';
import { formulasOf, notAutomatic } from './objects/objectFormulas';
import { acrossFormulas, type ObjectLink, pairFormulas, type ObjectRegion } from './objects/objectPairs';
import { elementsOf, type MemberElements, sumsOf } from './arrays/memberSums';

const limits = {
  /** States with such objects, no two with the same numbers and links in them. */
  states: 250,
  /** Objects whose members are kept, over all states. */
  objectVectors: 400,
  /** States without any such object. */
  emptyStates: 10,
  /** Objects looked at in one state. */
  objectsPerState: 12,
  /** Numeric members of one region. */
  numbersPerObject: 8,
  /** Pointer members of one region. */
  linksPerObject: 4,
  /** Numbers in scope that sizes of new blocks are related to. */
  numbersInScope: 4,
  /** Relations between the numbers of one group of objects. */
  relations: 40,
} as const;

/**
 * A formula about one object, or two, and whether some object seen contradicts it: any, or any but the one that a
 * variable names.
 */
interface Guess {
  readonly term: Term;
  readonly holds: Compiled;
  readonly of: 'each' | 'pair';
  /** Not tried in functions where this one held in all states seen. */
  readonly unless?: Term | undefined;
  readonly refuted: boolean[];
  seen: number;
}

/** A formula about an object `bound` and one of another region, `other`. */
interface Across extends Pick<Guess, 'term' | 'holds' | 'seen'> {
  readonly to: ObjectRegion;
  isRefuted: boolean;
}

interface Watched {
  readonly region: ObjectRegion;
  readonly isForest: boolean;
  readonly guesses: readonly Guess[];
  readonly across: readonly Across[];
  /** Variables that may name the one object of which a candidate does not hold. */
  readonly exceptions: readonly SymbolicPointer[];
  readonly vectors: bigint[][];
  readonly exceptFor: boolean[][];
}

export class HeapCandidates {
  private readonly watched = new Map<Cutpoint, readonly Watched[]>();
  private readonly names = new Map<
    Cutpoint,
    readonly { readonly term: Term; readonly holds: Compiled; refuted: boolean }[]
  >();
  private readonly states = new Map<Cutpoint, { empty: number; others: number }>();
  private readonly seen = new Map<Cutpoint, Set<string>>();
  private readonly readers = new Map<Term, Compiled>();

  constructor(private readonly system: TransitionSystem) {
    // Objects that a program makes outside loops are followed as they are; a module's objects are what its clients have
    // of it.
    const regions = system.options.mode === 'module' || allocatesInLoops(system) ? regionsOf(system) : [];
    const nodes = new Set(
      regions
        .flatMap(({ node, links }) => [node, ...links.flatMap(({ target }) => target ?? [])])
        .map((node) => system.memoryModel.regions.find(node)),
    );
    const owners = new Set(regions.map(({ node }) => system.memoryModel.regions.find(node)));
    const blocks = new Set([...nodes].filter((node) => !owners.has(node) && leadsToHeap(node)));
    const numbers = blocks.size === 0 ? new Map<Cutpoint, readonly Observable[]>() : observablesOf(system);
    for (const point of regions.length === 0 ? [] : system.points) {
      this.watched.set(
        point,
        regions.map((region) => watchedAt(point, region, regions, system)),
      );
      this.names.set(
        point,
        [
          ...nameFormulas(
            namesAt(point, system).filter(({ node }) => nodes.has(node)),
            blocks,
            // Elsewhere no block is one that nobody has yet.
            point.kind === 'loop' || point.kind === 'return'
              ? (numbers.get(point) ?? []).slice(0, limits.numbersInScope)
              : [],
            system,
          ),
          ...forestNameFormulas(point, system),
        ].map((term) => ({ term, holds: compile(term), refuted: false })),
      );
    }
  }

  get isEmpty(): boolean {
    return this.watched.size === 0;
  }

  /** True if some objects lead to blocks of another kind, as a structure to its buffer. */
  get haveBlocks(): boolean {
    const { regions } = this.system.memoryModel;
    const [watched = []] = this.watched.values();
    return watched.some(({ region: { node, links } }) =>
      links.some(({ target }) => target && leadsToHeap(target) && regions.find(target) !== regions.find(node)),
    );
  }

  /** A state seen. */
  record(point: Cutpoint, view: ConcreteView, machine: Machine): void {
    const watched = this.watched.get(point);
    if (!watched) return;
    let count = this.states.get(point);
    if (!count) this.states.set(point, (count = { empty: 0, others: 0 }));
    if (count.others >= limits.states) return;
    const { memoryModel } = this.system;
    const byNode = new Map<Node, number[]>();
    for (const { number, origin, setUpAs } of machine.memory.liveBlocks()) {
      const node = setUpAs
        ? memoryModel.regions.nodeOfSetUp(setUpAs)
        : origin && 'kind' in origin && origin.kind === 'allocate'
          ? memoryModel.regions.nodeOfOrigin(origin)
          : undefined;
      if (!node) continue;
      const numbers = byNode.get(node);
      if (!numbers) byNode.set(node, [number]);
      else if (numbers.length < limits.objectsPerState) numbers.push(number);
    }
    const isEmpty = byNode.size === 0;
    if (isEmpty ? count.empty++ >= limits.emptyStates : !this.isNew(point, watched, byNode, view)) return;
    count.others += isEmpty ? 0 : 1;
    for (const guess of this.names.get(point)!) guess.refuted ||= guess.holds(view.value) !== true;
    const objectsOf = ({ node }: ObjectRegion): readonly number[] => byNode.get(memoryModel.regions.find(node)) ?? [];
    for (const one of watched) {
      const objects = objectsOf(one.region);
      this.look(one, objects, view);
      for (const across of one.across) this.lookAcross(one.region, across, objects, objectsOf(across.to), view);
    }
  }

  private lookAcross(
    { bound, other }: ObjectRegion,
    across: Across,
    objects: readonly number[],
    others: readonly number[],
    view: ConcreteView,
  ): void {
    for (const a of objects)
      for (const b of others) {
        across.seen++;
        const at = (symbol: SymbolTerm): Value =>
          symbol === bound ? BigInt(a) : symbol === other ? BigInt(b) : view.value(symbol);
        across.isRefuted ||= across.holds(at) !== true;
      }
  }

  /** Runs come through the same states again and again. */
  private isNew(
    point: Cutpoint,
    watched: readonly Watched[],
    byNode: ReadonlyMap<Node, readonly number[]>,
    view: ConcreteView,
  ): boolean {
    const parts = watched.flatMap(({ region, exceptions }) => [
      ...exceptions.map(({ object }) => this.reader(object)(view.value)),
      ...(byNode.get(this.system.memoryModel.regions.find(region.node)) ?? []).flatMap((a) => {
        const at = (symbol: SymbolTerm): Value => (symbol === region.bound ? BigInt(a) : view.value(symbol));
        return [
          a,
          ...region.fields.map(({ term }) => this.reader(term)(at)),
          ...region.links.map(({ object }) => this.reader(object)(at)),
        ];
      }),
    ]);
    const key = parts.join(',');
    let seen = this.seen.get(point);
    if (!seen) this.seen.set(point, (seen = new Set()));
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  }

  private look(
    { region, guesses, exceptions, vectors, exceptFor }: Watched,
    numbers: readonly number[],
    view: ConcreteView,
  ): void {
    const named = exceptions.map(({ object }) => this.reader(object)(view.value) as bigint);
    for (const a of numbers) {
      const at = (symbol: SymbolTerm): Value => (symbol === region.bound ? BigInt(a) : view.value(symbol));
      for (const guess of guesses) {
        if (guess.of === 'pair') {
          for (const b of numbers) {
            if (b === a) continue;
            const both = (symbol: SymbolTerm): Value => (symbol === region.other ? BigInt(b) : at(symbol));
            this.judge(
              guess,
              guess.holds(both) === true,
              named.map((n) => n === BigInt(a) || n === BigInt(b)),
            );
          }
        } else
          this.judge(
            guess,
            guess.holds(at) === true,
            named.map((n) => n === BigInt(a)),
          );
      }
      if (vectors.length >= limits.objectVectors) continue;
      vectors.push(
        region.fields.map(({ term, signed, widthBits }) => {
          const value = this.reader(term)(at) as bigint;
          return signed ? BigInt.asIntN(widthBits, value) : value;
        }),
      );
      exceptFor.push(named.map((n) => n === BigInt(a)));
    }
  }

  /** `refuted[0]`: of all objects; then of all but the one that each exception names. */
  private judge(guess: Guess, holds: boolean, isNamed: readonly boolean[]): void {
    guess.seen++;
    if (holds) return;
    guess.refuted[0] = true;
    isNamed.forEach((named, i) => {
      if (!named) guess.refuted[i + 1] = true;
    });
  }

  private reader(term: Term): Compiled {
    let reader = this.readers.get(term);
    if (!reader) this.readers.set(term, (reader = compile(term)));
    return reader;
  }

  /** Candidates that no number in an object decides: where its links lead, how large it is, that it lives. */
  shapes(point: Cutpoint): readonly Term[] {
    const regions = (this.watched.get(point) ?? []).map(({ region }) => region);
    const numbers = new Set(regions.flatMap(({ fields }) => fields.flatMap(({ term }) => [...symbolsOf(term)])));
    for (const { bound } of regions) numbers.delete(bound);
    return this.found(point, undefined).filter((term) => ![...symbolsOf(term)].some((symbol) => numbers.has(symbol)));
  }

  candidates(point: Cutpoint, constants: readonly bigint[]): readonly Term[] {
    return this.found(point, constants);
  }

  /** `constants` bound numbers in objects; undefined: without what relates these. */
  private found(point: Cutpoint, constants: readonly bigint[] | undefined): readonly Term[] {
    if (!this.states.has(point)) return [];
    const found = new Set<Term>();
    for (const { region, isForest, guesses, across, exceptions, vectors, exceptFor } of this.watched.get(point) ?? []) {
      for (const { term, to, seen, isRefuted } of across)
        if (seen > 0 && !isRefuted) found.add(this.quantifyOver([region.bound, region.other], [region, to], term));
      const say = (body: Term, of: Guess['of'], except: SymbolicPointer | undefined): void => {
        found.add(this.quantify(region, body, of, except));
      };
      const scopes = [undefined, ...exceptions];
      // If none was seen there may be none.
      if (vectors.length === 0) say(L.FALSE, 'each', undefined);
      for (const { term, of, refuted, seen, unless } of guesses) {
        if (unless && !this.isRefuted(unless, point)) continue;
        // In runs a function may always free all of a forest: what held of any before may hold of those left here.
        if (seen === 0 && !(isForest && of === 'each' && this.holdsElsewhere(term, point))) continue;
        const held = scopes.filter((_, i) => !refuted[i]);
        // Objects that clients pass to be set up hold anything, mostly null pointers when we made them.
        for (const scope of point.kind === 'entry' ? held : held.slice(0, 1)) say(term, of, scope);
      }
      if (!constants) continue;
      const numbers = (except: number): Set<Term> => {
        const chosen = vectors.filter((_, i) => except === 0 || !exceptFor[i]![except - 1]);
        return new Set([...numberRelations(region.fields, chosen, constants)].slice(0, limits.relations));
      };
      const ofAll = numbers(0);
      for (const term of ofAll) say(term, 'each', undefined);
      exceptions.forEach((pointer, i) => {
        for (const term of numbers(i + 1)) if (point.kind === 'entry' || !ofAll.has(term)) say(term, 'each', pointer);
      });
    }
    return [
      ...(this.names.get(point) ?? []).flatMap(({ term, refuted }) => (refuted ? [] : [term])),
      ...[...found].filter((term) => term.kind === 'forall'),
    ];
  }

  /** The formula does not hold of some object that was seen at some place of the function. */
  private isRefuted(term: Term, { fn }: Cutpoint): boolean {
    return [...this.watched].some(
      ([point, watched]) =>
        point.fn === fn &&
        watched.some(({ guesses }) => guesses.some((guess) => guess.term === term && guess.refuted[0])),
    );
  }

  /** The formula holds of each object that was seen at some other place of the function, or between calls. */
  private holdsElsewhere(term: Term, { fn }: Cutpoint): boolean {
    return [...this.watched].some(
      ([point, watched]) =>
        (point.fn === fn || point.kind === 'module') &&
        watched.some(({ guesses }) =>
          guesses.some((guess) => guess.term === term && guess.seen > 0 && !guess.refuted[0]),
        ),
    );
  }

  /** The body holds of each live object of the region, or of any two, but of `except`. */
  private quantify(region: ObjectRegion, body: Term, of: Guess['of'], except: SymbolicPointer | undefined): Term {
    const objects = of === 'pair' ? [region.bound, region.other] : [region.bound];
    return this.quantifyOver(
      objects,
      objects.map(() => region),
      body,
      except,
    );
  }

  /** The body holds of all live objects, each of its region. */
  private quantifyOver(
    objects: readonly SymbolTerm[],
    regions: readonly ObjectRegion[],
    body: Term,
    except?: SymbolicPointer,
  ): Term {
    const { memoryModel, vocabulary } = this.system;
    const half = (value: bigint): Term => L.bits(value, memoryModel.half);
    const isOne = (o: SymbolTerm, { node }: ObjectRegion): Term[] => [
      L.ult(half(BigInt(memoryModel.lastStatic)), o),
      L.ult(o, vocabulary.symbolOf(memoryModel.allocationCounter)),
      L.select(vocabulary.symbolOf(memoryModel.live), o),
      L.eq(L.select(vocabulary.symbolOf(memoryModel.allocationSite), o), half(memoryModel.allocationSiteOf(node))),
      ...(except ? [L.not(L.eq(o, except.object))] : []),
    ];
    const all = objects.flatMap((object, i) => isOne(object, regions[i]!));
    return L.forall(objects, L.or(...all.map((term) => L.not(term)), body));
  }
}

function allocatesInLoops({ functions, inlined }: TransitionSystem): boolean {
  const all = [...functions, ...inlined];
  const allocates = (fn: FunctionDefinition): boolean => fn.edges.some(({ command }) => command.kind === 'allocate');
  const reaching = (fn: FunctionDefinition): boolean => [...reachableFunctions([fn])].some(allocates);
  return (
    all.some((fn) =>
      [...naturalLoops(fn).values()].some(({ body }) =>
        fn.edges.some(
          ({ from, to, command }) =>
            body.has(from) &&
            body.has(to) &&
            (command.kind === 'allocate' || (command.kind === 'call' && command.targets.some(reaching))),
        ),
      ),
    ) ||
    all.some(
      (fn) =>
        reaching(fn) &&
        fn.edges.some(
          ({ command }) =>
            command.kind === 'call' && command.targets.some((target) => reachableFunctions([target]).has(fn)),
        ),
    )
  );
}

const leadsToHeap = ({ origins }: Node): boolean => [...origins].some(({ kind }) => kind === 'heap');

/**
 * Regions whose objects nobody else writes, since the program allocates them or sets them up; with members at fixed
 * places. Variables that such objects are copied from or to share the region, and are none of these objects.
 */
function regionsOf(system: TransitionSystem): ObjectRegion[] {
  const { memoryModel, vocabulary } = system;
  const found: ObjectRegion[] = [];
  if (memoryModel.regions.collapsed) return found;
  for (const node of memoryModel.regions.roots()) {
    const kinds = [...node.origins].map(({ kind }) => kind);
    if (kinds.includes('external') || !kinds.some((kind) => kind === 'heap' || kind === 'set-up')) continue;
    const layout = memoryModel.regions.layout(node);
    if (layout.kind !== 'slots' || layout.stride !== 0) continue;
    const bound = L.symbol('?object', memoryModel.halfSort);
    const other = L.symbol('?other', memoryModel.halfSort);
    const [fields, arrays, links]: [Observable[], MemberElements[], ObjectLink[]] = [[], [], []];
    const read = (memory: MemoryVariable | undefined): Term | undefined =>
      memory ? L.select(vocabulary.symbolOf(memory), bound) : undefined;
    for (const slot of layout.slots) {
      // The last character of a text in the object: where that is 0, every walk to the first 0 stays within it.
      const text =
        slot.type.kind === 'integer' && isRowOfBytes(slot) ? memoryModel.slot(node, slot, 'value') : undefined;
      if (text && fields.length < limits.numbersPerObject) {
        const last = slot.cells.at(-1)!;
        const contents = memoryModel.variables.map((variable) => vocabulary.symbolOf(variable));
        const term = elementAt(text, contents, bound, L.bits(BigInt(last), memoryModel.half));
        fields.push({ term, name: `+${last}`, signed: true, widthBits: 8 });
        continue;
      }
      if (!isOnePlace(layout, slot)) {
        arrays.push(...elementsOf(slot, node, bound, system));
        continue;
      }
      if (slot.type.kind === 'integer' && slot.type.widthBits <= 64) {
        const term = read(memoryModel.slot(node, slot, 'value'));
        if (term && fields.length < limits.numbersPerObject)
          fields.push({ term, name: `+${slot.offset}`, signed: slot.type.signed, widthBits: slot.type.widthBits });
      } else if (slot.type.kind === 'pointer') {
        const [object, offset] = [
          read(memoryModel.slot(node, slot, 'object')),
          read(memoryModel.slot(node, slot, 'offset')),
        ];
        if (object && offset && links.length < limits.linksPerObject)
          links.push({ object, offset, target: memoryModel.regions.storedAt(node, exactly(slot.offset))?.node });
      }
    }
    if (fields.length + links.length > 0)
      found.push({ node, bound, other, fields: [...fields, ...sumsOf(arrays, fields)], links });
  }
  return found;
}

const isRowOfBytes = ({ bytes, cells }: Slot): boolean =>
  bytes === 1 && cells.length > 1 && cells.at(-1)! - cells[0]! === cells.length - 1;

function watchedAt(
  point: Cutpoint,
  region: ObjectRegion,
  regions: readonly ObjectRegion[],
  system: TransitionSystem,
): Watched {
  const here = system.memoryModel.regions.find(region.node);
  const all = namesAt(point, system);
  const names = all.filter(({ node }) => node === here);
  const { initialisers } = system;
  const isBeingSetUp = ({ variable }: ObjectName): boolean =>
    point.kind === 'entry' && setsUp(initialisers, point.fn, point.fn.parameters.indexOf(variable));
  const locals = names.filter(
    (name) => !name.isGlobal && ((point.kind !== 'entry' && point.kind !== 'exit') || isBeingSetUp(name)),
  );
  const globals = point.kind === 'loop' ? names.filter(({ isGlobal }) => isGlobal) : [];
  const forest = forestOf(region, system);
  const guess =
    (of: Guess['of']) =>
    (term: Term): Guess => ({ term, holds: compile(term), of, refuted: [], seen: 0 });
  return {
    region,
    isForest: forest !== undefined,
    guesses: [
      ...formulasOf(
        region,
        names.map(({ value }) => value),
        all.filter(({ node, isGlobal }) => node !== here && !isGlobal),
        forest?.links ?? [],
        system,
      ).map(guess('each')),
      ...(forest ? forestFormulas(region, forest, point, names, system) : []).map(({ term, unless }) => {
        return { ...guess('each')(term), unless };
      }),
      ...notAutomatic(region, point, system).map(guess('each')),
      ...pairFormulas(region, forest?.links ?? []).map(guess('pair')),
    ],
    across: acrossFormulas(region, regions, system).map(({ term, to }) => {
      return { term, to, holds: compile(term), seen: 0, isRefuted: false };
    }),
    exceptions: [...locals, ...globals].map(({ value }) => value),
    vectors: [],
    exceptFor: [],
  };
}
