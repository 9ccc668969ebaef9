/** The order of the stages of a portfolio, where something depends on it. */
import { portfolioOf, type Stage } from '../../../src/engines/portfolio/stages';

const namesOf = (angelic: boolean): readonly string[] =>
  portfolioOf({ engine: 'auto', ...(angelic && { angelic }) }).stages.map(({ engine }) => engine.name);

test('with specifications all searches come before the first attempt at a proof', () => {
  const names = namesOf(true);
  const proof = names.findIndex((name) => /^(minimax|loop-free|houdini)/.test(name));
  const searches = names.flatMap((name, i) => (/^fuzzing:/.test(name) && i < names.indexOf('sampling') ? [i] : []));
  expect(searches.length).toBe(3);
  expect(proof).toBeGreaterThan(0);
  for (const search of searches) expect(search).toBeLessThan(proof);
});

test('and without them a short one stands between the first proofs', () => {
  const names = namesOf(false);
  expect(names.indexOf('fuzzing:200000')).toBeGreaterThan(names.indexOf('houdini:conditions'));
});

test('no attempt to discharge the checks may take all the time', () => {
  const attempts = (stages: readonly Stage[]): readonly Stage[] =>
    stages.flatMap((stage) => [...(stage.engine.name === 'discharge' ? [stage] : []), ...attempts(stage.then ?? [])]);
  const found = attempts(portfolioOf({ engine: 'auto' }).stages);
  expect(found.length).toBeGreaterThan(10);
  for (const { share } of found) expect(share).toBeLessThan(0.5);
});
