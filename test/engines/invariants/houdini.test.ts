/** A search that is stopped, wherever that is, keeps nothing: what is left by then need not be inductive. */
import { noInvariants } from '../../../src/abstraction/transitionSystem/invariantMap';
import { plainOptions, TransitionSystem } from '../../../src/abstraction/transitionSystem/transitionSystem';
import { Budget } from '../../../src/budget';
import { houdini } from '../../../src/engines/invariants/houdini';
import { Solvers } from '../../../src/engines/solvers';
import * as L from '../../../src/logic/build';
import { programOf } from '../../program/programOf';

const budget = Budget.start({ milliseconds: 600_000 });
let solvers: Solvers;
beforeAll(() => {
  solvers = new Solvers(1, budget, {});
});
afterAll(() => solvers.close());

test('stopped before the last group is settled', async () => {
  const program = programOf('static int n;\nvoid add(int x) { if (x > 0 && x <= 3 && n < 10) n = n + x; }\n');
  const search = async (looks: number) => {
    // A system of its own, since a search learns from earlier ones on the same.
    const system = new TransitionSystem(program, {
      ...plainOptions,
      mode: 'module',
      entries: [program.functionByName.get('add')!],
      checkedProperties: new Set(['overflow']),
    });
    const candidates = new Map(
      system.points.map((point) => {
        const n = system.vocabulary.symbolsFor(point.fn).find(({ name }) => name === 'n')!;
        return [point, [8, 9, 10, 11, 12, 13].map((bound) => L.sle(n, L.bits(BigInt(bound), 32)))] as const;
      }),
    );
    let looked = 0;
    const stop = (): boolean => looked++ >= looks;
    const kept = await houdini(system, noInvariants, candidates, solvers.instances, {
      query: budget.moderateQuery(),
      stop,
    });
    return { kept, looked };
  };
  const whole = await search(Infinity);
  const counts = [...whole.kept!.values()].map((terms) => terms.length);
  expect(counts.length).toBeGreaterThan(0);
  expect(Math.max(...counts)).toBeLessThan(6);
  for (let looks = 0; looks < whole.looked; looks++) expect((await search(looks)).kept).toBeUndefined();
});
