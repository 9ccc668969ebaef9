// After tsc: the bundled headers and library sources go next to the compiled src/c/bundled.js, which looks for them there, the declarations of
// the matchers beside the plugin; and the time of the build is noted, for those who run the sources against it.
const { copyFileSync, cpSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');

for (const folder of ['headers', 'library']) {
  const target = join(__dirname, '..', 'dist', 'src', 'c', folder);
  rmSync(target, { recursive: true, force: true });
  cpSync(join(__dirname, '..', 'src', 'c', folder), target, { recursive: true });
}
copyFileSync(join(__dirname, '..', 'plugin', 'expect.d.ts'), join(__dirname, '..', 'dist', 'plugin', 'expect.d.ts'));
writeFileSync(join(__dirname, '..', 'dist', '.built'), '');
