/**
 * Bounds of all elements of a static array, from what is stored there: where a function compares a number with
 * constants and then stores it in a member of a structure in a table, those are the bounds that the member may keep,
 * and so are constants that are stored themselves, or that the member is compared with before something is added. Said
 * of each element by its number, in the member's type, so that it does not matter how memory is divided.
 */
import * as L from '../../../logic/build';
import { compile } from '../../../logic/compile';
import { NotComputable } from '../../../logic/evaluate';
import { symbolsOf } from '../../../logic/symbols';
import type { Term } from '../../../logic/term';
import type { WordBounds } from '../../../logic/bounds/assertedBounds';
import { max, min, rangeOf } from '../../../logic/bounds/wordRanges';
import { sizeOf } from '../../../c/layout';
import type { CType } from '../../../c/types';
import {
  binary,
  convert,
  fits,
  integer,
  load,
  maximum,
  minimum,
  offset,
  read,
  sameScalar,
  startOf,
} from '../../../program/build';
import { type Expression, type IntegerScalar, int64, uint32, type Variable } from '../../../program/expression';
import { overlap, residueOf } from '../../../program/congruence';
import { type FunctionDefinition, initialisedBytes, type StaticObject } from '../../../program/program';
import { walk } from '../../../program/traverse';
import { FreshSymbols, isPointer } from '../../../semantics/symbolic/symbolicValues';
import { hull } from '../rounds/loopRounds';
import { Machine } from '../../../semantics/concrete/machine';
import { ConcreteView } from '../../transitionSystem/concreteView';
import type { TransitionSystem } from '../../transitionSystem/transitionSystem';
import type { Cutpoint } from '../../transitionSystem/cutpoint';

const limits = {
  /** Members of all static arrays together, and bounds of one. */
  members: 8,
  bounds: 6,
  /** Elements of an array. */
  elements: 1 << 16,
} as const;

/** A number in each element of an array. */
interface Member {
  readonly object: StaticObject;
  readonly type: IntegerScalar;
  readonly offsetBytes: number;
  readonly strideBytes: number;
  readonly count: number;
}

/**
 * Bounds of the numbers in static arrays as they are in memory, by the arrays of symbols that hold them: the widest of
 * the candidates.
 */
export function boundsInMemory(system: TransitionSystem): ReadonlyMap<string, WordBounds> {
  const { memoryModel } = system;
  const found = new Map<string, WordBounds>();
  for (const member of membersIn(system)) {
    const node = memoryModel.regions.nodeOfOrigin(member.object);
    const layout = node && memoryModel.regions.layout(node);
    if (!node || layout?.kind !== 'slots' || layout.stride === 0) continue;
    const cell = residueOf(member.offsetBytes, layout.stride);
    const bounds = boundsOf(member, system);
    const values = (side: Bound['side']): readonly bigint[] =>
      bounds.flatMap((b) => (b.side === side ? [b.value] : []));
    const [least, most] = [values('least'), values('most')];
    if (least.length === 0 || most.length === 0) continue;
    const range = { low: min(...least), high: max(...most) };
    for (const { name, role } of memoryModel.slotVariables(node)) {
      const isIts = role.kind === 'slot' && role.part === 'value' && role.slot !== 'byte';
      if (!isIts || !role.slot.cells.includes(cell) || role.slot.bytes * 8 !== member.type.widthBits) continue;
      const whole = rangeOf('unsigned', member.type.widthBits);
      const positive = range.low < 0n ? whole : range;
      const one = { signed: member.type.signed ? range : rangeOf('signed', member.type.widthBits), unsigned: positive };
      const before = found.get(name);
      found.set(name, before ? hull(before, one) : one);
    }
  }
  return found;
}

const membersIn = (system: TransitionSystem): readonly Member[] =>
  system.program.objects
    .filter(({ writable }) => writable)
    .flatMap((object) => membersOf(object, system))
    .slice(0, limits.members);

/** The same at every control point, for the client's to be kept on the way; none for a program. */
export function storedBounds(system: TransitionSystem): ReadonlyMap<Cutpoint, readonly Term[]> {
  if (!system.client) return new Map();
  const isTrueAtStart = atStart(system);
  const candidates = membersIn(system).flatMap((member) =>
    boundsOf(member, system)
      .flatMap((bound) => saidOfAll(member, bound, system))
      .filter(isTrueAtStart)
      .slice(0, limits.bounds),
  );
  return new Map(candidates.length === 0 ? [] : system.points.map((point) => [point, candidates]));
}

function membersOf(object: StaticObject, { program: { dataModel } }: TransitionSystem): readonly Member[] {
  const { ctype } = object;
  if (ctype.kind !== 'array' || ctype.length === undefined) return [];
  if (ctype.length < 2 || ctype.length > limits.elements) return [];
  const strideBytes = sizeOf(ctype.of, dataModel);
  if (strideBytes === undefined) return [];
  return numbersIn(ctype.of, 0).map(({ type, offsetBytes }) => ({
    object,
    type,
    offsetBytes,
    strideBytes,
    count: ctype.length!,
  }));
}

/** Members of a structure and of those within it, but for bit-fields, which are parts of words. */
function numbersIn(type: CType, offsetBytes: number): readonly Pick<Member, 'type' | 'offsetBytes'>[] {
  if (type.kind === 'enum') return numbersIn(type.underlying, offsetBytes);
  if (type.kind === 'integer') {
    const { widthBits, signed } = type;
    return [{ type: { kind: 'integer', widthBits, signed }, offsetBytes }];
  }
  if (type.kind !== 'record' || type.record.keyword !== 'struct') return [];
  return type.record.fields.flatMap((field) =>
    field.bits === undefined ? numbersIn(field.type, offsetBytes + field.offsetBytes) : [],
  );
}

interface Bound {
  readonly side: 'least' | 'most';
  readonly value: bigint;
}

/**
 * Constants with which functions compare what they store in the member, or the member before they add to it, constants
 * that they store, and 0 at first.
 */
function boundsOf(member: Member, { program, memoryModel: { regions } }: TransitionSystem): readonly Bound[] {
  const node = regions.nodeOfOrigin(member.object);
  const { type, offsetBytes, strideBytes } = member;
  const places = { residue: offsetBytes, modulus: strideBytes };
  const found = new Map<string, Bound>();
  const add = (side: Bound['side'], value: bigint): void => {
    const isTelling = side === 'least' ? value > minimum(type) : value < maximum(type);
    if (fits(value, type) && isTelling) found.set(`${side} ${value}`, { side, value });
  };
  for (const fn of program.functions) {
    for (const { command } of fn.edges) {
      if (command.kind !== 'store' || !sameScalar(command.type, type)) continue;
      const target = regions.pointee(command.address);
      if (!target || regions.find(target.node) !== node || !overlap(target.at, places)) continue;
      const { value } = command;
      if (value.kind === 'integer') for (const side of ['least', 'most'] as const) add(side, value.value);
      for (const constant of comparedWith(fn, numberIn(value))) {
        add('least', constant);
        add('least', constant + 1n);
        add('most', constant);
        add('most', constant - 1n);
      }
      const isMember = (place: Expression): boolean => {
        const read = regions.pointee(place);
        return read !== undefined && regions.find(read.node) === node && overlap(read.at, places);
      };
      // As where what is left of a buffer is compared with what is added: `count <= 32 - used`, then `used += count`.
      if (readsWhere(value, isMember)) for (const constant of comparedBeside(fn, isMember)) add('most', constant);
    }
  }
  if (found.size > 0 && initialisedBytes(member.object) === 0)
    for (const side of ['least', 'most'] as const) add(side, 0n);
  return [...found.values()];
}

/** True of what holds as the program begins, or cannot be computed. */
function atStart({ program, vocabulary }: TransitionSystem): (term: Term) => boolean {
  const { globals, memory } = new Machine(program);
  const view = new ConcreteView(vocabulary, { globals, memory, activation: undefined, activations: [] });
  return (term) => {
    try {
      return compile(term)(view.value) === true;
    } catch (error) {
      if (error instanceof NotComputable) return true;
      throw error;
    }
  };
}

/** The variable that a value is, but for its type. */
function numberIn(value: Expression): Variable | undefined {
  if (value.kind === 'convert') return numberIn(value.operand);
  return value.kind === 'read' ? value.variable : undefined;
}

/** Constants that a function compares the variable with. */
function comparedWith(fn: FunctionDefinition, variable: Variable | undefined): ReadonlySet<bigint> {
  const found = new Set<bigint>();
  if (!variable) return found;
  for (const { command } of fn.edges)
    if (command.kind === 'assume')
      walk(command.condition, (e) => {
        if (e.kind !== 'compare') return;
        for (const [one, other] of [
          [e.left, e.right],
          [e.right, e.left],
        ] as const)
          if (numberIn(one) === variable && other.kind === 'integer') found.add(other.value);
      });
  return found;
}

const readsWhere = (value: Expression, isWanted: (address: Expression) => boolean): boolean => {
  let isFound = false;
  walk(value, (e) => {
    isFound ||= e.kind === 'load' && isWanted(e.address);
  });
  return isFound;
};

/** Constants in comparisons of a function that read such a place. */
function comparedBeside(fn: FunctionDefinition, isWanted: (address: Expression) => boolean): ReadonlySet<bigint> {
  const found = new Set<bigint>();
  for (const { command } of fn.edges)
    if (command.kind === 'assume')
      walk(command.condition, (compared) => {
        if (compared.kind !== 'compare' || !readsWhere(compared, isWanted)) return;
        for (const side of [compared.left, compared.right])
          walk(side, (e) => {
            if (e.kind === 'integer') found.add(e.value);
          });
      });
  return found;
}

/** The condition of each element; none where memory has no such number. */
function saidOfAll(
  { object, type, offsetBytes, strideBytes, count }: Member,
  { side, value }: Bound,
  { builder, vocabulary, client }: TransitionSystem,
): readonly Term[] {
  const state = vocabulary.arbitraryState(client!.fn, new FreshSymbols('stored'));
  const bound = L.symbol('?n', L.bitsSort(32));
  const number: Variable = {
    kind: 'variable',
    scope: 'local',
    slot: state.locals.length,
    name: '?n',
    type: uint32,
    temporary: true,
  };
  const delta = binary('multiply', convert(read(number), int64), integer(strideBytes, int64));
  const place = offset(offset(startOf(object), delta), integer(offsetBytes, int64));
  const element = builder.evaluate(load(type, place), { ...state, locals: [...state.locals, bound] });
  if (isPointer(element)) return [];
  const atMost = type.signed ? L.sle : L.ule;
  const literal = L.bits(BigInt.asUintN(type.widthBits, value), type.widthBits);
  const holds = side === 'least' ? atMost(literal, element) : atMost(element, literal);
  const candidate = L.forall([bound], L.implies(L.ult(bound, L.bits(BigInt(count), 32)), holds));
  const isOfState = [...symbolsOf(candidate)].every((symbol) => vocabulary.meaning(symbol));
  return candidate.kind === 'forall' && isOfState ? [candidate] : [];
}
