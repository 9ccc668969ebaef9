/** Options of lowering: how C that leaves a choice is read, and what is changed for proofs. */
import type { DataModel } from '../../c/types';
import type { CheckKey, CheckKind } from '../command';
import type { InlinedHelpers } from './inlinedHelpers';
import type { StartOfClients } from './objects/definedElsewhere';

/** Functions that clients call: those with these names, or all of the user's with external linkage. */
export type EntryNames = ReadonlySet<string> | 'external linkage';

export interface BaseLowerOptions {
  readonly dataModel: DataModel;
  readonly externals: 'error' | 'any' | 'value' | 'angelic';
  /** See `LinkOptions`. */
  readonly variablesElsewhere?: 'error' | 'unknown' | undefined;
  readonly stubs: readonly string[];
  readonly idioms?: boolean;
  /** See `LinkOptions`. */
  readonly common?: boolean;
  /** The allocator may answer null. Default: only for impossible sizes. */
  readonly mallocMayFail?: boolean;
  /** Checks that are omitted everywhere. Default: none. */
  readonly unchecked?: readonly CheckKind[];
  /** Comments may exclude checks. Default: no. */
  readonly suppress?: boolean;
  /** Accesses with a check `effective-type`, see `orderKey`. Default: none. */
  readonly typedAccesses?: ReadonlySet<string>;
  /** Expressions whose operands are evaluated in either order, see `orderKey`. Default: none. */
  readonly eitherOrder?: ReadonlySet<string>;
  /** No pointer is made that leads one past the end of a member, see `advance` in `objects/address.ts`. Default: no. */
  readonly excludesEnds?: boolean;
  /** Checks that are assumed to hold: an execution that fails one ends there. Default: none. */
  readonly assumed?: ReadonlySet<CheckKey>;
  /** Blocks of the allocator are counted. None may remain when this function returns or the program exits. */
  readonly leaksAfter?: string;
  /**
   * When one of these functions returns to a client, each block of the allocator is reached; see
   * `objects/keptBlocks.ts`. Default: none.
   */
  readonly keepsBlocks?: EntryNames;
  /**
   * Local pointers to pointers that lead to two kinds of places become two variables, but for these names; see
   * `separatedPointers.ts`. Absent: none do.
   */
  readonly separatesAllBut?: ReadonlySet<string>;
  /** Static heads of rings get lead bytes, but for these; see `objects/alignedHeads.ts`. Absent: none do. */
  readonly alignsAllBut?: ReadonlySet<string>;
  /** Calls of functions that walk lists are copied; see `inlinedHelpers.ts`. Absent: none are. */
  readonly inlines?: InlinedHelpers;
  /** Calls are told apart, but those of these functions; see `copiedCallees.ts`. Absent: none are. */
  readonly copiesAllBut?: ReadonlySet<string>;
  /**
   * Calls of `longjmp` return to that of `setjmp`, in a program or in a module, whose clients write what is visible.
   * Absent: they do not.
   */
  readonly returnsFromJumps?: 'program' | 'module';
  /**
   * Clients that variables which no file defines may be read and written between, see `objects/definedElsewhere.ts`.
   * Absent: such variables hold 0 until the host writes them.
   */
  readonly startsUnknown?: StartOfClients;
}
