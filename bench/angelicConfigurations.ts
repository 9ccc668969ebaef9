/**
 * Angelic verification under its named configurations (Das, Lahiri, Lal, Li, CAV 2015, section 5): errors that nothing
 * excuses and specifications that excuse the others, on the figures of the paper and small programs after its text.
 *
 *   node scripts/run-ts.js bench/angelicConfigurations.ts [--only fig6] [--configurations default,noEE] [--seconds 60]
 *   [--lists]
 *
 * A cell is errors/specifications, beside what the paper's text or a transcription of its algorithms gives; a star
 * stands for another number of errors. Ends with 1 when there is one.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { verify, type Verdict } from '../src';
import { precondition } from '../src/engines/angelic/specifications';
import { loadProgram } from '../src/program';
import { angelicConfigurations, type AngelicConfiguration, type Task } from '../src/task';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    configurations: { type: 'string', default: angelicConfigurations.join(',') },
    seconds: { type: 'string', default: '60' },
    lists: { type: 'boolean', default: false },
  },
});

interface Row {
  readonly name: string;
  readonly file: string;
  readonly entries: readonly string[];
  /** Calls that a user states as possible: function and condition. */
  readonly possible?: readonly [string, string];
  readonly expected: Readonly<Record<AngelicConfiguration, string>>;
}

const expected = (theDefault: string, withoutAssertions: string, noTS: string, noAlias: string, noEE: string) => ({
  default: theDefault,
  'default-AA': withoutAssertions,
  noTS,
  noAlias,
  noEE,
});

const rows: readonly Row[] = [
  {
    name: 'figure 1',
    file: 'fig1',
    entries: ['Bar', 'Baz', 'FooBar', 'Foo'],
    expected: expected('2/4', '1/6', '2/4', '5/0', '5/0'),
  },
  { name: 'figure 6(a)', file: 'fig6a', entries: ['Dispatch'], expected: expected('0/1', '0/1', '1/0', '0/1', '1/0') },
  {
    name: 'figure 6(a), harness',
    file: 'fig6a',
    entries: ['Harness'],
    expected: expected('1/0', '1/0', '1/0', '1/0', '1/0'),
  },
  { name: 'figure 6(b)', file: 'fig6b', entries: ['Dispatch'], expected: expected('1/1', '1/1', '1/0', '1/1', '1/0') },
  {
    name: 'figure 6(b), harness',
    file: 'fig6b',
    entries: ['Harness'],
    expected: expected('1/0', '1/0', '1/0', '1/0', '1/0'),
  },
  { name: 'figure 6(c)', file: 'fig6c', entries: ['Dispatch'], expected: expected('0/3', '0/3', '0/3', '1/0', '1/0') },
  { name: 'a dead branch', file: 'dead_else', entries: ['Use'], expected: expected('1/0', '0/1', '1/0', '1/0', '1/0') },
  {
    name: 'two call sites',
    file: 'lib_correlated',
    entries: ['Twice'],
    expected: expected('0/1', '0/1', '0/1', '1/0', '1/0'),
  },
  {
    name: 'two variables',
    file: 'two_conflict',
    entries: ['Op'],
    expected: expected('0/2', '0/2', '2/0', '0/2', '2/0'),
  },
  {
    name: 'two variables, l1 == l2 possible',
    file: 'two_conflict',
    entries: ['Op'],
    possible: ['Op', 'l1 == l2'],
    expected: expected('1/1', '1/1', '2/0', '1/1', '2/0'),
  },
];

const file = (name: string): string => join(__dirname, '../fixtures/papers/angelic', `${name}.c`);

function taskOf({ file: name, entries, possible }: Row, angelicConfiguration: AngelicConfiguration): Task {
  const files = [file(name)];
  // They answer, and do nothing else: the paper's functions without a body.
  const load: Task['load'] = { externals: 'angelic', idioms: true };
  const stated = possible && precondition(loadProgram(files, load), ...possible);
  if (possible && stated?.kind !== 'requires') throw new Error(`${possible[1]} cannot be read`);
  return {
    files,
    load,
    mode: 'module',
    entries,
    probes: [],
    runs: [],
    properties: ['reach'],
    engine: 'auto',
    seed: 1,
    budget: { milliseconds: Number(values.seconds) * 1000 },
    angelic: true,
    angelicConfiguration,
    furtherChecks: 'to the end',
    ...(stated?.kind === 'requires' && {
      possible: [{ function: possible![0], formula: stated.formula, said: { c: possible![1] } }],
    }),
  };
}

interface Lists {
  readonly errors: readonly string[];
  readonly specifications: readonly string[];
}

function listsOf(verdict: Verdict): Lists {
  const specifications = verdict.angelic?.specifications ?? [];
  const excused = new Set(specifications.map(({ example }) => example));
  const failures = verdict.kind === 'bug' ? [verdict.counterexample, ...(verdict.further ?? [])] : [];
  return {
    errors: failures
      .filter((one) => !excused.has(one))
      .map(({ failure: { place, message } }) => `${place.function} line ${place.line}: ${message}`),
    specifications: specifications.map(({ text }) => text),
  };
}

async function main(): Promise<void> {
  const configurations = angelicConfigurations.filter((name) => values.configurations.split(',').includes(name));
  const totals = configurations.map(() => 0);
  let different = 0;
  console.log(`| program | ${configurations.join(' | ')} |`);
  console.log(`|---|${configurations.map(() => '---|').join('')}`);
  for (const row of rows.filter(({ name }) => name.includes(values.only))) {
    const cells: string[] = [];
    const said: string[] = [];
    for (const [i, configuration] of configurations.entries()) {
      const { errors, specifications } = listsOf(await verify(taskOf(row, configuration)));
      const want = row.expected[configuration];
      const isSame = want.startsWith(`${errors.length}/`);
      if (!isSame) different++;
      if (!row.name.includes('harness') && !row.possible) totals[i]! += errors.length;
      cells.push(`${errors.length}/${specifications.length} (${want})${isSame ? '' : ' *'}`);
      said.push(
        ...errors.map((one) => `  ${configuration}: error: ${one}`),
        ...specifications.map((one) => `  ${configuration}: specification: ${one}`),
      );
    }
    console.log(`| ${row.name} | ${cells.join(' | ')} |`);
    if (values.lists) console.log(said.join('\n'));
  }
  console.log(`| errors, without harnesses and statements | ${totals.join(' | ')} |`);
  process.exitCode = different > 0 ? 1 : 0;
}

void main();
