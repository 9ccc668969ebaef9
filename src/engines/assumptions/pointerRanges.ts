/**
 * Pointer arithmetic that may leave its object (C11 6.5.6p8), though a pointer is checked only when it is used. An
 * offset may be any number until then, as in flat memory. A verdict lists these places.
 *
 * Left out are steps by a constant that an access shows to stay inside: one before the step on every path, as in
 * `while (*s) s++`, or one that follows in a straight line, as in `*p++`. An access of n bytes at a distance d from a
 * pointer shows that the positions from d to d + n lie in the object, or just behind it.
 */
import type { Span } from '../../c/source';
import type { Command } from '../../program/command';
import type { Expression, Variable } from '../../program/expression';
import type { Edge, FunctionDefinition, Location, Program } from '../../program/program';
import { targetOf, walk } from '../../program/traverse';

/** Commands that are looked at for one step. */
const mostCommands = 400;

/** The places in the user's own functions, in program order, each perhaps several times. */
export function mayLeaveObject(program: Program): readonly Span[] {
  return program.functions
    .filter((fn) => !fn.library)
    .flatMap((fn) => {
      const steps = fn.edges.filter(({ command }) => isStep(command));
      if (steps.length === 0) return [];
      const before = edgesInto(fn);
      return steps.filter((step) => !staysInside(step, fn, before)).map(({ span }) => span);
    });
}

const isStep = (command: Command): boolean => command.kind === 'check' && command.check === 'pointer-arithmetic';

function edgesInto({ edges }: FunctionDefinition): ReadonlyMap<Location, readonly Edge[]> {
  const into = new Map<Location, Edge[]>();
  for (const edge of edges) into.set(edge.to, [...(into.get(edge.to) ?? []), edge]);
  return into;
}

function staysInside(step: Edge, fn: FunctionDefinition, before: ReadonlyMap<Location, readonly Edge[]>): boolean {
  const arithmetic = step.command.kind === 'check' ? arithmeticIn(step.command.condition) : undefined;
  if (!arithmetic) return false;
  const from = placeOf(arithmetic.pointer);
  const distance = arithmetic.distance.kind === 'integer' ? arithmetic.distance.value : undefined;
  const start = from && distance !== undefined ? { variable: from.variable, at: from.at - distance } : undefined;
  return (
    isUsedAfter(step, start, arithmetic.distance) || (start !== undefined && isUsedBefore(step, start, fn, before))
  );
}

/** A pointer in a variable, and its distance from the pointer that the step makes: 0 if it is that pointer. */
interface Relative {
  readonly variable: Variable;
  readonly at: bigint;
}

/** All paths to the step have such an access, without a change of the pointer behind it. */
function isUsedBefore(
  step: Edge,
  start: Relative,
  fn: FunctionDefinition,
  before: ReadonlyMap<Location, readonly Edge[]>,
): boolean {
  const seen = new Set<string>();
  const open: { readonly location: Location; readonly pointer: Relative }[] = [{ location: step.from, pointer: start }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { location, pointer } = next;
    const key = `${location.index} ${pointer.variable.scope} ${pointer.variable.slot} ${pointer.at}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (location === fn.entry || seen.size > mostCommands) return false;
    for (const { from, command } of before.get(location) ?? []) {
      if (shows(command, pointer)) continue;
      const earlier = beforeCommand(command, pointer);
      if (!earlier) return false;
      open.push({ location: from, pointer: earlier });
    }
  }
  return true;
}

/** The same pointer before the command; undefined if it is not known there. */
function beforeCommand(command: Command, pointer: Relative): Relative | undefined {
  if (pointer.variable.scope === 'global' && mayRunOthers(command)) return undefined;
  if (targetOf(command) !== pointer.variable) return pointer;
  const source = command.kind === 'assign' ? placeOf(command.value) : undefined;
  return source && { variable: source.variable, at: pointer.at - source.at };
}

/** The pointer of the step, or one at a known distance from it, is used before the next branch. */
function isUsedAfter(step: Edge, start: Relative | undefined, distance: Expression): boolean {
  const pointers = new Map<Variable, bigint>(start ? [[start.variable, start.at]] : []);
  let location = step.to;
  for (let i = 0; i < mostCommands && location.edges.length === 1; i++) {
    const { command, to } = location.edges[0]!;
    if ([...pointers].some(([variable, at]) => shows(command, { variable, at }))) return true;
    if (mayRunOthers(command)) return false;
    const target = targetOf(command);
    if (target) {
      const value = command.kind === 'assign' ? command.value : undefined;
      const made = value && (isResult(value, distance) ? 0n : distanceOf(value, pointers));
      if (made === undefined) pointers.delete(target);
      else pointers.set(target, made);
    }
    location = to;
  }
  return false;
}

/** The pointer that a step by a distance that is no constant makes. */
const isResult = (value: Expression, distance: Expression): boolean =>
  value.kind === 'offset' && distance.kind !== 'integer' && value.delta === distance;

function distanceOf(value: Expression, pointers: ReadonlyMap<Variable, bigint>): bigint | undefined {
  const place = placeOf(value);
  const known = place && pointers.get(place.variable);
  return known === undefined ? undefined : known + place!.at;
}

/** Functions that this one calls may change global variables, and need not return. */
const mayRunOthers = ({ kind }: Command): boolean => kind === 'call' || kind === 'external' || kind === 'halt';

/** The command checks an access that shows the pointer of the step to stay in the object. */
function shows(command: Command, { variable, at }: Relative): boolean {
  if (command.kind !== 'check' || command.check !== 'dereference') return false;
  const access = accessIn(command.condition);
  if (access?.variable !== variable) return false;
  const start = at + access.at;
  return start <= 0n && 0n <= start + access.bytes;
}

/** A variable plus a constant. */
function placeOf(e: Expression): Relative | undefined {
  if (e.kind === 'read') return { variable: e.variable, at: 0n };
  if (e.kind !== 'offset' || e.delta.kind !== 'integer') return undefined;
  const inner = placeOf(e.pointer);
  return inner && { variable: inner.variable, at: inner.at + e.delta.value };
}

/** The pointer, and its distance from where it was, in the condition of a step. */
function arithmeticIn(
  condition: Expression,
): { readonly pointer: Expression; readonly distance: Expression } | undefined {
  let found: { readonly pointer: Expression; readonly distance: Expression } | undefined;
  walk(condition, (e) => {
    if (e.kind === 'binary' && e.operator === 'add' && e.left.kind === 'offset-of')
      found ??= { pointer: e.left.pointer, distance: e.right };
  });
  return found;
}

/** `start <= size - bytes` in the condition of an access. */
function accessIn(condition: Expression): (Relative & { readonly bytes: bigint }) | undefined {
  let found: (Relative & { readonly bytes: bigint }) | undefined;
  walk(condition, (e) => {
    if (e.kind !== 'compare' || e.operator !== 'le' || e.right.kind !== 'binary') return;
    const { operator, left: size, right: bytes } = e.right;
    if (operator !== 'subtract' || size.kind !== 'object-size' || bytes.kind !== 'integer') return;
    const start = e.left;
    const isSum = start.kind === 'binary' && start.operator === 'add' && start.right.kind === 'integer';
    const [base, distance] = isSum ? [start.left, (start.right as { value: bigint }).value] : [start, 0n];
    const place = base.kind === 'offset-of' ? placeOf(base.pointer) : undefined;
    if (place) found ??= { variable: place.variable, at: place.at + distance, bytes: bytes.value };
  });
  return found;
}
