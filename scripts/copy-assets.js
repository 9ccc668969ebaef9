// After tsc: what is read at run time goes where the compiled code looks for it (the bundled headers and library
// sources, the solver's child, the
// schema of the JSON, the report's page, the declarations of the matchers), the command becomes executable, and the
// time of the build is noted, for those who run the
// sources against it.
const {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} = require('node:fs');
const { join } = require('node:path');

for (const folder of ['headers', 'library']) {
  const target = join(__dirname, '..', 'dist', 'src', 'c', folder);
  rmSync(target, { recursive: true, force: true });
  cpSync(join(__dirname, '..', 'src', 'c', folder), target, { recursive: true });
  const paths = readdirSync(target, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .sort();
  writeFileSync(join(target, 'list.json'), JSON.stringify(paths));
}
for (const file of [
  'src/solver/z3child.js',
  'src/report/json/verdict.schema.json',
  'src/report/json/run.schema.json',
  'src/report/json/check.schema.json',
  'src/report/json/opinion.schema.json',
  'src/report/html/page.js',
  'src/report/html/searchTree.js',
  'src/report/html/heapPicture.js',
  'src/report/html/failures.js',
  'src/report/html/pasteable.js',
  'src/report/html/page.css',
  'plugin/expect.d.ts',
  'plugin/vitest.mjs',
  'plugin/vitest-reporter.mjs',
  'plugin/vitest.d.mts',
]) {
  copyFileSync(join(__dirname, '..', file), join(__dirname, '..', 'dist', file));
}
// For compilers: with this folder they take contracts for nothing.
mkdirSync(join(__dirname, '..', 'dist', 'include'), { recursive: true });
copyFileSync(
  join(__dirname, '..', 'src', 'c', 'headers', 'provest.h'),
  join(__dirname, '..', 'dist', 'include', 'provest.h'),
);
removeStale('src');
removeStale('plugin');
chmodSync(join(__dirname, '..', 'dist', 'src', 'cli', 'main.js'), 0o755);
writeFileSync(join(__dirname, '..', 'dist', '.built'), '');

/** Files of earlier builds whose source is gone would be published. */
function removeStale(folder) {
  const built = join(__dirname, '..', 'dist', folder);
  for (const name of readdirSync(built, { recursive: true, encoding: 'utf8' })) {
    const path = join(built, name);
    const source = join(__dirname, '..', folder, name);
    const sources = [source, source.replace(/(?:\.d)?\.([cm]?)[jt]s$/, '.$1ts')];
    if (!statSync(path).isFile() || name.endsWith('list.json') || sources.some((one) => existsSync(one))) continue;
    rmSync(path);
  }
}
