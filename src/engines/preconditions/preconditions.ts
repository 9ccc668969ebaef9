/**
 * Preconditions that would rule out errors which no execution confirmed: where a check hangs on the state in which a
 * client calls, it may be a precondition. That is weaker than a proof that it always holds, and every verdict
 * that rests on it lists it.
 */
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import { readCProbe } from '../../host/cProbe';
import { argumentScope } from '../../host/probeScope';
import { symbolsOf } from '../../logic/substitute';
import type { FunctionDefinition, Program } from '../../program/program';
import type { Task } from '../../task';
import { neededCondition } from '../explanation/potentialErrors';
import type { Alarm } from '../testBasedAbstraction/testBasedAbstraction';

export interface Precondition {
  readonly function: string;
  readonly text: string;
  readonly formula: NonNullable<Task['requires']>[number]['formula'];
}
/** `all`: every alarm has one. */
export interface NeededPreconditions {
  readonly preconditions: readonly Precondition[];
  readonly all: boolean;
}

export function preconditionsFor(
  alarms: readonly Alarm[],
  system: TransitionSystem,
  program: Program,
  callable: readonly FunctionDefinition[],
): NeededPreconditions {
  const found = alarms.map((alarm): Precondition | undefined => {
    const from = alarm.transition.from!;
    const text =
      from.kind === 'entry' && callable.includes(from.fn) && isUpToClients(alarm, system, program)
        ? neededCondition(alarm)
        : undefined;
    // Read as it would be when pasted.
    const read =
      text === undefined
        ? undefined
        : readCProbe(text, argumentScope(program, 'the module', from.fn), program.enumConstants);
    return text !== undefined && read?.kind === 'formula'
      ? { function: from.fn.name, text, formula: read.formula }
      : undefined;
  });
  const distinct = new Map(found.flatMap((one) => (one ? [[`${one.function}: ${one.text}`, one] as const] : [])));
  return { preconditions: [...distinct.values()], all: found.every((one) => one !== undefined) };
}

/**
 * True if the condition mentions an argument or a variable that clients see. Static data is not theirs to constrain,
 * but for what grows with each call: how often they call is up to them.
 */
function isUpToClients(
  { obligation: { condition, check } }: Alarm,
  { vocabulary }: TransitionSystem,
  program: Program,
): boolean {
  const hidden = new Set(program.globals.flatMap(({ variable, visible }) => (visible ? [] : [variable])));
  return [...symbolsOf(condition)].some((symbol) => {
    const meaning = vocabulary.meaning(symbol);
    return meaning?.kind === 'variable' && (check.check === 'signed-overflow' || !hidden.has(meaning.variable));
  });
}

/** Outside of all parentheses there is an operator that binds less than `&&`. Characters in quotes may be any. */
function bindsLess(text: string): boolean {
  if (/['"]/.test(text)) return /\|\||\?|,/.test(text);
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')') depth--;
    else if (depth === 0 && (text[at] === '?' || text[at] === ',' || text.startsWith('||', at))) return true;
  }
  return false;
}

/**
 * To paste: in place of what `loadC` was given before, all of which is said again, and in addition to what the command
 * line has.
 */
export function printPreconditions(
  preconditions: readonly Pick<Precondition, 'function' | 'text'>[],
  stated: Task['requires'] = [],
): { readonly code: string; readonly flags: string } {
  const conjunctions = new Map<string, string>();
  for (const { function: fn, text } of preconditions)
    conjunctions.set(fn, conjunctions.has(fn) ? `${conjunctions.get(fn)!} && ${text}` : text);
  const functions = [
    ...new Set([...stated.flatMap((one) => (one.said ? [one.function] : [])), ...conjunctions.keys()]),
  ];
  const predicates = (fn: string): string => {
    const said = stated.flatMap((one) => (one.function === fn && one.said ? [one.said] : []));
    const inC = [
      ...said.flatMap((one) => ('c' in one ? [one.c] : [])),
      ...(conjunctions.has(fn) ? [conjunctions.get(fn)!] : []),
    ];
    const all = [
      ...said.flatMap((one) => ('host' in one ? [one.host] : [])),
      ...(inC.length === 0
        ? []
        : [quote(inC.map((text) => (inC.length > 1 && bindsLess(text) ? `(${text})` : text)).join(' && '))]),
    ];
    return all.length === 1 ? all[0]! : `[${all.join(', ')}]`;
  };
  return {
    code: `requires: { ${functions.map((fn) => `${fn}: ${predicates(fn)}`).join(', ')} }`,
    flags: [...conjunctions].map(([fn, text]) => `--requires "${fn}: ${text}"`).join(' '),
  };
}

function quote(text: string): string {
  return `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`;
}
