// After tsc: the bundled headers and library sources go next to the compiled src/c/bundled.js, which looks for them there.
const { cpSync, rmSync } = require('node:fs');
const { join } = require('node:path');

for (const folder of ['headers', 'library']) {
  const target = join(__dirname, '..', 'dist', 'src', 'c', folder);
  rmSync(target, { recursive: true, force: true });
  cpSync(join(__dirname, '..', 'src', 'c', folder), target, { recursive: true });
}
