/**
 * Abstract states that the tests did not reach, for people: where, which, an example, and a test that reaches it, or
 * that none was found.
 */
import type { Adequacy, MissingState } from '../verdict';
import { nearestBounds } from './nearestBounds';

const most = 10;

export function missingStates({ missing }: Pick<Adequacy, 'missing'>): readonly string[] {
  // Entry and exit of a function may be on one line; one test may reach several.
  const shownTests = new Set<string>();
  const lines = [...new Set(missing.map((state) => `${heading(state)}${example(state)}`))].slice(0, most);
  const tests = missing
    .map(({ test }) => test)
    .filter(
      (test): test is string => test !== undefined && !shownTests.has(test) && shownTests.add(test) !== undefined,
    );
  return [
    ...lines,
    ...(missing.length > lines.length &&
    new Set(missing.map((state) => `${heading(state)}${example(state)}`)).size > most
      ? ['  and more']
      : []),
    ...(tests.length === 0
      ? []
      : [
          'Tests that reach them, and say what the code does, not what it should do:',
          ...tests.slice(0, most).flatMap((test) =>
            test
              .trimEnd()
              .split('\n')
              .map((line) => `  ${line}`),
          ),
        ]),
    ...(tests.length > most ? [`  and ${tests.length - most} more tests: npx provest cover writes them`] : []),
  ];
}

function heading({ at, valuation, test }: MissingState): string {
  return (
    `  ${test === undefined ? 'not shown reachable' : 'not reached'} at ${at.function ?? at.file}:${at.line}: ` +
    `${nearestBounds(valuation.split(' && ')).join(' && ') || 'true'}`
  );
}

const example = ({ state }: MissingState): string =>
  state.length === 0 ? '' : `\n    for example ${state.map(({ name, value }) => `${name} = ${value}`).join(', ')}`;
