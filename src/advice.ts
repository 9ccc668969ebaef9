/**
 * Next step, for each cause, where nothing more particular is known: every verdict without an answer says something
 * that can be done.
 */
import type { CauseId, Reason, Verdict } from './verdict';

const memoryAlone = "--property memsafety on the command line, toBeVerified({ properties: ['memsafety'] }) in a test";
const moreTime = 'raise the budget: --budget 2m on the command line, toBeVerified({ budget: 120_000 }) in a test';
const anotherWay = "--engine synergy on the command line, toBeVerified({ engine: 'synergy' }) in a test";

export const advice: Readonly<Record<CauseId, string>> = {
  'not-accepted':
    "if clients keep to it, write it down: requires and initialisedBy of loadC, or toBeVerified({ angelic: 'accept' })",
  'probe-too-weak':
    "say as a probe why this state cannot be reached (--probe 'name: condition' on the command line, stack.probe('name', 'condition') in a test), or write a test that reaches it",
  'solver-budget': `make the question smaller, with one property (${memoryAlone}) or one function at a time, or ${moreTime}`,
  'time-budget': moreTime,
  'state-explosion': `leave out probes that no check needs, split the module, or try refinement: ${anotherWay}`,
  'unsupported-construct':
    "put it into a function of its own, in another file, that a stub replaces: loadC(…, { stubs: { name: 'any' } }) in a test, --externals any on the command line",
  'no-body': 'add the C file that defines the function, or check what it returns before it is used',
  nonlinear: `bound the operands by an if or a precondition (--requires 'function: x < 100' on the command line, requires in loadC), or ask for the other properties: ${memoryAlone}`,
  'no-entry':
    "make a function non-static, or name one: --entry name on the command line, loadC(…, { entry: ['name'] }) in a test",
  'solver-died': 'give it more memory, or run fewer proofs at a time: jest --maxWorkers 1',
  vacuous:
    "write a test that reaches a check, or ask for more properties: --property all on the command line, toBeVerified({ properties: ['uninitialised'] }) in a test",
  'not-run': 'run the whole test file, and call the module in it before asking',
  interrupted: 'run it again: what was found is kept, and the proof goes on from there',
  'checker-disagrees': `run it again with another seed or engine (--seed 2, or ${anotherWay}); if it stays, it is our mistake: please report it, with the C file and the version`,
  'internal-error':
    'this says nothing about your C; please report it, with the C file, the test or command, and this message',
};

export function advised(reason: Reason): Reason {
  return { ...reason, suggestion: reason.suggestion ?? advice[reason.cause] };
}

/** The same verdict, and with it something to try if it is no answer. */
export function withAdvice(verdict: Verdict): Verdict {
  switch (verdict.kind) {
    case 'proved':
    case 'bug':
      return verdict;
    case 'conditional':
    case 'potential-error':
    case 'unknown':
    case 'not-evaluated':
      return { ...verdict, reason: advised(verdict.reason) };
  }
}
