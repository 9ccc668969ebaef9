/**
 * Candidates that a text ends early: `text[n] == 0` for the number that `strlen` returned, and behind a test of it, as
 * in `if (strlen(text) < sizeof buffer)`, that one of the first `sizeof buffer` characters is 0, or one of the first 16
 * behind `if (strlen(text) > 15) return`. A copy that is at
 * position `i` has one of them still before it. Said without quantifiers of buffers that are short, of longer ones as
 * `for some k`; and only where the program measures texts at all. The number that `strlen` returned leads to a
 * character of the object.
 */
import * as L from '../../logic/build';
import { symbolsOf } from '../../logic/substitute';
import type { Term } from '../../logic/term';
import type { CType } from '../../c/types';
import { binary, convert, integer, load, objectSize, offset, offsetOf, read } from '../../program/build';
import { int64, int8, type Expression, type Variable } from '../../program/expression';
import type { Command } from '../../program/command';
import type { FunctionDefinition } from '../../program/program';
import { walk } from '../../program/traverse';
import { FreshSymbols, isPointer } from '../../semantics/symbolic/symbolicValues';
import type { Cutpoint } from '../transitionSystem/cutpoint';
import type { TransitionSystem } from '../transitionSystem/transitionSystem';
import { relevanceOf } from './observables';

const limits = {
  /** Bytes of a buffer of which so many characters are compared with 0 in one candidate. */
  shortBuffer: 16,
  /** Bytes of a buffer; larger ones are blocks of data. */
  longestBuffer: 4096,
  /** Lengths of buffers, the shortest first. */
  lengths: 3,
  /** Constants that lengths are compared with. */
  tested: 2,
  /** Texts at one cutpoint. */
  texts: 3,
  /** Numbers at one loop. */
  numbers: 3,
  /** Calls of a function whose results are compared with the texts that were passed. */
  calls: 4,
} as const;

const measuring: ReadonlySet<string> = new Set(['strlen', 'strnlen']);

/** None in a program that measures no text. */
export function textLengths(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  const measures = [...system.functions, ...system.inlined].some(({ library, name }) => library && measuring.has(name));
  if (!measures) return new Map();
  const { program } = system;
  const own = program.functions.flatMap(({ library, objects }) => (library ? [] : objects));
  const written = program.functions.flatMap(({ library, variables }) =>
    library ? [] : variables.flatMap(({ ctype }) => (ctype?.kind === 'pointer' ? [ctype.to] : [])),
  );
  const types = [...program.objects.filter(({ writable }) => writable), ...own].map(({ ctype }) => ctype);
  const lengths = [...new Set([...types, ...written].flatMap((type) => textsIn(type)))]
    .filter((length) => length <= limits.longestBuffer)
    .sort((a, b) => a - b)
    .slice(0, limits.lengths);
  for (const length of lengthsTested(program.functions)) if (!lengths.includes(length)) lengths.push(length);
  const relevance = relevanceOf(system);
  return new Map(
    system.points.map((point) => [
      point,
      candidatesAt(point, system, lengths, (variable) => relevance.at(point.location, variable)),
    ]),
  );
}

/** Numbers of characters of which one is 0 behind a test of what `strlen` returned: 16 for `strlen(text) > 15`. */
function lengthsTested(functions: readonly FunctionDefinition[]): readonly number[] {
  const found = new Set<number>();
  for (const { library, edges } of functions) {
    if (library) continue;
    const results = edges.flatMap(({ command }) =>
      command.kind === 'call' && command.target && command.targets.some(({ name }) => measuring.has(name))
        ? [command.target]
        : [],
    );
    const isResult = (e: Expression): boolean =>
      e.kind === 'convert' ? isResult(e.operand) : e.kind === 'read' && results.includes(e.variable);
    const constantIn = (e: Expression): bigint | undefined => (e.kind === 'integer' ? e.value : undefined);
    const add = (length: bigint): void => {
      if (length > 0n && length <= limits.longestBuffer) found.add(Number(length));
    };
    for (const { command } of edges)
      if (command.kind === 'assume')
        walk(command.condition, (e) => {
          if (e.kind !== 'compare' || !(e.operator === 'lt' || e.operator === 'le')) return;
          const [least, most] = [constantIn(e.left), constantIn(e.right)];
          if (isResult(e.left) && most !== undefined) add(e.operator === 'lt' ? most : most + 1n);
          if (isResult(e.right) && least !== undefined) add(e.operator === 'lt' ? least + 1n : least);
        });
  }
  return [...found].slice(0, limits.tested);
}

function candidatesAt(
  point: Cutpoint,
  { builder, vocabulary }: TransitionSystem,
  lengths: readonly number[],
  isRelevant: (variable: Variable) => boolean,
): readonly Term[] {
  const { fn, kind } = point;
  const state = vocabulary.arbitraryState(fn, new FreshSymbols('text'));
  const endsAt = (text: Expression, delta: Expression): Term => {
    const character = builder.evaluate(load(int8, offset(text, delta)), state);
    return isPointer(character) ? L.TRUE : L.eq(character, L.bits(0n, 8));
  };
  /** So many characters from there, the object has another one. */
  const isWithin = (text: Expression, delta: Expression): Term => {
    const values = [delta, binary('subtract', objectSize(text), offsetOf(text))].map((e) => builder.evaluate(e, state));
    const [distance, behind] = values;
    if (isPointer(distance!) || isPointer(behind!)) return L.TRUE;
    return L.and(L.sle(L.bits(0n, 64), distance!), L.slt(distance!, behind!));
  };
  const within = (text: Expression, length: number, from?: Term): Term =>
    length > limits.shortBuffer ? somewhere(text, length, from) : oneOf(text, length, from);
  const somewhere = (text: Expression, length: number, from: Term | undefined): Term => {
    const at = L.symbol('?k', L.bitsSort(64));
    const place: Variable = { ...counter, slot: state.locals.length };
    const character = builder.evaluate(load(int8, offset(text, read(place))), {
      ...state,
      locals: [...state.locals, at],
    });
    if (isPointer(character)) return L.TRUE;
    const start = from ? L.zeroExtend(from, 64) : L.bits(0n, 64);
    const range = [L.ule(start, at), L.ult(at, L.bits(BigInt(length), 64))];
    return L.exists([at], L.and(...range, L.eq(character, L.bits(0n, 8))));
  };
  const oneOf = (text: Expression, length: number, from?: Term): Term =>
    L.or(
      ...Array.from({ length }, (_, at) => {
        const ends = endsAt(text, integer(at, int64));
        return from ? L.and(L.ule(from, L.bits(BigInt(at), L.widthOf(from))), ends) : ends;
      }),
    );
  const measured = (commands: readonly Command[]): readonly Term[] =>
    commands
      .flatMap((command) => (command.kind === 'call' ? [command] : []))
      .slice(0, limits.calls)
      .flatMap(({ target, targets, arguments: given }) =>
        target?.type.kind === 'integer'
          ? textsGiven(targets, given).flatMap((text) => [
              endsAt(text, asDelta(target)),
              isWithin(text, asDelta(target)),
            ])
          : [],
      );
  const found: Term[] = [];
  switch (kind) {
    case 'return': {
      found.push(...measured(callsTo(point)));
      for (const text of variablesAt(point, isRelevant)) found.push(...lengths.map((length) => within(text, length)));
      break;
    }
    case 'exit': {
      const { resultVariable: result } = fn;
      const texts = fn.parameters.filter(isText).map(read);
      if (result?.type.kind === 'integer')
        for (const text of texts) found.push(endsAt(text, asDelta(result)), isWithin(text, asDelta(result)));
      break;
    }
    case 'loop': {
      // A copy of what was measured reads it, and leaves it alone.
      found.push(...measured(fn.edges.map(({ command }) => command)));
      const numbers = fn.variables.filter(
        (variable) => variable.type.kind === 'integer' && !variable.temporary && isRelevant(variable),
      );
      for (const text of variablesAt(point, isRelevant))
        for (const length of lengths) {
          found.push(within(text, length));
          for (const number of numbers.slice(0, limits.numbers))
            found.push(within(text, length, vocabulary.numberOf(number, fn)));
        }
      break;
    }
    case 'entry':
    case 'call': {
      const texts =
        kind === 'entry' ? fn.parameters.filter(isText).map(read) : textsPassed(point).slice(0, limits.texts);
      for (const text of texts) found.push(...lengths.map((length) => within(text, length)));
      break;
    }
    default:
  }
  return [...new Set(found)].filter(
    (term) => term.kind !== 'boolean' && [...symbolsOf(term)].every((symbol) => vocabulary.meaning(symbol)),
  );
}

/** Stands for the bound number of a candidate. */
const counter: Variable = { kind: 'variable', scope: 'local', slot: 0, name: '?k', type: int64, temporary: true };

/** Lengths of the arrays of characters in an object of the type. */
function textsIn(type: CType): readonly number[] {
  switch (type.kind) {
    case 'array':
      return isCharacter(type.of) && type.length !== undefined ? [type.length] : textsIn(type.of);
    case 'record':
      return type.record.fields.flatMap((field) => textsIn(field.type));
    default:
      return [];
  }
}

const isCharacter = (type: CType): boolean => type.kind === 'integer' && type.widthBits === 8;
const isText = ({ ctype }: Variable): boolean => ctype?.kind === 'pointer' && isCharacter(ctype.to);
const asDelta = (variable: Variable): Expression => convert(read(variable), int64);

const variablesAt = ({ fn }: Cutpoint, isRelevant: (variable: Variable) => boolean): readonly Expression[] =>
  fn.variables
    .filter((variable) => isText(variable) && isRelevant(variable))
    .slice(0, limits.texts)
    .map(read);

/** The call behind which the point lies, if there is one. */
const callsTo = ({ fn, location }: Cutpoint): readonly Command[] =>
  fn.edges.flatMap(({ command, to }) => (to === location ? [command] : [])).slice(0, 1);

const textsPassed = ({ location }: Cutpoint): readonly Expression[] =>
  location.edges.flatMap(({ command }) =>
    command.kind === 'call' ? textsGiven(command.targets, command.arguments) : [],
  );

/** Arguments for parameters that are texts, whatever the call's own type of them is. */
const textsGiven = (callees: readonly FunctionDefinition[], given: readonly Expression[]): readonly Expression[] =>
  given.filter((_, at) => callees.some(({ parameters }) => parameters[at] && isText(parameters[at])));
