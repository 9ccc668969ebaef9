/**
 * Cures of a failure: specifications under which the failing execution is none of a client's. Most are found by
 * experiment: the execution is run again with one thing changed that a specification would change. The others are read
 * off the formula of its trace. All generators have one interface.
 */
import { printTerm } from '../../abstraction/printing/printTerm';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { printType } from '../../c/printType';
import type { RecordLayout } from '../../c/types';
import type { Scenario } from '../../evidence/scenarios/scenario';
import type { Convention } from '../../evidence/scenarios/structures/conventions';
import { type InitialisedBy, returnedRecord } from '../../evidence/scenarios/structures/setUpFunctions';
import { symbolsOf } from '../../logic/substitute';
import type { SymbolTerm } from '../../logic/term';
import { checkKey, type Command, propertyOf } from '../../program/command';
import type { Fault } from '../../semantics/concrete/fault';
import { typeName } from '../../semantics/pointers/validMembers';
import type { QueryBudget, Solver } from '../../solver/solver';
import { conjuncts } from '../../semantics/symbolic/segment';
import type { FunctionDefinition } from '../../program/program';
import { distinctArguments } from '../preconditions/distinctArguments';
import { LengthArguments } from '../preconditions/bufferLengths';
import { endedArrays } from '../preconditions/endedArrays';
import { handedOver } from '../preconditions/handedOver';
import { type CountPlace, LikelyPreconditions } from '../preconditions/likelyPreconditions';
import { linkedAlready } from '../preconditions/linkedAlready';
import { madeStructure } from '../preconditions/madeStructures';
import { type NumberBound, numberBounds } from '../preconditions/numberBounds';
import { NullArguments } from '../preconditions/nonNull';
import { memberTexts } from '../preconditions/memberTexts';
import { oneObject } from '../preconditions/oneObject';
import { UnsetStructures } from '../preconditions/uninitialisedStructures';
import { UnterminatedStrings } from '../preconditions/unterminatedStrings';
import { usedAfterClose } from '../preconditions/useAfterClose';
import type { Problem } from '../problem';
import { answeredPointers } from './answeredPointers';
import { plainCondition } from './conditionText';
import { isBesideDeclared, isEndOfCounted } from './knownLengths';
import { explainError, isThroughNull } from './explainError/explainError';
import { pointersSet } from './explainError/extents';
import { guaranteeCures } from './guaranteeCures';
import { joinedPlaces } from './joinedPlaces';
import { isUpToModule, structuresSetUp } from './membersOfSetUp';
import { separateObjects } from './separateObjects';
import { meaningful } from './meaningful';
import { sharedMembers } from './sharedMembers';
import { CallWatch, type StatedPrecondition } from './callWatch';
import { precondition, type Specification, specificationText } from './specifications';

/** Subjects of specifications: always pointers, lengths, texts and structures. */
export type CureVocabulary = 'default' | 'with bounds of numbers';

export interface FailureToExplain {
  readonly problem: Problem;
  /** The problem's program is what they are about. */
  readonly scenario: Scenario;
  readonly fault: Fault;
  /** Failures that no client is behind. */
  readonly isKnown: (fault: Fault) => boolean;
  readonly system: () => TransitionSystem;
  readonly vocabulary: CureVocabulary;
  /** Specifications that are kept already. */
  readonly taken: () => readonly Specification[];
  readonly solver: Solver;
  readonly query: () => QueryBudget | undefined;
}

export interface Cure {
  readonly specification: Specification;
  /** Runs that keep it can be made, or not. */
  readonly judged: 'by run' | 'by formula';
}

/** Law: a cure is a guess. Who asks for it tries it, by a run or by formula. */
export type CureGenerator = (failure: FailureToExplain) => AsyncIterable<Cure> | Iterable<Cure>;

const judgedBy =
  (judged: Cure['judged'], specifications: (failure: FailureToExplain) => readonly Specification[]): CureGenerator =>
  (failure) =>
    specifications(failure).map((specification) => ({ specification, judged }));

const experiments: readonly CureGenerator[] = [
  judgedBy('by run', ({ scenario, problem, taken }) => sharedMembers(problem.program, scenario.calls.at(-1)!, taken())),
  judgedBy('by run', byExperiment),
  judgedBy('by formula', ({ problem, scenario, fault, taken }) => answeredPointers(problem, scenario, fault, taken())),
];

const formulas: readonly CureGenerator[] = [
  async function* byFormula(failure) {
    const bounds = failure.vocabulary === 'with bounds of numbers';
    const { requires = [] } = failure.problem.task;
    for await (const specification of explainError({ ...failure, bounds }))
      if (!isEndOfCounted(specification, requires, failure.taken())) yield { specification, judged: 'by run' };
  },
];

/**
 * The likeliest first. Of accesses to memory these are experiments, whose specifications people recognise; of what the
 * program itself computes with, what its formula says: another argument may end a failure by chance.
 */
const generatorsFor = ({ fault }: FailureToExplain): readonly CureGenerator[] =>
  propertyOf[fault.command.check] === 'memsafety'
    ? [...experiments, ...formulas, judgedBy('by run', nullMembers)]
    : [...formulas, ...experiments];

/**
 * The pointer that arguments lead to and that is null, or, of several, those that the failure names; what is called on
 * the way may set them. Behind a pointer that is null lies none.
 */
function nullMembers({ problem, scenario, fault, system }: FailureToExplain): readonly Specification[] {
  if (!isThroughNull(fault)) return [];
  const { program } = problem;
  const { fn } = scenario.calls.at(-1)!;
  const isNamed = ({ text }: StatedPrecondition): boolean =>
    new RegExp(`\\b${/(\w+) != NULL$/.exec(text)?.[1] ?? ''}\\b`).test(fault.message);
  const places = pointersSet(program, fn).flatMap((one) => {
    const owner = precondition(program, fn.name, `${ownerOf(one.text)} != NULL`);
    return owner?.kind === 'requires' ? [{ one, owner }] : [];
  });
  const all = places.flatMap(({ one, owner }) => [one, owner]);
  const broken = new CallWatch(problem, system).findBroken(scenario, fn, all);
  const found = places.flatMap(({ one, owner }) => (broken.has(one) && !broken.has(owner) ? [one] : []));
  return found.length === 1 ? found : found.filter(isNamed);
}

/** The pointer through which `p->at != NULL` and `*p != NULL` read; of a member of a member, that of the whole. */
const ownerOf = (text: string): string => text.replace(/^\*|(?:->\w+(?:\.\w+)*)? != NULL$/g, '');

/**
 * Each once; none that is up to the module: about members of structures that it sets up, or makes. What a function
 * asserts at its entry is for its clients to keep all the same, if it relates members to another argument, or does not
 * hold of a structure that was just set up: then it is no invariant of the module.
 */
export async function* curesOf(failure: FailureToExplain): AsyncGenerator<Cure> {
  const { program, handles, initialisers } = failure.problem;
  const offered = new Set<string>();
  for (const generator of generatorsFor(failure)) {
    for await (const cure of generator(failure)) {
      const text = specificationText(cure.specification);
      if (offered.has(text)) continue;
      offered.add(text);
      const setUp = failure.taken().flatMap((one) => (one.kind === 'initialised-by' ? [one.initialisedBy] : []));
      const ofModule = new Set([
        ...[...handles, ...initialisers.keys()].map(typeName),
        ...structuresSetUp(setUp, program),
      ]);
      const { specification } = cure;
      if (isBesideCount(specification, failure.taken()) || isBesideDeclared(specification, program)) continue;
      if (
        specification.kind === 'requires' &&
        isUpToModule(program, specification, ofModule) &&
        !isAssertedOfClients(failure, specification, setUp)
      )
        continue;
      const said = await meaningful(specification, failure);
      if (said) yield { ...cure, specification: said };
    }
  }
}

function byExperiment({
  problem,
  scenario,
  fault,
  isKnown,
  system,
  vocabulary,
  taken,
}: FailureToExplain): readonly Specification[] {
  const { program, callable, task } = problem;
  const options = problem.scenarioOptions();
  const bounds = vocabulary === 'with bounds of numbers';
  const lengths = new LengthArguments(program, options, task.runs, isKnown);
  const nulls = new NullArguments(program, options, task.runs);
  const texts = new UnterminatedStrings(program, callable, options);
  const structures = new UnsetStructures(program, callable, options, task.runs);
  lengths.explain(scenario, fault);
  nulls.explain(scenario, fault);
  texts.look(scenario, fault);
  structures.explain(scenario, fault);
  const made = madeStructure(program, callable, options, task.runs, scenario, fault);
  // An assertion that holds once a structure is set up is none about other arguments.
  const isUnset = structures.found.length > 0;
  const literals = calledFromOutside(problem, scenario, fault).flatMap((fn) =>
    conditionsAtEntry(
      problem,
      fn,
      system(),
      fault,
      bounds ? 'all' : !isUnset && isTestedAssertion(problem, fn, fault) ? 'asserted' : 'none',
    ),
  );
  return [
    ...guaranteeCures(problem, scenario, fault, bounds),
    ...[
      ...lengths.preconditions.flatMap(orNull),
      ...nulls.preconditions,
      ...texts.preconditions,
      ...memberTexts(program, options, scenario, fault),
      ...endedArrays(program, options, (fn) => LikelyPreconditions.of(problem).callsOf(fn) > 0, scenario, fault),
      ...distinctArguments(program, options, scenario, fault),
      ...oneObject(program, options, scenario, fault),
      ...numberBounds(program, options, scenario, fault).filter((one) => bounds || isAboutSize(one, problem, taken())),
    ].flatMap(({ function: fn, text }) => precondition(program, fn, text) ?? []),
    ...separateObjects(problem, scenario, fault, system),
    ...joinedPlaces(problem, scenario, fault, system),
    ...literals.flatMap(({ function: fn, text }) => precondition(program, fn, text) ?? []),
    ...structures.found.flatMap(([record, functions]) => initialisedBy(record, [...functions])),
    ...conventions(problem, scenario, fault),
    ...(made ? initialisedBy(made.record, [made.by]) : []),
  ];
}

const lengthIn = ({ text }: StatedPrecondition): readonly [pointer: string, length: string] | undefined =>
  /PROVEST_LENGTH\(([^)]+)\) >= (\d+(?=\)?$)|.+)/.exec(text)?.slice(1) as [string, string] | undefined;

/** A constant length, where a parameter counts the elements: a function that needs more does not heed it. */
function isBesideCount(one: Specification, taken: readonly Specification[]): boolean {
  const [pointer, length] = (one.kind === 'requires' && lengthIn(one)) || [];
  if (one.kind !== 'requires' || length === undefined || !/^\d+$/.test(length)) return false;
  return taken.some((other) => {
    if (other.kind !== 'requires' || other.function !== one.function) return false;
    const [known, count] = lengthIn(other) ?? [];
    return known === pointer && count !== undefined && !/^\d+$/.test(count);
  });
}

/**
 * A size that may not be negative, of a function that tests call: no memory is there for it, or it counts the elements
 * of a buffer. An index is none: `i < n` alone is a test that is missed for negative ones.
 */
function isAboutSize(one: NumberBound, problem: Problem, taken: readonly Specification[]): boolean {
  const fn = problem.program.functionByName.get(one.function)!;
  if (!one.isNegative || LikelyPreconditions.of(problem).callsOf(fn) === 0) return false;
  if (one.isUnallocated) return true;
  const place = /^(\*?\w+) >= 0$/.exec(one.text)?.[1];
  const counted = LikelyPreconditions.of(problem).lengthsOf(fn);
  const nameOf = ({ parameter, isBehind }: CountPlace): string =>
    `${isBehind ? '*' : ''}${fn.parameters[parameter]!.name}`;
  return (
    counted.some(({ count, isExact }) => isExact && nameOf(count) === place) ||
    taken.some((other) => other.kind === 'requires' && other.function === fn.name && lengthIn(other)?.[1] === place) ||
    statedLengths(problem, fn).includes(place ?? '')
  );
}

/** Numbers that count elements by what the task states of clients. */
const statedLengths = ({ task }: Problem, { name }: FunctionDefinition): readonly string[] =>
  (task.requires ?? []).flatMap(({ function: of, said }) =>
    of === name && said && 'c' in said
      ? [...said.c.matchAll(/PROVEST_LENGTH\(\w+\) >= (\*?\w+)(?= *(?:&&|\)|$))/g)].map(([, number]) => number!)
      : [],
  );

function isAssertedOfClients(
  { problem, scenario, fault, system }: FailureToExplain,
  { function: name, text }: StatedPrecondition,
  setUp: readonly InitialisedBy[],
): boolean {
  const { program, task, handles } = problem;
  const fn = program.functionByName.get(name)!;
  if (fault.check !== 'assertion' || fault.stack.at(-1)?.function.name !== name) return false;
  if (!conditionsAtEntry(problem, fn, system(), fault, 'all').some((one) => one.text === text)) return false;
  const isPassed = fn.parameters.some((parameter) =>
    new RegExp(`\\b${parameter.name}\\b(?!->|\\.)`).test(beyondMeaning(text)),
  );
  const functions = new Set([...setUp, ...(task.initialisedBy ?? [])].flatMap((one) => one.functions));
  const setsUp = (one: FunctionDefinition): boolean => functions.has(one.name) || handles.has(returnedRecord(one)!);
  return isPassed || scenario.calls.slice(0, -1).every((call) => setsUp(call.fn));
}

/** A function that tests the argument for null is called with null, whatever number comes with it. */
function orNull({ function: fn, text }: { readonly function: string; readonly text: string }): readonly {
  readonly function: string;
  readonly text: string;
}[] {
  const pointer = /^PROVEST_LENGTH\((\w+)\) >= /.exec(text)?.[1];
  return [
    { function: fn, text },
    ...(pointer === undefined ? [] : [{ function: fn, text: `(${pointer} == NULL || ${text})` }]),
  ];
}

/** Nothing for a structure that has no name to say it by. */
function initialisedBy(record: RecordLayout, functions: readonly FunctionDefinition[]): readonly Specification[] {
  const type = printType({ kind: 'record', record });
  if (type.includes('<')) return [];
  return [{ kind: 'initialised-by', initialisedBy: { type, functions: functions.map(({ name }) => name) } }];
}

/** About the lives of objects. */
function conventions(problem: Problem, scenario: Scenario, fault: Fault): readonly Specification[] {
  const { program, task } = problem;
  const options = problem.scenarioOptions();
  const handed = handedOver(program, options, task.runs, scenario, fault);
  const closed = usedAfterClose(program, options, task.runs, scenario, fault);
  const linked = linkedAlready(program, options, task.runs, scenario, fault);
  const found: readonly Convention[] = [
    ...(handed
      ? [
          {
            kind: 'handed-over',
            function: handed.fn.name,
            parameter: handed.parameter,
            allocated: handed.allocated,
          } as const,
        ]
      : []),
    ...(closed
      ? [
          {
            kind: 'closed',
            type: printType({ kind: 'record', record: closed.record }),
            by: closed.closedBy.name,
          } as const,
        ]
      : []),
    ...(linked ? [{ kind: 'linked', function: linked.fn.name, parameter: linked.parameter } as const] : []),
  ];
  return found.map((convention) => ({ kind: 'convention', convention }));
}

/**
 * An assertion that the function begins with, before it branches or changes anything, and that tests call. It says what
 * clients keep to. Behind a branch it says what the function has made sure of.
 */
function isTestedAssertion(problem: Problem, fn: FunctionDefinition, { command }: Fault): boolean {
  if (command.check !== 'assertion' || LikelyPreconditions.of(problem).callsOf(fn) === 0) return false;
  for (let at = fn.entry, steps = 0; steps < limits.stepsToAssertion; steps++) {
    const [edge, other] = at.edges;
    if (!edge || other || changesState(edge.command)) return false;
    if (edge.command.kind === 'check' && checkKey(edge.command) === checkKey(command)) return true;
    at = edge.to;
  }
  return false;
}

const changesState = (command: Command): boolean =>
  command.kind === 'assign' ? command.target.scope === 'global' : !['skip', 'declare', 'check'].includes(command.kind);

/** Bounds of numbers among conditions at an entry: whatever fails, those that assertions state, or none. */
type BoundsAtEntry = 'all' | 'asserted' | 'none';

/** No single value is left out, and nothing is joined. */
const isBound = (text: string): boolean => !/[=!]=|\|\|/.test(text);

const limits = {
  /** A longer condition helps nobody. */
  cureCharacters: 60,
  /** Commands in front of an assertion at an entry. */
  stepsToAssertion: 50,
} as const;

/** The failing entry, and entries that a function without a body has called back. */
function calledFromOutside({ callable }: Problem, { answers }: Scenario, { stack }: Fault): FunctionDefinition[] {
  const effects = answers.flatMap(({ sideEffects }) => sideEffects?.effects ?? []);
  const names = new Set(effects.flatMap((effect) => (effect.kind === 'call' ? [effect.function] : [])));
  return stack.flatMap(({ function: { name } }, depth) => {
    const fn = callable.find((one) => one.name === name);
    return fn && (names.has(name) || depth === stack.length - 1) ? [fn] : [];
  });
}

/**
 * The failing check's own condition, where the entry itself makes the check before any loop and it mentions nothing
 * but arguments and variables that clients see. Of a number it is a bound: a specification that leaves out a single
 * value would hide every failure at an end of a range.
 */
function conditionsAtEntry(
  { program }: Problem,
  fn: FunctionDefinition,
  system: TransitionSystem,
  { command }: Fault,
  bounds: BoundsAtEntry,
): readonly { readonly function: string; readonly text: string }[] {
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
      const text = plainCondition(printTerm(condition, vocabulary));
      // Memory behind a pointer is up to clients if the pointer is an argument.
      const isOwn = [...symbolsOf(condition)].every(isState) || names.has(/\w+/.exec(text)?.[0] ?? '');
      return isOwn ? [text] : [];
    })
    .filter(
      (text) =>
        /^\*?\w+(?:(?:->|\.)\w+)* != NULL$/.test(text) ||
        (bounds !== 'none' &&
          text.length <= limits.cureCharacters &&
          (isBound(text) || (bounds === 'all' && command.check === 'assertion'))),
    );
  const { check } = command;
  return [...new Set(texts)].map((text) => ({
    function: fn.name,
    text: check === 'assertion' ? withMeaning(text, fn) : text,
  }));
}

/** An assertion has a meaning only where the arguments that it dereferences are not null. */
function withMeaning(text: string, { parameters }: FunctionDefinition): string {
  const dereferenced = parameters.filter(({ name }) => new RegExp(`(?<![.>])\\b${name}->|\\*${name}\\b`).test(text));
  return [...dereferenced.map(({ name }) => `${name} != NULL`), text].join(' && ');
}

/** The condition without the tests for null that give it a meaning. */
const beyondMeaning = (text: string): string => text.replace(/^(?:\w+ != NULL && )+/, '');
