/** Laws of slices, judged with all states of random programs; for tests and `bench/`. */
import {
  plainOptions,
  TransitionSystem,
  type SystemOptions,
} from '../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../src/budget';
import { houdiniOf } from '../../src/engines/invariants/houdiniEngine';
import { sampling } from '../../src/engines/invariants/sampling';
import { Problem } from '../../src/engines/problem';
import { decide } from '../../src/engines/reduced/decide';
import type { Solvers } from '../../src/engines/solvers';
import { askedIn, certificateOf, certifyChecks } from '../../src/evidence/certificates/certify';
import type { Check, Property } from '../../src/program/command';
import type { Edge, FunctionDefinition, Program } from '../../src/program/program';
import { noWeakening, type Weakening } from '../../src/program/automata/weakening';
import { type Slice, slice, type SliceKind, sliceKinds } from '../../src/reductions/slice/slice';
import { file, task } from '../engines/task';
import { programOf } from '../program/programOf';
import { ExplicitStates } from './explicitStates';

const properties: ReadonlySet<Property> = new Set<Property>(['reach']);

const optionsOf = (program: Program, weakening: Weakening = noWeakening): SystemOptions => ({
  ...plainOptions,
  mode: 'program',
  entries: [program.functionByName.get('foo')!],
  checkedProperties: properties,
  weakening,
});

export interface JudgedSlice {
  readonly one: Slice;
  /** Some check fails in a state that was found. */
  readonly fails: boolean;
}

export interface JudgedProgram {
  readonly fails: boolean;
  readonly slices: ReadonlyMap<SliceKind, JudgedSlice>;
}

/** `text` defines `foo`, and no function calls itself. */
export function judged(text: string, program = programOf(text, { externals: 'any' })): JudgedProgram {
  const system = new TransitionSystem(program, optionsOf(program));
  const checks = new Set(askedIn(system));
  const slices = new Map(
    sliceKinds.map((kind) => {
      const one = slice(system, checks, kind);
      // As it is executed: calls on whose way something is asked are never dropped.
      const { weakening } = new TransitionSystem(program, optionsOf(program, one.weakening));
      return [kind, { one, fails: failsIn(program, weakening) }];
    }),
  );
  return { fails: failsIn(program, noWeakening), slices };
}

const failsIn = (program: Program, weakening: Weakening): boolean =>
  ExplicitStates.of(program, 'foo', weakening, properties).failing.size > 0;

/** Why the laws do not hold; undefined: they do. */
export function brokenLaw({ fails, slices }: JudgedProgram): string | undefined {
  const ordered = sliceKinds.map((kind) => ({ kind, ...slices.get(kind)! }));
  for (const [i, { kind, one, fails: failsSliced }] of ordered.entries()) {
    if (fails && !failsSliced) return `the ${kind} slice does not fail as the program does`;
    const smaller = ordered[i - 1];
    if (!smaller) continue;
    if (failsSliced && !smaller.fails) return `the ${kind} slice fails, and the ${smaller.kind} slice does not`;
    const missing = [...smaller.one.kept.keys()].some((command) => !one.kept.has(command));
    if (missing) return `the ${smaller.kind} slice is no part of the ${kind} slice`;
  }
  return undefined;
}

/** `not proved`: engines find no proof of what is left, although none of its states fails. */
export type Attack = 'refused' | 'accepted' | 'not proved';

/**
 * A slice that fails, and none of whose states does once a write is taken out that it keeps: the proof of what is left,
 * handed in as one of the slice. For each such write of the kind `x = (…) & 3`.
 */
export async function attacks(text: string, kind: SliceKind, solvers: Solvers): Promise<readonly Attack[]> {
  const found: Attack[] = [];
  const program = programOf(text, { externals: 'any' });
  const { one, fails } = judged(text, program).slices.get(kind)!;
  if (!fails) return found;
  for (const write of text.matchAll(/([xyz]) = \(([^()]*)\) & 3;/gu)) {
    const [whole, x] = write;
    const edge = program.functions
      .flatMap(({ edges }) => edges)
      .find(
        ({ command, span }) =>
          command.kind === 'assign' && span.start >= write.index && span.end <= write.index + whole.length,
      );
    if (!edge || !one.kept.has(edge)) continue;
    // The checks of the sum stay where they are, so that the automaton keeps its shape.
    for (const nothing of [`${x!} = ${x!};`, `${x!} = (${x!} + (y & 0)) & 3;`]) {
      const spoiled = text.slice(0, write.index) + nothing + text.slice(write.index + whole.length);
      const part = counterpartOf(one, spoiled, program);
      if (!part) continue;
      if (!failsIn(part.program, part.weakening)) found.push(await handedIn(spoiled, program, one, solvers));
      break;
    }
  }
  return found;
}

/** The slice's weakening for a program of the same shape; undefined if it has another one. */
function counterpartOf(
  { weakening: { dropped, assumed } }: Slice,
  text: string,
  from: Program,
): { readonly program: Program; readonly weakening: Weakening } | undefined {
  const program = programOf(text, { externals: 'any' });
  const there = counterparts(from, program);
  if (!there) return undefined;
  const mapped = (edges: ReadonlySet<Edge>): ReadonlySet<Edge> => new Set([...edges].map((edge) => there.get(edge)!));
  const weakening = { dropped: mapped(dropped), assumed: mapped(assumed) };
  return { program, weakening: new TransitionSystem(program, optionsOf(program, weakening)).weakening };
}

async function handedIn(spoiled: string, program: Program, { weakening }: Slice, solvers: Solvers): Promise<Attack> {
  const budget = Budget.start({ milliseconds: 36_000_000 });
  const asked = task(file(spoiled), {
    mode: 'program',
    entries: ['foo'],
    properties: ['reach'],
    load: { externals: 'any' },
  });
  const problem = new Problem(asked, budget, { solvers });
  const there = counterparts(program, problem.program)!;
  const dropped = new Set([...weakening.dropped].map((edge) => there.get(edge)!));
  const assumed = new Set([...weakening.assumed].map((edge) => there.get(edge)!));
  const checks: ReadonlySet<Check> = new Set(askedIn(new TransitionSystem(problem.program, problem.systemOptions())));
  const part = { weakening: { dropped, assumed }, checks, isMuchEasier: false, size: '' };
  const decided = await decide(problem, part, engines, budget, { sampled: 'with runs of the slice', engineShare: 1 });
  if (decided.kind !== 'safe') return 'not proved';
  const options = optionsOf(program, weakening);
  const certificate = certificateOf(decided.abstraction);
  const result = await certifyChecks(program, options, certificate, solvers.certifier, () => budget.finalQuery());
  const isAccepted =
    result.kind === 'certified' &&
    askedIn(new TransitionSystem(program, options)).every((check) => result.checks.has(check));
  return isAccepted ? 'accepted' : 'refused';
}

const engines = [sampling, ...(['basic', 'modes', 'conditions'] as const).map((kind) => houdiniOf(kind))];

/** By place; undefined if the programs differ in more than what their assignments write. */
function counterparts(from: Program, to: Program): ReadonlyMap<Edge, Edge> | undefined {
  const found = new Map<Edge, Edge>();
  for (const fn of from.functions) {
    const other: FunctionDefinition | undefined = to.functionByName.get(fn.name);
    if (!other || other.edges.length !== fn.edges.length) return undefined;
    for (const [i, edge] of fn.edges.entries()) {
      const twin = other.edges[i]!;
      const isAlike =
        edge.command.kind === twin.command.kind &&
        edge.from.index === twin.from.index &&
        edge.to.index === twin.to.index;
      if (!isAlike) return undefined;
      found.set(edge, twin);
    }
  }
  return found;
}
