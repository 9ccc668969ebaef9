/**
 * Failures that a client brings about by handing over memory again to which the module still has a pointer, as in
 * `add(&b, memory, n)` after `begin(&b, memory, size)`. `!PROVEST_SAME_OBJECT(bytes, b->at)` rules that out. It is
 * offered only if it is the cause: with other memory in its place the failure is gone, and all calls keep the
 * condition. A pointer that the module has returned counts as memory that it is given again.
 */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { CType } from '../../c/types';
import { type Argument, type Call, type Scenario } from '../../evidence/scenarios/scenario';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Fault } from '../../semantics/concrete/fault';
import { originalObject } from '../preconditions/distinctArguments';
import { endsFailure } from '../preconditions/experiment';
import type { Problem } from '../problem';
import { CallWatch, type StatedPrecondition } from './callWatch';
import { isObjectPointer, placesFrom, placesOfClients } from './clientPlaces';
import { precondition } from './specifications';

const limits = {
  /** Memory in place of what a function has returned: bytes, and elements that are no bytes. */
  standInBytes: 64,
  standInElements: 8,
  /** Places that may lead to the memory. */
  places: 24,
} as const;

/** The latest call first. */
export function separateObjects(
  problem: Problem,
  scenario: Scenario,
  fault: Fault,
  system: () => TransitionSystem,
): readonly StatedPrecondition[] {
  const again = handedOverAgain(scenario);
  if (again.length === 0) return [];
  const watch = new CallWatch(problem, system);
  const failing = watch.run(scenario)?.last;
  if (failing === undefined) return [];
  for (const { index, at } of again) {
    const other = index <= failing ? withOtherMemory(scenario, index, at) : undefined;
    if (!other || !endsFailure(watch.run(other), fault, failing)) continue;
    const functions = new Set([failing, index].map((call) => scenario.calls[call]!.fn));
    const found = [...functions].flatMap((fn) => {
      const offered = conditions(problem.program, fn);
      const brokenAfter = watch.findBroken(other, fn, offered);
      return [...watch.findBroken(scenario, fn, offered)].filter((one) => !brokenAfter.has(one));
    });
    if (found.length > 0) return found;
  }
  return [];
}

/** Arguments that an earlier call has been given, or has returned; the latest first. */
function handedOverAgain({ calls }: Scenario): readonly { readonly index: number; readonly at: number }[] {
  return calls
    .flatMap(({ arguments: given }, index) =>
      given.flatMap((argument, at) => (argument.kind === 'earlier' ? [{ index, at }] : [])),
    )
    .reverse();
}

/** In all calls of the function, since a condition is about all of them. */
function withOtherMemory(scenario: Scenario, index: number, at: number): Scenario | undefined {
  const { fn } = scenario.calls[index]!;
  const isAgain = (call: Call): boolean => call.fn === fn && call.arguments[at]?.kind === 'earlier';
  const calls = scenario.calls.map((call): Call | undefined => {
    if (!isAgain(call)) return call;
    const other = originalObject(scenario, call.arguments[at]!) ?? standIn(fn.parameters[at]?.ctype);
    return other && { fn, arguments: call.arguments.with(at, other) };
  });
  return calls.every((call) => call !== undefined) ? { ...scenario, calls } : undefined;
}

function standIn(type: CType | undefined): Argument | undefined {
  if (type?.kind !== 'pointer' || type.to.kind === 'function') return undefined;
  const of: CType =
    type.to.kind === 'void'
      ? { kind: 'integer', name: 'unsigned char', widthBits: 8, signed: false }
      : { ...type.to, const: false };
  if (of.kind === 'record') return { kind: 'object', type: of, contents: {} };
  const isByte = of.kind === 'integer' && of.widthBits === 8;
  const length = isByte ? limits.standInBytes : limits.standInElements;
  return { kind: 'object', type: { kind: 'array', of, length }, contents: [] };
}

/**
 * An argument, and another place: of two arguments `a != b` says it better, and of what two members lead to the client
 * knows nothing, once the module has written them.
 */
function conditions(program: Program, fn: FunctionDefinition): readonly StatedPrecondition[] {
  const ofClients = placesOfClients(fn).filter(isObjectPointer);
  const ofModule = [...program.symbols].flatMap(([text, { ctype: type }]) =>
    type.kind === 'array' ? [{ text, type }] : placesFrom({ text, type }).filter(isObjectPointer),
  );
  const texts = [...ofClients, ...ofModule].map(({ text }) => text).slice(0, limits.places);
  const parameters = new Set(fn.parameters.map(({ name }) => name));
  return texts.flatMap((left, i) =>
    i < ofClients.length
      ? texts.slice(i + 1).flatMap((right) => {
          if (parameters.has(left) === parameters.has(right)) return [];
          const one = precondition(program, fn.name, `!PROVEST_SAME_OBJECT(${left}, ${right})`);
          return one?.kind === 'requires' ? [one] : [];
        })
      : [],
  );
}
