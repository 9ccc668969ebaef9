/**
 * Tests in TypeScript, through every compiler that users have, with coverage on and off: the same verdicts, and code
 * frames at the lines of the original.
 */
import { ifLong } from '../long';
import { describeWith, good, bad, installed, removeProjects, root, UserProject } from './userProject';

afterAll(removeProjects);

/** Lines that a compiler leaves out stand above what fails. */
const tests = (file: string) => `import { expect, test } from '@jest/globals';
import { loadC } from 'provest';

interface Limits {
  readonly most: number;
}

const limits: Limits = {
  most: 4,
};
const m = loadC('./${file}');
m.probe('room', (s) => s.size < limits.most);

test('pushes and pops', () => {
  m.push(1);
  expect(m.pop() as number).toBe(1);
});

test('${file} is verified', async () => {
  await expect(m).toBeVerified();
});
`;
const mistaken = `import { test } from '@jest/globals';
import { loadC } from 'provest';

type Nothing = undefined;

const m = loadC('./good.c');
test('a probe with a mistake', () => {
  const nothing: Nothing = undefined;
  m.probe('wrong', (s) => s.sise < 4);
  return nothing;
});
`;

interface Compiler {
  readonly name: string;
  readonly transform: Readonly<Record<string, unknown>>;
  readonly install: readonly (readonly [string, string])[];
  readonly files?: Readonly<Record<string, string>>;
}

describeWith('compilers', () => {
  const home = installed('compilers')!;
  const compilers: readonly Compiler[] = [
    {
      name: 'ts-jest',
      transform: { '\\.ts$': 'ts-jest' },
      install: [
        ['ts-jest', root],
        ['typescript', root],
      ],
      files: {
        'tsconfig.json':
          '{"compilerOptions":{"strict":true,"module":"node16","target":"es2022","types":[],"skipLibCheck":true}}',
      },
    },
    {
      name: '@swc/jest',
      transform: { '\\.ts$': '@swc/jest' },
      install: [
        ['@swc/jest', home],
        ['@swc/core', home],
      ],
    },
    {
      name: 'babel-jest',
      transform: { '\\.ts$': 'babel-jest' },
      install: [
        ['babel-jest', root],
        ['@babel/core', home],
        ['@babel/preset-env', home],
        ['@babel/preset-typescript', home],
      ],
      files: {
        'babel.config.js':
          "module.exports = { presets: [['@babel/preset-env', { targets: { node: 'current' } }], " +
          "'@babel/preset-typescript'] };",
      },
    },
  ];

  test.each(
    compilers.flatMap((compiler, i) =>
      [...(i === 0 ? [false] : []), ...ifLong(true)].map(
        (coverage) => [compiler.name, coverage ? 'with' : 'without', compiler] as const,
      ),
    ),
  )('%s %s coverage', (_, how, { transform, install, files }) => {
    const project = new UserProject(
      'jest-30',
      {
        'good.c': good,
        'bad.c': bad,
        'good.test.ts': tests('good.c'),
        'bad.test.ts': tests('bad.c'),
        'mistaken.test.ts': mistaken,
        ...files,
      },
      { transform },
    );
    project.install(['@jest/globals'], root);
    for (const [name, from] of install) project.install([name], from);
    const run = project.run(
      how === 'with' ? ['--coverage', '--collectCoverageFrom=**/*.ts', '--coverageReporters=none'] : [],
    );
    expect(run.failed).toEqual(['a probe with a mistake', 'bad.c is verified']);
    expect(run.tests.filter(({ status }) => status === 'passed')).toHaveLength(3);
    expect(run.stderr).toMatch(/> 20 \| {3}await expect\(m\)\.toBeVerified\(\);/);
    expect(run.stderr).toMatch(/at .*bad\.test\.ts:20:/);
    expect(run.message('bad.c is verified')).toMatch(/bug \(reproduced\): index -1/);
    expect(run.message('a probe with a mistake')).toMatch(/sise[^]*did you mean 'size'/);
    expect(run.message('a probe with a mistake')).toMatch(/mistaken\.test\.ts:9:/);
  });
});
