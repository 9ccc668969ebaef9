/**
 * Candidate invariants of lists: what variables reach along a link. Clauses over reachability suffice for the list
 * procedures of Yorsh, Ball, Sagiv (ISSTA 2006, figure 7), which merge nodes by such properties instead. A clause is
 * fitted to the heaps seen, and Houdini is the judge.
 *
 * See `reachabilityTemplates.ts` for the clauses, `nodeNumbers.ts` for the numbers in nodes, and `listLengths.ts` for
 * how many nodes there are, and `blockSizes.ts` for how large the blocks are that nodes own.
 */
import { compile, type Compiled } from '../../../logic/compile';
import { hasQuantifier } from '../../../logic/quantifiers/instances';
import { symbolsOf } from '../../../logic/symbols';
import type { Term } from '../../../logic/term';
import { pointerTo } from '../../../semantics/concrete/concreteValues';
import type { Machine } from '../../../semantics/concrete/machine';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import { ConcreteChains, regionOf } from '../../transitionSystem/concreteChains';
import type { ConcreteView } from '../../transitionSystem/concreteView';
import type { Cutpoint } from '../../transitionSystem/cutpoint';
import type { Relevance } from '../../transitionSystem/relevance';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import { withMembers } from '../memberObservables';
import { constantsOf, observablesOf } from '../observables';
import type { Observable } from '../samples';
import { staticTargets } from '../statics/staticTargets';
import { BlockSizes } from './blockSizes';
import type { Heap, Name, Template } from './linkedHeap';
import { ListLengths } from './listLengths';
import { namesAt, walkedLinks } from './listNames';
import { NodeNumbers } from './nodeNumbers';
import { blockMembers, blockNumber, type BlockMember } from './ownedBlocks';
import { templatesOf } from './reachabilityTemplates';
import { ReturnedNodes } from './returnedNodes';

const limits = {
  /** Heaps looked at per control point, no two alike. */
  states: 200,
  /** Live objects of a heap that is looked at. */
  objects: 12,
  /** Candidates per control point. */
  candidates: 400,
} as const;

interface Watched {
  readonly link: LinkVariables;
  readonly names: readonly Name[];
  readonly readers: readonly { readonly object: Compiled; readonly offset: Compiled }[];
  readonly templates: readonly Template[];
  /** A state was seen in which links make a ring. */
  isRing: boolean;
  readonly numbers: NodeNumbers;
  readonly returned: ReturnedNodes;
  readonly lengths: ListLengths;
  readonly sizes: BlockSizes;
  /** Members of nodes that lead to blocks. */
  readonly blocks: readonly BlockMember[];
  readonly seen: Set<string>;
}

interface Beside {
  readonly term: Term;
  readonly reader: Compiled;
  states: number;
  refuted: boolean;
}

export class ReachabilityCandidates {
  private readonly watched = new Map<Cutpoint, readonly Watched[]>();
  /** Other conditions that are tried beside those of lists. */
  private readonly beside = new Map<Cutpoint, readonly Beside[]>();

  constructor(
    private readonly system: TransitionSystem,
    relevance: Relevance,
  ) {
    const links = walkedLinks(system);
    if (links.length === 0) return;
    const [observables, constants] = [observablesOf(system), constantsOf(system)];
    const counters = withMembers(system, observables);
    for (const [point, terms] of staticTargets(system))
      this.beside.set(
        point,
        terms
          .filter((term) => !hasQuantifier(term))
          .map((term) => ({ term, reader: compile(term), states: 0, refuted: false })),
      );
    for (const point of system.points)
      this.watched.set(
        point,
        links.map((link): Watched => {
          const names = namesAt(point, link, system, relevance);
          const blocks = blockMembers(link, system);
          return {
            link,
            names,
            readers: names.map(({ object, offset }) => ({ object: compile(object), offset: compile(offset) })),
            templates: templatesOf(point, link, names, system, relevance),
            isRing: false,
            numbers: new NodeNumbers(link, names, observables.get(point) ?? [], constants, system),
            returned: new ReturnedNodes(point, link, names, observables.get(point) ?? [], system),
            lengths: new ListLengths(
              link,
              names,
              notOfNodes(counters.get(point) ?? [], link, system),
              constants,
              system,
            ),
            sizes: new BlockSizes(link, names, blocks, system),
            blocks,
            seen: new Set(),
          };
        }),
      );
  }

  get isEmpty(): boolean {
    return this.watched.size === 0;
  }

  /** True if links made a ring between calls, or where a loop begins a round: candidates say little of those. */
  get hasRings(): boolean {
    return [...this.watched].some(
      ([{ kind }, links]) => (kind === 'module' || kind === 'loop') && links.some(({ isRing }) => isRing),
    );
  }

  /** A state seen. */
  record(point: Cutpoint, view: ConcreteView, machine: Machine): void {
    for (const one of this.beside.get(point) ?? [])
      if (!one.refuted && one.states++ < limits.states) one.refuted = one.reader(view.value) !== true;
    for (const watched of this.watched.get(point) ?? []) {
      if (watched.seen.size >= limits.states) continue;
      const heap = this.heapOf(watched, view, machine);
      if (!heap) continue;
      watched.numbers.record(heap);
      watched.returned.record(heap);
      watched.lengths.record(heap);
      watched.sizes.record(heap);
      const key = JSON.stringify([
        heap.values,
        heap.live,
        heap.live.map((object) => heap.chains.successor(object)),
        // Links to heads have no successor.
        watched.link.statics.length < 2 ? [] : heap.live.map((object) => heap.chains.pointerAt(object)),
        watched.blocks.map((member) => heap.live.map((object) => blockNumber(heap, object, member))),
      ]);
      if (watched.seen.has(key)) continue;
      watched.seen.add(key);
      watched.isRing ||= !heap.chains.isAcyclic();
      for (const template of watched.templates) template.refuted ||= !template.holds(heap);
    }
  }

  candidates(point: Cutpoint): readonly Term[] {
    const found = new Set<Term>();
    for (const { templates, seen } of this.watched.get(point) ?? []) {
      for (const { term, refuted, tried } of templates)
        if (!refuted && (tried === 'always' || seen.size > 0) && term.kind !== 'boolean') found.add(term);
    }
    return [...found].slice(0, limits.candidates);
  }

  /** Targets of pointers into static data, as they were in all states seen. */
  targets(point: Cutpoint): readonly Term[] {
    return (this.beside.get(point) ?? []).flatMap(({ term, refuted }) => (refuted ? [] : [term]));
  }

  /** About the numbers in nodes. */
  numbers(point: Cutpoint): readonly Term[] {
    return [
      ...new Set(
        (this.watched.get(point) ?? []).flatMap(({ numbers, returned }) => [
          ...numbers.candidates(),
          ...returned.candidates(),
        ]),
      ),
    ];
  }

  /** About how many nodes lists have. What may be so between all calls is tried inside of them, too. */
  lengths(point: Cutpoint): readonly Term[] {
    const { client } = this.system;
    const found = (at: Cutpoint | undefined): readonly Term[] =>
      (at ? (this.watched.get(at) ?? []) : []).flatMap(({ lengths }) => lengths.candidates());
    return [...new Set([...found(point), ...found(client)])];
  }

  /** About the sizes of blocks that nodes own, and the numbers beside them. */
  sizes(point: Cutpoint): readonly Term[] {
    return [...new Set((this.watched.get(point) ?? []).flatMap(({ sizes }) => sizes.candidates()))];
  }

  private heapOf({ link, names, readers }: Watched, view: ConcreteView, machine: Machine): Heap | undefined {
    const { memoryModel } = this.system;
    const { memory } = machine;
    const chains = new ConcreteChains(link, memoryModel, machine);
    const region = memoryModel.allocationSiteOf(link.node);
    const live: number[] = [];
    for (const block of link.ofClients ? [] : memory.liveBlocks()) {
      if (regionOf(block, memoryModel) !== region) continue;
      if (live.length === limits.objects) return undefined;
      live.push(block.number);
    }
    const values = readers.map(({ object }) => Number(object(view.value) as bigint));
    const offsets = readers.map(({ offset }) => Number(BigInt.asIntN(memoryModel.half, offset(view.value) as bigint)));
    // Clients' objects count if a variable reaches them.
    const reached = values.map((value) => chains.from(value));
    if (link.ofClients)
      live.push(...new Set(reached.flatMap((some) => [...some].filter((n) => memory.isLive(pointerTo(n)) === 1))));
    if (live.length > limits.objects) return undefined;
    const all = new Set(live);
    return {
      values,
      isNull: values.map((value, i) => value === 0 && offsets[i] === 0),
      leadsThere: values.map((value, i) => value !== 0 && offsets[i] === names[i]!.at),
      live,
      isLive: (object) => all.has(object),
      reached,
      chains,
      memory,
      value: view.value,
      along: (other) => new ConcreteChains(other, memoryModel, machine),
    };
  }
}

/** Numbers that no node has: those of variables, and of objects that lists begin in. */
function notOfNodes(
  numbers: readonly Observable[],
  { node }: LinkVariables,
  { memoryModel, vocabulary }: TransitionSystem,
): readonly Observable[] {
  const members = new Set(memoryModel.slotVariables(node).map((memory) => vocabulary.symbolOf(memory)));
  return numbers.filter(({ term }) => ![...symbolsOf(term)].some((symbol) => members.has(symbol)));
}
