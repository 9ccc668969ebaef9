import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

test('the TypeScript types are those of the schema', () => {
  execFileSync(process.execPath, [join(__dirname, '../../../scripts/build-schema.js'), '--check'], { stdio: 'pipe' });
});
