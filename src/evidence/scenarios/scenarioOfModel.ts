/**
 * From a model of symbolic calls to a scenario that can be run: arguments, objects of the client's own, answers of the
 * environment.
 */
import { readArray } from '../../logic/arrays/arrayValue';
import type { ArrayValue, Term } from '../../logic/term';
import { scalarOf } from '../../abstraction/transitionSystem/concreteView';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { sizeOf } from '../../c/layout';
import type { CType, DataModel } from '../../c/types';
import { decode } from '../../host/values/decode';
import { namedFields } from '../../host/values/encode';
import type { Scalar, Variable } from '../../program/expression';
import { passedStructure, type PassedStructure } from '../../program/passedStructure';
import type { FunctionDefinition } from '../../program/program';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import { cellsIn } from '../../semantics/pointers/slotLayout';
import { isPointer, type SymbolicValue } from '../../semantics/symbolic/symbolicValues';
import type { Model } from '../../solver/solver';
import type { Plain } from '../../verdict';
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
  const made = new Map<string, { call: number; argument: number }>();
  const scalar = (term: Term, type: Scalar, ctype: CType | undefined): ConcreteValue =>
    choose?.(term, type, ctype) ?? scalarOf(model.evaluate(term) as bigint, type);
  return {
    calls: calls.map(({ fn, locals, contents }, index): Call => ({
      fn,
      arguments: isProgramStart(fn)
        ? startArguments(
            fn,
            textsOfModel(
              system,
              fn,
              Number(scalar(locals[fn.parameters[0]!.slot] as Term, fn.parameters[0]!.type, undefined)),
              locals,
              contents,
              model,
            ),
          )
        : fn.parameters.map((parameter, at): Argument => {
            const value = locals[parameter.slot]!;
            if (!isPointer(value)) return { kind: 'scalar', value: scalar(value, parameter.type, parameter.ctype) };
            const object = model.evaluate(value.object) as bigint;
            const structure = passedStructure(fn, parameter);
            if (structure) return structureInModel(system, parameter, object, structure, contents, model);
            if (object === 0n || parameter.ctype?.kind !== 'pointer') return { kind: 'scalar', value: 0 };
            const known = made.get(String(object));
            if (known) return { kind: 'earlier', ...known };
            made.set(String(object), { call: index, argument: at });
            return objectInModel(system, parameter, object, parameter.ctype.to, contents, model);
          }),
    })),
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
    contents: decoded(bytesInModel(system, parameter, id, unit, contents, model), element, system),
  };
}

/** The client's object that a pointer argument names: size and contents as the model has them, pointers inside null. */
function objectInModel(
  system: TransitionSystem,
  parameter: Variable,
  id: bigint,
  to: CType,
  contents: readonly Term[],
  model: Model,
): Argument {
  const { memoryModel, program } = system;
  const element: CType =
    to.kind === 'void' ? { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false } : to;
  const unit = sizeOf(element, program.dataModel);
  if (!unit) return { kind: 'scalar', value: 0 };
  const sizes = model.evaluate(contents[memoryModel.size.index]!) as ArrayValue;
  const size = Number(readArray(sizes, id) as bigint);
  const count = Math.max(1, Math.min(Math.floor(size / unit), 4096));
  const bytes = bytesInModel(system, parameter, id, count * unit, contents, model);
  const type: CType = { kind: 'array', of: { ...element, const: false }, length: count };
  const contentsInC = decoded(bytes, type, system);
  return count === 1 && element.kind === 'record'
    ? { kind: 'object', type: element, contents: (contentsInC as Plain[])[0]! }
    : { kind: 'object', type, contents: contentsInC };
}

const decoded = (bytes: Uint8Array, type: CType, { program }: TransitionSystem): Plain =>
  asWritten(
    decode({ bytes, initialised: () => true }, 0, type, program.dataModel, () => null) as Plain,
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
  parameter: Variable,
  id: bigint,
  size: number,
  contents: readonly Term[],
  model: Model,
): Uint8Array {
  const bytes = new Uint8Array(size);
  const node = memoryModel.regions.pointee({ kind: 'read', type: parameter.type, variable: parameter })?.node;
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
