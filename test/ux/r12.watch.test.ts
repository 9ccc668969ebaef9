/**
 * Edit the C, see the verdict: saving a C file or a header runs exactly the tests that load it, our own files never run
 * any, and two keys write.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from '../../plugin/dependencies';
import { withProbes } from '../../plugin/reporter/writeTests';
import { inLongForm, isLong } from '../long';
import { bad, describeWith, good, installed, removeProjects, UserProject } from './userProject';
import { besidePeer } from '../peer';

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  removeProjects();
});

const files = {
  'lib/stack.c': `#include "limits/size.h"\n${good.replace(/\b4\b/g, 'SIZE')}`,
  'lib/limits/size.h': '#define SIZE 4\n',
  'lib/inc/other.h': '#define OTHER 1\n',
  'lib/queue.c': '#include "other.h"\nint f(int k) { return OTHER / ((k & 1) + 1); }\n',
  'test/open.js':
    "const { loadC } = require('provest');\n" +
    "exports.queue = () => loadC('../lib/queue.c', { include: ['../lib/inc'] });\n",
  'test/stack.test.js':
    "const { loadC } = require('provest');\nconst stack = loadC('../lib/stack.c');\n" +
    "test('stack', () => { expect(stack.push(1)).toBe(1); });\n",
  'test/queue.test.js':
    "const queue = require('./open').queue();\ntest('queue', () => { expect(queue.f(1)).toBe(0); });\n",
  'test/none.test.js': "test('none', () => {});\n",
};

test('what loads what: literal paths, lists, includes, folders of headers', () => {
  const of = (code: string, file = '/p/a.test.ts') => [...extract(code, file, () => new Set(['./x']))];
  expect(
    of("const m = loadC('./a.c'); const n = loadC<Module>(['b.c', \"../c/d.c\"], { define: { A: f(1) } });"),
  ).toEqual(['./x', './a.c', './b.c', '../c/d.c']);
  expect(of("reload('./a.c'); // loadC\nload('./b.c')")).toEqual(['./x']);
  expect(of('#include <stdio.h>\n#include "stack.h"\n  #  include "../inc/a.h" // why\n', '/p/a.c')).toEqual([
    './stack.h',
    '../inc/a.h',
  ]);
});

test('related tests of a C file, of a header, of a header in a folder of include, through a helper', () => {
  const project = new UserProject('jest-30', files);
  const related = (file: string): string[] => {
    const { stdout } = spawnSync(process.execPath, [...project.command, '--listTests', '--findRelatedTests', file], {
      cwd: project.folder,
      encoding: 'utf8',
    });
    return stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.replace(/.*\//, ''))
      .sort();
  };
  expect(related('lib/stack.c')).toEqual(['stack.test.js']);
  expect(related('lib/limits/size.h')).toEqual(['stack.test.js']);
  expect(related('lib/queue.c')).toEqual(['queue.test.js']);
  expect(related('lib/inc/other.h')).toEqual(['queue.test.js']);
});

besidePeer(
  existsSync('/usr/bin/script') && process.platform === 'linux',
  'there is no /usr/bin/script, so the watch mode is NOT tested',
).test('under --watch', async () => {
  const project = new UserProject('jest-30', {
    ...files,
    '.gitignore': 'node_modules\njest-cache\n',
    'weak.c': good,
    'weak.test.js':
      "const { loadC } = require('provest');\nconst weak = loadC('./weak.c');\n" +
      "test('calls', () => { weak.push(1); });\n" +
      "test('verified', () => expect(weak).toBeVerified({ predicates: 'probes', escalate: false }));\n",
    'bad.c': bad,
    'bad.test.js':
      "const { loadC } = require('provest');\nconst m = loadC('./bad.c');\n" +
      "test('calls', () => { m.push(1); });\ntest('verified', () => expect(m).toBeVerified());\n",
  });
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: project.folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'all');
  // Jest listens to keys of a terminal only, so it gets one.
  const command = [process.execPath, ...project.command, '--watch', '--verbose=false', '-i'];
  const child = spawn('script', ['-qfec', command.map((word) => `'${word}'`).join(' '), '/dev/null'], {
    cwd: project.folder,
    stdio: 'pipe',
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1', TERM: 'xterm', COLUMNS: '200' },
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text.replace(/\x1b\[[\d;?]*[A-Za-z]|\x1bc/g, '');
    });
  const until = async (what: RegExp): Promise<string> => {
    for (let i = 0; i < 600 && !what.test(output); i++) await new Promise((resolve) => setTimeout(resolve, 100));
    expect(output).toMatch(what);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const seen = output;
    output = '';
    return seen;
  };
  await until(/Press w to show more|Watch Usage/);
  appendFileSync(join(project.folder, 'lib/limits/size.h'), '/* changed */\n');
  const first = await until(/Ran all test suites/);
  expect(first).toMatch(/PASS +test\/stack\.test\.js/);
  expect(first).not.toMatch(/queue\.test|none\.test|bad\.test|weak\.test/);
  git('commit', '-qam', 'header');
  // The module with the bug: its run writes nothing that would start another.
  appendFileSync(join(project.folder, 'bad.c'), '/* changed */\n');
  expect(await until(/Ran all test suites/)).toMatch(/FAIL +(\.\/)?bad\.test\.js/);
  expect(existsSync(join(project.folder, 'node_modules/.cache/provest'))).toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(output).not.toMatch(/RUNS|FAIL|PASS|Ran all/);
  // The key that writes the test of the bug.
  child.stdin.write('b');
  expect(await until(/Ran all test suites/)).toContain('bad.test.js: 1 test written');
  expect(project.read('bad.test.js')).toMatch(/@provest-generated[^]*m\.pop\(\);/);
  // The key that adds what a potential error suggests.
  // The written test is a change, which has a run of its own.
  await until(/Ran all test suites/);
  git('commit', '-qam', 'written');
  appendFileSync(join(project.folder, 'weak.c'), '/* changed */\n');
  await until(/FAIL +(\.\/)?weak\.test\.js[^]*Ran all test suites/);
  child.stdin.write('e');
  await until(/weak\.test\.js: 2 probes added/);
  const added = project.read('weak.test.js');
  expect(added).toMatch(/loadC\('\.\/weak\.c'\);\n(weak\.probe\('size .*', 'size .*'\);\n){2}test/);
  // They are enough.
  await until(/PASS +(\.\/)?weak\.test\.js[^]*Ran all test suites/);
  if (!isLong) return;
  // Pressed again, the key adds nothing.
  child.stdin.write('e');
  await until(/provest: no probe added: none is suggested /);
  expect(project.read('weak.test.js')).toBe(added);
  // And so does the other one, where the test is there already.
  appendFileSync(join(project.folder, 'bad.c'), '/* changed again */\n');
  await until(/FAIL +(\.\/)?bad\.test\.js[^]*Ran all test suites/);
  child.stdin.write('b');
  await until(/provest: nothing written: what was found is in the test files already/);
  child.stdin.write('q');
});

describeWith('vitest-4', () => {
  inLongForm(
    'in the watch mode of Vitest saving a C file or a header, even one with errors, runs only the tests that load it',
    async () => {
      const project = new UserProject(
        'vitest-4',
        {
          ...Object.fromEntries(
            Object.entries(files).map(([name, text]) => [
              name,
              text
                .replace(/^const \{ loadC \} = require\('provest'\);/, "import { loadC } from 'provest';")
                .replace('exports.queue =', 'export const queue =')
                .replace(
                  "const queue = require('./open').queue();",
                  "import { queue as open } from './open';\nconst queue = open();",
                ),
            ]),
          ),
          'test/late.test.js':
            "import { loadC } from 'provest';\nconst late = loadC('./late.c');\n" +
            "test('late', () => { expect(late.f()).toBe(1); });\n",
          'test/late.c': 'int f(void) { return 1 }\n',
        },
        { fileParallelism: false },
      );
      const child = spawn(
        process.execPath,
        [
          join(installed('vitest-4')!, 'node_modules', 'vitest', 'vitest.mjs'),
          'watch',
          '--reporter=verbose',
          '--reporter=provest/vitest-reporter',
        ],
        {
          cwd: project.folder,
          stdio: 'pipe',
          env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NO_COLOR: '1' },
        },
      );
      children.push(child);
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
        });
      const ran = async (): Promise<string> => {
        const waiting = /Waiting for file changes|Watching for file changes/;
        for (let i = 0; i < 600 && !waiting.test(output); i++) await new Promise((resolve) => setTimeout(resolve, 100));
        expect(output).toMatch(waiting);
        const seen = output;
        output = '';
        return [...new Set([...seen.matchAll(/(?:✓|×|❯|FAIL) +test\/(\w+)\.test\.js/g)].map(([, name]) => name!))]
          .sort()
          .join(' ');
      };
      const saved = (file: string, text = '/* changed */\n'): Promise<string> => {
        appendFileSync(join(project.folder, file), text);
        return ran();
      };
      expect(await ran()).toBe('late none queue stack');
      expect(await saved('lib/stack.c')).toBe('late stack');
      project.write({ 'test/late.c': 'int f(void) { return 1; }\n' });
      expect(await ran()).toBe('late');
      expect(await saved('lib/limits/size.h')).toBe('stack');
      if (!isLong) return;
      expect(await saved('lib/inc/other.h')).toBe('queue');
      expect(await saved('lib/queue.c', 'int g( {\n')).toBe('queue');
      project.write({ 'lib/queue.c': files['lib/queue.c'] });
      expect(await ran()).toBe('queue');
    },
    180_000,
  );
});

test('several suggested probes are added once each, in order, whatever the user did with earlier ones', () => {
  const text = "const m = loadC('./a.c');\ntest('x', () => {});\n";
  const probe = "m.probe('size >= 0', 'size >= 0');\nm.probe('size <= 4', 'size <= 4');";
  const of = (variable: string, lines: string) => ({ file: 'a.test.js', variable, probe: lines });
  const once = withProbes(text, [of('m', probe), of('m', probe)], 'a.test.js');
  expect(once).toEqual({ added: 2, text: `const m = loadC('./a.c');\n${probe}\ntest('x', () => {});\n` });
  // Another run may need fewer of them, or say them in another order; a formatter may have been at work.
  const [first, second] = probe.split('\n') as [string, string];
  const formatted = once.text.replace(second, 'm.probe(\n  "size <= 4",\n  "size <= 4",\n)');
  for (const lines of [first, second, `${second}\n${first}`])
    expect(withProbes(formatted, [of('m', lines)], 'a.test.js')).toEqual({ added: 0, text: formatted });
  expect(withProbes(once.text.replace(`${first}\n`, ''), [of('m', probe)], 'a.test.js')).toMatchObject({ added: 1 });
});

test('a suggested probe goes after the line that loads the module, once, in the style of the file', () => {
  const text =
    'import { loadC } from "provest";\ndescribe("x", () => {\n    const stack = loadC("./a.c");   // odd\n' +
    '    test("y", () => {});\n});\n';
  const probes = [{ file: 'a.test.ts', variable: 'stack', probe: "stack.probe('holds', 'size <= 4', { in: 'f' });" }];
  const once = withProbes(text, probes, 'a.test.ts');
  expect(once).toEqual({
    added: 1,
    text: text.replace('loadC("./a.c");', 'loadC("./a.c");\n    stack.probe("holds", "size <= 4", { in: "f" });'),
  });
  expect(withProbes(once.text, probes, 'a.test.ts')).toEqual({ added: 0, text: once.text });
  expect(withProbes(text, [{ ...probes[0]!, variable: 'other' }], 'a.test.ts').added).toBe(0);
});
