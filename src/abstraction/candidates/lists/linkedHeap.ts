/** A state as one link sees it: the objects that variables lead to, and those reached from them. */
import type { Term } from '../../../logic/term';
import type { Node } from '../../../semantics/pointers/regionNode';
import type { ConcreteMemory } from '../../../semantics/concrete/concreteMemory';
import type { LinkVariables } from '../../../semantics/symbolic/memoryModel';
import type { ConcreteChains } from '../../transitionSystem/concreteChains';
import type { ConcreteView } from '../../transitionSystem/concreteView';

/** A variable that leads to objects, or a static or automatic object that is one. */
export interface Name {
  readonly object: Term;
  readonly offset: Term;
  /** Bytes from the start of an object to where the variable leads. */
  readonly at: number;
  readonly isObject: boolean;
  /** It keeps its value between calls. */
  readonly isStatic: boolean;
  /** The pointer is null where this is not 0. */
  readonly flag?: Term;
  /** A pointer to the allocated object that the variable is a member of. */
  readonly owner?: { readonly object: Term; readonly offset: Term; readonly node: Node };
  /** Size of a structure that a variable leads to. */
  readonly pointeeBytes?: number;
}

/** A heap as one link sees it. Variables are numbered as the names. */
export interface Heap {
  readonly values: readonly number[];
  readonly isNull: readonly boolean[];
  readonly leadsThere: readonly boolean[];
  readonly live: readonly number[];
  readonly isLive: (object: number) => boolean;
  readonly reached: readonly ReadonlySet<number>[];
  readonly chains: ConcreteChains;
  readonly memory: ConcreteMemory;
  readonly value: ConcreteView['value'];
  /** The same heap as another link sees it. */
  readonly along: (link: LinkVariables) => ConcreteChains;
}

export interface Template {
  readonly term: Term;
  readonly holds: (heap: Heap) => boolean;
  /** Some are worth trying where no run came. */
  readonly tried: 'always' | 'if-seen';
  refuted: boolean;
}
