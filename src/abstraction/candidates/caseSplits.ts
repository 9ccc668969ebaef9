/**
 * Invariants of one mode of a program: for a variable that says in which of a few states a machine is, states are told
 * apart by its value (partitions of control by values, as in X. Rival, L. Mauborgne, "The trace partitioning abstract
 * domain", TOPLAS 29(5), 2007), and what holds of those with one value, and not of all, is guessed as an implication;
 * and what holds of all but those. Houdini is the judge.
 */
import * as L from '../../logic/build';
import type { BitsLiteral, Term } from '../../logic/term';
import { postOrder } from '../../logic/traverse';
import type { Observable, Sample } from './samples';
import { naturalLoops } from '../../program/automata/loops';
import type { Variable } from '../../program/expression';
import { targetOf } from '../../program/traverse';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';

const limits = {
  /** A variable with more values is no state variable. */
  values: 8,
  /** States with a value below which nothing is guessed of it. */
  leastStates: 3,
  /** Candidates of one value. */
  candidatesPerValue: 40,
  /** The beginning of an execution often shows a single state of a case. */
  leastStatesPerCase: 1,
  /** Candidates of one case within a value. */
  candidatesPerCase: 16,
  /** Cases within a value. */
  cases: 3,
} as const;

/** Terms that the program tests for equality with constants, and these constants. */
export function comparedWithConstants(system: TransitionSystem): ReadonlyMap<Term, ReadonlySet<Term>> {
  const { transitions } = system;
  const found = new Map<Term, Set<Term>>();
  const add = (term: Term, constant: Term): void => {
    found.set(term, (found.get(term) ?? new Set()).add(constant));
  };
  const terms = transitions.flatMap(({ segment }) =>
    segment ? [...segment.conditions, ...segment.obligations.map(({ condition }) => condition)] : [],
  );
  for (const term of postOrder(terms)) {
    if (!L.isApplication(term, 'eq')) continue;
    const [a, b] = term.args as readonly [Term, Term];
    if (b.kind === 'bits') add(a, b);
    else if (a.kind === 'bits') add(b, a);
  }
  return found;
}

/**
 * Integer variables that a loop does not write: each compared value, and all others, stay what they are, round after
 * round.
 */
export function steadyIn(system: TransitionSystem, point: Cutpoint): ReadonlySet<Term> {
  const loop = point.kind === 'loop' ? naturalLoops(point.fn).get(point.location) : undefined;
  if (!loop) return new Set();
  const written = new Set<Variable>();
  for (const { edges } of loop.body) {
    for (const { command } of edges) {
      const target = targetOf(command);
      if (target) written.add(target);
      const { effects } = system.builder;
      const called = command.kind === 'call' ? command.targets.map((fn) => effects.of(fn)) : [];
      const outside = command.kind === 'external' ? [effects.ofExternal(command)] : [];
      for (const { globals } of [...called, ...outside])
        for (const slot of globals) written.add(system.program.globals[slot]!.variable);
    }
  }
  return new Set(
    system.vocabulary.symbolsFor(point.fn).filter((symbol) => {
      const meaning = system.vocabulary.meaning(symbol);
      return meaning?.kind === 'variable' && meaning.part === 'value' && !written.has(meaning.variable);
    }),
  );
}

/**
 * `guess`: what may hold of some states, of their observables and the formulas that were watched. `known`: what holds
 * in all modes. `steady`: variables that keep their value; any number may be one that says how a machine works.
 */
export function partitionedCandidates(
  seen: readonly Sample[],
  observables: readonly Observable[],
  compared: ReadonlyMap<Term, ReadonlySet<Term>>,
  known: ReadonlySet<Term>,
  steady: ReadonlySet<Term>,
  guess: (mode: Term, seen: readonly Sample[]) => Iterable<Term>,
): Term[] {
  const cases = casesOf(observables, compared);
  return observables.flatMap((mode, at) => {
    const values = [...new Set(seen.map((one) => one.values[at]!))];
    const constants = compared.get(mode.term)?.size ?? 0;
    const isSteady = steady.has(mode.term);
    const modes = isSteady ? [...(compared.get(mode.term) ?? [])].flatMap((c) => valueOf(c, mode)) : values;
    if (values.length < 2 || modes.length > limits.values || constants === 0) return [];
    // A number may be compared with 0 alone, to divide by it; so is a flag.
    if (!isSteady && constants === 1 && modes.some((value) => value !== 0n && value !== 1n)) return [];
    const candidatesOf = (
      states: readonly Sample[],
      least: number,
      limit: number,
      beside: ReadonlySet<Term> = new Set(),
    ): Term[] =>
      states.length < least
        ? []
        : [...guess(mode.term, states)]
            .filter((candidate) => !known.has(candidate) && !beside.has(candidate))
            .slice(0, limit);
    return modes.flatMap((value) => {
      const isInMode = L.eq(mode.term, L.bits(BigInt.asUintN(mode.widthBits, value), mode.widthBits));
      const [inside, outside] = [true, false].map((isInside) =>
        seen.filter(({ values }) => (values[at] === value) === isInside),
      ) as [Sample[], Sample[]];
      const ofAll = candidatesOf(inside, limits.leastStates, limits.candidatesPerValue);
      const inCases = cases
        .filter((one) => one.term !== mode.term)
        .flatMap(({ at: of, constant, term }) =>
          [true, false].flatMap((is) => {
            const isSo = L.eq(term, constant);
            const states = inside.filter(
              ({ values }) => (BigInt.asUintN(L.widthOf(term), values[of]!) === constant.value) === is,
            );
            return states.length === inside.length
              ? []
              : candidatesOf(
                  states,
                  limits.leastStatesPerCase,
                  limits.candidatesPerCase,
                  new Set([...ofAll, isSo, L.not(isSo)]),
                ).map((candidate) => L.or(L.not(isInMode), is ? L.not(isSo) : isSo, candidate));
          }),
        );
      // Outside are also modes in which no state was seen.
      return [
        ...ofAll.map((candidate) => L.or(L.not(isInMode), candidate)),
        ...(constants === 1 && !isSteady
          ? []
          : candidatesOf(outside, limits.leastStates, limits.candidatesPerValue).map((candidate) =>
              L.or(isInMode, candidate),
            )),
        ...inCases,
      ];
    });
  });
}

const valueOf = (constant: Term, { signed, widthBits }: Observable): readonly bigint[] =>
  constant.kind === 'bits' ? [signed ? BigInt.asIntN(widthBits, constant.value) : constant.value] : [];

interface Case {
  readonly at: number;
  readonly term: Term;
  readonly constant: BitsLiteral;
}

/**
 * Numbers that the program compares with one constant, for being equal: a length that is not known yet is 0. In a mode
 * the two cases are distinguished, too.
 */
function casesOf(observables: readonly Observable[], compared: ReadonlyMap<Term, ReadonlySet<Term>>): Case[] {
  return observables
    .flatMap(({ term }, at) => {
      const [constant, ...others] = compared.get(term) ?? [];
      return constant?.kind === 'bits' && others.length === 0 ? [{ at, term, constant }] : [];
    })
    .slice(0, limits.cases);
}
