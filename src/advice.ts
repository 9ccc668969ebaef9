/**
 * Next step, for each cause, where nothing more particular is known: every verdict without an answer says something
 * that can be done.
 */
import type { Task } from './task';
import type { CauseId, Reason, Verdict } from './verdict';

/** The question, as far as advice depends on it. */
export type Asked = Partial<Pick<Task, 'budget' | 'askedIn'>>;

const memoryAlone = "--property memsafety on the command line, toBeVerified({ properties: ['memsafety'] }) in a test";
const anotherWay = "--engine synergy on the command line, toBeVerified({ engine: 'synergy' }) in a test";

export const advice: Readonly<Record<CauseId, string>> = {
  'not-accepted':
    "if clients keep to it, write it down: requires and initialisedBy of loadC, or toBeVerified({ angelic: 'accept' })",
  'probe-too-weak':
    "say as a probe why this state cannot be reached (--probe 'name: condition' on the command line, " +
    "stack.probe('name', 'condition') in a test), or write a test that reaches it",
  'solver-budget':
    `make the question smaller, with one property (${memoryAlone}) or one function at a time, ` + 'or raise the budget',
  'time-budget': 'raise the budget',
  'state-explosion': `leave out probes that no check needs, split the module, or try refinement: ${anotherWay}`,
  'unsupported-construct':
    "put it into a function of its own, in another file, that a stub replaces: loadC(…, { stubs: { name: 'any' } " +
    '}) in a test, --externals any on the command line',
  'no-body': 'add the C file that defines the function, or check what it returns before it is used',
  nonlinear:
    "bound the operands by an if or a precondition (--requires 'function: x < 100' on the command line, requires " +
    `in loadC), or ask for the other properties: ${memoryAlone}`,
  'no-entry':
    "make a function non-static, or name one: --entry name on the command line, loadC(…, { entry: ['name'] }) in " +
    'a test',
  'solver-died': 'give it more memory, or run fewer proofs at a time: jest --maxWorkers 1',
  vacuous:
    'write a test that reaches a check, or ask for more properties: --property all on the command line, ' +
    "toBeVerified({ properties: ['uninitialised'] }) in a test",
  'not-run': 'run the whole test file, and call the module in it before asking',
  interrupted: 'run it again: what was found is kept, and the proof goes on from there',
  'checker-disagrees':
    `run it again with another seed or engine (--seed 2, or ${anotherWay}); if it stays, it is our mistake: please ` +
    'report it, with the C file and the version',
  'internal-error':
    'this says nothing about your C; please report it, with the C file, the test or command, and this message',
};

/** Causes that more time may remove. */
const needsTime: ReadonlySet<CauseId> = new Set(['time-budget', 'solver-budget']);

export function adviseReason(reason: Reason, asked: Asked): Reason {
  const { cause, suggestion } = reason;
  if (suggestion !== undefined) return reason;
  const more = needsTime.has(cause) && asked.budget ? `: ${twice(asked.budget.milliseconds, asked.askedIn)}` : '';
  return { ...reason, suggestion: `${advice[cause]}${more}` };
}

/** Twice the budget, in the form in which the question was asked. */
function twice(budgetMs: number, askedIn: Asked['askedIn']): string {
  const milliseconds = 2 * budgetMs;
  const forms = {
    command: `--budget ${durationText(milliseconds)}`,
    test: `toBeVerified({ budget: ${String(milliseconds).replace(/\B(?=(?:\d{3})+$)/g, '_')} })`,
  };
  return askedIn ? forms[askedIn] : `${forms.command} on the command line, ${forms.test} in a test`;
}

/** As `--budget` reads it. */
function durationText(milliseconds: number): string {
  if (milliseconds % 60_000 === 0) return `${milliseconds / 60_000}m`;
  return milliseconds % 1000 === 0 ? `${milliseconds / 1000}s` : `${milliseconds}ms`;
}

/** The same verdict, and with it something to try if it is no answer. */
export function withAdvice(verdict: Verdict, asked: Asked): Verdict {
  switch (verdict.kind) {
    case 'proved':
    case 'bug':
      return verdict;
    case 'conditional':
    case 'potential-error':
    case 'unknown':
    case 'not-evaluated':
      return { ...verdict, reason: adviseReason(verdict.reason, asked) };
  }
}

/** For a failure at an address that the C names, as those of device registers in firmware. */
export const fixedAddressAdvice = (message: string): string | undefined =>
  /: address 0x[0-9a-f]+, where no object lies$/.test(message)
    ? "give memory at a fixed address, such as a device's registers, an object: docs/firmware.md, in the folder of " +
      'provest, shows how'
    : undefined;
