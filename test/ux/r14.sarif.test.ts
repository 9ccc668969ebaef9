/** R14: what `--sarif` writes, against the schema of OASIS; paths, fingerprints and flows as code scanning wants them. */
import Ajv from 'ajv';
import { existsSync, readFileSync } from 'node:fs';
import { sarifSchema } from '../../scripts/fetch-sarif-schema.js';
import { Project } from './project';

interface Log { readonly runs: readonly [{ readonly results: readonly Result[] }] }
interface Result {
  readonly ruleId: string;
  readonly kind: string;
  readonly partialFingerprints?: Readonly<Record<string, string>>;
  readonly codeFlows?: readonly { readonly threadFlows: readonly { readonly locations: readonly { readonly location: { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string } } } }[] }[] }[];
  readonly suppressions?: readonly unknown[];
  readonly locations: readonly { readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: { readonly startLine: number } } }[];
}

const bug = 'static int elems[4];\nstatic int size;\nint push(int k) {\n  if (size == 4) return 0;\n  elems[size++] = k;\n  return 1;\n}\nint pop(void) {\n  size--;\n  return elems[size];\n}\n';
const files = {
  'bug.c': bug,
  'proved.c': bug.replace('  size--;', '  if (size == 0) return 0;\n  size--;'),
  'suppressed.c': bug.replace('return elems[size];', 'return elems[size]; // provest-suppress array-bounds: nobody pops an empty stack').replace('  size--;', '  if (size > 0) size--;'),
  'weak.c': 'static int n;\nstatic int m;\nvoid step(void) { if (n < 1000) { n = n + 1; m = m + n; } }\nint part(void) { return n == 0 ? 0 : 1000000 / m; }\n',
};
let user: Project;
beforeAll(() => { user = new Project(files); });
afterAll(() => user.remove());

function sarif(file: string, ...more: readonly string[]): Log {
  user.provest('verify', file, '--no-cache', '--sarif', 'out.sarif', ...more);
  return JSON.parse(user.read('out.sarif')) as Log;
}

const validator = existsSync(sarifSchema) ? new Ajv({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(withoutBrokenPattern(JSON.parse(readFileSync(sarifSchema, 'utf8')) as object)) : undefined;
if (!validator) process.stderr.write('\n!! WARNING: the schema of SARIF is not there, so the test against it is SKIPPED; run "node scripts/fetch-sarif-schema.js"\n\n');

/** The published schema is of draft 4, with nothing in it that later drafts read otherwise, and has one pattern that is no regular expression. */
function withoutBrokenPattern(published: object): object {
  const { $schema: _draft, id: _id, ...schema } = published as { $schema?: string; id?: string };
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => (key === 'pattern' && typeof value === 'string' && !isPattern(value) ? undefined : value)) as object;
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

(validator ? test : test.skip)('R14 every kind of answer is valid SARIF 2.1.0', () => {
  const logs = [...Object.keys(files).map((file) => sarif(file, '--budget', file === 'weak.c' ? '4s' : '2m')), sarif('bug.c', '--budget', '1ms')];
  expect(logs.map((log) => ({ valid: validator!(log), errors: validator!.errors }))).toEqual(logs.map(() => ({ valid: true, errors: null })));
  // It can say no.
  expect(validator!({ ...logs[0], version: '2.0.0' })).toBe(false);
}, 300_000);

test('R14 paths are relative, flows short, fingerprints survive a blank line, suppressed checks are suppressed results', () => {
  const [before] = sarif('bug.c').runs[0].results;
  expect(before).toMatchObject({ ruleId: 'array-bounds', kind: 'fail', locations: [{ physicalLocation: { artifactLocation: { uri: 'bug.c', uriBaseId: '%SRCROOT%' }, region: { startLine: 10 } } }] });
  const flow = before!.codeFlows![0]!.threadFlows[0]!.locations;
  expect(flow.length).toBeGreaterThan(0);
  expect(flow.length).toBeLessThan(1000);
  for (const { location } of flow) expect(location.physicalLocation.artifactLocation.uri).toBe('bug.c');
  user.write('bug.c', `\n${bug.replace('int pop', '\nint pop')}`);
  const [after] = sarif('bug.c').runs[0].results;
  expect(after!.locations[0]!.physicalLocation.region.startLine).toBe(12);
  expect(after!.partialFingerprints).toEqual(before!.partialFingerprints);
  expect(sarif('suppressed.c').runs[0].results).toMatchObject([{ ruleId: 'array-bounds', kind: 'open', suppressions: [{ kind: 'inSource', justification: 'nobody pops an empty stack' }] }]);
}, 300_000);

test('R15 what is suppressed is seen in the text, the JSON and the report too', () => {
  const text = user.provest('verify', 'suppressed.c', '--no-cache', '--html', 'out.html');
  expect(text).toMatchObject({ status: 0, stdout: expect.stringContaining('Suppressed, and so not proved:\n  - elems[size] (array-bounds) at suppressed.c:10:10: nobody pops an empty stack') as string });
  expect(user.read('out.html')).toContain('nobody pops an empty stack');
  const json = JSON.parse(user.provest('verify', 'suppressed.c', '--no-cache', '--json').stdout) as unknown;
  expect(json).toMatchObject({ verdict: 'proved', suppressed: [{ check: 'array-bounds', text: 'elems[size]', reason: 'nobody pops an empty stack', place: { line: 10 } }] });
  const schema = JSON.parse(readFileSync(require.resolve('../../src/report/verdict.schema.json'), 'utf8')) as object;
  const validate = new Ajv({ strict: false }).compile(schema);
  expect({ valid: validate(json), errors: validate.errors }).toEqual({ valid: true, errors: null });
  user.write('unreasoned.c', files['suppressed.c'].replace(': nobody pops an empty stack', ''));
  expect(user.provest('verify', 'unreasoned.c')).toMatchObject({ status: 3, stderr: expect.stringContaining('a suppression needs a reason') as string });
}, 300_000);
