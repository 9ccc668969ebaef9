/**
 * Transitions from outside: the start of a program, and what the client of a module does between calls: it passes any
 * arguments that preconditions allow, and writes its own objects.
 */
import * as L from '../../../logic/build';
import { substituteAll } from '../../../logic/substitute';
import type { Term } from '../../../logic/term';
import type { FunctionDefinition } from '../../../program/program';
import { recordSetUp } from '../../../semantics/pointers/initialisers';
import type { SymbolicState } from '../../../semantics/symbolic/symbolicMemory';
import { isOfClients } from '../../../semantics/pointers/links/links';
import { FreshSymbols, isPointer } from '../../../semantics/symbolic/symbolicValues';
import type { ClientArguments } from './clientArguments';
import type { Cutpoint } from '../cutpoint';
import { initialState, initialStateOfClient } from '../initialState';
import { endAt, leap, type NewTransition, type TransitionEnd } from '../transition';
import type { SystemOptions, TransitionSystem } from '../transitionSystem';

type ClientSystem = Pick<
  TransitionSystem,
  | 'program'
  | 'options'
  | 'vocabulary'
  | 'memoryModel'
  | 'builder'
  | 'contracts'
  | 'initialisers'
  | 'weakening'
  | 'client'
  | 'at'
> & {
  /** True if the function's call at its entry is a step of its own. */
  beginsWithCall(fn: FunctionDefinition): boolean;
};

export class ClientTransitions {
  constructor(
    private readonly system: ClientSystem,
    private readonly clientArguments: ClientArguments,
  ) {}

  /** The start of everything: of the program, or of the initial function of a module. */
  starts(): readonly NewTransition[] {
    const { options, program, vocabulary, client } = this.system;
    const begin = takesPointers(options) ? initialStateOfClient : initialState;
    const roots = options.init ? [options.init] : options.mode === 'program' ? options.entries : [];
    const found = roots.map((fn) => {
      const symbols = new FreshSymbols('start');
      const state = this.withArguments(fn, begin(program, vocabulary, symbols));
      const axioms = substituteAll(vocabulary.wellFormed(fn, fn.entry), vocabulary.binding(fn, state));
      return leap('start', undefined, axioms, this.clientCall(fn, state));
    });
    if (client && !options.init && takesPointers(options)) {
      // A client may have made objects before its first call.
      const state = {
        ...initialStateOfClient(program, vocabulary, new FreshSymbols('start')),
        locals: [],
        objects: [],
      };
      const end = endAt(vocabulary, client, L.TRUE, state);
      found.push(leap('start', undefined, end.axioms, end));
    }
    return found;
  }

  /** Writes of a module's client between two calls, and the calls. */
  steps(client: Cutpoint): readonly NewTransition[] {
    const { options, vocabulary, weakening } = this.system;
    const found = weakening.silent.size === 0 ? [] : [this.elsewhere(client)];
    for (const fn of options.entries) {
      if (weakening.silent.has(fn)) continue;
      const symbols = new FreshSymbols('client');
      const state = vocabulary.state(fn, fn.entry, symbols);
      this.writeByClient(state, symbols);
      const axioms = vocabulary.wellFormed(fn, fn.entry);
      found.push(leap('client', client, axioms, this.clientCall(fn, state)));
    }
    return found;
  }

  /**
   * Between calls a client writes what it likes into objects of its own, those that the module still points to
   * included. Links that lead to no ring count from then on, so no counted ones make one.
   */
  private writeByClient({ memory }: SymbolicState, symbols: FreshSymbols): void {
    for (const { role, index, name, sort } of this.system.memoryModel.variables) {
      if (!('node' in role) || !isOfClients(role.node)) continue;
      memory.contents[index] = role.kind === 'acyclic' ? L.TRUE : symbols.fresh(name, sort);
    }
    this.system.vocabulary.observeLinks(memory.contents);
  }

  /** The client's calls of silent functions, all in one: they may change what any of them may. */
  private elsewhere(client: Cutpoint): NewTransition {
    const {
      vocabulary,
      builder: { effects },
      weakening: { silent },
    } = this.system;
    const symbols = new FreshSymbols('elsewhere');
    const state = vocabulary.state(client.fn, client.location, symbols);
    this.writeByClient(state, symbols);
    state.memory.havocErrno();
    effects.havocCall([...silent], state, symbols);
    const end = endAt(vocabulary, client, L.TRUE, state);
    return leap('elsewhere', client, [...vocabulary.wellFormed(client.fn, client.location), ...end.axioms], end);
  }

  /** The client's call, with a state that is its own until then. */
  private clientCall(fn: FunctionDefinition, state: SymbolicState): TransitionEnd {
    // It may have called the library in between.
    if (this.system.client) state.memory.havocErrno();
    const guard = L.and(...this.assumptions(fn, state));
    this.setUp(fn, state);
    return endAt(this.system.vocabulary, this.system.at(fn.entry)!, guard, state);
  }

  /** From the call on, an object that the function sets up for the client counts as one of those that are. */
  setUp(fn: FunctionDefinition, { locals, memory }: SymbolicState): void {
    const { memoryModel, initialisers } = this.system;
    const { allocationSite, half } = memoryModel;
    for (const [at, parameter] of fn.parameters.entries()) {
      const value = locals[parameter.slot]!;
      const record = recordSetUp(initialisers, fn, at);
      const node = record && memoryModel.regions.nodeOfSetUp(record);
      if (!node || !isPointer(value)) continue;
      const before = memory.contents[allocationSite.index]!;
      memory.contents[allocationSite.index] = L.ite(
        L.eq(value.object, L.bits(0n, half)),
        before,
        L.store(before, value.object, L.bits(memoryModel.allocationSiteOf(node), half)),
      );
    }
  }

  private withArguments(fn: FunctionDefinition, state: SymbolicState): SymbolicState {
    const symbolic = this.system.vocabulary.state(fn, fn.entry, new FreshSymbols('arguments'));
    return { ...state, locals: symbolic.locals, objects: [] };
  }

  /**
   * Assumptions on a client: `requires`, values in range of narrow types (by sort), and pointers that are null or point
   * to the start of a live object of their type.
   */
  assumptions(fn: FunctionDefinition, state: SymbolicState): Term[] {
    const { options, vocabulary } = this.system;
    // Said of what is there when the function is called: a client may just have written it.
    const axioms = [
      ...substituteAll(options.requires(fn, vocabulary), vocabulary.binding(fn, state)),
      ...this.preconditions(fn, state),
    ];
    return [...axioms, ...this.clientArguments.assumptions(fn, state)];
  }

  /** Preconditions in the function's own text, about a state at its entry. */
  private preconditions(fn: FunctionDefinition, state: SymbolicState): Term[] {
    // Behind a call that is a step of its own it stands too late to be said of the entry.
    if (!hasPrecondition(fn) || this.system.beginsWithCall(fn)) return [];
    const symbols = new FreshSymbols(`${fn.name} requires`);
    const { obligations } = this.system.contracts.buildFrom(fn, fn.entry, state, symbols, L.TRUE);
    return obligations.flatMap(({ check, function: of, guard, condition }) =>
      check.check === 'precondition' && of === fn ? [L.implies(guard, condition)] : [],
    );
  }
}

/** Its text has `PROVEST_REQUIRES`. */
export const hasPrecondition = (fn: FunctionDefinition): boolean =>
  fn.edges.some(({ command }) => command.kind === 'check' && command.check === 'precondition');

/** True if clients pass objects, at the first call or at a later one. */
export const takesPointers = ({ entries, init }: Pick<SystemOptions, 'entries' | 'init'>): boolean =>
  [...entries, ...(init ? [init] : [])].some((fn) => fn.parameters.some(({ type }) => type.kind === 'pointer'));
