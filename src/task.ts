/**
 * Task of a verification: sources, how to read them, what the tests did. Plain data, so that it crosses process borders
 * as JSON.
 */
import type { SystemHeaders } from './c';
import type { DataModel, Standard } from './c/types';
import type { CheckKind, Leavable, Property } from './program/command';
import type { ProbeFormula } from './abstraction/predicates/probeFormula';
import type { CutpointSelection } from './abstraction/transitionSystem/cutpointSelection';
import type { InitialisedBy } from './evidence/scenarios/structures/setUpFunctions';
import type { Convention } from './evidence/scenarios/structures/conventions';
import type { ValidPointers } from './evidence/scenarios/structures/validPointers';
import type { Operation } from './host/operation';
import type { HostEnvironment } from './host/hostEnvironment';

export interface LoadOptions {
  readonly include?: readonly string[];
  readonly define?: Readonly<Record<string, string | number | true>>;
  readonly dataModel?: DataModel;
  readonly standard?: Standard;
  /** Headers of an installed compiler, as `systemHeaders.ts` finds them, in place of the bundled ones. */
  readonly systemHeaders?: SystemHeaders;
  /** Effect of an undefined function: a link error, any value, or the weakest helpful value. */
  readonly externals?: 'error' | 'any' | 'value' | 'angelic';
  /** Guarantees of functions without a body: conditions in C over the arguments and `result`, by function. */
  readonly ensures?: Readonly<Record<string, readonly string[]>>;
  /** `assert`, `assume`, `error`, `nondet` and `unknown` may be called undeclared. */
  readonly idioms?: boolean;
  /** Every call of the allocator may give null. Default: only for sizes that no object can have. */
  readonly mallocMayFail?: boolean;
  /** Checks that are made neither in tests nor in proofs. */
  readonly unchecked?: readonly Leavable[];
}

/** Specifications that may excuse a failure; see `engines/angelic/configuration.ts`. */
export const angelicConfigurations = ['default', 'noTS', 'noAlias', 'noEE', 'default-AA'] as const;
export type AngelicConfiguration = (typeof angelicConfigurations)[number];

/** Default time for a proof, on the command line and in tests alike. */
export const defaultBudgetMs = 60_000;

export interface Task {
  /** Absolute paths of the C files. */
  readonly files: readonly string[];
  readonly load: LoadOptions;
  readonly mode: 'module' | 'program';
  /**
   * The variable that holds the module in the user's test file, for what is to be pasted there; default: made from the
   * name of the file.
   */
  readonly variable?: string;
  /**
   * Module mode: functions a client may call (default: every non-static function). Program mode: the one entry
   * function.
   */
  readonly entries?: readonly string[];
  /** Module mode: a client calls this first, once. */
  readonly init?: string;
  /** Module mode: structures of clients that functions of the module set up before anything else is done with them. */
  readonly initialisedBy?: readonly InitialisedBy[];
  /**
   * Module mode: pointers in clients' structures that are null or lead to the start of a live object whenever the
   * module runs.
   */
  readonly validPointers?: readonly ValidPointers[];
  /** Module mode: clients of searches keep to these; proofs are about others, too. */
  readonly conventions?: readonly Convention[];
  /** Preconditions on the arguments of entry functions, conjunctions per function. */
  readonly requires?: readonly Requirement[];
  /** Calls of entry functions that clients are known to make: no specification may exclude all of them. */
  readonly possible?: readonly Requirement[];
  /** Functions of the host that stand in for undefined ones; in the proof they return any value. */
  readonly stubs?: readonly string[];
  /**
   * `false`: no function without a body calls the module back. Default: those without a stub may, and stubs that did so
   * in a test.
   */
  readonly callBacks?: boolean;
  /** Files and the like that the tests put around the module. */
  readonly hostEnvironment?: HostEnvironment;
  readonly probes: readonly Probe[];
  /** Logs of the tests, one per fresh start of the module. */
  readonly runs: readonly (readonly Operation[])[];
  /** Properties, or single kinds of checks, in force. */
  readonly properties: readonly (Property | CheckKind)[];
  readonly cutpoints?: CutpointSelection;
  /** `probes`: only the given ones; default: also those read off the program. */
  readonly predicates?: 'default' | 'probes';
  /** Check the proof that these loop invariants are, and use nothing else. Undefined: find a proof. */
  readonly claims?: readonly InvariantClaim[];
  /** Run the program with these results of its inputs, in order, and see whether it fails on the line. */
  readonly replay?: Replay;
  /** The abstract states are wanted whatever the verdict: for the measure of the tests. */
  readonly adequacy?: boolean;
  /** Folder below which a worker has put the files; no part of the question. */
  readonly root?: string;
  /** Loop invariants are wanted as annotations for other verifiers, too. */
  readonly annotate?: true;
  /** Content of a report is wanted with the verdict. */
  readonly explain?: boolean;
  /**
   * After a failure the other checks are verified, too: for a short time; for all of the budget, or beside an error
   * that nothing excuses as long as there is news; or for all of the budget whatever is found. Default: they stay open.
   */
  readonly furtherChecks?: 'briefly' | 'while there is news' | 'to the end';
  /**
   * After a failure, what is left is verified for clients that keep the specifications which excuse failures; if that
   * is proved and nothing else fails, the verdict says so. Bounds of numbers are specifications, too.
   */
  readonly angelic?: true;
  readonly angelicConfiguration?: AngelicConfiguration;
  /** Calls of loop-free functions by summary, too. */
  readonly inline?: boolean;
  readonly engine: string;
  /** The engine whose question this one answers, as its rival: what is remembered is remembered for that. */
  readonly asked?: string;
  /** For engines that refine; each has a default. */
  readonly refinement?: RefinementTask;
  /** For the engine `minimax`; each has a default. */
  readonly minimax?: MinimaxTask;
  readonly seed: number;
  /** Solvers that work at the same time; default: one, and one more for each idle core, up to four. */
  readonly jobs?: number;
  readonly budget: { readonly milliseconds: number; readonly resourcesPerQuery?: number };
  /** Advice is given in this form; default both. No part of the question. */
  readonly askedIn?: 'test' | 'command';
}

/** Options for refining a partition. */
export interface RefinementTask {
  /**
   * Splits that diverge are generalised: not at all, by widening, by interpolation, or by what the tests' states have
   * in common (default).
   */
  readonly generalize?: 'off' | 'widen' | 'interpolate' | 'learned';
  /** State of the last region reached from which a new test starts; default the nearest to what it has to reach. */
  readonly choice?: 'oldest' | 'latest' | 'nearest';
  /** `checked` (default): edges of a path are asked about before it is taken. `lazy`: one question per iteration. */
  readonly edges?: 'checked' | 'lazy';
  readonly iterations?: number;
  /** Engine `auto`: potential errors are handed on to refinement (default). False: they stay what they are. */
  readonly escalate?: boolean;
}

/** Options for the search of a tree of symbolic states. */
export interface MinimaxTask {
  /**
   * The part of an infeasible path that is kept: its weakest precondition (default); constraints of the state,
   * equations in halves or whole; nothing, which is plain symbolic execution.
   */
  readonly interpolants?: 'precondition' | 'halves' | 'subset' | 'none';
  /** Successors that come first; default the feasible ones. */
  readonly order?: 'feasible-first' | 'infeasible-first' | 'text';
  /** Equations of integers at heads of loops: as two inequalities each (default), or whole. */
  readonly equations?: 'slackened' | 'whole';
  /** Nodes of the tree after which the search gives up; default 60,000. */
  readonly nodes?: number;
}

export interface Requirement {
  readonly function: string;
  readonly formula: ProbeFormula;
  /** As it was said: a condition in C, or the source of a function of the host. What is advised says it again. */
  readonly said?: { readonly c: string } | { readonly host: string };
}

export interface Probe {
  readonly name: string;
  /** Locals of this function may occur; undefined: globals only, everywhere. */
  readonly function?: string;
  readonly formula: ProbeFormula;
  /** Position of the probe in the test, `file:line`, for messages. */
  readonly origin: string;
}

/** A loop invariant that a witness claims. */
export interface InvariantClaim {
  readonly file: string;
  /** Start of the loop; 1-based. */
  readonly line: number;
  readonly column?: number;
  readonly function?: string;
  readonly formula: ProbeFormula;
  /** As written, for messages. */
  readonly text: string;
}

/** A failure that a witness claims. Lines are 1-based. */
export interface Replay {
  readonly results: readonly { readonly file: string; readonly line: number; readonly value: string }[];
  readonly target: { readonly file: string; readonly line: number };
}
