/** Terms about one link at a control point: its region, its objects and where their links lead. */
import * as L from '../../../logic/build';
import type { Term } from '../../../logic/term';
import type { Node } from '../../../semantics/pointers/regionNode';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import type { Name } from './linkedHeap';

/** A pointer in its two halves. */
export interface PointerTerms {
  readonly object: Term;
  readonly offset: Term;
}

export class LinkTerms {
  /** An object that a quantifier ranges over. */
  readonly bound: Term & { readonly kind: 'symbol' };
  /** A second one. */
  readonly other: Term & { readonly kind: 'symbol' };
  /** Number that the next allocation gives. */
  private readonly next: Term;
  private readonly live: Term;
  /** Allocation site by object. */
  private readonly site: Term;
  private readonly relation: Term;
  private readonly region: Term;
  /** Objects that are variables and have the link, such as the heads of rings. */
  readonly members: readonly Term[];

  constructor(
    readonly link: LinkVariables,
    names: readonly Name[],
    private readonly system: TransitionSystem,
  ) {
    const { memoryModel } = system;
    this.bound = L.symbol('?object', memoryModel.halfSort);
    this.other = L.symbol('?other', memoryModel.halfSort);
    this.next = this.symbol(memoryModel.allocationCounter);
    this.live = this.symbol(memoryModel.live);
    this.site = this.symbol(memoryModel.allocationSite);
    this.relation = this.symbol(link.reach);
    this.region = this.half(memoryModel.allocationSiteOf(link.node));
    this.members = [
      ...new Set([
        ...link.statics.map((object) => this.half(object)),
        ...names.flatMap(({ isObject, object }) => (isObject ? [object] : [])),
      ]),
    ];
  }

  half(value: bigint | number): Term {
    return L.bits(BigInt(value), this.system.memoryModel.half);
  }

  symbol(memory: { readonly index: number }): Term {
    const { memoryModel, vocabulary } = this.system;
    return vocabulary.symbolOf(memoryModel.variables[memory.index]!);
  }

  isNull({ object, offset }: PointerTerms): Term {
    return L.and(L.eq(object, this.half(0)), L.eq(offset, this.half(0)));
  }

  isZero({ object }: Pick<Name, 'object'>): Term {
    return L.eq(object, this.half(0));
  }

  notZero(name: Name): Term {
    return L.not(this.isZero(name));
  }

  isLive(object: Term): Term {
    return L.select(this.live, object);
  }

  /** An object of the heap that was allocated before now. */
  isAllocated(object: Term): readonly Term[] {
    return [L.ult(this.half(this.system.memoryModel.lastStatic), object), this.isBefore(object)];
  }

  isBefore(object: Term): Term {
    return L.ult(object, this.next);
  }

  isOfRegion(object: Term): Term {
    return L.eq(L.select(this.site, object), this.region);
  }

  /** No allocation made the object, as a variable. */
  isMadeByNone(object: Term): Term {
    return L.eq(L.select(this.site, object), this.half(0));
  }

  /** Allocated in the region, or a client's where clients have the link. */
  private isMade(object: Term): Term {
    return L.or(this.isOfRegion(object), this.link.ofClients ? this.isMadeByNone(object) : L.FALSE);
  }

  leadsThere({ object, offset, at }: Name): Term {
    return L.and(...this.isAllocated(object), this.isLive(object), L.eq(offset, this.half(at)), this.isMade(object));
  }

  /** The pointer is null, or leads to the start of a live object that the node's allocations made. */
  isNullOrOwner(pointer: NonNullable<Name['owner']>): Term {
    const { object, offset, node } = pointer;
    const site = this.half(this.system.memoryModel.allocationSiteOf(node));
    return L.or(
      this.isNull(pointer),
      L.and(
        ...this.isAllocated(object),
        this.isLive(object),
        L.eq(offset, this.half(0)),
        L.eq(L.select(this.site, object), site),
      ),
    );
  }

  /** Pointers lead to all live objects that the node's allocations made. */
  areOwners(pointers: readonly { readonly object: Term }[], node: Node): Term {
    const { bound } = this;
    const site = this.half(this.system.memoryModel.allocationSiteOf(node));
    return L.forall(
      [bound],
      L.or(
        ...this.isAllocated(bound).map(L.not),
        L.not(this.isLive(bound)),
        L.not(L.eq(L.select(this.site, bound), site)),
        ...pointers.map(({ object }) => L.eq(bound, object)),
      ),
    );
  }

  reaches(a: Name, b: Term): Term {
    return L.related(this.relation, a.object, b);
  }

  isMember(object: Term): Term {
    return L.or(...this.members.map((member) => L.eq(object, member)));
  }

  /** A pointer in a link is null, or leads where links lead. */
  private isProper(pointer: PointerTerms): Term {
    const { object, offset } = pointer;
    return L.or(
      this.isNull(pointer),
      L.and(
        L.eq(offset, this.half(this.link.offset)),
        L.or(L.and(...this.isAllocated(object), this.isMade(object)), this.isMember(object)),
      ),
    );
  }

  /** The link of an object was written, where that is not known of all, and is null or leads where links lead. */
  hasProperLink(object: Term): Term {
    return L.and(this.isWritten(object), this.isProper(this.linkAt(object)));
  }

  /** The same where no link leads to an object that is a variable. */
  hasLinkOrEnds(object: Term): Term {
    return L.and(this.isWritten(object), this.leadsOnOrEnds(this.linkAt(object)));
  }

  private isWritten(object: Term): Term {
    const { linked, ofClients } = this.link;
    return linked && !ofClients ? L.select(this.symbol(linked), object) : L.TRUE;
  }

  private leadsOnOrEnds(pointer: PointerTerms): Term {
    const { object, offset } = pointer;
    return L.or(
      this.isNull(pointer),
      L.and(L.eq(offset, this.half(this.link.offset)), ...this.isAllocated(object), this.isMade(object)),
    );
  }

  /** The pointer in a link of an object. */
  linkAt(object: Term, { objects, offsets }: LinkVariables = this.link): PointerTerms {
    return {
      object: L.select(this.symbol(objects), object),
      offset: L.select(this.symbol(offsets), object),
    };
  }

  /** For all live objects of the region. */
  forLive(body: Term): Term {
    const { bound } = this;
    return L.forall([bound], L.or(this.isNoNode(bound), body));
  }

  /** For any two live objects of the region, or one taken twice. */
  forLivePairs(body: Term): Term {
    const { bound, other } = this;
    return L.forall([bound, other], L.or(this.isNoNode(bound), this.isNoNode(other), body));
  }

  isNoNode(object: Term): Term {
    return L.or(...this.isAllocated(object).map(L.not), L.not(this.isLive(object)), L.not(this.isOfRegion(object)));
  }

  /** For all that a name reaches. Where it is more than a symbol, this is tried out where the program starts. */
  forReached(x: Name, body: () => readonly Term[]): Term {
    const { bound } = this;
    return L.forall(
      [bound],
      L.or(
        this.isZero(x),
        ...(x.object.kind === 'symbol' ? [] : [L.not(this.isBefore(bound))]),
        L.not(this.reaches(x, bound)),
        ...body(),
      ),
    );
  }
}
