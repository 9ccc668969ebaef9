/** Stages that run again: those that had too little time, and those behind one that then learned something. */
import { Budget } from '../../../src/budget';
import type { Engine } from '../../../src/engines/engine';
import { AlarmReports } from '../../../src/engines/portfolio/alarmReports';
import { Certification } from '../../../src/engines/portfolio/certification';
import { Counterexamples } from '../../../src/engines/portfolio/counterexamples';
import { PortfolioRun } from '../../../src/engines/portfolio/portfolioRun';
import type { Stage } from '../../../src/engines/portfolio/stages';
import { VerificationLog } from '../../../src/engines/portfolio/verificationLog';
import { Problem } from '../../../src/engines/problem';
import { file, task } from '../task';

/** Names of the engines in the order in which they ran. */
async function runs(stages: (engine: (name: Engine['name'], behaviour?: Behaviour) => Engine) => readonly Stage[]) {
  const asked = task(file('int twice(int n) { return 2 * n; }'));
  const budget = Budget.start(asked.budget);
  const problem = Problem.examine(asked, budget, {});
  const ran: string[] = [];
  const engine = (name: Engine['name'], { cutShortOnce, learns }: Behaviour = {}): Engine => ({
    name,
    applies: () => undefined,
    run: async (_, known) => {
      const isFirst = !ran.includes(name);
      ran.push(name);
      return {
        kind: 'unknown',
        reason: undefined,
        learned: learns && !isFirst ? { ...known } : known,
        cutShort: cutShortOnce === true && isFirst,
      };
    },
  });
  try {
    const log = new VerificationLog(problem, budget, {});
    const certification = new Certification(problem, budget, log);
    const counterexamples = new Counterexamples(problem, budget, log);
    const alarmReports = new AlarmReports(problem, budget, log, undefined);
    const portfolio = { stages: stages(engine), lastResort: [] };
    await new PortfolioRun(portfolio, { problem, budget, log, certification, counterexamples, alarmReports }).verdict();
    return ran;
  } finally {
    await problem.solvers.close();
  }
}

interface Behaviour {
  readonly cutShortOnce?: boolean;
  /** When it runs again. */
  readonly learns?: boolean;
}

const [few, texts, extents] = ['houdini:basic', 'houdini:texts', 'houdini:extents'] as const;

test('a stage runs again if its time was too short', async () => {
  const ran = await runs((engine) => {
    const first = [{ engine: engine(few, { cutShortOnce: true }) }, { engine: engine(texts) }];
    return [...first, ...first.map((stage): Stage => ({ ...stage, again: true }))];
  });
  expect(ran).toEqual([few, texts, few]);
});

test('and so do those behind it, once, if it then has learned something', async () => {
  const ran = await runs((engine) => {
    const first = [
      { engine: engine(extents) },
      { engine: engine(few, { cutShortOnce: true, learns: true }) },
      { engine: engine(texts) },
    ];
    const again = first.map((stage): Stage => ({ ...stage, again: true }));
    return [...first, ...again, ...again.slice(1)];
  });
  expect(ran).toEqual([extents, few, texts, few, texts]);
});
