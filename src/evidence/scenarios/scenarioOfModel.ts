/**
 * From a model of symbolic calls to a scenario that can be run: arguments, objects of the client's own, answers of the
 * environment.
 */
import { isValidInModel } from '../../abstraction/predicates/validInModel';
import { readArray } from '../../logic/arrays/arrayValue';
import type { ArrayValue, Term } from '../../logic/term';
import { scalarOf } from '../../abstraction/transitionSystem/concreteView';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { sizeOf } from '../../c/layout';
import type { CType, DataModel } from '../../c/types';
import { decode, type DecodePointer } from '../../host/values/decode';
import { namedFields } from '../../host/values/encode';
import type { Scalar, Variable } from '../../program/expression';
import { elementBytes } from '../../semantics/pointers/clientObjects';
import { pointerToArgument, pointerToFresh } from '../../plainPointer';
import { exactly } from '../../program/congruence';
import { passedStructure, type PassedStructure } from '../../program/passedStructure';
import type { FunctionDefinition } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import { type Node, pointerBytes } from '../../semantics/pointers/regionNode';
import { cellsIn } from '../../semantics/pointers/slotLayout';
import { isPointer, type SymbolicValue } from '../../semantics/symbolic/symbolicValues';
import type { Model } from '../../solver/solver';
import type { Plain } from '../../verdict';
import { isSameType } from './clientObjects';
import type { AnsweredObject, Argument, Call, EnvironmentAnswer, Scenario } from './scenario';
import { isProgramStart } from '../../program/programStart';
import { startArguments } from './programStart';
import { textsOfModel } from './textsOfModel';

/** A call that was made: what its parameters and memory are when it begins. */
export interface CallInModel {
  readonly fn: FunctionDefinition;
  readonly locals: readonly SymbolicValue[];
  readonly contents: readonly Term[];
}
/** Answers of the environment, in order. */
export interface AnswerInModel {
  readonly kind: 'input' | 'havoc';
  readonly name: string;
  readonly type: Scalar;
  readonly value: SymbolicValue;
}

/** `choose`: a value for what the model leaves open; default as in the model. */
export function scenarioOfModel(
  system: TransitionSystem,
  calls: readonly CallInModel[],
  answers: readonly AnswerInModel[],
  model: Model,
  choose?: (term: Term, type: Scalar, ctype: CType | undefined) => ConcreteValue | undefined,
): Scenario {
  const made = new Map<string, MadeArgument>();
  const scalar = (term: Term, type: Scalar, ctype: CType | undefined): ConcreteValue =>
    choose?.(term, type, ctype) ?? scalarOf(model.evaluate(term) as bigint, type);
  const argument = ({ fn, locals, contents }: CallInModel, call: number, at: number): Argument => {
    const parameter = fn.parameters[at]!;
    const value = locals[parameter.slot]!;
    if (!isPointer(value)) return { kind: 'scalar', value: scalar(value, parameter.type, parameter.ctype) };
    const object = model.evaluate(value.object) as bigint;
    const structure = passedStructure(fn, parameter);
    if (structure) return structureInModel(system, parameter, object, structure, contents, model);
    if (object === 0n || parameter.ctype?.kind !== 'pointer') return { kind: 'scalar', value: 0 };
    const known = made.get(String(object));
    const index = elementInModel(system, parameter, model.evaluate(value.offset) as bigint);
    if (known && !(known.call === call && known.argument === at))
      return { kind: 'earlier', call: known.call, argument: known.argument, ...index };
    const of = { system, contents, model, call, made, left: limits.nested, within: [] };
    const found = objectInModel(of, parameter, object);
    return found.kind === 'object' ? { ...found, ...index } : found;
  };
  return {
    calls: calls.map((call, index): Call => {
      const { fn, locals, contents } = call;
      if (isProgramStart(fn)) {
        const count = Number(scalar(locals[fn.parameters[0]!.slot] as Term, fn.parameters[0]!.type, undefined));
        return { fn, arguments: startArguments(fn, textsOfModel(system, fn, count, locals, contents, model)) };
      }
      noteArguments(call, index, model, system.options.interior, made);
      return { fn, arguments: fn.parameters.map((_, at) => argument(call, index, at)) };
    }),
    answers: answers.map(({ kind, name, type, value }): EnvironmentAnswer => {
      const isObject = kind === 'input' && isPointer(value) && model.evaluate(value.object) !== 0n;
      const object = isObject ? answeredObject(system, name) : undefined;
      return {
        name: kind === 'havoc' ? `uninitialised ${name}` : name,
        type,
        value: isPointer(value) ? 0 : scalar(value, type, undefined),
        ...(object && { object }),
      };
    }),
  };
}

/** The element that an interior pointer leads to; other arguments point to the beginning of what they make. */
function elementInModel(
  { options, program }: TransitionSystem,
  parameter: Variable,
  offset: bigint,
): { readonly index?: number } {
  if (offset === 0n || !options.interior?.has(parameter)) return {};
  const to = parameter.ctype?.kind === 'pointer' ? parameter.ctype.to : undefined;
  return { index: Math.floor(Number(offset) / elementBytes(to, program.dataModel)) };
}

/** An argument that makes an object, with the type of that. */
interface MadeArgument {
  readonly call: number;
  readonly argument: number;
  readonly to: CType;
  /** In the model. */
  readonly offset: bigint;
  readonly isInterior: boolean;
}

/** The first argument that points to an object makes it. */
function noteArguments(
  { fn, locals }: CallInModel,
  call: number,
  model: Model,
  interior: TransitionSystem['options']['interior'],
  made: Map<string, MadeArgument>,
): void {
  fn.parameters.forEach((parameter, argument) => {
    const value = locals[parameter.slot]!;
    if (!isPointer(value) || parameter.ctype?.kind !== 'pointer' || passedStructure(fn, parameter)) return;
    const object = model.evaluate(value.object) as bigint;
    if (object !== 0n && !made.has(String(object)))
      made.set(String(object), {
        call,
        argument,
        to: parameter.ctype.to,
        offset: model.evaluate(value.offset) as bigint,
        isInterior: interior?.has(parameter) === true,
      });
  });
}

/** One element of the declared type, all zeros. The model has its contents at another moment only. */
function answeredObject(system: TransitionSystem, name: string): AnsweredObject | undefined {
  const { program } = system;
  const ctype = program.externals.find((one) => one.name === name)?.ctype;
  const to = ctype?.kind === 'function' && ctype.result.kind === 'pointer' ? ctype.result.to : undefined;
  const element: CType | undefined =
    to?.kind === 'void' ? { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false } : to;
  const sizeBytes = element && sizeOf(element, program.dataModel);
  if (!element || !sizeBytes) return undefined;
  const type: CType = { kind: 'array', of: { ...element, const: false }, length: 1 };
  return { type, contents: decoded(new Uint8Array(sizeBytes), type, system) };
}

/** A structure that is passed, or the place for one that is returned. */
function structureInModel(
  system: TransitionSystem,
  parameter: Variable,
  id: bigint,
  { as, type }: PassedStructure,
  contents: readonly Term[],
  model: Model,
): Argument {
  const element: CType = { ...type, const: false };
  if (as === 'result') return { kind: 'object', type: element, contents: {} };
  const unit = sizeOf(element, system.program.dataModel) ?? 0;
  return {
    kind: 'object',
    type: element,
    contents: decoded(bytesInModel(system, pointeeOf(parameter, system), id, unit, contents, model), element, system),
  };
}

/** The client's object that a pointer argument names: size and contents as the model has them. */
function objectInModel(of: ObjectsOfCall, parameter: Variable, id: bigint): Argument {
  const to = parameter.ctype?.kind === 'pointer' ? parameter.ctype.to : undefined;
  const element: CType | undefined =
    to?.kind === 'void' ? { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false } : to;
  const found = element && elementsInModel(of, pointeeOf(parameter, of.system), id, element);
  if (!found) return { kind: 'scalar', value: 0 };
  const type: CType = { kind: 'array', of: { ...element, const: false }, length: found.length };
  return found.length === 1 && element.kind === 'record'
    ? { kind: 'object', type: element, contents: found[0]! }
    : { kind: 'object', type, contents: found };
}

const pointeeOf = (parameter: Variable, { memoryModel }: TransitionSystem): Node | undefined =>
  memoryModel.regions.pointee({ kind: 'read', type: parameter.type, variable: parameter })?.node;

const limits = {
  /** Elements of an object. */
  elements: 4096,
  /** Pointers that lead on from one another inside objects of clients. */
  depth: 4,
  /** Objects that pointers inside others lead to, and elements of one. */
  nested: 16,
} as const;

/** Objects that clients make for one call. */
interface ObjectsOfCall {
  readonly system: TransitionSystem;
  readonly contents: readonly Term[];
  readonly model: Model;
  readonly call: number;
  /** Arguments by the object they point to. */
  readonly made: ReadonlyMap<string, MadeArgument>;
  /** Number of objects that pointers may still lead to. */
  left: number;
  /** Objects whose contents are being made, outermost first. */
  readonly within: bigint[];
}

/** Undefined for a type that has no size. */
function elementsInModel(
  of: ObjectsOfCall,
  node: Node | undefined,
  id: bigint,
  element: CType,
  most: number = limits.elements,
): readonly Plain[] | undefined {
  const { memoryModel, program } = of.system;
  const unit = sizeOf(element, program.dataModel);
  if (!unit) return undefined;
  const sizes = of.model.evaluate(of.contents[memoryModel.size.index]!) as ArrayValue;
  const size = Number(readArray(sizes, id) as bigint);
  const count = Math.max(1, Math.min(Math.floor(size / unit), most));
  const bytes = bytesInModel(of.system, node, id, count * unit, of.contents, of.model);
  const pointers = pointersInModel(of, node, id, bytes);
  const type: CType = { kind: 'array', of: { ...element, const: false }, length: count };
  of.within.push(id);
  const found = decoded(bytes, type, of.system, ({ object }, to) => pointerInModel(of, pointers[object - 1], to));
  of.within.pop();
  return found as readonly Plain[];
}

/** A pointer inside an object of a model. */
interface PointerInModel {
  readonly object: bigint;
  readonly offset: bigint;
  /** The object it leads to, as far as the program looks there. */
  readonly target: Node | undefined;
}

/** Writes, in place of each pointer that is not null, a pointer to the object with its number in the result. */
function pointersInModel(
  { system: { memoryModel, program }, contents, model }: ObjectsOfCall,
  node: Node | undefined,
  id: bigint,
  bytes: Uint8Array,
): readonly PointerInModel[] {
  const { regions, half } = memoryModel;
  const found: PointerInModel[] = [];
  for (const { index, role } of node ? memoryModel.slotVariables(node) : []) {
    if (role.kind !== 'slot' || role.part !== 'object' || role.slot === 'byte') continue;
    const offsets = memoryModel.slot(role.node, role.slot, 'offset');
    if (!offsets || role.addressing === 'plain' || role.addressing === 'by-offset') continue;
    const arrays = [index, offsets.index].map((at) => model.evaluate(contents[at]!) as ArrayValue);
    for (const at of cellsIn(regions.layout(role.node), role.slot, bytes.length)) {
      const place = role.addressing === 'by-object' ? id : (id << BigInt(half)) | BigInt(at);
      const [object, offset] = arrays.map((array) => readArray(array, place) as bigint) as [bigint, bigint];
      if (object === 0n) continue;
      const valid = memoryModel.validMembers.at(role.node, role.slot);
      if (valid && !isValidInModel(object, offset, valid, memoryModel, contents, model)) continue;
      const number = found.push({ object, offset, target: regions.storedAt(role.node, exactly(at))?.node });
      const upper = at + pointerBytes(program) / 2;
      for (let i = 0; i < half / 8; i++) bytes[upper + i] = (number >> (8 * i)) & 0xff;
    }
  }
  return found;
}

/**
 * Null where the pointer leads to nothing that clients make: into the middle of another argument's object (unless that
 * argument may itself lead there), to one of the module's, or back to where it comes from.
 */
function pointerInModel(of: ObjectsOfCall, pointer: PointerInModel | undefined, to: CType): Plain {
  if (!pointer || to.kind === 'void' || to.kind === 'function') return null;
  const { object: id, offset, target } = pointer;
  if (id <= BigInt(of.system.memoryModel.lastStatic) || of.within.includes(id)) return null;
  const known = of.made.get(String(id));
  if (known) {
    if (known.call !== of.call || !isSameType(known.to, to)) return null;
    if (known.offset === offset) return pointerToArgument(known.argument);
    const index = Number(offset) / elementBytes(to, of.system.program.dataModel);
    return known.isInterior && Number.isInteger(index) && index >= 0 ? pointerToArgument(known.argument, index) : null;
  }
  if (!target || of.within.length >= limits.depth || of.left-- <= 0) return null;
  const elements = elementsInModel(of, target, id, to, limits.nested);
  if (!elements) return null;
  return pointerToFresh(elements.length === 1 && to.kind === 'record' ? elements[0]! : elements);
}

const decoded = (
  bytes: Uint8Array,
  type: CType,
  { program }: TransitionSystem,
  onPointer: DecodePointer = () => null,
): Plain =>
  asWritten(
    decode({ bytes, isInitialised: () => true }, 0, type, program.dataModel, onPointer) as Plain,
    type,
    program.dataModel,
  );

/** Keeps a union's largest member, which says most of it: one can be written at a time. */
function asWritten(value: Plain, type: CType, model: DataModel): Plain {
  if (type.kind === 'array') return (value as readonly Plain[]).map((element) => asWritten(element, type.of, model));
  if (type.kind !== 'record') return value;
  const size = (field: (typeof fields)[number]): number =>
    field.type.kind === 'pointer' ? 0 : (sizeOf(field.type, model) ?? 0);
  const fields = namedFields(type);
  const written = type.record.keyword === 'union' ? [...fields].sort((a, b) => size(b) - size(a)).slice(0, 1) : fields;
  return Object.fromEntries(
    written.map((field) => [
      field.name,
      asWritten((value as { readonly [name: string]: Plain })[field.name]!, field.type, model),
    ]),
  );
}

function bytesInModel(
  { memoryModel }: TransitionSystem,
  node: Node | undefined,
  id: bigint,
  size: number,
  contents: readonly Term[],
  model: Model,
): Uint8Array {
  const bytes = new Uint8Array(size);
  for (const variable of node ? memoryModel.slotVariables(node) : []) {
    const { role } = variable;
    if (role.kind !== 'slot' || role.part !== 'value' || role.addressing === 'plain' || role.addressing === 'by-offset')
      continue;
    const layout = memoryModel.regions.layout(role.node);
    const array = model.evaluate(contents[variable.index]!) as ArrayValue;
    for (const offset of cellsIn(layout, role.slot, bytes.length)) {
      const value = readArray(
        array,
        role.addressing === 'by-object' ? id : (id << BigInt(memoryModel.half)) | BigInt(offset),
      ) as bigint;
      for (let i = 0; i < (role.slot === 'byte' ? 1 : role.slot.bytes); i++)
        bytes[offset + i] = Number((value >> BigInt(8 * i)) & 0xffn);
    }
  }
  return bytes;
}
