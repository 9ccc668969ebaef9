/**
 * Sessions of an editor with `provest lsp`: findings while the user types, after a run of the tests, and after a proof
 * in the background; and what its actions write.
 */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { Project, root } from '../ux/project';
import { EditorClient, edited, uri } from './client';

const buggy = `#define CAPACITY 8
static int elems[CAPACITY];
static int size;

int push(int value) {
  if (size == CAPACITY) return 0;
  elems[size] = value;
  size = size + 1;
  return 1;
}

int pop(void) {
  size = size - 1;
  return elems[size];
}
`;
const repaired = buggy.replace('  size = size - 1;', '  if (size == 0) return 0;\n  size = size - 1;');
const tests = `const { loadC } = require('provest');

const stack = loadC('./stack.c', { budget: 300_000 });

test('the last number pushed is popped first', () => {
  stack.push(7);
  expect(stack.pop()).toBe(7);
});

test('is verified', () => expect(stack).toBeVerified());
`;

let project: Project;
let client: EditorClient;
const at = (name: string): string => join(project.folder, name);
afterEach(() => {
  client.kill();
  project.remove();
});

/** With a test runner, as an install would bring it. */
function projectOf(files: Readonly<Record<string, string>>): Project {
  const made = new Project(files);
  symlinkSync(join(root, 'node_modules', 'jest'), join(made.folder, 'node_modules', 'jest'), 'dir');
  return made;
}

/** `budget`: of proofs in the background, enough for a machine that is busy. */
async function editor(files: Readonly<Record<string, string>>, options: object = {}): Promise<void> {
  project = projectOf(files);
  client = new EditorClient(project.folder);
  await client.initialize({ budget: '300s', ...options });
}

const titles = async (name: string): Promise<readonly string[]> =>
  (await client.lenses(at(name))).map(({ command }) => command.title);

test('a session: the bug of the last run is shown, its test is written and fails, the repair is proved', async () => {
  project = projectOf({ 'stack.c': buggy, 'stack.test.js': tests });
  expect(project.jest().status).toBe(1);
  client = new EditorClient(project.folder);
  const { capabilities } = (await client.initialize({ budget: '300s' })) as { capabilities: Record<string, unknown> };
  expect(Object.keys(capabilities)).toEqual(
    expect.arrayContaining(['codeLensProvider', 'codeActionProvider', 'hoverProvider', 'inlayHintProvider']),
  );

  // Shown at once, without a proof.
  client.open(at('stack.c'));
  const [failure] = await client.until(() => client.shown(at('stack.c')));
  expect(failure).toMatchObject({ severity: 1, source: 'provest', code: 'array-bounds' });
  expect(failure!.message).toBe('index -1 is outside elems[8]\nThese calls make it fail: pop();');
  expect(failure!.range.start).toEqual({ line: 13, character: 9 });
  expect(await titles('stack.c')).toContain('bug: write the failing test');
  expect((await client.hints(at('stack.c')))[14]).toBe('✗ fails');
  expect(await client.hover(at('stack.c'), 13)).toContain('index -1 is outside elems[8]');

  // The action writes the test, into the file that loads the module.
  const action = (await client.actions(at('stack.c'), 14)).find(({ title }) => title === 'Write the failing test')!;
  await client.execute(action.command!);
  expect(project.read('stack.test.js')).toContain("test('pop does not fail at stack.c:14");
  const lens = (await client.lenses(at('stack.c'))).find(({ command }) => command.title === 'bug: run the test')!;
  await client.execute(lens.command);
  expect(
    await client.until(() => client.messages.find((message) => message.includes('fails: pop does not'))),
  ).toContain('index -1 is outside elems[8]');

  // An edit takes the verdict away before anything is proved.
  client.change(at('stack.c'), repaired);
  expect(await titles('stack.c')).toContain('changed since it was proved: save to prove it again');
  expect(await client.hints(at('stack.c'))).toEqual({});
  expect(client.shown(at('stack.c'))).toEqual([]);

  // Saving runs the tests in the background.
  client.save(at('stack.c'), repaired);
  const proved = await client.until(async () => {
    const all = await titles('stack.c');
    return all.some((title) => title.endsWith('proved')) ? all : undefined;
  });
  expect(proved).toEqual(['2 of 2 checks proved', '2 of 2 checks proved']);
  expect((await client.hints(at('stack.c')))[7]).toBe('✓ proved');
  expect(await client.hover(at('stack.c'), 4)).toMatch(/Between calls of the module, proved:\n\n```c\n.*size/);
  expect(await client.close()).toBe(0);
}, 600_000);

test('errors in the C are shown as one types, at their place, and go when they are mended', async () => {
  await editor({ 'm.c': 'int f(void) { return 1; }\n', 'm.h': '' }, { onSave: false });
  client.open(at('m.c'));
  expect(await client.until(() => client.shown(at('m.c')))).toEqual([]);
  client.change(at('m.c'), 'int f(void) {\n  return y + 1;\n}\n');
  const [error] = await client.until(() => (client.shown(at('m.c'))!.length > 0 ? client.shown(at('m.c')) : undefined));
  expect(error).toMatchObject({
    severity: 1,
    range: { start: { line: 1, character: 9 }, end: { line: 1, character: 10 } },
  });
  expect(error!.message).toContain("'y'");
  client.change(at('m.c'), '#include "m.h"\nint f(void) { return 1; }\n');
  await client.until(() => (client.shown(at('m.c'))!.length === 0 ? true : undefined));
  // In a header that is open and not saved: shown where it is included.
  client.open(at('m.h'));
  client.change(at('m.h'), 'int g(void) { return z; }\n');
  const [included] = await client.until(() =>
    client.shown(at('m.c'))!.length > 0 ? client.shown(at('m.c')) : undefined,
  );
  expect(included!.range.start.line).toBe(0);
}, 600_000);

test('a file without tests is proved alone; a test goes into a new file; a suppression needs a reason', async () => {
  await editor({ 'stack.c': buggy });
  client.open(at('stack.c'));
  await client.until(() => client.shown(at('stack.c'))?.find(({ code }) => code === 'array-bounds'));
  const actions = await client.actions(at('stack.c'), 14);
  expect(actions.map(({ title }) => title)).toEqual([
    'Write the failing test',
    'Suppress array-bounds here: write the reason',
  ]);
  await client.execute(actions[0]!.command!);
  expect(project.read('stack.test.js')).toMatch(
    /^const \{ loadC \} = require\('provest'\);\n\nconst stack = loadC\('\.\/stack\.c'\);\n[^]*stack\.pop\(\);/,
  );
  // The test that was written fails, with the message that the editor shows.
  const ran = project.jest({ args: ['stack.test.js'] });
  expect(ran.status).toBe(1);
  expect(ran.stderr).toContain('index -1 is outside elems[8]');

  const suppressed = edited(buggy, actions[1]!.edit!.changes[uri(at('stack.c'))]!);
  expect(suppressed).toContain('  // provest-suppress array-bounds: \n  return elems[size];');
  client.change(at('stack.c'), suppressed);
  client.save(at('stack.c'), suppressed);
  await client.until(() =>
    client.shown(at('stack.c'))?.find(({ message }) => message.includes('a suppression needs a reason')),
  );
  // Never green: a comment without its reason leaves nothing out.
  expect(await titles('stack.c')).toEqual(['not proved: the C has errors', 'not proved: the C has errors']);
}, 600_000);

test('an accepted specification goes into the options of loadC, beside what is there', async () => {
  const c = 'struct q { int n; };\nint size(const struct q *q) { return q->n; }\n';
  await editor({
    'q.c': c,
    'q.test.js':
      "const { loadC } = require('provest');\nconst queue = loadC('./q.c', { budget: 300_000 });\n" +
      "test('q', () => expect(queue.size(queue.new('struct q'))).toBe(0));\n",
  });
  client.open(at('q.c'));
  await client.until(() => client.shown(at('q.c'))?.find(({ code }) => code === 'null-dereference'));
  const action = (await client.actions(at('q.c'), 2)).find(({ title }) =>
    title.startsWith('Accept that clients keep to'),
  )!;
  expect(action.title).toBe('Accept that clients keep to size: q != NULL');
  await client.execute(action.command!);
  expect(project.read('q.test.js')).toMatch(
    /loadC\('\.\/q\.c', \{\s*budget: 300_000,\s*requires: \{ size: 'q != NULL' \}\s*\}\)/,
  );
}, 600_000);

test('macros and include folders come from compile_commands.json', async () => {
  await editor(
    {
      'src/m.c': '#include "limits_of.h"\nint f(void) { return LIMIT; }\n',
      'inc/limits_of.h': '#ifndef LIMIT\n#error no limit\n#endif\n',
    },
    { onSave: false },
  );
  client.open(at('src/m.c'));
  expect(await client.until(() => client.shown(at('src/m.c')))).not.toEqual([]);
  project.write(
    'build/compile_commands.json',
    JSON.stringify([{ directory: project.folder, file: 'src/m.c', command: 'cc -Iinc "-DLIMIT=4" -c src/m.c' }]),
  );
  client.change(at('src/m.c'), '#include "limits_of.h"\nint f(void) { return LIMIT + 1; }\n');
  await client.until(() => (client.shown(at('src/m.c'))!.length === 0 ? true : undefined));
}, 600_000);
