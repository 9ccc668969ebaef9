/**
 * Static variables to which pointers lead as they lead to a member of larger structures, as to the head of a ring in
 *
 *   struct list_head { struct list_head *next, *prev; };
 *   struct task { int id; struct list_head run; };
 *   static struct list_head tasks = { &tasks, &tasks };
 *
 * The region analysis has one region for whatever a pointer leads to, at one place of its objects. `tasks` begins at
 * the place of `run` less the place of `id`, and nothing could be distinguished in the region. Such a variable gets
 * lead bytes in front, so that its parts lie where the members lie: here eight.
 *
 * The program keeps its executions. The variable's address is behind the lead bytes; offsets and sizes that a check
 * compares do not count them, so an access to them fails as one before the variable does.
 */
import { alignOf } from '../../../c/layout';
import type { CType, DataModel, RecordLayout } from '../../../c/types';
import type { Mutable } from '../../../mutable';
import { addressOf, binary, conditional, equal, integer, isConstant, objectOf } from '../../build';
import type { Command } from '../../command';
import { exactly } from '../../congruence';
import { int64, pointer, type Expression } from '../../expression';
import type { FunctionDefinition, GlobalVariable, StaticObject, UnorderedOperands } from '../../program';
import { isNative } from '../../linking/natives';
import { expressionsOf, walk, withOperands } from '../../traverse';
import { withParts } from '../withParts';

interface ProgramParts {
  readonly functions: readonly Mutable<FunctionDefinition>[];
  readonly globals: readonly Mutable<GlobalVariable>[];
  readonly objects: readonly StaticObject[];
  readonly model: DataModel;
}

/** Gives lead bytes to variables; `kept`: names of variables that stay as they are. True if some have them now. */
export function alignHeads(program: ProgramParts, kept: ReadonlySet<string>): boolean {
  const commands = commandsOf(program.functions);
  if ([...commands].some((command) => expressionsOf(command).some(showsPlaces) || readsAtOnce(command))) return false;
  if (initialValues(program).some(showsPlaces)) return false;
  const heads = program.objects.filter(({ visible, writable, name }) => !visible && writable && !kept.has(name));
  const passed = passedPlaces(program, commands);
  const records = recordsOf(program);
  const leads = new Map<StaticObject, number>();
  for (const head of heads) {
    const bytes = leadOf(head, passed, records, program.model);
    if (bytes !== undefined) leads.set(head, bytes);
  }
  if (leads.size > 0) giveLeads(program, commands, leads);
  return leads.size > 0;
}

/** Every command of the functions, once. */
function commandsOf(functions: readonly FunctionDefinition[]): ReadonlySet<Command> {
  return new Set(
    functions.flatMap(({ edges, unordered = [] }) => [
      ...edges.map(({ command }) => command),
      ...unordered.flatMap(({ operands }) => operands.flatMap((operand) => operand.commands)),
    ]),
  );
}

const initialValues = ({ globals, objects }: ProgramParts): readonly Expression[] => [
  ...globals.flatMap(({ initial }) => initial ?? []),
  ...objects.flatMap(({ relocations }) => relocations.map(({ value }) => value)),
];

/** The value depends on the place in an object otherwise than by the offset: by a number, or the order of pointers. */
function showsPlaces(e: Expression): boolean {
  let found = false;
  walk(e, (inner) => {
    if (inner.kind === 'compare')
      found ||= inner.left.type.kind === 'pointer' && (inner.operator === 'lt' || inner.operator === 'le');
    if (inner.kind === 'convert')
      found ||=
        (inner.operand.type.kind === 'pointer') !== (inner.type.kind === 'pointer') && inner.operand.kind !== 'integer';
  });
  return found;
}

/**
 * A native function may read through a pointer that leads to a variable, or finds one in a list of arguments, without a
 * check that comes first.
 */
function readsAtOnce(command: Command): boolean {
  const isFixed = (e: Expression): boolean =>
    e.kind === 'null' ||
    (e.kind === 'address' && (e.of.kind === 'function' || (e.of.kind === 'static-object' && !e.of.writable)));
  return (
    command.kind === 'external' &&
    isNative(command.name) &&
    command.arguments.some((argument) => argument.type.kind === 'pointer' && !isFixed(argument))
  );
}

interface Places {
  /** By variable: offsets in it of addresses that pass into pointers. */
  readonly inVariables: ReadonlyMap<object, ReadonlySet<number>>;
  /** Offsets that are added to other pointers, or subtracted, and pass into pointers. */
  readonly inOthers: ReadonlySet<number>;
}

/** Addresses that commands store, assign or pass on. Those that are only read or written through stay out. */
function passedPlaces({ globals, objects }: ProgramParts, commands: ReadonlySet<Command>): Places {
  const inVariables = new Map<object, Set<number>>();
  const inOthers = new Set<number>();
  const pass = (e: Expression | undefined, offset = 0): void => {
    switch (e?.kind) {
      case 'address': {
        const known = inVariables.get(e.of) ?? new Set();
        inVariables.set(e.of, known.add(offset));
        break;
      }
      case 'offset':
        pass(e.pointer, e.delta.kind === 'integer' ? offset + Number(e.delta.value) : NaN);
        break;
      case 'conditional':
        pass(e.then, offset);
        pass(e.otherwise, offset);
        break;
      case 'read':
      case 'load':
        if (offset !== 0 && e.type.kind === 'pointer') inOthers.add(Math.abs(offset));
        break;
      default:
        break;
    }
  };
  for (const { initial } of globals) pass(initial);
  for (const { relocations } of objects) for (const { value } of relocations) pass(value);
  for (const command of commands)
    switch (command.kind) {
      case 'assign':
      case 'store':
        pass(command.value);
        break;
      case 'call':
      case 'external':
        for (const argument of command.arguments) pass(argument);
        break;
      default:
        break;
    }
  return { inVariables, inOthers };
}

/** Structures of variables, and of what their types lead to. */
function recordsOf({ functions, globals, objects }: ProgramParts): ReadonlySet<RecordLayout> {
  const found = new Set<RecordLayout>();
  const look = (type: CType | undefined): void => {
    if (type?.kind === 'pointer') look(type.to);
    else if (type?.kind === 'array') look(type.of);
    else if (type?.kind === 'record' && !found.has(type.record)) {
      found.add(type.record);
      for (const field of type.record.fields) look(field.type);
    }
  };
  for (const { variable } of globals) look(variable.ctype);
  for (const { ctype } of objects) look(ctype);
  for (const fn of functions) for (const { ctype } of [...fn.variables, ...fn.objects]) look(ctype);
  return found;
}

interface Part {
  readonly record: RecordLayout;
  readonly is: 'structure' | 'pointer';
  readonly at: number;
}

/** Structures, and pointers to some, that lie in an object of the type. */
function partsOf(type: CType, at = 0): Part[] {
  if (type.kind === 'pointer') return type.to.kind === 'record' ? [{ record: type.to.record, is: 'pointer', at }] : [];
  if (type.kind !== 'record' || type.record.keyword !== 'struct') return [];
  return [
    { record: type.record, is: 'structure', at },
    ...type.record.fields.flatMap((field) => partsOf(field.type, at + field.offsetBytes)),
  ];
}

/** Bytes by which the variable's parts lie further back in all structures that have them; undefined: there are none. */
function leadOf(
  head: StaticObject,
  { inVariables, inOthers }: Places,
  records: ReadonlySet<RecordLayout>,
  model: DataModel,
): number | undefined {
  const own = head.ctype.kind === 'record' ? head.ctype.record : undefined;
  const places = inVariables.get(head);
  if (!places) return undefined;
  const parts = partsOf(head.ctype).filter(({ at }) => places.has(at));
  const found = new Set<number>();
  for (const record of records) {
    if (record === own) continue;
    for (const member of partsOf({ kind: 'record', record } as CType)) {
      if (!inOthers.has(member.at)) continue;
      for (const part of parts)
        if (part.record === member.record && part.is === member.is) found.add(member.at - part.at);
    }
  }
  const [bytes] = [...found];
  const alignment = Math.max(alignOf(head.ctype, model), head.alignBytes ?? 1);
  return found.size === 1 && bytes! > 0 && bytes! % alignment === 0 ? bytes : undefined;
}

/** Changes the variables, and every expression that counts bytes from their beginning. */
function giveLeads(
  { functions, globals, objects, model }: ProgramParts,
  commands: ReadonlySet<Command>,
  leads: ReadonlyMap<object, number>,
): void {
  const behind = (e: Expression, bytes: number): Expression => ({
    kind: 'offset',
    type: pointer,
    pointer: e,
    delta: integer(bytes, int64),
    within: exactly(bytes),
  });
  /** Lead bytes of the object into which a pointer of the new program leads. */
  const leadBytes = (e: Expression): Expression => {
    switch (e.kind) {
      case 'address':
        return integer(leads.get(e.of) ?? 0, int64);
      case 'null':
        return integer(0, int64);
      case 'offset':
        return leadBytes(e.pointer);
      default:
        return [...leads].reduce<Expression>(
          (otherwise, [object, bytes]) =>
            conditional(
              equal(objectOf(e), integer((object as StaticObject).number, int64)),
              integer(bytes, int64),
              otherwise,
            ),
          integer(0, int64),
        );
    }
  };
  const changed = (e: Expression): Expression => {
    if (e.kind === 'address') {
      const bytes = leads.get(e.of);
      return bytes === undefined ? e : behind(addressOf(e.of), bytes);
    }
    const inner = withOperands(e, changed);
    if (inner.kind !== 'offset-of' && inner.kind !== 'object-size') return inner;
    const bytes = leadBytes(inner.pointer);
    if (isConstant(bytes, 0)) return inner;
    if (inner.kind === 'object-size') return binary('subtract', inner, bytes);
    // As a place that lies further in front: offsets wrap there.
    const delta = binary('subtract', integer(0, int64), bytes);
    return { ...inner, pointer: { kind: 'offset', type: pointer, pointer: inner.pointer, delta } };
  };
  for (const command of commands)
    Object.assign(
      command,
      withParts(command, (variable) => variable, changed),
    );
  for (const fn of functions) {
    if (fn.typedAccesses)
      fn.typedAccesses = fn.typedAccesses.map((access) => ({ ...access, address: changed(access.address) }));
    if (fn.unordered) fn.unordered = fn.unordered.map((unordered) => changedOperands(unordered, commands, changed));
  }
  for (const global of globals) if (global.initial) global.initial = changed(global.initial);
  for (const object of objects as readonly Mutable<StaticObject>[]) {
    const bytes = leads.get(object) ?? 0;
    object.relocations = object.relocations.map(({ offsetBytes, value }) => ({
      offsetBytes: offsetBytes + bytes,
      value: changed(value),
    }));
    if (bytes === 0) continue;
    object.leadBytes = bytes;
    object.ctype = behindBytes(object.ctype, bytes, object.sizeBytes, model);
    object.sizeBytes += bytes;
    object.bytes = Uint8Array.from([...new Uint8Array(bytes), ...object.bytes]);
  }
}

/** `commands`: those that are changed themselves. */
const changedOperands = (
  unordered: UnorderedOperands,
  commands: ReadonlySet<Command>,
  changed: (e: Expression) => Expression,
): UnorderedOperands => ({
  ...unordered,
  operands: unordered.operands.map((operand) => ({
    ...operand,
    values: operand.values.map(changed),
    ...(operand.wholes && { wholes: operand.wholes.map(changed) }),
    ...(operand.accesses && {
      accesses: operand.accesses.map((access) =>
        commands.has(access) ? access : withParts(access, (variable) => variable, changed),
      ),
    }),
  })),
});

/** The type of an object that has an object of the type behind some bytes. */
function behindBytes(type: CType, bytes: number, sizeBytes: number, model: DataModel): CType {
  const fields =
    type.kind === 'record' && type.record.keyword === 'struct'
      ? type.record.fields.map((field) => ({ ...field, offsetBytes: field.offsetBytes + bytes }))
      : [{ name: undefined, type, offsetBytes: bytes }];
  const record: RecordLayout = {
    keyword: 'struct',
    tag: type.kind === 'record' ? type.record.tag : undefined,
    complete: true,
    fields,
    sizeBytes: sizeBytes + bytes,
    alignBytes: alignOf(type, model),
  };
  return { kind: 'record', record } as CType;
}
