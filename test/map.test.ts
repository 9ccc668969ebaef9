/** src/README.md says which folder imports which; the imports say it, too. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderImports, sourceFiles, valueCircles } from '../bench/architecture/imports';

const src = join(__dirname, '..', 'src');
/** The second column names the folder, the last one what it imports. */
const rows = [...readFileSync(join(src, 'README.md'), 'utf8').matchAll(/^\| `([\w-]+)\/` \|.*\| ([^|]*) \|$/gm)];
const table = new Map(
  rows.map(([, folder, imports]) => [folder!, [...imports!.matchAll(/`([\w-]+)`/g)].map(([, name]) => name!).sort()]),
);

test('the table of src/README.md is the one that `node scripts/run-ts.js bench/architecture.ts --map` prints', () => {
  const actual = new Map([...folderImports(src)].map(([folder, imports]) => [folder, [...imports].sort()]));
  expect(Object.fromEntries(table)).toEqual(Object.fromEntries(actual));
});

test('the table goes from the lowest layer to the highest: a folder imports only those above it', () => {
  const order = [...table.keys()];
  const upward = [...table].flatMap(([folder, imports]) =>
    imports.filter((name) => order.indexOf(name) > order.indexOf(folder)).map((name) => `${folder} imports ${name}`),
  );
  expect(upward).toEqual([]);
});

/** Grammars, and constructors of terms that normalise each other's results: natural circles. */
const natural = ['src/c/parse/', 'src/c/elaborate/', 'src/program/lower/', 'src/logic/'];

test('no files import each other through values, except where a grammar does', () => {
  const circles = valueCircles([...sourceFiles(src), ...sourceFiles(join(src, '..', 'plugin'))]);
  const names = circles.map((files) => files.map((file) => file.slice(join(src, '..').length + 1)));
  expect(names.filter((files) => !natural.some((folder) => files.every((file) => file.startsWith(folder))))).toEqual(
    [],
  );
});
