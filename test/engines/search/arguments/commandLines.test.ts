/** The random search starts programs with texts of any number and length, and tells the smallest that fail. */
import { Budget } from '../../../../src/budget';
import { shrink } from '../../../../src/evidence/scenarios/shrink';
import { textsOf } from '../../../../src/evidence/scenarios/programStart';
import { faultOf, runScenario } from '../../../../src/evidence/scenarios/scenario';
import { nothingKnown } from '../../../../src/engines/engine';
import { Problem } from '../../../../src/engines/problem';
import { fuzzing } from '../../../../src/engines/search/fuzzingEngine';
import { silent } from '../../../../src/engines/portfolio/verificationLog';
import { failsAlike } from '../../../../src/semantics/concrete/fault';
import { ifLong } from '../../../long';
import { file, task } from '../../task';

/** The texts of the smallest start that fails; undefined when no start was found to fail. */
async function failing(source: string, seed: number, edges = 8_000_000): Promise<readonly string[] | undefined> {
  const budget = Budget.start({ milliseconds: 300_000 });
  const problem = new Problem(task(file(source), { mode: 'program', entries: ['main'], seed }), budget, {});
  const outcome = await fuzzing(edges).run(problem, nothingKnown, budget, silent);
  await problem.solvers.close();
  if (outcome.kind !== 'unsafe' || outcome.failure.kind !== 'scenario') return undefined;
  const { scenario } = outcome.failure;
  const smallest = shrink(problem.program, scenario, problem.scenarioOptions());
  const [found, kept] = [scenario, smallest].map((one) =>
    faultOf(runScenario(problem.program, one, problem.scenarioOptions()))!,
  );
  expect(failsAlike(kept!, found!)).toBe(true);
  return textsOf(smallest.calls[0]!);
}

const seeds = [1, 2, ...ifLong(3, 4, 5)];

const copy = (condition: string): string => `#include <string.h>
int main(int argc, char **argv) {
  char buffer[40];
  if (argc < 2 ${condition}) return 2;
  strcpy(buffer, argv[1]);
  return buffer[0];
}`;

test.each(seeds)('a text that is longer than a buffer, seed %i', async (seed) => {
  const [, text] = (await failing(copy(''), seed)) ?? [];
  // Either the last character is written behind the end, or the 0.
  expect(text).toMatch(/^a{40,41}$/);
  expect(await failing(copy('|| strlen(argv[1]) > sizeof buffer'), seed)).toEqual(['program', 'a'.repeat(40)]);
  expect(await failing(copy('|| strlen(argv[1]) >= sizeof buffer'), seed, 1_000_000)).toBeUndefined();
});

test.each(seeds)('an option with a number behind it, seed %i', async (seed) => {
  const option = (most: string): string => `#include <stdlib.h>
  #include <string.h>
  static int table[100];
  int main(int argc, char **argv) {
    for (int i = 1; i + 1 < argc; i++)
      if (strcmp(argv[i], "--level") == 0) {
        int level = atoi(argv[i + 1]);
        if (level >= 0 && level <= ${most}) table[level] = 1;
      }
    return table[0];
  }`;
  expect(await failing(option('100'), seed)).toEqual(['program', '--level', '100']);
  expect(await failing(option('99'), seed, 1_000_000)).toBeUndefined();
});

test('more texts than there is room for', async () => {
  const keep = (condition: string): string => `
  int main(int argc, char **argv) {
    const char *kept[5];
    int n = 0;
    for (int i = 1; i < argc ${condition}; i++) kept[n++] = argv[i];
    return n > 0 ? kept[0][0] : 0;
  }`;
  expect(await failing(keep(''), 1)).toEqual(['program', '', '', '', '', '', '']);
  expect(await failing(keep('&& n < 5'), 1, 1_000_000)).toBeUndefined();
});

test('no text at all, though there is one less than is read', async () => {
  const read = (least: number): string =>
    `int main(int argc, char **argv) { return argc < ${least} ? 0 : argv[2][0] == 'x'; }`;
  expect(await failing(read(2), 1)).toEqual(['program', '']);
  expect(await failing(read(3), 1, 1_000_000)).toBeUndefined();
});
