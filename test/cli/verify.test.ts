import Ajv from 'ajv';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../../src/cli/backend';
import { allProperties, defaultProperties } from '../../src/program/command';
import schema from '../../src/report/json/verdict.schema.json';
import type { SarifLog } from '../../src/report';
import type { Verdict } from '../../src/verdict';
import { bug, everyVerdict, proved, unknown } from '../report/verdicts';
import { runWith } from './fakes';

const validate = new Ajv({ strictTypes: false }).compile(schema);
let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'provest-cli-'));
  writeFileSync(join(cwd, 'stack.c'), 'void init(void) {}\nvoid push(void) {}\n');
  writeFileSync(join(cwd, 'program.c'), 'void helper(void) {}\nint main(void) {}\n');
  writeFileSync(join(cwd, 'wrong.c'), 'int x;\nint @;\n');
});
afterAll(() => rmSync(cwd, { recursive: true }));

const run = (line: string, backend: Partial<Backend> = {}) => runWith(line.split(' '), cwd, () => backend);
const answering = (verdict: Verdict): Partial<Backend> => ({ verify: async () => verdict });

async function checkTask(line: string, expected: object): Promise<void> {
  const { code, tasks, err } = await run(`verify ${line}`);
  expect({ code, err, tasks }).toMatchObject({ code: 0, err: '', tasks: [expected] });
}

/** Exit code 3, `message` on standard error, and with --json a valid error object as the last line. */
async function checkRefused(line: string, message: string | RegExp): Promise<void> {
  const text = await run(line);
  expect({ code: text.code, out: text.out, tasks: text.tasks }).toEqual({ code: 3, out: '', tasks: [] });
  expect(text.err).toMatch(message);
  const json = await run(`${line} --json`);
  const read: unknown = JSON.parse(json.lastLine);
  expect({ code: json.code, valid: validate(read), read }).toMatchObject({
    code: 3,
    valid: true,
    read: { verdict: 'error', reason: { cause: 'bad-input' } },
  });
}

test.each([
  [
    'stack.c',
    {
      mode: 'module',
      engine: 'auto',
      seed: 1,
      budget: { milliseconds: 60_000 },
      properties: defaultProperties,
      load: { externals: 'error' },
    },
  ],
  ['stack.c --init init', { mode: 'module', init: 'init' }],
  ['stack.c --entry push', { mode: 'program', entries: ['push'], load: { externals: 'any' } }],
  ['program.c', { mode: 'program', entries: ['main'], load: { externals: 'any' } }],
  [
    'program.c --entry helper --externals angelic',
    { mode: 'program', entries: ['helper'], load: { externals: 'angelic' } },
  ],
  ['stack.c --property memsafety,reach', { properties: ['reach', 'memsafety'] }],
  ['stack.c --property overflow --property reach', { properties: ['reach', 'overflow'] }],
  ['stack.c --property all', { properties: allProperties }],
  ['stack.c --budget 500ms', { budget: { milliseconds: 500 } }],
  ['stack.c --budget 2m', { budget: { milliseconds: 120_000 } }],
  ['stack.c --budget 1.5', { budget: { milliseconds: 1500 } }],
  [
    'stack.c -DCAP=8 -D DEBUG --data-model ilp32 -I .',
    { load: { define: { CAP: '8', DEBUG: true }, dataModel: 'ilp32' } },
  ],
  ['stack.c --unchecked shift-overflow', { load: { unchecked: ['shift-overflow'] } }],
  [
    'stack.c --engine test-based-abstraction --seed 7 --cutpoints labels',
    { engine: 'test-based-abstraction', seed: 7, cutpoints: 'labels' },
  ],
])('verify %s', checkTask);

test('the sources are absolute and the program is read as the task says', async () => {
  const { tasks, loads } = await run('verify stack.c -I . -DN=1 --data-model ilp32');
  expect(tasks[0]).toMatchObject({ files: [join(cwd, 'stack.c')], load: { include: [cwd] } });
  expect(loads).toEqual([{ include: [cwd], define: { N: '1' }, dataModel: 'ilp32', externals: 'any', idioms: true }]);
});

test.each([
  ['verify missing.c', /no such file: missing.c/],
  ['verify stak.c', /did you mean 'stack.c'/],
  ['verify stack', /no such file: stack\nhint: did you mean 'stack\.c'\?/],
  ['verify heap/heap.c', /no such file: heap\/heap\.c\nhint: there is no folder heap/],
  ['verify queue.c', /hint: in that folder there are program\.c, stack\.c, wrong\.c/],
  ['verify .', /is a directory/],
  ['verify stack.c --html .', /cannot write \.: it is a directory\nhint: name a file in it/],
  [
    'verify stack.c --html nowhere/report.html',
    /cannot write nowhere\/report\.html: .*ENOENT.*\nhint: does its directory exist/,
  ],
  ['verify stack.c --html stack.c', /stack\.c looks like C source and is not overwritten/],
  ['verify', /missing required argument 'files'/],
  ['verify stack.c --entry psuh', /no function 'psuh' is defined\nhint: did you mean 'push'/],
  ['verify stack.c --init nothing_like_it', /defined are init, push/],
  ['verify program.c --init helper', /--init belongs to module mode/],
  ['verify stack.c --entry push --init init', /exclude each other/],
  ['verify stack.c --property memsafty', /unknown property 'memsafty'\nhint: did you mean 'memsafety'/],
  ['verify stack.c --property ,', /names no property/],
  ['verify stack.c --engine magic', /choose from auto, test-based-abstraction/],
  ['verify stack.c --nodes many', /'many' is no number of nodes\nhint: .*60000 is the default/],
  ['verify stack.c --budget soon', /'soon' is no time budget\nhint: .*500ms, 20s or 2m/],
  ['verify stack.c --budget 0s', /no time budget/],
  ['verify stack.c --seed -1', /no seed/],
  ['verify stack.c --data-model lp46', /did you mean 'lp64'/],
  ['verify stack.c -D 1X', /defines no macro/],
  ['verify stack.c -I nowhere', /no such directory: nowhere\nhint: correct the option -I/],
  ['verify stack.c -I stack.c', /stack\.c is a file, not a directory\nhint: correct the option -I/],
  ['verify stack.c --unchecked shift', /unknown check to leave out 'shift'/],
  ['verify stack.c --externals none', /choose from error, any, value, angelic/],
  ['verify stack.c --cutpoints many', /kind of cutpoints/],
  ['verify stack.c --propety reach', /unknown option '--propety'\n\(Did you mean --property/],
  ['verfy stack.c', /'verfy' is no command\nhint: did you mean 'provest verify'/],
  ['verify wrong.c', /wrong.c:2:5: error: unexpected '@'[^]*> 2 \| int @;/],
  ['types wrong.c', /unexpected '@'/],
])('%s is refused with advice', checkRefused);

test('errors in the C text are in the JSON with their places', async () => {
  const { lastLine } = await run('verify wrong.c --json');
  expect(JSON.parse(lastLine)).toMatchObject({
    diagnostics: [{ severity: 'error', message: "unexpected '@'", place: { file: 'wrong.c', line: 2, column: 5 } }],
  });
});

test.each([
  ['proved', 0],
  ['bug', 1],
  ['potential-error', 2],
  ['unknown', 2],
  ['not-evaluated', 2],
] as const)('%s ends with code %i', async (kind, expected) => {
  const verdict = everyVerdict.find((candidate) => candidate.kind === kind)!;
  const { code, out, err } = await run('verify stack.c', answering(verdict));
  expect({ code, err }).toEqual({ code: expected, err: '' });
  expect(out.startsWith('stack.c: ')).toBe(true);
  const json = await run('verify stack.c --json', answering(verdict));
  const read: unknown = JSON.parse(json.lastLine);
  expect({ code: json.code, lines: json.out.trimEnd().split('\n').length, valid: validate(read), read }).toMatchObject({
    code: expected,
    lines: 1,
    valid: true,
    read: { verdict: kind, files: ['stack.c'], mode: 'module' },
  });
});

test('our own failure is exit code 4, an apology, and never a verdict', async () => {
  const failing: Partial<Backend> = {
    verify: async () => {
      throw new TypeError('x is undefined');
    },
  };
  const { code, out, err } = await run('verify stack.c', failing);
  expect({ code, out }).toEqual({ code: 4, out: '' });
  expect(err).toMatch(/provest 1.2.3 itself failed, sorry: TypeError: x is undefined\n.*report it[^]*--verbose/);
  expect(err).not.toContain('    at ');
  expect((await run('verify stack.c --verbose', failing)).err).toContain('    at ');
  const json = await run('verify stack.c --json', failing);
  expect(JSON.parse(json.lastLine)).toMatchObject({ verdict: 'error', reason: { cause: 'internal-error' } });
  expect(validate(JSON.parse(json.lastLine))).toBe(true);
});

test('what cannot be written takes nothing away from the verdict', async () => {
  const { code, out, err } = await run(`verify program.c --harness nowhere/harness.c`, answering(bug));
  expect(code).toBe(3);
  expect(out).toMatch(/^program\.c: bug \(reproduced\): /);
  expect(err).toMatch(/^provest: (cannot write nowhere\/harness\.c: .*ENOENT|no harness: )/);
});

test('Ctrl-C asks the proof to end and prints the partial verdict', async () => {
  const interrupted = {
    ...unknown,
    reason: { cause: 'interrupted', message: 'interrupted after 14 of 17 obligations' },
  } satisfies Verdict;
  const { code, out, err } = await runWith(['verify', 'stack.c'], cwd, (interrupt) => ({
    verify: (_, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(interrupted));
        setImmediate(interrupt);
      }),
  }));
  expect(code).toBe(2);
  expect(out).toMatch(/^stack.c: unknown: interrupted after 14 of 17 obligations/);
  expect(err).toContain('once more stops at once');
});

test('a bug in a run with --json leaves standard output to the object alone', async () => {
  const { out, err } = await run('verify stack.c --json', answering(bug));
  expect(err).toBe('');
  expect(out.endsWith('}\n')).toBe(true);
});

test('--sarif writes the verdict, and before there is one says so', async () => {
  const sarif = () => JSON.parse(readFileSync(join(cwd, 'out.sarif'), 'utf8')) as SarifLog;
  const { code, out } = await run('verify stack.c --sarif out.sarif', {
    verify: async () => {
      expect(sarif().runs[0]).toMatchObject({
        invocations: [{ executionSuccessful: false }],
        results: [{ kind: 'open' }],
      });
      return bug;
    },
  });
  expect({ code, word: out.includes('bug (reproduced)') }).toEqual({ code: 1, word: true });
  expect(sarif().runs[0]).toMatchObject({
    invocations: [{ executionSuccessful: true }],
    results: [{ kind: 'fail', level: 'error' }],
  });
  await checkRefused('verify stack.c --sarif nowhere/out.sarif', /cannot write nowhere\/out.sarif/);
  await checkRefused('verify stack.c --sarif stack.c', /not overwritten/);
  expect((await run('verify wrong.c --sarif out.sarif')).code).toBe(3);
  expect(sarif().runs[0].invocations[0].executionSuccessful).toBe(false);
});

test('--witness says what of the proof C cannot say', async () => {
  const place = { file: join(cwd, 'program.c'), line: 2, column: 3 };
  const verdict: Verdict = { ...proved, invariants: [{ place, at: 'loop', formula: 'i <= n && is_live(p)' }] };
  const { out } = await run('verify program.c --witness w.yml', answering(verdict));
  expect(out).toMatch(/witness: line 2: \d of 2 conjuncts left out, since [^:]*:\n(?:.*\n)?\s+is_live\(p\)\n/);
  const { out: json, err } = await run('verify program.c --witness w.yml --json', answering(verdict));
  expect(json.trim().split('\n')).toHaveLength(1);
  expect(err).toMatch(/is_live\(p\)/);
});

test('--witness writes one for a program that was decided', async () => {
  const witness = () => readFileSync(join(cwd, 'w.yml'), 'utf8');
  expect((await run('verify program.c --witness w.yml')).code).toBe(0);
  expect(witness()).toMatch(/entry_type: invariant_set[^]*input_files:\n\s+- program.c\n[^]*init\(main\(\)\)/);
  expect((await run('verify program.c --witness w.yml', answering(unknown))).code).toBe(2);
  expect(witness()).toBe('[]\n');
  await checkRefused('verify stack.c --witness w.yml', /for programs.*\nhint: .*--entry/);
});

test('help and version end well; types prints declarations', async () => {
  expect(await run('--version')).toMatchObject({ code: 0, out: '1.2.3\n' });
  expect((await run('verify --help')).out).toContain('--budget');
  expect(await run('types stack.c')).toMatchObject({
    code: 0,
    out: 'export function init(): void;\nexport function push(): void;\n',
  });
});
