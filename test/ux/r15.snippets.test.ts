/**
 * R15: every snippet of the README, the tutorial, the reference and the pages on causes is executed: those of the
 * tutorial's first parts by r15.tutorial.test.ts, those of the causes that are C or shell by r6.unknown.test.ts, all
 * others here. A new snippet that nobody executes is a failure.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { ifLong, isLong } from '../long';
import { snippetsOf, type Snippet } from './pages';
import { Project, root } from './project';

const causes = readdirSync(join(root, 'docs/causes'))
  .filter((file) => file !== 'README.md')
  .map((file) => `docs/causes/${file}`);
const reference = readdirSync(join(root, 'docs/reference')).map((file) => `docs/reference/${file}`);
const pages = ['README.md', 'docs/tutorial.md', 'docs/firmware.md', ...reference, ...causes];
const all = pages.flatMap((page) => snippetsOf(page).map((snippet) => ({ page, ...snippet })));
const executed = new Set<string>();
const keyOf = (page: string, { line }: Snippet): string => `${page}:${line}`;

/** The snippet of a page, or of the pages of a folder, that holds a text, marked as executed. */
function take(page: string, containing: string): string {
  const found = all.filter(
    (snippet) => (snippet.page === page || snippet.page.startsWith(`${page}/`)) && snippet.text.includes(containing),
  );
  if (found.length !== 1) throw new Error(`${found.length} snippets of ${page} contain ${containing}`);
  executed.add(keyOf(found[0]!.page, found[0]!));
  return found[0]!.text;
}

const commonJs = (text: string): string =>
  ts.transpileModule(text, { compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 } })
    .outputText;
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();
const loading = (variable: string, file: string): string =>
  `const { loadC } = require('provest');\nconst ${variable} = loadC('./${file}');\n`;
interface Results {
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** The reference's stack: of a size given to init. */
const sized =
  'static int elems[8];\nstatic int size;\nstatic int max;\n' +
  'void init(int m) { max = m < 0 ? 0 : m > 8 ? 8 : m; size = 0; }\n' +
  'int push(int value) { int index = size; if (index >= max) return 0; elems[index] = value; size++; ' +
  'return 1; }\nint pop(void) { if (size == 0) return 0; size--; return elems[size]; }\n';

let user: Project;
beforeAll(() => {
  user = new Project({ 'sized/stack.c': sized });
});
afterAll(() => user.remove());

function jest(
  ...files: readonly string[]
): (file: string) => { readonly failed: readonly string[]; readonly passed: number; readonly text: string } {
  const ran = user.jest({ args: ['--json', '-w', '1', '--runTestsByPath', ...files] });
  const { testResults } = JSON.parse(ran.stdout) as Results;
  return (file) => {
    // `promised/guard.test.js` is not `guard.test.js`.
    const { assertionResults: tests, message } = testResults
      .filter(({ name }) => name.endsWith(`/${file}`))
      .sort((a, b) => a.name.length - b.name.length)[0]!;
    const text =
      tests.length > 0 ? tests.flatMap(({ failureMessages }) => failureMessages).join('\n') : message || 'no test ran';
    return {
      failed: tests.filter(({ status }) => status === 'failed').map(({ title }) => title),
      passed: tests.filter(({ status }) => status === 'passed').length,
      text,
    };
  };
}

test('R15 the README: the bug, the repair, the command', () => {
  user.write('stack.c', take('README.md', '#define CAPACITY 8'));
  user.write('stack.test.js', commonJs(take('README.md', "test('a full stack refuses'")));
  const { failed, passed, text } = jest('stack.test.js')('stack.test.js');
  expect([failed, passed]).toEqual([['is verified'], 2]);
  // With more between the two.
  for (const part of take('README.md', 'stack.c: bug (reproduced)').split('\n\n'))
    expect(squeezed(text)).toContain(squeezed(part));
  const [, ...command] = take('README.md', '--html report.html').trim().split(' ');
  expect(user.provest(...command.slice(1)).status).toBe(1);
  expect(user.has('report.html')).toBe(true);
  user.write('repaired.c', take('README.md', 'if (size == 0) return 0;'));
  expect(user.provest('verify', 'repaired.c', '--budget', '5m').status).toBe(0);
  // The two commands: test/docs.test.ts sees to it that CI runs them.
  take('README.md', 'npm ci && npm run example');
}, 600_000);

test('R15 the later parts of the tutorial, the reference, and what pages on causes say to write in a test', () => {
  user.write(
    'ring.c',
    all.filter(
      ({ page, language, text }) =>
        page === 'docs/tutorial.md' && language === 'c' && text.includes('int take(int *value)'),
    )[0]!.text,
  );
  user.write(
    'measured.test.js',
    `${loading('ring', 'ring.c')}test('puts', () => { ring.put(1); });\n` +
      `${take('docs/tutorial.md', 'is well tested').replace('atLeast: 0.9', 'atLeast: 0.9, budget: 300_000')}`,
  );
  user.write('logger.c', 'int now(void);\nstatic int last;\nint stamp(void) { last = now(); return last; }\n');
  user.write(
    'logger.test.js',
    `const { loadC } = require('provest');\n${take('docs/tutorial.md', "loadC('./logger.c'")}\n` +
      `test('stamps', () => expect(logger.stamp()).toBe(1234));\n`,
  );
  user.write(
    'sampler.c',
    'int read_sensor(void);\nstatic int seen[4];\n' +
      'int half(void) { int r = read_sensor(); seen[r & 3] = r; return r / 2; }\n',
  );
  user.write(
    'sampler.test.js',
    `const { loadC } = require('provest');\n${take('docs/causes/no-body.md', "loadC('./sampler.c'")}\n` +
      `test('halves', () => expect(sampler.half()).toBe(21));\n` +
      `test('is verified', () => expect(sampler).toBeVerified());\n`,
  );
  const firmware = {
    'drivers/mcu.h': take('docs/firmware.md', '#define GPIOA ((GPIO_TypeDef'),
    'src/valve.c': take('docs/firmware.md', 'void valve_tick(void) {'),
    'test/device/mcu.h': take('docs/firmware.md', '#undef GPIOA'),
    'test/device/device.c': take('docs/firmware.md', 'port.IDR = pins()'),
    'test/valve.test.js': take('docs/firmware.md', "test('is open when the pin says so'"),
  };
  for (const [file, text] of Object.entries(firmware)) {
    user.write(`firmware/${file}`, text);
    user.write(`repaired/${file}`, text.replace('"open"};', '"open", "fault"};'));
  }
  const queue =
    'static int data[4];\nstatic int n;\nvoid init(void) { n = 0; }\n' +
    'int enqueue(int x) { if (n == 4) return 0; data[n++] = x; return 1; }\n' +
    'int dequeue(void) { if (n == 0) return 0; n--; return data[0]; }\n';
  user.write('course/students/anna.c', queue);
  user.write('course/students/ben.c', queue.replace('n == 0', 'n < 0'));
  user.write('course/students/emil.c', queue.replace('return 1;', 'return 1'));
  user.write('course/queue.test.js', take('docs/reference', "describe.each(answers)('%s'"));
  user.write('sized/reference.test.js', commonJs(take('docs/reference', "test('a push is seen'")));
  user.write(
    'sized/probes.test.js',
    `${loading('stack', 'stack.c')}${take('docs/reference', "stack.probe('full'")}test('pushes', ` +
      '() => { stack.init(2); stack.push(7); stack.pop(); });\n' +
      `test('is verified', () => expect(stack).toBeVerified({ budget: 300_000 }));\n`,
  );
  user.write(
    'guard.c',
    all.find(({ page, language }) => page === 'docs/causes/probe-too-weak.md' && language === 'c')!.text,
  );
  user.write(
    'guard.test.js',
    `${loading('guard', 'guard.c')}${take('docs/causes/probe-too-weak.md', "guard.probe('masked'")}` +
      `test('adjusts', () => { guard.adjust(3); guard.rate(); });\n`,
  );
  user.write(
    'promised/guard.c',
    all.find(({ page, language }) => page === 'docs/causes/probe-too-weak.md' && language === 'c')!.text,
  );
  user.write(
    'promised/guard.test.js',
    `const { loadC } = require('provest');\n` +
      `${take('docs/causes/probe-too-weak.md', 'requires: { rate')}test('adjusts', () => { guard.adjust(3); ` +
      `guard.rate(); });\ntest('is verified', () => expect(guard).toBeVerified({ budget: 300_000 }));\n`,
  );
  user.write(
    'list.c',
    `struct node { int value; struct node *next; };
int total(const struct node *l) { unsigned n = 0; for (; l; l = l->next) n += l->value; return n & 0xff; }
int scaled(const struct node *l) { return l ? 100 / l->value : 0; }
void drop_second(struct node *l) { l->next = l->next->next; }\n`,
  );
  user.write(
    'list.test.js',
    `${commonJs(take('docs/reference', 'total: (s) => acyclic(s.l)'))}
const node = (value, next) => list.alloc('struct node', { value, next });
test('keep', () => {
  const l = node(3, node(4, null));
  expect([list.total(l), list.scaled(l), list.total(null)]).toEqual([7, 33, 0]);
  list.drop_second(l);
  expect(list.total(l)).toBe(3);
});
test('break', () => {
  expect(() => list.scaled(node(3, node(0, null)))).toThrow('precondition');
  expect(() => list.drop_second(node(3, null))).toThrow('precondition');
  const ring = node(1, null);
  ring.field('next').write(ring);
  expect(() => list.total(ring)).toThrow('precondition');
});\n`,
  );
  user.write('door.c', take('docs/tutorial.md', 'static char visitor[8];'));
  user.write('door.test.js', take('docs/tutorial.md', "expect(door.enter('Ann'))"));
  // That it carries the proof is tried on the command line, where it is the same probe: r6.unknown.test.ts and
  // r15.tutorial.test.ts.
  expect(take('docs/tutorial.md', "guard.probe('masked'")).toBe(
    take('docs/causes/probe-too-weak.md', "guard.probe('masked'"),
  );

  const of = jest(
    'measured.test.js',
    'logger.test.js',
    'sampler.test.js',
    'sized/reference.test.js',
    'sized/probes.test.js',
    'guard.test.js',
    'promised/guard.test.js',
    'list.test.js',
    'door.test.js',
    'course/queue.test.js',
    'firmware/test/valve.test.js',
    'repaired/test/valve.test.js',
  );
  expect(of('course/queue.test.js').failed).toEqual(['is safe', 'first in, first out', 'is safe']);
  expect(of('firmware/test/valve.test.js').failed).toEqual(['is verified']);
  expect(of('firmware/test/valve.test.js').text).toContain('index 3 is outside names[3]');
  expect(of('repaired/test/valve.test.js').text).toBe('');
  expect(of('door.test.js').failed).toEqual(['is verified']);
  expect(of('door.test.js').text).toContain(take('docs/tutorial.md', 'outside visitor[8]').trim());
  expect(of('measured.test.js').text).toMatch(/The tests reach \d+ of \d+ abstract states of ring\.c/);
  for (const file of [
    'logger.test.js',
    'sampler.test.js',
    'sized/reference.test.js',
    'sized/probes.test.js',
    'guard.test.js',
    'promised/guard.test.js',
    'list.test.js',
  ])
    expect([file, of(file).text]).toEqual([file, '']);
}, 900_000);

test('R15 guarantees of functions without a body, for loadC and in C', () => {
  const body =
    'static unsigned char buffer[8];\nstatic int last;\n' +
    'int poll(void) { int n = uart_read(buffer, 8); if (n < 0) panic(n); if (n > 0) last = buffer[n - 1]; ' +
    'return last; }\n';
  user.write('uart/uart.c', `int uart_read(unsigned char *to, int size);\nvoid panic(int code);\n${body}`);
  const loaded = take('docs/reference', "const uart = loadC('./uart.c'");
  user.write(
    'uart/uart.test.js',
    `const { loadC } = require('provest');\n` +
      `${loaded}test('reads', () => { uart.answer('uart_read', 0); expect(uart.poll()).toBe(0); });\n` +
      `test('reads too much', () => { uart.answer('uart_read', 9); uart.poll(); });\n` +
      `test('is verified', () => expect(uart).toBeVerified({ budget: 300_000 }));\n`,
  );
  user.write(
    'uart/stated.c',
    `${take('docs/reference', 'PROVEST_ENSURES_OF(uart_read')}void panic(int code);\n${body}`,
  );
  const { failed, text } = jest('uart/uart.test.js')('uart.test.js');
  expect(failed).toEqual(['reads too much']);
  expect(text).toContain(
    'an answer breaks what a function without a body ensures (uart_read: result <= size; panic: 0)',
  );
  const stated = user.provest('verify', 'uart/stated.c', '--externals', 'angelic', '--ensures', 'panic: 0');
  expect([stated.status, stated.stdout]).toEqual([0, expect.stringContaining('panic never returns')]);
}, 900_000);

test('R15 the C of the reference: contracts, suppressions; its command line; its configurations', () => {
  user.write('clamp.c', take('docs/reference', 'PROVEST_REQUIRES(low <= high)'));
  user.write('samples.c', take('docs/reference', 'provest-suppress array-bounds: the multiplexer'));
  user.write('listed.c', take('docs/reference', 'PROVEST_ENSURES(count == PROVEST_LIST_LENGTH(head))'));
  for (const file of ['clamp.c', 'samples.c', ...ifLong('listed.c')])
    expect([file, user.provest('verify', file, '--budget', '5m').status]).toEqual([file, 0]);
  expect(user.provest('verify', 'samples.c').stdout).toContain('the multiplexer has 16 channels');
  expect(take('docs/reference', '| jq .verdict')).toBe('provest verify stack.c --json | tail -n 1 | jq .verdict\n');
  expect(take('docs/reference', '.statistics.stages')).toBe(
    "provest verify stack.c --json | tail -n 1 | jq '.statistics.stages[-1]'\n",
  );
  const { verdict, statistics } = JSON.parse(
    user.provest('verify', 'sized/stack.c', '--json', '--budget', '5m').stdout.trim().split('\n').at(-1)!,
  ) as { verdict: string; statistics: { stages: readonly { outcome: string }[] } };
  expect([verdict, statistics.stages.at(-1)!.outcome]).toEqual(['proved', 'proof']);

  user.write('pump.c', take('docs/reference', 'unsigned checksum = 7;'));
  const slices = take('docs/reference', 'npx provest slice pump.c').trim().split('\n');
  const [slice, why] = slices.map((line) => user.provest(...line.split(' ').slice(2)));
  expect([slice!.status, why!.status]).toEqual([0, 0]);
  expect(slice!.stdout.split('\n')[7]).toBe('    ;');
  expect(slice!.stdout).toContain('litres++');
  expect(why!.stdout).toMatch(/^line 9: litres\+\+/m);

  // Both commands are tried in r9.cover.test.ts.
  expect(take('docs/reference', 'npx provest cover stack.c')).toBe(
    'PROVEST_BLOB=1 npx jest\nnpx provest cover stack.c --out stack.test.js\n',
  );

  user.write(
    'plain.test.js',
    `${loading('stack', 'sized/stack.c')}test('pushes', () => { stack.init(1); expect(stack.push(1)).toBe(1); });\n`,
  );
  const configurations = [
    take('docs/tutorial.md', "// jest.config.js\nmodule.exports = { preset: 'provest' };"),
    take('docs/reference', "module.exports = { preset: 'provest' };"),
    take('docs/reference', "setupFilesAfterEnv: ['provest/jest']"),
    take('docs/reference', 'thresholds: { high: 90, low: 70, break: 50 }'),
    // Without a question nobody goes to the queue; test/queue asks one.
    take('docs/reference', "queue: 'redis://build-1:6379'"),
  ];
  // The others differ in a word from what most tests of this folder use.
  for (const configuration of isLong ? configurations : configurations.slice(3)) {
    user.write('jest.config.js', configuration);
    const { status, stderr } = user.jest({ args: ['plain.test.js', '-w', '1'] });
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('stack.c  not evaluated  plain.test.js loads it') as string,
    ]);
  }
  // What a user writes for Vitest is the configuration that `provest init` writes, and r9.init.test.ts runs.
  expect(take('docs/reference', "setupFiles: ['provest/vitest']")).toContain(
    "reporters: ['default', 'provest/vitest-reporter']",
  );
}, 600_000);

test('R15 the stub that a message shows can be pasted', () => {
  user.write('jest.config.js', "module.exports = { preset: 'provest' };");
  user.write(
    'extern.c',
    'struct point { int x; int y; };\nint ask(int channel, const char *name);\nstruct point where(void);\n' +
      'void tell(struct point *p);\n' +
      'int f(void) { struct point p = where(); tell(&p); return ask(p.x & 7, "a") & 1; }\n',
  );
  user.write('missing.test.js', loading('m', 'extern.c'));
  const { stderr } = user.jest({ args: ['missing.test.js'] });
  const stubs = [...stderr.matchAll(/stubs: \{ (.*?) \}, or let it/g)].map((match) => match[1]!);
  expect(stubs).toHaveLength(3);
  const pasted =
    `const { loadC } = require('provest');\nconst m = loadC('./extern.c', { stubs: { ${stubs.join(', ')} } });\n` +
    `test('calls', () => { m.f(); });\n`;
  // For TypeScript in its strictest mood, too: parameters get their types from `loadC`.
  user.write(
    'pasted.ts',
    pasted
      .replace("const { loadC } = require('provest');", "import { loadC } from 'provest';")
      .replace(/^test.*$/m, 'export const n: unknown = m.f!();'),
  );
  const program = ts.createProgram([join(user.folder, 'pasted.ts')], {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    module: ts.ModuleKind.Node16,
    moduleResolution: ts.ModuleResolutionKind.Node16,
    target: ts.ScriptTarget.ES2022,
  });
  expect(
    program
      .getSemanticDiagnostics(program.getSourceFile(join(user.folder, 'pasted.ts')))
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
  ).toEqual([]);
  user.write('missing.test.js', pasted);
  const { text, failed } = jest('missing.test.js')('missing.test.js');
  expect([failed, text]).toEqual([[], '']);
}, 600_000);

test('R15 no snippet is left out', () => {
  // A test of its own follows these parts of the tutorial; those of the causes in C, shell and for whole test files are
  // tried there.
  const inTutorial = [
    '1. A module and its tests',
    '2. Ask for more',
    '3. Repair',
    '4. A potential error',
    '7. Structures that your callers own',
    '8. Modules with callers you do not see',
  ]
    .flatMap((section) => snippetsOf('docs/tutorial.md', section))
    .map((snippet) => keyOf('docs/tutorial.md', snippet));
  const ofCauses = all
    .filter(
      ({ page, language, text }) =>
        page.startsWith('docs/causes/') &&
        (language === 'c' || language === 'sh' || text.includes("loadC('./example.c')")),
    )
    .map((snippet) => keyOf(snippet.page, snippet));
  // Its commands need a Redis server: test/queue runs them.
  const ofQueue = all
    .filter(({ text }) => text.includes('npx provest worker --queue'))
    .map((snippet) => keyOf(snippet.page, snippet));
  const known = new Set([...executed, ...inTutorial, ...ofCauses, ...ofQueue]);
  expect(all.map((snippet) => keyOf(snippet.page, snippet)).filter((key) => !known.has(key))).toEqual([]);
});
