/**
 * R14: what `--sarif` and the reporter's option write, against the schema of SARIF; paths, fingerprints and flows as
 * code scanning wants them.
 */
import Ajv from 'ajv';
import { readFileSync } from 'node:fs';
import { isLong, inLongForm } from '../long';
import { Project } from './project';

interface Log {
  readonly runs: readonly [
    {
      readonly results: readonly Result[];
      readonly invocations: readonly [
        {
          readonly executionSuccessful: boolean;
          readonly toolExecutionNotifications: readonly { readonly message: { readonly text: string } }[];
        },
      ];
    },
  ];
}
interface Result {
  readonly ruleId: string;
  readonly kind: string;
  readonly partialFingerprints?: Readonly<Record<string, string>>;
  readonly codeFlows?: readonly {
    readonly threadFlows: readonly {
      readonly locations: readonly {
        readonly location: { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } } };
      }[];
    }[];
  }[];
  readonly suppressions?: readonly unknown[];
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly startLine: number };
    };
  }[];
}

const bug =
  'static int elems[4];\nstatic int size;\nint push(int k) {\n  if (size == 4) return 0;\n  elems[size++] = k;\n' +
  '  return 1;\n}\nint pop(void) {\n  size--;\n  return elems[size];\n}\n';
const files = {
  'bug.c': bug,
  'proved.c': bug.replace('  size--;', '  if (size == 0) return 0;\n  size--;'),
  'suppressed.c': bug
    .replace('return elems[size];', 'return elems[size]; // provest-suppress array-bounds: nobody pops an empty stack')
    .replace('  size--;', '  if (size > 0) size--;'),
  'weak.c':
    'static int n;\nstatic int m;\nvoid step(void) { if (n < 1000) { n = n + 1; m = m + n; } }\n' +
    'int part(void) { return n == 0 ? 0 : 1000000 / m; }\n',
};
let user: Project;
beforeAll(() => {
  user = new Project(files);
});
afterAll(() => user.remove());

function sarif(file: string, ...more: readonly string[]): Log {
  user.provest('verify', file, '--no-cache', '--sarif', 'out.sarif', ...more);
  return JSON.parse(user.read('out.sarif')) as Log;
}

const schema = require.resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
const validator = new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
  withoutBrokenPattern(JSON.parse(readFileSync(schema, 'utf8')) as object),
);

/**
 * The published schema is of draft 4, with nothing in it that later drafts read otherwise, and has one pattern that is
 * no regular expression.
 */
function withoutBrokenPattern(published: object): object {
  const { $schema: _draft, id: _id, ...rest } = published as { $schema?: string; id?: string };
  return JSON.parse(JSON.stringify(rest), (key, value: unknown) =>
    key === 'pattern' && typeof value === 'string' && !isPattern(value) ? undefined : value,
  ) as object;
}
function isPattern(text: string): boolean {
  try {
    void new RegExp(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

inLongForm(
  'R14 every kind of answer is valid SARIF 2.1.0',
  () => {
    const logs = [
      ...Object.keys(files).map((file) => sarif(file, '--budget', file === 'weak.c' ? '4s' : '2m')),
      sarif('bug.c', '--budget', '1ms'),
    ];
    expect(logs.map((log) => ({ valid: validator(log), errors: validator.errors }))).toEqual(
      logs.map(() => ({ valid: true, errors: null })),
    );
    // It can say no.
    expect(validator({ ...logs[0], version: '2.0.0' })).toBe(false);
  },
  300_000,
);

test('R14 paths are relative, flows short; fingerprints survive a blank line; suppressions are results', () => {
  const [before] = sarif('bug.c').runs[0].results;
  expect(before).toMatchObject({
    ruleId: 'array-bounds',
    kind: 'fail',
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'bug.c', uriBaseId: '%SRCROOT%' }, region: { startLine: 10 } } },
    ],
  });
  const flow = before!.codeFlows![0]!.threadFlows[0]!.locations;
  expect(flow.length).toBeGreaterThan(0);
  expect(flow.length).toBeLessThan(1000);
  for (const { location } of flow) expect(location.physicalLocation.artifactLocation.uri).toBe('bug.c');
  user.write('bug.c', `\n${bug.replace('int pop', '\nint pop')}`);
  const [after] = sarif('bug.c').runs[0].results;
  expect(after!.locations[0]!.physicalLocation.region.startLine).toBe(12);
  expect(after!.partialFingerprints).toEqual(before!.partialFingerprints);
  expect(sarif('suppressed.c').runs[0].results).toMatchObject([
    {
      ruleId: 'array-bounds',
      kind: 'open',
      suppressions: [{ kind: 'inSource', justification: 'nobody pops an empty stack' }],
    },
  ]);
}, 300_000);

inLongForm(
  'R14 a run writes one log for all modules; merged shards write the same; omitted tests are no pass',
  () => {
    for (const name of ['bug', 'proved', 'suppressed']) {
      user.write(
        `${name}.test.js`,
        `const { loadC } = require('provest');\nconst m = loadC('./${name}.c');\n` +
          `test('calls', () => { m.push(1); });\ntest('${name} verified', () => expect(m).toBeVerified());\n` +
          `test('${name} once more', () => expect(m).toBeVerified());\n`,
      );
    }
    user.write(
      'jest.config.js',
      `module.exports = { preset: 'provest', transform: {}, cacheDirectory: '/tmp/provest-jest-cache', ` +
        `reporters: ['default', ['provest/reporter', { sarif: 'run.sarif', blob: true }]] };`,
    );
    const written = (name = 'run.sarif'): Log => {
      const log = JSON.parse(user.read(name)) as Log;
      expect({ valid: validator(log), errors: validator.errors }).toEqual({ valid: true, errors: null });
      return log;
    };
    // What was proved before would be marked as such.
    const run = (...args: readonly string[]) => user.jest({ args, env: { PROVEST_CACHE: 'off' } });
    expect(run('-w', '1').stderr).toContain('provest: SARIF: run.sarif');
    const full = written();
    // Asked twice, answered once; a proof has no result.
    expect(full.runs[0].results).toMatchObject([
      {
        ruleId: 'array-bounds',
        kind: 'fail',
        locations: [{ physicalLocation: { artifactLocation: { uri: 'bug.c' } } }],
      },
      { ruleId: 'array-bounds', kind: 'open', suppressions: [{}] },
    ]);
    expect(full.runs[0].results[0]!.partialFingerprints).toEqual(
      sarif('bug.c').runs[0].results[0]!.partialFingerprints,
    );
    expect(full.runs[0].invocations).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }]);

    if (isLong) {
      for (const shard of ['1/2', '2/2']) run('-w', '1', `--shard=${shard}`);
      expect(written().runs[0].invocations[0]).toMatchObject({
        executionSuccessful: false,
        toolExecutionNotifications: [{ message: { text: 'not evaluated (partial run: --shard=2/2)' } }],
      });
      expect(
        user.provest(
          'merge',
          '.provest/shard-1-of-2.provest',
          '.provest/shard-2-of-2.provest',
          '--sarif',
          'merged.sarif',
        ).status,
      ).toBe(1);
      expect(written('merged.sarif')).toEqual(full);
    }

    // The test that asks never ran.
    user.write('bug.test.js', "const { loadC } = require('provest');\nloadC('./bug.c');\nthrow new Error('before');\n");
    user.jest({ args: ['-w', '1'] });
    const { executionSuccessful, toolExecutionNotifications } = written().runs[0].invocations[0];
    expect(executionSuccessful).toBe(false);
    expect(toolExecutionNotifications.map(({ message }) => message.text)).toEqual([
      'bug.c: not evaluated: bug.test.js loads it, but asked for no verdict',
    ]);
  },
  600_000,
);

test('R15 what is suppressed is seen in the text, the JSON and the report too', () => {
  const text = user.provest('verify', 'suppressed.c', '--no-cache', '--html', 'out.html');
  expect(text).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(
      'Suppressed, and so not proved:\n' +
        '  - elems[size] (array-bounds) at suppressed.c:10:10: nobody pops an empty stack',
    ) as string,
  });
  expect(user.read('out.html')).toContain('nobody pops an empty stack');
  const json = JSON.parse(user.provest('verify', 'suppressed.c', '--no-cache', '--json').stdout) as unknown;
  expect(json).toMatchObject({
    verdict: 'proved',
    suppressed: [
      { check: 'array-bounds', text: 'elems[size]', reason: 'nobody pops an empty stack', place: { line: 10 } },
    ],
  });
  const validate = new Ajv({ strict: false }).compile(
    JSON.parse(readFileSync(require.resolve('../../src/report/json/verdict.schema.json'), 'utf8')) as object,
  );
  expect({ valid: validate(json), errors: validate.errors }).toEqual({ valid: true, errors: null });
  user.write('unreasoned.c', files['suppressed.c'].replace(': nobody pops an empty stack', ''));
  expect(user.provest('verify', 'unreasoned.c')).toMatchObject({
    status: 3,
    stderr: expect.stringContaining('a suppression needs a reason') as string,
  });
}, 300_000);
