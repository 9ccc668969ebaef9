/**
 * Cures of a failure: specifications under which the failing execution is none of a client's. Found by experiment: the
 * execution is run again with one thing changed that a specification would change. Those that a test breaks are left
 * out.
 */
import { printTerm } from '../../abstraction/printing/printTerm';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { printType } from '../../c/printType';
import type { RecordLayout } from '../../c/types';
import type { Scenario } from '../../evidence/scenarios/scenario';
import { symbolsOf } from '../../logic/substitute';
import type { SymbolTerm } from '../../logic/term';
import { checkKey } from '../../program/command';
import type { Fault } from '../../semantics/concrete/fault';
import { conjuncts } from '../../semantics/symbolic/segment';
import type { FunctionDefinition } from '../../program/program';
import { distinctArguments } from '../preconditions/distinctArguments';
import { LengthArguments } from '../preconditions/bufferLengths';
import { madeStructure } from '../preconditions/madeStructures';
import { NullArguments } from '../preconditions/nonNull';
import { UnsetStructures } from '../preconditions/uninitialisedStructures';
import { UnterminatedStrings } from '../preconditions/unterminatedStrings';
import type { Problem } from '../problem';
import { guaranteeCures } from './guaranteeCures';
import { precondition, type Specification } from './specifications';

/** Subjects of specifications: always pointers, lengths, texts and structures. */
export type CureVocabulary = 'default' | 'with bounds of numbers';

/** The likeliest first. `scenario` is one of the problem's program. `isKnown`: failures that no client is behind. */
export function curesOf(
  problem: Problem,
  scenario: Scenario,
  fault: Fault,
  isKnown: (fault: Fault) => boolean,
  system: () => TransitionSystem,
  vocabulary: CureVocabulary,
): readonly Specification[] {
  const { program, callable, task } = problem;
  const options = problem.scenarioOptions();
  const lengths = new LengthArguments(program, options, task.runs, isKnown);
  const nulls = new NullArguments(program, options, task.runs);
  const texts = new UnterminatedStrings(program, callable, options);
  const structures = new UnsetStructures(program, callable, options, task.runs);
  lengths.explain(scenario, fault);
  nulls.explain(scenario, fault);
  texts.look(scenario, fault);
  structures.explain(scenario, fault);
  const made = madeStructure(program, callable, options, task.runs, scenario, fault);
  const literals = conditionsAtEntry(problem, system(), fault, vocabulary === 'with bounds of numbers');
  return [
    ...guaranteeCures(problem, scenario, fault, vocabulary === 'with bounds of numbers'),
    ...[
      ...lengths.preconditions,
      ...nulls.preconditions,
      ...texts.preconditions,
      ...distinctArguments(program, options, scenario, fault),
      ...literals,
    ].flatMap(({ function: fn, text }) => precondition(program, fn, text) ?? []),
    ...structures.found.flatMap(([record, functions]) => initialisedBy(record, [...functions])),
    ...(made ? initialisedBy(made.record, [made.by]) : []),
  ];
}

/** Nothing for a structure that has no name to say it by. */
function initialisedBy(record: RecordLayout, functions: readonly FunctionDefinition[]): readonly Specification[] {
  const type = printType({ kind: 'record', record });
  if (type.includes('<')) return [];
  return [{ kind: 'initialised-by', initialisedBy: { type, functions: functions.map(({ name }) => name) } }];
}

/** No single value is left out, and nothing is joined. */
const isBound = (text: string): boolean => !/[=!]=|\|\|/.test(text);

/** A longer condition helps nobody. */
const MOST_CHARACTERS = 60;

/**
 * The failing check's own condition, where the entry itself makes the check before any loop and it mentions nothing
 * but arguments and variables that clients see. Of a number it is a bound: a specification that leaves out a single
 * value would hide every failure at an end of a range.
 */
function conditionsAtEntry(
  { program, callable }: Problem,
  system: TransitionSystem,
  { command, stack }: Fault,
  bounds: boolean,
): readonly { readonly function: string; readonly text: string }[] {
  const name = stack.at(-1)?.function.name;
  const fn = callable.find((one) => one.name === name);
  if (!fn) return [];
  const key = checkKey(command);
  const { vocabulary } = system;
  const hidden = new Set(program.globals.flatMap(({ variable, visible }) => (visible ? [] : [variable])));
  const isVisible = (symbol: SymbolTerm): boolean => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind !== 'variable' || !hidden.has(meaning.variable);
  };
  const names = new Set(fn.parameters.map((parameter) => parameter.name));
  const conditions = system.transitions
    .filter(({ from }) => from?.kind === 'entry' && from.fn === fn)
    .flatMap(({ segment }) => segment?.obligations ?? [])
    .filter(({ check }) => checkKey(check) === key)
    .flatMap(({ condition }) => [condition, ...(conjuncts(condition).length > 1 ? conjuncts(condition) : [])]);
  const isState = (symbol: SymbolTerm): boolean => vocabulary.meaning(symbol) !== undefined;
  const texts = conditions
    .filter((condition) => symbolsOf(condition).size > 0 && [...symbolsOf(condition)].every(isVisible))
    .flatMap((condition) => {
      const text = printTerm(condition, vocabulary);
      // Memory behind a pointer is up to clients if the pointer is an argument.
      const isOwn = [...symbolsOf(condition)].every(isState) || names.has(/^\w*/.exec(text)![0]);
      return isOwn ? [text] : [];
    })
    .filter(
      (text) =>
        /^\w+(?:(?:->|\.)\w+)* != NULL$/.test(text) || (bounds && text.length <= MOST_CHARACTERS && isBound(text)),
    );
  return [...new Set(texts)].map((text) => ({ function: fn.name, text }));
}
