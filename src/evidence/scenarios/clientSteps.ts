/** A scenario in the client's own words. */
import { printType } from '../../c/printType';
import { withoutQualifiers } from '../../c/target';
import type { CType } from '../../c/types';
import type { Variable } from '../../program/expression';
import type { Program, StaticObject } from '../../program/program';
import { passedStructure } from '../../program/passedStructure';
import { functionPart, mapFunctions, type PlainFunction } from '../../plainFunction';
import { mapPointers } from '../../plainPointer';
import type { ConcreteValue } from '../../semantics/concrete/concreteValues';
import { resultByValue } from '../../semantics/pointers/initialisers';
import type { RecordedInput } from '../../semantics/concrete/machine';
import type { ClientStep, ClientValue, SourceLocation, Plain } from '../../verdict';
import { inShort } from './plainContents';
import { type AnsweredObject, type EnvironmentAnswer, indexOf, type Scenario, type ScenarioRun } from './scenario';

/** The scenario as a test author would write it. */
export function clientSteps(scenario: Scenario, run: ScenarioRun, program: Program): ClientStep[] {
  const elsewhere = new Set(
    [...program.symbols].flatMap(([name, { place }]) => (isElsewhere(place, program) ? [name] : [])),
  );
  const written = new Set<string>();
  let called = false;
  const steps: ClientStep[] = [];
  const names = new Map<string, string>();
  const made = scenario.calls.slice(0, run.last + 1);
  // The result of a function that sets up the structure that it returns.
  const isResult = (call: number, at: number): boolean => {
    const { fn } = made[call] ?? {};
    const parameter = fn?.parameters[at];
    return fn !== undefined && parameter !== undefined && passedStructure(fn, parameter)?.as === 'result';
  };
  const used = new Set(
    made.flatMap((call) =>
      call.arguments.flatMap((argument) =>
        argument.kind === 'earlier' && (argument.argument === -1 || isResult(argument.call, argument.argument))
          ? [argument.call]
          : [],
      ),
    ),
  );
  const taken = new Set([...used].map(resultName));
  const fresh = (wanted: string): string => {
    let name = wanted;
    for (let n = 2; taken.has(name); n++) name = `${wanted}${n}`;
    taken.add(name);
    return name;
  };
  const functionNamed = ({ name: type, index }: PlainFunction, wanted = 'callback'): string => {
    const key = `${type} ${index}`;
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = fresh(wanted);
    names.set(key, name);
    steps.push({ kind: 'function', name, type });
    return name;
  };
  const withNames = (contents: Plain, call: number): Plain =>
    mapPointers(
      mapFunctions(inShort(contents), (fn, wanted) => functionPart(functionNamed(fn, wanted))),
      (at, index) => pointerTo(call, at, index),
    );
  // Made simpler, the argument referred to may be null by now.
  const pointerTo = (call: number, at: number, index = indexOf(made[call]?.arguments[at]) ?? 0): Plain => {
    const argument = made[call]?.arguments[at];
    if (isResult(call, at)) return functionPart(resultName(call));
    if (argument?.kind === 'object')
      return functionPart(objectNamed(call, at, argument), index === 0 ? undefined : index);
    if (argument?.kind !== 'earlier') return null;
    return argument.argument === -1
      ? functionPart(resultName(argument.call))
      : pointerTo(argument.call, argument.argument, index);
  };
  /** Made before what leads to it. */
  const objectNamed = (call: number, at: number, { type, contents }: AnsweredObject): string => {
    const known = names.get(`${call}.${at}`);
    if (known !== undefined) return known;
    const value = withNames(asText(type, contents), call);
    const name = fresh(made[call]?.fn.parameters[at]?.name ?? 'object');
    names.set(`${call}.${at}`, name);
    steps.push({ kind: 'allocate', name, type: printType(withoutQualifiers(type)), value });
    return name;
  };
  made.forEach((call, index) => {
    const given = call.arguments.flatMap((argument, at): ClientValue | readonly ClientValue[] => {
      const structure = passedStructure(call.fn, call.fn.parameters[at]!);
      if (structure)
        return structure.as === 'argument' && argument.kind === 'object'
          ? { kind: 'value', value: withNames(argument.contents, index) }
          : [];
      const type = call.fn.parameters[at]?.ctype;
      switch (argument.kind) {
        case 'scalar':
          return { kind: 'value', value: plainScalar(argument.value, type) };
        case 'function': {
          return {
            kind: 'object',
            name: functionNamed({ name: argument.fn.name, index: argument.index }, call.fn.parameters[at]?.name),
          };
        }
        case 'earlier': {
          // Made simpler, the argument referred to may be null by now.
          const before = made[argument.call]?.arguments[argument.argument];
          if (before?.kind === 'scalar') return { kind: 'value', value: plainScalar(before.value, type) };
          const name = names.get(`${argument.call}.${argument.argument}`) ?? resultName(argument.call);
          return { kind: 'object', name, ...(argument.index !== undefined && { index: argument.index }) };
        }
        case 'object': {
          const name = objectNamed(index, at, argument);
          return { kind: 'object', name, ...(argument.index !== undefined && { index: argument.index }) };
        }
      }
    });
    const asked = index === run.last ? run.inputs : [];
    let next = 0;
    for (const answer of run.answers.filter((a) => a.call === index)) {
      if (elsewhere.has(/^\w*/.exec(answer.name)![0])) {
        if (asked[next]?.name === answer.name) next++;
        // All variables are 0 until something is written, perhaps by a call.
        if (answer.value === 0 && !called && !written.has(answer.name)) continue;
        written.add(answer.name);
        steps.push({
          kind: 'input',
          function: answer.name,
          value: plainScalar(answer.value, undefined),
          written: true,
        });
        continue;
      }
      const recorded =
        asked[next]?.name === answer.name && answer.sideEffects?.afterSilent === undefined ? asked[next++] : undefined;
      steps.push({
        kind: 'input',
        function: answer.name,
        value:
          answer.sideEffects?.afterSilent !== undefined
            ? null
            : answerOf(answer, (contents) => withNames(contents, index)),
        ...(recorded && { place: endOf(recorded) }),
        ...(answer.told && { does: answer.told }),
      });
    }
    if (call.fn.writes !== undefined) return;
    called = true;
    const returned = resultByValue(call.fn);
    steps.push({
      kind: 'call',
      function: call.fn.name,
      arguments: given,
      ...(used.has(index) && { name: resultName(index) }),
      ...(used.has(index) && returned && { structure: printType({ kind: 'record', record: returned }) }),
    });
  });
  return steps;
}

const isElsewhere = (place: Variable | StaticObject, { globals }: Program): boolean =>
  (place.kind === 'variable' ? globals[place.slot]?.elsewhere : place.elsewhere) === true;

const resultName = (call: number): string => `result${call + 1}`;

/** The closing parenthesis of the call. */
function endOf({ span, function: fn }: RecordedInput): SourceLocation {
  const { line, column } = span.file.position(Math.max(span.start, span.end - 1));
  return { file: span.file.path, line, column, function: fn.name };
}

/** An object is the array of its elements, as tests write it. */
function answerOf({ value, type, object }: EnvironmentAnswer, withNames: (contents: Plain) => Plain): Plain {
  if (object) return withNames(asText(object.type, object.contents));
  // `malloc` answers whether there is an object.
  return type.kind === 'pointer' && value === 0 ? null : plainScalar(value, undefined);
}

function plainScalar(value: ConcreteValue, type: CType | undefined): Plain {
  if (type?.kind === 'pointer') return null;
  if (type?.kind === 'integer' && type.name === 'bool') return value !== 0;
  return value;
}

/** Characters that a text can show, and a 0 at the end of the array, are a text. */
function asText(type: CType, contents: Plain): Plain {
  if (type.kind !== 'array' || type.of.kind !== 'integer' || type.of.name !== 'char' || !Array.isArray(contents))
    return contents;
  const isText =
    contents.length > 1 &&
    contents.length === type.length &&
    contents.every((c, i) => (i === contents.length - 1 ? c === 0 : Number(c) >= 32 && Number(c) < 127));
  return isText ? String.fromCharCode(...contents.slice(0, -1).map(Number)) : contents;
}
