/** Exit codes; scripts rely on these numbers. */
import type { Verdict } from '../verdict';

export const exitCode = { proved: 0, bug: 1, undecided: 2, badInput: 3, internal: 4 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export function exitCodeOf(verdict: Verdict): ExitCode {
  switch (verdict.kind) {
    case 'proved':
      return exitCode.proved;
    case 'bug':
      return exitCode.bug;
    case 'conditional':
    case 'potential-error':
    case 'unknown':
    case 'not-evaluated':
      return exitCode.undecided;
  }
}
