/**
 * Candidates about pointers into texts that a search found, as `strchr` and functions like it return them: unless such
 * a pointer is null, it leads into the object of a text that was searched, not before the place where that began, to a
 * character that is not its end, or to the one that was looked for. That another walk from there stays within the text
 * follows. A parameter that the function moves along its text stays in the object that was passed.
 */
import * as L from '../../logic/build';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import { convert, load, read } from '../../program/build';
import { type Expression, int8, type Variable } from '../../program/expression';
import { FreshSymbols, isPointer, type SymbolicPointer } from '../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { sizeOfTarget } from './pointerTargets';
import { relevanceOf } from './observables';

const limits = {
  /** Found pointers at one cutpoint, texts that each is compared with, and characters. */
  found: 3,
  texts: 2,
  characters: 2,
} as const;

/** A variable that holds what a search found; the texts that it is said to lie in, and characters looked for. */
interface Found {
  readonly variable: Variable;
  readonly texts: readonly Variable[];
  readonly characters: readonly Expression[];
}

/** Pointers that were found count only in a program in which a function returns a pointer to characters. */
export function foundTexts(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const relevance = relevanceOf(system);
  const searches = [...system.functions, ...system.inlined].some(
    ({ resultVariable }) => resultVariable && isText(resultVariable),
  );
  return new Map(
    system.points.map((point) => [
      point,
      [
        ...movedAt(point),
        ...(searches ? foundAt(point) : [])
          .filter(({ variable }) => point.kind === 'exit' || relevance.at(point.location, variable))
          .slice(0, limits.found),
      ].flatMap((found) => candidatesOf(found, point, system)),
    ]),
  );
}

/** Parameters whose first value is kept, each in that text. */
function movedAt({ kind, fn }: Cutpoint): readonly Found[] {
  if (kind === 'module' || kind === 'entry') return [];
  return fn.variables.flatMap((first) => {
    const moved = isText(first) ? first.entryValueOf : undefined;
    return moved && fn.parameters.includes(moved) ? [{ variable: moved, texts: [first], characters: [] }] : [];
  });
}

function foundAt({ kind, fn }: Cutpoint): readonly Found[] {
  if (kind === 'module' || kind === 'entry') return [];
  const own = fn.variables.filter(isText);
  const texts = own.filter((variable) => fn.parameters.includes(variable) || variable.entryValueOf !== undefined);
  const { resultVariable: result } = fn;
  if (kind === 'exit') {
    if (!result || !isText(result)) return [];
    return [{ variable: result, texts, characters: fn.parameters.filter(isCharacter).map(read) }];
  }
  // A local pointer came from a call, or walks.
  return own
    .filter((variable) => !texts.includes(variable))
    .map((variable) => ({
      variable,
      texts: [...texts, ...own.filter((other) => other !== variable && !texts.includes(other))],
      characters: [...fn.parameters.filter(isCharacter).map(read), ...charactersPassed(fn.edges, variable)],
    }));
}

/** Constants that calls are given whose results the variable gets. */
function charactersPassed(edges: Cutpoint['fn']['edges'], variable: Variable): readonly Expression[] {
  const into = new Set<Variable>([variable]);
  for (const { command } of edges)
    if (command.kind === 'assign' && command.target === variable && command.value.kind === 'read')
      into.add(command.value.variable);
  return edges.flatMap(({ command }) =>
    command.kind === 'call' && command.target && into.has(command.target)
      ? command.arguments.filter(({ kind, type }) => kind === 'integer' && type.kind === 'integer')
      : [],
  );
}

function candidatesOf(
  { variable, texts, characters }: Found,
  point: Cutpoint,
  system: TransitionSystem,
): readonly Term[] {
  const { builder, vocabulary, memoryModel } = system;
  const { half } = memoryModel;
  const state = vocabulary.arbitraryState(point.fn, new FreshSymbols('found'));
  const pointer = (of: Variable): SymbolicPointer => builder.evaluate(read(of), state) as SymbolicPointer;
  const here = pointer(variable);
  const zero = L.bits(0n, half);
  const isNull = L.and(L.eq(here.object, zero), L.eq(here.offset, zero));
  const size = sizeOfTarget(variable, point, system);
  const character = builder.evaluate(load(int8, read(variable)), state);
  const facts: Term[] = [
    L.not(L.eq(here.object, zero)),
    L.sle(zero, here.offset),
    L.slt(here.offset, size),
    L.sle(here.offset, size),
  ];
  for (const text of texts.slice(0, limits.texts)) {
    const start = pointer(text);
    facts.push(L.eq(here.object, start.object), L.sle(start.offset, here.offset));
  }
  if (!isPointer(character)) {
    facts.push(L.not(L.eq(character, L.bits(0n, 8))));
    for (const wanted of characters.slice(0, limits.characters)) {
      const value = builder.evaluate(convert(wanted, int8), state);
      if (!isPointer(value)) facts.push(L.eq(character, value));
    }
  }
  return [...new Set(facts.map((fact) => L.or(isNull, fact)))].filter(
    (term) => term.kind !== 'boolean' && [...symbolsOf(term)].every((symbol) => vocabulary.meaning(symbol)),
  );
}

const isText = ({ ctype }: Variable): boolean =>
  ctype?.kind === 'pointer' && ctype.to.kind === 'integer' && ctype.to.widthBits === 8;
const isCharacter = ({ ctype }: Variable): boolean => ctype?.kind === 'integer';
