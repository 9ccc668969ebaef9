/** A proof of all assertions by candidates alone: the largest inductive part of them, and nothing else. */
import type { Cutpoint } from '../../../../src/abstraction/transitionSystem/cutpoint';
import { noInvariants } from '../../../../src/abstraction/transitionSystem/invariantMap';
import type { TransitionSystem } from '../../../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../../../src/budget';
import { houdini } from '../../../../src/engines/invariants/houdini';
import { dischargesAll } from '../../../../src/engines/invariants/openObligations';
import { Solvers } from '../../../../src/engines/solvers';
import { askedIn } from '../../../../src/evidence/certificates/certify';
import type { Term } from '../../../../src/logic/term';
import { programOf } from '../../../program/programOf';
import { programSystem } from '../../programSystem';

/** `text`: of a program with inputs of `nondet` and a function `main`. */
export function provesAlone(
  candidatesOf: (system: TransitionSystem) => ReadonlyMap<Cutpoint, readonly Term[]>,
): (text: string) => Promise<boolean> {
  const budget = Budget.start({ milliseconds: 600_000 });
  let solvers: Solvers;
  beforeAll(() => {
    solvers = new Solvers(1, budget, {});
  });
  afterAll(() => solvers.close());
  return async (text) => {
    const program = programOf(`#include <assert.h>\nextern int nondet(void);\n${text}`, { externals: 'any' });
    const system = programSystem(program, program.functionByName.get('main')!, ['reach']);
    const query = budget.moderateQuery();
    const kept = await houdini(system, noInvariants, candidatesOf(system), solvers.instances, {
      query,
      stop: () => false,
    });
    const checks = new Set(askedIn(system));
    expect(checks.size).toBeGreaterThan(0);
    return dischargesAll(system, kept!, checks, solvers.instances, () => query);
  };
}
