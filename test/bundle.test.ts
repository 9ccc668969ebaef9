/**
 * A bundle as a process loads it, in an installation of its own: with what V8 made of it kept, spoilt, and nowhere to
 * be kept.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'provest-bundle-'));
  mkdirSync(join(root, 'src'));
  mkdirSync(join(root, 'bundle'));
  copyFileSync(join(__dirname, '../dist/src/bundle.js'), join(root, 'src/bundle.js'));
  write('[__dirname, require("node:path").basename(__filename), 6 * 7].join(" ")');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (where: string): void =>
  writeFileSync(
    join(root, 'bundle/provest.js'),
    `(function (exports, require, module, __filename, __dirname) {
      exports.thing = () => ({ where: () => ${where} });
      exports.other = () => { throw new Error('nobody asked for this one'); };
    })`,
  );
const load = (...flags: string[]): string =>
  execFileSync(
    process.execPath,
    [
      ...flags,
      '-e',
      `
  const { exports, keep } = require(${JSON.stringify(join(root, 'src/bundle.js'))}).loadBundle('thing');
  process.stdout.write(exports.where());
  keep();
`,
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
const expected = (): string => `${join(root, 'bundle')} provest.js 42`;
const kept = (): string[] => readdirSync(join(root, 'bundle')).filter((name) => name !== 'provest.js');
const keptBytes = (): Buffer => readFileSync(join(root, 'bundle', kept()[0]!));

test('what V8 has made of it is kept once, and taken the next time', () => {
  expect(load()).toBe(expected());
  expect(kept()).toEqual([expect.stringMatching(/^thing\..*\.code$/)]);
  const before = keptBytes();
  expect(load()).toBe(expected());
  expect(kept()).toHaveLength(1);
  expect(keptBytes()).toEqual(before);
});

test('what is spoilt, or was made by a Node with other settings, is made anew', () => {
  load();
  writeFileSync(join(root, 'bundle', kept()[0]!), 'not what V8 wrote');
  expect(load()).toBe(expected());
  expect(keptBytes().length).toBeGreaterThan(100);
  const before = keptBytes();
  expect(load('--stack-size=500')).toBe(expected());
  expect(keptBytes()).not.toEqual(before);
});

test('a changed bundle is not taken for the one before', () => {
  load();
  write('[__dirname, require("node:path").basename(__filename), 7 * 6].join("+")');
  expect(load()).toBe(expected().replaceAll(' ', '+'));
});

test('where nothing can be written, it works as well, and leaves nothing', () => {
  load();
  const [name] = kept();
  // Not even the superuser writes a file over this.
  rmSync(join(root, 'bundle', name!));
  mkdirSync(join(root, 'bundle', name!, 'full'), { recursive: true });
  expect(load()).toBe(expected());
  expect(kept()).toEqual([name]);
});

test('a bundle that is missing is named', () => {
  rmSync(join(root, 'bundle/provest.js'));
  expect(() => load()).toThrow(/provest\.js is missing, and proofs run there: run "npm run build"/);
});

test.each([
  ['engines', []],
  ['commandLine', ['commander']],
])('the entry %s loads no package that few runs use', (name, packages) => {
  const script = `
    require('./dist/src/bundle.js').loadBundle(${JSON.stringify(name)});
    const name = /node_modules.((?:@[^/\\\\]+.)?[^/\\\\]+)/;
    const found = Object.keys(require.cache).flatMap((path) => name.exec(path)?.[1] ?? []);
    process.stdout.write(JSON.stringify([...new Set(found)]));
  `;
  const loaded = execFileSync(process.execPath, ['-e', script], { cwd: join(__dirname, '..'), encoding: 'utf8' });
  expect(JSON.parse(loaded)).toEqual(packages);
});
