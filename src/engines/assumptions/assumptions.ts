/**
 * Assumptions of a verdict, in sentences: the sizes of types, what is not checked, what clients, unknown functions and
 * the allocator are taken to do.
 */
import { interiorArguments } from '../../abstraction/predicates/joinedArguments';
import { mentionsList } from '../../abstraction/predicates/probeFormula';
import { printType } from '../../c/printType';
import type { RecordLayout } from '../../c/types';
import type { Span } from '../../c/source';
import { allProperties, isChecked, type CheckKind, type Property } from '../../program/command';
import type { Expression } from '../../program/expression';
import type { FunctionDefinition, Program } from '../../program/program';
import { expressionsOf, walk } from '../../program/traverse';
import { orderDependent } from '../../semantics/pointers/evaluationOrder';
import { acceptsModulePointers } from '../../abstraction/transitionSystem/clients/moduleAliases';
import { hasPrecondition } from '../../abstraction/transitionSystem/clients/clientTransitions';
import { isProgramStart } from '../../program/programStart';
import { isVariadic } from '../../evidence/scenarios/operations';
import { voidHandles } from '../../evidence/scenarios/structures/voidHandles';
import { loopingInContracts } from './contractCalls';
import type { ClientSlots } from '../../semantics/pointers/clientSlots';
import { isOfClients } from '../../semantics/pointers/links/links';
import type { Initialisers } from '../../semantics/pointers/initialisers';
import { comparesEnded } from '../../semantics/pointers/endedPointers';
import { mayFillPointers } from '../../semantics/pointers/forgedPointers';
import { mayPun, typeDependent } from '../../semantics/pointers/effectiveTypes';
import { Regions } from '../../semantics/pointers/regions';
import type { Task } from '../../task';
import { assumedOfCallBacks } from './callbacks';
import { taken } from './choices';
import { nonInterferenceAssumptions } from './environmentAssumptions';
import { mayLeaveObject } from './pointerRanges';

export interface Assumed {
  readonly program: Program;
  readonly task: Task;
  readonly entries: readonly FunctionDefinition[];
  readonly init: FunctionDefinition | undefined;
  readonly checkedProperties: ReadonlySet<Property | CheckKind>;
  /** Undefined when no proof was begun. */
  readonly regions: Regions | undefined;
  /** Slots of clients' objects taken to hold functions. */
  readonly clientSlots: ClientSlots | undefined;
  /** Structures that clients have from the module alone. */
  readonly handles?: ReadonlySet<RecordLayout>;
  /** Structures that clients have set up first. */
  readonly initialisers?: Initialisers;
}

/** One sentence each, for every verdict. */
export function assumptionsOf(of: Assumed): string[] {
  const { program, task } = of;
  const asksForWriting = of.checkedProperties.has('uninitialised') || of.checkedProperties.has('uninitialised-read');
  const commands = program.functions.flatMap((fn) => fn.edges.map(({ command }) => command));
  const list = [
    program.dataModel === 'lp64'
      ? "integers are bit-precise: two's complement, 32-bit int, 64-bit long and pointers (LP64)"
      : "integers are bit-precise: two's complement, 32-bit int, long and pointers (ILP32)",
  ];
  if (program.functions.some((fn) => !fn.library && computesWithFloats(fn)))
    list.push('floating point is that of IEEE 754, rounded to nearest, every operation by itself');
  // Aliasing (effective types) is listed by itself.
  const off = allProperties.filter((property) => property !== 'aliasing' && !of.checkedProperties.has(property));
  if (off.length > 0)
    list.push(
      `not checked: ${off.join(', ')}` +
        `${of.checkedProperties.has('memsafety') ? '' : '; executions are taken to end at an invalid memory access'}`,
    );
  if (task.load.unchecked && task.load.unchecked.length > 0)
    list.push(
      `left unchecked: ${task.load.unchecked.join(', ')}; what is shifted out of a signed value is lost, as ` +
        'compilers have it',
    );
  if (of.checkedProperties.has('leak'))
    list.push(
      task.mode === 'program'
        ? 'a leak is a block that is not freed when the entry returns or exit is called; what unknown functions ' +
            'allocate or free does not count'
        : "a leak is a block that neither the module's variables lead to when a function returns to its client, nor " +
            'clients hold, who were handed it as a result, through an object of their own or as an argument',
    );
  list.push(...orderAssumption(of), ...typeAssumption(of), ...endAssumption(of), ...rangeAssumption(of));
  const restricted = placesOf(program.restricted);
  if (restricted.length > 0)
    list.push(
      'what is changed through a restrict pointer is reached through no other one, which matters at ' +
        `${shownPlaces(restricted)}`,
    );
  if (commands.some(({ kind }) => kind === 'allocate'))
    list.push(
      `${task.load.mallocMayFail ? 'malloc may fail' : 'malloc never fails'}; ` +
        (program.dataModel === 'lp64'
          ? 'no object has 2 GiB or more, and asking for one'
          : 'asking for 2 GiB or more') +
        ' gives null',
    );
  for (const { choice, spans } of program.choices) {
    const { sentence, placed } = taken[choice];
    if (!placed && (choice !== 'bit-fields' || asksForWriting)) list.push(sentence);
    if (placed && spans.length > 0) list.push(`${sentence}, which matters at ${shownPlaces(placesOf(spans))}`);
  }
  list.push(...assumedOfCallBacks(task, program, of.entries));
  const ofClients = new Set(program.clientFunctions.map(({ name }) => name));
  for (const name of ofClients)
    list.push(`a client's function that is passed as ${name} may return any value and change whatever it can reach`);
  for (const { name, guarantees = [] } of program.externals)
    if (!ofClients.has(name))
      list.push(
        `${name} has no body: ${task.stubs?.includes(name) ? 'stubbed in the tests; ' : ''}it may return any ` +
          'value and change whatever it can reach',
        ...guarantees.map((condition) =>
          /^\(*0\)*$/.test(condition) ? `${name} never returns` : `whenever ${name} returns, this holds: ${condition}`,
        ),
      );
  for (const name of program.answering)
    list.push(`${name} has no body: it may return any value, and is taken to do nothing else`);
  if (
    task.load.externals === 'value' &&
    commands.some((command) => command.kind === 'input' && command.target.type.kind === 'pointer')
  )
    list.push(
      'functions without a body do not know the variables of the program: a pointer that one returns leads to no ' +
        'variable whose address the program does not take',
    );
  const requiring = of.entries.filter(hasPrecondition).map(({ name }) => name);
  for (const fn of new Set([...(task.requires ?? []).map((r) => r.function), ...requiring]))
    list.push(`clients keep to the precondition of ${fn}`);
  const asksOfClients = commands
    .flatMap((command) => expressionsOf(command))
    .some((e) => asksOfClientsLists(e, of.regions));
  if (task.requires?.some(({ formula }) => mentionsList(formula)) || asksOfClients)
    list.push("nodes of clients' lists are objects of their own, not elements of an array");
  const looping = loopingInContracts(program).map(({ name }) => name);
  if (looping.length > 0) list.push(`contracts come to an end: they call ${looping.join(', ')}`);
  if (task.mode === 'module' && of.init) list.push(`clients call ${of.init.name} first, once`);
  const isStart = (fn: FunctionDefinition): boolean => task.mode === 'program' && isProgramStart(fn);
  if (of.entries.some(isStart))
    list.push(
      'the program is started with as many texts as argc says, of any length, each in an object of its own, and ' +
        'a null pointer behind them; no other pointer leads to them',
    );
  if (
    [...of.entries, ...(of.init ? [of.init] : [])].some(
      (fn) => !isStart(fn) && fn.parameters.some(({ type }) => type.kind === 'pointer'),
    )
  ) {
    const { regions } = of;
    const takesBack =
      task.mode === 'module' &&
      regions !== undefined &&
      [...of.entries, ...(of.init ? [of.init] : [])].some((fn) => acceptsModulePointers(fn, regions));
    const isElsewhere = [...program.globals, ...program.objects].some(({ elsewhere }) => elsewhere);
    const start =
      "point to the start of a live object of their type that is none of the module's own variables" +
      (isElsewhere ? ' and none of those that no file defines' : '');
    list.push(
      'pointer arguments are null' +
        (takesBack
          ? `, ${start}, or lead into such a variable as a pointer does that the module has handed out`
          : ` or ${start}`) +
        '; such objects live as long as the module may use them',
    );
    const interior = [...interiorArguments(task.requires, program)].map(({ name }) => name);
    if (interior.length > 0)
      list.push(`${interior.join(', ')} may also point to any other element of an object, or just behind its last one`);
    if (ofClients.size > 0)
      list.push(
        "pointers to functions that are passed are null, or lead to a function of the client's or one of such a " +
          'type that the module itself makes pointers to',
      );
  }
  const handOut = program.functions.filter(
    ({ resultVariable }) => resultVariable && of.regions?.keptResults.has(resultVariable),
  );
  if (handOut.length > 0) {
    const names = handOut.map(({ name }) => name).join(', ');
    list.push(
      `clients do not write through the pointers to const that they get from ${names}, nor pass them as others`,
    );
  }
  if (of.clientSlots && !of.clientSlots.isEmpty)
    list.push('pointers to functions that lie in structures of clients are null, or lead to such a function, too');
  const clients =
    of.regions
      ?.roots()
      .map(({ origins }) => [...origins].filter(({ kind }) => kind === 'external'))
      .filter((made) => made.length > 0) ?? [];
  if (clients.length > 1 && !of.entries.some(isStart))
    list.push('objects that are handed over through pointers to different types do not overlap');
  if (clients.length > 0 && asksForWriting)
    list.push('what clients and unknown functions hand over was written before');
  if (of.regions && (of.regions.mixed.size > 0 || mayFillPointers(of.regions)))
    list.push(
      "bytes of pointers that are read as numbers are those of the interpreter, an object's number and a distance",
    );
  for (const name of new Set([...(of.handles ?? [])].map((record) => printType({ kind: 'record', record }))))
    list.push(
      `clients get every ${name} from the module: what they hand back as one is null, or an object that it ` +
        'allocated and has not freed, and they do not look into it',
    );
  const hidden = voidHandles(of.entries).map(({ fn, name }) => `${name} of ${fn.name}`);
  if (hidden.length > 0) list.push(`pointers to void that count as such a structure: ${hidden.join(', ')}`);
  for (const { type, members } of task.validPointers ?? [])
    list.push(
      `${members.join(', ')} of every ${type} of clients is null or leads to the start of a live object whenever the ` +
        'module runs, and clients hand over no pointer to another type that leads into one',
    );
  for (const [record, fns] of of.initialisers ?? [])
    list.push(
      `clients have every ${printType({ kind: 'record', record })} set up by ` +
        `${[...fns].map(({ name }) => name).join(' or ')} before they pass it to anything else, do not write or ` +
        'copy it from then on, and hand over no other pointer that leads into one',
    );
  list.push(...nonInterferenceAssumptions(task, program, of.entries));
  for (const assumed of new Set((program.warnings ?? []).flatMap(({ assumption }) => assumption ?? [])))
    list.push(assumed);
  if (program.functions.some(({ library, name }) => library && (name === 'signal' || name === 'sigaction')))
    list.push('signals are sent by raise alone');
  if (task.mode === 'module' && program.functions.some(({ library, name }) => library && name === 'atexit'))
    list.push(
      'what is registered with atexit is called where the module calls exit, and at no other end of the program',
    );
  const skipped = task.entries
    ? []
    : program.functions.filter((fn) => !fn.library && fn.linkage === 'external' && isVariadic(fn));
  for (const fn of skipped) list.push(`${fn.name} is not called: it takes a variable number of arguments`);
  return list;
}

/** Also on elements and members alone, which are no variables. */
function computesWithFloats({ variables, edges }: FunctionDefinition): boolean {
  let found = variables.some(({ type }) => type.kind === 'float');
  for (const { command } of edges)
    for (const e of found ? [] : expressionsOf(command)) walk(e, (node) => (found ||= node.type.kind === 'float'));
  return found;
}

/** Without a proof begun, the regions are made for this alone. */
function typeAssumption({ program, regions, checkedProperties }: Assumed): string[] {
  if (!mayPun(program)) return [];
  if (isChecked({ check: 'effective-type' }, checkedProperties))
    return ['a copy leaves its target without an effective type, and all pointers have one type'];
  const spans = typeDependent(program, regions ?? new Regions(program, [], new Set(), 'program'));
  const places = placesOf(spans);
  if (places.length === 0) return [];
  return [
    `compilers do not use types to tell objects apart (-fno-strict-aliasing), which matters at ${shownPlaces(places)}`,
  ];
}

function endAssumption({ program, regions }: Assumed): string[] {
  const spans = comparesEnded(program, regions ?? new Regions(program, [], new Set(), 'program'));
  if (spans.length === 0) return [];
  return [
    `a pointer to an object that is gone differs from all others, which matters at ${shownPlaces(placesOf(spans))}`,
  ];
}

function rangeAssumption({ program }: Assumed): string[] {
  const places = placesOf(mayLeaveObject(program));
  if (places.length === 0) return [];
  return [`a pointer may lead outside its object until it is used, which matters at ${shownPlaces(places)}`];
}

/** None when every order of evaluation that C allows gives the same. */
function orderAssumption({ program, regions, checkedProperties }: Assumed): string[] {
  if (!program.functions.some((fn) => !fn.library && fn.unordered && fn.unordered.length > 0)) return [];
  const checked = isChecked({ check: 'unsequenced' }, checkedProperties);
  const places = orderDependent(
    program,
    regions ?? new Regions(program, [], new Set(), 'program'),
    checked ? 'checked' : 'listed',
  );
  const [wholes, others] = [true, false].map((either) =>
    places.filter(({ inEitherOrder }) => inEitherOrder === either).map(({ span }) => placeText(span)),
  );
  return [
    ...(others!.length > 0
      ? [`operands are evaluated from left to right, which C leaves open and which matters at ${shownPlaces(others!)}`]
      : []),
    ...(wholes!.length > 0
      ? [
          'operands are evaluated one after the other, in either order; C may interleave them, which matters at ' +
            `${shownPlaces(wholes!)}`,
        ]
      : []),
  ];
}

const placesOf = (spans: readonly Span[]): string[] => [...new Set(spans.map(placeText))];

function shownPlaces(places: readonly string[]): string {
  const shown = places.slice(0, 5).join(', ');
  return `${shown}${places.length > 5 ? ` and ${places.length - 5} more places` : ''}`;
}

/** `stack.c:12`: without the folder, which is another one on every machine. */
export function placeText(span: Span): string {
  return `${span.file.path.split(/[\\/]/).at(-1)!}:${span.file.position(span.start).line}`;
}

/** Something is asked of a list whose nodes may be a client's. */
function asksOfClientsLists(e: Expression, regions: Regions | undefined): boolean {
  let found = false;
  walk(e, (inner) => {
    if (inner.kind !== 'list') return;
    const first = regions?.pointee(inner.list);
    if (!regions || !first || isOfClients(regions.find(first.node))) found = true;
  });
  return found;
}
