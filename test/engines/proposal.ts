/** What the fixpoint over integers proposes of a program, before anything is checked: per cutpoint. */
import { noInvariants } from '../../src/abstraction/transitionSystem/invariantMap';
import { spacer } from '../../src/engines/invariants/hornClauses';
import type { Term } from '../../src/logic/term';
import { loadProgram } from '../../src/program';
import { createHornSolver } from '../../src/solver';
import { programSystem } from '../abstraction/programSystem';

export async function proposal(path: string): Promise<readonly (readonly Term[])[]> {
  const program = loadProgram([path], { externals: 'any' });
  const system = programSystem(program, program.functionByName.get('main')!, ['reach']);
  const horn = createHornSolver();
  try {
    const answer = await spacer(system, noInvariants, horn, { timeoutMs: 20_000 });
    return answer.kind === 'candidates' ? [...answer.candidates.values()] : [];
  } finally {
    await horn.close();
  }
}
