/**
 * Interpolants at a frontier: what is true of every state that a branch of the forest leads to and of none from which
 * the frontier is crossed, in terms of the place alone. There is no solver here that interpolates, but two Horn clauses
 * about one predicate say the same: the branch's end implies it, and with the preimage it is false (McMillan,
 * Rybalchenko, "Solving constrained Horn clauses using interpolation", 2013). The answer is over integers, so it is a
 * proposal.
 */
import { symbolsOf } from '../../logic/substitute';
import type { SymbolTerm, Term } from '../../logic/term';
import type { Region } from '../../abstraction/partition/region';
import type { BranchCondition } from '../../abstraction/partition/symbolicRun';
import type { TransitionSystem } from '../../abstraction/transitionSystem/transitionSystem';
import type { HornOptions, HornSolver } from '../../solver';
import { isAboutNumbers, readingIn } from './hornClauses';

export async function interpolants(
  system: TransitionSystem,
  horn: HornSolver,
  branch: BranchCondition,
  region: Region,
  preimage: Term,
  options: HornOptions,
): Promise<readonly Term[]> {
  const { point } = region.node;
  if (!point) return [];
  const beyond = [preimage, ...region.literals, ...region.node.invariants].filter(isAboutNumbers);
  const own = new Set<SymbolTerm>(system.vocabulary.symbolsFor(point.fn));
  const parameters = [...new Set(beyond.flatMap((term) => [...symbolsOf(term)]))].filter(
    (symbol) => own.has(symbol) && symbol.sort.kind !== 'array',
  );
  if (parameters.length === 0 || !beyond.includes(preimage)) return [];
  const between = { name: point.fn.name, parameters };
  const answer = await horn.solve(
    {
      predicates: [between],
      readingOf: readingIn(system),
      clauses: [
        { body: [], condition: branch.constraints, head: { predicate: between, arguments: branch.read(parameters) } },
        { body: [{ predicate: between, arguments: parameters }], condition: beyond, head: undefined },
      ],
    },
    options,
  );
  return answer.kind === 'candidates' ? (answer.formulas.get(between) ?? []) : [];
}
