/**
 * Shared data that an invariant of a weaker program can be about: the cone of influence of its obligations and
 * branches. A part of a module leaves most of the module's data alone. Only guesses depend on this, no proof.
 */
import { symbolsOf } from '../../logic/symbols';
import type { SymbolTerm, Term } from '../../logic/term';
import type { MemoryVariable } from '../../semantics/symbolic/memoryModel';
import type { TransitionSystem } from './transitionSystem';

const cones = new WeakMap<TransitionSystem, ReadonlySet<Term>>();

/** True if the value of the symbol may matter; of a program as it is, that of any. */
export const mayMatter = (system: TransitionSystem, symbol: Term): boolean =>
  system.weakening.dropped.size === 0 || coneOf(system).has(symbol);

/** The memory model's variables without contents that do not matter. */
export const relevantMemory = (system: TransitionSystem): readonly MemoryVariable[] =>
  system.memoryModel.variables.filter(
    (memory) => memory.role.kind !== 'slot' || mayMatter(system, system.vocabulary.symbolOf(memory)),
  );

function coneOf(system: TransitionSystem): ReadonlySet<Term> {
  let cone = cones.get(system);
  if (!cone) cones.set(system, (cone = new Cone(system).symbols));
  return cone;
}

class Cone {
  readonly symbols = new Set<Term>();
  private readonly work: SymbolTerm[] = [];

  constructor(private readonly system: TransitionSystem) {
    /** The values that a symbol has at ends of transitions. */
    const writers = new Map<Term, Set<Term>>();
    const { transitions, vocabulary } = system;
    for (const { ends, segment, summary } of transitions) {
      for (const { point, guard, state } of ends) {
        this.add(guard);
        note(writers, vocabulary.binding(point.fn, state));
      }
      if (summary) note(writers, vocabulary.binding(summary.exit.fn, summary.exitState));
      for (const { guard, condition } of segment?.obligations ?? []) {
        this.add(guard);
        this.add(condition);
      }
    }
    const axioms = new Map<Term, Set<Term>>();
    for (const axiom of new Set(transitions.flatMap((transition) => transition.axioms)))
      for (const symbol of symbolsOf(axiom)) if (this.holdsContents(symbol)) addTo(axioms, symbol, axiom);
    for (let symbol = this.work.pop(); symbol; symbol = this.work.pop())
      for (const term of [...(writers.get(symbol) ?? []), ...(axioms.get(symbol) ?? [])]) this.add(term);
  }

  private add(term: Term): void {
    for (const symbol of symbolsOf(term)) {
      if (this.symbols.has(symbol)) continue;
      this.symbols.add(symbol);
      this.work.push(symbol);
    }
  }

  /** Sizes, lifetimes and the count of objects connect all pointers, which have nothing else to do with each other. */
  private holdsContents(symbol: Term): boolean {
    const meaning = this.system.vocabulary.meaning(symbol);
    return meaning?.kind === 'variable' || (meaning?.kind === 'memory' && meaning.memory.role.kind === 'slot');
  }
}

function note(writers: Map<Term, Set<Term>>, binding: ReadonlyMap<Term, Term>): void {
  for (const [symbol, value] of binding) if (value !== symbol) addTo(writers, symbol, value);
}

function addTo(map: Map<Term, Set<Term>>, key: Term, value: Term): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}
