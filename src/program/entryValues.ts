/**
 * Entry values of globals and of parameters: auxiliary ("ghost") variables that hold a value at the start of an
 * activation. In Hoare logic they relate the state after a procedure to the state before (Kleymann, "Hoare logic and
 * auxiliary variables", Formal Aspects of Computing 11, 1999; JML's and ACSL's `\old`). A call summary can then state
 * `calls == \old(calls) + n + 1`.
 *
 * The variable is assigned once, before anything else, and the program never reads it. Only functions that analyses
 * summarise get one: called functions that have loops, are recursive, or call such functions. A global gets one if it
 * is an integer that a call may change and if its new value is computed from its old one, and a parameter if it is a
 * text along which the function moves it: callers know the text by what they passed.
 */
import * as E from './build';
import type { Variable } from './expression';
import type { Mutable } from '../mutable';
import type { Edge, FunctionDefinition, Location } from './program';
import { expressionsOf, targetOf, variablesIn } from './traverse';

/** Limit per function. Every entry value makes each query about the function larger. */
const entryValuesOfFunction = 4;

/** `globals` are those of the program itself. Changes the functions in place. */
export function keepEntryValues(functions: readonly FunctionDefinition[], globals: ReadonlySet<Variable>): void {
  const calls = new Map(
    functions.map((fn) => [
      fn,
      new Set(fn.edges.flatMap(({ command }) => (command.kind === 'call' ? command.targets : []))),
    ]),
  );
  const called = new Set([...calls.values()].flatMap((targets) => [...targets]));
  const below = new Map(functions.map((fn) => [fn, reachableFrom(fn, calls)]));
  const repeats = new Set(
    functions.filter((fn) => below.get(fn)!.has(fn) || fn.locations.some(({ isLoopHead }) => isLoopHead)),
  );
  const writes = new Map(
    functions.map((fn) => [fn, new Set(fn.edges.flatMap(({ command }) => targetOf(command) ?? []))]),
  );
  const computes = new Map(
    functions.map((fn) => [
      fn,
      new Set(
        fn.edges.flatMap(({ command }) =>
          command.kind === 'assume' || command.kind === 'check'
            ? []
            : expressionsOf(command).flatMap((e) => [...variablesIn(e)]),
        ),
      ),
    ]),
  );
  const wanted = functions
    .filter((fn) => called.has(fn) && !fn.library && [fn, ...below.get(fn)!].some((other) => repeats.has(other)))
    .map((fn) => {
      const all = [fn, ...below.get(fn)!];
      return {
        fn,
        kept: [
          ...[...globals].filter(
            (global) =>
              global.type.kind === 'integer' &&
              all.some((f) => writes.get(f)!.has(global)) &&
              all.some((f) => computes.get(f)!.has(global)),
          ),
          ...fn.parameters.filter((parameter) => isText(parameter) && writes.get(fn)!.has(parameter)),
        ].slice(0, entryValuesOfFunction),
      };
    });
  for (const { fn, kept } of wanted) if (kept.length > 0) keep(fn, kept);
}

const isText = ({ ctype }: Variable): boolean =>
  ctype?.kind === 'pointer' && ctype.to.kind === 'integer' && ctype.to.widthBits === 8;

function reachableFrom(
  fn: FunctionDefinition,
  calls: ReadonlyMap<FunctionDefinition, ReadonlySet<FunctionDefinition>>,
): ReadonlySet<FunctionDefinition> {
  const reached = new Set<FunctionDefinition>();
  const work = [...calls.get(fn)!];
  for (let next = work.pop(); next; next = work.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    work.push(...calls.get(next)!);
  }
  return reached;
}

/** Assigns them at a new entry, before the old one. */
function keep(fn: Mutable<FunctionDefinition>, kept: readonly Variable[]): void {
  const variables = kept.map((one, i): Variable => ({
    kind: 'variable',
    scope: 'local',
    slot: fn.variables.length + i,
    name: `\\old(${one.name})`,
    type: one.type,
    ...(one.ctype && { ctype: one.ctype }),
    temporary: true,
    entryValueOf: one,
  }));
  const old = fn.entry;
  const span = old.edges[0]?.span ?? old.span;
  const locations = variables.map((): Mutable<Location> => ({
    index: 0,
    span: old.span,
    label: undefined,
    isLoopHead: false,
    edges: [],
  }));
  const added = variables.map((variable, i): Mutable<Edge> => {
    const from = locations[i]!;
    const edge: Edge = {
      index: 0,
      from,
      to: locations[i + 1] ?? old,
      command: { kind: 'assign', target: variable, value: E.read(kept[i]!) },
      span,
    };
    from.edges.push(edge);
    return edge;
  });
  fn.variables = [...fn.variables, ...variables];
  fn.locations = [...locations, ...fn.locations];
  fn.edges = [...added, ...fn.edges];
  fn.entry = locations[0]!;
  fn.locations.forEach((location: Mutable<Location>, index) => {
    location.index = index;
  });
  fn.edges.forEach((edge: Mutable<Edge>, index) => {
    edge.index = index;
  });
}
