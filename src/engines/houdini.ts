/**
 * The largest inductive set of candidate facts (Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001), over the same transitions
 * as every engine. All candidates are assumed at once; a model of a step that breaks some drops those, until no step breaks any. What is
 * left is unique, whatever models the solver gives. A candidate that the solver cannot decide is dropped, never kept.
 */
import * as L from '../logic/build';
import { compile } from '../logic/compile';
import { substituteAll } from '../logic/substitute';
import type { Term } from '../logic/term';
import { ConcreteView } from '../abstraction/concreteView';
import type { ControlPoint } from '../abstraction/controlPoint';
import type { System, Transition } from '../abstraction/system';
import { Machine } from '../semantics/machine';
import type { QueryBudget, Session, Solver } from '../solver/solver';

export interface HoudiniLimits {
  readonly query: QueryBudget;
  /** True: give up (no fact is proved then). */
  readonly stop: () => boolean;
}

/** The inductive candidates per point; undefined when stopped before the end. */
export async function houdini(system: System, candidates: ReadonlyMap<ControlPoint, readonly Term[]>, solver: Solver, limits: HoudiniLimits): Promise<Map<ControlPoint, Term[]> | undefined> {
  const run = new Houdini(system, candidates, solver, limits);
  try {
    return await run.fixpoint();
  } finally {
    run.close();
  }
}

class Houdini {
  private readonly kept = new Map<ControlPoint, Set<Term>>();
  private readonly sessions = new Map<Transition, Session>();
  private readonly pending = new Set<Transition>();

  constructor(private readonly system: System, candidates: ReadonlyMap<ControlPoint, readonly Term[]>, private readonly solver: Solver, private readonly limits: HoudiniLimits) {
    for (const point of system.points) this.kept.set(point, new Set(candidates.get(point) ?? []));
    for (const transition of system.transitions) this.pending.add(transition);
    this.startAtInitialState();
    const { client } = system;
    if (client) for (const point of this.handingBack()) this.keepOnly(client, this.kept.get(point)!);
  }

  async fixpoint(): Promise<Map<ControlPoint, Term[]> | undefined> {
    for (const transition of this.pending) {
      if (this.limits.stop()) return undefined;
      this.pending.delete(transition);
      await this.settle(transition);
    }
    return new Map([...this.kept].map(([point, terms]) => [point, [...terms]]));
  }

  close(): void {
    for (const session of this.sessions.values()) session.close();
  }

  /** Drops candidates at the ends of a transition until it breaks none. */
  private async settle(transition: Transition): Promise<void> {
    const { vocabulary } = this.system;
    const session = this.open(transition);
    const bindings = transition.ends.map(({ point, state }) => vocabulary.binding(point.fn, state));
    for (;;) {
      if (this.limits.stop()) return;
      const targets = transition.ends.map(({ point }, i) => {
        const terms = [...this.kept.get(point)!];
        return { terms, after: substituteAll(terms, bindings[i]!) };
      });
      const broken = L.or(...transition.ends.map(({ guard }, i) => L.and(guard, L.not(L.and(...targets[i]!.after)))));
      if (broken === L.FALSE) return;
      session.push();
      for (const term of this.sources(transition)) session.assert(term);
      session.assert(broken);
      const answer = await session.check([], this.limits.query);
      session.pop();
      switch (answer.kind) {
        case 'unsat': return;
        case 'sat':
          transition.ends.forEach(({ point, guard }, i) => {
            if (answer.model.evaluate(guard) !== true) return;
            const { terms, after } = targets[i]!;
            this.drop(point, terms.filter((_, j) => answer.model.evaluate(after[j]!) !== true));
          });
          break;
        case 'unknown': await this.oneByOne(transition, targets); return;
      }
    }
  }

  /** The solver could not decide all at once: ask for each candidate, drop what stays undecided. */
  private async oneByOne(transition: Transition, targets: readonly { readonly terms: readonly Term[]; readonly after: readonly Term[] }[]): Promise<void> {
    const base = [...transition.facts, ...this.sources(transition)];
    for (const [i, { point, guard }] of transition.ends.entries()) {
      for (const [j, term] of targets[i]!.terms.entries()) {
        if (this.limits.stop() || !this.kept.get(point)!.has(term)) continue;
        const query = [...base, guard, L.not(targets[i]!.after[j]!)];
        const answer = await this.solver.check([...query, ...this.system.vocabulary.elementFacts(query, new Set())], { ...this.limits.query, timeoutMs: Math.min(this.limits.query.timeoutMs, 1000) });
        if (answer.kind !== 'unsat') this.drop(point, [term]);
      }
    }
  }

  private sources(transition: Transition): Term[] {
    const { from, summary } = transition;
    const { vocabulary } = this.system;
    const terms = from ? [...this.kept.get(from)!] : [];
    if (summary) {
      const { entry, entryState, exit, exitState } = summary;
      terms.push(...substituteAll([...this.kept.get(entry)!], vocabulary.binding(entry.fn, entryState)));
      terms.push(...substituteAll([...this.kept.get(exit)!], vocabulary.binding(exit.fn, exitState)));
    }
    return terms;
  }

  private open(transition: Transition): Session {
    let session = this.sessions.get(transition);
    if (!session) {
      session = this.solver.session();
      const { vocabulary } = this.system;
      const all = transition.ends.flatMap(({ point, guard, state }) => [guard, ...substituteAll([...this.kept.get(point)!], vocabulary.binding(point.fn, state))]);
      const base = [...transition.facts];
      for (const term of [...base, ...vocabulary.elementFacts([...base, ...this.sources(transition), ...all], new Set())]) session.assert(term);
      this.sessions.set(transition, session);
    }
    return session;
  }

  private drop(point: ControlPoint, terms: readonly Term[]): void {
    const kept = this.kept.get(point)!;
    const before = kept.size;
    for (const term of terms) kept.delete(term);
    if (kept.size === before) return;
    for (const transition of this.system.transitions) {
      if (transition.from === point || transition.summary?.exit === point || transition.summary?.entry === point) this.pending.add(transition);
    }
    const { client } = this.system;
    if (client && this.handingBack().includes(point)) this.keepOnly(client, kept);
  }

  /** What one exit does not promise, the client cannot rely on. */
  private keepOnly(point: ControlPoint, allowed: ReadonlySet<Term>): void {
    this.drop(point, [...this.kept.get(point)!].filter((term) => !allowed.has(term)));
  }

  private handingBack(): readonly ControlPoint[] {
    const { entries, init } = this.system.options;
    return this.system.points.filter((point) => point.kind === 'exit' && (entries.includes(point.fn) || point.fn === init));
  }

  private startAtInitialState(): void {
    const { client, options, program, vocabulary } = this.system;
    if (!client || options.init) return;
    const machine = new Machine(program);
    const view = new ConcreteView(vocabulary, { globals: machine.globals, memory: machine.memory, activation: undefined, activations: [] });
    this.drop(client, [...this.kept.get(client)!].filter((term) => compile(term)(view.value) !== true));
  }
}
