/**
 * A scenario as text, and back: functions by name, types as C writes them. What is read is only a claim; the evaluator
 * replays it, and that no client could do it at all (a value beyond its type, a pointer from nowhere, too small an
 * object) is found out here.
 */
import { sizeOf } from '../c/layout';
import { printType } from '../c/printType';
import type { CType, PointerType } from '../c/types';
import {
  isUninitialised,
  type AnsweredObject,
  type Argument,
  type Call,
  type EnvironmentAnswer,
  type Scenario,
} from '../evidence/scenarios/scenario';
import { recallEffects, storeEffects } from './storedExternalEffects';
import { encode } from '../host/values/encode';
import { nullAddress, type HostAddress } from '../host/layout';
import { parseType } from '../host/typeText';
import { asFunction } from '../plainFunction';
import { asPointer } from '../plainPointer';
import type { Plain } from '../verdict';
import type { Scalar } from '../program/expression';
import { clientFunctionFor, passedFunctions } from '../semantics/pointers/passedFunctions';
import { passedStructure } from '../program/passedStructure';
import type { FunctionDefinition, Program } from '../program/program';
import { isWide, wrapInteger, type ConcreteValue } from '../semantics/concrete/concreteValues';
import { recallNumber, recallValue, storeValue, type Stored } from './storedValue';

export function storeScenario({ calls, answers }: Scenario): Stored {
  return {
    calls: calls.map(({ fn, arguments: args }) => ({ function: fn.name, arguments: args.map(storeArgument) })),
    answers: answers.map(({ name, value, type, object, sideEffects }) => ({
      name,
      value: storeValue(value),
      type,
      ...(object && { object: { type: printType(object.type), contents: storeValue(object.contents) } }),
      ...(sideEffects && { does: storeEffects(sideEffects) }),
    })),
  };
}

/** Undefined when it does not fit the program. */
export function recallScenario(stored: Stored, program: Program): Scenario | undefined {
  try {
    const { calls, answers } = stored as {
      calls: { function: string; arguments: Stored[] }[];
      answers: {
        name: string;
        value: Stored;
        type: Scalar;
        object?: { type: string; contents: Stored };
        does?: Stored;
      }[];
    };
    const scenario: Scenario = {
      calls: calls.map((call): Call => {
        const fn = program.functionByName.get(call.function);
        if (!fn || call.arguments.length !== fn.parameters.length)
          throw new TypeError(`no such function: ${call.function}`);
        return { fn, arguments: call.arguments.map((argument) => recallArgument(argument, program)) };
      }),
      answers: answers.map(({ name, value, type, object, does }): EnvironmentAnswer => ({
        name: String(name),
        value: recallNumber(value),
        type,
        ...(object && {
          object: { type: parseType(object.type, program), contents: recallValue(object.contents) },
        }),
        ...(does !== undefined && { sideEffects: recallEffects(does) }),
      })),
    };
    return isLegal(scenario, program) ? scenario : undefined;
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Could a client do this, and the environment answer it, as far as types tell? */
function isLegal({ calls, answers }: Scenario, program: Program): boolean {
  const fits = (argument: Argument, fn: FunctionDefinition, at: number, index: number): boolean => {
    const parameter = fn.parameters[at]!;
    const { ctype, type } = parameter;
    const target = ctype?.kind === 'pointer' ? ctype.to : passedStructure(fn, parameter)?.type;
    switch (argument.kind) {
      case 'scalar':
        return inRange(argument.value, type) && !(isBool(ctype) && Number(argument.value) > 1);
      case 'object':
        // Throws a TypeError where the contents are not of the type.
        checkContents(argument.type, argument.contents, fn, program);
        return (
          target !== undefined &&
          isIndex(argument.index) &&
          (isArrayOf(argument.type, target) ||
            (sizeOf(argument.type, program.dataModel) ?? 0) >= (sizeOf(target, program.dataModel) ?? 1))
        );
      case 'function':
        return passedFunctions(parameter.ctype, program)?.ofClients === argument.fn;
      case 'earlier': {
        const call = calls[argument.call];
        const made = call && pointerFrom(call.fn, argument.argument);
        return (
          (argument.call < index || (argument.call === index && argument.argument < at)) &&
          isIndex(argument.index) &&
          target !== undefined &&
          made?.kind === 'pointer' &&
          unqualified(made.to) === unqualified(target)
        );
      }
    }
  };
  const resultOf = new Map(
    program.externals.map(({ name, ctype }) => [name, ctype.kind === 'function' ? ctype.result : undefined]),
  );
  return (
    calls.every(({ fn, arguments: args }, index) => args.every((argument, at) => fits(argument, fn, at, index))) &&
    answers.every(
      ({ name, value, type, object }) =>
        (!object || (value === 0 && isLegalObject(object, resultOf.get(name), program))) &&
        inRange(value, type, name === 'malloc') &&
        !((isBool(resultOf.get(name)) || (isUninitialised({ name }) && isByte(type))) && Number(value) > 1),
    )
  );
}

/** The type of what another call may get: a result, an argument, or the object for a structure returned by value. */
function pointerFrom(fn: FunctionDefinition, at: number): CType | undefined {
  const parameter = fn.parameters[at];
  if (!parameter) return at === -1 ? fn.resultVariable?.ctype : undefined;
  const structure = passedStructure(fn, parameter);
  return structure?.as === 'result' ? { kind: 'pointer', to: structure.type } : parameter.ctype;
}

/** The length does not matter: no elements stand for a pointer to the end of an object (C11 6.5.6p8). */
const isArrayOf = (type: CType, element: CType): boolean =>
  type.kind === 'array' && unqualified(type.of) === unqualified(element);

/** The type without qualifiers, also behind pointers: what is read from text has lost them. */
const unqualified = (type: CType): string => printType(type).replace(/\b(?:const|volatile)\b ?/g, '');

/**
 * Throws a TypeError for contents that are not of the type. Pointers lead to objects of theirs, or to those of other
 * arguments for `fn`.
 */
function checkContents(type: CType, contents: Plain, fn: FunctionDefinition, program: Program): void {
  const addressOf = (part: Plain, { to }: PointerType): HostAddress => {
    const pointer = asPointer(part);
    if (pointer?.kind === 'argument') {
      const of = fn.parameters[pointer.argument]?.ctype;
      if (of?.kind !== 'pointer' || unqualified(of.to) !== unqualified(to)) notFromOutside();
    } else if (!pointer && isFunctionOfClients(part, to, program)) return nullAddress;
    else if (!pointer || to.kind === 'void' || to.kind === 'function') notFromOutside();
    else if (Array.isArray(pointer.contents))
      checked({ kind: 'array', of: to, length: pointer.contents.length }, pointer.contents);
    else checked(to, pointer.contents);
    return nullAddress;
  };
  const checked = (of: CType, within: Plain): void => {
    encode(within, of, 'argument', {
      model: program.dataModel,
      addressOf: (part, to) => addressOf(part as Plain, to),
    });
  };
  checked(type, contents);
}

/** A function of the client's of this type. */
function isFunctionOfClients(part: Plain, type: CType, program: Program): boolean {
  const fn = asFunction(part);
  return (
    fn !== undefined &&
    Number.isInteger(fn.index) &&
    fn.index >= 0 &&
    clientFunctionFor(type, program)?.name === fn.name
  );
}

/** An array of what the function's result points to. */
function isLegalObject({ type, contents }: AnsweredObject, result: CType | undefined, program: Program): boolean {
  // Throws a TypeError where the contents are not of the type.
  encode(contents, type, 'answer', { model: program.dataModel, addressOf: () => notFromOutside() });
  return (
    result?.kind === 'pointer' &&
    type.kind === 'array' &&
    (result.to.kind === 'void' || unqualified(result.to) === unqualified(type.of))
  );
}

function notFromOutside(): never {
  throw new TypeError('this pointer leads to nothing that a client has');
}

/** Pointers are null; `chosen`: 0 or 1, which say whether there is an object. */
function inRange(value: ConcreteValue, type: Scalar, chosen = false): boolean {
  switch (type.kind) {
    case 'pointer':
      return value === 0 || (chosen && value === 1);
    case 'integer':
      return (
        (typeof value === 'bigint') === isWide(type) &&
        (typeof value === 'bigint' || Number.isInteger(value)) &&
        wrapInteger(BigInt(value), type) === value
      );
    case 'float':
      return (
        typeof value === 'number' && Number.isFinite(value) && (type.widthBits === 64 || Math.fround(value) === value)
      );
  }
}

const isBool = (type: CType | undefined): boolean => type?.kind === 'integer' && type.name === 'bool';
const isByte = (type: Scalar): boolean => type.kind === 'integer' && type.widthBits === 8 && !type.signed;

function storeArgument(argument: Argument): Stored {
  switch (argument.kind) {
    case 'scalar':
      return { kind: 'scalar', value: storeValue(argument.value) };
    case 'object':
      return {
        kind: 'object',
        type: printType(argument.type),
        contents: storeValue(argument.contents),
        ...(argument.index !== undefined && { index: argument.index }),
      };
    case 'earlier':
      return argument;
    case 'function':
      return { kind: 'function', function: argument.fn.name, index: argument.index };
  }
}

const recallIndex = (index: number | undefined): { readonly index?: number } =>
  index === undefined ? {} : { index: Number(index) };

/** That the object has so many elements is found out when it is made. */
const isIndex = (index: number | undefined): boolean => index === undefined || (Number.isInteger(index) && index >= 0);

function recallArgument(stored: Stored, program: Program): Argument {
  const argument = stored as {
    kind: string;
    value: Stored;
    type: string;
    contents: Stored;
    call: number;
    argument: number;
    function: string;
    index: number;
  };
  switch (argument.kind) {
    case 'scalar':
      return { kind: 'scalar', value: recallNumber(argument.value) };
    case 'object':
      return {
        kind: 'object',
        type: parseType(argument.type, program),
        contents: recallValue(argument.contents),
        ...recallIndex(argument.index),
      };
    case 'earlier':
      return {
        kind: 'earlier',
        call: Number(argument.call),
        argument: Number(argument.argument),
        ...recallIndex(argument.index),
      };
    case 'function': {
      const fn = program.clientFunctions.find(({ name }) => name === argument.function);
      if (!fn || !Number.isInteger(argument.index) || argument.index < 0)
        throw new TypeError(`no such function of a client's: ${argument.function}`);
      return { kind: 'function', fn, index: argument.index };
    }
    default:
      throw new TypeError(`no such kind of argument: ${argument.kind}`);
  }
}
